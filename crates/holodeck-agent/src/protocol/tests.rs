use holodeck_model::mask::Masker;
use holodeck_run::ports::Fault;

use super::Answer;

fn answer(text: &str) -> Result<Answer, String> {
    super::answer(text, &Masker::default())
}

/// The fault of an answer to turn 0, with its members.
fn fault(members: &str) -> Option<Fault> {
    let text = format!("{{\"id\":1,\"turn_index\":0,{members}}}");
    answer(&text).unwrap().reply.fault
}

#[track_caller]
fn wrong(members: &str, told: &str) {
    let told = format!("the agent's reply is wrong: {told}");
    assert_eq!(fault(members), Some(Fault::Turn(told)), "{members}");
}

#[test]
fn what_is_wrong_in_an_answer_is_told() {
    wrong("\"x\":1", "it has neither a `response` nor an `error`");
    wrong("\"response\":5", "response: expected a string, got integer");
    wrong(
        "\"response\":\"\",\"tool_calls\":{}",
        "tool_calls: expected a list, got mapping",
    );
    for (call, told) in [
        ("[]", ": expected a mapping, got list"),
        ("{}", ".name is missing"),
        ("{\"name\":\"\"}", ".name: expected a name"),
        (
            "{\"name\":\"t\",\"duration_ms\":-1}",
            ".duration_ms: expected a number of at least 0, got integer",
        ),
    ] {
        wrong(
            &format!("\"response\":\"\",\"tool_calls\":[{{\"name\":\"t\"}},{call}]"),
            &format!("tool_calls[1]{told}"),
        );
    }
    for (usage, told) in [
        ("1", ": expected a mapping, got integer"),
        ("{\"prompt_tokens\":1}", ".completion_tokens is missing"),
        (
            "{\"prompt_tokens\":1.5,\"completion_tokens\":1}",
            ".prompt_tokens: expected an integer of at least 0, got float",
        ),
        (
            "{\"prompt_tokens\":2,\"completion_tokens\":3,\"total_tokens\":4}",
            ": total_tokens 4 is less than prompt_tokens + completion_tokens = 5",
        ),
    ] {
        wrong(
            &format!("\"response\":\"\",\"usage\":{usage}"),
            &format!("usage{told}"),
        );
    }
    wrong("\"error\":\"no\"", "error: expected a mapping, got string");
    let without_turn = answer("{\"id\":1,\"response\":\"\"}").unwrap().reply;
    assert_eq!(
        without_turn.fault,
        Some(Fault::Turn(
            "the agent's reply is wrong: it has no `turn_index`".to_owned()
        ))
    );
}

#[test]
fn what_came_before_an_error_is_kept() {
    let text = r#"{"id":1,"turn_index":0,"response":"partly","tool_calls":[{"name":"t"}],"usage":null,"error":{"message":"m","fatal":true}}"#;
    let reply = answer(text).unwrap().reply;
    assert_eq!(reply.fault, Some(Fault::Fatal("m".to_owned())));
    assert_eq!(reply.response.as_deref(), Some("partly"));
    assert_eq!(reply.tool_invocations.len(), 1);
    assert_eq!(
        fault("\"error\":{}"),
        Some(Fault::Turn("it did not say what went wrong".to_owned()))
    );
}

#[test]
fn what_can_not_be_told_apart_is_no_answer() {
    for text in [
        "",
        "null",
        "[]",
        "{\"id\":\"1\"}",
        "{\"id\":-1}",
        "{\"id\":1",
        &"[".repeat(100_000),
    ] {
        assert!(answer(text).is_err(), "{text:.20}");
    }
}

#[test]
fn a_secret_is_out_before_the_text_is_cut() {
    let masker = Masker::new(["sesame-open".to_owned()]);
    let text = format!("{}sesame-open", "x".repeat(75));
    let told = super::answer(&text, &masker).unwrap_err();
    assert!(told.contains("x***") && !told.contains("sesame"), "{told}");
}
