//! The engine of first choice: `regex`, in time linear in the text, for all that it can express exactly.

use std::fmt::Write as _;
use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};

use super::alphabet::{Alphabet, LineFeeds};
use super::ast::{Greed, UNBOUNDED};
use super::charset::CharSet;
use super::ir::{Ir, Place, Step};
use super::{Found, tables};

/// States, roughly, beyond which a pattern is left to the other engine: repetitions are copied out here.
const MAX_STATES: u64 = 50_000;

/// States times bytes of text beyond which the other engine is asked: this one has no step limit, and some ten
/// nanoseconds for each would be seconds.
const MAX_WORK: u64 = 200_000_000;

/// Bytes that a compiled pattern may take.
const MAX_BYTES: usize = 32 << 20;

/// Groups and repetitions in each other beyond which a pattern is left to the other engine: this one recurses.
const MAX_NESTING: usize = 40;

/// A pattern for the linear engine.
#[derive(Debug)]
pub(super) struct Linear {
    alphabet: Alphabet,
    source: String,
    facts: Facts,
    n_states: u64,
    full: OnceLock<Option<Regex>>,
    first: OnceLock<Option<Regex>>,
}

/// The other engine must be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Declined;

/// What decides whether the linear engine will do.
#[derive(Clone, Copy, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent findings of one survey"
)]
struct Facts {
    /// Something that only backtracking can do, or ought to.
    needs_backtracking: bool,
    lines: bool,
    last_line: bool,
    unicode_boundary: bool,
    ascii_boundary: bool,
    no_boundary: bool,
    /// A repetition of what can match nothing: which match is found first may differ from Python's.
    empty_turns: bool,
    captures: bool,
    /// A search must look at more than the pattern.
    odd_start: bool,
}

impl Linear {
    /// `None` where the pattern needs the other engine.
    pub(super) fn new(ir: &Ir) -> Option<Self> {
        let mut facts = Facts::default();
        let n_states = survey(&ir.body, 0, &mut facts);
        facts.odd_start = ir.starts.is_some();
        let mixed_ends = facts.lines && facts.last_line;
        let mixed_words = facts.unicode_boundary && facts.ascii_boundary;
        if facts.needs_backtracking || mixed_ends || mixed_words || n_states > MAX_STATES {
            return None;
        }
        let line_feeds = if facts.lines {
            LineFeeds::All
        } else if facts.last_line {
            LineFeeds::Last
        } else {
            LineFeeds::Ordinary
        };
        let word = if facts.unicode_boundary {
            Some(CharSet::from_table(&tables::WORD))
        } else if facts.ascii_boundary {
            let ascii = [(0x30, 0x39), (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a)];
            Some(CharSet::from_ranges(ascii.to_vec()))
        } else {
            None
        };
        let alphabet = Alphabet::new(&ir.sets, word.as_ref(), line_feeds)?;
        let mut source = String::new();
        write_all(&ir.body, &alphabet, &mut source)?;
        Some(Self {
            alphabet,
            source,
            facts,
            n_states,
            full: OnceLock::new(),
            first: OnceLock::new(),
        })
    }

    /// Whether all of `text` matches.
    pub(super) fn full_match(&self, text: &str) -> Result<bool, Declined> {
        self.check(text)?;
        let regex = self
            .full
            .get_or_init(|| compiled(&format!("\\A(?:{})\\z", self.source)))
            .as_ref()
            .ok_or(Declined)?;
        Ok(regex.is_match(&self.alphabet.translate(text)))
    }

    /// The first match, in characters.
    pub(super) fn search(&self, text: &str) -> Result<Option<Found>, Declined> {
        self.check(text)?;
        if self.facts.empty_turns || self.facts.odd_start {
            return Err(Declined);
        }
        let regex = self
            .first
            .get_or_init(|| compiled(&self.source))
            .as_ref()
            .ok_or(Declined)?;
        let bytes = self.alphabet.translate(text);
        if !self.facts.captures {
            return Ok(regex.find(&bytes).map(|found| Found {
                whole: found.range(),
                picked: Some(found.range()),
            }));
        }
        Ok(regex.captures(&bytes).map(|captures| Found {
            whole: captures.get_match().range(),
            picked: captures.get(1).map(|group| group.range()),
        }))
    }

    /// `\B` never matches in an empty text; a large pattern on a long text would take too long.
    fn check(&self, text: &str) -> Result<(), Declined> {
        let length = u64::try_from(text.len()).unwrap_or(u64::MAX);
        let work = self.n_states.saturating_mul(length);
        if work > MAX_WORK || text.is_empty() && self.facts.no_boundary {
            return Err(Declined);
        }
        Ok(())
    }
}

fn compiled(source: &str) -> Option<Regex> {
    RegexBuilder::new(source)
        .unicode(false)
        .size_limit(MAX_BYTES)
        .build()
        .ok()
}

/// Takes note of what is in a pattern; gives its size in states.
fn survey(steps: &[Step], depth: usize, facts: &mut Facts) -> u64 {
    facts.needs_backtracking |= depth > MAX_NESTING;
    let mut sum: u64 = 0;
    for step in steps {
        let n = match step {
            Step::Set(_) => 1,
            Step::Place(place) => {
                match place {
                    Place::TextStart | Place::TextEnd => {}
                    Place::LineStart | Place::LineEnd => facts.lines = true,
                    Place::LastLineEnd => facts.last_line = true,
                    Place::Boundary { ascii, negated } => {
                        facts.ascii_boundary |= ascii;
                        facts.unicode_boundary |= !ascii;
                        facts.no_boundary |= negated;
                    }
                }
                1
            }
            Step::Capture(_, body) => {
                facts.captures = true;
                survey(body, depth + 1, facts).saturating_add(2)
            }
            Step::Repeat {
                min,
                max,
                greed,
                may_be_empty,
                body,
            } => {
                facts.needs_backtracking |= *greed == Greed::Possessive;
                facts.empty_turns |= *may_be_empty && *max > 1;
                let copies = if *max == UNBOUNDED {
                    min.saturating_add(1)
                } else {
                    *max
                };
                survey(body, depth + 1, facts)
                    .saturating_add(1)
                    .saturating_mul(u64::from(copies.max(1)))
            }
            Step::Alternatives(branches) => branches.iter().fold(1, |n, branch| {
                survey(branch, depth + 1, facts).saturating_add(n + 1)
            }),
            Step::Atomic(_) | Step::Look { .. } | Step::BackRef(..) | Step::Condition { .. } => {
                facts.needs_backtracking = true;
                1
            }
        };
        sum = sum.saturating_add(n);
    }
    sum
}

/// Writes the pattern for `regex`; `None` where it has no words for it.
fn write_all(steps: &[Step], alphabet: &Alphabet, into: &mut String) -> Option<()> {
    steps
        .iter()
        .try_for_each(|step| write_one(step, alphabet, into))
}

fn write_one(step: &Step, alphabet: &Alphabet, into: &mut String) -> Option<()> {
    match step {
        Step::Set(set) => write_set(alphabet.set(*set), into),
        Step::Place(place) => into.push_str(match place {
            Place::TextStart => r"\A",
            Place::TextEnd => r"\z",
            Place::LineStart => "(?m:^)",
            Place::LineEnd | Place::LastLineEnd => "(?m:$)",
            Place::Boundary { negated: false, .. } => r"\b",
            Place::Boundary { negated: true, .. } => r"\B",
        }),
        Step::Capture(group, body) => {
            into.push_str(if *group == 1 { "(" } else { "(?:" });
            write_all(body, alphabet, into)?;
            into.push(')');
        }
        Step::Repeat {
            min,
            max,
            greed,
            body,
            ..
        } => {
            into.push_str("(?:");
            write_all(body, alphabet, into)?;
            into.push(')');
            write_count(*min, *max, into);
            if *greed == Greed::Lazy {
                into.push('?');
            }
        }
        Step::Alternatives(branches) => {
            into.push_str("(?:");
            for (i, branch) in branches.iter().enumerate() {
                if i > 0 {
                    into.push('|');
                }
                write_all(branch, alphabet, into)?;
            }
            into.push(')');
        }
        Step::Atomic(_) | Step::Look { .. } | Step::BackRef(..) | Step::Condition { .. } => {
            return None;
        }
    }
    Some(())
}

fn write_count(min: u32, max: u32, into: &mut String) {
    let written = match (min, max) {
        (0, UNBOUNDED) => write!(into, "*"),
        (1, UNBOUNDED) => write!(into, "+"),
        (min, UNBOUNDED) => write!(into, "{{{min},}}"),
        (0, 1) => write!(into, "?"),
        (min, max) => write!(into, "{{{min},{max}}}"),
    };
    debug_assert!(written.is_ok(), "writing to a string");
}

fn write_set(bytes: &[u8], into: &mut String) {
    if bytes.is_empty() {
        into.push_str(r"[^\x00-\xff]");
        return;
    }
    into.push('[');
    for run in bytes.chunk_by(|a, b| a.checked_add(1) == Some(*b)) {
        if let (Some(first), Some(last)) = (run.first(), run.last()) {
            let written = write!(into, r"\x{first:02x}-\x{last:02x}");
            debug_assert!(written.is_ok(), "writing to a string");
        }
    }
    into.push(']');
}
