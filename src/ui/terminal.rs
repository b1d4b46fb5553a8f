//! An agent's own screen, cell by cell.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style as TextStyle};

use crate::config::theme::Theme;
use crate::screen::links::data::MarkedLinks;
use crate::screen::reading::Reading;
use crate::screen::selection::{Selection, whole};
use crate::term::{Colour, CursorShape, Row, Screen, Style, TextSpot, Underline};

use super::ink;
use super::scene::CursorAt;

/// Joins emoji into one for terminals that do, and these then count fewer cells than the program did.
const JOINER: char = '\u{200d}';

/// An agent's screen in its place on a client's, with nothing over it: rows of it can be drawn alone.
#[derive(Clone)]
pub struct BareScreen {
    pub(super) screen: Arc<Screen>,
    pub(super) area: Rect,
    /// Left column and top row of what is in sight: see [`crate::screen::layout::crop`].
    pub(super) crop: (u16, u16),
    /// Keys go to it, so that its cursor is to be seen.
    pub(super) focused: bool,
}

impl BareScreen {
    /// Which rows of the area look different; `None` where more than rows changed.
    pub fn rows_changed_since(&self, before: &BareScreen) -> Option<Vec<u16>> {
        let place = |bare: &BareScreen| {
            let screen = &bare.screen;
            (
                bare.area,
                bare.focused,
                bare.crop,
                screen.cols,
                screen.rows.len(),
                screen.offset,
            )
        };
        if place(self) != place(before) {
            return None;
        }
        let (_, top) = self.crop;
        let same = |y: &u16| {
            let at = usize::from(top + y);
            match (self.screen.rows.get(at), before.screen.rows.get(at)) {
                (Some(one), Some(other)) => Arc::ptr_eq(one, other),
                (None, None) => true,
                (Some(_), None) | (None, Some(_)) => false,
            }
        };
        Some((0..self.area.height).filter(|y| !same(y)).collect())
    }

    pub fn row_area(&self, y: u16) -> Rect {
        Rect {
            y: self.area.y + y,
            height: 1,
            ..self.area
        }
    }

    pub fn draw_row(&self, y: u16, buf: &mut Buffer) {
        let (left, top) = self.crop;
        match self.screen.rows.get(usize::from(top + y)) {
            Some(row) => draw_row(row, left, self.row_area(y), buf),
            None => blank(self.row_area(y), buf),
        }
    }

    pub fn cursor(&self) -> Option<CursorAt> {
        let (left, top) = self.crop;
        let cursor = self.screen.cursor;
        let (x, y) = (cursor.col.checked_sub(left)?, cursor.row.checked_sub(top)?);
        let seen = cursor.visible && self.screen.offset == 0 && x < self.area.width && y < self.area.height;
        (seen && self.focused).then_some(CursorAt {
            x: self.area.x + x,
            y: self.area.y + y,
            shape: cursor.shape,
            blinking: cursor.blinking,
        })
    }
}

/// Draws what of the screen fits, with what was found and what is selected; says where the cursor is, where that is in
/// sight.
pub fn draw(screen: &BareScreen, reading: &Reading, theme: &Theme, buf: &mut Buffer) -> Option<CursorAt> {
    (0..screen.area.height).for_each(|y| screen.draw_row(y, buf));
    let lines = screen.screen.first..screen.screen.first + screen.screen.rows.len() as u64;
    let found = reading.search.found.iter().flat_map(|found| &found.places);
    for (from, to) in found.filter(|(from, to)| to.line >= lines.start && from.line < lines.end) {
        let selection = &Selection::new((*from, *from), (*to, *to));
        let style = match reading.copy.is_some_and(|copy| copy.cursor == *from) {
            true => theme.selection,
            false => theme.found,
        };
        let marked = Marked { selection, style };
        (0..screen.area.height).for_each(|y| marked.draw(screen, y, buf));
    }
    if let Some(selection) = &reading.selection {
        let marked = Marked {
            selection,
            style: theme.selection,
        };
        (0..screen.area.height).for_each(|y| marked.draw(screen, y, buf));
    }
    if let Some(links) = &reading.links {
        draw_links(screen, links, theme, buf);
        return None;
    }
    match &reading.copy {
        Some(copy) => cursor_at(screen, copy.cursor),
        None => screen.cursor(),
    }
}

/// Marks the links that may be meant, each with the letters that name it over its beginning.
fn draw_links(screen: &BareScreen, links: &MarkedLinks, theme: &Theme, buf: &mut Buffer) {
    for (letters, link) in links.meant() {
        for (from, to) in &link.spans {
            let selection = &Selection::new((*from, *from), (*to, *to));
            let style = theme.found;
            let marked = Marked { selection, style };
            (0..screen.area.height).for_each(|y| marked.draw(screen, y, buf));
        }
        let Some(place) = link.spans.first().and_then(|(from, _)| cursor_at(screen, *from)) else {
            continue;
        };
        let room = usize::from(screen.area.right() - place.x);
        buf.set_stringn(place.x, place.y, letters, room, theme.selection);
    }
}

/// Where a place in the text is on the screen, for a cursor of our own.
fn cursor_at(bare: &BareScreen, spot: TextSpot) -> Option<CursorAt> {
    let (left, top) = bare.crop;
    let row = u16::try_from(spot.line.checked_sub(bare.screen.first)?).ok()?;
    let (x, y) = (spot.col.checked_sub(left)?, row.checked_sub(top)?);
    let seen = x < bare.area.width && y < bare.area.height;
    seen.then_some(CursorAt {
        x: bare.area.x + x,
        y: bare.area.y + y,
        shape: CursorShape::Block,
        blinking: false,
    })
}

fn draw_row(row: &Row, left: u16, area: Rect, buf: &mut Buffer) {
    let cells = row.cells.get(usize::from(left)..).unwrap_or_default();
    let mut x = area.x;
    for (col, cell) in (left..).zip(cells).take(area.width.into()) {
        let target = &mut buf[(x, area.y)];
        target.reset();
        let wide = cell.style.has(Style::WIDE);
        // Half a wide character at the edge, or its other half without it, is a blank.
        let whole = !wide || x + 1 < area.right();
        match whole && !cell.style.has(Style::SPACER) && cell.symbol != '\t' {
            true if cell.style.has(Style::MARKED) => {
                let mut symbol = cell.symbol.to_string();
                symbol.extend(row.marks(col).chars().filter(|mark| *mark != JOINER));
                target.set_symbol(&symbol);
            }
            true => {
                target.set_char(cell.symbol);
            }
            false => {}
        }
        target.fg = colour(cell.foreground);
        target.bg = colour(cell.background);
        target.underline_color = colour(cell.underline_colour);
        target.modifier = modifier(cell.style, cell.underline);
        x += 1;
    }
    blank(
        Rect {
            x,
            width: area.right() - x,
            ..area
        },
        buf,
    );
}

/// What is selected, and how that looks.
struct Marked<'a> {
    selection: &'a Selection,
    style: TextStyle,
}

impl Marked<'_> {
    /// Draws the selected cells of a row over: in the selection's colours, whatever the program's are.
    fn draw(&self, bare: &BareScreen, y: u16, buf: &mut Buffer) {
        let (left, top) = bare.crop;
        let at = usize::from(top + y);
        let columns = self.selection.columns(bare.screen.first + at as u64);
        let (Some(row), Some((first, last))) = (bare.screen.rows.get(at), columns) else {
            return;
        };
        let area = bare.row_area(y);
        for x in area.left()..area.right() {
            let col = left + x - area.left();
            if col < bare.screen.cols && (first..=last).contains(&whole(row, col)) {
                let cell = &mut buf[(x, area.y)];
                cell.modifier.remove(Modifier::REVERSED | Modifier::HIDDEN);
                cell.set_style(self.style);
            }
        }
    }
}

/// Beyond the program's screen. Its own colours are the outer terminal's, not the theme's.
fn blank(area: Rect, buf: &mut Buffer) {
    for x in area.left()..area.right() {
        buf[(x, area.y)].reset();
    }
}

pub(super) fn colour(colour: Colour) -> Color {
    match colour {
        Colour::Default => Color::Reset,
        Colour::Indexed(index) => Color::Indexed(index),
        Colour::Rgb(r, g, b) => Color::Rgb(r, g, b),
    }
}

pub(super) fn modifier(style: Style, underline: Underline) -> Modifier {
    const PAIRS: [(Style, Modifier); 6] = [
        (Style::BOLD, Modifier::BOLD),
        (Style::DIM, Modifier::DIM),
        (Style::ITALIC, Modifier::ITALIC),
        (Style::INVERSE, Modifier::REVERSED),
        (Style::HIDDEN, Modifier::HIDDEN),
        (Style::STRIKE, Modifier::CROSSED_OUT),
    ];
    let mut modifier = ink::pack(underline);
    if style != Style::NONE {
        for (one, drawn) in PAIRS {
            if style.has(one) {
                modifier |= drawn;
            }
        }
    }
    modifier
}
