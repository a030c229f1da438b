//! The `--agent` argument: which agent answers in place of the one that agent.yaml names.

use std::path::{Path, PathBuf};

use crate::endpoint::{self, BadEndpoint};

/// An agent named on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentSpec {
    /// `scripted:FILE`: replies from a file, relative to the working folder.
    Scripted(PathBuf),
    /// `command:CMD`: a program and its arguments, split as a shell would and started without one, in the working folder.
    Command(Vec<String>),
    /// `http:URL`, or the URL alone: an agent behind an address.
    Http(String),
}

/// What `--agent` takes.
const KINDS: &str = "`scripted:FILE`, `command:CMD` or `http:URL`";

/// An argument that names no agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadAgentSpec {
    /// No kind of agent before a `:`.
    #[error("`{given}` names no agent: write {KINDS}{}", hint(.given))]
    NoKind {
        /// The argument.
        given: String,
    },
    /// A kind that does not exist, or not in this version.
    #[error("there is no agent of kind `{kind}` in this version; there is {KINDS}")]
    UnknownKind {
        /// What stood before the `:`.
        kind: String,
    },
    /// Nothing after the `:`.
    #[error("`{kind}:` needs {what}: write `{kind}:{form}`")]
    Nothing {
        /// What stood before the `:`.
        kind: &'static str,
        /// What is missing.
        what: &'static str,
        /// The same as help texts name it.
        form: &'static str,
    },
    /// A command line that no shell would take.
    #[error("`{command}` can't be split into words: a quote is not closed")]
    OpenQuote {
        /// What stood after `command:`.
        command: String,
    },
    /// An address that is none.
    #[error(transparent)]
    Endpoint(#[from] BadEndpoint),
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
            "scripted" => {
                let file = something(rest, "scripted", "a file", "FILE")?;
                Ok(Self::Scripted(PathBuf::from(file)))
            }
            "command" => {
                let command = something(rest, "command", "a program", "CMD")?;
                let words = shlex::split(command).ok_or_else(|| BadAgentSpec::OpenQuote {
                    command: command.to_owned(),
                })?;
                match words.first() {
                    Some(program) if !program.is_empty() => Ok(Self::Command(words)),
                    _ => Err(nothing("command", "a program", "CMD")),
                }
            }
            "http" | "https" if rest.starts_with("//") => Self::http(given),
            "http" => Self::http(something(rest, "http", "an address", "URL")?),
            _ => Err(BadAgentSpec::UnknownKind {
                kind: kind.to_owned(),
            }),
        }
    }
}

impl AgentSpec {
    fn http(url: &str) -> Result<Self, BadAgentSpec> {
        endpoint::address(url)?;
        Ok(Self::Http(url.to_owned()))
    }
}

fn something<'r>(
    rest: &'r str,
    kind: &'static str,
    what: &'static str,
    form: &'static str,
) -> Result<&'r str, BadAgentSpec> {
    if rest.trim().is_empty() {
        return Err(nothing(kind, what, form));
    }
    Ok(rest)
}

fn nothing(kind: &'static str, what: &'static str, form: &'static str) -> BadAgentSpec {
    BadAgentSpec::Nothing { kind, what, form }
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
    fn a_command_is_split_as_a_shell_would() {
        let words = ["python3", "my agent.py", "--x", "a b", "$HOME", ""];
        assert_eq!(
            AgentSpec::parse(r#"command:python3 'my agent.py' --x "a b" \$HOME ''"#),
            Ok(AgentSpec::Command(words.map(str::to_owned).to_vec()))
        );
        assert_eq!(
            refusal("command:sh -c 'x"),
            "`sh -c 'x` can't be split into words: a quote is not closed"
        );
        for nothing in ["command:", "command: ", "command:''", "command:# x"] {
            assert_eq!(
                refusal(nothing),
                "`command:` needs a program: write `command:CMD`"
            );
        }
    }

    #[test]
    fn an_address_may_stand_alone() {
        for (given, url) in [
            ("http:http://localhost:8000/a", "http://localhost:8000/a"),
            ("http:https://x", "https://x"),
            ("http://x", "http://x"),
            ("https://x", "https://x"),
        ] {
            assert_eq!(AgentSpec::parse(given), Ok(AgentSpec::Http(url.to_owned())));
        }
        assert_eq!(
            refusal("http:localhost:8000"),
            "`localhost:8000` is no address: write `http://HOST:PORT/PATH` or `https://..`"
        );
        assert_eq!(
            refusal("http:"),
            "`http:` needs an address: write `http:URL`"
        );
    }

    #[test]
    fn anything_else_says_what_there_is() {
        assert_eq!(
            refusal("replies.yaml"),
            "`replies.yaml` names no agent: write `scripted:FILE`, `command:CMD` or `http:URL` (`scripted:replies.yaml`?)"
        );
        assert_eq!(
            refusal("telnet://localhost"),
            "there is no agent of kind `telnet` in this version; there is `scripted:FILE`, `command:CMD` or `http:URL`"
        );
        assert_eq!(
            refusal("scripted:"),
            "`scripted:` needs a file: write `scripted:FILE`"
        );
    }
}
