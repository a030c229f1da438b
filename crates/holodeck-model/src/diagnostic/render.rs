//! Diagnostics as text for people: place, test case and field, the source line with the spot marked, and what to do.
//!
//! Nothing of a file or a name reaches the terminal as a control character.

mod excerpt;
mod text;

use std::{
    collections::BTreeSet,
    fmt::{self, Write as _},
};

use super::{Diagnostic, Place, Severity};
use text::{Ink, Paint, columns, visible, wrapped};

/// Diagnostics shown; the rest are counted. JSON lists all.
const SHOWN: usize = 100;
/// Related places shown with one diagnostic.
const RELATED: usize = 4;
/// The least width that is laid out for.
const MIN_WIDTH: usize = 40;

/// Whether the text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// No escapes at all.
    Plain,
    /// ANSI colours.
    Colour,
}

/// The diagnostics in the order given, each followed by an empty line, then how many there are: `3 errors, 1 warning`. Lines are at most `width` columns (80 is the usual; at least 40) wherever they can be
/// broken. Of more than a hundred, errors are shown before warnings and notes, and the rest counted. Empty for none.
pub fn render(diags: &[Diagnostic], style: Style, width: usize) -> String {
    let page = Page {
        paint: Paint(style),
        width: width.max(MIN_WIDTH),
    };
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = page.all(&mut out, diags);
    out
}

/// Positions of those that are shown.
fn shown(diags: &[Diagnostic]) -> BTreeSet<usize> {
    let of = |severity: Severity| (0..diags.len()).filter(move |i| diags[*i].severity == severity);
    let by_weight = of(Severity::Error)
        .chain(of(Severity::Warning))
        .chain(of(Severity::Note));
    by_weight.take(SHOWN).collect()
}

fn summary(diags: &[Diagnostic]) -> String {
    let mut parts = Vec::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        let n = diags.iter().filter(|d| d.severity == severity).count();
        if n > 0 {
            let plural = if n == 1 { "" } else { "s" };
            parts.push(format!("{n} {}{plural}", word(severity)));
        }
    }
    parts.join(", ")
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

struct Page {
    paint: Paint,
    width: usize,
}

impl Page {
    fn all(&self, out: &mut String, diags: &[Diagnostic]) -> fmt::Result {
        let shown = shown(diags);
        for i in &shown {
            self.diagnostic(out, &diags[*i])?;
            out.push('\n');
        }
        if shown.len() < diags.len() {
            writeln!(out, "... and {} more", diags.len() - shown.len())?;
        }
        if !diags.is_empty() {
            writeln!(out, "{}", summary(diags))?;
        }
        Ok(())
    }

    fn diagnostic(&self, out: &mut String, diagnostic: &Diagnostic) -> fmt::Result {
        let ink = match diagnostic.severity {
            Severity::Error => Ink::Error,
            Severity::Warning => Ink::Warning,
            Severity::Note => Ink::Note,
        };
        let label = format!("{}:", word(diagnostic.severity));
        self.paint.push(out, ink, &label);
        let message = visible(&diagnostic.message);
        self.hanging(out, label.len() + 1, Ink::Strong, &message)?;
        let spots = spots(diagnostic);
        let gutter = spots
            .iter()
            .map(|spot| spot.place.line.to_string().len())
            .max();
        let gutter = gutter.unwrap_or(1);
        if let Some(place) = &diagnostic.place {
            self.arrow(out, gutter, "-->", place)?;
        }
        self.field(out, gutter, diagnostic)?;
        self.spots(out, gutter, &spots, ink)?;
        if let Some(hint) = &diagnostic.hint {
            self.edge(out, gutter, " = ");
            self.paint.push(out, Ink::Help, "help:");
            self.hanging(out, gutter + " = help: ".len(), Ink::None, &visible(hint))?;
        }
        Ok(())
    }

    /// A text after something that ends at column `indent` less a blank, its further lines indented so far.
    fn hanging(&self, out: &mut String, indent: usize, ink: Ink, text: &str) -> fmt::Result {
        for (i, line) in wrapped(text, self.width - indent).iter().enumerate() {
            write!(
                out,
                "{:width$}",
                "",
                width = if i == 0 { 1 } else { indent }
            )?;
            self.paint.push(out, ink, line);
            out.push('\n');
        }
        Ok(())
    }

    fn edge(&self, out: &mut String, gutter: usize, mark: &str) {
        out.extend(std::iter::repeat_n(' ', gutter));
        self.paint.push(out, Ink::Frame, mark);
    }

    fn arrow(&self, out: &mut String, gutter: usize, arrow: &str, place: &Place) -> fmt::Result {
        self.edge(out, gutter, arrow);
        writeln!(
            out,
            " {}:{}:{}",
            visible(&place.file),
            place.line,
            place.column
        )
    }

    /// The test case and the field within it.
    fn field(&self, out: &mut String, gutter: usize, diagnostic: &Diagnostic) -> fmt::Result {
        // A case without a name is `test_cases[i]`, which the path says too.
        let named = diagnostic
            .case
            .as_deref()
            .filter(|case| !case.starts_with("test_cases["));
        // What is no field: the file as a whole, a variable.
        let path = match (diagnostic.code, diagnostic.path.as_str()) {
            (_, "yaml") | ("unset-variable", _) => "",
            (_, path) => within_case(path, named.is_some()),
        };
        let path = visible(path);
        let line = match named {
            None if path.is_empty() => return Ok(()),
            None => path,
            Some(case) if path.is_empty() => format!("test case `{}`", visible(case)),
            Some(case) => format!("test case `{}`: {path}", visible(case)),
        };
        let indent = gutter + 4;
        for line in wrapped(&line, self.width - indent) {
            writeln!(out, "{:indent$}{line}", "")?;
        }
        Ok(())
    }

    /// The source lines with their marks.
    fn spots(&self, out: &mut String, gutter: usize, spots: &[Spot<'_>], ink: Ink) -> fmt::Result {
        let room = self.width - gutter - " | ".len();
        let mut above: Option<&Place> = None;
        for spot in spots {
            let view = excerpt::view(spot.place, room);
            let above_here = above.filter(|above| above.file == spot.place.file);
            let same_line = above_here.is_some_and(|above| {
                above.excerpt == spot.place.excerpt && above.line == spot.place.line
            });
            if !same_line || view.cut {
                if above.is_some() && above_here.is_none() {
                    self.arrow(out, gutter, ":::", spot.place)?;
                }
                match above_here {
                    Some(above) if spot.place.line > above.line + 1 => {
                        self.paint.push(out, Ink::Frame, "...");
                        out.push('\n');
                    }
                    Some(_) => {}
                    None => {
                        self.edge(out, gutter, " |");
                        out.push('\n');
                    }
                }
                let number = format!("{:>gutter$} |", spot.place.line);
                self.paint.push(out, Ink::Frame, &number);
                writeln!(out, "{}", format!(" {}", view.line).trim_end())?;
            }
            self.marks(out, gutter, spot, &view, ink)?;
            above = Some(spot.place);
        }
        Ok(())
    }

    /// The line below a source line.
    fn marks(
        &self,
        out: &mut String,
        gutter: usize,
        spot: &Spot<'_>,
        view: &excerpt::View,
        ink: Ink,
    ) -> fmt::Result {
        let room = self.width - gutter - " | ".len();
        let indent = view.column + 1;
        self.edge(out, gutter, " |");
        write!(out, "{:indent$}", "")?;
        let Some(label) = spot.label else {
            self.paint.push(out, ink, &"^".repeat(view.width));
            out.push('\n');
            return Ok(());
        };
        let label = visible(label);
        self.paint.push(out, Ink::Frame, &"-".repeat(view.width));
        if view.column + view.width + 1 + columns(&label) > room {
            out.push('\n');
            self.edge(out, gutter, " |");
        }
        out.push(' ');
        self.paint.push(out, Ink::Frame, &label);
        out.push('\n');
        Ok(())
    }
}

/// A place to show, with a word on why where it is a related one.
struct Spot<'d> {
    place: &'d Place,
    label: Option<&'d str>,
}

/// The place and the related ones: those of its file in the order of lines, then the others.
fn spots(diagnostic: &Diagnostic) -> Vec<Spot<'_>> {
    let related = diagnostic.related.iter().take(RELATED);
    let mut spots: Vec<Spot<'_>> = related
        .map(|(place, why)| Spot {
            place,
            label: Some(why),
        })
        .collect();
    spots.extend(
        diagnostic
            .place
            .iter()
            .map(|place| Spot { place, label: None }),
    );
    let home = diagnostic.place.as_ref().map(|place| place.file.as_str());
    spots.sort_by_key(|spot| {
        let foreign = home != Some(spot.place.file.as_str());
        (foreign, spot.place.line, spot.place.column)
    });
    spots
}

/// The path from the test case on, where there is one.
fn within_case(path: &str, in_case: bool) -> &str {
    let rest = || {
        let rest = path.strip_prefix("test_cases").unwrap_or(path);
        let (index, rest) = rest.strip_prefix('[')?.split_once(']')?;
        let is_index = !index.is_empty() && index.bytes().all(|b| b.is_ascii_digit());
        is_index.then(|| rest.strip_prefix('.').unwrap_or(rest))
    };
    if in_case {
        rest().unwrap_or(path)
    } else {
        path
    }
}
