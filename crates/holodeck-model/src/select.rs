//! Which test cases of a checked configuration are played: filters, limit, and what they need that this version lacks.

use std::sync::Arc;

use holodeck_match::PyRegex;

use crate::config::Config;
use crate::diagnostic::Diagnostic;
use crate::plan::{CasePlan, CaseSource, CaseUnreadable, RunPlan, RunSettings};

/// A pattern that names test cases.
#[derive(Clone, Debug)]
pub struct Filter {
    /// `!`: leaves them out.
    exclude: bool,
    pattern: Pattern,
}

#[derive(Clone, Debug)]
enum Pattern {
    Substring(String),
    Regex(PyRegex),
}

/// A text that is no filter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadFilter {
    /// It would select everything.
    #[error("a filter must not be empty")]
    Empty,
    /// `/regex/` does not compile.
    #[error("cannot compile the regex of the filter `{filter}`: {error}")]
    Regex {
        /// As given.
        filter: String,
        /// Why.
        error: holodeck_match::regex::RegexError,
    },
}

impl std::str::FromStr for Filter {
    type Err = BadFilter;

    /// Reads a part of a name, `/regex/` (Python's, searched), or `!` before either.
    fn from_str(text: &str) -> Result<Self, BadFilter> {
        let (exclude, pattern) = text
            .strip_prefix('!')
            .map_or((false, text), |rest| (true, rest));
        let regex = pattern
            .strip_prefix('/')
            .and_then(|rest| rest.strip_suffix('/'));
        let pattern =
            match regex {
                Some(regex) if !regex.is_empty() => PyRegex::new(regex)
                    .map(Pattern::Regex)
                    .map_err(|error| BadFilter::Regex {
                        filter: text.to_owned(),
                        error,
                    })?,
                _ if pattern.is_empty() => return Err(BadFilter::Empty),
                _ => Pattern::Substring(pattern.to_owned()),
            };
        Ok(Self { exclude, pattern })
    }
}

impl Filter {
    /// Whether the pattern fits a label, `!` aside. A regex that gives up fits nothing.
    fn fits(&self, label: &str) -> bool {
        match &self.pattern {
            Pattern::Substring(part) => label.contains(part.as_str()),
            Pattern::Regex(regex) => regex.search(label).is_ok_and(|found| found.is_some()),
        }
    }
}

/// Which test cases to play.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// A test case is selected when one of the filters without `!` fits its label (or there are none), and none with `!` does.
    pub filters: Vec<Filter>,
    /// The first so many of those.
    pub limit: Option<usize>,
}

impl Selection {
    /// Whether the filters take a test case of this name, or `test_cases[i]`.
    fn takes(&self, label: &str) -> bool {
        let mut including = self.filters.iter().filter(|f| !f.exclude).peekable();
        let included = including.peek().is_none() || including.any(|f| f.fits(label));
        included && !self.filters.iter().any(|f| f.exclude && f.fits(label))
    }
}

/// A plan and how it came about.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The plan.
    pub plan: RunPlan,
    /// Test cases in the file.
    pub n_cases: usize,
    /// Test cases that the filters took, before the limit.
    pub n_selected: usize,
    /// What the plan needs and this version can't do: a run is refused with these, `check` notes them. The warnings among them refuse nothing.
    pub needs: Vec<Diagnostic>,
}

/// Plans the selected test cases. Selecting none is the caller's to judge (`n_cases` tells whether there were any).
pub fn plan(config: &Config, selection: &Selection) -> Planned {
    let cases = config.cases();
    let n_cases = cases.len();
    let mut selected: Vec<u32> = (0..u32::try_from(n_cases).unwrap_or(u32::MAX)).collect();
    if !selection.filters.is_empty() {
        selected.retain(|i| match cases.name(*i as usize) {
            Some(name) => selection.takes(name),
            None => selection.takes(&format!("test_cases[{i}]")),
        });
    }
    let n_selected = selected.len();
    selected.truncate(selection.limit.unwrap_or(usize::MAX));
    let needs = config.needs(|case| selected.binary_search(&case).is_ok());
    let settings = config.settings();
    let plan = RunPlan {
        agent: config.name().to_owned(),
        cases: Arc::new(Selected {
            cases: Arc::clone(cases),
            selected,
        }),
        settings: RunSettings {
            llm_timeout: settings.llm_timeout(),
            parallel_test_cases: settings.parallel_test_cases(),
        },
    };
    Planned {
        plan,
        n_cases,
        n_selected,
        needs,
    }
}

#[derive(Debug)]
struct Selected {
    cases: Arc<crate::config::Cases>,
    selected: Vec<u32>,
}

impl CaseSource for Selected {
    fn len(&self) -> usize {
        self.selected.len()
    }
    fn get(&self, i: usize) -> Result<Arc<CasePlan>, CaseUnreadable> {
        self.cases.get(self.selected[i] as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(filters: &[&str], taken: &[&str], left: &[&str]) {
        let filters = filters.iter().map(|f| f.parse().unwrap()).collect();
        let selection = Selection {
            filters,
            limit: None,
        };
        for label in taken {
            assert!(selection.takes(label), "{label}");
        }
        for label in left {
            assert!(!selection.takes(label), "{label}");
        }
    }

    #[test]
    fn filters_are_or_ed_and_negated_ones_and_ed() {
        check(&[], &["a"], &[]);
        check(&["net", "gross"], &["net-1", "my gross"], &["Net", "other"]);
        check(&["/^net-\\d+$/"], &["net-12"], &["net-", "x net-1"]);
        check(&["!slow", "!/x$/"], &["fast"], &["slow", "box"]);
        check(&["net", "!slow"], &["net"], &["net slow", "other"]);
        check(&["test_cases[1]"], &["test_cases[1]"], &["test_cases[11]"]);
        check(&["/(fast)|slow/"], &["fast", "slow"], &["other"]);
        check(&["/", "//"], &["a/b", "a//b"], &["ab"]);
    }

    #[test]
    fn a_filter_that_says_nothing_is_refused() {
        assert_eq!("".parse::<Filter>().unwrap_err(), BadFilter::Empty);
        assert_eq!("!".parse::<Filter>().unwrap_err(), BadFilter::Empty);
        assert!("/(/".parse::<Filter>().is_err());
    }
}
