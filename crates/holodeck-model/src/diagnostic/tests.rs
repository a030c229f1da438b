//! Order, text and JSON of diagnostics that do not come from one file.

#![expect(
    clippy::needless_raw_string_hashes,
    reason = "expect-test writes them when it blesses"
)]

use expect_test::expect;

use super::*;

fn place(file: &str, line: u32, column: u32, width: u32, excerpt: &str) -> Place {
    Place {
        file: file.to_owned(),
        line,
        column,
        width,
        excerpt: excerpt.to_owned(),
        column_in_excerpt: column,
    }
}

fn error(message: &str, place: Option<Place>) -> Diagnostic {
    Diagnostic {
        place,
        ..Diagnostic::error("some-code", message)
    }
}

#[test]
fn they_come_in_file_order() {
    let mut diags = vec![
        error("4", Some(place("b.yaml", 1, 1, 1, "x"))),
        error("1", None),
        error("3", Some(place("b.yaml", 1, 1, 1, "x"))),
        error("6", Some(place("a.yaml", 10, 2, 1, " x"))),
        error("5", Some(place("a.yaml", 9, 7, 1, "      x"))),
        error("2", None),
    ];
    sort(&mut diags);
    let order: Vec<&str> = diags.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(order, ["1", "2", "4", "3", "5", "6"]);
}

#[test]
fn a_related_place_in_another_file_is_shown_with_its_name() {
    let mut diagnostic = error(
        "both files set the same tool, whose name is far too long to fit into a narrow window",
        Some(place("agent.yaml", 120, 5, 3, "    日本語: x")),
    );
    diagnostic.case = Some("convfinqa-0".to_owned());
    diagnostic.path = "test_cases[12].turns[3].files[0]".to_owned();
    diagnostic.hint =
        Some("remove it from one of them, or give it another name in both of them".to_owned());
    let there = place("cases/more.yaml", 7, 3, 4, "  tool: x");
    diagnostic.related.push((there, "the other one".to_owned()));
    let warning = Diagnostic {
        severity: Severity::Warning,
        ..error("no file at all\r\n\u{1b}[2J", None)
    };
    let text = render(&[diagnostic, warning], Style::Plain, 50);
    expect![[r#"
        error: both files set the same tool, whose name is
               far too long to fit into a narrow window
           --> agent.yaml:120:5
               test case `convfinqa-0`: turns[3].files[0]
            |
        120 |     日本語: x
            |     ^^^^^^
           ::: cases/more.yaml:7:3
            |
          7 |   tool: x
            |   ---- the other one
            = help: remove it from one of them, or give it
                    another name in both of them

        warning: no file at all␍␊␛[2J

        1 error, 1 warning
    "#]]
    .assert_eq(&text);
}

#[test]
fn colour_changes_nothing_but_colour() {
    let mut diagnostic = error("a mistake", Some(place("a.yaml", 3, 1, 2, "ab: c")));
    diagnostic.hint = Some("mend it".to_owned());
    let plain = render(std::slice::from_ref(&diagnostic), Style::Plain, 80);
    let coloured = render(&[diagnostic], Style::Colour, 80);
    let mut stripped = String::new();
    for (i, part) in coloured.split("\u{1b}[").enumerate() {
        stripped += if i == 0 {
            part
        } else {
            part.split_once('m').unwrap().1
        };
    }
    assert_eq!(stripped, plain);
    assert!(coloured.starts_with("\u{1b}[1;31merror:"), "{coloured:?}");
}

#[test]
fn json_is_one_line_with_every_field() {
    let mut diagnostic = error("a \"mistake\"", Some(place("a.yaml", 3, 1, 2, "ab: c")));
    diagnostic.path = "a[0]".to_owned();
    let json = to_json(&[diagnostic, error("another", None)]);
    expect![[r#"{"diagnostics":[{"severity":"error","code":"some-code","case":null,"path":"a[0]","file":"a.yaml","line":3,"column":1,"message":"a \"mistake\"","hint":null},{"severity":"error","code":"some-code","case":null,"path":"","file":null,"line":null,"column":null,"message":"another","hint":null}]}"#]]
    .assert_eq(&json);
    assert_eq!(to_json(&[]), r#"{"diagnostics":[]}"#);
    assert_eq!(render(&[], Style::Plain, 80), "");
}

#[test]
fn a_spot_at_the_end_of_a_long_line_is_in_view() {
    let line = "x".repeat(300) + "!";
    let text = render(
        &[error("here", Some(place("a", 1, 301, 1, &line)))],
        Style::Plain,
        60,
    );
    let lines: Vec<&str> = text.lines().collect();
    let source = lines[3].chars().collect::<Vec<_>>();
    let caret = lines[4].find('^').unwrap();
    assert_eq!(source[caret], '!');
    assert!(source.len() <= 60);
}
