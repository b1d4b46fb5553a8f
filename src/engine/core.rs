//! The loop: one task that owns all state, takes events in, and hands effects out.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::mpsc::{Sender as Queue, UnboundedReceiver};
use tokio::time::Instant;

use super::clock;
use crate::domain::event::{Caller, ClientEvent, DiskEvent, Outcome, PtyEvent};
use crate::domain::work::Read;
use crate::domain::{Effect, Event, PaneOrder, Work};
use crate::model::request::Request;
use crate::model::{CallId, ChatId, ClientId, PaneId, Problem, WorkId};
use crate::screen::State;
use crate::wire::Message;
use crate::{app, sys};

use super::alarm::Alarm;
use super::ears::Ears;
use super::hands::Hands;
use super::inbound::{self, Answer, Inbound, Sender};
use super::journals::Journals;
use super::panes::Panes;
use super::peer::Authors;
use super::picture::Picture;
use super::recorder::Recorder;
use super::work;

mod frames;
mod resting;

/// How long after a key a change of its terminal counts as the key's echo.
const ECHO: Duration = Duration::from_millis(100);

/// Ages on screen are in minutes.
const MINUTE: Duration = Duration::from_secs(60);

/// A frame of 60 a second is 16 ms.
const SLOW: Duration = Duration::from_millis(4);

/// An attached terminal.
struct Client {
    picture: Picture,
    messages: Queue<Message>,
    /// Something changed while it had not taken its last frame: it is drawn when it has.
    owed: bool,
}

/// Everything the loop holds beside state: what can't be plain data.
pub struct Core {
    state: State,
    hands: Arc<Hands>,
    journals: Journals,
    panes: Panes,
    /// Chats whose agent does not run and whose terminal is kept, or asked for, only as long as somebody looks at it.
    resting: BTreeSet<ChatId>,
    ears: Ears,
    clients: BTreeMap<ClientId, Client>,
    answers: BTreeMap<CallId, Answer>,
    /// Hooks that are not answered yet: whose, and which.
    hooks: BTreeMap<CallId, (ChatId, String)>,
    streams: BTreeMap<CallId, Queue<Value>>,
    progress: BTreeMap<CallId, crate::mcp::ProgressReports>,
    /// How running work is told to stop, and for which chat it opens something.
    cancels: BTreeMap<WorkId, (Option<ChatId>, crate::git::CancelFlag)>,
    authors: Authors,
    sender: Sender,
    /// When `update` wants to hear the clock.
    wakes: BTreeSet<Instant>,
    alarm: Alarm,
    /// Something may look different from what clients were sent.
    stale: bool,
    drawn: Instant,
    /// Input just went into this terminal: what follows is its echo.
    typed: Option<(PaneId, Instant)>,
    /// The echo has come, and is drawn at once.
    echoed: bool,
    ending: bool,
    recorder: Option<Recorder>,
}

impl Core {
    pub fn new(
        state: State,
        hands: Arc<Hands>,
        journals: Journals,
        authors: Authors,
        sender: Sender,
        recorder: Option<Recorder>,
    ) -> Core {
        let ears = Ears::new(hands.clone(), journals.backlog(), sender.clone());
        Core {
            state,
            hands,
            journals,
            panes: Panes::default(),
            resting: BTreeSet::new(),
            ears,
            clients: BTreeMap::new(),
            answers: BTreeMap::new(),
            hooks: BTreeMap::new(),
            streams: BTreeMap::new(),
            progress: BTreeMap::new(),
            cancels: BTreeMap::new(),
            authors,
            sender,
            wakes: BTreeSet::new(),
            alarm: Alarm::new(),
            stale: false,
            drawn: Instant::now(),
            typed: None,
            echoed: false,
            ending: false,
            recorder,
        }
    }

    /// Runs until it is told to end, then ends every agent.
    pub async fn run(mut self, mut inbox: UnboundedReceiver<Inbound>) {
        while !self.ending {
            let inbound = match self.deadline() {
                None => tokio::select! {
                    biased;
                    inbound = inbox.recv() => inbound,
                    () = self.alarm.ring() => Some(Inbound::Event(Event::Clock(clock::now()))),
                },
                Some(deadline) => tokio::select! {
                    biased;
                    inbound = inbox.recv() => inbound,
                    () = self.alarm.ring() => Some(Inbound::Event(Event::Clock(clock::now()))),
                    () = tokio::time::sleep_until(deadline) => Some(self.tick()),
                },
            };
            let Some(inbound) = inbound else { break };
            self.tell_time();
            self.take_timed(inbound);
            // What has come meanwhile is taken before anything is drawn, but a flood does not hold up the screen.
            for _ in 0..64 {
                match inbox.try_recv() {
                    Ok(inbound) => self.take_timed(inbound),
                    Err(_) => break,
                }
            }
            self.draw();
            self.let_go();
        }
        inbound::close(inbox);
        self.end().await;
    }

    fn deadline(&self) -> Option<Instant> {
        let frame = self.stale && self.clients.values().any(|c| c.picture.is_ready());
        let frame = frame.then(|| self.next_frame());
        let minute = (!self.clients.is_empty()).then(|| self.drawn + MINUTE);
        let wake = self.wakes.first().copied();
        [frame, minute, wake].into_iter().flatten().min()
    }

    /// A deadline has come. The clock is an event like any other.
    fn tick(&mut self) -> Inbound {
        let now = Instant::now();
        self.wakes.retain(|wake| *wake > now);
        if now >= self.drawn + MINUTE {
            self.stale = true;
        }
        Inbound::Event(Event::Clock(clock::now()))
    }

    /// State's clock stands still between events; each batch of them sets it first.
    fn tell_time(&mut self) {
        self.state.domain.now = clock::now();
    }

    /// Says to the log what holds up everybody: keys wait as long.
    fn take_timed(&mut self, inbound: Inbound) {
        let (what, began) = (inbound.name(), Instant::now());
        self.take(inbound);
        let took = began.elapsed();
        if took >= SLOW {
            tracing::debug!("{what} took {} ms on the loop", took.as_millis());
        }
    }

    fn take(&mut self, inbound: Inbound) {
        match inbound {
            Inbound::Event(event) => self.update(event),
            Inbound::Pane(id, run, said) => {
                if let Some(event) = self.panes.hear(&id, run, said) {
                    self.pane(id, event);
                }
            }
            Inbound::Seen(PaneId::Agent(chat), run, screen) if self.panes.is_of(&chat.clone().into(), run) => {
                let heard = self.ears.composer(&self.state, &chat, &screen, true);
                heard.into_iter().for_each(|event| self.update(event));
            }
            Inbound::Seen(..) => {}
            Inbound::Hold(id, run, pane) => {
                self.holds_at_rest(&id);
                self.panes.hold(id, run, pane);
                self.panes.share_history(&self.state.domain.disk.settings.limits);
            }
            Inbound::Follow(chat, stream, so_far) => self.ears.follow(&self.state, chat, *stream, so_far),
            Inbound::Followed(chat) => {
                let heard = self.ears.followed(&self.state, &chat);
                heard.into_iter().for_each(|event| self.update(event));
            }
            Inbound::Ask {
                number,
                by,
                request,
                answer,
                stream,
            } => {
                let call = CallId(number);
                self.answers.insert(call, answer);
                self.streams.insert(call, stream);
                if request == Request::Status {
                    self.state.domain.live.facts.rss_bytes = sys::rss_bytes().unwrap_or_default();
                }
                self.update(Event::Ask(call, by, request));
            }
            Inbound::Hook {
                number,
                chat,
                call: hook,
                answer,
            } => {
                let call = CallId(number);
                self.answers.insert(call, answer);
                self.hooks.insert(call, (chat.clone(), hook.event.clone()));
                let events = self.ears.understand(&self.state, &chat, &hook);
                let told = Event::Hook(call, chat.clone(), events);
                if let Some(told) = self.ears.after_transcripts(chat, told) {
                    self.update(told);
                }
            }
            Inbound::Tool {
                number,
                chat,
                call: tool,
                answer,
                progress,
            } => {
                let call = CallId(number);
                self.answers.insert(call, answer);
                self.progress.insert(call, progress);
                self.update(Event::Tool(call, chat, tool));
            }
            Inbound::Unheard(call) => self.update(Event::Caller(call, Caller::CallsAgain)),
            Inbound::Abandoned(call) => self.abandoned(call),
            Inbound::Attach {
                client,
                attached,
                messages,
            } => self.attach(client, attached, messages),
            Inbound::Acked(client, number) => {
                if let Some(client) = self.clients.get_mut(&client) {
                    client.picture.acked(number);
                    self.stale |= client.owed;
                }
            }
            Inbound::Touched(path) => self.ears.touched(path),
            Inbound::Stop => self.ending = true,
        }
    }

    fn pane(&mut self, id: PaneId, event: PtyEvent) {
        if let (PtyEvent::Screen(_), Some((typed, at))) = (&event, &self.typed) {
            self.echoed |= *typed == id && at.elapsed() < ECHO;
        }
        let heard = match &id {
            PaneId::Agent(chat) => self.ears.pane(&self.state, chat, &event),
            PaneId::Side(_) => Vec::new(),
        };
        if let Some(event) = self.ears.in_turn(id, event) {
            self.update(event);
        }
        heard.into_iter().for_each(|event| self.update(event));
    }

    fn update(&mut self, event: Event) {
        if let Event::Client(client, ClientEvent::Gone) = &event {
            self.clients.remove(client);
        }
        if let Event::Done(work, _) = &event {
            self.cancels.remove(work);
        }
        let ended = match &event {
            Event::Pty(PaneId::Agent(chat), PtyEvent::Said(said)) if said.is_end() => Some(chat.clone()),
            _ => None,
        };
        let settings_came = matches!(event, Event::Disk(DiskEvent::Settings(_)));
        if let Some(recorder) = &mut self.recorder {
            recorder.record(&self.state.domain, &event);
        }
        let effects = app::update(&mut self.state, event);
        self.resting.extend(ended);
        if settings_came {
            self.hands.set_settings(&self.state.domain.disk.settings);
            self.choose_themes();
        }
        self.stale = true;
        for effect in effects {
            self.carry_out(effect);
        }
        self.authors.follow(&self.state);
    }

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Reply(call, answer) => self.reply(call, answer),
            Effect::Rule(call, answer) => {
                let asked = self.hooks.remove(&call);
                let said = asked.map(|(chat, event)| self.ears.answer(&self.state, &chat, &event, &answer));
                self.reply(call, Ok(said.unwrap_or_else(|| json!({}))));
            }
            Effect::Stream(call, value) => {
                // A follower that does not keep up is let go rather than waited for.
                let full = self
                    .streams
                    .get(&call)
                    .is_some_and(|stream| stream.try_send(value).is_err());
                if full {
                    let hint = "follow again with --after and the last number that was read";
                    let problem = Problem::busy("following the transcript", "the reader did not keep up", hint);
                    self.reply(call, Err(problem));
                    self.abandoned(call);
                }
            }
            Effect::Pane(id, order) => {
                if let (PaneOrder::Look, PaneId::Agent(chat)) = (&order, &id) {
                    let seen = self.ears.glance(&self.state, chat).into_iter();
                    seen.for_each(|event| self.sender.send(Inbound::Event(event)));
                }
                if matches!(order, PaneOrder::Input(_)) {
                    self.typed = Some((id.clone(), Instant::now()));
                }
                self.panes.order(&id, order, &self.sender);
            }
            Effect::Work(id, job) => self.work(id, job),
            Effect::Cancel(id) => {
                if let Some((_, cancel)) = self.cancels.get(&id) {
                    cancel.cancel();
                }
            }
            Effect::CancelFor(chat) => {
                let of_chat = self.cancels.values().filter(|(of, _)| of.as_ref() == Some(&chat));
                of_chat.for_each(|(_, cancel)| cancel.cancel());
            }
            Effect::WakeAt(when) => {
                let ms = when.ms_since(clock::now());
                self.wakes.insert(Instant::now() + Duration::from_millis(ms + 1));
            }
            Effect::Alarm(at) => self.alarm.set(at),
            Effect::Bye(client, why) => {
                if let Some(client) = self.clients.remove(&client) {
                    // A client that does not read its end is gone already.
                    let _ = client.messages.try_send(Message::Bye { why, exit: 0 });
                }
            }
            Effect::Ring(client) => {
                // A stalled client's queue is kept for frames, whatever rings meanwhile.
                if let Some(client) = self.clients.get(&client).filter(|c| c.picture.is_ready()) {
                    let bell = Message::Frame {
                        number: 0,
                        bytes: b"\x07".to_vec(),
                    };
                    // A bell that comes too late is none.
                    let _ = client.messages.try_send(bell);
                }
            }
            Effect::Clipboard(client, text) => {
                if let Some(client) = self.clients.get_mut(&client) {
                    client.picture.set_clipboard(&text);
                }
            }
            Effect::Progress(call, message) => {
                if let Some(progress) = self.progress.get(&call) {
                    progress.report(0, None, message);
                }
            }
            Effect::Shutdown => self.ending = true,
        }
    }

    fn reply(&mut self, call: CallId, answer: Result<Value, Problem>) {
        self.streams.remove(&call);
        self.progress.remove(&call);
        if let Some(waiting) = self.answers.remove(&call) {
            // Whoever asked may have gone.
            let _ = waiting.send(answer);
        }
    }

    fn abandoned(&mut self, call: CallId) {
        self.answers.remove(&call);
        self.streams.remove(&call);
        self.progress.remove(&call);
        self.hooks.remove(&call);
        self.update(Event::Caller(call, Caller::Gone));
    }

    fn work(&mut self, id: WorkId, job: Work) {
        let job = match job {
            Work::Journal(order) => {
                if let Err(problem) = self.journals.take(id, order) {
                    self.sender
                        .send(Inbound::Event(Event::Done(id, Outcome::Failed(problem))));
                }
                return;
            }
            job => job,
        };
        if let Work::Read(Read::Screen { chat, ansi, scrollback }) = &job
            && self.panes.read(chat, *ansi, *scrollback, id, &self.sender)
        {
            return;
        }
        let call = job.call();
        let ticket = work::Ticket {
            hands: self.hands.clone(),
            journals: self.journals.clone(),
            sender: self.sender.clone(),
            cancel: crate::git::CancelFlag::default(),
            progress: call.and_then(|call| self.progress.get(&call).cloned()),
            stream: call.and_then(|call| self.streams.get(&call).cloned()),
        };
        self.cancels
            .insert(id, (job.opens_for().cloned(), ticket.cancel.clone()));
        work::start(id, job, ticket);
    }

    /// Tells clients, ends agents, and returns when nothing runs any more.
    async fn end(self) {
        for client in self.clients.into_values() {
            let why = "the engine was ended; your chats are on disk: run parlour again".to_string();
            // A client that is gone needs no word.
            let _ = client.messages.try_send(Message::Bye { why, exit: 0 });
        }
        self.cancels.values().for_each(|(_, cancel)| cancel.cancel());
        let (panes, recorder) = (self.panes, self.recorder);
        // The agents are stopped by their threads; the loop has nothing else to do meanwhile.
        let closed = tokio::task::spawn_blocking(move || {
            panes.close();
            recorder.into_iter().for_each(Recorder::close);
        })
        .await;
        if closed.is_err() {
            tracing::error!("ending the agents failed; their supervisors end them");
        }
    }
}
