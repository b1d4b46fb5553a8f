//! Which commands a few letters mean: by the beginnings of their words first.

use std::cmp::Reverse;
use std::ops::Range;

use super::super::super::keymap::{Action, ChatAction, ChatsAction, KeepWay, MoveAction, PaneSheet, ScreenAction};

/// How well a command is meant, the best first: where the worst of the typed words was found, all of them together, and
/// how early in its title.
pub(in super::super) type Fit = Reverse<(FoundAt, usize, usize)>;

/// Where a typed word was found, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum FoundAt {
    /// A word of the title begins with it.
    WordBegins,
    /// The name begins with it that `config.json` has for the command.
    NameBegins,
    /// So is it called elsewhere.
    CalledElsewhere,
    /// It stands within the title or the name.
    Within,
}

/// What other programs call a command.
const CALLED_ELSEWHERE: [(Action, &[&str]); 31] = [
    (Action::Screen(ScreenAction::Sidebar), &["list", "chats", "drawer"]),
    (
        Action::Screen(ScreenAction::Detach),
        &["quit", "exit", "close", "leave"],
    ),
    (Action::Screen(ScreenAction::Help), &["shortcuts", "bindings"]),
    (
        Action::Screen(ScreenAction::Tour),
        &["tutorial", "introduction", "welcome"],
    ),
    (Action::Screen(ScreenAction::Zoom), &["fullscreen", "maximize", "pane"]),
    (Action::Screen(ScreenAction::Beside), &["split", "pane"]),
    (
        Action::Screen(ScreenAction::Settings),
        &["theme", "colours", "colors", "preferences", "options", "config"],
    ),
    (Action::Move(MoveAction::SwitchFocus), &["pane", "focus"]),
    (Action::Move(MoveAction::CopyMode), &["paste", "yank", "buffer"]),
    (Action::Screen(ScreenAction::Grid), &["tile", "split", "pane", "window"]),
    (Action::Screen(ScreenAction::Redraw), &["refresh", "redraw", "clear"]),
    (
        Action::Screen(ScreenAction::Inspector),
        &["inspector", "settings", "preferences", "config"],
    ),
    (Action::Keep(KeepWay::Home), &["merge", "branch", "checkout"]),
    (Action::Keep(KeepWay::Abort), &["merge", "cherry-pick", "revert"]),
    (Action::Keep(KeepWay::Push), &["upload", "remote", "publish"]),
    (Action::Keep(KeepWay::Pull), &["pr", "merge request", "github"]),
    (Action::Move(MoveAction::ScrollUp), &["scrollback", "history"]),
    (Action::Chat(ChatAction::Shell), &["terminal", "command line", "bash"]),
    (Action::Chat(ChatAction::Stop), &["kill", "end", "terminate"]),
    (Action::Chat(ChatAction::Interrupt), &["cancel", "abort"]),
    (Action::Chat(ChatAction::Compact), &["compress", "summarize", "context"]),
    (
        Action::Chat(ChatAction::Export),
        &["save", "markdown", "html", "json", "download"],
    ),
    (Action::Chat(ChatAction::Delete), &["remove", "rm"]),
    (Action::Chat(ChatAction::Duplicate), &["duplicate", "clone", "copy"]),
    (Action::Chats(ChatsAction::NewChat), &["create", "session", "thread"]),
    (
        Action::Chats(ChatsAction::Approvals),
        &["approve", "permissions", "allow"],
    ),
    (Action::Chats(ChatsAction::Usage), &["price", "budget", "money"]),
    (Action::Chats(ChatsAction::UndoDelete), &["restore", "undo"]),
    (
        Action::Show(PaneSheet::Changes),
        &[
            "diff", "git", "review", "merge", "branch", "stage", "discard", "stash", "remark", "comment",
        ],
    ),
    (
        Action::Show(PaneSheet::Checkpoints),
        &["revert", "rewind", "undo", "reset"],
    ),
    (Action::Show(PaneSheet::Transcript), &["history", "conversation"]),
];

/// How well what is typed means this command, and what of its title that is; `None` where it does not.
pub(in super::super) fn fit(
    typed: &str,
    action: Option<Action>,
    title: &str,
    name: &str,
) -> Option<(Fit, Vec<Range<usize>>)> {
    let (mut worst, mut all, mut first, mut marks) = (FoundAt::WordBegins, 0, usize::MAX, Vec::new());
    for word in typed.split_whitespace() {
        let (place, mark) = find(&word.to_lowercase(), action, title, name)?;
        worst = worst.max(place);
        all += place as usize;
        first = first.min(mark.as_ref().map_or(title.len(), |mark| mark.start));
        marks.extend(mark);
    }
    marks.sort_by_key(|mark: &Range<usize>| mark.start);
    Some((Reverse((worst, all, first)), marks))
}

fn find(word: &str, action: Option<Action>, title: &str, name: &str) -> Option<(FoundAt, Option<Range<usize>>)> {
    // Titles are ASCII, so places in the lower-case one are those of the title.
    let lower = title.to_ascii_lowercase();
    let name = name.to_ascii_lowercase();
    let at = |at: usize| at..at + word.len();
    let begins = |(place, _): &(usize, &str)| {
        let before = lower[..*place].chars().next_back();
        before.is_none_or(|before| !before.is_alphanumeric())
    };
    if let Some((place, _)) = lower.match_indices(word).find(begins) {
        return Some((FoundAt::WordBegins, Some(at(place))));
    }
    let within = lower.find(word).map(at);
    if name.starts_with(word) {
        return Some((FoundAt::NameBegins, within));
    }
    let others = CALLED_ELSEWHERE.iter().filter(|(called, _)| Some(*called) == action);
    let mut others = others.flat_map(|(_, others)| others.iter());
    if others.any(|other| other.starts_with(word)) {
        return Some((FoundAt::CalledElsewhere, within));
    }
    let is_within = within.is_some() || name.contains(word);
    is_within.then_some((FoundAt::Within, within))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(typed: &str, action: Action, title: &str, name: &str) -> Option<FoundAt> {
        fit(typed, Some(action), title, name).map(|(Reverse((place, ..)), _)| place)
    }

    #[test]
    fn words_are_found_by_their_beginnings_and_letters_here_and_there_are_not() {
        let detach = Action::Screen(ScreenAction::Detach);
        let find = |typed| place(typed, detach, "Detach; agents run on", "detach");
        assert_eq!(find("ag"), Some(FoundAt::WordBegins));
        assert_eq!(find("run det"), Some(FoundAt::WordBegins));
        assert_eq!(find("quit"), Some(FoundAt::CalledElsewhere));
        assert_eq!(find("tach"), Some(FoundAt::Within));
        assert_eq!(find("dtch"), None);
        assert_eq!(find(""), Some(FoundAt::WordBegins));
    }

    #[test]
    fn what_matched_is_told() {
        let stop = Action::Chat(ChatAction::Stop);
        let (_, marks) = fit("ag stop", Some(stop), "Stop the agent", "stop").expect("it matches");
        assert_eq!(marks, [0..4, 9..11]);
    }
}
