//! The lines of the page, and where they lie. What is found out later stands below what is there at once, so that nothing
//! moves.

use std::path::Path;

use ratatui::layout::Rect;

use crate::model::agent::{INSTALLED_BY, TRUSTING};
use crate::model::{Installed, Login, UnusableAgent, can_be_default};
use crate::screen::State;

use super::super::keymap::{Action, ChatsAction, ScreenAction, StartAction};
use super::super::view::View;
use super::super::wrap::wrap;
use super::begun::begins;

/// Columns of a line at most.
const WIDEST: u16 = 76;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartRow {
    Headline(&'static str),
    Words(String),
    Choice { action: Action, key: String, words: String },
    Recent { number: char, place: String },
    Agent { found: Found, words: String },
    Gap,
}

/// How an agent CLI was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    Ready,
    /// Nobody is logged in to it.
    LoggedOut,
    /// Its program is there, and of no use.
    Unusable,
}

pub struct PlacedRow {
    pub row: StartRow,
    pub area: Rect,
}

/// From the top; where there is no room for all, gaps go first, then what a chat is.
pub fn placed(state: &State, view: &View, area: Rect) -> Vec<PlacedRow> {
    let wide = area.width.saturating_sub(4).min(WIDEST);
    let mut rows: Vec<StartRow> = Vec::new();
    for row in rows_of(state, view) {
        match row {
            StartRow::Words(words) => rows.extend(wrap(&words, wide.into()).into_iter().map(StartRow::Words)),
            row => rows.push(row),
        }
    }
    let is_too_long = |rows: &[StartRow]| rows.len() > usize::from(area.height);
    if is_too_long(&rows) {
        rows.retain(|row| *row != StartRow::Gap);
    }
    // Then what a chat is: how to get an agent matters more.
    if is_too_long(&rows) {
        let begins = rows.iter().position(|row| matches!(row, StartRow::Words(_)));
        let after = rows
            .iter()
            .skip(1)
            .take_while(|row| matches!(row, StartRow::Words(_)))
            .count();
        if begins == Some(1) {
            rows.drain(1..=after);
        }
    }
    // Where all of it would stand in the middle, had it everything to say.
    let above = area.height.saturating_sub(TALL) / 2;
    let first = Rect {
        x: area.x + area.width.saturating_sub(wide) / 2,
        y: area.y + above,
        width: wide,
        height: 1,
    };
    let lines = (first.y..area.bottom()).zip(rows);
    lines
        .map(|(y, row)| PlacedRow {
            row,
            area: Rect { y, ..first }.intersection(area),
        })
        .collect()
}

/// Rows of a page that has everything to say.
const TALL: u16 = 22;

fn rows_of(state: &State, view: &View) -> Vec<StartRow> {
    let keymap = &state.keymap;
    let choice = |action: Action, words: String| StartRow::Choice {
        key: keymap.key(action),
        action,
        words,
    };
    let start = |action: StartAction, words: String| choice(Action::Start(action), words);
    let mut rows = vec![
        StartRow::Headline("No chats yet"),
        StartRow::Words("A chat is one conversation with one coding agent, in a folder of its own.".into()),
        StartRow::Gap,
    ];
    if let Some(here) = &view.over.start.here {
        let (agent, name) = (usual(state), name_of(here));
        let words = match begins(state, view) {
            true => format!("starting {agent} on {name}…"),
            false => format!("start {agent} on {name}, in a clone"),
        };
        let in_place = "or in your checkout itself: no clone, no checkpoints";
        rows.extend([
            start(StartAction::Here, words),
            start(StartAction::InPlace, in_place.into()),
        ]);
    }
    rows.extend([
        choice(
            ChatsAction::NewChat.into(),
            "new chat, with all there is to choose".into(),
        ),
        start(StartAction::Open, "open a folder or repository".into()),
        choice(ChatsAction::Demo.into(), "watch the demo".into()),
    ]);
    if !state.domain.disk.tour_seen {
        rows.push(start(
            StartAction::Tour,
            "take the tour: six steps, Esc leaves it".into(),
        ));
    }
    rows.push(choice(ScreenAction::Help.into(), "all keys".into()));
    let recent = view.over.start.recent.iter().flatten().zip('1'..);
    let recent: Vec<StartRow> = recent
        .map(|(place, number)| StartRow::Recent {
            number,
            place: place.clone(),
        })
        .collect();
    if !recent.is_empty() {
        rows.push(StartRow::Gap);
        rows.extend(recent);
    }
    rows.push(StartRow::Gap);
    rows.extend(agents(state));
    if asks_for_trust(state) {
        let words = "let Claude Code trust the chats folder";
        rows.push(start(StartAction::Trust, words.into()));
    }
    rows
}

fn agents(state: &State) -> Vec<StartRow> {
    let all = &state.domain.disk.agents;
    if all.is_empty() {
        return vec![StartRow::Words("looking for agent CLIs…".into())];
    }
    let found = all.iter().filter(|agent| can_be_default(&agent.llm));
    let found: Vec<StartRow> = found.map(agent).collect();
    let unusable: Vec<StartRow> = state.domain.disk.unusable_agents.iter().map(unusable).collect();
    if !found.is_empty() {
        return [found, unusable].concat();
    }
    let (what, then) = match unusable.is_empty() {
        true => ("was found on your PATH", "To install one (n looks again):"),
        false => ("that works was found", "n looks again. To install another:"),
    };
    let words = format!(
        "No agent CLI {what}. The demo agent stands in: it follows a script, and no model is behind it. {then}"
    );
    let missing = INSTALLED_BY
        .iter()
        .map(|command| StartRow::Words(format!("$ {command}")));
    unusable
        .into_iter()
        .chain([StartRow::Words(words)])
        .chain(missing)
        .collect()
}

fn agent(agent: &Installed) -> StartRow {
    let version = agent.version.as_deref().unwrap_or_default();
    let parts = [
        format!("{} {version}", agent.title).trim().to_string(),
        agent.login.words().to_string(),
        agent.remark.clone(),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    StartRow::Agent {
        found: match agent.login {
            Login::Missing => Found::LoggedOut,
            Login::Found | Login::Unknown => Found::Ready,
        },
        words: parts.join(" · "),
    }
}

fn unusable(agent: &UnusableAgent) -> StartRow {
    StartRow::Agent {
        found: Found::Unusable,
        words: format!("{} · {}", agent.title, agent.told()),
    }
}

/// What a new chat runs where nobody says.
fn usual(state: &State) -> String {
    let disk = &state.domain.disk;
    let set = disk.settings.default_llm.as_deref();
    let llm = set.or_else(|| disk.proposed_llm());
    // Which there are is still being looked for.
    if llm.is_none() && disk.agents.is_empty() {
        return "your agent".into();
    }
    disk.title_of(llm.unwrap_or("demo")).to_string()
}

fn name_of(place: &str) -> String {
    let name = Path::new(place).file_name();
    name.map_or_else(|| place.to_string(), |name| name.to_string_lossy().into_owned())
}

/// Whether a person has yet to say whether Claude Code may trust parlour's chats.
pub(super) fn asks_for_trust(state: &State) -> bool {
    let disk = &state.domain.disk;
    let is_there = disk.agents.iter().any(|agent| agent.llm == TRUSTING);
    is_there && !disk.settings.trust.contains_key(TRUSTING)
}
