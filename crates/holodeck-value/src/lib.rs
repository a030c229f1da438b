//! JSON values with their numbers kept exactly as written, exact decimals, and Python's text of a value.
//!
//! This crate knows nothing else of holodeck. Start reading at [`Value`].
//!
//! ```
//! use holodeck_value::Value;
//! use holodeck_value::numeral::{self, Accept};
//!
//! let value = Value::from_json(r#"{"total": 181001.0, "id": 9007199254740993, "ok": true}"#)?;
//! assert_eq!(value.text(), "{'total': 181001.0, 'id': 9007199254740993, 'ok': True}");
//! assert_eq!(Value::from_json("181001")?, Value::from_json("181001.0")?);
//! assert_ne!(Value::from_json("1e400")?, Value::from_json("1e401")?);
//!
//! let accept = Accept { percent: true, thousands_separators: true };
//! assert_eq!(numeral::read("1,414 %", accept)?, numeral::read("14.14", accept)?);
//! assert!(numeral::read("1,23", accept).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this crate is pure"
)]

mod decimal;
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
