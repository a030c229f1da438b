//! Reading what services write, where they write it in more than one way: numbers as floats, nulls for nothing, streams unasked.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// A count: an integer, also written as a float; anything else counts as none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count(pub(crate) Option<u64>);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        let whole = || {
            let number: f64 = raw.parse().ok()?;
            let fits = number.fract() == 0.0 && (0.0..1e15).contains(&number);
            // It is whole and in range.
            fits.then(|| format!("{number:.0}").parse().ok())?
        };
        Ok(Self(raw.parse().ok().or_else(whole)))
    }
}

/// A text: a string, or a list of parts with a `text` each; anything else counts as none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Text(pub(crate) Option<String>);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Part<'a> {
            #[serde(borrow, default)]
            text: Option<&'a RawValue>,
        }
        let string = |raw: &str| serde_json::from_str::<String>(raw).ok();
        let part = |raw: &&RawValue| match serde_json::from_str::<Part<'_>>(raw.get()) {
            Ok(part) => string(part.text?.get()),
            Err(_) => string(raw.get()),
        };
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        let text = if raw.starts_with('[') {
            let parts: Vec<&RawValue> =
                serde_json::from_str(raw).map_err(serde::de::Error::custom)?;
            Some(parts.iter().filter_map(part).collect())
        } else if raw.starts_with('"') {
            Some(serde_json::from_str(raw).map_err(serde::de::Error::custom)?)
        } else {
            None
        };
        Ok(Self(text))
    }
}

/// Arguments that stand as a JSON string, or as an object in place; the text of either, as the model wrote it.
pub(crate) fn arguments(raw: &RawValue) -> Result<Cow<'_, str>, serde_json::Error> {
    match raw.get() {
        text if text.starts_with('"') => serde_json::from_str(text).map(Cow::Owned),
        "null" => Ok(Cow::Borrowed("")),
        json => Ok(Cow::Borrowed(json)),
    }
}

/// The data of each event, if a body is a stream of server-sent events.
pub(crate) fn events(body: &str) -> Option<Vec<String>> {
    let start = body.trim_start_matches('\u{feff}').trim_start();
    let is_stream = ["data:", "event:", "id:", "retry:", ":"]
        .iter()
        .any(|field| start.starts_with(field));
    if !is_stream {
        return None;
    }
    let mut events = Vec::new();
    let mut open: Option<String> = None;
    // A last event without its blank line counts too.
    for line in start
        .split('\n')
        .map(|l| l.strip_suffix('\r').unwrap_or(l))
        .chain([""])
    {
        if line.is_empty() {
            events.extend(open.take());
        } else if let Some(data) = line.strip_prefix("data:") {
            let data = data.strip_prefix(' ').unwrap_or(data);
            match &mut open {
                Some(open) => {
                    open.push('\n');
                    open.push_str(data);
                }
                None => open = Some(data.to_owned()),
            }
        }
    }
    Some(events)
}

/// A JSON string.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a string is always JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_in_every_spelling() {
        let counts: Vec<Count> =
            serde_json::from_str(r#"[3, 3.0, null, "3", -1, 1.5, 1e2]"#).unwrap();
        let counts: Vec<_> = counts.into_iter().map(|c| c.0).collect();
        assert_eq!(
            counts,
            [Some(3), Some(3), None, None, None, None, Some(100)]
        );
    }

    #[test]
    fn texts_are_read_in_every_spelling() {
        let texts = r#"["a", null, [{"type": "text", "text": "b"}, "c", {"text": {"x": 1}}, {"thinking": []}], {"x": 1}, 5]"#;
        let texts: Vec<Text> = serde_json::from_str(texts).unwrap();
        let texts: Vec<_> = texts.iter().map(|t| t.0.as_deref()).collect();
        assert_eq!(texts, [Some("a"), None, Some("bc"), None, None]);
    }

    #[test]
    fn a_stream_is_told_from_json_and_read_to_its_end() {
        assert_eq!(events(r#"{"data": 1}"#), None);
        let body = ": hi\r\n\r\nevent: x\r\ndata: {\"a\":\r\ndata:1}\r\n\r\ndata: [DONE]";
        assert_eq!(events(body).unwrap(), ["{\"a\":\n1}", "[DONE]"]);
    }
}
