//! The turn of a query, from its prompt to its end, or to Ctrl+C.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use signal_hook::consts::SIGINT;
use signal_hook::iterator::Signals;
use signal_hook::{SigId, flag, low_level};

use super::super::output::text;
use super::super::requests::{QuestionOutcome, ask, listen, no_answer};
use super::approvals::{self, Patience, Questions};
use super::asked::{AskedChat, TurnStage};
use super::printer::{Printer, TURNS};
use crate::client::StartEngine;
use crate::domain::call::called_in;
use crate::model::query::QueryRequest;
use crate::model::queue::{QueueAsk, QueueChange};
use crate::model::request::ChatRequest;
use crate::model::text::visible;
use crate::model::{Entry, Happened, Problem, Request};

/// How long an agent may look as if it asked something that no question is known of.
const UNCLEAR: Duration = Duration::from_millis(1_500);

/// How long a prompt may wait until it is told why: an agent takes a moment to start.
const QUIET: Duration = Duration::from_secs(4);

/// How long the beginning of a turn is waited for that is to be interrupted: its agent may only be starting.
const BEGINS: Duration = Duration::from_secs(60);

/// As a shell has it of a program that Ctrl+C ended.
pub const INTERRUPTED: u8 = 130;

/// How a turn ended.
pub enum TurnEnd {
    /// By itself, with the chat as it was then.
    Done(Value),
    /// The agent has never had the prompt; the chat as it is.
    Unheard(Value),
    Interrupted,
}

struct Following<'f> {
    home: &'f Path,
    asked: &'f AskedChat,
    patience: &'f Patience,
    stage: TurnStage,
    /// How the turn came to rest last.
    rest: Value,
    /// Why its prompt waits, and since when, until that is told.
    waits: Option<(String, Instant)>,
    /// What it asks, since when, where that is not settled.
    asks: Option<(String, Instant)>,
    /// The question that whoever waits was told of.
    told: Option<String>,
    interrupted: Option<Instant>,
}

/// Prints the turn until it is over. `notes` has it written down as the last query.
pub fn follow(
    home: &Path,
    asked: &AskedChat,
    printer: &mut Printer,
    patience: &Patience,
    ctrl_c: CtrlC,
    notes: bool,
) -> anyhow::Result<TurnEnd> {
    let request = Request::Query(QueryRequest::Turn {
        chat: asked.id.clone(),
        after: asked.after,
        prompt: asked.prompt.clone(),
    });
    let (says, heard) = listen(home, request, StartEngine::Never);
    ctrl_c.tell(says);
    if notes {
        let chat = asked.id.clone();
        ask(home, Request::Query(QueryRequest::Asked { chat }))?;
    }
    let mut following = Following {
        home,
        asked,
        patience,
        stage: TurnStage::Before,
        rest: json!({"status": "idle"}),
        waits: None,
        asks: None,
        told: None,
        interrupted: None,
    };
    loop {
        match heard.recv_timeout(TURNS) {
            Ok(QuestionOutcome::Line(line)) => {
                following.take(printer, line)?;
                if following.stage == TurnStage::Behind {
                    return Ok(following.ended(following.rest.clone()));
                }
                if following.interrupted.is_some() && following.stage == TurnStage::Within {
                    return Ok(TurnEnd::Interrupted);
                }
            }
            Ok(QuestionOutcome::Answer(answer)) => return Ok(following.ended(answer?)),
            Ok(QuestionOutcome::Interrupted) => {
                if following.interrupted.is_some() || !following.interrupt(printer)? {
                    // What the agent has said by now stands behind this in the queue.
                    while let Ok(QuestionOutcome::Line(line)) = heard.try_recv() {
                        following.take(printer, line)?;
                    }
                    return Ok(TurnEnd::Interrupted);
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                if following.interrupted.is_some_and(|since| since.elapsed() > BEGINS) {
                    return Ok(TurnEnd::Interrupted);
                }
                following.settle(printer)?;
                if let Some((why, _)) = following.waits.take_if(|(_, since)| since.elapsed() > QUIET) {
                    printer.note(&why);
                }
                printer.turn();
            }
            Ok(QuestionOutcome::Unread) | Err(RecvTimeoutError::Disconnected) => return Err(no_answer()),
        }
    }
}

impl Following<'_> {
    fn take(&mut self, printer: &mut Printer, line: Value) -> anyhow::Result<()> {
        if let Some(asks) = line.get("asks") {
            self.asks = asks.as_str().map(|asks| (asks.to_owned(), Instant::now()));
            return self.settle(printer);
        }
        if !text(&line, "waiting").is_empty() {
            let why = visible(text(&line, "waiting"));
            printer.wait_for(&why);
            self.waits = Some((why, Instant::now()));
            return Ok(());
        }
        // What a newer engine says beside it is no entry.
        let Ok(entry) = serde_json::from_value::<Entry>(line) else {
            return Ok(());
        };
        if let Happened::Prompt { key, .. } = &entry.what
            && *key == self.asked.prompt
        {
            (self.stage, self.waits) = (TurnStage::Within, None);
            if self.interrupted.is_some() {
                self.interrupt(printer)?;
            }
        } else if entry.what.begins_turn() && self.stage == TurnStage::Within {
            self.stage = TurnStage::Behind;
        } else if let Happened::Status { status, detail, .. } = &entry.what
            && self.stage == TurnStage::Within
            && is_rest(status)
        {
            self.rest = json!({"status": status, "detail": detail, "seq": entry.seq});
        }
        match self.stage {
            TurnStage::Within => printer.take(&entry),
            TurnStage::Before | TurnStage::Behind => Ok(()),
        }
    }

    fn ended(&self, chat: Value) -> TurnEnd {
        match (self.interrupted, self.stage) {
            (Some(_), _) => TurnEnd::Interrupted,
            (None, TurnStage::Before) => TurnEnd::Unheard(chat),
            (None, TurnStage::Within | TurnStage::Behind) => TurnEnd::Done(chat),
        }
    }

    /// What it asks is answered, waited for, or the end.
    fn settle(&mut self, printer: &mut Printer) -> anyhow::Result<()> {
        let Some((what, since)) = &self.asks else {
            return Ok(());
        };
        if self.interrupted.is_some() {
            return Ok(());
        }
        match approvals::settle(self.home, self.asked, &self.patience.yes)? {
            Questions::Answered => self.asks = None,
            Questions::None if since.elapsed() < UNCLEAR => {}
            Questions::None if !self.patience.waits => {
                return Err(approvals::in_its_own_dialog(self.asked, what, self.stage).into());
            }
            Questions::None => {
                let words = format!("{} waits for you: {}", self.asked.handle, called_in(what));
                self.asks = None;
                printer.tell(&format!("parlour: {}", visible(&words)));
            }
            Questions::Open { asks, hint, .. } if !self.patience.waits => {
                return Err(approvals::needs_approval(self.asked, &asks, &hint, self.stage).into());
            }
            Questions::Open { id, asks, hint } => {
                if self.told.as_ref() != Some(&id) {
                    printer.tell(&format!("parlour: waiting for an approval: {asks}; {hint}"));
                }
                self.told = Some(id);
                self.asks = None;
            }
        }
        Ok(())
    }

    /// Ends the turn, or takes the prompt back that has not reached its agent. Whether it is on its way there: then the turn
    /// has yet to begin. The end of one is not waited for: CLIs take seconds to tell it.
    fn interrupt(&mut self, printer: &mut Printer) -> anyhow::Result<bool> {
        printer.clear();
        self.interrupted = Some(Instant::now());
        if self.stage == TurnStage::Within {
            let chat = self.asked.id.clone();
            ask(self.home, Request::Query(QueryRequest::Interrupt { chat }))?;
            return Ok(false);
        }
        let chat = self.asked.id.clone();
        // By its id: what waits beside it is somebody else's.
        let change = QueueAsk::Change {
            prompt: self.asked.prompt.clone(),
            change: QueueChange::Remove,
        };
        match ask(self.home, Request::Chat(ChatRequest::Queue { chat, ask: change })) {
            Ok(_) => Ok(false),
            // It is on its way already, or there.
            Err(error) if error.downcast_ref::<Problem>().is_some() => {
                let chat = self.asked.id.clone();
                ask(self.home, Request::Query(QueryRequest::Interrupt { chat }))?;
                Ok(true)
            }
            Err(error) => Err(error),
        }
    }
}

fn is_rest(status: &str) -> bool {
    matches!(
        status,
        "idle" | "error" | "limit" | "logged-out" | "exited" | "hibernated"
    )
}

/// Ctrl+C, which no longer ends this program but is kept until [`follow`] hears of it: a chat that is being made for the
/// query would work on without it. A second one before that ends this program all the same: the engine may not answer.
pub struct CtrlC {
    signals: Option<Signals>,
    second: Vec<SigId>,
}

impl CtrlC {
    pub fn keep() -> CtrlC {
        let pressed = Arc::new(AtomicBool::new(false));
        let code = i32::from(INTERRUPTED);
        let second = [
            flag::register_conditional_shutdown(SIGINT, code, pressed.clone()),
            flag::register(SIGINT, pressed),
        ];
        CtrlC {
            signals: Signals::new([SIGINT]).ok(),
            second: second.into_iter().filter_map(Result::ok).collect(),
        }
    }

    fn tell(self, says: SyncSender<QuestionOutcome>) {
        for id in self.second {
            low_level::unregister(id);
        }
        let Some(mut signals) = self.signals else {
            return;
        };
        thread::spawn(move || {
            for _ in signals.forever() {
                if says.send(QuestionOutcome::Interrupted).is_err() {
                    return;
                }
            }
        });
    }
}
