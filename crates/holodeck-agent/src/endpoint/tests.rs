use std::sync::{Arc, Mutex};

use holodeck_model::plan::{CaseId, OnTurnFailure};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::*;

/// What a server does with a request.
enum Act {
    Http(u16, &'static str),
    Hang,
    Drop,
}

/// An agent behind a server that does this with each request, and the requests that came.
async fn agent(acts: Vec<Act>) -> (HttpAgent, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}/agent?k=v", listener.local_addr().unwrap());
    let seen = Arc::<Mutex<Vec<String>>>::default();
    let noted = Arc::clone(&seen);
    tokio::spawn(async move {
        let mut hung = Vec::new();
        for act in acts {
            let (mut stream, _) = listener.accept().await.unwrap();
            let body = request(&mut stream).await;
            noted.lock().unwrap().push(body);
            match act {
                Act::Http(status, body) => {
                    let n = body.len();
                    let response = format!(
                        "HTTP/1.1 {status} X\r\nlocation: /x\r\nconnection: close\r\ncontent-length: {n}\r\n\r\n{body}"
                    );
                    stream.write_all(response.as_bytes()).await.unwrap();
                }
                Act::Hang => hung.push(stream),
                Act::Drop => {}
            }
        }
    });
    let agent =
        HttpAgent::new(&endpoint, Some("sesame"), PathBuf::new(), Masker::default()).unwrap();
    let patience = Duration::from_millis(300);
    (HttpAgent { patience, ..agent }, seen)
}

/// The body of a request.
async fn request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        assert_ne!(stream.read_buf(&mut bytes).await.unwrap(), 0);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        assert!(head.starts_with("POST /agent?k=v HTTP/1.1\r\n"), "{head}");
        assert!(head.contains("authorization: Bearer sesame\r\n"), "{head}");
        let length = head
            .lines()
            .find_map(|l| l.strip_prefix("content-length: "));
        if body.len() == length.unwrap().parse::<usize>().unwrap() {
            return body.to_owned();
        }
    }
}

async fn open(agent: &HttpAgent) -> Box<dyn Session> {
    let case = CasePlan {
        index: 0,
        id: CaseId {
            key: "c".to_owned(),
            occurrence: 0,
        },
        name: Some("c".to_owned()),
        single_turn: false,
        turns: Vec::new(),
        on_turn_failure: OnTurnFailure::Continue,
    };
    agent.open(&case).await.unwrap()
}

fn turn(index: usize) -> TurnInput<'static> {
    TurnInput {
        index,
        input: "q",
        files: &[],
    }
}

/// The fault of a turn, the server's address left out.
async fn fault(act: Act) -> String {
    let (agent, _) = agent(vec![act]).await;
    let fault = open(&agent).await.send(turn(0)).await.fault;
    format!("{:?}", fault.unwrap()).replace(&agent.shown(), "URL")
}

#[tokio::test]
async fn one_post_a_turn_and_a_close_in_the_end() {
    let (agent, seen) = agent(vec![
        Act::Http(
            200,
            r#"{"id":1,"turn_index":0,"response":"a","tool_calls":[{"name":"t","args":{"n":1.0}}]}"#,
        ),
        Act::Http(200, r#"{"id":2,"turn_index":1,"response":""}"#),
        Act::Http(204, ""),
    ])
    .await;
    let mut session = open(&agent).await;
    let reply = session.send(turn(0)).await;
    assert_eq!(reply.response.as_deref(), Some("a"));
    assert_eq!(reply.tool_invocations[0].args.to_json(), r#"{"n":1.0}"#);
    assert_eq!(session.send(turn(1)).await.response.as_deref(), Some(""));
    session.close().await;
    let seen = seen.lock().unwrap();
    let kinds = ["turn", "turn", "close"];
    assert_eq!(seen.len(), kinds.len());
    for (body, kind) in seen.iter().zip(kinds) {
        let start = format!(r#"{{"holodeck_agent":1,"type":"{kind}""#);
        assert!(body.starts_with(&start), "{body}");
    }
}

#[tokio::test]
async fn what_is_no_answer_is_told() {
    for (act, told) in [
        (
            Act::Http(200, "hi"),
            r#"Turn("the agent's answer is none: that is no JSON (expected a value (text stands in double quotes) at byte 0): `hi`")"#,
        ),
        (
            Act::Http(200, r#"{"id":1,"turn_index":4,"response":"x"}"#),
            r#"Turn("the agent answered another turn: `id` 1, `turn_index` 4, where 1 and 0 were asked")"#,
        ),
        (
            Act::Http(
                500,
                r#"{"id":1,"turn_index":0,"error":{"message":"no","fatal":true}}"#,
            ),
            r#"Fatal("no")"#,
        ),
        (
            Act::Http(503, "busy\nhere"),
            r#"Turn("URL answered HTTP 503 Service Unavailable: `busy\\nhere`")"#,
        ),
        (
            Act::Http(500, r#"{"id":1,"turn_index":0,"response":"x"}"#),
            r#"Turn("URL answered HTTP 500 Internal Server Error: `{\\\"id\\\":1,\\\"turn_index\\\":0,\\\"response\\\":\\\"x\\\"}`")"#,
        ),
        (
            Act::Http(404, ""),
            r#"Unreachable("URL answered HTTP 404 Not Found; check the address")"#,
        ),
        (
            Act::Http(302, ""),
            r#"Unreachable("URL answered HTTP 302 Found; write the address it sends on to")"#,
        ),
    ] {
        assert_eq!(fault(act).await, told);
    }
    let broke = fault(Act::Drop).await;
    assert!(
        broke.starts_with(r#"Session("the connection to URL broke: "#),
        "{broke}"
    );
}

#[tokio::test]
async fn nobody_there_is_unreachable() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    let agent =
        HttpAgent::new(&endpoint, Some("sesame"), PathBuf::new(), Masker::default()).unwrap();
    let reply = open(&agent).await.send(turn(0)).await;
    let Some(Fault::Unreachable(why)) = reply.fault else {
        panic!("{reply:?}");
    };
    assert!(
        why.starts_with(&format!("{endpoint} can't be reached: Connection refused")),
        "{why}"
    );
}

/// What came of giving up a turn that hangs, the cancel answered so, and the next turn.
async fn give_up(cancel: Act) -> (Partial, Reply) {
    let (agent, seen) = agent(vec![
        Act::Hang,
        cancel,
        Act::Http(200, r#"{"id":2,"turn_index":1,"response":"next"}"#),
    ])
    .await;
    let mut session = open(&agent).await;
    let given_up = timeout(Duration::from_millis(300), session.send(turn(0))).await;
    assert!(given_up.is_err());
    let partial = session.abandon().await;
    let next = session.send(turn(1)).await;
    let cancel = seen.lock().unwrap()[1].clone();
    assert!(
        cancel.starts_with(r#"{"holodeck_agent":1,"type":"cancel","id":1,"#),
        "{cancel}"
    );
    (partial, next)
}

#[tokio::test]
async fn a_turn_that_is_given_up_is_cancelled() {
    let (partial, next) = give_up(Act::Http(
        200,
        r#"{"id":1,"turn_index":0,"error":{"message":"cancelled"},"tool_calls":[{"name":"t"}]}"#,
    ))
    .await;
    assert_eq!(partial.session_lost, None);
    assert_eq!(partial.tool_invocations.len(), 1);
    assert_eq!(next.response.as_deref(), Some("next"));
    let (partial, next) = give_up(Act::Http(204, "")).await;
    assert_eq!(partial.session_lost, None);
    assert_eq!(next.response.as_deref(), Some("next"));
    for (act, why) in [
        (Act::Http(400, ""), ": HTTP 400 Bad Request"),
        (Act::Hang, " within 300ms"),
    ] {
        let (partial, next) = give_up(act).await;
        let why = format!("the agent did not acknowledge the cancel of its turn{why}");
        assert_eq!(partial.session_lost.as_ref(), Some(&why));
        assert_eq!(next.fault, Some(Fault::Fatal(why)));
    }
}

#[test]
fn an_address_is_one() {
    for good in ["http://localhost:8000", "https://x/y?z", "http://[::1]:1/"] {
        assert!(address(good).is_ok(), "{good}");
    }
    for bad in [
        "",
        "localhost:8000",
        "ftp://x",
        "http://",
        "/x",
        "http://u@",
    ] {
        assert!(
            matches!(address(bad), Err(BadEndpoint::NoAddress { .. })),
            "{bad}"
        );
    }
    assert_eq!(address("http://u:p@x"), Err(BadEndpoint::Credentials));
    assert!(is_here(&address("http://[::1]:1/").unwrap()));
    assert!(is_here(&address("http://127.8.0.1").unwrap()));
    assert!(!is_here(&address("http://localhost.example").unwrap()));
}
