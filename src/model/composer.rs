//! What the composer of an agent shows: the field that a person writes the next prompt into.

use serde::{Deserialize, Serialize};

/// As its screen tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Composer {
    /// It is there, and nothing stands in it but words of the CLI's own.
    Empty,
    /// What stands in it, or the end of that where the field shows no more. Where it breaks lines, blanks may be missing.
    Holds(String),
    /// Nothing but one long paste, of which the CLI shows the size.
    Pasted,
    /// It is not on the screen, or does not take the keys: a menu or a dialog does.
    Absent,
}

/// One look at the terminal of an agent that a prompt is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Glance {
    /// `None` where nobody knows how the composer of this CLI looks.
    pub composer: Option<Composer>,
    /// The program asks for pastes to be framed.
    pub pastes: bool,
    /// The terminal was asked for it, after all that was typed before. Else it is what the screen came to show.
    pub asked: bool,
    /// What stands on the screen, where that alone tells what the CLI does and nobody knows how its composer looks.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}
