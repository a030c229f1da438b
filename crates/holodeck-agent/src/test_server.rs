//! A model service for tests: answers as it is told, and refuses every request that the real ones would refuse.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// What the server does with a request.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// A status with further header lines, and a body.
    Http(u16, &'static str, String),
    /// Closes the connection without a word.
    Drop,
    /// Closes it in the middle of the body.
    Half(String),
    /// Never answers.
    Hang,
}

impl Answer {
    pub(crate) fn ok(body: impl Into<String>) -> Self {
        Self::Http(200, "", body.into())
    }
}

/// A request that came.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// Request line and headers.
    pub(crate) head: String,
    pub(crate) body: Value,
}

/// The server. It ends with the runtime of the test.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    pub(crate) base: String,
    /// Told when somebody hangs: the server, or a tool of the test.
    pub(crate) hung: Arc<Notify>,
    seen: Arc<Mutex<Vec<Seen>>>,
    complaints: Arc<Mutex<Vec<String>>>,
}

type Validate = fn(&Value) -> Result<(), String>;

impl Server {
    /// Starts a server; `answer` is given each valid request.
    pub(crate) async fn start(
        validate: Validate,
        answer: impl FnMut(&Value) -> Answer + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            base: format!("http://{}", listener.local_addr().unwrap()),
            hung: Arc::default(),
            seen: Arc::default(),
            complaints: Arc::default(),
        };
        let answer = Arc::new(Mutex::new(answer));
        let shared = server.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (shared, answer) = (shared.clone(), Arc::clone(&answer));
                tokio::spawn(async move {
                    shared
                        .serve(stream, validate, |body| (answer.lock().unwrap())(body))
                        .await
                });
            }
        });
        server
    }

    /// The requests so far.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// Fails where a request was not one that the real services take.
    #[track_caller]
    pub(crate) fn assert_no_complaints(&self, what: &str) {
        let complaints = self.complaints.lock().unwrap();
        assert!(complaints.is_empty(), "{what}: {complaints:#?}");
    }

    async fn serve(
        &self,
        mut stream: TcpStream,
        validate: Validate,
        answer: impl Fn(&Value) -> Answer,
    ) -> Option<()> {
        let mut buffer = Vec::new();
        loop {
            let (head, body) = request(&mut stream, &mut buffer).await?;
            let body: Value = serde_json::from_str(&body).unwrap_or(Value::Null);
            self.seen.lock().unwrap().push(Seen {
                head,
                body: body.clone(),
            });
            let answer = match validate(&body) {
                Ok(()) => answer(&body),
                Err(complaint) => {
                    let told = format!("{complaint}\n{body:#}");
                    self.complaints.lock().unwrap().push(told);
                    Answer::Http(400, "", complaint)
                }
            };
            match answer {
                Answer::Http(status, headers, body) => {
                    let n = body.len();
                    let head =
                        format!("HTTP/1.1 {status} X\r\ncontent-length: {n}\r\n{headers}\r\n");
                    stream.write_all((head + &body).as_bytes()).await.ok()?;
                }
                Answer::Drop => return None,
                Answer::Half(body) => {
                    let n = body.len();
                    let half = &body[..n / 2];
                    let text = format!("HTTP/1.1 200 X\r\ncontent-length: {n}\r\n\r\n{half}");
                    stream.write_all(text.as_bytes()).await.ok()?;
                    return None;
                }
                Answer::Hang => {
                    self.hung.notify_one();
                    std::future::pending::<()>().await;
                }
            }
        }
    }
}

/// The next request of a connection.
async fn request(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<(String, String)> {
    loop {
        let text = String::from_utf8_lossy(buffer).into_owned();
        if let Some((head, rest)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|l| {
                let (name, value) = l.split_once(':')?;
                let is_length = name.eq_ignore_ascii_case("content-length");
                is_length.then(|| value.trim().parse::<usize>().ok())?
            });
            let length = length.unwrap_or(0);
            if rest.len() >= length {
                let found = (head.to_owned(), rest[..length].to_owned());
                buffer.drain(..head.len() + 4 + length);
                return Some(found);
            }
        }
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    }
}

/// The rules of Chat Completions: roles in order, each call answered once, right after it, arguments JSON objects in strings.
pub(crate) fn valid_chat(body: &Value) -> Result<(), String> {
    let messages = body["messages"].as_array().ok_or("no messages")?;
    let mut open: Vec<String> = Vec::new();
    let mut previous = "system";
    for message in messages {
        let role = message["role"].as_str().ok_or("a message without a role")?;
        if role == "tool" {
            let id = message["tool_call_id"].as_str().unwrap_or_default();
            let position = open.iter().position(|o| o == id);
            open.remove(position.ok_or(format!("a result for `{id}`, which is not open"))?);
            if !message["content"].is_string() {
                return Err("a result that is not text".to_owned());
            }
        } else if !open.is_empty() {
            return Err(format!("calls without results: {open:?}"));
        }
        let fits = match role {
            "system" => previous == "system",
            "user" => matches!(previous, "system" | "assistant"),
            "assistant" => matches!(previous, "user" | "tool"),
            "tool" => matches!(previous, "assistant" | "tool"),
            _ => false,
        };
        if !fits {
            return Err(format!("`{role}` after `{previous}`"));
        }
        if role == "assistant" {
            let calls = message["tool_calls"].as_array();
            if calls.is_none() && !message["content"].is_string() {
                return Err("an assistant message of nothing".to_owned());
            }
            for call in calls.into_iter().flatten() {
                let id = call["id"].as_str().unwrap_or_default().to_owned();
                let args = call["function"]["arguments"].as_str().unwrap_or_default();
                let is_object = holodeck_value::Value::from_json(args)
                    .is_ok_and(|args| args.as_object().is_some());
                if id.is_empty() || open.contains(&id) || call["type"] != "function" || !is_object {
                    return Err(format!("a malformed call: {call}"));
                }
                open.push(id);
            }
        }
        previous = role;
    }
    if !matches!(previous, "user" | "tool") || !open.is_empty() {
        return Err(format!("it ends with `{previous}`, open calls: {open:?}"));
    }
    if !body["max_tokens"].is_u64() || !body["temperature"].is_number() || body["stream"] != false {
        return Err("settings are missing".to_owned());
    }
    Ok(())
}

/// The rules of Messages: no two assistant messages in a row, each call answered once, at the start of the next message.
pub(crate) fn valid_messages(body: &Value) -> Result<(), String> {
    let messages = body["messages"].as_array().ok_or("no messages")?;
    let mut open: Vec<String> = Vec::new();
    let mut previous = "assistant";
    for message in messages {
        let role = message["role"].as_str().ok_or("a message without a role")?;
        if role == "assistant" && previous == "assistant" {
            return Err("an assistant message that answers nothing".to_owned());
        }
        let text = Vec::from([json!({"type": "text", "text": message["content"]})]);
        let blocks = message["content"].as_array().unwrap_or(&text);
        if blocks.is_empty() {
            return Err("a message of nothing".to_owned());
        }
        let results = blocks.iter().take_while(|b| b["type"] == "tool_result");
        for result in results {
            let id = result["tool_use_id"].as_str().unwrap_or_default();
            let position = open.iter().position(|o| o == id);
            open.remove(position.ok_or(format!("a result for `{id}`, which is not open"))?);
        }
        if !open.is_empty() {
            return Err(format!("calls without results: {open:?}"));
        }
        for block in blocks {
            match (role, block["type"].as_str()) {
                (_, Some("text"))
                    if block["text"].as_str().is_some_and(|t| !t.trim().is_empty()) => {}
                ("assistant", Some("tool_use")) if block["input"].is_object() => {
                    open.push(block["id"].as_str().unwrap_or_default().to_owned());
                }
                ("assistant", Some("thinking")) if block["signature"].is_string() => {}
                ("user", Some("tool_result")) if block["content"].is_string() => {}
                _ => return Err(format!("a malformed block: {block}")),
            }
        }
        previous = role;
    }
    if previous != "user" || !open.is_empty() {
        return Err(format!("it ends with `{previous}`, open calls: {open:?}"));
    }
    if !body["max_tokens"].is_u64() || !body["system"].is_string() || body["stream"] != false {
        return Err("settings are missing".to_owned());
    }
    Ok(())
}
