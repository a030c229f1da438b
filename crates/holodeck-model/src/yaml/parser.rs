//! YAML text to the builder. The one module that knows the parser.

use std::ops::Range;

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError, Span};

use super::{
    MAX_DEPTH, Refusal,
    build::{Builder, Shape, Style, Tag},
    syntax,
};

/// Core tags; any other is refused.
const CORE: &str = "tag:yaml.org,2002:";

pub(super) fn run(text: &str, builder: &mut Builder<'_, '_, '_>) -> Result<(), Refusal> {
    let options = granit_parser::options! {
        bom_inside_document_as_content: true,
        block_scalar_eof_without_line_feed: true,
        emit_comments: false,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut parser = Parser::new_from_str_with_options(text, options);
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| refusal(text, &error))?;
        let at = range(&span);
        match event {
            Event::DocumentStart(..) => builder.document(at)?,
            Event::Scalar(value, style, anchor, tag) => {
                let tag = core_tag(text, &span, tag.as_deref())?;
                let plain = matches!(style, ScalarStyle::Plain);
                // An absent value comes as an empty `~`.
                let value = if plain && at.is_empty() { "" } else { &*value };
                let style = if plain { Style::Plain } else { Style::Quoted };
                builder.scalar(at, value, style, tag, anchor)?;
            }
            Event::SequenceStart(_, anchor, tag) => {
                let tag = core_tag(text, &span, tag.as_deref())?;
                builder.open(at, Shape::List, tag, anchor)?;
            }
            Event::MappingStart(_, anchor, tag) => {
                let tag = core_tag(text, &span, tag.as_deref())?;
                builder.open(at, Shape::Mapping, tag, anchor)?;
            }
            Event::SequenceEnd | Event::MappingEnd => builder.close(at.end),
            Event::Alias(anchor) => builder.alias(at, anchor)?,
            _ => {}
        }
    }
    Ok(())
}

fn range(span: &Span) -> Range<usize> {
    span.byte_range().unwrap_or_default()
}

fn core_tag(text: &str, span: &Span, tag: Option<&granit_parser::Tag>) -> Result<Tag, Refusal> {
    let Some(tag) = tag else {
        return Ok(Tag::None);
    };
    let full = format!("{}{}", tag.handle(), tag.suffix());
    match full.strip_prefix(CORE).unwrap_or(&full) {
        "!" => Ok(Tag::NonSpecific),
        "str" => Ok(Tag::Str),
        "int" => Ok(Tag::Int),
        "float" => Ok(Tag::Float),
        "bool" => Ok(Tag::Bool),
        "null" => Ok(Tag::Null),
        "seq" => Ok(Tag::Seq),
        "map" => Ok(Tag::Map),
        "merge" => Ok(Tag::Merge),
        _ => {
            let at = span
                .tag_span()
                .map_or_else(|| range(span), |tag| range(&tag));
            let written = text.get(at.clone()).unwrap_or(&full).to_owned();
            Err(Refusal::new(at, format!("the tag `{written}` is not supported"))
                .code("bad-tag")
                .hint("remove the tag; only `!!str`, `!!int`, `!!float`, `!!bool`, `!!null`, `!!seq` and `!!map` work here"))
        }
    }
}

fn refusal(text: &str, error: &ScanError) -> Refusal {
    let at = error.marker().byte_offset().unwrap_or(text.len());
    let (message, hint) = match error.kind() {
        ErrorKind::RecursionLimitExceeded => {
            return Refusal::new(at..at, format!("nested more than {MAX_DEPTH} levels deep")).code("too-deep");
        }
        ErrorKind::UnknownAnchor => {
            let name = syntax::word(text, at);
            return Refusal::new(at..at + name.len(), format!("`{name}` names no anchor before it"))
                .code("unknown-alias")
                .hint(format!("define `&{}` before it, or quote it if it is text", name.trim_start_matches('*')));
        }
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart => (
            "a tab is used for indentation".to_owned(),
            Some("use spaces: YAML does not allow tabs there".to_owned()),
        ),
        ErrorKind::UnexpectedCharacter { character } => (
            format!("a plain value can't start with `{character}`"),
            Some(syntax::quote_hint(text, at)),
        ),
        ErrorKind::MappingValueNotAllowed => (
            "a `:` is not allowed here".to_owned(),
            Some(
                "quote a value that contains `: `; otherwise check the indentation, and that the line before is complete"
                    .to_owned(),
            ),
        ),
        ErrorKind::UnknownQuotedScalarEscape | ErrorKind::InvalidQuotedScalarHexEscape => (
            "a double-quoted string has a backslash escape that YAML does not know".to_owned(),
            Some("write the string in single quotes, where a backslash is just a backslash, or double each `\\`".to_owned()),
        ),
        ErrorKind::InvalidTrailingDoubleQuotedScalar => (
            "text follows the closing `\"` of a string".to_owned(),
            Some("write `\\\"` for a quote inside the string, or put the whole into single quotes".to_owned()),
        ),
        ErrorKind::InvalidTrailingSingleQuotedScalar => (
            "text follows the closing `'` of a string".to_owned(),
            Some("write `''` for a quote inside the string, or put the whole into double quotes".to_owned()),
        ),
        ErrorKind::UnclosedQuotedScalar => ("the string that starts here is never closed".to_owned(), None),
        ErrorKind::UnclosedFlowCollection { open } => (format!("the `{open}` here is never closed"), None),
        ErrorKind::SimpleKeyExpected => (
            "a `:` is missing after this key".to_owned(),
            Some("write `key: value`; if it continues the value above, indent it further or quote the value".to_owned()),
        ),
        ErrorKind::ExpectedBlockMappingKey => (
            "expected a key here".to_owned(),
            Some("check that the indentation is the same as that of the keys above".to_owned()),
        ),
        _ => (error.info(), None),
    };
    let mut refusal = Refusal::new(at..at, message);
    refusal.hint = syntax::unquoted_variable(text, at).or(hint);
    refusal
}
