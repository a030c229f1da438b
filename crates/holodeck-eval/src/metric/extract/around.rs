//! What stands around a number: signs, currency, parentheses, percent; and LaTeX that makes it a part of another.

use super::word::{self, is_dash, is_digit, is_letter, is_numeric, is_unseen};

const RANGE: &str = "a range or a difference is two numbers";
const APART: &str = "its sign stands apart from it";

/// The part of a text before or after a place, read character by character.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around<'a>(pub(super) &'a str);

impl<'a> Around<'a> {
    /// The character before `at`.
    pub(super) fn before(self, at: usize) -> Option<char> {
        self.0[..at].chars().next_back()
    }
    /// The character at `at`.
    pub(super) fn after(self, at: usize) -> Option<char> {
        self.0[at..].chars().next()
    }
    /// Everything from `at`.
    pub(super) fn rest(self, at: usize) -> &'a str {
        &self.0[at..]
    }
    /// `at` moved back over one character if it is `is`.
    pub(super) fn back_over(self, at: usize, is: impl Fn(char) -> bool) -> Option<usize> {
        self.before(at)
            .filter(|c| is(*c))
            .map(|c| at - c.len_utf8())
    }
    /// `at` moved on over one character if it is `is`.
    pub(super) fn on_over(self, at: usize, is: impl Fn(char) -> bool) -> Option<usize> {
        self.after(at).filter(|c| is(*c)).map(|c| at + c.len_utf8())
    }
}

/// What leads up to a number.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lead {
    /// Where it begins, sign and currency included.
    pub(super) start: usize,
    /// A minus sign.
    pub(super) negative: bool,
    /// A sign of either kind.
    pub(super) signed: bool,
    /// Why it must not be read.
    pub(super) trap: Option<&'static str>,
}

/// Reads back from the first digit (or the point before it) at `start`.
pub(super) fn lead(text: Around<'_>, start: usize) -> Lead {
    let plain = Lead {
        start,
        ..Lead::default()
    };
    if let Some(signed) = sign(text, start) {
        // `-5`, and `$-5` with the currency before it.
        return Lead {
            start: back_over_currency(text, signed.start).unwrap_or(signed.start),
            ..signed
        };
    }
    // `$5`, `$ 5`, `-$5`, `-$ 5`, `US$5`
    let bare = text.back_over(start, is_gap).unwrap_or(start);
    let Some(currency) = back_over_currency(text, start).or_else(|| back_over_currency(text, bare))
    else {
        // `-USD 5`
        let code = word::code_at_end(&text.0[..bare]).filter(|_| bare < start);
        let signed = code.and_then(|code| sign(text, code));
        return signed.or_else(|| sign_apart(text, start)).unwrap_or(plain);
    };
    if let Some(signed) = sign(text, currency).or_else(|| sign_apart(text, currency)) {
        return signed;
    }
    Lead {
        start: currency,
        trap: text
            .before(currency)
            .filter(|c| is_dash(*c))
            .and_then(|c| text.before(currency - c.len_utf8()))
            .filter(|c| is_numeric(*c))
            .map(|_| RANGE),
        ..plain
    }
}

/// A minus sign with emphasis, quotes, something unseen or, where it can be no bullet or hyphen, a space before `at`:
/// `-**5**`, `x = - 5`. To read the number without it would be wrong.
fn sign_apart(text: Around<'_>, at: usize) -> Option<Lead> {
    let is_mark = |c| is_unseen(c) || is_emphasis(c) || matches!(c, '"' | '\'' | '{' | '}');
    let marks = text.0[..at].trim_end_matches(is_mark).len();
    let gap = text.0[..at].trim_end_matches(is_gap).len();
    let after_sign = if marks < at { marks } else { gap };
    let c = text.before(after_sign).filter(|_| after_sign < at)?;
    let start = after_sign - c.len_utf8();
    let is_sign = match c {
        _ if marks < at => sign(text, after_sign).is_some_and(|signed| signed.negative),
        '±' => true,
        '\u{2212}' => !ends_a_term(text, start),
        '-' => text.0[..start]
            .trim_end_matches(is_gap)
            .ends_with(['=', '≈', ':', '(', '|', '$', '{']),
        _ => false,
    };
    is_sign.then_some(Lead {
        start,
        negative: true,
        signed: true,
        trap: Some(APART),
    })
}

/// Whether what stands before `at`, spaces aside, is something to subtract from.
fn ends_a_term(text: Around<'_>, at: usize) -> bool {
    text.0[..at].trim_end_matches(is_gap).ends_with(|c| {
        is_numeric(c) || is_letter(c) || is_currency(c) || matches!(c, ')' | ']' | '}' | '%')
    })
}

/// A sign that ends right before `at` and is one: `3-5` and `x-5` have none.
fn sign(text: Around<'_>, at: usize) -> Option<Lead> {
    let c = text.before(at)?;
    let start = at - c.len_utf8();
    let before = text.before(start);
    if before.is_some_and(|b| is_numeric(b) || is_letter(b) || matches!(b, ')' | ']' | '}')) {
        return None;
    }
    // `5€-7€`, `5 %-7 %`; but `$-5`
    let amount = text.back_over(start, is_currency);
    let after_amount =
        before == Some('%') || amount.is_some_and(|at| text.before(at).is_some_and(is_numeric));
    let trap = match c {
        _ if is_dash(c) && after_amount => Some(RANGE),
        '-' | '+' | '\u{2212}' if before.is_some_and(|b| matches!(b, '-' | '+' | '\u{2212}')) => {
            Some("it has two signs")
        }
        '-' if before == Some('/') => Some("`+/-` is no sign"),
        '-' | '+' | '\u{2212}' => None,
        '±' => Some("`±` is no sign"),
        '\u{2010}'..='\u{2013}' | '\u{fe63}' | '\u{ff0d}' => {
            Some("the dash before it is no minus sign: write `-` or U+2212")
        }
        _ => return None,
    };
    Some(Lead {
        start,
        negative: c != '+',
        signed: true,
        trap,
    })
}

/// `$`, `€`, `\$`, `US$`, `HK$`
fn back_over_currency(text: Around<'_>, at: usize) -> Option<usize> {
    let sign = text.back_over(at, is_currency)?;
    let mut start = sign;
    for _ in 0..3 {
        match text.back_over(start, |c| c.is_ascii_uppercase()) {
            Some(letter) => start = letter,
            None => break,
        }
    }
    if text
        .before(start)
        .is_some_and(|c| is_letter(c) || is_numeric(c))
    {
        start = sign;
    }
    Some(text.back_over(start, |c| c == '\\').unwrap_or(start))
}

/// What follows a number.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tail {
    /// Where it ends.
    pub(super) end: usize,
    /// One `%`.
    pub(super) percent: bool,
    /// Why it must not be read.
    pub(super) trap: Option<&'static str>,
}

/// Reads on from the end of the digits at `end`.
pub(super) fn tail(text: Around<'_>, end: usize) -> Tail {
    let plain = Tail {
        end,
        ..Tail::default()
    };
    let rest = text.rest(end);
    let after = rest
        .trim_start_matches(is_emphasis)
        .trim_start_matches(is_gap);
    let after = text.0.len() - after.len();
    let mark = text
        .on_over(after, |c| c == '\\')
        .filter(|after| text.after(*after) == Some('%'))
        .unwrap_or(after);
    match text.after(mark) {
        Some('%') => {
            let end = mark + 1;
            let trap = text
                .after(end)
                .filter(|c| *c == '%')
                .map(|_| "it has two `%`");
            Tail {
                end,
                percent: true,
                trap,
            }
        }
        Some('‰' | '‱' | '％' | '﹪' | '\u{66a}' | '\u{609}' | '\u{60a}') => Tail {
            trap: Some("only `%` is read as percent"),
            ..plain
        },
        _ if dash_to_currency(text, end) => Tail {
            trap: Some(RANGE),
            ..plain
        },
        _ => plain,
    }
}

/// The first half of `$5-$7`.
fn dash_to_currency(text: Around<'_>, end: usize) -> bool {
    text.on_over(end, is_dash)
        .and_then(|at| text.on_over(at, is_currency))
        .and_then(|at| text.after(at))
        .is_some_and(is_digit)
}

/// The accounting form `(1,234)`: from the parenthesis (currency before it included) to after the other; `None` where
/// there is none. Right behind a word it is a call (`f(5)`), behind `]` a link.
pub(super) fn parentheses(text: Around<'_>, start: usize, end: usize) -> Option<(usize, usize)> {
    let is_between = |c| is_gap(c) || is_emphasis(c);
    let inner = text.0[..start].trim_end_matches(is_between).len();
    let open = text.back_over(inner, |c| matches!(c, '(' | '（'))?;
    let after = text.on_over(end, is_currency).unwrap_or(end);
    let after = text.0.len() - text.rest(after).trim_start_matches(is_between).len();
    let close = text.on_over(after, |c| matches!(c, ')' | '）'))?;
    let before = text.before(open);
    if before.is_some_and(|c| is_numeric(c) || is_letter(c) || matches!(c, ']' | ')' | '\\')) {
        return None;
    }
    Some((back_over_currency(text, open).unwrap_or(open), close))
}

/// LaTeX and powers that make the digits from `start` to `end` a part of something.
pub(super) fn part_of_a_formula(text: Around<'_>, start: usize, end: usize) -> bool {
    let before = &text.0[..start];
    let after = text.rest(end);
    let spaced = |side: &str, is_first: bool| {
        THIN_SPACES.iter().any(|space| {
            let other = if is_first {
                side.strip_prefix(space).and_then(|s| s.chars().next())
            } else {
                side.strip_suffix(space).and_then(|s| s.chars().next_back())
            };
            other.is_some_and(is_digit)
        })
    };
    before
        .trim_end_matches(is_gap)
        .ends_with(['^', '√', '∛', '∜'])
        || ["^{", "}{", ",}", "\\frac", "frac{", "sqrt{", "sqrt(", "√("]
            .iter()
            .any(|part| before.ends_with(part))
        || spaced(before, false)
        || after.trim_start_matches(is_gap).starts_with('^')
        || after.starts_with("}{")
        || after.starts_with("{,}")
        || spaced(after, true)
}

/// LaTeX for the thin space between groups of digits.
const THIN_SPACES: [&str; 5] = ["\\,", "\\!", "\\;", "\\:", "\\ "];

/// The end of `× 10^6` behind a number that ends at `end`.
pub(super) fn power_of_ten(text: Around<'_>, end: usize) -> Option<usize> {
    let rest = text.rest(end);
    let factor = rest.trim_start_matches(is_gap);
    let ten = ["×", "x", "*", "·", "⋅", "\\times", "\\cdot"]
        .iter()
        .find_map(|sign| factor.strip_prefix(sign))?
        .trim_start_matches(is_gap);
    let power = ten.strip_prefix("10")?;
    let raised = power.starts_with('^')
        || power.starts_with("**")
        || power.starts_with(|c: char| (c.is_numeric() && !is_digit(c)) || matches!(c, '⁻' | '⁺'));
    raised.then(|| end + (rest.len() - power.len()))
}

/// A mark of markdown's emphasis or code.
fn is_emphasis(c: char) -> bool {
    matches!(c, '*' | '_' | '`')
}

/// A space within a line.
pub(super) fn is_gap(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{a0}' | '\u{2009}' | '\u{202f}')
}

/// A currency sign.
pub(super) fn is_currency(c: char) -> bool {
    matches!(c, '$' | '¢'..='¥' | '\u{20a0}'..='\u{20cf}' | '＄' | '￠' | '￡' | '￥' | '￦')
}
