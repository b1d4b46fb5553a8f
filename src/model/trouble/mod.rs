//! Trouble of an agent with its provider: what kind it is.

mod plain;
mod reset;

use serde::{Deserialize, Serialize};

use super::{Timestamp, Zone};

pub use plain::plain;
pub use reset::reset_time;

/// What kind of trouble it is. What can be done depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TroubleKind {
    /// A limit of usage or of requests is reached; it ends by itself.
    Limit,
    /// The provider has no room now.
    Overloaded,
    /// Nobody is logged in, or the login ran out.
    Login,
    /// The plan or the credit does not allow it.
    Credit,
    /// The provider cannot be reached.
    Network,
    /// There is no such model, or it may not be used.
    Model,
    /// The conversation is too long for the model.
    ContextFull,
    /// Any other refusal of the provider.
    Refused,
}

/// What an adapter tells of a failed request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    pub kind: TroubleKind,
    /// When a limit ends, if the CLI tells the moment itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resets: Option<Timestamp>,
}

/// What each kind is known by, in the words of any CLI or provider. The first that fits counts.
const WORDS: &[(TroubleKind, &[&str])] = &[
    (
        TroubleKind::Network,
        &[
            "econnrefused",
            "enotfound",
            "etimedout",
            "econnreset",
            "getaddrinfo",
            "fetch failed",
            "connection error",
            "unable to connect",
            "network error",
            "error sending request",
            "stream disconnected",
            "no connection",
        ],
    ),
    (
        TroubleKind::Login,
        &[
            "unauthorized",
            "unauthenticated",
            "authentication",
            "invalid api key",
            "api key not valid",
            "api_key_invalid",
            "please run /login",
            "not logged in",
            "oauth token",
            "permission_denied",
            "401",
        ],
    ),
    (
        TroubleKind::Credit,
        &[
            "credit balance",
            "billing",
            "insufficient_quota",
            "payment required",
            "402",
        ],
    ),
    (
        TroubleKind::ContextFull,
        &[
            "context window",
            "context length",
            "prompt is too long",
            "maximum context",
        ],
    ),
    (
        TroubleKind::Limit,
        &[
            "usage limit",
            "rate limit",
            "rate_limit",
            "ratelimit",
            "limit reached",
            "hit your limit",
            "resource_exhausted",
            "quota",
            "too many requests",
            "retry limit",
            "429",
        ],
    ),
    (TroubleKind::Overloaded, &["overloaded", "529", "503", "unavailable"]),
    (
        TroubleKind::Model,
        &["model_not_found", "no such model", "unknown model", "not_found_error"],
    ),
];

impl TroubleKind {
    /// What an error is by its words; any other refusal where they tell nothing.
    pub fn by_words(said: &str) -> TroubleKind {
        let said = said.to_lowercase();
        let fits = |(_, words): &&(TroubleKind, &[&str])| words.iter().any(|word| said.contains(word));
        WORDS.iter().find(fits).map_or(TroubleKind::Refused, |(kind, _)| *kind)
    }

    /// As a heading names it.
    pub fn title(self) -> &'static str {
        match self {
            TroubleKind::Limit => "A limit of the provider is reached",
            TroubleKind::Overloaded => "The provider is overloaded",
            TroubleKind::Login => "Not logged in",
            TroubleKind::Credit => "The plan or the credit does not allow it",
            TroubleKind::Network => "The provider cannot be reached",
            TroubleKind::Model => "The model cannot be used",
            TroubleKind::ContextFull => "The conversation is too long for the model",
            TroubleKind::Refused => "The provider refused the request",
        }
    }

    /// Whether the same request may succeed later.
    pub fn passes(self) -> bool {
        match self {
            TroubleKind::Limit | TroubleKind::Overloaded | TroubleKind::Network => true,
            TroubleKind::Login
            | TroubleKind::Credit
            | TroubleKind::Model
            | TroubleKind::ContextFull
            | TroubleKind::Refused => false,
        }
    }
}

impl Trouble {
    pub fn of(kind: TroubleKind) -> Trouble {
        Trouble { kind, resets: None }
    }

    pub fn by_words(said: &str) -> Trouble {
        Trouble::of(TroubleKind::by_words(said))
    }
}

/// `14:00`, `tomorrow 09:00`, `Oct 9 17:00`: a moment as a person nearby says it.
pub fn moment(moment: Timestamp, now: Timestamp, zone: Zone) -> String {
    let (then, today) = (zone.wall(moment), zone.wall(now));
    let days = (then.date() - today.date()).num_days();
    let time = then.format("%H:%M");
    match days {
        0 => time.to_string(),
        1 => format!("tomorrow {time}"),
        _ => format!("{} {time}", then.format("%b %-d")),
    }
}

/// `in 2h 10m`, `in 40m`, `in less than a minute`.
pub fn countdown(until: Timestamp, now: Timestamp) -> String {
    let minutes = until.ms_since(now).div_ceil(60_000);
    match minutes {
        0 => "now".into(),
        1 if until.ms_since(now) < 60_000 => "in less than a minute".into(),
        minutes @ 1..60 => format!("in {minutes}m"),
        minutes @ 60..1440 => match minutes % 60 {
            0 => format!("in {}h", minutes / 60),
            rest => format!("in {}h {rest}m", minutes / 60),
        },
        minutes => format!("in {}d {}h", minutes / 1440, minutes % 1440 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_known_by_its_words() {
        let kinds = [
            (
                "API Error: 401 {\"type\":\"error\",\"error\":{\"type\":\"authentication_error\"}}",
                TroubleKind::Login,
            ),
            ("You've hit your usage limit. Try again in 3 days.", TroubleKind::Limit),
            (
                "exceeded retry limit, last status: 429 Too Many Requests",
                TroubleKind::Limit,
            ),
            ("API Error (529 Overloaded)", TroubleKind::Overloaded),
            (
                "Unable to connect. Is the computer able to access the url?",
                TroubleKind::Network,
            ),
            ("Your credit balance is too low", TroubleKind::Credit),
            ("Prompt is too long", TroubleKind::ContextFull),
            ("API Error: 400 Bad thing", TroubleKind::Refused),
        ];
        for (said, kind) in kinds {
            assert_eq!(TroubleKind::by_words(said), kind, "{said}");
        }
    }

    #[test]
    fn moments_and_countdowns_are_said_shortly() {
        let at = |text: &str| Timestamp::try_from(text.to_string()).unwrap();
        let (now, zone) = (at("2026-02-15T12:00:00.000Z"), Zone::default());
        let said = |text: &str| (moment(at(text), now, zone), countdown(at(text), now));
        assert_eq!(said("2026-02-15T14:00:00.000Z"), ("14:00".into(), "in 2h".into()));
        assert_eq!(
            said("2026-02-15T12:00:30.000Z"),
            ("12:00".into(), "in less than a minute".into())
        );
        assert_eq!(
            said("2026-02-16T09:10:00.000Z"),
            ("tomorrow 09:10".into(), "in 21h 10m".into())
        );
        assert_eq!(
            said("2026-02-18T13:00:00.000Z"),
            ("Feb 18 13:00".into(), "in 3d 1h".into())
        );
        assert_eq!(countdown(now, now), "now");
    }
}
