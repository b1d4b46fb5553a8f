//! What is heard of agents beside their own words: titles, screens, session files, transcripts, the foreground of a
//! terminal. Adapters say what it means; this says when to ask them.
//!
//! Files are read on a thread of their own, and only when they changed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{SendError, Sender as Orders, channel};

use serde_json::{Value, json};

use crate::agents::{self, Adapter, EventStream, RequestRetry};
use crate::domain::Event;
use crate::domain::agent::state::Agent;
use crate::domain::auxiliary::{AuxiliaryProgram, Side};
use crate::domain::event::{Observed, PtyEvent};
use crate::model::{
    Activity, Capabilities, ChatId, Composer, Glance, Happened, HookAnswer, HookCall, HookEvent, PaneEvent, PaneId,
    Ready, ServerAnswer, Signal, Source, WorkId,
};
use crate::screen::State;
use crate::store::ReadOffset;
use crate::sys::{self, Foreground};
use crate::term::Screen;

use super::clock::now;
use super::event_stream::FollowedStream;
use super::inbound::Sender;
use super::journals::Backlog;
use super::services::Services;
use super::transcript_reader::{ReadKind, Reader, ReaderOrder};

pub struct AgentSignals {
    orders: Orders<ReaderOrder>,
    /// What is listened to for each chat.
    files: HashMap<ChatId, Vec<PathBuf>>,
    /// What follows the server of a live agent; ends when it is dropped.
    streams: HashMap<ChatId, FollowedStream>,
    sender: Sender,
}

impl AgentSignals {
    pub fn new(services: Arc<Services>, backlog: Backlog, sender: Sender) -> AgentSignals {
        let (orders, inbox) = channel();
        let to_loop = sender.clone();
        let started = std::thread::Builder::new()
            .name("agent-signals".into())
            .spawn(move || Reader::new(services, backlog, to_loop).run(&inbox));
        if let Err(error) = started {
            tracing::error!("agents' files will not be read: {error}");
        }
        AgentSignals {
            orders,
            files: HashMap::new(),
            streams: HashMap::new(),
            sender,
        }
    }

    /// A hook in the words of its CLI, understood. One that names another CLI than the chat's is odd.
    pub fn understand(&mut self, state: &State, chat: &ChatId, call: &HookCall) -> Vec<HookEvent> {
        let Some(adapter) = self.adapter(state, chat).filter(|adapter| adapter.name() == call.agent) else {
            let why = format!("a hook of {} came for a chat that runs another agent", call.agent);
            return vec![HookEvent::Odd { why }];
        };
        if let Some(agent) = state.domain.live.agents.get(chat) {
            // A CLI makes the folders of both with its first session: what was not there at its start is there now.
            let session_file = agent.pid().and_then(|pid| adapter.session_file(pid, &agent.env));
            self.listen_once(state, chat, session_file, ReadKind::SessionFile);
            let transcript = adapter.transcript(call, &agent.env);
            let own = transcript.filter(|path| !is_of_its_parent(state, chat, path));
            self.listen_once(state, chat, own, ReadKind::Transcript);
        }
        adapter.hook(call)
    }

    /// An answer to a hook, in the words of its CLI.
    pub fn answer(&self, state: &State, chat: &ChatId, event: &str, answer: &HookAnswer) -> Value {
        match self.adapter(state, chat) {
            Some(adapter) => adapter.hook_answer(event, answer),
            None => json!({}),
        }
    }

    /// Gives what a hook tells to the loop behind what the agent's transcripts say by now, which was written before.
    /// Gives it back where nobody reads transcripts.
    pub fn after_transcripts(&self, chat: ChatId, told: Event) -> Option<Event> {
        match self.orders.send(ReaderOrder::Then(chat, told)) {
            Err(SendError(ReaderOrder::Then(_, told))) => Some(told),
            Ok(()) | Err(_) => None,
        }
    }

    /// What a terminal says, as the loop is to hear it: an agent's end comes behind what its transcript says by then, and
    /// is not given back where that is read first.
    pub fn in_turn(&self, id: PaneId, event: PtyEvent) -> Option<Event> {
        let ends = matches!(event, PtyEvent::Said(PaneEvent::Exited { .. }));
        match &id {
            PaneId::Agent(chat) if ends => {
                let chat = chat.clone();
                self.after_transcripts(chat, Event::Pty(id, event))
            }
            PaneId::Agent(_) | PaneId::Side(_) => Some(Event::Pty(id, event)),
        }
    }

    /// What a terminal's event says beside itself.
    pub fn pane(&mut self, state: &State, chat: &ChatId, event: &PtyEvent) -> Vec<Event> {
        let mut heard = self.shown(state, chat, event);
        if let PtyEvent::Screen(screen) = event {
            heard.extend(self.composer(state, chat, screen, false));
        }
        heard
    }

    /// What the composer shows, where a prompt is for it.
    pub fn composer(&self, state: &State, chat: &ChatId, screen: &Screen, asked: bool) -> Option<Event> {
        let agent = state.domain.live.agents.get(chat);
        let agent = agent.filter(|agent| !agent.outbox.is_empty())?;
        let adapter = self.adapter(state, chat)?;
        let is_all = |capabilities: &Capabilities| capabilities.ready == Ready::Screen;
        let mut composer = adapter.read_composer(screen);
        let text = match composer.is_none() && agent.capabilities.as_ref().is_some_and(is_all) {
            true => screen.text(),
            false => String::new(),
        };
        // What it showed when it was judged last may be half a second old.
        if asked && !text.is_empty() && agent.outbox.typing.is_none() && adapter.read_screen(&text).is_none() {
            composer = Some(Composer::Absent);
        }
        let glance = Glance {
            composer,
            pastes: screen.modes.bracketed_paste,
            asked,
            text,
        };
        Some(Event::Observed(chat.clone(), Observed::Composer(glance)))
    }

    fn shown(&mut self, state: &State, chat: &ChatId, event: &PtyEvent) -> Vec<Event> {
        let Some(agent) = state.domain.live.agents.get(chat) else {
            return Vec::new();
        };
        let Some(adapter) = self.adapter(state, chat) else {
            return Vec::new();
        };
        match event {
            PtyEvent::Said(PaneEvent::Started { pid }) => {
                let path = adapter.session_file(*pid, &agent.env);
                self.listen_once(state, chat, path, ReadKind::SessionFile);
                self.listen_to_own(state, chat, adapter);
                let read_up = Event::Observed(chat.clone(), Observed::ReadUp);
                self.after_transcripts(chat.clone(), read_up).into_iter().collect()
            }
            PtyEvent::Said(PaneEvent::Exited { .. }) | PtyEvent::Said(PaneEvent::FailedToStart { .. }) => {
                self.files.remove(chat);
                self.streams.remove(chat);
                // The thread ends with the loop, never before it.
                let _ = self.orders.send(ReaderOrder::Forget(chat.clone()));
                Vec::new()
            }
            PtyEvent::Said(PaneEvent::Title(title)) => {
                let said = adapter
                    .read_title(title)
                    .map(|activity| (adapter.title_source(), activity));
                signal(chat, said, format!("title {title}"))
            }
            PtyEvent::Screen(screen) => match agent.capabilities.as_ref().map(|capabilities| capabilities.ready) {
                Some(Ready::Foreground) => self.glance(state, chat),
                Some(Ready::Screen) => {
                    let (activity, because) = match adapter.read_screen(&screen.text()) {
                        Some(activity) => (activity, "its screen"),
                        // It waits for nothing that is known, and must not count as idle.
                        None => (Activity::Busy(None), "no prompt on its screen"),
                    };
                    // Its folder may have come with its first words.
                    self.listen_to_own(state, chat, adapter);
                    let rests = activity == Activity::Idle && !agent.verdict.status.is_idle();
                    let heard = signal(chat, Some((Source::Screen, activity)), because.into());
                    // The last words of its turn were written before.
                    let told = |event| match rests {
                        true => self.after_transcripts(chat.clone(), event),
                        false => Some(event),
                    };
                    heard.into_iter().filter_map(told).collect()
                }
                Some(Ready::Composer) if !agent.session_began => {
                    let said = adapter.read_screen(&screen.text());
                    signal(
                        chat,
                        said.map(|activity| (Source::Screen, activity)),
                        "what it shows before its session".into(),
                    )
                }
                Some(Ready::Hooks) if !agent.session_began => match adapter.read_screen(&screen.text()) {
                    // What is typed before its server is heard would have no evidence, and be entered again and again.
                    Some(Activity::Idle) if !self.streams.get(chat).is_none_or(FollowedStream::is_heard) => {
                        let drawn = Some((Source::Screen, Activity::Starting));
                        signal(chat, drawn, "its prompt is drawn, and its server not heard yet".into())
                    }
                    Some(Activity::Idle) => vec![Event::Observed(chat.clone(), Observed::Ready)],
                    said => signal(
                        chat,
                        said.map(|activity| (Source::Screen, activity)),
                        "a dialog that is known".into(),
                    ),
                },
                Some(Ready::Hooks | Ready::Composer) => {
                    let said = adapter.read_retry(&screen.text());
                    let retry = said.map(|retry| Event::Observed(chat.clone(), Observed::Retry(as_told(retry))));
                    asked(agent, &*adapter, screen, chat).into_iter().chain(retry).collect()
                }
                Some(Ready::Nothing) | None => Vec::new(),
            },
            PtyEvent::View(..)
            | PtyEvent::Copied(..)
            | PtyEvent::Found(..)
            | PtyEvent::Said(_)
            | PtyEvent::Front(_)
            | PtyEvent::LetGo => Vec::new(),
        }
    }

    /// The transcripts of a CLI without hooks, and those of a session that is resumed.
    fn listen_to_own(&self, state: &State, chat: &ChatId, adapter: Box<dyn Adapter>) {
        let (Some(agent), Some(known)) = (state.domain.live.agents.get(chat), state.domain.disk.chats.get(chat)) else {
            return;
        };
        let order = ReaderOrder::ListenToOwn {
            chat: chat.clone(),
            session: known.session().unwrap_or_default().into(),
            env: agent.env.clone(),
            adapter: adapter.into(),
        };
        // The thread ends with the loop, never before it.
        let _ = self.orders.send(order);
    }

    /// Who has a shell's terminal. A command that prints nothing is seen a moment after what was typed last.
    pub fn glance(&self, state: &State, chat: &ChatId) -> Vec<Event> {
        let agent = state.domain.live.agents.get(chat);
        let is_shell = |capabilities: &Capabilities| capabilities.ready == Ready::Foreground;
        let shell = agent.filter(|agent| agent.capabilities.as_ref().is_some_and(is_shell));
        let front = shell.and_then(Agent::pid).and_then(sys::foreground);
        let said = front.map(|front| (Source::Process, at_work(front)));
        signal(chat, said, "the foreground of its terminal".into())
    }

    /// Who has the terminal of a person's shell beside an agent, if that is another than before.
    pub fn front(&self, state: &State, number: WorkId) -> Option<Event> {
        let shell = |side: &&Side| side.what == AuxiliaryProgram::Shell && side.is_live();
        let side = state.domain.live.sides.get(&number).filter(shell)?;
        let front = match sys::foreground(side.pid?)? {
            Foreground::Itself => None,
            Foreground::Command(name) => Some(name),
        };
        (front != side.front).then(|| Event::Pty(PaneId::Side(number), PtyEvent::Front(front)))
    }

    /// Listens to the server of an agent that has just been started. It may have ended already.
    pub fn follow(&mut self, state: &State, chat: ChatId, stream: EventStream, read_offset: ReadOffset) {
        if state.domain.live.is_live(&chat) {
            let following = FollowedStream::start(chat.clone(), stream, read_offset, self.sender.clone());
            self.streams.insert(chat, following);
        }
    }

    /// Gives its server the answer to what it asks about a call.
    pub fn reply(&self, chat: &ChatId, answer: ServerAnswer) {
        if let Some(stream) = self.streams.get(chat) {
            stream.reply(answer);
        }
    }

    /// Its server is heard now: a prompt that was drawn before may be typed into.
    pub fn followed(&mut self, state: &State, chat: &ChatId) -> Vec<Event> {
        let screen = state
            .domain
            .live
            .agents
            .get(chat)
            .and_then(|agent| agent.screen.clone());
        let seen = screen.map(|screen| self.pane(state, chat, &PtyEvent::Screen(screen)));
        seen.unwrap_or_default()
    }

    /// A watched file changed.
    pub fn touched(&self, path: PathBuf) {
        // The thread ends with the loop, and then nobody needs to hear.
        let _ = self.orders.send(ReaderOrder::Touched(path));
    }

    fn adapter(&self, state: &State, chat: &ChatId) -> Option<Box<dyn Adapter>> {
        let llm = &state.domain.disk.chats.get(chat)?.record.llm;
        agents::find(llm, &state.domain.disk.settings)
    }

    /// Listens to a file that is not listened to yet, as soon as its folder is there.
    fn listen_once(&mut self, state: &State, chat: &ChatId, path: Option<PathBuf>, what: ReadKind) {
        let known = |path: &PathBuf| self.files.get(chat).is_some_and(|files| files.contains(path));
        let Some(path) = path.filter(|path| !known(path) && path.parent().is_some_and(Path::is_dir)) else {
            return;
        };
        self.listen(state, chat, path, what);
    }

    /// Reads a file now, and again whenever it changes.
    fn listen(&mut self, state: &State, chat: &ChatId, path: PathBuf, what: ReadKind) {
        let Some(adapter) = self.adapter(state, chat) else {
            return;
        };
        self.files.entry(chat.clone()).or_default().push(path.clone());
        let order = ReaderOrder::Listen {
            chat: chat.clone(),
            path,
            what,
            adapter: adapter.into(),
        };
        // The thread ends with the loop, never before it.
        let _ = self.orders.send(order);
    }
}

/// A forked session is told of by its parent's name until its first prompt, and what is said there is another chat's.
fn is_of_its_parent(state: &State, chat: &ChatId, transcript: &Path) -> bool {
    let known = state.domain.disk.chats.get(chat);
    let parent = known.and_then(|known| known.record.origin.forked.as_ref());
    let name = transcript.file_stem().unwrap_or_default().to_string_lossy();
    parent.is_some_and(|parent| name.ends_with(parent.as_str()))
}

fn as_told(retry: RequestRetry) -> Happened {
    Happened::Retry {
        message: retry.message,
        attempt: retry.attempt,
        attempts: Some(retry.attempts),
        until: retry
            .seconds
            .map(|seconds| now().plus_ms(seconds.saturating_mul(1_000))),
    }
}

/// A shell at its prompt has its terminal to itself; while a command runs, that command has it.
fn at_work(front: Foreground) -> Activity {
    match front {
        Foreground::Itself => Activity::Idle,
        Foreground::Command(name) => Activity::Busy(Some(name)),
    }
}

/// A dialog that only its screen tells of. Once it is gone, its title says how the agent stands.
fn asked(agent: &Agent, adapter: &dyn Adapter, screen: &Screen, chat: &ChatId) -> Vec<Event> {
    if !agent.capabilities.as_ref().is_some_and(|known| known.asks_on_screen) {
        return Vec::new();
    }
    let is_covered = adapter.read_composer(screen) == Some(Composer::Absent);
    let dialog = adapter.read_dialog(&screen.text()).filter(|_| is_covered);
    let title = || {
        agent
            .signals
            .get(&adapter.title_source())
            .map(|title| title.activity.clone())
    };
    let said = dialog.or_else(|| agent.is_asked_on_screen().then(title).flatten());
    signal(
        chat,
        said.map(|activity| (Source::Screen, activity)),
        "a dialog that is known".into(),
    )
}

fn signal(chat: &ChatId, said: Option<(Source, Activity)>, because: String) -> Vec<Event> {
    let heard = |(source, activity)| {
        let at = now();
        let signal = Signal {
            source,
            activity,
            because: crate::model::text::one_line(&because, 80),
            at,
        };
        Event::Observed(chat.clone(), Observed::Signals(vec![signal]))
    };
    said.map(heard).into_iter().collect()
}
