//! What was asked and is not answered yet.

use std::collections::BTreeMap;

use serde_json::Value;
use tokio::sync::mpsc::Sender as Queue;

use crate::engine::inbound::AnswerSender;
use crate::mcp::ProgressReports;
use crate::model::{CallId, ChatId, Problem};

/// Each open call, by what is needed to answer it.
#[derive(Default)]
pub struct OpenCalls {
    answers: BTreeMap<CallId, AnswerSender>,
    /// Whose hook a call is, and which.
    hooks: BTreeMap<CallId, (ChatId, String)>,
    streams: BTreeMap<CallId, Queue<Value>>,
    progress: BTreeMap<CallId, ProgressReports>,
}

impl OpenCalls {
    pub fn open_request(&mut self, call: CallId, answer: AnswerSender, stream: Queue<Value>) {
        self.answers.insert(call, answer);
        self.streams.insert(call, stream);
    }

    pub fn open_hook(&mut self, call: CallId, answer: AnswerSender, chat: ChatId, event: String) {
        self.answers.insert(call, answer);
        self.hooks.insert(call, (chat, event));
    }

    pub fn open_tool(&mut self, call: CallId, answer: AnswerSender, progress: ProgressReports) {
        self.answers.insert(call, answer);
        self.progress.insert(call, progress);
    }

    /// Whose hook it is and which; None where it was taken, or its agent has gone.
    pub fn take_hook(&mut self, call: CallId) -> Option<(ChatId, String)> {
        self.hooks.remove(&call)
    }

    pub fn stream(&self, call: CallId) -> Option<&Queue<Value>> {
        self.streams.get(&call)
    }

    pub fn progress(&self, call: CallId) -> Option<&ProgressReports> {
        self.progress.get(&call)
    }

    pub fn reply(&mut self, call: CallId, answer: Result<Value, Problem>) {
        self.streams.remove(&call);
        self.progress.remove(&call);
        self.hooks.remove(&call);
        if let Some(waiting) = self.answers.remove(&call) {
            // Whoever asked may have gone.
            let _ = waiting.send(answer);
        }
    }

    /// Nobody waits for its answer any more.
    pub fn forget(&mut self, call: CallId) {
        self.answers.remove(&call);
        self.streams.remove(&call);
        self.progress.remove(&call);
        self.hooks.remove(&call);
    }
}
