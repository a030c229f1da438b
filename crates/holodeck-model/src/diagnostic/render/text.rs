//! Text made harmless, measured, wrapped and coloured.

use unicode_width::UnicodeWidthChar;

use super::Style;

/// Colours by what they mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    None,
    Error,
    Warning,
    Note,
    Help,
    Frame,
    Strong,
}

pub(super) struct Paint(pub(super) Style);

impl Paint {
    pub(super) fn push(&self, out: &mut String, ink: Ink, text: &str) {
        let code = match ink {
            _ if self.0 == Style::Plain => "",
            Ink::None => "",
            Ink::Error => "1;31",
            Ink::Warning => "1;33",
            Ink::Note => "1;36",
            Ink::Help => "1;32",
            Ink::Frame => "1;34",
            Ink::Strong => "1",
        };
        if code.is_empty() || text.is_empty() {
            out.push_str(text);
        } else {
            out.extend(["\u{1b}[", code, "m", text, "\u{1b}[0m"]);
        }
    }
}

/// What stands for a character that could move the cursor, colour the terminal or turn the reading direction.
pub(super) fn shown(c: char) -> char {
    match c {
        '\t' => '→',
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => '\u{fffd}',
        c => c,
    }
}

/// A text in one line without anything that a terminal would act on.
pub(super) fn visible(text: &str) -> String {
    text.chars().map(shown).collect()
}

pub(super) fn width(c: char) -> usize {
    c.width().unwrap_or(0)
}

pub(super) fn columns(text: &str) -> usize {
    text.chars().map(width).sum()
}

/// The text in lines of at most `room` columns, broken at blanks; a word longer than a line is broken where it must be.
pub(super) fn wrapped(text: &str, room: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for word in text.split(' ') {
        let len = columns(word);
        if used > 0 && used + 1 + len > room {
            lines.push(std::mem::take(&mut line));
            used = 0;
        } else if used > 0 || !line.is_empty() {
            line.push(' ');
            used += 1;
        }
        if len <= room {
            line += word;
            used += len;
            continue;
        }
        for c in word.chars() {
            if used + width(c) > room {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            line.push(c);
            used += width(c);
        }
    }
    lines.push(line);
    lines
}
