//! One pane as it runs: it reads, parses, writes and publishes, in slices so short that no order waits long.
//!
//! Its thread (`pane_thread`) does all of it, but for the echo of what somebody types (`echo_reader`).

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rustix::event::PollFlags;

use super::alive::Alive;
use super::launch::{Notify, PaneLaunch, PaneTap};
use super::pane_wait::PaneWait;
use super::record::{PaneRecorder, replay};
use super::requests::{Orders, PaneRequest, Shared};
use super::signal_throttle::Notices;
use super::write_queue::Outgoing;
use crate::model::PaneEvent;
use crate::model::search::Needle;
use crate::sys::spawn::SpawnReport;
use crate::term::{Effects, Screen, Terminal, TerminalSize, TextShape};

/// What is parsed before the time is looked at. Three bytes can ask for a whole screen to be redrawn.
const PIECE: usize = 1024;
/// How long to parse before orders are looked at again.
const TURN: Duration = Duration::from_millis(5);
/// What may be unread when a program's end is known; a survivor that still writes is not waited for.
const LAST_SLICES: usize = 16;

/// What is parsed at once for somebody who types: a redraw of a large screen is more.
const ECHO: usize = 4096;

/// Where a pane lies while it runs; nothing before its thread has begun it and after that has ended it.
pub(super) type RunningPlace = Mutex<Option<RunningPane>>;

/// A screen for another program, what stood there above it in the history.
const CLEAR: &[u8] = b"\x1b[m\x1b[2J\x1b[H";

/// Whether the terminal had lines that it has no more, because it might keep fewer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LostLines {
    None,
    /// They may be in the record.
    Lost,
    /// They are to be read there.
    Wanted,
}

pub(super) struct RunningPane {
    shared: Arc<Shared>,
    notify: Notify,
    terminal: Terminal,
    /// The program, its terminal and its supervisor; `None` once all of it has ended.
    alive: Option<Alive>,
    outgoing: Outgoing,
    notices: Notices,
    recorder: Option<PaneRecorder>,
    tap: Option<PaneTap>,
    lost_lines: LostLines,
    /// The screen that was published last.
    shown: Option<Arc<Screen>>,
    /// When the screen that the program calls half drawn is shown all the same.
    held: Option<Instant>,
    /// What was read and, from `parsed` on, is not parsed yet.
    slice: Vec<u8>,
    parsed: usize,
    /// Nothing more is shown or kept of what the program says.
    frozen: bool,
    /// Until when the thread rests, if nothing wakes it.
    rests_until: Option<Instant>,
}

impl RunningPane {
    pub(super) fn begin(launch: PaneLaunch, shared: Arc<Shared>) -> RunningPane {
        let anew = launch.record.is_empty();
        let terminal = match anew {
            true => Terminal::new(launch.setup),
            false => replay(&launch.record, launch.setup),
        };
        let mut running = RunningPane {
            shared,
            notify: launch.notify,
            terminal,
            alive: None,
            outgoing: Outgoing::default(),
            notices: Notices::default(),
            recorder: launch.recorder,
            tap: launch.tap,
            lost_lines: LostLines::None,
            shown: None,
            held: None,
            slice: Vec::new(),
            parsed: 0,
            frozen: false,
            rests_until: None,
        };
        if let Some((supervisor, spec)) = launch.program {
            // What an earlier program showed goes up into the history: it is not what this one says. Where there was none,
            // the emulator would all the same take megabytes for a history of nothing.
            if !anew {
                let now = Instant::now();
                running.terminal.advance(CLEAR, now, &mut Effects::default());
                // Who reads the record sees the same.
                if let Some(recorder) = &mut running.recorder {
                    recorder.append(CLEAR, now);
                }
            }
            match Alive::begin(&supervisor, &spec, running.terminal.size()) {
                Ok(alive) => running.alive = Some(alive),
                Err(why) => running.tell(PaneEvent::FailedToStart { why }),
            }
        }
        running.changed();
        running
    }

    /// What the thread is to wait for. Where somebody types, another reads.
    pub(super) fn rest(&mut self) -> PaneWait {
        self.publish();
        self.rests_until = self.due();
        let mut rest = PaneWait {
            at_once: self.parsed < self.slice.len(),
            until: self.rests_until,
            supervisor: None,
            terminal: None,
        };
        if let Some(alive) = &self.alive {
            rest.supervisor = Some(alive.supervisor.control.clone());
            let mut wanted = PollFlags::empty();
            wanted.set(PollFlags::IN, !self.shared.read_elsewhere.load(Ordering::SeqCst));
            wanted.set(PollFlags::OUT, !self.outgoing.is_empty());
            if !alive.drained && !wanted.is_empty() {
                rest.terminal = Some((alive.master.stream.clone(), wanted));
            }
        }
        rest
    }

    fn due(&self) -> Option<Instant> {
        let deadlines = [
            self.held,
            self.notices.due(),
            self.recorder.as_ref().and_then(PaneRecorder::due),
            self.alive.as_ref().and_then(|alive| alive.kill_at),
        ];
        deadlines.into_iter().flatten().min()
    }

    /// What the thread does each time that something has woken it.
    pub(super) fn turn(&mut self, orders: Orders) {
        self.obey(orders);
        self.hear();
        self.read();
        self.parse();
        self.read_back();
        self.write();
        self.keep_time();
    }

    /// The part of a turn that somebody who types waits for. `false` where it is more than an echo: the thread is to do it.
    pub(super) fn echo(&mut self) -> bool {
        // A tap and a record that is handed over may wait for the disk.
        let may_wait = self.tap.is_some() || self.recorder.as_ref().is_some_and(PaneRecorder::is_behind);
        if may_wait || self.parsed < self.slice.len() {
            return false;
        }
        self.read();
        if self.slice.len() > ECHO || self.alive.as_ref().is_none_or(|alive| alive.drained) {
            return false;
        }
        self.parse();
        if self.reads_back() {
            self.shared.ring();
        }
        self.write();
        self.tell_notices(Instant::now());
        self.publish();
        let due = self.due();
        let in_time = due.is_none() || (self.rests_until.is_some() && self.rests_until <= due);
        if !in_time {
            self.rests_until = due;
            self.shared.ring();
        }
        self.parsed == self.slice.len() && self.outgoing.is_empty()
    }

    pub(super) fn close(mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.settle();
        }
        self.shared.call_in();
        if let Some(alive) = self.alive.take() {
            alive.supervisor.end();
        }
    }

    fn obey(&mut self, orders: Orders) {
        let mut out = Effects::default();
        if let Some(palette) = orders.palette {
            self.terminal.set_palette(palette);
        }
        if let Some(lines) = orders.history_lines {
            self.keep_lines(lines, &mut out);
        }
        if orders.read_back && self.lost_lines == LostLines::Lost {
            self.lost_lines = LostLines::Wanted;
            self.read_back();
        }
        if let Some(size) = orders.size.filter(|size| *size != self.terminal.size()) {
            self.resize(size, &mut out);
        }
        for message in orders.input {
            self.outgoing.queue(message);
        }
        if self.alive.is_none() {
            self.shared.written(self.outgoing.clear());
        }
        if orders.refused {
            self.tell(PaneEvent::InputRefused);
        }
        for request in orders.requests {
            match request {
                PaneRequest::View { offset, reply } => {
                    reply(self.terminal.view(offset, &mut out));
                    // Whoever was shown this hears of the next change, even of one back to what was shown before.
                    self.shown = None;
                }
                PaneRequest::ViewFrom { line, reply } => reply(self.terminal.view_from(line, &mut out)),
                PaneRequest::Copy {
                    from,
                    to,
                    shape,
                    most,
                    reply,
                } => reply(match shape {
                    TextShape::Flow => self.terminal.copy(from, to, most),
                    TextShape::Lines => self.terminal.copy_lines(from, to, most),
                    TextShape::Block => self.terminal.copy_block(from, to, most),
                }),
                PaneRequest::Find { words, most, reply, .. } => {
                    let needle = Needle::of(&words);
                    let places = |line: &str| needle.iter().flat_map(|needle| needle.places(line)).collect();
                    reply(self.terminal.find(&words, places, most));
                }
                PaneRequest::Text { span, reply } => reply(self.terminal.text(span)),
            }
        }
        self.frozen |= orders.freeze;
        if let Some(alive) = self.alive.as_ref().filter(|_| orders.go_on) {
            alive.supervisor.go_on();
        }
        if let (Some(grace), Some(alive)) = (orders.stop, &mut self.alive) {
            alive.stop(grace);
        }
        self.take(out);
    }

    fn keep_lines(&mut self, lines: usize, out: &mut Effects) {
        let (kept, limit) = (self.terminal.history_len(), self.terminal.history_limit());
        // How many there are above the alternate screen is not known.
        let is_hidden = self.terminal.is_alternate();
        let loses = lines < kept || is_hidden && lines < limit;
        // It was full, and more lines came than it might keep.
        let has_lost = lines > limit && (kept >= limit || is_hidden);
        if loses || has_lost && self.lost_lines == LostLines::None {
            self.lost_lines = LostLines::Lost;
        }
        self.terminal.set_history_limit(lines, out);
        self.changed();
    }

    /// Once all that the record has was parsed, and the alternate screen is left, above which there are no lines.
    fn reads_back(&self) -> bool {
        self.lost_lines == LostLines::Wanted && self.parsed >= self.slice.len() && !self.terminal.is_alternate()
    }

    fn read_back(&mut self) {
        if !self.reads_back() {
            return;
        }
        // One that may keep no more than it has would only get the same lines.
        if self.terminal.history_limit() <= self.terminal.history_len() {
            self.lost_lines = LostLines::Lost;
            return;
        }
        self.lost_lines = LostLines::None;
        let recorder = self.recorder.as_mut();
        if let Some(longer) = recorder.and_then(|recorder| recorder.read_back(&mut self.terminal)) {
            self.terminal = longer;
            self.shown = None;
            self.changed();
        }
    }

    fn resize(&mut self, size: TerminalSize, out: &mut Effects) {
        self.terminal.resize(size, out);
        if let Some(recorder) = &mut self.recorder {
            recorder.resize(size);
        }
        if let Some(alive) = &self.alive {
            alive.master.resize(size);
        }
        self.changed();
    }

    /// Takes the supervisor's reports. Its end is the pane's, after the last output was read.
    fn hear(&mut self) {
        let Some(alive) = &mut self.alive else { return };
        let (reports, gone) = alive.supervisor.hear();
        for report in reports {
            match report {
                SpawnReport::Started { pid } => (self.notify)(PaneEvent::Started { pid }),
                SpawnReport::Failed { why } => alive.exit = Some(PaneEvent::FailedToStart { why }),
                SpawnReport::Exited { code, signal } => alive.exit = Some(PaneEvent::Exited { code, signal }),
            }
        }
        if gone {
            self.finish();
        }
    }

    fn finish(&mut self) {
        for _ in 0..LAST_SLICES {
            self.read();
            while self.parsed < self.slice.len() {
                self.parse();
            }
        }
        let Some(mut alive) = self.alive.take() else {
            return;
        };
        let exit = alive.exit.take().unwrap_or_else(|| {
            // It was killed, and could not end what it had started.
            alive.supervisor.kill();
            PaneEvent::Exited {
                code: None,
                signal: None,
            }
        });
        alive.supervisor.end();
        self.shared.call_in();
        self.shared.written(self.outgoing.clear());
        let now = Instant::now();
        let frame = self.terminal.keep_last_frame(now);
        if let Some(recorder) = &mut self.recorder {
            if !frame.is_empty() {
                recorder.append(&frame, now);
            }
            recorder.settle();
        }
        // Nobody will finish a frame that is half drawn.
        self.terminal.let_go();
        self.changed();
        self.publish();
        self.tell(exit);
    }

    /// Reads a slice, once the one before is parsed.
    fn read(&mut self) {
        let Some(alive) = self.alive.as_mut().filter(|alive| !alive.drained) else {
            return;
        };
        if self.parsed < self.slice.len() {
            return;
        }
        alive.read(&mut self.slice);
        self.parsed = 0;
        if self.frozen {
            self.slice.clear();
        }
        if let Some(recorder) = &mut self.recorder
            && !self.slice.is_empty()
        {
            recorder.append(&self.slice, Instant::now());
        }
        if let Some(tap) = &mut self.tap
            && !self.slice.is_empty()
        {
            tap(&self.slice);
        }
    }

    /// Parses what was read, for as long as a turn lasts.
    fn parse(&mut self) {
        let slice = std::mem::take(&mut self.slice);
        let begun = Instant::now();
        let mut now = begun;
        while self.parsed < slice.len() && now < begun + TURN {
            let piece = &slice[self.parsed..slice.len().min(self.parsed + PIECE)];
            let mut out = Effects::default();
            let taken = self.terminal.advance_frame(piece, now, &mut out);
            self.parsed += taken;
            self.take(out);
            self.changed();
            now = Instant::now();
            self.held = self.terminal.tick(now);
            if taken < piece.len() {
                // A frame ended here, and the next may begin right after it.
                self.publish();
            }
        }
        self.slice = slice;
    }

    fn take(&mut self, out: Effects) {
        self.outgoing.reply(&out.reply);
        self.notices.add(out.signals);
    }

    fn write(&mut self) {
        if let Some(alive) = &self.alive
            && !self.outgoing.is_empty()
        {
            // No key may land inside of what is written in part.
            self.shared.call_in();
            let written = self.outgoing.write(&alive.master.stream);
            self.shared.written(written);
        }
        if let Some(alive) = self.alive.as_ref().filter(|_| self.outgoing.is_empty()) {
            self.shared.lend(&alive.master.stream);
        }
    }

    /// Does what has become due.
    fn keep_time(&mut self) {
        let now = Instant::now();
        if self.held.is_some_and(|held| held <= now) {
            self.held = self.terminal.tick(now);
        }
        if let Some(recorder) = &mut self.recorder
            && recorder.due().is_some_and(|due| due <= now)
        {
            recorder.flush();
        }
        self.tell_notices(now);
        if let Some(alive) = &mut self.alive {
            alive.keep_time(now);
        }
    }

    fn tell_notices(&mut self, now: Instant) {
        for event in self.notices.take(now) {
            self.tell(event);
        }
    }

    fn changed(&self) {
        self.shared.dirty.store(true, Ordering::SeqCst);
    }

    /// Hands a screen to the loop, if it wants one and there is a new one.
    fn publish(&mut self) {
        if self.terminal.is_held()
            || !self.shared.wanted.load(Ordering::SeqCst)
            || !self.shared.dirty.swap(false, Ordering::SeqCst)
        {
            return;
        }
        let mut out = Effects::default();
        let screen = self.terminal.screen(&mut out);
        self.take(out);
        if self.shown.as_ref().is_some_and(|shown| shown.shows_the_same(&screen)) {
            return;
        }
        self.shared.wanted.store(false, Ordering::SeqCst);
        self.shown = Some(screen.clone());
        self.shared.put_screen(screen);
        self.tell(PaneEvent::Changed);
    }

    fn tell(&self, event: PaneEvent) {
        (self.notify)(event);
    }
}
