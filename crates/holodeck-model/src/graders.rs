//! Graders that an author's files name: what is looked for where, and how it is told that one can't be had (rules L1 to L3).

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::diagnostic::{Diagnostic, Place};
use crate::mask::Masker;

/// Places kept beside the first of each grader; further ones are counted, so that a large suite does not fill the memory with them.
const MAX_PLACES: usize = 1000;

/// The graders that agent.yaml and its test cases name, mistakes elsewhere in them or not. Switched-off metrics are left out.
#[derive(Clone, Debug, Default)]
pub struct Graders {
    named: BTreeMap<String, Named>,
    n_places: usize,
    /// Where they are looked for, in order: agent.yaml's folder, then those of `execution.grader_path`.
    pub folders: Vec<PathBuf>,
    /// `execution.python`: a path, relative to agent.yaml's folder, or a name to be looked up in `PATH`.
    pub python: Option<PathBuf>,
    /// Takes secrets out of what is told of them.
    pub masker: Masker,
}

#[derive(Clone, Debug)]
struct Named {
    spots: Vec<Spot>,
    /// Places that are not kept.
    n_more: usize,
}

/// A place where a grader is named.
#[derive(Clone, Debug)]
pub(crate) struct Spot {
    pub(crate) case: Option<String>,
    pub(crate) path: String,
    pub(crate) place: Place,
}

impl Graders {
    /// Notes that a grader is named somewhere.
    pub(crate) fn note(&mut self, reference: &str, spot: impl FnOnce() -> Spot) {
        match self.named.get_mut(reference) {
            None => {
                let named = Named {
                    spots: vec![spot()],
                    n_more: 0,
                };
                self.named.insert(reference.to_owned(), named);
            }
            Some(named) if self.n_places < MAX_PLACES => {
                self.n_places += 1;
                named.spots.push(spot());
            }
            Some(named) => named.n_more += 1,
        }
    }

    /// Each of them once, as `module.path:function`.
    pub fn references(&self) -> impl ExactSizeIterator<Item = &str> {
        self.named.keys().map(String::as_str)
    }

    /// One of them can't be had: an error at every place that names it. `why` is one line that names it too.
    pub fn missing(&self, reference: &str, why: &str) -> Vec<Diagnostic> {
        let Some(named) = self.named.get(reference) else {
            return Vec::new();
        };
        let error = |spot: &Spot| {
            let mut diagnostic = Diagnostic::error("grader-not-found", why);
            diagnostic.case.clone_from(&spot.case);
            diagnostic.path.clone_from(&spot.path);
            diagnostic.place = Some(spot.place.clone());
            self.masker.diagnostic(&mut diagnostic);
            diagnostic
        };
        let mut errors: Vec<Diagnostic> = named.spots.iter().map(error).collect();
        if let Some(last) = errors.last_mut().filter(|_| named.n_more > 0) {
            last.hint = Some(format!("{} more places name it", named.n_more));
        }
        errors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_bounded_and_every_grader_keeps_its_first() {
        let mut graders = Graders::default();
        let spot = |path: &str| Spot {
            case: None,
            path: path.to_owned(),
            place: Place {
                file: "a".to_owned(),
                line: 1,
                column: 1,
                width: 1,
                excerpt: String::new(),
                column_in_excerpt: 1,
            },
        };
        for i in 0..MAX_PLACES + 11 {
            graders.note("m:often", || spot(&format!("[{i}]")));
        }
        graders.note("m:late", || spot("late"));
        assert_eq!(
            graders.references().collect::<Vec<_>>(),
            ["m:late", "m:often"]
        );
        assert_eq!(graders.missing("m:late", "gone")[0].path, "late");
        let often = graders.missing("m:often", "gone");
        assert_eq!(often.len(), MAX_PLACES + 1);
        assert_eq!(
            often.last().and_then(|d| d.hint.as_deref()),
            Some("10 more places name it")
        );
    }
}
