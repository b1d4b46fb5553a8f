//! What agents do waits for its verdict, which a worker finds: in order, not for ever, and no other agent waits with it.

use parlour::app::update;
use parlour::domain::approval::judging::DEADLINE_MS;
use parlour::domain::event::{Caller, Outcome};
use parlour::domain::work::{ApprovalDone, ApprovalWork, JournalDone, JournalWork};
use parlour::domain::{Effect, Event, Work, approval};
use parlour::model::{CallId, HookAnswer, HookEvent, PaneEvent, Problem, Timestamp, WorkId};
use serde_json::json;

use crate::support::events::{claude, jobs, ruled, session, told, tool_ended, works};
use crate::support::world::{World, id};

const FIRST: CallId = CallId(11);
const SECOND: CallId = CallId(12);

fn world() -> World {
    let mut world = World::unwatched(&["auth", "redis"]);
    for chat in ["auth", "redis"] {
        world.run(chat, claude());
        world.happens(Event::Hook(CallId(9), id(chat), vec![session("startup")]));
    }
    world
}

fn runs(tool: &str, command: &str) -> HookEvent {
    HookEvent::ToolStarted {
        id: tool.into(),
        name: "Bash".into(),
        input: json!({ "command": command }),
        parent: None,
        cwd: None,
    }
}

/// A hook comes while its worker has no time.
fn hook(world: &mut World, call: CallId, chat: &str, event: HookEvent) -> Vec<Effect> {
    update(&mut world.state, Event::Hook(call, id(chat), vec![event]))
}

fn judging(effects: &[Effect]) -> Vec<(WorkId, Vec<String>)> {
    let case = |(work, job): (WorkId, Work)| match job {
        Work::Approval(ApprovalWork::Judge(case)) => {
            let calls = case.calls.iter();
            let lines = calls.map(|call| call.input["command"].as_str().unwrap_or_default().to_string());
            Some((work, lines.collect()))
        }
        _ => None,
    };
    works(effects).into_iter().filter_map(case).collect()
}

/// The worker comes to what it was given among `effects`.
fn judge(world: &mut World, effects: &[Effect]) -> Vec<Effect> {
    let mut follows = Vec::new();
    for (work, job) in works(effects) {
        if let Work::Approval(ApprovalWork::Judge(case)) = job {
            let judged = Event::Done(work, Outcome::Approval(ApprovalDone::Judged(case.judge())));
            follows.extend(update(&mut world.state, judged));
        }
    }
    follows
}

fn pass(world: &mut World, ms: u64) -> Vec<Effect> {
    let now = world.state.domain.now.plus_ms(ms);
    update(&mut world.state, Event::Clock(now))
}

#[test]
fn nothing_is_judged_on_the_loop() {
    let mut world = world();
    let effects = hook(&mut world, FIRST, "auth", runs("t1", "rm -rf /"));
    assert_eq!(judging(&effects)[0].1, ["rm -rf /"]);
    assert_eq!(jobs(&effects).len(), 1, "{effects:?}");
    let effects = judge(&mut world, &effects);
    assert_eq!(told(&effects)[..3], ["Bash began", "Bash denied", "t1 Denied"]);
}

#[test]
fn what_one_agent_does_is_heard_in_order_and_others_do_not_wait() {
    let mut world = world();
    let first = hook(&mut world, FIRST, "auth", runs("t1", "make"));
    let second = hook(&mut world, SECOND, "auth", tool_ended("t1", "Bash"));
    assert!(works(&second).is_empty(), "{second:?}");
    let third = hook(&mut world, CallId(13), "auth", runs("t2", "make all"));
    assert!(works(&third).is_empty(), "{third:?}");

    let other = hook(&mut world, CallId(14), "redis", runs("o1", "rm -rf /"));
    assert_eq!(told(&judge(&mut world, &other))[..2], ["Bash began", "Bash denied"]);

    let effects = judge(&mut world, &first);
    assert_eq!(told(&effects)[..3], ["Bash began", "is running", "t1 Ok"]);
    assert_eq!(judging(&effects)[0].1, ["make all"]);
    assert_eq!(told(&judge(&mut world, &effects))[0], "Bash began");
    // All is answered once it is written.
    let effects = hook(&mut world, CallId(15), "auth", HookEvent::Ignored);
    assert_eq!(ruled(&effects, CallId(15)), Some(HookAnswer::NoOpinion));
}

#[test]
fn a_verdict_that_does_not_come_is_a_question_and_comes_too_late_then() {
    let mut world = world();
    let mut settings = world.state.domain.disk.settings.clone();
    settings.permissions.allow = vec!["Bash".into()];
    world.state.domain.disk.follow(settings);
    let slow = hook(&mut world, FIRST, "auth", runs("t1", "make"));
    assert!(slow.contains(&Effect::WakeAt(world.state.domain.now.plus_ms(DEADLINE_MS))));
    pass(&mut world, DEADLINE_MS - 500);
    let behind = hook(&mut world, SECOND, "auth", runs("t2", "make all"));
    assert!(works(&behind).is_empty(), "{behind:?}");

    let effects = pass(&mut world, 500);
    let answer = answered(&mut world, &effects, FIRST);
    assert!(matches!(answer, Some(HookAnswer::Ask(_))), "{answer:?}");
    assert_eq!(judging(&effects)[0].1, ["make all"]);
    assert_eq!(judge(&mut world, &slow), []);
    let effects = judge(&mut world, &effects);
    assert_eq!(answered(&mut world, &effects, SECOND), Some(HookAnswer::Allow));
}

#[test]
fn a_call_whose_verdict_does_not_come_waits_no_day_longer_where_the_clock_is_set_back() {
    let mut world = world();
    hook(&mut world, FIRST, "auth", runs("t1", "make"));
    let yesterday = Timestamp(world.state.domain.now.0 - 24 * 3_600_000);
    update(&mut world.state, Event::Clock(yesterday));
    let effects = pass(&mut world, DEADLINE_MS);
    let answer = answered(&mut world, &effects, FIRST);
    assert!(matches!(answer, Some(HookAnswer::Ask(_))), "{answer:?}");
}

#[test]
fn a_worker_that_fails_is_no_permission() {
    let mut world = world();
    let effects = hook(&mut world, FIRST, "auth", runs("t1", "make"));
    let failed = Outcome::Failed(Problem::new("judging", "it broke", ""));
    let effects = update(&mut world.state, Event::Done(judging(&effects)[0].0, failed));
    let answer = answered(&mut world, &effects, FIRST);
    assert!(matches!(answer, Some(HookAnswer::Ask(_))), "{answer:?}");
}

#[test]
fn what_an_agent_did_before_its_end_is_told_before_it() {
    let mut world = world();
    let slow = hook(&mut world, FIRST, "auth", runs("t1", "make"));
    let exited = PaneEvent::Exited {
        code: Some(0),
        signal: None,
    };
    let effects = world.said("auth", exited);
    let told = told(&effects);
    let at = |what: &str| told.iter().position(|told| told.starts_with(what));
    assert_eq!(at("Bash began"), Some(0));
    assert!(at("t1 ") > Some(0) && at("is exited") > Some(0), "{told:?}");
    assert_eq!(judge(&mut world, &slow), []);
}

#[test]
fn a_question_whose_hook_has_gone_waits_for_nobody() {
    let mut world = world();
    let asks = HookEvent::PermissionAsked {
        reach: Vec::new(),
        tool: "Bash".into(),
        input: json!({ "command": "make" }),
    };
    let effects = hook(&mut world, FIRST, "auth", asks);
    update(&mut world.state, Event::Caller(FIRST, Caller::Gone));
    judge(&mut world, &effects);
    assert_eq!(approval::json(&world.state.domain, None), json!({ "approvals": [] }));
}

/// The answer to a hook, when what it said is written.
fn answered(world: &mut World, effects: &[Effect], call: CallId) -> Option<HookAnswer> {
    let mut all = effects.to_vec();
    for (work, job) in works(effects) {
        if let Work::Journal(JournalWork::Append(chat, ..)) = job {
            all.extend(world.done(work, Outcome::Journal(JournalDone::Appended(chat, Vec::new()))));
        }
    }
    ruled(&all, call)
}
