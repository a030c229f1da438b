//! Workshop commands.
fn main() {}
