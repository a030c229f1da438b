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
