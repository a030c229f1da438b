use super::{casefold, digit_value, is_blank, is_printable};

#[test]
fn digits_of_every_script_have_their_value() {
    for (c, value) in [
        ('7', Some(7)),
        ('\u{660}', Some(0)),
        ('\u{669}', Some(9)),
        ('\u{1d7ff}', Some(9)),
        ('\u{1fbf9}', Some(9)),
        ('\u{b2}', None),
        ('x', None),
        ('\u{66a}', None),
    ] {
        assert_eq!(digit_value(c), value, "{c:?}");
    }
}

#[test]
fn printable_is_what_unicode_14_assigns_and_no_space_but_the_space() {
    for (c, printable) in [
        (' ', true),
        ('~', true),
        ('\u{7f}', false),
        ('\u{a0}', false),
        ('\u{a1}', true),
        ('\u{ad}', false),
        ('\u{378}', false),
        ('\u{1fae8}', false),
        ('\u{10ffff}', false),
        ('\u{e0100}', true),
    ] {
        assert_eq!(is_printable(c), printable, "{c:?}");
    }
}

#[test]
fn folding_is_full_and_blank_knows_the_separators() {
    assert_eq!(
        casefold("Stra\u{df}e \u{130}\u{3a3}\u{3c2}"),
        "strasse i\u{307}\u{3c3}\u{3c3}"
    );
    assert!(is_blank(" \u{1c}\u{1f}\u{85}\u{3000}") && !is_blank("\u{200b}"));
}
