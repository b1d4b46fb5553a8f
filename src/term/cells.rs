//! From the emulator's cells to ours, where each cell holds one printable character and a few marks.

use alacritty_terminal::grid::Row as GridRow;
use alacritty_terminal::index::Column;
use alacritty_terminal::term::cell::{Cell as GridCell, Flags};
use alacritty_terminal::term::color::Colors;
use alacritty_terminal::vte::ansi::{Color, NamedColor};

use super::screen::{Cell, Colour, Row, Style, Underline};
use super::visible::is_hidden;

/// No script needs more marks on one character; a hostile program puts millions there.
pub(super) const MARKS_A_CELL: usize = 8;

const STYLES: [(Flags, Style); 8] = [
    (Flags::BOLD, Style::BOLD),
    (Flags::DIM, Style::DIM),
    (Flags::ITALIC, Style::ITALIC),
    (Flags::INVERSE, Style::INVERSE),
    (Flags::HIDDEN, Style::HIDDEN),
    (Flags::STRIKEOUT, Style::STRIKE),
    (Flags::WIDE_CHAR, Style::WIDE),
    (
        Flags::WIDE_CHAR_SPACER.union(Flags::LEADING_WIDE_CHAR_SPACER),
        Style::SPACER,
    ),
];

const UNDERLINES: [(Flags, Underline); 5] = [
    (Flags::UNDERLINE, Underline::Single),
    (Flags::DOUBLE_UNDERLINE, Underline::Double),
    (Flags::UNDERCURL, Underline::Curly),
    (Flags::DOTTED_UNDERLINE, Underline::Dotted),
    (Flags::DASHED_UNDERLINE, Underline::Dashed),
];

pub(super) fn row(from: &GridRow<GridCell>, cols: usize, colours: &Colors) -> Row {
    let mut marks = Vec::new();
    let mut links: Vec<(u16, u16, Box<str>)> = Vec::new();
    let mut cells = Vec::with_capacity(cols);
    for col in 0..cols {
        let from = &from[Column(col)];
        let mut cell = cell(from, colours);
        let kept = kept_marks(from);
        if !kept.is_empty() {
            cell.style = cell.style.with(Style::MARKED);
            marks.push((col as u16, kept.into()));
        }
        if let Some(link) = from.hyperlink() {
            link_on(&mut links, col as u16, link.uri());
        }
        cells.push(cell);
    }
    let wrapped = cols > 0 && from[Column(cols - 1)].flags.contains(Flags::WRAPLINE);
    Row {
        cells: cells.into(),
        wrapped,
        marks: marks.into(),
        links: links.into(),
    }
}

/// The cell belongs to a link: to the one before it, where that leads there too.
fn link_on(links: &mut Vec<(u16, u16, Box<str>)>, col: u16, to: &str) {
    match links.last_mut() {
        Some((_, last, before)) if *last + 1 == col && **before == *to => *last = col,
        Some(_) | None if !to.chars().any(is_hidden) => links.push((col, col, to.into())),
        Some(_) | None => {}
    }
}

fn cell(from: &GridCell, colours: &Colors) -> Cell {
    Cell {
        // A tab stays in the emulator's cell as itself.
        symbol: if is_hidden(from.c) { ' ' } else { from.c },
        foreground: colour(from.fg, colours),
        background: colour(from.bg, colours),
        underline_colour: from
            .underline_color()
            .map_or(Colour::Default, |from| colour(from, colours)),
        underline: underline(from.flags),
        style: style(from.flags),
    }
}

fn kept_marks(from: &GridCell) -> String {
    match from.zerowidth() {
        None => String::new(),
        Some(marks) => marks
            .iter()
            .copied()
            .filter(|c| !is_hidden(*c))
            .take(MARKS_A_CELL)
            .collect(),
    }
}

fn style(flags: Flags) -> Style {
    // Most cells carry no flag at all.
    if flags.is_empty() {
        return Style::NONE;
    }
    let set = STYLES.iter().filter(|(flag, _)| flags.intersects(*flag));
    set.fold(Style::NONE, |all, (_, style)| all.with(*style))
}

fn underline(flags: Flags) -> Underline {
    if !flags.intersects(Flags::ALL_UNDERLINES) {
        return Underline::None;
    }
    UNDERLINES
        .iter()
        .find(|(flag, _)| flags.contains(*flag))
        .map_or(Underline::None, |(_, line)| *line)
}

/// `colours` holds what the program itself changed by OSC 4, 10 or 11; the rest is the outer terminal's affair.
fn colour(from: Color, colours: &Colors) -> Colour {
    let (index, plain) = match from {
        Color::Spec(rgb) => return Colour::Rgb(rgb.r, rgb.g, rgb.b),
        Color::Indexed(index) => (usize::from(index), Colour::Indexed(index)),
        Color::Named(named) => (named as usize, named_colour(named)),
    };
    match colours[index] {
        Some(rgb) => Colour::Rgb(rgb.r, rgb.g, rgb.b),
        None => plain,
    }
}

fn named_colour(named: NamedColor) -> Colour {
    match named as usize {
        index @ 0..16 => Colour::Indexed(index as u8),
        // Foreground, background, cursor and their dim and bright kin: dimness is in the cell's flags.
        _ => Colour::Default,
    }
}
