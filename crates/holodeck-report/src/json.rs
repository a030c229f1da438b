//! The JSON report, written case by case: the text of [`TestReport`](crate::wire::TestReport) without ever holding one.

mod indent;

use std::io::{self, Write};

use serde::Serialize;

use crate::{Cases, Header, Summary, rollup};
pub(crate) use indent::Indented;

/// Writes the report, indented by two.
pub fn write(
    header: &Header,
    summary: &Summary,
    cases: Cases<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut out = Indented::new(out);
    report(header, summary, cases, &mut out)?;
    out.finish()
}

/// The report without white space. Its fields are those of [`TestReport`](crate::wire::TestReport); a test holds the two together.
pub(crate) fn report(
    header: &Header,
    summary: &Summary,
    cases: Cases<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    out.write_all(b"{")?;
    field(out, "agent_name", &header.agent_name)?;
    field(out, "agent_config_path", &header.agent_config_path)?;
    out.write_all(b"\"results\":[")?;
    for (i, case) in cases.enumerate() {
        if i > 0 {
            out.write_all(b",")?;
        }
        serde_json::to_writer(&mut *out, &rollup::case(&case?))?;
    }
    out.write_all(b"],")?;
    field(out, "summary", &summary.wire())?;
    field(out, "timestamp", &header.timestamp)?;
    field(out, "holodeck_version", &header.holodeck_version)?;
    field(out, "environment", &header.environment)?;
    out.write_all(b"\"run_id\":")?;
    serde_json::to_writer(&mut *out, &header.run_id)?;
    out.write_all(b"}")
}

fn field(out: &mut impl Write, name: &str, value: &impl Serialize) -> io::Result<()> {
    write!(out, "\"{name}\":")?;
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b",")
}

#[cfg(test)]
mod tests;
