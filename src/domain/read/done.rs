//! What was read is told, shown, or gone on with.

use serde_json::{Value, json};

use crate::domain::approval::shown_cards;
use crate::domain::effect::Effect;
use crate::domain::notice::{Done, Notice};
use crate::domain::state::{Domain, Requester};
use crate::domain::team::{family, wait};
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
            shown_cards::read(&mut state.live.shelves, &chat, &entries);
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
        (ReadThen::ShowPage(client, _), ReadDone::Page(chat, page)) => {
            state.notices.push(Notice::Page(client, chat, Ok(page)));
            Ok(Vec::new())
        }
        (ReadThen::ShowColours(client, chat, seq), ReadDone::Colours(colours)) => {
            state.notices.push(Notice::Coloured(client, chat, seq, colours));
            Ok(Vec::new())
        }
        (ReadThen::ShowMoment(client, chat, at), ReadDone::Moment(past)) => {
            state.notices.push(Notice::Moment(client, chat, at, past));
            Ok(Vec::new())
        }
        (ReadThen::ShowPiece, ReadDone::Piece(chat, piece)) => {
            reply::show(state, requester, Done::Piece(chat, piece));
            Ok(Vec::new())
        }
        (ReadThen::ShowPlaces, ReadDone::Places { hints, roles }) => {
            reply::show(state, requester, Done::Places(hints, roles));
            Ok(Vec::new())
        }
        (
            ReadThen::Shelve
            | ReadThen::Plan
            | ReadThen::Words(_)
            | ReadThen::Screen(_)
            | ReadThen::Follow(..)
            | ReadThen::ShowPage(..)
            | ReadThen::ShowColours(..)
            | ReadThen::ShowMoment(..)
            | ReadThen::ShowPiece
            | ReadThen::ShowPlaces,
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
        ReadDone::Tail(..)
        | ReadDone::Page(..)
        | ReadDone::Colours(_)
        | ReadDone::Moment(_)
        | ReadDone::Piece(..)
        | ReadDone::Places { .. } => Err(ForeignResult),
    }
}

pub fn failed(state: &mut Domain, requester: Requester, then: ReadThen, problem: Problem) -> Vec<Effect> {
    match then {
        ReadThen::ShowPlaces => {
            reply::show(state, requester, Done::NotRead);
            Vec::new()
        }
        ReadThen::ShowPage(client, chat) => {
            state.notices.push(Notice::Page(client, chat, Err(problem)));
            Vec::new()
        }
        ReadThen::ShowColours(client, chat, seq) => {
            state.notices.push(Notice::Coloured(client, chat, seq, Vec::new()));
            Vec::new()
        }
        ReadThen::ShowMoment(client, chat, at) => {
            state.notices.push(Notice::Moment(client, chat, at, None));
            Vec::new()
        }
        ReadThen::ShowPiece => {
            reply::show(state, requester, Done::NotRead);
            reply::answer(state, requester, Err(problem))
        }
        // It is in the log; the list is shown without it.
        ReadThen::Plan => Vec::new(),
        ReadThen::Answer | ReadThen::Shelve | ReadThen::Words(_) | ReadThen::Screen(_) | ReadThen::Follow(..) => {
            reply::answer(state, requester, Err(problem))
        }
    }
}
