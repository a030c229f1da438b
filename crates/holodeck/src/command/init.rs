//! `holodeck init`: a small agent.yaml with scripted replies that passes.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use crate::args::{Init, SchemaOf};
use crate::command::schema;
use crate::exit::Exit;
use crate::screen::Screen;

/// What is written, in order. None is ever overwritten.
fn files() -> [(&'static str, String); 3] {
    [
        ("agent.yaml", include_str!("init/agent.yaml").to_owned()),
        ("replies.yaml", include_str!("init/replies.yaml").to_owned()),
        ("agent.schema.json", schema::text(SchemaOf::Agent)),
    ]
}

pub(crate) fn run(args: &Init, screen: &Screen) -> Exit {
    let files = files();
    let there: Vec<&str> = files
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| args.dir.join(name).exists())
        .collect();
    if !there.is_empty() {
        screen.say(&format!(
            "error: `{}` already has {}; nothing was written.\nhelp: name another folder: holodeck init DIR",
            args.dir.display(),
            there.join(" and ")
        ));
        return Exit::Usage;
    }
    for (name, text) in &files {
        if let Err(error) = write_new(&args.dir, name, text) {
            screen.say(&format!(
                "error: cannot write `{}`: {error}",
                args.dir.join(name).display()
            ));
            return Exit::NotCarriedOut;
        }
    }
    let agent_yaml = args.dir.join("agent.yaml");
    screen.say(&format!(
        "Wrote {} to {}.\nRun it:  holodeck test {}",
        files.each_ref().map(|(name, _)| *name).join(", "),
        args.dir.display(),
        agent_yaml.display()
    ));
    Exit::Passed
}

fn write_new(dir: &Path, name: &str, text: &str) -> std::io::Result<()> {
    fs::create_dir_all(dir)?;
    fs::File::create_new(dir.join(name))?.write_all(text.as_bytes())
}
