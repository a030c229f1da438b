//! `[..]`, as Python reads it: `[`, `&&`, `--` and `[:alpha:]` have no meaning of their own inside.

use super::RegexError;
use super::ast::{Item, Node, Set};
use super::escape;
use super::lexer::{Lexer, Token};

/// Reads a set whose `[` has been taken.
pub(super) fn read(lexer: &mut Lexer) -> Result<Node, RegexError> {
    let start = lexer.place() - 1;
    let negated = lexer.take_if('^')?;
    let mut items = Vec::new();
    loop {
        let first = member(lexer, start)?;
        if first == Token::Char(']') && !items.is_empty() {
            break;
        }
        let low = item(lexer, first)?;
        if !lexer.take_if('-')? {
            items.push(low);
            continue;
        }
        let second = member(lexer, start)?;
        if second == Token::Char(']') {
            items.push(low);
            items.push(Item::Char(u32::from('-')));
            break;
        }
        match (low, item(lexer, second)?) {
            (Item::Char(low), Item::Char(high)) if low <= high => {
                items.push(Item::Range(low, high));
            }
            _ => {
                let message = format!("bad character range {}-{}", first.text(), second.text());
                return Err(lexer.error(message, first.len() + 1 + second.len()));
            }
        }
    }
    Ok(one_or_set(negated, items))
}

/// A set of one character is that character: under `(?i)` the two are not quite the same thing.
fn one_or_set(negated: bool, items: Vec<Item>) -> Node {
    match *items.as_slice() {
        [Item::Char(c), ref rest @ ..] if rest.iter().all(|other| *other == Item::Char(c)) => {
            if negated {
                Node::NotChar(c)
            } else {
                Node::Char(c)
            }
        }
        _ => Node::Set(Box::new(Set { negated, items })),
    }
}

fn member(lexer: &mut Lexer, start: usize) -> Result<Token, RegexError> {
    match lexer.take()? {
        Some(token) => Ok(token),
        None => Err(lexer.error("unterminated character set", lexer.place() - start)),
    }
}

fn item(lexer: &mut Lexer, token: Token) -> Result<Item, RegexError> {
    match token {
        Token::Char(c) => Ok(Item::Char(u32::from(c))),
        Token::Escape(c) => escape::in_set(lexer, c),
    }
}
