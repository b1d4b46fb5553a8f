//! A status as a sign, a style and a word: shape and colour say the same.

use ratatui::style::Style;

use crate::config::theme::Theme;
use crate::domain::call::called_in;
use crate::domain::chat as chats;
use crate::model::{Chat, ChatId, Status};
use crate::screen::State;

pub struct Sign {
    pub shape: &'static str,
    pub style: Style,
    pub word: &'static str,
}

pub fn of(state: &State, chat: &ChatId, theme: &Theme) -> Sign {
    let status = state.domain.status(chat);
    let unseen = state.domain.live.unseen.contains(chat);
    let done = match state.domain.what_failed(chat) {
        Some(_) => theme.waiting,
        None => theme.unseen,
    };
    let (shape, style, word) = match status {
        Status::Starting => ("◌", theme.running, "starting"),
        Status::Running(_) => ("●", theme.running, "running"),
        Status::NeedsYou(_) => ("◆", theme.waiting, "needs you"),
        Status::Idle(Some(how)) if unseen && Status::is_interrupted(&how) => ("■", theme.waiting, "unseen"),
        Status::Idle(_) | Status::Hibernated if unseen => ("✓", done, "done, unseen"),
        Status::Idle(_) => ("○", theme.idle, "idle"),
        Status::Retrying(_) => ("◔", theme.waiting, "retrying"),
        Status::Error(_) => ("✗", theme.failed, "error"),
        Status::Limited(_) => ("◔", theme.waiting, "limit"),
        Status::LoggedOut(_) => ("✗", theme.failed, "not logged in"),
        // Among those that have just ended it is told by its sign too. Once seen it is no news.
        crashed @ Status::Exited(_) if unseen && crashed.has_failed() => ("✗", theme.failed, "exited"),
        Status::Exited(_) => ("□", theme.exited, "exited"),
        Status::Hibernated => ("◇", theme.exited, "hibernated"),
        Status::Unknown(_) => ("?", theme.dim, "unknown"),
    };
    Sign { shape, style, word }
}

/// The sign's word with the tool, question or reason behind it.
pub fn in_words(state: &State, chat: &ChatId, theme: &Theme) -> String {
    format!("{} {}", of(state, chat, theme).shape, words(state, chat, theme))
}

/// The same without the sign.
pub fn words(state: &State, chat: &ChatId, theme: &Theme) -> String {
    let word = of(state, chat, theme).word;
    match state.domain.detail(chat).as_str() {
        "" => word.into(),
        // It says twice that it is over.
        detail if status_is_exited(state, chat) && detail.starts_with("ended") => detail.into(),
        detail => {
            // What runs in a shell is a program.
            let is_shell = state.domain.disk.chats.get(chat).is_some_and(Chat::is_shell);
            let doing = if is_shell { detail.into() } else { called_in(detail) };
            format!("{word}: {}", chats::near(&state.domain, chat, &doing))
        }
    }
}

fn status_is_exited(state: &State, chat: &ChatId) -> bool {
    matches!(state.domain.status(chat), Status::Exited(_))
}
