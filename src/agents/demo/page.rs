//! The demo agent's screen: lines that stay, and below them a live part that is drawn again.
//!
//! Inline, as agent CLIs draw: what is done scrolls away into the terminal's history.

use std::io::{self, Write};

use unicode_width::UnicodeWidthChar;

const COMPOSER_LINES: usize = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageStyle {
    Plain,
    Bold,
    Dim,
    Green,
    Red,
    Accent,
}

impl PageStyle {
    fn code(self) -> &'static str {
        match self {
            PageStyle::Plain => "0",
            PageStyle::Bold => "1",
            PageStyle::Dim => "2",
            PageStyle::Green => "32",
            PageStyle::Red => "31",
            PageStyle::Accent => "36",
        }
    }
}

/// What is shown.
pub struct Page {
    pub composer: String,
    /// The spinner or a question, above the composer.
    pub notice: Vec<String>,
    live_rows: usize,
    colour: bool,
}

impl Page {
    pub fn new() -> Page {
        Page {
            composer: String::new(),
            notice: Vec::new(),
            live_rows: 0,
            colour: std::env::var_os("NO_COLOR").is_none(),
        }
    }

    /// Asks for framed pastes and draws for the first time.
    pub fn open(&mut self) {
        put("\x1b[?2004h");
        self.title(Mood::Idle);
        self.draw();
    }

    pub fn close(&mut self) {
        self.notice.clear();
        self.composer.clear();
        self.draw();
        put("\r\x1b[J\x1b[?2004l");
    }

    pub fn title(&mut self, mood: Mood) {
        put(match mood {
            Mood::Idle => "\x1b]0;✳ Demo agent\x07",
            Mood::Busy => "\x1b]0;⠂ Demo agent\x07",
        });
    }

    /// A line that stays.
    pub fn say(&mut self, style: PageStyle, line: &str) {
        self.show(&[(style, line)]);
    }

    /// Lines that stay.
    pub fn show(&mut self, lines: &[(PageStyle, &str)]) {
        let mut bytes = self.erased();
        for (style, line) in lines {
            for line in line.split('\n') {
                bytes.push_str(&self.painted(*style, &shown(line)));
                bytes.push_str("\r\n");
            }
        }
        self.live_rows = 0;
        put(&bytes);
        self.draw();
    }

    /// Draws the live part again.
    pub fn draw(&mut self) {
        let cols = columns();
        let mut lines: Vec<String> = self
            .notice
            .iter()
            .map(|line| self.painted(PageStyle::Accent, &cut(&shown(line), cols)))
            .collect();
        lines.extend(self.composer_lines(cols));
        let bytes = format!("{}{}", self.erased(), lines.join("\r\n"));
        self.live_rows = lines.len();
        put(&bytes);
    }

    /// The end of the composer is what a person is typing at.
    fn composer_lines(&self, cols: usize) -> Vec<String> {
        let lines: Vec<&str> = self.composer.split('\n').collect();
        let hidden = lines.len().saturating_sub(COMPOSER_LINES);
        let mark = |at: usize| match at {
            0 if hidden == 0 => "> ".to_string(),
            0 => format!("> … {hidden} more lines … "),
            _ => "  ".to_string(),
        };
        let visible = lines.iter().skip(hidden).enumerate();
        visible
            .map(|(at, line)| mark(at) + &tail(&shown(line), cols.saturating_sub(30)))
            .collect()
    }

    fn erased(&self) -> String {
        match self.live_rows {
            0 | 1 => "\r\x1b[J".into(),
            rows => format!("\x1b[{}A\r\x1b[J", rows - 1),
        }
    }

    fn painted(&self, style: PageStyle, text: &str) -> String {
        match self.colour && style != PageStyle::Plain {
            true => format!("\x1b[{}m{text}\x1b[0m", style.code()),
            false => text.into(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    Idle,
    Busy,
}

/// One write a drawing. A terminal that is gone ends the program by its input, not here.
fn put(bytes: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(bytes.as_bytes()).and_then(|()| out.flush());
}

fn columns() -> usize {
    let size = rustix::termios::tcgetwinsize(io::stdout());
    size.map_or(80, |size| usize::from(size.ws_col)).max(40)
}

fn shown(line: &str) -> String {
    line.replace('\t', "    ")
        .chars()
        .filter(|c| !crate::model::text::is_hidden(*c))
        .collect()
}

/// Short of the last column, where a terminal's cursor hangs between two rows.
fn cut(line: &str, cols: usize) -> String {
    let mut width = 0;
    let fits = |c: &char| {
        width += c.width().unwrap_or(0);
        width < cols
    };
    line.chars().take_while(fits).collect()
}

/// Measured from the end: a prompt of one line may have hundreds of kilobytes, and is drawn at every key.
fn tail(line: &str, cols: usize) -> String {
    let mut width = 0;
    let hidden = line.char_indices().rev().find(|(_, c)| {
        width += c.width().unwrap_or(0);
        width > cols
    });
    let start = hidden.map_or(0, |(at, c)| at + c.len_utf8());
    line[start..].to_string()
}
