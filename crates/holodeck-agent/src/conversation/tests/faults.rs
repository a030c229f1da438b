//! Every fault at every position of a turn: the next turn's history holds complete exchanges only (rule X3).

use std::sync::Arc;

use holodeck_run::ports::{Fault, Session as _};
use serde_json::Value;

use super::{CHAT, Format, anthropic::MESSAGES, http, say, talk};
use crate::http::Http;
use crate::test_server::{Answer, Server};

/// The answer in place of the good one, and what is said of it; `None` is a turn that is given up.
fn faults(format: Format) -> Vec<(&'static str, Answer, Option<&'static str>)> {
    let finish =
        |reason: &str| (format.words)("half a").replace("\"stop\"", &format!("{reason:?}"));
    let error = |message: &str| format!(r#"{{"error":{{"message":"{message}","type":"x"}}}}"#);
    vec![
        (
            "500",
            Answer::Http(500, "", error("boom")),
            Some("HTTP 500 Internal Server Error: boom"),
        ),
        (
            "400",
            Answer::Http(400, "", error("no")),
            Some("HTTP 400 Bad Request: no"),
        ),
        (
            "429",
            Answer::Http(429, "retry-after: 9\r\n", error("slow")),
            Some("HTTP 429 Too Many Requests: slow"),
        ),
        (
            "drop",
            Answer::Drop,
            Some("connection closed before message completed"),
        ),
        (
            "half",
            Answer::Half((format.words)("never whole")),
            Some("the connection to"),
        ),
        (
            "garbage",
            Answer::ok("<html>"),
            Some("the reply can't be read"),
        ),
        ("no answer", Answer::ok("{}"), Some("the reply has no `")),
        (
            "200 error",
            Answer::ok(error("overloaded")),
            Some("the service says: overloaded"),
        ),
        (
            "cut stream",
            Answer::ok(format.cut_stream),
            Some("breaks off"),
        ),
        (
            "length",
            Answer::ok(finish(format.too_long)),
            Some("cut off after 1000 tokens (`model.max_tokens`)"),
        ),
        ("hanging server", Answer::Hang, None),
        (
            "hanging tool",
            Answer::ok((format.calls)(&[("h", "hang", "{}")])),
            None,
        ),
    ]
}

/// Two rounds of two calls each, then words.
fn good(format: Format, position: usize) -> String {
    match position {
        2 => (format.words)("done"),
        n => (format.calls)(&[
            (&format!("a{n}"), "add", "{}"),
            (&format!("b{n}"), "break", "{}"),
        ]),
    }
}

#[tokio::test]
async fn every_fault_at_every_position_leaves_complete_exchanges() {
    for format in [CHAT, MESSAGES] {
        let http = http(1);
        for (name, fault, said) in faults(format) {
            for bad_turn in 0..2 {
                for bad_position in 0..3 {
                    check(format, &http, (name, &fault, said), bad_turn, bad_position).await;
                }
            }
        }
    }
}

async fn check(
    format: Format,
    http: &Arc<Http>,
    (name, fault, said): (&str, &Answer, Option<&str>),
    bad_turn: usize,
    bad_position: usize,
) {
    let what = format!(
        "{}: {name} at {bad_position} of turn {bad_turn}",
        format.name
    );
    let fault = fault.clone();
    let server = Server::start(format.validate, move |body| {
        let messages = body["messages"].as_array().unwrap();
        let last_user = messages.iter().rposition(said_by_user).unwrap();
        let position = messages[last_user..]
            .iter()
            .filter(|m| m["role"] == "assistant")
            .count();
        let is_bad = messages[last_user]["content"] == format!("turn {bad_turn}");
        if is_bad && position == bad_position {
            fault.clone()
        } else {
            Answer::ok(good(format, position))
        }
    })
    .await;
    let mut conversation = talk(&server, (format.wire)(), Arc::clone(http)).await;
    for turn in 0..3 {
        let reply = say(&server, &mut conversation, turn, &format!("turn {turn}")).await;
        let (invocations, fault) = match reply {
            Some(reply) => (reply.tool_invocations, reply.fault),
            None => (conversation.abandon().await.tool_invocations, None),
        };
        if turn != bad_turn {
            assert_eq!(fault, None, "{what}");
            assert_eq!(invocations.len(), 4, "{what}");
            continue;
        }
        let n_hanging = usize::from(name == "hanging tool");
        assert_eq!(invocations.len(), 2 * bad_position + n_hanging, "{what}");
        match (said, fault) {
            (Some(said), Some(Fault::Turn(message))) => {
                assert!(message.contains(said), "{what}: {message}");
            }
            (said, fault) => assert_eq!((said, fault), (None, None), "{what}"),
        }
    }
    server.assert_no_complaints(&what);
    let seen = server.seen();
    let users: Vec<&Value> = seen.last().unwrap().body["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|m| said_by_user(m))
        .map(|m| &m["content"])
        .collect();
    let expected: Vec<String> = (0..3)
        .filter(|turn| *turn != bad_turn)
        .map(|turn| format!("turn {turn}"))
        .collect();
    assert_eq!(users, expected.iter().collect::<Vec<_>>(), "{what}");
}

/// Results of calls are the user's too, in Messages.
fn said_by_user(message: &Value) -> bool {
    message["role"] == "user" && message["content"].is_string()
}
