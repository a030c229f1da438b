//! A document held against its shape: every mistake is reported, what fits is returned.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use holodeck_value::{Decimal, Number};

use super::{
    Checked, Field, ObjectShape, Presence, Record, Shape, Status, Tagged, Variant, leaf, rules,
};
use crate::files::Files;
use crate::graders::Graders;
use crate::yaml::{Cx, Mapping, Node, NodeKind};

/// What fields of one object ask of each other.
pub type Rule = fn(&mut Cx<'_>, &World<'_>, &Mapping<'_>, &Record<'_>);

/// What a check may ask of the world around the document, and what it hands back beside its result.
#[derive(Debug)]
pub struct World<'w> {
    /// Where files are looked for.
    pub files: &'w dyn Files,
    /// The folder that their paths start from: agent.yaml's.
    pub folder: &'w Path,
    /// Keys that config.yaml gives a model, by provider: they need not be in agent.yaml.
    pub providers: &'w BTreeMap<String, BTreeSet<String>>,
    /// The agent is replaced from outside and brings its own instructions.
    pub agent_replaced: bool,
    /// Values of secret fields (rule L10a).
    pub secrets: RefCell<BTreeSet<String>>,
    /// The graders that were named.
    pub(crate) graders: RefCell<Graders>,
}

impl<'w> World<'w> {
    /// A world of these files.
    pub fn new(
        files: &'w dyn Files,
        folder: &'w Path,
        providers: &'w BTreeMap<String, BTreeSet<String>>,
    ) -> Self {
        Self {
            files,
            folder,
            providers,
            agent_replaced: false,
            secrets: RefCell::default(),
            graders: RefCell::default(),
        }
    }

    pub(crate) fn keep_secret(&self, value: &str) {
        if !self.secrets.borrow().contains(value) {
            self.secrets.borrow_mut().insert(value.to_owned());
        }
    }
}

/// Checks a mapping with known keys.
pub fn check_object<'d>(
    shape: &'static ObjectShape,
    node: Node<'d>,
    cx: &mut Cx<'_>,
    world: &World<'_>,
) -> Option<Record<'d>> {
    if node.kind() == NodeKind::Scalar {
        cx.wrong_type(node, "a mapping").hint = rules::written_out(shape).map(str::to_owned);
        return None;
    }
    let mapping = cx.mapping(node)?;
    let mut record = Record {
        shape,
        node,
        fields: shape.fields.iter().map(|_| None).collect(),
        extra: Vec::new(),
    };
    let mut meant = Vec::new();
    for (key, key_node, value) in mapping.entries() {
        match shape.fields.iter().position(|f| f.key == key) {
            Some(i) => {
                let field = &shape.fields[i];
                record.fields[i] = cx.at(field.key, |cx| {
                    check_field(field, key_node, value, cx, world)
                });
            }
            None if shape.open => {
                let value = cx.at(key, |cx| leaf::open(key, value, cx, world));
                record.extra.extend(value.map(|value| (key, value)));
            }
            None => meant.extend(unknown(shape, key, key_node, cx)),
        }
    }
    for field in shape.fields {
        let absent = mapping.get(field.key).is_none_or(Node::is_null);
        // A slip in the key has been reported as one.
        if absent && field.presence == Presence::Required && !meant.contains(&field.key) {
            missing(field.key, node, cx);
        }
    }
    if let Some(rule) = shape.rule {
        rule(cx, world, &mapping, &record);
    }
    Some(record)
}

fn check_field<'d>(
    field: &'static Field,
    key: Node<'d>,
    value: Node<'d>,
    cx: &mut Cx<'_>,
    world: &World<'_>,
) -> Option<Checked<'d>> {
    if value.is_null() && !field.no_null {
        return None;
    }
    if let Status::Warned(why) = field.status {
        cx.warning(
            key,
            "not-acted-on",
            format!("`{}` has no effect here: {why}", field.key),
        );
    }
    check(&field.shape, value, cx, world)
}

/// Reports an unknown key; the known one that is likely meant.
fn unknown(
    shape: &'static ObjectShape,
    key: &str,
    node: Node<'_>,
    cx: &mut Cx<'_>,
) -> Option<&'static str> {
    // Past this nobody reads hints, which take their time.
    let known: Vec<&'static str> = if cx.errors() < 1000 {
        shape.keys().collect()
    } else {
        Vec::new()
    };
    let error = cx.unknown_key(key, node, &known);
    if let Some(hint) = rules::misplaced(shape, key) {
        error.hint = Some(hint.to_owned());
    }
    let hint = error.hint.as_deref()?.strip_prefix("did you mean `")?;
    known
        .into_iter()
        .find(|known| hint.starts_with(&format!("{known}`")))
}

/// Reports a key that must be there.
pub(crate) fn missing(key: &'static str, node: Node<'_>, cx: &mut Cx<'_>) {
    cx.at(key, |cx| {
        cx.error(node, "missing-key", format!("`{key}` is missing"));
    });
}

/// Longer words are nobody's slip, and costly to compare.
pub(crate) const MAX_WORD: usize = 64;

/// "did you mean" for a word that is none of the known ones.
pub(crate) fn near(word: &str, known: impl Iterator<Item = &'static str>) -> Option<String> {
    if word.len() > MAX_WORD {
        return None;
    }
    let lower = word.to_lowercase();
    let distance = |known: &str| strsim::damerau_levenshtein(&lower, known);
    let (best, n) = known.map(|k| (k, distance(k))).min_by_key(|(_, n)| *n)?;
    let allowed = (best.chars().count() / 3).clamp(1, 3);
    (n <= allowed).then(|| format!("did you mean `{best}`?"))
}

/// Checks a value.
pub fn check<'d>(
    shape: &'static Shape,
    node: Node<'d>,
    cx: &mut Cx<'_>,
    world: &World<'_>,
) -> Option<Checked<'d>> {
    match shape {
        Shape::Text => cx.text(node).map(Checked::Text),
        Shape::String => cx.string(node).map(Checked::Text),
        Shape::Secret | Shape::EnvValue | Shape::Argument => leaf::secret(shape, node, cx, world),
        Shape::Bool => cx.boolean(node).map(Checked::Bool),
        Shape::Int { min, max } => {
            let number = cx.integer(node)?;
            let (min, max) = (min.map(|n| n.to_string()), max.map(|n| n.to_string()));
            in_bounds(number, (min.as_deref(), None, max.as_deref()), node, cx)
        }
        Shape::Count => leaf::count(node, cx),
        Shape::Float { min, above, max } => {
            let number = cx.number(node)?;
            in_bounds(number, (*min, *above, *max), node, cx)
        }
        Shape::Enum(values) => one_of(values, node, cx),
        Shape::List { of, min, max } => list(of, *min, *max, node, cx, world),
        Shape::Cases => cx.list(node).map(Checked::Cases),
        Shape::Map(of) => map(of, node, cx, world),
        Shape::Object(shape) => check_object(shape, node, cx, world).map(Checked::Record),
        Shape::Tagged(tagged) => check_tagged(tagged, node, cx, world).map(Checked::Record),
        Shape::Either(shapes) => either(shapes, node, cx, world),
        Shape::FreeMap | Shape::Settings if node.kind() != NodeKind::Mapping => {
            cx.wrong_type(node, "a mapping");
            None
        }
        Shape::Free | Shape::FreeMap => cx.value(node).map(Checked::Free),
        Shape::Settings => leaf::settings(node, cx, world),
        Shape::ToolName => leaf::tool_name(node, cx),
        Shape::Regex => leaf::regex(node, cx).map(Checked::Regex),
        Shape::ResponsePath => leaf::response_path(node, cx),
        Shape::Grader => leaf::grader(node, cx),
        Shape::File => leaf::file(node, cx, world),
        Shape::Source => leaf::source(node, cx, world),
        Shape::Args => leaf::args(node, cx),
    }
}

type Bounds<'b> = (Option<&'b str>, Option<&'b str>, Option<&'b str>);

fn in_bounds<'d>(
    number: Number,
    bounds: Bounds<'_>,
    node: Node<'d>,
    cx: &mut Cx<'_>,
) -> Option<Checked<'d>> {
    let value = number.decimal();
    let (min, above, max) = bounds;
    let holds = |bound: Option<&str>, ok: fn(&Decimal, &Decimal) -> bool| {
        let bound = bound.and_then(Decimal::parse);
        bound.is_none_or(|bound| value.as_ref().is_some_and(|value| ok(value, &bound)))
    };
    if value.is_some()
        && holds(min, |v, b| v >= b)
        && holds(above, |v, b| v > b)
        && holds(max, |v, b| v <= b)
    {
        return Some(Checked::Number(number));
    }
    let wanted = match bounds {
        (Some(min), _, Some(max)) => format!("between {min} and {max}"),
        (Some(min), _, None) => format!("at least {min}"),
        (None, Some(above), _) => format!("more than {above}"),
        (None, None, Some(max)) => format!("at most {max}"),
        (None, None, None) => "a finite number".to_owned(),
    };
    let given = leaf::cut(number.lexeme());
    cx.error(
        node,
        "out-of-range",
        format!("must be {wanted}, not {given}"),
    );
    None
}

fn one_of<'d>(
    values: &'static [&'static str],
    node: Node<'d>,
    cx: &mut Cx<'_>,
) -> Option<Checked<'d>> {
    let text = cx.string(node)?;
    if values.contains(&text) {
        return Some(Checked::Text(text));
    }
    let hint = near(text, values.iter().copied());
    let message = match values {
        [only] => format!("must be `{only}`, not `{}`", leaf::cut(text)),
        _ => format!(
            "must be one of {}; `{}` is none of them",
            or_list(values),
            leaf::cut(text)
        ),
    };
    cx.error(node, "unknown-value", message).hint = hint;
    None
}

/// `a`, `b` or `c`, in back-ticks.
pub(crate) fn or_list(values: &[&str]) -> String {
    let quoted: Vec<String> = values.iter().map(|v| format!("`{v}`")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

fn list<'d>(
    of: &'static Shape,
    min: usize,
    max: usize,
    node: Node<'d>,
    cx: &mut Cx<'_>,
    world: &World<'_>,
) -> Option<Checked<'d>> {
    let items = cx.list(node)?;
    if items.len() < min {
        cx.error(
            node,
            "too-few",
            format!("must have at least {min} {}", plural(min)),
        );
    }
    if items.len() > max {
        let n = items.len();
        cx.error(
            node,
            "too-many",
            format!("must have at most {max} {}, not {n}", plural(max)),
        );
    }
    // A word that may not be in a list of words is a mistake of the list.
    let words = matches!(of, Shape::Enum(_));
    let items = items.into_iter().enumerate();
    let items = items.filter_map(|(i, item)| {
        if words {
            check(of, item, cx, world)
        } else {
            cx.at(i, |cx| check(of, item, cx, world))
        }
    });
    Some(Checked::List(items.collect()))
}

fn plural(n: usize) -> &'static str {
    if n == 1 { "entry" } else { "entries" }
}

fn map<'d>(
    of: &'static Shape,
    node: Node<'d>,
    cx: &mut Cx<'_>,
    world: &World<'_>,
) -> Option<Checked<'d>> {
    let mapping = cx.mapping(node)?;
    let mut out = Vec::new();
    for (key, _, value) in mapping.entries() {
        let value = cx.at(key, |cx| match of {
            Shape::EnvValue => leaf::env_value(key, value, cx, world),
            _ => check(of, value, cx, world),
        });
        out.extend(value.map(|value| (key, value)));
    }
    Some(Checked::Map(out))
}

fn either<'d>(
    shapes: &'static [Shape],
    node: Node<'d>,
    cx: &mut Cx<'_>,
    world: &World<'_>,
) -> Option<Checked<'d>> {
    let fits = |shape: &&Shape| match shape {
        Shape::List { .. } => node.kind() == NodeKind::List,
        Shape::Map(_) | Shape::Object(_) | Shape::FreeMap | Shape::Settings => {
            node.kind() == NodeKind::Mapping
        }
        _ => matches!(node.kind(), NodeKind::Scalar),
    };
    if let Some(shape) = shapes.iter().find(fits) {
        return check(shape, node, cx, world);
    }
    let words: Vec<&str> = shapes.iter().map(word).collect();
    cx.wrong_type(node, &words.join(" or "));
    None
}

/// A shape's kind in words.
fn word(shape: &Shape) -> &'static str {
    match shape {
        Shape::List { .. } => "a list",
        Shape::Map(_) | Shape::Object(_) | Shape::FreeMap | Shape::Settings => "a mapping",
        _ => "a string",
    }
}

/// A mapping looked at without reporting its mistakes: they are reported where it is checked.
pub(crate) fn peek(node: Node<'_>) -> Option<Mapping<'_>> {
    Cx::new(&mut Vec::new()).mapping(node)
}

/// Checks a mapping whose kind a key tells.
pub fn check_tagged<'d>(
    tagged: &'static Tagged,
    node: Node<'d>,
    cx: &mut Cx<'_>,
    world: &World<'_>,
) -> Option<Record<'d>> {
    let variant = variant(tagged, node, cx)?;
    check_object(variant.shape, node, cx, world)
}

/// Which kind it is; reports where that can't be told. Mistakes inside the mapping are left to the check of the kind.
fn variant(tagged: &'static Tagged, node: Node<'_>, cx: &mut Cx<'_>) -> Option<&'static Variant> {
    let Some(mapping) = peek(node) else {
        cx.mapping(node);
        return None;
    };
    if let Some(tag) = mapping.get(tagged.tag).filter(|tag| !tag.is_null()) {
        return cx.at(tagged.tag, |cx| by_tag(tagged, tag, cx));
    }
    let decided = |v: &&Variant| v.decided_by.is_some_and(|key| mapping.get(key).is_some());
    let mut found = tagged.variants.iter().filter(decided);
    if let (Some(only), None) = (found.next(), found.next()) {
        return Some(only);
    }
    cx.at(tagged.tag, |cx| {
        let message = format!("`{}` is missing", tagged.tag);
        cx.error(node, "missing-key", message).hint =
            Some(format!("write one of {}", tagged.tags()));
    });
    None
}

fn by_tag(tagged: &'static Tagged, tag: Node<'_>, cx: &mut Cx<'_>) -> Option<&'static Variant> {
    let text = cx.string(tag)?;
    let found = tagged.variants.iter().find(|v| v.tag == text);
    if found.is_none() {
        let given = leaf::cut(text);
        let message = format!(
            "must be one of {}; `{given}` is none of them",
            tagged.tags()
        );
        let hint =
            (tagged.hint)(text).or_else(|| near(text, tagged.variants.iter().map(|v| v.tag)));
        cx.error(tag, "unknown-value", message).hint = hint;
    }
    found
}

impl Tagged {
    /// Its tags in words.
    fn tags(&self) -> String {
        let tags: Vec<&str> = self.variants.iter().map(|v| v.tag).collect();
        or_list(&tags)
    }
}
