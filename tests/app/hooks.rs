//! Agents' hooks: answered when what they said is written, and each thing told once.

use parlour::domain::Work;
use parlour::domain::event::Outcome;
use parlour::domain::work::{AgentWork, JournalDone, JournalWork};
use parlour::model::entry::ToolStatus;
use parlour::model::{Activity, Happened, HookAnswer, HookEvent, Source, Trouble, TroubleKind};

use crate::support::events::{
    HOOK, asked, ended, entry, jobs, replies, ruled, session, submitted, told, tool_began, tool_ended, turn_ended,
    turn_failed, works,
};
use crate::support::world::{World, id};

#[test]
fn a_hook_is_answered_only_when_what_it_said_is_in_the_transcript() {
    let mut world = World::at_rest();
    let effects = world.hook(submitted("fix it"));
    assert_eq!(replies(&effects), []);
    let (work, _) = works(&effects).remove(0);
    let line = entry(13, Happened::Note { text: "hello".into() });
    let effects = world.done(work, Outcome::Journal(JournalDone::Appended(id("auth"), vec![line])));
    assert_eq!(ruled(&effects, HOOK), Some(HookAnswer::NoOpinion));
    assert_eq!(world.on_disk("auth").preview, "hello");
}

#[test]
fn a_hook_that_says_nothing_is_answered_at_once() {
    let mut world = World::at_rest();
    assert_eq!(
        ruled(&world.hook(HookEvent::Ignored), HOOK),
        Some(HookAnswer::NoOpinion)
    );
}

#[test]
fn a_new_session_is_written_down_and_a_known_one_is_not() {
    let mut world = World::at_rest();
    let noted = Work::Agent(AgentWork::Session {
        chat: id("auth"),
        session: "5e55".into(),
    });
    assert!(jobs(&world.hook(session("clear"))).contains(&noted));
    world.edits("auth", |chat| chat.record.sessions = vec!["5e55".into()]);
    assert!(!jobs(&world.hook(session("clear"))).contains(&noted));
}

/// Codex CLI starts a session of its own for `/new`, as if its process had begun.
#[test]
fn another_session_of_the_same_process_is_another_conversation() {
    let mut world = World::at_rest();
    assert_eq!(told(&world.hook(session("startup"))), ["session"], "it is the first");
    world.edits("auth", |chat| chat.record.sessions = vec!["0ther".into()]);
    let begins = "Another conversation begins here: the agent does not know what stands above.";
    assert_eq!(told(&world.hook(session("startup"))), ["session", begins]);
    world.edits("auth", |chat| {
        chat.record.sessions = vec!["5e55".into(), "0ther".into()]
    });
    let resumed = "Another conversation was resumed: the agent may not know what stands above.";
    assert_eq!(told(&world.hook(session("startup"))), ["session", resumed]);
}

#[test]
fn a_turn_that_its_provider_failed_says_why_in_its_providers_words() {
    let words = "We’re currently experiencing high demand.";
    for (message, says) in [(words, words), ("", "API error")] {
        let mut world = World::at_rest();
        world.hook(submitted("fix it"));
        world.after(100);
        let error = Happened::Error {
            place: "Codex CLI".into(),
            message: message.into(),
            hint: String::new(),
            trouble: Some(Trouble::of(TroubleKind::Refused)),
        };
        world.reads(vec![error]);
        assert_eq!(world.status(), format!("error: {says}"));
    }
}

#[test]
fn a_permission_is_answered_by_what_becomes_of_its_tool() {
    let mut world = World::at_rest();
    world.hook(tool_began("t1", "Bash"));
    assert_eq!(told(&world.hook(asked("Bash"))), ["Bash asked", "is needs-you"]);
    assert_eq!(
        told(&world.hook(tool_ended("t1", "Bash"))),
        ["Bash allowed", "t1 Ok", "is running"]
    );
}

#[test]
fn a_tool_that_its_transcript_calls_interrupted_was_denied_where_its_question_was_open() {
    for (answered, told_of_it) in [
        (false, ["Bash denied", "t1 Denied"]),
        (true, ["Bash dropped", "t1 Interrupted"]),
    ] {
        let mut world = World::at_rest();
        world.hook(tool_began("t1", "Bash"));
        world.hook(asked("Bash"));
        if answered {
            world.hears(Source::Title, Activity::Waiting("a question".into()));
            world.hears(Source::Title, Activity::Busy(None));
        }
        let told = told(&world.reads(vec![ended("t1", ToolStatus::Interrupted)]));
        assert_eq!(told[..2], told_of_it);
    }
}

#[test]
fn a_question_without_a_tool_is_dropped_when_the_turn_ends() {
    let mut world = World::at_rest();
    world.hook(submitted("fix it"));
    world.hook(asked("AskUserQuestion"));
    assert_eq!(told(&world.hook(turn_ended(0))), ["AskUserQuestion dropped", "is idle"]);
}

#[test]
fn a_turn_that_ends_ends_its_tools() {
    let mut world = World::at_rest();
    world.hook(tool_began("t1", "Bash"));
    assert_eq!(told(&world.hook(turn_ended(0))), ["t1 Interrupted", "is idle"]);
}

#[test]
fn a_failed_turn_says_what_failed() {
    let mut world = World::at_rest();
    world.hook(submitted("fix it"));
    assert_eq!(told(&world.hook(turn_failed())), ["error in Claude Code", "is limit"]);
}

#[test]
fn a_hook_of_a_chat_that_is_gone_is_answered_and_forgotten() {
    let mut world = World::unwatched(&[]);
    assert_eq!(
        world.hook(submitted("fix it")),
        [parlour::domain::Effect::Rule(HOOK, HookAnswer::NoOpinion)]
    );
}

#[test]
fn a_turn_that_failed_for_no_reason_that_has_a_name_is_told_by_its_message_alone() {
    let mut world = World::at_rest();
    world.hook(submitted("go on"));
    let effects = world.hook(HookEvent::TurnFailed {
        error: "unknown".into(),
        message: "API Error: 400 no".into(),
        trouble: Trouble::of(TroubleKind::Refused),
    });
    let messages = jobs(&effects).into_iter().filter_map(|job| match job {
        Work::Journal(JournalWork::Append(_, lines, _)) => Some(lines),
        _ => None,
    });
    let messages: Vec<String> = messages
        .flatten()
        .filter_map(|line| match line.what {
            Happened::Error { message, .. } => Some(message),
            _ => None,
        })
        .collect();
    assert_eq!(messages, ["API Error: 400 no"]);
}
