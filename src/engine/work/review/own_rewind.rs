//! What a person did to the conversation in the agent's CLI itself: the record hides what they took back, and shows what
//! they brought back.

use crate::agents;
use crate::engine::work::context::WorkContext;
use crate::engine::work::loading::loading;
use crate::model::entry::Happened;
use crate::model::talk::{HiddenEntries, OwnRewind, RewindEnd};
use crate::model::text::one_line;
use crate::model::{Chat, ChatId, Entry, Problem};

use super::clones::PROMPT;
use super::talk::ToldPrompts;

/// What the record is to hide from now on, and what a note says of it.
struct Rehidden {
    hidden: Vec<HiddenEntries>,
    note: String,
}

/// Nothing where the record says so already, or never told of that prompt.
pub fn follow(context: &WorkContext, id: &ChatId, rewind: &OwnRewind) -> Result<Option<Box<Chat>>, Problem> {
    let lock = context.services.reviews.of(id);
    let _alone = lock.lock();
    let home = &context.services.home;
    let chat = home.load(id).map_err(|error| loading(id, error))?;
    let title = agents::find(&chat.record.llm, &context.services.settings());
    let title = title.map_or_else(|| chat.record.llm.clone(), |adapter| adapter.title().to_owned());
    let changed = match rewind {
        OwnRewind::Before { prompt, text, goes_on } => {
            let told = read_since(context, &chat, goes_on)?;
            taken_back(&told, &title, (prompt, text))
        }
        OwnRewind::Again { from, until } => {
            let told = ToldPrompts::read(context, &chat)?;
            brought_back(&told, &title, from, until.as_deref())
        }
    };
    let Some(Rehidden { hidden, note: text }) = changed else {
        return Ok(None);
    };
    home.change(id, |record| record.origin.went_back.hidden = hidden)
        .map_err(|error| loading(id, error))?;
    context.journals.tell(id, Happened::Note { text });
    let chat = home.load(id).map_err(|error| loading(id, error))?;
    Ok(Some(Box::new(chat)))
}

/// The record, and the entries with which the conversation may go on.
fn read_since(context: &WorkContext, chat: &Chat, goes_on: &RewindEnd) -> Result<(ToldPrompts, Vec<u64>), Problem> {
    let mut since = Vec::new();
    let mut note = |entry: &Entry| match goes_on {
        RewindEnd::At(at) => since.extend((entry.ts >= *at).then_some(entry.seq)),
        RewindEnd::With(next) => since.extend(is_prompt(entry, next).then_some(entry.seq)),
        RewindEnd::Open => {}
    };
    let told = ToldPrompts::read_with(context, chat, |entry| note(&entry))?;
    told.entries.iter().for_each(note);
    Ok((told, since))
}

fn taken_back((told, since): &(ToldPrompts, Vec<u64>), title: &str, (id, text): (&str, &str)) -> Option<Rehidden> {
    let goes_on = since.iter().max().copied();
    let mut by_id = told.prompts().filter(|(entry, _)| is_prompt(entry, id)).peekable();
    let found = match by_id.peek() {
        Some(_) => by_id.find(|(entry, _)| !told.hides(entry.seq)),
        // The newest that says the same: where that is hidden, this is known.
        None => {
            let is_before = |seq: u64| goes_on.is_none_or(|next| seq < next);
            let same = |said: &str| !text.trim().is_empty() && said.split_whitespace().eq(text.split_whitespace());
            let newest = told
                .prompts()
                .rev()
                .find(|(entry, said)| is_before(entry.seq) && same(said));
            newest.filter(|(entry, _)| !told.hides(entry.seq))
        }
    };
    let (Entry { seq: from, .. }, text) = found?;
    let next = since.iter().copied().filter(|seq| seq > from).min();
    let mut hidden = told.went_back.hidden.clone();
    hidden.push(HiddenEntries {
        from: *from,
        to: next.map_or(told.last, |seq| seq - 1),
    });
    Some(Rehidden {
        hidden,
        note: format!("Went back in {title} to before: {}", one_line(text.trim(), PROMPT)),
    })
}

/// What was taken back in several steps is brought back in as many, or at once. Only what nothing was said behind can be.
fn brought_back(told: &ToldPrompts, title: &str, from: &str, until: Option<&str>) -> Option<Rehidden> {
    let seq_of = |id: &str| told.prompts().find(|(entry, _)| is_prompt(entry, id));
    let (first, text) = seq_of(from)?;
    let newest = told.prompts().next_back().map_or(0, |(entry, _)| entry.seq);
    let is_open = |hidden: &HiddenEntries| hidden.from >= first.seq && hidden.to >= newest;
    let (open, mut hidden): (Vec<HiddenEntries>, Vec<HiddenEntries>) =
        told.went_back.hidden.iter().partition(|hidden| is_open(hidden));
    let to = open.iter().map(|hidden| hidden.to).max()?;
    let rest = until.and_then(seq_of).map(|(entry, _)| entry.seq);
    hidden.extend(rest.map(|from| HiddenEntries { from, to }));
    Some(Rehidden {
        hidden,
        note: format!("Brought back in {title}: {}", one_line(text.trim(), PROMPT)),
    })
}

fn is_prompt(entry: &Entry, sought: &str) -> bool {
    matches!(&entry.what, Happened::Prompt { id, .. } if id == sought)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Timestamp;
    use crate::model::entry::From;
    use crate::model::talk::WentBack;

    /// Prompts of these ids and words, each with an answer behind it.
    fn told(prompts: &[(&str, &str)], hidden: &[(u64, u64)]) -> ToldPrompts {
        let prompt = |(place, (id, text)): (usize, &(&str, &str))| Entry {
            v: 1,
            seq: place as u64 * 2 + 1,
            ts: Timestamp(0),
            read: None,
            what: Happened::Prompt {
                sender: None,
                id: id.to_string(),
                text: text.to_string(),
                from: From::Person,
                checkpoint: None,
                key: String::new(),
                steer: false,
            },
        };
        ToldPrompts {
            entries: prompts.iter().enumerate().map(prompt).collect(),
            last: prompts.len() as u64 * 2,
            went_back: WentBack {
                hidden: entries(hidden),
                ..WentBack::default()
            },
        }
    }

    fn entries(hidden: &[(u64, u64)]) -> Vec<HiddenEntries> {
        hidden.iter().map(|&(from, to)| HiddenEntries { from, to }).collect()
    }

    fn hidden(changed: Option<Rehidden>) -> Option<Vec<HiddenEntries>> {
        changed.map(|changed| changed.hidden)
    }

    const ALL: [(&str, &str); 4] = [("1", "go on"), ("2", "go on"), ("3", "stop"), ("4", "go on")];

    #[test]
    fn what_was_taken_back_is_hidden_once_up_to_the_prompt_that_follows() {
        let back = |since: &[u64], known: &[(u64, u64)], prompt| {
            hidden(taken_back(&(told(&ALL, known), since.to_vec()), "It", prompt))
        };
        assert_eq!(back(&[], &[], ("2", "")), Some(entries(&[(3, 8)])));
        assert_eq!(back(&[7], &[], ("2", "")), Some(entries(&[(3, 6)])));
        assert_eq!(back(&[7], &[(3, 6)], ("2", "go on")), None, "it is known");
        assert_eq!(back(&[], &[], ("x", "")), None);
        // Under another id.
        assert_eq!(back(&[7], &[], ("x", "go  on")), Some(entries(&[(3, 6)])));
        assert_eq!(back(&[7], &[(3, 6)], ("x", "go on")), None, "it is known");
        assert_eq!(back(&[], &[], ("x", "go on")), Some(entries(&[(7, 8)])));
    }

    #[test]
    fn what_was_taken_back_in_steps_is_brought_back_in_steps_or_at_once() {
        let steps = told(&ALL, &[(7, 8), (5, 9)]);
        let again = |told: &ToldPrompts, from, until| hidden(brought_back(told, "It", from, until));
        assert_eq!(again(&steps, "3", Some("4")), Some(entries(&[(7, 9)])));
        assert_eq!(again(&steps, "3", None), Some(entries(&[])));
        // The second was taken back for good before.
        let older = told(&ALL, &[(3, 4), (5, 8)]);
        assert_eq!(again(&older, "3", None), Some(entries(&[(3, 4)])));
        assert_eq!(again(&older, "2", None), Some(entries(&[(3, 4)])));
        assert_eq!(again(&told(&ALL, &[(3, 4)]), "2", None), None);
    }
}
