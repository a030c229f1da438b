//! Random patterns with subjects that have a chance: each kind looks for trouble in another corner.

use super::Rng;

/// Makes a pattern and its subjects.
pub(super) type Kind = fn(&mut Rng) -> (String, Vec<String>);

/// All kinds.
pub(super) const KINDS: &[Kind] = &[structure, loops, case, text, garbage];

/// What a random pattern is made of.
struct Alphabet {
    atoms: &'static [&'static str],
    /// Heads of groups, `(` itself not counted.
    heads: &'static [&'static str],
    subjects: &'static [&'static str],
    /// Characters of random subjects.
    chars: &'static [&'static str],
}

const QUANTIFIERS: &[&str] = &[
    "*", "+", "?", "{2}", "{1,2}", "{,2}", "{2,}", "*?", "+?", "??", "{0,2}?", "*+", "++", "?+",
    "{1,2}+", "{0}",
];

const SUBJECTS: &[&str] = &[
    "", "a", "b", "ab", "ba", "aab", "abab", "a\n", "\n", "aabb", "abc",
];

const STRUCTURE: Alphabet = Alphabet {
    atoms: &[
        "a", "b", "c", "ab", "[ab]", "[^a]", ".", "\\w", "$", "^", "\\b", "\\B", "\\Z", "", "a|b",
        "|a", "\\d", "[b&&c]", "[[a]",
    ],
    heads: &[
        "", "", "", "?:", "?:", "?=", "?!", "?<=", "?<!", "?>", "?i:", "?s:", "?m:", "?P<n>",
    ],
    subjects: SUBJECTS,
    chars: &["a", "b", "c", "1", "\n", "B"],
};

const LOOPS: Alphabet = Alphabet {
    atoms: &["a", "b", "a?", "b*?", "", "a|", "|b", "ab"],
    heads: &["", "", "?:", "?>", "?=", "?!"],
    subjects: SUBJECTS,
    chars: &["a", "b"],
};

const CASE: Alphabet = Alphabet {
    atoms: &[
        "i",
        "I",
        "İ",
        "ı",
        "k",
        "K",
        "K",
        "s",
        "ſ",
        "ß",
        "ẞ",
        "σ",
        "ς",
        "Σ",
        "µ",
        "μ",
        "Å",
        "å",
        "ǅ",
        "𐐀",
        "𐐨",
        "ﬅ",
        "θ",
        "ϴ",
        "Ω",
        "Ꭰ",
        "ꭰ",
        "ა",
        "Ა",
        "[a-z]",
        "[^i]",
        "[A-K]",
        "[ſ-ƀ]",
        "[Σ-ω]",
        "[𐐀b]",
        "[𐐀-𐐐]",
        "[^𐐨]",
        "\\w",
        "[\\W_]",
        "ÿ",
        "Ÿ",
        "ͅ",
        "ι",
        "ᾼ",
        "ᾳ",
        "i̇",
        "[ı-ŉ]",
        "𐐀|b",
        "ß|s",
    ],
    heads: &[
        "", "?:", "?i:", "?i:", "?-i:", "?a:", "?ai:", "?u:", "?=", "?!",
    ],
    subjects: &["", "i", "I", "İ", "ı", "ss", "ſ", "K", "𐐀", "𐐨"],
    chars: &[
        "i", "I", "İ", "ı", "k", "K", "K", "s", "S", "ſ", "ß", "ẞ", "σ", "ς", "Σ", "µ", "μ", "Å",
        "å", "Å", "ǅ", "ǆ", "Ǆ", "𐐀", "𐐨", "ﬅ", "ﬆ", "θ", "ϑ", "ϴ", "Ω", "Ω", "Ꭰ", "ꭰ", "ა", "Ა",
        "b", "ÿ", "Ÿ", "ͅ", "ι", "ᾼ", "ᾳ", "ι", "1",
    ],
};

const TEXT: Alphabet = Alphabet {
    atoms: &[
        "\\b", "\\B", "\\w", "\\W", "\\d", "\\D", "\\s", "\\S", ".", "^", "$", "\\A", "\\Z", "é",
        "a", "\\n", "[\\w\\s]", "[^\\d]", " ", "-", "²", "#", "\\ ", "[\\b]", "\\w+", "\\s*", ".*",
    ],
    heads: &[
        "", "?:", "?a:", "?m:", "?s:", "?x:", "?ms:", "?-s:", "?<=", "?<!", "?=", "?!",
    ],
    subjects: &[
        "",
        "\n",
        "a\n",
        "é",
        "é b",
        "a\nb\n",
        "e\u{301}a",
        "½",
        "²a",
        "\u{1c}",
        "\u{85}",
        "日本 a",
        "\r\n",
    ],
    chars: &[
        "a",
        "é",
        "1",
        "٣",
        "²",
        "\u{301}",
        " ",
        "\u{a0}",
        "\u{1f}",
        "\n",
        "-",
        "日",
        "😀",
        "_",
        "\u{2028}",
        "\u{11f50}",
        "\u{1e4f0}",
    ],
};

fn structure(rng: &mut Rng) -> (String, Vec<String>) {
    made(rng, &STRUCTURE, &[""])
}

fn loops(rng: &mut Rng) -> (String, Vec<String>) {
    made(rng, &LOOPS, &[""])
}

fn case(rng: &mut Rng) -> (String, Vec<String>) {
    made(rng, &CASE, &["(?i)", "(?i)", "(?ai)", ""])
}

fn text(rng: &mut Rng) -> (String, Vec<String>) {
    made(
        rng,
        &TEXT,
        &["", "", "(?m)", "(?s)", "(?a)", "(?x)", "(?ms)"],
    )
}

/// Mostly refused by both: the words and places of errors.
fn garbage(rng: &mut Rng) -> (String, Vec<String>) {
    const BITS: &[&str] = &[
        "(", ")", "[", "]", "{", "}", "?", "*", "+", "|", "\\", "^", "$", ".", "-", "=", "!", "<",
        ">", ":", "#", "P", "a", "i", "m", "s", "x", "u", "L", "0", "1", "2", ",", "_", " ", "(?",
        "(?P<", "(?P=", "(?:", "(?i", "(?<", "(?(1)", "(a)", "\\x4", "\\u00", "\\N", "[a-", "é",
        "'", "\n", "{2,1}", "\\8", "\\400", "n>", "n)", "(?#", "(?>", "\\1", "\\01", "-s:", "(?(n",
        "(?-", "&&", "--",
    ];
    let n = 1 + rng.below(9);
    let pattern = (0..n).map(|_| rng.pick(BITS)).collect();
    (pattern, subjects(rng, &STRUCTURE))
}

fn made(rng: &mut Rng, alphabet: &Alphabet, flags: &[&str]) -> (String, Vec<String>) {
    let mut pattern = rng.pick(flags).to_owned();
    let mut n_groups = 0;
    write(rng, alphabet, 4, &mut n_groups, &mut pattern);
    (pattern, subjects(rng, alphabet))
}

fn subjects(rng: &mut Rng, alphabet: &Alphabet) -> Vec<String> {
    let mut subjects: Vec<String> = alphabet.subjects.iter().map(|s| (*s).to_owned()).collect();
    for _ in 0..14 {
        let n = 1 + rng.below(7);
        subjects.push((0..n).map(|_| rng.pick(alphabet.chars)).collect());
    }
    subjects
}

fn write(rng: &mut Rng, of: &Alphabet, depth: usize, n_groups: &mut usize, out: &mut String) {
    match if depth == 0 { 0 } else { rng.below(12) } {
        0..=2 => out.push_str(rng.pick(of.atoms)),
        3 | 4 => {
            write(rng, of, depth - 1, n_groups, out);
            write(rng, of, depth - 1, n_groups, out);
        }
        5 => {
            out.push_str("(?:");
            write(rng, of, depth - 1, n_groups, out);
            out.push('|');
            write(rng, of, depth - 1, n_groups, out);
            out.push(')');
        }
        6 | 7 => {
            group(rng, of, depth, n_groups, out);
            out.push_str(rng.pick(QUANTIFIERS));
        }
        8 | 9 => group(rng, of, depth, n_groups, out),
        10 => {
            write(rng, of, depth - 1, n_groups, out);
            let group = 1 + rng.below(*n_groups + 1);
            out.extend(["\\", &group.to_string()]);
        }
        _ => {
            let group = 1 + rng.below(*n_groups + 1);
            out.extend(["(?(", &group.to_string(), ")"]);
            write(rng, of, depth - 1, n_groups, out);
            if rng.below(3) > 0 {
                out.push('|');
                write(rng, of, depth - 1, n_groups, out);
            }
            out.push(')');
            if rng.below(3) == 0 {
                out.push_str(rng.pick(QUANTIFIERS));
            }
        }
    }
}

fn group(rng: &mut Rng, of: &Alphabet, depth: usize, n_groups: &mut usize, out: &mut String) {
    let head = rng.pick(of.heads);
    if head.is_empty() || head.starts_with("?P") {
        *n_groups += 1;
    }
    out.push('(');
    out.push_str(head);
    write(rng, of, depth - 1, n_groups, out);
    out.push(')');
}
