//! Free-form values: literal arguments, `turn_config` and the like, where no field type decides a reading (rules L7, L8).

use holodeck_value::{Object, Value};

use super::{
    Cx, Node, NodeKind,
    resolve::{Plain, Reading},
    scalars,
};

impl Cx<'_> {
    /// The value at a node; `None` where something in it was reported.
    ///
    /// Scalars must read the same to every YAML reader; dates, infinities and NaN, which no JSON value equals, and keys that are not strings are errors.
    pub fn value(&mut self, node: Node<'_>) -> Option<Value> {
        match node.kind() {
            NodeKind::Null => Some(Value::Null),
            NodeKind::Scalar => self.scalar_value(node),
            NodeKind::List => {
                let items = self.list(node)?;
                let mut values = Vec::with_capacity(items.len());
                let mut fine = true;
                for (i, item) in items.into_iter().enumerate() {
                    match self.at(i, |cx| cx.value(item)) {
                        Some(value) => values.push(value),
                        None => fine = false,
                    }
                }
                fine.then_some(Value::Array(values))
            }
            NodeKind::Mapping => {
                let errors = self.errors();
                let mapping = self.mapping(node)?;
                // A key that is no string is reported and left out: then the mapping is not the author's.
                let mut fine = self.errors() == errors;
                let mut object = Object::new();
                for (key, _, value) in mapping.entries() {
                    match self.at(key, |cx| cx.value(value)) {
                        Some(value) => object.insert(key, value),
                        None => fine = false,
                    }
                }
                fine.then_some(Value::Object(object))
            }
        }
    }

    fn scalar_value(&mut self, node: Node<'_>) -> Option<Value> {
        if node.is_unset() {
            return None;
        }
        let text = node.text()?;
        match node.plain() {
            Plain::Same(Reading::String) => Some(Value::String(text.to_owned())),
            Plain::Same(Reading::Null) if text.is_empty() => Some(Value::String(String::new())),
            Plain::Same(Reading::Null) => Some(Value::Null),
            Plain::Same(Reading::Bool(b)) => Some(Value::Bool(b)),
            Plain::Same(Reading::Integer(digits)) => self.exact(node, &digits).map(Value::Number),
            Plain::Same(Reading::Float(numeral)) => {
                self.exact(node, numeral.as_str()).map(Value::Number)
            }
            Plain::Same(Reading::Unreadable) => {
                let message = format!("{} is a number that can't be read", node.shown());
                self.error(node, "never-equal", message).hint =
                    Some("quote it".to_owned()).filter(|_| !node.from_variable());
                None
            }
            Plain::Same(reading) => {
                let what = match node.variables() {
                    [] => reading.describe(),
                    _ => node.shown().into(),
                };
                let message = format!("{what} is no JSON value, so nothing can ever equal it");
                self.error(node, "never-equal", message).hint =
                    scalars::plainly(&reading, &reading, Some(text))
                        .filter(|_| !node.from_variable());
                None
            }
            Plain::Differs(old, new) => {
                let (message, hint) = if node.from_variable() {
                    let message = format!(
                        "{} reads differently to YAML 1.1 and YAML 1.2 readers",
                        node.shown()
                    );
                    (
                        message,
                        Some("quote the variable to make it a string".to_owned()),
                    )
                } else {
                    (
                        scalars::differs("plain", text, &old, &new),
                        scalars::plainly(&old, &new, Some(text)),
                    )
                };
                self.error(node, "ambiguous-scalar", message).hint = hint;
                None
            }
        }
    }
}
