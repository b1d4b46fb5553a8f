//! The last row: where keys go, and which of them matter now. Drawing and the mouse ask here.

use std::borrow::Cow;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;

use crate::domain::agent::state::Agent;
use crate::domain::approval::queue::waiting_chats;
use crate::domain::auxiliary::{AuxiliaryProgram, Side};
use crate::model::queue::PromptKind;
use crate::screen::State;

use super::dialog::Dialog;
use super::dialog::tables::{LINKS, LinkKey, SEARCH, SearchKey};
use super::grid::tiles;
use super::hint::{Hint, label};
use super::inspector;
use super::keymap::{
    Action, ChatAction, ChatsAction, ComposerAction, CopyAction, FilterAction, LeaderAction, MoveAction, PaneSheet,
    QueuedAction, SchedulesAction, ScreenAction,
};
use super::layout::{self, holds};
use super::surface::Surface;
use super::tab::{self, Ahead};
use super::view::{Tab, View};
use super::wrap::width;
use super::{dialogs, mending, resuming, side};

/// What stands there.
pub struct Foot<'s> {
    pub badge: &'static str,
    /// What is typed goes to a program, or becomes a prompt.
    pub is_inside: bool,
    /// Said in place of the hints.
    pub says: Option<Says<'s>>,
    /// Why the settings are not in force, or what troubles several chats, and where that stands.
    pub problem: Option<(Cow<'s, str>, Rect)>,
    /// The keys that lead to those chats.
    troubled: Vec<KeyEvent>,
    pub hints: Vec<(Hint, Rect)>,
    /// How many chats need a person, where nothing else on the screen says so.
    pub calls: Option<CallsPill>,
    /// Behind the badge.
    pub rest: Rect,
}

/// The keys lead to the next of them.
pub struct CallsPill {
    pub words: String,
    pub keys: Vec<KeyEvent>,
    pub area: Rect,
}

pub enum Says<'s> {
    /// A key did not count.
    Ignored(&'s str),
    /// All that ran when the engine ended can be resumed.
    Offer(String),
}

pub fn arrange<'s>(state: &'s State, view: &'s View) -> Foot<'s> {
    let surface = view.surface();
    let area = layout::arrange(view).foot;
    let badge = badge(state, view);
    let mut foot = Foot {
        badge,
        is_inside: matches!(surface, Surface::Terminal | Surface::Composer | Surface::Queued),
        says: None,
        problem: None,
        troubled: Vec::new(),
        hints: Vec::new(),
        calls: None,
        rest: after(area, width(badge) + 1),
    };
    foot.calls = calls(state, view, foot.rest);
    if let Some(calls) = &foot.calls {
        foot.rest.width = (calls.area.x - foot.rest.x).saturating_sub(1);
    }
    foot.says = match (view.over.guard.says(), view.over.offered) {
        (Some(words), _) => Some(Says::Ignored(words)),
        (None, Some(_)) if !matches!(surface, Surface::Dialog | Surface::Leader | Surface::Schedules) => {
            resuming::offer(state).map(Says::Offer)
        }
        (None, _) => None,
    };
    if foot.says.is_some() {
        return foot;
    }
    let mut rest = foot.rest;
    let disk = &state.domain.disk;
    let problem = disk.read_only.as_ref().or(disk.settings_problem.as_ref());
    let problem = problem.map(|problem| Cow::from(&problem.cause));
    let trouble = || {
        let shared = mending::shared(&state.domain)?;
        foot.troubled = state.keymap.leading(view.surface(), ChatsAction::NextTroubled.into());
        Some(Cow::from(format!("{}  {}", shared.words, label(&foot.troubled))))
    };
    if let Some(cause) = disk.write_trouble.banner().map(Cow::from).or(problem).or_else(trouble) {
        let half = after(rest, usize::from(rest.width / 2));
        let wide = width(&cause).min(half.width.into());
        let place = after(half, usize::from(half.width) - wide);
        rest.width = (place.x - rest.x).saturating_sub(1);
        foot.problem = Some((cause, place));
    }
    // Most wanted first: what does not fit is left out, but for the key that shows all keys of a dialog.
    let mut hints = hints(state, view);
    let kept = hints.pop_if(|_| surface == Surface::Dialog);
    let kept_wide = kept.as_ref().map_or(0, |hint| hint.width() + 2);
    let room = |rest: Rect, is_last: bool| usize::from(rest.width).saturating_sub(if is_last { 0 } else { kept_wide });
    let count = hints.len();
    for (at, hint) in hints.into_iter().chain(kept).enumerate() {
        let is_last = at == count;
        if hint.label.is_empty() || hint.width() > room(rest, is_last) {
            continue;
        }
        let wide = hint.width();
        let place = Rect {
            width: u16::try_from(wide).unwrap_or(u16::MAX),
            ..rest
        };
        foot.hints.push((hint, place));
        rest = after(rest, wide + 2);
    }
    foot
}

/// What a click on the last row presses.
pub fn keys_at(state: &State, view: &View, x: u16, y: u16) -> Vec<KeyEvent> {
    let foot = arrange(state, view);
    if let Some(calls) = foot.calls.filter(|calls| holds(calls.area, x, y)) {
        return calls.keys;
    }
    if foot.problem.is_some_and(|(_, area)| holds(area, x, y)) {
        return foot.troubled;
    }
    let clicked = foot.hints.iter().find(|(_, area)| holds(*area, x, y));
    clicked.map_or_else(Vec::new, |(hint, area)| hint.at(usize::from(x - area.x)).to_vec())
}

/// Where the sidebar is not there to say it.
fn calls(state: &State, view: &View, rest: Rect) -> Option<CallsPill> {
    let count = waiting_chats(&state.domain);
    if count == 0 || layout::arrange(view).sidebar.is_some() || view.surface() == Surface::Dialog {
        return None;
    }
    let keys = state.keymap.leading(view.surface(), ChatsAction::NextWaiting.into());
    let label = label(&keys);
    let needs = if count == 1 { "needs you" } else { "need you" };
    let forms = [
        format!("◆ {count} {needs}  {label}"),
        format!("◆ {count} {needs}"),
        format!("◆ {count}"),
    ];
    // The first keys of what one is in, its way out among them, come before.
    let first = hints(state, view).into_iter().filter(|hint| !hint.label.is_empty());
    let taken: usize = first.take(2).map(|hint| hint.width() + 2).sum();
    let room = usize::from(rest.width).saturating_sub(taken);
    let words = forms
        .iter()
        .find(|form| width(form) <= room)
        .or(forms.last())
        .cloned()?;
    let wide = u16::try_from(width(&words)).unwrap_or(u16::MAX).min(rest.width);
    let area = Rect {
        x: rest.right() - wide,
        width: wide,
        ..rest
    };
    Some(CallsPill { words, keys, area })
}

fn after(area: Rect, columns: usize) -> Rect {
    let columns = u16::try_from(columns).unwrap_or(u16::MAX).min(area.width);
    Rect {
        x: area.x + columns,
        width: area.width - columns,
        ..area
    }
}

fn badge(state: &State, view: &View) -> &'static str {
    match view.surface() {
        Surface::Dialog if matches!(view.over.dialog, Some(Dialog::Rename(_))) => " RENAME ",
        Surface::Dialog => " DIALOG ",
        Surface::Schedules => " SCHEDULES ",
        Surface::Copy => " COPY ",
        Surface::Links => " LINKS ",
        Surface::Leader => " LEADER ",
        Surface::Terminal => side::shown(state, view).map_or(" AGENT ", |(_, side)| side.badge()),
        Surface::Composer | Surface::Queued => " PROMPT ",
        Surface::Filter => " FILTER ",
        Surface::Search => " SEARCH ",
        Surface::Sheet(PaneSheet::Transcript) => " TRANSCRIPT ",
        Surface::Sheet(PaneSheet::Changes) => " CHANGES ",
        Surface::Sheet(PaneSheet::Checkpoints) => " CHECKPOINTS ",
        Surface::Sheet(PaneSheet::Work) => " WORK ",
        Surface::Sheet(PaneSheet::Todos) => " TODOS ",
        Surface::Pane if tiles::shown(view).is_some() => " GRID ",
        Surface::Pane => " VIEW ",
        Surface::Inspector => " CARDS ",
        Surface::Start | Surface::Sidebar => " SIDEBAR ",
    }
}

/// The keys that the surface has for these actions: the first of each.
fn hint<const N: usize>(state: &State, view: &View, actions: [Action; N], words: &'static str) -> Hint {
    state.keymap.hint(view.surface(), &actions, words)
}

/// What matters now on the surface that has the keys.
pub fn hints(state: &State, view: &View) -> Vec<Hint> {
    let leader = state.keymap.leader;
    let leave = state
        .keymap
        .keys_at(Surface::Leader, Action::Leader(LeaderAction::Leave))
        .next();
    let key = |action: Action, words| hint(state, view, [action], words);
    match view.surface() {
        Surface::Dialog => of_dialog(state, view),
        Surface::Schedules => of_schedules(state, view),
        Surface::Leader => vec![
            key(Action::Leader(LeaderAction::Leave), out_of(state, view)),
            key(Action::Leader(LeaderAction::SendOn), "send it on"),
        ],
        Surface::Copy => of_copy_mode(state, view),
        // Who is zoomed in looks for that way out first, and a narrow row has room for one.
        Surface::Terminal => {
            let menu = key(Action::Leader(LeaderAction::Leader), "menu");
            let leave = Hint::in_turn([leader].into_iter().chain(leave).collect(), out_of(state, view));
            let around = unzoom(state, view).into_iter().chain(ungrid(state, view));
            [menu].into_iter().chain(around).chain([leave]).collect()
        }
        Surface::Search => vec![
            SEARCH.hint(&[SearchKey::Search], "search"),
            SEARCH.hint(&[SearchKey::Cancel], "cancel"),
        ],
        Surface::Composer => of_composer(state, view),
        Surface::Queued => of_queued(state, view),
        Surface::Filter => vec![
            key(Action::Filter(FilterAction::Choose), "choose"),
            hint(
                state,
                view,
                [FilterAction::Up, FilterAction::Down].map(Action::Filter),
                "move",
            ),
            key(Action::Filter(FilterAction::GiveUp), "give up"),
        ],
        Surface::Start => vec![
            key(ChatsAction::NewChat.into(), "new chat"),
            key(ChatsAction::Demo.into(), "demo"),
            key(ScreenAction::Help.into(), "all keys"),
            key(ScreenAction::Detach.into(), "detach"),
        ],
        Surface::Links => vec![
            Hint::note("a letter", "opens"),
            Hint::note("with Shift", "copies"),
            LINKS.hint(&[LinkKey::Leave], "leave"),
        ],
        Surface::Sheet(sheet) => of_sheet(state, view, sheet),
        Surface::Pane if tiles::shown(view).is_some() => vec![
            key(ChatAction::Enter.into(), enters(state, view)),
            key(MoveAction::SwitchFocus.into(), "next"),
            key(MoveAction::Jump.into(), "by number"),
            key(ScreenAction::Grid.into(), "out of the grid"),
            key(ScreenAction::Zoom.into(), "zoom"),
            key(ScreenAction::Help.into(), "all keys"),
        ],
        Surface::Pane => of_terminal(state, view),
        Surface::Inspector => inspector::hints(state, view),
        Surface::Sidebar => vec![
            key(ChatAction::Enter.into(), enters(state, view)),
            key(ChatsAction::NewChat.into(), "new chat"),
            key(ScreenAction::Help.into(), "all keys"),
            key(ChatsAction::Filter.into(), "filter"),
            key(ScreenAction::Detach.into(), "detach"),
            key(ScreenAction::Palette.into(), "commands"),
            key(ChatAction::OpenProject.into(), "open project"),
            key(ChatsAction::NextWaiting.into(), "next waiting"),
            key(ChatAction::Delete.into(), "delete"),
        ],
    }
}

fn of_dialog(state: &State, view: &View) -> Vec<Hint> {
    let Some(dialog) = &view.over.dialog else {
        return Vec::new();
    };
    let live = Dialog::is_live_from(dialog).is_none_or(|from| from <= state.domain.now);
    let wait = (!live).then(|| Hint::note("…", "read it first"));
    wait.into_iter().chain(dialogs::input::hints(state, view)).collect()
}

fn of_schedules(state: &State, view: &View) -> Vec<Hint> {
    let key = |action, words| hint(state, view, [Action::Schedules(action)], words);
    let close = [SchedulesAction::Back, SchedulesAction::Close].map(Action::Schedules);
    let mut hints = vec![key(SchedulesAction::New, "new"), hint(state, view, close, "close")];
    if !state.domain.disk.schedules.is_empty() {
        hints.extend([
            key(SchedulesAction::RunNow, "run now"),
            key(SchedulesAction::Pause, "pause"),
            key(SchedulesAction::Edit, "edit"),
            key(SchedulesAction::Cancel, "cancel"),
            key(SchedulesAction::Runs, "runs"),
            key(SchedulesAction::Open, "chat"),
        ]);
    }
    hints.push(hint(state, view, [ScreenAction::Help.into()], "all keys"));
    hints
}

fn of_sheet(state: &State, view: &View, sheet: PaneSheet) -> Vec<Hint> {
    let mut hints = tab::hints(state, view, sheet);
    hints.push(hint(state, view, [MoveAction::SwitchFocus.into()], ahead(state, view)));
    hints.push(hint(state, view, [ScreenAction::Help.into()], "all keys"));
    hints
}

fn of_composer(state: &State, view: &View) -> Vec<Hint> {
    let key = |action, words| hint(state, view, [Action::Composer(action)], words);
    let agent = view.chat.as_ref().and_then(|chat| state.domain.live.agents.get(chat));
    let works = agent.is_some_and(Agent::is_working);
    let command = view.composer.command(&state.domain).is_some();
    let send = match works {
        true if command => "run after the turn",
        true if agent.is_some_and(Agent::is_steered) => "steer",
        true => "queue",
        false if command => "run",
        false => "send",
    };
    if view.composer.is_completing() {
        let choose = [ComposerAction::Up, ComposerAction::Down].map(Action::Composer);
        return vec![
            key(ComposerAction::Complete, "take"),
            hint(state, view, choose, "choose"),
            key(ComposerAction::Leave, "none of these"),
        ];
    }
    let mut hints = vec![key(ComposerAction::Send, send)];
    if works {
        let follow_up = key(ComposerAction::FollowUp, "after the turn");
        hints.extend(Some(follow_up).filter(|_| !command));
        hints.push(key(ComposerAction::Interrupt, "interrupt"));
    }
    hints.push(key(ComposerAction::Leave, "leave"));
    let has_chips = !view.composer.chips.is_empty();
    hints.extend(Some(key(ComposerAction::Up, "what waits")).filter(|_| has_chips));
    // It leads to commands from an empty field alone.
    let typed = |letter| KeyEvent::from(KeyCode::Char(letter));
    let commands = Hint::new([typed('/')], "commands");
    hints.extend(Some(commands).filter(|_| view.composer.field.is_empty()));
    hints.extend([
        Hint::new([typed('@')], "files"),
        key(ComposerAction::NewLine, "new line"),
        key(ComposerAction::Editor, "editor"),
    ]);
    hints.extend(Some(key(ComposerAction::Up, "prompt before")).filter(|_| !has_chips));
    hints.extend([hint(
        state,
        view,
        [ComposerAction::PageUp, ComposerAction::PageDown].map(Action::Composer),
        "scroll",
    )]);
    hints
}

fn of_queued(state: &State, view: &View) -> Vec<Hint> {
    use QueuedAction as A;
    let key = |action, words| hint(state, view, [Action::Queued(action)], words);
    let chip = view.composer.chosen_chip();
    let mut hints = Vec::new();
    if let Some(chip) = chip.filter(|chip| chip.fixed.is_none()) {
        let turn = match chip.kind {
            PromptKind::Steer => "after the turn",
            PromptKind::FollowUp => "steer",
        };
        hints.extend([
            key(A::TakeBack, "edit"),
            key(A::Remove, "remove"),
            key(A::Turn, turn),
            hint(state, view, [A::Earlier, A::Later].map(Action::Queued), "move"),
        ]);
    }
    hints.push(hint(state, view, [A::Before, A::Behind].map(Action::Queued), "choose"));
    hints.push(key(A::Leave, "field"));
    hints
}

fn of_copy_mode(state: &State, view: &View) -> Vec<Hint> {
    let selects = view.reading.copy.is_some_and(|copy| copy.is_selecting());
    let key = |action, words| hint(state, view, [Action::Copy(action)], words);
    let moves = [CopyAction::Left, CopyAction::Down, CopyAction::Up, CopyAction::Right];
    let two = |actions: [CopyAction; 2], words| hint(state, view, actions.map(Action::Copy), words);
    let searched = view.reading.search.found.is_some();
    let next = two([CopyAction::Older, CopyAction::Newer], "next");
    let mut hints = vec![
        key(CopyAction::Select, if selects { "let go" } else { "select" }),
        key(CopyAction::Take, "copy"),
        key(CopyAction::Leave, "leave"),
        key(CopyAction::Search, "search"),
        key(CopyAction::SelectBlock, "block"),
        key(CopyAction::Links, "links"),
        hint(state, view, moves.map(Action::Copy), "move"),
        two([CopyAction::NextWord, CopyAction::WordBefore], "word"),
        two([CopyAction::LineStart, CopyAction::LineEnd], "line"),
        two([CopyAction::Oldest, CopyAction::Newest], "all"),
    ];
    if searched {
        hints.insert(0, next);
    }
    hints
}

/// With a terminal in view: the agent's, or one beside it.
fn of_terminal(state: &State, view: &View) -> Vec<Hint> {
    let key = |action: Action, words| hint(state, view, [action], words);
    let side = side::shown(state, view).map(|(_, side)| side);
    let mut hints = vec![key(ChatAction::Enter.into(), enters(state, view))];
    match side.filter(|side| side.is_live()).map(|side| &side.what) {
        Some(AuxiliaryProgram::Edit | AuxiliaryProgram::Page | AuxiliaryProgram::LogIn { .. }) => {
            hints.push(key(ChatAction::Stop.into(), "end it"));
        }
        Some(AuxiliaryProgram::Run { .. }) => hints.extend([
            key(ChatAction::Stop.into(), "stop it"),
            key(ChatAction::Restart.into(), "restart it"),
        ]),
        None => {}
    }
    let scroll = [MoveAction::ScrollUp, MoveAction::ScrollDown].map(Action::Move);
    hints.extend([
        key(MoveAction::SwitchFocus.into(), ahead(state, view)),
        key(MoveAction::CopyMode.into(), "copy"),
        key(MoveAction::Links.into(), "links"),
        hint(state, view, scroll, "scroll"),
        key(
            ScreenAction::Zoom.into(),
            if view.zoomed { "out of zoom" } else { "zoom" },
        ),
        key(ScreenAction::Help.into(), "all keys"),
        key(ScreenAction::Detach.into(), "detach"),
    ]);
    hints
}

/// The way out of a zoomed terminal.
fn unzoom(state: &State, view: &View) -> Option<Hint> {
    let zoom = Action::from(ScreenAction::Zoom);
    let key = state.keymap.keys_at(Surface::Leader, zoom).next();
    let keys = key.map(|key| vec![state.keymap.leader, key]);
    keys.filter(|_| view.zoomed)
        .map(|keys| Hint::in_turn(keys, "out of zoom"))
}

/// The way out of the grid, from inside an agent.
fn ungrid(state: &State, view: &View) -> Option<Hint> {
    let grid = Action::from(ScreenAction::Grid);
    let key = state.keymap.keys_at(Surface::Leader, grid).next();
    let keys = key.map(|key| vec![state.keymap.leader, key]);
    let is_shown = tiles::shown(view).is_some();
    keys.filter(|_| is_shown)
        .map(|keys| Hint::in_turn(keys, "out of the grid"))
}

/// What going in comes to.
fn enters(state: &State, view: &View) -> &'static str {
    let beside = side::shown(state, view).map(|(_, side)| side);
    let live = view
        .chat
        .as_ref()
        .is_some_and(|chat| state.domain.status(chat).is_live());
    match beside.map(Side::is_live) {
        Some(false) => "run again",
        None if !live => "resume",
        Some(true) | None => "go in",
    }
}

/// What is left by the leader and Esc.
fn out_of(state: &State, view: &View) -> &'static str {
    match side::shown(state, view).map(|(_, side)| &side.what) {
        Some(AuxiliaryProgram::Edit) => "out of the editor",
        Some(AuxiliaryProgram::Page) => "out of the pager",
        Some(AuxiliaryProgram::LogIn { .. }) => "out of the login",
        Some(AuxiliaryProgram::Run { .. }) => "out of the run",
        None => "out of the agent",
    }
}

/// Where the focus goes from the pane.
fn ahead(state: &State, view: &View) -> &'static str {
    match tab::ahead(state, view) {
        Ahead::Tab(Tab::Terminal) => "terminal",
        Ahead::Tab(Tab::Sheet(sheet)) => sheet.into(),
        Ahead::Tab(Tab::Side(number)) => state.domain.live.sides.get(&number).map_or("editor", Side::called),
        Ahead::Inspector => "cards",
        Ahead::Sidebar => "sidebar",
    }
}
