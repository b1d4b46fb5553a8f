//! What comes into the loop, from whatever thread or task.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use crate::agents::EventStream;
use crate::domain::Event;
use crate::domain::event::Attached;
use crate::mcp::{ProgressReports, Tokens};
use crate::model::request::{By, Request};
use crate::model::{CallId, ChatId, ClientId, HookCall, PaneEvent, PaneId, Problem, ToolCall};
use crate::pty::Pane;
use crate::store::ReadOffset;
use crate::term::Screen;
use crate::wire::{self, Message};

use super::direct_terminal::DirectTerminal;

/// Where an answer goes.
pub type AnswerSender = oneshot::Sender<Result<Value, Problem>>;

/// A message to the loop. Most are events for `update`; the others hand over what events, being plain data, can't
/// carry.
pub enum Inbound {
    Event(Event),
    /// A terminal of start number `run` says something.
    Pane(PaneId, u64, PaneEvent),
    /// What that terminal shows, as it was asked.
    Seen(PaneId, u64, Arc<Screen>),
    /// A worker started a terminal.
    Hold(PaneId, u64, Pane),
    /// A worker started an agent that has a server of its own, of whose session so much was told before.
    Follow(ChatId, Box<EventStream>, ReadOffset),
    /// The stream of this chat's agent has begun.
    Followed(ChatId),
    /// A shell verb; `stream` takes what comes before the answer.
    Ask {
        number: u64,
        by: By,
        request: Request,
        answer: AnswerSender,
        stream: mpsc::Sender<Value>,
    },
    Hook {
        number: u64,
        chat: ChatId,
        call: HookCall,
        answer: AnswerSender,
    },
    Tool {
        number: u64,
        chat: ChatId,
        call: ToolCall,
        answer: AnswerSender,
        progress: ProgressReports,
    },
    /// Whoever called a tool was told to call again, since it takes longer.
    Unheard(CallId),
    /// Whoever asked has gone away.
    Abandoned(CallId),
    Attach {
        client: ClientId,
        attached: Attached,
        link: ClientLink,
    },
    Acked(ClientId, u32),
    /// A file that was asked to be watched changed.
    Touched(PathBuf),
    /// End: SIGTERM or SIGINT.
    Stop,
}

impl Inbound {
    /// Whether somebody asks and waits, or has to do with one who does: these keep their order.
    fn is_asked(&self) -> bool {
        match self {
            Inbound::Ask { .. }
            | Inbound::Hook { .. }
            | Inbound::Tool { .. }
            | Inbound::Unheard(_)
            | Inbound::Abandoned(_) => true,
            Inbound::Event(_)
            | Inbound::Pane(..)
            | Inbound::Seen(..)
            | Inbound::Hold(..)
            | Inbound::Follow(..)
            | Inbound::Followed(_)
            | Inbound::Attach { .. }
            | Inbound::Acked(..)
            | Inbound::Touched(_)
            | Inbound::Stop => false,
        }
    }

    /// What it is, for the log.
    pub fn name(&self) -> &'static str {
        match self {
            Inbound::Event(event) => match event {
                Event::Clock(_) => "the clock",
                Event::Client(..) => "a client",
                Event::Pty(..) => "a terminal's event",
                Event::Hook(..) => "a hook's event",
                Event::Tool(..) => "a tool's event",
                Event::Ask(..) => "a verb's event",
                Event::Caller(..) => "a caller",
                Event::Observed(..) => "what was heard",
                Event::Disk(_) => "the disk",
                Event::Done(..) => "a worker's end",
            },
            Inbound::Pane(..) => "a terminal",
            Inbound::Seen(..) => "a screen",
            Inbound::Hold(..) => "a new terminal",
            Inbound::Follow(..) => "a new stream",
            Inbound::Followed(_) => "a stream",
            Inbound::Ask { .. } => "a verb",
            Inbound::Hook { .. } => "a hook",
            Inbound::Tool { .. } => "a tool",
            Inbound::Unheard(_) => "a patient caller",
            Inbound::Abandoned(_) => "a caller that left",
            Inbound::Attach { .. } => "a new client",
            Inbound::Acked(..) => "an acknowledged frame",
            Inbound::Touched(_) => "a file",
            Inbound::Stop => "the end",
        }
    }
}

/// How a client is reached.
pub struct ClientLink {
    /// Its request to be attached, which it is told more about as a stream.
    pub request: u32,
    pub messages: mpsc::Sender<Message>,
    /// Its terminal, for echoes.
    pub terminal: Option<DirectTerminal>,
}

/// What came for the loop and was not taken yet. What is asked waits apart, so that no number of questions of an agent
/// comes before a person's keys, what terminals say and the ends of work.
pub struct InboundLanes {
    pub said: mpsc::UnboundedReceiver<Inbound>,
    pub asked: mpsc::UnboundedReceiver<Inbound>,
}

/// The way into the loop. Unbounded, because what sends is bounded itself: a pane says each thing once until it is
/// heard, a client's input is what a person types, and so many requests and calls of one author are open at a time.
#[derive(Clone)]
pub struct Sender {
    said: mpsc::UnboundedSender<Inbound>,
    asked: mpsc::UnboundedSender<Inbound>,
    numbers: Arc<AtomicU64>,
    hook_tokens: Arc<Tokens>,
}

impl Sender {
    pub fn channel(hook_tokens: Arc<Tokens>) -> (Sender, InboundLanes) {
        let (said, said_inbox) = mpsc::unbounded_channel();
        let (asked, asked_inbox) = mpsc::unbounded_channel();
        let sender = Sender {
            said,
            asked,
            numbers: Arc::new(AtomicU64::new(1)),
            hook_tokens,
        };
        let inbox = InboundLanes {
            said: said_inbox,
            asked: asked_inbox,
        };
        (sender, inbox)
    }

    /// After the loop has ended nobody listens, and whoever asks something is told so.
    pub fn send(&self, inbound: Inbound) {
        let lane = match inbound.is_asked() {
            true => &self.asked,
            false => &self.said,
        };
        if let Err(mpsc::error::SendError(inbound)) = lane.send(inbound) {
            refuse(inbound);
        }
    }

    /// A number for a call or a client, each once.
    pub fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    pub fn hook_tokens(&self) -> &Tokens {
        &self.hook_tokens
    }
}

/// Ends the way into the loop. What was asked and not taken yet is not begun, and can be asked of the next engine.
pub fn close(inbox: InboundLanes) {
    for mut lane in [inbox.said, inbox.asked] {
        lane.close();
        while let Ok(inbound) = lane.try_recv() {
            refuse(inbound);
        }
    }
}

fn refuse(inbound: Inbound) {
    if let Inbound::Ask { answer, .. } = inbound {
        // Whoever asked may be gone.
        let _ = answer.send(Err(Problem::busy(
            "asking the engine",
            wire::NOT_BEGUN,
            "ask again in a moment",
        )));
    }
}
