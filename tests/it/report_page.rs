//! `docs/reference/report.md` explains every field of the report.

use std::fs;

use holodeck_tests::root;

#[test]
fn every_field_of_the_report_is_explained() {
    let wire = fs::read_to_string(root().join("crates/holodeck-report/src/wire.rs")).unwrap();
    let page = fs::read_to_string(root().join("docs/reference/report.md")).unwrap();
    let fields = wire.lines().filter_map(|line| {
        let (name, _) = line.strip_prefix("    pub ")?.split_once(':')?;
        Some(name)
    });
    let missing: Vec<&str> = fields
        .filter(|name| !page.contains(&format!("`{name}`")))
        .collect();
    assert!(missing.is_empty(), "not explained: {missing:?}");
}
