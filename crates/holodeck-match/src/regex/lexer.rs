//! The pattern as a row of characters and escapes, with CPython's notion of where an error is.

use super::RegexError;

/// A character, or a backslash and the character after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Char(char),
    Escape(char),
}

impl Token {
    /// Length in characters.
    pub(super) fn len(self) -> usize {
        match self {
            Self::Char(_) => 1,
            Self::Escape(_) => 2,
        }
    }
    /// As it stands in the pattern.
    pub(super) fn text(self) -> String {
        match self {
            Self::Char(c) => c.to_string(),
            Self::Escape(c) => format!("\\{c}"),
        }
    }
}

/// Reads tokens, one ahead.
#[derive(Debug)]
pub(super) struct Lexer {
    chars: Vec<char>,
    after_next: usize,
    next: Option<Token>,
}

impl Lexer {
    pub(super) fn new(pattern: &str) -> Result<Self, RegexError> {
        let mut lexer = Self {
            chars: pattern.chars().collect(),
            after_next: 0,
            next: None,
        };
        lexer.advance()?;
        Ok(lexer)
    }

    fn advance(&mut self) -> Result<(), RegexError> {
        let mut rest = self.chars.iter().copied().skip(self.after_next);
        self.next = match rest.next() {
            Some('\\') => {
                let Some(c) = rest.next() else {
                    let last = self.chars.len() - 1;
                    return Err(RegexError::at("bad escape (end of pattern)", last));
                };
                Some(Token::Escape(c))
            }
            c => c.map(Token::Char),
        };
        self.after_next += self.next.map_or(0, Token::len);
        Ok(())
    }

    /// The next token, left where it is.
    pub(super) fn peek(&self) -> Option<Token> {
        self.next
    }
    /// Takes the next token.
    pub(super) fn take(&mut self) -> Result<Option<Token>, RegexError> {
        let token = self.next;
        self.advance()?;
        Ok(token)
    }
    /// Takes the next token if it is `c`.
    pub(super) fn take_if(&mut self, c: char) -> Result<bool, RegexError> {
        let there = self.next == Some(Token::Char(c));
        if there {
            self.advance()?;
        }
        Ok(there)
    }
    /// Takes up to `n` characters that `wanted` holds of.
    pub(super) fn take_while(
        &mut self,
        n: usize,
        wanted: impl Fn(char) -> bool,
    ) -> Result<String, RegexError> {
        let mut taken = String::new();
        for _ in 0..n {
            match self.next {
                Some(Token::Char(c)) if wanted(c) => taken.push(c),
                _ => break,
            }
            self.advance()?;
        }
        Ok(taken)
    }
    /// Takes a name and the `end` after it.
    pub(super) fn take_until(&mut self, end: char, what: &str) -> Result<String, RegexError> {
        let mut name = String::new();
        loop {
            match self.take()? {
                None if name.is_empty() => return Err(self.error(format!("missing {what}"), 0)),
                None => {
                    let message = format!("missing {end}, unterminated name");
                    return Err(self.error(message, name.chars().count()));
                }
                Some(Token::Char(c)) if c == end => {
                    if name.is_empty() {
                        return Err(self.error(format!("missing {what}"), 1));
                    }
                    return Ok(name);
                }
                Some(token) => name.push_str(&token.text()),
            }
        }
    }
    /// Where the next token begins.
    pub(super) fn place(&self) -> usize {
        self.after_next - self.next.map_or(0, Token::len)
    }
    /// Goes back to `place`.
    pub(super) fn seek(&mut self, place: usize) -> Result<(), RegexError> {
        self.after_next = place;
        self.advance()
    }
    /// An error `back` characters before the next token.
    pub(super) fn error(&self, message: impl Into<String>, back: usize) -> RegexError {
        RegexError::at(message, self.place().saturating_sub(back))
    }
}
