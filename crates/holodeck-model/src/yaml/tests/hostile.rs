//! Files made to break a reader (rule L9).

use proptest::prelude::*;

use super::*;

fn refused(text: &str) -> Diagnostic {
    let (document, mut diags) = load(text);
    if let Some(document) = document {
        walk(&document, &mut diags);
    }
    assert!(!diags.is_empty());
    diags.swap_remove(0)
}

#[test]
fn deep_nesting_is_an_error_with_a_place() {
    let flow = "[".repeat(100_000);
    let maps = "{a: ".repeat(10_000);
    let items = "- ".repeat(10_000);
    let keys: String = (0..1_000).map(|i| " ".repeat(i) + "a:\n").collect();
    for text in [&flow, &maps, &items, &keys] {
        let diagnostic = refused(text);
        assert_eq!(diagnostic.message, "nested more than 200 levels deep");
        assert!(diagnostic.place.is_some());
    }
    let json = "[".repeat(100_000);
    let mut diags = Vec::new();
    let source = Source::new("a.json", json, Dialect::Json);
    assert!(parse(source, &mut Vars::new(&lookup), &mut diags).is_none());
    assert_eq!(diags[0].code, "too-deep", "{diags:?}");
}

#[test]
fn nesting_up_to_the_limit_is_read() {
    let text = format!("k: {}1{}\n", "[".repeat(199), "]".repeat(199));
    assert!(value(&text).is_ok());
    let text = format!("k: {}1{}\n", "[".repeat(200), "]".repeat(200));
    assert_eq!(refused(&text).code, "too-deep");
}

/// A line for each number.
fn lines(numbers: std::ops::Range<usize>, line: impl Fn(usize) -> String) -> String {
    numbers.map(|i| line(i) + "\n").collect()
}

#[test]
fn aliases_count_as_the_nesting_that_they_stand_for() {
    let chain = lines(1..300, |i| format!("a{i}: &a{i} [*a{}]", i - 1));
    let diagnostic = refused(&format!("a0: &a0 [1]\n{chain}"));
    assert_eq!(diagnostic.code, "too-deep");
    assert_eq!(diagnostic.place.unwrap().line, 200);
}

fn codes(text: &str) -> Vec<&'static str> {
    let (document, mut diags) = load(text);
    walk(&document.unwrap(), &mut diags);
    diags
        .iter()
        .map(|d| d.code)
        .filter(|code| *code != "unknown-key")
        .collect()
}

#[test]
fn an_alias_bomb_is_an_error() {
    let bomb = lines(1..30, |i| {
        format!(
            "x{i}: &a{i} [{}]",
            vec![format!("*a{}", i - 1); 9].join(", ")
        )
    });
    let text = format!("x: &a0 [lol, lol]\n{bomb}test_cases: [{{turns: [{{args: *a29}}]}}]\n");
    assert_eq!(codes(&text), ["alias-bomb"]);
}

#[test]
fn a_long_text_behind_many_aliases_is_a_bomb_too() {
    let text = "x".repeat(100_000);
    let aliases = "*a, ".repeat(10_000);
    let text = format!("x: &a {text}\ntest_cases: [{{turns: [{{args: [{aliases}]}}]}}]\n");
    assert_eq!(codes(&text), ["alias-bomb"]);
}

#[test]
fn a_merge_key_bomb_is_an_error() {
    let bomb = lines(1..60, |i| {
        format!("x{i}: &a{i} {{<<: [*a{0}, *a{0}], k{i}: 1}}", i - 1)
    });
    let text = format!("x: &a0 {{k: 1}}\n{bomb}test_cases: [{{turns: [{{args: *a59}}]}}]\n");
    assert_eq!(codes(&text), ["alias-bomb"]);
}

#[test]
fn defaults_merged_into_many_cases_are_no_bomb() {
    let cases = lines(0..20_000, |i| {
        format!("- {{name: c{i}, turns: [{{<<: *d, args: {{a: 1}}}}, *d]}}")
    });
    let defaults = "{input: x, ground_truth: y, tolerance: 1, enabled: yes}";
    assert_eq!(
        codes(&format!("defaults: &d {defaults}\ntest_cases:\n{cases}")),
        [""; 0]
    );
}

#[test]
fn a_large_mapping_is_searched_by_index() {
    let keys = lines(0..50_000, |i| format!("      key{i}: 1"));
    let text = format!("test_cases:\n- turns:\n  - args:\n{keys}      key7: 2\n");
    let diagnostic = refused(&text);
    assert_eq!(diagnostic.code, "duplicate-key");
    assert_eq!(diagnostic.related[0].0.line, 11);
}

#[test]
fn mistakes_are_counted_where_they_are_too_many_to_keep() {
    let text = format!("test_cases:\n- turns: [{}]\n", "1, ".repeat(50_000));
    let (document, mut diags) = load(&text);
    walk(&document.unwrap(), &mut diags);
    assert_eq!(diags.len(), 10_001);
    assert!(diags[10_000].message.contains("more than 10000"));
    let text = render(&diags, Style::Plain, 80);
    assert_eq!(text.matches("error: ").count(), 100);
    assert!(
        text.ends_with("... and 9901 more\n10001 errors\n"),
        "{}",
        &text[text.len() - 80..]
    );
    assert_eq!(
        diagnostic::to_json(&diags).matches("\"severity\"").count(),
        10_001
    );
}

#[test]
fn a_huge_key_is_not_repeated_with_each_mistake_under_it() {
    let key = "k".repeat(100_000);
    let text = format!(
        "test_cases:\n- turns:\n  - args: {{? {key} : [{}]}}\n",
        "yes, ".repeat(100)
    );
    let (document, mut diags) = load(&text);
    walk(&document.unwrap(), &mut diags);
    assert!(diags.iter().all(|d| d.path.len() < 1_000));
}

const SEEDS: [&str; 4] = [
    "name: t\nmodel: &m {provider: openai, name: \"x\\ty\"}\ntest_cases:\n  - name: a\n    turns:\n      - input: >-\n          folded\n          text\n        args: {<<: *m, a: [1, 2.5, yes, ~, !!str 5], b: {regex: '^\\d+$'}}\n        count: 2\n",
    "# comment\n---\ntest_cases:\n- turns:\n  - {input: ${A}, ground_truth: \"${A} $${A}\", tolerance: 1e-6, enabled: on}\n  - ? [a, b]\n    : c\n...\n",
    "test_cases:\r\n  - name: été 日本\r\n    turns: [{input: |\r\n      a\r\n\r\n      b\r\n  }]\r\n",
    "{\"test_cases\": [{\"name\": \"a\", \"turns\": [{\"input\": \"\\ud83d\\ude00\", \"args\": {\"a\": -1.5e+10}}]}]}",
];

fn mutated() -> impl Strategy<Value = String> {
    let pieces = proptest::sample::select(vec![
        "\t", "\n", "  ", "-", "- ", ": ", "{", "}", "[", "]", "&a ", "*a", "<<: ", "\"", "'", "|",
        ">", "!!int ", "! ", "?", "#", "${A}", "${", "%", "@", "\\", "\u{85}", "\u{2028}",
        "\u{feff}", "\u{1b}", "\u{7f}", "é", "𝟗", "---\n", "...\n", "~", "0x", "1e9", ",", "\r",
    ]);
    let edit = (any::<prop::sample::Index>(), 0..6_usize, pieces);
    (
        proptest::sample::select(&SEEDS[..]),
        proptest::collection::vec(edit, 1..12),
    )
        .prop_map(|(seed, edits)| {
            let mut chars: Vec<char> = seed.chars().collect();
            for (at, cut, piece) in edits {
                let at = at.index(chars.len() + 1);
                let end = (at + cut).min(chars.len());
                chars.splice(at..end, piece.chars());
            }
            chars.into_iter().collect()
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_it_panic(text in mutated(), width in 1..200_usize) {
        for dialect in [Dialect::Yaml, Dialect::Json] {
            let mut diags = Vec::new();
            let source = Source::new("a", text.as_str(), dialect);
            if let Some(document) = parse(source, &mut Vars::new(&lookup), &mut diags) {
                walk(&document, &mut diags);
                if let Some(root) = document.root() {
                    Cx::new(&mut diags).value(root);
                }
            }
            diagnostic::sort(&mut diags);
            for diagnostic in &diags {
                prop_assert!(!diagnostic.message.is_empty());
                prop_assert!(diagnostic.place.is_some(), "{diagnostic:?}");
            }
            let shown = render(&diags, Style::Plain, width);
            prop_assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
        }
    }

    #[test]
    fn a_quoted_text_is_that_text(text in "[ -~\t\n\r\u{1b}\u{85}\u{2028}\u{feff}é😀'\"\\\\:#-]{0,20}") {
        let quoted = syntax::quote(&text);
        let (read, diags) = ask(&format!("k: {quoted}\n"), |cx, node| cx.string(node).map(str::to_owned));
        prop_assert_eq!(read.as_deref(), Some(text.as_str()));
        prop_assert!(diags.is_empty());
    }

    #[test]
    fn no_bytes_make_it_panic(seed in 0..SEEDS.len(), edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        let mut bytes = SEEDS[seed].as_bytes().to_vec();
        for (at, byte) in edits {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let mut diags = Vec::new();
        match Source::decode("a", bytes, Dialect::Yaml) {
            Ok(source) => drop(parse(source, &mut Vars::new(&lookup), &mut diags)),
            Err(diagnostic) => diags.push(*diagnostic),
        }
        render(&diags, Style::Colour, 80);
    }
}
