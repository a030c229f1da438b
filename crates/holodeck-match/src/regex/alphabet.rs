//! A pattern tells apart only a few kinds of characters. Each kind gets a byte, so that the linear engine works on
//! bytes and knows nothing of Unicode: what `\w` or `(?i)` means is settled here, from our own tables.

use std::collections::BTreeMap;

use super::charset::CharSet;

/// The byte of line feeds, where they mean something to an anchor.
pub(super) const LINE_FEED: u8 = b'\n';

/// Sets beyond this number are not worth the sweep: they would hardly fit into bytes.
const MAX_SETS: usize = 512;

/// Which line feeds get [`LINE_FEED`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineFeeds {
    /// None: no anchor asks.
    Ordinary,
    /// All.
    All,
    /// The one that ends the text.
    Last,
}

/// Bytes for characters.
#[derive(Debug)]
pub(super) struct Alphabet {
    ascii: [u8; 128],
    /// First character of each stretch beyond ASCII, and its byte.
    stretches: Vec<(u32, u8)>,
    line_feeds: LineFeeds,
    /// The bytes of each set.
    sets: Vec<Vec<u8>>,
}

impl Alphabet {
    /// Bytes that tell `sets` apart. Where `word` is given, exactly the bytes of its characters are ASCII word characters.
    /// `None` where there are not enough bytes.
    pub(super) fn new(
        sets: &[CharSet],
        word: Option<&CharSet>,
        line_feeds: LineFeeds,
    ) -> Option<Self> {
        if sets.len() > MAX_SETS {
            return None;
        }
        let feed = CharSet::of(u32::from('\n'));
        let mut all: Vec<&CharSet> = sets.iter().collect();
        let word_at = word.map(|word| {
            all.push(word);
            all.len() - 1
        });
        if line_feeds == LineFeeds::All {
            all.push(&feed);
        }
        let mut bytes = Bytes::new(word_at);
        let mut kinds: BTreeMap<Vec<u64>, u8> = BTreeMap::new();
        let mut stretches = Vec::new();
        let mut kind = vec![0_u64; all.len().div_ceil(64)];
        let mut edges = edges(&all).into_iter().peekable();
        let mut from = 0;
        loop {
            while let Some((_, set)) = edges.next_if(|(at, _)| *at == from) {
                if let Some(bits) = kind.get_mut(set / 64) {
                    *bits ^= 1 << (set % 64);
                }
            }
            let is_feed = line_feeds == LineFeeds::All && from == u32::from('\n');
            let byte = if let Some(byte) = kinds.get(&kind) {
                *byte
            } else {
                let byte = if is_feed {
                    LINE_FEED
                } else {
                    bytes.next(&kind)?
                };
                kinds.insert(kind.clone(), byte);
                byte
            };
            stretches.push((from, byte));
            match edges.peek() {
                Some((at, _)) => from = *at,
                None => break,
            }
        }
        let holders = |set: usize| {
            let of_set = kinds.iter().filter(move |(kind, _)| has(kind, set));
            of_set.map(|(_, byte)| *byte)
        };
        let sets = (0..sets.len()).map(|i| {
            let mut of_set: Vec<u8> = holders(i).collect();
            if line_feeds == LineFeeds::Last && sets.get(i).is_some_and(|set| set.contains(10)) {
                of_set.push(LINE_FEED);
            }
            of_set.sort_unstable();
            of_set
        });
        let sets = sets.collect();
        let mut ascii = [0; 128];
        for (c, byte) in (0_u32..).zip(&mut ascii) {
            *byte = byte_of(&stretches, c);
        }
        Some(Self {
            ascii,
            stretches,
            line_feeds,
            sets,
        })
    }

    /// The bytes of a set, in order.
    pub(super) fn set(&self, set: usize) -> &[u8] {
        self.sets.get(set).map_or(&[], Vec::as_slice)
    }

    /// `text`, a byte for each character.
    pub(super) fn translate(&self, text: &str) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(text.len());
        bytes.extend(text.chars().map(|c| {
            let code = u32::from(c);
            match self.ascii.get(code as usize) {
                Some(byte) => *byte,
                None => byte_of(&self.stretches, code),
            }
        }));
        if self.line_feeds == LineFeeds::Last
            && text.ends_with('\n')
            && let Some(last) = bytes.last_mut()
        {
            *last = LINE_FEED;
        }
        bytes
    }
}

fn has(kind: &[u64], set: usize) -> bool {
    kind.get(set / 64)
        .is_some_and(|bits| bits >> (set % 64) & 1 == 1)
}

fn byte_of(stretches: &[(u32, u8)], c: u32) -> u8 {
    let after = stretches.partition_point(|(from, _)| *from <= c);
    after
        .checked_sub(1)
        .and_then(|at| stretches.get(at))
        .map_or(0, |(_, byte)| *byte)
}

/// Where each set begins and ends, in order.
fn edges(sets: &[&CharSet]) -> Vec<(u32, usize)> {
    let mut edges = Vec::new();
    for (i, set) in sets.iter().enumerate() {
        for (low, high) in set.ranges() {
            edges.push((*low, i));
            edges.push((high + 1, i));
        }
    }
    edges.retain(|(at, _)| *at <= u32::from(char::MAX));
    edges.sort_unstable();
    edges
}

/// Bytes not given out yet.
struct Bytes {
    word_at: Option<usize>,
    words: Box<dyn Iterator<Item = u8>>,
    others: Box<dyn Iterator<Item = u8>>,
}

impl Bytes {
    fn new(word_at: Option<usize>) -> Self {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        Self {
            word_at,
            words: Box::new((0..=u8::MAX).filter(is_word)),
            others: Box::new((0..=u8::MAX).filter(move |b| !is_word(b) && *b != LINE_FEED)),
        }
    }
    fn next(&mut self, kind: &[u64]) -> Option<u8> {
        match self.word_at {
            Some(word) if has(kind, word) => self.words.next(),
            Some(_) => self.others.next(),
            None => self.others.next().or_else(|| self.words.next()),
        }
    }
}
