//! What agents use is added up once, shown by chat and over all, and held to budgets.

use parlour::domain::event::{DiskEvent, Outcome};
use parlour::domain::usage::report;
use parlour::domain::work::{UsageDone, UsageWork};
use parlour::domain::{Effect, Event, Work};
use parlour::model::price::Prices;
use parlour::model::request::{ChatRequest, ChatsRequest, NewChat, Request};
use parlour::model::review::{DiffSet, ReviewAsk};
use parlour::model::settings::Budget;
use parlour::model::tool::{Dispatch, TeamCall};
use parlour::model::usage::{ChatUsage, UsageBy};
use parlour::model::{ProblemKind, Status, Timestamp, ToolCall, Zone};
use serde_json::json;

use crate::support::events::{replies, told, works};
use crate::support::usage::{asked, kept, told_from, used, used_by_sub_agent};
use crate::support::world::{World, id, noon};

fn prices() -> Prices {
    serde_json::from_value(json!({"m": {"input": 10, "output": 100}})).unwrap()
}

fn morning() -> World {
    let mut world = World::morning(120, 40);
    world.sets(|settings| settings.prices = prices());
    world
}

fn total(world: &World, by: UsageBy) -> Vec<(String, u64, String)> {
    let rows = report::rows(&world.state.domain, by, None);
    let row = |row: report::UsageRow| (row.label, row.used.tokens().total(), row.cost.words());
    rows.into_iter().map(row).collect()
}

#[test]
fn an_entry_counts_once_however_often_it_comes() {
    let mut world = morning();
    let entries = told_from(1, noon(), vec![asked("fix it"), used("m", [1_000, 100, 0, 0])]);
    world.writes("auth", entries.clone());
    world.writes("auth", entries);
    assert_eq!(
        total(&world, UsageBy::Model),
        [("m".to_string(), 1_100, "$0.02".to_string())]
    );
    assert!(world.picture().contains("1.1k tok · $0.02"), "{}", world.picture());
}

#[test]
fn totals_are_told_by_day_project_cli_and_chat() {
    let mut world = morning();
    let yesterday = Timestamp(noon().0 - 86_400_000);
    world.begins("auth", yesterday, vec![used("m", [1_000_000, 0, 0, 0])]);
    world.writes("auth", told_from(2, noon(), vec![used("m", [0, 10_000, 0, 0])]));
    world.begins("redis", noon(), vec![used("unheard", [500, 0, 0, 0])]);
    let said = |by: UsageBy| {
        let rows = total(&world, by).into_iter();
        rows.map(|(label, tokens, cost)| format!("{label}: {tokens} {cost}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        said(UsageBy::Day),
        ["2026-02-15: 10500 $1.00+", "2026-02-14: 1000000 $10.00"]
    );
    assert_eq!(said(UsageBy::Project), ["grove: 1010500 $11.00+"]);
    assert_eq!(said(UsageBy::Cli), ["Claude Code: 1010500 $11.00+"]);
    assert_eq!(
        said(UsageBy::Model),
        ["m: 1010000 $11.00", "unheard: 500 price unknown"]
    );
    assert_eq!(
        said(UsageBy::Chat),
        ["Fix auth bug: 1010000 $11.00", "Try Redis: 500 price unknown"]
    );
    // A price that a person sets later holds for what was used before.
    world.sets(|settings| settings.prices = Prices::default());
    let domain = &world.state.domain;
    let (all, cost) = report::sum(domain, &report::rows(domain, UsageBy::Day, None));
    assert_eq!(
        (all.tokens().total(), cost.words()),
        (1_010_500, "price unknown".to_string())
    );
}

#[test]
fn the_shell_is_told_what_it_asks_and_what_has_no_price() {
    let mut world = morning();
    world.begins("auth", noon(), vec![used("unheard", [10, 5, 3, 2])]);
    let effects = world.ask(Request::Usage {
        chat: None,
        by: UsageBy::Model,
    });
    let replies = replies(&effects);
    let [(_, Ok(answer))] = replies.as_slice() else {
        panic!("it is answered at once");
    };
    let tokens = json!({"input": 10, "output": 5, "cacheRead": 3, "cacheWrite": 2, "total": 20});
    assert_eq!(answer["rows"][0]["tokens"], tokens);
    assert_eq!(
        (&answer["rows"][0]["usd"], &answer["rows"][0]["model"]),
        (&json!(null), &json!("unheard"))
    );
    assert_eq!(
        (&answer["unpriced"], &answer["total"]["unpricedTokens"]),
        (&json!(["unheard"]), &json!(20))
    );
}

#[test]
fn sums_are_read_when_the_engine_begins_and_what_is_told_meanwhile_is_added() {
    let mut world = morning();
    let effects = world.updates(Event::Disk(DiskEvent::Began(Default::default())));
    let read = works(&effects)
        .into_iter()
        .find(|(_, job)| matches!(job, Work::Usage(UsageWork::Read { .. })));
    let (work, Work::Usage(UsageWork::Read { chats, .. })) = read.unwrap() else {
        panic!("the sums are read");
    };
    world.writes(
        "auth",
        told_from(12, noon(), vec![used("m", [7, 0, 0, 0]), used("m", [9, 0, 0, 0])]),
    );
    assert!(
        total(&world, UsageBy::Model).is_empty(),
        "nothing is said before they are read"
    );
    // The reader came as far as entry 12, the first of the two.
    let mut usage = ChatUsage::new(Zone::default());
    told_from(11, noon(), vec![used("m", [100, 0, 0, 0]), used("m", [7, 0, 0, 0])])
        .iter()
        .for_each(|entry| {
            usage.take(entry);
        });
    let asked = chats.into_iter().map(|(chat, _)| chat).collect();
    let done = UsageDone::Read(asked, vec![(id("auth"), usage)]);
    let effects = world.done(work, Outcome::Usage(done));
    assert_eq!(
        total(&world, UsageBy::Model),
        [("m".to_string(), 116, "$0.0012".to_string())]
    );
    assert!(kept(&effects).is_empty(), "its agent works: {effects:?}");
    // A transcript that could not be read says nothing, and is not asked for again and again.
    let effects = world.writes("redis", told_from(30, noon(), vec![used("m", [1, 0, 0, 0])]));
    assert!(works(&effects).is_empty(), "{effects:?}");
}

#[test]
fn sums_are_kept_once_their_chat_rests() {
    let mut world = World::at_rest();
    let effects = world.begins("auth", noon(), vec![used("m", [10, 0, 0, 0])]);
    let all = kept(&effects);
    let [(chat, usage)] = all.as_slice() else {
        panic!("they are kept: {effects:?}");
    };
    assert_eq!((chat.as_str(), usage.seq), (id("auth").as_str(), 1));
    assert_eq!(
        (usage.of.llm.as_str(), usage.of.root.as_str()),
        ("claude", id("auth").as_str())
    );
    let effects = world.writes("auth", told_from(2, noon(), vec![used("m", [10, 0, 0, 0])]));
    assert!(kept(&effects).is_empty(), "one worker keeps sums at a time");
}

fn with_budget(budget: Budget) -> World {
    let mut world = World::at_rest();
    world.sets(|settings| {
        settings.prices = prices();
        settings.limits.budget = budget;
    });
    world
}

#[test]
fn a_budget_is_said_at_80_percent_and_once_more_when_it_is_used_up() {
    let mut world = with_budget(Budget {
        chat: Some(1.0),
        ..Budget::default()
    });
    world.attach(crate::support::world::ME, 120, 40);
    let mut seq = 0;
    let mut spend = |world: &mut World, input: u64| {
        seq += 1;
        world.writes("auth", told_from(seq, noon(), vec![used("m", [input, 0, 0, 0])]));
        let toasts = &world.view().over.toasts;
        toasts.iter().map(|toast| toast.text.clone()).collect::<Vec<_>>()
    };
    assert!(spend(&mut world, 79_000).is_empty());
    assert_eq!(
        spend(&mut world, 1_000),
        ["The budget of \"auth\" is nearly used up: $0.80 of $1.00."]
    );
    assert_eq!(spend(&mut world, 1_000).len(), 1, "said once");
    assert!(spend(&mut world, 50_000).contains(&"The budget of \"auth\" is used up: $1.31 of $1.00.".to_string()));
    let sent = world.send("go on");
    assert!(replies(&sent).iter().all(|(_, how)| how.is_ok()), "it only warns");
}

#[test]
fn a_budget_that_was_used_up_meanwhile_is_told_at_the_next_screen_and_calls() {
    let mut world = with_budget(Budget {
        chat: Some(1.0),
        stop: true,
        ..Budget::default()
    });
    world.sets(|settings| settings.notify.command = Some("say".into()));
    let effects = world.writes("auth", told_from(1, noon(), vec![used("m", [200_000, 0, 0, 0])]));
    let calls = effects.iter().filter_map(|effect| match effect {
        Effect::Notify { alert, .. } => Some(alert.words()),
        _ => None,
    });
    assert_eq!(calls.collect::<Vec<_>>(), ["auth cannot go on: its budget is used up"]);
    assert!(told(&effects)[0].contains("is used up: $2.00 of $1.00."));
    world.after(2 * 3_600_000);
    for expected in [1, 0] {
        world.attach(crate::support::world::ME, 120, 40);
        let toasts = world.view().over.toasts.iter();
        let words = "2h ago: The budget of \"auth\" is used up: $2.00 of $1.00.";
        let said = toasts.filter(|toast| toast.text.starts_with(words));
        assert_eq!(said.count(), expected);
    }
}

#[test]
fn a_budget_that_stops_refuses_prompts_and_keeps_those_that_wait() {
    let mut world = with_budget(Budget {
        day: Some(1.0),
        stop: true,
        ..Budget::default()
    });
    world.begins("auth", noon(), vec![used("m", [200_000, 0, 0, 0])]);
    let sent = world.ask(Request::Chat(ChatRequest::Send {
        chat: "auth".into(),
        text: "one more".into(),
        follow_up: false,
        env: Default::default(),
        sender: None,
        id: String::new(),
        wait: false,
    }));
    let refused = replies(&sent);
    let [(_, Err(problem))] = refused.as_slice() else {
        panic!("it is refused");
    };
    assert_eq!(problem.kind, ProblemKind::Limit);
    let limit = problem.limit.as_ref().unwrap();
    assert_eq!((limit.name.as_str(), limit.value.as_f64()), ("budget.day", Some(1.0)));
    assert!(
        problem
            .cause
            .contains("today's budget is used up, and limits.budget.day is $1.00"),
        "{}",
        problem.cause
    );
    // The next day is another one.
    world.later(13 * 3_600_000);
    let sent = world.send("good morning");
    assert!(replies(&sent).iter().all(|(_, how)| how.is_ok()));
}

/// The limit that a refusal names.
fn refused(effects: &[Effect]) -> Option<String> {
    let mut refused = replies(effects).into_iter().filter_map(|(_, how)| how.err());
    Some(refused.next()?.limit?.name)
}

#[test]
fn a_budget_that_stops_refuses_chats_that_begin_with_a_prompt() {
    let mut world = with_budget(Budget {
        tree: Some(1.0),
        stop: true,
        ..Budget::default()
    });
    world.begins("auth", noon(), vec![used("m", [200_000, 0, 0, 0])]);
    let new = |prompt: Option<&str>, parent: Option<&str>| {
        Request::Chats(ChatsRequest::New(NewChat {
            prompt: prompt.map(str::to_string),
            parent: parent.map(id),
            llm: Some("claude".into()),
            ..NewChat::default()
        }))
    };
    let dispatch = |world: &mut World| {
        let asked = Dispatch {
            prompt: "help".into(),
            ..Dispatch::default()
        };
        world.tool("auth", ToolCall::Team(TeamCall::Dispatch(asked)))
    };
    let review = |world: &mut World| {
        world.ask(Request::Review {
            chat: "auth".into(),
            ask: ReviewAsk::Opinion {
                set: DiffSet::LastPrompt,
                by: "claude".into(),
                env: Default::default(),
            },
        })
    };
    let over = Some("budget.tree".to_string());
    assert_eq!(refused(&world.ask(new(Some("go"), Some("auth")))), over);
    assert_eq!(refused(&dispatch(&mut world)), over);
    assert_eq!(refused(&review(&mut world)), over);
    assert_eq!(
        refused(&world.ask(new(Some("go"), None))),
        None,
        "another tree has its own"
    );
    assert_eq!(
        refused(&world.ask(new(None, Some("auth")))),
        None,
        "it uses nothing yet"
    );
    // A budget that only warns refuses nothing.
    world.sets(|settings| settings.limits.budget.stop = false);
    assert_eq!(refused(&dispatch(&mut world)), None);
}

#[test]
fn another_budget_is_told_where_it_is_used_up_already() {
    let mut world = morning();
    world.begins("auth", noon(), vec![used("m", [90_000, 0, 0, 0])]);
    let mut told = |change: &dyn Fn(&mut Budget)| {
        world.later(20_000);
        world.sets(|settings| change(&mut settings.limits.budget));
        let toasts = world.view().over.toasts.iter();
        toasts.map(|toast| toast.text.clone()).collect::<Vec<_>>()
    };
    assert_eq!(told(&|budget| budget.chat = Some(2.0)), [""; 0]);
    let near = "The budget of \"Fix auth bug\" is nearly used up: $0.90 of $1.00.";
    assert_eq!(told(&|budget| budget.chat = Some(1.0)), [near]);
    assert_eq!(told(&|budget| budget.stop = true), [""; 0], "it is known");
    let spent = "The budget of \"Fix auth bug\" is used up: $0.90 of $0.50.";
    assert!(told(&|budget| budget.chat = Some(0.5))[0].starts_with(spent));
}

#[test]
fn a_trees_budget_counts_all_below_and_names_what_has_no_price() {
    let mut world = morning();
    world.sets(|settings| settings.limits.budget.tree = Some(1.0));
    world.begins(
        "redis",
        noon(),
        vec![used("m", [60_000, 0, 0, 0]), used("unheard", [5, 0, 0, 0])],
    );
    world.begins("memcd", noon(), vec![used("m", [60_000, 0, 0, 0])]);
    let toasts: Vec<String> = world
        .view()
        .over
        .toasts
        .iter()
        .map(|toast| toast.text.clone())
        .collect();
    let has = |words: &str| toasts.iter().any(|toast| toast.contains(words));
    assert!(has("unheard counts in no budget"), "{toasts:?}");
    assert!(
        has("The budget of the tree of \"Fix auth bug\" is used up: $1.20 of $1.00."),
        "{toasts:?}"
    );
}

#[test]
fn usage_of_a_deleted_chat_still_counts() {
    let mut world = morning();
    world.begins("hello", noon(), vec![used("m", [1_000, 0, 0, 0])]);
    world.look();
    let [name, project] = [UsageBy::Chat, UsageBy::Project].map(|by| total(&world, by)[0].clone());
    world.updates(Event::Disk(DiskEvent::ChatGone(id("hello"))));
    assert_eq!(total(&world, UsageBy::Day)[0].1, 1_000);
    let rows = report::rows(&world.state.domain, UsageBy::Chat, None);
    assert_eq!((rows.len(), rows[0].handle.as_deref()), (1, None), "{rows:?}");
    // As it was called.
    assert_eq!(total(&world, UsageBy::Chat), [name]);
    assert_eq!(total(&world, UsageBy::Project), [project]);
}

#[test]
fn what_sub_agents_use_is_in_the_sum_and_leaves_the_context_alone() {
    let mut world = morning();
    let told = vec![
        used("m", [100, 10, 0, 0]),
        used_by_sub_agent("m", [9_000, 10, 0, 0], "a1"),
    ];
    world.begins("auth", noon(), told);
    let usage = &world.state.domain.live.usage.chats[&id("auth")];
    assert_eq!(usage.all.tokens().total(), 9_120);
    assert_eq!(usage.by_sub_agents.tokens().total(), 9_010);
    assert_eq!(usage.context.as_ref().map(|fill| fill.tokens), Some(110));
}

/// The pill names what runs, and how many of the calls of this turn.
#[test]
fn the_header_says_how_many_calls_of_the_turn_run() {
    use crate::support::events::{submitted, tool_began, tool_ended};
    let mut world = World::at_rest();
    world.attach(crate::support::world::ME, 120, 40);
    world.hook(submitted("fix it"));
    assert!(world.picture().contains("● running"), "{}", world.picture());
    world.hook(tool_began("t1", "Read"));
    world.hook(tool_ended("t1", "Read"));
    world.hook(tool_began("t2", "Bash"));
    world.hook(tool_began("t3", "Bash"));
    assert!(world.picture().contains("● Bash (2/3)"), "{}", world.picture());
    world.hook(submitted("and now"));
    assert!(matches!(world.state.domain.status(&id("auth")), Status::Running(_)));
}

#[test]
fn who_asks_while_transcripts_are_read_is_answered_once_they_are() {
    let mut world = morning();
    let effects = world.updates(Event::Disk(DiskEvent::Began(Default::default())));
    let read = works(&effects).into_iter().find_map(|(work, job)| match job {
        Work::Usage(UsageWork::Read { chats, .. }) => Some((work, chats)),
        _ => None,
    });
    let (work, chats) = read.expect("the sums are read");
    let ask = Request::Usage {
        chat: None,
        by: UsageBy::Model,
    };
    assert!(replies(&world.ask(ask.clone())).is_empty());
    let mut usage = ChatUsage::new(Zone::default());
    for entry in told_from(1, noon(), vec![used("m", [100, 0, 0, 0])]) {
        usage.take(&entry);
    }
    let asked = chats.into_iter().map(|(chat, _)| chat).collect();
    let done = UsageDone::Read(asked, vec![(id("auth"), usage)]);
    let answers = replies(&world.done(work, Outcome::Usage(done)));
    let [(_, Ok(answer))] = answers.as_slice() else {
        panic!("it is answered: {answers:?}");
    };
    assert_eq!(answer["total"]["tokens"]["total"], 100);
    assert_eq!(replies(&world.ask(ask)).len(), 1, "from now on at once");
}
