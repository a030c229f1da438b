//! The program: reads its arguments, calls one command, and ends with its exit code. Wiring only.

mod agent;
mod args;
mod clock;
mod command;
mod exit;
mod files;
mod git;
mod graders;
mod interrupt;
mod judge;
mod load;
mod outputs;
mod progress;
mod run_folder;
mod screen;
mod stage;
mod stored;
mod write;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Cli, Command};
use crate::exit::Exit;
use crate::screen::Screen;

fn main() -> ExitCode {
    // First thing, as the worker has the process for itself.
    if std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == graders::NATIVE_WORKER)
    {
        return holodeck_grader_host::native_worker_main();
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return exit::usage(&error).into(),
    };
    let screen = Screen::new(cli.no_color);
    start_log(&screen);
    exit::report_panics();
    let exit = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match cli.command {
        Command::Test(args) => command::test::run(&args, &screen),
        Command::Check(args) => command::check::run(&args, &screen),
        Command::Report(args) => command::report::run(&args, &screen),
        Command::Config { command } => command::config::run(&command, &screen),
        Command::Schema(args) => command::schema::run(&args, &screen),
        Command::Init(args) => command::init::run(&args, &screen),
        Command::Grader { command } => command::grader::run(&command, &screen),
    }));
    exit.unwrap_or(Exit::NotCarriedOut).into()
}

/// `RUST_LOG` switches tracing on, to stderr.
fn start_log(screen: &Screen) {
    let Some(wanted) = std::env::var_os("RUST_LOG").filter(|wanted| !wanted.is_empty()) else {
        return;
    };
    let filter = match tracing_subscriber::EnvFilter::try_from_default_env() {
        Ok(filter) => filter,
        Err(error) => {
            let wanted = wanted.display();
            screen.say(&format!("warning: RUST_LOG=`{wanted}` is ignored: {error}"));
            return;
        }
    };
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(screen::Log::default)
        .with_ansi(screen.look(screen::Stream::Stderr).colour)
        .init();
}
