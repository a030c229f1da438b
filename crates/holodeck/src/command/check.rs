//! `holodeck check`: everything that `test` checks, and no agent; with `--live`, one word with the model.

use std::path::Path;

use holodeck_model::Diagnostic;
use holodeck_model::config::Overrides;
use holodeck_model::diagnostic::Severity;
use holodeck_model::mask::Masker;
use holodeck_model::select::{self, Selection};
use holodeck_report::text;

use crate::agent::{self, Agent};
use crate::args::{Check, MessageFormat};
use crate::exit::Exit;
use crate::load;
use crate::screen::Screen;
use crate::stage::Stage;

pub(crate) fn run(args: &Check, screen: &Screen) -> Exit {
    match check(args, screen) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn check(args: &Check, screen: &Screen) -> Result<Exit, Exit> {
    let stage = Stage::new(screen)?;
    let loaded = load::read_all(
        &args.agent_yaml,
        args.agent.as_deref(),
        Overrides::default(),
        &stage,
        screen,
    )?;
    stage.try_to(loaded.graders.close());
    let mut diagnostics = loaded.diagnostics;
    if !args.live {
        diagnostics.retain(|d| d.code != agent::NO_KEY);
        let not_asked = diagnostics
            .iter_mut()
            .filter(|d| d.code == agent::NOT_ASKED);
        not_asked.for_each(|d| d.severity = Severity::Note);
    }
    let mut n_cases = 0;
    if let Some(config) = &loaded.config {
        diagnostics.extend(config.advice().iter().cloned());
        let planned = select::plan(config, &Selection::default());
        diagnostics.extend(planned.needs.into_iter().map(as_note));
        n_cases = planned.n_cases;
    }
    let format = args.message_format;
    let exit = load::tell(diagnostics, loaded.config.as_ref(), format, screen);
    if exit == Exit::Passed && format == MessageFormat::Text {
        screen.say(&in_words(&args.agent_yaml, n_cases));
    }
    match (exit, loaded.agent, loaded.config) {
        (Exit::Passed, Some(agent), Some(config)) if args.live => {
            ask(&agent, &config.masker(), &stage, screen)
        }
        _ => Ok(exit),
    }
}

/// The most characters of the answer that are shown.
const SHOWN: usize = 200;

/// Whether the model can be asked, in words.
fn ask(agent: &Agent, masker: &Masker, stage: &Stage, screen: &Screen) -> Result<Exit, Exit> {
    let name = masker.text(&agent.name);
    let Some(service) = &agent.service else {
        screen.say(&format!("note: --live asks models, and {name} is none"));
        return Ok(Exit::Passed);
    };
    let asked = stage.try_to(service.probe()).ok_or(Exit::Interrupted)?;
    match asked {
        Ok(reply) => {
            let reply: String = masker.text(&reply).chars().take(SHOWN).collect();
            let reply = text::one_line(&reply);
            screen.say(&format!("{name} answers: {reply}"));
            Ok(Exit::Passed)
        }
        Err(why) => {
            screen.say(&format!(
                "error: {name} does not answer: {}",
                masker.text(&why)
            ));
            Ok(Exit::NotCarriedOut)
        }
    }
}

/// What would refuse a run does not make the file wrong.
fn as_note(mut need: Diagnostic) -> Diagnostic {
    if need.severity == Severity::Error {
        need.severity = Severity::Note;
    }
    need
}

fn in_words(agent_yaml: &Path, n_cases: usize) -> String {
    format!(
        "{} is fine: {}",
        agent_yaml.display(),
        text::count(n_cases as u64, "test case")
    )
}
