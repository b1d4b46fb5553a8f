//! A turn whose news comes twice, late, or in another order than it happened.

use parlour::domain::Effect;
use parlour::domain::event::Outcome;
use parlour::domain::work::{ChatDone, JournalWork};
use parlour::model::entry::ToolStatus;
use parlour::model::{Activity, Happened, HookEvent, PaneEvent, Reported, Source};

use crate::support::events::{
    asked, bash_asked, bash_began, below_began, interrupted, jobs, submitted, told, tool_began, tool_ended, turn_ended,
    turn_failed, works,
};
use crate::support::world::{World, id};

/// Claude Code in the middle of a turn.
fn at_work() -> World {
    let mut world = World::at_rest();
    world.hook(submitted("fix it"));
    world.after(100);
    world
}

fn api_error() -> Happened {
    Happened::Error {
        place: "Claude Code".into(),
        message: "API Error: 429".into(),
        hint: String::new(),
        trouble: None,
    }
}

/// What was asked and what it came to: the id of the tool and the answer.
fn answers(effects: &[Effect]) -> Vec<String> {
    let lines = jobs(effects).into_iter().filter_map(|job| match job {
        parlour::domain::Work::Journal(JournalWork::Append(_, lines, _)) => Some(lines),
        _ => None,
    });
    let answer = |line: Reported| match line.what {
        Happened::Permission { id, answer, .. } => Some(format!("{id} {answer}")),
        _ => None,
    };
    lines.flatten().filter_map(answer).collect()
}

#[test]
fn of_two_calls_of_one_tool_each_question_goes_to_its_own() {
    let mut world = at_work();
    world.hook(bash_began("t1", "ls"));
    world.hook(bash_began("t2", "rm -r build"));
    assert_eq!(answers(&world.hook(bash_asked("rm -r build"))), ["t2 asked"]);
    assert_eq!(answers(&world.hook(bash_asked("ls"))), ["t1 asked"]);
    assert_eq!(answers(&world.hook(tool_ended("t1", "Bash"))), ["t1 allowed"]);
    assert_eq!(answers(&world.hook(tool_ended("t2", "Bash"))), ["t2 allowed"]);
}

#[test]
fn of_two_equal_calls_each_is_asked_about_once() {
    let mut world = at_work();
    world.hook(bash_began("t1", "ls"));
    world.hook(bash_began("t2", "ls"));
    assert_eq!(answers(&world.hook(bash_asked("ls"))), ["t1 asked"]);
    assert_eq!(answers(&world.hook(bash_asked("ls"))), ["t2 asked"]);
}

#[test]
fn a_question_whose_input_was_changed_on_the_way_is_matched_by_name() {
    let mut world = at_work();
    world.hook(bash_began("t1", "ls"));
    assert_eq!(answers(&world.hook(bash_asked("ls --color"))), ["t1 asked"]);
}

#[test]
fn a_question_about_a_tool_whose_beginning_was_not_heard_is_answered_by_its_end() {
    let mut world = at_work();
    world.hook(bash_asked("ls"));
    assert_eq!(
        told(&world.hook(tool_ended("t1", "Bash"))),
        ["Bash allowed", "is running"]
    );
}

#[test]
fn an_agent_needs_you_until_its_last_question_is_answered() {
    let mut world = at_work();
    world.hook(bash_began("t1", "ls"));
    world.hook(bash_began("t2", "rm -r build"));
    world.hook(bash_asked("ls"));
    world.hook(bash_asked("rm -r build"));
    assert_eq!(world.status(), "needs-you: Bash: ls");
    world.hook(tool_ended("t1", "Bash"));
    assert_eq!(world.status(), "needs-you: Bash: rm -r build");
    world.hook(tool_ended("t2", "Bash"));
    assert_eq!(world.status(), "running");
}

#[test]
fn a_tool_that_begins_beside_a_question_does_not_hide_it() {
    let mut world = at_work();
    world.hook(bash_began("t1", "ls"));
    world.hook(bash_asked("ls"));
    world.hook(tool_began("t2", "Read"));
    assert_eq!(world.status(), "needs-you: Bash: ls");
    world.hook(tool_ended("t2", "Read"));
    assert_eq!(world.status(), "needs-you: Bash: ls");
}

#[test]
fn a_question_that_was_answered_is_not_asked_again_by_the_next_tool() {
    let mut world = at_work();
    world.hook(bash_began("t1", "cargo test"));
    world.hook(bash_asked("cargo test"));
    world.after(500);
    world.hears(Source::SessionFile, Activity::Busy(None));
    assert_eq!(world.status(), "running: Bash");
    world.after(500);
    world.hook(below_began("t2", "Read"));
    assert_eq!(world.status(), "running: Read");
}

#[test]
fn a_reminder_does_not_reword_the_question() {
    let mut world = at_work();
    world.hook(bash_began("t1", "ls"));
    world.hook(bash_asked("ls"));
    world.after(6_000);
    let text = "Claude needs your permission to use Bash".into();
    world.hook(HookEvent::Waiting { text });
    assert_eq!(world.status(), "needs-you: Bash: ls");
}

#[test]
fn a_reminder_does_not_reword_what_only_the_clis_own_dialog_answers() {
    let mut world = at_work();
    let waits = |text: &str| HookEvent::Waiting { text: text.into() };
    world.hook(tool_began("t1", "AskUserQuestion"));
    world.hook(waits("Which colour?"));
    world.after(6_000);
    world.hook(waits("Claude needs your permission"));
    assert_eq!(world.status(), "needs-you: Which colour?");
    world.hook(tool_ended("t1", "AskUserQuestion"));
    world.hook(waits("Claude needs your permission"));
    assert_eq!(world.status(), "needs-you: Claude needs your permission");
}

#[test]
fn a_tools_end_that_is_heard_after_its_turns_end_does_not_make_the_agent_busy() {
    let mut world = at_work();
    world.hook(tool_began("t1", "Bash"));
    world.hook(turn_ended(0));
    assert_eq!(told(&world.hook(tool_ended("t1", "Bash"))), [""; 0]);
    assert_eq!(world.status(), "idle");
}

#[test]
fn a_tool_that_is_heard_of_right_after_an_interrupt_does_not_make_the_agent_busy() {
    let mut world = at_work();
    world.reads(vec![interrupted()]);
    world.after(50);
    world.hook(tool_began("t1", "Bash"));
    assert_eq!(world.status(), "idle: interrupted");
    world.hook(asked("Read"));
    assert_eq!(world.status(), "idle: interrupted");
    assert_eq!(
        told(&world.hook(submitted("go on"))),
        ["t1 Interrupted", "Person said go on", "is running"]
    );
}

#[test]
fn an_interrupt_outweighs_a_hook_that_was_under_way_when_it_came() {
    let mut world = at_work();
    world.after(50);
    world.hears(Source::SessionFile, Activity::Idle);
    world.after(50);
    world.hook(tool_began("t1", "Bash"));
    world.reads_late(60, vec![interrupted()]);
    assert_eq!(world.status(), "idle: interrupted");
}

#[test]
fn an_interrupt_that_is_read_after_the_next_prompt_ends_only_what_was_before() {
    let mut world = at_work();
    world.hook(tool_began("t1", "Bash"));
    world.after(500);
    world.hook(submitted("rather this"));
    world.after(50);
    world.hook(tool_began("t2", "Read"));
    assert_eq!(
        told(&world.reads_late(200, vec![interrupted()])),
        ["t1 Interrupted", "interrupt"]
    );
    assert_eq!(world.status(), "running: Read");
}

#[test]
fn a_turn_that_the_agent_begins_by_itself_is_running() {
    let mut world = at_work();
    world.hook(turn_ended(1));
    world.after(10_000);
    world.hook(tool_began("t1", "Bash"));
    assert_eq!(world.status(), "running: Bash");
}

#[test]
fn a_sub_agent_in_the_background_works_on_behind_its_turn() {
    let mut world = at_work();
    world.hook(below_began("t1", "Bash"));
    world.hook(tool_began("t2", "Read"));
    assert_eq!(told(&world.hook(turn_ended(1))), ["t2 Interrupted", "is running"]);
    assert_eq!(world.status(), "running: 1 in the background");
    assert_eq!(told(&world.hook(tool_ended("t1", "Bash"))), ["t1 Ok"]);
    world.after(5_000);
    world.hook(below_began("t3", "Read"));
    assert_eq!(world.status(), "running: 1 in the background");
    world.hook(asked("Read"));
    assert_eq!(world.status(), "needs-you: Read");
    assert_eq!(
        told(&world.hook(tool_ended("t3", "Read"))),
        ["Read allowed", "t3 Ok", "is running"]
    );
    assert_eq!(world.status(), "running: 1 in the background");
}

#[test]
fn a_failure_that_hook_and_transcript_both_tell_is_one_error() {
    for hook_first in [true, false] {
        let mut world = at_work();
        for _ in 0..2 {
            let mut effects = Vec::new();
            if hook_first {
                effects.extend(world.hook(turn_failed()));
                effects.extend(world.reads(vec![api_error()]));
            } else {
                effects.extend(world.reads(vec![api_error()]));
                effects.extend(world.hook(turn_failed()));
            }
            let errors = told(&effects).into_iter().filter(|word| word.starts_with("error"));
            assert_eq!(errors.count(), 1, "{hook_first}");
            assert_eq!(world.status(), "limit: rate limit");
            world.after(1_000);
            world.hook(submitted("again"));
        }
    }
}

#[test]
fn a_failure_that_only_the_transcript_tells_outlasts_a_session_file_that_says_idle() {
    let mut world = at_work();
    world.reads(vec![api_error()]);
    world.after(30);
    world.hears(Source::SessionFile, Activity::Idle);
    assert_eq!(world.status(), "limit: API Error: 429");
    world.after(30);
    world.hook(submitted("again"));
    world.after(30);
    world.hears(Source::SessionFile, Activity::Idle);
    assert_eq!(world.status(), "idle");
}

#[test]
fn a_question_is_dropped_where_the_agent_is_stopped() {
    let mut world = at_work();
    world.hook(tool_began("t1", "Bash"));
    world.hook(asked("Bash"));
    world.stop("auth");
    let ended = PaneEvent::Exited {
        code: Some(143),
        signal: None,
    };
    assert_eq!(
        told(&world.said("auth", ended)),
        ["Bash dropped", "t1 Interrupted", "interrupt", "is exited"]
    );
}

#[test]
fn an_agent_that_a_person_stopped_or_deleted_holds_no_news() {
    for delete in [false, true] {
        let mut world = at_work();
        match delete {
            true => {
                let (work, _) = works(&world.rm("auth")).remove(0);
                world.done(work, Outcome::Chat(ChatDone::ReadyToTrash))
            }
            false => world.stop("auth"),
        };
        world.said(
            "auth",
            PaneEvent::Exited {
                code: Some(143),
                signal: None,
            },
        );
        assert!(!world.state.domain.live.unseen.contains(&id("auth")));
    }
}

#[test]
fn what_ran_unasked_and_was_broken_off_was_not_denied() {
    let ends = |asked_first: bool| {
        let mut world = at_work();
        world.hook(tool_began("t1", "Bash"));
        if asked_first {
            world.hook(asked("Bash"));
        }
        let refused = "The user doesn't want to proceed with this tool use.".to_string();
        let ended = Happened::tool_ended("t1", ToolStatus::Denied, refused, None);
        let effects = world.reads(vec![ended]);
        let lines = jobs(&effects).into_iter().filter_map(|job| match job {
            parlour::domain::Work::Journal(JournalWork::Append(_, lines, _)) => Some(lines),
            _ => None,
        });
        let status = |line: Reported| match line.what {
            Happened::ToolEnd { status, .. } => Some(status),
            _ => None,
        };
        lines.flatten().find_map(status)
    };
    assert_eq!(ends(false), Some(ToolStatus::Interrupted));
    assert_eq!(ends(true), Some(ToolStatus::Denied));
}
