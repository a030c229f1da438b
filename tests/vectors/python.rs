//! What Python makes of a value: its text (M2), a float, the length of its JSON.

use holodeck_tests::vector::Vector;
use holodeck_value::{Value, numeral};

/// `{value}`: `str(value)`
pub(crate) fn str(vector: &Vector) -> Result<(), String> {
    let text = vector.input("value").text().into_owned();
    vector.check(&Value::String(text))
}

/// `{text}`: `float(text)`. Our reading of numbers (N1) is stricter and never laxer, and where both read a number it is the same one.
pub(crate) fn float(vector: &Vector) -> Result<(), String> {
    let ours = numeral::read(vector.text("text"), numeral::Accept::default());
    match (ours, &vector.expected) {
        (Ok(ours), Value::Number(theirs)) if theirs.decimal().is_some_and(|d| d == ours) => Ok(()),
        (Ok(ours), expected) => Err(format!("expected {}, got {ours}", expected.to_json())),
        (Err(_), Value::Object(raises)) if raises.get("raises").is_some() => Ok(()),
        // Infinities, NaN and underscores between digits are Python's alone.
        (Err(_), Value::Number(theirs)) if theirs.decimal().is_none() => Ok(()),
        (Err(_), _) if vector.text("text").contains('_') => Ok(()),
        (Err(problem), expected) => Err(format!("expected {}: {problem}", expected.to_json())),
    }
}

/// `{result}`: `len(json.dumps(result))`
pub(crate) fn result_bytes(vector: &Vector) -> Result<(), String> {
    let n_bytes = vector.input("result").ascii_json_len() as u64;
    vector.check(&Value::Number(n_bytes.into()))
}
