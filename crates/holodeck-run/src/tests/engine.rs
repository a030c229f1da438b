//! Order, time, skipping, parallel cases.

use expect_test::expect;

use super::check;

#[tokio::test(start_paused = true)]
async fn turns_are_sent_one_after_the_other_in_one_session_a_case() {
    check(
        "
        a: 1s ok, 1s ok j1s
        b: ok",
        expect![[r#"
            0.0 a started
            0.0   open a
            0.0   send a[0]
            1.0   send a[1]
            1.0 #0[0] passed
            3.0   close a
            3.0 #0[1] passed
            3.0 a passed
                  [0] replied "a0" 1000 ms
                  [1] replied "a1" 1000 ms
            3.0 b started
            3.0   open b
            3.0   send b[0]
            3.0   close b
            3.0 #1[0] passed
            3.0 b passed
                  [0] replied "b0" 0 ms
            2 of 2 passed, 0 failed (0 infrastructure), 0 not run; turns: 3 of 3 answered, 0 skipped
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_failed_turn_does_not_stop_the_conversation() {
    check(
        "a: ok wrong, error, mute, half, ok",
        expect![[r#"
            0.0 a started
            0.0   open a
            0.0   send a[0]
            0.0   send a[1]
            0.0   send a[2]
            0.0   send a[3]
            0.0   send a[4]
            0.0   close a
            0.0 #0[0] failed
            0.0 #0[1] failed
            0.0 #0[2] failed
            0.0 #0[3] failed
            0.0 #0[4] passed
            0.0 a failed
                  [0] replied "a0" 0 ms
                  [1] agent error: error 1 0 ms
                  [2] agent error: neither a reply nor an error came 0 ms
                  [3] agent error: half 3 "" 0 ms
                  [4] replied "a4" 0 ms
            0 of 1 passed, 1 failed (1 infrastructure), 0 not run; turns: 3 of 5 answered, 0 skipped
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_failed_turn_stops_the_conversation_where_asked() {
    check(
        "
        a stop: ok, ok wrong, ok
        b stop: error, ok
        c: ok broken, ok",
        expect![[r#"
            0.0 a started
            0.0   open a
            0.0   send a[0]
            0.0   send a[1]
            0.0   close a
            0.0 #0[0] passed
            0.0 #0[1] failed
            0.0 a failed
                  [0] replied "a0" 0 ms
                  [1] replied "a1" 0 ms
                  [2] skipped: turn 2 failed, and `on_turn_failure` is `stop` 0 ms
            0.0 b started
            0.0   open b
            0.0   send b[0]
            0.0   close b
            0.0 #1[0] failed
            0.0 b failed
                  [0] agent error: error 0 0 ms
                  [1] skipped: turn 1 failed, and `on_turn_failure` is `stop` 0 ms
            0.0 c started
            0.0   open c
            0.0   send c[0]
            0.0   close c
            0.0 #2[0] failed
            0.0 c failed
                  [0] replied "c0" 0 ms; no such module
                  [1] skipped: the metric `broken` broke on turn 1, and its `fail_on_error` is set 0 ms
            0 of 3 passed, 3 failed (1 infrastructure), 0 not run; turns: 3 of 7 answered, 3 skipped
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_takes_too_long_is_given_up_and_its_late_reply_is_nobodys() {
    check(
        "a: 3s ok, 1s ok, 2s ok",
        expect![[r#"
            0.0 a started
            0.0   open a
            0.0   send a[0]
            2.0   abandon a
            2.0   send a[1]
            2.0 #0[0] failed
            3.0   send a[2]
            3.0 #0[1] passed
            5.0   close a
            5.0 #0[2] passed
            5.0 a failed
                  [0] timeout 2000 ms
                  [1] replied "a1" 1000 ms
                  [2] replied "a2" 2000 ms
            0 of 1 passed, 1 failed (1 infrastructure), 0 not run; turns: 2 of 3 answered, 0 skipped
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn two_session_errors_in_a_row_skip_the_rest() {
    check(
        "
        a: ok, session, session, ok
        b: session, ok, session, session, ok
        c: session, error, session, 3s ok, session, ok
        d: error, error, ok",
        expect![[r#"
            0.0 a started
            0.0   open a
            0.0   send a[0]
            0.0   send a[1]
            0.0   send a[2]
            0.0   close a
            0.0 #0[0] passed
            0.0 #0[1] failed
            0.0 #0[2] failed
            0.0 a failed
                  [0] replied "a0" 0 ms
                  [1] session error: session 1 0 ms
                  [2] session error: session 2 0 ms
                  [3] skipped: the session failed on two turns in a row, at last with: session 2 0 ms
            0.0 b started
            0.0   open b
            0.0   send b[0]
            0.0   send b[1]
            0.0   send b[2]
            0.0   send b[3]
            0.0   close b
            0.0 #1[0] failed
            0.0 #1[1] passed
            0.0 #1[2] failed
            0.0 #1[3] failed
            0.0 b failed
                  [0] session error: session 0 0 ms
                  [1] replied "b1" 0 ms
                  [2] session error: session 2 0 ms
                  [3] session error: session 3 0 ms
                  [4] skipped: the session failed on two turns in a row, at last with: session 3 0 ms
            0.0 c started
            0.0   open c
            0.0   send c[0]
            0.0   send c[1]
            0.0   send c[2]
            0.0   send c[3]
            0.0 #2[0] failed
            0.0 #2[1] failed
            0.0 #2[2] failed
            2.0   abandon c
            2.0   send c[4]
            2.0   send c[5]
            2.0   close c
            2.0 #2[3] failed
            2.0 #2[4] failed
            2.0 #2[5] passed
            2.0 c failed
                  [0] session error: session 0 0 ms
                  [1] agent error: error 1 0 ms
                  [2] session error: session 2 0 ms
                  [3] timeout 2000 ms
                  [4] session error: session 4 0 ms
                  [5] replied "c5" 0 ms
            2.0 d started
            2.0   open d
            2.0   send d[0]
            2.0   send d[1]
            2.0   send d[2]
            2.0   close d
            2.0 #3[0] failed
            2.0 #3[1] failed
            2.0 #3[2] passed
            2.0 d failed
                  [0] agent error: error 0 0 ms
                  [1] agent error: error 1 0 ms
                  [2] replied "d2" 0 ms
            0 of 4 passed, 4 failed (4 infrastructure), 0 not run; turns: 4 of 18 answered, 2 skipped
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_unrecoverable_session_skips_the_rest_at_once() {
    check(
        "
        a: fatal, ok, ok
        b abandon=lost stop: 3s ok, ok",
        expect![[r#"
            0.0 a started
            0.0   open a
            0.0   send a[0]
            0.0   close a
            0.0 #0[0] failed
            0.0 a failed
                  [0] session error: fatal 0 0 ms
                  [1] skipped: the session was lost: fatal 0 0 ms
                  [2] skipped: the session was lost: fatal 0 0 ms
            0.0 b started
            0.0   open b
            0.0   send b[0]
            2.0   abandon b
            2.0   close b
            2.0 #1[0] failed
            2.0 b failed
                  [0] timeout 2000 ms
                  [1] skipped: the session was lost: the line is dead 0 ms
            0 of 2 passed, 2 failed (2 infrastructure), 0 not run; turns: 0 of 5 answered, 3 skipped
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn cases_run_at_once_up_to_the_limit_and_start_in_file_order() {
    check(
        "
        parallel 2
        a: 1s ok, 1s ok
        b: 1s ok
        c: ok
        d: 1s ok",
        expect![[r#"
            0.0 a started
            0.0 b started
            0.0   open a
            0.0   send a[0]
            0.0   open b
            0.0   send b[0]
            1.0   send a[1]
            1.0   close b
            1.0 #0[0] passed
            1.0 #1[0] passed
            1.0 b passed
                  [0] replied "b0" 1000 ms
            1.0 c started
            1.0   open c
            1.0   send c[0]
            1.0   close c
            1.0 #2[0] passed
            1.0 c passed
                  [0] replied "c0" 0 ms
            1.0 d started
            1.0   open d
            1.0   send d[0]
            2.0   close a
            2.0   close d
            2.0 #0[1] passed
            2.0 #3[0] passed
            2.0 a passed
                  [0] replied "a0" 1000 ms
                  [1] replied "a1" 1000 ms
            2.0 d passed
                  [0] replied "d0" 1000 ms
            4 of 4 passed, 0 failed (0 infrastructure), 0 not run; turns: 5 of 5 answered, 0 skipped
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_slow_judge_counts_into_no_turn_and_holds_up_no_other_case() {
    check(
        "
        parallel 2
        a: 1s ok j9s, ok
        b: 1s ok, 1s ok, 1s ok",
        expect![[r#"
            0.0 a started
            0.0 b started
            0.0   open a
            0.0   send a[0]
            0.0   open b
            0.0   send b[0]
            1.0   send b[1]
            1.0 #1[0] passed
            2.0   send b[2]
            2.0 #1[1] passed
            3.0   close b
            3.0 #1[2] passed
            3.0 b passed
                  [0] replied "b0" 1000 ms
                  [1] replied "b1" 1000 ms
                  [2] replied "b2" 1000 ms
            10.0   send a[1]
            10.0   close a
            10.0 #0[0] passed
            10.0 #0[1] passed
            10.0 a passed
                  [0] replied "a0" 1000 ms
                  [1] replied "a1" 0 ms
            2 of 2 passed, 0 failed (0 infrastructure), 0 not run; turns: 5 of 5 answered, 0 skipped
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn no_cases_are_a_run_too() {
    check(
        "parallel 3",
        expect![[r#"

        0 of 0 passed, 0 failed (0 infrastructure), 0 not run; turns: 0 of 0 answered, 0 skipped
    "#]],
    )
    .await;
}
