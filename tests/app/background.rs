//! What runs on behind a turn that is over: a command leaves its agent idle, a sub-agent keeps it at work.

use parlour::domain::event::{PtyEvent, Size};
use parlour::domain::{Event, agent};
use parlour::model::entry::{SubagentSaid, ToolStatus};
use parlour::model::request::{ApprovalRequest, ChatRequest, Request, Until};
use parlour::model::{Activity, ClientId, Happened, HookEvent, PaneEvent, Source, Status};
use serde_json::{Value, json};

use crate::support::events::{
    bash_asked, bash_began, codex, ended, interrupted, orders, replies, session, shell, submitted, told, turn_ended,
    typed,
};
use crate::support::world::{World, id, scrolled};

/// Claude Code in the middle of a turn.
fn at_work() -> World {
    let mut world = World::at_rest();
    world.hook(submitted("fix it"));
    world
}

#[test]
fn commands_that_run_on_behind_a_turn_are_said_of_an_idle_agent() {
    let mut world = at_work();
    world.after(100);
    world.reads(vec![Happened::Background { running: 1 }]);
    assert_eq!(world.status(), "running");
    world.hook(turn_ended(0));
    assert_eq!(world.status(), "idle: 1 command in the background");
    world.reads(vec![Happened::Background { running: 2 }]);
    assert_eq!(world.status(), "idle: 2 commands in the background");
    world.state.domain.disk.settings.limits.hibernate_minutes = 1.0;
    let effects = world.after(120_000);
    assert_eq!(orders(&effects), [], "they would end with it");
    world.reads(vec![Happened::Background { running: 0 }]);
    assert_eq!(world.status(), "idle");
}

#[test]
fn a_command_left_running_by_a_turn_leaves_its_agent_idle_and_what_waits_for_that_goes_on() {
    let mut world = at_work();
    assert_eq!(typed(&world.follow_up("then this")), [""; 0]);
    world.ask(Request::Chat(ChatRequest::Wait {
        chat: "auth".into(),
        until: Until::Idle,
    }));
    let left = |running| HookEvent::Background { running };
    assert_eq!(told(&world.hook(left(1))), ["background"]);
    assert_eq!(typed(&world.hook(turn_ended(0))), ["then this"]);
    world.after(30);
    world.hears(Source::SessionFile, Activity::Idle);
    assert_eq!(world.status(), "idle: 1 command in the background");
    world.after(500);
    world.hook(submitted("then this"));
    assert_eq!(world.status(), "running");
    assert_eq!(told(&world.hook(left(1))), [""; 0], "it was told");
    let mut effects = world.hook(turn_ended(0));
    effects.extend(world.after(10_000));
    let is_told = |answer: &Value| answer["detail"] == "1 command in the background";
    let answers = replies(&effects).into_iter().filter_map(|(_, answer)| answer.ok());
    assert_eq!(answers.filter(is_told).count(), 1, "the wait is over");
    world.wrote_settings(json!({"limits": {"hibernateMinutes": 1}}));
    assert_eq!(orders(&world.after(120_000)), [], "it would end with the agent");
    world.hook(left(0));
    world.hook(turn_ended(0));
    assert_eq!(world.status(), "idle");
}

#[test]
fn a_sub_agent_beside_a_command_keeps_its_agent_running() {
    let mut world = at_work();
    world.hook(HookEvent::Background { running: 1 });
    world.hook(turn_ended(1));
    assert_eq!(world.status(), "running: 1 in the background");
}

#[test]
fn a_shell_says_what_has_ended_in_it() {
    let mut world = World::new(120, 40);
    world
        .chat("auth", "Shell", 1)
        .shell(Status::Running(Some("sleep".into())));
    world.after(6_000);
    let ended = world.hears(Source::Process, Activity::Idle);
    assert!(told(&ended).contains(&"sleep ended".into()), "{:?}", told(&ended));
    assert_eq!(world.status(), "idle");
}

#[test]
fn a_shell_that_tells_codes_says_how_its_last_command_ended() {
    let mut world = World::new(120, 40);
    world
        .chat("auth", "Shell", 1)
        .shell(Status::Running(Some("tests.py".into())));
    world.look();
    world.after(12_000);
    world.said("auth", PaneEvent::CommandEnded { code: 1, is_ours: true });
    world.after(6_000);
    let ended = world.hears(Source::Process, Activity::Idle);
    assert!(
        told(&ended).contains(&"exit 1 · tests.py · 12 s".into()),
        "{:?}",
        told(&ended)
    );
    world.look();
    assert!(
        world.picture().contains("idle: exit 1 · tests.py · 12 s"),
        "{}",
        world.picture()
    );
    // A shell on another machine, to which one went from this one, marks its own.
    let other = PaneEvent::CommandEnded {
        code: 7,
        is_ours: false,
    };
    assert_eq!(told(&world.said("auth", other)), [""; 0]);
    // The code is that command's alone.
    world.hears(Source::Process, Activity::Busy(Some("top".into())));
    world.after(6_000);
    world.hears(Source::Process, Activity::Idle);
    world.after(500);
    let ended = world.hears(Source::Process, Activity::Idle);
    assert!(told(&ended).contains(&"top ended".into()), "{:?}", told(&ended));
}

/// A full-screen program would take it for its own input.
#[test]
fn what_is_sent_to_a_shell_waits_until_the_program_in_it_has_ended() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", shell());
    world.hears(Source::Process, Activity::Busy(Some("vim".into())));
    let mut effects = world.send("make");
    effects.extend(world.after(6_000));
    assert_eq!(typed(&effects), [""; 0]);
    let (_, answer) = replies(&effects).pop().unwrap();
    assert_eq!(answer.unwrap()["why"], "sent when the program in the shell has ended");
    world.hears(Source::Process, Activity::Idle);
    world.after(500);
    let effects = world.hears(Source::Process, Activity::Idle);
    assert_eq!(typed(&effects), ["make\r"]);
}

/// A shell at its first prompt, which marks its commands.
fn at_prompt() -> World {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", shell());
    world.hears(Source::Process, Activity::Idle);
    world.said("auth", PaneEvent::CommandEnded { code: 0, is_ours: true });
    world.after(6_000);
    world
}

fn keys(world: &mut World, bytes: &[u8]) {
    agent::input(&mut world.state.domain, &id("auth"), ClientId(9), bytes.to_vec());
}

/// Sends a command, and says why it waits.
fn waits(world: &mut World) -> String {
    let mut effects = world.send("make");
    effects.extend(world.after(6_000));
    assert_eq!(typed(&effects), [""; 0]);
    let (_, answer) = replies(&effects).pop().unwrap();
    answer.unwrap()["why"].as_str().unwrap().to_owned()
}

/// Both would run as one command.
#[test]
fn what_is_sent_to_a_shell_waits_for_what_a_person_typed_at_its_prompt() {
    for (clears, marks) in [(&b"\x03"[..], true), (b"\x7f\x7f", false)] {
        let mut world = at_prompt();
        keys(&mut world, b"rm");
        assert!(waits(&mut world).starts_with("something is typed at the shell's prompt"));
        for key in clears {
            keys(&mut world, &[*key]);
        }
        if marks {
            world.said(
                "auth",
                PaneEvent::CommandEnded {
                    code: 130,
                    is_ours: true,
                },
            );
        }
        assert_eq!(typed(&world.after(200)), [""; 0], "they still type");
        assert_eq!(typed(&world.after(700)), ["make\r"]);
    }
}

#[test]
fn what_is_sent_to_a_shell_waits_for_what_was_typed_ahead_of_its_prompt() {
    let mut world = at_prompt();
    world.said("auth", PaneEvent::CommandBegan { is_ours: true });
    world.hears(Source::Process, Activity::Busy(Some("sleep".into())));
    assert_eq!(waits(&mut world), "sent when the program in the shell has ended");
    keys(&mut world, b"rm -rf ");
    world.said("auth", PaneEvent::CommandEnded { code: 0, is_ours: true });
    world.hears(Source::Process, Activity::Idle);
    world.after(500);
    let mut effects = world.hears(Source::Process, Activity::Idle);
    effects.extend(world.after(6_000));
    assert_eq!(typed(&effects), [""; 0]);
    // With the cursor within the line it cuts a part of it.
    keys(&mut world, b"\x15");
    assert_eq!(typed(&world.after(700)), [""; 0]);
    keys(&mut world, b"\x03");
    assert_eq!(typed(&world.after(700)), ["make\r"]);
}

/// A search in its history, completion, an older line: none is known letter by letter.
#[test]
fn what_a_shell_puts_at_its_prompt_by_itself_holds_a_command_too() {
    for key in [&b"\x10"[..], b"\x19", b"\t", b"\x1b.", b"\x1b[A"] {
        let mut world = at_prompt();
        keys(&mut world, key);
        keys(&mut world, b"\x7f");
        assert!(waits(&mut world).starts_with("something is typed"), "{key:?}");
    }
    // fzf on Ctrl+R: no command line has begun.
    let mut world = at_prompt();
    world.hears(Source::Process, Activity::Busy(Some("fzf".into())));
    keys(&mut world, b"bui");
    keys(&mut world, b"\r");
    world.hears(Source::Process, Activity::Idle);
    world.after(500);
    world.hears(Source::Process, Activity::Idle);
    assert!(waits(&mut world).starts_with("something is typed"));
}

#[test]
fn keys_of_a_program_that_is_over_hold_no_command_once_its_prompt_is_seen_empty() {
    let shows = |world: &mut World, said: &str| {
        let size = Size { cols: 80, rows: 24 };
        world.happens(Event::Pty(id("auth").into(), PtyEvent::Screen(scrolled(said, size, 0))));
    };
    for (behind, is_sent) in [("", true), ("rm -rf ", false)] {
        let mut world = at_prompt();
        shows(&mut world, "~/grove $ ");
        world.said("auth", PaneEvent::CommandBegan { is_ours: true });
        world.hears(Source::Process, Activity::Busy(Some("git".into())));
        keys(&mut world, b"jjq");
        world.after(100);
        world.said("auth", PaneEvent::CommandEnded { code: 0, is_ours: true });
        shows(&mut world, &format!("commit 1\n~/src/grove $ {behind}"));
        world.hears(Source::Process, Activity::Idle);
        world.after(2_000);
        world.hears(Source::Process, Activity::Idle);
        let mut effects = world.send("make");
        effects.extend(world.after(700));
        assert_eq!(typed(&effects).is_empty(), !is_sent, "{behind}");
    }
}

#[test]
fn what_is_sent_to_a_shell_does_not_go_into_an_open_quote() {
    let mut world = at_prompt();
    keys(&mut world, b"echo \"open");
    keys(&mut world, b"\r");
    assert!(waits(&mut world).starts_with("the shell waits for the rest of a command"));
    keys(&mut world, b"\"");
    keys(&mut world, b"\r");
    world.said("auth", PaneEvent::CommandBegan { is_ours: true });
    world.said("auth", PaneEvent::CommandEnded { code: 0, is_ours: true });
    assert_eq!(typed(&world.after(700)), ["make\r"]);
    // An empty line is no beginning of a command.
    keys(&mut world, b"\r");
    let mut effects = world.send("ls");
    effects.extend(world.after(700));
    assert_eq!(typed(&effects), ["ls\r"]);
}

/// By the key, as an agent is.
#[test]
fn a_shell_has_no_turn_that_could_be_interrupted() {
    let mut world = World::new(120, 40);
    world
        .chat("auth", "Shell", 1)
        .shell(Status::Running(Some("sleep".into())));
    agent::interrupt(&mut world.state.domain, &id("auth"));
    world.after(6_000);
    world.hears(Source::Process, Activity::Idle);
    world.after(10_000);
    assert_eq!(world.status(), "idle");
}

#[test]
fn a_command_that_outlives_an_interrupt_is_said_beside_it_and_one_that_was_refused_never_ran() {
    let mut world = at_work();
    world.hook(bash_began("t1", "sleep 12"));
    world.after(100);
    let left = |running| Happened::Background { running };
    world.reads(vec![ended("t1", ToolStatus::Interrupted), left(1), interrupted()]);
    assert_eq!(world.status(), "idle: interrupted · 1 command in the background");
    world.reads(vec![left(0)]);
    assert_eq!(world.status(), "idle: interrupted");

    let mut world = at_work();
    world.hook(bash_began("t1", "sleep 12"));
    world.hook(bash_asked("sleep 12"));
    world.after(100);
    world.reads(vec![ended("t1", ToolStatus::Interrupted), left(1), interrupted()]);
    assert_eq!(world.status(), "idle");
    world.reads(vec![left(2)]);
    assert_eq!(world.status(), "idle: 1 command in the background");
}

/// Its hooks tell of sub-agents, and count none at the end of its turn.
#[test]
fn codex_is_at_work_as_long_as_a_sub_agent_of_its_turn_is() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", codex());
    world.hook(session("startup"));
    let began = |id: &str| HookEvent::SubagentStarted {
        id: id.into(),
        name: "worker".into(),
    };
    let ended = |id: &str| HookEvent::SubagentEnded {
        id: id.into(),
        name: "worker".into(),
    };
    world.hook(submitted("split it"));
    world.hook(began("s1"));
    world.hook(began("s2"));
    world.hook(HookEvent::OwnTurnEnded);
    assert_eq!(world.status(), "running: 2 in the background");
    world.hook(ended("s2"));
    assert_eq!(world.status(), "running: 1 in the background");
    world.hook(ended("s1"));
    assert_eq!(world.status(), "idle");
    // One of whose end nothing is ever heard.
    world.hook(submitted("once more"));
    world.hook(began("s3"));
    world.hook(HookEvent::OwnTurnEnded);
    world.after(500_000);
    let said = Happened::SubagentText {
        id: "w1".into(),
        parent: "s3".into(),
        said: SubagentSaid::Answered,
        text: "Half of it.".into(),
    };
    world.reads(vec![said]);
    world.after(500_000);
    assert_eq!(world.status(), "running: 1 in the background");
    world.after(100_000);
    assert_eq!(world.status(), "idle");
    // What begins in the turn and ends in it leaves nothing behind.
    world.hook(submitted("and again"));
    world.hook(HookEvent::OwnTurnEnded);
    assert_eq!(world.status(), "idle");
}

/// As Codex CLI 0.169 tells it: two calls at once ask, one is refused, and both end with the same words.
#[test]
fn a_call_that_is_dropped_with_one_that_was_refused_never_ran_either() {
    let mut world = at_work();
    world.answered_by_keys("y", "Would you like to");
    for (call, command) in [("t1", "touch a"), ("t2", "touch b")] {
        world.hook(bash_began(call, command));
        world.hook(bash_asked(command));
    }
    let effects = world.ask(Request::Approval(ApprovalRequest::Deny {
        request: "t2".into(),
        reason: String::new(),
    }));
    world.with_decisions_safe(effects);
    world.after(2_000);
    world.hears(Source::Title, Activity::Busy(None));
    let left = |running| Happened::Background { running };
    let cut = |call| ended(call, ToolStatus::Interrupted);
    let effects = world.reads(vec![cut("t1"), left(1), cut("t2"), left(2), interrupted()]);
    assert!(!told(&effects).contains(&"background".into()), "{:?}", told(&effects));
    world.hook(turn_ended(0));
    assert!(!world.status().contains("background"), "{}", world.status());
    world.reads(vec![left(3)]);
    assert!(
        world.status().ends_with("1 command in the background"),
        "{}",
        world.status()
    );
}

/// As Codex CLI 0.171 tells it: three calls at once ask, two are allowed and end at once, and the third is refused. The end
/// of the two is told by no line.
#[test]
fn calls_that_ended_in_a_turn_that_a_refusal_broke_off_are_not_in_the_background() {
    for order in [["t1", "t2", "t3"], ["t3", "t1", "t2"]] {
        let mut world = at_work();
        world.answered_by_keys("y", "Would you like to");
        for (call, command) in [("t1", "echo first"), ("t2", "ls lib"), ("t3", "git status")] {
            world.hook(bash_began(call, command));
            world.hook(bash_asked(command));
        }
        let allow = |request: &str| ApprovalRequest::Approve {
            request: request.into(),
        };
        let deny = ApprovalRequest::Deny {
            request: "t3".into(),
            reason: "not now".into(),
        };
        for answer in [allow("t2"), deny, allow("t1")] {
            let effects = world.ask(Request::Approval(answer));
            world.with_decisions_safe(effects);
        }
        world.after(2_000);
        world.hears(Source::Title, Activity::Busy(None));
        let left = |running| Happened::Background { running };
        let lines = order
            .iter()
            .zip(1..)
            .flat_map(|(call, count)| [ended(call, ToolStatus::Interrupted), left(count)]);
        world.reads(lines.chain([interrupted()]).collect());
        world.hook(turn_ended(0));
        assert!(!world.status().contains("background"), "{order:?}: {}", world.status());
        // One of them went on nevertheless, and ends; another begins later.
        world.reads(vec![left(2), left(3)]);
        let status = world.status();
        assert!(status.ends_with("1 command in the background"), "{order:?}: {status}");
    }
}
