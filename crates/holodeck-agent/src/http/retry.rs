//! When to try again (rule X7).

use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use reqwest::header::HeaderMap;

/// How often a request is sent, and how long to wait in between.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// Tries in all.
    pub(crate) tries: u32,
    /// The longest first wait; it doubles from try to try.
    pub(crate) first: Duration,
    /// The longest wait that is our own choice.
    pub(crate) longest: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            tries: 5,
            first: Duration::from_millis(500),
            longest: Duration::from_secs(8),
        }
    }
}

impl Patience {
    /// How long to wait after so many tries: as the server asks, else anything up to a bound that doubles ("full jitter"). `None` is the end.
    pub(super) fn wait(self, tries: u32, asked: Option<Duration>) -> Option<Duration> {
        if tries >= self.tries {
            return None;
        }
        let bound = self.bound(tries);
        Some(asked.unwrap_or_else(|| bound.mul_f64(fastrand::f64())))
    }

    fn bound(self, tries: u32) -> Duration {
        let doubled = 2_u32.saturating_pow(tries.saturating_sub(1));
        self.first.saturating_mul(doubled).min(self.longest)
    }
}

/// How long the server asks to wait: `retry-after-ms`, else `Retry-After` in seconds or as a date.
pub(super) fn asked(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let number = |text: &str| text.parse::<f64>().ok().filter(|n| n.is_finite());
    let wait = |seconds: f64| Duration::try_from_secs_f64(seconds.max(0.0)).ok();
    if let Some(ms) = text("retry-after-ms").and_then(number) {
        return wait(ms / 1000.0);
    }
    let after = text("retry-after")?;
    if let Some(seconds) = number(after) {
        return wait(seconds);
    }
    let date = DateTimeParser::new().parse_timestamp(after).ok()?;
    wait(date.duration_since(now).as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_a_bound_and_end() {
        let patience = Patience::default();
        let bounds: Vec<_> = (1..=6).map(|n| patience.bound(n).as_millis()).collect();
        assert_eq!(bounds, [500, 1000, 2000, 4000, 8000, 8000]);
        assert!(patience.wait(4, None).unwrap() <= Duration::from_secs(4));
        assert_eq!(patience.wait(5, None), None);
        let asked = Some(Duration::from_secs(40));
        assert_eq!(patience.wait(1, asked), asked);
    }

    #[track_caller]
    fn check(name: &'static str, value: &str, seconds: Option<f64>) {
        let mut headers = HeaderMap::new();
        headers.insert(name, value.parse().unwrap());
        let now: Timestamp = "2026-12-01T12:00:00Z".parse().unwrap();
        assert_eq!(
            asked(&headers, now).map(|d| d.as_secs_f64()),
            seconds,
            "{value}"
        );
    }

    #[test]
    fn retry_after_is_milliseconds_seconds_or_a_date() {
        check("retry-after-ms", "250", Some(0.25));
        check("retry-after", "20", Some(20.0));
        check("retry-after", " 0.5 ", Some(0.5));
        check("retry-after", "-3", Some(0.0));
        check("retry-after", "Tue, 01 Dec 2026 12:00:30 GMT", Some(30.0));
        check("retry-after", "Tue, 01 Dec 2026 11:00:00 GMT", Some(0.0));
        check("retry-after", "soon", None);
        check("retry-after", "inf", None);
        check("retry-after", "1e300", None);
    }
}
