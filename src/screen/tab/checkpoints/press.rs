//! Keys and the mouse in the Checkpoints tab.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use super::data::DetailPart;
use super::place;
use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::model::review::{Back, DiffSet, Point, RevertOf};
use crate::screen::State;
use crate::screen::hint::Hint;
use crate::screen::keymap::{Action, CheckpointsAction, PaneSheet, SheetAction, TabAction};
use crate::screen::layout::holds;
use crate::screen::scrollbar::ScrollBar;
use crate::screen::surface::Surface;
use crate::screen::tab::changes;
use crate::screen::toast;
use crate::screen::view::{Focus, Mode, Tab, Tone, View};
use crate::screen::way::PageTurn;

/// Rows a notch of the wheel scrolls.
const NOTCH: isize = 3;

/// Carries out a command of the tab.
pub fn run(state: &mut State, client: ClientId, action: CheckpointsAction) -> Vec<Effect> {
    use CheckpointsAction as A;
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let selected = view.checkpoints.selected;
    match action {
        A::Compare => {
            if let Some(number) = selected {
                changes::compare_with(view, DiffSet::Since(number));
            }
        }
        A::Mark => mark(state, client),
        A::Revert => {
            if let Some(number) = selected {
                let point = Point::Checkpoint(number);
                let back = Back::To {
                    point,
                    project: None,
                    of: RevertOf::Both,
                };
                return changes::open_revert(state, client, back);
            }
        }
        A::UndoRevert => return changes::undo(state, client),
        A::Checkpoint => return changes::take_checkpoint(state, client),
        A::LeftOut => {
            view.checkpoints.part = match view.checkpoints.part {
                DetailPart::Files => DetailPart::LeftOut,
                DetailPart::LeftOut => DetailPart::Files,
            };
            view.checkpoints.detail_top = 0;
        }
        A::Copy => {
            if let Some(number) = selected {
                toast::tell(state, client, format!("Copied {number}."), Tone::Told);
                return vec![Effect::Clipboard(client, number.to_string())];
            }
        }
        A::Up => step(view, -1),
        A::Down => step(view, 1),
        A::PageUp => page(view, PageTurn::Up),
        A::PageDown => page(view, PageTurn::Down),
        A::First => step(view, isize::MIN / 2),
        A::Last => step(view, isize::MAX / 2),
        A::DetailUp => scroll_detail(view, -1),
        A::DetailDown => scroll_detail(view, 1),
        A::Refresh => view.checkpoints.refresh(),
        A::Close => view.show(Tab::Terminal),
    }
    Vec::new()
}

/// The keys that matter now.
pub fn hints(state: &State, view: &View) -> Vec<Hint> {
    use CheckpointsAction as A;
    let surface = Surface::Sheet(PaneSheet::Checkpoints);
    let act = |action| Action::Sheet(SheetAction::Checkpoints(action));
    let key = |action, words| state.keymap.hint(surface, &[act(action)], words);
    let close = state
        .keymap
        .hint(surface, &[act(A::Close), TabAction::CloseTab.into()], "close")
        .way_out();
    if view.checkpoints.selected.is_none() {
        return vec![key(A::Checkpoint, "save now"), close];
    }
    let part = match view.checkpoints.part {
        DetailPart::Files => "left out",
        DetailPart::LeftOut => "files",
    };
    vec![
        key(A::Compare, "compare with now"),
        key(A::Revert, "revert"),
        key(A::Checkpoint, "save now"),
        key(A::Mark, "mark"),
        key(A::LeftOut, part),
        key(A::UndoRevert, "undo"),
        close,
    ]
}

/// Whether there is something to work on, and else why not.
pub fn is_possible(view: &View, action: CheckpointsAction) -> (bool, &'static str) {
    use CheckpointsAction as A;
    let is_shown = view.sheet() == Some(PaneSheet::Checkpoints);
    match action {
        A::Compare
        | A::Mark
        | A::Revert
        | A::LeftOut
        | A::Copy
        | A::Up
        | A::Down
        | A::PageUp
        | A::PageDown
        | A::First
        | A::Last
        | A::DetailUp
        | A::DetailDown => (
            is_shown && view.checkpoints.selected.is_some(),
            "no checkpoint is selected",
        ),
        A::UndoRevert | A::Checkpoint | A::Refresh | A::Close => (is_shown, "the checkpoints are not shown"),
    }
}

fn step(view: &mut View, by: isize) {
    let points = &mut view.checkpoints;
    let Some((at, _)) = points.selected() else {
        return;
    };
    let last = points.newest_first().len().saturating_sub(1);
    let to = at.saturating_add_signed(by).min(last);
    let number = points.newest_first().nth(to).map(|checkpoint| checkpoint.number);
    if let Some(number) = number {
        points.select(number);
        place::reveal(view);
    }
}

fn page(view: &mut View, turn: PageTurn) {
    let height = place::areas(view).list.height;
    // A row or two stay, to read on from.
    step(view, turn.rows(height, 2));
}

/// A page or half of one, by the keys that scroll a terminal.
pub fn scroll_page(state: &mut State, client: ClientId, turn: PageTurn) {
    if let Some(view) = state.views.get_mut(&client) {
        page(view, turn);
    }
}

fn scroll_detail(view: &mut View, by: isize) {
    let top = &mut view.checkpoints.detail_top;
    *top = top.saturating_add_signed(by);
    place::settle(view);
}

/// What is said until the second of two is chosen.
const MARKED: &str = "Choose another checkpoint and press m again to compare the two.";

/// The first press marks the selected one; the next one, on another, compares the two.
fn mark(state: &mut State, client: ClientId) {
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let points = &mut view.checkpoints;
    let Some(number) = points.selected else {
        return;
    };
    let marked = points.marked.take();
    toast::take_away(view, MARKED);
    match marked {
        Some(marked) if marked == number => {}
        Some(marked) => {
            let set = DiffSet::Between(marked.min(number), marked.max(number));
            changes::compare_with(view, set);
        }
        None => {
            view.checkpoints.marked = Some(number);
            toast::tell(state, client, MARKED, Tone::Told);
        }
    }
}

/// A click selects; the wheel scrolls what is under it.
pub fn mouse(state: &mut State, client: ClientId, event: MouseEvent) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let (x, y) = (event.column, event.row);
    let areas = place::areas(view);
    match event.kind {
        MouseEventKind::ScrollUp => scroll(view, holds(areas.detail, x, y), -NOTCH),
        MouseEventKind::ScrollDown => scroll(view, holds(areas.detail, x, y), NOTCH),
        MouseEventKind::Down(MouseButton::Left) => {
            (view.mode, view.focus) = (Mode::Outside, Focus::Pane);
            if holds(areas.list, x, y) {
                let row = view.checkpoints.top + usize::from(y - areas.list.y);
                let clicked = view.checkpoints.newest_first().nth(row);
                if let Some(number) = clicked.map(|checkpoint| checkpoint.number) {
                    view.checkpoints.select(number);
                }
            }
        }
        _ => {}
    }
    Vec::new()
}

fn scroll(view: &mut View, in_detail: bool, by: isize) {
    if in_detail {
        return scroll_detail(view, by);
    }
    let top = &mut view.checkpoints.top;
    *top = top.saturating_add_signed(by);
    place::settle(view);
}

/// The thumb of the list's bar, or of that of what is told, was dragged.
pub fn scroll_to(view: &mut View, bar: &ScrollBar, first: usize) {
    let in_detail = bar.list == place::areas(view).detail;
    scroll(view, in_detail, first.cast_signed() - bar.extent.first.cast_signed());
}
