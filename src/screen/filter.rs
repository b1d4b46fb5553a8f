//! Finding chats and commands by a few letters of whatever a person remembers of them.

use std::cmp::Reverse;
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
    /// Name, handle, projects and branches as they are written: scattered letters are found in these.
    written: String,
    /// In small letters, a line each: name and handle; projects and branches; its agent; its last words.
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
    /// As many as are listed are as good as this.
    least: Option<(Nearness, u32, Timestamp)>,
    all: usize,
}

impl BestMatches {
    fn add(&mut self, found: MatchingChat) {
        self.all += 1;
        let worth = (found.near, found.score, found.updated);
        if self.least.is_some_and(|least| worth < least) {
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
        self.chats.push(Known {
            id: chat.id().clone(),
            states: states(domain, chat.id()),
            written: written..self.written.len(),
        });
        self.places.push(WordPlaces {
            begin,
            name,
            ends,
            end: self.small.len(),
            updated: chat.updated,
        });
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
        let found = |near, score, chat: usize| MatchingChat {
            near,
            score,
            updated: self.places[chat].updated,
            chat: Reverse(chat),
        };
        let all = 0..self.chats.len();
        let mut best = BestMatches::default();
        for chat in all.clone() {
            if let Some(near) = self.nearness(domain, chat, &small, &words) {
                best.add(found(near, 0, chat));
            }
        }
        if best.all == 0 {
            let texts = all.map(|chat| (&self.written[self.chats[chat].written.clone()], chat));
            for (score, chat) in ranked(texts, wanted) {
                best.add(found(Nearness::Scattered, score, chat));
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
        let mut nearest = None;
        for found in word.find_iter(text.as_bytes()) {
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
    let begins = |state: &&str| state.as_bytes().starts_with(word.needle());
    now.iter().flatten().any(begins)
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
    let mut matcher = Matcher::new(Config::DEFAULT);
    let pattern = Pattern::parse(wanted, CaseMatching::Smart, Normalization::Smart);
    let mut letters = Vec::new();
    let score = |(text, what): (S, T)| {
        let score = pattern.score(Utf32Str::new(text.as_ref(), &mut letters), &mut matcher)?;
        Some((score, what))
    };
    texts.filter_map(score).collect()
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
