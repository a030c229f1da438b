//! Colour, where the style has it.

use std::fmt::Display;

use anstyle::{AnsiColor, Style as Look};

use super::Style;

pub(super) const GOOD: Look = AnsiColor::Green.on_default();
pub(super) const BAD: Look = AnsiColor::Red.on_default();
pub(super) const ODD: Look = AnsiColor::Yellow.on_default();
pub(super) const DIM: Look = Look::new().dimmed();
pub(super) const BOLD: Look = Look::new().bold();

impl Style {
    /// At least 40 columns.
    pub(super) fn columns(self) -> usize {
        self.width.max(40)
    }

    /// `text` with `look` if this style has colours.
    pub(super) fn paint(self, look: Look, text: impl Display) -> String {
        if self.colour {
            format!("{look}{text}{look:#}")
        } else {
            text.to_string()
        }
    }

    /// The mark before something that was checked.
    pub(super) fn mark(self, passed: bool) -> String {
        if passed {
            self.paint(GOOD, '✓')
        } else {
            self.paint(BAD, '✗')
        }
    }
}
