//! What stands around a number: signs, currency, parentheses, percent; and LaTeX that makes it a part of another.

use super::word::{is_digit, is_letter, is_numeric};

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
        return plain;
    };
    match sign(text, currency) {
        Some(signed) => signed,
        None => Lead {
            start: currency,
            trap: text
                .before(currency)
                .filter(|c| super::word::is_dash(*c))
                .and_then(|c| text.before(currency - c.len_utf8()))
                .filter(|c| is_numeric(*c))
                .map(|_| "a range or a difference is two numbers"),
            ..plain
        },
    }
}

/// A sign that ends right before `at` and is one: `3-5` and `x-5` have none.
fn sign(text: Around<'_>, at: usize) -> Option<Lead> {
    let c = text.before(at)?;
    let start = at - c.len_utf8();
    let before = text.before(start);
    if before.is_some_and(|b| is_numeric(b) || is_letter(b) || matches!(b, ')' | ']' | '}')) {
        return None;
    }
    let trap = match c {
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
    let spaces = text.rest(end).len() - text.rest(end).trim_start_matches(is_gap).len();
    let mark = text
        .on_over(end + spaces, |c| c == '\\')
        .filter(|after| text.after(*after) == Some('%'))
        .unwrap_or(end + spaces);
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
        Some('‰' | '‱' | '％') if spaces == 0 => Tail {
            trap: Some("only `%` is read as percent"),
            ..plain
        },
        _ if spaces == 0 && dash_to_currency(text, end) => Tail {
            trap: Some("a range or a difference is two numbers"),
            ..plain
        },
        _ => plain,
    }
}

/// The first half of `$5-$7`.
fn dash_to_currency(text: Around<'_>, end: usize) -> bool {
    text.on_over(end, super::word::is_dash)
        .and_then(|at| text.on_over(at, is_currency))
        .and_then(|at| text.after(at))
        .is_some_and(is_digit)
}

/// The accounting form `(1,234)`: from the parenthesis (currency before it included) to after the other; `None` where
/// there is none. Right behind a word it is a call (`f(5)`), behind `]` a link.
pub(super) fn parentheses(text: Around<'_>, start: usize, end: usize) -> Option<(usize, usize)> {
    let inner = text.back_over(start, is_gap).unwrap_or(start);
    let open = text.back_over(inner, |c| matches!(c, '(' | '（'))?;
    let after = text.on_over(end, is_currency).unwrap_or(end);
    let after = text.on_over(after, is_gap).unwrap_or(after);
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
    before.trim_end_matches(is_gap).ends_with('^')
        || ["^{", "}{", ",}", "\\,", "\\!", "\\frac", "frac{"]
            .iter()
            .any(|part| before.ends_with(part))
        || after.trim_start_matches(is_gap).starts_with('^')
        || ["}{", "{,}", "\\,", "\\!"]
            .iter()
            .any(|part| after.starts_with(part))
}

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
        || power.starts_with(|c: char| (c.is_numeric() && !is_digit(c)) || matches!(c, '⁻' | '⁺'));
    raised.then(|| end + (rest.len() - power.len()))
}

/// A space within a line.
pub(super) fn is_gap(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{a0}' | '\u{2009}' | '\u{202f}')
}

/// A currency sign.
pub(super) fn is_currency(c: char) -> bool {
    matches!(c, '$' | '¢'..='¥' | '\u{20a0}'..='\u{20cf}' | '＄' | '￠' | '￡' | '￥' | '￦')
}
