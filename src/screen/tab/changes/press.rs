//! Keys and the mouse in the Changes tab.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use super::data::{ChangesPart, ChangesView};
use super::in_place;
use super::keep;
use super::lines::{self, DiffRow};
use super::search;
use super::sets;
use super::tree::{self, TreeRow};
use super::{load, place, remarking, reviewed, timeline, told_turn};
use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::model::review::{Back, Cause, DiffSet, Point, RevertOf};
use crate::screen::State;
use crate::screen::dialog::{BringBack, RevertQuestion};
use crate::screen::keymap::{ChangesAction, PaneSheet};
use crate::screen::layout::holds;
use crate::screen::scrollbar::ScrollBar;
use crate::screen::view::{Focus, Mode, Tab, Tone, View};
use crate::screen::way::{PageTurn, StepWay};
use crate::screen::{dialogs, toast};

/// Rows a notch of the wheel scrolls.
const NOTCH: isize = 3;
/// Columns that a key scrolls sideways.
const SIDEWAYS: isize = 8;
const MOST_CONTEXT: u32 = 99;

/// Carries out a command of the tab.
pub fn run(state: &mut State, client: ClientId, action: ChangesAction) -> Vec<Effect> {
    use ChangesAction as A;
    if needs_clones(action) && in_place::refuses_all(state, client) {
        return Vec::new();
    }
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    match action {
        A::Up => step(view, -1),
        A::Down => step(view, 1),
        A::PageUp => page(view, PageTurn::Up),
        A::PageDown => page(view, PageTurn::Down),
        A::First => step(view, isize::MIN / 2),
        A::Last => last(view),
        A::NextFile => next_file(view, StepWay::Forward),
        A::PreviousFile => next_file(view, StepWay::Back),
        A::NextChange if view.changes.search.is_on() => search::go_on(state, client, StepWay::Forward),
        A::PreviousChange if view.changes.search.is_on() => search::go_on(state, client, StepWay::Back),
        A::NextChange => next_change(view, StepWay::Forward),
        A::PreviousChange => next_change(view, StepWay::Back),
        A::NextTurn => next_turn(view, 1),
        A::PreviousTurn => next_turn(view, -1),
        A::CompareWith => sets::open(view),
        A::Mark => mark(state, client),
        A::Viewed => set_viewed(view),
        A::SideBySide if !place::can_be_side_by_side(view) => {
            let text = "Here is no room for two side by side.";
            toast::tell(state, client, text, Tone::Told);
        }
        A::SideBySide => view.changes.look.side_by_side = Some(!place::is_side_by_side(view)),
        A::WhiteSpace => view.changes.look.ignore_whitespace = !view.changes.look.ignore_whitespace,
        A::MoreContext => widen(view, 3),
        A::LessContext => widen(view, -3),
        A::ScrollRight => sideways(view, SIDEWAYS),
        A::ScrollLeft => sideways(view, -SIDEWAYS),
        A::Revert => return ask_to_revert(state, client),
        A::UndoRevert => return undo(state, client),
        A::Checkpoint => return load::take_checkpoint(state, client),
        A::Reviewed => return reviewed::mark(state, client),
        A::Keep => return keep::menu(state, client),
        A::Refresh => view.changes.refresh(),
        A::Open => match view.changes.part {
            ChangesPart::Files => {
                // Where no file is, there are no lines to go into. Before that is known, whoever is quick goes into what comes.
                let may_be = view.changes.overview.is_none() || view.changes.selected().is_some();
                if !tree::fold(view) && may_be {
                    view.changes.part = ChangesPart::Lines;
                }
            }
            ChangesPart::Lines => return remarking::remark(state, client),
        },
        A::Forward => view.changes.part = ChangesPart::Lines,
        A::Back if view.changes.search.end() => {}
        A::Back if view.changes.range.take().is_some() => {}
        A::Back if view.changes.part == ChangesPart::Lines && is_possible(view).0 => {
            view.changes.part = ChangesPart::Files;
        }
        A::Back => {
            view.changes.part = ChangesPart::Files;
            view.show(Tab::Terminal);
        }
    }
    Vec::new()
}

/// It would change what a person opened in place, or saves something of it.
fn needs_clones(action: ChangesAction) -> bool {
    use ChangesAction as A;
    matches!(
        action,
        A::Revert | A::UndoRevert | A::Checkpoint | A::Reviewed | A::Keep
    )
}

fn ask_to_revert(state: &mut State, client: ClientId) -> Vec<Effect> {
    let turn = state
        .views
        .get(&client)
        .and_then(|view| timeline::chosen(&view.changes));
    let Some(turn) = turn else {
        let text = "No turn to go back to: each prompt begins one.";
        toast::tell(state, client, text, Tone::Told);
        return Vec::new();
    };
    let back = Back::To {
        point: Point::Turn(turn),
        project: None,
        of: RevertOf::Both,
    };
    open_revert(state, client, back)
}

/// What was discarded since the last revert comes back first.
pub fn undo(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let picks = view.chat.as_ref().and_then(|chat| BringBack::new(&state.domain, chat));
    match picks {
        Some(question) => dialogs::open(state, client, question),
        None if view.sheet() == Some(PaneSheet::Changes) && has_no_revert(&view.changes) => {
            toast::tell(
                state,
                client,
                "Nothing to undo: no revert, and nothing discarded on a screen. What a shell discarded is in Checkpoints.",
                Tone::Told,
            );
            Vec::new()
        }
        None => open_revert(state, client, Back::Undo),
    }
}

/// As far as the list of checkpoints is known, there is none that could be undone.
fn has_no_revert(changes: &ChangesView) -> bool {
    let Some(overview) = &changes.overview else {
        return false;
    };
    let known = &overview.checkpoints;
    let is_undone = |number| known.iter().any(|later| later.cause == Cause::Undo(number));
    let mut reverts = known.iter().filter(|known| matches!(known.cause, Cause::Revert(_)));
    reverts.all(|revert| is_undone(revert.number))
}

/// The dialog is open at once; what would change comes to it.
pub fn open_revert(state: &mut State, client: ClientId, back: Back) -> Vec<Effect> {
    let Some(chat) = state.views.get(&client).and_then(|view| view.chat.clone()) else {
        return Vec::new();
    };
    let dialog = RevertQuestion::new(&state.domain, &chat, back);
    dialogs::open(state, client, dialog)
}

/// Whether there is something to work on, and else why not.
pub fn is_possible(view: &View) -> (bool, &'static str) {
    let differs = view
        .changes
        .overview
        .as_ref()
        .is_some_and(|overview| !overview.changes.is_empty());
    (
        view.sheet() == Some(PaneSheet::Changes) && differs,
        "no changes are shown",
    )
}

fn step(view: &mut View, by: isize) {
    match view.changes.part {
        ChangesPart::Files => tree::step(view, by),
        ChangesPart::Lines => {
            let row = &mut view.changes.place.row;
            *row = row.saturating_add_signed(by);
            place::settle(view);
        }
    }
}

/// A remark behind the last line is not where a file ends.
fn last(view: &mut View) {
    step(view, isize::MAX / 2);
    let is_line = |row: &lines::DiffRow| !matches!(row, lines::DiffRow::Remark(..));
    if view.changes.part == ChangesPart::Lines
        && let Some(row) = place::rows(view).iter().rposition(is_line)
    {
        view.changes.place.row = row;
        place::settle(view);
    }
}

fn page(view: &mut View, turn: PageTurn) {
    let areas = place::areas(view);
    let height = match view.changes.part {
        ChangesPart::Files => areas.files.height,
        ChangesPart::Lines => areas.lines.height,
    };
    // A line or two stay, to read on from.
    let rows = turn.rows(height, 2);
    if view.changes.part == ChangesPart::Lines {
        let top = &mut view.changes.place.top;
        *top = top.saturating_add_signed(rows);
    }
    step(view, rows);
}

/// A page or half of one, by the keys that scroll a terminal.
pub fn scroll_page(state: &mut State, client: ClientId, turn: PageTurn) {
    if let Some(view) = state.views.get_mut(&client) {
        page(view, turn);
    }
}

fn next_file(view: &mut View, way: StepWay) {
    tree::step_file(view, way);
}

/// The next change of this file; behind the last one, the next file.
fn next_change(view: &mut View, way: StepWay) {
    if view.changes.part == ChangesPart::Files && way == StepWay::Forward && view.changes.selected().is_some() {
        view.changes.part = ChangesPart::Lines;
        view.changes.place = place::first(&place::rows(view));
        return;
    }
    let rows = place::rows(view);
    let file = view.changes.file.as_ref();
    let next = file.and_then(|file| lines::next_change(file, &rows, view.changes.place.row, way));
    match next {
        Some(row) => {
            view.changes.part = ChangesPart::Lines;
            view.changes.place.row = row;
            if let DiffRow::Hunk(_) = rows[row] {
                view.changes.place.top = row;
            }
            place::settle(view);
        }
        None => next_file(view, way),
    }
}

fn next_turn(view: &mut View, by: isize) {
    if let Some((turn, set)) = timeline::step(&view.changes, by) {
        choose_turn(view, turn, set);
    }
}

/// The next turn that changed files, or the one before.
pub fn to_changed_turn(state: &mut State, client: ClientId, way: StepWay) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    match timeline::changed(&view.changes, way) {
        Some(turn) => {
            let set = timeline::of_turn(&view.changes, turn);
            choose_turn(view, turn, set);
        }
        None => {
            let text = match way {
                StepWay::Forward => "No later turn changed files.",
                StepWay::Back => "No turn before changed files.",
            };
            toast::tell(state, client, text, Tone::Told);
        }
    }
    Vec::new()
}

fn choose_turn(view: &mut View, turn: u32, set: DiffSet) {
    view.changes.turn = Some(turn);
    view.changes.compare(set);
}

/// What is said until the second of two is chosen.
const MARKED: &str = "Choose another turn and press m again: both turns and all between them are compared.";

/// The first press marks the chosen turn; the next one, on another turn, compares what was before the earlier with what the
/// later one left.
fn mark(state: &mut State, client: ClientId) {
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    toast::take_away(view, MARKED);
    let changes = &mut view.changes;
    let chosen = timeline::chosen(changes);
    let marks = timeline::marks(changes);
    let number = marks
        .iter()
        .find(|mark| Some(mark.turn) == chosen)
        .map(|mark| mark.number);
    match (changes.marks.to_compare, number) {
        (_, None) => {}
        (Some(marked), Some(number)) if marked == number => changes.marks.to_compare = None,
        (Some(marked), Some(number)) => {
            changes.marks.to_compare = None;
            let (first, last) = (marked.min(number), marked.max(number));
            let mut later = changes.overview.iter().flat_map(|overview| &overview.checkpoints);
            let end = later.find(|checkpoint| checkpoint.number > last && checkpoint.ends_turn());
            changes.compare(match end.map(|checkpoint| checkpoint.number) {
                Some(end) => DiffSet::Between(first, end),
                None => DiffSet::Since(first),
            });
        }
        (None, Some(number)) => {
            changes.marks.to_compare = Some(number);
            toast::tell(state, client, MARKED, Tone::Told);
        }
    }
}

/// A file is viewed, and the next one that is not comes.
fn set_viewed(view: &mut View) {
    let Some((key, change)) = view.changes.selected() else {
        return;
    };
    let (key, id) = (key.clone(), change.id.clone());
    if view.changes.viewed.get(&key) == Some(&id) {
        view.changes.viewed.remove(&key);
        return;
    }
    view.changes.viewed.insert(key, id);
    next_file(view, StepWay::Forward);
}

fn widen(view: &mut View, by: i32) {
    let context = &mut view.changes.look.context;
    *context = context.saturating_add_signed(by).min(MOST_CONTEXT);
}

fn sideways(view: &mut View, by: isize) {
    let left = &mut view.changes.place.left;
    *left = left.saturating_add_signed(by);
}

/// A click chooses a turn, a file or a line; the wheel scrolls what is under it.
pub fn mouse(state: &mut State, client: ClientId, event: MouseEvent) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let (x, y) = (event.column, event.row);
    let areas = place::areas(view);
    let in_files = holds(areas.files, x, y);
    match event.kind {
        MouseEventKind::ScrollUp => scroll(view, in_files, -NOTCH),
        MouseEventKind::ScrollDown => scroll(view, in_files, NOTCH),
        MouseEventKind::Down(MouseButton::Left) => {
            (view.mode, view.focus) = (Mode::Outside, Focus::Pane);
            if in_files {
                click_file(view, usize::from(y - areas.files.y));
            } else if holds(areas.lines, x, y) {
                view.changes.part = ChangesPart::Lines;
                view.changes.place.row = view.changes.place.top + usize::from(y - areas.lines.y);
                place::settle(view);
            } else if holds(areas.timeline, x, y) {
                click_turn(view, x - areas.timeline.x);
            }
        }
        _ => {}
    }
    Vec::new()
}

fn scroll(view: &mut View, in_files: bool, by: isize) {
    if in_files {
        let top = &mut view.changes.tree.top;
        *top = top.saturating_add_signed(by);
        return tree::settle(view);
    }
    // The cursor goes along only where it would leave what is seen.
    let height = usize::from(place::areas(view).lines.height);
    let count = place::rows(view).len();
    let place = &mut view.changes.place;
    place.top = place.top.saturating_add_signed(by).min(count.saturating_sub(height));
    place.row = place.row.clamp(place.top, place.top + height.saturating_sub(1));
}

fn click_file(view: &mut View, row: usize) {
    let rows = tree::rows(&view.changes);
    let Some(clicked) = rows.get(view.changes.tree.top + row) else {
        return;
    };
    let (key, is_file) = (clicked.key().clone(), matches!(clicked, TreeRow::File { .. }));
    view.changes.tree.selected = Some(key);
    view.changes.part = ChangesPart::Files;
    if !is_file {
        tree::fold(view);
    }
}

fn click_turn(view: &mut View, x: u16) {
    let width = usize::from(place::areas(view).timeline.width);
    let told = told_turn::told(view).map(|told| told.turn);
    let marks = timeline::marks(&view.changes);
    let spots = timeline::spots(&marks, (timeline::chosen(&view.changes), told), width);
    let hit = spots
        .iter()
        .find(|spot| (spot.x..spot.x + spot.width()).contains(&usize::from(x)));
    if let Some(turn) = hit.map(|spot| spot.turn) {
        let set = timeline::of_turn(&view.changes, turn);
        choose_turn(view, turn, set);
    }
}

/// Beside the files, and in the last column of the lines.
pub fn bars(view: &View) -> Vec<ScrollBar> {
    let files = tree::bar(view);
    let lines = (!place::areas(view).lines.is_empty())
        .then(|| place::lines_bar(view, place::areas(view).lines, place::rows(view).len()));
    files.into_iter().chain(lines).collect()
}

/// The thumb of the files' bar, or of that of the lines, was dragged.
pub fn scroll_to(view: &mut View, bar: &ScrollBar, first: usize) {
    let in_files = bar.list == place::areas(view).files;
    let by = first.cast_signed() - bar.extent.first.cast_signed();
    scroll(view, in_files, by);
}
