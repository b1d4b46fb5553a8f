//! What stands above the terminal and can be clicked: the status of the chat, and what it has used.

use ratatui::layout::Rect;

use crate::domain::agent::delivery;
use crate::domain::approval::clipboard;
use crate::domain::call::called_in;
use crate::domain::usage::state::{BudgetLevel, BudgetOf, root};
use crate::domain::{chat as chats, schedule, script};
use crate::model::usage::day_of;
use crate::model::{Chat, Sandbox, ScheduleId, Status};

use super::layout::{self, holds};
use super::state::State;
use super::usage;
use super::view::View;
use super::wrap::width;

/// What has the second row to itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Alone {
    /// What its agent asks, or ran into.
    Calls(String),
    /// Why prompts wait.
    Queue(String),
}

/// A question and a queue share no row with anything else.
pub fn alone(state: &State, chat: &Chat) -> Option<Alone> {
    let near = |what: &str| chats::near(&state.domain, chat.id(), &called_in(what)).into_owned();
    let calls = match state.domain.status(chat.id()) {
        Status::NeedsYou(what) | Status::Error(what) | Status::LoggedOut(what) | Status::Retrying(what) => what,
        Status::Starting
        | Status::Running(_)
        | Status::Idle(_)
        | Status::Limited(_)
        | Status::Exited(_)
        | Status::Hibernated
        | Status::Unknown(_) => String::new(),
    };
    if !calls.is_empty() {
        return Some(Alone::Calls(near(&calls)));
    }
    match clipboard::wants(&state.domain, chat.id()) {
        Some(wants) => Some(Alone::Calls(wants)),
        None => delivery::waiting(&state.domain, chat.id()).map(Alone::Queue),
    }
}

/// From here on there is room for what a chat has used beside its projects.
const ROOM: u16 = 56;

/// What a click up there opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderPart {
    Status,
    Question,
    Usage,
}

/// Words at the right end of the second row, the last of them outermost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SecondRow {
    pub usage: Option<(String, Rect)>,
    pub schedules: Option<(String, Rect)>,
    pub agent: (String, Rect),
    /// What is left for the projects.
    pub projects: Rect,
}

/// Places what stands at the right of the second row of a header.
pub fn second_row(state: &State, view: &View, chat: &Chat, row: Rect) -> SecondRow {
    let mut rest = row;
    let mut take = |words: String, gap: u16| {
        let wide = u16::try_from(width(&words)).unwrap_or(u16::MAX).min(rest.width);
        let area = Rect {
            x: rest.right() - wide,
            width: wide,
            ..rest
        };
        rest.width -= (wide + gap).min(rest.width);
        (words, area)
    };
    let agent = take(agent(state, chat), 2);
    let schedules = Some(schedules(state, chat)).filter(|words| !words.is_empty());
    let schedules = schedules.map(|words| take(words, 2));
    let fits = view.size.cols >= ROOM && row.width >= ROOM;
    let used = usage::in_short(&state.domain, chat.id()).filter(|_| fits);
    let usage = used.map(|words| take(words, 2));
    SecondRow {
        usage,
        schedules,
        agent,
        projects: rest,
    }
}

/// What of the header is there.
pub fn part_at(state: &State, view: &View, (x, y): (u16, u16)) -> Option<HeaderPart> {
    let chat = state.domain.disk.chats.get(view.chat.as_ref()?)?;
    let header = layout::arrange(view).header;
    if !holds(header, x, y) {
        return None;
    }
    let inside = inside(header);
    let name = width(crate::domain::chat::label(&state.domain, chat));
    let behind_name = usize::from(x.saturating_sub(inside.x)) > name + 1;
    let alone = alone(state, chat).filter(|_| y + 1 == header.bottom());
    match alone {
        Some(Alone::Calls(_)) => return Some(HeaderPart::Question),
        Some(Alone::Queue(_)) => return None,
        None => {}
    }
    if y == header.y {
        return behind_name.then_some(HeaderPart::Status);
    }
    let placed = second_row(state, view, chat, Rect { y, height: 1, ..inside });
    placed
        .usage
        .filter(|(_, area)| holds(*area, x, y))
        .map(|_| HeaderPart::Usage)
}

/// A free column at each side.
pub fn inside(header: Rect) -> Rect {
    Rect {
        x: header.x + header.width.min(1),
        width: header.width.saturating_sub(2),
        ..header
    }
}

/// How far a budget is used up that holds for a chat.
pub fn budget_level(state: &State, chat: &Chat) -> Option<BudgetLevel> {
    let domain = &state.domain;
    let levels = &domain.live.usage.levels;
    if levels.is_empty() {
        return None;
    }
    let today = day_of(domain.live.facts.zone, domain.now);
    let tree = root(&domain.disk.chats, chat.id());
    let all = [
        BudgetOf::Chat(chat.id().clone()),
        BudgetOf::Tree(tree),
        BudgetOf::Day(today),
    ];
    all.iter().filter_map(|of| levels.get(of)).max().copied()
}

fn agent(state: &State, chat: &Chat) -> String {
    let title = state.domain.disk.title_of(&chat.record.llm).to_string();
    let sandbox = state.domain.live.agents.get(chat.id()).map(|agent| &agent.sandbox);
    let title = match sandbox {
        Some(Sandbox::Missing { .. }) => format!("no sandbox · {title}"),
        Some(Sandbox::NotAsked | Sandbox::InForce) | None => title,
    };
    let profile = chat.record.set.permissions;
    let title = match profile.is_ask() {
        true => title,
        false => format!("permissions: {} · {title}", profile.name()),
    };
    match script::shown(&state.domain, chat.id()) {
        Some(runs) => format!("{runs} · {title}"),
        None => title,
    }
}

/// What its agent scheduled, or whose run it is.
fn schedules(state: &State, chat: &Chat) -> String {
    match schedule::made_by(&state.domain, chat.id()).count() {
        0 => run_of(state, chat).unwrap_or_default(),
        1 => "⏱ 1 schedule".into(),
        many => format!("⏱ {many} schedules"),
    }
}

/// The schedule that a chat is a run of.
pub fn run_of(state: &State, chat: &Chat) -> Option<String> {
    let id = ScheduleId::parse(chat.record.schedule.as_deref()?)?;
    let known = state.domain.disk.schedules.get(&id)?.as_ref().ok()?;
    Some(format!("⏱ {}", known.terms.name))
}
