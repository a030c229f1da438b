//! Diagnostics as text for people.

use super::Diagnostic;

/// Whether the text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// No escapes at all.
    Plain,
    /// ANSI colours.
    Colour,
}

/// The diagnostics as text.
pub fn render(diags: &[Diagnostic], style: Style, width: usize) -> String {
    let _ = (style, width);
    let mut out = String::new();
    for d in diags {
        out += &d.message;
        out.push('\n');
    }
    out
}
