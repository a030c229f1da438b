//! The test cases of a configuration, in memory or in a JSONL file.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::jsonl::JsonlCases;
use crate::plan::{CasePlan, CaseSource, CaseUnreadable};

/// All test cases, in file order.
#[derive(Debug)]
pub struct Cases(pub(super) Held);

#[derive(Debug)]
pub(super) enum Held {
    Memory(Vec<Arc<CasePlan>>),
    Jsonl(Box<JsonlCases>),
}

impl Cases {
    /// Holds these, numbering those that share a key (rule V5).
    pub(super) fn new(mut cases: Vec<CasePlan>) -> Self {
        let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
        let mut occurrences = Vec::with_capacity(cases.len());
        for case in &cases {
            let next = seen.entry(&case.id.key).or_default();
            occurrences.push(*next);
            *next += 1;
        }
        drop(seen);
        for (case, occurrence) in cases.iter_mut().zip(occurrences) {
            case.id.occurrence = occurrence;
        }
        Self(Held::Memory(cases.into_iter().map(Arc::new).collect()))
    }

    /// The name of a test case, if it has one.
    pub fn name(&self, index: usize) -> Option<&str> {
        match &self.0 {
            Held::Memory(cases) => cases[index].name.as_deref(),
            Held::Jsonl(cases) => cases.name(index),
        }
    }
}

impl CaseSource for Cases {
    fn len(&self) -> usize {
        match &self.0 {
            Held::Memory(cases) => cases.len(),
            Held::Jsonl(cases) => cases.len(),
        }
    }

    fn get(&self, index: usize) -> Result<Arc<CasePlan>, CaseUnreadable> {
        match &self.0 {
            Held::Memory(cases) => Ok(Arc::clone(&cases[index])),
            Held::Jsonl(cases) => cases.get(index),
        }
    }
}
