//! What comes from the terminal, made fit for the wire.

use std::time::Duration;
use std::{io, process, thread};

use crossterm::event::{self, Event, EventStream, KeyCode, KeyModifiers};
use futures::StreamExt;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until};

use super::late_answers::LateAnswers;
use crate::wire::TerminalColours;

/// A paste is sent in pieces of this size, so that keys and acknowledgements never wait behind a book.
const PIECE: usize = 256 << 10;

/// How long a client whose terminal is gone takes at most to end by itself.
const PARTING: Duration = Duration::from_secs(1);

pub(super) struct KeyEvents {
    events: EventStream,
    late: LateAnswers,
    /// Told when the terminal is gone.
    gone: oneshot::Receiver<()>,
}

impl KeyEvents {
    /// Reads the terminal from here on. Nothing else may ask it questions any more.
    pub fn listen(answers_are_late: bool) -> io::Result<KeyEvents> {
        let (tell, gone) = oneshot::channel();
        thread::Builder::new()
            .name("hangup".into())
            .spawn(move || wait_for_hangup(tell))?;
        // If the terminal is gone already, this is an error; the stream would panic.
        event::poll(Duration::ZERO)?;
        Ok(KeyEvents {
            events: EventStream::new(),
            late: LateAnswers::expected(answers_are_late),
            gone,
        })
    }

    /// The terminal was asked for its colours again.
    pub fn expect_colours(&mut self) {
        self.late.expect();
    }

    /// What it told of them since, once.
    pub fn colours(&mut self) -> Option<TerminalColours> {
        self.late.colours()
    }

    /// The next events, maybe none; None when the terminal is gone.
    pub async fn next(&mut self) -> Option<Vec<Event>> {
        let due = self.late.due();
        let events = tokio::select! {
            biased;
            Ok(()) = &mut self.gone => return None,
            event = self.events.next() => self.late.filter(event?.ok()?, Instant::now()),
            () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => self.late.overdue(),
        };
        Some(events.into_iter().flat_map(fit).collect())
    }
}

/// Asks for no readiness at all, so that only the end of the terminal wakes it. Where crossterm finds that end first, it
/// reads on without end and nothing else of this process runs any more: then there is nothing left but to end it.
fn wait_for_hangup(tell: oneshot::Sender<()>) {
    let stdin = io::stdin();
    let mut terminal = [PollFd::new(&stdin, PollFlags::empty())];
    while poll(&mut terminal, None) == Err(Errno::INTR) {}
    let _ = tell.send(());
    thread::sleep(PARTING);
    process::exit(1);
}

pub(super) fn interrupts(event: &Event) -> bool {
    event
        .as_key_press_event()
        .is_some_and(|key| key.code == KeyCode::Char('c') && key.modifiers == KeyModifiers::CONTROL)
}

/// A terminal that does not know its size says 0; parlour then draws for the size all terminals once had.
pub(super) fn known_size((cols, rows): (u16, u16)) -> (u16, u16) {
    match (cols, rows) {
        (0, _) | (_, 0) => (80, 24),
        known => known,
    }
}

fn fit(event: Event) -> Vec<Event> {
    match event {
        Event::Paste(text) => pieces(&text).map(Event::Paste).collect(),
        Event::Resize(cols, rows) => {
            let (cols, rows) = known_size((cols, rows));
            vec![Event::Resize(cols, rows)]
        }
        Event::Key(_) | Event::Mouse(_) | Event::FocusGained | Event::FocusLost => vec![event],
    }
}

fn pieces(mut text: &str) -> impl Iterator<Item = String> {
    std::iter::from_fn(move || {
        if text.is_empty() {
            return None;
        }
        let (piece, rest) = text.split_at(text.floor_char_boundary(PIECE));
        text = rest;
        Some(piece.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_paste_goes_in_pieces_and_loses_nothing() {
        let text = "ä€".repeat(PIECE / 2);
        let pieces: Vec<String> = pieces(&text).collect();
        assert_eq!(pieces.concat(), text);
        assert!(pieces.len() > 1 && pieces.iter().all(|piece| piece.len() <= PIECE));
    }

    #[test]
    fn a_size_of_nothing_is_an_unknown_size() {
        assert_eq!(fit(Event::Resize(0, 0)), [Event::Resize(80, 24)]);
        assert_eq!(fit(Event::Resize(1, 1)), [Event::Resize(1, 1)]);
    }
}
