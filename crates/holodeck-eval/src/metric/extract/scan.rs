//! Finds the numbers of a text, in order, in one pass.

use holodeck_value::numeral::{self, Accept};

use super::around::{self, Around};
use super::word::{self, Shape, is_dash, is_digit, is_letter, is_numeric, is_unseen};

/// Everything rule N1 can read; what the author's flags allow is asked of the number that was picked.
pub(super) const ALL: Accept = Accept {
    percent: true,
    thousands_separators: true,
};

/// A number, or what looks so much like one that it must not be passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Token<'a> {
    /// Where that begins in the text, in bytes.
    pub(in super::super) start: usize,
    /// As it stands in the text, with its signs.
    pub(in super::super) shown: &'a str,
    /// What rule N1 reads.
    pub(in super::super) numeral: String,
    /// Why it is not a number.
    pub(in super::super) trap: Option<&'static str>,
}

/// The numbers of `text`.
pub(super) fn tokens(text: &str) -> Tokens<'_> {
    Tokens {
        text: Around(text),
        pos: 0,
    }
}

/// Iterates over the numbers of a text.
#[derive(Debug)]
pub(super) struct Tokens<'a> {
    text: Around<'a>,
    pos: usize,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let start = self.pos + self.text.rest(self.pos).find(is_word)?;
            let end = self.run_end(start);
            self.pos = end;
            if self.skip_address(start) {
                continue;
            }
            let first = start + word::code_before(&self.text.0[start..end]);
            let opener = self.text.after(first)?;
            let token = if is_digit(opener) {
                self.number(start, first, end)
            } else if is_vulgar_fraction(opener) {
                Some(self.token(start, end, String::new(), Some("a fraction is two numbers")))
            } else {
                None
            };
            if token.is_some() {
                return token;
            }
        }
    }
}

impl<'a> Tokens<'a> {
    /// The number whose digits begin at `first`, in the run from `start` (a currency code may lie between) to `end`.
    fn number(&mut self, start: usize, first: usize, end: usize) -> Option<Token<'a>> {
        let text = self.text;
        if text.0[..first].ends_with("_{") {
            return None;
        }
        if let Some((end, why)) = self.goes_on_after_a_space(first, end) {
            self.pos = end;
            return Some(self.token(start, end, String::new(), Some(why)));
        }
        let digits_end = end - word::code_after(&text.0[first..end]);
        let digits_start = self.with_leading_point(start, first);
        let digits = &text.0[digits_start..digits_end];
        let mut trap = match word::shape(digits) {
            Shape::Word => return None,
            Shape::Number => None,
            Shape::Trap(why) => Some(why),
        };
        let lead = around::lead(text, if first == start { digits_start } else { start });
        let tail = around::tail(text, end);
        trap = trap.or(lead.trap).or(tail.trap);
        if around::part_of_a_formula(text, lead.start, tail.end) {
            trap = trap.or(Some("it is a part of a formula"));
        }
        let (mut start, mut end, mut negative) = (lead.start, tail.end, lead.negative);
        let mut percent = tail.percent;
        if let Some((open, close)) = around::parentheses(text, start, end) {
            if !lead.signed {
                negative = true;
                if around::lead(text, open).signed {
                    trap = trap.or(Some("a sign stands before its parentheses"));
                }
            }
            let after = around::tail(text, close);
            if after.percent && !percent {
                percent = true;
                trap = trap.or(after.trap);
            }
            (start, end) = (open, if after.percent { after.end } else { close });
        }
        if let Some(power) = around::power_of_ten(text, end) {
            trap = trap.or(Some("it is a multiple of a power of ten"));
            end = self.run_end(power);
        }
        self.pos = self.pos.max(end);
        let sign = if negative { "-" } else { "" };
        let percent = if percent { "%" } else { "" };
        Some(self.token(start, end, format!("{sign}{digits}{percent}"), trap))
    }

    fn token(
        &self,
        start: usize,
        end: usize,
        numeral: String,
        trap: Option<&'static str>,
    ) -> Token<'a> {
        Token {
            start,
            shown: &self.text.0[start..end],
            numeral,
            trap,
        }
    }

    /// `.5`: the point belongs to the number unless something stands before it (`...5`, `No.5`).
    fn with_leading_point(&self, start: usize, first: usize) -> usize {
        let point = first
            .checked_sub(1)
            .filter(|_| start == first && self.text.before(first) == Some('.'));
        match point {
            Some(point)
                if self
                    .text
                    .before(point)
                    .is_none_or(|c| !is_word(c) && c != '.') =>
            {
                point
            }
            _ => first,
        }
    }

    /// `206 588` and `2 1/2`: where they end, and why they are not read.
    fn goes_on_after_a_space(&self, first: usize, end: usize) -> Option<(usize, &'static str)> {
        let head = &self.text.0[first..end];
        if !head.chars().all(is_digit) {
            return None;
        }
        let next = self.text.on_over(end, |c| c == ' ')?;
        if self.text.after(next).is_some_and(is_vulgar_fraction) || self.is_fraction(next) {
            return Some((self.run_end(next), "a fraction stands behind it"));
        }
        let groups_end = self.spaced_groups(head, end)?;
        Some((groups_end, "a plain space is no thousands separator"))
    }

    /// `1/2`
    fn is_fraction(&self, start: usize) -> bool {
        let run = &self.text.0[start..self.run_end(start)];
        let is_number = |part: &str| !part.is_empty() && part.chars().all(is_digit);
        run.split_once('/')
            .is_some_and(|(above, below)| is_number(above) && is_number(below))
    }

    /// The end of `206 588`: one to three digits, then threes after single spaces.
    fn spaced_groups(&self, head: &str, end: usize) -> Option<usize> {
        if head.chars().count() > 3 {
            return None;
        }
        let mut last = None;
        let mut at = end;
        while let Some(group) = self.text.on_over(at, |c| c == ' ') {
            let rest = self.text.rest(group);
            let digits = rest.find(|c| !is_digit(c)).unwrap_or(rest.len());
            let is_three = rest[..digits].chars().count() == 3;
            if !is_three || rest[digits..].starts_with(is_word) {
                break;
            }
            at = group + digits;
            last = Some(group);
        }
        last.map(|group| self.run_end(group))
    }

    /// The end of the run that begins at `start`: letters and digits, and what joins them.
    fn run_end(&self, start: usize) -> usize {
        let text = self.text.0;
        let word_end = |at: usize| {
            text[at..]
                .find(|c| !is_word(c))
                .map_or(text.len(), |n| at + n)
        };
        let mut end = word_end(start);
        let mut has_plus = false;
        let is_name = text[start..].starts_with(is_letter);
        loop {
            if !has_plus && self.is_plus_of_exponent(start, end) {
                has_plus = true;
                end = word_end(end + 1);
            }
            let rest = &text[end..];
            let joiner = &rest[..rest.find(|c| !is_joiner(c)).unwrap_or(rest.len())];
            let next = end + joiner.len();
            match (self.text.before(end), self.text.after(next)) {
                // `Q4:25587` is a name and a number.
                (Some(_), Some(_)) if is_name && joiner == ":" => return end,
                (Some(left), Some(right)) if is_word(right) && joins(left, joiner, right) => {
                    end = word_end(next);
                }
                _ => return end,
            }
        }
    }

    /// `+` of `1.5e+3`, at `end`.
    fn is_plus_of_exponent(&self, start: usize, end: usize) -> bool {
        let digit = self
            .text
            .on_over(end, |c| c == '+')
            .and_then(|next| self.text.after(next));
        let mantissa = self.text.0[start..end].strip_suffix(['e', 'E']);
        digit.is_some_and(is_digit)
            && mantissa.is_some_and(|m| numeral::read(&m[word::code_before(m)..], ALL).is_ok())
    }

    /// Moves past a web address that begins at `start`.
    fn skip_address(&mut self, start: usize) -> bool {
        let rest = self.text.rest(start);
        let scheme = rest.find(|c: char| !c.is_ascii_alphanumeric());
        let is_address = scheme.is_some_and(|at| at > 0 && rest[at..].starts_with("://"))
            || rest.starts_with("www.");
        if is_address {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            self.pos = start + end;
        }
        is_address
    }
}

/// What runs are made of.
fn is_word(c: char) -> bool {
    is_letter(c) || is_numeric(c)
}

/// What can stand inside a run.
fn is_joiner(c: char) -> bool {
    is_dash(c)
        || is_wide_space(c)
        || matches!(
            c,
            '.' | ',' | '_' | '\'' | '\u{2019}' | '/' | ':' | '^' | '%' | '*'
        )
        // Full-width, Arabic and middle points, which rule N1 does not read; and what can't be seen.
        || matches!(c, '，' | '．' | '\u{66b}' | '\u{66c}' | '·')
        || is_unseen(c)
}

/// Spaces that may stand inside a number: those of rule N1 and their kin.
fn is_wide_space(c: char) -> bool {
    c.is_whitespace() && !c.is_ascii() && !matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether `joiner` makes one run of what stands left and right of it.
fn joins(left: char, joiner: &str, right: char) -> bool {
    let digits = is_numeric(left) && is_numeric(right);
    let mut chars = joiner.chars();
    let (Some(only), None) = (chars.next(), chars.next()) else {
        let has_star = joiner.contains('*') && joiner != "**";
        return digits && !joiner.is_empty() && !has_star && !joiner.contains(is_wide_space);
    };
    match only {
        '*' => false,
        _ if digits => true,
        '_' | '^' => true,
        '\'' | '\u{2019}' => is_numeric(right),
        '/' => is_letter(left),
        '~' | '\u{2014}' | '\u{2015}' => false,
        c => is_dash(c),
    }
}

fn is_vulgar_fraction(c: char) -> bool {
    matches!(c, '¼'..='¾' | '⅐'..='⅟')
}
