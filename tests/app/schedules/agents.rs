//! What agents may do with schedules, and what is refused to anybody.

use std::collections::BTreeMap;

use parlour::domain::event::DiskEvent;
use parlour::domain::work::{ProjectWork, ScriptWork};
use parlour::domain::{Event, Work, schedule};
use parlour::model::atom::Who;
use parlour::model::open_dir::OpenDir;
use parlour::model::request::{By, ChatRequest, Request, ScheduleAsk};
use parlour::model::schedule::{Checked, Wanted};
use parlour::model::{CallId, ScheduleId, Status, ToolCall, Zone};
use parlour::permission::Ruling;
use serde_json::json;

use super::play::{HOUR, MINUTE, Play, rule};
use crate::support::events::{jobs, refusals, replies, works};
use crate::support::world::{World, id};

/// A tree of two chats, and one beside it.
fn trees() -> Play {
    let mut world = World::unwatched(&["auth", "other"]);
    world.chat("redis", "redis", 1).below("auth");
    Play::with(world, BTreeMap::new())
}

fn from_agent(wanted: Wanted) -> ToolCall {
    ToolCall::Schedule(ScheduleAsk::Add(Box::new(wanted)))
}

#[test]
fn agents_see_and_cancel_what_their_own_tree_made() {
    let mut play = trees();
    let mine = play.tool("redis", from_agent(rule("0 9 * * *"))).unwrap()["id"]
        .as_str()
        .unwrap()
        .to_string();
    play.add(rule("0 9 * * *"));
    let seen = |play: &mut Play, chat: &str| {
        let said = play.tool(chat, ToolCall::Schedule(ScheduleAsk::List)).unwrap();
        said["schedules"].as_array().unwrap().len()
    };
    assert_eq!(
        (
            seen(&mut play, "auth"),
            seen(&mut play, "redis"),
            seen(&mut play, "other")
        ),
        (1, 1, 0)
    );
    assert_eq!(
        play.ask(ScheduleAsk::List).unwrap()["schedules"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    for tool in [
        ToolCall::Schedule(ScheduleAsk::Cancel { schedule: mine.clone() }),
        ToolCall::Schedule(ScheduleAsk::Run { schedule: mine.clone() }),
    ] {
        let refused = play.tool("other", tool).unwrap_err();
        assert_eq!(refused.cause, "there is no such schedule");
        assert_eq!(refused.hint, "list_schedules shows all of them");
    }
    let show = ScheduleAsk::Show {
        schedule: "none".into(),
    };
    let refused = play.ask(show).unwrap_err();
    assert_eq!(refused.hint, "`parlour schedule list` shows all of them");
    let ran = play
        .tool("auth", ToolCall::Schedule(ScheduleAsk::Run { schedule: mine.clone() }))
        .unwrap();
    assert_eq!(ran["chatId"].as_str().unwrap(), play.launched[0].0.as_str());
    play.tool("auth", ToolCall::Schedule(ScheduleAsk::Cancel { schedule: mine }))
        .unwrap();
    assert_eq!(seen(&mut play, "redis"), 0);
}

#[test]
fn deleting_the_chat_that_made_it_leaves_it() {
    let mut play = trees();
    play.tool("other", from_agent(rule("0 13 * * *"))).unwrap();
    play.happens(Event::Disk(DiskEvent::ChatGone(id("other"))));
    play.pass(HOUR);
    assert_eq!(play.launched.len(), 1);
}

#[test]
fn limits_of_agents_are_named_where_they_refuse() {
    let mut play = trees();
    let refused = play.tool("auth", from_agent(rule("*/4 * * * *"))).unwrap_err();
    assert_eq!(
        refused.cause,
        "its times are 4 min apart, and limits.agentScheduleMinutes is 5"
    );
    for _ in 0..20 {
        play.tool("auth", from_agent(rule("*/5 * * * *"))).unwrap();
    }
    let refused = play.tool("redis", from_agent(rule("0 9 * * *"))).unwrap_err();
    assert_eq!(
        refused.cause,
        "this tree made 20 schedules, those that are over included, and limits.agentSchedules is 20"
    );
    play.tool("other", from_agent(rule("0 9 * * *"))).unwrap();
    play.add(rule("* * * * *"));
}

#[test]
fn a_run_counts_to_the_tree_that_made_its_schedule() {
    let mut play = trees();
    let mine = play.tool("auth", from_agent(rule("0 13 * * *"))).unwrap()["id"]
        .as_str()
        .unwrap()
        .to_string();
    play.pass(HOUR);
    let run = play.launched[0].0.clone();
    play.rest.clear();
    play.happens(Event::Tool(CallId(9), run, from_agent(rule("0 9 * * *"))));
    let made = replies(&play.rest).pop().unwrap().1.unwrap();
    let made = ScheduleId::parse(made["id"].as_str().unwrap()).unwrap();
    let tree = |id: &ScheduleId| play.disk[id].tree.clone();
    assert_eq!(tree(&made), tree(&ScheduleId::parse(&mine).unwrap()));
    assert_eq!(tree(&made).as_deref(), Some(id("auth").as_str()));
}

#[test]
fn an_agents_check_runs_only_where_a_persons_rules_allow_it() {
    for (allowed, role, runs) in [
        ("Bash(cargo test:*)", &[][..], true),
        ("Bash(cargo test:*)", &["Bash(cargo:*)"][..], false),
        ("Bash(ls)", &[][..], false),
    ] {
        let mut play = trees();
        play.world.state.domain.disk.settings.permissions.allow = vec![allowed.into()];
        let settings = play.world.state.domain.disk.settings.clone();
        play.world.state.domain.disk.follow(settings);
        play.tool(
            "auth",
            from_agent(Wanted {
                check: Some("cargo test --all".into()),
                ..rule("0 13 * * *")
            }),
        )
        .unwrap();
        play.pass(HOUR);
        play.becomes(Status::Running(None));
        let run = play.launched.last().unwrap().0.clone();
        let mut known = play.world.state.domain.disk.chats[&run].clone();
        let deny: Vec<&str> = role.to_vec();
        let own = json!({"name": "careful", "text": "", "permissions": {"deny": deny}});
        known.role = Some(serde_json::from_value(own).unwrap());
        play.happens(Event::Disk(DiskEvent::Chat(Box::new(known))));
        play.becomes(Status::Idle(None));
        let case = play.judged.take().unwrap();
        assert_eq!(case.calls[0].input["command"], "cargo test --all");
        assert_eq!(
            matches!(case.judge()[..], [Ruling::Allow { .. }]),
            runs,
            "{allowed} {role:?}"
        );
        let (checked, result) = match runs {
            true => (Checked::Passed, "success on-time"),
            false => (Checked::NotAllowed("cargo test --all".into()), "needs-you on-time"),
        };
        play.checks_out(checked);
        let deps = play.disk.keys().next().unwrap().clone();
        assert_eq!(play.runs(&deps), [result]);
    }
}

#[test]
fn a_check_ends_with_a_stop_of_its_chat() {
    let mut play = Play::new();
    let check = Some("sleep 1000".to_string());
    play.add(Wanted {
        check,
        ..rule("0 13 * * *")
    });
    play.pass(HOUR);
    play.becomes(Status::Running(None));
    play.becomes(Status::Idle(None));
    let (number, chat, _) = play.checks.last().unwrap().clone();
    for tree in [false, true] {
        play.rest.clear();
        let chat = chat.to_string();
        play.happens(Event::Ask(
            CallId(7),
            By::Person,
            Request::Chat(ChatRequest::Stop { chat, tree }),
        ));
        assert!(
            jobs(&play.rest).contains(&Work::Script(ScriptWork::Stop(number))),
            "{:?}",
            play.rest
        );
    }
}

#[test]
fn an_agent_schedules_no_shell_and_no_denied_check() {
    let mut play = trees();
    let shell = Wanted {
        llm: Some("shell".into()),
        ..rule("0 9 * * *")
    };
    assert!(
        play.tool("auth", from_agent(shell))
            .unwrap_err()
            .cause
            .contains("from a person")
    );
    let check = Wanted {
        check: Some("rm -rf ~".into()),
        ..rule("0 9 * * *")
    };
    assert!(
        play.tool("auth", from_agent(check))
            .unwrap_err()
            .cause
            .contains("denied")
    );
}

#[test]
fn a_project_of_the_makers_chat_is_known_by_its_origin() {
    let mut play = trees();
    play.world.chat("auth", "auth", 1).project("grove", "main");
    for spelled in [
        "grove",
        "projects/grove",
        "/home/mia/.parlour/chats/authaaaaaa/projects/grove/",
    ] {
        let wanted = Wanted {
            project: Some(parlour::model::open_dir::OpenDir {
                path_or_url: spelled.into(),
                ..Default::default()
            }),
            ..rule("0 9 * * *")
        };
        let made = play.tool("auth", from_agent(wanted)).unwrap();
        assert_eq!(made["project"], "/home/mia/grove", "{spelled}");
    }
}

#[test]
fn what_was_read_before_a_newer_word_came_is_old_news() {
    let mut play = Play::new();
    let deps = play.add(rule("0 13 * * *"));
    let before = play.disk.clone();
    play.pass(HOUR);
    let all: schedule::work::Schedules = before.into_iter().map(|(id, known)| (id, Ok(known))).collect();
    play.happens(Event::Disk(DiskEvent::Schedules(all)));
    play.pass(MINUTE);
    assert_eq!(play.launched.len(), 1);
    assert_eq!(play.runs(&deps).len(), 1);
}

#[test]
fn a_damaged_file_is_listed_as_such_and_never_runs() {
    let mut play = Play::new();
    let deps = play.add(rule("0 13 * * *"));
    let all = schedule::work::Schedules::from([(deps.clone(), Err("expected value at line 1".to_string()))]);
    play.happens(Event::Disk(DiskEvent::Schedules(all)));
    play.pass(2 * HOUR);
    assert!(play.launched.is_empty());
    let said = play.ask(ScheduleAsk::List).unwrap();
    assert_eq!(said["schedules"][0]["state"], "damaged");
    let refused = play.ask(ScheduleAsk::Run {
        schedule: deps.to_string(),
    });
    assert_eq!(refused.unwrap_err().cause, "its file cannot be read");
}

#[test]
fn what_is_no_schedule_is_refused_in_words() {
    let mut world = World::unwatched(&[]);
    let mut refused = |wanted: Wanted| {
        let request = Request::Schedule {
            ask: ScheduleAsk::Add(Box::new(wanted)),
            env: BTreeMap::new(),
            sender: None,
        };
        refusals(&world.ask(request)).pop().unwrap_or_default()
    };
    let table = [
        (
            Wanted {
                prompt: " ".into(),
                ..rule("@daily")
            },
            "it has no prompt",
        ),
        (
            Wanted {
                llm: Some("shell".into()),
                ..rule("@daily")
            },
            "a shell takes its commands from a person",
        ),
        (
            Wanted {
                at: Some("2026-03-01".into()),
                ..rule("@daily")
            },
            "either a cron rule or one time",
        ),
        (
            Wanted {
                tz: Some("Mars/Olympus".into()),
                ..rule("@daily")
            },
            "is no time zone",
        ),
        (
            Wanted {
                timeout_s: Some(0),
                ..rule("@daily")
            },
            "0 seconds are no time limit",
        ),
        (
            Wanted {
                llm: Some("hal".into()),
                ..rule("@daily")
            },
            "there is no agent called hal",
        ),
        (rule("0 0 31 2 *"), "never comes"),
    ];
    for (wanted, why) in table {
        let said = refused(wanted);
        assert!(said.contains(why), "{said}");
    }
    assert_eq!(Zone::default().to_string(), "UTC");
}

#[test]
fn what_an_agents_schedule_opens_is_opened_in_its_name() {
    let notes = || Wanted {
        project: Some(OpenDir {
            path_or_url: "/home/mia/notes".into(),
            ..OpenDir::default()
        }),
        ..rule("0 13 * * *")
    };
    let opened_by = |play: &mut Play| {
        play.pass(HOUR);
        let open = works(&play.rest).into_iter().find_map(|(_, job)| match job {
            Work::Project(ProjectWork::Open { open, .. }) => Some(open.by),
            _ => None,
        });
        open.unwrap()
    };
    let mut play = trees();
    play.tool("auth", from_agent(notes())).unwrap();
    assert_eq!(opened_by(&mut play), Who::Agent);
    let mut play = trees();
    play.add(notes());
    assert_eq!(opened_by(&mut play), Who::Person);
}
