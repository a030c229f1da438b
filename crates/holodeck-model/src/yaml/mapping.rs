//! Mappings: merge keys applied, keys that are not strings and repeated keys reported, unknown keys named.

use std::{borrow::Cow, collections::BTreeMap};

use super::{
    Cx, Node, NodeKind,
    resolve::{Plain, Reading, shorten},
    scalars::differs,
    syntax,
};
use crate::diagnostic::Diagnostic;

/// Keys up to which a mapping is searched one by one.
const SMALL: usize = 16;

/// A mapping whose keys are strings, each there once; what `<<` brings in comes first.
#[derive(Clone, Debug)]
pub struct Mapping<'d> {
    node: Node<'d>,
    entries: Vec<(&'d str, Node<'d>, Node<'d>)>,
    /// Positions by key, for a mapping that is not small.
    index: BTreeMap<&'d str, usize>,
}

impl<'d> Mapping<'d> {
    fn new(node: Node<'d>) -> Self {
        Self {
            node,
            entries: Vec::new(),
            index: BTreeMap::new(),
        }
    }

    /// The mapping itself.
    pub fn node(&self) -> Node<'d> {
        self.node
    }

    /// The value of a key, null or not.
    pub fn get(&self, key: &str) -> Option<Node<'d>> {
        self.find(key).map(|i| self.entries[i].2)
    }

    /// The key as it stands in the file.
    pub fn key_node(&self, key: &str) -> Option<Node<'d>> {
        self.find(key).map(|i| self.entries[i].1)
    }

    /// Key, the key's node, the value's node.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (&'d str, Node<'d>, Node<'d>)> {
        self.entries.iter().copied()
    }

    /// How many keys it has.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn find(&self, key: &str) -> Option<usize> {
        if self.index.is_empty() {
            self.entries.iter().position(|entry| entry.0 == key)
        } else {
            self.index.get(key).copied()
        }
    }

    fn push(&mut self, key: &'d str, key_node: Node<'d>, value: Node<'d>) {
        self.entries.push((key, key_node, value));
        if !self.index.is_empty() {
            self.index.insert(key, self.entries.len() - 1);
        } else if self.entries.len() > SMALL {
            self.index = self
                .entries
                .iter()
                .enumerate()
                .map(|(i, entry)| (entry.0, i))
                .collect();
        }
    }

    fn set(&mut self, key: &'d str, key_node: Node<'d>, value: Node<'d>) {
        match self.find(key) {
            Some(i) => self.entries[i] = (key, key_node, value),
            None => self.push(key, key_node, value),
        }
    }
}

impl Cx<'_> {
    /// The mapping at a node; `None`, reported, where it is something else.
    ///
    /// A key that is not a string is reported under the mapping's own path and left out. A repeated key is reported at its second place, the first one stays (rule L4).
    pub fn mapping<'d>(&mut self, node: Node<'d>) -> Option<Mapping<'d>> {
        if node.kind() != NodeKind::Mapping {
            self.wrong_type(node, "a mapping");
            return None;
        }
        let parts = node.written_entries().flat_map(|(key, value)| [key, value]);
        if !self.afford(node, parts) {
            return None;
        }
        let mut mapping = Mapping::new(node);
        let mut merge: Option<(Node<'d>, Node<'d>)> = None;
        for (key, value) in node.written_entries() {
            if !key.is_merge_key() {
                continue;
            }
            if let Some((first, _)) = merge {
                self.repeated(key, first, "<<").hint =
                    Some("write one `<<` with a list: `<<: [*a, *b]`".to_owned());
                continue;
            }
            merge = Some((key, value));
        }
        if let Some((_, value)) = merge {
            self.merge(value, &mut mapping);
        }
        let merged = mapping.len();
        let mut own = Mapping::new(node);
        let mut odd: BTreeMap<String, Node<'d>> = BTreeMap::new();
        for (key, value) in node.written_entries() {
            if key.is_merge_key() {
                continue;
            }
            let Some(text) = self.key(key, &mut odd) else {
                continue;
            };
            if let Some(first) = own.key_node(text) {
                self.at(text, |cx| {
                    cx.repeated(key, first, text);
                });
                continue;
            }
            own.push(text, key, value);
        }
        if merged == 0 {
            return Some(own);
        }
        for (text, key, value) in own.entries {
            mapping.set(text, key, value);
        }
        Some(mapping)
    }

    /// Reports each key that is not among the known ones, with the nearest of those (rule L4). `true` if there was none.
    pub fn unknown_keys(&mut self, mapping: &Mapping<'_>, known: &[&str]) -> bool {
        let mut fine = true;
        for (key, node, _) in mapping.entries() {
            if !known.contains(&key) {
                fine = false;
                self.unknown_key(key, node, known);
            }
        }
        fine
    }

    /// Reports one unknown key; the caller may set a better hint.
    pub fn unknown_key(&mut self, key: &str, node: Node<'_>, known: &[&str]) -> &mut Diagnostic {
        let hint = nearest(key, known).map(|near| format!("did you mean `{near}`?"));
        let path = {
            let mut path = self.path().to_owned();
            super::PathStep::Key(key).push_onto(&mut path);
            path
        };
        let diagnostic = self.error(
            node,
            "unknown-key",
            format!("unknown key `{}`", shorten(key)),
        );
        diagnostic.path = path;
        diagnostic.hint = hint;
        diagnostic
    }

    /// Adds what `<<` brings in: a mapping, or a list of them of which the first wins.
    fn merge<'d>(&mut self, value: Node<'d>, into: &mut Mapping<'d>) {
        match value.kind() {
            NodeKind::Mapping => self.merge_one(value, into),
            NodeKind::List => {
                let items: Vec<Node<'d>> = value.items().collect();
                for item in items.into_iter().rev() {
                    if item.kind() == NodeKind::Mapping {
                        self.merge_one(item, into);
                    } else {
                        self.not_mergeable(item);
                    }
                }
            }
            _ => self.not_mergeable(value),
        }
    }

    fn merge_one<'d>(&mut self, node: Node<'d>, into: &mut Mapping<'d>) {
        if !node.is_shared() {
            // Written where it is merged, so nothing else reads it.
            for (text, key, value) in self.mapping(node).into_iter().flat_map(|m| m.entries) {
                into.set(text, key, value);
            }
            return;
        }
        let parts = node.written_entries().flat_map(|(key, value)| [key, value]);
        if !self.afford(node, parts) {
            return;
        }
        // It is checked where it stands; here its mistakes would come twice.
        for (key, value) in node.written_entries() {
            if key.is_merge_key() {
                self.merge(value, into);
            }
        }
        for (key, value) in node.written_entries() {
            if !key.is_merge_key()
                && let Plain::Same(Reading::String) = key.plain()
                && let Some(text) = key.text()
            {
                into.set(text, key, value);
            }
        }
    }

    fn not_mergeable(&mut self, node: Node<'_>) {
        let message = format!(
            "`<<` takes a mapping or a list of mappings, got {}",
            article(node.type_name())
        );
        self.error(node, "bad-merge", message);
    }

    /// The text of a key that is a string; others are reported, and repeats among them too, as Python compares keys.
    fn key<'d>(&mut self, key: Node<'d>, odd: &mut BTreeMap<String, Node<'d>>) -> Option<&'d str> {
        let Some(text) = key.text() else {
            let message = format!("a key must be a string, got {}", article(key.type_name()));
            self.error(key, "bad-key", message);
            return None;
        };
        let (identity, message) = match key.plain() {
            Plain::Same(Reading::String) => return Some(text),
            Plain::Same(Reading::Null) if text.is_empty() => {
                self.error(key, "bad-key", "a key is missing before the `:`");
                return None;
            }
            Plain::Same(reading) => {
                let message = format!(
                    "the key `{}` is {}, not a string",
                    shorten(text),
                    reading.describe()
                );
                (identity(&reading), message)
            }
            Plain::Differs(old, new) => (identity(&old), differs("the key", text, &old, &new)),
        };
        let first = odd.get(&identity).copied();
        if let Some(first) = first
            && first.text() == Some(text)
        {
            self.repeated(key, first, text);
            return None;
        }
        let diagnostic = self.error(key, "bad-key", message);
        diagnostic.hint = Some(format!("quote the key: {}:", syntax::quote(&shorten(text))));
        match first {
            Some(first) => {
                let why = "one key with this to Python";
                diagnostic.related.push((first.place(), why.to_owned()));
            }
            None => drop(odd.insert(identity, key)),
        }
        None
    }

    fn repeated(&mut self, key: Node<'_>, first: Node<'_>, text: &str) -> &mut Diagnostic {
        let first = first.place();
        let diagnostic = self.error(
            key,
            "duplicate-key",
            format!("the key `{}` is set twice", shorten(text)),
        );
        diagnostic
            .related
            .push((first, "first set here".to_owned()));
        diagnostic
    }
}

/// What Python compares keys by: `1`, `1.0` and `true` are one key.
fn identity(reading: &Reading<'_>) -> String {
    match reading {
        Reading::Bool(b) => u8::from(*b).to_string(),
        Reading::Integer(digits) => digits.clone().into_owned(),
        Reading::Float(numeral) => {
            let value = numeral.as_str().parse::<f64>().unwrap_or(f64::NAN);
            format!("{value}")
        }
        other => other.describe().into_owned(),
    }
}

/// The known key that is likely meant.
fn nearest<'k>(key: &str, known: &[&'k str]) -> Option<&'k str> {
    let bare = |text: &str| -> String {
        text.chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect()
    };
    let wanted: Cow<'_, str> = key.into();
    if let Some(same) = known.iter().find(|k| bare(k) == bare(key)) {
        return Some(same);
    }
    if key.len() > 64 {
        return None;
    }
    known
        .iter()
        .map(|k| (strsim::damerau_levenshtein(&wanted, k), *k))
        .filter(|(distance, k)| {
            *distance <= k.len().max(key.len()).div_ceil(3).min(3) && *distance < k.len()
        })
        .min()
        .map(|(_, k)| k)
}

pub(super) fn article(noun: &str) -> String {
    match noun {
        "null" => noun.to_owned(),
        _ if noun.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {noun}"),
        _ => format!("a {noun}"),
    }
}
