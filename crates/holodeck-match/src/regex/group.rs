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

/// What a `(` and the signs after it begin.
enum Opened {
    Body(Opening),
    Look { behind: bool, negated: bool },
    Condition(usize),
    Done(Read),
}

/// What kind of group holds what comes.
#[derive(Default)]
struct Opening {
    index: Option<usize>,
    atomic: bool,
    add: Flags,
    remove: Flags,
}

/// Reads a group whose `(` has been taken.
pub(super) fn read(
    parser: &mut Parser,
    verbose: bool,
    depth: usize,
    may_set_flags: bool,
) -> Result<Read, RegexError> {
    let start = parser.lexer.place() - 1;
    // All that needs room on the stack is done in `opened`, as groups lie in each other.
    let node = match opened(parser, start, may_set_flags)? {
        Opened::Done(read) => return Ok(read),
        Opened::Body(opening) => body(parser, &opening, verbose, depth)?,
        Opened::Look { behind, negated } => look(parser, behind, negated, verbose, depth)?,
        Opened::Condition(group) => condition(parser, group, verbose, depth)?,
    };
    close(parser, start)?;
    if let Node::Group(group) = &node
        && let Some(width) = group.index.and_then(|index| parser.groups.get_mut(index))
    {
        *width = Some(group.body.width);
    }
    Ok(Read::Node(node))
}

fn opened(parser: &mut Parser, start: usize, may_set_flags: bool) -> Result<Opened, RegexError> {
    if !parser.lexer.take_if('?')? {
        return captures(parser, None);
    }
    match taken(parser)? {
        Token::Char('P') => python_extension(parser),
        Token::Char(':') => Ok(Opened::Body(Opening::default())),
        Token::Char('>') => Ok(Opened::Body(Opening {
            atomic: true,
            ..Opening::default()
        })),
        Token::Char('#') => comment(parser, start),
        Token::Char('<') => match taken(parser)? {
            Token::Char(c @ ('=' | '!')) => Ok(Opened::Look {
                behind: true,
                negated: c == '!',
            }),
            other => {
                let message = format!("unknown extension ?<{}", other.text());
                Err(parser.lexer.error(message, other.len() + 2))
            }
        },
        Token::Char(c @ ('=' | '!')) => Ok(Opened::Look {
            behind: false,
            negated: c == '!',
        }),
        Token::Char('(') => condition_group(parser).map(Opened::Condition),
        Token::Char(c) if c == '-' || flags::is_flag(c) => {
            set_flags(parser, c, start, may_set_flags)
        }
        other => {
            let message = format!("unknown extension ?{}", other.text());
            Err(parser.lexer.error(message, other.len() + 1))
        }
    }
}

fn set_flags(
    parser: &mut Parser,
    first: char,
    start: usize,
    may_set_flags: bool,
) -> Result<Opened, RegexError> {
    match flags::read(&mut parser.lexer, first)? {
        flags::Read::Local { add, remove } => Ok(Opened::Body(Opening {
            add,
            remove,
            ..Opening::default()
        })),
        flags::Read::Global(add) if may_set_flags => {
            parser.flags = parser.flags | add;
            Ok(Opened::Done(Read::Flags))
        }
        flags::Read::Global(_) => {
            let back = parser.lexer.place() - start;
            let message = "global flags not at the start of the expression";
            Err(parser.lexer.error(message, back))
        }
    }
}

fn taken(parser: &mut Parser) -> Result<Token, RegexError> {
    match parser.lexer.take()? {
        Some(token) => Ok(token),
        None => Err(parser.lexer.error("unexpected end of pattern", 0)),
    }
}

/// `(?P<name>`, `(?P=name)`
fn python_extension(parser: &mut Parser) -> Result<Opened, RegexError> {
    if parser.lexer.take_if('<')? {
        let name = parser.lexer.take_until('>', "group name")?;
        check_name(parser, &name)?;
        return captures(parser, Some(name));
    }
    if parser.lexer.take_if('=')? {
        let name = parser.lexer.take_until(')', "group name")?;
        check_name(parser, &name)?;
        let group = named(parser, &name)?;
        let reference = parser.back_reference(group, name.chars().count() + 1)?;
        return Ok(Opened::Done(Read::Node(reference)));
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

fn comment(parser: &mut Parser, start: usize) -> Result<Opened, RegexError> {
    loop {
        match parser.lexer.take()? {
            Some(Token::Char(')')) => return Ok(Opened::Done(Read::Comment)),
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
    behind: bool,
    negated: bool,
    verbose: bool,
    depth: usize,
) -> Result<Node, RegexError> {
    let outer = parser.behind_from;
    if behind && outer.is_none() {
        parser.behind_from = Some(parser.n_groups() + 1);
    }
    let body = parser.alternatives(verbose, depth + 1)?;
    parser.behind_from = outer;
    Ok(Node::Look(Box::new(Look {
        behind,
        negated,
        body,
    })))
}

/// The group of `(?(1)` or `(?(name)`.
fn condition_group(parser: &mut Parser) -> Result<usize, RegexError> {
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
    Ok(group)
}

fn condition(
    parser: &mut Parser,
    group: usize,
    verbose: bool,
    depth: usize,
) -> Result<Node, RegexError> {
    let yes = branch(parser, verbose, depth)?;
    let mut no = None;
    if parser.lexer.take_if('|')? {
        no = Some(branch(parser, verbose, depth)?);
        if parser.lexer.peek() == Some(Token::Char('|')) {
            let message = "conditional backref with more than two branches";
            return Err(parser.lexer.error(message, 0));
        }
    }
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
    &Opening {
        index,
        atomic,
        add,
        remove,
    }: &Opening,
    verbose: bool,
    depth: usize,
) -> Result<Node, RegexError> {
    let verbose = (verbose || add.has(Flags::VERBOSE)) && !remove.has(Flags::VERBOSE);
    let body = parser.alternatives(verbose, depth + 1)?;
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

/// Opens the next group that captures.
fn captures(parser: &mut Parser, name: Option<String>) -> Result<Opened, RegexError> {
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
    Ok(Opened::Body(Opening {
        index: Some(index),
        ..Opening::default()
    }))
}
