#![expect(
    clippy::needless_raw_string_hashes,
    reason = "snapshots are rewritten with them"
)]

use expect_test::{Expect, expect};
use holodeck_model::outcome::{CaseOutcome, TurnOutcome};
use holodeck_model::record::TurnEnd;
use holodeck_model::verdict::GraderOutput;
use proptest::prelude::*;

use super::wrap::columns;
use super::{Style, Verbosity};
use crate::sample::{self, TurnOutcomeExt as _, turn};

const PLAIN: Style = Style {
    colour: false,
    width: 80,
};

fn whole(cases: &[CaseOutcome], style: Style, verbosity: Verbosity) -> String {
    let mut out = Vec::new();
    let (header, summary) = (sample::header(), sample::summary(cases));
    let mut cases = cases.iter().cloned().map(Ok);
    super::write(&header, &summary, &mut cases, style, verbosity, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[track_caller]
fn check(case: &CaseOutcome, verbosity: Verbosity, expected: &Expect) {
    expected.assert_eq(&super::case(case, &sample::header(), PLAIN, verbosity));
}

#[test]
fn a_run_of_every_kind_of_case() {
    expect![[r#"
        financial-assistant: 5 cases, answered by scripted:replies.yaml

        PASS   chit-chat                                                 2 turns   600ms
        FAIL   convfinqa-0                                               3 turns   900ms
          ✗ turn 2 of 3
              input     what about in 2008?
              answer    The net cash from operating activities in 2008 was 181000, in
                        thousands of dollars.
              expected  181001
            ✗ numeric   expected 181001, got 181000: they differ by 1, more than
                        absolute_tolerance 0.000001
          ✗ turn 3 of 3
              input     what is the difference?
              called    mcp__calc__subtract(a=206588.0, b="181,000") -> "25588.0"
              answer    25587
              expected  25587
            ✗ tool      subtract(a=206588, b≈181001)
                        arg 'b' mismatch: expected fuzzy "181001", got "181,000"
                        (nearest is call 1, 'mcp__calc__subtract')
            ✗ tool      lookup
                        no call to 'lookup' found; calls made: mcp__calc__subtract
          run it alone: holodeck test agent.yaml --filter 'convfinqa-0'

        ERROR  convfinqa-1                                               4 turns   30.3s
          ✗ turn 2 of 4
              input  and in 2011?
            ✗ error  timeout: no answer within 30.0s
          - turns 3 to 4 of 4 skipped: the session is lost
          run it alone: holodeck test agent.yaml --filter 'convfinqa-1'

        ERROR  test_cases[3]                                              1 turn     0ms
          ✗ its session could not be opened: connection refused
          run it alone: holodeck test agent.yaml --filter '/^test_cases\[3\]$/'

        FAIL   it's <b>|`x`                                               1 turn   300ms
            input     # not a heading
                      ```
                      <script>
            answer    a\u{1b}[31mred
                      ````
                      | x |
            expected  </details>
          ✗ equality  expected "</details>"
          run it alone: holodeck test agent.yaml --filter 'it'\''s <b>|`x`'

        ────────────────────────────────────────────────────────────────────────────────
          cases            1 of  5 passed   2 failed, 2 in error
          turns            4 of 11 passed   3 failed, 3 skipped, 1 in error, 5 asserting
                                            nothing
          tool assertions  0 of  2 held
          numeric          3 of  4 passed   mean 0.833 over 2 cases
          equality         0 of  1 passed   mean 0 over 1 case
          time             12.3s   32.1s summed over the turns

        4 of 5 cases failed
    "#]]
    .assert_eq(&whole(&sample::cases(), PLAIN, Verbosity::Normal));
}

#[test]
fn quiet_is_the_summary_only() {
    expect![[r#"
        ────────────────────────────────────────────────────────────────────────────────
          cases  1 of 1 passed
          turns  2 of 2 passed   2 asserting nothing
          time   12.3s

        the case passed
    "#]]
    .assert_eq(&whole(&sample::cases()[..1], PLAIN, Verbosity::Quiet));
}

#[test]
fn verbose_shows_what_passed_too() {
    check(
        &sample::cases()[1],
        Verbosity::Verbose,
        &expect![[r#"
        FAIL   convfinqa-0                                               3 turns   900ms
          ✓ turn 1 of 3
              input     what is the net cash from operating activities in 2009?
              answer    206588
              expected  206588
            ✓ numeric   expected 206588, got 206588
          ✗ turn 2 of 3
              input     what about in 2008?
              answer    The net cash from operating activities in 2008 was 181000, in
                        thousands of dollars.
              expected  181001
            ✗ numeric   expected 181001, got 181000: they differ by 1, more than
                        absolute_tolerance 0.000001
          ✗ turn 3 of 3
              input     what is the difference?
              called    mcp__calc__subtract(a=206588.0, b="181,000") -> "25588.0"
              answer    25587
              expected  25587
            ✓ numeric   expected 25587, got 25587
            ✗ tool      subtract(a=206588, b≈181001)
                        arg 'b' mismatch: expected fuzzy "181001", got "181,000"
                        (nearest is call 1, 'mcp__calc__subtract')
            ✗ tool      lookup
                        no call to 'lookup' found; calls made: mcp__calc__subtract
          run it alone: holodeck test agent.yaml --filter 'convfinqa-0'

    "#]],
    );
    check(
        &sample::cases()[0],
        Verbosity::Verbose,
        &expect![[r#"
        PASS   chit-chat                                                 2 turns   600ms
          ✓ turn 1 of 2
              input   hi
              answer  Hello!
          ✓ turn 2 of 2
              input   who are you?
              answer  An assistant.

    "#]],
    );
}

#[test]
fn a_run_that_was_cut_short_says_so() {
    let mut summary = sample::summary(&sample::cases()[..1]);
    summary.n_selected = 3;
    expect![[r#"
        ────────────────────────────────────────────────────────────────────────────────
          cases  1 of 1 passed   2 not run
          turns  2 of 2 passed   2 asserting nothing
          time   12.3s

        1 case passed, 2 not run
    "#]]
    .assert_eq(&super::summary(&summary, PLAIN));
}

#[test]
fn colours_come_from_the_style_alone() {
    let style = Style {
        colour: true,
        ..PLAIN
    };
    let case = sample::single(0, "a", turn("q", "1").graded("numeric", 0.0, "2", "no"));
    expect![[r#"
        ^[1m^[31mFAIL   ^[0ma                                                       ^[2m   1 turn   300ms^[0m
            ^[2minput   ^[0m  q
            ^[2manswer  ^[0m  1
            ^[2mexpected^[0m  2
          ^[31m✗^[0m numeric   no
          ^[2mrun it alone:^[0m holodeck test agent.yaml --filter '/^a$/'

    "#]].assert_eq(
        &super::case(&case, &sample::header(), style, Verbosity::Normal).replace('\u{1b}', "^"),
    );
}

#[test]
fn scores_and_thresholds_and_errors_are_told() {
    let mut judged = turn("q", "").graded("a rather long metric name", 0.4, "2", "");
    let m = &mut judged.verdict.metrics[0];
    m.threshold = Some(0.7);
    m.reasoning = None;
    m.error = Some("the judge said \"maybe\"".to_owned());
    let message = "429 Too Many Requests\nRetry-After: 60".to_owned();
    let failed = TurnOutcome {
        record: sample::ended("", TurnEnd::BackendFailed { message }).record,
        ..turn("q", "")
    };
    check(
        &sample::case(0, "a", vec![judged, failed]),
        Verbosity::Normal,
        &expect![[r#"
            ERROR  a                                                         2 turns   300ms
              ✗ turn 1 of 2
                  input     q
                  answer    (empty)
                  expected  2
                ✗ a rather long metric name
                            score 0.4, threshold 0.7
                            the judge said "maybe"
              ✗ turn 2 of 2
                  input  q
                ✗ error  agent error: 429 Too Many Requests
                         Retry-After: 60
              run it alone: holodeck test agent.yaml --filter '/^a$/'

        "#]],
    );
}

#[test]
fn long_texts_and_many_calls_are_cut() {
    let mut long =
        turn(&"filing ".repeat(300), &"line\n".repeat(50)).graded("numeric", 0.0, "2", "no");
    for i in 0..9 {
        long = long.called(
            "f",
            &format!(r#"{{"i": {i}, "text": "{}"}}"#, "x".repeat(100)),
            "null",
        );
    }
    check(
        &sample::single(0, "a", long),
        Verbosity::Normal,
        &expect![[r#"
            FAIL   a                                                          1 turn   300ms
                input     filing filing filing filing filing filing filing filing filing
                          filing filing filing filing filing filing filing filing filing
                          filing filing filing filing filing filing filing filing filing
                          filing filing filing filing filing filing filing filing filing
                          filing filing filing filing filing filing filing filing filing
                          filing filing filing filing filing filing filing filing filing
                          [... 1575 characters left out ...]
                          filing filing filing filing filing filing filing filing filing
                          filing filing filing filing filing filing filing filing filing
                          filing filing filing
                called    1. f(i=0, text="xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…)
                          2. f(i=1, text="xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…)
                          3. f(i=2, text="xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…)
                          4. f(i=3, text="xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…)
                          5. f(i=4, text="xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…)
                          and 4 more calls
                answer    line
                          line
                          line
                          line
                          line
                          line
                          [... 205 characters left out ...]
                          line
                          line
                          line
                expected  2
              ✗ numeric   no
              run it alone: holodeck test agent.yaml --filter '/^a$/'

        "#]],
    );
}

#[test]
fn a_long_case_is_cut() {
    let turns = vec![turn("q", "1").graded("numeric", 0.0, "2", "no"); 1000];
    let text = super::case(
        &sample::case(0, "a", turns),
        &sample::header(),
        PLAIN,
        Verbosity::Normal,
    );
    assert!(text.contains("\n  980 more turns like these"), "{text}");
    assert!(text.lines().count() < 110, "{text}");
}

#[test]
fn what_a_grader_printed_is_told_to_those_who_ask_for_more() {
    let mut odd = turn("q", "1").graded("mine", 0.0, "2", "no");
    odd.verdict.metrics[0].output = Some(GraderOutput {
        stdout: "looking\n  further\u{1b}[2J\n".to_owned(),
        stderr: " \n".to_owned(),
        trace: "Traceback:\n  line 3\n".to_owned(),
    });
    let case = sample::case(0, "a", vec![odd]);
    check(
        &case,
        Verbosity::Verbose,
        &expect![[r#"
        FAIL   a                                                          1 turn   300ms
          ✗ turn 1 of 1
              input     q
              answer    1
              expected  2
            ✗ mine      no
              stdout    looking
                          further\u{1b}[2J
              trace     Traceback:
                          line 3
          run it alone: holodeck test agent.yaml --filter '/^a$/'

    "#]],
    );
    let normal = super::case(&case, &sample::header(), PLAIN, Verbosity::Normal);
    assert!(!normal.contains("looking"), "{normal}");
}

proptest! {
    #[test]
    fn nothing_is_wider_than_the_screen_or_does_anything(
        input in ".{0,300}", answer in "(\\PC|[\\x00-\\x9f]| |\\n){0,300}", why in any::<String>(), width in 40_usize..120,
    ) {
        let odd = turn(&input, &answer).graded("numeric", 0.0, &answer, &why).expects("\"f\"", "f", Some(&why));
        let case = sample::case(0, "a", vec![odd]);
        let style = Style { colour: false, width };
        let text = super::case(&case, &sample::header(), style, Verbosity::Normal);
        for line in text.lines() {
            prop_assert!(columns(line) <= width || line.contains("--filter"), "{}", line);
        }
        prop_assert!(text.chars().all(|c| c == '\n' || crate::text::is_harmless(c)));
    }
}
