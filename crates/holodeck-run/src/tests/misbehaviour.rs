//! Agents, judges and case files that do what they should not.

use expect_test::expect;

use super::check;

#[tokio::test(start_paused = true)]
async fn a_panicking_turn_fails_like_a_session_error_and_the_run_goes_on() {
    check(
        "
        a: panic, ok, panic, panic, ok
        b: ok",
        expect![[r#"
            0.0 a started
            0.0   open a
            0.0   send a[0]
            0.0   abandon a
            0.0   send a[1]
            0.0   send a[2]
            0.0   abandon a
            0.0   send a[3]
            0.0   abandon a
            0.0   close a
            0.0 #0[0] failed
            0.0 #0[1] passed
            0.0 #0[2] failed
            0.0 #0[3] failed
            0.0 a failed
                  [0] session error: the agent panicked: out of cheese 0 ms
                  [1] replied "a1" 0 ms
                  [2] session error: the agent panicked: out of cheese 0 ms
                  [3] session error: the agent panicked: out of cheese 0 ms
                  [4] skipped: the session failed on two turns in a row, at last with: the agent panicked: out of cheese 0 ms
            0.0 b started
            0.0   open b
            0.0   send b[0]
            0.0   close b
            0.0 #1[0] passed
            0.0 b passed
                  [0] replied "b0" 0 ms
            1 of 2 passed, 1 failed (1 infrastructure), 0 not run; turns: 2 of 6 answered, 1 skipped
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_session_that_does_not_open_skips_its_case_only() {
    check(
        "
        a open=no: ok, ok
        b open=hang: ok
        c open=panic: ok
        d: ok",
        expect![[r#"
            0.0 a started
            0.0   open a
            0.0 a failed
                  error: the session could not be opened: no seat left
                  [0] skipped: the session could not be opened: no seat left 0 ms
                  [1] skipped: the session could not be opened: no seat left 0 ms
            0.0 b started
            0.0   open b
            2.0 b failed
                  error: the session could not be opened: no answer within 2s (`llm_timeout`)
                  [0] skipped: the session could not be opened: no answer within 2s (`llm_timeout`) 0 ms
            2.0 c started
            2.0   open c
            2.0 c failed
                  error: the session could not be opened: the agent panicked: no seat at all
                  [0] skipped: the session could not be opened: the agent panicked: no seat at all 0 ms
            2.0 d started
            2.0   open d
            2.0   send d[0]
            2.0   close d
            2.0 #3[0] passed
            2.0 d passed
                  [0] replied "d0" 0 ms
            1 of 4 passed, 3 failed (3 infrastructure), 0 not run; turns: 1 of 5 answered, 4 skipped
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn giving_up_a_turn_is_bounded() {
    check(
        "
        a abandon=hang: 3s ok, ok
        b abandon=panic: 3s ok, ok
        c: ok",
        expect![[r#"
            0.0 a started
            0.0   open a
            0.0   send a[0]
            2.0   abandon a
            8.0   close a
            8.0 #0[0] failed
            8.0 a failed
                  [0] timeout 2000 ms
                  [1] skipped: the session was lost: no turn given up within 6s 0 ms
            8.0 b started
            8.0   open b
            8.0   send b[0]
            10.0   abandon b
            10.0   close b
            10.0 #1[0] failed
            10.0 b failed
                  [0] timeout 2000 ms
                  [1] skipped: the session was lost: giving up a turn panicked: never give up 0 ms
            10.0 c started
            10.0   open c
            10.0   send c[0]
            10.0   close c
            10.0 #2[0] passed
            10.0 c passed
                  [0] replied "c0" 0 ms
            1 of 3 passed, 2 failed (2 infrastructure), 0 not run; turns: 1 of 5 answered, 2 skipped
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn closing_is_bounded_and_spoils_nothing() {
    check(
        "
        a close=hang: ok
        b close=panic: ok",
        expect![[r#"
            0.0 a started
            0.0   open a
            0.0   send a[0]
            0.0   close a
            0.0 #0[0] passed
            6.0 a passed
                  [0] replied "a0" 0 ms
            6.0 b started
            6.0   open b
            6.0   send b[0]
            6.0   close b
            6.0 #1[0] passed
            6.0 b passed
                  [0] replied "b0" 0 ms
            2 of 2 passed, 0 failed (0 infrastructure), 0 not run; turns: 2 of 2 answered, 0 skipped
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_turn_whose_judge_broke_does_not_pass() {
    check(
        "a: ok jpanic, ok nan, ok",
        expect![[r#"
            0.0 a started
            0.0   open a
            0.0   send a[0]
            0.0   send a[1]
            0.0   send a[2]
            0.0   close a
            0.0 #0[0] failed
            0.0 #0[1] failed
            0.0 #0[2] passed
            0.0 a failed
                  [0] replied "a0" 0 ms; judging this turn panicked: hung jury
                  [1] replied "a1" 0 ms; NaN is not a score
                  [2] replied "a2" 0 ms
            0 of 1 passed, 1 failed (0 infrastructure), 0 not run; turns: 3 of 3 answered, 0 skipped
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_case_that_cannot_be_read_fails_alone() {
    check(
        "
        a unreadable: ok
        b rotten: ok
        c: ok",
        expect![[r#"
            0.0 test_cases[0] started
            0.0 test_cases[0] failed
                  error: test_cases[0] can't be read again: the file is gone
            0.0 test_cases[1] started
            0.0 test_cases[1] failed
                  error: test_cases[1] can't be read again: reading it panicked: rotten
            0.0 c started
            0.0   open c
            0.0   send c[0]
            0.0   close c
            0.0 #2[0] passed
            0.0 c passed
                  [0] replied "c0" 0 ms
            1 of 3 passed, 2 failed (2 infrastructure), 0 not run; turns: 1 of 1 answered, 0 skipped
        "#]],
    )
    .await;
}
