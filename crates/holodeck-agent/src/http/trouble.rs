//! What went wrong with a request, in words that hold no key.

use std::error::Error;
use std::fmt::Write as _;
use std::time::Duration;

use jiff::Timestamp;
use reqwest::{Response, StatusCode};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Target, retry};

/// The most characters of a server's own words that are repeated.
const MAX_WORDS: usize = 500;

/// A request that came to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trouble {
    /// What to say.
    pub(crate) message: String,
    /// Nobody is there, or nobody is let in: no other request will fare better.
    pub(crate) nobody: bool,
    /// The request itself was not taken (400).
    pub(crate) bad_request: Option<BadRequest>,
}

/// What a 400 complains of, as far as it says so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BadRequest {
    /// `error.param`.
    pub(crate) param: String,
    /// `error.code`.
    pub(crate) code: String,
}

/// A try that failed.
#[derive(Debug)]
pub(super) struct Failed {
    pub(super) trouble: Trouble,
    /// Another try may fare better.
    pub(super) may_pass: bool,
    pub(super) retry_after: Option<Duration>,
}

impl Failed {
    fn new(message: String) -> Self {
        Self {
            trouble: Trouble {
                message,
                nobody: false,
                bad_request: None,
            },
            may_pass: false,
            retry_after: None,
        }
    }

    /// What to say of it in the end; `wait` is the one for which no time was left.
    pub(super) fn given_up(self, tries: u32, wait: Option<Duration>) -> Trouble {
        let mut trouble = self.trouble;
        if tries > 1 {
            // Writing to a string can't fail.
            let _ = write!(trouble.message, " (tried {tries} times)");
        }
        if let (Some(wait), true) = (wait, self.retry_after.is_some()) {
            let seconds = wait.as_secs_f64().ceil();
            let _ = write!(
                trouble.message,
                "; the server asks to wait {seconds} s, longer than `llm_timeout` leaves"
            );
        }
        trouble
    }
}

/// No connection, or one that broke.
pub(super) fn broken(error: &reqwest::Error, target: &Target) -> Failed {
    let cause = target.masker.text(&cause(error)).into_owned();
    let at = target.shown();
    if error.is_builder() {
        return Failed::new(format!("no request can be made to {at}: {cause}"));
    }
    let nobody = error.is_connect();
    let message = if nobody {
        let checks = &target.checks.endpoint;
        format!(
            "{at} can't be reached: {cause}; check {checks}, the network, and HTTPS_PROXY where there is a proxy"
        )
    } else {
        format!("the connection to {at} broke: {cause}")
    };
    let mut failed = Failed::new(message);
    failed.trouble.nobody = nobody;
    failed.may_pass = true;
    failed
}

/// A reply without end.
pub(super) fn endless(most: usize, target: &Target) -> Failed {
    Failed::new(format!(
        "the reply of {} is longer than {} MiB",
        target.shown(),
        most >> 20
    ))
}

/// An answer that says no.
pub(super) fn refused(response: &Response, body: &str, target: &Target) -> Failed {
    let status = response.status();
    let told = Told::read(body);
    let words = shown_words(&target.masker.text(&told.message));
    let mut message = format!("HTTP {status}");
    if !words.is_empty() {
        let _ = write!(message, ": {words}");
    }
    let out_of_quota = told.is("insufficient_quota");
    let checks = &target.checks;
    let check = match status {
        StatusCode::UNAUTHORIZED => Some(format!("the key is refused: check {}", checks.key)),
        StatusCode::NOT_FOUND => Some(format!(
            "{} has no such model or page: check `model.name` and {} (should it end in `/v1`?)",
            target.shown(),
            checks.endpoint
        )),
        _ if out_of_quota => Some("the account has no quota left".to_owned()),
        _ if status.is_redirection() => Some(format!(
            "{} sends on to another address: check {}",
            target.shown(),
            checks.endpoint
        )),
        _ => None,
    };
    let nobody = check.is_some();
    if let Some(check) = check {
        let _ = write!(message, "; {check}");
    }
    let mut failed = Failed::new(message);
    failed.trouble.nobody = nobody;
    if status == StatusCode::BAD_REQUEST {
        failed.trouble.bad_request = Some(BadRequest {
            param: told.param.unwrap_or_default(),
            code: told.code.unwrap_or_default(),
        });
    }
    failed.may_pass =
        !nobody && (matches!(status.as_u16(), 408 | 409 | 429) || status.is_server_error());
    failed.retry_after = retry::asked(response.headers(), Timestamp::now());
    failed
}

/// What an error body says.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// Its message, or all of it where it has none.
    pub(crate) message: String,
    param: Option<String>,
    code: Option<String>,
    kind: Option<String>,
}

impl Told {
    /// Reads `{"error": {"message", "type", "param", "code"}}` and what others make of it.
    pub(crate) fn read(body: &str) -> Self {
        Self::from_json(body, 2).unwrap_or_else(|| Self {
            message: body.trim().to_owned(),
            ..Self::default()
        })
    }

    fn from_json(json: &str, levels: u8) -> Option<Self> {
        #[derive(Deserialize)]
        struct Body<'a> {
            #[serde(borrow)]
            error: Option<&'a RawValue>,
            #[serde(borrow)]
            message: Option<&'a RawValue>,
            #[serde(borrow)]
            detail: Option<&'a RawValue>,
            #[serde(borrow)]
            param: Option<&'a RawValue>,
            #[serde(borrow)]
            code: Option<&'a RawValue>,
            #[serde(borrow, rename = "type")]
            kind: Option<&'a RawValue>,
        }
        let body: Body<'_> = serde_json::from_str(json).ok()?;
        if let Some(error) = body.error.filter(|_| levels > 0) {
            return Some(
                Self::from_json(error.get(), levels - 1).unwrap_or_else(|| Self {
                    message: text(error),
                    ..Self::default()
                }),
            );
        }
        let message = body.message.or(body.detail)?;
        Some(Self {
            message: text(message),
            param: body.param.map(text),
            code: body.code.map(text),
            kind: body.kind.map(text),
        })
    }

    fn is(&self, code: &str) -> bool {
        self.code.as_deref() == Some(code) || self.kind.as_deref() == Some(code)
    }
}

/// The text of a JSON string, or the JSON itself.
fn text(raw: &RawValue) -> String {
    serde_json::from_str(raw.get()).unwrap_or_else(|_| raw.get().to_owned())
}

/// The innermost cause of an error, where the outer ones only say that there was one.
pub(crate) fn cause(error: &reqwest::Error) -> String {
    let mut innermost: &dyn Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    let told = innermost.to_string();
    match error.source() {
        Some(_) => told,
        // Its own words name the address, query and all.
        None => told.split(" for url").next().unwrap_or("").to_owned(),
    }
}

/// At most [`MAX_WORDS`] characters.
pub(crate) fn clip(words: &str) -> String {
    match words.char_indices().nth(MAX_WORDS) {
        Some((end, _)) => format!("{} ..", &words[..end]),
        None => words.to_owned(),
    }
}

/// White space, line breaks among it, made single spaces.
fn one_line(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a service wrote, short enough for a message.
pub(crate) fn shown_words(words: &str) -> String {
    clip(&one_line(words))
}
