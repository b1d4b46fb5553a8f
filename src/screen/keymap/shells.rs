//! What commands are called in the chat of a person's own shell: no agent is there, and no turn.

use super::{Action, ChatAction};

/// Another title than the table's.
pub fn in_shell(action: Action) -> Option<&'static str> {
    let of = |wanted: ChatAction| action == Action::Chat(wanted);
    let titles = [
        (ChatAction::Enter, "Go into the shell"),
        (ChatAction::Interrupt, "Interrupt what runs in the shell"),
        (ChatAction::Stop, "Stop the shell"),
        (ChatAction::Restart, "Restart the shell"),
    ];
    titles
        .into_iter()
        .find(|(wanted, _)| of(*wanted))
        .map(|(_, title)| title)
}
