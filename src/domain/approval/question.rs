//! What an agent asks before it uses a tool, and how that was answered.

use serde_json::Value;

use crate::domain::call::CallSummary;
use crate::model::entry::ToolStatus;
use crate::model::text::one_line;
use crate::model::{CallId, Happened, Timestamp};
use crate::permission::RuleName;

/// A permission dialog that is open or waits for the one before it.
pub struct Question {
    /// That of its tool; its own where no tool is known.
    pub id: String,
    pub tool: String,
    pub words: String,
    pub input: Value,
    /// Why it is asked and not simply allowed, where a rule says so.
    pub rule: Option<RuleName>,
    pub at: Timestamp,
    /// The hook that waits for what is decided here.
    pub call: Option<CallId>,
    /// The key that answers it in its dialog.
    pub key: AnswerKey,
    /// Somebody typed in the terminal since it was asked: which choice a key would take is not known any more.
    pub touched: bool,
    /// What was decided here.
    pub decided: Option<Decision>,
    /// Why it was refused here.
    pub reason: String,
    /// It is the rule that decided.
    pub by_rule: bool,
    /// The dialog is gone; what was answered shows when the tool ends.
    pub answered: bool,
}

/// How far the key is that answers a dialog. One that is typed late hits whatever is shown then, so it is given up with
/// the first sign that its own dialog is gone, or may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerKey {
    None,
    /// Typed when the terminal shows its dialog, for which it waits since then.
    Due(Vec<u8>, Timestamp),
    /// Until something tells that its dialog is gone.
    Typed(Timestamp),
}

/// What a person decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Allow,
    Deny,
}

impl Question {
    /// Its dialog is gone. A key that was not typed yet did not answer it.
    pub fn close(&mut self) {
        if self.is_due() {
            self.decided = None;
        }
        self.key = AnswerKey::None;
        self.answered = true;
    }

    /// Somebody typed in its terminal: from now on it is answered there alone.
    pub fn touch(&mut self) {
        self.touched = true;
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
            AnswerKey::None | AnswerKey::Typed(_) => {
                self.key = key;
                None
            }
        }
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
            rule: _,
            at,
            call: _,
            key,
            touched: _,
            decided: _,
            reason: _,
            by_rule: _,
            answered: _,
        } = self;
        let key = match key {
            AnswerKey::None => None,
            AnswerKey::Due(_, at) | AnswerKey::Typed(at) => Some(at),
        };
        [at].into_iter().chain(key)
    }

    fn opens_again(&mut self) {
        self.by_rule = false;
        self.key = AnswerKey::None;
        self.decided = None;
        self.answered = false;
    }

    /// Answered by what became of its tool, where nobody decided here. A key that was never typed decided nothing: the
    /// call ended before its dialog showed.
    pub fn settled(self, status: ToolStatus) -> Happened {
        let decided = self.decided.filter(|_| !self.is_due());
        let (answer, by) = match (decided, status) {
            (None, ToolStatus::Denied) if self.is_due() => ("dropped", "nobody"),
            (Some(Decision::Deny), _) | (None, ToolStatus::Denied) => ("denied", "person"),
            (Some(Decision::Allow), _) | (None, ToolStatus::Ok | ToolStatus::Error) => ("allowed", "person"),
            (None, ToolStatus::Interrupted) => ("dropped", "nobody"),
            (None, ToolStatus::Unknown) => ("unknown", "nobody"),
        };
        let by_rule = self.by_rule && decided == Some(Decision::Allow) && answer == "allowed";
        let by = if by_rule { "rule" } else { by };
        let mut told = permission(self.id, self.tool, Value::Null, answer, by);
        if let (Happened::Permission { rule, .. }, true) = (&mut told, by_rule) {
            *rule = self.rule.as_ref().map(ToString::to_string);
        }
        told
    }
}

pub fn permission(id: String, tool: String, input: Value, answer: &str, by: &str) -> Happened {
    Happened::Permission {
        id,
        tool,
        input,
        rule: None,
        answer: answer.into(),
        by: by.into(),
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

/// Shown to the agent when a person said no.
pub(in crate::domain::approval) fn refusal(reason: &str) -> String {
    match reason.trim() {
        "" => "The person refused this call. Do not try it in another way; ask what to do instead.".into(),
        reason => format!("The person refused this call: {reason}"),
    }
}
