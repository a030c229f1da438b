//! A run in its journal, ready to be told: every report is rendered from here, so that a stored run reads the same later.

use std::io::{self, Write};
use std::path::Path;

use holodeck_model::mask::Masker;
use holodeck_model::outcome::CaseOutcome;
use holodeck_report::console::{self, Style, Verbosity};
use holodeck_report::wire::EvalRunMetadata;
use holodeck_report::{Cases, Format, Header, Rerun, Summary, eval_run};
use holodeck_run::JournalReader;
use holodeck_run::journal::{Header as JournalHeader, ReadError, TornLine};
use holodeck_value::{Object, Value};
use serde::{Deserialize, Serialize};

/// What the journal's header keeps for the reports, beside what every journal has.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Told {
    /// The resolved execution settings.
    pub(crate) environment: Object,
    /// Who answers, in words.
    pub(crate) answered_by: String,
    /// The words of the command that repeats the run, without filters.
    pub(crate) rerun: Vec<String>,
    /// Names of all cases in the file; none where they are too many to be kept.
    pub(crate) case_names: Vec<String>,
    /// The run file's second half.
    pub(crate) eval_run: EvalRunMetadata,
}

impl Told {
    /// Takes the secrets out (rule L10a).
    pub(crate) fn mask(&mut self, masker: &Masker) {
        masker.object(&mut self.environment);
        let version = &mut self.eval_run.prompt_version;
        masker.object(&mut version.extra);
        let texts = [
            &mut self.answered_by,
            &mut version.version,
            &mut version.source,
        ]
        .into_iter()
        .chain(&mut version.author)
        .chain(&mut version.description)
        .chain(&mut version.file_path)
        .chain(&mut version.tags)
        .chain(&mut self.rerun)
        .chain(&mut self.case_names)
        .chain(&mut self.eval_run.cli_args);
        for text in texts {
            masker.string(text);
        }
    }

    /// As the journal's header keeps it.
    pub(crate) fn to_value(&self) -> Value {
        let text = serde_json::to_string(self).expect("plain data with string keys is JSON");
        Value::from_json(&text).expect("serde_json writes JSON")
    }
}

/// What the reports say of a run besides its cases.
pub(crate) fn report_header(journal: &JournalHeader, told: &Told) -> Header {
    let rerun = Rerun::new(told.rerun.clone());
    let rerun = if told.case_names.is_empty() {
        rerun
    } else {
        rerun.with_names(&told.case_names)
    };
    Header {
        agent_name: journal.agent.clone(),
        agent_config_path: journal.agent_config_path.clone(),
        timestamp: journal.started_at.clone(),
        holodeck_version: journal.program_version.clone(),
        environment: told.environment.clone(),
        run_id: Some(journal.run_id.clone()),
        answered_by: Some(told.answered_by.clone()),
        rerun: Some(rerun),
    }
}

/// A journal that was read.
#[derive(Debug)]
pub(crate) struct StoredRun {
    reader: JournalReader,
    header: Header,
    summary: Summary,
    eval_run: EvalRunMetadata,
}

impl StoredRun {
    /// Reads a journal and adds its cases up.
    pub(crate) fn open(path: &Path) -> Result<Self, ReadError> {
        let mut reader = JournalReader::open(path)?;
        let journal = reader.header();
        let told = serde_json::from_str::<Told>(&journal.metadata.to_json());
        let told = told.map_err(|error| ReadError::Damaged {
            path: path.to_owned(),
            line: 1,
            reason: error.to_string(),
        })?;
        let header = report_header(journal, &told);
        let mut summary = Summary::new(journal.n_cases as u64);
        summary.wall_time_ms = reader.footer().map(|f| f.duration_ms);
        for case in reader.cases() {
            summary.add(&case?);
        }
        Ok(Self {
            reader,
            header,
            summary,
            eval_run: told.eval_run,
        })
    }

    /// A last line that was cut short.
    pub(crate) fn torn(&self) -> Option<TornLine> {
        self.reader.torn()
    }

    /// The run in numbers.
    pub(crate) fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Writes one of the reports.
    pub(crate) fn write(&mut self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        let mut cases = in_io(self.reader.cases());
        let cases: Cases<'_> = &mut cases;
        format.write(&self.header, &self.summary, cases, out)
    }

    /// Writes the report for people.
    pub(crate) fn write_console(
        &mut self,
        style: Style,
        verbosity: Verbosity,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        console::write(
            &self.header,
            &self.summary,
            &mut in_io(self.reader.cases()),
            style,
            verbosity,
            out,
        )
    }

    /// Writes the run file.
    pub(crate) fn write_run_file(&mut self, out: &mut dyn Write) -> io::Result<()> {
        eval_run::write(
            &self.header,
            &self.summary,
            &mut in_io(self.reader.cases()),
            &self.eval_run,
            out,
        )
    }
}

fn in_io(
    cases: impl Iterator<Item = Result<CaseOutcome, ReadError>>,
) -> impl Iterator<Item = io::Result<CaseOutcome>> {
    cases.map(|case| case.map_err(io::Error::other))
}
