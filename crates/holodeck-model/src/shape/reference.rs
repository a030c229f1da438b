//! The reference page of agent.yaml, config.yaml and the scripted file, in Markdown.

use std::fmt::Write as _;

use super::{AGENT, Field, ObjectShape, PROJECT, Presence, SCRIPTED, Shape, Status, Tagged};

const INTRODUCTION: &str = "\
# Configuration

Every key of `agent.yaml`, `config.yaml` and the scripted file: what it takes, what it is when left out, what becomes of it.
Keys that are not listed are errors. `null` counts as left out.

What becomes of a field:

| word | meaning |
|---|---|
| honoured | it does what it says |
| live | checked; used with live agents and judging models |
| checked | checked and kept; what becomes of it is said where its block is listed |
| warned | checked, not acted on: a warning says so |
| refused | checked; `holodeck test` refuses a run that needs it |
";

/// `docs/reference/config.md`.
pub fn page() -> String {
    let mut page = Page {
        out: INTRODUCTION.to_owned(),
        seen: Vec::new(),
        waiting: Vec::new(),
    };
    for (title, root) in [
        ("agent.yaml", &AGENT),
        ("config.yaml", &PROJECT),
        ("The scripted file", &SCRIPTED),
    ] {
        let _ = write!(page.out, "\n## {title}\n");
        page.waiting.push(root);
        while let Some(shape) = page.waiting.pop() {
            if !page.seen.contains(&shape.name) {
                page.object(shape);
            }
        }
    }
    page.out
}

struct Page {
    out: String,
    seen: Vec<&'static str>,
    /// Objects that were referred to; the next one last.
    waiting: Vec<&'static ObjectShape>,
}

impl Page {
    fn object(&mut self, shape: &'static ObjectShape) {
        self.seen.push(shape.name);
        let more = if shape.open {
            " Other keys are taken as they are."
        } else {
            ""
        };
        let _ = write!(self.out, "\n### {}\n\n{}{more}\n\n", shape.name, shape.doc);
        self.out
            .push_str("| key | value | left out | becomes | meaning |\n|---|---|---|---|---|\n");
        for field in shape.fields {
            let _ = writeln!(
                self.out,
                "| `{}` | {} | {} | {} | {} |",
                field.key,
                escaped(&value(&field.shape)),
                escaped(&left_out(field)),
                escaped(&becomes(field.status)),
                escaped(field.doc),
            );
        }
        let mut found = Vec::new();
        for field in shape.fields {
            objects(&field.shape, &mut found);
        }
        self.waiting.extend(found.into_iter().rev());
    }
}

fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', "\\n")
}

fn left_out(field: &Field) -> String {
    match field.presence {
        Presence::Required => "**required**".to_owned(),
        Presence::RequiredIf(when) => format!("**required** {when}"),
        Presence::Optional => "-".to_owned(),
        Presence::Default(json) => format!("`{json}`"),
    }
}

fn becomes(status: Status) -> String {
    match status {
        Status::Honoured => "honoured".to_owned(),
        Status::Live => "live".to_owned(),
        Status::Checked => "checked".to_owned(),
        Status::Warned(why) => format!("warned: {why}"),
        Status::Refused(why) => format!("refused: {why}"),
    }
}

/// A shape in words; objects as links.
fn value(shape: &Shape) -> String {
    match shape {
        Shape::Text => "text".to_owned(),
        Shape::String | Shape::EnvValue | Shape::Argument => "string".to_owned(),
        Shape::Secret => "string, masked".to_owned(),
        Shape::Bool => "`true`, `false`".to_owned(),
        Shape::Int { min, max } => ranged(
            "integer",
            min.map(|n| n.to_string()),
            None,
            max.map(|n| n.to_string()),
        ),
        Shape::Count => "integer >= 1".to_owned(),
        Shape::Float { min, above, max } => {
            let text = |bound: Option<&str>| bound.map(str::to_owned);
            ranged("number", text(*min), text(*above), text(*max))
        }
        Shape::Enum(values) => values
            .iter()
            .map(|v| format!("`{v}`"))
            .collect::<Vec<_>>()
            .join(", "),
        Shape::List { of, min, max } => {
            let n = match (*min, *max) {
                (0, usize::MAX) => String::new(),
                (min, usize::MAX) => format!(" (at least {min})"),
                (_, max) => format!(" (at most {max})"),
            };
            format!("list of {}{n}", value(of))
        }
        Shape::Cases => "list of [TestCase](#testcase)".to_owned(),
        Shape::Map(of) => format!("mapping of {}", value(of)),
        Shape::Object(shape) => link(shape),
        Shape::Tagged(tagged) => tagged
            .variants
            .iter()
            .map(|v| link(v.shape))
            .collect::<Vec<_>>()
            .join(" or "),
        Shape::Either(shapes) => shapes.iter().map(value).collect::<Vec<_>>().join(" or "),
        Shape::Free => "anything".to_owned(),
        Shape::FreeMap | Shape::Settings => "mapping".to_owned(),
        Shape::ToolName => "letters, digits and `_`".to_owned(),
        Shape::Regex => "Python regex".to_owned(),
        Shape::ResponsePath => "keys joined by `.`, `[n]` after a key".to_owned(),
        Shape::Grader => "`module:function`".to_owned(),
        Shape::File => "path of a file".to_owned(),
        Shape::Source => "path of a file or folder, or an address".to_owned(),
        Shape::Args => "mapping of matchers".to_owned(),
    }
}

fn ranged(what: &str, min: Option<String>, above: Option<String>, max: Option<String>) -> String {
    match (min, above, max) {
        (Some(min), _, Some(max)) => format!("{what} from {min} to {max}"),
        (Some(min), _, None) => format!("{what} >= {min}"),
        (None, Some(above), _) => format!("{what} > {above}"),
        (None, None, Some(max)) => format!("{what} <= {max}"),
        (None, None, None) => what.to_owned(),
    }
}

fn link(shape: &ObjectShape) -> String {
    format!("[{}](#{})", shape.name, shape.name.to_lowercase())
}

/// The objects that a shape refers to, in order.
fn objects(shape: &'static Shape, out: &mut Vec<&'static ObjectShape>) {
    match shape {
        Shape::List { of, .. } | Shape::Map(of) => objects(of, out),
        Shape::Cases => out.push(&super::CASE),
        Shape::Object(shape) => out.push(shape),
        Shape::Tagged(Tagged { variants, .. }) => out.extend(variants.iter().map(|v| v.shape)),
        Shape::Either(shapes) => shapes.iter().for_each(|shape| objects(shape, out)),
        _ => {}
    }
}
