use expect_test::expect;
use holodeck_model::outcome::CaseOutcome;
use proptest::prelude::*;

use crate::Format;
use crate::sample::{self, TurnOutcomeExt as _, turn};

fn report(cases: &[CaseOutcome], n_selected: u64) -> String {
    let mut summary = sample::summary(cases);
    summary.n_selected = n_selected;
    let mut out = Vec::new();
    let mut iter = cases.iter().cloned().map(Ok);
    Format::Junit
        .write(&sample::header(), &summary, &mut iter, &mut out)
        .unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn failures_and_errors_are_told_apart() {
    expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="financial-assistant" tests="6" skipped="1" failures="2" errors="2" time="32.100">
            <testsuite name="agent.yaml" tests="6" skipped="1" errors="2" failures="2" time="32.100" timestamp="2026-12-01T02:47:11.632825+00:00">
                <properties>
                    <property name="holodeck_version" value="0.1.0"/>
                    <property name="complete" value="false"/>
                    <property name="turns" value="11"/>
                    <property name="run_id" value="01J"/>
                    <property name="wall_time_ms" value="12340"/>
                    <property name="average_score.numeric" value="0.8333333333333333"/>
                    <property name="average_score.equality" value="0"/>
                </properties>
                <testcase name="chit-chat" classname="financial-assistant" time="0.600" timestamp="2026-12-01T02:47:12.000000+00:00">
                    <properties>
                        <property name="turns" value="2"/>
                    </properties>
                </testcase>
                <testcase name="convfinqa-0" classname="financial-assistant" time="0.900" timestamp="2026-12-01T02:47:12.000000+00:00">
                    <properties>
                        <property name="turns" value="3"/>
                        <property name="score.numeric" value="0.6666666666666666"/>
                    </properties>
                    <failure message="turn 2 of 3: numeric: expected 181001, got 181000: they differ by 1, more than absolute_tolerance 0.000001 (2 turns failed)" type="assertion">  ✗ turn 2 of 3
              input     what about in 2008?
              answer    The net cash from operating activities in 2008 was 181000, in thousands of dollars.
              expected  181001
            ✗ numeric   expected 181001, got 181000: they differ by 1, more than absolute_tolerance 0.000001
          ✗ turn 3 of 3
              input     what is the difference?
              called    mcp__calc__subtract(a=206588.0, b=&quot;181,000&quot;) -&gt; &quot;25588.0&quot;
              answer    25587
              expected  25587
            ✗ tool      subtract(a=206588, b≈181001)
                        arg &apos;b&apos; mismatch: expected fuzzy &quot;181001&quot;, got &quot;181,000&quot; (nearest is call 1, &apos;mcp__calc__subtract&apos;)
            ✗ tool      lookup
                        no call to &apos;lookup&apos; found; calls made: mcp__calc__subtract
          run it alone: holodeck test agent.yaml --filter &apos;convfinqa-0&apos;
        </failure>
                </testcase>
                <testcase name="convfinqa-1" classname="financial-assistant" time="30.300" timestamp="2026-12-01T02:47:12.000000+00:00">
                    <properties>
                        <property name="turns" value="4"/>
                        <property name="score.numeric" value="1"/>
                    </properties>
                    <error message="turn 2 of 4: timeout" type="infrastructure">  ✗ turn 2 of 4
              input  and in 2011?
            ✗ error  timeout: no answer within 30.0s
          - turns 3 to 4 of 4 skipped: the session is lost
          run it alone: holodeck test agent.yaml --filter &apos;convfinqa-1&apos;
        </error>
                </testcase>
                <testcase name="test_cases[3]" classname="financial-assistant" time="0.000" timestamp="2026-12-01T02:47:12.000000+00:00">
                    <properties>
                        <property name="turns" value="1"/>
                    </properties>
                    <error message="its session could not be opened: connection refused" type="infrastructure">  ✗ its session could not be opened: connection refused
          run it alone: holodeck test agent.yaml --filter &apos;/^test_cases\[3\]$/&apos;
        </error>
                </testcase>
                <testcase name="it&apos;s &lt;b&gt;|`x`" classname="financial-assistant" time="0.300" timestamp="2026-12-01T02:47:12.000000+00:00">
                    <properties>
                        <property name="turns" value="1"/>
                        <property name="score.equality" value="0"/>
                    </properties>
                    <failure message="equality: expected &quot;&lt;/details&gt;&quot;" type="assertion">    input     # not a heading
                      ```
                      &lt;script&gt;
            answer    a\u{1b}[31mred
                      ````
                      | x |
            expected  &lt;/details&gt;
          ✗ equality  expected &quot;&lt;/details&gt;&quot;
          run it alone: holodeck test agent.yaml --filter &apos;it&apos;\&apos;&apos;s &lt;b&gt;|`x`&apos;
        </failure>
                </testcase>
                <testcase name="2 cases not run" classname="financial-assistant">
                    <skipped message="the run ended before these"/>
                </testcase>
            </testsuite>
        </testsuites>
    "#]].assert_eq(&report(&sample::cases(), 7));
}

#[test]
fn a_closed_pipe_stays_one() {
    struct Closed;
    impl std::io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let (header, summary) = (sample::header(), sample::summary(&[]));
    for format in [Format::Json, Format::Markdown, Format::Junit] {
        let written = format.write(&header, &summary, &mut std::iter::empty(), &mut Closed);
        assert_eq!(written.unwrap_err().kind(), std::io::ErrorKind::BrokenPipe);
    }
}

proptest! {
    #[test]
    fn it_is_well_formed_whatever_was_said(text in "(\\PC|[\\x00-\\x9f\u{fffe}\u{ffff}]|\\]\\]>|<|&){0,40}") {
        let odd = turn(&text, &text).graded(&text, 0.0, &text, &text).expects("\"f\"", &text, Some(&text));
        let xml = report(&[sample::single(0, &text, odd)], 1);
        let read = quick_junit::Report::deserialize_from_str(&xml);
        let read = read.map_err(|e| TestCaseError::fail(format!("{e}: {xml}")))?;
        prop_assert_eq!(read.failures, 1);
        // What XML 1.0 allows, and nothing that a text brought along.
        let allowed = |c: char| matches!(c, '\n' | ' '..='\u{fffd}' | '\u{10000}'..);
        prop_assert!(xml.chars().all(allowed), "{}", xml);
    }
}
