//! `holodeck init`: a small agent.yaml with scripted replies that passes.

use crate::args::{Init, SchemaOf};
use crate::command::schema;
use crate::exit::Exit;
use crate::screen::Screen;
use crate::write;

/// What is written, in order. None is ever overwritten.
fn files() -> [(&'static str, String); 3] {
    [
        ("agent.yaml", include_str!("init/agent.yaml").to_owned()),
        ("replies.yaml", include_str!("init/replies.yaml").to_owned()),
        ("agent.schema.json", schema::text(SchemaOf::Agent)),
    ]
}

pub(crate) fn run(args: &Init, screen: &Screen) -> Exit {
    let files = files().map(|(name, text)| (name.to_owned(), text));
    if let Err(exit) = write::new_files(
        &args.dir,
        &files,
        "name another folder: holodeck init DIR",
        screen,
    ) {
        return exit;
    }
    let agent_yaml = args.dir.join("agent.yaml");
    screen.say(&format!(
        "Wrote {} to {}.\nRun it:  holodeck test {}",
        files.each_ref().map(|(name, _)| name.as_str()).join(", "),
        args.dir.display(),
        agent_yaml.display()
    ));
    Exit::Passed
}
