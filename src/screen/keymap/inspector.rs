//! The keys of the inspector, where the cards and what belongs to them stand.

use strum::{IntoStaticStr, VariantArray};

use super::line::{KeyLine, bind};

#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase", prefix = "inspector.")]
pub enum InspectorAction {
    Fold,
    Full,
    Raw,
    Copy,
    CopyOutput,
    OpenFile,
    Again,
    Moment,
    Next,
    Previous,
    Cards,
    Card,
    Todos,
    Usage,
    Chat,
    Back,
}

pub const TABLE: [KeyLine<InspectorAction>; 16] = {
    use InspectorAction as A;
    [
        bind(A::Full, &["enter"], "The card in full", "in full"),
        bind(
            A::Fold,
            &["space", "right"],
            "Open or close the card in its place",
            "open",
        ),
        bind(A::Raw, &["J"], "Its input as JSON, or as a table", "JSON"),
        bind(A::Copy, &["y"], "Copy what the card did", "copy"),
        bind(A::CopyOutput, &["Y"], "Copy what came back", "copy output"),
        bind(A::OpenFile, &["E"], "Its file in your editor", "its file"),
        bind(A::Again, &["p"], "Ask for it again, as a prompt", "again"),
        bind(A::Moment, &["m"], "The terminal as it was then", "terminal then"),
        bind(A::Next, &[")"], "Next card", "next"),
        bind(A::Previous, &["("], "Card before", "before"),
        bind(A::Cards, &["1"], "Cards", "cards"),
        bind(A::Card, &["2"], "The selected card", "card"),
        bind(A::Todos, &["3"], "Todos", "todos"),
        bind(A::Usage, &["4"], "Usage", "usage"),
        bind(A::Chat, &["5"], "What is set for this chat", "chat"),
        bind(
            A::Back,
            &["esc", "left"],
            "Back to the cards, and to the terminal",
            "back",
        ),
    ]
};
