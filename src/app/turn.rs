//! What an agent's turn has open: tools that have begun, and a question that waits.

use serde_json::Value;

use crate::model::entry::ToolStatus;
use crate::model::{Activity, Happened, Manners, Ready, Signal, Source, Timestamp};

use super::state::Agent;

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

    /// The newest tool of that name that has begun and not ended.
    pub fn open_tool(&self, name: &str) -> Option<String> {
        let mut newest = self.open_tools.iter().rev();
        newest.find(|(_, open)| open == name).map(|(id, _)| id.clone())
    }

    /// A tool ends once: `None` where it has ended already, or never began.
    pub fn end_tool(&mut self, id: &str, status: ToolStatus, output: String, ms: Option<u64>) -> Option<Happened> {
        let place = self.open_tools.iter().position(|(open, _)| open == id)?;
        self.open_tools.remove(place);
        Some(Happened::ToolEnd {
            id: id.into(),
            status,
            bytes: output.len() as u64,
            lines: output.lines().count() as u64,
            preview: output,
            output: None,
            ms,
        })
    }

    /// An open question is answered by what became of its tool.
    pub fn settle_permission(&mut self, id: &str, status: ToolStatus) -> Option<Happened> {
        let (_, tool) = self.asking.take_if(|(asked, _)| asked == id)?;
        let answer = match status {
            ToolStatus::Ok | ToolStatus::Error => "allowed",
            ToolStatus::Denied => "denied",
            ToolStatus::Interrupted => "dropped",
        };
        Some(permission(id.into(), tool, Value::Null, answer, "person"))
    }

    /// What a session begins with: the wait for a prompt, or the first prompt itself.
    pub fn at_its_session(&self) -> Activity {
        let by_prompt = |manners: &Manners| manners.ready == Ready::Composer;
        match self.manners.as_ref().is_some_and(by_prompt) {
            true => Activity::Busy(None),
            false => Activity::Idle,
        }
    }

    /// Its last hook told of a question, and nothing since that it was answered.
    pub fn waits_by_hook(&self) -> bool {
        self.signals.get(&Source::Hook).is_some_and(Signal::waits)
    }

    /// What was interrupted while its question was open was denied.
    pub fn how_it_ended(&self, id: &str, status: ToolStatus) -> ToolStatus {
        let asked = self.asking.as_ref().is_some_and(|(asked, _)| asked == id);
        match status {
            ToolStatus::Interrupted if asked && self.waits_by_hook() => ToolStatus::Denied,
            ToolStatus::Ok | ToolStatus::Error | ToolStatus::Denied | ToolStatus::Interrupted => status,
        }
    }

    /// Ends every open tool; one that had been asked for was denied.
    pub fn end_all_tools(&mut self, status: ToolStatus) -> Vec<Happened> {
        let mut happened = Vec::new();
        while let Some((id, _)) = self.open_tools.first().cloned() {
            let asked = self.asking.as_ref().is_some_and(|(asked, _)| *asked == id);
            let how = match asked {
                true => ToolStatus::Denied,
                false => status,
            };
            happened.extend(self.settle_permission(&id, how));
            happened.extend(self.end_tool(&id, how, String::new(), None));
        }
        // A question without a tool of its own, and so without an answer.
        if let Some((id, _)) = self.asking.clone() {
            happened.extend(self.settle_permission(&id, status));
        }
        happened
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
