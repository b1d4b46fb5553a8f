//! A pane as others hold it: a handle to what runs it.

use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use super::echo_reader::EchoReader;
use super::launch::PaneLaunch;
use super::pane_thread;
use super::requests::{InputFull, PaneRequest, Shared};
use super::running::RunningPlace;
use crate::model::ClientId;
use crate::term::{Copied, FoundText, Screen, Span, TerminalPalette, TerminalSize, TextShape, TextSpot};

/// Ends what runs in a pane that somebody else holds.
pub struct Stopper(Arc<Shared>);

impl Stopper {
    pub fn stop(&self, grace: Duration) {
        self.0.order(|orders| orders.stop = Some(grace));
    }
}

/// Dropping it ends the program and all that it started.
pub struct Pane {
    shared: Arc<Shared>,
    running: Arc<RunningPlace>,
    begun_at: TerminalSize,
    thread: Option<JoinHandle<()>>,
}

impl Pane {
    /// Starts the thread, which does the rest; how that went is told by event.
    pub fn spawn(launch: PaneLaunch) -> io::Result<Pane> {
        let (shared, bell) = Shared::new()?;
        let running = Arc::new(RunningPlace::default());
        let (theirs, place) = (shared.clone(), running.clone());
        let begun_at = launch.setup.size;
        let name = format!("pane-{}", launch.chat);
        let thread = std::thread::Builder::new()
            .name(name)
            .spawn(move || pane_thread::run(launch, &place, &theirs, &bell))?;
        Ok(Pane {
            shared,
            running,
            begun_at,
            thread: Some(thread),
        })
    }

    /// Its size before any other was ordered.
    pub fn begun_at(&self) -> TerminalSize {
        self.begun_at
    }

    /// Bytes for the program, as one piece: nothing is put in between. A refusal is told by event as well.
    pub fn input(&self, bytes: &[u8]) -> Result<(), InputFull> {
        self.shared.input(bytes)
    }

    /// To be called after each key that went in. Who is to read the echo from now on, unless that is done already.
    pub fn echo_reader(&self) -> Option<EchoReader> {
        let terminal = self.shared.note_typing()?;
        Some(EchoReader::begin(self.running.clone(), self.shared.clone(), terminal))
    }

    /// The newest size wins; those between are never applied.
    pub fn resize(&self, size: TerminalSize) {
        self.shared.order(|orders| orders.size = Some(size));
    }

    /// Ends the program and all that it started: TERM, and KILL after the grace.
    pub fn stop(&self, grace: Duration) {
        self.shared.order(|orders| orders.stop = Some(grace));
    }

    pub fn stopper(&self) -> Stopper {
        Stopper(self.shared.clone())
    }

    /// Tells a program that has suspended itself to go on.
    pub fn go_on(&self) {
        self.shared.order(|orders| orders.go_on = true);
    }

    /// What the program says from now on is read and thrown away.
    pub fn freeze(&self) {
        self.shared.order(|orders| orders.freeze = true);
    }

    pub fn set_palette(&self, palette: TerminalPalette) {
        self.shared.order(|orders| orders.palette = Some(palette));
    }

    pub fn set_history_limit(&self, lines: usize) {
        self.shared.order(|orders| orders.history_lines = Some(lines));
    }

    /// Somebody looks at it: lines that it let go of as it might keep fewer come back from its record.
    pub fn read_back(&self) {
        self.shared.order(|orders| orders.read_back = true);
    }

    /// Asks for the next screen: [`Changed`](crate::model::PaneEvent::Changed) comes at once if something changed since the
    /// last, else when it does. A pane that nobody wants to see builds no screens.
    pub fn want(&self) {
        self.shared.want();
    }

    /// The screen that [`Changed`](crate::model::PaneEvent::Changed) announced.
    pub fn take_screen(&self) -> Option<Arc<Screen>> {
        self.shared.take_screen()
    }

    /// The screen scrolled back by `offset` lines. Where too many ask at once, `reply` is dropped uncalled.
    pub fn view(&self, offset: usize, reply: impl FnOnce(Arc<Screen>) + Send + 'static) {
        self.shared.request(PaneRequest::View {
            offset,
            reply: Box::new(reply),
        });
    }

    /// The screen with this line at its top. Where too many ask at once, `reply` is dropped uncalled.
    pub fn view_from(&self, line: u64, reply: impl FnOnce(Arc<Screen>) + Send + 'static) {
        self.shared.request(PaneRequest::ViewFrom {
            line,
            reply: Box::new(reply),
        });
    }

    /// The text of a selection, no more than `most` bytes. Where too many ask at once, `reply` is dropped uncalled.
    pub fn copy(
        &self,
        (from, to, shape): (TextSpot, TextSpot, TextShape),
        most: usize,
        reply: impl FnOnce(Copied) + Send + 'static,
    ) {
        self.shared.request(PaneRequest::Copy {
            from,
            to,
            shape,
            most,
            reply: Box::new(reply),
        });
    }

    /// The newest `most` places of some words in all that the terminal keeps. Where too many ask at once, or `client` looks
    /// for other words before this is begun, `reply` is dropped uncalled.
    pub fn find(&self, client: ClientId, words: String, most: usize, reply: impl FnOnce(FoundText) + Send + 'static) {
        self.shared.request(PaneRequest::Find {
            client,
            words,
            most,
            reply: Box::new(reply),
        });
    }

    /// The text of a span, for searching. Where too many ask at once, `reply` is dropped uncalled.
    pub fn text(&self, span: Span, reply: impl FnOnce(String) + Send + 'static) {
        self.shared.request(PaneRequest::Text {
            span,
            reply: Box::new(reply),
        });
    }

    /// Ends everything as dropping does, and returns when it has ended and the record is written.
    pub fn close(mut self) {
        self.shared.order(|orders| orders.close = true);
        if let Some(thread) = self.thread.take() {
            // A panic in it was told as an exit already.
            let _ = thread.join();
        }
    }
}

impl Drop for Pane {
    fn drop(&mut self) {
        self.shared.order(|orders| orders.close = true);
    }
}
