//! Whether the tests that need a Python can be run.

use std::io::ErrorKind;
use std::process::Command;
use std::sync::LazyLock;

use crate::not_run;

/// Set to `1` where there must be a Python: then no test may go without.
const REQUIRED: &str = "HOLODECK_REQUIRE_PYTHON";

/// Whether `python3` of `PATH` starts, which is what graders run in where nothing else is configured. Says so where it does not,
/// and the test is to end there.
///
/// # Panics
///
/// Where it does not start though `HOLODECK_REQUIRE_PYTHON` is `1`, or for another reason than that it is not there.
pub fn has_python() -> bool {
    static STARTS: LazyLock<bool> = LazyLock::new(|| starts("python3"));
    let required = std::env::var_os(REQUIRED).is_some_and(|value| value == "1");
    *STARTS || missing(required)
}

fn missing(required: bool) -> bool {
    assert!(!required, "there is no python3, and {REQUIRED} is set");
    not_run("there is no python3");
    false
}

/// A stub in the place of a Python ends with an error, and is none.
fn starts(program: &str) -> bool {
    match Command::new(program).arg("--version").output() {
        Ok(output) => output.status.success(),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::NotFound, "{program}: {error}");
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{missing, starts};

    #[test]
    fn what_is_not_there_or_is_a_stub_does_not_start() {
        assert!(starts("cargo"));
        assert!(!starts("no-such-python"));
        assert!(!starts("false"));
    }

    #[test]
    #[should_panic(expected = "HOLODECK_REQUIRE_PYTHON is set")]
    fn no_test_goes_without_a_python_that_is_required() {
        missing(true);
    }
}
