//! The keys of a person at an agent.

use crate::model::Timestamp;

/// A person's keys at an agent.
#[derive(Default)]
pub struct PersonKeys {
    /// When something was typed last.
    pub(in crate::domain::agent) last: Option<Timestamp>,
    /// When Enter was pressed last.
    pub(in crate::domain::agent) entered: Option<Timestamp>,
    /// When a key was pressed last by which a CLI suspends itself, until it is told to go on.
    pub(in crate::domain::agent) suspended: Option<Timestamp>,
    /// Its agent rested as the first character was typed of what stands in the composer.
    pub(in crate::domain::agent) draft_began_at_rest: bool,
    /// They wait for its process.
    pub(in crate::domain::agent) before_start: Vec<Vec<u8>>,
    /// They wait while a prompt is typed.
    pub(in crate::domain::agent) held: Vec<Vec<u8>>,
}
