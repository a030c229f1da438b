//! Tool calls, usage, retries, keys: what a turn comes to.

use holodeck_model::record::TokenUsage;
use holodeck_run::ports::{Fault, Session as _};

use super::{call, calls, chat, http, sampling, say, talk, words};
use crate::chat::Chat;
use crate::conversation::Sampling;
use crate::test_server::{Answer, Server, valid_chat};

/// Answers one after the other; the last one for ever.
async fn server(answers: Vec<Answer>) -> Server {
    let mut answers = answers.into_iter().peekable();
    let mut last = None;
    Server::start(valid_chat, move |_| {
        last = answers.next().or(last.take());
        last.clone().unwrap()
    })
    .await
}

#[tokio::test]
async fn calls_are_run_paired_and_recorded_as_the_model_wrote_them() {
    let big = format!("1{}", "0".repeat(30));
    let server = server(vec![
        Answer::ok(calls(&[
            &call("1", "add", &format!(r#"{{"a": {big}, "b": 1.0, "a": 2}}"#)),
            &call("1", "break", ""),
            r#"{"function":{"name":"add","arguments":{"a": 1.0}}}"#,
            &call("4", "add", r#"{"a": "#),
            &call("5", "add", "[1]"),
            &call("6", "multiply", "{}"),
            &call("7", "add", r#"{"a": NaN}"#),
        ])),
        Answer::ok(words("3")),
    ])
    .await;
    let mut conversation = talk(&server, chat(), http(1)).await;
    let reply = say(&server, &mut conversation, 0, "go").await.unwrap();
    assert_eq!(reply.response.as_deref(), Some("3"));
    let recorded: Vec<String> = reply
        .tool_invocations
        .iter()
        .map(|i| {
            let error = i.error.as_deref().unwrap_or("-");
            format!(
                "{} {} -> {} {error}",
                i.name,
                i.args.to_json(),
                i.result.to_json()
            )
        })
        .collect();
    expect_test::expect![[r#"
        add {"a":2,"b":1.0} -> {"a":2,"b":1.0} -
        break {} -> null ValueError: out of cheese
        add {"a":1.0} -> {"a":1.0} -
        add "{\"a\": " -> null the arguments are not JSON (expected a value, found the end at byte 6): {"a": 
        add "[1]" -> null the arguments must be a JSON object, not a list: [1]
        multiply {} -> null there is no tool `multiply`; there is `add`, `hang`, `break`
        add {"a":"NaN"} -> {"a":"NaN"} -"#]]
    .assert_eq(&recorded.join("\n"));
    server.assert_no_complaints("calls");
    let body = &server.seen()[1].body;
    let told: Vec<String> = body["messages"].as_array().unwrap()[3..]
        .iter()
        .map(|m| {
            format!(
                "{} {}",
                m["tool_call_id"].as_str().unwrap(),
                m["content"].as_str().unwrap()
            )
        })
        .collect();
    expect_test::expect![[r#"
        1 {"a":2,"b":1.0}
        call_1 Error: ValueError: out of cheese
        call_2 {"a":1.0}
        4 Error: the arguments are not JSON (expected a value, found the end at byte 6): {"a": 
        5 Error: the arguments must be a JSON object, not a list: [1]
        6 Error: there is no tool `multiply`; there is `add`, `hang`, `break`
        7 {"a":"NaN"}"#]]
    .assert_eq(&told.join("\n"));
    let sent = body["messages"][2]["tool_calls"][0]["function"]["arguments"]
        .as_str()
        .unwrap();
    assert_eq!(sent, format!(r#"{{"a": {big}, "b": 1.0, "a": 2}}"#));
    let usage = TokenUsage {
        prompt_tokens: 20,
        completion_tokens: 3,
        total_tokens: 23,
        cache_creation_tokens: 0,
        cache_read_tokens: 4,
    };
    assert_eq!(reply.usage, Some(usage));
}

#[tokio::test]
async fn a_model_that_never_stops_calling_is_stopped() {
    let server = server(vec![Answer::ok(calls(&[&call("1", "add", "{}")]))]).await;
    let mut conversation = talk(&server, chat(), http(1)).await;
    let reply = say(&server, &mut conversation, 0, "go").await.unwrap();
    assert_eq!(reply.tool_invocations.len(), 3);
    assert_eq!(server.seen().len(), 4);
    let Some(Fault::Turn(why)) = reply.fault else {
        panic!("{:?}", reply.fault);
    };
    assert!(why.contains("max_tool_rounds"), "{why}");
}

#[tokio::test]
async fn a_stream_that_nobody_asked_for_is_read_to_its_end() {
    let chunks = [
        r#"{"choices":[{"delta":{"role":"assistant","content":"a"}}]}"#,
        r#"{"choices":[{"delta":{"content":"b","tool_calls":[{"index":0,"id":"x","function":{"name":"add","arguments":"{\"a\":"}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}},{"index":0,"id":"y","function":{"name":"add","arguments":"{}"}}]}}]}"#,
        r#"{"choices":[{"delta":{},"finish_reason":"eos"}],"usage":null}"#,
        r#"{"choices":[],"usage":{"prompt_tokens":7.0,"completion_tokens":null,"total_tokens":7}}"#,
        "[DONE]",
    ];
    let stream = format!("data: {}\n\n", chunks.join("\n\ndata: "));
    let server = server(vec![Answer::ok(stream), Answer::ok(words("ok"))]).await;
    let mut conversation = talk(&server, chat(), http(1)).await;
    let reply = say(&server, &mut conversation, 0, "go").await.unwrap();
    assert_eq!(reply.response.as_deref(), Some("ok"));
    let args: Vec<_> = reply
        .tool_invocations
        .iter()
        .map(|i| i.args.to_json())
        .collect();
    assert_eq!(args, [r#"{"a":1}"#, "{}"]);
    assert_eq!(reply.usage.unwrap().prompt_tokens, 17);
    server.assert_no_complaints("stream");
}

#[tokio::test]
async fn refusals_and_empty_answers_are_answers() {
    let refusal =
        r#"{"choices":[{"message":{"content":null,"refusal":"I won't."},"finish_reason":"stop"}]}"#;
    let empty = r#"{"choices":[{"message":{"content":null}}]}"#;
    let parts = r#"{"choices":[{"message":{"content":[{"type":"text","text":"in "},{"type":"text","text":"parts"}]}}]}"#;
    let server = server([refusal, empty, parts].map(Answer::ok).into()).await;
    let mut conversation = talk(&server, chat(), http(1)).await;
    for (turn, said) in ["I won't.", "", "in parts"].into_iter().enumerate() {
        let reply = say(&server, &mut conversation, turn, "go").await.unwrap();
        assert_eq!((reply.response.as_deref(), reply.fault), (Some(said), None));
        assert_eq!(reply.usage, None);
    }
    server.assert_no_complaints("refusals");
}

#[tokio::test]
async fn what_may_pass_is_tried_again_and_what_may_not_is_final() {
    let busy = Answer::Http(429, "retry-after-ms: 1\r\n", "busy".to_owned());
    let down = Answer::Http(503, "", String::new());
    let retried = server(vec![busy, Answer::Drop, down, Answer::ok(words("there"))]).await;
    let mut conversation = talk(&retried, chat(), http(4)).await;
    let reply = say(&retried, &mut conversation, 0, "go").await.unwrap();
    assert_eq!(reply.response.as_deref(), Some("there"));

    let quota = r#"{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}"#;
    let final_one = server(vec![Answer::Http(429, "", quota.to_owned())]).await;
    let mut conversation = talk(&final_one, chat(), http(4)).await;
    let reply = say(&final_one, &mut conversation, 0, "go").await.unwrap();
    let said = "HTTP 429 Too Many Requests: You exceeded your quota; the account has no quota left";
    assert_eq!(reply.fault, Some(Fault::Unreachable(said.to_owned())));
    assert_eq!(final_one.seen().len(), 1);

    let patient = server(vec![Answer::Http(
        429,
        "retry-after: 600\r\n",
        String::new(),
    )])
    .await;
    let mut conversation = talk(&patient, chat(), http(4)).await;
    let reply = say(&patient, &mut conversation, 0, "go").await.unwrap();
    let said = "HTTP 429 Too Many Requests; the server asks to wait 600 s, longer than `llm_timeout` leaves";
    assert_eq!(reply.fault, Some(Fault::Turn(said.to_owned())));
}

#[tokio::test]
async fn nobody_there_says_what_to_check() {
    let mut server = server(vec![]).await;
    // Port 1 of this machine: nobody listens there.
    server.base = "http://127.0.0.1:1".to_owned();
    let mut conversation = talk(&server, chat(), http(2)).await;
    let reply = say(&server, &mut conversation, 0, "go").await.unwrap();
    let Some(Fault::Unreachable(why)) = reply.fault else {
        panic!("{:?}", reply.fault);
    };
    assert!(
        why.starts_with("http://127.0.0.1:1/v1/chat/completions can't be reached: "),
        "{why}"
    );
    assert!(why.contains("check `model.endpoint`"), "{why}");
}

#[tokio::test]
async fn a_key_that_the_server_echoes_is_not_repeated() {
    let echo = r#"{"error":{"message":"bad key sk-very-secret-key, really","code":401}}"#;
    let server = server(vec![Answer::Http(401, "", echo.to_owned())]).await;
    let mut conversation = talk(&server, chat(), http(2)).await;
    let reply = say(&server, &mut conversation, 0, "go").await.unwrap();
    let said =
        "HTTP 401 Unauthorized: bad key ***, really; the key is refused: check `OPENAI_API_KEY`";
    assert_eq!(reply.fault, Some(Fault::Unreachable(said.to_owned())));
    let head = &server.seen()[0].head;
    assert!(
        head.contains("authorization: Bearer sk-very-secret-key"),
        "{head}"
    );
    let told = format!("{:?}", conversation.model);
    assert!(!told.contains("very-secret"), "{told}");
    Box::new(conversation).close().await;
}

#[tokio::test]
async fn newer_models_get_their_name_for_max_tokens_and_no_default_temperature() {
    let refuse = |param: &str, code: &str| {
        let body = format!(r#"{{"error":{{"message":"no","param":"{param}","code":"{code}"}}}}"#);
        Answer::Http(400, "", body)
    };
    let mut answers = vec![
        refuse("max_tokens", "unsupported_parameter"),
        refuse("temperature", "unsupported_value"),
        Answer::ok(words("hi")),
    ]
    .into_iter();
    let server = Server::start(|_| Ok(()), move |_| answers.next().unwrap()).await;
    let schema = holodeck_value::Value::from_json(r#"{"type": "object", "maximum": 1.0}"#).unwrap();
    let sampling = Sampling {
        top_p: holodeck_value::Number::from_lexeme("0.9"),
        response_format: Some(schema),
        ..sampling()
    };
    let wire = Box::new(Chat::new("m", None, sampling));
    let mut conversation = talk(&server, wire, http(1)).await;
    let reply = say(&server, &mut conversation, 0, "go").await.unwrap();
    assert_eq!(reply.response.as_deref(), Some("hi"));
    let settings: Vec<String> = server
        .seen()
        .iter()
        .map(|seen| {
            let mut body = seen.body.clone();
            let body = body.as_object_mut().unwrap();
            body.retain(|key, _| !matches!(key.as_str(), "messages" | "tools"));
            serde_json::to_string(body).unwrap()
        })
        .collect();
    expect_test::expect![[r#"
        {"model":"m","max_tokens":1000,"temperature":0.3,"top_p":0.9,"response_format":{"type":"json_schema","json_schema":{"name":"response","schema":{"type":"object","maximum":1.0}}},"stream":false}
        {"model":"m","max_completion_tokens":1000,"temperature":0.3,"top_p":0.9,"response_format":{"type":"json_schema","json_schema":{"name":"response","schema":{"type":"object","maximum":1.0}}},"stream":false}
        {"model":"m","max_completion_tokens":1000,"top_p":0.9,"response_format":{"type":"json_schema","json_schema":{"name":"response","schema":{"type":"object","maximum":1.0}}},"stream":false}"#]].assert_eq(&settings.join("\n"));
}

#[tokio::test]
async fn what_a_content_filter_stopped_is_an_error_beside_what_came() {
    let filtered = words("I").replace("stop", "content_filter");
    let server = server(vec![Answer::ok(filtered)]).await;
    let mut conversation = talk(&server, chat(), http(1)).await;
    let reply = say(&server, &mut conversation, 0, "go").await.unwrap();
    assert_eq!(reply.response.as_deref(), Some("I"));
    let said = "the service's content filter stopped the reply".to_owned();
    assert_eq!(reply.fault, Some(Fault::Turn(said)));
}

#[tokio::test]
async fn a_key_at_the_end_of_what_is_quoted_is_not_cut_in_half() {
    let garbage = format!("{} sk-very-secret-key", "x".repeat(490));
    let server = server(vec![Answer::ok(garbage)]).await;
    let mut conversation = talk(&server, chat(), http(1)).await;
    let reply = say(&server, &mut conversation, 0, "go").await.unwrap();
    let Some(Fault::Turn(why)) = reply.fault else {
        panic!("{:?}", reply.fault);
    };
    assert!(why.ends_with("xx ***"), "{why}");
}
