//! Python's pattern syntax (3.11), with CPython's words and places for what is wrong. Groups and flags: `group.rs`.

use std::collections::BTreeMap;

use super::RegexError;
use super::ast::{
    Anchor, Flags, Greed, Item, Node, Pattern, Reference, Repeat, Seq, Set, UNBOUNDED, Width,
};
use super::lexer::{Lexer, Token};
use super::{escape, group, look_behind, set};

/// How deep groups may lie in each other.
const MAX_DEPTH: usize = 200;

/// What has been read so far.
#[derive(Debug)]
pub(super) struct Parser {
    pub(super) lexer: Lexer,
    /// Flags of the whole pattern.
    pub(super) flags: Flags,
    /// Width of each closed group; group 0 first, never closed.
    pub(super) groups: Vec<Option<Width>>,
    pub(super) names: BTreeMap<String, usize>,
    /// Inside a look-behind: the first group that it may not refer to.
    pub(super) behind_from: Option<usize>,
    /// Groups that conditions name by number, and where.
    pub(super) conditions: BTreeMap<usize, usize>,
}

/// Reads a whole pattern.
pub(super) fn parse(pattern: &str) -> Result<Pattern, RegexError> {
    let mut parser = Parser {
        lexer: Lexer::new(pattern)?,
        flags: Flags::NONE,
        groups: vec![None],
        names: BTreeMap::new(),
        behind_from: None,
        conditions: BTreeMap::new(),
    };
    let body = parser.alternatives(false, 0)?;
    if !parser.flags.has(Flags::ASCII) {
        parser.flags = parser.flags | Flags::UNICODE;
    }
    if parser.lexer.peek().is_some() {
        return Err(parser.lexer.error("unbalanced parenthesis", 0));
    }
    let n_groups = parser.n_groups();
    if let Some((group, place)) = parser.conditions.range(n_groups + 1..).next() {
        return Err(RegexError::at(
            format!("invalid group reference {group}"),
            *place,
        ));
    }
    look_behind::check(&body)?;
    Ok(Pattern {
        body,
        flags: parser.flags,
        n_groups,
    })
}

impl Parser {
    /// Groups opened so far.
    pub(super) fn n_groups(&self) -> usize {
        self.groups.len() - 1
    }

    /// A reference to `group`; what is wrong with it is said `back` characters before the next token.
    pub(super) fn back_reference(&self, group: usize, back: usize) -> Result<Node, RegexError> {
        let Some(width) = self.closed(group) else {
            return Err(self.lexer.error("cannot refer to an open group", back));
        };
        self.check_behind(group)?;
        Ok(Node::BackRef(Box::new(Reference { group, width })))
    }

    fn closed(&self, group: usize) -> Option<Width> {
        self.groups.get(group).copied().flatten()
    }

    /// A look-behind may only refer to groups that were closed before it.
    pub(super) fn check_behind(&self, group: usize) -> Result<(), RegexError> {
        let Some(from) = self.behind_from else {
            return Ok(());
        };
        if self.closed(group).is_none() {
            return Err(self.lexer.error("cannot refer to an open group", 0));
        }
        if group >= from {
            return Err(self.lexer.error(
                "cannot refer to group defined in the same lookbehind subpattern",
                0,
            ));
        }
        Ok(())
    }

    /// `a|b|c`, up to the `)` that closes it or the end.
    pub(super) fn alternatives(
        &mut self,
        mut verbose: bool,
        depth: usize,
    ) -> Result<Seq, RegexError> {
        check_depth(depth)?;
        let mut branches = Vec::new();
        loop {
            let first = depth == 0 && branches.is_empty();
            branches.push(self.sequence(verbose, depth, first)?);
            if !self.lexer.take_if('|')? {
                break;
            }
            if depth == 0 {
                verbose = self.flags.has(Flags::VERBOSE);
            }
        }
        if branches.len() == 1 {
            return Ok(Seq::from(branches.swap_remove(0)));
        }
        Ok(Seq::from(factored(branches)))
    }

    /// Things in a row. `first`: nothing of the pattern has been read yet, so flags for the whole of it may come.
    pub(super) fn sequence(
        &mut self,
        mut verbose: bool,
        depth: usize,
        first: bool,
    ) -> Result<Vec<Node>, RegexError> {
        let mut nodes = Vec::new();
        while let Some(token) = self.lexer.peek() {
            if matches!(token, Token::Char('|' | ')')) {
                break;
            }
            self.lexer.take()?;
            if verbose && self.skipped(token)? {
                continue;
            }
            if token == Token::Char('(') {
                let may_set_flags = first && nodes.is_empty();
                match group::read(self, verbose, depth, may_set_flags)? {
                    group::Read::Node(node) => nodes.push(node),
                    group::Read::Comment => {}
                    group::Read::Flags => verbose = self.flags.has(Flags::VERBOSE),
                }
            } else {
                self.single(token, &mut nodes)?;
            }
        }
        Ok(unpacked(nodes))
    }

    /// What one token begins, groups apart.
    fn single(&mut self, token: Token, nodes: &mut Vec<Node>) -> Result<(), RegexError> {
        let node = match token {
            Token::Escape(c) => escape::outside(self, c)?,
            Token::Char('[') => set::read(&mut self.lexer)?,
            Token::Char(c @ ('*' | '+' | '?' | '{')) => return self.repeat(c, nodes),
            Token::Char('.') => Node::Any,
            Token::Char('^') => Node::Anchor(Anchor::Begin),
            Token::Char('$') => Node::Anchor(Anchor::End),
            Token::Char(c) => Node::Char(u32::from(c)),
        };
        nodes.push(node);
        Ok(())
    }

    /// White space and comments of `(?x)`.
    fn skipped(&mut self, token: Token) -> Result<bool, RegexError> {
        match token {
            Token::Char(' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c') => Ok(true),
            Token::Char('#') => {
                while !matches!(self.lexer.take()?, None | Some(Token::Char('\n'))) {}
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// A repetition of the last node, or a `{` that is only that.
    fn repeat(&mut self, sign: char, nodes: &mut Vec<Node>) -> Result<(), RegexError> {
        let here = self.lexer.place();
        let bounds = match sign {
            '?' => Some((0, 1)),
            '*' => Some((0, UNBOUNDED)),
            '+' => Some((1, UNBOUNDED)),
            _ => self.bounds(here)?,
        };
        let Some((min, max)) = bounds else {
            nodes.push(Node::Char(u32::from(sign)));
            return Ok(());
        };
        let back = self.lexer.place() - here + 1;
        let body = match nodes.pop() {
            None | Some(Node::Anchor(_)) => {
                return Err(self.lexer.error("nothing to repeat", back));
            }
            Some(Node::Repeat(_)) => return Err(self.lexer.error("multiple repeat", back)),
            Some(Node::Group(group)) if group.is_plain() => group.body,
            Some(node) => Seq::from(vec![node]),
        };
        let greed = if self.lexer.take_if('?')? {
            Greed::Lazy
        } else if self.lexer.take_if('+')? {
            Greed::Possessive
        } else {
            Greed::Greedy
        };
        nodes.push(Node::Repeat(Box::new(Repeat {
            min,
            max,
            greed,
            body,
        })));
        Ok(())
    }

    /// `2,3}`, or nothing where the `{` stands for itself.
    fn bounds(&mut self, here: usize) -> Result<Option<(u32, u32)>, RegexError> {
        if self.lexer.peek() == Some(Token::Char('}')) {
            return Ok(None);
        }
        let is_digit = |c: char| c.is_ascii_digit();
        let low = self.lexer.take_while(usize::MAX, is_digit)?;
        let high = if self.lexer.take_if(',')? {
            self.lexer.take_while(usize::MAX, is_digit)?
        } else {
            low.clone()
        };
        if !self.lexer.take_if('}')? {
            self.lexer.seek(here)?;
            return Ok(None);
        }
        let min = if low.is_empty() { 0 } else { count(&low)? };
        if high.is_empty() {
            return Ok(Some((min, UNBOUNDED)));
        }
        let max = count(&high)?;
        if max < min {
            let back = self.lexer.place() - here;
            return Err(self.lexer.error("min repeat greater than max repeat", back));
        }
        Ok(Some((min, max)))
    }
}

/// Refuses what lies deeper than this program reads.
pub(super) fn check_depth(depth: usize) -> Result<(), RegexError> {
    if depth <= MAX_DEPTH {
        return Ok(());
    }
    let message = format!("pattern nested too deeply: more than {MAX_DEPTH} groups in each other");
    Err(RegexError {
        message,
        position: None,
    })
}

fn count(digits: &str) -> Result<u32, RegexError> {
    match digits.parse() {
        Ok(n) if n < UNBOUNDED => Ok(n),
        _ => Err(RegexError {
            message: "the repetition number is too large".into(),
            position: None,
        }),
    }
}

/// Groups that do nothing give way to what they hold.
fn unpacked(nodes: Vec<Node>) -> Vec<Node> {
    let is_plain = |node: &Node| matches!(node, Node::Group(group) if group.is_plain());
    if !nodes.iter().any(is_plain) {
        return nodes;
    }
    let mut flat = Vec::with_capacity(nodes.len());
    for node in nodes {
        match node {
            Node::Group(group) if group.is_plain() => flat.extend(group.body.nodes),
            node => flat.push(node),
        }
    }
    flat
}

/// Alternatives with what they all begin with taken out, and made a set where each is one character.
/// CPython does so too, and it shows: `(?i)` treats some characters in a set otherwise than alone.
fn factored(mut branches: Vec<Vec<Node>>) -> Vec<Node> {
    let n_shared = shared(&branches);
    let mut nodes: Vec<Node> = Vec::new();
    for (i, branch) in branches.iter_mut().enumerate() {
        let prefix = branch.drain(..n_shared);
        if i == 0 {
            nodes.extend(prefix);
        }
    }
    nodes.push(match set_of(&branches) {
        Some(items) => Node::Set(Box::new(Set {
            negated: false,
            items,
        })),
        None => Node::Alternatives(branches.into_iter().map(Seq::from).collect()),
    });
    nodes
}

fn shared(branches: &[Vec<Node>]) -> usize {
    let Some((first, others)) = branches.split_first() else {
        return 0;
    };
    others.iter().fold(first.len(), |n, branch| {
        let pairs = first.iter().zip(branch);
        let same = pairs.take_while(|(a, b)| is_flat(a) && a == b);
        same.count().min(n)
    })
}

/// CPython takes two nodes that hold others for different, whatever they hold.
fn is_flat(node: &Node) -> bool {
    match node {
        Node::Char(_)
        | Node::NotChar(_)
        | Node::Any
        | Node::Set(_)
        | Node::Anchor(_)
        | Node::BackRef(_) => true,
        Node::Group(_)
        | Node::Atomic(_)
        | Node::Look(_)
        | Node::Repeat(_)
        | Node::Condition(_)
        | Node::Alternatives(_) => false,
    }
}

fn set_of(branches: &[Vec<Node>]) -> Option<Vec<Item>> {
    let mut items = Vec::new();
    for branch in branches {
        match branch.as_slice() {
            [Node::Char(c)] => items.push(Item::Char(*c)),
            [Node::Set(set)] if !set.negated => items.extend(&set.items),
            _ => return None,
        }
    }
    Some(items)
}
