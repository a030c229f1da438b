//! An agent of the author's own behind an address: the protocol's messages as HTTP requests, one POST a turn.
//!
//! A turn is posted once and not tried again, as it may have had effects. Each answer comes with its own request, so that one that is
//! late is nobody's; whether the agent is free for the next turn is what the cancel asks.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;
use holodeck_model::mask::Masker;
use holodeck_model::plan::CasePlan;
use holodeck_run::ports::{Backend, Fault, OpenError, Partial, Reply, Session, TurnInput};
use holodeck_worker::excerpt;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use reqwest::{Client, StatusCode, Url, redirect};
use tokio::time::timeout;

use crate::http::{cause, shown};
use crate::protocol::{self, Answer, Conversation, MESSAGE_LIMIT, OpenTurn};

/// How long an agent may take to acknowledge a cancel or a close.
const PATIENCE: Duration = Duration::from_secs(5);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// An agent behind an address.
#[derive(Clone, Debug)]
pub struct HttpAgent {
    client: Client,
    url: Url,
    files_in: PathBuf,
    masker: Masker,
    patience: Duration,
}

/// An address that no agent can be asked at.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadEndpoint {
    /// Not `http` or `https`, or no host.
    #[error("{shown} is no address: write `http://HOST:PORT/PATH` or `https://..`")]
    NoAddress {
        /// As it was given.
        shown: String,
    },
    /// A user or password in it.
    #[error("no user or password may stand in the address, as it is shown in reports")]
    Credentials,
    /// A key that no header can carry.
    #[error("the API key holds a line break or another character that no HTTP header can carry")]
    BadKey,
    /// No client can be made.
    #[error("no request can be made: {0}")]
    NoClient(String),
}

/// Reads an address.
pub(crate) fn address(endpoint: &str) -> Result<Url, BadEndpoint> {
    let no_address = || BadEndpoint::NoAddress {
        shown: if endpoint.contains('@') {
            "it".to_owned()
        } else {
            excerpt(endpoint)
        },
    };
    let url = Url::parse(endpoint.trim()).map_err(|_| no_address())?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(BadEndpoint::Credentials);
    }
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(no_address());
    }
    Ok(url)
}

impl HttpAgent {
    /// The agent at `endpoint`, which is shown `key` as a bearer's; files of turns are relative to `files_in`. Proxies are as the
    /// environment has them, none for this machine. The secrets that `masker` knows are taken out of what is told of an answer.
    pub fn new(
        endpoint: &str,
        key: Option<&str>,
        files_in: PathBuf,
        masker: Masker,
    ) -> Result<Self, BadEndpoint> {
        let url = address(endpoint)?;
        // Fails only where one is installed already, which then serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut headers = HeaderMap::new();
        if let Some(key) = key {
            let mut bearer =
                HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| BadEndpoint::BadKey)?;
            bearer.set_sensitive(true);
            headers.insert(AUTHORIZATION, bearer);
        }
        let client = Client::builder()
            .default_headers(headers)
            .user_agent(concat!("holodeck/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_TIMEOUT)
            // A turn that is sent on would arrive as a GET, or twice; and a key must not go to another host.
            .redirect(redirect::Policy::none());
        let client = if is_here(&url) {
            client.no_proxy()
        } else {
            client
        };
        let client = client
            .build()
            .map_err(|error| BadEndpoint::NoClient(cause(&error)))?;
        Ok(Self {
            client,
            url,
            files_in,
            masker,
            patience: PATIENCE,
        })
    }

    /// The address without its query, where secrets may stand.
    pub fn shown(&self) -> String {
        shown(&self.url)
    }
}

fn is_here(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let ip = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || ip.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[async_trait]
impl Backend for HttpAgent {
    async fn open(&self, case: &CasePlan) -> Result<Box<dyn Session>, OpenError> {
        Ok(Box::new(Exchange {
            agent: self.clone(),
            conversation: Conversation::new(case.label(), &self.files_in),
            open: None,
            lost: None,
        }))
    }
}

/// A session.
#[derive(Debug)]
struct Exchange {
    agent: HttpAgent,
    conversation: Conversation,
    /// The turn that was given up.
    open: Option<OpenTurn>,
    lost: Option<String>,
}

/// What the agent sent back.
struct Sent {
    status: StatusCode,
    body: String,
}

impl Exchange {
    async fn post(&self, message: String) -> Result<Sent, Fault> {
        let at = self.agent.shown();
        let broke = |error: &reqwest::Error| {
            let cause = cause(error);
            if error.is_connect() {
                let check = "check the address, and whether the agent runs";
                Fault::Unreachable(format!("{at} can't be reached: {cause}; {check}"))
            } else {
                Fault::Session(format!("the connection to {at} broke: {cause}"))
            }
        };
        let request = self
            .agent
            .client
            .post(self.agent.url.clone())
            .header("content-type", "application/json")
            .header("accept", "application/json")
            .body(message);
        let mut response = request.send().await.map_err(|error| broke(&error))?;
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| broke(&error))? {
            if body.len() + chunk.len() > MESSAGE_LIMIT {
                let limit = MESSAGE_LIMIT >> 20;
                return Err(Fault::Turn(format!(
                    "the agent's answer is longer than {limit} MiB"
                )));
            }
            body.extend_from_slice(&chunk);
        }
        let body = String::from_utf8(body)
            .map_err(|_| Fault::Turn("the agent's answer is not UTF-8".to_owned()))?;
        let status = response.status();
        Ok(Sent { status, body })
    }

    async fn ask(&self, open: OpenTurn, message: String) -> Result<Reply, Fault> {
        let Sent { status, body } = self.post(message).await?;
        let answer = match protocol::answer(&body, &self.agent.masker) {
            // One that the server itself takes for a failure must not pass.
            Ok(answer)
                if is_to(open, &answer)
                    && (status.is_success() || answer.reply.fault.is_some()) =>
            {
                return Ok(answer.reply);
            }
            other => other,
        };
        if !status.is_success() {
            return Err(self.refused(status, &body));
        }
        Err(Fault::Turn(match answer {
            Err(what) => format!("the agent's answer is none: {what}"),
            Ok(Answer { id, turn_index, .. }) => {
                let turn_index = turn_index.map_or("none".to_owned(), |n| n.to_string());
                format!(
                    "the agent answered another turn: `id` {id}, `turn_index` {turn_index}, where {} and {} were asked",
                    open.id, open.turn_index
                )
            }
        }))
    }

    fn refused(&self, status: StatusCode, body: &str) -> Fault {
        let mut message = format!("{} answered HTTP {status}", self.agent.shown());
        if !body.trim().is_empty() {
            message = format!(
                "{message}: {}",
                excerpt(&self.agent.masker.text(body.trim()))
            );
        }
        match status.as_u16() {
            300..=399 => Fault::Unreachable(format!("{message}; write the address it sends on to")),
            401 | 403 | 404 | 405 | 407 => {
                Fault::Unreachable(format!("{message}; check the address"))
            }
            _ => Fault::Turn(message),
        }
    }
}

fn is_to(open: OpenTurn, answer: &Answer) -> bool {
    match answer.turn_index {
        Some(turn_index) => open.is_of(answer.id, turn_index),
        // Nobody else's; the reply tells what it lacks.
        None => answer.id == open.id,
    }
}

#[async_trait]
impl Session for Exchange {
    async fn send(&mut self, turn: TurnInput<'_>) -> Reply {
        let failed = |fault| Reply {
            fault: Some(fault),
            ..Reply::default()
        };
        if let Some(why) = &self.lost {
            return failed(Fault::Fatal(why.clone()));
        }
        let (open, message) = match self.conversation.turn(turn) {
            Ok(said) => said,
            Err(why) => return failed(Fault::Turn(why)),
        };
        self.open = Some(open);
        let reply = self.ask(open, message).await;
        self.open = None;
        reply.unwrap_or_else(failed)
    }

    async fn abandon(&mut self) -> Partial {
        let mut partial = Partial::default();
        if let Some(open) = self.open {
            let cancel = self.post(self.conversation.cancel(open));
            match timeout(self.agent.patience, cancel).await {
                Ok(Ok(Sent { status, body })) if status.is_success() => {
                    // It may say what it did until then.
                    if let Ok(answer) = protocol::answer(&body, &self.agent.masker)
                        && is_to(open, &answer)
                    {
                        partial.tool_invocations = answer.reply.tool_invocations;
                        partial.usage = answer.reply.usage;
                        if let Some(Fault::Fatal(message)) = answer.reply.fault {
                            self.lost = Some(message);
                        }
                    }
                }
                Ok(Ok(Sent { status, .. })) => {
                    self.lost = Some(format!(
                        "the agent did not acknowledge the cancel of its turn: HTTP {status}"
                    ));
                }
                Ok(Err(
                    Fault::Turn(why)
                    | Fault::Session(why)
                    | Fault::Fatal(why)
                    | Fault::Unreachable(why),
                )) => {
                    self.lost = Some(format!(
                        "the agent did not acknowledge the cancel of its turn: {why}"
                    ));
                }
                Err(_) => {
                    self.lost = Some(format!(
                        "the agent did not acknowledge the cancel of its turn within {:?}",
                        self.agent.patience
                    ));
                }
            }
            self.open = None;
        }
        partial.session_lost.clone_from(&self.lost);
        partial
    }

    async fn close(self: Box<Self>) {
        // Nobody is left to be told of trouble.
        let _ = timeout(self.agent.patience, self.post(self.conversation.close())).await;
    }
}

#[cfg(test)]
mod tests;
