//! What comes from the terminal, made fit for the wire.
//!
//! It is read by the thread that sends it. crossterm's own stream waits on a thread of its own, and a key would wake two.
//! Its reader over `poll` is used: the one over `epoll` loses sight of a key that comes together with a signal.

use std::ops::RangeInclusive;
use std::os::fd::OwnedFd;
use std::time::Duration;
use std::{io, process, thread};

use crossterm::event::{self, Event, KeyCode, KeyModifiers};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until};

use super::late_answers::LateAnswers;
use super::queries::StillAsking;
use crate::wire::TerminalColours;

/// A paste is sent in pieces of this size, so that keys and acknowledgements never wait behind a book.
const PIECE: usize = 256 << 10;

/// How long a client whose terminal is gone takes at most to end by itself.
const PARTING: Duration = Duration::from_secs(1);

/// What is taken from the terminal before anything else is looked at.
const AT_ONCE: usize = 64;

/// How long crossterm looks. It waits for nothing, but looks not even once where no time is given, or none is left when
/// it comes to it.
const GLANCE: Duration = Duration::from_micros(5);

/// crossterm swallows answers to queries and says then that there is nothing, whatever follows them. It is asked three at
/// most: about its keyboard, its kind and its cursor.
const ANSWERS_IN_A_ROW: usize = 4;

/// Bytes of `CSI ? 997 ; 1 n`, with some that were typed behind it.
const REPORT: RangeInclusive<usize> = 9..=32;

pub(super) struct KeyEvents {
    terminal: AsyncFd<OwnedFd>,
    resized: Signal,
    /// Something may have been read already and not been handed out: there is nothing to wait for.
    look: bool,
    /// While the terminal is still being asked, what is typed is read by whoever asks. It is there once that ends.
    asking: Option<StillAsking>,
    late: LateAnswers,
    /// The terminal tells when its colours change, which crossterm keeps to itself.
    follows: bool,
    /// Bytes that came since the last event and are none yet.
    kept: usize,
    /// Told when the terminal is gone.
    gone: oneshot::Receiver<()>,
}

impl KeyEvents {
    /// Reads the terminal from here on. Nothing else may ask it further questions.
    pub fn listen(answers_are_late: bool, asking: Option<StillAsking>) -> io::Result<KeyEvents> {
        let resized = signal(SignalKind::window_change())?;
        let terminal = rustix::io::fcntl_dupfd_cloexec(io::stdin(), 3)?;
        // SAFETY: an `OwnedFd` is the same descriptor as long as it lives.
        let terminal = unsafe { AsyncFd::register_with_interest(terminal, Interest::READABLE) }?;
        let (tell, gone) = oneshot::channel();
        thread::Builder::new()
            .name("hangup".into())
            .spawn(move || wait_for_hangup(tell))?;
        // If the terminal is gone already, this is an error.
        event::poll(GLANCE)?;
        Ok(KeyEvents {
            terminal,
            resized,
            // Whoever asked the terminal may have read keys already.
            look: true,
            asking,
            late: LateAnswers::expected(answers_are_late),
            follows: false,
            kept: 0,
            gone,
        })
    }

    /// The terminal was told to tell when its colours change.
    pub fn follow(&mut self) {
        self.follows = true;
    }

    /// Takes what it may have told so by: crossterm keeps the report, and perhaps a key behind it. Longer is only a paste that
    /// has not come to its end, and an answer of the terminal would get into that.
    pub fn take_report(&mut self) -> bool {
        let is_report = REPORT.contains(&self.kept);
        if is_report {
            self.kept = 0;
        }
        is_report
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
        let asked = async {
            match &mut self.asking {
                Some(asking) => asking.end().await,
                None => std::future::pending().await,
            }
        };
        let read = tokio::select! {
            biased;
            Ok(()) = &mut self.gone => return None,
            () = std::future::ready(()), if self.look => read_now(self.terminal.get_ref())?,
            ready = self.terminal.readable() => {
                ready.ok()?.clear_ready();
                let terminal = self.terminal.get_ref();
                let came = match self.follows {
                    true => rustix::io::ioctl_fionread(terminal).unwrap_or(0),
                    false => 0,
                };
                let read = read_now(terminal)?;
                self.kept = match read.is_empty() {
                    true => self.kept.saturating_add(usize::try_from(came).unwrap_or(usize::MAX)),
                    false => 0,
                };
                read
            }
            size = self.resized.recv() => {
                size?;
                let (cols, rows) = crossterm::terminal::size().ok()?;
                vec![Event::Resize(cols, rows)]
            }
            () = asked => {
                self.asking = None;
                read_now(self.terminal.get_ref())?
            }
            () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                return Some(fit_all(self.late.overdue()));
            }
        };
        // A key is on its way before the next is looked for.
        self.look = !read.is_empty();
        let now = Instant::now();
        let passed = read.into_iter().flat_map(|event| self.late.filter(event, now));
        Some(fit_all(passed.collect()))
    }
}

/// What can be read without waiting; None where the terminal is gone, which crossterm would not see.
fn read_now(terminal: &OwnedFd) -> Option<Vec<Event>> {
    let mut looked = [PollFd::new(terminal, PollFlags::IN)];
    // A signal ends it, as a change of size does, and says nothing about the terminal.
    rustix::io::retry_on_intr(|| poll(&mut looked, Some(&Timespec::default()))).ok()?;
    if looked[0].revents().intersects(PollFlags::HUP | PollFlags::ERR) {
        return None;
    }
    let (mut read, mut nothings) = (Vec::new(), 0);
    while read.len() < AT_ONCE && nothings < ANSWERS_IN_A_ROW {
        match event::poll(GLANCE).ok()? {
            false if !read.is_empty() => break,
            false => nothings += 1,
            true => match event::read().ok()? {
                // The signal tells of it, and it would be told twice.
                Event::Resize(..) => {}
                event => read.push(event),
            },
        }
    }
    Some(read)
}

/// Asks for no readiness at all, so that only the end of the terminal wakes it. Where crossterm finds that end first, it
/// reads on without end and the client does nothing else any more: then there is nothing left but to end it.
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

fn fit_all(events: Vec<Event>) -> Vec<Event> {
    events.into_iter().flat_map(fit).collect()
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
