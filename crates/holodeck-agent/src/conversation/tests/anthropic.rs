//! The Messages API: what is particular to it.

use holodeck_model::record::TokenUsage;
use holodeck_run::ports::Fault;

use super::{Format, http, sampling, say, talk};
use crate::conversation::Wire;
use crate::messages::Messages;
use crate::test_server::{Answer, Server, valid_messages};

pub(super) const MESSAGES: Format = Format {
    name: "messages",
    wire: messages,
    validate: valid_messages,
    words: |text| blocks(&format!(r#"{{"type":"text","text":{text:?}}}"#), "stop"),
    calls: |list| {
        let list = list.iter().map(|(id, name, args)| {
            format!(r#"{{"type":"tool_use","id":"{id}","name":"{name}","input":{args}}}"#)
        });
        blocks(&list.collect::<Vec<_>>().join(","), "tool_use")
    },
    too_long: "max_tokens",
    cut_stream: "event: ping\ndata: {\"type\":\"ping\"}\n\n",
};

fn messages() -> Box<dyn Wire> {
    Box::new(Messages::new("m", Some("Be terse."), sampling()))
}

fn blocks(blocks: &str, stop: &str) -> String {
    format!(
        r#"{{"type":"message","role":"assistant","content":[{blocks}],"stop_reason":"{stop}","usage":{{"input_tokens":10,"cache_creation_input_tokens":5,"cache_read_input_tokens":3,"output_tokens":2}}}}"#
    )
}

async fn server(answers: impl IntoIterator<Item = String>) -> Server {
    let mut answers: Vec<String> = answers.into_iter().collect();
    Server::start(valid_messages, move |_| Answer::ok(answers.remove(0))).await
}

#[tokio::test]
async fn thoughts_go_back_with_results_and_arguments_stay_as_written() {
    let thought = r#"{"type":"thinking","thinking":"hm","signature":"abc=="}"#;
    let call = r#"{"type":"tool_use","id":"t1","name":"add","input":{"a": 100000000000000000000, "b": 1.0}}"#;
    let asks = format!(r#"{thought},{{"type":"text","text":"Let me see."}},{call}"#);
    let server = server([
        blocks(&asks, "tool_use"),
        blocks(r#"{"type":"text","text":"Done."}"#, "end_turn"),
        blocks("", "end_turn"),
        blocks(r#"{"type":"text","text":"Still here."}"#, "end_turn"),
    ])
    .await;
    let mut conversation = talk(&server, messages(), http(1)).await;
    let reply = say(&server, &mut conversation, 0, "go").await.unwrap();
    assert_eq!(reply.response.as_deref(), Some("Done."));
    let args = reply.tool_invocations[0].args.to_json();
    assert_eq!(args, r#"{"a":100000000000000000000,"b":1.0}"#);
    let usage = TokenUsage {
        prompt_tokens: 36,
        completion_tokens: 4,
        total_tokens: 40,
        cache_creation_tokens: 10,
        cache_read_tokens: 6,
    };
    assert_eq!(reply.usage, Some(usage));
    let sent = server.seen()[1].body["messages"].to_string();
    assert!(sent.contains(thought), "{sent}");
    assert!(sent.contains("100000000000000000000"), "{sent}");

    // An empty answer is one, and leaves a history that the service takes.
    let empty = say(&server, &mut conversation, 1, "and?").await.unwrap();
    assert_eq!((empty.response.as_deref(), empty.fault), (Some(""), None));
    let last = say(&server, &mut conversation, 2, "well?").await.unwrap();
    assert_eq!(last.response.as_deref(), Some("Still here."));
    server.assert_no_complaints("messages");
}

#[tokio::test]
async fn a_stream_that_nobody_asked_for_is_read_to_its_end() {
    let events = [
        r#"{"type":"message_start","message":{"content":[],"usage":{"input_tokens":7,"output_tokens":1}}}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"So."}}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"add","input":{}}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"a\""}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":": 1.0}"}}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}"#,
        r#"{"type":"message_stop"}"#,
    ];
    let stream = format!(
        "event: x\ndata: {}\n\n",
        events.join("\n\nevent: x\ndata: ")
    );
    let server = server([stream, blocks(r#"{"type":"text","text":"1"}"#, "end_turn")]).await;
    let mut conversation = talk(&server, messages(), http(1)).await;
    let reply = say(&server, &mut conversation, 0, "go").await.unwrap();
    assert_eq!(reply.response.as_deref(), Some("1"));
    assert_eq!(reply.tool_invocations[0].args.to_json(), r#"{"a":1.0}"#);
    let usage = reply.usage.unwrap();
    assert_eq!((usage.prompt_tokens, usage.completion_tokens), (25, 11));
    server.assert_no_complaints("stream");
}

#[tokio::test]
async fn a_service_that_refuses_to_answer_is_an_error() {
    let refused = blocks(r#"{"type":"text","text":"I"}"#, "refusal");
    let server = server([refused]).await;
    let mut conversation = talk(&server, messages(), http(1)).await;
    let reply = say(&server, &mut conversation, 0, "go").await.unwrap();
    assert_eq!(reply.response.as_deref(), Some("I"));
    let said = "the service refused to answer (`refusal`)".to_owned();
    assert_eq!(reply.fault, Some(Fault::Turn(said)));
}
