//! What a chat is called before a person names it.

use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester};
use crate::model::chat::UNNAMED;
use crate::model::entry::From;
use crate::model::text::one_line;
use crate::model::{ChatId, Entry, Happened};

use super::work;
use super::work::{ChatThen, ChatWork};

/// Characters of a name that is made of a prompt.
const LONGEST: usize = 40;

/// A line that begins with one of these is a command of the CLI, a shell's or a note: no prompt.
const COMMANDS: [char; 3] = ['/', '!', '#'];

/// By its first line: below it may stand what it is about, as a diff that was piped in.
pub fn from_prompt(prompt: Option<&str>) -> String {
    let first = |text: &str| {
        text.lines()
            .find(|line| !line.trim().is_empty())
            .map(|line| one_line(line, LONGEST))
    };
    match prompt.and_then(first) {
        Some(line) if !line.is_empty() => line,
        Some(_) | None => UNNAMED.into(),
    }
}

/// A person's first prompt names a chat that has no name yet. Its handle follows, and it answers to the old one too.
pub fn by_first_prompt(state: &mut Domain, chat: &ChatId, entries: &[Entry]) -> Vec<Effect> {
    let known = state.disk.chats.get(chat);
    if !known.is_some_and(|known| known.record.is_unnamed()) {
        return Vec::new();
    }
    let named = |entry: &Entry| {
        let Happened::Prompt { text, from, .. } = &entry.what else {
            return None;
        };
        let names = *from == From::Person && !text.starts_with(COMMANDS);
        names.then(|| from_prompt(Some(text)))
    };
    let mut prompts = entries.iter().filter_map(named);
    let Some(name) = prompts.find(|name| name != UNNAMED) else {
        return Vec::new();
    };
    let job = ChatWork::Name {
        chat: chat.clone(),
        name,
    };
    work(state, Requester::Nobody, ChatThen::Named(chat.clone()), job)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chat_is_named_by_the_first_line_that_says_something() {
        let name = |prompt| from_prompt(Some(prompt));
        assert_eq!(name("\n  Review this\n\ndiff --git a/x b/x"), "Review this");
        assert_eq!(name(" \n\n"), UNNAMED);
    }
}
