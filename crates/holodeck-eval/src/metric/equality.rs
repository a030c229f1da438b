//! `equality` (rule N5): the same text, code point by code point, after the normalisations that were asked for.

use holodeck_model::plan::Equality;
use holodeck_value::unicode;

use super::{Answer, Finding};
use crate::quote::{SHORT, quote, quote_all};

/// Holds the answer against the ground truth.
pub(super) fn find(settings: Equality, answer: &Answer, ground_truth: &str) -> Finding {
    let expected = normalise(ground_truth, settings);
    let actual = normalise(&answer.text, settings);
    if expected == actual {
        return Finding::yes_or_no(true, format!("got the expected {}", quote(&answer.text)));
    }
    let hint = what_would_help(settings, &answer.text, ground_truth)
        .map(|flags| format!("; with {flags} they would be equal"))
        .unwrap_or_default();
    Finding::yes_or_no(false, difference(&expected, &actual) + &hint)
}

/// Case, then punctuation, then white space.
fn normalise(text: &str, settings: Equality) -> String {
    let mut text = if settings.case_insensitive {
        unicode::casefold(text)
    } else {
        text.to_owned()
    };
    if settings.strip_punctuation {
        text.retain(|c| !c.is_ascii_punctuation());
    }
    if settings.strip_whitespace {
        let mut words = text
            .split(unicode::is_space)
            .filter(|word| !word.is_empty());
        let mut joined = words.next().unwrap_or_default().to_owned();
        for word in words {
            joined.push(' ');
            joined.push_str(word);
        }
        text = joined;
    }
    text
}

/// Expected and got; in long texts what stands around the first difference.
fn difference(expected: &str, actual: &str) -> String {
    let position = expected
        .chars()
        .zip(actual.chars())
        .take_while(|(e, a)| e == a)
        .count();
    let wanted = expected.chars().nth(position);
    let got = actual.chars().nth(position);
    let is_long = |text: &str| text.chars().nth(SHORT).is_some();
    let texts = if is_long(expected) || is_long(actual) {
        format!(
            "expected and got differ from character {} on: expected {}, got {}",
            position + 1,
            window(expected, position),
            window(actual, position)
        )
    } else {
        format!("expected {}, got {}", quote(expected), quote(actual))
    };
    // Look-alikes (é in one or two code points, a no-break space) are told apart by their code points only.
    match (wanted, got) {
        (Some(wanted), Some(got)) if !(wanted.is_ascii() && got.is_ascii()) => format!(
            "{texts} (character {}: U+{:04X} expected, U+{:04X} got)",
            position + 1,
            u32::from(wanted),
            u32::from(got)
        ),
        _ => texts,
    }
}

/// About 20 characters before and 60 after `position`, quoted.
fn window(text: &str, position: usize) -> String {
    let start = position.saturating_sub(20);
    let part: String = text.chars().skip(start).take(80).collect();
    let before = if start > 0 { "…" } else { "" };
    let after = if text.chars().nth(start + 80).is_some() {
        "…"
    } else {
        ""
    };
    format!("{before}{}{after}", quote_all(&part))
}

/// The fewest flags not set yet that would make the texts equal, in the author's words.
fn what_would_help(settings: Equality, actual: &str, expected: &str) -> Option<String> {
    let mut best: Option<Vec<&str>> = None;
    for bits in 1u8..8 {
        let asked = Equality {
            case_insensitive: bits & 1 != 0,
            strip_punctuation: bits & 2 != 0,
            strip_whitespace: bits & 4 != 0,
        };
        let tried = Equality {
            case_insensitive: settings.case_insensitive || asked.case_insensitive,
            strip_punctuation: settings.strip_punctuation || asked.strip_punctuation,
            strip_whitespace: settings.strip_whitespace || asked.strip_whitespace,
        };
        let flags: Vec<&str> = [
            ("`case_insensitive: true`", asked.case_insensitive),
            ("`strip_punctuation: true`", asked.strip_punctuation),
            ("`strip_whitespace: true`", asked.strip_whitespace),
        ]
        .into_iter()
        .filter_map(|(flag, on)| on.then_some(flag))
        .collect();
        if best.as_ref().is_some_and(|b| flags.len() >= b.len()) {
            continue;
        }
        // A text that is nothing but punctuation would equal every other such text: no advice to give.
        let wanted = normalise(expected, tried);
        if !wanted.is_empty() && normalise(actual, tried) == wanted {
            best = Some(flags);
        }
    }
    best.map(|flags| flags.join(" and "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(flags: &str, reply: &str, ground_truth: &str) -> (bool, String) {
        let settings = Equality {
            case_insensitive: flags.contains('c'),
            strip_punctuation: flags.contains('p'),
            strip_whitespace: flags.contains('w'),
        };
        let answer = Answer {
            text: reply.to_owned(),
            numeral: reply.to_owned(),
            called: "the reply".to_owned(),
        };
        match find(settings, &answer, ground_truth) {
            Finding::Scored {
                passed, reasoning, ..
            } => (passed, reasoning),
            Finding::Unreadable { .. } => unreachable!("equality reads everything"),
        }
    }

    #[test]
    fn flag_that_would_help_is_named() {
        assert_eq!(
            check("", "Yes ", "yes"),
            (
                false,
                "expected \"yes\", got \"Yes \"; with `case_insensitive: true` and `strip_whitespace: true` they would be equal"
                    .into()
            )
        );
        assert_eq!(check("", "no", "yes").1, "expected \"yes\", got \"no\"");
        assert_eq!(check("", "!", "?").1, "expected \"?\", got \"!\"");
    }

    #[test]
    fn look_alikes_are_told_apart_by_code_point() {
        let (passed, reasoning) = check("", "caf\u{e9}", "cafe\u{301}");
        assert!(!passed);
        assert!(
            reasoning.ends_with("(character 4: U+0065 expected, U+00E9 got)"),
            "{reasoning}"
        );
    }

    #[test]
    fn long_texts_show_the_first_difference() {
        let same = "x".repeat(1000);
        let (_, reasoning) = check("", &format!("{same}b tail"), &format!("{same}a tail"));
        assert_eq!(
            reasoning,
            format!(
                "expected and got differ from character 1001 on: expected …\"{x}a tail\", got …\"{x}b tail\"",
                x = "x".repeat(20)
            )
        );
    }

    #[test]
    fn steps_run_in_the_order_of_the_rule() {
        // Punctuation goes before white space is joined, so no double space is left.
        assert!(check("pw", "a - b", "a b").0);
        assert!(check("cpw", "\u{1c}A\u{a0}B.\u{1f}", "a b").0);
    }
}
