//! The whole output of a call, of which one bounded piece is here at a time. Words are looked for in all of it.

use crossterm::event::KeyEvent;

use crate::domain::event::{OutputPiece, PieceOrigin};
use crate::domain::notice::Done;
use crate::domain::state::Domain;
use crate::domain::work::{ShownContent, ShownRead};
use crate::model::entry::Cut;
use crate::model::{ChatId, RequestId, Timestamp};

use super::super::hint::Hint;
use super::super::wrap::wrap;
use super::tables::{OUTPUT, OutputKey, SEARCH, SearchKey};
use super::{Around, Contract, Field, Question, Reply, Room, Subject, Wish, place};

/// Below every last row: the end, however far down that is.
const END: usize = usize::MAX / 2;

pub struct Output {
    chat: ChatId,
    about: Subject,
    pub of: Whole,
    /// `None` until the first was read.
    pub piece: Option<OutputPiece>,
    /// The first row of the piece that is seen.
    pub top: usize,
    pub search: Search,
    /// A piece is on its way.
    reading: Option<RequestId>,
}

/// What is shown.
pub struct Whole {
    /// What was called.
    pub tool: String,
    /// `outputs/{tool}`, in the record.
    pub file: String,
    /// Who left something of it out.
    pub cut: Option<Cut>,
}

/// Words that are looked for.
#[derive(Default)]
pub struct Search {
    /// What is being typed.
    pub typing: Option<Field>,
    pub words: String,
    /// Where they were found last, in bytes from the beginning.
    found: Option<u64>,
    /// They are asked for, and nothing has come yet.
    asked: bool,
    pub missed: bool,
}

impl Output {
    pub fn new(domain: &Domain, chat: &ChatId, of: Whole) -> Output {
        Output {
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            of,
            piece: None,
            top: 0,
            search: Search::default(),
            reading: None,
        }
    }

    /// The rows of the piece, in a column this wide.
    pub fn rows(&self, width: usize) -> Vec<String> {
        let text = self.piece.as_ref().map_or("", |piece| piece.text.as_str());
        text.lines().flat_map(|line| wrap(line, width)).collect()
    }

    /// Past the piece's edge the next one is read, and shown from that edge on.
    fn turn(&mut self, key: KeyEvent, (width, seen): (usize, usize)) -> Reply {
        if self.search.typing.is_some() {
            return self.type_words(key);
        }
        let (key, piece) = match (OUTPUT.command(key), &self.piece) {
            (Some(OutputKey::Close), _) => return Reply::Close,
            (Some(key), Some(piece)) => (key, piece),
            (Some(_), None) | (None, _) => return Reply::Stay,
        };
        let last = self.rows(width).len().saturating_sub(seen);
        let top = self.top.min(last);
        let (from, to, whole) = (piece.from, piece.to, piece.whole);
        let up = |by: usize| match top {
            0 if from > 0 => Err(PieceOrigin::Before(from)),
            top => Ok(top.saturating_sub(by)),
        };
        let down = |by: usize| match top < last {
            false if to < whole => Err(PieceOrigin::After(to)),
            _ => Ok((top + by).min(last)),
        };
        let turned = match key {
            OutputKey::Close => return Reply::Close,
            OutputKey::Search => {
                self.search.typing = Some(Field::new("", Room::Line));
                return Reply::Stay;
            }
            OutputKey::Next => return self.seek(PieceOrigin::After(self.search.found.map_or(from, |at| at + 1))),
            OutputKey::Previous => return self.seek(PieceOrigin::Before(self.search.found.unwrap_or(from))),
            OutputKey::Up => up(1),
            OutputKey::Down => down(1),
            OutputKey::PageUp => up(seen),
            OutputKey::PageDown => down(seen),
            OutputKey::First if from > 0 => Err(PieceOrigin::After(0)),
            OutputKey::First => Ok(0),
            OutputKey::Last if to < whole => Err(PieceOrigin::Before(whole)),
            OutputKey::Last => Ok(last),
        };
        match turned {
            Ok(top) => self.top = top,
            Err(_) if self.reading.is_some() => {}
            Err(whence) => {
                return self.wish(whence);
            }
        }
        Reply::Stay
    }

    fn type_words(&mut self, key: KeyEvent) -> Reply {
        let Some(typing) = &mut self.search.typing else {
            return Reply::Stay;
        };
        match SEARCH.command(key) {
            Some(SearchKey::Cancel) => self.search.typing = None,
            Some(SearchKey::Search) => {
                let words = typing.text();
                let from = self.piece.as_ref().map_or(0, |piece| piece.from);
                self.search = Search {
                    words,
                    ..Search::default()
                };
                return self.seek(PieceOrigin::After(from));
            }
            None => drop(typing.press(key)),
        }
        Reply::Stay
    }

    fn seek(&mut self, whence: PieceOrigin) -> Reply {
        if self.search.words.is_empty() || self.reading.is_some() {
            return Reply::Stay;
        }
        self.search.asked = true;
        self.wish(whence)
    }

    /// What is to be read for it.
    fn wish(&self, whence: PieceOrigin) -> Reply {
        let piece = ShownRead::Output {
            chat: self.chat.clone(),
            file: self.of.file.clone(),
            whence,
            seeks: self.search.asked.then(|| self.search.words.clone()),
        };
        Reply::Submit(Wish::Know(Question::Shown(piece)))
    }

    fn arrived(&mut self, piece: &OutputPiece) {
        if std::mem::take(&mut self.search.asked) {
            self.search.missed = piece.found.is_none();
            if piece.found.is_none() {
                return;
            }
            // The line of the words is the piece's first.
            self.search.found = piece.found;
            self.top = 0;
        } else {
            self.top = match piece.whence {
                PieceOrigin::After(_) => 0,
                PieceOrigin::Before(_) => END,
            };
        }
        self.piece = Some(piece.clone());
    }
}

impl Contract for Output {
    fn subject(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn press(&mut self, key: KeyEvent, around: &Around) -> Reply {
        self.turn(key, place::size(place::output(around.whole)))
    }

    fn paste(&mut self, text: &str, _: &Around) {
        if let Some(typing) = &mut self.search.typing {
            typing.paste(text);
        }
    }

    fn hints(&self, _: &Around) -> Vec<Hint> {
        if self.search.typing.is_some() {
            return vec![
                SEARCH.hint(&[SearchKey::Search], "search"),
                SEARCH.hint(&[SearchKey::Cancel], "cancel"),
            ];
        }
        vec![
            OUTPUT.hint(&[OutputKey::Close], "close"),
            OUTPUT.hint(&[OutputKey::Search], "search"),
            OUTPUT.hint(&[OutputKey::Next, OutputKey::Previous], "next, previous"),
            OUTPUT.hint(&[OutputKey::Up, OutputKey::Down], "scroll"),
            OUTPUT.hint(&[OutputKey::PageDown], "page"),
            OUTPUT.hint(&[OutputKey::First, OutputKey::Last], "ends"),
        ]
    }

    /// It opens at its beginning.
    fn settle(&mut self, _: &Around) -> Reply {
        match (&self.piece, self.reading) {
            (None, None) => self.wish(PieceOrigin::After(0)),
            (Some(_), _) | (None, Some(_)) => Reply::Stay,
        }
    }

    fn begun(&mut self, _: &Wish, request: RequestId, _: Timestamp) {
        self.reading = Some(request);
    }

    fn awaits(&self, request: RequestId) -> bool {
        self.reading == Some(request)
    }

    /// If a piece cannot be read, there is nothing to show.
    fn answered(&mut self, _: RequestId, done: &Done, _: &Around) -> Reply {
        let Done::Shown(ShownContent::Piece(_, piece)) = done else {
            return Reply::Over;
        };
        self.reading = None;
        self.arrived(piece);
        Reply::Stay
    }
}
