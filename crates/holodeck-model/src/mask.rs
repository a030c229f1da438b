//! Secrets out of everything that is written, recorded or printed, by value (rule L10a).
//!
//! Which values are secret is [`Config::secrets`](crate::config::Config::secrets)'s to say.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use holodeck_value::{Object, Value, unicode};

use crate::diagnostic::{Diagnostic, Place};
use crate::outcome::{CaseOutcome, TurnOutcome};
use crate::record::{ToolInvocation, TurnEnd};
use crate::verdict::{MetricVerdict, ToolVerdict};

/// What stands in place of a secret.
pub const MASK: &str = "***";
/// Shorter values are not masked: they would take ordinary words with them.
pub const MIN_SECRET_CHARS: usize = 6;

/// Replaces secret values by [`MASK`].
#[derive(Clone, Default)]
pub struct Masker {
    secrets: BTreeSet<String>,
}

impl fmt::Debug for Masker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Masker({} secrets)", self.secrets.len())
    }
}

impl Masker {
    /// Masks these values, white space around them or not, and as they stand in JSON text; those of fewer than
    /// [`MIN_SECRET_CHARS`] characters are left alone.
    pub fn new(secrets: impl IntoIterator<Item = String>) -> Self {
        let spelt = |secret: String| {
            let bare = secret.trim_matches(unicode::is_space).to_owned();
            let quoted = Value::String(bare.clone()).to_json();
            [bare, quoted[1..quoted.len() - 1].to_owned()]
        };
        let secrets = secrets.into_iter().flat_map(spelt);
        Self {
            secrets: secrets
                .filter(|s| s.chars().count() >= MIN_SECRET_CHARS)
                .collect(),
        }
    }

    /// Whether there is nothing to mask.
    pub fn is_idle(&self) -> bool {
        self.secrets.is_empty()
    }

    /// The text without secrets; borrowed where it has none.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        for secret in &self.secrets {
            let matches = text.match_indices(secret.as_str());
            found.extend(matches.map(|(start, _)| (start, start + secret.len())));
        }
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        found.sort_unstable();
        let mut masked = String::new();
        let mut done = 0;
        for (start, end) in found {
            // Where two overlap, nothing of either is left.
            if start >= done {
                masked += &text[done..start];
                masked += MASK;
            }
            done = done.max(end);
        }
        masked += &text[done..];
        Cow::Owned(masked)
    }

    /// The same in place; says whether anything was masked.
    pub fn string(&self, text: &mut String) -> bool {
        if let Cow::Owned(masked) = self.text(text) {
            *text = masked;
            return true;
        }
        false
    }

    /// Masks the strings, keys and numerals of a value; a numeral with a secret in it becomes the string [`MASK`].
    pub fn value(&self, value: &mut Value) -> bool {
        if self.is_idle() {
            return false;
        }
        match value {
            Value::Null | Value::Bool(_) => false,
            Value::String(text) => self.string(text),
            Value::Number(number) => {
                let hit = matches!(self.text(number.lexeme()), Cow::Owned(_));
                if hit {
                    *value = Value::String(MASK.to_owned());
                }
                hit
            }
            Value::Array(items) => self.all(items, Self::value),
            Value::Object(object) => self.object(object),
        }
    }

    /// Masks the keys and values of a mapping.
    pub fn object(&self, object: &mut Object) -> bool {
        let mut hit = false;
        let masked = object.iter().map(|(key, value)| {
            let key = self.text(key);
            hit |= matches!(key, Cow::Owned(_));
            let mut value = value.clone();
            hit |= self.value(&mut value);
            (key.into_owned(), value)
        });
        let masked: Object = masked.collect();
        if hit {
            *object = masked;
        }
        hit
    }

    /// Masks everything in a finished case; says whether anything was masked.
    pub fn case(&self, case: &mut CaseOutcome) -> bool {
        if self.is_idle() {
            return false;
        }
        let mut hit = self.string(&mut case.id.key);
        hit |= self.option(&mut case.name) | self.option(&mut case.error);
        hit | self.all(&mut case.turns, Self::turn)
    }

    /// Masks what is told of a mistake, source lines included.
    pub fn diagnostic(&self, diagnostic: &mut Diagnostic) {
        if self.is_idle() {
            return;
        }
        self.option(&mut diagnostic.case);
        self.string(&mut diagnostic.path);
        self.string(&mut diagnostic.message);
        self.option(&mut diagnostic.hint);
        if let Some(place) = &mut diagnostic.place {
            self.place(place);
        }
        for (place, why) in &mut diagnostic.related {
            self.place(place);
            self.string(why);
        }
    }

    /// The mark stays where it was in what is left of the line.
    fn place(&self, place: &mut Place) {
        self.string(&mut place.file);
        let before: String = place
            .excerpt
            .chars()
            .take(place.column_in_excerpt.saturating_sub(1) as usize)
            .collect();
        if self.string(&mut place.excerpt) {
            let n_chars = place.excerpt.chars().count();
            let n_before = self.text(&before).chars().count().min(n_chars);
            let rest = (n_chars - n_before).max(1);
            let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
            place.column_in_excerpt = narrow(n_before).saturating_add(1);
            place.width = place.width.min(narrow(rest));
        }
    }

    fn turn(&self, turn: &mut TurnOutcome) -> bool {
        let mut hit = self.string(&mut turn.input) | self.option(&mut turn.ground_truth);
        if let Some(expected) = &mut turn.expected_tools {
            hit |= self.all(expected, Self::value);
        }
        let record = &mut turn.record;
        hit |= match &mut record.end {
            TurnEnd::Replied | TurnEnd::TimedOut => false,
            TurnEnd::BackendFailed { message }
            | TurnEnd::SessionFailed { message, .. }
            | TurnEnd::Skipped { reason: message } => self.string(message),
        };
        hit |= self.option(&mut record.response);
        hit |= self.all(&mut record.tool_invocations, Self::invocation);
        hit |= self.all(&mut record.processed_files, Self::value);
        hit |= self.all(&mut turn.verdict.tools, Self::tool_verdict);
        hit | self.all(&mut turn.verdict.metrics, Self::metric_verdict)
    }

    fn invocation(&self, call: &mut ToolInvocation) -> bool {
        self.string(&mut call.name)
            | self.value(&mut call.args)
            | self.value(&mut call.result)
            | self.option(&mut call.error)
    }

    fn tool_verdict(&self, verdict: &mut ToolVerdict) -> bool {
        let args = verdict.args_asserted.as_mut();
        self.string(&mut verdict.expected_tool)
            | args.is_some_and(|args| self.object(args))
            | self.option(&mut verdict.unmatched_reason)
            | self.string(&mut verdict.summary)
    }

    fn metric_verdict(&self, verdict: &mut MetricVerdict) -> bool {
        let details = verdict.details.as_mut();
        self.string(&mut verdict.name)
            | self.option(&mut verdict.error)
            | self.option(&mut verdict.reasoning)
            | details.is_some_and(|details| self.value(details))
            | verdict.output.as_mut().is_some_and(|output| {
                self.string(&mut output.stdout)
                    | self.string(&mut output.stderr)
                    | self.string(&mut output.trace)
            })
    }

    fn option(&self, text: &mut Option<String>) -> bool {
        text.as_mut().is_some_and(|text| self.string(text))
    }

    fn all<T>(&self, items: &mut [T], mask: impl Fn(&Self, &mut T) -> bool) -> bool {
        items
            .iter_mut()
            .fold(false, |hit, item| mask(self, item) | hit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masker(secrets: &[&str]) -> Masker {
        Masker::new(secrets.iter().map(|s| (*s).to_owned()))
    }

    #[test]
    fn secrets_within_and_across_others_leave_nothing_and_short_ones_stay() {
        let masker = masker(&["abcdef", "abcdefghi", "ghijkl", "short"]);
        assert_eq!(
            masker.text("x abcdefghi y abcdefg short abcdefghijkl abcdefabcdef"),
            "x *** y ***g short *** ******"
        );
        assert_eq!(masker.text("nothing here"), Cow::Borrowed("nothing here"));
    }

    #[test]
    fn secrets_are_known_without_their_line_end_and_inside_json_text() {
        let masker = masker(&["line one\nline \"two\"\n"]);
        for text in ["line one\nline \"two\"", r#"line one\nline \"two\""#] {
            assert_eq!(masker.text(&format!("a{text}b")), "a***b");
        }
    }

    #[test]
    fn the_mark_stays_within_a_masked_line() {
        let mut diagnostic = Diagnostic {
            place: Some(Place {
                file: "a.yaml".to_owned(),
                line: 1,
                column: 11,
                width: 40,
                excerpt: "x: secret-value oops".to_owned(),
                column_in_excerpt: 17,
            }),
            hint: Some("not secret-value".to_owned()),
            ..Diagnostic::error("code", "`secret-value` is none")
        };
        masker(&["secret-value"]).diagnostic(&mut diagnostic);
        let place = diagnostic.place.unwrap();
        assert_eq!(diagnostic.message, "`***` is none");
        assert_eq!(diagnostic.hint.as_deref(), Some("not ***"));
        assert_eq!(place.excerpt, "x: *** oops");
        assert_eq!((place.column_in_excerpt, place.width), (8, 4));
    }

    #[test]
    fn keys_and_numerals_are_masked_too() {
        let masker = masker(&["206588"]);
        let mut value =
            Value::from_json(r#"{"k206588": [1, 206588.5, {"a": "n 206588"}], "b": true}"#)
                .unwrap();
        assert!(masker.value(&mut value));
        assert_eq!(
            value.to_json(),
            r#"{"k***":[1,"***",{"a":"n ***"}],"b":true}"#
        );
        assert!(!masker.value(&mut value));
    }
}
