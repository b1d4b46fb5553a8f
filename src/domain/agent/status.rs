//! Judging what an agent does, from everything that is heard of it.
//!
//! Each source has holes: hooks say nothing of an interrupt, a session file is undocumented, a title is a hint. So
//! the newest word counts, a weak source only where the strong ones have been silent since, and what no source
//! tells is `unknown`, never `idle`.

use crate::domain::call::{WAIT_FOR, called};
use crate::domain::effect::{Effect, PaneOrder};
use crate::domain::notice::Upward;
use crate::domain::state::Domain;
use crate::domain::{chat, opening};
use crate::model::status::{IN_BACKGROUND, INTERRUPTED, STOPPING};
use crate::model::{Activity, Capabilities, ChatId, Happened, Ready, Signal, Source, Status, Timestamp};

use super::state::{Agent, ENDED, Process, StatusVerdict};
use super::{alert, delivery};

/// A title or screen counts when it is this much newer than what hooks and files say: they tell of the same change
/// up to a moment later.
const WEAK_AFTER_MS: u64 = 1_500;

/// By then a CLI has drawn a dialog that it tells of.
const DRAWN_MS: u64 = 500;

/// Judges again; where the status changed, writes it down and lets go on who waited for it.
pub fn reassess(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let (now, zone) = (state.now, state.live.facts.zone);
    let watched = state.live.attention.seen.contains(chat);
    let known = state.disk.chats.get(chat);
    let (is_shell, seq) = known.map_or((false, 0), |chat| (chat.is_shell(), chat.seq));
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    if let Some(trouble) = &mut agent.turn.trouble {
        trouble.date(now, zone);
    }
    let next = agent
        .comes_next_until(now)
        .into_iter()
        .chain(agent.turn.sub_agents.until(now));
    let next = next.min().map(Effect::WakeAt);
    let verdict = judge(agent, now);
    if verdict == agent.verdict {
        return next.into_iter().collect();
    }
    let before = std::mem::replace(&mut agent.verdict, verdict.clone());
    // A shell has no turns: whoever ends it while a program runs there wants both to end.
    if agent.is_live() && !is_shell {
        agent.follows_turn();
    }
    if before.status == verdict.status {
        return next.into_iter().collect();
    }
    let began = std::mem::replace(&mut agent.since, now);
    agent.settles(&before.status, now);
    let is_looked_at = agent
        .capabilities
        .as_ref()
        .is_some_and(|capabilities| capabilities.shows_retries || capabilities.asks_on_screen);
    let may_retry = matches!(verdict.status, Status::Running(None) | Status::Retrying(_));
    let look_in_ms = match is_looked_at && may_retry {
        true => Some(agent.looks_for_retries_after(now)),
        false => agent.looks_for_dialogs_after(),
    };
    let rests = came_to_rest(&before.status, &verdict.status);
    if rests {
        agent.rest.behind = seq;
    }
    // Who had it stopped knows of its end.
    let is_news = rests && agent.at_end.is_empty() && !agent.turn.broken.is_known && agent.was_asked();
    if is_news && !watched {
        state.live.unseen.insert(chat.clone());
    }
    // A shell says nothing else of what it does.
    let mut note = None;
    if let Status::Running(Some(name)) = &before.status
        && is_shell
        && verdict.status.is_idle()
    {
        let text = agent.shell.ended(name, began);
        note = Some(Happened::Note { text });
    }
    match (&before.status, &verdict.status) {
        (Status::Running(_), Status::Running(_)) => agent.shell.goes_on(),
        (_, Status::Running(_)) => agent.shell.began(),
        (..) => {}
    }
    let happened = Happened::Status {
        status: verdict.status.word().into(),
        detail: verdict.status.detail().into(),
        cause: verdict.because,
    };
    if ends_turn(&before.status, &verdict.status) {
        state.live.reviews.rested.insert(chat.clone());
    }
    state.upward.push(Upward::StatusChanged(chat.clone()));
    let told = [happened].into_iter().chain(note).collect();
    let mut effects = chat::append(state, chat, told);
    effects.extend(alert::tell(state, chat, &before.status));
    effects.extend(look_in_ms.map(|ms| Effect::WakeAt(now.plus_ms(ms))));
    effects.extend(next);
    effects.extend(look_at_dialog(state, chat));
    effects.extend(delivery::pump(state, chat));
    effects
}

/// What its CLI asks in a dialog of its own only its screen tells: that is kept for who answers, now and once the dialog
/// has been drawn.
fn look_at_dialog(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let now = state.now;
    let agent = state.live.agents.get_mut(chat).filter(|agent| agent.asks_there());
    let Some(agent) = agent.filter(|agent| agent.turn.questions().next().is_none()) else {
        return Vec::new();
    };
    (agent.stirred, agent.looked) = (true, now);
    let again = Effect::WakeAt(now.plus_ms(DRAWN_MS));
    vec![Effect::Pane(chat.clone().into(), PaneOrder::Look), again]
}

impl Agent {
    /// Its CLI shows a dialog, or may show one.
    pub fn asks_there(&self) -> bool {
        matches!(self.verdict.status, Status::NeedsYou(_)) && matches!(self.process, Process::Running { .. })
    }

    /// How long its screen is left alone that may show a retry. Behind the time of one, the request may have been refused
    /// once more.
    pub(super) fn looks_for_retries_after(&self, now: Timestamp) -> u64 {
        let told = self.signals.get(&Source::Transcript).map(|signal| &signal.activity);
        if let (Some(Activity::Retrying { until, .. }), Status::Running(None)) = (told, &self.verdict.status)
            && now.ms_since(*until) < RETRIED_MS
        {
            return RETRIED_EVERY_MS;
        }
        RETRIES_EVERY_MS
    }

    /// It runs a person's own shell.
    pub(super) fn is_shell(&self) -> bool {
        let by_foreground = |known: &Capabilities| known.ready == Ready::Foreground;
        self.capabilities.as_ref().is_some_and(by_foreground)
    }

    /// The program that is at work in a person's shell.
    pub(super) fn program_in_shell(&self) -> Option<String> {
        let Status::Running(name) = &self.verdict.status else {
            return None;
        };
        name.clone().filter(|_| self.is_shell())
    }

    /// Of one that its screen alone tells of, what it did before is its start: it has done nothing for anybody.
    pub(super) fn was_asked(&self) -> bool {
        let by_screen = |known: &Capabilities| known.ready == Ready::Screen;
        self.quiescence.asked || !self.capabilities.as_ref().is_some_and(by_screen)
    }

    /// Until when an idle agent goes on by itself, with a prompt that was typed ahead. Later it does not.
    fn comes_next_until(&mut self, now: Timestamp) -> Option<Timestamp> {
        let until = self.turn.comes_next_until()?;
        if self.turn.over.is_some() && now >= until {
            self.turn.ahead.forget();
        }
        Some(until).filter(|until| now < *until)
    }

    /// Whether its end would cut a turn off. Its next turn makes good for one that was.
    fn follows_turn(&mut self) {
        let status = &self.verdict.status;
        if let Some(in_turn) = Status::is_in_turn(status.word(), status.detail()) {
            self.in_turn = in_turn;
            self.interrupted = self.interrupted && status.is_idle();
        }
    }

    /// It has ended, and its conversation was gone back in: this is how the turn ended that is the last one now.
    pub fn goes_back(&mut self, was_cut: bool, failed: Option<String>) {
        self.interrupted = was_cut;
        self.turn.leaves(failed);
        self.signals
            .retain(|_, signal| !matches!(signal.activity, Activity::Failed(_)));
    }

    /// Its process is gone. What is to be told where that cut a turn off.
    pub fn breaks_off(&mut self, why: &str) -> Option<Happened> {
        let cut = self.in_turn && !self.interrupted;
        self.interrupted |= self.in_turn;
        let cause = format!("the agent's process ended during its turn: {why}");
        cut.then_some(Happened::Interrupt { cause })
    }
}

impl Domain {
    /// What failed in its agent's last turn, all of it or the last command, in words.
    pub fn what_failed(&self, chat: &ChatId) -> Option<String> {
        match (self.live.agents.get(chat), self.disk.chats.get(chat)) {
            (Some(agent), _) => agent.what_failed(),
            (None, known) => known?.failed.clone(),
        }
    }

    /// `not logged in: codex login`, with what helps behind it.
    fn login_lacking(&self, chat: &ChatId) -> String {
        let lacking = self.status(chat).in_plain_words();
        match self.login_command(chat) {
            Some(command) => format!("{lacking}: {command}"),
            None => lacking.into(),
        }
    }

    /// By which a person logs in to its CLI: in a shell, or where that has none in the agent's terminal.
    pub fn login_command(&self, chat: &ChatId) -> Option<String> {
        let llm = &self.disk.chats.get(chat)?.record.llm;
        let typed = || Some(format!("type {} in its terminal", self.disk.typed_login_of(llm)?));
        self.disk.login_of(llm).map(str::to_owned).or_else(typed)
    }

    /// For which chats its agent waits, by the tool that it uses now: `waits for parser, risky`, and the same in few words.
    pub fn waits_for(&self, chat: &ChatId, tool: &str) -> Option<[String; 2]> {
        if self.live.teams.gatherings.is_empty() || called(tool) != WAIT_FOR {
            return None;
        }
        let awaited = self.live.teams.awaited_by(chat);
        let handles: Vec<String> = awaited.map(|chat| chat::handle(self, chat)).collect();
        match handles.as_slice() {
            [] => None,
            [only] => Some([format!("waits for {only}"), "waits for a chat".into()]),
            many => Some([
                format!("waits for {}", many.join(", ")),
                format!("waits for {} chats", many.len()),
            ]),
        }
    }

    /// What is to be said behind the word of its status.
    pub fn detail(&self, chat: &ChatId) -> String {
        let status = self.status(chat);
        let was_cut = match (self.live.agents.get(chat), self.disk.chats.get(chat)) {
            (Some(agent), _) => agent.interrupted,
            (None, known) => known.is_some_and(|known| known.interrupted),
        };
        let what_failed = || self.what_failed(chat);
        match &status {
            Status::Starting if !self.live.agents.contains_key(chat) => {
                opening::words(self, chat).unwrap_or_default().into()
            }
            // One that failed was interrupted by nobody.
            Status::Exited(why) if was_cut && !status.has_failed() => format!("{why} · {INTERRUPTED}"),
            Status::Hibernated if was_cut => INTERRUPTED.into(),
            Status::Exited(why) => match what_failed() {
                Some(failed) => format!("{why} · {failed}"),
                None => why.clone(),
            },
            Status::Hibernated => what_failed().unwrap_or_default(),
            Status::LoggedOut(_) => self.login_lacking(chat),
            Status::Running(Some(tool)) => match self.waits_for(chat, tool) {
                Some([words, _]) => words,
                None => tool.clone(),
            },
            told => told.detail().into(),
        }
    }
}

/// A person is asked in the middle of a turn.
fn ends_turn(before: &Status, after: &Status) -> bool {
    let is_asked = |status: &Status| matches!(status, Status::NeedsYou(_));
    (came_to_rest(before, after) || is_asked(before) && matches!(after, Status::Idle(_))) && !is_asked(after)
}

fn came_to_rest(before: &Status, after: &Status) -> bool {
    let rests = |status: &Status| match status {
        Status::Idle(_)
        | Status::NeedsYou(_)
        | Status::Error(_)
        | Status::Limited(_)
        | Status::LoggedOut(_)
        | Status::Exited(_) => true,
        Status::Starting | Status::Running(_) | Status::Retrying(_) | Status::Hibernated | Status::Unknown(_) => false,
    };
    matches!(before, Status::Running(_) | Status::Retrying(_)) && rests(after)
}

/// The verdict over all signals, and the reason for it.
pub fn judge(agent: &Agent, now: Timestamp) -> StatusVerdict {
    match &agent.process {
        Process::Ended { why } => verdict(Status::Exited(why.clone()), ENDED),
        Process::Asleep => verdict(Status::Hibernated, "it rested, and was stopped until it is needed"),
        Process::Stopping { .. } if agent.falls_asleep() => {
            verdict(Status::Hibernated, "it rested, and is being stopped until it is needed")
        }
        Process::Preparing => verdict(Status::Starting, "its files are being made"),
        Process::Stopping { .. } => verdict(Status::Running(Some(STOPPING.into())), "it was told to stop"),
        Process::Running { .. } => judge_running(agent, now),
    }
}

fn judge_running(agent: &Agent, now: Timestamp) -> StatusVerdict {
    let Some(capabilities) = &agent.capabilities else {
        return verdict(Status::Starting, "its process has just started");
    };
    if let Some(signal) = deciding(agent, now) {
        let told = from_signal(agent, signal, now);
        let rests = matches!(told.status, Status::Idle(_));
        if rests && agent.is_taking_up(now) {
            return verdict(Status::Starting, "it reads its session back");
        }
        if rests && agent.turn.comes_next_until().is_some_and(|until| now < until) {
            return verdict(Status::Running(None), "a prompt that was typed ahead comes next");
        }
        return told;
    }
    let young = now.ms_since(agent.started) < agent.slow_start.limit_ms();
    match capabilities.ready {
        Ready::Hooks if young => verdict(Status::Starting, "no hook has told of its session yet"),
        Ready::Hooks => verdict(
            Status::Unknown("its session has not begun: look at its screen".into()),
            "no hook has told of its session, and its screen is no known dialog",
        ),
        Ready::Composer if young => verdict(Status::Starting, "its composer has not shown yet"),
        Ready::Composer => verdict(
            Status::Unknown("its composer has not shown: look at its screen".into()),
            "its screen is neither its composer nor a known dialog",
        ),
        Ready::Screen if young => verdict(Status::Starting, "its `ready` pattern has not shown yet"),
        Ready::Foreground if young => verdict(Status::Starting, "the shell has not taken its terminal yet"),
        Ready::Screen | Ready::Foreground => verdict(Status::Unknown(String::new()), "no source says anything"),
        Ready::Nothing => verdict(
            Status::Unknown("this agent tells nothing of itself".into()),
            "it has no hooks and no `ready` pattern",
        ),
    }
}

/// The signal that counts: the newest of the strong sources, or a weak one that is clearly newer.
fn deciding(agent: &Agent, now: Timestamp) -> Option<&Signal> {
    // Before its session it may show anything as a title, and its last session's may stand there still.
    let is_title = |s: &&Signal| matches!(s.source, Source::Title | Source::Sign);
    let counts = |s: &&Signal| counts(s, now) && !(is_title(s) && agent.awaits_session());
    let newest = |strong: bool| {
        let of_kind = agent
            .signals
            .values()
            .filter(counts)
            .filter(|s| is_strong(s.source) == strong);
        of_kind.max_by_key(|s| (s.at, s.source == Source::Hook))
    };
    match (newest(true), newest(false)) {
        // While it asks something, Claude Code's title is that of an idle one; while it waits to retry, of a busy one.
        (Some(strong), Some(_)) if strong.waits() || strong.retries() => Some(strong),
        (Some(strong), Some(weak)) if weak.at.ms_since(strong.at) >= WEAK_AFTER_MS => Some(weak),
        (Some(strong), _) => Some(strong),
        (None, weak) => weak,
    }
}

fn is_strong(source: Source) -> bool {
    match source {
        Source::Process | Source::Hook | Source::SessionFile | Source::Transcript | Source::Sign => true,
        Source::Title | Source::Screen => false,
    }
}

fn from_signal(agent: &Agent, signal: &Signal, now: Timestamp) -> StatusVerdict {
    let because = format!("{}: {}", signal.source, signal.because);
    let hook = agent.signals.get(&Source::Hook).map(|s| &s.activity);
    // After a failed turn the others say idle too, and the failure is the news.
    let hint = signal.source != Source::Transcript;
    let status = match (&signal.activity, hook, failure(agent)) {
        (Activity::Starting, ..) => Status::Starting,
        (Activity::Busy(None), ..) => Status::Running(agent.turn.tools.last().map(|tool| tool.name.clone())),
        (Activity::Busy(tool), ..) => Status::Running(tool.clone()),
        (Activity::Waiting(_), ..) if agent.turn.is_answered_by_rule() => {
            Status::Running(agent.turn.tools.last().map(|tool| tool.name.clone()))
        }
        (Activity::Waiting(_), Some(Activity::Waiting(asked)), _) => Status::NeedsYou(agent.still_asks(asked)),
        (Activity::Waiting(what), ..) => Status::NeedsYou(agent.still_asks(what)),
        (Activity::Idle, _, Some(what)) if hint => agent.turn.failed(what),
        // Nor does a hint know what runs behind a turn that has ended.
        (Activity::Idle, Some(Activity::Background(count)), _) | (Activity::Background(count), ..) => {
            match agent.turn.going_on(now).unwrap_or(*count as usize) {
                0 => Status::Idle(beside(agent)),
                count => Status::Running(Some(format!("{count}{IN_BACKGROUND}"))),
            }
        }
        (Activity::Idle, ..) => Status::Idle(beside(agent)),
        (Activity::Retrying { what, .. }, ..) => Status::Retrying(what.clone()),
        // The hook says it best.
        (Activity::Failed(what), ..) => agent.turn.failed(failure(agent).unwrap_or(what)),
        (Activity::Ended(_), ..) => Status::Starting,
    };
    verdict(status, &because)
}

/// What is to be said of an agent that waits for a prompt.
fn beside(agent: &Agent) -> Option<String> {
    let commands = match agent.background {
        0 => None,
        1 => Some(format!("1 command{IN_BACKGROUND}")),
        count => Some(format!("{count} commands{IN_BACKGROUND}")),
    };
    match (agent.interrupted, commands) {
        (true, Some(commands)) => Some(format!("{INTERRUPTED} · {commands}")),
        (true, None) => Some(INTERRUPTED.into()),
        (false, Some(commands)) => Some(commands),
        (false, None) => agent.turn.left_failed(),
    }
}

impl Agent {
    /// What it waits for a person with: of several questions the first that is not answered.
    fn still_asks(&self, told: &str) -> String {
        let question = self.turn.question();
        question.map_or_else(|| told.into(), |question| question.words.clone())
    }

    /// What failed in its last turn, in words.
    pub(super) fn what_failed(&self) -> Option<String> {
        let status = failure(self).map(|what| self.turn.failed(what));
        let failed = status.and_then(|status| Status::what_failed(status.word(), status.detail()));
        failed.or_else(|| self.turn.left_failed())
    }
}

/// How the last turn failed, by the hook or the transcript.
fn failure(agent: &Agent) -> Option<&str> {
    let mut told = [Source::Hook, Source::Transcript]
        .iter()
        .filter_map(|source| agent.signals.get(source));
    told.find_map(|signal| {
        let Activity::Failed(what) = &signal.activity else {
            return None;
        };
        (signal.at >= agent.turn.began).then_some(what.as_str())
    })
}

fn verdict(status: Status, because: &str) -> StatusVerdict {
    StatusVerdict {
        status,
        because: because.into(),
    }
}

/// An agent that works without a tool and says nothing for so long may wait to retry, and so often it is looked at.
pub const RETRIES_EVERY_MS: u64 = 3_000;

/// So often it is looked at while it has just tried again, and for so long.
const RETRIED_EVERY_MS: u64 = 1_000;
const RETRIED_MS: u64 = 10_000;

/// Whether a signal still says something at this moment.
pub(super) fn counts(signal: &Signal, now: Timestamp) -> bool {
    match signal.activity {
        Activity::Retrying { until, .. } => now < until,
        Activity::Starting
        | Activity::Busy(_)
        | Activity::Waiting(_)
        | Activity::Idle
        | Activity::Background(_)
        | Activity::Failed(_)
        | Activity::Ended(_) => true,
    }
}
