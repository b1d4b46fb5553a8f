//! Surfaces that have no words of their own for a screen reader: each is laid out as it is drawn, and its lines are read off.
//!
//! The theme it is laid out with has a mark in place of what selection looks like. So what has the focus is known, whatever
//! draws it.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use crate::config::theme::Theme;
use crate::screen::clones::has_repositories;
use crate::screen::keymap::PaneSheet;
use crate::screen::reader::place;
use crate::screen::surface::Surface;
use crate::screen::tab::changes::timeline;
use crate::screen::wrap::width;

use super::super::scene::{CursorAt, Scene};
use super::page::{ReaderFocus, ReaderPage};
use super::words::{Blanks, code_line, file_row, spoken};

/// No surface draws with it, and no program's cells reach these lines.
const MARK: Modifier = Modifier::SLOW_BLINK;
/// At the left edge of what is selected, where that has no ground of its own.
const EDGE: &str = "▌";

pub(super) fn page(
    scene: &Scene,
    title: Option<String>,
    draw: impl FnOnce(&Scene, &mut Buffer) -> Option<CursorAt>,
) -> ReaderPage<'static> {
    let mut sheet = Buffer::empty(place::sheet(scene.view.size));
    let theme = marking();
    let marked = Scene {
        theme: &theme,
        ..*scene
    };
    let cursor = draw(&marked, &mut sheet);
    // The newest card is followed.
    let rest = match scene.view.surface() == Surface::Inspector {
        true => Unmarked::Last,
        false => Unmarked::First,
    };
    read(&sheet, cursor, title, (scene.view.sheet(), blanks(scene), rest))
}

/// The lines of files are read with what stands before them, which is part of them; words in the middle of a place are not.
fn blanks(scene: &Scene) -> Blanks {
    let is_changes = scene.view.sheet() == Some(PaneSheet::Changes);
    let compared = scene
        .view
        .changes
        .overview
        .iter()
        .flat_map(|overview| &overview.changes);
    let has_files = compared.into_iter().any(|clone| !clone.files.is_empty());
    match is_changes && has_files && has_repositories(scene.state, scene.view) {
        true => Blanks::Kept,
        false => Blanks::Joined,
    }
}

/// The row that counts where nothing is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unmarked {
    First,
    Last,
}

fn marking() -> Theme {
    let mark = Style::new().add_modifier(MARK);
    let mut theme = Theme::plain();
    (theme.selection, theme.mode.outside) = (mark, mark);
    theme
}

/// A row of the sheet, in words.
struct ReadRow {
    words: String,
    /// What of it is marked.
    marked: String,
    is_edged: bool,
    /// The cursor is in it, behind so many columns of its words.
    cursor: Option<u16>,
}

fn read(
    sheet: &Buffer,
    cursor: Option<CursorAt>,
    title: Option<String>,
    (tab, blanks, rest): (Option<PaneSheet>, Blanks, Unmarked),
) -> ReaderPage<'static> {
    let area = sheet.area;
    let rows = (area.top()..area.bottom()).map(|y| read_row(sheet, y, cursor, (tab, blanks)));
    let mut rows: Vec<ReadRow> = rows
        .filter(|row| !row.words.is_empty() || row.cursor.is_some())
        .collect();
    // What is a page of its own has its name in its first row.
    let title = match title {
        Some(title) => title,
        None if rows.is_empty() => String::new(),
        None => rows.remove(0).words,
    };
    if tab == Some(PaneSheet::Changes) {
        in_changes(&mut rows);
    }
    let typed = rows.iter().position(|row| row.cursor.is_some());
    let marked = rows.iter().position(|row| !row.marked.is_empty());
    let edged = || rows.iter().position(|row| row.is_edged);
    let at = marked.or_else(edged);
    let chosen = match (marked, at) {
        (Some(_), _) => {
            let marked = rows
                .iter()
                .map(|row| row.marked.as_str())
                .filter(|words| !words.is_empty());
            marked.collect::<Vec<_>>().join("; ")
        }
        (None, Some(from)) => {
            let edged = rows[from..].iter().take_while(|row| row.is_edged);
            edged.map(|row| row.words.as_str()).collect::<Vec<_>>().join(" ")
        }
        (None, None) => String::new(),
    };
    let focus = match typed {
        Some(typed) => {
            let row = &rows[typed];
            ReaderFocus::Words {
                text: row.words.clone(),
                more: chosen,
                cursor: row.cursor.unwrap_or_default(),
            }
        }
        None if chosen.is_empty() => {
            let row = match rest {
                Unmarked::First => rows.first(),
                Unmarked::Last => rows.last(),
            };
            ReaderFocus::words(row.map_or_else(String::new, |row| row.words.clone()), "")
        }
        None => ReaderFocus::words(chosen, ""),
    };
    ReaderPage {
        title,
        focus,
        at: at.or(typed).unwrap_or(0),
        lines: rows.into_iter().map(|row| row.words).collect(),
    }
}

/// Above the files stand the turns, of which a number is marked; of a file or a line all of its row tells what it is.
fn in_changes(rows: &mut [ReadRow]) {
    for (at, row) in rows.iter_mut().enumerate().filter(|(_, row)| !row.marked.is_empty()) {
        let number = row.marked.trim_end_matches(timeline::CHANGED);
        let is_turn = at == 0 && number.chars().all(|letter| letter.is_ascii_digit());
        row.marked = match (at, code_line(&row.words)) {
            (0, _) if is_turn => format!("Turn {number}"),
            (0, _) => row.marked.clone(),
            (_, Some(line)) => line,
            (_, None) => spoken(&row.words, None, Blanks::Joined),
        };
    }
}

fn read_row(sheet: &Buffer, y: u16, cursor: Option<CursorAt>, (tab, blanks): (Option<PaneSheet>, Blanks)) -> ReadRow {
    let cells: Vec<&Cell> = (sheet.area.left()..sheet.area.right())
        .map(|x| &sheet[(x, y)])
        .collect();
    let text = |cells: &[&Cell]| {
        let mut text = String::new();
        let mut hidden = 0;
        for cell in cells {
            if hidden == 0 {
                text.push_str(cell.symbol());
                hidden = width(cell.symbol()).max(1);
            }
            hidden -= 1;
        }
        text
    };
    let marked: Vec<&Cell> = cells
        .iter()
        .copied()
        .filter(|cell| cell.modifier.contains(MARK))
        .collect();
    let is_edged = cells.iter().take(2).any(|cell| cell.symbol() == EDGE);
    if let Some(at) = cursor.filter(|at| at.y == y) {
        // What is typed stays as it is, so that the cursor stays where it is.
        let plain = |cells: &[&Cell]| text(cells).replace(is_line, " ");
        let whole = plain(&cells);
        let skipped = whole.len() - whole.trim_start().len();
        let before = plain(&cells[..usize::from(at.x).min(cells.len())]);
        return ReadRow {
            words: whole.trim().to_string(),
            marked: String::new(),
            is_edged: false,
            cursor: Some(u16::try_from(width(&before).saturating_sub(skipped)).unwrap_or(0)),
        };
    }
    let words = match blanks {
        Blanks::Kept => file_row(spoken(&text(&cells), tab, blanks)),
        Blanks::Joined => spoken(&text(&cells), tab, blanks),
    };
    ReadRow {
        words: if words.trim().is_empty() { String::new() } else { words },
        marked: spoken(&text(&marked), tab, Blanks::Joined),
        is_edged,
        cursor: None,
    }
}

fn is_line(letter: char) -> bool {
    matches!(letter, '\u{2500}'..='\u{259f}')
}

/// Lines and blocks that a program draws become blanks: its text stays where it is, as does its cursor.
pub(super) fn blank_lines(area: Rect, buf: &mut Buffer) {
    let area = area.intersection(buf.area);
    for y in area.top()..area.bottom() {
        for x in area.left()..area.right() {
            let cell = &mut buf[(x, y)];
            if cell.symbol().chars().any(|letter| is_line(letter) || is_dots(letter)) {
                cell.set_symbol(" ");
            }
        }
    }
}

/// What moves while a program works; as braille they would be letters.
fn is_dots(letter: char) -> bool {
    matches!(letter, '\u{2800}'..='\u{28ff}')
}
