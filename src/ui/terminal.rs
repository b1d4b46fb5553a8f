//! An agent's own screen, cell by cell.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use crate::app::layout::crop;
use crate::term::{Cell, Colour, Row, Screen, Style};

use super::ink;
use super::screen::CursorAt;

/// Draws what of the screen fits; says where its cursor is, where that is in sight.
pub fn draw(screen: &Screen, area: Rect, buf: &mut Buffer) -> Option<CursorAt> {
    let area = area.intersection(buf.area);
    let (left, top) = crop(screen, area);
    for y in 0..area.height {
        match screen.rows.get(usize::from(top + y)) {
            Some(row) => draw_row(
                row,
                left,
                Rect {
                    y: area.y + y,
                    height: 1,
                    ..area
                },
                buf,
            ),
            None => blank(
                Rect {
                    y: area.y + y,
                    height: 1,
                    ..area
                },
                buf,
            ),
        }
    }
    let cursor = screen.cursor;
    let (x, y) = (cursor.col.checked_sub(left)?, cursor.row.checked_sub(top)?);
    let seen = cursor.visible && screen.offset == 0 && x < area.width && y < area.height;
    seen.then_some(CursorAt {
        x: area.x + x,
        y: area.y + y,
        shape: cursor.shape,
        blinking: cursor.blinking,
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
                symbol.push_str(row.marks(col));
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
        target.modifier = modifier(cell);
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

/// Beyond the program's screen. Its own colours are the outer terminal's, not the theme's.
fn blank(area: Rect, buf: &mut Buffer) {
    for x in area.left()..area.right() {
        buf[(x, area.y)].reset();
    }
}

fn colour(colour: Colour) -> Color {
    match colour {
        Colour::Default => Color::Reset,
        Colour::Indexed(index) => Color::Indexed(index),
        Colour::Rgb(r, g, b) => Color::Rgb(r, g, b),
    }
}

fn modifier(cell: &Cell) -> Modifier {
    const PAIRS: [(Style, Modifier); 6] = [
        (Style::BOLD, Modifier::BOLD),
        (Style::DIM, Modifier::DIM),
        (Style::ITALIC, Modifier::ITALIC),
        (Style::INVERSE, Modifier::REVERSED),
        (Style::HIDDEN, Modifier::HIDDEN),
        (Style::STRIKE, Modifier::CROSSED_OUT),
    ];
    let mut modifier = ink::pack(cell.underline);
    if cell.style != Style::NONE {
        for (style, drawn) in PAIRS {
            if cell.style.has(style) {
                modifier |= drawn;
            }
        }
    }
    modifier
}
