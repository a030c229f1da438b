//! Expectations and misses in words (rule M7), long values cut for display.

use std::fmt;

use holodeck_value::unicode;

use crate::{ArgMatcher, ArgMiss, ExpectedCall, Miss, Problem};

/// The most characters of one value that are shown.
const MAX_SHOWN: usize = 200;

/// The most names of calls that are listed.
const MAX_NAMES: usize = 20;

impl fmt::Display for ExpectedCall {
    /// `subtract(a=206588, b≈181001, c~^x$)`, `lookup x2`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Some(args) = &self.args {
            let args: Vec<_> = args
                .iter()
                .map(|(name, matcher)| match matcher {
                    ArgMatcher::Literal(value) => format!("{name}={}", cut(&value.to_json())),
                    ArgMatcher::Fuzzy(fuzzy) => format!("{name}≈{}", cut(fuzzy.expected())),
                    ArgMatcher::Regex(regex) => format!("{name}~{}", cut(regex.pattern())),
                })
                .collect();
            write!(f, "({})", args.join(", "))?;
        }
        if self.count > 1 {
            write!(f, " x{}", self.count)?;
        }
        Ok(())
    }
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchCall { name, called } if called.is_empty() => {
                write!(f, "no call to '{name}' found; no calls were made")
            }
            Self::NoSuchCall { name, called } => {
                let more = called.len().saturating_sub(MAX_NAMES);
                let called: Vec<_> = called.iter().take(MAX_NAMES).map(|c| cut(c)).collect();
                let called = called.join(", ");
                write!(f, "no call to '{name}' found; calls made: {called}")?;
                if more > 0 {
                    write!(f, " and {more} more")?;
                }
                Ok(())
            }
            Self::TooFew {
                expected,
                got,
                nearest,
            } => {
                write!(f, "expected {expected} matching calls, got {got}")?;
                match nearest {
                    None => Ok(()),
                    Some((call, args)) => {
                        write!(f, "; nearest other is call {}: {}", call + 1, listed(args))
                    }
                }
            }
            Self::Nearest { call, name, args } => {
                let (args, name) = (listed(args), cut(name));
                write!(f, "{args} (nearest is call {}, '{name}')", call + 1)
            }
        }
    }
}

impl fmt::Display for ArgMiss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match &self.problem {
            Problem::Missing { expected } => {
                write!(f, "arg '{name}' missing: expected {}", cut(expected))
            }
            Problem::NoArguments { expected } => write!(
                f,
                "arg '{name}' missing, as the call's arguments are not a mapping: expected {}",
                cut(expected)
            ),
            Problem::Differs {
                expected,
                actual,
                types,
            } => {
                let (expected, actual) = (cut(expected), cut(actual));
                write!(f, "arg '{name}' mismatch: expected {expected}")?;
                match types {
                    None => write!(f, ", got {actual}"),
                    Some((wanted, found)) => write!(f, " ({wanted}), got {actual} ({found})"),
                }
            }
            Problem::GaveUp {
                expected,
                actual,
                limit,
            } => {
                let (expected, actual) = (cut(expected), cut(actual));
                write!(
                    f,
                    "arg '{name}': {limit}: expected {expected}, got {actual}"
                )
            }
        }
    }
}

fn listed(args: &[ArgMiss]) -> String {
    let args: Vec<_> = args.iter().map(ArgMiss::to_string).collect();
    args.join("; ")
}

/// Cut to [`MAX_SHOWN`] characters; what can't be seen, or would break the line, as an escape: a no-break space is
/// told from a space only so.
fn cut(text: &str) -> String {
    let mut shown = String::new();
    for (i, c) in text.chars().enumerate() {
        if i == MAX_SHOWN {
            shown.push('…');
            break;
        }
        if unicode::is_printable(c) {
            shown.push(c);
        } else {
            shown.extend(c.escape_default());
        }
    }
    shown
}

#[cfg(test)]
mod tests;
