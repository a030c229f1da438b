//! Python's `str()` and `repr()` of a value (rule M2).

use std::borrow::Cow;

use crate::Value;

pub(crate) fn str_of(value: &Value) -> Cow<'_, str> {
    let _ = value;
    todo!()
}
