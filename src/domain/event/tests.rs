//! Every event survives being written and read back: a recording is made of them. The few fields that serde skips
//! (`OpenDir::by`, `NewChat::handed`, `whole` of a tool's end) are passed on to workers, and `update` decides nothing by them.

mod outcomes;

use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::domain::work::{
    AgentDone, ApprovalDone, ChatDone, JournalDone, KeepDone, ProjectDone, ReadDone, ReviewDone, ScheduleDone,
    ScriptDone, ServerDone, ShownContent, StartedAgent, StorageDone, TrashDone,
};
use crate::model::inbox::InboxMessage;
use crate::model::open_dir::OpenDir;
use crate::model::preferences::ScreenPlace;
use crate::model::request::EngineRequest;
use crate::model::schedule::Checked;
use crate::model::script::{ScriptEnd, ScriptEnding};
use crate::model::server_entry::{Offer, ServerEntry, Tools, Whence as From};
use crate::model::talk::RewindEnd;
use crate::model::todo::Todos;
use crate::model::tool::{Dispatch, OpenDirAnswer, ProjectCall, Tallied, TeamCall};
use crate::model::{
    AreaMode, Asks, Capabilities, Composer, DirectoryPlace, Entry, Handle, Losses, Ready, Record, RoleEntry, RoleFrom,
    Sandbox, Schedule, ScheduleId, Server, Source,
};
use crate::model::{atom, atom::AtomKey, deleted::Deleted, local_call::Done};
use crate::permission::{RuleName, Ruling};
use crate::term::{Copied, FoundText, TextSpot};

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
        changes: 0,
        declared: None,
        work: Some(atom::Graph {
            molecules: vec![atom::Molecule::parse("plan", br#"{"atoms": [{"id": "a"}, 3], "x": 1}"#)],
        }),
        preview: "last".into(),
        updated: Timestamp(9),
        seq: 3,
        ended: Some(crate::model::Status::Error("why".into())),
        interrupted: true,
        failed: Some("last turn failed: why".into()),
        damage: None,
        inbox: u64::MAX,
        todos: Todos::parse(b"- [ ] one\n  - [x] two\n"),
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
        streams_words: false,
        queues: true,
        retells: false,
        shows_retries: true,
        asks_on_screen: false,
        awaits_mcp: false,
        interrupt: vec![27],
        asks: Asks::Keys {
            yes: vec![b'y'],
            no: vec![b'n'],
            begins: "Allow".into(),
            shows: Some(7),
            by_rule: false,
            tells_end: true,
            by_server: false,
        },
        steady: false,
        settle_ms: 5,
        shown_ms: Some(2),
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
    let attached = |colours, depth| Attached {
        size: Size { cols: 80, rows: 24 },
        colours,
        reader: false,
        no_color: false,
        depth,
        chat: Some("fix".into()),
        bound: Some(chat()),
        place: Some(ScreenPlace {
            chat: None,
            tab: "todos".into(),
            types: true,
        }),
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
        ClientEvent::Attached(attached(Some(colours), ColourDepth::True)),
        ClientEvent::Attached(attached(None, ColourDepth::Indexed)),
        ClientEvent::Attached(attached(None, ColourDepth::Sixteen)),
        ClientEvent::Input(crossterm::event::Event::Key(key)),
        ClientEvent::Input(crossterm::event::Event::Paste("two\nlines".into())),
        ClientEvent::Input(crossterm::event::Event::Resize(3, 4)),
        ClientEvent::Coloured(colours),
        ClientEvent::Read(Copied {
            text: "two\nlines".into(),
            cut: false,
        }),
        ClientEvent::Gone,
    ]
}

fn terminals() -> Vec<PtyEvent> {
    let client = ClientId(1);
    let copied = Copied {
        text: "t".into(),
        cut: true,
    };
    let spot = TextSpot { line: 2, col: 1 };
    let found = FoundText {
        words: "w".into(),
        places: vec![(spot, spot)],
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
        PtyEvent::Found(client, found),
        PtyEvent::Front(Some("vim".into())),
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
        Streamed::WentBack(OwnRewind::Again {
            from: "turn-2".into(),
            until: Some("turn-3".into()),
        }),
    ];
    let glance = Glance {
        composer: Some(Composer::Holds("draft".into())),
        pastes: true,
        asked: false,
        text: "what it shows".into(),
    };
    vec![
        Observed::Signals(vec![signal]),
        Observed::Transcript(vec![told], mark.clone()),
        Observed::Stream(streamed, Some(mark)),
        Observed::Retry(entry().what),
        Observed::Stranger,
        Observed::Writes(crate::model::LiveText::of("text p".into(), true)),
        Observed::Ready,
        Observed::ReadUp,
        Observed::TakenUp,
        Observed::AnsweredNothing,
        Observed::Known(vec!["k".into()]),
        Observed::WentBack(OwnRewind::Before {
            prompt: "turn-2".into(),
            text: "mend it".into(),
            goes_on: RewindEnd::At(Timestamp(7)),
        }),
        Observed::McpConnected,
        Observed::Composer(glance),
        Observed::CallFailed {
            tool: "open_dir".into(),
            why: "there is none".into(),
        },
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
        DiskEvent::Stalled(Some("records/x/events.jsonl".into())),
        DiskEvent::Stalled(None),
        DiskEvent::Unwritten(Some((vec![chat()], "the disk is full".into()))),
        DiskEvent::Unwritten(None),
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
    all.extend(outcomes::samples().map(|event| Event::Done(WorkId(5), event)));
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
    let nouns = [
        include_str!("../chat/work.rs"),
        include_str!("../agent/work.rs"),
        include_str!("../project/work.rs"),
        include_str!("../team/work.rs"),
        include_str!("../journal/work.rs"),
    ];
    let nouns = nouns
        .map(|file| syn::parse_file(file).unwrap().items)
        .into_iter()
        .flatten();
    let own = syn::parse_file(include_str!("../event.rs")).unwrap().items;
    let done = |item: &syn::Item| matches!(item, syn::Item::Enum(of) if of.ident.to_string().ends_with("Done"));
    for item in own.into_iter().chain(nouns.filter(done)) {
        if let syn::Item::Enum(of) = item {
            for variant in of.variants {
                let name = variant.ident.to_string();
                assert!(written.contains(&name), "{}::{name}", of.ident);
            }
        }
    }
}
