//! What agents use, as their transcripts tell of it.

use parlour::domain::event::{DiskEvent, Event, Outcome};
use parlour::domain::work::JournalDone;
use parlour::domain::{Effect, Work};
use parlour::model::entry::From;
use parlour::model::usage::ChatUsage;
use parlour::model::{Entry, Happened, Settings, Timestamp, WorkId};

use super::events::works;
use super::world::{World, id};

/// One answer: tokens given, said, read from the cache and written to it.
pub fn used(model: &str, [input, output, cache_read, cache_write]: [u64; 4]) -> Happened {
    Happened::Usage {
        model: model.into(),
        input,
        output,
        cache_read,
        cache_write,
        cost: None,
        parent: None,
        window: None,
    }
}

/// The same of a sub-agent.
pub fn used_by_sub_agent(model: &str, tokens: [u64; 4], sub_agent: &str) -> Happened {
    match used(model, tokens) {
        Happened::Usage {
            model,
            input,
            output,
            cache_read,
            cache_write,
            cost,
            window,
            ..
        } => Happened::Usage {
            model,
            input,
            output,
            cache_read,
            cache_write,
            cost,
            parent: Some(sub_agent.into()),
            window,
        },
        other => other,
    }
}

pub fn asked(text: &str) -> Happened {
    Happened::Prompt {
        id: text.into(),
        text: text.into(),
        from: From::Person,
        sender: None,
        checkpoint: None,
        key: String::new(),
        steer: false,
    }
}

/// Entries from this number on, a minute apart.
pub fn told_from(seq: u64, at: Timestamp, what: Vec<Happened>) -> Vec<Entry> {
    let entry = |(place, what): (usize, Happened)| Entry {
        v: 1,
        seq: seq + place as u64,
        ts: at.plus_ms(60_000 * place as u64),
        read: None,
        what,
    };
    what.into_iter().enumerate().map(entry).collect()
}

impl World {
    /// A person has written other settings.
    pub fn sets(&mut self, change: impl FnOnce(&mut Settings)) -> Vec<Effect> {
        let mut settings = self.state.domain.disk.settings.clone();
        change(&mut settings);
        self.updates(Event::Disk(DiskEvent::Settings(Box::new(Ok(settings)))))
    }

    /// These are the first entries of a chat's transcript.
    pub fn begins(&mut self, chat: &str, at: Timestamp, what: Vec<Happened>) -> Vec<Effect> {
        self.writes(chat, told_from(1, at, what))
    }

    /// These entries are in a chat's transcript now.
    pub fn writes(&mut self, chat: &str, entries: Vec<Entry>) -> Vec<Effect> {
        let done = JournalDone::Appended(id(chat), entries);
        self.updates(Event::Done(WorkId(u64::MAX), Outcome::Journal(done)))
    }
}

/// The sums that are to be kept, by the beginning of the chat's id.
pub fn kept(effects: &[Effect]) -> Vec<(String, ChatUsage)> {
    let kept = works(effects).into_iter().filter_map(|(_, job)| match job {
        Work::Usage(parlour::domain::work::UsageWork::Keep(kept)) => Some(kept),
        _ => None,
    });
    kept.flatten().map(|(chat, usage)| (chat.to_string(), usage)).collect()
}
