//! The process in which native graders run: a loop over requests.
//!
//! The protocol runs on two descriptors of its own. What a grader prints goes where this process prints, which the pool captures.

#![expect(
    unsafe_code,
    reason = "inherited descriptors are adopted, and the C library is told to flush"
)]

use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::path::PathBuf;
use std::process::ExitCode;

use holodeck_worker::{MESSAGE_LIMIT, READ_FROM, WRITE_TO};
use rustix::process::Signal;

use crate::native::{self, Library, LoadError};
use crate::protocol::{Answer, HELLO, Request};

/// Room that the buffer of requests keeps between two of them.
const KEPT: usize = 1 << 20;

/// The `main` of a worker for native graders: answers requests until there are no more.
///
/// The host starts it as a process of its own, with the numbers of two inherited descriptors in [`READ_FROM`] and [`WRITE_TO`]. Call it
/// first thing in `main`, with nothing else going on in the process.
pub fn native_worker_main() -> ExitCode {
    // Whatever a grader starts and leaves stays below this process, where it can be found.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    let served = descriptor(READ_FROM).and_then(|requests| serve(requests, descriptor(WRITE_TO)?));
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "the worker for native graders ends: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The descriptor whose number a variable holds, so that processes started by graders do not inherit it.
fn descriptor(variable: &str) -> io::Result<File> {
    let number: RawFd = std::env::var(variable)
        .ok()
        .and_then(|text| text.parse().ok())
        .filter(|number| *number > 2)
        .ok_or_else(|| io::Error::other(format!("{variable} holds no number of a descriptor")))?;
    // SAFETY: whoever starts a worker opens this descriptor for it, and nothing else in this process uses it.
    let inherited = unsafe { OwnedFd::from_raw_fd(number) };
    Ok(File::from(inherited.try_clone()?))
}

fn serve(requests: File, mut answers: File) -> io::Result<()> {
    let watched = answers.try_clone()?;
    std::thread::Builder::new().spawn(move || holodeck_worker::end_with_the_host(watched))?;
    let this = std::process::id();
    let hello = serde_json::json!({
        HELLO.protocol: HELLO.version,
        "language": "native",
        "version": env!("CARGO_PKG_VERSION"),
    });
    write_line(&mut answers, hello.to_string())?;
    let mut requests = BufReader::new(requests);
    let mut libraries = Libraries::default();
    let mut line = Vec::new();
    loop {
        line.clear();
        line.shrink_to(KEPT);
        let limit = MESSAGE_LIMIT as u64 + 1;
        if (&mut requests).take(limit).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let request: Request<'_> = serde_json::from_slice(&line)
            .map_err(|e| io::Error::other(format!("a request can't be read: {e}")))?;
        let answer = libraries.answer(&request);
        if std::process::id() != this {
            // A grader forked, and this is the other one.
            rustix::process::kill_process(rustix::process::getpid(), Signal::KILL)?;
        }
        flush_c_streams();
        let mut text = serde_json::to_string(&answer)?;
        if text.len() >= MESSAGE_LIMIT {
            let limit = MESSAGE_LIMIT >> 20;
            let message = format!("an answer of {} bytes, over {limit} MiB", text.len());
            text = serde_json::to_string(&Answer::bad_result(request.id, message))?;
        }
        write_line(&mut answers, text)?;
    }
}

fn write_line(answers: &mut File, mut line: String) -> io::Result<()> {
    line.push('\n');
    answers.write_all(line.as_bytes())
}

/// What a grader in C printed belongs to its call. One in Rust has flushed already, and its output passes by these streams.
fn flush_c_streams() {
    unsafe extern "C" {
        fn fflush(stream: *mut c_void) -> c_int;
    }
    // SAFETY: null stands for all streams.
    unsafe { fflush(std::ptr::null_mut()) };
}

/// Libraries that were opened, by what was asked for.
#[derive(Default)]
struct Libraries {
    opened: HashMap<(String, Vec<PathBuf>), Library>,
}

impl Libraries {
    fn answer(&mut self, request: &Request<'_>) -> Answer {
        let Some(reference) = request.resolve.as_ref().or(request.grade.as_ref()) else {
            return Answer::failed(
                request.id,
                "error",
                &"a request to neither resolve nor grade",
            );
        };
        let (library, function) = match self.library(reference, &request.folders) {
            Ok(found) => found,
            Err(error) => return Answer::failed(request.id, error.kind(), &error),
        };
        if request.resolve.is_some() {
            return Answer::found(request.id);
        }
        let context = request.context.map_or("{}", |context| context.get());
        Answer::graded(request.id, library.call(function, context.as_bytes()))
    }

    fn library<'r>(
        &mut self,
        reference: &'r str,
        folders: &[PathBuf],
    ) -> Result<(Library, &'r str), LoadError> {
        let (module, function) = reference.split_once(':').unwrap_or((reference, ""));
        let key = (module.to_owned(), folders.to_vec());
        let library = if let Some(library) = self.opened.get(&key) {
            library.clone()
        } else {
            let library = native::find(folders, module)?;
            self.opened.insert(key, library.clone());
            library
        };
        library.check_has(function)?;
        Ok((library, function))
    }
}
