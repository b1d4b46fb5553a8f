//! Terminals of chats: made on a worker's thread, handed to the loop before anything is heard of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

use crate::domain::event::Size;
use crate::engine::inbound::Inbound;
use crate::model::{ChatId, Failure, PaneEvent, PaneId, Problem};
use crate::pty::{self, Pane, PaneRecorder, PaneTap, Stopper};
use crate::sys::spawn::Spec;
use crate::term::{self, Setup, TerminalPalette};

use super::agent_tokens::AgentTokens;
use super::context::WorkContext;

/// Below every start: a terminal that only shows what was left gives way to an agent's, whichever comes first.
const ONLY_SHOWN: u64 = 0;

/// Starts of agents so far: what a terminal says is heard only while it is its chat's newest.
static RUNS: AtomicU64 = AtomicU64::new(1);

fn next_run() -> u64 {
    RUNS.fetch_add(1, Ordering::Relaxed)
}

/// A terminal for the chat: with a program, or only showing what the last one left.
pub fn spawn(
    context: &WorkContext,
    id: &ChatId,
    launch: Option<(Spec, AgentTokens)>,
    size: Size,
) -> Result<(), Problem> {
    let (launch, tokens) = launch.unzip();
    let services = &context.services;
    let record = services.terminal_record(id).map_err(|error| no_terminal(&error))?;
    // Looking at what is there writes nothing.
    let file = launch.is_some().then(|| services.terminal_file(id)).transpose();
    let begin = term::TerminalSize::new(size.cols, size.rows);
    let recorder = file
        .map_err(|error| no_terminal(&error))?
        .map(|file| PaneRecorder::new(file, begin));
    let run = match launch {
        Some(_) => next_run(),
        None => ONLY_SHOWN,
    };
    let kept = KeptScreen {
        record,
        recorder: recorder.transpose().map_err(|error| no_terminal(&error))?,
        tap: None,
        also: tokens.map(|tokens| -> Listener { Box::new(move |said| tokens.hear(said)) }),
    };
    hold(context, (PaneId::Agent(id.clone()), run), launch, size, kept, |_| {})
}

fn no_terminal(error: &dyn Failure) -> Problem {
    Problem::of("making a terminal", error).hinted("are there too many open files?")
}

/// Hears what a terminal says before the loop does.
pub type Listener = Box<dyn Fn(&PaneEvent) + Send + Sync>;

/// What becomes of what a terminal shows, and who hears of it beside the loop.
pub struct KeptScreen {
    pub record: Vec<u8>,
    pub recorder: Option<PaneRecorder>,
    pub tap: Option<PaneTap>,
    pub also: Option<Listener>,
}

/// Makes a terminal and hands it to the loop, which hears nothing of it before. `begun` comes before its end.
pub fn hold(
    context: &WorkContext,
    (id, run): (PaneId, u64),
    launch: Option<Spec>,
    size: Size,
    kept: KeptScreen,
    begun: impl FnOnce(Stopper),
) -> Result<(), Problem> {
    let services = &context.services;
    let name = match &id {
        PaneId::Agent(chat) => chat.to_string(),
        PaneId::Side(number) => format!("beside-{}", number.0),
    };
    let held = Arc::new(Mutex::new(()));
    let until_held = held.clone();
    let holding = held.lock();
    let (sender, from, also) = (context.sender.clone(), id.clone(), kept.also);
    let notify = move |said: PaneEvent| {
        drop(until_held.lock());
        if let Some(also) = &also {
            also(&said);
        }
        sender.send(Inbound::Pane(from.clone(), run, said));
    };
    let pane = Pane::spawn(pty::PaneLaunch {
        chat: name,
        program: launch.map(|launch| (services.parlour.clone(), launch)),
        setup: Setup {
            size: term::TerminalSize::new(size.cols, size.rows),
            palette: TerminalPalette::default(),
            history_lines: services.settings().limits.history_lines,
        },
        record: kept.record,
        recorder: kept.recorder,
        tap: kept.tap,
        notify: Arc::new(notify),
    })
    .map_err(|error| no_terminal(&error))?;
    begun(pane.stopper());
    context.sender.send(Inbound::Hold(id, run, pane));
    drop(holding);
    Ok(())
}
