//! What a backslash means, outside and inside `[..]`.

use super::RegexError;
use super::ast::{Anchor, Category, Item, Kind, Node, Set};
use super::lexer::{Lexer, Token};
use super::parse::Parser;

/// The largest value of an octal escape.
const MAX_OCTAL: u32 = 0o377;

fn is_octal(c: char) -> bool {
    matches!(c, '0'..='7')
}

fn category(c: char) -> Option<Category> {
    let kind = match c.to_ascii_lowercase() {
        'd' => Kind::Digit,
        'w' => Kind::Word,
        's' => Kind::Space,
        _ => return None,
    };
    Some(Category {
        kind,
        negated: c.is_ascii_uppercase(),
    })
}

fn control(c: char) -> Option<u32> {
    Some(match c {
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'n' => 10,
        'r' => 13,
        't' => 9,
        'v' => 11,
        '\\' => 92,
        _ => return None,
    })
}

fn octal(digits: &str) -> u32 {
    u32::from_str_radix(digits, 8).unwrap_or(u32::MAX)
}

/// An escape inside `[..]`.
pub(super) fn in_set(lexer: &mut Lexer, c: char) -> Result<Item, RegexError> {
    if let Some(code) = control(c) {
        return Ok(Item::Char(code));
    }
    if let Some(category) = category(c) {
        return Ok(Item::Category(category));
    }
    if is_octal(c) {
        let digits = format!("{c}{}", lexer.take_while(2, is_octal)?);
        return checked_octal(lexer, &digits).map(Item::Char);
    }
    if c.is_ascii_digit() {
        return Err(lexer.error(format!("bad escape \\{c}"), 2));
    }
    coded(lexer, c).map(Item::Char)
}

/// An escape outside `[..]`.
pub(super) fn outside(parser: &mut Parser, c: char) -> Result<Node, RegexError> {
    if let Some(category) = category(c) {
        return Ok(Node::Set(Box::new(Set {
            negated: false,
            items: vec![Item::Category(category)],
        })));
    }
    match c {
        'A' => Ok(Node::Anchor(Anchor::TextStart)),
        'Z' => Ok(Node::Anchor(Anchor::TextEnd)),
        'b' => Ok(Node::Anchor(Anchor::Boundary)),
        'B' => Ok(Node::Anchor(Anchor::NoBoundary)),
        '0' => {
            let digits = parser.lexer.take_while(2, is_octal)?;
            Ok(Node::Char(octal(&format!("0{digits}"))))
        }
        '1'..='9' => octal_or_reference(parser, c),
        _ => match control(c) {
            Some(code) => Ok(Node::Char(code)),
            None => coded(&mut parser.lexer, c).map(Node::Char),
        },
    }
}

fn octal_or_reference(parser: &mut Parser, first: char) -> Result<Node, RegexError> {
    let lexer = &mut parser.lexer;
    let mut digits = first.to_string();
    digits.push_str(&lexer.take_while(1, |c| c.is_ascii_digit())?);
    if digits.len() == 2 && digits.chars().all(is_octal) {
        let third = lexer.take_while(1, is_octal)?;
        if !third.is_empty() {
            digits.push_str(&third);
            return checked_octal(lexer, &digits).map(Node::Char);
        }
    }
    let group = digits.parse().unwrap_or(usize::MAX);
    if group > parser.n_groups() {
        let message = format!("invalid group reference {group}");
        return Err(parser.lexer.error(message, digits.len()));
    }
    parser.back_reference(group, 1 + digits.len())
}

fn checked_octal(lexer: &Lexer, digits: &str) -> Result<u32, RegexError> {
    let value = octal(digits);
    if value > MAX_OCTAL {
        let message = format!("octal escape value \\{digits} outside of range 0-0o377");
        return Err(lexer.error(message, 1 + digits.len()));
    }
    Ok(value)
}

/// `\x41 \u0041 \U00000041`, or a character that stands for itself.
fn coded(lexer: &mut Lexer, c: char) -> Result<u32, RegexError> {
    let n_digits = match c {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        'N' => return Err(named(lexer)),
        c if c.is_ascii_alphabetic() => return Err(lexer.error(format!("bad escape \\{c}"), 2)),
        c => return Ok(u32::from(c)),
    };
    let digits = lexer.take_while(n_digits, |c| c.is_ascii_hexdigit())?;
    if digits.len() < n_digits {
        return Err(lexer.error(format!("incomplete escape \\{c}{digits}"), 2 + digits.len()));
    }
    match u32::from_str_radix(&digits, 16) {
        Ok(code) if code <= u32::from(char::MAX) => Ok(code),
        _ => Err(lexer.error(format!("bad escape \\{c}{digits}"), 2 + digits.len())),
    }
}

/// `\N{EM DASH}` would need the names of all characters: refused, with the way out.
fn named(lexer: &mut Lexer) -> RegexError {
    if lexer.peek() != Some(Token::Char('{')) {
        return lexer.error("missing {", 0);
    }
    let start = lexer.place().saturating_sub(2);
    let read = lexer
        .take()
        .and_then(|_| lexer.take_until('}', "character name"));
    match read {
        Err(error) => error,
        Ok(name) => RegexError::at(
            format!(
                "named characters are not supported (\\N{{{name}}}): write the character itself, or its code as \\uXXXX"
            ),
            start,
        ),
    }
}
