//! What was typed: the command line, nothing decided yet.

#![expect(clippy::doc_markdown, reason = "these doc comments are the help texts")]

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Tests conversational AI agents: plays multi-turn test cases to an agent and checks every turn.
#[derive(Debug, Parser)]
#[command(name = "holodeck", version, propagate_version = true, max_term_width = 100, after_help = EXAMPLE)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Never colour the output (NO_COLOR does the same)
    #[arg(long, global = true)]
    pub(crate) no_color: bool,
}

const EXAMPLE: &str = "Example:
  holodeck init my-agent
  holodeck test my-agent/agent.yaml

Exit codes:
  0    all passed, or there were no cases
  1    a case failed
  2    a mistake in a file or on the command line; no agent was called
  3    the run could not be carried out, or not all of it could be written
  130  interrupted

Environment:
  HOLODECK_*  settings, as `holodeck config show` names them
  NO_COLOR, CLICOLOR_FORCE, COLUMNS  how the output looks
  RUST_LOG    what to log on stderr: warn, debug, holodeck_run=debug ...";

/// One command each.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the test cases of an agent.yaml and report every turn
    Test(Box<Test>),
    /// Check an agent.yaml and everything it names without calling the agent
    Check(Check),
    /// Render a stored run again
    Report(Report),
    /// Look at the settings that a run would use
    #[command(after_help = "Example:
  holodeck config show agent.yaml")]
    Config {
        /// What to look at.
        #[command(subcommand)]
        command: Config,
    },
    /// Print the JSON Schema of a file, for editors
    Schema(Schema),
    /// Write a small agent.yaml with scripted replies that passes
    Init(Init),
    /// Begin a grader of your own, or call one by hand
    Grader {
        /// What to do with it.
        #[command(subcommand)]
        command: Grader,
    },
}

/// `holodeck test`
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[derive(Debug, Args)]
#[command(
    override_usage = "holodeck test [run] [AGENT_YAML] [OPTIONS]",
    after_help = "Example:
  holodeck test agent.yaml --agent scripted:replies.yaml --output junit.xml
  holodeck test --filter convfinqa --filter '/strict$/' --filter '!slow' -v

Exit codes: 0 all passed, 1 a case failed, 2 a mistake in a file or on the
command line (also a filter that selects nothing), 3 the run could not be
carried out or not all of it written, 130 interrupted (the first Ctrl-C or
SIGTERM still writes the reports, the second ends at once)."
)]
pub(crate) struct Test {
    /// The file with the test cases [default: agent.yaml]
    #[arg(value_name = "AGENT_YAML", num_args = 0..=2)]
    pub(crate) words: Vec<PathBuf>,
    /// Who answers instead of the file's model: scripted:FILE, or your own with its tools: command:CMD (a program), http:URL
    #[arg(long, value_name = "AGENT")]
    pub(crate) agent: Option<String>,
    /// Write a report to this file; its ending (.json, .md, .xml) says which, else JSON; - is stdout. May be repeated
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Vec<PathBuf>,
    /// Format of the --output files; without --output the report goes to stdout
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// Show passed turns too
    #[arg(short, long, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Show the summary only
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Seconds a turn may take (execution.llm_timeout)
    #[arg(long, value_name = "SECONDS", value_parser = at_least_one)]
    pub(crate) timeout: Option<u64>,
    /// Cases to run at once (execution.parallel_test_cases)
    #[arg(short, long, value_name = "N", value_parser = at_least_one)]
    pub(crate) parallel_test_cases: Option<u64>,
    /// Run the first N of the selected cases
    #[arg(short = 'n', long, value_name = "N", value_parser = at_least_one)]
    pub(crate) limit: Option<u64>,
    /// Run cases whose name has PATTERN in it or matches /regex/; with ! before it, leave them out. May be repeated
    #[arg(long, value_name = "PATTERN", allow_hyphen_values = true)]
    pub(crate) filter: Vec<String>,
    /// Print the selected cases and run nothing
    #[arg(long)]
    pub(crate) list: bool,
    /// Where runs are kept [default: results/ beside AGENT_YAML]
    #[arg(long, value_name = "DIR")]
    pub(crate) results: Option<PathBuf>,
    /// How mistakes in files are told: json prints one object on stdout
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) message_format: MessageFormat,
    /// Accepted for files and scripts written for the Python HoloDeck; nothing is ingested here
    #[arg(short, long)]
    pub(crate) force_ingest: bool,
}

impl Test {
    /// The agent.yaml meant: `run`, the Python HoloDeck's optional subcommand, is passed over.
    pub(crate) fn agent_yaml(&self) -> Result<PathBuf, String> {
        match self.words.as_slice() {
            [] => Ok(PathBuf::from("agent.yaml")),
            [word] if word.as_os_str() == "run" => Ok(PathBuf::from("agent.yaml")),
            [file] => Ok(file.clone()),
            [word, file] if word.as_os_str() == "run" => Ok(file.clone()),
            [first, ..] => Err(format!(
                "holodeck test takes one AGENT_YAML, and `{}` is not `run`; to run several files, call it once for each",
                first.display()
            )),
        }
    }
}

/// `holodeck check`
#[derive(Debug, Args)]
#[command(after_help = "Example:
  holodeck check agent.yaml
  holodeck check agent.yaml --message-format json | jq '.diagnostics[].path'

  holodeck check agent.yaml --live

Exit codes: 0 fine, warnings and notes included, 2 mistakes, 3 the model that
--live asks gave no answer.")]
pub(crate) struct Check {
    /// The file to check
    #[arg(value_name = "AGENT_YAML", default_value = "agent.yaml")]
    pub(crate) agent_yaml: PathBuf,
    /// Check this agent too, as `holodeck test --agent` would use it: scripted:FILE, command:CMD or http:URL
    #[arg(long, value_name = "AGENT")]
    pub(crate) agent: Option<String>,
    /// Ask the model, too: one tiny request that shows whether address, key and model are right
    #[arg(long)]
    pub(crate) live: bool,
    /// How mistakes are told: json prints one object on stdout
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) message_format: MessageFormat,
}

/// `holodeck report`
#[derive(Debug, Args)]
#[command(after_help = "Example:
  holodeck report results/my-agent -v
  holodeck report results/my-agent --format junit --output junit.xml

Exit codes: 0 written, whether or not cases failed, 2 no such run, 3 not all of
it could be written.")]
pub(crate) struct Report {
    /// A run: its .json file, its folder or its journal; a folder of runs means the newest
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// Which report; without it, and without an --output that says, the console report
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// Write it to this file instead of stdout; its ending (.json, .md, .xml) says which report. May be repeated
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Vec<PathBuf>,
    /// In the console report, show passed turns too
    #[arg(short, long, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// In the console report, show the summary only
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// `holodeck config ...`
#[derive(Debug, Subcommand)]
pub(crate) enum Config {
    /// Print every setting with its value and where it came from
    Show(ConfigShow),
}

/// `holodeck config show`
#[derive(Debug, Args)]
#[command(after_help = "Example:
  holodeck config show agent.yaml --format json")]
pub(crate) struct ConfigShow {
    /// The file whose settings are meant
    #[arg(value_name = "AGENT_YAML", default_value = "agent.yaml")]
    pub(crate) agent_yaml: PathBuf,
    /// How to print them
    #[arg(long, value_name = "FORMAT", default_value = "yaml")]
    pub(crate) format: DataFormat,
}

/// `holodeck schema`
#[derive(Debug, Args)]
#[command(after_help = "Example:
  holodeck schema > agent.schema.json
  holodeck schema scripted > scripted.schema.json

The first line of a file makes editors use it:
  # yaml-language-server: $schema=./agent.schema.json")]
pub(crate) struct Schema {
    /// Which file's schema
    #[arg(value_name = "FILE", default_value = "agent")]
    pub(crate) which: SchemaOf,
}

/// `holodeck init`
#[derive(Debug, Args)]
#[command(after_help = "Example:
  holodeck init my-agent
  holodeck test my-agent/agent.yaml")]
pub(crate) struct Init {
    /// The folder to write to; made if it isn't there
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) dir: PathBuf,
}

/// `holodeck grader ...`
#[derive(Debug, Subcommand)]
pub(crate) enum Grader {
    /// Write a small grader with its test
    New(GraderNew),
    /// Call a grader with a context from a file, and print what came of it
    Run(GraderRun),
}

/// `holodeck grader new`
#[derive(Debug, Args)]
#[command(after_help = "Example:
  holodeck grader new close_enough --python
  holodeck grader new fast_check --native graders

Then name it on a test case or turn:
  evaluations: [{type: code, grader: \"close_enough:grade\"}]")]
#[command(group(clap::ArgGroup::new("language").required(true)))]
pub(crate) struct GraderNew {
    /// What it is called: letters, digits and _
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// A Python module, NAME.py, and its test
    #[arg(long, group = "language")]
    pub(crate) python: bool,
    /// A Rust library, in a folder NAME, with its test
    #[arg(long, group = "language")]
    pub(crate) native: bool,
    /// The folder to write to, that of agent.yaml; made if it isn't there
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) dir: PathBuf,
}

/// `holodeck grader run`
#[derive(Debug, Args)]
#[command(after_help = "Example:
  holodeck grader run close_enough:grade --context context.json

A context is a JSON object; what it leaves out is empty:
  {\"turn_input\": \"How much?\", \"agent_response\": \"206,588\", \"ground_truth\": \"206588\"}

Exit codes: 0 it passes, 1 it does not, or broke, 2 it can't be found or the context can't be read.")]
pub(crate) struct GraderRun {
    /// Which: module.path:function
    #[arg(value_name = "REF")]
    pub(crate) reference: String,
    /// A JSON file with its context; - is stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) context: PathBuf,
    /// The folder to find it in, that of agent.yaml. May be repeated
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) folder: Vec<PathBuf>,
    /// The Python to run it in, as execution.python
    #[arg(long, value_name = "PYTHON")]
    pub(crate) python: Option<PathBuf>,
    /// Passed when the score is at least this [default: 0.5]; a verdict of the grader beats it
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true)]
    pub(crate) threshold: Option<f64>,
    /// Milliseconds it may take
    #[arg(long, value_name = "MS", default_value = "30000", value_parser = at_least_one)]
    pub(crate) timeout_ms: u64,
}

/// A report's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The report of the contract, field for field
    Json,
    /// For people, in a pull request or a wiki
    Markdown,
    /// JUnit XML, for CI servers
    Junit,
}

/// How mistakes are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MessageFormat {
    /// For people, on stderr
    Text,
    /// One JSON object, on stdout
    Json,
}

/// A data format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DataFormat {
    /// YAML
    Yaml,
    /// JSON
    Json,
}

/// A file that has a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaOf {
    /// agent.yaml
    Agent,
    /// config.yaml
    Config,
    /// A file of scripted replies
    Scripted,
    /// What is said to an agent of your own, and what it answers
    AgentProtocol,
}

fn at_least_one(text: &str) -> Result<u64, &'static str> {
    let number = text.parse().ok().filter(|n| *n >= 1);
    number.ok_or("it takes a whole number, at least 1")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn run_is_passed_over() {
        let file = |line: &str| {
            let cli = Cli::try_parse_from(line.split(' ')).expect("parses");
            let Command::Test(test) = cli.command else {
                panic!("not test")
            };
            test.agent_yaml()
        };
        assert_eq!(file("holodeck test"), Ok("agent.yaml".into()));
        assert_eq!(file("holodeck test run"), Ok("agent.yaml".into()));
        assert_eq!(file("holodeck test -v run a.yaml"), Ok("a.yaml".into()));
        assert_eq!(file("holodeck test a.yaml -v"), Ok("a.yaml".into()));
        assert_eq!(file("holodeck test ./run"), Ok("./run".into()));
        assert!(file("holodeck test a.yaml b.yaml").is_err());
    }
}
