//! Libraries whose tables can't be used, one for each `--cfg`. Built by tests with `rustc` alone.

#[repr(C)]
pub struct Table {
    size: usize,
    version: u32,
    reserved: u32,
    describe: Option<extern "C" fn(*mut Bytes) -> i32>,
    call: Option<extern "C" fn(*const u8, usize, *const u8, usize, *mut Bytes) -> i32>,
    free: Option<extern "C" fn(Bytes)>,
}

#[repr(C)]
pub struct Bytes {
    data: *const u8,
    len: usize,
    capacity: usize,
}

extern "C" fn describe(out: *mut Bytes) -> i32 {
    let text: &[u8] = if cfg!(described_badly) { b"{\"graders\": [\"good\"" } else { b"{\"graders\": []}" };
    unsafe { out.write(Bytes { data: text.as_ptr(), len: text.len(), capacity: 0 }) };
    if cfg!(undescribed) { 9 } else { 0 }
}
extern "C" fn call(_: *const u8, _: usize, _: *const u8, _: usize, _: *mut Bytes) -> i32 {
    4
}
extern "C" fn free(_: Bytes) {}

static TABLE: Table = Table {
    size: if cfg!(short) { 16 } else { size_of::<Table>() },
    version: if cfg!(newer) { 2 } else { 1 },
    reserved: 0,
    describe: Some(describe),
    call: if cfg!(holes) { None } else { Some(call) },
    free: Some(free),
};

#[cfg(not(nameless))]
#[unsafe(no_mangle)]
pub extern "C" fn holodeck_graders_v1() -> *const Table {
    if cfg!(null) { std::ptr::null() } else { &TABLE }
}

#[cfg(nameless)]
#[unsafe(no_mangle)]
pub extern "C" fn something_else() -> *const Table {
    &TABLE
}
