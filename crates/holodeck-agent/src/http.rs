//! Requests to model services with good manners (rule X7): one pool, retries, limits, and no key in anything that is said of them.
//!
//! Knows no wire format beyond the usual shapes of an error body.

mod pace;
mod retry;
mod trouble;

use std::fmt;
use std::time::Duration;

use holodeck_model::mask::Masker;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response, Url, redirect};
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep};
use tracing::debug;

use pace::Pace;
pub(crate) use retry::Patience;
pub(crate) use trouble::{BadRequest, Told, Trouble, cause, clip, shown_words};

/// The most that is read of one reply.
const MAX_BODY: usize = 64 << 20;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How much may be asked at once and in a minute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Requests that wait for their answer at once.
    pub(crate) concurrent_requests: Option<usize>,
    /// Requests, retries included, in any 60 seconds.
    pub(crate) requests_per_minute: Option<usize>,
}

/// The requests of a run.
#[derive(Debug)]
pub(crate) struct Http {
    client: Client,
    seats: Option<Semaphore>,
    pace: Option<Pace>,
    patience: Patience,
}

/// Where requests go, with what proves who asks.
#[derive(Clone)]
pub(crate) struct Target {
    url: Url,
    headers: HeaderMap,
    masker: Masker,
    /// What to check where it can't be reached or lets nobody in.
    pub(crate) checks: Checks,
}

/// What to check, in words.
#[derive(Clone, Debug)]
pub(crate) struct Checks {
    /// Where the address comes from: "`model.endpoint`".
    pub(crate) endpoint: String,
    /// Where the key comes from: "`OPENAI_API_KEY`".
    pub(crate) key: String,
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Target").field(&self.shown()).finish()
    }
}

impl Target {
    /// A target; `key` is the header that proves who asks, and its secret is taken out of everything that is said.
    pub(crate) fn new(
        url: Url,
        key: Option<(HeaderName, HeaderValue)>,
        secrets: impl IntoIterator<Item = String>,
        checks: Checks,
    ) -> Self {
        let mut secrets: Vec<String> = secrets.into_iter().collect();
        secrets.extend(url.password().map(str::to_owned));
        let mut headers = HeaderMap::new();
        if let Some((name, mut value)) = key {
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        Self {
            url,
            headers,
            masker: Masker::new(secrets),
            checks,
        }
    }

    /// Adds a header that is no secret.
    pub(crate) fn with(mut self, name: &'static str, value: &'static str) -> Self {
        self.headers.insert(name, HeaderValue::from_static(value));
        self
    }

    /// A text without the secrets of this target.
    pub(crate) fn masked(&self, text: &str) -> String {
        self.masker.text(text).into_owned()
    }

    /// The address, query and all.
    #[cfg(test)]
    pub(crate) fn whole(&self) -> String {
        self.url.to_string()
    }

    /// The address without what may be secret in it: user, password, query.
    pub(crate) fn shown(&self) -> String {
        shown(&self.url)
    }
}

/// An address without what may be secret in it.
pub(crate) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    // An address without a host has neither.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
    url.to_string()
}

impl Http {
    /// One client, one pool; proxies as the environment has them. Fails where no TLS roots can be read.
    pub(crate) fn new(limits: Limits, patience: Patience) -> Result<Self, String> {
        // Fails only where one is installed already, which then serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .user_agent(concat!("holodeck/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_TIMEOUT)
            // A key must not follow a redirect to another host.
            .redirect(redirect::Policy::none())
            .build()
            .map_err(|error| cause(&error))?;
        Ok(Self {
            client,
            seats: limits.concurrent_requests.map(Semaphore::new),
            pace: limits.requests_per_minute.map(Pace::new),
            patience,
        })
    }

    /// Posts JSON and reads the reply to its end, trying again as rule X7 says for as long as `deadline` leaves time.
    pub(crate) async fn post(
        &self,
        target: &Target,
        body: Vec<u8>,
        deadline: Instant,
    ) -> Result<String, Trouble> {
        let mut tries = 0;
        loop {
            tries += 1;
            let failed = match self.once(target, body.clone()).await {
                Ok(body) => return Ok(body),
                Err(failed) => failed,
            };
            let wait = self.patience.wait(tries, failed.retry_after);
            let wait = wait.filter(|_| failed.may_pass);
            debug!(tries, ?wait, "a request failed");
            match wait {
                Some(wait) if Instant::now() + wait < deadline => sleep(wait).await,
                wait => return Err(failed.given_up(tries, wait)),
            }
        }
    }

    async fn once(&self, target: &Target, body: Vec<u8>) -> Result<String, trouble::Failed> {
        if let Some(pace) = &self.pace {
            pace.wait().await;
        }
        let _seat = match &self.seats {
            // It is never closed.
            Some(seats) => seats.acquire().await.ok(),
            None => None,
        };
        let sent = self
            .client
            .post(target.url.clone())
            .headers(target.headers.clone())
            .header("content-type", "application/json")
            .header("accept", "application/json")
            .body(body)
            .send()
            .await;
        let mut response = sent.map_err(|error| trouble::broken(&error, target))?;
        let body = read(&mut response, target).await?;
        if response.status().is_success() {
            Ok(body)
        } else {
            Err(trouble::refused(&response, &body, target))
        }
    }
}

async fn read(response: &mut Response, target: &Target) -> Result<String, trouble::Failed> {
    let mut body = Vec::new();
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|error| trouble::broken(&error, target))?
    {
        if body.len() + chunk.len() > MAX_BODY {
            return Err(trouble::endless(MAX_BODY, target));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(match String::from_utf8(body) {
        Ok(text) => text,
        Err(bytes) => String::from_utf8_lossy(bytes.as_bytes()).into_owned(),
    })
}

#[cfg(test)]
mod tests;
