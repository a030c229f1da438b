//! `Value` through serde: exact with `serde_json`, whose raw text it passes on.
//!
//! Other serializers get numbers that fit machine integers as such. Reading back takes `serde_json` itself: a value below an
//! untagged, internally tagged or flattened type is refused, because serde's buffer there would round its numbers.

use serde::ser::{Error as _, SerializeMap, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::{Number, Object, Value};

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(b) => serializer.serialize_bool(*b),
            Self::Number(number) => serialize_number(number, serializer),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(item)?;
                }
                list.end()
            }
            Self::Object(object) => object.serialize(serializer),
        }
    }
}

fn serialize_number<S: Serializer>(number: &Number, serializer: S) -> Result<S::Ok, S::Error> {
    let lexeme = number.lexeme();
    if !number.is_finite() {
        return serializer.serialize_str(lexeme);
    }
    if number.is_integer() && lexeme != "-0" {
        if let Some(n) = number.as_u64() {
            return serializer.serialize_u64(n);
        }
        if let Ok(n) = lexeme.parse::<i64>() {
            return serializer.serialize_i64(n);
        }
    }
    RawValue::from_string(lexeme.to_owned())
        .map_err(S::Error::custom)?
        .serialize(serializer)
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Self::from_json(raw.get()).map_err(serde::de::Error::custom)
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.len()))?;
        for (key, value) in self.iter() {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Object(object) => Ok(object),
            other => Err(serde::de::Error::custom(format!(
                "expected a mapping, got {}",
                other.type_name()
            ))),
        }
    }
}

#[cfg(test)]
mod tests;
