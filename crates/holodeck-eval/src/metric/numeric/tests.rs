use holodeck_match::PyRegex;
use holodeck_model::plan::Extract;

use super::*;

fn settings(flags: &str) -> Numeric {
    let decimal = |text: &str| Decimal::parse(text).unwrap();
    Numeric {
        absolute_tolerance: decimal("0.5"),
        relative_tolerance: decimal("0"),
        accept_percent: flags.contains('%'),
        accept_thousands_separators: flags.contains(','),
        extract: flags.contains('l').then_some(Extract::Last),
    }
}

fn check(settings: &Numeric, reply: &str, ground_truth: &str) -> (bool, String) {
    let answer = Answer {
        text: reply.to_owned(),
        numeral: reply.to_owned(),
        called: "the reply".to_owned(),
    };
    match find(settings, &answer, ground_truth) {
        Finding::Scored {
            passed, reasoning, ..
        } => (passed, reasoning),
        Finding::Unreadable { error, ours } => (
            false,
            format!("{}{error}", if ours { "ours: " } else { "" }),
        ),
    }
}

#[test]
fn difference_and_tolerance_are_told() {
    assert_eq!(
        check(&settings(""), "206000", "206588"),
        (
            false,
            "expected 206588, got 206000: they differ by 588, more than absolute_tolerance 0.5"
                .into()
        )
    );
    assert_eq!(
        check(&settings(""), "206588.4", "206588"),
        (
            true,
            "expected 206588, got 206588.4: they differ by 0.4, within absolute_tolerance 0.5"
                .into()
        )
    );
}

#[test]
fn number_is_shown_as_it_was_read() {
    assert_eq!(
        check(&settings("%,"), "1,414%", "14.14").1,
        "expected 14.14, got 14.14 (read from \"1,414%\")"
    );
}

#[test]
fn unreadable_side_is_named() {
    assert_eq!(
        check(&settings(""), "about twenty", "25").1,
        "the reply \"about twenty\" is not a number"
    );
    assert_eq!(
        check(&settings(""), "25", "yes").1,
        "ours: the ground_truth \"yes\" is not a number"
    );
    assert_eq!(
        check(&settings(""), "no", "yes").1,
        "ours: the reply \"no\" is not a number, and the ground_truth \"yes\" is not a number"
    );
}

#[test]
fn sentence_gets_the_hint_to_extract() {
    assert_eq!(
        check(&settings(""), "The answer is 25587.", "25587").1,
        "the reply \"The answer is 25587.\" is not a number; `extract: last` would use 25587"
    );
}

#[test]
fn extracted_number_is_told() {
    assert_eq!(
        check(&settings("l,"), "a loss of $(1,234).", "-1234"),
        (
            true,
            "expected -1234, got -1234 (the last number of the reply, \"$(1,234)\", where parentheses are a minus)".into()
        )
    );
    assert_eq!(
        check(&settings("l"), "In 2009 it was 206,588.", "2009").1,
        "the last number of the reply, \"206,588\", has a thousands separator; set `accept_thousands_separators: true` to read it"
    );
    assert_eq!(
        check(&settings("l"), "In 2009 it was 206 588.", "2009").1,
        "the last number of the reply, \"206 588\", is not a number (a plain space is no thousands separator)"
    );
    assert_eq!(
        check(&settings("l"), "none", "5").1,
        "the reply \"none\" has no number in it"
    );
}

#[test]
fn thousands_of_digits_are_cut() {
    let nines = "9".repeat(4000);
    let (passed, why) = check(&settings("l"), &format!("it is {nines}."), "1e10000");
    assert!(!passed && why.len() < 700, "{why}");
    let (_, why) = check(&settings("l"), &nines.repeat(2), "5");
    assert!(why.contains("is too long a number"), "{why}");
}

#[test]
fn regex_that_gives_up_is_not_the_replys_fault() {
    let numeric = Numeric {
        extract: Some(Extract::Regex(PyRegex::new(r"(a+)+\1b").unwrap())),
        ..settings("")
    };
    let (_, why) = check(&numeric, &"a".repeat(5000), "5");
    assert!(why.starts_with("ours: the reply \"aaa"), "{why}");
    assert!(why.ends_with("regex gave up after 1000000 steps"), "{why}");
}
