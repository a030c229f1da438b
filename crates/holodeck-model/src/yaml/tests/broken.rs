//! What is said where YAML itself ends.

#![expect(
    clippy::needless_raw_string_hashes,
    reason = "expect-test writes them when it blesses"
)]

use expect_test::expect;

use super::gallery::check;

#[test]
fn an_unquoted_variable() {
    check(
        r#"name: t
model: {provider: openai, name: ${MODEL}}
"#,
        &expect![[r#"
            error: expected `,` or `}` here
             --> agent.yaml:2:34
              |
            2 | model: {provider: openai, name: ${MODEL}}
              |                                  ^
              = help: quote the variable inside `{}` or `[]`: "${MODEL}"

            1 error
        "#]],
    );
}

#[test]
fn a_tab() {
    check(
        "test_cases:\n\t- name: a\n",
        &expect![[r#"
            error: a tab is used for indentation
             --> agent.yaml:2:1
              |
            2 | →- name: a
              | ^
              = help: use spaces: YAML does not allow tabs there

            1 error
        "#]],
    );
}

#[test]
fn an_unclosed_bracket() {
    check(
        r#"name: t
test_cases: [{name: a}, {name: b}
"#,
        &expect![[r#"
            error: the `[` here is never closed
             --> agent.yaml:2:13
              |
            2 | test_cases: [{name: a}, {name: b}
              |             ^
              = help: close it with `]`

            1 error
        "#]],
    );
}

#[test]
fn a_colon_in_a_text() {
    check(
        r#"test_cases:
  - name: a
    turns:
      - input: what about this: is it fine
"#,
        &expect![[r#"
            error: a `:` is not allowed here
             --> agent.yaml:4:31
              |
            4 |       - input: what about this: is it fine
              |                               ^
              = help: quote a value that contains `: `: "what about this: is it fine"

            1 error
        "#]],
    );
}

#[test]
fn a_regex_in_double_quotes() {
    check(
        r#"test_cases:
  - turns:
      - args: {a: {regex: "^\d+$"}}
"#,
        &expect![[r#"
            error: `\d` is no escape that YAML knows in double quotes
             --> agent.yaml:3:29
              |
            3 |       - args: {a: {regex: "^\d+$"}}
              |                             ^^
              = help: put the string into single quotes, where a backslash is just a
                      backslash, or double each `\`

            1 error
        "#]],
    );
}

#[test]
fn a_quote_within_quotes() {
    check(
        r#"test_cases:
  - turns:
      - input: "he said "hi" to me"
"#,
        &expect![[r#"
            error: text follows the closing `"` of a string
             --> agent.yaml:3:26
              |
            3 |       - input: "he said "hi" to me"
              |                          ^
              = help: write `\"` for a quote inside the string, or put the whole into single
                      quotes

            1 error
        "#]],
    );
}

#[test]
fn a_wrong_indentation() {
    check(
        r#"test_cases:
  - name: a
   turns: []
"#,
        &expect![[r#"
            error: expected `- ` here, or the end of the list
             --> agent.yaml:3:4
              |
            3 |    turns: []
              |    ^
              = help: indent it exactly as the keys or items that it belongs to

            1 error
        "#]],
    );
}

#[test]
fn a_foreign_tag() {
    check(
        r#"test_cases:
  - name: !!python/object/apply:os.getcwd []
"#,
        &expect![[r#"
            error: the tag `!!python/object/apply:os.getcwd` is not supported
             --> agent.yaml:2:11
              |
            2 |   - name: !!python/object/apply:os.getcwd []
              |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              = help: remove the tag; only `!!str`, `!!int`, `!!float`, `!!bool`, `!!null`,
                      `!!seq` and `!!map` work here

            1 error
        "#]],
    );
}

#[test]
fn two_documents() {
    check(
        r#"name: a
---
name: b
"#,
        &expect![[r#"
            error: a second document starts here; one file holds one document
             --> agent.yaml:2:1
              |
            2 | ---
              | ^^^
              = help: remove the `---` or `...`, or put the second document into a file of
                      its own

            1 error
        "#]],
    );
}

#[test]
fn at_sign() {
    check(
        r#"name: @me
"#,
        &expect![[r#"
            error: a plain value can't start with `@`
             --> agent.yaml:1:7
              |
            1 | name: @me
              |       ^
              = help: quote it: "@me"

            1 error
        "#]],
    );
}

#[test]
fn an_unquoted_variable_on_a_line_of_its_own() {
    check(
        "model: {\n  name: ${MODEL}\n}\n",
        &expect![[r#"
        error: expected `,` or `}` here
         --> agent.yaml:2:10
          |
        2 |   name: ${MODEL}
          |          ^
          = help: quote the variable inside `{}` or `[]`: "${MODEL}"

        1 error
    "#]],
    );
}

#[test]
fn a_list_in_the_line_of_its_key() {
    check(
        "test_cases: - name: a\n",
        &expect![[r#"
        error: a list can't start here
         --> agent.yaml:1:13
          |
        1 | test_cases: - name: a
          |             ^
          = help: start the list on a line of its own, or quote the value if the `-` is
                  part of it

        1 error
    "#]],
    );
}

#[test]
fn a_key_without_colon() {
    check(
        "name: t\nmodel\n",
        &expect![[r#"
        error: a `:` is missing after this key
         --> agent.yaml:2:1
          |
        2 | model
          | ^
          = help: write `key: value`; if this continues the value above, indent it
                  further or quote the value

        1 error
    "#]],
    );
}

#[test]
fn a_string_that_is_never_closed() {
    check(
        "name: \"t\nmodel: x\n",
        &expect![[r#"
        error: the string that starts here is never closed
         --> agent.yaml:1:7
          |
        1 | name: "t
          |       ^
          = help: close it with the quote that it starts with

        1 error
    "#]],
    );
}

#[test]
fn a_bracket_too_many() {
    check(
        "test_cases: [a]]\n",
        &expect![[r#"
        error: nothing is open that this could close
         --> agent.yaml:1:16
          |
        1 | test_cases: [a]]
          |                ^
          = help: remove it, or quote the value that it is part of

        1 error
    "#]],
    );
}

#[test]
fn a_brace_closed_by_a_bracket() {
    check(
        "test_cases: [{a: 1]\n",
        &expect![[r#"
            error: the `{` here is closed by `]`
             --> agent.yaml:1:14
              |
            1 | test_cases: [{a: 1]
              |              ^
              = help: close it with `}`

            1 error
        "#]],
    );
}

#[test]
fn a_text_that_goes_on_with_a_colon() {
    check(
        "name: some text\n  that: goes on\n",
        &expect![[r#"
        error: a `:` is not allowed here
         --> agent.yaml:2:7
          |
        2 |   that: goes on
          |       ^
          = help: this line is read as part of the value above: check the indentation

        1 error
    "#]],
    );
}

#[test]
fn a_comma_too_many() {
    check(
        "test_cases: [a, , b]\n",
        &expect![[r#"
        error: a value is missing before this
         --> agent.yaml:1:17
          |
        1 | test_cases: [a, , b]
          |                 ^
          = help: remove the comma that is too many

        1 error
    "#]],
    );
}

#[test]
fn values_that_start_with_an_indicator() {
    check(
        "name: * all of it\n",
        &expect![[r#"
            error: a plain value can't start with `*`
             --> agent.yaml:1:7
              |
            1 | name: * all of it
              |       ^
              = help: quote it: "* all of it"

            1 error
        "#]],
    );
    check(
        "name: >90%\n",
        &expect![[r#"
            error: a plain value can't start with `>`
             --> agent.yaml:1:7
              |
            1 | name: >90%
              |       ^
              = help: quote it: ">90%"

            1 error
        "#]],
    );
}

#[test]
fn a_key_that_lacks_its_blank() {
    check(
        "\"name\":a\n",
        &expect![[r#"
        error: the file's value has ended before this
         --> agent.yaml:1:7
          |
        1 | "name":a
          |       ^
          = help: put a space after the `:` of a key, and all keys at the same
                  indentation

        1 error
    "#]],
    );
}
