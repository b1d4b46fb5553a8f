//! What a terminal shows at one moment: an immutable value that drawing reads without asking anybody.
//!
//! Rows are shared with the screen before where they did not change, so building and keeping one is cheap. Cells hold
//! printable characters only: whatever draws them cannot be made to emit a control sequence.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// One moment of a terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Screen {
    /// Top to bottom; each as long as [`Screen::cols`].
    pub rows: Vec<Arc<Row>>,
    pub cols: u16,
    pub cursor: Cursor,
    pub modes: Modes,
    /// Lines above the live screen that can be scrolled to.
    pub history: usize,
    /// How many lines this view is scrolled back; 0 is the live screen.
    pub offset: usize,
    /// The number of the line in the top row. Lines are counted from the terminal's first, and one keeps its number as
    /// it scrolls up into the history.
    pub first: u64,
    pub title: Arc<str>,
    /// Grows by one with each screen that one terminal builds.
    pub generation: u64,
}

/// What a terminal showed at an earlier moment, and when it received the last of that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastScreen {
    /// In Unix milliseconds.
    pub received: u64,
    pub screen: Arc<Screen>,
}

/// One line of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub cells: Box<[Cell]>,
    /// The line goes on in the next one: it was broken by the terminal's edge, not by the program.
    pub wrapped: bool,
    /// Combining marks by column, ascending. Kept beside the cells because almost no line has any.
    pub(super) marks: Box<[(u16, Box<str>)]>,
    /// Columns that the program made a link of (OSC 8), first and last, with where it leads.
    pub(super) links: Box<[(u16, u16, Box<str>)]>,
}

/// One character cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub symbol: char,
    pub foreground: Colour,
    pub background: Colour,
    pub underline_colour: Colour,
    pub underline: Underline,
    pub style: Style,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Colour {
    #[default]
    Default,
    Indexed(u8),
    Rgb(u8, u8, u8),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Underline {
    #[default]
    None,
    Single,
    Double,
    Curly,
    Dotted,
    Dashed,
}

/// The attributes of a cell, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Style(u16);

/// Where the program's cursor is. The position may lie outside the rows when the view is scrolled back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    pub row: u16,
    pub col: u16,
    pub shape: CursorShape,
    pub visible: bool,
    pub blinking: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CursorShape {
    #[default]
    Block,
    Underline,
    Bar,
}

/// What the program asked its terminal to do; decides how input is encoded for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Modes {
    pub alt_screen: bool,
    pub app_cursor: bool,
    pub app_keypad: bool,
    pub bracketed_paste: bool,
    pub focus: bool,
    pub alternate_scroll: bool,
    pub mouse: MouseReports,
    pub mouse_encoding: MouseEncoding,
    pub kitty: Kitty,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum MouseReports {
    #[default]
    Off,
    Clicks,
    Drags,
    Motion,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum MouseEncoding {
    #[default]
    X10,
    Utf8,
    Sgr,
}

/// The kitty keyboard protocol's flags, with that protocol's own bit values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kitty(pub u8);

impl Kitty {
    pub const DISAMBIGUATE: Kitty = Kitty(1);
    pub const EVENT_TYPES: Kitty = Kitty(2);
    pub const ALTERNATES: Kitty = Kitty(4);
    pub const ALL_KEYS: Kitty = Kitty(8);
    pub const TEXT: Kitty = Kitty(16);

    pub fn has(self, flag: Kitty) -> bool {
        self.0 & flag.0 != 0
    }
}

impl Style {
    pub const NONE: Style = Style(0);
    pub const BOLD: Style = Style(1);
    pub const DIM: Style = Style(1 << 1);
    pub const ITALIC: Style = Style(1 << 2);
    pub const INVERSE: Style = Style(1 << 3);
    pub const HIDDEN: Style = Style(1 << 4);
    pub const STRIKE: Style = Style(1 << 5);
    /// The left half of a character two cells wide.
    pub const WIDE: Style = Style(1 << 6);
    /// The right half of a wide character, or the cell at a line's end that was too narrow for one: draws nothing.
    pub const SPACER: Style = Style(1 << 7);
    /// Combining marks follow the symbol: see [`Row::marks`].
    pub const MARKED: Style = Style(1 << 8);

    pub fn has(self, other: Style) -> bool {
        self.0 & other.0 != 0
    }

    pub fn with(self, other: Style) -> Style {
        Style(self.0 | other.0)
    }
}

impl Default for Cell {
    fn default() -> Cell {
        Cell {
            symbol: ' ',
            foreground: Colour::Default,
            background: Colour::Default,
            underline_colour: Colour::Default,
            underline: Underline::None,
            style: Style::NONE,
        }
    }
}

impl Row {
    pub fn blank(cols: u16) -> Row {
        Row {
            cells: vec![Cell::default(); usize::from(cols)].into(),
            wrapped: false,
            marks: Box::default(),
            links: Box::default(),
        }
    }

    pub fn is_blank(&self) -> bool {
        self.cells.iter().all(|cell| *cell == Cell::default())
    }

    /// What the program made links of: first and last column, and where it leads.
    pub fn links(&self) -> impl Iterator<Item = (u16, u16, &str)> {
        self.links.iter().map(|(first, last, to)| (*first, *last, &**to))
    }

    /// The combining marks that belong on the cell at `col`, at most eight of them.
    pub fn marks(&self, col: u16) -> &str {
        match self.marks.binary_search_by_key(&col, |(at, _)| *at) {
            Ok(found) => &self.marks[found].1,
            Err(_) => "",
        }
    }
}

impl Screen {
    /// The number of the live screen's top line.
    pub fn live(&self) -> u64 {
        self.first + self.offset as u64
    }

    /// The number of the oldest line that is kept.
    pub fn oldest(&self) -> u64 {
        self.live().saturating_sub(self.history as u64)
    }

    /// Whether drawing `other` instead would change nothing. Cheap: unchanged rows are the same allocation.
    pub fn shows_the_same(&self, other: &Screen) -> bool {
        self.rows.len() == other.rows.len()
            && self
                .rows
                .iter()
                .zip(&other.rows)
                .all(|(one, other)| Arc::ptr_eq(one, other))
            && (self.cursor, self.modes, self.history, self.offset, self.first)
                == (other.cursor, other.modes, other.history, other.offset, other.first)
            && self.title == other.title
    }

    /// A screen on which nothing was written yet.
    pub fn blank(cols: u16, rows: u16) -> Screen {
        let row = Arc::new(Row::blank(cols));
        Screen {
            rows: vec![row; usize::from(rows)],
            cols,
            cursor: Cursor {
                visible: true,
                ..Cursor::default()
            },
            modes: Modes::default(),
            history: 0,
            offset: 0,
            first: 0,
            title: "".into(),
            generation: 0,
        }
    }
}
