//! What an agent's turn has open: tools that have begun, and questions that wait.
//!
//! Hooks are processes of their own and race: one may be heard after the turn it belongs to is over, and must not make
//! the agent busy again. Sub-agents in the background are another matter: their tools go on behind a finished turn.

use serde_json::Value;

use super::interrupt::BROKEN_OFF;
use super::open_tool::{LATE_MS, OpenTool};
use crate::domain::approval::question::{Decision, Question, permission, refusal, words, words_to_reach};
use crate::model::entry::ToolStatus;
use crate::model::{Activity, Asks, CallId, Capabilities, Happened, Ready, Signal, Source, Timestamp};

use super::state::turn::{ToolEnd, TurnRemains};
use super::state::{Agent, Process};

impl Agent {
    pub fn signal(&mut self, activity: Activity, because: &str, at: Timestamp) {
        self.signal_from(Source::Hook, activity, because, at);
    }

    pub fn signal_from(&mut self, source: Source, activity: Activity, because: &str, at: Timestamp) {
        let signal = Signal {
            source,
            activity,
            because: because.into(),
            at,
        };
        self.signals.insert(source, signal);
    }

    /// A prompt was submitted, and so no dialog is open, unless its end would have been told: it would have taken the
    /// keys. Nothing of the agent's own goes on from a turn that is over.
    pub fn prompted(&mut self, now: Timestamp) -> Vec<Happened> {
        let happened = match self.turn.over.take() {
            Some(_) => self.end_tools(|_, parent| parent.is_none(), now),
            None => Vec::new(),
        };
        let asks = self.capabilities.as_ref().map(|capabilities| &capabilities.asks);
        if !matches!(asks, Some(Asks::Keys { tells_end: true, .. })) {
            self.turn.close_questions(now);
        }
        self.turn.begins(now);
        self.works(Activity::Busy(None), "a prompt was submitted", now);
        happened
    }

    /// Its transcript tells of a prompt. If the CLI kept it while a turn went on, and that is over, the next one begins with
    /// it, of which no hook tells.
    pub fn comes_to(&mut self, id: &str, said: &str, at: Timestamp) -> Vec<Happened> {
        if !self.turn.ahead.takes(said) {
            return Vec::new();
        }
        let Some(over) = self.turn.over.as_ref().map(|rest| rest.since) else {
            return Vec::new();
        };
        let happened = self.prompted(at.max(over));
        self.turn.ahead.begins_with(id, said);
        happened
    }

    /// What a session begins with: the wait for a prompt, or the first prompt itself.
    pub fn at_its_session(&self) -> Activity {
        let by_prompt = |capabilities: &Capabilities| capabilities.ready == Ready::Composer;
        match self.capabilities.as_ref().is_some_and(by_prompt) {
            true => Activity::Busy(None),
            false => Activity::Idle,
        }
    }

    /// Its last hook told of a question, and nothing since that it was answered.
    pub fn waits_by_hook(&self) -> bool {
        self.signals.get(&Source::Hook).is_some_and(Signal::waits)
    }

    /// What was interrupted while its question was open was denied. Claude Code, all of whose questions are told, uses the
    /// words of a refusal for an interrupt too: what nobody was asked about, or was allowed, was not denied.
    pub fn how_it_ended(&self, id: &str, status: ToolStatus) -> ToolStatus {
        let asked = self.turn.questions().any(|question| question.tool_id() == id);
        let tells_all = self
            .capabilities
            .as_ref()
            .is_some_and(|capabilities| capabilities.asks == Asks::Hook);
        let may_be_denied = |question: &Question| question.decided != Some(Decision::Allow);
        let runs = || self.turn.is_open(id) && !self.turn.asking.iter().any(may_be_denied);
        match status {
            ToolStatus::Interrupted if asked && self.waits_by_hook() => ToolStatus::Denied,
            ToolStatus::Denied if tells_all && runs() => ToolStatus::Interrupted,
            ToolStatus::Ok | ToolStatus::Error | ToolStatus::Denied | ToolStatus::Interrupted | ToolStatus::Unknown => {
                status
            }
        }
    }

    pub fn tool_began(&mut self, tool: OpenTool) {
        let now = tool.at;
        if let Some(parent) = &tool.parent {
            self.turn.sub_agents.hears_from(parent, now);
        }
        // A CLI begins turns by itself too, when something in the background has ended.
        if tool.parent.is_none() && !self.turn.has_just_ended(now) && self.turn.over.take().is_some() {
            self.turn.begins(now);
        }
        let name = tool.name.clone();
        self.quiescence.works();
        self.turn.opens(tool);
        self.works(Activity::Busy(Some(name.clone())), &format!("{name} began"), now);
    }

    pub fn tool_ended(&mut self, id: &str, name: &str, ended: ToolEnd, now: Timestamp) -> Vec<Happened> {
        let happened = self.close_tool(id, name, ended, now);
        self.quiescence.works();
        self.works(Activity::Busy(None), &format!("{name} ended"), now);
        happened
    }

    /// As [`Agent::end_tool`], where only its transcript tells what came of it: its end is recorded with that.
    fn close_tool(&mut self, id: &str, name: &str, mut ended: ToolEnd, now: Timestamp) -> Vec<Happened> {
        let transcribes = |capabilities: &Capabilities| capabilities.transcribes;
        let is_told_again =
            self.capabilities.as_ref().is_some_and(transcribes) && matches!(self.process, Process::Running { .. });
        let place = self.turn.tools.iter().position(|tool| tool.id == id);
        let Some(place) = place.filter(|place| is_told_again && self.turn.tools[*place].is_recorded_as_own()) else {
            return self.end_tool(id, name, ended, now);
        };
        let happened = self.settle(id, name, &mut ended, now);
        let call = self.turn.tools.remove(place);
        if call.refused {
            ended.status = ToolStatus::Denied;
        }
        self.turn.ends(&call, ended.status);
        ended.ms = ended.ms.or(Some(call.ran(now)));
        let end = ended.told(id);
        self.turn.own.hold_end(call, end, now);
        happened.into_iter().collect()
    }

    /// What was asked about a call is answered by how it ended.
    fn settle(&mut self, id: &str, name: &str, ended: &mut ToolEnd, now: Timestamp) -> Option<Happened> {
        let turn = &mut self.turn;
        // Where its beginning was not heard, the question stands alone.
        let alone = |asked: &Question| !turn.is_open(id) && !turn.is_open(asked.tool_id()) && asked.tool == name;
        let place = turn
            .asking
            .iter()
            .position(|asked| asked.tool_id() == id || alone(asked))?;
        let question = turn.asking.remove(place);
        let waited = question.waited(now);
        if let Some(tool) = turn.tools.iter_mut().find(|tool| tool.id == id) {
            tool.waited += waited;
        }
        let by_key = |capabilities: &Capabilities| matches!(capabilities.asks, Asks::Keys { .. });
        let takes_reason = !self.capabilities.as_ref().is_some_and(by_key);
        // To its CLI a refusal is a failure of the tool.
        if question.decided == Some(Decision::Deny) && !question.is_due() {
            ended.status = ToolStatus::Denied;
            if takes_reason && !question.reason.is_empty() && !ended.output.contains(&question.reason) {
                ended.output = refusal(&question.reason);
            }
        }
        if ended.status == ToolStatus::Denied {
            self.turn.refused = Some(now);
        }
        question.settled(ended.status)
    }

    /// A tool ends once: nothing is told where it has ended already, or never began. What was asked about it is answered
    /// by how it ended.
    pub fn end_tool(&mut self, id: &str, name: &str, ended: ToolEnd, now: Timestamp) -> Vec<Happened> {
        let own = self.turn.told_without_id(id);
        let is_it = |tool: &OpenTool| tool.id == id || Some(&tool.id) == own.as_ref();
        let mut ended = ended;
        if self.turn.tools.iter().any(|tool| is_it(tool) && tool.refused) {
            ended.status = ToolStatus::Denied;
        }
        let mut happened = match &own {
            Some(own) => self.end_tool(own, "", ended.clone(), now),
            None => Vec::new(),
        };
        happened.extend(self.settle(id, name, &mut ended, now));
        let turn = &mut self.turn;
        if let Some(place) = turn.tools.iter().position(|open| open.id == id) {
            let tool = turn.tools.remove(place);
            turn.ends(&tool, ended.status);
            if tool.is_recorded_as_own() {
                ended.ms = ended.ms.or(Some(tool.ran(now)));
            }
            happened.extend(tool.recorded.then(|| ended.told(id)));
        } else {
            let told = ended.told(id);
            if let Some((call, told)) = turn.own.release_end(id, told) {
                if let Happened::ToolEnd { status, .. } = told {
                    turn.ended_so(&call, status);
                }
                happened.push(told);
            }
        }
        happened
    }

    /// A permission dialog opens, or waits behind the one that is open. One that is heard of only after its turn's end
    /// is gone already.
    pub fn asked(
        &mut self,
        tool: String,
        input: Value,
        own_id: String,
        call: Option<CallId>,
        now: Timestamp,
    ) -> Vec<Happened> {
        self.asked_to_reach(Vec::new(), tool, input, own_id, call, now)
    }

    /// As [`Agent::asked`], with the directories that it asks about alone.
    pub(super) fn asked_to_reach(
        &mut self,
        reach: Vec<String>,
        tool: String,
        input: Value,
        own_id: String,
        call: Option<CallId>,
        now: Timestamp,
    ) -> Vec<Happened> {
        let newest = self.turn.tools.last().map(|open| open.name.clone());
        let tool = match tool.is_empty() {
            true => newest.unwrap_or_default(),
            false => tool,
        };
        let about = self.turn.asked_about(&tool, &input);
        let late = about.is_none() && self.turn.has_just_ended(now);
        let words = match reach.is_empty() {
            true => words(&tool, &input),
            false => words_to_reach(&reach, &tool, &input),
        };
        let question = Question::new(about.unwrap_or(own_id), (&tool, input.clone()), words, now).to_reach(reach);
        let question = Question { call, ..question };
        let told = permission(question.tool_id().into(), tool.clone(), input, "asked", "agent");
        if late {
            return [told]
                .into_iter()
                .chain(question.settled(ToolStatus::Interrupted))
                .collect();
        }
        self.turn.asking.retain(|asked| asked.tool_id() != question.tool_id());
        self.turn.asking.push(question);
        if let Some(shown) = self.turn.question() {
            let waiting = Activity::Waiting(shown.words.clone());
            self.signal(waiting, &format!("it asks to use {tool}"), now);
        }
        vec![told]
    }

    /// A dialog is gone, or a turn began without a prompt.
    pub fn works_on(&mut self, tool: &str, now: Timestamp) -> Vec<Happened> {
        if tool.is_empty() {
            self.turn.close_questions(now.plus_ms(1));
        }
        let allowed = self.turn.asking.extract_if(.., |asked| asked.tool_id() == tool);
        let allowed: Vec<Question> = allowed.collect();
        let waited: u64 = allowed.iter().map(|asked| asked.waited(now)).sum();
        if let Some(tool) = self.turn.tools.iter_mut().find(|open| open.id == tool) {
            tool.waited += waited;
        }
        let happened = allowed.into_iter().filter_map(|asked| asked.settled(ToolStatus::Ok));
        let happened = happened.collect();
        // What failed is tried again, and nobody asked for that.
        if self.turn.over.take().is_some() || self.verdict.status.has_failed() {
            self.turn.begins(now);
        }
        let name = self.turn.tools.last().map(|tool| tool.name.clone());
        self.works(Activity::Busy(name), "it works on", now);
        happened
    }

    /// The dialog that was open is answered, and the next one is.
    pub fn asks_on(&mut self, now: Timestamp) {
        if let Some(next) = self.turn.question() {
            let waiting = Activity::Waiting(next.words.clone());
            self.signal(waiting, "the dialog before it is answered", now);
        }
    }

    /// The CLI says once more that it waits; what for, its question or what it said first has said better.
    pub fn waits(&mut self, text: &str, now: Timestamp) {
        if self.turn.question().is_none() && !self.waits_by_hook() {
            self.signal(Activity::Waiting(text.into()), text, now);
        }
    }

    /// What a tool's beginning or end leaves the agent doing. An open question goes before work, and behind a finished
    /// turn there is only what that turn left.
    fn works(&mut self, work: Activity, because: &str, now: Timestamp) {
        let told = self.signals.get(&Source::Hook).map(|signal| &signal.activity);
        let waited = matches!(told, Some(Activity::Waiting(_)));
        let activity = match (self.turn.question(), &self.turn.over) {
            (Some(question), _) => Activity::Waiting(question.words.clone()),
            (None, None) => work,
            (None, Some(rest)) if waited => rest.left.clone(),
            (None, Some(_)) => return,
        };
        // The same question keeps its date: what was heard of its end since goes on to count.
        if !waited || told != Some(&activity) {
            self.signal(activity, because, now);
        }
    }

    /// The turn is over. Sub-agents in the background go on, with their tools and questions.
    pub fn turn_ended(&mut self, left: Activity, because: &str, now: Timestamp) -> Vec<Happened> {
        let in_background = matches!(left, Activity::Background(_));
        let turn = &self.turn;
        let parents = turn.tools.iter().filter_map(|tool| tool.parent.clone());
        let open: Vec<String> = parents.filter(|one| turn.sub_agents.holds(one)).collect();
        let goes_on = |parent: Option<&str>| parent.is_some_and(|one| in_background || open.iter().any(|of| of == one));
        let happened = self.end_tools(|_, parent| !goes_on(parent), now);
        let activity = match self.turn.question() {
            Some(question) => Activity::Waiting(question.words.clone()),
            None => left.clone(),
        };
        self.signal(activity, because, now);
        self.turn.over = Some(TurnRemains { since: now, left });
        happened
    }

    /// A person broke the turn off at this moment, by what its CLI or parlour tells of it.
    pub fn told_interrupted(&mut self, told: Happened, at: Timestamp) -> Vec<Happened> {
        // To the CLI that was Esc, whoever pressed what.
        let by_parlour = self.is_breaking_off();
        let mut happened = self.interrupted(at);
        // A refusal is the same key to the CLI.
        let refused = self.turn.refused.take();
        let was_refused = refused.is_some_and(|refused| at.ms_since(refused) < LATE_MS);
        happened.push(match told {
            Happened::Interrupt { .. } if was_refused => Happened::Interrupt {
                cause: "a call was refused, which ended the turn".into(),
            },
            Happened::Interrupt { .. } if by_parlour => Happened::Interrupt {
                cause: BROKEN_OFF.into(),
            },
            told => told,
        });
        happened
    }

    /// A person broke the turn off at this moment, which is heard of a little later: a hook that was under way then may
    /// have been heard first.
    pub fn interrupted(&mut self, at: Timestamp) -> Vec<Happened> {
        let began = self.turn.began;
        if began > at {
            return self.end_tools(|since, _| since < began, at);
        }
        let late = |heard: Timestamp| heard.ms_since(at) < LATE_MS;
        let happened = self.end_tools(|since, _| late(since), at);
        // Their ends may never be told: what they leave open ends with the next turn.
        self.turn.sub_agents.forget();
        let stale = |hook: &Signal| {
            let works = matches!(hook.activity, Activity::Busy(_) | Activity::Waiting(_));
            works && late(hook.at)
        };
        if self.signals.get(&Source::Hook).is_some_and(stale) {
            self.signals.remove(&Source::Hook);
        }
        self.signal_from(Source::Transcript, Activity::Idle, "it was interrupted", at);
        self.turn.comes_to_rest(at);
        if self.turn.broken.since.take().is_some() {
            self.turn.refused = None;
        }
        let was_refused = self.turn.refused.is_some_and(|refused| at.ms_since(refused) < LATE_MS);
        self.interrupted |= !was_refused;
        happened
    }

    /// Its process is gone.
    pub fn end_all_tools(&mut self, now: Timestamp) -> Vec<Happened> {
        let mut happened = self.turn.own.held_ends();
        happened.extend(self.end_tools(|_, _| true, now));
        happened.extend(self.turn.own.held_ends());
        happened
    }

    /// Ends the open tools that are picked by when they began and by their sub-agent, and the questions with them. No
    /// hook fires for a "no" at a dialog, so what was asked for was denied; not where the agent as a whole was stopped.
    fn end_tools(&mut self, which: impl Fn(Timestamp, Option<&str>) -> bool, now: Timestamp) -> Vec<Happened> {
        let unanswered = match self.process {
            Process::Preparing | Process::Running { .. } => ToolStatus::Denied,
            Process::Stopping { .. } | Process::Asleep | Process::Ended { .. } => ToolStatus::Interrupted,
        };
        let picked = |tool: &&OpenTool| which(tool.at, tool.parent.as_deref());
        let ending: Vec<String> = self.turn.tools.iter().filter(picked).map(|t| t.id.clone()).collect();
        let mut happened = Vec::new();
        for id in ending {
            let asked = self.turn.asking.iter().find(|asked| asked.tool_id() == id);
            let status = match asked.map(Question::is_due) {
                Some(false) => unanswered,
                // Its dialog never showed.
                Some(true) | None => ToolStatus::Interrupted,
            };
            let ended = ToolEnd {
                status,
                output: String::new(),
                ms: None,
            };
            happened.extend(self.close_tool(&id, "", ended, now));
        }
        let turn = &mut self.turn;
        let alone =
            |asked: &mut Question| which(asked.at, None) && !turn.tools.iter().any(|open| open.id == asked.tool_id());
        let dropped = turn.asking.extract_if(.., alone);
        happened.extend(dropped.filter_map(|asked| asked.settled(ToolStatus::Interrupted)));
        happened
    }
}
