//! White space put into compact JSON on its way out, as Python's `indent=2` puts it.

use std::io::{self, Write};

/// Containers deeper than this stay on their line: a tool argument nested ten thousand deep must not be indented ten thousand wide.
const MAX_DEPTH: usize = 40;

/// How much is collected before it is passed on.
const BUFFER: usize = 64 * 1024;

/// Takes valid JSON in pieces of any size. [`Indented::finish`] must be called at the end.
pub(crate) struct Indented<'a> {
    out: &'a mut dyn Write,
    buffer: Vec<u8>,
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// A container was opened and nothing is in it yet.
    opened: bool,
}

impl<'a> Indented<'a> {
    pub(crate) fn new(out: &'a mut dyn Write) -> Self {
        Self {
            out,
            buffer: Vec::with_capacity(BUFFER + 1024),
            depth: 0,
            in_string: false,
            escaped: false,
            opened: false,
        }
    }

    /// Writes what is left, with a line end.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.buffer.push(b'\n');
        self.out.write_all(&self.buffer)?;
        self.out.flush()
    }

    fn line(&mut self) {
        if self.depth <= MAX_DEPTH {
            self.buffer.push(b'\n');
            self.buffer.resize(self.buffer.len() + 2 * self.depth, b' ');
        }
    }

    fn push(&mut self, byte: u8) {
        if self.in_string {
            self.buffer.push(byte);
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return;
        }
        let opened = std::mem::take(&mut self.opened);
        match byte {
            b' ' | b'\n' | b'\r' | b'\t' => self.opened = opened,
            b'}' | b']' => {
                // Before the depth falls: a container kept on its line ends there too.
                let on_its_line = self.depth > MAX_DEPTH;
                self.depth = self.depth.saturating_sub(1);
                if !opened && !on_its_line {
                    self.line();
                }
                self.buffer.push(byte);
            }
            b',' => {
                self.buffer.push(byte);
                if self.depth > MAX_DEPTH {
                    self.buffer.push(b' ');
                }
                self.line();
            }
            b':' => self.buffer.extend(b": "),
            _ => {
                if opened {
                    self.line();
                }
                self.buffer.push(byte);
                self.in_string = byte == b'"';
                if matches!(byte, b'{' | b'[') {
                    self.depth += 1;
                    self.opened = true;
                }
            }
        }
    }
}

impl Write for Indented<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut bytes_left = bytes;
        while let [first, rest @ ..] = bytes_left {
            if self.in_string && !self.escaped {
                // Most of a report is text: it is passed on in one piece up to what may end it.
                let plain = bytes_left.iter().position(|b| matches!(b, b'"' | b'\\'));
                let (plain, rest) = bytes_left.split_at(plain.unwrap_or(bytes_left.len()));
                if !plain.is_empty() {
                    self.buffer.extend_from_slice(plain);
                    bytes_left = rest;
                    continue;
                }
            }
            self.push(*first);
            bytes_left = rest;
        }
        if self.buffer.len() >= BUFFER {
            self.out.write_all(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use serde_json::Value;

    use super::Indented;

    fn indented(json: &str) -> String {
        let mut out = Vec::new();
        let mut indented = Indented::new(&mut out);
        // In single bytes, as the worst that a serializer may do.
        for byte in json.bytes() {
            indented.write_all(&[byte]).unwrap();
        }
        indented.finish().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn it_is_indented_as_serde_json_does() {
        for json in [
            r#"{"a":[],"b":{},"c":[1,{"d":[[]],"e":"x"}],"f":"{\"[,:]\\"}"#,
            "[]",
            "3",
            r#""a\\""#,
        ] {
            let value: Value = serde_json::from_str(json).unwrap();
            let expected = serde_json::to_string_pretty(&value).unwrap() + "\n";
            assert_eq!(indented(json), expected);
            let mut out = Vec::new();
            let mut at_once = Indented::new(&mut out);
            at_once.write_all(json.as_bytes()).unwrap();
            at_once.finish().unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }

    #[test]
    fn deep_nesting_stays_linear() {
        let deep = format!("{}1,2{}", "[".repeat(100), "]".repeat(100));
        let text = indented(&deep);
        assert!(text.len() < 6_000, "{text}");
        assert_eq!(
            serde_json::from_str::<Value>(&text).unwrap(),
            serde_json::from_str::<Value>(&deep).unwrap()
        );
        assert!(indented(&format!("{}{}", "[".repeat(50_000), "]".repeat(50_000))).len() < 110_000);
    }
}
