//! What is to be done: plain data, carried out by workers and hands.

use serde_json::Value;

use crate::model::alert::Alert;
use crate::model::{CallId, ChatId, ClientId, HookAnswer, PaneId, Problem, ServerAnswer, Timestamp, WorkId};
use crate::term::{TextShape, TextSpot};

use super::size::Size;
use super::work::Work;

#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// The answer to a hook, which its adapter puts into the words of the CLI.
    Rule(CallId, HookAnswer),
    /// The answer to what an agent asks about this call, for the CLI's own server.
    Answer(ChatId, ServerAnswer),
    /// The last answer to a question.
    Reply(CallId, Result<Value, Problem>),
    /// One of several answers.
    Stream(CallId, Value),
    Pane(PaneId, PaneOrder),
    /// Slow work: ends in `Event::Done` with the same id.
    Work(WorkId, Work),
    /// Nobody waits for this call any more: whatever serves it may stop.
    Cancel(WorkId),
    /// This chat is stopped or deleted: whatever is being opened for it may stop.
    CancelFor(ChatId),
    WakeAt(Timestamp),
    /// Wake when the wall clock shows this, however it gets there: by time, sleep, or being set. It takes the place of
    /// the alarm before.
    Alarm(Option<Timestamp>),
    /// Ends a client, with words for the person.
    Bye(ClientId, String),
    /// Bytes for a client's terminal outside the drawn cells: the bell.
    Ring(ClientId),
    /// Something else has written on a client's terminal: what it shows is not known any more.
    Redraw(ClientId),
    /// Has a client's terminal call its person.
    Alert(ClientId, Alert),
    /// Runs the person's own command for it.
    Notify {
        command: String,
        alert: Alert,
    },
    /// Reads what stands on a client's screen: it comes back as `ClientEvent::Read`.
    CopyDrawn(ClientId, DrawnText),
    /// Text for the clipboard of a client's terminal. Only a person's own selection gets there.
    Clipboard(ClientId, String),
    /// How far a call has come, for whoever waits for it.
    Progress(CallId, String),
    Shutdown,
}

impl Effect {
    /// The number of the work that it hands out.
    pub fn work(&self) -> Option<WorkId> {
        let Effect::Work(work, _) = self else {
            return None;
        };
        Some(*work)
    }
}

/// Cells of a screen, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnText {
    /// Row, and its first and last column.
    pub rows: Vec<(u16, u16, u16)>,
}

/// What a terminal is told to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaneOrder {
    Input(Vec<u8>),
    Resize(Size),
    /// Show a client the screen from this line on.
    View {
        client: ClientId,
        line: u64,
    },
    /// Read out what a client selected.
    Copy {
        client: ClientId,
        from: TextSpot,
        to: TextSpot,
        shape: TextShape,
    },
    /// Look for words in all that it keeps, for a client.
    Find {
        client: ClientId,
        words: String,
    },
    /// Publish a screen once although nobody watches: a judgement needs it.
    Look,
    /// Tell what it shows after all that was typed, whether that changed or not.
    Read,
    /// Tell a program that has suspended itself to go on.
    GoOn,
    /// What it says from now on is neither shown nor kept: it goes on to look as it does.
    Freeze,
    Stop {
        grace_ms: u64,
    },
    /// Forget the terminal of an agent that has ended.
    Drop,
}
