//! What the command line says instead of the files.

use std::path::PathBuf;

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
    /// `--agent`.
    pub agent: Option<AgentChoice>,
}

/// Who answers instead of the file's `model`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentChoice {
    /// Replies from a file, relative to the working folder.
    Scripted(PathBuf),
    /// A program, as a shell would split it.
    Command(String),
    /// A server.
    Http(String),
    /// A recording.
    Replay(PathBuf),
}

/// A text after `--agent` that names no agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` names no agent: write scripted:FILE, command:CMD, http:URL or replay:FILE")]
pub struct BadAgent(pub String);

impl std::str::FromStr for AgentChoice {
    type Err = BadAgent;

    /// Reads `scripted:FILE`, `command:CMD`, `http:URL` or `replay:FILE`.
    fn from_str(text: &str) -> Result<Self, BadAgent> {
        let bad = || BadAgent(text.to_owned());
        let (kind, rest) = text.split_once(':').ok_or_else(bad)?;
        if holodeck_value::unicode::is_blank(rest) {
            return Err(bad());
        }
        match kind {
            "scripted" => Ok(Self::Scripted(rest.into())),
            "command" => Ok(Self::Command(rest.to_owned())),
            "http" | "https" if rest.starts_with("//") => Ok(Self::Http(text.to_owned())),
            "http" => Ok(Self::Http(rest.to_owned())),
            "replay" => Ok(Self::Replay(rest.into())),
            _ => Err(bad()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_named_by_kind() {
        let http = |url: &str| AgentChoice::Http(url.to_owned());
        assert_eq!(
            "scripted:a b.yaml".parse(),
            Ok(AgentChoice::Scripted("a b.yaml".into()))
        );
        assert_eq!("http:http://x".parse(), Ok(http("http://x")));
        assert_eq!("http://x".parse(), Ok(http("http://x")));
        assert_eq!("https://x".parse(), Ok(http("https://x")));
        for bad in ["", "scripted", "scripted: ", "openai:x", "a.yaml"] {
            assert!(bad.parse::<AgentChoice>().is_err(), "{bad}");
        }
    }
}
