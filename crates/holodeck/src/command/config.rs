//! `holodeck config show`: every setting with its value and where it came from.

use std::io::Write as _;

use holodeck_model::config::{Loaded, Overrides, Setting};
use holodeck_model::mask::Masker;
use serde_json::{Map, Value, json};

use crate::args::{self, DataFormat, MessageFormat};
use crate::exit::Exit;
use crate::load;
use crate::screen::{Screen, Stream};

pub(crate) fn run(command: &args::Config, screen: &Screen) -> Exit {
    let args::Config::Show(args) = command;
    // Whose agent answers does not matter to the settings.
    let overrides = Overrides {
        agent_replaced: true,
        ..Overrides::default()
    };
    let Loaded {
        config,
        diagnostics,
        ..
    } = load::read(&args.agent_yaml, overrides);
    let told = load::tell(diagnostics, config.as_ref(), MessageFormat::Text, screen);
    let Some(config) = config else {
        return told;
    };
    let masker = config.masker();
    let entries = config.settings().entries();
    let settings: Map<_, _> = entries.iter().map(|s| entry(s, &masker)).collect();
    let mut out = screen.open(Stream::Stdout);
    let text = match args.format {
        DataFormat::Json => serde_json::to_string_pretty(&settings).map_err(|e| e.to_string()),
        DataFormat::Yaml => serde_yaml::to_string(&settings).map_err(|e| e.to_string()),
    };
    let written = text.and_then(|text| {
        // `Out` keeps its trouble for `finish`.
        let _ = writeln!(out, "{}", text.trim_end());
        out.finish().map_err(|e| e.to_string())
    });
    match written {
        Ok(()) => Exit::Passed,
        Err(error) => {
            screen.say(&format!("error: cannot write the settings: {error}"));
            Exit::NotCarriedOut
        }
    }
}

fn entry(setting: &Setting, masker: &Masker) -> (String, Value) {
    let mut value = setting.value.clone();
    masker.value(&mut value);
    let value = serde_json::from_str::<Value>(&value.to_json()).unwrap_or_default();
    (
        setting.key.to_owned(),
        json!({ "value": value, "origin": setting.origin.to_string() }),
    )
}
