//! What passes between a library of graders and its host: one table of C functions, bytes in, bytes out.
//!
//! A library exports `const holodeck_graders *holodeck_graders_v1(void)` (see [`SYMBOL`]). Its table begins with its size and
//! version, so that a host can refuse what it does not know. Texts are UTF-8; no type of Rust crosses. The side that made a
//! buffer frees it. A library is never unloaded. `docs/reference/grader.h` says the same in C.

/// The symbol of the one exported function.
pub const SYMBOL: &str = "holodeck_graders_v1";

/// The version that this crate speaks. A host refuses a table of another one.
pub const VERSION: u32 = 1;

/// [`Table::call`]: the output is a result.
pub const OK: i32 = 0;
/// [`Table::call`]: the grader failed; the output is a [failure](Table::call).
pub const RAISED: i32 = 1;
/// [`Table::call`]: what the grader answered is no result; the output is a [failure](Table::call).
pub const BAD_RESULT: i32 = 2;
/// [`Table::call`]: the grader panicked; the output is a [failure](Table::call).
pub const PANICKED: i32 = 3;
/// [`Table::call`]: there is no grader of that name.
pub const UNKNOWN: i32 = 4;

/// Bytes that a library made.
#[derive(Debug)]
#[repr(C)]
pub struct Bytes {
    /// The first one; null where there are none.
    pub data: *mut u8,
    /// How many.
    pub len: usize,
    /// For the library's own use.
    pub capacity: usize,
}

impl Bytes {
    /// None.
    pub const EMPTY: Self = Self {
        data: std::ptr::null_mut(),
        len: 0,
        capacity: 0,
    };
}

/// What a library of graders offers. None of its functions may be null.
#[derive(Debug)]
#[repr(C)]
pub struct Table {
    /// Size of the whole table in bytes, as the library knows it. Later versions may be longer, never shorter.
    pub size: usize,
    /// The library's [`VERSION`].
    pub version: u32,
    /// Zero.
    pub reserved: u32,
    /// Writes `{"graders": ["name", ...]}` and returns [`OK`].
    pub describe: Option<unsafe extern "C" fn(out: *mut Bytes) -> i32>,
    /// Calls a grader: its name (not null-terminated) and a context as JSON in; out a result as JSON with [`OK`], or with another
    /// status a failure, `{"kind": "...", "message": "...", "trace": "..."}` or plain text. May be called from several threads at
    /// once. Must not unwind.
    pub call: Option<
        unsafe extern "C" fn(
            name: *const u8,
            name_len: usize,
            context: *const u8,
            context_len: usize,
            out: *mut Bytes,
        ) -> i32,
    >,
    /// Frees what `describe` or `call` wrote, once for each call of those.
    pub free: Option<unsafe extern "C" fn(bytes: Bytes)>,
}

#[cfg(test)]
mod tests {
    use std::mem::{align_of, offset_of, size_of};

    use super::*;

    #[test]
    fn the_layout_is_that_of_the_header() {
        let word = size_of::<usize>();
        assert_eq!(size_of::<Bytes>(), 3 * word);
        assert_eq!(
            [
                offset_of!(Bytes, data),
                offset_of!(Bytes, len),
                offset_of!(Bytes, capacity)
            ],
            [0, word, 2 * word]
        );
        assert_eq!(size_of::<Table>(), 4 * word + 8);
        assert_eq!(align_of::<Table>(), word);
        assert_eq!(
            [
                offset_of!(Table, size),
                offset_of!(Table, version),
                offset_of!(Table, reserved),
                offset_of!(Table, describe),
                offset_of!(Table, call),
                offset_of!(Table, free)
            ],
            [0, word, word + 4, word + 8, 2 * word + 8, 3 * word + 8]
        );
    }
}
