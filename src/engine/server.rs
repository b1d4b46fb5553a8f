//! The socket: who may come in, and what each peer's messages become.
//!
//! A peer is the same user, proved by the kernel. What it sends is bounded by the wire; what it gets is bounded by
//! its taking it: a screen by acknowledged frames, a follower by a queue whose overflow ends the following.

use std::collections::HashMap;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::time::Duration;

use crossterm::event::Event as Input;
use futures::{Sink, SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::UnixStream;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use tokio_util::codec::Framed;

use crate::domain::Event;
use crate::domain::event::{Attached, ClientEvent, ColourDepth, Colours, Size};
use crate::fs::writing;
use crate::model::request::{By, EngineRequest, Request};
use crate::model::{ChatId, ClientId, HookCall, Problem, ProblemKind};
use crate::wire::{self, Attach, Codec, Message, TerminalColours};

use super::borrowed_keyboard::{Borrowed, BorrowedKeyboard};
use super::connections::OpenPlace;
use super::direct_terminal::DirectTerminal;
use super::inbound::{ClientLink, Inbound, Sender};
use super::peer::Peer;

/// A write that takes this long is why nothing is answered.
const LONG: Duration = Duration::from_secs(3);

/// Messages to one peer that wait for it to read.
const QUEUED: usize = 256;
/// Requests of one connection that are open at once. Each may hold a thread while its answer is not read.
const ASKED: usize = 64;
/// For a peer to say what it is. One that does not holds a descriptor of the engine's.
const HELLO: Duration = Duration::from_secs(5);

/// Serves one peer until it leaves, breaks the protocol, or the engine ends.
pub async fn serve(mut stream: UnixStream, peer: Peer, place: OpenPlace, sender: Sender) {
    let connection = stream.as_fd().try_clone_to_owned().ok();
    match tokio::time::timeout(HELLO, wire::exchange(&mut stream)).await {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => {
            tracing::info!("a peer was turned away: {error}");
            return;
        }
        Err(_) => {
            tracing::info!(
                "a peer was turned away: it said nothing for {} seconds",
                HELLO.as_secs()
            );
            return;
        }
    }
    let (mut sink, mut source) = Framed::new(stream, Codec::default()).split();
    let (messages, mut outgoing) = mpsc::channel::<Message>(QUEUED);
    let writing = tokio::spawn(async move {
        while let Some(message) = outgoing.recv().await {
            if deliver(&mut sink, message).await.is_err() {
                break;
            }
        }
        // The last words are out; a peer that does not read them is not waited for.
        let _ = sink.close().await;
    });
    let mut visit = ServerConnection {
        sender,
        messages,
        peer,
        place,
        connection,
        client: None,
        keyboard: None,
        asked: HashMap::new(),
    };
    loop {
        let kept = tokio::select! {
            received = source.next() => match received {
                Some(Ok(message)) => visit.hear(message).await,
                Some(Err(error)) => {
                    tracing::info!("a peer broke the protocol: {error}");
                    false
                }
                None => false,
            },
            read = typed(&mut visit.keyboard) => visit.typed(read).await,
        };
        if !kept {
            break;
        }
    }
    visit.leave();
    drop(visit);
    writing.abort();
}

/// In place of an answer that is longer than a message may be, the peer gets that word: a connection that ends without one
/// is an engine that died.
async fn deliver<S>(sink: &mut S, message: Message) -> Result<(), wire::Error>
where
    S: Sink<Message, Error = wire::Error> + Unpin,
{
    let answers = message.answers();
    match (sink.send(message).await, answers) {
        (Err(wire::Error::MessageLength { bytes }), Some(id)) => {
            let megabytes = |bytes: usize| bytes.div_ceil(1 << 20);
            let (long, most) = (megabytes(bytes), megabytes(wire::MESSAGE_LIMIT));
            tracing::warn!("an answer of {bytes} bytes was not sent: {most} MB are the most");
            let cause = format!("the answer has {long} MB, and {most} MB are the most that one may have");
            let hint = "ask for a part of it: one project, fewer entries, or `--stat` in place of all lines";
            let problem = Problem::new("answering", cause, hint).of_kind(ProblemKind::Limit);
            let body = Err(json!(problem));
            sink.send(Message::Reply { id, body }).await
        }
        (sent, _) => sent,
    }
}

async fn typed(keyboard: &mut Option<BorrowedKeyboard>) -> Borrowed {
    match keyboard {
        Some(keyboard) => keyboard.read().await,
        None => std::future::pending().await,
    }
}

/// One peer's stay.
struct ServerConnection {
    sender: Sender,
    messages: mpsc::Sender<Message>,
    peer: Peer,
    /// Its place among all connections.
    place: OpenPlace,
    /// The same connection, for whoever writes to its terminal.
    connection: Option<OwnedFd>,
    /// Where it is a screen.
    client: Option<ClientId>,
    /// Its keyboard, where the engine can read it.
    keyboard: Option<BorrowedKeyboard>,
    /// Its open questions; aborted when it leaves, which tells the loop that nobody waits.
    asked: HashMap<u32, tokio::task::JoinHandle<()>>,
}

impl ServerConnection {
    /// Whether the peer may stay.
    async fn hear(&mut self, message: Message) -> bool {
        match (message, self.client) {
            (Message::Input(event), Some(client)) => {
                // Whoever sends what was typed has the keyboard, whatever it said before.
                if let (Some(keyboard), false) = (&mut self.keyboard, matches!(event, Input::Resize(..))) {
                    keyboard.end();
                }
                self.input(client, event);
                true
            }
            (Message::LendKeyboard, Some(_)) => {
                let keyboard = self.keyboard.as_mut();
                let reads = keyboard.is_some_and(|keyboard| keyboard.lent(Instant::now()));
                reads || self.messages.send(Message::ReturnKeyboard(Vec::new())).await.is_ok()
            }
            (Message::RenewKeyboard, Some(_)) => {
                if let Some(keyboard) = &mut self.keyboard {
                    keyboard.renewed(Instant::now());
                }
                true
            }
            (Message::Colours(told), Some(client)) => {
                let event = ClientEvent::Coloured(colours(told));
                self.sender.send(Inbound::Event(Event::Client(client, event)));
                true
            }
            (Message::Ack { number }, Some(client)) => {
                self.sender.send(Inbound::Acked(client, number));
                true
            }
            (Message::Request { id, body }, _) => self.request(id, body).await,
            (Message::Bye { .. }, _) => false,
            (
                Message::Input(_)
                | Message::Colours(_)
                | Message::Ack { .. }
                | Message::LendKeyboard
                | Message::RenewKeyboard
                | Message::ReturnKeyboard(_)
                | Message::Frame { .. }
                | Message::Reply { .. }
                | Message::Stream { .. },
                _,
            ) => {
                tracing::info!("a peer sent what only the other side sends");
                false
            }
        }
    }

    fn input(&self, client: ClientId, event: Input) {
        self.sender
            .send(Inbound::Event(Event::Client(client, ClientEvent::Input(event))));
    }

    /// What the engine has read of the peer's keyboard.
    async fn typed(&mut self, read: Borrowed) -> bool {
        let (typed, said) = match read {
            Borrowed::Typed(typed) => (typed, None),
            Borrowed::TypedLate(typed) => (typed, Some(Message::RenewKeyboard)),
            Borrowed::Returned(bytes) => (Vec::new(), Some(Message::ReturnKeyboard(bytes))),
        };
        if let Some(client) = self.client {
            typed.into_iter().for_each(|event| self.input(client, event));
        }
        match said {
            Some(message) => self.messages.send(message).await.is_ok(),
            None => true,
        }
    }

    async fn request(&mut self, id: u32, body: Value) -> bool {
        let request = match Request::parse(body) {
            Ok(request) => self.peer.admit(request),
            Err(why) => {
                let hint = "is this parlour as old as its engine? `parlour kill-engine` ends that one";
                self.refuse(id, Problem::new("reading a request", why, hint)).await;
                return true;
            }
        };
        let (by, request) = match request {
            Ok(admitted) => admitted,
            Err(problem) => {
                self.refuse(id, problem).await;
                return true;
            }
        };
        match request {
            Request::Attach(body) => self.attach(id, body).await,
            Request::Engine(EngineRequest::Hook {
                chat,
                token,
                agent,
                event,
                payload,
            }) => {
                let call = HookCall { agent, event, payload };
                self.hook(id, chat, &token, call).await;
                true
            }
            Request::Engine(EngineRequest::Ping) => {
                let body = Ok(pong());
                self.messages.send(Message::Reply { id, body }).await.is_ok()
            }
            other => {
                self.ask(id, by, other).await;
                true
            }
        }
    }

    async fn refuse(&self, id: u32, problem: Problem) {
        let body = Err(json!(problem));
        // A peer that has gone needs no answer.
        let _ = self.messages.send(Message::Reply { id, body }).await;
    }

    /// A place for one more request, under an id that no other has. If there is none, the peer is told.
    async fn reserve(&mut self, id: u32) -> Option<OpenPlace> {
        self.asked.retain(|_, task| !task.is_finished());
        let cause = match (self.asked.contains_key(&id), self.asked.len()) {
            (true, _) => format!("request {id} of this connection is open"),
            (false, ASKED..) => format!("{ASKED} requests of this connection are open"),
            (false, _) => match self.place.request() {
                Some(place) => return Some(place),
                None => "as many requests of this agent are open as one may have".into(),
            },
        };
        let hint = "wait for answers before you ask more";
        self.refuse(id, Problem::busy("asking the engine", cause, hint)).await;
        None
    }

    async fn ask(&mut self, id: u32, by: By, request: Request) {
        let Some(place) = self.reserve(id).await else {
            return;
        };
        let (answer, answered) = oneshot::channel();
        let (stream, mut streamed) = mpsc::channel(QUEUED);
        let number = self.sender.number();
        self.sender.send(Inbound::Ask {
            number,
            by,
            request,
            answer,
            stream,
        });
        let messages = self.messages.clone();
        self.reply_later(id, number, place, async move {
            while let Some(body) = streamed.recv().await {
                messages.send(Message::Stream { id, body }).await.ok()?;
            }
            let ending = || Problem::busy("asking the engine", wire::ENDING, "ask again in a moment");
            Some(answered.await.unwrap_or_else(|_| Err(ending())))
        });
    }

    async fn hook(&mut self, id: u32, chat: String, token: &str, call: HookCall) {
        let owner = ChatId::parse(&chat).filter(|chat| self.sender.hook_tokens().owner(token).as_ref() == Some(chat));
        let Some(chat) = owner else {
            let cause = "its token is not that of a running agent of this chat";
            self.refuse(id, Problem::new("hearing a hook", cause, "start the agent again"))
                .await;
            return;
        };
        let Some(place) = self.reserve(id).await else {
            return;
        };
        let (answer, answered) = oneshot::channel();
        let number = self.sender.number();
        self.sender.send(Inbound::Hook {
            number,
            chat,
            call,
            answer,
        });
        self.reply_later(id, number, place, async move { answered.await.ok() });
    }

    /// Goes on while the loop works on what the peer asked; without an answer there is no reply.
    fn reply_later(
        &mut self,
        id: u32,
        number: u64,
        place: OpenPlace,
        answer: impl Future<Output = Option<Result<Value, Problem>>> + Send + 'static,
    ) {
        let messages = self.messages.clone();
        let abandoned = Abandoned {
            sender: self.sender.clone(),
            number,
            answered: false,
        };
        let task = tokio::spawn(async move {
            // All of it, or nobody would be told.
            let mut abandoned = abandoned;
            let _place = place;
            let Some(answer) = answer.await else {
                return;
            };
            abandoned.answered = true;
            let body = answer.map_err(|problem| json!(problem));
            // A peer that has gone needs no answer.
            let _ = messages.send(Message::Reply { id, body }).await;
        });
        self.asked.insert(id, task);
    }

    async fn attach(&mut self, id: u32, body: Value) -> bool {
        if self.client.is_some() {
            let problem = Problem::new("attaching", "this terminal is attached already", "detach first");
            self.refuse(id, problem).await;
            return true;
        }
        let attach: Attach = match serde_json::from_value(body) {
            Ok(attach) => attach,
            Err(why) => {
                self.refuse(
                    id,
                    Problem::new(
                        "attaching",
                        why,
                        "is this parlour as old as its engine? `parlour kill-engine` ends that one",
                    ),
                )
                .await;
                return false;
            }
        };
        let client = ClientId(self.sender.number());
        self.client = Some(client);
        let connection = self.connection.take();
        let terminal = attach.terminal.as_ref().zip(connection);
        let terminal = terminal.and_then(|(file, connection)| DirectTerminal::open(file, connection));
        self.keyboard = terminal.as_ref().map(BorrowedKeyboard::of);
        self.sender.send(Inbound::Attach {
            client,
            attached: attached(attach),
            link: ClientLink {
                request: id,
                messages: self.messages.clone(),
                terminal,
            },
        });
        let body = Ok(json!({"borrows": self.keyboard.is_some()}));
        self.messages.send(Message::Reply { id, body }).await.is_ok()
    }

    fn leave(&mut self) {
        for (_, task) in self.asked.drain() {
            task.abort();
        }
        if let Some(client) = self.client.take() {
            self.sender
                .send(Inbound::Event(Event::Client(client, ClientEvent::Gone)));
        }
    }
}

/// Tells the loop that nobody waits for an answer any more, unless there was one.
struct Abandoned {
    sender: Sender,
    number: u64,
    answered: bool,
}

impl Drop for Abandoned {
    fn drop(&mut self) {
        if !self.answered {
            self.sender.send(Inbound::Abandoned(crate::model::CallId(self.number)));
        }
    }
}

fn colours(told: TerminalColours) -> Colours {
    Colours {
        foreground: told.fg.into(),
        background: told.bg.into(),
    }
}

fn attached(attach: Attach) -> Attached {
    Attached {
        size: Size::of_client(attach.cols, attach.rows),
        colours: attach.term.colours.map(colours),
        no_color: attach.term.no_color,
        reader: attach.reader,
        depth: ColourDepth::of(attach.term.truecolor, attach.term.indexed),
        chat: attach.chat,
        bound: attach.bound.as_deref().and_then(ChatId::parse),
        // Of another version's engine, it may say nothing that this one knows.
        place: attach.place.and_then(|place| serde_json::from_value(place).ok()),
        edits: attach.edits,
        cwd: attach.cwd,
        env: attach.env,
    }
}

/// Whoever asks has no answer for a while: what that may be waiting for.
fn pong() -> Value {
    match writing::longest(Path::new("/")).filter(|(_, time)| *time >= LONG) {
        Some((path, _)) => json!({"waits_for": format!("the disk to write {}", path.display())}),
        None => json!({}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_answer_that_is_too_long_is_replaced_by_that_word_and_the_connection_lives() {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (mut ours, mut theirs) = (
            Framed::new(ours, Codec::default()),
            Framed::new(theirs, Codec::default()),
        );
        let long = json!({"patch": "x".repeat(wire::MESSAGE_LIMIT)});
        let id = 7;
        deliver(
            &mut ours,
            Message::Reply {
                id,
                body: Ok(long.clone()),
            },
        )
        .await
        .unwrap();
        deliver(&mut ours, Message::Stream { id: 8, body: long }).await.unwrap();
        let bye = Message::Bye {
            why: String::new(),
            exit: 0,
        };
        deliver(&mut ours, bye.clone()).await.unwrap();
        for id in [7, 8] {
            let Some(Ok(Message::Reply { id: answered, body })) = theirs.next().await else {
                panic!("no reply")
            };
            let problem: Problem = serde_json::from_value(body.unwrap_err()).unwrap();
            assert_eq!((answered, problem.kind), (id, ProblemKind::Limit));
            assert_eq!(
                problem.cause,
                "the answer has 17 MB, and 16 MB are the most that one may have"
            );
        }
        assert_eq!(theirs.next().await.unwrap().unwrap(), bye);
    }
}
