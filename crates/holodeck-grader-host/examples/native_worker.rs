//! A worker for native graders, as a harness without a program of its own ships it.

use std::process::ExitCode;

fn main() -> ExitCode {
    holodeck_grader_host::native_worker_main()
}
