use holodeck_model::outcome::CaseOutcome;

use crate::sample;
use crate::{Format, rollup, wire};

fn report(cases: &[CaseOutcome]) -> String {
    let mut out = Vec::new();
    let mut iter = cases.iter().cloned().map(Ok);
    Format::Json
        .write(
            &sample::header(),
            &sample::summary(cases),
            &mut iter,
            &mut out,
        )
        .unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn the_text_is_that_of_the_wire_types() {
    for cases in [sample::cases(), Vec::new()] {
        let results = cases.iter().map(rollup::case).collect();
        let whole = sample::header().report(results, sample::summary(&cases).wire());
        let text = report(&cases);
        assert_eq!(text, serde_json::to_string_pretty(&whole).unwrap() + "\n");
        assert_eq!(
            serde_json::from_str::<wire::TestReport>(&text).unwrap(),
            whole
        );
    }
}
