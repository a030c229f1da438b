//! What Python 3.11 (Unicode 14) says of characters: white space, digits, printability; and Unicode case folding.

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
    let _ = c;
    todo!()
}
/// `str.isprintable` of one character.
pub fn is_printable(c: char) -> bool {
    let _ = c;
    todo!()
}
/// Full Unicode case folding (`str.casefold`).
pub fn casefold(text: &str) -> String {
    let _ = text;
    todo!()
}
