//! `parlour wait` and `parlour events --follow`: who waits is answered, once.

use parlour::domain::effect::PaneOrder;
use parlour::domain::event::{DiskEvent, Observed, Outcome};
use parlour::domain::work::{ChatWork, EntriesShown, JournalDone, JournalWork, Read, ReadDone};
use parlour::domain::{Effect, Event, Work};
use parlour::model::entry::{From, ToolStatus};
use parlour::model::request::{ChatRequest, ChatsRequest, Request, Until};
use parlour::model::tool::{TeamCall, WaitFor};
use parlour::model::{
    Activity, Capabilities, Declared, Happened, HookEvent, Mark, PaneEvent, ProblemKind, Source, Status, ToolCall,
    Trouble, TroubleKind,
};
use serde_json::json;

use crate::support::events::{
    HOOK, SHELL, asked, custom, ended, entry, refusals, replies, submitted, tool_began, tool_ended, turn_ended,
    turn_failed, wakes, works,
};
use crate::support::world::{World, id};

fn wait(world: &mut World, until: Until) -> Vec<Effect> {
    let chat = "auth".to_string();
    world.ask(Request::Chat(ChatRequest::Wait { chat, until }))
}

/// An agent that a screen tells of, as its transcript shows that it has a prompt. Somebody waits for it to be idle.
fn prompted_by_its_transcript() -> World {
    let mut world = World::unwatched(&["auth"]);
    let confirms = true;
    world.run("auth", Capabilities { confirms, ..custom() });
    world.hears(Source::Screen, Activity::Idle);
    world.send("fix it");
    wait(&mut world, Until::Idle);
    world.after(500);
    let prompt = Happened::Prompt {
        id: "1".into(),
        text: "fix it".into(),
        from: From::Person,
        sender: None,
        checkpoint: None,
        key: String::new(),
        steer: false,
    };
    assert_eq!(answers(&world.reads(vec![prompt])), [""; 0]);
    world
}

fn says(text: &str) -> Happened {
    Happened::Text {
        id: text.into(),
        text: text.into(),
    }
}

/// The statuses that waits are answered with.
fn answers(effects: &[Effect]) -> Vec<String> {
    let status = |(_, how): (_, Result<serde_json::Value, _>)| how.ok()?["status"].as_str().map(str::to_string);
    replies(effects).into_iter().filter_map(status).collect()
}

#[test]
fn a_wait_for_what_already_is_is_answered_at_once() {
    let mut world = World::at_rest();
    assert_eq!(answers(&wait(&mut world, Until::Idle)), ["idle"]);
    assert!(world.state.domain.live.listeners.waits.is_empty());
}

#[test]
fn a_wait_is_answered_when_the_turn_ends_and_only_once() {
    let mut world = World::at_rest();
    world.hook(submitted("fix it"));
    assert_eq!(wait(&mut world, Until::Idle), []);
    world.reads(vec![says("done")]);
    assert_eq!(answers(&world.hook(turn_ended(0))), ["idle"]);
    world.hook(submitted("more"));
    assert_eq!(answers(&world.hook(turn_ended(0))), [""; 0]);
}

#[test]
fn a_chat_is_not_idle_while_a_prompt_is_on_its_way() {
    let mut world = World::at_rest();
    world.send("fix it");
    assert_eq!(wait(&mut world, Until::Idle), []);
    world.after(500);
    assert_eq!(answers(&world.hook(submitted("fix it"))), [""; 0]);
    world.reads(vec![says("done")]);
    assert_eq!(answers(&world.hook(turn_ended(0))), ["idle"]);
}

#[test]
fn a_turn_that_a_screen_alone_shows_has_begun_when_the_transcript_tells_of_its_prompt() {
    let mut world = prompted_by_its_transcript();
    world.after(100);
    assert_eq!(
        answers(&world.hears(Source::Screen, Activity::Idle)),
        [""; 0],
        "drawn before"
    );
    world.hears(Source::Screen, Activity::Busy(None));
    assert_eq!(answers(&world.after(10_000)), [""; 0]);
    world.reads(vec![says("done")]);
    assert_eq!(answers(&world.hears(Source::Screen, Activity::Idle)), ["idle"]);
}

#[test]
fn a_turn_of_which_nothing_shows_is_over_at_the_next_look_or_after_a_while() {
    let mut world = prompted_by_its_transcript();
    world.after(300);
    assert_eq!(answers(&world.hears(Source::Screen, Activity::Idle)), ["idle"]);
    let mut world = prompted_by_its_transcript();
    assert_eq!(answers(&world.after(1_400)), [""; 0]);
    assert_eq!(answers(&world.after(100)), ["idle"]);
}

#[test]
fn a_turns_end_is_told_with_its_last_words_which_may_be_read_behind_the_hook() {
    let mut world = World::at_rest();
    world.hook(submitted("fix it"));
    world.hook(tool_began("t1", "Bash"));
    world.hook(tool_ended("t1", "Bash"));
    world.reads(vec![says("working"), ended("t1", ToolStatus::Ok)]);
    wait(&mut world, Until::Idle);
    let effects = world.hook(turn_ended(0));
    assert_eq!((answers(&effects), wakes(&effects)), (Vec::new(), true));
    assert_eq!(answers(&world.reads(vec![says("All done")])), ["idle"]);
}

#[test]
fn a_turn_without_last_words_is_over_soon_all_the_same() {
    let mut world = World::at_rest();
    world.hook(submitted("fix it"));
    wait(&mut world, Until::Idle);
    world.hook(turn_ended(0));
    assert_eq!(answers(&world.after(400)), [""; 0]);
    assert_eq!(answers(&world.after(100)), ["idle"]);
}

#[test]
fn one_that_has_exited_is_as_good_as_idle() {
    let mut world = World::unwatched(&["auth"]);
    assert_eq!(answers(&wait(&mut world, Until::Idle)), ["exited"]);
    assert_eq!(answers(&wait(&mut world, Until::Exited)), ["exited"]);
}

#[test]
fn a_question_meets_needs_you_and_an_end_meets_exited() {
    let mut world = World::at_rest();
    wait(&mut world, Until::NeedsYou);
    world.hook(submitted("fix it"));
    assert_eq!(answers(&world.hook(asked("Bash"))), ["needs-you"]);
    wait(&mut world, Until::Exited);
    let effects = world.said(
        "auth",
        PaneEvent::Exited {
            code: None,
            signal: Some(9),
        },
    );
    assert_eq!(answers(&effects), ["exited"]);
}

#[test]
fn done_is_what_the_agent_declares() {
    let mut world = World::at_rest();
    assert_eq!(wait(&mut world, Until::Done), []);
    let mut chat = world.on_disk("auth");
    let declared = |status: &str| {
        Some(Declared {
            status: status.into(),
            note: String::new(),
        })
    };
    chat.declared = declared("blocked");
    assert_eq!(world.happens(Event::Disk(DiskEvent::Chat(Box::new(chat.clone())))), []);
    chat.declared = declared("done");
    let effects = world.happens(Event::Disk(DiskEvent::Chat(Box::new(chat))));
    assert_eq!(answers(&effects), ["idle"]);
}

#[test]
fn who_waits_for_a_chat_that_is_deleted_is_told_so() {
    let mut world = World::at_rest();
    wait(&mut world, Until::Exited);
    let effects = world.happens(Event::Disk(DiskEvent::ChatGone(id("auth"))));
    assert_eq!(refusals(&effects), ["the chat was deleted"]);
}

#[test]
fn an_agent_whose_chat_vanished_is_ended_and_forgotten() {
    let mut world = World::at_rest();
    let effects = world.happens(Event::Disk(DiskEvent::ChatGone(id("auth"))));
    let stops = |effect: &&Effect| matches!(effect, Effect::Pane(_, PaneOrder::Stop { .. }));
    assert_eq!(effects.iter().filter(stops).count(), 1, "{effects:?}");
    let forget = Work::Chat(ChatWork::Forget(id("auth")));
    assert!(works(&effects).iter().any(|(_, work)| *work == forget), "{effects:?}");
}

#[test]
fn who_went_away_is_not_answered() {
    let mut world = World::at_rest();
    wait(&mut world, Until::Exited);
    parlour::domain::team::wait::abandoned(&mut world.state.domain, SHELL);
    let effects = world.said(
        "auth",
        PaneEvent::Exited {
            code: Some(0),
            signal: None,
        },
    );
    assert_eq!(replies(&effects), []);
}

#[test]
fn a_follower_gets_the_transcript_so_far_then_each_new_entry_until_the_chat_is_gone() {
    let mut world = World::at_rest();
    let chat = "auth".to_string();
    let effects = world.ask(Request::Chat(ChatRequest::Events {
        chat,
        after: 0,
        follow: true,
        all: false,
    }));
    let (work, _) = works(&effects).remove(0);
    assert_eq!(world.done(work, Outcome::Read(ReadDone::Streamed(Some(12)))), []);
    let note = Happened::Note { text: "hello".into() };
    let (append, _) = works(&world.hook(submitted("fix it"))).remove(0);
    let line = entry(13, note);
    let effects = world.done(
        append,
        Outcome::Journal(JournalDone::Appended(id("auth"), vec![line.clone()])),
    );
    assert!(effects.contains(&Effect::Stream(SHELL, serde_json::to_value(line).unwrap())));
    let effects = world.happens(Event::Disk(DiskEvent::ChatGone(id("auth"))));
    assert_eq!(replies(&effects), [(SHELL, Ok(json!({})))]);
}

#[test]
fn a_follower_misses_nothing_that_is_written_while_the_transcript_is_read_and_gets_nothing_twice() {
    let mut world = World::at_rest();
    let chat = "auth".to_string();
    let effects = world.ask(Request::Chat(ChatRequest::Events {
        chat,
        after: 0,
        follow: true,
        all: false,
    }));
    let (reading, _) = works(&effects).remove(0);
    let told = |world: &mut World, number: u64| {
        let (append, _) = works(&world.hook(submitted(&format!("prompt {number}")))).remove(0);
        let line = entry(number, Happened::Note { text: "hello".into() });
        let effects = world.done(append, Outcome::Journal(JournalDone::Appended(id("auth"), vec![line])));
        let streamed = effects.into_iter().filter_map(|effect| match effect {
            Effect::Stream(SHELL, line) => line["seq"].as_u64(),
            _ => None,
        });
        streamed.collect::<Vec<_>>()
    };
    assert_eq!(told(&mut world, 13), [0_u64; 0]);
    let effects = world.done(reading, Outcome::Read(ReadDone::Streamed(Some(12))));
    let (again, job) = works(&effects).remove(0);
    let (chat, call) = (id("auth"), SHELL);
    assert_eq!(
        job,
        Work::Read(Read::Entries {
            chat,
            after: 12,
            all: EntriesShown::All,
            call
        })
    );
    // Of the next the file tells before its writer does.
    assert_eq!(world.done(again, Outcome::Read(ReadDone::Streamed(Some(14)))), []);
    assert_eq!(told(&mut world, 14), [0_u64; 0]);
    assert_eq!(told(&mut world, 15), [15]);
}

#[test]
fn entries_that_the_file_has_lost_are_looked_for_once() {
    let mut world = World::at_rest();
    let chat = "auth".to_string();
    let mut effects = world.ask(Request::Chat(ChatRequest::Events {
        chat,
        after: 0,
        follow: true,
        all: false,
    }));
    for _ in 0..2 {
        let (reading, _) = works(&effects).remove(0);
        effects = world.done(reading, Outcome::Read(ReadDone::Streamed(Some(3))));
    }
    assert_eq!(effects, []);
    assert_eq!(world.state.domain.live.listeners.follows.len(), 1);
}

#[test]
fn a_wait_for_rest_ends_with_the_error_of_a_turn_that_failed() {
    let mut world = World::at_rest();
    world.hook(submitted("fix it"));
    assert_eq!(wait(&mut world, Until::Idle), []);
    assert_eq!(wait(&mut world, Until::Exited), []);
    assert_eq!(refusals(&world.hook(turn_failed())), ["last turn failed: rate limit"]);
    let answers = replies(&wait(&mut world, Until::Idle));
    let kinds = answers.into_iter().map(|(_, how)| how.unwrap_err().kind);
    assert_eq!(kinds.collect::<Vec<_>>(), [ProblemKind::Fault]);

    // The prompt that follows is waited for again.
    world.send("again");
    assert_eq!(wait(&mut world, Until::Idle), []);
}

/// Another prompt would fail like the one before.
#[test]
fn a_wait_for_an_agent_that_is_not_logged_in_says_so_and_how_to_log_in() {
    for by_hook in [true, false] {
        let mut world = World::at_rest();
        world.hook(submitted("fix it"));
        assert_eq!(wait(&mut world, Until::Idle), []);
        world.after(1_000);
        let message = "unexpected status 401: token invalidated".to_owned();
        let trouble = Trouble::of(TroubleKind::Login);
        let failed = HookEvent::TurnFailed {
            error: "authentication_failed".into(),
            message: message.clone(),
            trouble,
        };
        let told = Happened::Error {
            place: "Claude Code".into(),
            message,
            hint: String::new(),
            trouble: Some(trouble),
        };
        let mut effects = match by_hook {
            true => world.hook(failed),
            false => world.reads(vec![told]),
        };
        effects.extend(world.after(500));
        let problem = replies(&effects).into_iter().find_map(|(_, how)| how.err()).unwrap();
        assert_eq!(problem.cause, "it is not logged in");
        assert!(
            problem.hint.starts_with("claude auth login, then send"),
            "{}",
            problem.hint
        );
        let listed = replies(&world.ask(Request::Chats(ChatsRequest::List)))
            .remove(0)
            .1
            .unwrap();
        assert_eq!(listed["chats"][0]["detail"], "not logged in: claude auth login");
    }
}

/// Gemini CLI asks its model to go on, without a word of its person.
#[test]
fn a_wait_goes_on_with_a_turn_that_its_cli_tries_again_of_its_own_accord() {
    let again = || HookEvent::WorksOn { tool: String::new() };
    let error = || Happened::Error {
        place: "Gemini CLI".into(),
        message: "API Error: context is broken (400)".into(),
        hint: String::new(),
        trouble: None,
    };
    let mut world = World::at_rest();
    world.hook(submitted("fix it"));
    assert_eq!(wait(&mut world, Until::Idle), []);
    world.after(1_000);
    let mut effects = world.reads(vec![error()]);
    effects.extend(world.after(100));
    effects.extend(world.hook(again()));
    assert_eq!(refusals(&effects), [""; 0]);
    assert_eq!(world.status(), "running");
    effects = world.reads(vec![says("done")]);
    effects.extend(world.hook(turn_ended(0)));
    assert_eq!(answers(&effects), ["idle"], "what failed before is made good");

    world.hook(submitted("more"));
    wait(&mut world, Until::Idle);
    world.after(1_000);
    let mut effects = world.reads(vec![error()]);
    effects.extend(world.after(500));
    assert_eq!(refusals(&effects).len(), 1);
}

#[test]
fn a_wait_is_answered_once_what_led_to_its_end_is_in_the_transcript() {
    let mut world = World::at_rest();
    world.hook(submitted("fix it"));
    wait(&mut world, Until::Idle);
    world.reads(vec![says("working")]);
    let mark = Mark {
        file: "session.jsonl".into(),
        to: 2,
    };
    let last = Event::Observed(id("auth"), Observed::Transcript(vec![says("All done").into()], mark));
    let mut written = works(&world.happens_while_the_disk_is_slow(last));
    let over = Event::Hook(HOOK, id("auth"), vec![turn_ended(0)]);
    let effects = world.happens_while_the_disk_is_slow(over);
    assert_eq!(answers(&effects), [""; 0], "its last words are on their way");
    written.extend(works(&effects));
    let mut effects = Vec::new();
    for (work, job) in written {
        if let Work::Journal(JournalWork::Append(chat, lines, _)) = job {
            let entries = lines.into_iter().map(|line| entry(40, line.what));
            let done = JournalDone::Appended(chat, entries.collect());
            effects.extend(world.happens_while_the_disk_is_slow(Event::Done(work, Outcome::Journal(done))));
        }
    }
    let told = replies(&effects).remove(0).1.unwrap();
    assert_eq!((&told["status"], &told["seq"]), (&json!("idle"), &json!(40)));
    assert_eq!(told["preview"], "All done");
}

#[test]
fn it_is_told_for_which_chats_an_agent_waits() {
    let mut world = World::morning(120, 40);
    world.hook(tool_began("w1", "mcp__parlour__wait_for"));
    let doing = |world: &World| world.state.domain.detail(&id("auth"));
    assert_eq!(doing(&world), "mcp__parlour__wait_for");
    world.forgets_agent("redis");
    world
        .chat("redis", "Try Redis", 1)
        .below("auth")
        .runs(Status::Running(None), "");
    let wait = WaitFor {
        chats: Vec::new(),
        until: Until::Idle,
        timeout: None,
    };
    world.tool("auth", ToolCall::Team(TeamCall::WaitFor(wait)));
    assert_eq!(doing(&world), "waits for try-redis");
    let picture = world.picture();
    assert_eq!(
        picture.matches("waits for try-redis").count(),
        2,
        "row and header\n{picture}"
    );
}
