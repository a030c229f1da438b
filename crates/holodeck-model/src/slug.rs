//! An agent's name as a folder name.

use sha2::{Digest, Sha256};

/// Lower case; runs of anything but `a-z`, `0-9` and `-` become one `-`; none at the ends. A name of which nothing is left
/// gives `agent-` and the first 8 hex digits of its SHA-256.
pub fn slug(name: &str) -> String {
    let mut out = String::new();
    for c in name.to_lowercase().chars() {
        if c.is_ascii_lowercase() || c.is_ascii_digit() {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    out.truncate(out.trim_end_matches('-').len());
    if out.is_empty() {
        return format!("agent-{}", &sha256_hex(name.as_bytes())[..8]);
    }
    out
}

/// SHA-256 in hex.
pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes in hex.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |n: u8| char::from(b"0123456789abcdef"[usize::from(n)]);
    bytes
        .iter()
        .flat_map(|b| [digit(b >> 4), digit(b & 15)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_no_letters_still_has_a_folder() {
        assert_eq!(slug("  A__B--c "), "a-b-c");
        assert_eq!(slug("../../etc"), "etc");
        assert_eq!(slug("Ünïcode Agent"), "n-code-agent");
        assert_eq!(slug("日本語"), "agent-77710aed");
    }
}
