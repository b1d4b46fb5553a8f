//! Prompts on their way into a composer: when they are typed, entered, confirmed, held back and given up.

use crate::support::events::{
    SHELL, asked, claude, codex, custom, jobs, refusals, replies, session, shell, submitted, told, tool_began,
    tool_ended, turn_ended, typed, wakes,
};
use crate::support::world::{World, id, noon};
use parlour::domain::agent::delivery_receipt::{queued, sent};
use parlour::domain::event::Observed;
use parlour::domain::work::{AgentWork, JournalWork};
use parlour::domain::{Event, Work};
use parlour::model::chat::Pending;
use parlour::model::entry::From;
use parlour::model::{Activity, CallId, ClientId, Happened, PaneEvent, Source, Status, Timestamp};

/// A client that types.
const MIA: ClientId = ClientId(9);

fn keys(world: &mut World, bytes: &[u8]) {
    parlour::domain::agent::input(&mut world.state.domain, &id("auth"), MIA, bytes.to_vec());
}

fn pending(text: &str) -> Pending {
    Pending::new(text.into(), From::Person, noon())
}

/// One that was typed already.
fn begun(text: &str) -> Pending {
    let begun = true;
    Pending { begun, ..pending(text) }
}

/// What a transcript says of a prompt.
fn shown(id: &str, text: &str) -> Happened {
    Happened::Prompt {
        id: id.into(),
        text: text.into(),
        from: From::Person,
        sender: None,
        checkpoint: None,
        key: String::new(),
        steer: false,
    }
}

#[test]
fn a_prompt_is_kept_on_disk_and_typed_into_an_idle_agent_then_entered_once_it_has_settled() {
    let mut world = World::at_rest();
    let effects = world.send("fix it");
    assert_eq!(
        jobs(&effects),
        [Work::Journal(JournalWork::Prompts(
            id("auth"),
            vec![begun("fix it")],
            Vec::new()
        ))]
    );
    assert_eq!(typed(&effects), ["fix it"]);
    assert_eq!(typed(&world.after(400)), [""; 0]);
    assert_eq!(typed(&world.after(100)), ["\r"]);
}

#[test]
fn the_hook_confirms_a_prompt_whatever_became_of_its_white_space() {
    let mut world = World::at_rest();
    world.send("fix  it\nnow");
    world.after(500);
    let effects = world.hook(submitted("fix it now "));
    assert_eq!(replies(&effects), [(SHELL, Ok(sent("auth", "")))]);
    assert_eq!(told(&effects), ["Person said fix it now ", "is running"]);
    let effects = world.reads(vec![shown("prompt-fix it now ", "fix it now ")]);
    assert!(jobs(&effects).contains(&Work::Journal(JournalWork::Prompts(id("auth"), Vec::new(), Vec::new()))));
    assert_eq!(typed(&world.after(10_000)), [""; 0]);
}

#[test]
fn a_control_character_in_a_prompt_keeps_nobody_from_knowing_it_again() {
    let mut world = World::at_rest();
    world.send("red \u{1b}[31mtext\0");
    world.after(500);
    let effects = world.hook(submitted("red [31mtext"));
    assert_eq!(replies(&effects), [(SHELL, Ok(sent("auth", "")))]);
}

#[test]
fn a_prompt_that_its_agent_took_in_other_words_leaves_nothing_in_the_composer() {
    let mut world = World::at_rest();
    world.send("fix it");
    world.after(500);
    world.hook(submitted("please fix it"));
    world.hook(turn_ended(0));
    (0..20).for_each(|_| drop(world.after(1_500)));
    assert_eq!(typed(&world.send("and this")), ["and this"]);
}

#[test]
fn an_enter_is_never_sent_again_where_the_composer_cannot_be_read() {
    let mut world = World::at_rest();
    world.send("fix it");
    assert_eq!(typed(&world.after(500)), ["\r"]);
    assert_eq!(typed(&world.after(1_500)), [""; 0]);
    assert_eq!(told(&world.after(13_000)), [""; 0], "a busy machine tells of it late");
    let effects = world.after(500);
    assert_eq!(
        (typed(&effects), told(&effects)),
        (Vec::new(), vec!["error in prompt".into()])
    );
    // It is kept, and the next one does not wait for it.
    assert_eq!(typed(&world.send("and this")), ["and this"]);
}

#[test]
fn nothing_is_typed_while_it_asks_something() {
    let mut world = World::at_rest();
    world.hook(submitted("by hand"));
    world.hook(asked("Bash"));
    assert_eq!(typed(&world.send("fix it")), [""; 0]);
    assert_eq!(typed(&world.after(60_000)), [""; 0]);
}

#[test]
fn no_enter_follows_a_paste_when_a_question_opened_in_between() {
    let mut world = World::at_rest();
    world.send("fix it");
    world.hook(asked("Bash"));
    assert_eq!(typed(&world.after(10_000)), [""; 0]);
    assert_eq!(typed(&world.hook(turn_ended(0))), ["\r"]);
}

#[test]
fn a_prompt_waits_behind_what_somebody_has_half_written() {
    let mut world = World::at_rest();
    keys(&mut world, b"h");
    assert_eq!(typed(&world.send("fix it")), [""; 0]);
    keys(&mut world, b"\r");
    assert_eq!(typed(&world.after(590)), [""; 0]);
    assert_eq!(typed(&world.after(10)), ["fix it"]);
}

#[test]
fn a_prompt_that_waits_is_told_above_the_terminal_with_its_reason() {
    let mut world = World::new(120, 40);
    world.chat("auth", "auth", 1);
    world.run("auth", claude());
    world.send("fix it");
    assert!(
        world.picture().contains("1 prompt queued · agent still starting"),
        "{}",
        world.picture()
    );
}

#[test]
fn keys_that_write_nothing_leave_no_draft() {
    let nothing: [&[&[u8]]; 10] = [
        &[b"h", b"\x1b[117;5u"],
        &[b"\x1b[C", b"\x1bOB"],
        &[b"\x1b[<0;10;10M", b"\x1b[M !!"],
        &[b"\x1b[I", b"\x1b[O"],
        &[b"\x7f"],
        &[b"h", b"\x7f"],
        &[b"h", b"i", b"\x15"],
        &[b"h", b"\x03"],
        &["é".as_bytes(), b"\x1b[D", b"\x1b[C", b"\x08"],
        &[b"one\rtwo\r"],
    ];
    for keystrokes in nothing {
        let mut world = World::at_rest();
        keystrokes.iter().for_each(|bytes| keys(&mut world, bytes));
        world.after(600);
        assert_eq!(typed(&world.send("fix it")), ["fix it"], "{keystrokes:?}");
    }
}

#[test]
fn a_key_that_answers_a_question_leaves_no_draft() {
    let mut world = World::at_rest();
    world.hook(tool_began("t1", "Bash"));
    world.hook(asked("Bash"));
    keys(&mut world, b"y");
    world.hook(tool_ended("t1", "Bash"));
    world.hook(turn_ended(0));
    world.after(600);
    assert_eq!(typed(&world.send("fix it")), ["fix it"]);
}

#[test]
fn what_is_pasted_or_typed_and_not_entered_is_a_draft() {
    let drafts: [&[&[u8]]; 6] = [
        &[b"\x1b[A"],
        &[b"\x1b[200~half a thought\x1b[201~"],
        &[b"h", b"i", b"\x7f"],
        &[b"h", b"\x1b[D"],
        &[b"one\rtwo"],
        &[b"h", b"\x1b[<0;10;10M"],
    ];
    for keystrokes in drafts {
        let mut world = World::at_rest();
        keystrokes.iter().for_each(|bytes| keys(&mut world, bytes));
        world.after(600);
        assert_eq!(typed(&world.send("fix it")), [""; 0], "{keystrokes:?}");
    }
}

#[test]
fn a_busy_agent_that_queues_is_steered_and_a_follow_up_waits_for_the_turns_end() {
    let mut world = World::at_rest();
    world.hook(submitted("by hand"));
    assert_eq!(typed(&world.send("also this")), ["also this"]);
    world.after(500);
    world.hook(submitted("also this"));
    assert_eq!(typed(&world.follow_up("then this")), [""; 0]);
    assert_eq!(typed(&world.hook(turn_ended(0))), ["then this"]);
}

#[test]
fn a_prompt_of_which_nothing_would_show_is_refused_and_holds_nothing_up() {
    let mut world = World::at_rest();
    for text in ["\u{200b}", " \u{2060}\n\u{feff}"] {
        assert_eq!(refusals(&world.send(text)), ["it is empty"]);
    }
    assert_eq!(typed(&world.send("fix it")), ["fix it"]);
}

#[test]
fn two_follow_ups_are_two_turns() {
    let mut world = World::at_rest();
    world.follow_up("one");
    world.follow_up("two");
    world.after(500);
    assert_eq!(typed(&world.hook(submitted("one"))), [""; 0]);
    assert_eq!(typed(&world.hook(turn_ended(0))), ["two"]);
}

#[test]
fn a_prompt_queued_behind_a_long_tool_is_not_called_lost() {
    let mut world = World::at_rest();
    world.hook(submitted("by hand"));
    world.hook(tool_began("t1", "Bash"));
    world.send("also this");
    assert_eq!(typed(&world.after(500)), ["\r"]);
    for _ in 0..10 {
        let effects = world.after(60_000);
        assert_eq!((typed(&effects), told(&effects)), (Vec::new(), Vec::new()));
    }
    world.hook(tool_ended("t1", "Bash"));
    let effects = world.reads(vec![shown("q1", "also this")]);
    assert!(jobs(&effects).contains(&Work::Journal(JournalWork::Prompts(id("auth"), Vec::new(), Vec::new()))));
}

#[test]
fn an_agent_that_has_not_connected_to_the_tools_keeps_a_prompt_waiting_a_minute_at_most() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", claude());
    world.hook(session("startup"));
    let effects = world.send("fix it");
    assert_eq!((typed(&effects), wakes(&effects)), (Vec::new(), true));
    assert_eq!(typed(&world.after(59_900)), [""; 0]);
    assert_eq!(typed(&world.after(100)), ["fix it"]);
}

#[test]
fn a_cli_whose_session_begins_with_its_first_prompt_gets_it_at_its_composer() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", codex());
    world.happens(Event::Observed(id("auth"), Observed::McpConnected));
    assert_eq!(typed(&world.send("fix it")), [""; 0]);
    assert_eq!(typed(&world.hears(Source::Screen, Activity::Idle)), ["fix it"]);
}

#[test]
fn a_prompt_goes_as_soon_as_the_tools_are_connected() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", claude());
    world.hook(session("startup"));
    world.send("fix it");
    let effects = world.happens(Event::Observed(id("auth"), Observed::McpConnected));
    assert_eq!(typed(&effects), ["fix it"]);
}

#[test]
fn sending_starts_an_agent_that_has_exited() {
    let mut world = World::at_rest();
    world.said(
        "auth",
        PaneEvent::Exited {
            code: Some(0),
            signal: None,
        },
    );
    let effects = world.send("fix it");
    let kept = Work::Journal(JournalWork::Prompts(id("auth"), vec![pending("fix it")], Vec::new()));
    assert!(matches!(jobs(&effects).as_slice(), [Work::Agent(AgentWork::Start { .. }), prompts] if *prompts == kept));
}

#[test]
fn a_sender_hears_why_an_agent_that_had_run_cannot_be_started() {
    let mut world = World::at_rest();
    world.said(
        "auth",
        PaneEvent::Exited {
            code: Some(0),
            signal: None,
        },
    );
    world.state.domain.disk.settings.limits.live_agents = 0;
    let effects = world.send("fix it");
    assert_eq!(
        refusals(&effects),
        ["0 agents run or are on their way, and limits.liveAgents is 0"]
    );
}

#[test]
fn whoever_waits_for_a_prompt_hears_that_its_agent_ended_and_the_prompt_is_typed_at_the_next_start() {
    let mut world = World::at_rest();
    world.send("fix it");
    let effects = world.said(
        "auth",
        PaneEvent::Exited {
            code: Some(1),
            signal: None,
        },
    );
    let why = "the agent exited with code 1 right after start (see its screen); `parlour resume CHAT` looks whether the \
               agent has it, and sends it if not";
    assert_eq!(replies(&effects), [(SHELL, Ok(queued("auth", why, "")))]);
    world.run_unread("auth", claude());
    world.happens(Event::Observed(id("auth"), Observed::McpConnected));
    assert_eq!(typed(&world.hook(session("resume"))), [""; 0], "it may have it already");
    assert_eq!(typed(&world.is_read_up("auth")), ["fix it"]);
}

#[test]
fn of_two_equal_prompts_the_one_that_was_typed_is_not_typed_again_once_a_transcript_shows_it() {
    let mut world = World::unwatched(&["auth"]);
    world.edits("auth", |chat| {
        chat.record.prompts = vec![begun("go on"), pending("go on")]
    });
    world.run_unread("auth", custom());
    assert_eq!(typed(&world.hears(Source::Screen, Activity::Idle)), [""; 0]);
    let effects = world.reads(vec![shown("1", "go on")]);
    assert!(jobs(&effects).contains(&Work::Journal(JournalWork::Prompts(
        id("auth"),
        vec![pending("go on")],
        Vec::new()
    ))));
    let read_up = world.is_read_up("auth");
    assert_eq!([typed(&effects), typed(&read_up)].concat(), ["go on"]);
    world.after(500);
    world.reads(vec![shown("2", "go on")]);
    assert_eq!(typed(&world.after(60_000)), [""; 0]);
}

#[test]
fn what_a_person_types_is_not_the_prompt_of_the_same_words_that_waits() {
    let mut world = World::at_rest();
    world.hook(submitted("by hand"));
    world.follow_up("go on");
    world.reads(vec![shown("1", "go on")]);
    assert_eq!(typed(&world.hook(turn_ended(0))), ["go on"]);
}

#[test]
fn an_engine_takes_up_what_the_one_before_had_not_delivered_and_does_so_once() {
    let mut world = World::unwatched(&["auth"]);
    world.edits("auth", |chat| chat.record.prompts = vec![pending("fix it")]);
    world.run("auth", claude());
    world.happens(Event::Observed(id("auth"), Observed::McpConnected));
    assert_eq!(typed(&world.hook(session("startup"))), ["fix it"]);
    world.after(500);
    world.hook(submitted("fix it"));
    world.reads(vec![shown("prompt-fix it", "fix it")]);
    // The record is behind still when the agent is started again.
    world.said(
        "auth",
        PaneEvent::Exited {
            code: Some(0),
            signal: None,
        },
    );
    world.run("auth", claude());
    world.happens(Event::Observed(id("auth"), Observed::McpConnected));
    assert_eq!(typed(&world.hook(session("resume"))), [""; 0]);
}

#[test]
fn a_shell_gets_its_line_at_once() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", shell());
    let effects = world.send("ls");
    assert_eq!(typed(&effects), ["ls\r"]);
    assert_eq!(replies(&effects), [(SHELL, Ok(sent("auth", "")))]);
}

#[test]
fn a_prompt_for_a_cli_that_tells_nothing_of_it_counts_as_sent_once_it_was_entered() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", custom());
    world.hears(Source::Screen, parlour::model::Activity::Idle);
    assert_eq!(typed(&world.send("fix it")), ["fix it"]);
    assert_eq!(typed(&world.after(500)), ["\r"]);
    let effects = world.after(1_500);
    assert_eq!(told(&effects), ["Person said fix it"]);
    assert_eq!(replies(&effects), [(SHELL, Ok(sent("auth", "")))]);
}

#[test]
fn a_prompt_of_half_a_megabyte_is_refused() {
    let mut world = World::at_rest();
    let effects = world.send(&"x".repeat((512 << 10) + 1));
    assert_eq!(refusals(&effects), ["it has 512 KB, and a prompt may have 512"]);
    assert_eq!(replies(&effects)[0].0, CallId(1));
}

#[test]
fn a_resumed_agent_is_left_alone_until_it_has_taken_up_its_session() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", claude());
    world.happens(Event::Observed(id("auth"), Observed::McpConnected));
    world.hook(session("resuming"));
    assert_eq!(typed(&world.send("fix it")), Vec::<String>::new());
    assert_eq!(typed(&world.after(8_000)), Vec::<String>::new());
    assert_eq!(world.state.domain.status(&id("auth")), Status::Starting);
    world.happens(Event::Observed(id("auth"), Observed::TakenUp));
    assert_eq!(world.state.domain.status(&id("auth")), Status::Idle(None));
    assert_eq!(typed(&world.after(900)), Vec::<String>::new());
    assert_eq!(typed(&world.after(100)), ["fix it"]);
}

#[test]
fn a_resumed_agent_whose_transcript_never_says_so_is_typed_to_at_last() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", claude());
    world.happens(Event::Observed(id("auth"), Observed::McpConnected));
    world.hook(session("resuming"));
    world.send("fix it");
    assert_eq!(typed(&world.after(19_900)), Vec::<String>::new());
    assert_eq!(typed(&world.after(100)), ["fix it"]);
}

#[test]
fn a_session_may_be_taken_up_before_the_hook_that_says_that_it_begins() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", claude());
    world.happens(Event::Observed(id("auth"), Observed::McpConnected));
    world.happens(Event::Observed(id("auth"), Observed::TakenUp));
    world.hook(session("resuming"));
    assert_eq!(typed(&world.send("fix it")), Vec::<String>::new());
    assert_eq!(typed(&world.after(1_000)), ["fix it"]);
}

#[test]
fn a_prompt_for_an_agent_that_asks_before_its_session_waits_for_the_answer() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", claude());
    world.hears(Source::Screen, Activity::Waiting("trust this directory?".into()));
    world.send("fix it");
    let agent = &world.state.domain.live.agents[&id("auth")];
    let why = parlour::domain::agent::delivery::held_by(agent, world.state.domain.now);
    assert_eq!(why, Some("the agent is waiting for your answer"));
}

#[test]
fn a_clock_that_is_set_back_holds_up_no_prompt() {
    let mut world = World::at_rest();
    assert_eq!(typed(&world.send("fix it")), ["fix it"]);
    world.after(400);
    let hour_ago = Timestamp(world.state.domain.now.0 - 3_600_000);
    assert_eq!(typed(&world.happens(Event::Clock(hour_ago))), [""; 0]);
    assert_eq!(typed(&world.after(100)), ["\r"]);
}

#[test]
fn signs_that_turn_the_order_of_letters_around_are_neither_kept_nor_typed() {
    let mut world = World::at_rest();
    let effects = world.send("bidi \u{202e}rev\u{202c} \u{2066}end\u{2069}");
    assert_eq!(typed(&effects), ["bidi rev end"]);
    assert_eq!(world.on_disk("auth").record.prompts[0].text, "bidi rev end");
}

#[test]
fn a_prompt_is_known_again_by_its_letters_however_its_cli_writes_them() {
    for (text, said) in [
        ("bidi \u{202e}rev\u{202c} end", "bidi rev end"),
        ("comb e\u{301} end", "comb é end"),
        ("한글", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}"),
        ("soft\u{ad}hyphen", "softhyphen"),
    ] {
        let mut world = World::unwatched(&["auth"]);
        world.edits("auth", |chat| chat.record.prompts = vec![begun(text)]);
        world.run_unread("auth", claude());
        world.reads(vec![shown("1", said)]);
        world.is_read_up("auth");
        world.happens(Event::Observed(id("auth"), Observed::McpConnected));
        assert_eq!(typed(&world.hook(session("resume"))), [""; 0], "{text}");
        assert_eq!(world.on_disk("auth").record.prompts, []);
    }
}
