//! What the pane shows of a chat: its terminal, a terminal beside, or a tab that parlour draws (a [`PaneSheet`]). Named on the
//! line above it. Whatever is done with any sheet is handed to its own module here.

pub mod board;
pub mod changes;
pub mod checkpoints;
pub mod search_line;
pub mod todos;
pub mod transcript;
pub mod views;

use crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;
use strum::VariantArray;

use crate::domain::auxiliary::{self, AuxiliaryProgram, Side};
use crate::domain::effect::Effect;
use crate::domain::team::atom;
use crate::domain::work::{ShownContent, ShownRead};
use crate::model::atom::AtomStatus;
use crate::model::export::ExportedFile;
use crate::model::text::visible;
use crate::model::{ChatId, ClientId, Problem};
use crate::screen::State;

use super::clones::{has_clones, has_repositories};
use super::dialog::tables::{SEARCH, SearchKey};
use super::hint::Hint;
use super::keymap::{Action, CallAction, InspectorAction, PaneSheet, SheetAction, TranscriptAction, WriteAction};
use super::placed_tab::PlacedTab;
use super::scrollbar::ScrollBar;
use super::view::{Focus, Mode, Tab, Tone, View};
use super::way::PageTurn;
use super::within;
use super::wrap::width;
use super::{composer, copy, figures, grid, inspector, layout, mending, start, toast};

/// Columns before the first tab.
const MARGIN: u16 = 2;
/// Stands for the tabs that have no room.
const LEFT_OUT: &str = "…";

/// The tabs as they are written, with their places; none while there is nothing but the terminal.
pub fn tabs(state: &State, view: &View) -> Vec<PlacedTab<Tab>> {
    let Some(chat) = view.chat.as_ref().filter(|_| are_shown(state, view)) else {
        return Vec::new();
    };
    let mut named = vec![(Tab::Terminal, " Terminal ".to_string())];
    let sheets = PaneSheet::VARIANTS
        .iter()
        .filter(|sheet| is_there(state, view, **sheet));
    named.extend(sheets.map(|sheet| (Tab::Sheet(*sheet), format!(" {} ", name(state, chat, *sheet)))));
    let is_run = |side: &Side| matches!(side.what, AuxiliaryProgram::Run { .. });
    let alone = auxiliary::of_chat(&state.domain, chat)
        .filter(|(_, side)| is_run(side))
        .count()
        < 2;
    let sides = auxiliary::of_chat(&state.domain, chat);
    named.extend(sides.map(|(number, side)| (Tab::Side(number), format!(" {} ", side.label(alone)))));
    let selected = named.iter().position(|(tab, _)| *tab == view.tab);
    placed(named, selected.unwrap_or_default(), layout::arrange(view).rule)
}

/// In a row, up to the edge. If the selected one would lie beyond it, the first ones are left out: the last of them is
/// a `…` that leads to it, the others have no place.
fn placed(named: Vec<(Tab, String)>, selected: usize, rule: Rect) -> Vec<PlacedTab<Tab>> {
    let wide = |text: &str| u16::try_from(width(&visible(text))).unwrap_or(u16::MAX);
    let room = rule.width.saturating_sub(MARGIN);
    let fits = |first: &usize| {
        let marked = if *first > 0 { wide(LEFT_OUT) + 1 } else { 0 };
        let shown = named.iter().take(selected + 1).skip(*first);
        shown.fold(marked, |x, (_, text)| x.saturating_add(wide(text) + 1)) <= room.saturating_add(1)
    };
    let first = (0..selected).find(fits).unwrap_or(selected);
    let mut x = rule.x.saturating_add(MARGIN);
    let mut placed = Vec::new();
    for (at, (tab, text)) in named.into_iter().enumerate() {
        let (words, wide, gap) = match first.checked_sub(at) {
            None | Some(0) => {
                let columns = wide(&text);
                (text, columns, 1)
            }
            Some(1) => (LEFT_OUT.to_string(), wide(LEFT_OUT), 1),
            Some(_) => (text, 0, 0),
        };
        let area = Rect { x, width: wide, ..rule }.intersection(rule);
        placed.push(PlacedTab { tab, words, area });
        x = x.saturating_add(wide).saturating_add(gap);
    }
    placed
}

/// Where the focus goes from the pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    Tab(Tab),
    Inspector,
    Sidebar,
}

pub fn ahead(state: &State, view: &View) -> Ahead {
    match next(state, view) {
        Some(tab) => Ahead::Tab(tab),
        None if layout::has_inspector(view) => Ahead::Inspector,
        None => Ahead::Sidebar,
    }
}

/// The tab after the one that is shown.
fn next(state: &State, view: &View) -> Option<Tab> {
    let all = tabs(state, view);
    let mut round = all.iter().map(|placed| placed.tab).filter(|tab| is_on_the_way(*tab));
    round.find(|tab| *tab == view.tab)?;
    round.next()
}

/// Whether it lies on the way from the terminal to the cards. A tab that most chats have does not: it has its key.
fn is_on_the_way(tab: Tab) -> bool {
    match tab {
        Tab::Terminal | Tab::Side(_) | Tab::Sheet(PaneSheet::Work) => true,
        Tab::Sheet(PaneSheet::Transcript | PaneSheet::Changes | PaneSheet::Checkpoints | PaneSheet::Todos) => false,
    }
}

/// Whether there is more than a terminal to show.
fn are_shown(state: &State, view: &View) -> bool {
    let beside = |chat| auxiliary::of_chat(&state.domain, chat).next().is_some();
    let mut sheets = PaneSheet::VARIANTS.iter();
    sheets.any(|sheet| is_there(state, view, *sheet)) || view.chat.as_ref().is_some_and(beside)
}

fn is_there(state: &State, view: &View, sheet: PaneSheet) -> bool {
    let found = match sheet {
        PaneSheet::Transcript => view.chat.is_some(),
        PaneSheet::Changes => has_repositories(state, view),
        PaneSheet::Checkpoints => has_clones(state, view),
        PaneSheet::Work => is_planned(state, view),
        PaneSheet::Todos => !todos::rows(state, view).is_empty(),
    };
    found || view.sheet() == Some(sheet)
}

/// As it is named above the pane.
fn name(state: &State, chat: &ChatId, sheet: PaneSheet) -> String {
    match sheet {
        PaneSheet::Transcript => "Transcript".into(),
        PaneSheet::Changes => "Changes".into(),
        PaneSheet::Checkpoints => "Checkpoints".into(),
        PaneSheet::Work => {
            let graph = atom::graph(&state.domain, chat);
            let all: Vec<AtomStatus> =
                graph.map_or_else(Vec::new, |graph| graph.atoms().map(|(_, atom)| atom.status).collect());
            let done = all.iter().filter(|status| **status == AtomStatus::Done).count();
            match all.len() {
                0 => "Work".into(),
                count => format!("Work {done}/{count}"),
            }
        }
        PaneSheet::Todos => todos::name(state, chat),
    }
}

fn is_planned(state: &State, view: &View) -> bool {
    let graph = view.chat.as_ref().and_then(|chat| atom::graph(&state.domain, chat));
    graph.is_some_and(|graph| !graph.molecules.is_empty())
}

/// Whoever has just come to a chat asks for a tab of it by its key, even if it has come along.
const COMES_MS: u64 = 1_500;

/// A person asks for it by its key, or for the terminal again.
pub fn press(state: &mut State, client: ClientId, sheet: PaneSheet) -> Vec<Effect> {
    let now = state.domain.now;
    let view = state.views.get_mut(&client);
    let shown = view.filter(|view| view.sheet_with_keys() == Some(sheet));
    let came = shown.and_then(|view| view.tabs.came.take());
    if came.is_none_or(|came| now >= came.plus_ms(COMES_MS)) {
        return toggle(state, client, sheet);
    }
    let key = state.keymap.key(Action::Show(sheet));
    let text = format!("It is open here already: {key} again closes it.");
    toast::tell(state, client, text, Tone::Told);
    Vec::new()
}

/// Shows it, or the terminal again.
pub fn toggle(state: &mut State, client: ClientId, sheet: PaneSheet) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let tab = match view.sheet_with_keys() == Some(sheet) {
        true => Tab::Terminal,
        false => Tab::Sheet(sheet),
    };
    // From a card to where it stands among all that was said.
    let card = view.inspector.selected.filter(|_| view.focus == Focus::Inspector);
    within::leave(view);
    view.show(tab);
    (view.mode, view.focus) = (Mode::Outside, Focus::Pane);
    match sheet {
        PaneSheet::Changes => view.changes.open(),
        PaneSheet::Checkpoints => view.checkpoints.refresh(),
        PaneSheet::Transcript => {
            if let Some(card) = card {
                inspector::step_aside(view);
                transcript::go_to(state, client, card);
            }
        }
        PaneSheet::Work | PaneSheet::Todos => {}
    }
    Vec::new()
}

/// Back to the agent's terminal, from wherever one is in what stands in its place; out of the cards, which stay where there
/// is room beside it.
pub fn close(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    match view.focus {
        Focus::Inspector => inspector::leave(view),
        Focus::Pane | Focus::Sidebar if view.tab == Tab::Terminal => grid::close(state, client),
        Focus::Pane | Focus::Sidebar => {
            match view.sheet() {
                Some(PaneSheet::Changes) => view.changes.part = changes::ChangesPart::Files,
                Some(PaneSheet::Transcript) => transcript::leave(view),
                Some(PaneSheet::Checkpoints | PaneSheet::Work | PaneSheet::Todos) | None => {}
            }
            view.show(Tab::Terminal);
        }
    }
    Vec::new()
}

pub fn run(state: &mut State, client: ClientId, action: SheetAction) -> Vec<Effect> {
    match action {
        SheetAction::Transcript(TranscriptAction::Copy) if is_at_call(state, client) => {
            inspector::run(state, client, InspectorAction::Copy)
        }
        SheetAction::Transcript(TranscriptAction::CopyTurn) if is_at_call(state, client) => {
            inspector::run(state, client, InspectorAction::CopyOutput)
        }
        SheetAction::Transcript(action) => transcript::run(state, client, action),
        SheetAction::Call(action) => inspector::on_call(state, client, action),
        SheetAction::Write(WriteAction::Write) if is_at_error(state, client) => mending::open(state, client),
        SheetAction::Write(WriteAction::Write) if is_at_call(state, client) => {
            inspector::on_call(state, client, CallAction::InFull)
        }
        SheetAction::Write(WriteAction::Write) if is_folding(state, client) => {
            transcript::run(state, client, TranscriptAction::Open)
        }
        SheetAction::Write(action) => composer::write(state, client, action),
        SheetAction::Changes(action) => changes::run(state, client, action),
        SheetAction::Remarks(action) => changes::line_keys::run(state, client, action),
        SheetAction::Checkpoints(action) => checkpoints::run(state, client, action),
        SheetAction::Diff(action) => changes::detail::run(state, client, action),
        SheetAction::Work(action) => board::run(state, client, action),
        SheetAction::Todos(action) => todos::run(state, client, action),
    }
}

fn is_at_error(state: &State, client: ClientId) -> bool {
    let view = state.views.get(&client);
    view.is_some_and(|view| mending::selected(view).is_some())
}

fn is_at_call(state: &State, client: ClientId) -> bool {
    let view = state.views.get(&client);
    view.is_some_and(|view| transcript::call::selected(view).is_some())
}

fn is_folding(state: &State, client: ClientId) -> bool {
    state.views.get(&client).is_some_and(transcript::opens_by_enter)
}

/// Whether there is something to work on, and else why not.
pub fn is_possible(view: &View, action: SheetAction) -> (bool, &'static str) {
    match action {
        SheetAction::Transcript(action) => transcript::is_possible(view, action),
        SheetAction::Call(action) => transcript::call::is_possible(view, action),
        SheetAction::Write(action) => composer::is_possible(view, action),
        SheetAction::Changes(_) | SheetAction::Diff(_) | SheetAction::Remarks(_) => changes::is_possible(view),
        SheetAction::Checkpoints(action) => checkpoints::is_possible(view, action),
        SheetAction::Work(action) => board::is_possible(view, action),
        SheetAction::Todos(action) => todos::is_possible(view, action),
    }
}

/// The keys that matter now.
pub fn hints(state: &State, view: &View, sheet: PaneSheet) -> Vec<Hint> {
    match sheet {
        PaneSheet::Transcript => transcript::hints(state, view),
        PaneSheet::Changes => changes::hints(state, view),
        PaneSheet::Checkpoints => checkpoints::hints(state, view),
        PaneSheet::Work => board::hints(state, view),
        PaneSheet::Todos => todos::hints(state, view),
    }
}

pub fn mouse(state: &mut State, client: ClientId, sheet: PaneSheet, event: MouseEvent) -> Vec<Effect> {
    match sheet {
        PaneSheet::Transcript => {
            let is_click = event.kind == MouseEventKind::Down(MouseButton::Left);
            match is_click && composer::click(state, client, (event.column, event.row)) {
                true => Vec::new(),
                false => transcript::mouse(state, client, event),
            }
        }
        PaneSheet::Changes => changes::mouse(state, client, event),
        PaneSheet::Checkpoints => checkpoints::mouse(state, client, event),
        PaneSheet::Work => board::mouse(state, client, event),
        PaneSheet::Todos => todos::mouse(state, client, event),
    }
}

/// Beside what of it is longer than its place.
pub fn bars(state: &State, view: &View, sheet: PaneSheet) -> Vec<ScrollBar> {
    match sheet {
        PaneSheet::Transcript => transcript::bar(view).into_iter().collect(),
        PaneSheet::Changes => changes::bars(view),
        PaneSheet::Checkpoints => checkpoints::bars(view),
        PaneSheet::Work => board::bars(state, view),
        PaneSheet::Todos => vec![todos::bar(state, view)],
    }
}

/// The thumb of one of them was dragged: it is to begin at this row.
pub fn scroll_to(state: &mut State, client: ClientId, sheet: PaneSheet, (bar, first): (&ScrollBar, usize)) {
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    match sheet {
        PaneSheet::Transcript => transcript::scroll_to(view, first),
        PaneSheet::Changes => changes::scroll_to(view, bar, first),
        PaneSheet::Checkpoints => checkpoints::scroll_to(view, bar, first),
        PaneSheet::Work => board::scroll_to(state, client, bar, first),
        PaneSheet::Todos => view.tabs.todos.top = first,
    }
}

/// A page or half of one, by the keys that scroll a terminal.
pub fn page(state: &mut State, client: ClientId, sheet: PaneSheet, turn: PageTurn) {
    match sheet {
        PaneSheet::Transcript => transcript::scroll_page(state, client, turn),
        PaneSheet::Changes => changes::scroll_page(state, client, turn),
        PaneSheet::Checkpoints => checkpoints::scroll_page(state, client, turn),
        PaneSheet::Work => board::page(state, client, turn),
        PaneSheet::Todos => todos::page(state, client, turn),
    }
}

/// What a tab asked for is here. What a dialog asked for, it has taken already.
pub fn arrived(state: &mut State, client: ClientId, shown: ShownContent) -> Vec<Effect> {
    match shown {
        ShownContent::Page(chat, page) => return transcript::arrived(state, client, &chat, Ok(page)),
        ShownContent::Compose(chat, news) => return composer::arrived(state, client, &chat, news),
        ShownContent::Colours(chat, seq, colours) => transcript::coloured(state, client, &chat, (seq, colours)),
        ShownContent::Moment(chat, at, past) => transcript::moment::arrived(state, client, &chat, (at, past)),
        ShownContent::Figures(chat, found) => figures::arrived(state, client, &chat, found),
        ShownContent::Places { hints, .. } => start::arrived(state, client, &hints),
        ShownContent::Exported(file) => toast::tell(state, client, exported(&file), Tone::Told),
        ShownContent::Output(_)
        | ShownContent::Branches(_)
        | ShownContent::Usage(..)
        | ShownContent::History(_)
        | ShownContent::Explain(..)
        | ShownContent::Settings(_) => {}
    }
    Vec::new()
}

/// Where it is, and what to do before it is handed on.
fn exported(file: &ExportedFile) -> String {
    let turns = if file.turns == 1 { "turn" } else { "turns" };
    format!(
        "Exported {} {turns} to {}. What looks like a secret is masked: read it before you hand it on.",
        file.turns,
        visible(&file.path)
    )
}

/// The same, if it cannot be read.
pub fn failed(state: &mut State, client: ClientId, read: ShownRead, problem: Problem) -> Vec<Effect> {
    match read {
        ShownRead::Page(chat, _) => return transcript::arrived(state, client, &chat, Err(problem)),
        ShownRead::Compose(chat, ask) => return composer::not_found(state, client, &chat, ask, problem),
        ShownRead::Colours(chat, seq, _) => transcript::coloured(state, client, &chat, (seq, Vec::new())),
        ShownRead::Moment(chat, at) => transcript::moment::arrived(state, client, &chat, (at, None)),
        ShownRead::Output(_) => toast::tell(state, client, problem.to_string(), Tone::Failed),
        ShownRead::Places { .. }
        | ShownRead::Branches { .. }
        | ShownRead::Export(_)
        | ShownRead::Usage(_)
        | ShownRead::History(_)
        | ShownRead::Explain(_)
        | ShownRead::Figures(_)
        | ShownRead::Settings => {}
    }
    Vec::new()
}

/// A key while the words of a search are typed. A page is what is searched in.
pub fn search_press(state: &mut State, client: ClientId, key: KeyEvent) -> Vec<Effect> {
    let turn = match SEARCH.command(key) {
        Some(SearchKey::PageUp) => PageTurn::Up,
        Some(SearchKey::PageDown) => PageTurn::Down,
        Some(SearchKey::Search | SearchKey::Cancel) | None => return search_type(state, client, key),
    };
    match state.views.get(&client).and_then(View::sheet) {
        _ if copy::search::is_typing(state, client) => return copy::page(state, client, turn),
        Some(PaneSheet::Transcript) => transcript::scroll_page(state, client, turn),
        Some(PaneSheet::Changes) => changes::scroll_page(state, client, turn),
        Some(PaneSheet::Checkpoints | PaneSheet::Work | PaneSheet::Todos) | None => {}
    }
    Vec::new()
}

fn search_type(state: &mut State, client: ClientId, key: KeyEvent) -> Vec<Effect> {
    match state.views.get(&client).and_then(View::sheet) {
        _ if copy::search::is_typing(state, client) => copy::search::press(state, client, key),
        Some(PaneSheet::Transcript) => transcript::search::press(state, client, key),
        Some(PaneSheet::Changes) => {
            changes::search::press(state, client, key);
            Vec::new()
        }
        Some(PaneSheet::Checkpoints | PaneSheet::Work | PaneSheet::Todos) | None => Vec::new(),
    }
}

pub fn search_paste(state: &mut State, client: ClientId, text: &str) -> Vec<Effect> {
    if copy::search::is_typing(state, client) {
        return copy::search::paste(state, client, text);
    }
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    match view.sheet() {
        Some(PaneSheet::Transcript) => view.transcript.search.paste(text),
        Some(PaneSheet::Changes) => view.changes.search.paste(text),
        Some(PaneSheet::Checkpoints | PaneSheet::Work | PaneSheet::Todos) | None => {}
    }
    Vec::new()
}

/// After every event: what is selected stays possible, and what is missing is asked for.
pub fn settle(state: &mut State, client: ClientId) -> Vec<Effect> {
    let sheet = state.views.get(&client).and_then(View::sheet);
    match sheet {
        Some(PaneSheet::Transcript) => transcript::settle(state, client),
        Some(PaneSheet::Changes) => changes::settle(state, client),
        Some(PaneSheet::Checkpoints) => checkpoints::settle(state, client),
        Some(PaneSheet::Work) => {
            board::settle(state, client);
            Vec::new()
        }
        Some(PaneSheet::Todos) => todos::settle(state, client),
        // It may stand beside the terminal.
        None => transcript::settle(state, client),
    }
}
