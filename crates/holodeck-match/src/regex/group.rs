//! What may follow a `(`.

use super::RegexError;
use super::ast::{Condition, Flags, Group, Look, Node, Seq};
use super::lexer::Token;
use super::parse::{Parser, check_depth};
use super::{charset, flags, tables};

/// CPython's MAXGROUPS.
const MAX_GROUPS: u128 = (i32::MAX / 2) as u128;

/// What a parenthesis was.
#[derive(Debug)]
pub(super) enum Read {
    Node(Node),
    /// `(?#..)`
    Comment,
    /// `(?i)`: flags for the whole pattern, which the parser has taken note of.
    Flags,
}

/// What kind of group holds what comes.
struct Opening {
    name: Option<String>,
    captures: bool,
    atomic: bool,
    add: Flags,
    remove: Flags,
}

impl Opening {
    const PLAIN: Self = Self {
        name: None,
        captures: false,
        atomic: false,
        add: Flags::NONE,
        remove: Flags::NONE,
    };
}

/// Reads a group whose `(` has been taken.
pub(super) fn read(
    parser: &mut Parser,
    verbose: bool,
    depth: usize,
    may_set_flags: bool,
) -> Result<Read, RegexError> {
    let start = parser.lexer.place() - 1;
    if !parser.lexer.take_if('?')? {
        let opening = Opening {
            captures: true,
            ..Opening::PLAIN
        };
        return body(parser, opening, verbose, depth, start).map(Read::Node);
    }
    let sign = taken(parser)?;
    let opening = match sign {
        Token::Char('P') => match python_extension(parser)? {
            Ok(name) => Opening {
                name: Some(name),
                captures: true,
                ..Opening::PLAIN
            },
            Err(reference) => return Ok(Read::Node(reference)),
        },
        Token::Char(':') => Opening::PLAIN,
        Token::Char('>') => Opening {
            atomic: true,
            ..Opening::PLAIN
        },
        Token::Char('#') => return comment(parser, start),
        Token::Char(c @ ('=' | '!' | '<')) => {
            return look(parser, c, verbose, depth, start).map(Read::Node);
        }
        Token::Char('(') => return condition(parser, verbose, depth, start).map(Read::Node),
        Token::Char(c) if c == '-' || flags::is_flag(c) => {
            match flags::read(&mut parser.lexer, c)? {
                flags::Read::Local { add, remove } => Opening {
                    add,
                    remove,
                    ..Opening::PLAIN
                },
                flags::Read::Global(add) => {
                    if !may_set_flags {
                        let back = parser.lexer.place() - start;
                        return Err(parser
                            .lexer
                            .error("global flags not at the start of the expression", back));
                    }
                    parser.flags = parser.flags | add;
                    return Ok(Read::Flags);
                }
            }
        }
        other => {
            let message = format!("unknown extension ?{}", other.text());
            return Err(parser.lexer.error(message, other.len() + 1));
        }
    };
    body(parser, opening, verbose, depth, start).map(Read::Node)
}

fn taken(parser: &mut Parser) -> Result<Token, RegexError> {
    match parser.lexer.take()? {
        Some(token) => Ok(token),
        None => Err(parser.lexer.error("unexpected end of pattern", 0)),
    }
}

/// `(?P<name>`: the name; `(?P=name)`: the reference.
fn python_extension(parser: &mut Parser) -> Result<Result<String, Node>, RegexError> {
    if parser.lexer.take_if('<')? {
        let name = parser.lexer.take_until('>', "group name")?;
        check_name(parser, &name)?;
        return Ok(Ok(name));
    }
    if parser.lexer.take_if('=')? {
        let name = parser.lexer.take_until(')', "group name")?;
        check_name(parser, &name)?;
        let group = named(parser, &name)?;
        let back = name.chars().count() + 1;
        return parser.back_reference(group, back).map(Err);
    }
    let token = taken(parser)?;
    let message = format!("unknown extension ?P{}", token.text());
    Err(parser.lexer.error(message, token.len() + 2))
}

fn is_name(name: &str) -> bool {
    let mut chars = name.chars().map(u32::from);
    let starts = |c| charset::in_table(&tables::NAME_START, c);
    let goes_on = |c| charset::in_table(&tables::NAME_CONTINUE, c);
    chars.next().is_some_and(starts) && chars.all(goes_on)
}

fn check_name(parser: &Parser, name: &str) -> Result<(), RegexError> {
    if is_name(name) {
        return Ok(());
    }
    Err(bad_name(parser, name))
}

fn bad_name(parser: &Parser, name: &str) -> RegexError {
    let message = format!("bad character in group name {}", quoted(name));
    parser.lexer.error(message, name.chars().count() + 1)
}

fn named(parser: &Parser, name: &str) -> Result<usize, RegexError> {
    parser.names.get(name).copied().ok_or_else(|| {
        let message = format!("unknown group name {}", quoted(name));
        parser.lexer.error(message, name.chars().count() + 1)
    })
}

/// A name between quotes, as Python's `repr` shows it.
fn quoted(name: &str) -> String {
    let quote = if name.contains('\'') && !name.contains('"') {
        '"'
    } else {
        '\''
    };
    let mut shown = String::from(quote);
    for c in name.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            c if c == quote || c == '\\' => shown.extend(['\\', c]),
            c if c.is_control() => shown.extend(format!("\\x{:02x}", u32::from(c)).chars()),
            c => shown.push(c),
        }
    }
    shown.push(quote);
    shown
}

fn comment(parser: &mut Parser, start: usize) -> Result<Read, RegexError> {
    loop {
        match parser.lexer.take()? {
            Some(Token::Char(')')) => return Ok(Read::Comment),
            Some(_) => {}
            None => {
                let back = parser.lexer.place() - start;
                return Err(parser.lexer.error("missing ), unterminated comment", back));
            }
        }
    }
}

fn close(parser: &mut Parser, start: usize) -> Result<(), RegexError> {
    if parser.lexer.take_if(')')? {
        return Ok(());
    }
    let back = parser.lexer.place() - start;
    Err(parser
        .lexer
        .error("missing ), unterminated subpattern", back))
}

fn look(
    parser: &mut Parser,
    sign: char,
    verbose: bool,
    depth: usize,
    start: usize,
) -> Result<Node, RegexError> {
    let behind = sign == '<';
    let sign = if behind {
        match taken(parser)? {
            Token::Char(c @ ('=' | '!')) => c,
            other => {
                let message = format!("unknown extension ?<{}", other.text());
                return Err(parser.lexer.error(message, other.len() + 2));
            }
        }
    } else {
        sign
    };
    let outer = parser.behind_from;
    if behind && outer.is_none() {
        parser.behind_from = Some(parser.n_groups() + 1);
    }
    let body = parser.alternatives(verbose, depth + 1)?;
    parser.behind_from = outer;
    close(parser, start)?;
    Ok(Node::Look(Box::new(Look {
        behind,
        negated: sign == '!',
        body,
    })))
}

fn condition(
    parser: &mut Parser,
    verbose: bool,
    depth: usize,
    start: usize,
) -> Result<Node, RegexError> {
    let name = parser.lexer.take_until(')', "group name")?;
    let group = if is_name(&name) {
        named(parser, &name)?
    } else {
        let place = parser.lexer.place() - name.chars().count() - 1;
        let group = numbered(parser, &name)?;
        parser.conditions.entry(group).or_insert(place);
        group
    };
    parser.check_behind(group)?;
    let yes = branch(parser, verbose, depth)?;
    let no = if parser.lexer.take_if('|')? {
        let no = branch(parser, verbose, depth)?;
        if parser.lexer.peek() == Some(Token::Char('|')) {
            let message = "conditional backref with more than two branches";
            return Err(parser.lexer.error(message, 0));
        }
        Some(no)
    } else {
        None
    };
    close(parser, start)?;
    Ok(Node::Condition(Box::new(Condition { group, yes, no })))
}

fn branch(parser: &mut Parser, verbose: bool, depth: usize) -> Result<Seq, RegexError> {
    check_depth(depth + 1)?;
    parser.sequence(verbose, depth + 1, false).map(Seq::from)
}

/// The number of a condition, as Python's `int` reads it.
fn numbered(parser: &Parser, name: &str) -> Result<usize, RegexError> {
    let back = name.chars().count() + 1;
    let trimmed = name.trim();
    let digits = trimmed.strip_prefix('+').unwrap_or(trimmed);
    let parts: Vec<&str> = digits.split('_').collect();
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !parts.iter().all(is_number) {
        if trimmed
            .strip_prefix('-')
            .is_some_and(|zero| !zero.is_empty() && zero.bytes().all(|b| b == b'0'))
        {
            return Err(parser.lexer.error("bad group number", back));
        }
        return Err(bad_name(parser, name));
    }
    let digits = parts.concat();
    let number: u128 = digits.parse().unwrap_or(u128::MAX);
    if number == 0 {
        return Err(parser.lexer.error("bad group number", back));
    }
    match usize::try_from(number) {
        Ok(group) if number < MAX_GROUPS => Ok(group),
        _ => {
            let number = digits.trim_start_matches('0');
            Err(parser
                .lexer
                .error(format!("invalid group reference {number}"), back))
        }
    }
}

fn body(
    parser: &mut Parser,
    opening: Opening,
    verbose: bool,
    depth: usize,
    start: usize,
) -> Result<Node, RegexError> {
    let Opening {
        name,
        captures,
        atomic,
        add,
        remove,
    } = opening;
    let index = if captures {
        Some(open(parser, name)?)
    } else {
        None
    };
    let verbose = (verbose || add.has(Flags::VERBOSE)) && !remove.has(Flags::VERBOSE);
    let body = parser.alternatives(verbose, depth + 1)?;
    close(parser, start)?;
    if let Some(width) = index.and_then(|index| parser.groups.get_mut(index)) {
        *width = Some(body.width);
    }
    Ok(if atomic {
        Node::Atomic(Box::new(body))
    } else {
        Node::Group(Box::new(Group {
            index,
            add,
            remove,
            body,
        }))
    })
}

fn open(parser: &mut Parser, name: Option<String>) -> Result<usize, RegexError> {
    let index = parser.groups.len();
    parser.groups.push(None);
    if let Some(name) = name {
        if let Some(before) = parser.names.get(&name) {
            let message = format!(
                "redefinition of group name {} as group {index}; was group {before}",
                quoted(&name)
            );
            return Err(parser.lexer.error(message, name.chars().count() + 1));
        }
        parser.names.insert(name, index);
    }
    Ok(index)
}
