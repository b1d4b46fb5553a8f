//! What a person set at the screen for good, in no file that they write themselves: `preferences.json`.

use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// In which order chats are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray)]
#[serde(rename_all = "kebab-case")]
pub enum ListOrder {
    /// What needs a person first, then what moved last.
    #[default]
    Need,
    Activity,
    Created,
    Name,
}

/// What chats are listed under.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray)]
#[serde(rename_all = "kebab-case")]
pub enum ListGrouping {
    #[default]
    Nothing,
    Day,
    Project,
    Schedule,
    State,
}
