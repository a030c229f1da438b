//! Texts of authors and agents made fit to be shown: nothing in them may move the cursor, turn the reading direction or fill the screen.

use std::borrow::Cow;

/// Whether a character shows as what it is and does nothing else.
pub fn is_harmless(c: char) -> bool {
    !c.is_control()
        && !matches!(c,
            // Line and paragraph separators, the byte order mark, marks that turn the reading direction, interlinear
            // annotations, noncharacters, tag characters.
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}')
}

/// One line: everything that is not harmless as an escape (`\n`, `\u{1b}`).
pub fn one_line(text: &str) -> Cow<'_, str> {
    escaped(text, false)
}

/// Several lines: as [`one_line`], but line ends (`\n`, `\r\n`) stay, as `\n`, and a tab is four spaces.
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, true)
}

fn escaped(text: &str, several: bool) -> Cow<'_, str> {
    if text
        .chars()
        .all(|c| is_harmless(c) || (several && c == '\n'))
    {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' if several && chars.peek() == Some(&'\n') => {}
            '\n' if several => out.push('\n'),
            '\t' if several => out.push_str("    "),
            c if is_harmless(c) => out.push(c),
            c => out.extend(c.escape_default()),
        }
    }
    Cow::Owned(out)
}

/// At most about `max` characters: the middle of a longer text gives way to a note of how many were left out, since questions and
/// conclusions stand at the end.
pub fn cut(text: &str, max: usize) -> Cow<'_, str> {
    if text.len() <= max {
        return Cow::Borrowed(text);
    }
    let n = text.chars().count();
    if n <= max {
        return Cow::Borrowed(text);
    }
    let n_tail = max / 3;
    let n_head = max - n_tail;
    let byte = |i: usize| text.char_indices().nth(i).map_or(text.len(), |(at, _)| at);
    let (head, tail) = (&text[..byte(n_head)], &text[byte(n - n_tail)..]);
    Cow::Owned(format!(
        "{} [... {} characters left out ...] {}",
        head.trim_end(),
        n - n_head - n_tail,
        tail.trim_start()
    ))
}

/// At most `max` characters, a longer text ending in `…`.
pub fn shortened(text: &str, max: usize) -> Cow<'_, str> {
    let mut starts = text
        .char_indices()
        .map(|(at, _)| at)
        .skip(max.saturating_sub(1));
    match (starts.next(), starts.next()) {
        (Some(end), Some(_)) => Cow::Owned(format!("{}…", &text[..end])),
        _ => Cow::Borrowed(text),
    }
}

/// A time in words: `350ms`, `1.2s`, `2m05s`, `1h02m`.
pub fn duration(ms: u64) -> String {
    let tenths = ms.saturating_add(50) / 100;
    let seconds = ms.saturating_add(500) / 1000;
    match ms {
        0..1000 => format!("{ms}ms"),
        1000..59_950 => format!("{}.{}s", tenths / 10, tenths % 10),
        59_950..3_599_500 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        _ => {
            let minutes = seconds.saturating_add(30) / 60;
            format!("{}h{:02}m", minutes / 60, minutes % 60)
        }
    }
}

/// `1 turn`, `3 turns`
pub fn count(n: u64, one: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {one}{s}")
}

/// A score with at most three decimals: `1`, `0.5`, `0.667`. Never rounded up to 1 or down to 0.
pub fn score(score: f64) -> String {
    let text = format!("{score:.3}");
    match text.trim_end_matches('0').trim_end_matches('.') {
        "1" if score < 1.0 => "0.999".to_owned(),
        "0" | "-0" if score > 0.0 => "0.001".to_owned(),
        "" | "-" | "-0" => "0".to_owned(),
        short => short.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{cut, duration, lines, one_line, score, shortened};

    #[test]
    fn controls_become_escapes() {
        assert_eq!(
            one_line("a\u{1b}[2J\r\nb\u{202e}é"),
            r"a\u{1b}[2J\r\nb\u{202e}é"
        );
        assert_eq!(lines("a\r\nb\rc\td\0\u{9b}"), "a\nb\\rc    d\\u{0}\\u{9b}");
    }

    #[test]
    fn long_texts_keep_both_ends() {
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("ééé", 3), "ééé");
        assert_eq!(
            cut(&format!("ä{}z", "x".repeat(100)), 9),
            "äxxxxx [... 93 characters left out ...] xxz"
        );
    }

    #[test]
    fn short_texts_end_in_dots() {
        assert_eq!(
            ["äöü", "äöüx", ""].map(|t| shortened(t, 3)).join(" "),
            "äöü äö… "
        );
    }

    #[test]
    fn times_read_well() {
        let all = [
            0,
            999,
            1000,
            1250,
            59_949,
            59_950,
            125_000,
            3_599_499,
            3_599_500,
            3_720_000,
            u64::MAX,
        ];
        assert_eq!(
            all.map(duration).join(" "),
            "0ms 999ms 1.0s 1.3s 59.9s 1m00s 2m05s 59m59s 1h00m 1h02m 5124095576030h26m"
        );
    }

    #[test]
    fn scores_are_never_flattered() {
        let all = [0.0, 1.0, 0.5, 2.0 / 3.0, 0.9999, 0.0001, -0.0];
        assert_eq!(all.map(score).join(" "), "0 1 0.5 0.667 0.999 0.001 0");
    }
}
