//! Finding chats and commands by a few letters of whatever a person remembers of them.

use nucleo::pattern::{CaseMatching, Normalization, Pattern};
use nucleo::{Config, Matcher, Utf32Str};

use crate::domain::state::Domain;
use crate::model::Chat;

use super::need::{self, Need};

/// Where a word that is wanted stands in a chat, the farthest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    /// Its letters are scattered over the name and what stands beside it.
    Scattered,
    /// In a word of its last words.
    Said,
    /// In a word of its project or branch.
    About,
    /// In a word of its name or handle.
    Within,
    /// A word of its project, its branch, its agent or its status begins so.
    AboutBegins,
    /// A word of its name or handle begins so.
    Begins,
    /// Its name or handle is just that.
    Called,
}

/// From so many letters on a word may be the beginning of a status.
const STATUS: usize = 3;

/// Chats that match: those that are called so first, then those of which a word begins so; of equals, the one that moved
/// last. Where letters are scattered in a chat, it is found only if nothing else is.
pub fn matching<'a>(domain: &'a Domain, wanted: &str) -> Vec<&'a Chat> {
    let lower = wanted.trim().to_lowercase();
    let chats = || domain.disk.chats.values();
    let mut found: Vec<(Nearness, u32, &Chat)> = chats()
        .filter_map(|chat| Some((nearness(domain, chat, &lower)?, 0, chat)))
        .collect();
    if found.is_empty() {
        let scattered = ranked(chats().map(|chat| (text(chat), chat)), wanted).into_iter();
        found.extend(scattered.map(|(score, chat)| (Nearness::Scattered, score, chat)));
    }
    found.sort_by_key(|(nearness, score, chat)| std::cmp::Reverse((*nearness, *score, chat.updated)));
    found.into_iter().map(|(_, _, chat)| chat).collect()
}

/// Of all words that are wanted, the farthest; `None` where one of them stands nowhere. `wanted` is in small letters.
fn nearness(domain: &Domain, chat: &Chat, wanted: &str) -> Option<Nearness> {
    let names = format!("{} {}", chat.record.name, chat.record.handle).to_lowercase();
    if chat.record.name.to_lowercase() == wanted || chat.record.handle.as_str() == wanted {
        return Some(Nearness::Called);
    }
    let about = about(chat).to_lowercase();
    let agent = format!("{} {}", chat.record.llm, domain.disk.title_of(&chat.record.llm)).to_lowercase();
    let said = chat.preview.to_lowercase();
    let words = states(domain, chat);
    let near = |word: &str| {
        let is_state = word.chars().count() >= STATUS && words.iter().any(|state| state.starts_with(word));
        let ways = [
            (begins(&names, word), Nearness::Begins),
            (
                is_state || begins(&agent, word) || begins(&about, word),
                Nearness::AboutBegins,
            ),
            (names.contains(word), Nearness::Within),
            (about.contains(word), Nearness::About),
            (said.contains(word), Nearness::Said),
        ];
        ways.into_iter()
            .find_map(|(stands, nearness)| stands.then_some(nearness))
    };
    // The least of none is that of an empty filter.
    let each: Option<Vec<Nearness>> = wanted.split_whitespace().map(near).collect();
    each.map(|each| each.into_iter().min().unwrap_or(Nearness::Said))
}

/// Whether a word of the text begins so.
fn begins(text: &str, word: &str) -> bool {
    let starts = |(at, _): (usize, &str)| text[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
    text.match_indices(word).any(starts)
}

/// Words for what it does: waiting, failed, unseen, running, idle, ended, and what else its status is called.
fn states(domain: &Domain, chat: &Chat) -> Vec<&'static str> {
    let unseen = domain.live.unseen.contains(chat.id()).then_some("unseen");
    let status = domain.status(chat.id());
    let need = match need::of(domain, chat.id()) {
        Need::Waiting => "waiting",
        Need::Failed => "failed",
        Need::Running => "running",
        Need::Unseen => "done",
        Need::Idle => "idle",
        Need::Ended => "ended",
    };
    [Some(need), Some(status.word()), unseen]
        .into_iter()
        .flatten()
        .collect()
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

/// What of a chat can be searched by scattered letters: name, handle, projects and branches.
fn text(chat: &Chat) -> String {
    format!("{} {} {}", chat.record.name, chat.record.handle, about(chat))
}

/// Its projects and branches.
fn about(chat: &Chat) -> String {
    let mut text = String::new();
    for project in &chat.projects {
        text.push_str(&project.name);
        text.push(' ');
        text.push_str(project.branch.as_deref().unwrap_or_default());
        text.push(' ');
    }
    text
}
