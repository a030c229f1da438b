//! Scalars by the type that a field asks for (rule L8).

use std::borrow::Cow;

use holodeck_value::{Number, unicode};

use super::{
    Cx, Node, NodeKind,
    mapping::article,
    resolve::{self, Plain, Reading, shorten},
    syntax,
};

/// Words for booleans, as in old files and in Python's settings libraries.
const TRUE: [&str; 6] = ["true", "yes", "on", "1", "t", "y"];
const FALSE: [&str; 6] = ["false", "no", "off", "0", "f", "n"];

impl<'d> Node<'d> {
    /// The scalar as it may be shown: never what a variable gave.
    pub(super) fn shown(self) -> String {
        match self.variables() {
            [] => format!("`{}`", shorten(self.text().unwrap_or_default())),
            [name] => format!("the value of `${{{name}}}`"),
            names => {
                let names: Vec<String> =
                    names.iter().map(|name| format!("`${{{name}}}`")).collect();
                format!("the value of {}", names.join(" and "))
            }
        }
    }

    /// The text of a scalar that a field reads by its own rules.
    fn trimmed(self) -> &'d str {
        self.text().unwrap_or_default().trim()
    }
}

impl Cx<'_> {
    /// The items of a list; `None`, reported, where it is something else.
    pub fn list<'d>(&mut self, node: Node<'d>) -> Option<Vec<Node<'d>>> {
        if node.kind() != NodeKind::List {
            self.wrong_type(node, "a list");
            return None;
        }
        self.afford(node, node.items())
            .then(|| node.items().collect())
    }

    /// A string. What a variable gave is taken as text; any other scalar must be a string to every YAML reader.
    pub fn string<'d>(&mut self, node: Node<'d>) -> Option<&'d str> {
        let text = node.text();
        if node.is_unset() || (text.is_some() && node.from_variable()) {
            return text.filter(|_| !node.is_unset());
        }
        let Some(text) = text else {
            self.wrong_type(node, "a string");
            return None;
        };
        match node.plain() {
            Plain::Same(Reading::String) => Some(text),
            Plain::Same(Reading::Null) => {
                self.wrong_type(node, "a string");
                None
            }
            Plain::Same(reading) => {
                let message = format!("expected a string, got {}", reading.describe());
                self.error(node, "wrong-type", message).hint = Some(quote_it(text));
                None
            }
            Plain::Differs(old, new) => {
                self.error(node, "ambiguous-scalar", differs("plain", text, &old, &new))
                    .hint = Some(quote_it(text));
                None
            }
        }
    }

    /// A string that is not blank.
    pub fn text<'d>(&mut self, node: Node<'d>) -> Option<&'d str> {
        let text = self.string(node)?;
        if unicode::is_blank(text) {
            let message = match node.variables() {
                [] => "must not be blank".to_owned(),
                _ => format!("must not be blank, and {} is", node.shown()),
            };
            self.error(node, "blank", message);
            return None;
        }
        Some(text)
    }

    /// A boolean: `true`, `yes`, `on`, `1` and their opposites, quoted or not.
    pub fn boolean(&mut self, node: Node<'_>) -> Option<bool> {
        if node.is_unset() {
            return None;
        }
        if node.kind() == NodeKind::Scalar {
            let word = node.trimmed().to_ascii_lowercase();
            if TRUE.contains(&word.as_str()) {
                return Some(true);
            }
            if FALSE.contains(&word.as_str()) {
                return Some(false);
            }
        }
        self.wrong_type(node, "a boolean").hint = Some("write `true` or `false`".to_owned());
        None
    }

    /// An integer of any size, quoted or not; not `1.0`, and not a numeral that YAML readers disagree on.
    pub fn integer(&mut self, node: Node<'_>) -> Option<Number> {
        self.numeral(node, true)
    }

    /// An integer that is not quoted.
    pub fn plain_integer(&mut self, node: Node<'_>) -> Option<Number> {
        let quoted = matches!(node.plain(), Plain::Same(Reading::String)) && !node.from_variable();
        if quoted && node.kind() == NodeKind::Scalar && !node.is_unset() {
            let number = resolve::plain(node.trimmed());
            let diagnostic = self.wrong_type(node, "an integer");
            if let Plain::Same(Reading::Integer(digits)) = number {
                diagnostic.hint = Some(format!("write {digits} without quotes"));
            }
            return None;
        }
        self.numeral(node, true)
    }

    /// A finite number, quoted or not, its numeral as written; not `012`, `1_000` or `1:30`.
    pub fn number(&mut self, node: Node<'_>) -> Option<Number> {
        self.numeral(node, false)
    }

    fn numeral(&mut self, node: Node<'_>, integer: bool) -> Option<Number> {
        if node.is_unset() {
            return None;
        }
        let wanted = if integer { "an integer" } else { "a number" };
        if node.kind() != NodeKind::Scalar {
            self.wrong_type(node, wanted);
            return None;
        }
        let readings = match node.plain() {
            Plain::Same(Reading::String) => resolve::plain(node.trimmed()),
            readings => readings,
        };
        match readings {
            Plain::Same(Reading::Integer(digits)) => self.exact(node, &digits),
            Plain::Same(Reading::Float(numeral))
            | Plain::Differs(Reading::String, Reading::Float(numeral)) => {
                if !integer {
                    return self.exact(node, numeral.as_str());
                }
                let shown = node.shown();
                let whole = numeral.whole().filter(|_| !node.from_variable());
                let hint = whole.map(|digits| format!("write {digits}"));
                self.error(
                    node,
                    "wrong-type",
                    format!("expected an integer, got {shown}"),
                )
                .hint = hint;
                None
            }
            Plain::Same(Reading::NotFinite(_)) => {
                let message = format!("expected a finite number, got {}", node.shown());
                self.error(node, "wrong-type", message);
                None
            }
            Plain::Differs(old, new) if is_numeric(&old) || is_numeric(&new) => {
                let text = node.trimmed();
                let message = if node.from_variable() {
                    format!("{} is not a number to all YAML readers", node.shown())
                } else {
                    differs("plain", text, &old, &new)
                };
                let hint = plainly(&old, &new, None);
                self.error(node, "ambiguous-scalar", message).hint =
                    hint.filter(|_| !node.from_variable());
                None
            }
            _ => {
                self.wrong_type(node, wanted);
                None
            }
        }
    }

    /// The number of a numeral; an exponent beyond every use is an error.
    pub(super) fn exact(&mut self, node: Node<'_>, lexeme: &str) -> Option<Number> {
        let number = Number::from_lexeme(lexeme);
        if number.is_none() {
            let message = format!("{} is too large or too small a number", node.shown());
            self.error(node, "out-of-range", message);
        }
        number
    }

    /// Reports that a node is not what a field needs.
    pub fn wrong_type(&mut self, node: Node<'_>, wanted: &str) -> &mut super::Diagnostic {
        let got = match node.kind() {
            NodeKind::Null if node.text() == Some("") => "nothing".to_owned(),
            NodeKind::Null => "null".to_owned(),
            NodeKind::List | NodeKind::Mapping => article(node.type_name()),
            NodeKind::Scalar if node.from_variable() => node.shown(),
            NodeKind::Scalar => match node.plain() {
                Plain::Same(Reading::String) => {
                    format!("the string `{}`", shorten(node.text().unwrap_or_default()))
                }
                Plain::Same(reading) => reading.describe().into_owned(),
                Plain::Differs(..) => node.shown(),
            },
        };
        self.error(node, "wrong-type", format!("expected {wanted}, got {got}"))
    }
}

fn is_numeric(reading: &Reading<'_>) -> bool {
    matches!(
        reading,
        Reading::Integer(_) | Reading::Float(_) | Reading::NotFinite(_)
    )
}

/// How the two kinds of readers differ.
pub(super) fn differs(what: &str, text: &str, old: &Reading<'_>, new: &Reading<'_>) -> String {
    let describe = |reading: &Reading<'_>| -> Cow<'static, str> {
        match reading {
            Reading::String => format!("the string \"{}\"", shorten(text)).into(),
            other => other.describe(),
        }
    };
    format!(
        "{what} `{}` is {} to YAML 1.1 readers and {} to YAML 1.2 readers",
        shorten(text),
        describe(old),
        describe(new)
    )
}

/// How to write either reading so that all readers agree; `string` is the text, where a string may be meant.
pub(super) fn plainly(
    old: &Reading<'_>,
    new: &Reading<'_>,
    string: Option<&str>,
) -> Option<String> {
    let mut what = "number";
    let mut ways: Vec<String> = Vec::new();
    for reading in [old, new] {
        match reading {
            Reading::Bool(b) => {
                what = "boolean";
                ways.push(b.to_string());
            }
            Reading::Integer(digits) => ways.push(shorten(digits).into_owned()),
            Reading::Float(numeral) => ways.push(shorten(&numeral.spelled_out()).into_owned()),
            _ => {}
        }
    }
    let plain = ways.join(" or ");
    match string {
        None if ways.is_empty() => None,
        None => Some(format!("write {plain}")),
        Some(text) if ways.is_empty() || text.chars().count() > 40 => Some(quote_it(text)),
        Some(text) => {
            let and = if ways.len() > 1 { "," } else { " or" };
            Some(format!(
                "write {} for the string{and} {plain} for the {what}",
                syntax::quote(text)
            ))
        }
    }
}

fn quote_it(text: &str) -> String {
    if text.chars().count() > 40 {
        "quote it".to_owned()
    } else {
        format!("quote it: {}", syntax::quote(text))
    }
}
