//! `holodeck schema`: the JSON Schema of a file.

use std::io::Write as _;

use holodeck_model::shape::schema;

use crate::args::{Schema, SchemaOf};
use crate::exit::Exit;
use crate::screen::{Screen, Stream};

/// The schema as text, from the tables that the readers go by.
pub(crate) fn text(which: SchemaOf) -> String {
    let schema = match which {
        SchemaOf::Agent => schema::agent(),
        SchemaOf::Config => schema::project(),
        SchemaOf::Scripted => schema::scripted(),
        SchemaOf::AgentProtocol => holodeck_agent::protocol::schema(),
    };
    format!("{schema:#}\n")
}

pub(crate) fn run(args: &Schema, screen: &Screen) -> Exit {
    let mut out = screen.open(Stream::Stdout);
    // `Out` keeps its trouble for `finish`.
    let _ = out.write_all(text(args.which).as_bytes());
    out.end(screen)
}
