//! The Automations screen: all schedules, the history of one, and what can be done about it.

mod data;

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use crate::domain::effect::Effect;
use crate::domain::schedule;
use crate::domain::schedule::agenda;
use crate::domain::state::Requester;
use crate::model::schedule::{Change, Run};
use crate::model::{ClientId, Schedule, ScheduleId, Timestamp};
use crate::screen::State;

use super::day::day_and_time;
use super::dialog::{Cancel, Dialog, ScheduleForm};
use super::keymap::{Action, SchedulesAction};
use super::layout::{self, holds};
use super::scrollbar::{Extent, ScrollBar};
use super::view::{Mode, Tone, View};
use super::{dialogs, going, installed, toast, within};

pub use data::Automations;

/// Rows that the list may have before the details begin.
const MOST_LISTED: u16 = 12;

/// Where its parts lie.
pub struct PlacedAutomations {
    pub title: Rect,
    pub list: Rect,
    pub rule: Rect,
    pub details: Rect,
}

pub fn place(state: &State, whole: Rect) -> PlacedAutomations {
    let part = |top: u16, height: u16| Rect {
        y: whole.y + top.min(whole.height),
        height: height.min(whole.height.saturating_sub(top)),
        ..whole
    };
    let count = u16::try_from(state.domain.disk.schedules.len()).unwrap_or(u16::MAX);
    let listed = count.clamp(1, MOST_LISTED).min(whole.height.saturating_sub(4) / 2);
    PlacedAutomations {
        title: part(0, 1),
        list: part(2, listed),
        rule: part(2 + listed, 1),
        details: part(3 + listed, whole.height.saturating_sub(4 + listed)),
    }
}

/// In the order in which they come due, then those that do not, then those that cannot be read.
pub fn order(state: &State) -> Vec<ScheduleId> {
    let key = |id: &ScheduleId| match &state.domain.disk.schedules[id] {
        Ok(known) => (0, known.next().unwrap_or(Timestamp(i64::MAX)), known.terms.name.clone()),
        Err(_) => (1, Timestamp(i64::MAX), id.to_string()),
    };
    let mut ids: Vec<ScheduleId> = state.domain.disk.schedules.keys().cloned().collect();
    ids.sort_by_cached_key(key);
    ids
}

/// Opens it at what the shown chat made, or is a run of.
pub fn open(state: &mut State, client: ClientId) -> Vec<Effect> {
    let chat = state.views.get(&client).and_then(|view| view.chat.clone());
    let made = chat
        .as_ref()
        .and_then(|chat| schedule::made_by(&state.domain, chat).next());
    let run_of = || {
        let known = state.domain.disk.chats.get(chat.as_ref()?)?;
        ScheduleId::parse(known.record.schedule.as_deref()?)
    };
    let at = made.map(|made| made.id.clone()).or_else(run_of);
    if let Some(view) = state.views.get_mut(&client) {
        within::leave(view);
        view.mode = Mode::Outside;
        view.over.automations = Some(Automations {
            at,
            ..Automations::default()
        });
    }
    Vec::new()
}

/// The key that opens it closes it too.
pub fn toggle(state: &mut State, client: ClientId) -> Vec<Effect> {
    match state
        .views
        .get_mut(&client)
        .and_then(|view| view.over.automations.take())
    {
        Some(_) => Vec::new(),
        None => open(state, client),
    }
}

pub fn run(state: &mut State, client: ClientId, action: SchedulesAction) -> Vec<Effect> {
    let order = order(state);
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let Some(page) = view.over.automations.as_mut() else {
        return Vec::new();
    };
    let selected = page.selected(&order).map(|(_, id)| id);
    // What is done to it may move it in the list.
    page.at.clone_from(&selected);
    match (action, selected) {
        (SchedulesAction::Back, _) if page.run.is_some() => page.run = None,
        (SchedulesAction::Back | SchedulesAction::Close, _) => view.over.automations = None,
        (SchedulesAction::New, _) => return form(state, client, None),
        (
            SchedulesAction::Edit
            | SchedulesAction::Cancel
            | SchedulesAction::RunNow
            | SchedulesAction::Pause
            | SchedulesAction::Runs
            | SchedulesAction::Open
            | SchedulesAction::Up
            | SchedulesAction::Down
            | SchedulesAction::PageUp
            | SchedulesAction::PageDown
            | SchedulesAction::First
            | SchedulesAction::Last,
            None,
        ) => {}
        (SchedulesAction::Edit, Some(id)) => return form(state, client, Some(id)),
        (SchedulesAction::Cancel, Some(id)) => {
            let cancel = Cancel::new(&state.domain, id);
            dialogs::open(state, client, cancel);
        }
        (SchedulesAction::RunNow, Some(id)) => {
            let env = view.client.env.clone();
            let ran = agenda::run_by_hand(&mut state.domain, &id, env, Requester::screen(client));
            return or_toast(state, client, ran);
        }
        (SchedulesAction::Pause, Some(id)) => return pause(state, client, &id),
        (SchedulesAction::Runs, Some(_)) => page.run = page.run.is_none().then_some(0),
        (SchedulesAction::Open, Some(id)) => {
            let run = page.run.unwrap_or(0);
            return go(state, client, &id, run);
        }
        (SchedulesAction::Up, Some(_)) => step(state, client, -1),
        (SchedulesAction::Down, Some(_)) => step(state, client, 1),
        (SchedulesAction::PageUp, Some(_)) => step(state, client, -10),
        (SchedulesAction::PageDown, Some(_)) => step(state, client, 10),
        (SchedulesAction::First, Some(_)) => step(state, client, isize::MIN / 2),
        (SchedulesAction::Last, Some(_)) => step(state, client, isize::MAX / 2),
    }
    Vec::new()
}

pub fn mouse(state: &mut State, client: ClientId, event: MouseEvent) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let placed = place(state, layout::arrange(view).whole);
    match event.kind {
        MouseEventKind::ScrollUp => step(state, client, -1),
        MouseEventKind::ScrollDown => step(state, client, 1),
        MouseEventKind::Down(MouseButton::Left) if holds(placed.list, event.column, event.row) => {
            let order = order(state);
            let page = state
                .views
                .get_mut(&client)
                .and_then(|view| view.over.automations.as_mut());
            if let Some(page) = page {
                let at = page.first(&order, placed.list.height.into()) + usize::from(event.row - placed.list.y);
                page.at = order.get(at).or(order.last()).cloned();
                page.run = None;
            }
        }
        _ => {}
    }
    Vec::new()
}

/// Moves among the schedules, or among the runs of one.
fn step(state: &mut State, client: ClientId, by: isize) {
    let order = order(state);
    let schedules = &state.domain.disk.schedules;
    let Some(page) = state
        .views
        .get_mut(&client)
        .and_then(|view| view.over.automations.as_mut())
    else {
        return;
    };
    let Some((at, id)) = page.selected(&order) else {
        return;
    };
    match &mut page.run {
        Some(run) => {
            let runs = schedules.get(&id).and_then(|known| known.as_ref().ok());
            let most = runs.map_or(0, |known| known.runs.len().saturating_sub(1));
            *run = run.saturating_add_signed(by).min(most);
        }
        None => page.at = order.get(at.saturating_add_signed(by).min(order.len() - 1)).cloned(),
    }
}

fn form(state: &mut State, client: ClientId, of: Option<ScheduleId>) -> Vec<Effect> {
    if let Some(Err(_)) = of.as_ref().and_then(|id| state.domain.disk.schedules.get(id)) {
        let key = state.keymap.key(Action::Schedules(SchedulesAction::Cancel));
        let text = format!("Its file cannot be read: mend it, or cancel it with {key}.");
        toast::tell(state, client, text, Tone::Failed);
        return Vec::new();
    }
    let now = state.domain.now;
    let view = state.views.get_mut(&client).filter(|_| of.is_none());
    let draft = view.and_then(|view| view.over.drafts.schedule_again(now));
    let form = draft.unwrap_or_else(|| Box::new(ScheduleForm::new(&state.domain, state.cwd_of(client), of)));
    dialogs::open(state, client, Dialog::Schedule(form));
    installed::look_for_agents(state, client)
}

fn pause(state: &mut State, client: ClientId, id: &ScheduleId) -> Vec<Effect> {
    let change = match state.domain.disk.schedules.get(id) {
        Some(Ok(known)) if known.paused => Change::Resume(state.domain.now),
        Some(Ok(_)) => Change::Pause,
        Some(Err(_)) | None => return Vec::new(),
    };
    schedule::change(&mut state.domain, id, change, Requester::screen(client))
}

/// Shows the chat of a run.
fn go(state: &mut State, client: ClientId, id: &ScheduleId, run: usize) -> Vec<Effect> {
    let known = state
        .domain
        .disk
        .schedules
        .get(id)
        .and_then(|known| known.as_ref().ok());
    let run: Option<&Run> = known.and_then(|known| known.runs.iter().rev().nth(run));
    match run.and_then(|run| run.chat.clone()) {
        Some(chat) if state.domain.disk.chats.contains_key(&chat) => {
            if let Some(view) = state.views.get_mut(&client) {
                view.over.automations = None;
            }
            going::select(state, client, Some(chat))
        }
        Some(chat) => {
            let text = format!("Its chat is gone. If it was deleted, `parlour undo-rm {chat}` brings it back.");
            toast::tell(state, client, text, Tone::Told);
            Vec::new()
        }
        None => {
            toast::tell(state, client, "There is no chat of that run.", Tone::Told);
            Vec::new()
        }
    }
}

fn or_toast(state: &mut State, client: ClientId, how: Result<Vec<Effect>, crate::model::Problem>) -> Vec<Effect> {
    how.unwrap_or_else(|problem| {
        toast::tell(state, client, problem.to_string(), Tone::Failed);
        Vec::new()
    })
}

/// When it comes next, or why it does not.
pub fn next_in_words(state: &State, known: &Schedule) -> String {
    let id = &known.id;
    if let Some(why) = schedule::waits_for(&state.domain, id) {
        return format!("waits: {why}");
    }
    let Some(next) = known.next() else {
        return schedule::word(&state.domain, id).into();
    };
    let minutes = next.ms_since(state.domain.now).div_ceil(60_000);
    // By the person's own clock, whatever zone its rule is in.
    let when = day_and_time(next, state.domain.now, state.domain.live.facts.zone);
    match minutes {
        0..60 => format!("in {minutes} min · {when}"),
        _ => when,
    }
}

/// What is further down is said on the rule below the list.
pub fn bar(state: &State, view: &View, page: &Automations) -> ScrollBar {
    let placed = place(state, layout::arrange(view).whole);
    let order = order(state);
    let seen = usize::from(placed.list.height);
    let extent = Extent {
        first: page.first(&order, seen),
        seen,
        all: order.len(),
    };
    let foot = Rect {
        x: placed.rule.x + 2.min(placed.rule.width),
        width: placed.rule.width.saturating_sub(4),
        ..placed.rule
    };
    ScrollBar::within(placed.list, extent).with_foot(foot)
}

pub fn scroll_to(state: &mut State, client: ClientId, bar: &ScrollBar, first: usize) {
    let order = order(state);
    let view = state.views.get_mut(&client);
    if let Some(page) = view.and_then(|view| view.over.automations.as_mut()) {
        let before = page.selected(&order).map_or(0, |(at, _)| at);
        page.at = order.get(bar.selection(first, before)).cloned();
        page.run = None;
    }
}
