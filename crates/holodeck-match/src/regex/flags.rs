//! Inline flags: `(?i)`, `(?i-s:..)`.

use super::RegexError;
use super::ast::Flags;
use super::lexer::{Lexer, Token};

/// What a parenthesis with flags was.
#[derive(Debug)]
pub(super) enum Read {
    /// `(?i)`
    Global(Flags),
    /// `(?i-s:`
    Local { add: Flags, remove: Flags },
}

/// Whether `c` is one of Python's flag letters.
pub(super) fn is_flag(c: char) -> bool {
    matches!(c, 'i' | 'L' | 'm' | 's' | 'x' | 'a' | 't' | 'u')
}

fn flag(lexer: &Lexer, c: char) -> Result<Flags, RegexError> {
    Ok(match c {
        'i' => Flags::IGNORE_CASE,
        'm' => Flags::MULTI_LINE,
        's' => Flags::DOT_ALL,
        'x' => Flags::VERBOSE,
        'a' => Flags::ASCII,
        'u' => Flags::UNICODE,
        'L' => {
            let message = "bad inline flags: cannot use 'L' flag with a str pattern";
            return Err(lexer.error(message, 0));
        }
        _ => {
            let message =
                format!("flag '{c}' is not supported: it never had a documented meaning in Python");
            return Err(lexer.error(message, 1));
        }
    })
}

/// Reads flags of which `first`, or a `-`, has been taken, up to their `:` or `)`.
pub(super) fn read(lexer: &mut Lexer, first: char) -> Result<Read, RegexError> {
    let mut add = Flags::NONE;
    let mut c = first;
    while c != '-' {
        let new = flag(lexer, c)?;
        add = add | new;
        if new.has(Flags::KINDS) && add & Flags::KINDS != new {
            let message = "bad inline flags: flags 'a', 'u' and 'L' are incompatible";
            return Err(lexer.error(message, 0));
        }
        c = letter(lexer, ")-:", "missing -, : or )")?;
        match c {
            ')' => return Ok(Read::Global(add)),
            ':' => {
                return Ok(Read::Local {
                    add,
                    remove: Flags::NONE,
                });
            }
            _ => {}
        }
    }
    let remove = removed(lexer)?;
    if (add & remove) != Flags::NONE {
        return Err(lexer.error("bad inline flags: flag turned on and off", 1));
    }
    Ok(Read::Local { add, remove })
}

fn removed(lexer: &mut Lexer) -> Result<Flags, RegexError> {
    let mut remove = Flags::NONE;
    let mut c = letter(lexer, "", "missing flag")?;
    while c != ':' {
        if matches!(c, 'a' | 'u' | 'L') {
            let message = "bad inline flags: cannot turn off flags 'a', 'u' and 'L'";
            return Err(lexer.error(message, 0));
        }
        remove = remove | flag(lexer, c)?;
        c = letter(lexer, ":", "missing :")?;
    }
    Ok(remove)
}

/// The next flag letter, or one of `ends`.
fn letter(lexer: &mut Lexer, ends: &str, missing: &str) -> Result<char, RegexError> {
    match lexer.take()? {
        None => Err(lexer.error(missing, 0)),
        Some(Token::Char(c)) if is_flag(c) || ends.contains(c) => Ok(c),
        Some(token) => {
            let is_letter = matches!(token, Token::Char(c) if c.is_alphabetic());
            let message = if is_letter { "unknown flag" } else { missing };
            Err(lexer.error(message, token.len()))
        }
    }
}
