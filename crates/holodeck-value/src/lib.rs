//! JSON values with their numbers kept exactly as written, exact decimals, and Python's text of a value.
//!
//! This crate knows nothing else of holodeck. Start reading at [`Value`].

#![warn(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this crate is pure"
)]

pub mod decimal;
pub mod json;
mod number;
pub mod numeral;
mod object;
mod serde_json_text;
mod text;
pub mod unicode;
mod value;

pub use decimal::Decimal;
pub use json::JsonError;
pub use number::Number;
pub use object::Object;
pub use value::Value;
