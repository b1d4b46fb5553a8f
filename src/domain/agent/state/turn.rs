//! What one turn of an agent has begun and not ended: its tools, its sub-agents, its questions.

use std::fmt;

use serde_json::Value;

use super::open_sub_agents::OpenSubAgents;
use super::own_calls::OwnCalls;
use super::trouble::TurnTrouble;
use super::typed_ahead::KeptPrompts;
use crate::domain::agent::open_tool::{LATE_MS, OWN, OpenTool, digest};
use crate::domain::approval::question::{AnswerKey, Decision, Question};
use crate::model::entry::ToolStatus;
use crate::model::status::COMMAND_FAILED;
use crate::model::{Activity, CallId, Happened, LiveText, Source, Status, Timestamp, Trouble};
use crate::permission::{Sort, sort_of};

/// How long a CLI may take to close a dialog that was answered.
pub(in crate::domain) const ANSWERED_MS: u64 = 3_000;

/// From a prompt to the end, and what is open meanwhile.
#[derive(Default)]
pub struct Turn {
    /// When its prompt was submitted.
    pub began: Timestamp,
    /// Set while no turn goes on.
    pub(in crate::domain::agent) over: Option<TurnRemains>,
    /// Begun and not ended, oldest first.
    pub tools: Vec<OpenTool>,
    pub(in crate::domain::agent) sub_agents: OpenSubAgents,
    /// Oldest first, as the CLI shows them one after another.
    pub(in crate::domain::agent) asking: Vec<Question>,
    /// Who told of a failure that the other source has not told of yet.
    pub(in crate::domain::agent) failure: Option<Source>,
    /// Who told of a compaction that the other source has not told of yet.
    pub(in crate::domain::agent) compaction: Option<Source>,
    /// When a person refused a call, which ends a turn with some CLIs.
    pub(in crate::domain::agent) refused: Option<Timestamp>,
    pub(in crate::domain::agent) broken: BrokenOff,
    /// An earlier process of its agent got a prompt at its end, and nothing is known that answers it: since when it is
    /// known.
    pub(in crate::domain::agent) unanswered: Option<Timestamp>,
    /// What its agent is writing, where its CLI tells that before it is whole.
    pub writes: LiveText,
    /// What it ran into, where it failed.
    pub trouble: Option<TurnTrouble>,
    /// The last command that its agent itself ran, and that has ended, failed.
    pub(in crate::domain) command_failed: bool,
    /// What had failed in the turn before, if another process goes on since, in words.
    pub(in crate::domain) failed_before: Option<String>,
    /// The id of that command, in this turn.
    last_command: String,
    /// Tools that it has begun.
    calls: usize,
    /// Those that have an id of ours.
    pub(in crate::domain::agent) own: OwnCalls,
    /// Some of them were told without an id: those tell all, and what has an id tells them once more.
    counts_own: bool,
    /// What its CLI keeps for the next one.
    pub(in crate::domain::agent) ahead: KeptPrompts,
}

/// Of a turn that parlour breaks off.
#[derive(Default)]
pub(in crate::domain::agent) struct BrokenOff {
    /// When it was, until that is told or has come to nothing.
    pub(in crate::domain::agent) since: Option<Timestamp>,
    /// It was before anything told of the turn.
    pub(in crate::domain::agent) early: bool,
    /// Who broke it off knows of its end, though they do not look at it.
    pub(in crate::domain::agent) is_known: bool,
}

/// What a turn left the agent doing.
pub(in crate::domain::agent) struct TurnRemains {
    pub(in crate::domain::agent) since: Timestamp,
    pub(in crate::domain::agent) left: Activity,
}

/// How many tools of a turn run, of all that it has begun: `2/5`.
pub struct ToolTally {
    running: usize,
    begun: usize,
}

impl fmt::Display for ToolTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.running, self.begun)
    }
}

/// How a tool ended.
#[derive(Clone)]
pub struct ToolEnd {
    pub status: ToolStatus,
    pub output: String,
    pub ms: Option<u64>,
}

impl Turn {
    /// It is over, and left nothing behind.
    pub(in crate::domain::agent) fn comes_to_rest(&mut self, at: Timestamp) {
        let left = Activity::Idle;
        self.over = Some(TurnRemains { since: at, left });
    }

    /// It begins: what is open goes on from the one before.
    pub(in crate::domain::agent) fn begins(&mut self, now: Timestamp) {
        self.began = now;
        self.ahead.goes_on();
        self.trouble = None;
        self.refused = None;
        let is_early = std::mem::take(&mut self.broken.early);
        self.broken.since.take_if(|_| !is_early);
        self.broken.is_known &= is_early;
        self.writes = LiveText::default();
        self.sub_agents.goes_on = false;
        (self.command_failed, self.failed_before) = (false, None);
        self.last_command.clear();
        self.calls = self.running();
    }

    /// What was still arriving is told.
    pub(in crate::domain::agent) fn hears_whole(&mut self, what: &Happened) {
        if what.key().is_some_and(|key| key == self.writes.key) {
            self.writes = LiveText::default();
        }
    }

    /// The moments from which its deadlines are counted.
    pub(super) fn moments(&mut self) -> Vec<&mut Timestamp> {
        let Turn {
            began,
            over,
            tools,
            sub_agents,
            asking,
            failure: _,
            compaction: _,
            refused,
            broken,
            unanswered,
            writes: _,
            trouble,
            command_failed: _,
            failed_before: _,
            last_command: _,
            calls: _,
            own,
            counts_own: _,
            ahead,
        } = self;
        let mut all = vec![began];
        all.extend(ahead.moments());
        all.extend(sub_agents.moments());
        all.extend(over.as_mut().map(|TurnRemains { since, left: _ }| since));
        all.extend(refused.as_mut());
        all.extend(broken.since.as_mut());
        all.extend(unanswered.as_mut());
        all.extend(own.moments());
        all.extend(trouble.as_mut().map(TurnTrouble::moment));
        all.extend(asking.iter_mut().flat_map(Question::moments));
        all.extend(tools.iter_mut().map(|tool| {
            let OpenTool {
                id: _,
                name: _,
                input: _,
                given: _,
                parent: _,
                at,
                refused: _,
                recorded: _,
                waited: _,
            } = tool;
            at
        }));
        all
    }

    pub(in crate::domain::agent) fn runs_into(&mut self, told: Trouble, message: &str, at: Timestamp) {
        self.trouble = Some(TurnTrouble::told(self.trouble.take(), told, message, at));
    }

    /// The status of an agent whose turn failed.
    pub(in crate::domain::agent) fn failed(&self, what: &str) -> Status {
        let of_trouble = self.trouble.as_ref().map(|trouble| trouble.status(what));
        of_trouble.unwrap_or_else(|| Status::Error(what.into()))
    }

    /// A tool has ended. What was refused did not run, and so tells nothing.
    pub(in crate::domain::agent) fn ends(&mut self, tool: &OpenTool, status: ToolStatus) {
        if tool.parent.is_none() && sort_of(&tool.name) == Sort::Bash {
            self.last_command.clone_from(&tool.id);
            match status {
                ToolStatus::Error => self.command_failed = true,
                ToolStatus::Ok => self.command_failed = false,
                ToolStatus::Denied | ToolStatus::Interrupted | ToolStatus::Unknown => {}
            }
        }
    }

    /// It was taken back: what failed in the one before is said.
    pub(in crate::domain::agent) fn leaves(&mut self, failed: Option<String>) {
        (self.command_failed, self.failed_before) = (false, failed);
    }

    /// What failed in it, or in the one before, though it did not fail itself.
    pub(in crate::domain::agent) fn left_failed(&self) -> Option<String> {
        let command = self.command_failed.then(|| COMMAND_FAILED.into());
        command.or_else(|| self.failed_before.clone())
    }

    /// How a tool ended whose end was heard before, by what tells it better. A later command counts more.
    pub(in crate::domain::agent) fn ended_so(&mut self, tool: &OpenTool, status: ToolStatus) {
        if self.last_command == tool.id {
            self.ends(tool, status);
        }
    }

    /// Until when its CLI is waited for, which goes on by itself with what it keeps.
    pub(in crate::domain::agent) fn comes_next_until(&self) -> Option<Timestamp> {
        self.ahead.comes_next_until(self.over.as_ref().map(|rest| rest.since))
    }

    /// Nothing is waited for: no question, no moment, nothing that would mend what it ran into.
    pub(in crate::domain::agent) fn is_settled(&self) -> bool {
        let is_answered = self.asking.is_empty() && self.trouble.is_none();
        let is_heard = self.broken.since.is_none() && self.unanswered.is_none() && self.own.ends_due().is_none();
        is_answered && is_heard && self.comes_next_until().is_none()
    }

    fn counts(&self, tool: &OpenTool) -> bool {
        !self.counts_own || tool.id.starts_with(OWN)
    }

    fn running(&self) -> usize {
        self.tools.iter().filter(|tool| self.counts(tool)).count()
    }

    /// `None` between turns, and where it has begun no tool.
    pub fn tally(&self) -> Option<ToolTally> {
        let tally = || ToolTally {
            running: self.running(),
            begun: self.calls,
        };
        (self.over.is_none() && self.calls > 0).then(tally)
    }

    /// A session file that says busy after a question was asked tells that its dialog is gone. Where several wait, it is
    /// one of them, and those that are not known to be answered may be about to be shown.
    pub fn close_questions(&mut self, since: Timestamp) {
        let several = self.unsettled().nth(1).is_some();
        let is_over =
            |question: &&mut Question| question.at < since && !(several && (!question.answered || question.is_due()));
        let over = self.asking.iter_mut().filter(is_over);
        over.for_each(|question| question.close(since));
    }

    /// Its title tells that the dialog that was open is gone, by whatever answer.
    pub fn close_answered(&mut self, since: Timestamp) {
        let several = self.unsettled().nth(1).is_some();
        let answered =
            |question: &&mut Question| question.at < since && question.answered && !(several && question.is_due());
        let answered = self.asking.iter_mut().filter(answered);
        answered.for_each(|question| question.close(since));
    }

    /// A failure is told by a hook and by the transcript, in any order: whether this is the first word of it.
    pub fn fails_anew(&mut self, source: Source) -> bool {
        hears_first(&mut self.failure, source)
    }

    /// The same of a compaction.
    pub fn compacts_anew(&mut self, source: Source) -> bool {
        hears_first(&mut self.compaction, source)
    }

    /// The open tool that a question is about: a question carries no id. Of two equal calls it is the one that was not
    /// asked about yet; where somebody's hook changed the input, it is the newest of the name.
    pub(in crate::domain::agent) fn asked_about(&self, name: &str, input: &Value) -> Option<String> {
        let of_name = || self.tools.iter().filter(|tool| tool.name == name);
        let unasked = |tool: &&OpenTool| !self.asking.iter().any(|asked| asked.tool_id() == tool.id);
        let input = digest(input);
        let equal = |tool: &&OpenTool| tool.input == input;
        let exact = of_name().filter(unasked).find(equal).or_else(|| of_name().find(equal));
        let tool = exact.or_else(|| of_name().rfind(unasked))?;
        Some(tool.id.clone())
    }

    /// How many of its sub-agents work on behind its end; none where its CLI counts what does.
    pub(in crate::domain::agent) fn going_on(&self, now: Timestamp) -> Option<usize> {
        let has_call = |id: &str| self.tools.iter().any(|tool| tool.parent.as_deref() == Some(id));
        self.sub_agents.goes_on.then(|| self.sub_agents.count(has_call, now))
    }

    /// The oldest tool of the name whose CLI has not told its id; an id that no tool has where there is none.
    pub fn without_id(&self, name: &str) -> String {
        let mut own = self.tools.iter().filter(|tool| tool.id.starts_with(OWN));
        own.find(|tool| tool.name == name)
            .map_or(OWN.into(), |tool| tool.id.clone())
    }

    /// Marks the tool of a hook without ids as denied by a rule, and returns the id that it has here.
    pub fn refuse(&mut self, name: &str) -> String {
        let mut own = self.tools.iter_mut().rev().filter(|tool| tool.id.starts_with(OWN));
        own.find(|tool| tool.name == name).map_or(OWN.into(), |tool| {
            tool.refused = true;
            tool.id.clone()
        })
    }

    /// The same tool as this one, as a hook told it without its id.
    pub(in crate::domain::agent) fn told_without_id(&self, id: &str) -> Option<String> {
        let told = self
            .tools
            .iter()
            .find(|tool| tool.id == id && !tool.id.starts_with(OWN))?;
        let same = |tool: &&OpenTool| tool.id.starts_with(OWN) && tool.name == told.name && tool.input == told.input;
        Some(self.tools.iter().find(same)?.id.clone())
    }

    /// Its beginning may be heard twice, by a hook and from the transcript.
    pub fn opens(&mut self, tool: OpenTool) {
        if self.is_open(&tool.id) {
            return;
        }
        self.counts_own |= tool.id.starts_with(OWN);
        self.calls += usize::from(self.counts(&tool));
        self.tools.push(tool);
    }

    /// The question that is shown now.
    pub(in crate::domain::agent) fn question(&self) -> Option<&Question> {
        self.questions().next()
    }

    /// A call runs that hands work to a sub-agent.
    pub(in crate::domain::agent) fn has_given_work(&self) -> bool {
        let mut own = self.tools.iter().filter(|tool| tool.id.starts_with(OWN));
        own.any(|tool| sort_of(&tool.name) == Sort::Task)
    }

    /// What waits for a person, the one that is shown first.
    pub fn questions(&self) -> impl Iterator<Item = &Question> {
        self.asking.iter().filter(|question| !question.answered)
    }

    /// A call of it was refused a moment ago, or is with its end: that ends all that it called at once.
    pub(in crate::domain::agent) fn is_broken_off_by_refusal(&self, at: Timestamp) -> bool {
        let is_refused = |question: &Question| match question.decided {
            Some(decided) => decided == Decision::Deny,
            None => !question.answered,
        };
        let was_refused = self.refused.is_some_and(|refused| at.ms_since(refused) < LATE_MS);
        was_refused || self.asking.iter().any(is_refused)
    }

    pub fn question_mut(&mut self, id: &str) -> Option<&mut Question> {
        self.asking
            .iter_mut()
            .find(|question| !question.answered && question.id == id)
    }

    /// What is asked and whose dialog is not known to be gone, be it decided here.
    pub fn unsettled(&self) -> impl Iterator<Item = &Question> {
        self.asking
            .iter()
            .filter(|question| !question.answered || question.key != AnswerKey::None)
    }

    /// All that it asks a rule answers, as soon as its dialogs show: nobody is needed.
    pub fn is_answered_by_rule(&self) -> bool {
        let mut asked = self.unsettled().peekable();
        asked.peek().is_some() && asked.all(|question| question.by_rule)
    }

    /// How long the questions about a call have waited for their answers.
    pub(in crate::domain::agent) fn waited(&self, id: &str, now: Timestamp) -> u64 {
        let asked = self.asking.iter().filter(|asked| asked.tool_id() == id);
        let settled = self.tools.iter().filter(|tool| tool.id == id);
        asked.map(|asked| asked.waited(now)).sum::<u64>() + settled.map(|tool| tool.waited).sum::<u64>()
    }

    /// All that it asked is answered, and its CLI has not taken that up: it has needed a person since before. A dialog that
    /// still stands a while later is another one, or was not answered after all.
    pub fn is_being_answered(&self, since: Timestamp, now: Timestamp) -> bool {
        let is_taken_up = |question: &Question| {
            let answered = question.answered_at.filter(|at| since <= *at);
            question.key == AnswerKey::None && answered.is_none_or(|at| now.ms_since(at) >= ANSWERED_MS)
        };
        self.question().is_none() && !self.asking.iter().all(is_taken_up)
    }

    /// The only call that a dialog of its CLI's own can be about. What asks a person something is no call to allow.
    pub fn asked_there(&self) -> Option<&OpenTool> {
        let [call] = self.tools.as_slice() else {
            return None;
        };
        (call.given.is_object() && call.given.get("questions").is_none()).then_some(call)
    }

    /// All that is asked, answered or not.
    pub fn asking_mut(&mut self) -> impl Iterator<Item = &mut Question> {
        self.asking.iter_mut()
    }

    /// Its CLI refuses what it asks about this call, because another one was refused.
    pub(in crate::domain::agent) fn refuses_along(&mut self, id: &str, now: Timestamp) {
        for question in self.asking.iter_mut().filter(|question| question.tool_id() == id) {
            question.refuse_along(now);
        }
    }

    /// A hook that waited has ended: the dialog beside it was answered.
    pub fn lets_go(&mut self, call: CallId, now: Timestamp) {
        for question in self.asking.iter_mut().filter(|question| question.call == Some(call)) {
            question.call = None;
            question.close(now);
        }
    }

    /// As which of the calls that are open it was called; behind all of them where it is not known.
    pub fn place_of(&self, id: &str) -> usize {
        self.tools
            .iter()
            .position(|tool| tool.id == id)
            .unwrap_or(self.tools.len())
    }

    pub(in crate::domain) fn is_open(&self, id: &str) -> bool {
        self.tools.iter().any(|tool| tool.id == id)
    }

    pub(in crate::domain::agent) fn has_just_ended(&self, now: Timestamp) -> bool {
        let over = self.over.as_ref();
        over.is_some_and(|rest| now.ms_since(rest.since) < LATE_MS)
    }
}

fn hears_first(told: &mut Option<Source>, source: Source) -> bool {
    let is_known = told.take_if(|by| *by != source).is_some();
    if !is_known {
        *told = Some(source);
    }
    !is_known
}

impl ToolEnd {
    pub(in crate::domain::agent) fn told(self, id: &str) -> Happened {
        Happened::tool_ended(id, self.status, self.output, self.ms)
    }
}
