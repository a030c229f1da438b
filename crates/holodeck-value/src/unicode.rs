//! What Python 3.11 (Unicode 14) says of characters: white space, digits, printability; and Unicode case folding.

mod tables;

use unicase::UniCase;

/// `str.isspace`, U+001C to U+001F too.
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// Whether there is nothing but white space.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

/// The value of a decimal digit (category Nd).
pub fn digit_value(c: char) -> Option<u8> {
    if c.is_ascii() {
        return c.is_ascii_digit().then(|| c as u8 - b'0');
    }
    let code = u32::from(c);
    let n_before = tables::DIGIT_ZEROS.partition_point(|zero| *zero <= code);
    let zero = tables::DIGIT_ZEROS.get(n_before.checked_sub(1)?)?;
    u8::try_from(code - zero).ok().filter(|value| *value < 10)
}

/// `str.isprintable` of one character.
pub fn is_printable(c: char) -> bool {
    if c.is_ascii() {
        return (' '..='~').contains(&c);
    }
    let code = u32::from(c);
    tables::PRINTABLE_EDGES.partition_point(|edge| *edge <= code) % 2 == 1
}

/// Full Unicode case folding: `str.casefold`, but of a newer Unicode than 14, so that letters added since then fold too.
pub fn casefold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    UniCase::unicode(text).to_folded_case()
}

#[cfg(test)]
mod tests;
