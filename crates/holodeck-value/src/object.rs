//! A mapping that keeps its order.

use indexmap::IndexMap;

use crate::Value;

/// A mapping from strings to values in the order written; the last of duplicate keys wins, at the first one's place.
#[derive(Clone, Debug, PartialEq, Default)]
// Boxed because a map inside would make every value, however small, more than twice as large.
pub struct Object(Box<IndexMap<String, Value>>);

impl Object {
    /// An empty mapping.
    pub fn new() -> Self {
        Self::default()
    }
    /// The value under `key`.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }
    /// Sets `key`, keeping its place if it was there.
    pub fn insert(&mut self, key: impl Into<String>, value: Value) {
        self.0.insert(key.into(), value);
    }
    /// Number of keys.
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// Entries in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(k, v)| (k.as_str(), v))
    }
}

impl FromIterator<(String, Value)> for Object {
    fn from_iter<T: IntoIterator<Item = (String, Value)>>(iter: T) -> Self {
        Self(Box::new(iter.into_iter().collect()))
    }
}

impl IntoIterator for Object {
    type Item = (String, Value);
    type IntoIter = indexmap::map::IntoIter<String, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
