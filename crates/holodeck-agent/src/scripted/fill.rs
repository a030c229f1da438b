//! `{{input}}`, `{{turn}}` and `{{case}}` in the turns of `default`.

use holodeck_value::Value;

/// What the placeholders stand for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fill<'a> {
    /// The turn's input.
    pub(super) input: &'a str,
    /// The turn's position in its case, from 0.
    pub(super) turn: usize,
    /// The case's name, else `test_cases[i]`.
    pub(super) case: &'a str,
}

/// Fills in the placeholders in one pass: what was filled in is not looked at again, and other braces stay.
pub(super) fn fill(text: String, values: Fill<'_>) -> String {
    if !text.contains("{{") {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find("{{") {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix("{{input}}") {
            out.push_str(values.input);
            rest = after;
        } else if let Some(after) = rest.strip_prefix("{{turn}}") {
            out.push_str(&values.turn.to_string());
            rest = after;
        } else if let Some(after) = rest.strip_prefix("{{case}}") {
            out.push_str(values.case);
            rest = after;
        } else {
            // One brace only: `{{{input}}` has the placeholder from its second on.
            out.push('{');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    out
}

/// The same in every string of a value; keys stay.
pub(super) fn fill_value(value: Value, values: Fill<'_>) -> Value {
    match value {
        Value::String(text) => Value::String(fill(text, values)),
        Value::Array(items) => {
            Value::Array(items.into_iter().map(|v| fill_value(v, values)).collect())
        }
        Value::Object(object) => Value::Object(
            object
                .iter()
                .map(|(key, v)| (key.to_owned(), fill_value(v.clone(), values)))
                .collect(),
        ),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled_in_one_pass() {
        let values = Fill {
            input: "{{case}}",
            turn: 2,
            case: "c",
        };
        let text = "{{input}} {{turn}} {{{case}}} {{other}} {{".to_owned();
        assert_eq!(fill(text, values), "{{case}} 2 {c} {{other}} {{");
    }
}
