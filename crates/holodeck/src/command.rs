//! One file a command.
//!
//! To add one: 1. a variant and its arguments in `args.rs`, with an example; 2. a file here with `run(&args, &Screen) -> Exit`;
//! 3. an arm in `main.rs`; 4. `cargo xtask codegen` for the reference; 5. a transcript in `tests/ui/`, proven by `cargo test`.

pub(crate) mod check;
pub(crate) mod config;
pub(crate) mod grader;
pub(crate) mod init;
pub(crate) mod report;
pub(crate) mod schema;
pub(crate) mod test;
