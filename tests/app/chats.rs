//! Chats made, found, deleted and brought back.

use parlour::domain::event::{DiskEvent, Outcome, Size};
use parlour::domain::work::{AgentWork, ChatDone, ChatWork, JournalWork, ProjectDone, ProjectWork};
use parlour::domain::{Effect, Event, Work};
use parlour::model::open_dir::OpenDir;
use parlour::model::request::{ChatRequest, ChatsRequest, NewChat, ProjectRequest, Request};
use parlour::model::tool::{OpenDirAnswer, ProjectCall, ToolCall};
use parlour::model::{CallId, Chat, Handle, Status, WorkId};
use parlour::screen::view::Mode;

use crate::support::events::{jobs, problem, refusals, replies, submitted, works};
use crate::support::world::{World, id, screen};

fn dir(path: &str) -> OpenDir {
    OpenDir {
        path_or_url: path.into(),
        ..OpenDir::default()
    }
}

fn starts(job: &Work) -> bool {
    matches!(job, Work::Agent(AgentWork::Start { .. }))
}

fn new(world: &mut World, dirs: &[&str]) -> Vec<Effect> {
    world.ask(Request::Chats(ChatsRequest::New(NewChat {
        name: Some("Fix it".into()),
        llm: Some("claude".into()),
        dirs: dirs.iter().map(|path| dir(path)).collect(),
        cwd: "/home/mia".into(),
        ..NewChat::default()
    })))
}

/// The chat that was ordered, as the store makes it.
fn made(world: &mut World, effects: &[Effect]) -> (parlour::model::WorkId, Chat) {
    let Some((work, Work::Chat(ChatWork::Create(record)))) = works(effects).into_iter().next() else {
        panic!("{effects:?}");
    };
    world.chat("made", &record.name, 0);
    let mut chat = world.state.domain.disk.chats.remove(&id("made")).unwrap();
    chat.record.id = record.id;
    chat.record.handle = record.handle;
    (work, chat)
}

fn loaded(chat: &Chat) -> Outcome {
    Outcome::Chat(ChatDone::Loaded(Box::new(chat.clone())))
}

fn opened(chat: &Chat, name: &str) -> Outcome {
    let opened = OpenDirAnswer {
        name: name.into(),
        path: format!("/chats/{name}").into(),
        branch: Some("main".into()),
        created: false,
        notes: Vec::new(),
    };
    Outcome::Project(ProjectDone::Opened(Box::new(chat.clone()), opened))
}

/// What is being opened, and where from.
fn openings(effects: &[Effect]) -> Vec<(String, String)> {
    let opening = |job| match job {
        Work::Project(ProjectWork::Open { open, .. }) => {
            Some((open.path_or_url, open.cwd.unwrap().display().to_string()))
        }
        _ => None,
    };
    jobs(effects).into_iter().filter_map(opening).collect()
}

fn find(world: &World, name: &str) -> Result<String, String> {
    let found = world.state.domain.find(name);
    found.map(|chat| chat.to_string()).map_err(|problem| problem.cause)
}

#[test]
fn two_directories_of_one_label_make_no_chat() {
    let mut world = World::unwatched(&[]);
    let labelled = |path: &str| OpenDir {
        label: Some("a".into()),
        ..dir(path)
    };
    let effects = world.ask(Request::Chats(ChatsRequest::New(NewChat {
        dirs: vec![labelled("/src/one"), labelled("/src/two")],
        ..NewChat::default()
    })));
    assert_eq!(refusals(&effects), ["two directories have the label a"]);
    assert_eq!(jobs(&effects), []);
}

#[test]
fn an_unknown_agent_that_nobody_named_is_blamed_on_the_settings() {
    let mut world = World::unwatched(&[]);
    world.state.domain.disk.settings.default_llm = Some("clod".into());
    let effects = world.ask(Request::Chats(ChatsRequest::New(NewChat::default())));
    assert_eq!(
        refusals(&effects),
        ["defaultLlm of config.json: there is no agent called clod"]
    );
}

#[test]
fn a_chat_is_found_by_handle_id_or_a_beginning_that_is_its_alone() {
    let mut world = World::unwatched(&[]);
    world.chat("auth", "Fix auth bug", 1);
    world.chat("redis", "Fix redis", 1);
    let auth = Ok(id("auth").to_string());
    assert_eq!(find(&world, "fix-auth-bug"), auth);
    assert_eq!(find(&world, id("auth").as_str()), auth);
    assert_eq!(find(&world, "fix-a"), auth);
    assert_eq!(find(&world, "autha"), auth);
    assert_eq!(
        find(&world, "fix-"),
        Err("2 chats begin like that, or have that name: fix-auth-bug, fix-redis".into())
    );
    assert_eq!(find(&world, "Fix Auth bug"), auth);
    assert_eq!(find(&world, "fix"), Err("there is no such chat".into()));
    assert_eq!(find(&world, ""), Err("there is no such chat".into()));
}

#[test]
fn a_whole_name_is_found_though_handles_begin_with_it() {
    let mut world = World::unwatched(&[]);
    world.chat("auth", "front", 1);
    world.chat("redis", "greeter work fork", 1);
    let mut renamed = world.state.domain.disk.chats[&id("auth")].clone();
    renamed.record.name = "Greeter-work".into();
    world.happens(Event::Disk(DiskEvent::Chat(Box::new(renamed))));
    assert_eq!(find(&world, "greeter-work"), Ok(id("auth").to_string()));
    assert_eq!(find(&world, "greeter-work-f"), Ok(id("redis").to_string()));
}

#[test]
fn a_whole_handle_is_found_though_others_begin_with_it() {
    let mut world = World::unwatched(&[]);
    world.chat("auth", "cache", 1);
    world.chat("redis", "cache-2", 1);
    assert_eq!(find(&world, "cache"), Ok(id("auth").to_string()));
}

#[test]
fn a_taken_handle_gets_a_number() {
    let mut world = World::unwatched(&["auth"]);
    world.chat("redis", "auth-2", 1);
    let free = |name| world.state.domain.free_handle(name, &id("new"));
    assert_eq!(free("auth"), Handle::parse("auth-3").unwrap());
    assert_eq!(free("other"), Handle::parse("other").unwrap());
    assert_eq!(free("修复").as_str(), id("new").as_str());
}

#[test]
fn a_new_chat_is_made_then_its_directories_are_opened_one_by_one_then_its_agent_starts() {
    let mut world = World::unwatched(&[]);
    let effects = new(&mut world, &["grove", "ledger"]);
    let (work, chat) = made(&mut world, &effects);
    let effects = world.done(work, loaded(&chat));
    assert_eq!(openings(&effects), [("grove".into(), "/home/mia".into())]);
    let effects = world.done(works(&effects)[0].0, opened(&chat, "grove"));
    assert_eq!(openings(&effects), [("ledger".into(), "/home/mia".into())]);
    let open = works(&effects)
        .into_iter()
        .find(|(_, job)| matches!(job, Work::Project(ProjectWork::Open { .. })));
    let effects = world.done(open.unwrap().0, opened(&chat, "ledger"));
    assert!(matches!(&jobs(&effects)[..], [Work::Journal(JournalWork::Append(..)), start] if starts(start)));
    assert_eq!(replies(&effects), []);
}

#[test]
fn a_chat_whose_projects_are_being_opened_is_starting_and_its_agent_starts_with_them_only() {
    let mut world = World::unwatched(&[]);
    let effects = new(&mut world, &["grove"]);
    let (work, chat) = made(&mut world, &effects);
    let effects = world.done(work, loaded(&chat));
    assert_eq!(world.state.domain.status(chat.id()), Status::Starting);
    let sent = world.ask(Request::Chat(ChatRequest::Send {
        chat: chat.id().to_string(),
        text: "look around".into(),
        follow_up: false,
        env: std::collections::BTreeMap::new(),
        sender: None,
        id: String::new(),
        wait: false,
    }));
    let why = refusals(&sent);
    assert!(
        why[0].contains("its projects are still being opened: opening grove"),
        "{why:?}"
    );
    let effects = world.done(works(&effects)[0].0, opened(&chat, "grove"));
    assert!(jobs(&effects).iter().any(starts), "{effects:?}");
}

/// A chat that is being made of a repository of a remote.
fn cloning(world: &mut World) -> (WorkId, Chat) {
    let effects = new(world, &["https://mia:secret@example.org/grove"]);
    let (work, chat) = made(world, &effects);
    let effects = world.done(work, loaded(&chat));
    world.look();
    (works(&effects)[0].0, chat)
}

#[test]
fn what_is_cloned_is_named_wherever_its_chat_is_shown_and_nobody_types_there_yet() {
    let mut world = World::new(120, 40);
    let (_, chat) = cloning(&mut world);
    let picture = world.picture();
    let doing = "cloning https://example.org/grove";
    assert!(
        picture
            .lines()
            .next()
            .unwrap_or_default()
            .contains(&format!("starting: {doing}")),
        "{picture}"
    );
    assert!(
        picture
            .lines()
            .skip(1)
            .any(|line| line.contains("  cloning https://exa")),
        "{picture}"
    );
    assert!(
        picture.contains("The agent starts when that is done: cloning"),
        "{picture}"
    );
    assert_eq!(jobs(&world.press("enter")), []);
    assert_eq!(world.view().mode, Mode::Outside);
    let blank = screen("", Size { cols: 88, rows: 36 });
    world.state.domain.live.looked_at.left.insert(chat.id().clone(), blank);
    let picture = world.picture();
    assert!(picture.contains("The agent starts when that is done"), "{picture}");
    assert!(
        picture.contains("Its agent starts when its projects are open"),
        "{picture}"
    );
    let explained = parlour::domain::agent::explain::json(&world.state.domain, chat.id());
    assert!(explained["because"].as_str().unwrap().contains(doing), "{explained}");
}

#[test]
fn what_is_opened_beside_an_agent_is_named_in_its_row_and_its_header() {
    let mut world = World::new(120, 40);
    world
        .chat("auth", "auth", 1)
        .project("grove", "main")
        .runs(Status::Idle(None), "");
    world.look();
    let effects = world.ask(Request::Project(ProjectRequest::OpenDir {
        chat: "auth".into(),
        open: OpenDir {
            path_or_url: "https://example.org/ledger".into(),
            ..OpenDir::default()
        },
    }));
    world.look();
    let count = |world: &World| world.picture().matches("cloning https://example.").count();
    assert_eq!(count(&world), 2, "{}", world.picture());
    let (work, _) = works(&effects).remove(0);
    world.done(work, Outcome::Failed(problem("no")));
    world.look();
    assert_eq!(count(&world), 0, "{}", world.picture());
}

#[test]
fn whoever_stops_a_chat_that_is_being_made_hears_what_became_of_it() {
    for comes in [false, true] {
        let mut world = World::unwatched(&[]);
        let (work, chat) = cloning(&mut world);
        let stop = world.ask(Request::Chat(ChatRequest::Stop {
            chat: chat.id().to_string(),
            tree: false,
        }));
        assert_eq!(replies(&stop), []);
        assert!(stop.contains(&Effect::CancelFor(chat.id().clone())), "{stop:?}");
        let effects = match comes {
            false => world.done(work, Outcome::Failed(problem("it was cancelled"))),
            true => world.done(work, opened(&chat, "grove")),
        };
        let answer = replies(&effects)
            .into_iter()
            .find_map(|(_, answer)| answer.ok())
            .unwrap();
        assert_eq!(answer["status"], "deleted", "{answer}");
        let discard = ChatWork::Discard(chat.id().clone()).into();
        assert!(jobs(&effects).contains(&discard), "{effects:?}");
    }
}

#[test]
fn a_directory_that_cannot_be_opened_leaves_no_new_chat_and_says_why() {
    let mut world = World::unwatched(&[]);
    let effects = new(&mut world, &["grove"]);
    let (work, chat) = made(&mut world, &effects);
    let effects = world.done(work, loaded(&chat));
    let effects = world.done(works(&effects)[0].0, Outcome::Failed(problem("no such repository")));
    assert_eq!(jobs(&effects), [Work::Chat(ChatWork::Discard(chat.id().clone()))]);
    let effects = world.done(
        works(&effects)[0].0,
        Outcome::Chat(ChatDone::Removed(chat.id().clone(), Vec::new())),
    );
    assert_eq!(refusals(&effects), ["no such repository"]);
}

#[test]
fn a_chat_for_whose_agent_there_is_no_room_is_not_made_and_one_that_lost_its_room_is_kept_and_said() {
    let mut world = World::unwatched(&[]);
    let effects = new(&mut world, &["grove"]);
    let (work, chat) = made(&mut world, &effects);
    let opens = world.done(work, loaded(&chat));
    world.state.domain.disk.settings.limits.live_agents = 0;
    let effects = new(&mut world, &[]);
    assert_eq!(jobs(&effects), []);
    assert!(refusals(&effects)[0].contains("limits.liveAgents is 0"));
    let effects = world.done(works(&opens)[0].0, opened(&chat, "grove"));
    let told: Vec<_> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Reply(_, Err(problem)) => Some(problem.to_string()),
            _ => None,
        })
        .collect();
    assert!(
        told[0].ends_with("the chat is there: `parlour resume fix-it` tries again"),
        "{told:?}"
    );
}

#[test]
fn a_server_that_nobody_knows_cannot_be_left_out() {
    let mut world = World::unwatched(&[]);
    let servers = serde_json::json!({"globalMcpServers": {"db": {"command": "db-mcp"}}});
    world.state.domain.disk.settings = serde_json::from_value(servers).unwrap();
    let mut without = |name: &str| {
        let without_mcp = vec![name.to_string()];
        refusals(&world.ask(Request::Chats(ChatsRequest::New(NewChat {
            without_mcp,
            ..NewChat::default()
        }))))
    };
    assert_eq!(without("bd"), ["there is no MCP server bd to leave out"]);
    assert_eq!(without("db"), [""; 0]);
}

#[test]
fn a_chat_of_an_agent_that_nobody_knows_is_not_made() {
    let mut world = World::unwatched(&[]);
    let llm = Some("clod".to_string());
    let effects = world.ask(Request::Chats(ChatsRequest::New(NewChat {
        llm,
        ..NewChat::default()
    })));
    assert_eq!(refusals(&effects), ["there is no agent called clod"]);
    assert_eq!(jobs(&effects), []);
}

#[test]
fn a_name_of_nothing_visible_is_refused() {
    let mut world = World::unwatched(&["auth"]);
    let (chat, name) = ("auth".to_string(), " \u{7} ".to_string());
    assert_eq!(
        refusals(&world.ask(Request::Chat(ChatRequest::Rename { chat, name }))),
        ["the name is empty"]
    );
}

#[test]
fn what_is_loaded_while_lines_were_appended_keeps_their_number() {
    let mut world = World::unwatched(&["auth"]);
    let mut stale = world.on_disk("auth");
    stale.seq = 3;
    stale.record.name = "Renamed".into();
    world.happens(Event::Disk(parlour::domain::event::DiskEvent::Chat(Box::new(stale))));
    let chat = world.on_disk("auth");
    assert_eq!((chat.seq, chat.record.name.as_str()), (12, "Renamed"));
}

#[test]
fn work_that_nobody_waits_for_any_more_is_cancelled() {
    let mut world = World::unwatched(&["auth"]);
    let call = CallId(7);
    let effects = world.happens(Event::Tool(
        call,
        id("auth"),
        ToolCall::Project(ProjectCall::Open(dir("grove"))),
    ));
    let (work, _) = works(&effects).remove(0);
    assert_eq!(
        parlour::domain::project::abandoned(&world.state.domain, call),
        [Effect::Cancel(work)]
    );
}

#[test]
fn a_tool_call_of_a_chat_that_is_gone_is_refused() {
    let mut world = World::unwatched(&[]);
    let effects = world.happens(Event::Tool(CallId(7), id("auth"), ToolCall::Project(ProjectCall::List)));
    assert_eq!(refusals(&effects), ["this chat is no more"]);
}

/// `auth` asks something though its directory has vanished.
fn outlives_its_directory() -> World {
    let mut world = World::new(120, 40);
    world
        .chat("auth", "auth", 1)
        .gone()
        .runs(Status::NeedsYou("Bash: ls".into()), "");
    world.look();
    world
}

#[test]
fn a_chat_whose_directory_vanished_says_so_while_its_agent_lives() {
    let mut world = outlives_its_directory();
    let (_, answer) = replies(&world.ask(Request::Chats(ChatsRequest::List))).remove(0);
    let chat = answer.unwrap()["chats"][0].clone();
    assert_eq!(chat["status"], "needs-you");
    assert_eq!(chat["detail"], "directory gone; Bash: ls");
}

#[test]
fn an_agent_that_outlives_its_directory_can_still_be_entered() {
    let mut world = outlives_its_directory();
    world.press("enter");
    assert_eq!(world.view().mode, Mode::Agent);
}

/// What the chat is to be called after its agent got this prompt.
fn named_by(prompt: &str, called: &str) -> Option<String> {
    let mut world = World::morning(120, 40);
    world.edits("auth", |chat| chat.record.name = called.into());
    let (effects, _) = world.hooked(submitted(prompt));
    jobs(&effects).into_iter().find_map(|job| match job {
        Work::Chat(ChatWork::Name { chat, name }) => {
            assert_eq!(chat, id("auth"));
            Some(name)
        }
        _ => None,
    })
}

#[test]
fn the_first_prompt_names_a_chat_that_nobody_named() {
    let name = named_by(
        "Fix the login of expired sessions and add a test for it\nThen push.",
        "New chat",
    );
    assert_eq!(name.as_deref(), Some("Fix the login of expired sessions and a…"));
    assert_eq!(
        named_by("/model opus", "New chat"),
        None,
        "it asks nothing of the agent"
    );
    assert_eq!(
        named_by("Fix the login", "Fix auth"),
        None,
        "a name of a person's stays"
    );
}

/// The watcher reads a record, and is slower than a worker that changes it meanwhile.
#[test]
fn a_record_that_was_read_before_a_change_does_not_replace_the_changed_one() {
    let mut world = World::unwatched(&["auth"]);
    let stale = world.on_disk("auth");
    let mut changed = stale.clone();
    changed.changes = 1;
    changed.record.delivered = vec!["once".to_string().into()];
    let tell = |world: &mut World, chat: &Chat| world.happens(Event::Disk(DiskEvent::Chat(Box::new(chat.clone()))));
    tell(&mut world, &changed);
    tell(&mut world, &stale);
    assert_eq!(world.on_disk("auth").record, changed.record);

    // Somebody else's change is read after all of ours.
    let mut edited = changed.clone();
    edited.record.name = "By hand".into();
    tell(&mut world, &edited);
    assert_eq!(world.on_disk("auth").record, edited.record);
}
