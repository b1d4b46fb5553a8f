//! What can happen to a world beside a person's keys, and what is to be done about it, in short words.

use std::collections::BTreeMap;

use parlour::domain::event::{Observed, Outcome, PtyEvent};
use parlour::domain::work::{AgentDone, InboxJob, JournalDone, JournalWork, StartedAgent};
use parlour::domain::{Effect, Event, PaneOrder, Work};
use parlour::model::entry::{From, ToolStatus};
use parlour::model::request::{By, ChatRequest, Request, TrashRequest};
use parlour::model::{
    Activity, Asks, CallId, Capabilities, Chat, Entry, Happened, HookAnswer, HookEvent, Mark, PaneEvent, Problem,
    Ready, Reported, Signal, Source, Timestamp, ToolCall, Trouble, TroubleKind, WorkId,
};
use serde_json::{Value, json};

use super::world::{World, id};

/// The call of a shell, and the call of a hook.
pub const SHELL: CallId = CallId(1);
pub const HOOK: CallId = CallId(2);
pub const TOOL: CallId = CallId(3);

/// How Claude Code wants to be treated.
pub fn claude() -> Capabilities {
    Capabilities {
        ready: Ready::Hooks,
        confirms: true,
        transcribes: true,
        streams_words: false,
        queues: true,
        retells: false,
        shows_retries: false,
        asks_on_screen: false,
        awaits_mcp: true,
        interrupt: b"\x1b".to_vec(),
        asks: Asks::Hook,
        steady: false,
        settle_ms: 500,
        shown_ms: Some(50),
        drops_blanks: false,
    }
}

/// As Codex is: its session begins with its first prompt.
pub fn codex() -> Capabilities {
    Capabilities {
        ready: Ready::Composer,
        ..claude()
    }
}

/// A CLI of which only its screen tells.
pub fn custom() -> Capabilities {
    Capabilities {
        ready: Ready::Screen,
        confirms: false,
        transcribes: false,
        queues: false,
        awaits_mcp: false,
        ..claude()
    }
}

pub fn shell() -> Capabilities {
    Capabilities {
        ready: Ready::Foreground,
        ..custom()
    }
}

impl World {
    /// A home with these chats and nobody looking.
    pub fn unwatched(chats: &[&str]) -> World {
        let mut world = World::new(120, 40);
        world.state.views.clear();
        for short in chats {
            world.chat(short, short, 1);
        }
        world
    }

    /// A chat whose Claude Code has begun its session, connected, and waits for a prompt.
    pub fn at_rest() -> World {
        let mut world = World::unwatched(&["auth"]);
        world.run("auth", claude());
        world.happens(Event::Observed(id("auth"), Observed::McpConnected));
        world.hook(session("startup"));
        world
    }

    pub fn ask(&mut self, request: Request) -> Vec<Effect> {
        self.asked_by(By::Person, request)
    }

    pub fn asked_by(&mut self, by: By, request: Request) -> Vec<Effect> {
        let effects = self.happens(Event::Ask(SHELL, by, request));
        self.with_decisions_safe(effects)
    }

    pub fn resume(&mut self, chat: &str) -> Vec<Effect> {
        self.ask(Request::Chat(ChatRequest::Resume {
            chat: id(chat).to_string(),
            env: BTreeMap::new(),
        }))
    }

    pub fn stop(&mut self, chat: &str) -> Vec<Effect> {
        self.ask(Request::Chat(ChatRequest::Stop {
            chat: id(chat).to_string(),
            tree: false,
        }))
    }

    pub fn stop_tree(&mut self, chat: &str) -> Vec<Effect> {
        self.ask(Request::Chat(ChatRequest::Stop {
            chat: chat.into(),
            tree: true,
        }))
    }

    pub fn rm(&mut self, chat: &str) -> Vec<Effect> {
        self.ask(Request::Trash(TrashRequest::Rm {
            chat: id(chat).to_string(),
            yes: true,
        }))
    }

    pub fn send(&mut self, text: &str) -> Vec<Effect> {
        self.prompt(text, false)
    }

    pub fn follow_up(&mut self, text: &str) -> Vec<Effect> {
        self.prompt(text, true)
    }

    fn prompt(&mut self, text: &str, follow_up: bool) -> Vec<Effect> {
        self.ask(Request::Chat(ChatRequest::Send {
            chat: "auth".into(),
            text: text.into(),
            follow_up,
            env: BTreeMap::new(),
            sender: None,
            id: String::new(),
            wait: false,
        }))
    }

    /// The agent of one chat sends a prompt to another.
    pub fn agent_sends(&mut self, sender: &str, chat: &str) -> Vec<Effect> {
        let asked = Request::Chat(ChatRequest::Send {
            chat: id(chat).to_string(),
            text: "look at this".into(),
            follow_up: false,
            env: BTreeMap::from([("PARLOUR_TOKEN".to_string(), "its own".to_string())]),
            sender: Some(id(sender)),
            id: String::new(),
            wait: false,
        });
        self.asked_by(By::Chat(id(sender)), asked)
    }

    pub fn done(&mut self, work: WorkId, outcome: Outcome) -> Vec<Effect> {
        let effects = self.happens(Event::Done(work, outcome));
        self.with_decisions_safe(effects)
    }

    pub fn said(&mut self, chat: &str, said: PaneEvent) -> Vec<Effect> {
        self.happens(Event::Pty(id(chat).into(), PtyEvent::Said(said)))
    }

    /// Resumes a chat's agent, prepares it and sees its process start.
    pub fn run(&mut self, chat: &str, capabilities: Capabilities) {
        self.run_unread(chat, capabilities);
        self.is_read_up(chat);
    }

    /// As [`World::run`], with a transcript that is being read still.
    pub fn run_unread(&mut self, chat: &str, capabilities: Capabilities) {
        let (work, _) = works(&self.resume(chat)).remove(0);
        self.prepared(work, chat, capabilities);
        self.said(chat, PaneEvent::Started { pid: 4711 });
    }

    pub fn prepared(&mut self, work: WorkId, chat: &str, capabilities: Capabilities) -> Vec<Effect> {
        let chat = self.on_disk(chat);
        let resumes = matches!(capabilities.ready, Ready::Hooks | Ready::Composer);
        let started = Outcome::Agent(AgentDone::Started(Box::new(StartedAgent {
            chat,
            capabilities,
            problems: Vec::new(),
            prompt: None,
            resumes,
            sandbox: parlour::model::Sandbox::NotAsked,
        })));
        self.done(work, started)
    }

    pub fn on_disk(&self, chat: &str) -> Chat {
        self.state.domain.disk.chats[&id(chat)].clone()
    }

    /// The messages among effects are safe in their inboxes: all that follows.
    pub fn posted(&mut self, effects: &[Effect]) -> Vec<Effect> {
        let mut follows = Vec::new();
        for (work, job) in works(effects) {
            if let Work::Journal(JournalWork::Inbox(to, InboxJob::Take(message))) = job {
                follows.extend(self.done(work, Outcome::Journal(JournalDone::Posted(to, message))));
            }
        }
        follows
    }

    /// The agent of a chat calls a tool.
    pub fn tool(&mut self, chat: &str, call: ToolCall) -> Vec<Effect> {
        self.happens(Event::Tool(TOOL, id(chat), call))
    }

    /// The agent of `auth` calls a hook.
    pub fn hook(&mut self, event: HookEvent) -> Vec<Effect> {
        self.happens(Event::Hook(HOOK, id("auth"), vec![event]))
    }

    /// A hook, once what it said is on disk: all that was to be done, and its answer if it has one by now.
    pub fn hooked(&mut self, event: HookEvent) -> (Vec<Effect>, Option<HookAnswer>) {
        let mut effects = self.hook(event);
        let appended = |(work, job): (WorkId, Work)| match job {
            Work::Journal(JournalWork::Append(chat, lines, _)) => {
                let entries = lines.into_iter().map(|line| entry(13, line.what));
                Some((work, Outcome::Journal(JournalDone::Appended(chat, entries.collect()))))
            }
            _ => None,
        };
        for (work, outcome) in works(&effects).into_iter().filter_map(appended) {
            effects.extend(self.done(work, outcome));
        }
        let answer = ruled(&effects, HOOK);
        (effects, answer)
    }

    /// A source beside the hooks says something of `auth`.
    pub fn hears(&mut self, source: Source, activity: Activity) -> Vec<Effect> {
        let signal = Signal {
            source,
            activity,
            because: "a test says so".into(),
            at: self.state.domain.now,
        };
        self.happens(Event::Observed(id("auth"), Observed::Signals(vec![signal])))
    }

    /// The transcript of `auth` has new lines.
    pub fn reads(&mut self, lines: Vec<Happened>) -> Vec<Effect> {
        self.reads_late(0, lines)
    }

    /// So many milliseconds after they were written.
    pub fn reads_late(&mut self, ms: i64, lines: Vec<Happened>) -> Vec<Effect> {
        let at = Some(Timestamp(self.state.domain.now.0 - ms));
        let told = lines.into_iter().map(|what| Reported { at, what });
        let mark = Mark {
            file: "session.jsonl".into(),
            to: 1,
        };
        self.happens(Event::Observed(id("auth"), Observed::Transcript(told.collect(), mark)))
    }

    pub fn after(&mut self, ms: u64) -> Vec<Effect> {
        self.happens(Event::Clock(self.state.domain.now.plus_ms(ms)))
    }

    /// The status of `auth`, as `parlour list` words it.
    pub fn status(&self) -> String {
        self.state.domain.status(&id("auth")).to_string()
    }
}

pub fn session(source: &str) -> HookEvent {
    HookEvent::SessionStarted {
        session: "5e55".into(),
        source: source.into(),
        model: None,
        cwd: "/home/mia".into(),
    }
}

pub fn submitted(text: &str) -> HookEvent {
    HookEvent::Prompt {
        id: format!("prompt-{text}"),
        text: text.into(),
    }
}

/// What the CLI's transcript says of a prompt that [`submitted`] told of.
pub fn shown(text: &str) -> Happened {
    Happened::Prompt {
        id: format!("prompt-{text}"),
        text: text.into(),
        from: From::Person,
        sender: None,
        checkpoint: None,
        key: String::new(),
        steer: false,
    }
}

pub fn tool_began(id: &str, name: &str) -> HookEvent {
    HookEvent::ToolStarted {
        id: id.into(),
        name: name.into(),
        input: Value::Null,
        parent: None,
        cwd: None,
    }
}

/// A call of Bash, and what is asked about it.
pub fn bash_began(id: &str, command: &str) -> HookEvent {
    HookEvent::ToolStarted {
        id: id.into(),
        name: "Bash".into(),
        input: json!({"command": command}),
        parent: None,
        cwd: None,
    }
}

pub fn bash_asked(command: &str) -> HookEvent {
    asked_with("Bash", json!({"command": command}))
}

fn asked_with(tool: &str, input: Value) -> HookEvent {
    let (tool, reach) = (tool.into(), Vec::new());
    HookEvent::PermissionAsked { tool, input, reach }
}

/// A tool of a sub-agent.
pub fn below_began(id: &str, name: &str) -> HookEvent {
    HookEvent::ToolStarted {
        id: id.into(),
        name: name.into(),
        input: Value::Null,
        parent: Some("a1".into()),
        cwd: None,
    }
}

pub fn tool_ended(id: &str, name: &str) -> HookEvent {
    HookEvent::ToolEnded {
        id: id.into(),
        name: name.into(),
        output: "ok".into(),
        failed: false,
        interrupted: false,
        ms: None,
        cwd: None,
    }
}

pub fn asked(tool: &str) -> HookEvent {
    asked_with(tool, Value::Null)
}

pub fn turn_ended(background: u32) -> HookEvent {
    HookEvent::TurnEnded { background }
}

pub fn turn_failed() -> HookEvent {
    HookEvent::TurnFailed {
        error: "rate_limit".into(),
        message: "try later".into(),
        trouble: Trouble::of(TroubleKind::Limit),
    }
}

/// As a transcript tells it.
pub fn ended(tool: &str, status: ToolStatus) -> Happened {
    Happened::ToolEnd {
        id: tool.into(),
        status,
        preview: String::new(),
        bytes: 0,
        lines: 0,
        output: None,
        cut: None,
        whole: None,
        changed: None,
        ms: None,
    }
}

pub fn interrupted() -> Happened {
    Happened::Interrupt { cause: "Esc".into() }
}

pub fn problem(cause: &str) -> Problem {
    Problem::new("opening grove", cause, "")
}

/// The work among effects, with its number.
pub fn works(effects: &[Effect]) -> Vec<(WorkId, Work)> {
    let work = |effect: &Effect| match effect {
        Effect::Work(work, job) => Some((*work, job.clone())),
        _ => None,
    };
    effects.iter().filter_map(work).collect()
}

pub fn jobs(effects: &[Effect]) -> Vec<Work> {
    works(effects).into_iter().map(|(_, job)| job).collect()
}

/// What terminals are told.
pub fn orders(effects: &[Effect]) -> Vec<PaneOrder> {
    let order = |effect: &Effect| match effect {
        Effect::Pane(_, order) => Some(order.clone()),
        _ => None,
    };
    effects.iter().filter_map(order).collect()
}

/// What is typed into terminals, a paste without its frame.
pub fn typed(effects: &[Effect]) -> Vec<String> {
    let bytes = |order| match order {
        PaneOrder::Input(bytes) => Some(String::from_utf8(bytes).unwrap()),
        _ => None,
    };
    let bare = |text: String| text.replace("\x1b[200~", "").replace("\x1b[201~", "");
    orders(effects).into_iter().filter_map(bytes).map(bare).collect()
}

pub fn replies(effects: &[Effect]) -> Vec<(CallId, Result<Value, Problem>)> {
    let reply = |effect: &Effect| match effect {
        Effect::Reply(call, how) => Some((*call, how.clone())),
        _ => None,
    };
    effects.iter().filter_map(reply).collect()
}

/// The causes of the problems that are answered.
pub fn refusals(effects: &[Effect]) -> Vec<String> {
    let refused = |(_, how): (CallId, Result<Value, Problem>)| how.err().map(|problem| problem.cause);
    replies(effects).into_iter().filter_map(refused).collect()
}

/// How a hook was answered.
pub fn ruled(effects: &[Effect], hook: CallId) -> Option<HookAnswer> {
    effects.iter().find_map(|effect| match effect {
        Effect::Rule(call, answer) if *call == hook => Some(answer.clone()),
        _ => None,
    })
}

/// What is written into transcripts, a word or two each.
pub fn told(effects: &[Effect]) -> Vec<String> {
    let lines = jobs(effects).into_iter().filter_map(|job| match job {
        Work::Journal(JournalWork::Append(_, lines, _)) => Some(lines),
        _ => None,
    });
    lines.flatten().map(|line| word(line.what)).collect()
}

fn word(line: Happened) -> String {
    match line {
        Happened::Prompt {
            text,
            from,
            sender: Some(chat),
            ..
        } => format!("{from:?} of {chat} said {text}"),
        Happened::Prompt { text, from, .. } => format!("{from:?} said {text}"),
        Happened::ToolStart { name, .. } => format!("{name} began"),
        Happened::ToolEnd { id, status, .. } if id.starts_with("own-") => format!("own {status:?}"),
        Happened::ToolEnd { id, status, .. } => format!("{id} {status:?}"),
        Happened::Permission { tool, answer, .. } => format!("{tool} {answer}"),
        Happened::Status { status, .. } => format!("is {status}"),
        Happened::Error { place, .. } => format!("error in {place}"),
        Happened::Note { text } => text,
        Happened::Message { from, to, text, .. } => format!("{from} wrote to {to}: {text}"),
        other => serde_json::to_value(other).unwrap()["kind"]
            .as_str()
            .unwrap()
            .to_string(),
    }
}

pub fn wakes(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| matches!(effect, Effect::WakeAt(_)))
}

/// A line as it stands in the transcript.
pub fn entry(seq: u64, what: Happened) -> Entry {
    Entry {
        read: None,
        v: 1,
        seq,
        ts: super::world::noon(),
        what,
    }
}
