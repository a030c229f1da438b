//! What fields take and refuse (rule L8).

use super::*;

type Ask<T> = fn(&mut Cx<'_>, Node<'_>) -> Option<T>;

fn answers<T: std::fmt::Debug>(ask_for: Ask<T>, scalars: &[&str]) -> Vec<String> {
    scalars
        .iter()
        .map(|scalar| {
            let (answer, diags) = ask(&format!("k: {scalar}\n"), ask_for);
            match (answer, diags.as_slice()) {
                (Some(answer), []) => format!("{scalar} -> {answer:?}"),
                (None, [diagnostic]) => format!("{scalar} !! {}", diagnostic.message),
                (answer, diags) => panic!("{scalar}: {answer:?} with {diags:?}"),
            }
        })
        .collect()
}

fn taken<T: std::fmt::Debug>(ask_for: Ask<T>, scalars: &[&str]) -> Vec<String> {
    let answers = answers(ask_for, scalars);
    let refused: Vec<&String> = answers.iter().filter(|a| a.contains(" !! ")).collect();
    assert_eq!(refused, [""; 0]);
    answers
        .into_iter()
        .filter_map(|a| a.split_once(" -> ").map(|(_, answer)| answer.to_owned()))
        .collect()
}

fn all_refused<T: std::fmt::Debug>(ask_for: Ask<T>, scalars: &[&str]) {
    for answer in answers(ask_for, scalars) {
        assert!(answer.contains(" !! "), "{answer}");
    }
}

const fn string() -> Ask<String> {
    |cx, node| cx.string(node).map(str::to_owned)
}

fn numeral(number: Option<holodeck_value::Number>) -> Option<String> {
    number.map(|number| number.lexeme().to_owned())
}

#[test]
fn booleans_take_every_old_spelling() {
    let boolean: Ask<bool> = |cx, node| cx.boolean(node);
    let yes = taken(
        boolean,
        &[
            "yes",
            "on",
            "True",
            "1",
            "\"true\"",
            "'YES'",
            "y",
            "!!bool on",
            "${YES}",
        ],
    );
    assert!(yes.iter().all(|b| b == "true"), "{yes:?}");
    let no = taken(boolean, &["no", "off", "FALSE", "0", "'0'", "n"]);
    assert!(no.iter().all(|b| b == "false"), "{no:?}");
    all_refused(
        boolean,
        &["maybe", "2", "1.0", "~", "", "[]", "\"\"", "${FIVE}"],
    );
}

#[test]
fn numbers_are_taken_as_written_and_never_guessed() {
    let number: Ask<String> = |cx, node| numeral(cx.number(node));
    let scalars = [
        "5",
        "+5",
        "-0.0",
        "1e-6",
        "\"0.01\"",
        "' 7 '",
        ".5",
        "5.",
        "1e5",
        "-.5",
        "0x1F",
        "!!float 1",
        "!!int \"5\"",
        "${BLANKS}",
        "123456789012345678901234567890",
        "1.10e+400",
        "07.50",
    ];
    let numerals = [
        "5",
        "5",
        "-0.0",
        "1e-6",
        "0.01",
        "7",
        "0.5",
        "5.0",
        "1e5",
        "-0.5",
        "31",
        "1.0",
        "5",
        "5",
        "123456789012345678901234567890",
        "1.10e+400",
        "7.50",
    ];
    let expected: Vec<String> = numerals
        .iter()
        .map(|numeral| format!("{numeral:?}"))
        .collect();
    assert_eq!(taken(number, &scalars), expected);
    all_refused(
        number,
        &[
            "012",
            "1_000",
            "\"012\"",
            "08",
            "0o17",
            "0b11",
            "1:30",
            "1:30.5",
            ".nan",
            ".inf",
            "true",
            "~",
            "small",
            "2009-01-01",
            "1,000",
            "{}",
            "${SECRET}",
            "!!int 012",
        ],
    );
}

#[test]
fn integers_have_no_fraction() {
    let integer: Ask<String> = |cx, node| numeral(cx.integer(node));
    assert_eq!(
        taken(integer, &["5", "-3", "\"5\"", "${FIVE}"]),
        ["\"5\"", "\"-3\"", "\"5\"", "\"5\""]
    );
    all_refused(integer, &["1.0", "1e3", "012", "true", "five", "''"]);
    let plain: Ask<String> = |cx, node| numeral(cx.plain_integer(node));
    assert_eq!(taken(plain, &["5", "${FIVE}"]), ["\"5\"", "\"5\""]);
    all_refused(plain, &["\"5\"", "1.0", "true", "~"]);
}

#[test]
fn strings_are_strings_to_every_reader() {
    let scalars = [
        "a",
        "'yes'",
        "\"5\"",
        "!!str 5",
        "!!str yes",
        "y",
        "14.1%",
        "206,588",
        "NaN",
        "${A}",
        "${FIVE}",
        "${YES}",
        "'${FIVE}'",
        "${EMPTY}",
        "${COLON}",
        "\"\"",
        "! a",
    ];
    let texts = [
        "a", "yes", "5", "5", "yes", "y", "14.1%", "206,588", "NaN", "x", "5", "yes", "5", "",
        "a: b # c", "", "a",
    ];
    let expected: Vec<String> = texts.iter().map(|text| format!("{text:?}")).collect();
    assert_eq!(taken(string(), &scalars), expected);
    all_refused(
        string(),
        &[
            "yes",
            "on",
            "5",
            "1.5",
            "true",
            "~",
            "null",
            "",
            "012",
            "1_000",
            "1:30",
            "1e5",
            "-.5",
            "2009-12-31",
            "=",
            "<<",
            "0o17",
            "09",
            ".nan",
            "[]",
            "{}",
            "! 5",
            "! '5'",
        ],
    );
}

#[test]
fn free_form_values_are_the_same_to_every_reader() {
    let value: Ask<String> = |cx, node| cx.value(node).map(|value| value.to_json());
    let scalars = [
        "1",
        "1.50",
        "a",
        "true",
        "~",
        "0x1F",
        "+5",
        ".5",
        "${FIVE}",
        "'${FIVE}'",
        "\"${EMPTY}\"",
        "[1, {a: b}]",
        "1.5e+3",
    ];
    let json = [
        "1",
        "1.50",
        "\"a\"",
        "true",
        "null",
        "31",
        "5",
        "0.5",
        "5",
        "\"5\"",
        "\"\"",
        "[1,{\"a\":\"b\"}]",
        "1.5e+3",
    ];
    let expected: Vec<String> = json.iter().map(|json| format!("{json:?}")).collect();
    assert_eq!(taken(value, &scalars), expected);
    all_refused(
        value,
        &[
            "yes",
            "012",
            "1_000",
            "1:30",
            "1e5",
            "-.5",
            "2009-12-31",
            ".nan",
            ".inf",
            "[a, [on]]",
            "{1: a}",
            "{on: a}",
            "{? [a] : b}",
            "=",
            "<<",
            "${YES}",
        ],
    );
}

#[test]
fn what_a_variable_gave_is_never_shown() {
    let text = "k:\n- ${SECRET}\n- ${PIN}\n- '${SECRET}'\n";
    let ((), diags) = ask(text, |cx, node| {
        let items = cx.list(node).unwrap();
        cx.number(items[0]);
        cx.boolean(items[0]);
        cx.mapping(items[0]);
        cx.integer(items[1]);
        cx.value(items[1]);
        cx.list(items[2]);
    });
    assert_eq!(diags.len(), 6);
    let shown = render(&diags, Style::Plain, 80) + &diagnostic::to_json(&diags);
    let secret = shown.contains("hunter2") || shown.contains("012345") || shown.contains("5349");
    assert!(!secret, "{shown}");
    assert!(shown.contains("`${SECRET}`"));
}

#[test]
fn what_a_variable_gave_is_never_null() {
    let (kinds, _) = ask(
        "k:\n- ${EMPTY}\n- ${NULL}\n- '${EMPTY}'\n- null\n",
        |cx, node| {
            let items = cx.list(node).unwrap();
            items.into_iter().map(Node::kind).collect::<Vec<_>>()
        },
    );
    let nulls: Vec<bool> = kinds.iter().map(|kind| *kind == NodeKind::Null).collect();
    assert_eq!(nulls, [false, false, false, true]);
}

#[test]
fn a_variable_remembers_its_name() {
    let ((), _) = ask("k: [\"${A}-${FIVE}\", '$${A}', plain]\n", |cx, node| {
        let items = cx.list(node).unwrap();
        assert_eq!(items[0].variables(), ["A", "FIVE"]);
        assert_eq!(items[0].text(), Some("x-5"));
        assert!(items[0].from_variable() && !items[1].from_variable());
        assert_eq!(items[1].text(), Some("${A}"));
    });
}

#[test]
fn a_tag_that_does_not_fit_is_refused_at_once() {
    for scalar in [
        "!!int abc",
        "!!float x",
        "!!bool maybe",
        "!!null x",
        "!!str [a]",
        "!!map [a]",
        "!!seq a",
        "!!binary aGk=",
        "!!set {a}",
        "!!timestamp 2009-01-01",
        "!foo a",
    ] {
        let (document, diags) = load(&format!("k: {scalar}\n"));
        assert!(document.is_none(), "{scalar}");
        assert_eq!(
            (diags[0].code, diags[0].path.as_str()),
            ("bad-tag", "yaml"),
            "{scalar}"
        );
    }
}
