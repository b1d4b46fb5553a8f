//! Above the terminal: which chat this is, what it works on, and what its agent does.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use crate::domain::agent::queue;
use crate::domain::approval::queue::waiting_chats;
use crate::domain::call::called_in;
use crate::domain::event::Size;
use crate::domain::usage::state::BudgetLevel;
use crate::domain::{chat as chats, opening};
use crate::model::keep::PullRequest;
use crate::model::text::{count, fit_path};
use crate::model::{Chat, Declared, PaneId, Project, Status};
use crate::screen::header::{Alone, alone, budget_level, inside, second_row};
use crate::screen::keymap::{Action, CopyAction, MoveAction, ScreenAction};
use crate::screen::view::Mode;
use crate::screen::wrap::width;
use crate::screen::{State, kept, layout, spinner, tab};
use crate::term::{Cell, Screen};

use super::scene::Scene;
use super::sign;
use super::text::{after, inset, put, put_right, row, shown};

pub struct Counts {
    pub running: usize,
    pub needs_you: usize,
}

pub fn counts(state: &State) -> Counts {
    let agents = state.domain.live.agents.awake();
    let runs = |status: &Status| matches!(status, Status::Starting | Status::Running(_) | Status::Retrying(_));
    Counts {
        running: agents.filter(|(_, agent)| runs(&agent.verdict.status)).count(),
        needs_you: waiting_chats(&state.domain),
    }
}

pub fn draw(scene: &Scene, area: Rect, buf: &mut Buffer) {
    let chat = scene
        .view
        .chat
        .as_ref()
        .and_then(|chat| scene.state.domain.disk.chats.get(chat));
    let Some(chat) = chat else {
        return;
    };
    let area = inside(area);
    let last = row(area, usize::from(area.height.saturating_sub(1)));
    let alone = alone(scene.state, chat);
    if let Some(alone) = &alone {
        draw_alone(scene, alone, last, buf);
    }
    if area.height < 2 && alone.is_some() {
        return;
    }
    let first = draw_status(scene, chat, row(area, 0), buf);
    let name = put(buf, first, chats::label(&scene.state.domain, chat), scene.theme.header);
    let behind = after(first, name + 2);
    if area.height < 2 {
        draw_projects(scene, chat, behind, buf);
        return;
    }
    put(
        buf,
        behind,
        &declared(scene.state, chat, behind.width.into()),
        scene.theme.dim,
    );
    if alone.is_none() {
        draw_second(scene, chat, last, buf);
    }
}

/// Over the whole row.
fn draw_alone(scene: &Scene, alone: &Alone, area: Rect, buf: &mut Buffer) {
    match alone {
        // Of a path its end tells more.
        Alone::Calls(what) => put(buf, area, &fit_path(what, area.width.into()), scene.theme.waiting),
        Alone::Queue(why) => put(buf, area, why, scene.theme.waiting),
    };
}

fn draw_second(scene: &Scene, chat: &Chat, area: Rect, buf: &mut Buffer) {
    let second = second_row(scene.state, scene.view, chat, area);
    put(buf, second.agent.1, &second.agent.0, scene.theme.dim);
    if let Some((words, place)) = &second.schedules {
        put(buf, *place, words, scene.theme.accent);
    }
    if let Some((words, place)) = &second.usage {
        put(buf, *place, words, usage_style(scene, chat));
    }
    draw_projects(scene, chat, second.projects, buf);
}

/// In the colour of a budget that is nearly used up, or wholly.
fn usage_style(scene: &Scene, chat: &Chat) -> Style {
    match budget_level(scene.state, chat) {
        Some(BudgetLevel::Spent) => scene.theme.failed,
        Some(BudgetLevel::Near) => scene.theme.waiting,
        None => scene.theme.dim,
    }
}

/// The status at the right end. It may take what the name leaves, and half of the row at least.
fn draw_status(scene: &Scene, chat: &Chat, area: Rect, buf: &mut Buffer) -> Rect {
    let mut forms = status_forms(scene, chat);
    let style = sign::of(scene.state, chat.id(), scene.theme).style;
    let name = width(&shown(chats::label(&scene.state.domain, chat)));
    let name = u16::try_from(name).unwrap_or(u16::MAX);
    let before = name.saturating_add(2).min(area.width / 2);
    let place = after(area, before);
    let beside_name = usize::from(area.width.saturating_sub(name.saturating_add(2)));
    let fits = |words: &String| width(&shown(words)) <= beside_name;
    let last = forms.pop().unwrap_or_default();
    let words = forms.into_iter().find(fits).unwrap_or(last);
    let words = in_room(words, place.width.into());
    let left = put_right(buf, place, &fit_path(&words, place.width.into()), style);
    Rect {
        width: (before + left.width).saturating_sub(2),
        ..area
    }
}

/// The longest first. What its agent asks stands in a row of its own, so its queue is told here: behind the status, or in
/// place of its word where the name would be cut else.
fn status_forms(scene: &Scene, chat: &Chat) -> Vec<String> {
    let words = status_words(scene, chat);
    let asks = matches!(alone(scene.state, chat), Some(Alone::Calls(_)));
    match queue::count(&scene.state.domain, chat.id()) {
        waiting @ 1.. if asks => {
            let shape = sign::of(scene.state, chat.id(), scene.theme).shape;
            vec![
                format!("{words} · {waiting} queued"),
                format!("{shape} {waiting} queued"),
            ]
        }
        _ => vec![words],
    }
}

/// How the last command of a shell ended is said in fewer words before it is cut.
fn in_room(words: String, room: usize) -> String {
    let Some((status, exit)) = words
        .split_once(": last command ")
        .filter(|(_, how)| how.starts_with("exit"))
    else {
        return words;
    };
    let sign = status.split(' ').next().unwrap_or_default();
    let mut shorter = [words.clone(), format!("{status}: {exit}"), format!("{sign} {exit}")].into_iter();
    shorter.find(|words| width(&shown(words)) <= room).unwrap_or(words)
}

/// `● Bash (2/5)` while tools run: how many, of all that the turn has begun. Else as everywhere.
fn status_words(scene: &Scene, chat: &Chat) -> String {
    let tally = scene
        .state
        .domain
        .live
        .agents
        .get(chat.id())
        .and_then(|agent| agent.turn.tally());
    let sign = sign::of(scene.state, chat.id(), scene.theme);
    let as_everywhere = || sign::words(scene.state, chat.id(), scene.theme);
    let words = match (scene.state.domain.status(chat.id()), tally) {
        (Status::Running(tool), Some(tally)) => {
            let domain = &scene.state.domain;
            let waits = tool.as_ref().and_then(|tool| domain.waits_for(chat.id(), tool));
            match waits {
                Some([words, _]) => words,
                None => {
                    let doing = tool.as_deref().map_or("running".into(), called_in);
                    format!("{doing} ({tally})")
                }
            }
        }
        (Status::Limited(until), _) if !until.is_empty() => format!("Limit: {until}"),
        (Status::LoggedOut(_), _) => "Not logged in".into(),
        (Status::Idle(None), _) => {
            last_command(scene, chat).map_or_else(as_everywhere, |last| format!("{}: {last}", sign.word))
        }
        // What it is stands in a row of its own.
        (Status::NeedsYou(_) | Status::Error(_) | Status::Retrying(_), _) => sign.word.into(),
        (
            Status::Starting
            | Status::Running(_)
            | Status::Idle(_)
            | Status::Limited(_)
            | Status::Exited(_)
            | Status::Hibernated
            | Status::Unknown(_),
            _,
        ) => as_everywhere(),
    };
    let shape = spinner::sign(scene.state, scene.view).unwrap_or(sign.shape);
    format!("{shape} {words}")
}

/// How the last command of a shell that runs ended.
fn last_command<'s>(scene: &Scene<'s>, chat: &Chat) -> Option<&'s str> {
    let agent = scene.state.domain.live.live_agent(chat.id())?;
    agent.shell.said.as_deref()
}

/// A note of which fewer columns are seen says nothing.
const NOTE: usize = 10;

/// What the agent says of itself, marked as its own word, or that something of the chat cannot be read. It gives way to name
/// and status: without its note where only a scrap of that would be seen, and wholly before it is cut itself.
fn declared(state: &State, chat: &Chat, room: usize) -> String {
    // What parlour wrote there itself is no word of the agent's.
    let at_first = Declared::at_first(chat.record.role.as_deref());
    let declared = chats::declared(&state.domain, chat).filter(|declared| **declared != at_first);
    let Some(declared) = declared else {
        return chat.damage.clone().unwrap_or_default();
    };
    let reports = format!("reports {}", declared.status);
    let agent = format!("agent {reports}");
    let note = width(&shown(&declared.note));
    if note > 0 && width(&shown(&agent)) + 2 + note.min(NOTE) <= room {
        return format!("{agent}: {}", declared.note);
    }
    let mut short = [agent, reports].into_iter();
    short.find(|words| width(&shown(words)) <= room).unwrap_or_default()
}

/// Its projects, behind what is being opened beside them: that is what changes.
fn in_one_line(state: &State, chat: &Chat, said: fn(&PullRequest) -> String) -> String {
    if opening::is_being_made(&state.domain, chat.id()) && chat.projects.is_empty() {
        // Its status says what is opened.
        return no_project(state, chat).into();
    }
    let with_pull = |known: &Project| match state.domain.live.branches.pulls.of(chat.id(), known) {
        Some(pull) => format!("{} · {}", project(known), said(pull)),
        None => project(known),
    };
    let opening = opening::words(&state.domain, chat.id()).map(String::from);
    let beside = opening.into_iter().chain(gone(chat));
    let all: Vec<String> = beside.chain(chat.projects.iter().map(with_pull)).collect();
    match all.is_empty() {
        true => no_project(state, chat).into(),
        false => all.join("   "),
    }
}

/// The same with pull requests in words, or by their signs where there is no room for words.
fn draw_projects(scene: &Scene, chat: &Chat, area: Rect, buf: &mut Buffer) {
    let words = in_one_line(scene.state, chat, PullRequest::in_short);
    let words = match width(&shown(&words)) <= usize::from(area.width) {
        true => words,
        false => in_one_line(scene.state, chat, PullRequest::sign),
    };
    let style = match gone(chat).next() {
        None => scene.theme.dim,
        Some(_) => scene.theme.failed,
    };
    put(buf, area, &words, style);
}

/// What its agent, or somebody else, has removed since it was opened.
pub fn gone(chat: &Chat) -> impl Iterator<Item = String> {
    chat.gone_projects().map(|dir| format!("projects/{} is gone", dir.name))
}

/// What stands where projects would.
pub fn no_project(state: &State, chat: &Chat) -> &'static str {
    match opening::is_being_made(&state.domain, chat.id()) {
        true => "(no project yet)",
        false => "(no project)",
    }
}

/// A project as it is written everywhere on screen.
pub fn project(project: &Project) -> String {
    let commit = project
        .commit
        .as_deref()
        .map(|commit| commit.get(..7).unwrap_or(commit));
    let branch = project.branch.as_deref().or(project.under_way.as_deref()).or(commit);
    let stands = branch.unwrap_or("(local)");
    match (&project.branch, &project.under_way) {
        (Some(_), Some(what)) => format!("{} · {stands}, {what}", project.name),
        (Some(_) | None, _) => format!("{} · {stands}", project.name),
    }
}

/// The line above the terminal: heavy while keys go to the agent. It also says how far back the view is.
pub fn draw_rule(scene: &Scene, area: Rect, buf: &mut Buffer) {
    let (line, style) = match scene.view.mode {
        Mode::Agent => ("━", scene.theme.focus),
        Mode::Outside => ("─", scene.theme.border),
    };
    for x in area.left()..area.right() {
        if let Some(cell) = buf.cell_mut((x, area.y)).filter(|_| area.height > 0) {
            cell.set_symbol(line).set_style(style);
        }
    }
    let tabs = tab::tabs(scene.state, scene.view);
    let shown = tabs.iter().find(|placed| placed.tab == scene.view.tab);
    let room = after(
        area,
        shown.map_or(0, |placed| placed.area.right().saturating_sub(area.x)),
    );
    let note = note(scene, room);
    let note_at = note.as_ref().map_or(area.right(), |(words, _)| {
        let wide = u16::try_from(width(words)).unwrap_or(u16::MAX);
        area.right().saturating_sub(wide.saturating_add(2))
    });
    // A name that the note would cut gives way.
    for placed in tabs.iter().filter(|placed| placed.area.right() <= note_at) {
        let style = match placed.tab == scene.view.tab {
            true => scene.theme.accent.add_modifier(Modifier::BOLD),
            false => scene.theme.dim,
        };
        put(buf, placed.area, &placed.words, style);
    }
    if let Some((words, style)) = note {
        put_right(buf, inset(area, 2), &words, style);
    }
}

/// How far back the view is, or what of a terminal is not in sight, in as many words as there is room for.
fn note(scene: &Scene, room: Rect) -> Option<(String, Style)> {
    let pane = scene.view.pane()?;
    let live = &scene.state.domain.live;
    let screen = live.screen(&pane).filter(|_| scene.view.tab.is_terminal());
    let back = screen.filter(|screen| scene.view.reading.below(screen).0 > 0);
    let (words, style) = match back {
        Some(screen) => (distances(scene, screen).to_vec(), scene.theme.accent),
        None => {
            let mut words = sized_elsewhere(scene, &pane);
            words.extend(hidden(scene, &pane));
            (words, scene.theme.dim)
        }
    };
    let fits = |words: &String| width(words) + 2 <= usize::from(room.width);
    words.into_iter().find(fits).map(|words| (words, style))
}

/// Columns with something in them that lie beyond an edge, or below the sidebar or the cards.
fn hidden(scene: &Scene, pane: &PaneId) -> Vec<String> {
    let screen = scene
        .state
        .domain
        .live
        .screen(pane)
        .filter(|_| scene.view.tab.is_terminal());
    let Some(screen) = screen else {
        return Vec::new();
    };
    let (layout, reading) = (layout::arrange(scene.view), &scene.view.reading);
    let shown = reading.shown(screen);
    let (left, top) = layout::crop(shown, layout.pane, reading);
    let first = usize::from((left + layout.free.x.saturating_sub(layout.pane.x)).min(shown.cols));
    let end = first + usize::from(layout.free.width);
    let seen = shown.rows.iter().skip(top.into()).take(layout.pane.height.into());
    let (mut before, mut behind) = (0, 0);
    for row in seen {
        let written = |cell: &Cell| cell.symbol != ' ';
        let (below, beyond) = (row.cells.get(..first), row.cells.get(end..));
        if below.unwrap_or_default().iter().any(written) {
            before = first;
        }
        let last = beyond.unwrap_or_default().iter().rposition(written);
        behind = behind.max(last.map_or(0, |last| last + 1));
    }
    match (before, behind) {
        (0, 0) => Vec::new(),
        (before, 0) => vec![
            format!(" ← {} hidden ", count(before, "column")),
            format!(" ← {before} hidden "),
        ],
        (0, behind) => vec![
            format!(" {} hidden → ", count(behind, "column")),
            format!(" {behind} hidden → "),
        ],
        (before, behind) => vec![
            format!(" ← {before} · {behind} columns hidden → "),
            format!(" ← {before} · {behind} hidden → "),
        ],
    }
}

/// The terminal has the size of another window, whose person typed last: here it has room for more, or is cut. What an
/// ended program left may be cut as well. The longest words first.
fn sized_elsewhere(scene: &Scene, pane: &PaneId) -> Vec<String> {
    let live = &scene.state.domain.live;
    let own = layout::pane_size(scene.view);
    if kept::is_kept(scene.state, pane) {
        let Some(Size { cols, rows }) = kept::size(scene.state, pane) else {
            return Vec::new();
        };
        let picture = live.screen(pane).is_some_and(|screen| screen.modes.alt_screen);
        let stays = picture || scene.state.views.len() > 1;
        let cut = cols > own.cols || rows > own.rows;
        let words = format!(" {cols}×{rows} kept, window is {}×{} ", own.cols, own.rows);
        return (cut && stays).then_some(words).into_iter().collect();
    }
    let size = match pane {
        PaneId::Agent(chat) => live.agents.get(chat).map(|agent| agent.size),
        PaneId::Side(number) => live.sides.get(number).map(|side| side.size),
    };
    let keymap = &scene.state.keymap;
    let key = keymap.key(ScreenAction::TakeSize);
    let key = match scene.view.mode {
        Mode::Agent => format!("{} {key}", keymap.leader()),
        Mode::Outside => key,
    };
    // Elsewhere the key does something else, and the size is of no matter.
    let is_seen = scene.view.sheet().is_none() && scene.state.views.len() > 1;
    match size.filter(|size| *size != own && is_seen) {
        Some(Size { cols, rows }) => vec![
            format!(" {cols}×{rows}, the size of another window · {key} takes it "),
            format!(" {cols}×{rows}, another window's · {key} takes it "),
            format!(" {cols}×{rows}, another window's "),
        ],
        None => Vec::new(),
    }
}

/// How far back the view is, and what has come since.
pub fn distance(scene: &Scene, live: &Screen) -> String {
    let [long, _] = distances(scene, live);
    long
}

/// The same, and in fewer words.
fn distances(scene: &Scene, live: &Screen) -> [String; 2] {
    let (below, new) = scene.view.reading.below(live);
    let lines = if below == 1 { "line" } else { "lines" };
    let new = match new {
        0 => String::new(),
        new => format!(" · ↓ {new} new"),
    };
    let keymap = &scene.state.keymap;
    let end = keymap.key(MoveAction::ScrollEnd);
    let end = match scene.view.mode {
        _ if scene.view.reading.copy.is_some() => keymap.key(Action::Copy(CopyAction::Leave)),
        Mode::Agent => format!("{} {end}", keymap.leader()),
        Mode::Outside => end,
    };
    [
        format!(" ↑ {below} {lines} back{new} · {end} returns "),
        format!(" ↑ {below} {lines} back "),
    ]
}
