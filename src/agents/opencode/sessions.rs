//! What the server tells of the sessions in it: the chat's own, and those of its sub-agents.
//!
//! A message is announced, then come its parts, each again whenever it changes, then the message is complete. What a
//! complete message said is never told again: its time is the mark up to which a session was read.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::Path;

use serde_json::{Value, json};

use super::calls::{Calls, PERMISSIONS};
use super::live::LiveWords;
use super::order::OpencodeOrder;
use super::part::{self, text_of};
use super::stored_message::{MessageRole, StoredMessage, is_over};
use super::undone::Undone;
use super::windows::{ModelWindows, PROVIDERS};
use crate::agents::{Passage, ReadStream};
use crate::model::entry::SubagentSaid;
use crate::model::{HookEvent, Mark, ServerAnswer, Streamed};

/// Messages whose parts may still come. A few are open at a time.
const REMEMBERED: usize = 256;

const ALL: &str = "/session";
const STATUSES: &str = "/session/status";

/// How many of the newest messages are asked for. Only those can be missing that came while nobody listened.
const ASKED: usize = 100;

/// How often is asked again for messages of which one is not whole yet.
const TORN: u32 = 10;

/// Parts of messages that tell nothing which is not told otherwise.
const SILENT: &[&str] = &[
    "agent",
    "file",
    "patch",
    "retry",
    "snapshot",
    "step-finish",
    "step-start",
    "subtask",
];

/// The reader of one start's stream.
pub(super) struct Sessions {
    dir: String,
    /// The chat's session: the one a person last prompted.
    session: String,
    /// It was said that this start works in it.
    announced: bool,
    /// In milliseconds: all messages that were complete then were told.
    read: i64,
    /// Those of sub-agents.
    children: HashMap<String, ChildSession>,
    messages: VecDeque<StoredMessage>,
    order: OpencodeOrder,
    calls: Calls,
    live: LiveWords,
    windows: ModelWindows,
    resting: bool,
    /// The turn failed, and that it rests now is not the news.
    failed: bool,
    /// What the agent asks its person by a tool of its own, until that is answered.
    question: Option<String>,
    undone: Undone,
    /// When this process was started.
    since: i64,
    /// What is being read now was left by a process that is gone: what it says is unfinished will stay so.
    left_over: bool,
    /// How often a message was marked complete, and was not.
    torn: u32,
    /// That was so of the newest one.
    leaves_out: bool,
    /// Parts that are told of once however often they change, and kinds of parts that nobody could read.
    once: HashSet<String>,
}

struct ChildSession {
    name: String,
    works: bool,
}

impl Sessions {
    pub(super) fn new(session: &str, dir: &Path, since: i64, read: i64) -> Sessions {
        Sessions {
            dir: dir.display().to_string(),
            session: session.into(),
            announced: false,
            read,
            children: HashMap::new(),
            messages: VecDeque::new(),
            order: OpencodeOrder::default(),
            calls: Calls::default(),
            live: LiveWords::default(),
            windows: ModelWindows::default(),
            resting: true,
            failed: false,
            question: None,
            undone: Undone::default(),
            since,
            left_over: false,
            torn: 0,
            leaves_out: false,
            once: HashSet::new(),
        }
    }
}

impl ReadStream for Sessions {
    fn begin(&mut self, read: u64) {
        self.read = self.read.max(i64::try_from(read).unwrap_or(i64::MAX));
    }

    fn asks(&self, after: Option<&str>) -> Option<String> {
        match after {
            None => Some(ALL.into()),
            Some(ALL) if !self.session.is_empty() => Some(format!("/session/{}/message?limit={ASKED}", self.session)),
            Some(PERMISSIONS) => Some(STATUSES.into()),
            Some(PROVIDERS) => None,
            Some(ALL | STATUSES) => Some(PROVIDERS.into()),
            Some(messages) if self.torn > 0 => Some(messages.into()),
            Some(_) => Some(PERMISSIONS.into()),
        }
    }

    fn answer(&mut self, path: &str, body: &Value) -> Vec<Passage> {
        let list = body.as_array().map_or(&[][..], Vec::as_slice);
        match path {
            PERMISSIONS => list.iter().map(|asked| self.hear("permission.asked", asked)).collect(),
            STATUSES => vec![self.status_of_all(body)],
            PROVIDERS => {
                self.windows.read(body);
                Vec::new()
            }
            ALL => {
                self.find_children(list);
                if self.session.is_empty() {
                    self.find(list);
                }
                let own = list.iter().find(|session| session["id"] == *self.session);
                own.into_iter().for_each(|session| self.reverted(session));
                Vec::new()
            }
            _ => self.missed(list),
        }
    }

    fn reply(&self, answer: &ServerAnswer) -> Option<(String, Value)> {
        self.calls.reply(answer)
    }

    fn event(&mut self, text: &str) -> Passage {
        match serde_json::from_str::<Value>(text) {
            Ok(event) => self.hear(event["type"].as_str().unwrap_or_default(), &event["properties"]),
            Err(_) => {
                self.order.says([Streamed::Reported(part::odd("stream", text))]);
                self.passage(None)
            }
        }
    }
}

impl Sessions {
    fn hear(&mut self, kind: &str, what: &Value) -> Passage {
        let session = text_of(&what["sessionID"]);
        let mut read = None;
        match kind {
            "session.created" => self.created(&what["info"]),
            "session.updated" if session == self.session => self.reverted(&what["info"]),
            "message.removed" => self.undone.loses(what),
            "message.updated" => read = self.message(&session, &what["info"]),
            "message.part.updated" => {
                self.part(&session, &what["part"]);
                // The call of a question begins when that is asked already, and works on nothing.
                if what["part"]["tool"] == "question" {
                    self.asks_still();
                }
            }
            "message.part.delta" => self.live.grows(what),
            "permission.asked" => self.order.says(self.calls.asks(what)),
            "permission.replied" => self.order.says(self.calls.answered(what)),
            "question.asked" => self.question_asked(what),
            "question.replied" | "question.rejected" => {
                self.question = None;
                self.says(HookEvent::WorksOn { tool: String::new() });
            }
            "session.status" => self.status(&session, &what["status"]),
            "session.idle" => self.status(&session, &json!({"type": "idle"})),
            "session.error" => self.failed(&session, &what["error"]),
            _ => {}
        }
        if kind != "permission.asked" {
            self.order.says(self.calls.asks_all_the_same());
        }
        self.passage(read)
    }

    fn says(&mut self, event: HookEvent) {
        self.order.says([Streamed::Event(event)]);
    }

    /// What can be told now.
    fn passage(&mut self, read: Option<Mark>) -> Passage {
        Passage {
            said: self.order.ready(),
            writes: self.live.news(),
            read,
            torn: std::mem::take(&mut self.leaves_out),
        }
    }

    /// A session that another one began is a sub-agent's.
    fn created(&mut self, session: &Value) {
        if session["parentID"].is_string() {
            let (id, name) = (text_of(&session["id"]), text_of(&session["title"]));
            let child = ChildSession {
                name: name.clone(),
                works: true,
            };
            self.children.insert(id.clone(), child);
            self.says(HookEvent::SubagentStarted { id, name });
        }
    }

    fn reverted(&mut self, session: &Value) {
        let changed = self.undone.changes(session);
        self.order.says(changed.map(Streamed::WentBack));
    }

    /// A message is announced, changed or complete. The mark it sets, where it is.
    fn message(&mut self, session: &str, message: &Value) -> Option<Mark> {
        let id = text_of(&message["id"]);
        let known = self.role(&id);
        let completed = message["time"]["completed"].as_i64();
        let role = match (message["role"].as_str(), known) {
            (Some("user"), _) => MessageRole::Prompt,
            (_, Some(MessageRole::Done)) => return None,
            _ if message["summary"] == true => MessageRole::Summary,
            _ => MessageRole::Reply,
        };
        if known.is_none() {
            self.messages.truncate(REMEMBERED - 1);
            self.messages.push_front(StoredMessage::new(id.clone(), role, message));
        }
        let completed = completed.filter(|at| role != MessageRole::Prompt && *at > self.read)?;
        let heard = self.messages.iter_mut().find(|message| message.id == id)?;
        if session == self.session && !self.left_over && self.torn < TORN && !heard.is_whole(message) {
            self.torn += 1;
            self.leaves_out = true;
            return None;
        }
        heard.role = MessageRole::Done;
        self.torn = 0;
        self.order.hurry();
        let sub_agent = self.children.contains_key(session).then(|| session.to_string());
        let told = part::epilogue(message, sub_agent, self.windows.of(message));
        self.order.says(told.into_iter().map(Streamed::Reported));
        if session != self.session {
            return None;
        }
        self.read = completed;
        Some(Mark {
            file: self.session.clone(),
            to: u64::try_from(completed).unwrap_or_default(),
        })
    }

    fn role(&self, message: &str) -> Option<MessageRole> {
        let known = self.messages.iter().find(|known| known.id == message);
        known.map(|known| known.role)
    }

    fn part(&mut self, session: &str, part: &Value) {
        // Old messages change too, when the CLI forgets what their tools printed.
        let message = part["messageID"].as_str().unwrap_or_default();
        let Some(role) = self.role(message).filter(|role| *role != MessageRole::Done) else {
            return;
        };
        for known in self.messages.iter_mut().filter(|known| known.id == message) {
            known.used |= part["type"] == "tool";
            known.finished |= part["type"] == "step-finish";
        }
        let is_child = self.children.contains_key(session);
        match (part["type"].as_str().unwrap_or_default(), role) {
            ("tool", _) => {
                let changes = self.calls.changes(part, is_child.then(|| session.to_string()));
                self.order.says(changes);
            }
            ("text" | "reasoning", role) if is_child => self.words_of_child(session, part, role),
            ("text", MessageRole::Prompt) => self.prompt(session, part),
            ("text", MessageRole::Summary) if !part["time"]["end"].is_null() => {
                if self.once.insert(text_of(&part["id"])) {
                    self.order.says(part::summary(part).map(Streamed::Reported));
                }
            }
            ("text" | "reasoning", MessageRole::Summary) => {}
            ("text" | "reasoning", _) => self.words(session, part),
            ("compaction", _) if self.once.insert(text_of(&part["id"])) => {
                let trigger = match part["auto"] == true {
                    true => "auto",
                    false => "manual",
                };
                self.says(HookEvent::Compacting {
                    trigger: trigger.into(),
                });
            }
            (kind, _) if SILENT.contains(&kind) || kind == "compaction" => {}
            (kind, _) => {
                if self.once.insert(kind.into()) {
                    self.order
                        .says([Streamed::Reported(part::odd("messages", &part.to_string()))]);
                }
            }
        }
    }

    /// A person's words. Where the chat has gone on to another session they are the first to tell.
    fn prompt(&mut self, session: &str, part: &Value) {
        if part["synthetic"] == true || part["ignored"] == true {
            return;
        }
        if !self.left_over && !self.announced || self.session != session {
            self.announced = true;
            self.session = session.into();
            self.says(HookEvent::SessionStarted {
                session: session.into(),
                source: "startup".into(),
                model: None,
                cwd: self.dir.clone(),
            });
        }
        self.resting = false;
        self.failed = false;
        let message = part["messageID"].as_str().unwrap_or_default();
        let known = self.messages.iter().find(|known| known.id == message);
        // What comes now is heard as it happens.
        let at = known.and_then(|known| known.created).filter(|_| self.left_over);
        self.order.says([Streamed::Reported(part::prompt(part, at))]);
    }

    fn words(&mut self, session: &str, part: &Value) {
        let id = text_of(&part["id"]);
        if part["time"]["end"].is_null() {
            if session == self.session {
                self.live.begins(part);
            }
            let key = part::key_of_words(part);
            return self.order.opens(&id, key);
        }
        self.live.ends(&id);
        self.order.ends(&id, part::words(part).map(Streamed::Reported));
    }

    /// What a sub-agent was asked, or said.
    fn words_of_child(&mut self, session: &str, part: &Value, role: MessageRole) {
        let said = match (role, part["type"] == "reasoning") {
            (MessageRole::Prompt, _) if part["synthetic"] == true || part["ignored"] == true => return,
            (MessageRole::Prompt, _) => SubagentSaid::Asked,
            (_, _) if part["time"]["end"].is_null() => return,
            (_, true) => SubagentSaid::Thought,
            (_, false) => SubagentSaid::Answered,
        };
        // A part is told again with each change of its message.
        if self.once.insert(text_of(&part["id"])) {
            let told = part::words_of_child(session, part, said);
            self.order.says(told.map(Streamed::Reported));
        }
    }

    fn question_asked(&mut self, asked: &Value) {
        self.question = Some(text_of(&asked["questions"][0]["question"]));
        self.asks_still();
    }

    fn asks_still(&mut self) {
        if let Some(text) = self.question.clone() {
            self.says(HookEvent::Waiting { text });
        }
    }

    fn status(&mut self, session: &str, status: &Value) {
        let rests = status["type"] == "idle";
        if let Some(child) = self.children.get_mut(session) {
            if rests && std::mem::take(&mut child.works) {
                let (id, name) = (session.to_string(), child.name.clone());
                self.says(HookEvent::SubagentEnded { id, name });
            }
            return;
        }
        if session == self.session && status["type"] == "retry" {
            self.order.says([Streamed::Reported(part::retry(status))]);
        }
        if session != self.session || rests == self.resting {
            return;
        }
        self.resting = rests;
        self.live.forget();
        if rests {
            self.question = None;
        }
        match rests {
            true if std::mem::take(&mut self.failed) => {}
            true => self.says(HookEvent::TurnEnded { background: 0 }),
            false => self.says(HookEvent::WorksOn { tool: String::new() }),
        }
        self.order.hurry();
    }

    fn failed(&mut self, session: &str, error: &Value) {
        if session != self.session {
            return;
        }
        self.live.forget();
        self.order.hurry();
        if part::is_abort(error) {
            let broken_off = self.calls.break_off();
            self.order.says(broken_off);
            return;
        }
        self.failed = true;
        let error = HookEvent::TurnFailed {
            error: part::in_words(error["name"].as_str().unwrap_or("unknown")),
            message: part::message_of(error),
            trouble: part::trouble(error),
        };
        self.says(error);
    }

    /// A person may have prompted it before its server was heard: the session that this made.
    fn find(&mut self, sessions: &[Value]) {
        let made = |session: &&Value| session["time"]["created"].as_i64().is_some_and(|at| at >= self.since);
        let ours = |session: &&Value| session["directory"] == self.dir && session["parentID"].is_null();
        let newest = sessions
            .iter()
            .filter(|session| made(session) && ours(session))
            .max_by_key(|session| session["time"]["created"].as_i64());
        self.session = newest.map_or(String::new(), |session| text_of(&session["id"]));
    }

    /// A sub-agent may have begun while nobody listened: what it is prompted is no person's.
    fn find_children(&mut self, sessions: &[Value]) {
        for session in sessions.iter().filter(|session| session["parentID"].is_string()) {
            self.children
                .entry(text_of(&session["id"]))
                .or_insert_with(|| ChildSession {
                    name: text_of(&session["title"]),
                    works: false,
                });
        }
    }

    /// The newest messages of the session, oldest first: those that nobody heard.
    fn missed(&mut self, messages: &[Value]) -> Vec<Passage> {
        let mut passages = Vec::new();
        for message in messages {
            let info = &message["info"];
            let at = info["time"]["completed"].as_i64().or(info["time"]["created"].as_i64());
            if at.is_none_or(|at| at <= self.read) {
                continue;
            }
            let session = text_of(&info["sessionID"]);
            let parts = message["parts"].as_array().map_or(&[][..], Vec::as_slice);
            self.left_over = info["time"]["created"].as_i64().is_none_or(|at| at < self.since);
            if !self.left_over && !is_over(info, parts) && self.torn < TORN {
                self.torn += 1;
                return passages;
            }
            let mut announced = info.clone();
            announced["time"]["completed"] = Value::Null;
            self.message(&session, &announced);
            let is_over = |part: &&Value| !matches!(part["state"]["status"].as_str(), Some("running"));
            let left_over = self.left_over;
            for part in parts.iter().filter(|part| !left_over || is_over(part)) {
                self.part(&session, part);
            }
            let read = self.message(&session, info);
            if left_over {
                self.order.hurry();
            }
            passages.push(self.passage(read));
        }
        self.left_over = false;
        self.torn = 0;
        passages
    }

    /// All sessions that are at work.
    fn status_of_all(&mut self, all: &Value) -> Passage {
        let session = self.session.clone();
        let idle = json!({"type": "idle"});
        self.status(&session, all.get(&session).unwrap_or(&idle));
        self.passage(None)
    }
}
