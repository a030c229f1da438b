//! `holodeck grader`: for those who write graders.

mod new;
mod run;

use crate::args::Grader;
use crate::exit::Exit;
use crate::screen::Screen;

pub(crate) fn run(command: &Grader, screen: &Screen) -> Exit {
    match command {
        Grader::New(args) => new::run(args, screen),
        Grader::Run(args) => run::run(args, screen),
    }
}
