//! Screens as pictures: SVG with every cell where the terminal has it.

use std::fmt::Write;

use vt100::{Cell, Color, Screen};

const WIDTH: f32 = 8.4;
const HEIGHT: f32 = 18.0;
/// From the top of a row to the line that letters stand on.
const BASELINE: f32 = 13.5;
const MARGIN: f32 = 10.0;
/// Of the theme `dark`.
const PAPER: &str = "#16181d";
const INK: &str = "#d7dae0";

/// The sixteen colours that have no numbers for their light.
const NAMED: [&str; 16] = [
    "#1d2126", "#e06c75", "#7fbf7f", "#d7ba7d", "#6fa8dc", "#c08fd0", "#6fc3c3", "#c8ccd2", "#5c636d", "#ef8a92",
    "#98d398", "#e8d199", "#8fc0ee", "#d6a9e4", "#8fdada", "#ffffff",
];

/// What is drawn alike; cells side by side with the same ink are one piece of text.
#[derive(PartialEq)]
struct Ink {
    colour: String,
    style: String,
}

pub fn svg(screen: &Screen, title: &str) -> String {
    let (rows, cols) = screen.size();
    let (rows, cols) = (rows.get(), cols.get());
    let (width, height) = (
        f32::from(cols) * WIDTH + 2.0 * MARGIN,
        f32::from(rows) * HEIGHT + 2.0 * MARGIN,
    );
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" role=\"img\">\n\
         <title>{}</title>\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{PAPER}\"/>\n\
         <g font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"14\" \
         xml:space=\"preserve\">\n",
        safe(title)
    );
    for row in 0..rows {
        let cells = (0..cols).filter_map(|col| Some((col, screen.cell(row, col)?)));
        let cells: Vec<_> = cells.filter(|(_, cell)| !cell.is_wide_continuation()).collect();
        let top = MARGIN + f32::from(row) * HEIGHT;
        papers(&mut text, top, &cells);
        borders(&mut text, top, &cells);
        pieces(&mut text, top, &cells);
    }
    text.push_str("</g>\n</svg>\n");
    text
}

fn left(col: u16) -> f32 {
    MARGIN + f32::from(col) * WIDTH
}

fn width(cell: &Cell) -> f32 {
    if cell.is_wide() { 2.0 * WIDTH } else { WIDTH }
}

/// Cells side by side that are alike, with the column in which they begin.
fn runs<'a, K: PartialEq>(cells: &'a [(u16, &'a Cell)], alike: impl Fn(&Cell) -> K) -> Vec<(u16, Vec<&'a Cell>, K)> {
    let mut runs: Vec<(u16, Vec<&Cell>, K)> = Vec::new();
    for (col, cell) in cells {
        let key = alike(cell);
        match runs.last_mut() {
            Some((_, run, last)) if *last == key => run.push(cell),
            _ => runs.push((*col, vec![cell], key)),
        }
    }
    runs
}

fn wide(run: &[&Cell]) -> f32 {
    run.iter().map(|cell| width(cell)).sum()
}

fn rect(text: &mut String, x: f32, top: f32, width: f32, colour: &str) {
    writeln!(
        text,
        "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{HEIGHT}\" fill=\"{colour}\"/>"
    )
    .unwrap();
}

fn papers(text: &mut String, top: f32, cells: &[(u16, &Cell)]) {
    let paper = |cell: &Cell| match cell.inverse() {
        true => colour(cell.fgcolor(), INK),
        false => colour(cell.bgcolor(), PAPER),
    };
    for (col, run, colour) in runs(cells, paper) {
        if colour != PAPER {
            rect(text, left(col), top, wide(&run), &colour);
        }
    }
}

fn ink(cell: &Cell) -> Ink {
    let colour = match cell.inverse() {
        true => colour(cell.bgcolor(), PAPER),
        false => colour(cell.fgcolor(), INK),
    };
    let mut style = String::new();
    for (holds, said) in [
        (cell.bold(), " font-weight=\"bold\""),
        (cell.italic(), " font-style=\"italic\""),
        (cell.underline(), " text-decoration=\"underline\""),
        (cell.dim(), " opacity=\"0.7\""),
    ] {
        if holds {
            style.push_str(said);
        }
    }
    Ink { colour, style }
}

/// Which halves of a cell a line goes through: left, right, up, down.
fn line(contents: &str) -> Option<[bool; 4]> {
    let halves = match contents {
        "─" | "━" => "lr",
        "│" | "┃" => "ud",
        "├" | "┝" | "┣" => "rud",
        "┤" | "┥" => "lud",
        "┬" | "┯" => "lrd",
        "┴" | "┷" => "lru",
        "┼" => "lrud",
        "╭" | "┌" => "rd",
        "╮" | "┐" => "ld",
        "╰" | "└" => "ru",
        "╯" | "┘" => "lu",
        _ => return None,
    };
    Some(['l', 'r', 'u', 'd'].map(|half| halves.contains(half)))
}

/// Borders as lines and blocks: letters of a font leave gaps between rows.
fn borders(text: &mut String, top: f32, cells: &[(u16, &Cell)]) {
    let alike = |cell: &Cell| (cell.contents().to_owned(), ink(cell).colour);
    for (col, run, (contents, colour)) in runs(cells, alike) {
        let (x, width) = (left(col), wide(&run));
        if contents == "▌" {
            rect(text, x, top, WIDTH / 2.0, &colour);
        }
        let Some([to_left, to_right, up, down]) = line(&contents) else {
            continue;
        };
        // Only what goes to both sides has more than one cell.
        let (middle, centre) = (x + width / 2.0, top + HEIGHT / 2.0);
        let ends = [
            (to_left, x, centre),
            (to_right, x + width, centre),
            (up, middle, top),
            (down, middle, top + HEIGHT),
        ];
        let parts = ends.into_iter().filter(|(goes, ..)| *goes);
        let path: String = parts
            .map(|(_, x, y)| format!("M{middle:.1} {centre:.1}L{x:.1} {y:.1}"))
            .collect();
        writeln!(text, "<path d=\"{path}\" stroke=\"{colour}\" fill=\"none\"/>").unwrap();
    }
}

fn pieces(text: &mut String, top: f32, cells: &[(u16, &Cell)]) {
    let is_drawn = |cell: &Cell| cell.contents() == "▌" || line(cell.contents()).is_some();
    let alike = |cell: &Cell| (!is_drawn(cell)).then(|| ink(cell));
    for (col, run, like) in runs(cells, alike) {
        let blank = |cell: &&Cell| cell.contents().trim().is_empty();
        let from = run.iter().take_while(|cell| blank(cell)).count();
        let until = run.len() - run[from..].iter().rev().take_while(|cell| blank(cell)).count();
        let Some(like) = like.filter(|_| from < until) else {
            continue;
        };
        let (x, run) = (left(col) + wide(&run[..from]), &run[from..until]);
        let said: String = run.iter().map(|cell| letters(cell)).collect();
        writeln!(
            text,
            "<text x=\"{x:.1}\" y=\"{:.1}\" textLength=\"{:.1}\" fill=\"{}\"{}>{said}</text>",
            top + BASELINE,
            wide(run),
            like.colour,
            like.style,
        )
        .unwrap();
    }
}

/// A cell that was never written is a blank.
fn letters(cell: &Cell) -> String {
    match cell.contents() {
        "" => " ".to_owned(),
        said => safe(said),
    }
}

fn colour(of: Color, otherwise: &str) -> String {
    match of {
        Color::Default => otherwise.to_owned(),
        Color::Idx(index @ 0..16) => NAMED[usize::from(index)].to_owned(),
        Color::Idx(index @ 16..232) => {
            let step = |value: u8| if value == 0 { 0 } else { 55 + 40 * value };
            let cube = index - 16;
            hex(step(cube / 36), step(cube / 6 % 6), step(cube % 6))
        }
        Color::Idx(index) => {
            let grey = 8 + 10 * (index - 232);
            hex(grey, grey, grey)
        }
        Color::Rgb(red, green, blue) => hex(red, green, blue),
    }
}

fn hex(red: u8, green: u8, blue: u8) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn safe(said: &str) -> String {
    said.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
