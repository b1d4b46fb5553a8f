//! What a terminal sends: keys, the mouse, pastes, and its answers to what it was asked.
//!
//! Client and engine take turns in reading a terminal (`engine/borrowed_keyboard.rs`), so both read by this. The parser is
//! `termina`'s, which is fed bytes; that of crossterm reads the terminal itself, and keeps all answers.

mod key;

use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use termina::escape::csi::{Csi, Device, Keyboard, Mode};
use termina::escape::osc::{ColorOrQuery, DynamicColorNumber, Osc};
use termina::{Event as Read, Parser};

const ESCAPE: u8 = 0x1b;
/// What makes an Escape the beginning of a sequence even where a line tore them apart. A key with Alt comes in one piece.
const INTRODUCERS: &[u8] = b"[]OP";
const PASTE: &[u8] = b"\x1b[200~";
const PASTE_ENDS: &[u8] = b"\x1b[201~";

/// How a key with its modifiers begins in xterm's form (`modifyOtherKeys`): `CSI 27 ; MODIFIERS ; CODE ~`.
const MODIFIED: &[u8] = b"\x1b[27;";
/// As long as that gets.
const LONGEST_MODIFIED: usize = 24;

/// A paste is told in pieces of at most this many bytes, so that keys and acknowledgements never wait behind a book.
const PASTE_PIECE: usize = 2 << 20;

/// How long an Escape waits for what would make it the beginning of something: tmux waits as long.
const LONE: Duration = Duration::from_millis(10);
/// The same while an answer may be on its way, perhaps over a slow line: shorter than anybody types.
const LONE_EXPECTING: Duration = Duration::from_millis(50);
/// How long two bytes wait that are a key with Alt by themselves.
const WITH_ALT: Duration = Duration::from_millis(150);
/// What does not go on by then was torn for good.
const TORN: Duration = Duration::from_secs(3);

/// Colours are asked for, of text and of the ground; when both are told, nothing more comes.
const COLOURS: usize = 2;

#[derive(Debug, Clone, PartialEq)]
pub enum FromTerminal {
    Event(Event),
    /// The colour of text, as red, green and blue.
    Foreground([u8; 3]),
    Background([u8; 3]),
    /// Whether its colours are light or dark, told because it was asked or because they changed.
    Scheme,
    /// It speaks kitty's keyboard protocol.
    Kitty,
    /// What kind of terminal it is: each knows that question, and answers in turn.
    Kind,
}

/// Reads the bytes of one terminal.
#[derive(Debug, Default)]
pub struct TerminalInput {
    parser: Parser,
    /// How what came since the last event begins.
    begun: Vec<u8>,
    /// How many bytes came since, and since the last Escape among them.
    count: usize,
    since_escape: usize,
    /// How many colours it may still tell. Only then is `ESC ]` more than a key with Alt.
    colours: usize,
    /// It was asked, and has not said yet what kind of terminal it is. It answers that last.
    is_asked: bool,
}

impl TerminalInput {
    /// The terminal was asked for its colours, and behind them what kind of terminal it is. Once it has said that, answers
    /// are no longer waited for: what it has not told by then it does not know. One that comes out of turn is still read.
    pub fn expect_colours(&mut self) {
        (self.colours, self.is_asked) = (COLOURS, true);
    }

    /// Both colours have been told, or nobody asked.
    pub fn expects_nothing(&self) -> bool {
        self.colours == 0
    }

    /// Nothing has begun that what comes next may belong to.
    pub fn is_between(&self) -> bool {
        self.count == 0
    }

    pub fn read(&mut self, bytes: &[u8]) -> Vec<FromTerminal> {
        let mut typed = match bytes.first() {
            Some(first) if self.begun == [ESCAPE] && !INTRODUCERS.contains(first) => self.give_up(),
            Some(_) | None => Vec::new(),
        };
        for byte in bytes {
            self.take(*byte, &mut typed);
        }
        typed
    }

    /// The keys and moves of the mouse that these bytes are, where they are nothing else and nothing of them is left over.
    pub fn keys(bytes: &[u8]) -> Option<Vec<Event>> {
        let mut input = TerminalInput::default();
        let keys = input.read(bytes).into_iter().map(|typed| match typed {
            FromTerminal::Event(event @ (Event::Key(_) | Event::Mouse(_))) => Some(event),
            FromTerminal::Event(_)
            | FromTerminal::Foreground(_)
            | FromTerminal::Background(_)
            | FromTerminal::Scheme
            | FromTerminal::Kitty
            | FromTerminal::Kind => None,
        });
        let keys = keys.collect::<Option<Vec<_>>>()?;
        input.is_between().then_some(keys)
    }

    /// How long what has begun is waited for; `None` where nothing has, or it has to come.
    pub fn patience(&self) -> Option<Duration> {
        match (self.begun.as_slice(), self.count) {
            ([], _) => None,
            ([ESCAPE], _) if self.is_asked && !self.expects_nothing() => Some(LONE_EXPECTING),
            ([ESCAPE], _) => Some(LONE),
            ([ESCAPE, _], _) => Some(WITH_ALT),
            (begun, _) if begun == PASTE => None,
            (_, _) => Some(TORN),
        }
    }

    /// It did not go on: what it was without that. Nobody types what is longer than a key with Alt.
    pub fn give_up(&mut self) -> Vec<FromTerminal> {
        let begun = std::mem::take(&mut self.begun);
        self.forget();
        match begun.as_slice() {
            [ESCAPE] => vec![pressed(KeyCode::Esc.into())],
            [ESCAPE, key] => with_alt(*key),
            _ => Vec::new(),
        }
    }

    fn take(&mut self, byte: u8, typed: &mut Vec<FromTerminal>) {
        if self.is_broken_off_by(byte) {
            self.forget();
        }
        if self.begun == PASTE && self.count >= PASTE_PIECE && self.may_be_cut_before(byte) {
            self.break_paste(typed);
        }
        self.count += 1;
        self.since_escape = if byte == ESCAPE { 0 } else { self.since_escape + 1 };
        let is_modified = self.begun.starts_with(MODIFIED);
        let most = if is_modified { LONGEST_MODIFIED } else { PASTE.len() };
        if self.begun.len() < most {
            self.begun.push(byte);
        }
        if is_modified && byte == b'~' {
            let keys = in_kittys_form(&self.begun);
            self.forget();
            typed.extend(keys);
            return;
        }
        if self.is_key_with_alt() {
            self.forget();
            typed.extend(with_alt(byte));
            return;
        }
        self.parser.parse(&[byte], true);
        let mut is_whole = false;
        while let Some(read) = self.parser.pop() {
            is_whole = true;
            typed.extend(self.understood(read));
        }
        if is_whole {
            (self.begun, self.count) = (Vec::new(), 0);
        } else if self.is_unknown(byte) {
            self.forget();
        }
    }

    /// What has begun can't go on like this. The parser would drop this byte as well, with which something new begins.
    fn is_broken_off_by(&self, byte: u8) -> bool {
        match self.begun.as_slice() {
            [] => false,
            [ESCAPE, b'[', ..] => byte == ESCAPE && self.begun != PASTE,
            [ESCAPE, ..] => false,
            [_, ..] => !is_continuation(byte),
        }
    }

    /// Between two characters, and not in what may be the paste's end.
    fn may_be_cut_before(&self, byte: u8) -> bool {
        !is_continuation(byte) && byte != ESCAPE && self.since_escape >= PASTE_ENDS.len()
    }

    /// The bytes with which the terminal's strings begin are keys with Alt where none is expected.
    fn is_key_with_alt(&self) -> bool {
        match self.begun.as_slice() {
            [ESCAPE, b']'] => self.expects_nothing(),
            [ESCAPE, b'P'] => true,
            _ => false,
        }
    }

    /// An answer that nobody asked for has come to its end: the parser would take what follows for more of it.
    fn is_unknown(&self, byte: u8) -> bool {
        let is_answer = self.begun.starts_with(b"\x1b[?") || self.begun.starts_with(b"\x1b[>");
        is_answer && (b'@'..=b'~').contains(&byte)
    }

    /// Tells a piece of a long paste.
    fn break_paste(&mut self, typed: &mut Vec<FromTerminal>) {
        self.parser.parse(PASTE_ENDS, true);
        while let Some(read) = self.parser.pop() {
            typed.extend(self.understood(read));
        }
        self.parser.parse(PASTE, true);
        self.count = PASTE.len();
    }

    fn forget(&mut self) {
        self.parser = Parser::default();
        (self.begun, self.count) = (Vec::new(), 0);
    }

    fn understood(&mut self, read: Read) -> Option<FromTerminal> {
        Some(match read {
            Read::Key(key) => pressed(key::key(key)),
            Read::Mouse(mouse) => FromTerminal::Event(Event::Mouse(key::mouse(mouse))),
            Read::FocusIn => FromTerminal::Event(Event::FocusGained),
            Read::FocusOut => FromTerminal::Event(Event::FocusLost),
            Read::Paste(text) if text.is_empty() => return None,
            Read::Paste(text) => FromTerminal::Event(Event::Paste(text)),
            Read::Osc(Osc::ChangeDynamicColors(which, told)) => {
                let [ColorOrQuery::Color(colour)] = told.as_slice() else {
                    return None;
                };
                self.colours = self.colours.saturating_sub(1);
                let colour = [colour.red, colour.green, colour.blue];
                match which {
                    DynamicColorNumber::TextForegroundColor => FromTerminal::Foreground(colour),
                    DynamicColorNumber::TextBackgroundColor => FromTerminal::Background(colour),
                    _ => return None,
                }
            }
            Read::Csi(Csi::Mode(Mode::ReportTheme(_))) => FromTerminal::Scheme,
            Read::Csi(Csi::Keyboard(Keyboard::ReportFlags(_))) => FromTerminal::Kitty,
            Read::Csi(Csi::Device(Device::DeviceAttributes(()))) => {
                self.is_asked = false;
                FromTerminal::Kind
            }
            // Answers to what is not asked here. Sizes are told by a signal.
            Read::Csi(_) | Read::Osc(_) | Read::Dcs(_) | Read::WindowResized(_) => return None,
        })
    }
}

/// A key in xterm's form, read as the same one in that of kitty's protocol, which the parser knows. It is the one that
/// xterm and tmux from 3.5 on tell by default: <https://invisible-island.net/xterm/modified-keys.html>.
fn in_kittys_form(told: &[u8]) -> Vec<FromTerminal> {
    let parts = std::str::from_utf8(told).ok().and_then(|told| {
        let numbers = told.strip_prefix("\x1b[27;")?.strip_suffix('~')?;
        let (modifiers, code) = numbers.split_once(';')?;
        Some((modifiers.parse::<u8>().ok()?, code.parse::<u32>().ok()?))
    });
    match parts {
        Some((modifiers, code)) => TerminalInput::default().read(format!("\x1b[{code};{modifiers}u").as_bytes()),
        None => Vec::new(),
    }
}

fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

fn pressed(key: KeyEvent) -> FromTerminal {
    FromTerminal::Event(Event::Key(key))
}

/// Alt and the key that this byte is alone.
fn with_alt(byte: u8) -> Vec<FromTerminal> {
    let mut typed = TerminalInput::default().read(&[byte]);
    for typed in &mut typed {
        if let FromTerminal::Event(Event::Key(key)) = typed {
            key.modifiers |= KeyModifiers::ALT;
        }
    }
    typed
}

#[cfg(test)]
mod tests;
