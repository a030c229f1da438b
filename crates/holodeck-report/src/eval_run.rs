//! The run file `{report, metadata}` that is kept under `results/`.

use std::io::{self, Write as _};

use crate::json::{self, Indented};
use crate::{Cases, Header, Summary, wire};

/// Writes the run file: the text of [`wire::EvalRun`], its report case by case.
pub fn write(
    header: &Header,
    summary: &Summary,
    cases: Cases<'_>,
    metadata: &wire::EvalRunMetadata,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut out = Indented::new(out);
    out.write_all(b"{\"report\":")?;
    json::report(header, summary, cases, &mut out)?;
    out.write_all(b",\"metadata\":")?;
    serde_json::to_writer(&mut out, metadata)?;
    out.write_all(b"}")?;
    out.finish()
}

#[cfg(test)]
mod tests {
    use crate::{rollup, sample, wire};

    #[test]
    fn the_text_is_that_of_the_wire_types() {
        let cases = sample::cases();
        let (header, summary) = (sample::header(), sample::summary(&cases));
        let metadata = wire::EvalRunMetadata {
            agent_config: sample::json(r#"{"name": "a", "temperature": 0.10}"#),
            prompt_version: wire::PromptVersion {
                version: "1.2".to_owned(),
                author: None,
                description: None,
                tags: vec!["x".to_owned()],
                source: "inline".to_owned(),
                file_path: None,
                body_hash: "f21e319b".to_owned(),
                extra: holodeck_value::Object::new(),
            },
            holodeck_version: "0.1.0".to_owned(),
            cli_args: vec!["test".to_owned()],
            git_commit: None,
        };
        let mut out = Vec::new();
        let mut iter = cases.iter().cloned().map(Ok);
        super::write(&header, &summary, &mut iter, &metadata, &mut out).unwrap();
        let whole = wire::EvalRun {
            report: header.report(cases.iter().map(rollup::case).collect(), summary.wire()),
            metadata,
        };
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, serde_json::to_string_pretty(&whole).unwrap() + "\n");
        assert_eq!(serde_json::from_str::<wire::EvalRun>(&text).unwrap(), whole);
    }
}
