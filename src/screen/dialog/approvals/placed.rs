//! Where the queue of questions and the one that is shown lie.

use ratatui::layout::{Constraint, Layout, Rect};

use super::super::super::wrap::wrap;
use super::super::place::{FRAME, middle};
use super::typed::TypedAnswer;

/// Columns and rows that it has where the screen has them, however little four fifths of it are.
const LEAST: (u16, u16) = (96, 24);
/// Columns from which the list stands at the left.
const BESIDE: u16 = 70;
/// Columns of the list at the left.
const LIST: (u16, u16) = (24, 44);
/// Rows of the list where it stands above.
const ABOVE: u16 = 3;
/// Rows of who asks for what.
const HEAD: u16 = 2;

/// Where its parts lie.
pub struct PlacedApprovals {
    pub area: Rect,
    pub list: Rect,
    /// Rows of a question in the list.
    pub each: u16,
    /// The line between the list and the question.
    pub line: Rect,
    /// Who asks for what.
    pub head: Rect,
    pub text: Rect,
    /// What is typed for an answer.
    pub typed: Rect,
    pub buttons: Rect,
}

/// Columns before what is typed.
const BAR: u16 = 2;

/// With its border.
fn frame(whole: Rect) -> Rect {
    let most = |whole: u16, least: u16| (whole * 4 / 5).max(least.min(whole));
    middle(whole, most(whole.width, LEAST.0), most(whole.height, LEAST.1))
}

/// Columns within it.
pub fn columns(whole: Rect) -> u16 {
    frame(whole).inner(FRAME).width
}

/// Four fifths of the screen, all of a small one. The list is at the left, or above where there is no room.
pub fn placed(whole: Rect, count: usize, title: &str, typed: Option<&TypedAnswer>) -> PlacedApprovals {
    let area = frame(whole);
    let inside = area.inner(FRAME);
    let rows = |lines: usize| u16::try_from(lines).unwrap_or(u16::MAX);
    let gap = u16::from(inside.height > 12);
    let buttons = Rect {
        y: inside.bottom().saturating_sub(1).max(inside.y),
        height: inside.height.min(1),
        ..inside
    };
    // Some of the question stays in sight.
    let typed = typed.map_or(0, |typed| rows(typed.rows(inside.width, BAR)));
    let typed = typed.min(inside.height * 2 / 3);
    let body = Rect {
        height: inside.height.saturating_sub(1 + gap + typed),
        ..inside
    };
    let Halves {
        list,
        line,
        shown,
        each,
    } = match inside.width >= BESIDE {
        true => beside(body),
        false => above(body, rows(count)),
    };
    let head = Rect {
        height: rows(wrap(title, shown.width.into()).len()).min(HEAD).min(shown.height),
        ..shown
    };
    let below = (head.height + gap).min(shown.height);
    PlacedApprovals {
        area,
        list,
        each,
        line,
        head,
        text: Rect {
            y: shown.y + below,
            height: shown.height - below,
            ..shown
        },
        typed: Rect {
            y: body.bottom(),
            height: typed.min(inside.height),
            ..inside
        },
        buttons,
    }
}

/// The list and the question, with the line between them.
struct Halves {
    list: Rect,
    line: Rect,
    shown: Rect,
    /// Rows of a question in the list.
    each: u16,
}

fn beside(body: Rect) -> Halves {
    let wide = (body.width * 3 / 10).clamp(LIST.0, LIST.1);
    let columns = [Constraint::Length(wide), Constraint::Length(1), Constraint::Fill(1)];
    let [list, line, shown] = Layout::horizontal(columns).spacing(1).areas(body);
    Halves {
        list,
        line,
        shown,
        each: 2,
    }
}

fn above(body: Rect, count: u16) -> Halves {
    let high = count.clamp(1, ABOVE).min(body.height);
    let line = 1.min(body.height - high);
    let rows = [Constraint::Length(high), Constraint::Length(line), Constraint::Fill(1)];
    let [list, line, shown] = Layout::vertical(rows).areas(body);
    Halves {
        list,
        line,
        shown,
        each: 1,
    }
}

impl PlacedApprovals {
    /// Questions that are seen of the list.
    pub fn seen(&self) -> usize {
        usize::from(self.list.height / self.each.max(1))
    }

    /// The first that is seen, so that the one at this place is.
    pub fn first(&self, at: usize) -> usize {
        (at + 1).saturating_sub(self.seen().max(1))
    }

    /// The rows of one that is seen, counted from the first.
    pub fn item(&self, at: usize) -> Rect {
        let top = u16::try_from(at).unwrap_or(u16::MAX).saturating_mul(self.each);
        let top = top.min(self.list.height);
        Rect {
            y: self.list.y + top,
            height: self.each.min(self.list.height - top),
            ..self.list
        }
    }

    /// The question of the list at a place, counted from the first that is seen.
    pub fn clicked(&self, (x, y): (u16, u16)) -> Option<usize> {
        let is_in = self.list.contains((x, y).into());
        is_in.then(|| usize::from((y - self.list.y) / self.each.max(1)))
    }
}
