//! What the Checkpoints tab shows is asked for, and kept as it comes.

use std::collections::BTreeMap;

use super::data::{AskedPoints, CheckpointsView, ForksOfChat};
use super::place;
use crate::domain::chat;
use crate::domain::chats::Chats;
use crate::domain::effect::Effect;
use crate::domain::notice::PointsNews;
use crate::domain::state::Requester;
use crate::domain::work::{ReviewThen, ReviewWork};
use crate::model::review::{DiffAsk, DiffSet};
use crate::model::{ChatId, ClientId};
use crate::screen::State;
use crate::screen::keymap::PaneSheet;
use crate::screen::view::View;

/// While checkpoints come, the list is brought up to date at most once in this time.
const REFRESH_MS: u64 = 1_000;

/// After each event: asks workers for what the screen lacks, and keeps what is selected within what there is.
pub fn settle(state: &mut State, client: ClientId) -> Vec<Effect> {
    let is_shown = |view: &&mut View| view.sheet() == Some(PaneSheet::Checkpoints);
    let Some(view) = state.views.get_mut(&client).filter(is_shown) else {
        return Vec::new();
    };
    let Some(id) = view.chat.clone() else {
        return Vec::new();
    };
    if view.checkpoints.of.as_ref() != Some(&id) {
        view.checkpoints = CheckpointsView {
            of: Some(id.clone()),
            asked: AskedPoints {
                stale: true,
                ..AskedPoints::default()
            },
            ..CheckpointsView::default()
        };
    }
    settle_forks(&state.domain.disk.chats, &id, &mut view.checkpoints.forks);
    let revision = state.domain.live.reviews.revision(&id);
    let now = state.domain.now;
    let asked = &mut view.checkpoints.asked;
    let due = asked.at.plus_ms(REFRESH_MS);
    let is_behind = asked.revision != revision;
    let mut effects = Vec::new();
    if is_behind && due > now && !asked.stale {
        effects.push(Effect::WakeAt(due));
    }
    if !asked.list && (asked.stale || is_behind && due <= now) {
        *asked = AskedPoints {
            list: true,
            stale: false,
            changes: asked.changes,
            revision,
            at: now,
        };
        let (requester, then) = (Requester::screen(client), ReviewThen::ShowPoints(id.clone()));
        let work = ReviewWork::Points(id.clone());
        effects.extend(chat::work(&mut state.domain, requester, then, work));
    }
    effects.extend(settle_changes(state, client, id));
    effects
}

/// Looks through all chats, if any of them has changed.
fn settle_forks(chats: &Chats, id: &ChatId, forks: &mut ForksOfChat) {
    if forks.revision == chats.revision() {
        return;
    }
    let mut at: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for chat in chats.values() {
        let of_this = chat.record.origin.of.as_ref().filter(|of| of.chat == *id);
        if let Some(number) = of_this.and_then(|of| of.checkpoint) {
            at.entry(number)
                .or_default()
                .push(chat.record.handle.as_str().to_owned());
        }
    }
    *forks = ForksOfChat {
        revision: chats.revision(),
        at,
    };
}

/// How the selected one differs from the one before.
fn settle_changes(state: &mut State, client: ClientId, id: ChatId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    place::settle(view);
    let points = &mut view.checkpoints;
    let (Some(number), Some(before)) = (points.selected, points.before().map(|before| before.number)) else {
        return Vec::new();
    };
    let is_known = points.changes.as_ref().is_some_and(|(known, _)| *known == number);
    if is_known || points.asked.changes.is_some() || points.problem.is_some() {
        return Vec::new();
    }
    points.asked.changes = Some(number);
    let ask = DiffAsk {
        set: DiffSet::Between(before, number),
        project: None,
        lines: false,
    };
    let then = ReviewThen::ShowPoint(id.clone(), number);
    let work = ReviewWork::Diff(id, ask);
    chat::work(&mut state.domain, Requester::screen(client), then, work)
}

/// What workers found out about the checkpoints of a chat.
pub fn told(state: &mut State, client: ClientId, chat: &ChatId, news: PointsNews) {
    let view = state.views.get_mut(&client);
    let Some(view) = view.filter(|view| view.checkpoints.of.as_ref() == Some(chat)) else {
        return;
    };
    let points = &mut view.checkpoints;
    match news {
        PointsNews::Listed(list) => {
            points.asked.list = false;
            points.problem = None;
            points.keep(list);
        }
        PointsNews::Differs(number, changes) => {
            points.asked.changes = None;
            points.changes = Some((number, changes));
        }
        PointsNews::Failed(problem) => {
            points.asked = AskedPoints {
                revision: points.asked.revision,
                at: points.asked.at,
                ..AskedPoints::default()
            };
            points.problem = Some(problem);
            return;
        }
    }
    place::settle(view);
}
