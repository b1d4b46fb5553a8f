//! The verdict over everything that is heard of an agent.

use parlour::domain::agent;
use parlour::domain::event::{DiskEvent, Observed};
use parlour::domain::work::ChatWork;
use parlour::domain::{Effect, Event, PaneOrder, Work};
use parlour::model::entry::ToolStatus;
use parlour::model::preferences::LeftScreen;
use parlour::model::{Activity, Capabilities, Happened, HookEvent, PaneEvent, Source, Status};

use crate::support::events::{
    asked, bash_began, below_began, claude, codex, custom, interrupted, jobs, session, submitted, told, tool_began,
    tool_ended, turn_ended, turn_failed, works,
};
use crate::support::world::{ME, World, id};

/// Claude Code in the middle of a turn.
pub fn at_work() -> World {
    let mut world = World::at_rest();
    world.hook(submitted("fix it"));
    assert_eq!(world.status(), "running");
    world
}

#[test]
fn a_turn_is_running_with_its_tool_until_it_ends() {
    let mut world = at_work();
    world.hook(tool_began("t1", "Bash"));
    assert_eq!(world.status(), "running: Bash");
    world.hook(tool_ended("t1", "Bash"));
    assert_eq!(world.status(), "running");
    world.hook(turn_ended(0));
    assert_eq!(world.status(), "idle");
}

#[test]
fn a_session_file_that_says_idle_later_tells_of_an_interrupt() {
    let mut world = at_work();
    world.after(30);
    world.hears(Source::SessionFile, Activity::Idle);
    assert_eq!(world.status(), "idle");
}

#[test]
fn a_word_of_the_same_moment_does_not_outweigh_a_hook() {
    let mut world = at_work();
    world.hears(Source::SessionFile, Activity::Idle);
    assert_eq!(world.status(), "running");
}

#[test]
fn an_idle_title_does_not_hide_an_open_question() {
    let mut world = at_work();
    world.hook(tool_began("t1", "Bash"));
    world.hook(asked("Bash"));
    world.after(60_000);
    world.hears(Source::Title, Activity::Idle);
    assert_eq!(world.status(), "needs-you: Bash");
}

#[test]
fn a_title_that_asked_and_shows_work_again_says_that_a_person_answered() {
    let mut world = at_work();
    world.hook(tool_began("t1", "Bash"));
    world.hook(asked("Bash"));
    world.hears(Source::Title, Activity::Waiting("a question".into()));
    assert_eq!(world.status(), "needs-you: Bash");
    world.hears(Source::Title, Activity::Busy(None));
    assert_eq!(world.status(), "running: Bash");
}

#[test]
fn a_composer_is_idle_until_the_session_begins_and_then_hooks_count() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", codex());
    assert_eq!(world.status(), "starting");
    world.hears(Source::Screen, Activity::Idle);
    assert_eq!(world.status(), "idle");
    world.hook(session("startup"));
    assert_eq!(world.status(), "running");
    world.hook(submitted("fix it"));
    world.hook(turn_ended(0));
    assert_eq!(world.status(), "idle");
}

#[test]
fn the_hook_words_the_question_and_the_session_file_only_confirms_it() {
    let mut world = at_work();
    world.hook(asked("Bash"));
    world.after(300);
    world.hears(Source::SessionFile, Activity::Waiting("permission prompt".into()));
    assert_eq!(world.status(), "needs-you: Bash");
}

#[test]
fn a_question_that_was_left_with_escape_is_over() {
    let mut world = at_work();
    world.hook(asked("Bash"));
    world.after(300);
    world.hears(Source::SessionFile, Activity::Idle);
    assert_eq!(world.status(), "idle");
}

#[test]
fn a_failed_turn_stays_failed_when_the_session_file_goes_idle() {
    let mut world = at_work();
    world.hook(turn_failed());
    world.after(30);
    world.hears(Source::SessionFile, Activity::Idle);
    assert_eq!(world.status(), "limit: rate limit");
    world.hook(submitted("again"));
    assert_eq!(world.status(), "running");
}

#[test]
fn work_behind_a_finished_turn_is_running_though_the_session_file_says_idle() {
    let mut world = at_work();
    world.hook(turn_ended(2));
    world.after(30);
    world.hears(Source::SessionFile, Activity::Idle);
    assert_eq!(world.status(), "running: 2 in the background");
    world.hook(turn_ended(0));
    assert_eq!(world.status(), "idle");
}

#[test]
fn a_title_counts_where_the_strong_sources_have_been_silent_since() {
    let mut world = World::at_rest();
    world.after(200);
    world.hears(Source::Title, Activity::Busy(None));
    assert_eq!(world.status(), "idle");
    world.after(2_000);
    world.hears(Source::Title, Activity::Busy(None));
    assert_eq!(world.status(), "running");
}

#[test]
fn a_title_says_nothing_before_the_session_began() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", claude());
    world.hears(Source::Title, Activity::Idle);
    assert_eq!(world.status(), "starting");
}

#[test]
fn a_queued_prompt_after_an_interrupt_is_busy_again() {
    let mut world = at_work();
    world.after(100);
    world.reads(vec![interrupted()]);
    assert_eq!(world.status(), "idle: interrupted");
    world.after(10);
    world.hears(Source::SessionFile, Activity::Busy(None));
    assert_eq!(world.status(), "running");
}

#[test]
fn compacting_in_the_middle_of_a_turn_does_not_end_it() {
    let mut world = at_work();
    world.after(100);
    world.hook(session("compact"));
    assert_eq!(world.status(), "running");
}

#[test]
fn what_nothing_tells_of_is_starting_and_then_unknown_but_never_idle() {
    for capabilities in [claude(), custom()] {
        let mut world = World::unwatched(&["auth"]);
        world.run("auth", capabilities);
        world.after(19_000);
        assert_eq!(world.status(), "starting");
        world.after(2_000);
        assert!(world.status().starts_with("unknown"), "{}", world.status());
    }
}

#[test]
fn a_slow_start_is_woken_up_for() {
    let mut world = World::unwatched(&["auth"]);
    let (work, _) = works(&world.resume("auth")).remove(0);
    world.prepared(work, "auth", custom());
    let effects = world.said("auth", PaneEvent::Started { pid: 1 });
    let slow = parlour::domain::Effect::WakeAt(world.state.domain.now.plus_ms(20_000));
    assert!(effects.contains(&slow), "{effects:?}");
}

#[test]
fn an_interrupt_in_the_transcript_ends_what_was_open_and_denies_what_was_asked() {
    let mut world = at_work();
    world.hook(tool_began("t1", "Read"));
    world.hook(tool_began("t2", "Bash"));
    world.hook(asked("Bash"));
    world.after(100);
    let effects = world.reads(vec![interrupted()]);
    assert_eq!(
        told(&effects),
        ["t1 Interrupted", "Bash denied", "t2 Denied", "interrupt", "is idle"]
    );
}

#[test]
fn a_tool_that_hook_and_transcript_both_end_is_told_once() {
    let mut world = at_work();
    world.hook(tool_began("t1", "Bash"));
    assert_eq!(told(&world.hook(tool_ended("t1", "Bash"))), ["t1 Ok", "is running"]);
    let again = Happened::ToolEnd {
        id: "t1".into(),
        status: ToolStatus::Ok,
        preview: "ok".into(),
        bytes: 2,
        lines: 1,
        output: None,
        cut: None,
        whole: None,
        changed: None,
        ms: None,
    };
    assert_eq!(told(&world.reads(vec![again])), [""; 0]);
}

#[test]
fn rest_is_unseen_until_somebody_looks() {
    let mut world = at_work();
    let kept = LeftScreen {
        unseen: [id("auth")].into(),
        ..LeftScreen::default()
    };
    let effects = world.hook(turn_ended(0));
    assert!(
        jobs(&effects).contains(&Work::Chat(ChatWork::KeepLeft(kept))),
        "the next engine knows of it"
    );
    assert!(world.state.domain.live.unseen.contains(&id("auth")));
    world.attach(ME, 120, 40);
    world.state.views.get_mut(&ME).unwrap().chat = Some(id("auth"));
    world.after(0);
    world.after(900);
    assert!(
        world.state.domain.live.unseen.contains(&id("auth")),
        "it may be passed over"
    );
    world.after(100);
    assert!(!world.state.domain.live.unseen.contains(&id("auth")));
}

#[test]
fn what_only_a_screen_tells_of_has_done_nothing_until_it_was_asked() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", custom());
    let seems_to_work = |world: &mut World| {
        world.hears(Source::Screen, Activity::Busy(None));
        assert_eq!(world.status(), "running");
        world.after(100);
        world.hears(Source::Screen, Activity::Idle);
        assert_eq!(world.status(), "idle");
        world.state.domain.live.unseen.contains(&id("auth"))
    };
    assert!(!seems_to_work(&mut world), "it starts");
    agent::input(&mut world.state.domain, &id("auth"), ME, b"fix it\r".to_vec());
    assert!(seems_to_work(&mut world));
}

/// A command of the agent's own comes to its end.
fn runs(world: &mut World, id: &str, status: ToolStatus) {
    world.hook(bash_began(id, "cargo test"));
    world.hook(HookEvent::ToolEnded {
        id: id.into(),
        name: "Bash".into(),
        output: String::new(),
        failed: status == ToolStatus::Error,
        interrupted: status == ToolStatus::Interrupted,
        ms: None,
        cwd: None,
    });
}

#[test]
fn a_turn_whose_last_command_failed_says_so_at_its_end() {
    const FAILED: &str = "idle: last command failed";
    let ends = |what: &[(&str, ToolStatus)]| {
        let mut world = at_work();
        for (id, status) in what {
            runs(&mut world, id, *status);
        }
        world.hook(turn_ended(0));
        world
    };
    assert_eq!(
        ends(&[("t1", ToolStatus::Ok), ("t2", ToolStatus::Error)]).status(),
        FAILED
    );
    assert_eq!(
        ends(&[("t1", ToolStatus::Error), ("t2", ToolStatus::Ok)]).status(),
        "idle"
    );
    // What was interrupted did not fail, nor made anything good.
    assert_eq!(
        ends(&[("t1", ToolStatus::Error), ("t2", ToolStatus::Interrupted)]).status(),
        FAILED
    );
    // Other tools are no commands, and of a sub-agent its caller judges.
    let mut world = ends(&[("t1", ToolStatus::Ok)]);
    world.hook(submitted("go on"));
    world.hook(below_began("t3", "Bash"));
    world.hook(HookEvent::ToolEnded {
        id: "t3".into(),
        name: "Bash".into(),
        output: String::new(),
        failed: true,
        interrupted: false,
        ms: None,
        cwd: None,
    });
    world.hook(turn_ended(0));
    assert_eq!(world.status(), "idle");
}

#[test]
fn the_next_prompt_forgets_the_command_that_failed() {
    let mut world = at_work();
    runs(&mut world, "t1", ToolStatus::Error);
    world.hook(turn_ended(0));
    world.hook(submitted("never mind"));
    world.hook(turn_ended(0));
    assert_eq!(world.status(), "idle");
}

#[test]
fn the_next_engine_still_tells_of_what_failed() {
    for failed in ["last command failed", "last turn failed: Not logged in"] {
        let mut world = World::new(120, 40);
        world.chat("auth", "Fix auth bug", 2);
        // What its transcript says is all that is left.
        let auth = id("auth");
        let mut known = world.state.domain.disk.chats[&auth].clone();
        known.ended = Some(Status::Exited("engine stopped".into()));
        known.failed = Some(failed.into());
        world.updates(Event::Disk(DiskEvent::Chat(Box::new(known))));
        assert_eq!(world.state.domain.detail(&auth), format!("engine stopped · {failed}"));
        let (work, _) = works(&world.resume("auth")).remove(0);
        world.prepared(work, "auth", claude());
        world.said("auth", PaneEvent::Started { pid: 2 });
        world.hook(session("resume"));
        assert_eq!(world.status(), format!("idle: {failed}"));
        world.hook(submitted("go on"));
        world.hook(turn_ended(0));
        assert_eq!(world.status(), "idle");
    }
}

#[test]
fn rest_that_somebody_watches_is_seen() {
    let mut world = at_work();
    world.attach(ME, 120, 40);
    world.state.views.get_mut(&ME).unwrap().chat = Some(id("auth"));
    world.after(0);
    world.after(1_000);
    world.hook(turn_ended(0));
    assert!(world.state.domain.live.unseen.is_empty());
}

#[test]
fn nothing_is_woken_up_for_while_all_agents_rest() {
    let mut world = World::at_rest();
    for _ in 0..3 {
        assert_eq!(world.after(60_000), []);
    }
}

#[test]
fn a_request_that_is_made_again_is_a_status_of_its_own_until_then() {
    let mut world = World::unwatched(&["auth"]);
    let shown = Capabilities {
        shows_retries: true,
        ..claude()
    };
    world.run("auth", shown);
    world.hook(session("startup"));
    world.hook(submitted("fix it"));
    world.after(100);
    let until = world.state.domain.now.plus_ms(22_900);
    let retry = Happened::Retry {
        message: "rate limit".into(),
        attempt: 2,
        attempts: Some(10),
        until: Some(until),
    };
    assert_eq!(told(&world.reads(vec![retry.clone()])), ["retry", "is retrying"]);
    assert_eq!(
        world.status(),
        "retrying: rate limit · next try at 12:00:23 · attempt 2 of 10"
    );
    world.after(5_000);
    world.hears(Source::Title, Activity::Busy(None));
    assert!(world.status().starts_with("retrying"), "its spinner turns meanwhile");
    world.after(19_000);
    assert_eq!(world.status(), "running", "it asks again");
    let look = Effect::Pane(id("auth").into(), PaneOrder::Look);
    assert!(world.after(1_000).contains(&look), "it may be refused again at once");
    world.reads(vec![retry]);
    assert_eq!(world.status(), "running", "that time is over");
    let words = Happened::Text {
        id: "a1".into(),
        text: "At last.".into(),
    };
    let again = Happened::Retry {
        message: "overloaded".into(),
        attempt: 3,
        attempts: None,
        until: Some(world.state.domain.now.plus_ms(9_000)),
    };
    world.reads(vec![again]);
    assert!(world.status().starts_with("retrying: overloaded"), "{}", world.status());
    world.reads(vec![words]);
    assert_eq!(world.status(), "running");
}

#[test]
fn a_retry_without_a_time_counts_while_the_screen_shows_it() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", codex());
    world.hook(session("startup"));
    world.hook(submitted("fix it"));
    let retry = |attempt| {
        Event::Observed(
            id("auth"),
            Observed::Retry(Happened::Retry {
                message: "Reconnecting".into(),
                attempt,
                attempts: Some(5),
                until: None,
            }),
        )
    };
    world.after(3_000);
    assert_eq!(told(&world.happens(retry(1))), ["retry", "is retrying"]);
    assert_eq!(world.status(), "retrying: Reconnecting · attempt 1 of 5");
    for _ in 0..3 {
        world.after(3_000);
        assert_eq!(told(&world.happens(retry(1))), [""; 0], "it is the same one");
        assert!(world.status().starts_with("retrying"), "{}", world.status());
    }
    assert_eq!(told(&world.happens(retry(2))), ["retry", "is retrying"]);
    world.after(8_000);
    assert_eq!(world.status(), "running", "its screen shows it no more");
    world.hook(turn_ended(0));
    assert_eq!(told(&world.happens(retry(3))), [""; 0], "the turn is over");
    assert_eq!(world.status(), "idle");
}

#[test]
fn a_turn_that_the_end_of_its_process_cut_is_said_until_the_next_one() {
    let mut world = at_work();
    world.hook(tool_began("t1", "Bash"));
    let killed = PaneEvent::Exited {
        code: None,
        signal: Some(9),
    };
    let effects = world.said("auth", killed);
    let cut: Vec<String> = told(&effects);
    assert!(cut.contains(&"interrupt".to_string()), "{cut:?}");
    assert_eq!(world.state.domain.detail(&id("auth")), "ended by signal 9");
    let (work, _) = works(&world.resume("auth")).remove(0);
    world.prepared(work, "auth", claude());
    world.said("auth", PaneEvent::Started { pid: 2 });
    world.hook(session("resume"));
    assert_eq!(world.status(), "idle: interrupted");
    let stopped = PaneEvent::Exited {
        code: Some(143),
        signal: None,
    };
    world.stop("auth");
    world.after(10);
    assert!(
        !told(&world.said("auth", stopped)).contains(&"interrupt".to_string()),
        "it was told already"
    );
    let (work, _) = works(&world.resume("auth")).remove(0);
    world.prepared(work, "auth", claude());
    world.said("auth", PaneEvent::Started { pid: 3 });
    world.hook(session("resume"));
    assert_eq!(world.status(), "idle: interrupted");
    world.hook(submitted("go on"));
    world.hook(turn_ended(0));
    assert_eq!(world.status(), "idle");
}
