//! Targets; the rest is tested through conversations.

use super::shown;

#[test]
fn an_address_is_shown_without_what_may_be_secret() {
    let url = "https://me:secret@host:8/v1?key=secret#secret"
        .parse()
        .unwrap();
    assert_eq!(shown(&url), "https://host:8/v1");
}
