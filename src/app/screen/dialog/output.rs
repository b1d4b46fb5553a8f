//! The whole output of a call, of which one bounded piece is here at a time.

use crossterm::event::{KeyCode, KeyEvent};

use crate::app::effect::{Effect, Job};
use crate::app::event::{Piece, Whence};
use crate::app::state::{Asker, State, Then, Waiting};
use crate::model::{ChatId, ClientId};

use super::super::wrap::wrap;
use super::Dialog;

/// Below every last row: the end, however far down that is.
const END: usize = usize::MAX / 2;

pub struct Output {
    pub chat: ChatId,
    /// `outputs/{tool}`, in the record.
    pub file: String,
    /// What was called.
    pub tool: String,
    /// `None` until the first was read.
    pub piece: Option<Piece>,
    /// The first row of the piece that is seen.
    pub top: usize,
    /// A piece is on its way.
    reading: bool,
}

/// What a key comes to.
pub(super) enum Turned {
    Stay,
    Close,
    Read(Whence),
}

impl Output {
    /// The rows of the piece, in a column this wide.
    pub fn rows(&self, width: usize) -> Vec<String> {
        let text = self.piece.as_ref().map_or("", |piece| piece.text.as_str());
        text.lines().flat_map(|line| wrap(line, width)).collect()
    }

    /// Past the piece's edge the next one is read, and shown from that edge on.
    pub(super) fn press(&mut self, key: KeyEvent, width: usize, seen: usize) -> Turned {
        let Some(piece) = &self.piece else {
            return if closes(key) { Turned::Close } else { Turned::Stay };
        };
        let last = self.rows(width).len().saturating_sub(seen);
        let top = self.top.min(last);
        let (from, to, whole) = (piece.from, piece.to, piece.whole);
        let up = |by: usize| match top {
            0 if from > 0 => Err(Whence::Before(from)),
            top => Ok(top.saturating_sub(by)),
        };
        let down = |by: usize| match top < last {
            false if to < whole => Err(Whence::After(to)),
            _ => Ok((top + by).min(last)),
        };
        let turned = match key.code {
            KeyCode::Up | KeyCode::Char('k') => up(1),
            KeyCode::Down | KeyCode::Char('j') => down(1),
            KeyCode::PageUp => up(seen),
            KeyCode::PageDown | KeyCode::Char(' ') => down(seen),
            KeyCode::Home | KeyCode::Char('g') if from > 0 => Err(Whence::After(0)),
            KeyCode::Home | KeyCode::Char('g') => Ok(0),
            KeyCode::End | KeyCode::Char('G') if to < whole => Err(Whence::Before(whole)),
            KeyCode::End | KeyCode::Char('G') => Ok(last),
            _ if closes(key) => return Turned::Close,
            _ => Ok(top),
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
}

fn closes(key: KeyEvent) -> bool {
    matches!(key.code, KeyCode::Esc | KeyCode::Enter | KeyCode::Char(_))
}

/// Opens it at its beginning.
pub fn open(state: &mut State, client: ClientId, chat: ChatId, tool: String, file: String) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    view.dialog = Some(Dialog::Output(Output {
        chat: chat.clone(),
        file: file.clone(),
        tool,
        piece: None,
        top: 0,
        reading: true,
    }));
    read(state, client, chat, file, Whence::After(0))
}

/// Has a piece read for the dialog that is open.
pub(super) fn read(state: &mut State, client: ClientId, chat: ChatId, file: String, whence: Whence) -> Vec<Effect> {
    let work = state.ids.work();
    let waiting = Waiting {
        asker: Asker::Screen(client),
        then: Then::ShowPiece(client),
    };
    state.live.waiting.insert(work, waiting);
    vec![Effect::Work(work, Job::Output { chat, file, whence })]
}

/// A piece was read; whoever looks at something else by now does not need it.
pub fn arrived(state: &mut State, client: ClientId, chat: &ChatId, piece: Piece) {
    let dialog = state.views.get_mut(&client).and_then(|view| view.dialog.as_mut());
    let Some(Dialog::Output(output)) = dialog else {
        return;
    };
    if output.chat != *chat || output.file != piece.file {
        return;
    }
    output.reading = false;
    output.top = match piece.whence {
        Whence::After(_) => 0,
        Whence::Before(_) => END,
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
