//! What was read is told, shown, or gone on with.

use serde_json::{Value, json};

use crate::domain::approval::shown_cards;
use crate::domain::effect::Effect;
use crate::domain::notice::Done;
use crate::domain::state::{Domain, Requester};
use crate::domain::team::{family, history, wait};
use crate::domain::work::{ForeignResult, ReadDone, ReadThen};
use crate::domain::{reply, todo};
use crate::model::Problem;

pub fn done(
    state: &mut Domain,
    requester: Requester,
    then: ReadThen,
    found: ReadDone,
) -> Result<Vec<Effect>, ForeignResult> {
    match (then, found) {
        (ReadThen::Answer, found) => Ok(reply::answer(state, requester, Ok(told(found)?))),
        (ReadThen::Shelve, ReadDone::Tail(chat, entries)) => {
            shown_cards::read(&mut state.live.looked_at.shelves, &chat, &entries);
            Ok(Vec::new())
        }
        (ReadThen::Plan, ReadDone::Tail(chat, entries)) => {
            todo::read(state, chat, &entries);
            Ok(Vec::new())
        }
        (ReadThen::Words(telling), ReadDone::Text(text)) => Ok(family::words(state, telling, &text, requester)),
        (ReadThen::Screen(telling), ReadDone::Text(text)) => Ok(family::screen(state, telling, &text, requester)),
        (ReadThen::Follow(chat, sought), ReadDone::Streamed(last)) => match requester {
            Requester::Call(call) => Ok(wait::go_on(state, (call, chat), last.unwrap_or_default(), sought)),
            Requester::Screen(_) | Requester::Launch(_) | Requester::Nobody => Ok(Vec::new()),
        },
        (ReadThen::Show(_), ReadDone::Shown(shown)) => {
            reply::show(state, requester, Done::Shown(shown));
            Ok(Vec::new())
        }
        (ReadThen::Found, ReadDone::History(page)) => {
            let told = history::json(state, &page);
            Ok(reply::answer(state, requester, Ok(told)))
        }
        (
            ReadThen::Shelve
            | ReadThen::Plan
            | ReadThen::Words(_)
            | ReadThen::Screen(_)
            | ReadThen::Follow(..)
            | ReadThen::Show(_)
            | ReadThen::Found,
            _,
        ) => Err(ForeignResult),
    }
}

/// As whoever asked reads it.
fn told(found: ReadDone) -> Result<Value, ForeignResult> {
    match found {
        ReadDone::Projects(projects) => Ok(json!({"projects": projects})),
        ReadDone::Text(text) => Ok(json!({"text": text})),
        ReadDone::Streamed(Some(last)) => Ok(json!({"last": last})),
        ReadDone::Streamed(None) => Ok(json!({})),
        ReadDone::Lines(lines) => Ok(json!({"lines": lines})),
        ReadDone::Templates(templates) => Ok(json!({"templates": templates})),
        ReadDone::Filled(prompt) => Ok(json!(prompt)),
        ReadDone::Reported(value) => Ok(value),
        ReadDone::Tail(..) | ReadDone::Shown(_) | ReadDone::History(_) => Err(ForeignResult),
    }
}

pub fn failed(state: &mut Domain, requester: Requester, then: ReadThen, problem: Problem) -> Vec<Effect> {
    match then {
        ReadThen::Show(read) => {
            reply::show(state, requester, Done::NotShown(read, problem));
            Vec::new()
        }
        // It is in the log; the list is shown without it.
        ReadThen::Plan => Vec::new(),
        ReadThen::Answer
        | ReadThen::Shelve
        | ReadThen::Words(_)
        | ReadThen::Screen(_)
        | ReadThen::Follow(..)
        | ReadThen::Found => reply::answer(state, requester, Err(problem)),
    }
}
