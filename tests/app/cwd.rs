//! An agent goes from project to project: what is told of it, and what it is told.

use std::path::{Path, PathBuf};

use parlour::domain::agent::work::Arrival;
use parlour::domain::event::{Observed, Outcome};
use parlour::domain::work::{AgentDone, AgentWork, ApprovalWork, JournalDone, JournalWork};
use parlour::domain::{Effect, Event, Work};
use parlour::model::entry::ToolStatus;
use parlour::model::{Happened, HookAnswer, HookEvent, Reported, Streamed};
use serde_json::json;

use crate::support::events::{HOOK, ended, ruled, submitted, tool_ended, works};
use crate::support::world::{World, id};

const CHAT: &str = "/home/mia/.parlour/chats";

fn in_chat(path: &str) -> PathBuf {
    Path::new(CHAT).join(id("auth").as_str()).join(path)
}

/// Its agent rests in a chat with these projects.
fn touring() -> World {
    let mut world = World::at_rest();
    let opened = ["web", "api"].map(|name| parlour::model::Project {
        name: name.into(),
        path: in_chat("projects").join(name),
        branch: None,
        commit: None,
        under_way: None,
        kind: parlour::model::Kind::Git,
        mode: parlour::model::AreaMode::Rw,
    });
    let chats = &mut world.state.domain.disk.chats;
    chats.change(&id("auth"), |chat| chat.projects.extend(opened));
    world
}

/// The same, of an agent that only its own words tell of.
fn unhooked() -> World {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", crate::support::events::claude());
    world.state.domain.disk.chats = touring().state.domain.disk.chats;
    world
}

/// A tool has ended, and the agent is there.
fn ends_in(path: &str) -> HookEvent {
    match tool_ended("t1", "Bash") {
        HookEvent::ToolEnded {
            id,
            name,
            output,
            failed,
            interrupted,
            ms,
            ..
        } => HookEvent::ToolEnded {
            id,
            name,
            output,
            failed,
            interrupted,
            ms,
            cwd: Some(in_chat(path)),
        },
        other => other,
    }
}

/// Where it went as the transcript has it, and what a hook then asks for before it is answered.
fn hooked(world: &mut World, event: HookEvent) -> (Vec<(String, Option<String>)>, Vec<Effect>) {
    let effects = world.hook(event);
    let mut follows = effects.clone();
    for (work, job) in works(&effects) {
        let Work::Journal(JournalWork::Append(chat, ..)) = job else {
            continue;
        };
        follows.extend(world.done(work, Outcome::Journal(JournalDone::Appended(chat, Vec::new()))));
    }
    (moves(&effects), follows)
}

/// Where it went, as its transcript gets it.
fn moves(effects: &[Effect]) -> Vec<(String, Option<String>)> {
    let appended = works(effects).into_iter().flat_map(|(_, job)| match job {
        Work::Journal(JournalWork::Append(_, lines, _)) => lines,
        _ => Vec::new(),
    });
    let moved = appended.filter_map(|line| match line.what {
        Happened::Cwd { cwd, dir } => Some((cwd, dir)),
        _ => None,
    });
    moved.collect()
}

fn asks_for(effects: &[Effect]) -> Option<Arrival> {
    works(effects).into_iter().find_map(|(_, job)| match job {
        Work::Agent(AgentWork::Instruct(_, arrival)) => Some(arrival),
        _ => None,
    })
}

fn arrival(project: &str, path: &str) -> Arrival {
    let below = path.strip_prefix(&format!("projects/{project}/")).unwrap_or_default();
    Arrival {
        project: project.into(),
        cwd: in_chat(path),
        enters: true,
        below: match below {
            "" => Vec::new(),
            below => vec![below.into()],
        },
    }
}

#[test]
fn within_one_project_each_directory_on_the_way_is_looked_at_once() {
    let mut world = touring();
    hooked(&mut world, ends_in("projects/web"));
    for (place, below) in [
        ("projects/web/src/deep", Some(vec!["src", "src/deep"])),
        ("projects/web/src", None),
        ("projects/web/src/deep/er", Some(vec!["src/deep/er"])),
        ("projects/web/src/deep", None),
        ("projects/web/docs", Some(vec!["docs"])),
    ] {
        let (_, effects) = hooked(&mut world, ends_in(place));
        let below = below.map(|below| Arrival {
            project: "web".into(),
            cwd: in_chat(place),
            enters: false,
            below: below.into_iter().map(PathBuf::from).collect(),
        });
        assert_eq!(asks_for(&effects), below, "{place}");
    }
    let (_, effects) = hooked(&mut world, ends_in("projects/web/test"));
    let instruct = |(_, job): &(_, Work)| matches!(job, Work::Agent(AgentWork::Instruct(..)));
    let (work, _) = works(&effects).into_iter().find(instruct).unwrap();
    let answered = world.done(work, Outcome::Agent(AgentDone::Instructions(None)));
    assert_eq!(
        ruled(&answered, HOOK),
        Some(HookAnswer::NoOpinion),
        "nothing is said there"
    );
}

#[test]
fn who_comes_into_a_project_is_told_by_the_same_hook_and_once() {
    let mut world = touring();
    let (moved, effects) = hooked(&mut world, ends_in("projects/web/src"));
    let there = in_chat("projects/web/src").display().to_string();
    assert_eq!(moved, [(there, Some("web".to_string()))]);
    assert_eq!(asks_for(&effects), Some(arrival("web", "projects/web/src")));
    assert_eq!(ruled(&effects, HOOK), None);
    let instruct = |(_, job): &(_, Work)| matches!(job, Work::Agent(AgentWork::Instruct(..)));
    let (work, _) = works(&effects).into_iter().find(instruct).unwrap();
    let answered = world.done(work, Outcome::Agent(AgentDone::Instructions(Some("Be kind.".into()))));
    assert_eq!(ruled(&answered, HOOK), Some(HookAnswer::Context("Be kind.".into())));

    for (place, told) in [
        ("projects/web/src", false),
        ("projects/web", false),
        ("", false),
        ("projects/web", false),
        ("projects/api", true),
        ("projects/web", true),
    ] {
        let (_, effects) = hooked(&mut world, ends_in(place));
        assert_eq!(asks_for(&effects).is_some(), told, "{place}");
        assert_eq!(
            ruled(&effects, HOOK),
            (!told).then_some(HookAnswer::NoOpinion),
            "{place}"
        );
    }
}

#[test]
fn a_hook_that_takes_no_words_leaves_them_to_the_next() {
    let mut world = touring();
    let cwd = in_chat("projects/web");
    let (moved, effects) = hooked(&mut world, HookEvent::CwdChanged { cwd });
    assert_eq!((moved.len(), asks_for(&effects)), (1, None));
    assert_eq!(ruled(&effects, HOOK), Some(HookAnswer::NoOpinion));
    let (_, effects) = hooked(&mut world, submitted("go on"));
    assert_eq!(asks_for(&effects), Some(arrival("web", "projects/web")));
}

#[test]
fn a_call_goes_to_the_directory_that_it_names_first_else_to_where_the_agent_is_else_to_the_first() {
    let mut world = touring();
    let mut number = 0;
    let mut labelled = |world: &mut World, input: serde_json::Value| {
        number += 1;
        let started = HookEvent::ToolStarted {
            id: format!("t{number}"),
            name: "Bash".into(),
            input: input.clone(),
            parent: None,
            cwd: None,
        };
        let lines = works(&world.hook(started)).into_iter().find_map(|(_, job)| match job {
            Work::Journal(JournalWork::Append(_, lines, _)) => Some(lines),
            _ => None,
        });
        match lines.unwrap().remove(0).what {
            Happened::ToolStart { dir, .. } => dir.unwrap(),
            other => panic!("{other:?}"),
        }
    };
    let api = in_chat("projects/api/a.rs");
    for (input, dir) in [
        (json!({ "file_path": api }), "api"),
        (json!({ "command": "cp projects/api/a projects/web/b" }), "api"),
        (json!({ "command": ["ls", "projects/api"] }), "api"),
        (json!({ "content": "projects/apis" }), "web"),
        (json!({ "command": "cargo test" }), "web"),
    ] {
        assert_eq!(labelled(&mut world, input.clone()), dir, "{input}");
    }
    hooked(&mut world, ends_in("projects/api/src"));
    for (input, dir) in [
        (json!({ "command": "cargo test" }), "api"),
        (json!({ "command": "diff ../README.md ../../web/README.md" }), "web"),
        (json!({ "command": "cat ../README.md" }), "api"),
    ] {
        assert_eq!(labelled(&mut world, input.clone()), dir, "{input}");
    }
    hooked(&mut world, ends_in(""));
    assert_eq!(labelled(&mut world, json!({ "command": "cargo test" })), "web");
}

#[test]
fn what_a_compaction_makes_it_forget_is_told_again() {
    let mut world = touring();
    hooked(&mut world, ends_in("projects/web"));
    let (_, effects) = hooked(
        &mut world,
        HookEvent::SessionStarted {
            session: "s".into(),
            source: "compact".into(),
            model: None,
            cwd: "/".into(),
        },
    );
    assert_eq!(asks_for(&effects), Some(arrival("web", "projects/web")));
}

#[test]
fn without_hooks_it_counts_where_commands_are_run_and_the_file_tells() {
    let mut world = unhooked();
    let mut ran = |tool: &str, input| {
        let line = Happened::ToolStart {
            id: tool.into(),
            name: "bash".into(),
            input,
            dir: None,
            parent: None,
        };
        let told = Streamed::Reported(Reported { at: None, what: line });
        let effects = world.happens(Event::Observed(id("auth"), Observed::Stream(vec![told], None)));
        works(&effects).into_iter().find_map(|(_, job)| match job {
            Work::Agent(AgentWork::InstructByFile(_, arrival)) => Some(arrival),
            _ => None,
        })
    };
    let here = Some(arrival("web", "projects/web"));
    assert_eq!(ran("t1", json!({"command": "make", "workdir": "projects/web"})), here);
    assert_eq!(ran("t2", json!({"command": "cd projects/web && make"})), None);
    assert_eq!(ran("t3", json!({"command": "make"})), None);
    let there = Some(arrival("api", "projects/api"));
    assert_eq!(ran("t4", json!({"command": "cd projects/api && make"})), there);
}

/// A command says that it is run where there may be nothing.
#[test]
fn a_directory_that_is_no_projects_counts_when_the_call_went_well() {
    let mut world = unhooked();
    let mut ran = |id: &str, place: &str, status| {
        let began = Happened::ToolStart {
            id: id.into(),
            name: "bash".into(),
            input: json!({"command": format!("cd {place} && make")}),
            dir: None,
            parent: None,
        };
        let told = [began, ended(id, status)].map(|what| Streamed::Reported(Reported { at: None, what }));
        moves(&world.happens(Event::Observed(
            crate::support::world::id("auth"),
            Observed::Stream(told.into(), None),
        )))
    };
    let web = in_chat("projects/web").display().to_string();
    assert_eq!(
        ran("t1", "projects/web", ToolStatus::Error),
        [(web, Some("web".into()))]
    );
    assert_eq!(ran("t2", "/tmp/grove", ToolStatus::Error), []);
    assert_eq!(
        ran("t3", "/tmp/grove", ToolStatus::Ok),
        [("/tmp/grove".to_string(), None)]
    );
    assert_eq!(ran("t4", "/tmp/grove", ToolStatus::Ok), [], "it is there already");
}

/// A command went into a project; the next call of such a CLI begins in the chat's directory again.
#[test]
fn a_relative_path_is_judged_from_the_chats_directory_where_each_call_begins_there() {
    let mut world = unhooked();
    let goes = Happened::ToolStart {
        id: "t1".into(),
        name: "bash".into(),
        input: json!({ "command": "cd projects/web && make" }),
        dir: None,
        parent: None,
    };
    let asks = HookEvent::PermissionAsked {
        reach: Vec::new(),
        tool: "write".into(),
        input: json!({ "filePath": "projects/api/x" }),
    };
    let mut hears = |said| world.happens(Event::Observed(id("auth"), Observed::Stream(vec![said], None)));
    hears(Streamed::Reported(Reported { at: None, what: goes }));
    let effects = hears(Streamed::Event(asks));
    let judged = works(&effects).into_iter().find_map(|(_, work)| match work {
        Work::Approval(ApprovalWork::Judge(case)) => Some(case.calls[0].at.clone()),
        _ => None,
    });
    assert_eq!(judged, Some(None));
}
