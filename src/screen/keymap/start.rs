//! The keys of the page that stands where a chat would, while there is none.

use strum::{IntoStaticStr, VariantArray};

use super::line::{KeyLine, bind};

#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase", prefix = "start.")]
pub enum StartAction {
    Here,
    InPlace,
    Open,
    Recent,
    Trust,
    Tour,
}

/// Fixed: each opens the project with its number.
const NUMBERS: &[&str] = &["1", "2", "3", "4", "5"];

pub const TABLE: [KeyLine<StartAction>; StartAction::VARIANTS.len()] = {
    use StartAction as A;
    [
        bind(A::Here, &["enter"], "Start an agent on this repository", "start here"),
        bind(A::InPlace, &["i"], "The same, in the checkout itself", "in place"),
        bind(
            A::Open,
            &["o"],
            "Open a folder or repository in a new chat",
            "open folder",
        ),
        bind(A::Recent, NUMBERS, "Open the recent project with that number", "recent"),
        bind(A::Trust, &["y"], "Let Claude Code trust the chats folder", "trust"),
        bind(A::Tour, &["t"], "Tour of the screen in six steps", "tour"),
    ]
};
