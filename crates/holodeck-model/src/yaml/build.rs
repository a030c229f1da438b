//! Builds the arena from the events of a parser, whichever parser it is, within the limits of rule L9.

use std::{collections::BTreeMap, ops::Range};

use super::{
    MAX_BYTES, MAX_DEPTH, MAX_NODES, Refusal, Source, Vars,
    cx::MAX_MISTAKES,
    document::Variables,
    tags::{self, Style, Tag},
    vars,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Scalar,
    List,
    Mapping,
    Alias,
}

/// A node of the arena.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raw {
    start: u32,
    end: u32,
    /// A scalar's text: offset into source or pool. A collection's children: offset. An alias: the node it names.
    pub(super) a: u32,
    /// A scalar's text: length. A collection's children: count (keys and values each counted).
    pub(super) b: u32,
    pub(super) shape: Shape,
    pub(super) style: Style,
    pub(super) tag: Tag,
    pub(super) pooled: bool,
    pub(super) from_variable: bool,
    pub(super) unset: bool,
}

impl Raw {
    pub(super) fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// What the builder hands over.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) nodes: Vec<Raw>,
    pub(super) children: Vec<u32>,
    pub(super) pool: String,
    pub(super) root: Option<u32>,
    pub(super) variables: Variables,
    pub(super) unset: Vec<Unset>,
}

/// A variable that is not set, and the field that needs it.
#[derive(Debug)]
pub(super) struct Unset {
    pub(super) node: u32,
    pub(super) name: String,
    pub(super) path: Vec<Step>,
}

#[derive(Debug)]
pub(super) enum Step {
    Key(String),
    Index(usize),
}

pub(super) fn render_path(path: &[Step]) -> String {
    let mut out = String::new();
    for step in path {
        match step {
            Step::Key(key) => super::cx::PathStep::Key(key).push_onto(&mut out),
            Step::Index(index) => super::cx::PathStep::Index(*index).push_onto(&mut out),
        }
    }
    out
}

struct Frame {
    node: u32,
    first: usize,
    height: usize,
    anchor: usize,
}

#[derive(Clone, Copy)]
enum Anchor {
    Open(u32),
    Closed { node: u32, height: usize },
}

pub(super) struct Builder<'s, 'v, 'l> {
    source: &'s Source,
    vars: &'v mut Vars<'l>,
    parts: Parts,
    /// Children of all open collections, innermost last.
    pending: Vec<u32>,
    frames: Vec<Frame>,
    anchors: BTreeMap<usize, Anchor>,
}

impl<'s, 'v, 'l> Builder<'s, 'v, 'l> {
    pub(super) fn new(source: &'s Source, vars: &'v mut Vars<'l>) -> Self {
        Self {
            source,
            vars,
            parts: Parts::default(),
            pending: Vec::new(),
            frames: Vec::new(),
            anchors: BTreeMap::new(),
        }
    }

    pub(super) fn finish(mut self) -> Parts {
        self.parts.nodes.shrink_to_fit();
        self.parts.children.shrink_to_fit();
        self.parts.pool.shrink_to_fit();
        self.parts
    }

    /// A second document starts.
    pub(super) fn document(&mut self, at: Range<usize>) -> Result<(), Refusal> {
        if self.parts.root.is_none() {
            return Ok(());
        }
        Err(Refusal::new(
            at,
            "a second document starts here; one file holds one document",
        )
        .code("several-documents")
        .hint("remove the `---` or `...`, or put the second document into a file of its own"))
    }

    pub(super) fn scalar(
        &mut self,
        range: Range<usize>,
        text: &str,
        style: Style,
        tag: Tag,
        anchor: usize,
    ) -> Result<(), Refusal> {
        tags::check(&range, text, style, tag)?;
        let is_key = self.frames.last().is_some_and(|frame| {
            self.shape(frame.node) == Shape::Mapping
                && (self.pending.len() - frame.first).is_multiple_of(2)
        });
        let id = self.push(range.clone(), Shape::Scalar)?;
        let mut raw = self.parts.nodes[id as usize];
        raw.style = style;
        raw.tag = tag;
        if !is_key && self.vars.replaces && text.contains("${") {
            let replaced = vars::replace(text, self.vars.lookup);
            if !replaced.unset.is_empty() {
                raw.unset = true;
                let mut seen = std::collections::BTreeSet::new();
                for name in &replaced.unset {
                    if seen.insert(*name) && self.parts.unset.len() <= MAX_MISTAKES {
                        let path = self.path();
                        let name = (*name).to_owned();
                        self.parts.unset.push(Unset {
                            node: id,
                            name,
                            path,
                        });
                    }
                }
            }
            if !replaced.set.is_empty() {
                raw.from_variable = true;
                let names = replaced
                    .set
                    .iter()
                    .map(|(name, _)| (*name).to_owned())
                    .collect();
                self.parts.variables.insert(id, names);
            }
            if self.parts.pool.len() + replaced.text.len() > MAX_BYTES {
                return Err(
                    Refusal::new(range, "variables make the file too large").code("too-large")
                );
            }
            (raw.a, raw.b, raw.pooled) = self.keep(&range, &replaced.text);
            for (name, value) in replaced.set {
                self.vars.used.insert(name.to_owned(), value);
            }
        } else {
            (raw.a, raw.b, raw.pooled) = self.keep(&range, text);
        }
        self.parts.nodes[id as usize] = raw;
        self.complete(id, 0, anchor);
        Ok(())
    }

    pub(super) fn open(
        &mut self,
        range: Range<usize>,
        shape: Shape,
        tag: Tag,
        anchor: usize,
    ) -> Result<(), Refusal> {
        let fits = match tag {
            Tag::None | Tag::NonSpecific => true,
            Tag::Seq => shape == Shape::List,
            Tag::Map => shape == Shape::Mapping,
            _ => false,
        };
        if !fits {
            let what = if shape == Shape::List {
                "list"
            } else {
                "mapping"
            };
            return Err(
                Refusal::new(range, format!("this tag does not fit a {what}")).code("bad-tag"),
            );
        }
        if self.frames.len() >= MAX_DEPTH {
            return Err(too_deep(range));
        }
        let id = self.push(range, shape)?;
        if anchor != 0 {
            self.anchors.insert(anchor, Anchor::Open(id));
        }
        self.frames.push(Frame {
            node: id,
            first: self.pending.len(),
            height: 0,
            anchor,
        });
        Ok(())
    }

    pub(super) fn close(&mut self, end: usize) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        let raw = &mut self.parts.nodes[frame.node as usize];
        raw.a = small(self.parts.children.len());
        raw.b = small(self.pending.len() - frame.first);
        raw.end = raw.end.max(small(end));
        self.parts
            .children
            .extend(self.pending.drain(frame.first..));
        self.complete(frame.node, frame.height + 1, frame.anchor);
    }

    pub(super) fn alias(&mut self, range: Range<usize>, anchor: usize) -> Result<(), Refusal> {
        let name = self
            .source
            .text
            .get(range.clone())
            .unwrap_or("this alias")
            .to_owned();
        match self.anchors.get(&anchor).copied() {
            Some(Anchor::Closed { node, height }) => {
                if self.frames.len() + height > MAX_DEPTH {
                    return Err(too_deep(range));
                }
                let id = self.push(range, Shape::Alias)?;
                self.parts.nodes[id as usize].a = node;
                self.complete(id, height, 0);
                Ok(())
            }
            Some(Anchor::Open(node)) => {
                let mut refusal = Refusal::new(
                    range,
                    format!("`{name}` stands inside the value that it names"),
                )
                .code("recursive-alias")
                .hint("write the value out where the alias stands");
                let start = self.parts.nodes[node as usize].start as usize;
                refusal.related = Some((start..start + 1, "the value starts here".to_owned()));
                Err(refusal)
            }
            None => Err(
                Refusal::new(range, format!("`{name}` names no anchor before it"))
                    .code("unknown-alias"),
            ),
        }
    }

    fn shape(&self, id: u32) -> Shape {
        self.parts.nodes[id as usize].shape
    }

    fn push(&mut self, range: Range<usize>, shape: Shape) -> Result<u32, Refusal> {
        let id = self.parts.nodes.len();
        if id >= MAX_NODES {
            return Err(Refusal::new(
                range,
                format!("the file holds more than {MAX_NODES} values"),
            )
            .code("too-large")
            .hint("put test cases into a `.jsonl` file, which is read case by case"));
        }
        self.parts.nodes.push(Raw {
            start: small(range.start),
            end: small(range.end),
            a: 0,
            b: 0,
            shape,
            style: Style::Plain,
            tag: Tag::None,
            pooled: false,
            from_variable: false,
            unset: false,
        });
        Ok(small(id))
    }

    /// A node is whole: it goes to the collection that is open.
    fn complete(&mut self, id: u32, height: usize, anchor: usize) {
        if anchor != 0 {
            self.anchors
                .insert(anchor, Anchor::Closed { node: id, height });
        }
        match self.frames.last_mut() {
            Some(frame) => {
                frame.height = frame.height.max(height);
                self.pending.push(id);
            }
            None => self.parts.root = Some(id),
        }
    }

    /// Where the text of a scalar is kept: offset, length, and whether in the pool.
    fn keep(&mut self, range: &Range<usize>, text: &str) -> (u32, u32, bool) {
        let len = small(text.len());
        let source = &*self.source.text;
        if source.get(range.clone()) == Some(text) {
            return (small(range.start), len, false);
        }
        if source.get(range.start + 1..(range.end.max(range.start + 2) - 1)) == Some(text) {
            return (small(range.start + 1), len, false);
        }
        let offset = small(self.parts.pool.len());
        self.parts.pool.push_str(text);
        (offset, len, true)
    }

    /// The path to the scalar that is being added.
    fn path(&self) -> Vec<Step> {
        let mut path = Vec::new();
        for (i, frame) in self.frames.iter().enumerate() {
            let end = self
                .frames
                .get(i + 1)
                .map_or(self.pending.len(), |inner| inner.first);
            if self.shape(frame.node) == Shape::List {
                path.push(Step::Index(end - frame.first));
            } else if (end - frame.first) % 2 == 1 {
                path.push(Step::Key(self.text(self.pending[end - 1]).to_owned()));
            }
        }
        path
    }

    fn text(&self, id: u32) -> &str {
        let raw = &self.parts.nodes[id as usize];
        let range = raw.a as usize..(raw.a + raw.b) as usize;
        let text = if raw.pooled {
            self.parts.pool.as_str()
        } else {
            &*self.source.text
        };
        if raw.shape == Shape::Scalar {
            text.get(range).unwrap_or_default()
        } else {
            "?"
        }
    }
}

fn too_deep(at: Range<usize>) -> Refusal {
    Refusal::new(at, format!("nested more than {MAX_DEPTH} levels deep")).code("too-deep")
}

fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
