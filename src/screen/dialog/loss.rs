//! What deleting a chat would lose, as every dialog that asks about it says it.

use crate::model::{Losses, text};

/// In the order in which it is read.
pub(super) struct Loss {
    pub headline: &'static str,
    /// What is lost, one line each; the headline is a warning where there is anything.
    pub lost: Vec<String>,
    pub notes: Vec<String>,
}

/// `heading` stands above what is lost. Without losses it is still being found out what they are.
pub(super) fn said(losses: Option<&Losses>, heading: &'static str) -> Loss {
    let Some(losses) = losses else {
        return Loss {
            headline: "Looking for work that is not saved elsewhere…",
            lost: Vec::new(),
            notes: Vec::new(),
        };
    };
    let lines = |lines: &[String]| lines.iter().map(|line| text::visible(line)).collect();
    Loss {
        headline: losses.headline(heading),
        lost: lines(&losses.lost),
        notes: lines(&losses.notes),
    }
}
