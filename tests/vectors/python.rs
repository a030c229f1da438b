//! What Python makes of a value: its text (M2), a float, the length of its JSON.

use holodeck_tests::vector::Vector;
use holodeck_value::{Value, numeral};

/// `{value}`: `str(value)`
pub(crate) fn str(vector: &Vector) -> Result<(), String> {
    let text = vector.input("value").text().into_owned();
    vector.check(&Value::String(text))
}

/// `{text}`: `float(text)`
pub(crate) fn float(vector: &Vector) -> Result<(), String> {
    let ours = numeral::python_float(vector.text("text"));
    match (ours, &vector.expected) {
        (Some(ours), Value::Number(theirs)) if theirs.as_f64().total_cmp(&ours).is_eq() => Ok(()),
        (None, Value::Object(raises)) if raises.get("raises").is_some() => Ok(()),
        (ours, expected) => Err(format!("expected {}, got {ours:?}", expected.to_json())),
    }
}

/// `{result}`: `len(json.dumps(result))`
pub(crate) fn result_bytes(vector: &Vector) -> Result<(), String> {
    let n_bytes = vector.input("result").ascii_json_len() as u64;
    vector.check(&Value::Number(n_bytes.into()))
}
