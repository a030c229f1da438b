//! YAML text to the builder. The one module that knows the parser.

use std::ops::Range;

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError, Span};

use super::{
    MAX_DEPTH, Refusal,
    build::{Builder, Shape},
    syntax,
    tags::{Style, Tag},
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

/// The parser's complaint in the words of someone who writes agent.yaml.
fn refusal(text: &str, error: &ScanError) -> Refusal {
    let at = error.marker().byte_offset().unwrap_or(text.len());
    let here = |message: &str| Refusal::new(at..at, message);
    let refusal = match error.kind() {
        ErrorKind::RecursionLimitExceeded => {
            return here(&format!("nested more than {MAX_DEPTH} levels deep")).code("too-deep");
        }
        ErrorKind::UnknownAnchor => {
            let name = syntax::word(text, at);
            let anchor = name.trim_start_matches('*');
            return Refusal::new(at..at + name.len(), format!("`{name}` names no anchor before it"))
                .code("unknown-alias")
                .hint(format!("define `&{anchor}` before it, or quote it if it is text"));
        }
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart => {
            let at = syntax::tab_before(text, at);
            Refusal::new(at..at, "a tab is used for indentation")
                .hint("use spaces: YAML does not allow tabs there")
        }
        ErrorKind::UnexpectedEofImplicitFlowMapping if text.as_bytes().get(at) == Some(&b',') => {
            here("a value is missing before this").hint("remove the comma that is too many")
        }
        ErrorKind::MissingAnchorOrAliasName | ErrorKind::InvalidBlockScalarHeader => {
            let indicator = syntax::word(text, at).chars().next().unwrap_or(' ');
            here(&format!("a plain value can't start with `{indicator}`"))
                .hint(syntax::quote_hint(text, at))
        }
        ErrorKind::ExpectedDocumentStart => here("the file's value has ended before this")
            .hint("put a space after the `:` of a key, and all keys at the same indentation"),
        ErrorKind::UnexpectedCharacter { character } => {
            here(&format!("a plain value can't start with `{character}`"))
                .hint(syntax::quote_hint(text, at))
        }
        ErrorKind::MappingValueNotAllowed => {
            here("a `:` is not allowed here").hint(syntax::colon_hint(text, at))
        }
        ErrorKind::InvalidColonPlacement => here("a `:` is not allowed here")
            .hint("close the `[` or `{` that is still open, or quote the value if the `:` is part of it"),
        ErrorKind::UnknownQuotedScalarEscape | ErrorKind::InvalidQuotedScalarHexEscape => {
            let at = syntax::bad_escape(text, at);
            let escape = text.get(at.clone()).unwrap_or("\\");
            let message = format!("`{escape}` is no escape that YAML knows in double quotes");
            Refusal::new(at, message).hint(
                "put the string into single quotes, where a backslash is just a backslash, or double each `\\`",
            )
        }
        ErrorKind::InvalidTrailingDoubleQuotedScalar => here("text follows the closing `\"` of a string")
            .hint("write `\\\"` for a quote inside the string, or put the whole into single quotes"),
        ErrorKind::InvalidTrailingSingleQuotedScalar => here("text follows the closing `'` of a string")
            .hint("write `''` for a quote inside the string, or put the whole into double quotes"),
        ErrorKind::UnclosedQuotedScalar => here("the string that starts here is never closed")
            .hint("close it with the quote that it starts with"),
        ErrorKind::UnclosedFlowCollection { open } => {
            let close = if *open == '[' { ']' } else { '}' };
            here(&format!("the `{open}` here is never closed")).hint(format!("close it with `{close}`"))
        }
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
            let right = if *open == '[' { ']' } else { '}' };
            here(&format!("the `{open}` here is closed by `{close}`"))
                .hint(format!("close it with `{right}`"))
        }
        ErrorKind::MisplacedFlowCollectionEnd => here("nothing is open that this could close")
            .hint("remove it, or quote the value that it is part of"),
        ErrorKind::ExpectedFlowMappingSeparator => here("expected `,` or `}` here")
            .hint("quote values that contain brackets, braces or commas"),
        ErrorKind::ExpectedFlowSequenceSeparator => here("expected `,` or `]` here")
            .hint("quote values that contain brackets, braces or commas"),
        ErrorKind::SimpleKeyExpected => here("a `:` is missing after this key").hint(
            "write `key: value`; if this continues the value above, indent it further or quote the value",
        ),
        ErrorKind::ExpectedBlockMappingKey => here("expected a key here")
            .hint("indent it exactly as the keys that it belongs to"),
        ErrorKind::ExpectedBlockSequenceEntry => here("expected `- ` here, or the end of the list")
            .hint("indent it exactly as the keys or items that it belongs to"),
        ErrorKind::BlockSequenceEntryNotAllowed => here("a list can't start here")
            .hint("start the list on a line of its own, or quote the value if the `-` is part of it"),
        _ => here(&error.info()),
    };
    match syntax::unquoted_variable(text, at) {
        Some(hint) => refusal.hint(hint),
        None => refusal,
    }
}
