//! Typical mistakes, as a person sees them.

#![expect(
    clippy::needless_raw_string_hashes,
    reason = "expect-test writes them when it blesses"
)]

use expect_test::{Expect, expect};

use super::seen;

pub(super) fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&seen(text));
}

#[test]
fn an_unknown_key() {
    check(
        r#"name: t
test_cases:
  - name: convfinqa-0
    turns:
      - input: hi
        expected_tool: [lookup]
"#,
        &expect![[r#"
            error: unknown key `expected_tool`
             --> agent.yaml:6:9
                 test case `convfinqa-0`: turns[0].expected_tool
              |
            6 |         expected_tool: [lookup]
              |         ^^^^^^^^^^^^^
              = help: did you mean `expected_tools`?

            1 error
        "#]],
    );
}

#[test]
fn a_key_set_twice() {
    check(
        r#"name: t
test_cases:
  - name: a
    turns:
      - input: hi
        ground_truth: "5"
        ground_truth: "6"
"#,
        &expect![[r#"
            error: the key `ground_truth` is set twice
             --> agent.yaml:7:9
                 test case `a`: turns[0].ground_truth
              |
            6 |         ground_truth: "5"
              |         ------------ first set here
            7 |         ground_truth: "6"
              |         ^^^^^^^^^^^^

            1 error
        "#]],
    );
}

#[test]
fn a_key_set_twice_far_away() {
    check(
        r#"name: t
model: m
test_cases: []
name: u
"#,
        &expect![[r#"
            error: the key `name` is set twice
             --> agent.yaml:4:1
                 name
              |
            1 | name: t
              | ---- first set here
            ...
            4 | name: u
              | ^^^^

            1 error
        "#]],
    );
}

#[test]
fn a_number_where_a_string_belongs() {
    check(
        r#"test_cases:
  - turns:
      - input: 2009
        ground_truth: 206588
"#,
        &expect![[r#"
            error: expected a string, got the number 2009
             --> agent.yaml:3:16
                 test_cases[0].turns[0].input
              |
            3 |       - input: 2009
              |                ^^^^
              = help: quote it: "2009"

            error: expected a string, got the number 206588
             --> agent.yaml:4:23
                 test_cases[0].turns[0].ground_truth
              |
            4 |         ground_truth: 206588
              |                       ^^^^^^
              = help: quote it: "206588"

            2 errors
        "#]],
    );
}

#[test]
fn scalars_that_readers_disagree_on() {
    check(
        r#"test_cases:
  - name: yes
    turns:
      - {input: a, args: {a: 1e5, b: 012, c: 2009-12-31, d: on}, tolerance: 1_000}
"#,
        &expect![[r#"
            error: plain `yes` is the boolean true to YAML 1.1 readers and the string "yes"
                   to YAML 1.2 readers
             --> agent.yaml:2:11
                 test case `yes`: name
              |
            2 |   - name: yes
              |           ^^^
              = help: quote it: "yes"

            error: plain `1e5` is the string "1e5" to YAML 1.1 readers and the number
                   100000.0 to YAML 1.2 readers
             --> agent.yaml:4:30
                 test case `yes`: turns[0].args.a
              |
            4 | - {input: a, args: {a: 1e5, b: 012, c: 2009-12-31, d: on}, tolerance: 1_000}
              |                        ^^^
              = help: write "1e5" for the string or 100000.0 for the number

            error: plain `012` is the number 10 to YAML 1.1 readers and the number 12 to
                   YAML 1.2 readers
             --> agent.yaml:4:38
                 test case `yes`: turns[0].args.b
              |
            4 | - {input: a, args: {a: 1e5, b: 012, c: 2009-12-31, d: on}, tolerance: 1_000}
              |                                ^^^
              = help: write "012" for the string, 10 or 12 for the number

            error: plain `2009-12-31` is a date to YAML 1.1 readers and the string
                   "2009-12-31" to YAML 1.2 readers
             --> agent.yaml:4:46
                 test case `yes`: turns[0].args.c
              |
            4 | - {input: a, args: {a: 1e5, b: 012, c: 2009-12-31, d: on}, tolerance: 1_000}
              |                                        ^^^^^^^^^^
              = help: quote it: "2009-12-31"

            error: plain `on` is the boolean true to YAML 1.1 readers and the string "on" to
                   YAML 1.2 readers
             --> agent.yaml:4:61
                 test case `yes`: turns[0].args.d
              |
            4 | - {input: a, args: {a: 1e5, b: 012, c: 2009-12-31, d: on}, tolerance: 1_000}
              |                                                       ^^
              = help: write "on" for the string or true for the boolean

            error: plain `1_000` is the number 1000 to YAML 1.1 readers and the string
                   "1_000" to YAML 1.2 readers
             --> agent.yaml:4:77
                 test case `yes`: turns[0].tolerance
              |
            4 | - {input: a, args: {a: 1e5, b: 012, c: 2009-12-31, d: on}, tolerance: 1_000}
              |                                                                       ^^^^^
              = help: write 1000

            6 errors
        "#]],
    );
}

#[test]
fn keys_that_are_not_strings() {
    check(
        r#"test_cases:
  - name: a
    turns:
      - args: {on: 1, 1: 2, 1.0: 3, true: 4}
"#,
        &expect![[r#"
            error: the key `on` is the boolean true to YAML 1.1 readers and the string "on"
                   to YAML 1.2 readers
             --> agent.yaml:4:16
                 test case `a`: turns[0].args
              |
            4 |       - args: {on: 1, 1: 2, 1.0: 3, true: 4}
              |                ^^
              = help: quote the key: "on":

            error: the key `1` is the number 1, not a string
             --> agent.yaml:4:23
                 test case `a`: turns[0].args
              |
            4 |       - args: {on: 1, 1: 2, 1.0: 3, true: 4}
              |                -- one key with this to Python
              |                       ^
              = help: quote the key: "1":

            error: the key `1.0` is the number 1.0, not a string
             --> agent.yaml:4:29
                 test case `a`: turns[0].args
              |
            4 |       - args: {on: 1, 1: 2, 1.0: 3, true: 4}
              |                -- one key with this to Python
              |                             ^^^
              = help: quote the key: "1.0":

            error: the key `true` is the boolean true, not a string
             --> agent.yaml:4:37
                 test case `a`: turns[0].args
              |
            4 |       - args: {on: 1, 1: 2, 1.0: 3, true: 4}
              |                -- one key with this to Python
              |                                     ^^^^
              = help: quote the key: "true":

            4 errors
        "#]],
    );
}

#[test]
fn an_unset_variable() {
    check(
        r#"test_cases:
  - name: a
    turns:
      - input: "${NOPE} please"
"#,
        &expect![[r#"
            error: the environment variable `NOPE` is not set
                   (`test_cases[0].turns[0].input` needs it)
             --> agent.yaml:4:17
                 test case `a`
              |
            4 |       - input: "${NOPE} please"
              |                 ^^^^^^^
              = help: set it, or write `$${NOPE}` for the text itself

            1 error
        "#]],
    );
}

#[test]
fn an_alias_of_itself() {
    check(
        r#"name: t
test_cases: &x
  - *x
"#,
        &expect![[r#"
            error: `*x` stands inside the value that it names
             --> agent.yaml:3:5
              |
            3 |   - *x
              |   - the value starts here
              |     ^^
              = help: write the value out where the alias stands

            1 error
        "#]],
    );
}

#[test]
fn an_alias_without_anchor() {
    check(
        r#"name: *nobody
"#,
        &expect![[r#"
            error: `*nobody` names no anchor before it
             --> agent.yaml:1:7
              |
            1 | name: *nobody
              |       ^^^^^^^
              = help: define `&nobody` before it, or quote it if it is text

            1 error
        "#]],
    );
}

#[test]
fn a_mistake_behind_an_alias() {
    check(
        r#"defaults: &d 5
test_cases:
  - name: a
    turns:
      - input: *d
"#,
        &expect![[r#"
            error: expected a string, got the number 5
             --> agent.yaml:5:16
                 test case `a`: turns[0].input
              |
            1 | defaults: &d 5
              |              - the alias stands for this
            ...
            5 |       - input: *d
              |                ^^
              = help: quote it: "5"

            1 error
        "#]],
    );
}

#[test]
fn a_value_of_a_variable() {
    check(
        r#"test_cases:
  - name: a
    turns:
      - input: ${EMPTY}
        tolerance: ${SECRET}
        args: [ "${SECRET}" , yes]
"#,
        &expect![[r#"
            error: must not be blank, and the value of `${EMPTY}` is
             --> agent.yaml:4:16
                 test case `a`: turns[0].input
              |
            4 |       - input: ${EMPTY}
              |                ^^^^^^^^

            error: expected a number, got the value of `${SECRET}`
             --> agent.yaml:5:20
                 test case `a`: turns[0].tolerance
              |
            5 |         tolerance: ${SECRET}
              |                    ^^^^^^^^^

            error: plain `yes` is the boolean true to YAML 1.1 readers and the string "yes"
                   to YAML 1.2 readers
             --> agent.yaml:6:31
                 test case `a`: turns[0].args[1]
              |
            6 |         args: [ "${SECRET}" , yes]
              |                               ^^^
              = help: write "yes" for the string or true for the boolean

            3 errors
        "#]],
    );
}

#[test]
fn a_very_long_line() {
    check(
        r#"test_cases:
  - name: a
    turns: [{input: "lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum ", count: 1.0, tolerance: wide, note: "dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor dolor "}]
"#,
        &expect![[r#"
            error: expected an integer, got `1.0`
             --> agent.yaml:3:392
                 test case `a`: turns[0].count
              |
            3 | …m lorem ipsum ", count: 1.0, tolerance: wide, note: "dolor dolor dolor dol…
              |                          ^^^
              = help: write 1

            error: expected a number, got the string `wide`
             --> agent.yaml:3:408
                 test case `a`: turns[0].tolerance
              |
            3 | … count: 1.0, tolerance: wide, note: "dolor dolor dolor dolor dolor dolor d…
              |                          ^^^^

            error: unknown key `note`
             --> agent.yaml:3:414
                 test case `a`: turns[0].note
              |
            3 | …: 1.0, tolerance: wide, note: "dolor dolor dolor dolor dolor dolor dolor d…
              |                          ^^^^

            3 errors
        "#]],
    );
}

#[test]
fn wide_and_hostile_characters() {
    check(
        r#"test_cases:
  - name: "\e[31mred\nname"
    turns:
      - {input: "日本語のテキスト", count: true, "\e]0;x\a": 1}
"#,
        &expect![[r#"
            error: expected an integer, got the boolean true
             --> agent.yaml:4:36
                 test case `␛[31mred␊name`: turns[0].count
              |
            4 |       - {input: "日本語のテキスト", count: true, "\e]0;x\a": 1}
              |                                            ^^^^

            error: unknown key `␛]0;x␇`
             --> agent.yaml:4:42
                 test case `␛[31mred␊name`: turns[0]["\u001b]0;x\u0007"]
              |
            4 |       - {input: "日本語のテキスト", count: true, "\e]0;x\a": 1}
              |                                                  ^^^^^^^^^^

            2 errors
        "#]],
    );
}

#[test]
fn null_and_shapes() {
    check(
        r#"test_cases:
  - name:
    turns: {}
  - turns: [x, [], {count: "1", enabled: maybe, tolerance: .inf}]
"#,
        &expect![[r#"
            error: expected a string, got nothing
             --> agent.yaml:2:9
                 test_cases[0].name
              |
            2 |   - name:
              |         ^

            error: expected a list, got a mapping
             --> agent.yaml:3:12
                 test_cases[0].turns
              |
            3 |     turns: {}
              |            ^^

            error: expected a mapping, got the string `x`
             --> agent.yaml:4:13
                 test_cases[1].turns[0]
              |
            4 |   - turns: [x, [], {count: "1", enabled: maybe, tolerance: .inf}]
              |             ^

            error: expected a mapping, got a list
             --> agent.yaml:4:16
                 test_cases[1].turns[1]
              |
            4 |   - turns: [x, [], {count: "1", enabled: maybe, tolerance: .inf}]
              |                ^^

            error: expected an integer, got the string `1`
             --> agent.yaml:4:28
                 test_cases[1].turns[2].count
              |
            4 |   - turns: [x, [], {count: "1", enabled: maybe, tolerance: .inf}]
              |                            ^^^
              = help: write 1 without quotes

            error: expected a boolean, got the string `maybe`
             --> agent.yaml:4:42
                 test_cases[1].turns[2].enabled
              |
            4 |   - turns: [x, [], {count: "1", enabled: maybe, tolerance: .inf}]
              |                                          ^^^^^
              = help: write `true` or `false`

            error: expected a finite number, got `.inf`
             --> agent.yaml:4:60
                 test_cases[1].turns[2].tolerance
              |
            4 |   - turns: [x, [], {count: "1", enabled: maybe, tolerance: .inf}]
              |                                                            ^^^^

            7 errors
        "#]],
    );
}

#[test]
fn what_json_lacks() {
    check(
        r#"test_cases:
  - turns:
      - args: {a: .nan, b: -.inf, c: {1: 2}}
"#,
        &expect![[r#"
            error: the number NaN is no JSON value, so nothing can ever equal it
             --> agent.yaml:3:19
                 test_cases[0].turns[0].args.a
              |
            3 |       - args: {a: .nan, b: -.inf, c: {1: 2}}
              |                   ^^^^
              = help: quote it: ".nan"

            error: the number -Infinity is no JSON value, so nothing can ever equal it
             --> agent.yaml:3:28
                 test_cases[0].turns[0].args.b
              |
            3 |       - args: {a: .nan, b: -.inf, c: {1: 2}}
              |                            ^^^^^
              = help: quote it: "-.inf"

            error: the key `1` is the number 1, not a string
             --> agent.yaml:3:39
                 test_cases[0].turns[0].args.c
              |
            3 |       - args: {a: .nan, b: -.inf, c: {1: 2}}
              |                                       ^
              = help: quote the key: "1":

            3 errors
        "#]],
    );
}

#[test]
fn merge_mistakes() {
    check(
        r#"defaults: &d {input: x}
test_cases:
  - turns:
      - {<<: *d, <<: *d}
      - {<<: 5}
"#,
        &expect![[r#"
            error: the key `<<` is set twice
             --> agent.yaml:4:18
                 test_cases[0].turns[0]
              |
            4 |       - {<<: *d, <<: *d}
              |          -- first set here
              |                  ^^
              = help: write one `<<` with a list: `<<: [*a, *b]`

            error: `<<` takes a mapping or a list of mappings, got an integer
             --> agent.yaml:5:14
                 test_cases[0].turns[1]
              |
            5 |       - {<<: 5}
              |              ^

            2 errors
        "#]],
    );
}
