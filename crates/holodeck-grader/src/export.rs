//! The library's side of the ABI: the macro, and the three C functions behind it.
//!
//! A panic is caught here, with its message and place, since one that leaves an `extern "C"` function ends the process.

#![expect(unsafe_code, reason = "bytes cross a C ABI here")]

use std::any::Any;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::{Cell, RefCell};
use std::fmt::Display;
use std::io::Write;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use serde::Serialize;

use crate::abi::{BAD_RESULT, Bytes, OK, PANICKED, RAISED, Table, UNKNOWN, VERSION};
use crate::{GraderContext, GraderResult};

/// Exports functions of this library as graders, under their names. Once a library.
///
/// Each is `fn(&GraderContext) -> T` or `fn(&GraderContext) -> Result<T, E>`, where `T` is `bool`, `f64` or [`GraderResult`] and `E` can
/// be displayed.
#[macro_export]
macro_rules! export_graders {
    ($($grader:ident),+ $(,)?) => {
        const _: () = {
            struct Exported;
            impl $crate::Plugin for Exported {
                const GRADERS: &'static [$crate::Export] = &[$($crate::Export {
                    name: ::core::stringify!($grader),
                    grade: |context| $crate::IntoGrade::into_grade($grader(context)),
                }),+];
            }
            #[unsafe(no_mangle)]
            extern "C" fn holodeck_graders_v1() -> *const $crate::abi::Table {
                static TABLE: $crate::abi::Table = $crate::table::<Exported>();
                &TABLE
            }
        };
    };
}

/// What a library exports.
#[doc(hidden)]
pub trait Plugin {
    /// By name.
    const GRADERS: &'static [Export];
}

/// One exported function.
#[doc(hidden)]
#[derive(Debug)]
pub struct Export {
    pub name: &'static str,
    pub grade: fn(&GraderContext) -> Result<GraderResult, String>,
}

/// What an exported function may return.
#[doc(hidden)]
pub trait IntoGrade {
    fn into_grade(self) -> Result<GraderResult, String>;
}

impl<T: Into<GraderResult>> IntoGrade for T {
    fn into_grade(self) -> Result<GraderResult, String> {
        Ok(self.into())
    }
}

impl<T: Into<GraderResult>, E: Display> IntoGrade for Result<T, E> {
    fn into_grade(self) -> Result<GraderResult, String> {
        self.map(Into::into).map_err(|e| e.to_string())
    }
}

/// The table of a library.
#[doc(hidden)]
pub const fn table<P: Plugin>() -> Table {
    Table {
        size: size_of::<Table>(),
        version: VERSION,
        reserved: 0,
        describe: Some(describe::<P>),
        call: Some(call::<P>),
        free: Some(free),
    }
}

unsafe extern "C" fn describe<P: Plugin>(out: *mut Bytes) -> i32 {
    let names: Vec<&str> = P::GRADERS.iter().map(|export| export.name).collect();
    let answer = Answer::json(OK, &serde_json::json!({"graders": names}));
    // SAFETY: the host gives a place to write to.
    unsafe { answer.give(out) }
}

unsafe extern "C" fn call<P: Plugin>(
    name: *const u8,
    name_len: usize,
    context: *const u8,
    context_len: usize,
    out: *mut Bytes,
) -> i32 {
    // SAFETY: the host gives both texts for the time of this call.
    let (name, context) = unsafe {
        (
            std::slice::from_raw_parts(name, name_len),
            std::slice::from_raw_parts(context, context_len),
        )
    };
    let answer = match caught(|| answer(P::GRADERS, name, context)) {
        Ok(answer) => answer,
        Err(panic) => Answer::json(PANICKED, &panic),
    };
    // What the grader printed belongs to this call.
    let _ = std::io::stdout().flush();
    // SAFETY: the host gives a place to write to.
    unsafe { answer.give(out) }
}

unsafe extern "C" fn free(bytes: Bytes) {
    if !bytes.data.is_null() {
        // SAFETY: the host hands back what `Answer::give` took from a vector.
        drop(unsafe { Vec::from_raw_parts(bytes.data, bytes.len, bytes.capacity) });
    }
}

fn answer(exports: &[Export], name: &[u8], context: &[u8]) -> Answer {
    let Some(export) = exports.iter().find(|e| e.name.as_bytes() == name) else {
        return Answer::failure(UNKNOWN, "no grader of that name".to_owned());
    };
    let context: GraderContext = match serde_json::from_slice(context) {
        Ok(context) => context,
        Err(e) => return Answer::failure(RAISED, format!("the context can't be read: {e}")),
    };
    match (export.grade)(&context).map(GraderResult::check) {
        Ok(Ok(result)) => Answer::json(OK, &result),
        Ok(Err(bad)) => Answer::failure(BAD_RESULT, bad.to_string()),
        Err(message) => Answer::failure(RAISED, message),
    }
}

/// What goes back to the host.
struct Answer {
    status: i32,
    json: Vec<u8>,
}

impl Answer {
    fn json(status: i32, value: &impl Serialize) -> Self {
        let json = serde_json::to_vec(value).expect("string keys only, and a vector takes all");
        Self { status, json }
    }

    fn failure(status: i32, message: String) -> Self {
        let failure = Failure {
            kind: "error",
            message,
            trace: None,
        };
        Self::json(status, &failure)
    }

    /// Hands the bytes over.
    ///
    /// # Safety
    /// `out` must be valid for a write.
    unsafe fn give(self, out: *mut Bytes) -> i32 {
        let mut json = ManuallyDrop::new(self.json);
        let bytes = Bytes {
            data: json.as_mut_ptr(),
            len: json.len(),
            capacity: json.capacity(),
        };
        // SAFETY: by this function's own condition.
        unsafe { out.write(bytes) };
        self.status
    }
}

/// Why there is no result.
#[derive(Serialize)]
struct Failure {
    kind: &'static str,
    message: String,
    trace: Option<String>,
}

thread_local! {
    /// Whether a grader runs on this thread.
    static GRADING: Cell<bool> = const { Cell::new(false) };
    /// Where it panicked.
    static TRACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs a grader. Its panic is told to the host instead of to stderr.
fn caught(grade: impl FnOnce() -> Answer) -> Result<Answer, Failure> {
    static HOOKED: Once = Once::new();
    // Where a panic aborts, stderr is the only place left to tell it.
    if cfg!(panic = "unwind") {
        HOOKED.call_once(keep_traces);
    }
    GRADING.set(true);
    let answer = catch_unwind(AssertUnwindSafe(grade));
    GRADING.set(false);
    answer.map_err(|payload| Failure {
        kind: "panic",
        message: panic_message(payload),
        trace: TRACE.take(),
    })
}

fn keep_traces() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !GRADING.try_with(Cell::get).unwrap_or(false) {
            return before(info);
        }
        let place = info
            .location()
            .map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
        let backtrace = Backtrace::capture();
        let trace = match backtrace.status() {
            BacktraceStatus::Captured => format!("panicked at {place}\n{backtrace}"),
            _ => format!("panicked at {place}"),
        };
        let _ = TRACE.try_with(|kept| kept.replace(Some(trace)));
    }));
}

fn panic_message(payload: Box<dyn Any + Send>) -> String {
    if let Some(text) = payload.downcast_ref::<&str>() {
        return (*text).to_owned();
    }
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(other) => {
            // Its destructor might panic in turn, and that would end the process.
            std::mem::forget(other);
            "a value that is no text".to_owned()
        }
    }
}
