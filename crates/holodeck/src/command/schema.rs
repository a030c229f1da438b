//! `holodeck schema`: the JSON Schema of a file.

use std::io::Write as _;

use crate::args::{Schema, SchemaOf};
use crate::exit::Exit;
use crate::screen::{Screen, Stream};

/// The committed schemas; `cargo xtask codegen --check` proves that they are the code's.
fn text(which: SchemaOf) -> &'static str {
    match which {
        SchemaOf::Agent => include_str!("../../../../schemas/agent.schema.json"),
        SchemaOf::Config => include_str!("../../../../schemas/config.schema.json"),
        SchemaOf::Scripted => include_str!("../../../../schemas/scripted.schema.json"),
    }
}

pub(crate) fn run(args: &Schema, screen: &Screen) -> Exit {
    let mut out = screen.open(Stream::Stdout);
    // `Out` keeps its trouble for `finish`.
    let _ = out.write_all(text(args.which).as_bytes());
    match out.finish() {
        Ok(()) => Exit::Passed,
        Err(error) => {
            screen.say(&format!("error: cannot write to stdout: {error}"));
            Exit::NotCarriedOut
        }
    }
}
