//! From one item to the next of a kind. Where it is not loaded, page after page is read until one is found.

use super::data::TranscriptView;
use super::item::{ItemKey, TranscriptItem};
use super::matches::{NextMatch, WhichMatch};
use super::targets::{bring_out, is_place};
use super::wants::{JumpKind, JumpWay, SeekTurn, Seeking, SoughtSpot};
use super::{matches, moment, sight};
use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::screen::State;
use crate::screen::keymap::{Action, SheetAction, TranscriptAction};
use crate::screen::tab::search_line::{FROM_END, FROM_TOP};
use crate::screen::toast;
use crate::screen::view::{Tone, View};

fn in_words(kind: JumpKind) -> &'static str {
    match kind {
        JumpKind::Any => "entry",
        JumpKind::Prompt => "prompt",
        JumpKind::Error => "error",
        JumpKind::Tool => "call",
        JumpKind::File => "call on a file",
        JumpKind::Match => "place with these words",
    }
}

/// Selects the next item of a kind, from what is selected if that is in sight, else from what is in sight. A search goes
/// around.
pub fn step(state: &mut State, client: ClientId, kind: JumpKind, way: JumpWay) -> Vec<Effect> {
    let turn = match kind {
        JumpKind::Match => SeekTurn::Around,
        JumpKind::Any | JumpKind::Prompt | JumpKind::Error | JumpKind::Tool | JumpKind::File => SeekTurn::Never,
    };
    seek(state, client, (kind, way), turn)
}

/// To the nearest place of the words above the last row in sight; where there is none, to the first below.
pub(super) fn to_words(state: &mut State, client: ClientId) -> Vec<Effect> {
    seek(state, client, (JumpKind::Match, JumpWay::Back), SeekTurn::AtEnd)
}

fn seek(state: &mut State, client: ClientId, (kind, way): (JumpKind, JumpWay), turn: SeekTurn) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let transcript = &view.transcript;
    if kind == JumpKind::Match && transcript.search.sought.is_none() {
        let key = state.leads(client, Action::Sheet(SheetAction::Transcript(TranscriptAction::Search)));
        toast::tell(
            state,
            client,
            format!("Nothing is searched for: {key} searches."),
            Tone::Told,
        );
        let now = state.domain.now;
        if let Some(view) = state.views.get_mut(&client) {
            view.over.guard.did_not_open(now);
        }
        return Vec::new();
    }
    if kind == JumpKind::Match {
        return seek_match(state, client, way, turn);
    }
    let selected = transcript.held();
    let edge = match way {
        JumpWay::On => transcript.sight.first(),
        JumpWay::Back => transcript.sight.last(),
    };
    let Some(from) = selected.or(edge.map(|spot| spot.item)) else {
        return Vec::new();
    };
    let seeking = Seeking {
        kind,
        way,
        from,
        with_from: selected.is_none(),
        turn,
    };
    view.transcript.wants.seeking = Some(seeking);
    go_on(state, client)
}

/// Within what is in sight first, then from item to item.
fn seek_match(state: &mut State, client: ClientId, way: JumpWay, turn: SeekTurn) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    match matches::next(&view.transcript, way) {
        None => Vec::new(),
        Some(NextMatch::In(key, which)) => {
            view.transcript.wants.seeking = None;
            matches::go(view, key, which);
            moment::follow(state, client)
        }
        Some(NextMatch::Beyond(from)) => {
            view.transcript.wants.seeking = Some(Seeking {
                kind: JumpKind::Match,
                way,
                from,
                with_from: false,
                turn,
            });
            go_on(state, client)
        }
    }
}

/// Goes to what is sought if it is loaded; says so if there is none at all.
pub(super) fn go_on(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let Some(seeking) = view.transcript.wants.seeking else {
        return Vec::new();
    };
    if let Some(key) = find(&view.transcript, seeking) {
        view.transcript.wants.seeking = None;
        match (seeking.kind, seeking.way) {
            (JumpKind::Match, JumpWay::On) => matches::go(view, key, WhichMatch::First),
            (JumpKind::Match, JumpWay::Back) => matches::go(view, key, WhichMatch::Last),
            (JumpKind::Any | JumpKind::Prompt | JumpKind::Error | JumpKind::Tool | JumpKind::File, _) => {
                select(view, key);
            }
        }
        let told = match (seeking.turn, seeking.way) {
            (SeekTurn::Turned, _) => Some("These words are not above: this is the first place below."),
            (SeekTurn::FromOtherEnd, JumpWay::On) => Some(FROM_TOP),
            (SeekTurn::FromOtherEnd, JumpWay::Back) => Some(FROM_END),
            (SeekTurn::Never | SeekTurn::AtEnd | SeekTurn::Around, _) => None,
        };
        if let Some(told) = told {
            toast::tell(state, client, told, Tone::Told);
        }
        return moment::follow(state, client);
    }
    let window = &view.transcript.window;
    let is_over = match seeking.way {
        JumpWay::On => window.at_end,
        JumpWay::Back => window.at_start(),
    };
    if is_over && seeking.turn == SeekTurn::AtEnd {
        view.transcript.wants.seeking = Some(Seeking {
            way: seeking.way.turned(),
            // What is below in the same item was passed over.
            with_from: true,
            turn: SeekTurn::Turned,
            ..seeking
        });
        return go_on(state, client);
    }
    if is_over && seeking.turn == SeekTurn::Around {
        return match go_around(&mut view.transcript, seeking) {
            true => go_on(state, client),
            false => Vec::new(),
        };
    }
    if is_over {
        view.transcript.wants.seeking = None;
        let place = match (seeking.turn, seeking.way) {
            (SeekTurn::Turned | SeekTurn::FromOtherEnd, _) => "",
            (SeekTurn::Never | SeekTurn::AtEnd | SeekTurn::Around, JumpWay::On) => " below",
            (SeekTurn::Never | SeekTurn::AtEnd | SeekTurn::Around, JumpWay::Back) => " above",
        };
        let text = format!("There is no {}{place}.", in_words(seeking.kind));
        toast::tell(state, client, text, Tone::Told);
    }
    Vec::new()
}

/// Seeks from the other end on. Says whether that is loaded; else it is read first.
fn go_around(transcript: &mut TranscriptView, seeking: Seeking) -> bool {
    let (from, is_loaded) = match seeking.way {
        JumpWay::On => (ItemKey::default(), transcript.window.at_start()),
        JumpWay::Back => (ItemKey::entry(u64::MAX), transcript.window.at_end),
    };
    transcript.wants.seeking = Some(Seeking {
        from,
        with_from: true,
        turn: SeekTurn::FromOtherEnd,
        ..seeking
    });
    match seeking.way {
        JumpWay::On if !is_loaded => transcript.wants.spot = Some(SoughtSpot::Start),
        JumpWay::Back if !is_loaded => transcript.follow(),
        JumpWay::On | JumpWay::Back => {}
    }
    is_loaded
}

fn select(view: &mut View, key: ItemKey) {
    let transcript = &mut view.transcript;
    transcript.selected = Some(key);
    bring_out(transcript, key);
    sight::settle(view);
    sight::reveal(view, key);
}

fn find(transcript: &TranscriptView, seeking: Seeking) -> Option<ItemKey> {
    let is_there = |item: &&TranscriptItem| is_place(transcript, seeking.kind, item);
    let list = transcript.items.list();
    let at = transcript.items.position(seeking.from);
    let is_at = list.get(at).is_some_and(|item| item.key == seeking.from);
    let found = match seeking.way {
        JumpWay::On => {
            let skip = usize::from(is_at && !seeking.with_from);
            list[at..].iter().skip(skip).find(is_there)
        }
        JumpWay::Back => {
            let end = at + usize::from(is_at && seeking.with_from);
            list[..end.min(list.len())].iter().rev().find(is_there)
        }
    };
    found.map(|item| item.key)
}
