//! Every event survives being written and read back: a recording is made of them. The few fields that serde skips
//! (`OpenDir::by`, `NewChat::handed`, `whole` of a tool's end) are passed on to workers, and `update` decides nothing by them.

use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::domain::work::{
    ApprovalDone, KeepDone, ReadDone, ReviewDone, ScheduleDone, ScriptDone, ServerDone, TrashDone,
};
use crate::model::open_dir::OpenDir;
use crate::model::request::EngineRequest;
use crate::model::schedule::Checked;
use crate::model::script::{ScriptEnd, ScriptEnding};
use crate::model::server_entry::{Offer, ServerEntry, Tools, Whence as From};
use crate::model::tool::{Dispatch, ProjectCall, Tallied, TeamCall};
use crate::model::{
    AreaMode, Asks, Composer, DirectoryPlace, Handle, Ready, Record, RoleEntry, RoleFrom, Schedule, ScheduleId, Server,
    Source,
};
use crate::model::{atom, atom::AtomKey, deleted::Deleted, local_call::Done};
use crate::permission::{RuleName, Ruling};

fn chat() -> ChatId {
    ChatId::from_bits(7)
}

fn whole_chat() -> Box<Chat> {
    let record: Record = serde_json::from_value(json!({
        "v": 1, "id": chat(), "name": "Fix", "handle": "fix", "llm": "demo", "created": Timestamp(5), "of_tomorrow": [1],
    }))
    .unwrap();
    Box::new(Chat {
        record,
        role: None,
        place: DirectoryPlace::Here,
        projects: Vec::new(),
        declared: None,
        work: Some(atom::Graph {
            molecules: vec![atom::Molecule::parse("plan", br#"{"atoms": [{"id": "a"}, 3], "x": 1}"#)],
        }),
        preview: "last".into(),
        updated: Timestamp(9),
        seq: 3,
        ended: Some(crate::model::Status::Error("why".into())),
        interrupted: true,
        damage: None,
        inbox: u64::MAX,
        unreadable: Some("odd".into()),
    })
}

fn problem() -> Problem {
    Problem::limited("starting", "there are 20", "liveAgents", 20)
}

fn proposal() -> Proposal {
    Proposal {
        project: "grove".into(),
        origin: "o".into(),
        key: "k".into(),
        shown: vec!["make".into()],
        definition: "make".into(),
    }
}

fn schedule() -> Schedule {
    serde_json::from_value(json!({
        "v": 1, "id": ScheduleId::from_bits(3), "name": "nightly", "prompt": "go", "cron": "0 9 * * *", "tz": "UTC",
        "timeout_s": 60, "created": Timestamp(1), "decided": Timestamp(2), "of_tomorrow": true,
    }))
    .unwrap()
}

fn entry() -> Entry {
    serde_json::from_value(json!({"v": 1, "seq": 4, "ts": Timestamp(5), "kind": "text", "id": "1", "text": "hi"}))
        .unwrap()
}

fn message() -> InboxMessage {
    serde_json::from_value(json!({"id": "m", "from": "person", "message": "hi", "read": false, "ts": Timestamp(3)}))
        .unwrap()
}

fn capabilities() -> Capabilities {
    Capabilities {
        ready: Ready::Composer,
        confirms: true,
        transcribes: false,
        queues: true,
        retells: false,
        shows_retries: true,
        awaits_mcp: false,
        interrupt: vec![27],
        asks: Asks::Keys {
            yes: vec![b'y'],
            no: vec![b'n'],
            begins: "Allow".into(),
        },
        steady: false,
        settle_ms: 5,
        drops_blanks: true,
    }
}

fn listed(tools: Tools, transport: &'static str, offer: Option<Offer>) -> ServerEntry {
    ServerEntry {
        name: "docs".into(),
        source: From::Clone,
        from: ".mcp.json".into(),
        on: true,
        transport: transport.into(),
        place: "npx".into(),
        because: Some("why".into()),
        tools,
        offer,
    }
}

fn settings() -> Settings {
    let stdio = Server::parse("docs", &json!({"command": "npx", "args": ["-y"], "env": {"A": "b"}})).unwrap();
    let http = Server::parse("web", &json!({"url": "https://h/x", "headers": {"A": "b"}})).unwrap();
    let mut settings = Settings::unknown();
    settings.global_mcp_servers = [("docs".into(), stdio), ("web".into(), http)].into();
    settings.keys.insert("newChat".into(), "n".into());
    settings
}

fn clients() -> Vec<ClientEvent> {
    let attached = |colours| Attached {
        size: Size { cols: 80, rows: 24 },
        colours,
        no_color: false,
        chat: Some("fix".into()),
        edits: true,
        cwd: "/w".into(),
        env: [("LANG".into(), "C".into())].into(),
    };
    let colours = Colours {
        foreground: (1, 2, 3),
        background: (4, 5, 6),
    };
    let key = crossterm::event::KeyEvent::new(
        crossterm::event::KeyCode::Char('x'),
        crossterm::event::KeyModifiers::CONTROL,
    );
    vec![
        ClientEvent::Attached(attached(Some(colours))),
        ClientEvent::Attached(attached(None)),
        ClientEvent::Input(crossterm::event::Event::Key(key)),
        ClientEvent::Input(crossterm::event::Event::Paste("two\nlines".into())),
        ClientEvent::Input(crossterm::event::Event::Resize(3, 4)),
        ClientEvent::Gone,
    ]
}

fn terminals() -> Vec<PtyEvent> {
    let client = ClientId(1);
    let copied = Copied {
        text: "t".into(),
        cut: true,
    };
    let said = [
        PaneEvent::Changed,
        PaneEvent::Started { pid: 4 },
        PaneEvent::Exited {
            code: None,
            signal: Some(9),
        },
        PaneEvent::Progress(Some(4)),
        PaneEvent::Progress(None),
    ];
    let mut all = vec![
        PtyEvent::Screen(Arc::new(Screen::blank(10, 2))),
        PtyEvent::View(client, Arc::new(Screen::blank(3, 0))),
        PtyEvent::Copied(client, copied),
        PtyEvent::LetGo,
    ];
    all.extend(said.map(PtyEvent::Said));
    all
}

fn heard() -> Vec<Observed> {
    let signal = Signal {
        source: Source::Hook,
        activity: crate::model::Activity::Busy(None),
        because: "hook".into(),
        at: Timestamp(4),
    };
    let mark = Mark {
        file: "f".into(),
        to: 3,
    };
    let told = Reported::from(entry().what);
    let streamed = vec![
        Streamed::Reported(told.clone()),
        Streamed::Event(HookEvent::Interrupted),
        Streamed::Awaits("k".into()),
    ];
    let glance = Glance {
        composer: Some(Composer::Holds("draft".into())),
        pastes: true,
        asked: false,
    };
    vec![
        Observed::Signals(vec![signal]),
        Observed::Transcript(vec![told], mark.clone()),
        Observed::Stream(streamed, Some(mark)),
        Observed::Retry(entry().what),
        Observed::Stranger,
        Observed::Ready,
        Observed::ReadUp,
        Observed::TakenUp,
        Observed::Known(vec!["k".into()]),
        Observed::McpConnected,
        Observed::Composer(glance),
        Observed::Refused("no".into()),
        Observed::Script(ScriptReport::Wanted {
            project: "grove".into(),
        }),
        Observed::Script(ScriptReport::Waits(Box::new(proposal()))),
        Observed::Script(ScriptReport::Started {
            number: WorkId(3),
            pid: 5,
            project: "grove".into(),
        }),
    ]
}

fn disk() -> Vec<DiskEvent> {
    let line = |level| LogLine {
        at: Timestamp(3),
        level,
        text: "t".into(),
    };
    let broken = (ScheduleId::from_bits(4), Err("not JSON".to_string()));
    vec![
        DiskEvent::Began([("PATH".into(), "/bin".into())].into()),
        DiskEvent::Chat(whole_chat()),
        DiskEvent::ChatGone(chat()),
        DiskEvent::LeftOpen(chat(), vec![entry().what]),
        DiskEvent::Schedules([(ScheduleId::from_bits(3), Ok(schedule())), broken].into()),
        DiskEvent::Settings(Box::new(Ok(settings()))),
        DiskEvent::Settings(Box::new(Err(problem()))),
        DiskEvent::Log(line(Level::Error)),
        DiskEvent::Log(line(Level::Warn)),
        DiskEvent::Log(line(Level::Info)),
    ]
}

/// Those whose arguments are written in a way of their own.
fn tools() -> [ToolCall; 4] {
    let dispatch = |atom| {
        ToolCall::Team(TeamCall::Dispatch(Dispatch {
            prompt: "go".into(),
            atom,
            ..Dispatch::default()
        }))
    };
    let open = OpenDir {
        path_or_url: "/grove".into(),
        ..OpenDir::default()
    };
    [
        dispatch(None),
        dispatch(Some(AtomKey::new("plan", "a"))),
        ToolCall::Project(ProjectCall::Open(open)),
        ToolCall::Project(ProjectCall::List),
    ]
}

fn outcomes() -> Vec<Outcome> {
    let rule = RuleName::built_in("git push --force");
    let why = || "why".to_string();
    let rulings = vec![
        Ruling::Allow {
            rule: RuleName::Persons("Bash(x)".into()),
        },
        Ruling::Ask {
            rule: rule.clone(),
            why: why(),
        },
        Ruling::Deny { rule, why: why() },
        Ruling::NoOpinion,
    ];
    let opened = OpenDirAnswer {
        name: "grove".into(),
        path: "/g".into(),
        branch: None,
        created: true,
        notes: vec!["n".into()],
    };
    let tallied = Tallied {
        name: "grove".into(),
        path: "/g".into(),
        branch: Some("main".into()),
        mode: AreaMode::Ro,
        kind: crate::model::Kind::Git,
        dirty: 1,
        ahead: 2,
        behind: 3,
    };
    vec![
        Outcome::Failed(problem()),
        Outcome::Chat(whole_chat()),
        Outcome::Duplicated {
            chat: whole_chat(),
            notes: vec![why()],
        },
        Outcome::Removed(chat(), vec![why()]),
        Outcome::Script(ScriptDone::Ended(ScriptEnd {
            how: ScriptEnding::Unapproved(Box::new(proposal())),
            last: vec![why()],
        })),
        Outcome::Approval(ApprovalDone::LocalCall(Done {
            answer: Ok(json!({"a": 1.5})),
            output: why(),
            failed: true,
        })),
        Outcome::Approval(ApprovalDone::Judged(rulings)),
        Outcome::Started {
            chat: whole_chat(),
            capabilities: capabilities(),
            problems: vec![problem()],
            prompt: None,
            resumes: true,
            sandbox: Sandbox::Missing { why: why() },
        },
        Outcome::Opened(whole_chat(), opened),
        Outcome::Saved(vec![why()]),
        Outcome::Posted(chat(), message()),
        Outcome::Inbox {
            chat: chat(),
            messages: vec![message()],
            more: true,
        },
        Outcome::Unread {
            chat: chat(),
            messages: vec![message()],
            broken: Some(why()),
        },
        Outcome::Instructions(None),
        Outcome::Instructions(Some(why())),
        Outcome::Read(ReadDone::Projects(vec![tallied])),
    ]
}

fn other_outcomes() -> Vec<Outcome> {
    let why = || "why".to_string();
    let piece = |whence| OutputPiece {
        file: "f".into(),
        whence,
        from: 1,
        to: 2,
        whole: u64::MAX,
        text: "t".into(),
        found: Some(1),
    };
    let offer = Offer {
        definition: "{}".into(),
        runs: vec!["npx".into()],
    };
    let deleted = Deleted {
        id: chat(),
        handle: Handle::parse("fix"),
        name: None,
        projects: Some(vec![]),
        deleted: Some(Timestamp(3)),
        until: None,
    };
    let role = RoleEntry {
        name: "worker".into(),
        description: "d".into(),
        llm: None,
        model: Some("m".into()),
        from: RoleFrom::Shipped,
        path: None,
        damage: None,
    };
    let agreed = json!({"chat": "fix", "project": "grove", "kind": "run"});
    let agreed = serde_json::from_value(agreed).unwrap();
    let installed = json!({"llm": "demo", "title": "Demo", "program": "/bin/demo", "version": null, "remark": ""});
    let installed = serde_json::from_value(installed).unwrap();
    vec![
        Outcome::Appended(chat(), vec![entry()]),
        Outcome::Unwritten(problem()),
        Outcome::Read(ReadDone::Tail(chat(), vec![entry()])),
        Outcome::Read(ReadDone::Piece(chat(), piece(PieceOrigin::After(3)))),
        Outcome::Read(ReadDone::Piece(chat(), piece(PieceOrigin::Before(3)))),
        Outcome::Schedule(ScheduleDone::Kept(Box::new(schedule()))),
        Outcome::Schedule(ScheduleDone::Gone(ScheduleId::from_bits(3))),
        Outcome::Schedule(ScheduleDone::Checked(whole_chat(), Checked::Failed(why()))),
        Outcome::Losses(Losses::unknown()),
        Outcome::Trash(TrashDone::Listed(vec![deleted])),
        Outcome::Agents(vec![installed]),
        Outcome::Server(ServerDone::Listed {
            chat: chat(),
            changed: Some(whole_chat()),
            servers: vec![
                listed(Tools::Unknown, "stdio", None),
                listed(Tools::Known(vec![why()]), "http", Some(offer)),
                listed(Tools::Failed(why()), "", None),
            ],
        }),
        Outcome::Read(ReadDone::Places {
            hints: vec![PlaceHint {
                text: why(),
                what: "git".into(),
            }],
            roles: vec![role],
        }),
        Outcome::Read(ReadDone::Text(why())),
        Outcome::Read(ReadDone::Streamed(Some(7))),
        Outcome::Read(ReadDone::Lines(vec![why()])),
        Outcome::Read(ReadDone::Reported(json!([1, null, {"b": "c"}]))),
        Outcome::Trash(TrashDone::Restored(whole_chat())),
        Outcome::Trash(TrashDone::Purged(vec![chat()])),
        Outcome::Trash(TrashDone::Losses(Losses::unknown())),
        Outcome::Trash(TrashDone::LetGo),
        Outcome::Review(ReviewDone::Compared(Vec::new())),
        Outcome::Keep(KeepDone::Committed(Vec::new())),
        Outcome::Script(ScriptDone::Approved(agreed)),
        Outcome::Script(ScriptDone::Denied),
        Outcome::Value(json!([1, null, {"b": "c"}])),
        Outcome::Nothing,
    ]
}

fn all() -> Vec<Event> {
    let call = CallId(4);
    let hook = HookEvent::ToolStarted {
        id: "1".into(),
        name: "Bash".into(),
        input: json!({"command": "ls"}),
        parent: None,
        cwd: Some("/c".into()),
    };
    let asked = serde_json::from_value(json!({"noun": "chats", "verb": "list"})).unwrap();
    let mut all = vec![
        Event::Clock(Timestamp(3)),
        Event::Hook(call, chat(), vec![hook]),
        Event::Ask(call, By::Person, asked),
        Event::Ask(call, By::Chat(chat()), Request::Engine(EngineRequest::Status)),
        Event::Caller(call, Caller::CallsAgain),
        Event::Caller(call, Caller::Gone),
        Event::Pty(PaneId::Side(WorkId(3)), PtyEvent::LetGo),
    ];
    all.extend(tools().into_iter().map(|tool| Event::Tool(call, chat(), tool)));
    all.extend(clients().into_iter().map(|event| Event::Client(ClientId(2), event)));
    let agent = || PaneId::Agent(chat());
    all.extend(terminals().into_iter().map(|event| Event::Pty(agent(), event)));
    all.extend(heard().into_iter().map(|event| Event::Observed(chat(), event)));
    all.extend(disk().into_iter().map(Event::Disk));
    let outcomes = outcomes().into_iter().chain(other_outcomes());
    all.extend(outcomes.map(|event| Event::Done(WorkId(5), event)));
    all
}

fn words(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(word) => into.push(word.clone()),
        Value::Array(values) => values.iter().for_each(|value| words(value, into)),
        Value::Object(fields) => {
            into.extend(fields.keys().cloned());
            fields.values().for_each(|value| words(value, into));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[test]
fn every_event_is_the_same_after_it_was_written_and_read() {
    for event in all() {
        let written = serde_json::to_string(&event).unwrap();
        let read: Event = serde_json::from_str(&written).unwrap_or_else(|error| panic!("{error} in {written}"));
        assert_eq!(format!("{read:?}"), format!("{event:?}"));
        assert_eq!(serde_json::to_string(&read).unwrap(), written);
    }
}

/// A variant that is added has to be among the samples.
#[test]
fn no_variant_of_an_event_is_missing_here() {
    let mut written = Vec::new();
    for event in all() {
        words(&serde_json::to_value(event).unwrap(), &mut written);
    }
    let file = syn::parse_file(include_str!("../event.rs")).unwrap();
    for item in file.items {
        if let syn::Item::Enum(of) = item {
            for variant in of.variants {
                let name = variant.ident.to_string();
                assert!(written.contains(&name), "{}::{name}", of.ident);
            }
        }
    }
}
