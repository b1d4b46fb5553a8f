//! Finding chats and commands by a few letters of whatever a person remembers of them.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use memchr::memmem::Finder;
use nucleo::pattern::{CaseMatching, Normalization, Pattern};
use nucleo::{Config, Matcher, Utf32Str};

use crate::domain::state::Domain;
use crate::model::status::COMMAND_FAILED;
use crate::model::{Chat, ChatId, Timestamp};

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

/// The best so many are listed: nobody reads on to the next, and each costs a row.
const LISTED: usize = 500;

/// What a filter looks through: the words of all chats, in the letters that it compares, read once for as long as none
/// changes. They stand in one text, one chat after the other: that is how they are read at each key.
pub struct ChatTexts {
    read: ReadOf,
    /// In the order of their ids.
    chats: Vec<Known>,
    /// Where the words of each stand.
    places: Vec<WordPlaces>,
    /// All words for what one of them does.
    stated: BTreeSet<&'static str>,
    /// Name, handle, projects and branches as they are written: scattered letters are found in these.
    written: String,
    /// In small letters, a line each: name and handle; projects and branches; its agent; its last words. No word goes on
    /// from one line to the next.
    small: String,
}

/// What decides what is read: while it stays, so does that.
#[derive(PartialEq, Eq)]
struct ReadOf {
    /// Of all chats.
    revision: u64,
    /// Of those that nobody has seen.
    unseen: u64,
}

/// What a filter knows of a chat beside where its words stand.
struct Known {
    id: ChatId,
    /// Of one whose agent is not here; that of another changes all the time.
    states: States,
    written: Range<usize>,
}

/// Where the words of one chat stand in small letters. Every key reads this of every chat, so nothing else lies between.
struct WordPlaces {
    begin: usize,
    /// Where its name ends.
    name: usize,
    /// Where its first three lines end.
    ends: [usize; 3],
    end: usize,
    updated: Timestamp,
}

/// A chat that matches. The greatest is the best: of equals it is the one that moved last.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct MatchingChat {
    near: Nearness,
    /// Of letters that are scattered.
    score: u32,
    updated: Timestamp,
    chat: Reverse<usize>,
}

/// The best of all that match. What is worse than enough others is forgotten at once: a letter may stand in every chat.
#[derive(Default)]
struct BestMatches {
    kept: Vec<MatchingChat>,
    /// As many as are listed are as good as this. Chats are added in their order, so an equal one that comes later is worse.
    least: Option<(Nearness, u32, Timestamp)>,
    all: usize,
}

impl BestMatches {
    fn add(&mut self, found: MatchingChat) {
        self.all += 1;
        let worth = (found.near, found.score, found.updated);
        if self.least.is_some_and(|least| worth <= least) {
            return;
        }
        self.kept.push(found);
        if self.kept.len() >= 2 * LISTED {
            self.forget();
        }
    }

    fn forget(&mut self) {
        let (_, last, _) = self
            .kept
            .select_nth_unstable_by(LISTED - 1, |one, other| other.cmp(one));
        self.least = Some((last.near, last.score, last.updated));
        self.kept.truncate(LISTED);
    }

    fn in_order(mut self) -> Vec<MatchingChat> {
        if self.kept.len() > LISTED {
            self.forget();
        }
        self.kept.sort_unstable_by(|one, other| other.cmp(one));
        self.kept
    }
}

/// Chats that match, the best first, and how many more there are.
pub struct FoundChats {
    pub chats: Vec<ChatId>,
    pub more: usize,
}

impl ReadOf {
    fn now(domain: &Domain) -> ReadOf {
        let mut print = DefaultHasher::new();
        domain.live.unseen.hash(&mut print);
        ReadOf {
            revision: domain.disk.chats.revision(),
            unseen: print.finish(),
        }
    }
}

impl ChatTexts {
    pub fn of(domain: &Domain) -> ChatTexts {
        let mut texts = ChatTexts {
            read: ReadOf::now(domain),
            chats: Vec::with_capacity(domain.disk.chats.len()),
            places: Vec::with_capacity(domain.disk.chats.len()),
            stated: BTreeSet::new(),
            written: String::new(),
            small: String::new(),
        };
        for chat in domain.disk.chats.values() {
            texts.add(domain, chat);
        }
        texts
    }

    fn add(&mut self, domain: &Domain, chat: &Chat) {
        let (written, begin) = (self.written.len(), self.small.len());
        let record = &chat.record;
        let about = about(chat);
        for word in [&record.name, " ", record.handle.as_str(), " ", &about] {
            self.written.push_str(word);
        }
        self.small.push_str(&record.name.to_lowercase());
        let name = self.small.len();
        self.small.push(' ');
        self.small.push_str(record.handle.as_str());
        let agent = format!("{} {}", record.llm, domain.disk.title_of(&record.llm));
        let ends = [&about, &agent, &chat.preview].map(|line| {
            let end = self.small.len();
            self.small.push('\n');
            self.small.push_str(&line.to_lowercase());
            end
        });
        let states = states(domain, chat.id());
        self.stated.extend(states.iter().flatten());
        self.chats.push(Known {
            id: chat.id().clone(),
            states,
            written: written..self.written.len(),
        });
        self.places.push(WordPlaces {
            begin,
            name,
            ends,
            end: self.small.len(),
            updated: chat.updated,
        });
        self.small.push('\n');
    }

    /// Reads the chats again where one has changed since.
    pub fn refresh(&mut self, domain: &Domain) {
        if self.read != ReadOf::now(domain) {
            *self = ChatTexts::of(domain);
        }
    }

    /// Chats that match: those that are called so first, then those of which a word begins so; of equals, the one that
    /// moved last. Where letters are scattered in a chat, it is found only if nothing else is.
    pub fn matching(&self, domain: &Domain, wanted: &str) -> FoundChats {
        let small = wanted.trim().to_lowercase();
        let words: Vec<Finder> = small.split_whitespace().map(Finder::new).collect();
        let mut best = match self.may_be_states(domain, &words) {
            true => self.near_among_all(domain, &small, &words),
            false => self.near_where_found(domain, &small, &words),
        };
        if best.all == 0 {
            let texts = self.chats.iter().map(|chat| &self.written[chat.written.clone()]);
            for (score, chat) in scored(texts.zip(0..), wanted) {
                best.add(self.found(Nearness::Scattered, score, chat));
            }
        }
        let all = best.all;
        let chats = best.in_order().into_iter();
        let chats: Vec<ChatId> = chats.map(|found| self.chats[found.chat.0].id.clone()).collect();
        FoundChats {
            more: all - chats.len(),
            chats,
        }
    }

    fn found(&self, near: Nearness, score: u32, chat: usize) -> MatchingChat {
        MatchingChat {
            near,
            score,
            updated: self.places[chat].updated,
            chat: Reverse(chat),
        }
    }

    /// Whether a chat may match that has not all words in its text: one may be the beginning of what it does. So may all if
    /// there are no words.
    fn may_be_states(&self, domain: &Domain, words: &[Finder]) -> bool {
        let words: Vec<&Finder> = match words {
            [] => return true,
            words => words.iter().filter(|word| word.needle().len() >= STATUS).collect(),
        };
        if words.is_empty() {
            return false;
        }
        let begins = |state: &str| words.iter().any(|word| begins_state(word, state));
        let live = || {
            domain
                .live
                .agents
                .iter()
                .flat_map(|(chat, _)| states(domain, chat))
                .flatten()
        };
        self.stated.iter().any(|state| begins(state)) || live().any(begins)
    }

    /// Looks at each chat.
    fn near_among_all(&self, domain: &Domain, small: &str, words: &[Finder]) -> BestMatches {
        let mut best = BestMatches::default();
        for chat in 0..self.chats.len() {
            if let Some(near) = self.nearness(domain, chat, small, words) {
                best.add(self.found(near, 0, chat));
            }
        }
        best
    }

    /// Looks only at chats in whose text the longest word stands: all texts are one, so the many without it cost nothing.
    fn near_where_found(&self, domain: &Domain, small: &str, words: &[Finder]) -> BestMatches {
        let mut best = BestMatches::default();
        let Some(rarest) = words.iter().max_by_key(|word| word.needle().len()) else {
            return best;
        };
        let (mut chat, mut read) = (0, 0);
        while let Some(at) = first(rarest, &self.small.as_bytes()[read..]) {
            chat = self.chat_at(read + at, chat);
            if let Some(near) = self.nearness(domain, chat, small, words) {
                best.add(self.found(near, 0, chat));
            }
            read = self.places[chat].end;
        }
        best
    }

    /// The chat whose text stands there, which is this one or one after it.
    fn chat_at(&self, at: usize, mut from: usize) -> usize {
        let mut step = 1;
        let begins = |chat: usize| self.places.get(chat).is_some_and(|place| place.begin <= at);
        while begins(from + step) {
            (from, step) = (from + step, step * 2);
        }
        let end = (from + step).min(self.places.len());
        from + self.places[from..end].partition_point(|place| place.begin <= at) - 1
    }

    /// Of all words that are wanted, the farthest; `None` where one of them stands nowhere. `wanted` is in small letters.
    fn nearness(&self, domain: &Domain, chat: usize, wanted: &str, words: &[Finder]) -> Option<Nearness> {
        let place = &self.places[chat];
        let name = &self.small[place.begin..place.name];
        let handle = &self.small[place.name + 1..place.ends[0]];
        if name == wanted || handle == wanted {
            return Some(Nearness::Called);
        }
        // The least of none is that of an empty filter.
        let mut least = Nearness::Said;
        for (at, word) in words.iter().enumerate() {
            let near = self.near(place, word);
            let is_near = near.is_some_and(|near| near >= Nearness::AboutBegins);
            let near = match !is_near && is_state(domain, &self.chats[chat], word) {
                true => Nearness::AboutBegins,
                false => near?,
            };
            least = if at == 0 { near } else { least.min(near) };
        }
        Some(least)
    }

    /// Where one word stands, the nearest of its places.
    fn near(&self, chat: &WordPlaces, word: &Finder) -> Option<Nearness> {
        let [names, about, agent] = chat.ends;
        let text = &self.small[chat.begin..chat.end];
        let (mut nearest, mut read) = (None, 0);
        while let Some(found) = first(word, &text.as_bytes()[read..]) {
            let found = read + found;
            read = found + word.needle().len();
            let at = chat.begin + found;
            let place = match at {
                at if at < names && begins(text, found) => return Some(Nearness::Begins),
                at if at < names => Some(Nearness::Within),
                at if at < agent && begins(text, found) => Some(Nearness::AboutBegins),
                at if at < about => Some(Nearness::About),
                // Of its agent only what begins so.
                at if at < agent => None,
                _ => Some(Nearness::Said),
            };
            nearest = nearest.max(place);
        }
        nearest
    }
}

/// Where a word stands first. A single letter may stand anywhere, and is found faster by itself.
fn first(word: &Finder, text: &[u8]) -> Option<usize> {
    match word.needle() {
        [letter] => memchr::memchr(*letter, text),
        _ => word.find(text),
    }
}

/// Whether a word begins there.
fn begins(text: &str, at: usize) -> bool {
    match text.as_bytes()[..at].last() {
        None => true,
        Some(before) if before.is_ascii() => !before.is_ascii_alphanumeric(),
        Some(_) => text[..at]
            .chars()
            .next_back()
            .is_none_or(|before| !before.is_alphanumeric()),
    }
}

/// Whether a word is the beginning of one for what the chat does.
fn is_state(domain: &Domain, chat: &Known, word: &Finder) -> bool {
    if word.needle().len() < STATUS {
        return false;
    }
    let now = match domain.live.agents.contains_key(&chat.id) {
        true => states(domain, &chat.id),
        false => chat.states,
    };
    now.iter().flatten().any(|state| begins_state(word, state))
}

fn begins_state(word: &Finder, state: &str) -> bool {
    state.as_bytes().starts_with(word.needle())
}

type States = [Option<&'static str>; 4];

/// Words for what it does: waiting, failed, unseen, running, idle, ended, and what else its status is called. A row says that
/// of a failed command too.
fn states(domain: &Domain, chat: &ChatId) -> States {
    let unseen = domain.live.unseen.contains(chat).then_some("unseen");
    let status = domain.status(chat);
    let need = match need::of(domain, chat) {
        Need::Waiting => "waiting",
        Need::Failed => "failed",
        Need::Running => "running",
        Need::Unseen => "done",
        Need::Idle => "idle",
        Need::Ended => "ended",
    };
    let failed = domain.detail(chat).ends_with(COMMAND_FAILED).then_some("failed");
    [Some(need), Some(status.word()), unseen, failed]
}

/// Those whose text matches, and how well.
pub fn ranked<S: AsRef<str>, T>(texts: impl Iterator<Item = (S, T)>, wanted: &str) -> Vec<(u32, T)> {
    scored(texts, wanted).collect()
}

fn scored<S: AsRef<str>, T>(texts: impl Iterator<Item = (S, T)>, wanted: &str) -> impl Iterator<Item = (u32, T)> {
    let mut matcher = Matcher::new(Config::DEFAULT);
    let pattern = Pattern::parse(wanted, CaseMatching::Smart, Normalization::Smart);
    let mut letters = Vec::new();
    let score = move |(text, what): (S, T)| {
        let score = pattern.score(Utf32Str::new(text.as_ref(), &mut letters), &mut matcher)?;
        Some((score, what))
    };
    texts.filter_map(score)
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

#[cfg(test)]
mod tests;
