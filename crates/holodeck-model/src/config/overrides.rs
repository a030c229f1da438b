//! What the command line says instead of the files.

/// Flags that beat every file (rule L13); `None` where a flag was not given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// `--timeout`: `execution.llm_timeout`, in seconds.
    pub llm_timeout: Option<u64>,
    /// `--parallel-test-cases`.
    pub parallel_test_cases: Option<u64>,
    /// `--verbose`.
    pub verbose: Option<bool>,
    /// `--quiet`.
    pub quiet: Option<bool>,
    /// `--agent`: somebody else answers than `model` says, and brings tools and instructions.
    pub agent_replaced: bool,
}
