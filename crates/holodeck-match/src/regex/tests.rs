//! Corners that neither the vectors nor the comparison with CPython (`cargo xtask diff-python regex`) show.

use proptest::prelude::*;

use super::backtrack::{self, Mode};
use super::linear::Linear;
use super::{PyRegex, RegexError, STEP_LIMIT, ir, parse, program};

fn compiled(pattern: &str) -> PyRegex {
    PyRegex::new(pattern).unwrap_or_else(|error| panic!("{pattern:?}: {error}"))
}

#[track_caller]
fn check(pattern: &str, matches: &[&str], differs: &[&str]) {
    let regex = compiled(pattern);
    for text in matches {
        assert_eq!(regex.full_match(text), Ok(true), "{pattern:?} on {text:?}");
    }
    for text in differs {
        assert_eq!(regex.full_match(text), Ok(false), "{pattern:?} on {text:?}");
    }
}

fn refused(pattern: &str) -> RegexError {
    PyRegex::new(pattern).expect_err("is refused")
}

#[test]
fn an_error_counts_characters_not_bytes() {
    assert_eq!(
        refused("日本語éa)").to_string(),
        "unbalanced parenthesis at position 5"
    );
    assert_eq!(
        refused("(?<=a*)b").to_string(),
        "look-behind requires fixed-width pattern"
    );
}

#[test]
fn what_is_not_supported_is_named() {
    assert!(
        refused(r"a\N{EM DASH}")
            .to_string()
            .contains(r"(\N{EM DASH})")
    );
    assert!(refused("(?t)a").to_string().contains("flag 't'"));
}

#[test]
fn classes_are_read_as_python_does() {
    check("[a&&b]+", &["a&b"], &["c"]);
    check("[[a]", &["[", "a"], &["[a]"]);
    check("[[:alpha:]]", &[":]", "l]"], &["a"]);
    check(r"\<\>", &["<>"], &[""]);
}

#[test]
fn case_is_set_aside_as_python_does() {
    check("(?i)i", &["i", "I", "İ", "ı"], &["j"]);
    check("(?i)[k-s]+", &["\u{212a}ſK"], &["t"]);
    check("(?ai)k", &["K"], &["\u{212a}"]);
    check("(?i)ß", &["ẞ"], &["ss"]);
    check(r"(?i)(ſ)\1", &["ſſ"], &["ſs"]);
}

#[test]
fn unicode_is_version_14() {
    check(r"\w", &["½", "é", "日"], &["\u{301}", "\u{11f02}"]);
    check(r"\d", &["٣"], &["\u{11f50}", "²"]);
    check(r"\s", &["\u{1c}", "\u{a0}"], &["\u{200b}"]);
    check(r".*\b!\b.*", &["é!é", "½!1"], &["e\u{301}!é"]);
}

#[test]
fn a_dollar_sees_the_last_line_feed() {
    check(r"a$\n", &["a\n"], &["a"]);
    check(r"a$", &["a"], &["a\n"]);
    check(r"(?s)a$.*", &["a", "a\n"], &["a\nb", "ab"]);
    check(r"(?m)a$\nb$", &["a\nb"], &["ab"]);
    check(r"(?m:a$)\nb$\n", &["a\nb\n"], &["a\nb"]);
    check(r"\B", &[], &["", "a"]);
}

#[test]
fn a_search_gives_the_bytes_of_group_1() {
    let search = |pattern: &str, text: &str| {
        let found = compiled(pattern).search(text).expect("within the limit");
        found
            .and_then(|found| found.picked)
            .map(|range| text[range].to_owned())
    };
    assert_eq!(search(r"\d+", "é 25").as_deref(), Some("25"));
    assert_eq!(search(r"€(\d+)", "日 €25").as_deref(), Some("25"));
    assert_eq!(search(r"(a)?b", "éb"), None);
    let aside = compiled(r"(a)?b").search("éb").expect("within the limit");
    assert_eq!(
        aside.map(|found| (found.whole, found.picked)),
        Some((2..3, None))
    );
    let long = format!("{}€25", "日".repeat(10_000));
    assert_eq!(search(r"€(\d+)", &long).as_deref(), Some("25"));
}

#[test]
fn a_catastrophic_pattern_takes_linear_time() {
    let text = format!("{}b", "a".repeat(1_000_000));
    assert_eq!(compiled("(a+)+$").full_match(&text), Ok(false));
    assert_eq!(
        compiled(r"\b(\w+)+$").full_match("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaé!"),
        Ok(false)
    );
}

#[test]
fn what_must_backtrack_gives_up() {
    let gave_up = compiled(r"(?=a)(a+)+$").full_match("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab");
    assert_eq!(gave_up.expect_err("too many ways").steps, STEP_LIMIT);
    let text = "ab".repeat(1_000_000);
    assert!(compiled("(?=a)(?:(a)|b)*").full_match(&text).is_err());
}

#[test]
fn huge_counts_cost_nothing_to_hold() {
    for pattern in ["a{4294967294}", "((a{1000}){1000}){1000}"] {
        check(pattern, &[], &["", "aaa"]);
    }
    let message = refused("a{4294967295}").to_string();
    assert_eq!(message, "the repetition number is too large");
}

#[test]
fn groups_200_deep_are_taken_and_deeper_ones_refused() {
    for head in ["(", "(?:", "(?=", "(?>", "(?i:", "(?:b|"] {
        let nested = |n| format!("{}a{}", head.repeat(n), ")*".repeat(n));
        let text = if head == "(?=" { "" } else { "a" };
        check(&nested(200), &[text], &["c"]);
        let message = refused(&nested(201)).to_string();
        assert!(message.contains("more than 200 groups"), "{message}");
    }
    assert!(PyRegex::new(&"(".repeat(1_000_000)).is_err());
}

#[test]
fn a_megabyte_of_pattern_is_taken() {
    let many = |piece: &str| piece.repeat(1_000_000 / piece.len());
    for piece in ["a", "ab|ba", "[ab]", "(a)", "a*?", r"\w", "(?:a|b)"] {
        check(&format!("{}d", many(piece)), &[], &["c"]);
    }
    check(&format!("(?i)[{}]", many("!-\u{ffff}")), &["a"], &["\n"]);
}

/// Patterns that the linear engine takes, for which both must agree.
fn patterns() -> impl Strategy<Value = String> {
    let atom = prop::sample::select(vec![
        "a", "b", "é", ".", r"\w", r"\W", r"\d", r"\b", r"\B", "^", "$", r"\Z", "[^a]", "[aé]",
        "\n", "",
    ]);
    let leaf = atom.prop_map(str::to_owned);
    leaf.prop_recursive(4, 24, 3, |inner| {
        let count = prop::sample::select(vec!["", "*", "+", "?", "*?", "??", "{2}", "{1,2}"]);
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}{b}")),
            (inner.clone(), inner.clone(), count.clone())
                .prop_map(|(a, b, n)| format!("(?:{a}|{b}){n}")),
            (inner.clone(), count).prop_map(|(a, n)| format!("({a}){n}")),
            inner.prop_map(|a| format!("(?i:{a})")),
        ]
    })
}

proptest! {
    #[test]
    fn both_engines_agree(pattern in patterns(), text in "[abAÉé1 \n]{0,8}") {
        let ir = ir::lower(&parse::parse(&pattern)?);
        let program = program::assemble(&ir);
        if let Some(linear) = Linear::new(&ir) {
            let run = |mode| backtrack::run(&program, &text, mode, STEP_LIMIT);
            if let (Ok(ours), Ok(theirs)) = (linear.full_match(&text), run(Mode::Full)) {
                prop_assert_eq!(ours, theirs.is_some());
            }
            if let (Ok(ours), Ok(theirs)) = (linear.search(&text), run(Mode::First)) {
                prop_assert_eq!(ours, theirs);
            }
        }
    }
}
