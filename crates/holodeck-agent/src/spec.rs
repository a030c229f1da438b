//! The `--agent` argument: which agent answers in place of the one that agent.yaml names.

use std::path::{Path, PathBuf};

/// An agent named on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentSpec {
    /// `scripted:FILE`: replies from a file, relative to the working folder.
    Scripted(PathBuf),
}

/// An argument that names no agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadAgentSpec {
    /// No kind of agent before a `:`.
    #[error("`{given}` names no agent: write `scripted:FILE`{}", hint(.given))]
    NoKind {
        /// The argument.
        given: String,
    },
    /// A kind that does not exist, or not in this version.
    #[error("there is no agent of kind `{kind}` in this version; there is `scripted:FILE`")]
    UnknownKind {
        /// What stood before the `:`.
        kind: String,
    },
    /// Nothing after the `:`.
    #[error("`scripted:` needs a file: write `scripted:FILE`")]
    NoFile,
}

fn hint(given: &str) -> String {
    let looks_like_file = Path::new(given).extension().is_some();
    if looks_like_file {
        format!(" (`scripted:{given}`?)")
    } else {
        String::new()
    }
}

impl AgentSpec {
    /// Reads the argument.
    pub fn parse(given: &str) -> Result<Self, BadAgentSpec> {
        let Some((kind, rest)) = given.split_once(':') else {
            return Err(BadAgentSpec::NoKind {
                given: given.to_owned(),
            });
        };
        match kind {
            "scripted" if rest.is_empty() => Err(BadAgentSpec::NoFile),
            "scripted" => Ok(Self::Scripted(PathBuf::from(rest))),
            _ => Err(BadAgentSpec::UnknownKind {
                kind: kind.to_owned(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(given: &str) -> String {
        AgentSpec::parse(given).unwrap_err().to_string()
    }

    #[test]
    fn scripted_takes_any_path() {
        assert_eq!(
            AgentSpec::parse("scripted:a:b.yaml"),
            Ok(AgentSpec::Scripted("a:b.yaml".into()))
        );
    }

    #[test]
    fn anything_else_says_what_there_is() {
        assert_eq!(
            refusal("replies.yaml"),
            "`replies.yaml` names no agent: write `scripted:FILE` (`scripted:replies.yaml`?)"
        );
        assert_eq!(
            refusal("http://localhost"),
            "there is no agent of kind `http` in this version; there is `scripted:FILE`"
        );
        assert_eq!(
            refusal("scripted:"),
            "`scripted:` needs a file: write `scripted:FILE`"
        );
    }
}
