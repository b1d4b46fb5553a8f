//! The loop: one task that owns all state, takes events in, and hands effects out.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::Event as Input;
use serde_json::json;
use tokio::time::Instant;

use super::clock;
use crate::domain::event::{Attached, Caller, ClientEvent, DiskEvent, Outcome, PtyEvent};
use crate::domain::work::Read;
use crate::domain::{Effect, Event, PaneOrder, Work};
use crate::model::request::{EngineRequest, Request};
use crate::model::{CallId, ChatId, ClientId, PaneId, Problem, WorkId};
use crate::screen::State;
use crate::term::{Copied, Screen};
use crate::{app, sys};

use super::client_screen::ClientScreen;
use super::inbound::{self, ClientLink, Inbound, InboundLanes, Sender};
use super::journals::Journals;
use super::notifier;
use super::panes::{self, Panes};
use super::peer::Authors;
use super::recorder::Recorder;
use super::services::Services;
use super::signals::AgentSignals;
use super::tmux;
use super::work;

mod calls;
mod ended_panes;
mod ending;
mod frames;
mod timers;

use calls::OpenCalls;
use frames::ClientFrames;
use timers::Timers;

/// A frame of 60 a second is 16 ms.
const SLOW: Duration = Duration::from_millis(4);

/// How long what was asked is worked on before the loop looks again for keys. At least one is.
const ASKED_FOR: Duration = Duration::from_millis(2);

/// Everything the loop holds beside state: what can't be plain data.
pub struct Core {
    state: State,
    services: Arc<Services>,
    journals: Journals,
    panes: Panes,
    /// Chats whose agent does not run and whose terminal is kept, or asked for, only as long as somebody looks at it.
    resting: BTreeSet<ChatId>,
    /// Screens of agents that are drawn first and then read for what they tell of them: an echo does not wait for that.
    unread: BTreeMap<ChatId, Arc<Screen>>,
    signals: AgentSignals,
    frames: ClientFrames,
    calls: OpenCalls,
    /// How running work is told to stop, and for which chat it opens something.
    cancels: BTreeMap<WorkId, (Option<ChatId>, crate::git::CancelFlag)>,
    authors: Authors,
    sender: Sender,
    timers: Timers,
    ending: bool,
    recorder: Option<Recorder>,
    /// The themes that people try at this moment: their screens are drawn in these.
    previewed: BTreeMap<ClientId, Option<String>>,
}

impl Core {
    pub fn new(
        state: State,
        services: Arc<Services>,
        journals: Journals,
        authors: Authors,
        sender: Sender,
        recorder: Option<Recorder>,
    ) -> Core {
        let signals = AgentSignals::new(services.clone(), journals.backlog(), sender.clone());
        Core {
            state,
            services,
            journals,
            panes: Panes::default(),
            resting: BTreeSet::new(),
            unread: BTreeMap::new(),
            signals,
            frames: ClientFrames::new(),
            calls: OpenCalls::default(),
            cancels: BTreeMap::new(),
            authors,
            sender,
            timers: Timers::new(),
            ending: false,
            recorder,
            previewed: BTreeMap::new(),
        }
    }

    /// Runs until it is told to end, then ends every agent.
    pub async fn run(mut self, mut inbox: InboundLanes) {
        while !self.ending {
            let deadline = self.deadline();
            let due = async {
                match deadline {
                    Some(deadline) => tokio::time::sleep_until(deadline).await,
                    None => std::future::pending().await,
                }
            };
            let inbound = tokio::select! {
                biased;
                inbound = inbox.said.recv() => inbound,
                inbound = inbox.asked.recv() => inbound,
                () = self.timers.alarm.ring() => Some(Inbound::Event(Event::Clock(clock::now()))),
                () = due => Some(self.tick()),
            };
            let Some(inbound) = inbound else { break };
            self.tell_time();
            self.take_timed(inbound);
            self.take_waiting(&mut inbox);
            self.authors.follow(&self.state);
            self.draw();
            self.read_screens();
            self.let_go();
        }
        inbound::close(inbox);
        self.end().await;
    }

    /// What has come meanwhile is taken before anything is drawn, but a flood holds up neither the screen nor the clock.
    fn take_waiting(&mut self, inbox: &mut InboundLanes) {
        for _ in 0..64 {
            match inbox.said.try_recv() {
                Ok(inbound) => self.take_timed(inbound),
                Err(_) => break,
            }
        }
        let began = Instant::now();
        while let Ok(inbound) = inbox.asked.try_recv() {
            self.take_timed(inbound);
            if began.elapsed() >= ASKED_FOR {
                break;
            }
        }
        if self.deadline().is_some_and(|deadline| deadline <= Instant::now()) {
            let tick = self.tick();
            self.take_timed(tick);
        }
    }

    fn deadline(&self) -> Option<Instant> {
        [self.frames.deadline(), self.timers.next()].into_iter().flatten().min()
    }

    /// A deadline has come. The clock is an event like any other.
    fn tick(&mut self) -> Inbound {
        let now = Instant::now();
        self.timers.drop_past(now);
        self.frames.age(now);
        Inbound::Event(Event::Clock(clock::now()))
    }

    /// State's clock stands still between events; each batch of them sets it first.
    fn tell_time(&mut self) {
        self.state.domain.tell_time(clock::now());
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
                let heard = self.signals.composer(&self.state, &chat, &screen, true);
                heard.into_iter().for_each(|event| self.update(event));
            }
            Inbound::Seen(..) => {}
            Inbound::Hold(id, run, pane) => {
                self.keep_ended(&id);
                self.panes.hold(id, run, pane);
                self.panes.share_history(&self.state.domain.disk.settings.limits);
            }
            Inbound::Follow(chat, stream, read_offset) => self.signals.follow(&self.state, chat, *stream, read_offset),
            Inbound::Followed(chat) => {
                let heard = self.signals.followed(&self.state, &chat);
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
                self.calls.open_request(call, answer, stream);
                if request == Request::Engine(EngineRequest::Status) {
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
                self.calls.open_hook(call, answer, chat.clone(), hook.event.clone());
                let events = self.signals.understand(&self.state, &chat, &hook);
                let told = Event::Hook(call, chat.clone(), events);
                if let Some(told) = self.signals.after_transcripts(chat, told) {
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
                self.calls.open_tool(call, answer, progress);
                self.update(Event::Tool(call, chat, tool));
            }
            Inbound::Unheard(call) => self.update(Event::Caller(call, Caller::CallsAgain)),
            Inbound::Abandoned(call) => self.abandoned(call),
            Inbound::Attach { client, attached, link } => self.attach(client, attached, link),
            Inbound::Acked(client, number) => self.frames.acked(client, number),
            Inbound::Touched(path) => self.signals.touched(path),
            Inbound::Stop => self.ending = true,
        }
    }

    fn pane(&mut self, id: PaneId, event: PtyEvent) {
        if matches!(event, PtyEvent::Screen(_)) {
            self.frames.changed(&id);
        }
        let heard = match (&id, &event) {
            (PaneId::Agent(chat), PtyEvent::Screen(screen)) => {
                self.unread.insert(chat.clone(), screen.clone());
                Vec::new()
            }
            (PaneId::Agent(chat), _) => {
                // What it showed before comes before what it says now.
                if let Some(screen) = self.unread.remove(chat) {
                    self.read_screen(chat, screen);
                }
                self.signals.pane(&self.state, chat, &event)
            }
            (PaneId::Side(number), PtyEvent::Screen(_)) => {
                self.signals.front(&self.state, *number).into_iter().collect()
            }
            (PaneId::Side(_), _) => Vec::new(),
        };
        if let Some(event) = self.signals.in_turn(id, event) {
            self.update(event);
        }
        heard.into_iter().for_each(|event| self.update(event));
    }

    fn read_screens(&mut self) {
        while let Some((chat, screen)) = self.unread.pop_first() {
            self.read_screen(&chat, screen);
        }
    }

    /// Hears what the screen of this agent tells.
    fn read_screen(&mut self, chat: &ChatId, screen: Arc<Screen>) {
        let heard = self.signals.pane(&self.state, chat, &PtyEvent::Screen(screen));
        heard.into_iter().for_each(|event| self.update(event));
    }

    fn update(&mut self, event: Event) {
        let mut coloured = None;
        if let Event::Client(client, said) = &event {
            match said {
                ClientEvent::Gone => self.frames.remove(*client),
                ClientEvent::Input(input) => {
                    self.frames.heard(*client);
                    if matches!(input, Input::Resize(..)) {
                        self.frames.redraw(*client);
                    }
                }
                ClientEvent::Coloured(colours) => coloured = Some(*colours),
                ClientEvent::Attached(_) | ClientEvent::Read(_) => {}
            }
        }
        if let Event::Done(work, _) = &event {
            self.cancels.remove(work);
        }
        if let Event::Pty(PaneId::Agent(chat), PtyEvent::Said(said)) = &event
            && said.is_end()
        {
            self.resting.insert(chat.clone());
        }
        let settings_came = matches!(event, Event::Disk(DiskEvent::Settings(_)));
        if let Some(recorder) = &mut self.recorder {
            recorder.record(&self.state.domain, &event);
        }
        let changes_settings = matches!(event, Event::Done(_, Outcome::Setting(_)));
        let mut effects = app::begin(&mut self.state, event);
        self.hurry(&mut effects);
        app::finish(&mut self.state, &mut effects);
        if settings_came || changes_settings {
            self.services.set_settings(&self.state.domain.disk.settings);
            self.panes.share_history(&self.state.domain.disk.settings.limits);
            self.choose_themes();
        } else if self.state.previewed_themes() != self.previewed {
            self.choose_themes();
        }
        if let Some(colours) = coloured {
            self.panes.set_palette(panes::palette(colours));
            self.choose_themes();
        }
        self.frames.mark_stale();
        for effect in effects {
            self.carry_out(effect);
        }
    }

    /// Keys reach their program, and their echo the screen, before the rest of an update.
    fn hurry(&mut self, effects: &mut Vec<Effect>) {
        let is_key = |effect: &Effect| matches!(effect, Effect::Pane(_, PaneOrder::Input(_)));
        let other = effects.iter().position(|effect| !is_key(effect));
        let keys: Vec<Effect> = effects.drain(..other.unwrap_or(effects.len())).collect();
        keys.into_iter().for_each(|key| self.carry_out(key));
        self.frames.echo(&self.state);
    }

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Reply(call, answer) => self.calls.reply(call, answer),
            Effect::Rule(call, answer) => {
                let asked = self.calls.take_hook(call);
                let said = asked.map(|(chat, event)| self.signals.answer(&self.state, &chat, &event, &answer));
                self.calls.reply(call, Ok(said.unwrap_or_else(|| json!({}))));
            }
            Effect::Answer(chat, answer) => self.signals.reply(&chat, answer),
            Effect::Stream(call, value) => {
                // A follower that does not keep up is let go rather than waited for.
                let stream = self.calls.stream(call);
                if stream.is_some_and(|stream| stream.try_send(value).is_err()) {
                    let hint = "follow again with --after and the last number that was read";
                    let problem = Problem::busy("following the transcript", "the reader did not keep up", hint);
                    self.calls.reply(call, Err(problem));
                    self.abandoned(call);
                }
            }
            Effect::Pane(id, order) => {
                if let (PaneOrder::Look, PaneId::Agent(chat)) = (&order, &id) {
                    let seen = self.signals.glance(&self.state, chat).into_iter();
                    seen.for_each(|event| self.sender.send(Inbound::Event(event)));
                }
                if let (PaneOrder::Look, PaneId::Side(number)) = (&order, &id) {
                    let seen = self.signals.front(&self.state, *number).into_iter();
                    seen.for_each(|event| self.sender.send(Inbound::Event(event)));
                    return;
                }
                if matches!(order, PaneOrder::Input(_)) {
                    self.frames.typed_into(&id);
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
                self.timers.wake_after(Duration::from_millis(ms + 1));
            }
            Effect::Alarm(at) => self.timers.alarm.set(at),
            Effect::Bye(client, why) => self.frames.say_bye(client, why),
            Effect::Ring(client) => self.frames.ring(client),
            Effect::Redraw(client) => self.frames.redraw(client),
            Effect::Alert(client, alert) => {
                let set = self.state.domain.disk.settings.notify.terminal;
                self.frames.alert(client, &alert, set);
            }
            Effect::Notify { command, alert } => notifier::run(command, alert, self.services.home.path()),
            Effect::CopyDrawn(client, wanted) => {
                let text = self.frames.drawn(client, &wanted);
                let read = ClientEvent::Read(Copied { text, cut: false });
                self.sender.send(Inbound::Event(Event::Client(client, read)));
            }
            Effect::Clipboard(client, text) => {
                if let Some(view) = self.state.views.get(&client) {
                    tmux::copy(&view.client.env, &text);
                }
                self.frames.set_clipboard(client, &text);
            }
            Effect::Progress(call, message) => {
                if let Some(progress) = self.calls.progress(call) {
                    progress.report(0, None, message);
                }
            }
            Effect::Shutdown => self.ending = true,
        }
    }

    fn abandoned(&mut self, call: CallId) {
        self.calls.forget(call);
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
        let context = work::WorkContext {
            services: self.services.clone(),
            journals: self.journals.clone(),
            sender: self.sender.clone(),
            cancel: crate::git::CancelFlag::default(),
            progress: call.and_then(|call| self.calls.progress(call).cloned()),
            stream: call.and_then(|call| self.calls.stream(call).cloned()),
        };
        self.cancels
            .insert(id, (job.opens_for().cloned(), context.cancel.clone()));
        work::start(id, job, context);
    }

    fn attach(&mut self, client: ClientId, attached: Attached, link: ClientLink) {
        let size = ratatui::layout::Size::new(attached.size.cols, attached.size.rows);
        let named = self.state.domain.disk.settings.theme.as_deref();
        let theme = self.services.theme(named, attached.colours, attached.no_color);
        if let Some(colours) = attached.colours {
            self.panes.set_palette(panes::palette(colours));
        }
        let screen = ClientScreen::new(size, theme, attached.depth);
        self.frames.add(client, screen, link, notifier::taken_by(&attached.env));
        self.update(Event::Client(client, ClientEvent::Attached(attached)));
    }

    fn choose_themes(&mut self) {
        self.previewed = self.state.previewed_themes();
        let set = &self.state.domain.disk.settings.theme;
        let views = &self.state.views;
        let theme_of = |id| {
            let view = views.get(&id)?;
            let named = self.previewed.get(&id).unwrap_or(set);
            Some(
                self.services
                    .theme(named.as_deref(), view.client.colours, view.client.no_color),
            )
        };
        self.frames.set_themes(theme_of);
    }

    fn draw(&mut self) {
        if self.frames.draw(&self.state) {
            let watched = self.state.watched();
            self.show_records(&watched);
            if self.panes.want(&watched) {
                self.panes.share_history(&self.state.domain.disk.settings.limits);
            }
        }
    }
}
