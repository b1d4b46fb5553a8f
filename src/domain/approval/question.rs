//! What an agent asks before it uses a tool, and how that was answered.

use serde_json::Value;

use crate::domain::call::{CallSummary, called_in};
use crate::model::entry::ToolStatus;
use crate::model::text::one_line;
use crate::model::{CallId, Happened, Timestamp};
use crate::permission::RuleName;

/// A permission dialog that is open or waits for the one before it.
pub struct Question {
    /// That of its tool, with `REACH` behind it where it asks for a reach; its own where no tool is known.
    pub id: String,
    pub tool: String,
    pub words: String,
    pub input: Value,
    /// It asks only for these directories, before it asks about the call itself.
    pub reach: Vec<String>,
    /// Why it is asked and not simply allowed, where a rule says so.
    pub rule: Option<RuleName>,
    pub at: Timestamp,
    /// The hook that waits for what is decided here.
    pub call: Option<CallId>,
    /// The key that answers it in its dialog.
    pub key: AnswerKey,
    /// Somebody typed in the terminal since it was asked: which choice a key would take is not known any more.
    pub touched: bool,
    /// How far its dialog is, where several wait.
    pub dialog: SeenDialog,
    /// What was decided here.
    pub decided: Option<Decision>,
    /// Why it was refused here.
    pub reason: String,
    /// What of that is recorded, and whether it is on disk: before that nobody is told.
    pub recorded: Option<Decision>,
    pub is_safe: bool,
    /// When its dialog was answered, as far as that is known.
    pub answered_at: Option<Timestamp>,
    /// It is the rule that decided.
    pub by_rule: bool,
    /// Nobody refuses it: its CLI does, because another call was refused.
    pub refused_along: bool,
    /// The dialog is gone; what was answered shows when the tool ends.
    pub answered: bool,
}

/// What stands behind the id of a tool in that of a question about what it may reach.
const REACH: &str = ":reach";

/// How far the key is that answers a dialog. One that is typed late hits whatever is shown then, so it is given up with
/// the first sign that its own dialog is gone, or may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerKey {
    None,
    /// Typed when the terminal shows its dialog, for which it waits since then.
    Due(Vec<u8>, Timestamp),
    /// Until something tells that its dialog is gone.
    Typed(Timestamp),
    /// No key: the CLI's own server has the answer, until something tells that it was taken.
    Sent(Timestamp),
}

/// What is known of a dialog that stands in line with others, by its terminal and what a person types there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeenDialog {
    #[default]
    Unseen,
    /// The terminal shows it.
    Shown,
    /// Somebody has typed since. Once another one is shown, this one is answered.
    TypedAt,
}

/// What a person decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Allow,
    Deny,
}

impl Question {
    /// It is asked now, and nobody has answered.
    pub fn new(id: String, (tool, input): (&str, Value), words: String, at: Timestamp) -> Question {
        Question {
            id,
            tool: tool.into(),
            words,
            input,
            reach: Vec::new(),
            rule: None,
            at,
            call: None,
            key: AnswerKey::None,
            touched: false,
            dialog: SeenDialog::default(),
            decided: None,
            reason: String::new(),
            recorded: None,
            is_safe: false,
            answered_at: None,
            by_rule: false,
            refused_along: false,
            answered: false,
        }
    }

    /// The same, about what it may reach. It is another question than the one about the call itself, which comes next: who
    /// answers this one has not read that.
    pub fn to_reach(self, reach: Vec<String>) -> Question {
        let behind = if reach.is_empty() { "" } else { REACH };
        Question {
            id: self.id + behind,
            reach,
            ..self
        }
    }

    /// The call that it is about.
    pub fn tool_id(&self) -> &str {
        self.id.strip_suffix(REACH).unwrap_or(&self.id)
    }

    /// Its dialog is gone. A key that was not typed yet did not answer it.
    pub fn close(&mut self, at: Timestamp) {
        if self.is_due() {
            self.decided = None;
        }
        self.key = AnswerKey::None;
        self.answered = true;
        self.answered_at.get_or_insert(at);
    }

    /// Its CLI refuses it together with another call, whatever was decided here and had not reached it.
    pub fn refuse_along(&mut self, at: Timestamp) {
        self.close(at);
        if self.decided != Some(Decision::Deny) {
            (self.decided, self.by_rule, self.refused_along) = (None, false, true);
        }
    }

    /// A person, or a rule of theirs, decides. What is to be recorded of it, before anybody is told.
    pub fn decide(&mut self, decision: Decision, reason: &str, now: Timestamp) -> Option<Happened> {
        self.decided = Some(decision);
        self.answered = true;
        self.answered_at = Some(now);
        self.reason = reason.trim().into();
        if self.recorded == Some(decision) {
            return None;
        }
        self.recorded = Some(decision);
        self.is_safe = false;
        let by = if self.by_rule { "rule" } else { "person" };
        let answer = match decision {
            Decision::Allow => ALLOWED,
            Decision::Deny => DENIED,
        };
        let mut told = self.told(answer, by);
        if let Happened::Permission { given_once_written, .. } = &mut told {
            *given_once_written = true;
        }
        Some(told)
    }

    /// How long it waited for an answer.
    pub fn waited(&self, now: Timestamp) -> u64 {
        self.answered_at.unwrap_or(now).ms_since(self.at)
    }

    /// Somebody typed in its terminal: from now on it is answered there alone.
    pub fn touch(&mut self) {
        self.touched = true;
        if self.dialog == SeenDialog::Shown {
            self.dialog = SeenDialog::TypedAt;
        }
        if self.is_due() {
            self.opens_again();
        }
    }

    pub fn is_due(&self) -> bool {
        matches!(self.key, AnswerKey::Due(..))
    }

    /// The key that answers it, whose dialog is shown now.
    pub fn answer(&mut self, now: Timestamp) -> Option<Vec<u8>> {
        let key = std::mem::replace(&mut self.key, AnswerKey::None);
        match key {
            AnswerKey::Due(keys, _) => {
                self.key = AnswerKey::Typed(now);
                Some(keys)
            }
            AnswerKey::None | AnswerKey::Typed(_) | AnswerKey::Sent(_) => {
                self.key = key;
                None
            }
        }
    }

    /// The CLI's own server is given the answer, in place of a key.
    pub fn goes_to_server(&mut self, now: Timestamp) {
        self.key = AnswerKey::Sent(now);
    }

    /// Other dialogs come before its own: it waits on.
    pub fn wait_on(&mut self, now: Timestamp) {
        if let AnswerKey::Due(_, since) = &mut self.key {
            *since = now;
        }
    }

    /// Its key was typed so long ago and nothing tells that it did anything, or its dialog was never seen: it waits for a
    /// person again, and this is why.
    pub fn reopen_unheard(&mut self, now: Timestamp, after_ms: u64) -> Option<&'static str> {
        let (since, why) = match self.key {
            AnswerKey::Typed(at) => (
                at,
                "the answer was typed into the agent's dialog, and nothing tells that it was taken",
            ),
            AnswerKey::Sent(at) => (
                at,
                "the answer was given to the agent's server, and nothing tells that it was taken",
            ),
            AnswerKey::Due(_, since) => (
                since,
                "the agent's terminal does not show the dialog that the answer is for",
            ),
            AnswerKey::None => return None,
        };
        (now.ms_since(since) >= after_ms).then(|| {
            self.opens_again();
            why
        })
    }

    /// The moments from which its deadlines are counted.
    pub fn moments(&mut self) -> impl Iterator<Item = &mut Timestamp> {
        let Question {
            id: _,
            tool: _,
            words: _,
            input: _,
            reach: _,
            rule: _,
            at,
            call: _,
            key,
            touched: _,
            dialog: _,
            decided: _,
            reason: _,
            recorded: _,
            is_safe: _,
            answered_at,
            by_rule: _,
            refused_along: _,
            answered: _,
        } = self;
        let key = match key {
            AnswerKey::None => None,
            AnswerKey::Due(_, at) | AnswerKey::Typed(at) | AnswerKey::Sent(at) => Some(at),
        };
        [at].into_iter().chain(key).chain(answered_at)
    }

    /// What was decided could not be given: it waits for a person again.
    pub fn opens_again(&mut self) {
        // A rule that allows is not why it is asked.
        if self.by_rule && self.decided == Some(Decision::Allow) {
            self.rule = None;
        }
        self.by_rule = false;
        self.key = AnswerKey::None;
        self.decided = None;
        self.answered = false;
        self.answered_at = None;
    }

    /// It waits again, though another answer is recorded.
    pub fn asks_anew(&mut self) -> Option<Happened> {
        let recorded = self.recorded.take();
        recorded.map(|_| {
            permission(
                self.tool_id().into(),
                self.tool.clone(),
                self.input.clone(),
                "asked",
                "agent",
            )
        })
    }

    /// Answered by what became of its tool, where nobody decided here. A key that was never typed decided nothing: the
    /// call ended before its dialog showed. Nothing where just that is recorded.
    pub fn settled(self, status: ToolStatus) -> Option<Happened> {
        let decided = self.decided.filter(|_| !self.is_due());
        let (answer, by) = match (decided, status) {
            (None, ToolStatus::Denied) if self.is_due() => (DROPPED, "nobody"),
            (None, ToolStatus::Denied) if self.refused_along => (DENIED, ANOTHER),
            (Some(Decision::Deny), _) | (None, ToolStatus::Denied) => (DENIED, "person"),
            (Some(Decision::Allow), _) | (None, ToolStatus::Ok | ToolStatus::Error) => (ALLOWED, "person"),
            (None, ToolStatus::Interrupted) => (DROPPED, "nobody"),
            (None, ToolStatus::Unknown) => ("unknown", "nobody"),
        };
        let is_its = match decided {
            Some(Decision::Allow) => answer == ALLOWED,
            Some(Decision::Deny) => answer == DENIED,
            None => false,
        };
        let by_rule = self.by_rule && is_its;
        let by = if by_rule { "rule" } else { by };
        let recorded = match self.recorded {
            Some(Decision::Allow) => ALLOWED,
            Some(Decision::Deny) => DENIED,
            None => "",
        };
        (answer != recorded).then(|| self.told(answer, by))
    }

    fn told(&self, answer: &str, by: &str) -> Happened {
        let mut told = permission(self.tool_id().into(), self.tool.clone(), Value::Null, answer, by);
        if let Happened::Permission { rule, reason, .. } = &mut told {
            *rule = self.rule.as_ref().filter(|_| by == "rule").map(ToString::to_string);
            let why = match by {
                ANOTHER => "refused together with it",
                _ => &self.reason,
            };
            *reason = Some(why.to_owned()).filter(|why| answer == DENIED && !why.is_empty());
        }
        told
    }
}

const ALLOWED: &str = "allowed";
const DENIED: &str = "denied";
const DROPPED: &str = "dropped";
/// By what a call was denied that nobody refused.
const ANOTHER: &str = "another call";

/// That tells of a question which nobody answered with yes.
pub fn was_not_allowed(told: &Happened) -> bool {
    matches!(told, Happened::Permission { answer, .. } if answer == DENIED || answer == DROPPED)
}

pub fn permission(id: String, tool: String, input: Value, answer: &str, by: &str) -> Happened {
    Happened::Permission {
        id,
        tool,
        input,
        rule: None,
        answer: answer.into(),
        by: by.into(),
        reason: None,
        given_once_written: false,
    }
}

/// Characters of what a call is about.
const SUMMARY: usize = 200;

/// What is asked, in one line: the tool and the part of its input that a person judges by.
pub fn words(tool: &str, input: &Value) -> String {
    // A tool that asks the person something itself.
    if let Some(question) = input["questions"][0]["question"].as_str() {
        return one_line(question, 120);
    }
    match CallSummary::of(tool, input).about(SUMMARY).as_str() {
        "" => tool.into(),
        about => format!("{tool}: {about}"),
    }
}

/// The same where only a reach beyond its directory is asked for.
pub fn words_to_reach(reach: &[String], tool: &str, input: &Value) -> String {
    format!("reach {}, for {}", reach.join(", "), called_in(&words(tool, input)))
}

/// Shown to the agent when a person said no.
pub(in crate::domain) fn refusal(reason: &str) -> String {
    match reason.trim() {
        "" => "The person refused this call. Do not try it in another way; ask what to do instead.".into(),
        reason => format!("The person refused this call: {reason}"),
    }
}
