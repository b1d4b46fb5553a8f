//! The whole output of a call, of which one bounded piece is here at a time. Words are looked for in all of it.

use crossterm::event::KeyEvent;

use crate::domain::effect::Effect;
use crate::domain::event::{OutputPiece, PieceOrigin};
use crate::domain::state::{Requester, Waiting};
use crate::domain::work::{Read, ReadThen, Work};
use crate::model::entry::Cut;
use crate::model::{ChatId, ClientId};
use crate::screen::State;

use super::super::wrap::wrap;
use super::tables::{OUTPUT, OutputKey, SEARCH, SearchKey};
use super::{Dialog, Field, Room};

/// Below every last row: the end, however far down that is.
const END: usize = usize::MAX / 2;

pub struct Output {
    pub chat: ChatId,
    pub of: Whole,
    /// `None` until the first was read.
    pub piece: Option<OutputPiece>,
    /// The first row of the piece that is seen.
    pub top: usize,
    pub search: Search,
    /// A piece is on its way.
    reading: bool,
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

/// What a key comes to.
pub(super) enum Turned {
    Stay,
    Close,
    Read(PieceOrigin),
}

impl Output {
    /// The rows of the piece, in a column this wide.
    pub fn rows(&self, width: usize) -> Vec<String> {
        let text = self.piece.as_ref().map_or("", |piece| piece.text.as_str());
        text.lines().flat_map(|line| wrap(line, width)).collect()
    }

    /// Past the piece's edge the next one is read, and shown from that edge on.
    pub(super) fn press(&mut self, key: KeyEvent, width: usize, seen: usize) -> Turned {
        if self.search.typing.is_some() {
            return self.type_words(key);
        }
        let (key, piece) = match (OUTPUT.command(key), &self.piece) {
            (Some(OutputKey::Close), _) => return Turned::Close,
            (Some(key), Some(piece)) => (key, piece),
            (Some(_), None) | (None, _) => return Turned::Stay,
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
            OutputKey::Close => return Turned::Close,
            OutputKey::Search => {
                self.search.typing = Some(Field::new("", Room::Line));
                return Turned::Stay;
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
            Err(_) if self.reading => {}
            Err(whence) => {
                self.reading = true;
                return Turned::Read(whence);
            }
        }
        Turned::Stay
    }

    fn type_words(&mut self, key: KeyEvent) -> Turned {
        let Some(typing) = &mut self.search.typing else {
            return Turned::Stay;
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
        Turned::Stay
    }

    fn seek(&mut self, whence: PieceOrigin) -> Turned {
        if self.search.words.is_empty() || self.reading {
            return Turned::Stay;
        }
        (self.reading, self.search.asked) = (true, true);
        Turned::Read(whence)
    }

    /// What is to be read for it.
    pub(super) fn job(&self, whence: PieceOrigin) -> Work {
        Work::Read(Read::Output {
            chat: self.chat.clone(),
            file: self.of.file.clone(),
            whence,
            seeks: self.search.asked.then(|| self.search.words.clone()),
        })
    }
}

/// Opens it at its beginning.
pub fn open(state: &mut State, client: ClientId, chat: ChatId, of: Whole) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let output = Output {
        chat,
        of,
        piece: None,
        top: 0,
        search: Search::default(),
        reading: true,
    };
    let job = output.job(PieceOrigin::After(0));
    view.dialog = Some(Dialog::Output(Box::new(output)));
    read(state, client, job)
}

/// Has a piece read for the dialog that is open.
pub(super) fn read(state: &mut State, client: ClientId, job: Work) -> Vec<Effect> {
    let work = state.domain.ids.work();
    let waiting = Waiting {
        requester: Requester::screen(client),
        then: ReadThen::ShowPiece.into(),
    };
    state.domain.live.waiting.insert(work, waiting);
    vec![Effect::Work(work, job)]
}

/// A piece was read; whoever looks at something else by now does not need it.
pub fn arrived(state: &mut State, client: ClientId, chat: &ChatId, piece: OutputPiece) {
    let dialog = state.views.get_mut(&client).and_then(|view| view.dialog.as_mut());
    let Some(Dialog::Output(output)) = dialog else {
        return;
    };
    if output.chat != *chat || output.of.file != piece.file {
        return;
    }
    output.reading = false;
    if std::mem::take(&mut output.search.asked) {
        output.search.missed = piece.found.is_none();
        if piece.found.is_none() {
            return;
        }
        // The line of the words is the piece's first.
        output.search.found = piece.found;
        (output.top, output.piece) = (0, Some(piece));
        return;
    }
    output.top = match piece.whence {
        PieceOrigin::After(_) => 0,
        PieceOrigin::Before(_) => END,
    };
    output.piece = Some(piece);
}

/// It could not be read: there is nothing to show.
pub fn close(state: &mut State, client: ClientId) {
    if let Some(view) = state.views.get_mut(&client)
        && matches!(view.dialog, Some(Dialog::Output(_)))
    {
        view.dialog = None;
    }
}
