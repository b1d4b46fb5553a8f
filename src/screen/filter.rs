//! Finding chats and commands by a few letters of whatever a person remembers of them.

use std::collections::BTreeMap;

use nucleo::pattern::{CaseMatching, Normalization, Pattern};
use nucleo::{Config, Matcher, Utf32Str};

use crate::model::{Chat, ChatId};

/// Where what is wanted stands in a chat, the farthest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    /// In what is around it, or scattered.
    About,
    /// Its name or handle has all the words in it.
    Within,
    /// Its name or handle is just that.
    Called,
}

/// Chats that match: those that are called so first, then the best; of equals, the one that moved last.
pub fn matching<'a>(chats: &'a BTreeMap<ChatId, Chat>, wanted: &str) -> Vec<&'a Chat> {
    let mut found = ranked(chats.values().map(|chat| (text(chat), chat)), wanted);
    let wanted = wanted.trim().to_lowercase();
    found.sort_by_cached_key(|(score, chat)| std::cmp::Reverse((nearness(chat, &wanted), *score, chat.updated)));
    found.into_iter().map(|(_, chat)| chat).collect()
}

/// `wanted` is in small letters.
fn nearness(chat: &Chat, wanted: &str) -> Nearness {
    let names = [chat.record.name.to_lowercase(), chat.record.handle.to_string()];
    let has_all = |name: &String| wanted.split_whitespace().all(|word| name.contains(word));
    if names.iter().any(|name| name == wanted) {
        Nearness::Called
    } else if names.iter().any(has_all) {
        Nearness::Within
    } else {
        Nearness::About
    }
}

/// Those whose text matches, and how well.
pub fn ranked<T>(texts: impl Iterator<Item = (String, T)>, wanted: &str) -> Vec<(u32, T)> {
    let mut matcher = Matcher::new(Config::DEFAULT);
    let pattern = Pattern::parse(wanted, CaseMatching::Smart, Normalization::Smart);
    let mut letters = Vec::new();
    let score = |(text, what): (String, T)| {
        let score = pattern.score(Utf32Str::new(&text, &mut letters), &mut matcher)?;
        Some((score, what))
    };
    texts.filter_map(score).collect()
}

/// What of a chat can be searched: name, handle, projects and branches, last words.
fn text(chat: &Chat) -> String {
    let mut text = format!("{} {}", chat.record.name, chat.record.handle);
    for project in &chat.projects {
        text.push(' ');
        text.push_str(&project.name);
        text.push(' ');
        text.push_str(project.branch.as_deref().unwrap_or_default());
    }
    text.push(' ');
    text.push_str(&chat.preview);
    text
}
