#![expect(
    clippy::needless_raw_string_hashes,
    reason = "snapshots are rewritten with them"
)]

use expect_test::expect;
use holodeck_model::outcome::CaseOutcome;
use proptest::prelude::*;

use crate::Format;
use crate::sample::{self, TurnOutcomeExt as _, turn};

fn report(cases: &[CaseOutcome]) -> String {
    let mut out = Vec::new();
    let mut iter = cases.iter().cloned().map(Ok);
    Format::Markdown
        .write(
            &sample::header(),
            &sample::summary(cases),
            &mut iter,
            &mut out,
        )
        .unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_run_of_every_kind_of_case() {
    expect![[r##"
        # Test report: financial-assistant

        | | |
        |---|---|
        | Agent file | agent.yaml |
        | Started | 2026-12-01T02:47:11.632825+00:00 |
        | Run | 01J |
        | holodeck | 0.1.0 |

        ## Summary

        | | |
        |---|---:|
        | Cases | 5 |
        | Passed | 1 |
        | Failed | 4 |
        | Pass rate | 20.0% |
        | Turns | 11 |
        | Turns skipped | 3 |
        | Turns with nothing asserted | 5 |
        | Infrastructure errors | 2 |
        | Tool assertions held | 0 of 2 |
        | Time of all turns | 32.1s |
        | Time of the run | 12.3s |

        ## Average scores

        | Metric | Mean | Cases | Turns passed |
        |---|---:|---:|---:|
        | numeric | 0.833 | 2 | 3 of 4 |
        | equality | 0 | 1 | 0 of 1 |

        ## Cases

        ### ✅ PASS chit-chat

        2 turns, 600ms, started 2026-12-01T02:47:12.000000+00:00

        <details>
        <summary>Turns</summary>

        #### Turn 1 of 2: passed

        **Input**

        ```text
        hi
        ```

        **Answer**

        ```text
        Hello!
        ```

        #### Turn 2 of 2: passed

        **Input**

        ```text
        who are you?
        ```

        **Answer**

        ```text
        An assistant.
        ```

        </details>

        ### ❌ FAIL convfinqa-0

        3 turns, 900ms, started 2026-12-01T02:47:12.000000+00:00

        | Metric | Result | Mean | Turns |
        |---|---|---:|---:|
        | numeric | **failed** | 0.667 | 3 |

        #### Turn 1 of 3: passed

        **Input**

        ```text
        what is the net cash from operating activities in 2009?
        ```

        **Answer**

        ```text
        206588
        ```

        **Expected**

        ```text
        206588
        ```

        | Metric | Result | Score | Why |
        |---|---|---:|---|
        | numeric | passed | 1 | expected 206588, got 206588 |

        #### Turn 2 of 3: **failed**

        **Input**

        ```text
        what about in 2008?
        ```

        **Answer**

        ```text
        The net cash from operating activities in 2008 was 181000, in thousands of dollars.
        ```

        **Expected**

        ```text
        181001
        ```

        | Metric | Result | Score | Why |
        |---|---|---:|---|
        | numeric | **failed** | 0 | expected 181001, got 181000: they differ by 1, more than absolute\_tolerance 0.000001 |

        #### Turn 3 of 3: **failed**

        **Input**

        ```text
        what is the difference?
        ```

        **Tools called**

        ```text
        mcp__calc__subtract {"a":206588.0,"b":"181,000"}
          -> "25588.0"
        ```

        **Answer**

        ```text
        25587
        ```

        **Expected**

        ```text
        25587
        ```

        | Metric | Result | Score | Why |
        |---|---|---:|---|
        | numeric | passed | 1 | expected 25587, got 25587 |

        | Expected tool | Result | Why |
        |---|---|---|
        | subtract(a=206588, b≈181001) | **failed** | arg 'b' mismatch: expected fuzzy "181001", got "181,000" (nearest is call 1, 'mcp\_\_calc\_\_subtract') |
        | lookup | **failed** | no call to 'lookup' found; calls made: mcp\_\_calc\_\_subtract |

        **Run it alone**

        ```text
        holodeck test agent.yaml --filter 'convfinqa-0'
        ```

        ### ❌ ERROR convfinqa-1

        4 turns, 30.3s, started 2026-12-01T02:47:12.000000+00:00

        #### Turn 1 of 4: passed

        **Input**

        ```text
        and in 2010?
        ```

        **Answer**

        ```text
        5
        ```

        **Expected**

        ```text
        5
        ```

        | Metric | Result | Score | Why |
        |---|---|---:|---|
        | numeric | passed | 1 | expected 5, got 5 |

        #### Turn 2 of 4: **failed**

        **Input**

        ```text
        and in 2011?
        ```

        **Error**

        ```text
        timeout
        ```

        #### Turn 3 of 4: skipped

        **Input**

        ```text
        and then?
        ```

        **Error**

        ```text
        skipped: the session is lost
        ```

        #### Turn 4 of 4: skipped

        **Input**

        ```text
        and after that?
        ```

        **Error**

        ```text
        skipped: the session is lost
        ```

        **Run it alone**

        ```text
        holodeck test agent.yaml --filter 'convfinqa-1'
        ```

        ### ❌ ERROR test\_cases\[3\]

        1 turn, 0ms, started 2026-12-01T02:47:12.000000+00:00

        **Error**

        ```text
        its session could not be opened: connection refused
        ```

        #### Turn 1 of 1: skipped

        **Input**

        ```text
        q
        ```

        **Error**

        ```text
        skipped: no session
        ```

        **Run it alone**

        ```text
        holodeck test agent.yaml --filter '/^test_cases\[3\]$/'
        ```

        ### ❌ FAIL it's &lt;b&gt;&#124;\`x\`

        1 turn, 300ms, started 2026-12-01T02:47:12.000000+00:00

        **Input**

        ````text
        # not a heading
        ```
        <script>
        ````

        **Answer**

        `````text
        a\u{1b}[31mred
        ````
        | x |
        `````

        **Expected**

        ```text
        </details>
        ```

        | Metric | Result | Score | Why |
        |---|---|---:|---|
        | equality | **failed** | 0 | expected "&lt;/details&gt;" |

        **Run it alone**

        ```text
        holodeck test agent.yaml --filter 'it'\''s <b>|`x`'
        ```
    "##]].assert_eq(&report(&sample::cases()));
}

proptest! {
    /// What stands outside fences is the same number of lines, with the same number of bars, whatever the texts are.
    #[test]
    fn no_text_changes_the_structure(text in "(\\PC|[`|<\\\\\\n\\r#*]){1,40}") {
        let page = |text: &str| {
            let odd = turn(text, text).graded(text, 0.0, text, text).expects("\"f\"", text, Some(text));
            outside_fences(&report(&[sample::single(0, text, odd)]))
        };
        prop_assert_eq!(page(&text), page("x"));
    }
}

/// Of each line outside fences its bars; a fence is one line.
fn outside_fences(page: &str) -> Vec<usize> {
    let mut fence: Option<&str> = None;
    let mut lines = Vec::new();
    for line in page.lines() {
        match fence {
            Some(open) if line == open => fence = None,
            Some(_) => {}
            None => {
                lines.push(line.matches('|').count());
                fence = line.strip_suffix("text").filter(|f| f.starts_with("```"));
            }
        }
    }
    assert_eq!(fence, None, "a fence stays open: {page}");
    lines
}
