//! JSON text to the builder, numerals exact.

use holodeck_value::json::{Event, Reader};

use super::{
    Refusal,
    build::{Builder, Shape},
    tags::{Style, Tag},
};

pub(super) fn run(text: &str, builder: &mut Builder<'_, '_, '_>) -> Result<(), Refusal> {
    if text.trim().is_empty() {
        return Ok(());
    }
    let mut reader = Reader::new(text);
    loop {
        let next = reader.next_event().map_err(|error| {
            let at = error.offset.min(text.len());
            Refusal::new(at..at, error.message).code("json-syntax")
        })?;
        let Some((event, at)) = next else {
            return Ok(());
        };
        match event {
            Event::ObjectStart => builder.open(at, Shape::Mapping, Tag::None, 0)?,
            Event::ArrayStart => builder.open(at, Shape::List, Tag::None, 0)?,
            Event::ObjectEnd | Event::ArrayEnd => builder.close(at.end),
            Event::Key(text) | Event::String(text) => {
                builder.scalar(at, &text, Style::Quoted, Tag::None, 0)?;
            }
            Event::Number(numeral) => {
                builder.scalar(at, numeral, Style::JsonNumber, Tag::None, 0)?;
            }
            Event::Bool(true) => builder.scalar(at, "true", Style::Plain, Tag::None, 0)?,
            Event::Bool(false) => builder.scalar(at, "false", Style::Plain, Tag::None, 0)?,
            Event::Null => builder.scalar(at, "null", Style::Plain, Tag::None, 0)?,
        }
    }
}
