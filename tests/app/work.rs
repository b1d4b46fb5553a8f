//! The work graph of a tree: who may work on it, and what becomes of what an ended agent had.

use parlour::domain::agents::Agents;
use parlour::domain::event::{DiskEvent, Outcome};
use parlour::domain::work::{TeamDone, TeamWork, Work};
use parlour::domain::{Effect, Event};
use parlour::model::atom::{AtomAsk, AtomChange, AtomKey, Graph, ListAtoms, Molecule, Release, Who};
use parlour::model::request::{ChatRequest, Request};
use parlour::model::{CallId, ChatId, PaneEvent, ToolCall};
use serde_json::json;

use crate::support::events::{SHELL, claude, jobs, refusals, replies, works};
use crate::support::world::{World, id};

const PLAN: &str = r#"{"v":1,"atoms":[
    {"id":"parser","title":"Read the format","status":"in_progress","owner":"auth"},
    {"id":"docs","title":"Describe it","needs":["parser"]},
    {"id":"ghostly","title":"Somebody's","status":"in_progress","owner":"nobody-here"}]}"#;

/// A tree of three with a plan, beside a chat of its own; only `auth` runs.
fn forest() -> World {
    let mut world = World::unwatched(&["boss"]);
    world.chat("auth", "auth", 1).below("boss");
    world.chat("redis", "redis", 1).below("boss");
    world.chat("other", "other", 1);
    world.run("auth", claude());
    plan(&mut world);
    world
}

fn plan(world: &mut World) {
    let graph = Graph {
        molecules: vec![Molecule::parse("release", PLAN.as_bytes())],
    };
    world.edits("boss", |chat| chat.work = Some(graph));
}

fn claim(atom: &str) -> AtomAsk {
    AtomAsk::Change(AtomChange::Claim(AtomKey::new("release", atom)))
}

fn asks(world: &mut World, chat: Option<&str>, sender: Option<&str>, ask: AtomAsk) -> Vec<Effect> {
    world.ask(Request::Work {
        chat: chat.map(str::to_owned),
        sender: sender.map(id),
        ask,
    })
}

/// Whose graph is changed, who asks, and whose an atom would become.
fn asked(effects: &[Effect]) -> Vec<(ChatId, Who, ChatId)> {
    let job = |job| match job {
        Work::Team(TeamWork::Atoms { root, by, .. }) => Some((root, by.who, by.chat)),
        _ => None,
    };
    jobs(effects).into_iter().filter_map(job).collect()
}

fn freed(effects: &[Effect]) -> Vec<(ChatId, Release)> {
    let job = |job| match job {
        Work::Team(TeamWork::FreeAtoms(root, release)) => Some((root, release)),
        _ => None,
    };
    jobs(effects).into_iter().filter_map(job).collect()
}

#[test]
fn every_chat_of_a_tree_works_on_the_graph_of_its_root() {
    let mut world = forest();
    let call = ToolCall::Work(claim("docs"));
    let effects = world.happens(Event::Tool(CallId(9), id("redis"), call));
    assert_eq!(asked(&effects), [(id("boss"), Who::Agent, id("redis"))]);
    let effects = asks(&mut world, Some("redis"), None, claim("docs"));
    assert_eq!(asked(&effects), [(id("boss"), Who::Person, id("redis"))]);
    let effects = asks(&mut world, Some("boss"), Some("redis"), claim("docs"));
    assert_eq!(asked(&effects), [(id("boss"), Who::Agent, id("redis"))]);
    let effects = asks(&mut world, None, Some("auth"), claim("docs"));
    assert_eq!(asked(&effects), [(id("boss"), Who::Agent, id("auth"))]);
}

#[test]
fn an_agent_does_not_work_on_another_trees_graph() {
    for (chat, sender) in [("other", "auth"), ("auth", "other"), ("boss", "gone")] {
        let mut world = forest();
        let effects = asks(&mut world, Some(chat), Some(sender), claim("docs"));
        assert_eq!(jobs(&effects), []);
        assert!(refusals(&effects)[0].ends_with("is of another tree"), "{effects:?}");
    }
    let effects = asks(&mut forest(), None, None, claim("docs"));
    assert_eq!(refusals(&effects), ["no chat is named"]);
}

#[test]
fn a_list_says_what_waits_and_which_owner_is_unknown() {
    let mut world = forest();
    let list = AtomAsk::List(ListAtoms {
        molecule: None,
        ready_only: false,
    });
    let effects = asks(&mut world, Some("redis"), None, list);
    let (work, job) = works(&effects).remove(0);
    assert_eq!(job, Work::Team(TeamWork::ReadAtoms(id("boss"))));
    let loaded = Outcome::Team(TeamDone::Atoms(Box::new(world.on_disk("boss"))));
    let (call, answer) = replies(&world.done(work, loaded)).remove(0);
    assert_eq!(call, SHELL);
    let atoms = answer.unwrap()["atoms"].clone();
    let brief: Vec<_> = atoms
        .as_array()
        .unwrap()
        .iter()
        .map(|atom| json!([atom["tree"], atom["id"], atom["owner"], atom["waits_for"]]))
        .collect();
    assert_eq!(
        brief,
        [
            json!(["boss", "parser", "auth", []]),
            json!(["boss", "docs", null, ["parser"]]),
            json!(["boss", "ghostly", "unknown (nobody-here)", []]),
        ]
    );
}

#[test]
fn what_an_ended_agent_had_in_progress_is_freed() {
    let release = |why: &str| {
        let release = Release {
            owner: id("auth"),
            handles: vec!["auth".to_string().try_into().unwrap()],
            why: why.into(),
        };
        vec![(id("boss"), release)]
    };
    let killed = PaneEvent::Exited {
        code: None,
        signal: Some(9),
    };
    assert_eq!(
        freed(&forest().said("auth", killed.clone())),
        release("ended by signal 9")
    );

    let mut world = forest();
    assert_eq!(freed(&world.stop("auth")), []);
    assert_eq!(freed(&world.said("auth", killed.clone())), release("stopped"));

    // After a start of the engine no agent runs, and its work is its own until a person stops or deletes it.
    let mut world = forest();
    world.state.domain.live.agents = Agents::default();
    assert_eq!(freed(&world.stop("auth")), release("stopped"));
    assert_eq!(
        freed(&world.happens(Event::Disk(DiskEvent::ChatGone(id("auth"))))),
        release("deleted")
    );

    let mut world = forest();
    assert_eq!(freed(&world.happens(Event::Disk(DiskEvent::ChatGone(id("boss"))))), []);
    assert_eq!(freed(&world.said("redis", killed)), []);
}

#[test]
fn an_agent_that_is_started_again_keeps_its_work() {
    let mut world = forest();
    world.ask(Request::Chat(ChatRequest::Restart {
        chat: "auth".into(),
        env: Default::default(),
    }));
    let exited = PaneEvent::Exited {
        code: Some(0),
        signal: None,
    };
    assert_eq!(freed(&world.said("auth", exited)), []);
}

#[test]
fn a_graph_that_an_agent_made_itself_is_read_again_once_it_is_watched() {
    let mut world = forest();
    let with_plan = world.on_disk("boss");
    world.edits("boss", |chat| chat.work = None);
    let event = Event::Disk(DiskEvent::Chat(Box::new(with_plan)));
    assert_eq!(
        jobs(&world.happens(event.clone())),
        [Work::Team(TeamWork::ReadAtoms(id("boss")))]
    );
    assert_eq!(jobs(&world.happens(event)), []);
}
