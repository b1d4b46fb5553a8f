//! Tools that run, and the questions about them.
//!
//! A tool is known here by the id of its part, which no other has: models use the ids of their calls again. A question
//! names the call.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::part::{self, text_of};
use crate::model::{HookAnswer, HookEvent, ServerAnswer, Streamed};

/// Where the questions are that are open.
pub(super) const PERMISSIONS: &str = "/permission";

#[derive(Default)]
pub(super) struct Calls {
    /// The newest word of each tool that runs, by its call.
    running: HashMap<String, Value>,
    /// Questions that are open, by id.
    asked: HashMap<String, OpenQuestion>,
    /// Questions about calls that were not heard of yet.
    early: HashMap<String, Value>,
}

#[derive(Default)]
struct OpenQuestion {
    /// The call it is about.
    call: String,
    session: String,
    /// It asks about directories beyond the agent's own, before it asks about the call itself.
    is_of_reach: bool,
    /// Another one of its session was refused, with which the CLI refuses all that are open there.
    falls: bool,
}

impl OpenQuestion {
    fn about(call: String, asked: &Value) -> OpenQuestion {
        OpenQuestion {
            call,
            session: text_of(&asked["sessionID"]),
            is_of_reach: !reach(asked).is_empty(),
            falls: false,
        }
    }
}

impl Calls {
    /// A tool changes: it begins, goes on or ends.
    pub(super) fn changes(&mut self, part: &Value, parent: Option<String>) -> Vec<Streamed> {
        let call = call_of(part);
        let status = part["state"]["status"].as_str().unwrap_or_default();
        let mut said = Vec::new();
        if status == "pending" {
            return said;
        }
        if self.running.insert(call.clone(), part.clone()).is_none() {
            said.push(Streamed::Reported(part::tool_start(part, parent)));
        }
        if let Some(asked) = self.early.remove(&call) {
            said.extend(self.asks(&asked));
        }
        if status != "running" {
            self.running.remove(&call);
            said.push(Streamed::Reported(part::tool_end(part)));
        }
        said
    }

    /// A dialog is open. It may be heard of a moment before its tool is, and then waits for that.
    pub(super) fn asks(&mut self, asked: &Value) -> Option<Streamed> {
        let about = &asked["tool"];
        let call = call_of(about);
        let (tool, input) = match self.running.get(&call) {
            Some(part) => (text_of(&part["tool"]), part["state"]["input"].clone()),
            None if about.is_object() => {
                self.early.insert(call, asked.clone());
                return None;
            }
            None => return self.asks_alone(asked),
        };
        let (news, reach) = (self.opens(asked, call), reach(asked));
        news.then_some(Streamed::Event(HookEvent::PermissionAsked { tool, input, reach }))
    }

    /// Questions whose tools did not follow at once: nobody is kept waiting for a dialog.
    pub(super) fn asks_all_the_same(&mut self) -> Vec<Streamed> {
        let early = std::mem::take(&mut self.early);
        early.values().filter_map(|asked| self.asks_alone(asked)).collect()
    }

    fn asks_alone(&mut self, asked: &Value) -> Option<Streamed> {
        let (tool, input) = (text_of(&asked["permission"]), asked["metadata"].clone());
        let (news, reach) = (self.opens(asked, String::new()), reach(asked));
        news.then_some(Streamed::Event(HookEvent::PermissionAsked { tool, input, reach }))
    }

    /// Whether that is news.
    fn opens(&mut self, asked: &Value, call: String) -> bool {
        let open = OpenQuestion::about(call, asked);
        self.asked.insert(text_of(&asked["id"]), open).is_none()
    }

    /// The answer to the question about the tool of this part, as a request.
    pub(super) fn reply(&self, given: &ServerAnswer) -> Option<(String, Value)> {
        let reply = match &given.answer {
            HookAnswer::Allow => json!({"reply": "once"}),
            HookAnswer::Deny(why) if why.is_empty() => json!({"reply": "reject"}),
            // It reads why, and its turn goes on.
            HookAnswer::Deny(why) => json!({"reply": "reject", "message": why}),
            HookAnswer::Ask(_) | HookAnswer::Context(_) | HookAnswer::NoOpinion => return None,
        };
        let request = self.open_about(given)?;
        Some((format!("{PERMISSIONS}/{request}/reply"), reply))
    }

    /// The question that is open about it; the newest, where another one was left. Who allows a reach has not read the call.
    fn open_about(&self, given: &ServerAnswer) -> Option<&str> {
        let (call, _) = self.running.iter().find(|(_, known)| known["id"] == given.about)?;
        let is_it = |question: &OpenQuestion| question.call == *call && question.is_of_reach == given.is_of_reach;
        let open = self.asked.iter().filter(|(_, question)| is_it(question));
        open.map(|(id, _)| id.as_str()).max()
    }

    /// A dialog was answered. What was refused shows by how its tool ends, which is at once.
    pub(super) fn answered(&mut self, reply: &Value) -> Option<Streamed> {
        let question = self.asked.remove(reply["requestID"].as_str().unwrap_or_default());
        let is_refused = reply["reply"] == "reject";
        let of_session = |other: &&mut OpenQuestion| reply["sessionID"] == *other.session;
        for other in self.asked.values_mut().filter(of_session) {
            other.falls |= is_refused;
        }
        let falls = question.as_ref().is_some_and(|question| question.falls);
        let part = question.and_then(|question| self.running.get(&question.call));
        let tool = part.map_or(String::new(), |part| text_of(&part["id"]));
        if part.is_some() && is_refused {
            return falls.then_some(Streamed::Event(HookEvent::RefusedAlong { tool }));
        }
        Some(Streamed::Event(HookEvent::WorksOn { tool }))
    }

    /// Everything was broken off. The CLI tells of each tool only when the turn is over.
    pub(super) fn break_off(&mut self) -> Vec<Streamed> {
        let mut parts: Vec<Value> = self.running.drain().map(|(_, part)| part).collect();
        parts.sort_by_key(|part| text_of(&part["id"]));
        parts
            .iter()
            .map(|part| Streamed::Reported(part::tool_end(part)))
            .collect()
    }
}

/// The directories outside of the agent's own that it is asked about before the call itself is.
fn reach(asked: &Value) -> Vec<String> {
    if asked["permission"] != "external_directory" {
        return Vec::new();
    }
    let about = &asked["metadata"];
    let named = about["directories"].as_array().into_iter().flatten();
    let named = named.chain([&about["parentDir"]]).filter_map(Value::as_str);
    named.map(str::to_owned).collect()
}

fn call_of(part: &Value) -> String {
    json!([part["messageID"], part["callID"]]).to_string()
}
