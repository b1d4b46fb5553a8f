//! What is said to a call.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::PermissionProfile;

/// What the rules say to a call. It holds for that call's exact input and for no other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ruling {
    Allow {
        rule: RuleName,
    },
    Ask {
        rule: RuleName,
        why: String,
    },
    Deny {
        rule: RuleName,
        why: String,
    },
    /// No rule is about it: the CLI's own rules hold.
    NoOpinion,
}

/// Which rule decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RuleName {
    /// One of `config.json`, as it is written there.
    Persons(String),
    /// What a person lets the agent of this chat do.
    Profile(PermissionProfile),
    /// One of parlour's own, in words.
    BuiltIn(Cow<'static, str>),
}

impl RuleName {
    pub const fn built_in(words: &'static str) -> RuleName {
        RuleName::BuiltIn(Cow::Borrowed(words))
    }
}

impl fmt::Display for RuleName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RuleName::Persons(text) => f.write_str(text),
            RuleName::Profile(profile) => write!(f, "permission profile {}", profile.name()),
            RuleName::BuiltIn(words) => write!(f, "built in: {words}"),
        }
    }
}

pub(super) fn ask(rule: RuleName, why: &str) -> Ruling {
    Ruling::Ask { rule, why: why.into() }
}

pub(super) fn deny(rule: RuleName, why: &str) -> Ruling {
    Ruling::Deny { rule, why: why.into() }
}
