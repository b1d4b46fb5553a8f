//! What Claude Code's names of errors mean.

use crate::model::{Trouble, TroubleKind};

/// The name that a hook and the transcript give an error, and its words where the name says little. They name no moment
/// by itself: when a limit ends stands in the words.
pub(super) fn trouble(error: &str, message: &str) -> Trouble {
    Trouble::of(match error {
        "authentication_failed" | "oauth_org_not_allowed" => TroubleKind::Login,
        "billing_error" => TroubleKind::Credit,
        "rate_limit" => TroubleKind::Limit,
        "overloaded" => TroubleKind::Overloaded,
        "model_not_found" => TroubleKind::Model,
        _ => TroubleKind::by_words(message),
    })
}
