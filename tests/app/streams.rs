//! Agents with a server of their own, which streams what they do: no hook tells anything beside it.

use parlour::domain::approval::question::Decision;
use parlour::domain::event::{Observed, PtyEvent, Size};
use parlour::domain::work::JournalWork;
use parlour::domain::{Effect, Event, Work, approval};
use parlour::model::entry::{From, ToolStatus};
use parlour::model::{
    CallId, Happened, HookAnswer, HookEvent, Mark, PermissionProfile, Reported, ServerAnswer, Streamed,
};
use serde_json::{Value, json};

use crate::support::events::{asked, bash_asked, jobs, replies, told, turn_ended, turn_failed, typed};
use crate::support::world::{ME, World, id, screen};

fn streams(world: &mut World, said: Vec<Streamed>) -> Vec<Effect> {
    world.happens(Event::Observed(id("auth"), Observed::Stream(said, None)))
}

fn event(event: HookEvent) -> Streamed {
    Streamed::Event(event)
}

fn line(what: Happened) -> Streamed {
    Streamed::Reported(Reported { at: None, what })
}

fn prompt(text: &str) -> Streamed {
    line(Happened::Prompt {
        id: format!("id of {text}"),
        text: text.into(),
        from: From::Person,
        sender: None,
        checkpoint: None,
        key: String::new(),
        steer: false,
    })
}

fn began(tool: &str, command: &str) -> Streamed {
    line(Happened::ToolStart {
        id: tool.into(),
        name: "Bash".into(),
        input: json!({"command": command}),
        dir: None,
        parent: None,
    })
}

fn ended(tool: &str, status: ToolStatus) -> Streamed {
    line(Happened::ToolEnd {
        id: tool.into(),
        status,
        preview: String::new(),
        bytes: 0,
        lines: 0,
        output: None,
        cut: None,
        whole: None,
        changed: None,
        ms: None,
    })
}

#[test]
fn a_prompt_and_a_tool_that_are_streamed_tell_what_it_does() {
    let mut world = World::at_rest();
    assert_eq!(
        told(&streams(&mut world, vec![prompt("fix it")])),
        ["Person said fix it", "is running"]
    );
    streams(&mut world, vec![began("t1", "make")]);
    assert_eq!(world.status(), "running: Bash");
    streams(&mut world, vec![ended("t1", ToolStatus::Ok)]);
    assert_eq!(world.status(), "running");
    streams(&mut world, vec![event(turn_ended(0))]);
    assert_eq!(world.status(), "idle");
}

#[test]
fn what_is_streamed_again_is_not_told_again_and_changes_nothing() {
    let mut world = World::at_rest();
    let turn = || vec![prompt("fix it"), began("t1", "make"), ended("t1", ToolStatus::Ok)];
    streams(&mut world, turn());
    streams(&mut world, vec![event(turn_ended(0))]);
    assert_eq!(streams(&mut world, turn()), []);
    assert_eq!(world.status(), "idle");
}

#[test]
fn a_streamed_prompt_confirms_the_one_that_was_typed() {
    let mut world = World::at_rest();
    world.send("fix it");
    world.after(500);
    let effects = streams(&mut world, vec![prompt("fix it")]);
    assert_eq!(replies(&effects).len(), 1);
    assert_eq!(typed(&world.after(10_000)), [""; 0]);
}

#[test]
fn a_dialog_that_was_answered_with_yes_is_allowed_while_its_tool_runs_on() {
    let mut world = World::at_rest();
    streams(&mut world, vec![prompt("fix it"), began("t1", "make")]);
    streams(&mut world, vec![event(bash_asked("make"))]);
    assert_eq!(world.status(), "needs-you: Bash: make");
    let answered = HookEvent::WorksOn { tool: "t1".into() };
    assert_eq!(
        told(&streams(&mut world, vec![event(answered)])),
        ["Bash allowed", "is running"]
    );
    assert_eq!(
        told(&streams(&mut world, vec![ended("t1", ToolStatus::Ok)])),
        ["t1 Ok", "is running"]
    );
}

#[test]
fn a_tool_that_was_refused_tells_so() {
    let mut world = World::at_rest();
    streams(&mut world, vec![prompt("fix it"), began("t1", "make")]);
    streams(&mut world, vec![event(bash_asked("make"))]);
    assert_eq!(
        told(&streams(&mut world, vec![ended("t1", ToolStatus::Denied)])),
        ["Bash denied", "t1 Denied", "is running"]
    );
}

#[test]
fn a_question_without_a_tool_is_over_when_it_works_on() {
    let mut world = World::at_rest();
    streams(&mut world, vec![prompt("fix it"), event(asked("external_directory"))]);
    assert_eq!(world.status(), "needs-you: external_directory");
    let answered = HookEvent::WorksOn { tool: String::new() };
    streams(&mut world, vec![event(answered)]);
    assert_eq!(world.status(), "running");
}

#[test]
fn a_turn_that_begins_without_a_prompt_is_one() {
    let mut world = World::at_rest();
    streams(&mut world, vec![prompt("fix it"), event(turn_ended(0))]);
    let works = HookEvent::WorksOn { tool: String::new() };
    streams(&mut world, vec![event(works)]);
    assert_eq!(world.status(), "running");
}

#[test]
fn a_failure_that_is_told_twice_is_one() {
    let mut world = World::at_rest();
    let error = line(Happened::Error {
        place: "OpenCode".into(),
        message: "no such model".into(),
        hint: String::new(),
        trouble: None,
    });
    let said = vec![prompt("fix it"), event(turn_failed()), error];
    let errors = told(&streams(&mut world, said));
    assert_eq!(
        errors.iter().filter(|line| line.starts_with("error")).count(),
        1,
        "{errors:?}"
    );
    assert!(world.status().starts_with("error"), "{}", world.status());
}

#[test]
fn what_was_read_and_told_no_news_is_marked_by_what_is_recorded_next() {
    let mut world = World::at_rest();
    let mark = |to| {
        Some(Mark {
            file: "ses_1".into(),
            to,
        })
    };
    let failed = line(Happened::Error {
        place: "OpenCode".into(),
        message: "no such model".into(),
        hint: String::new(),
        trouble: None,
    });
    let marks = |effects: &[Effect]| -> Vec<Mark> {
        let marked = |job| match job {
            Work::Journal(JournalWork::Append(_, _, mark)) => mark,
            _ => None,
        };
        jobs(effects).into_iter().filter_map(marked).collect()
    };
    streams(&mut world, vec![prompt("fix it"), event(turn_failed())]);
    let heard = |what, mark| Event::Observed(id("auth"), Observed::Stream(what, mark));
    let mut effects = world.happens(heard(vec![failed], mark(70)));
    effects.extend(streams(
        &mut world,
        vec![event(HookEvent::WorksOn { tool: String::new() })],
    ));
    assert_eq!(marks(&effects), [mark(70).unwrap()], "{effects:?}");
    // A prompt that a hook tells first stands behind what was read.
    let mut effects = world.happens(heard(Vec::new(), mark(80)));
    effects.extend(streams(&mut world, vec![prompt("and that")]));
    assert_eq!(marks(&effects), [], "{effects:?}");
}

#[test]
fn how_far_its_session_was_read_is_written_with_what_it_said() {
    let mut world = World::at_rest();
    let mark = Mark {
        file: "ses_1".into(),
        to: 70,
    };
    let text = Happened::Text {
        id: "1".into(),
        text: "Done.".into(),
    };
    let heard = Observed::Stream(vec![line(text.clone())], Some(mark.clone()));
    let effects = world.happens(Event::Observed(id("auth"), heard));
    assert!(jobs(&effects).contains(&Work::Journal(JournalWork::Append(
        id("auth"),
        vec![text.into()],
        Some(mark)
    ))));
}

#[test]
fn an_agent_whose_prompt_is_drawn_is_typed_to_though_no_session_began() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", crate::support::events::claude());
    assert_eq!(typed(&world.send("fix it")), [""; 0]);
    assert_eq!(
        typed(&world.happens(Event::Observed(id("auth"), Observed::McpConnected))),
        [""; 0]
    );
    assert_eq!(
        typed(&world.happens(Event::Observed(id("auth"), Observed::Ready))),
        ["fix it"]
    );
}

#[test]
fn what_the_profile_of_a_chat_allows_is_answered_and_nobody_is_needed() {
    for (profile, status) in [
        (PermissionProfile::Ask, "needs-you"),
        (PermissionProfile::Clones, "running"),
    ] {
        let mut world = World::at_rest();
        world.edits("auth", |chat| chat.record.set.permissions = profile);
        world.answered_by_keys("\r", "Permission required");
        streams(&mut world, vec![prompt("fix it"), began("t1", "make")]);
        let chat = world.state.domain.disk.home.join("chats").join(id("auth").as_str());
        let reads = HookEvent::PermissionAsked {
            reach: Vec::new(),
            tool: "read".into(),
            input: json!({ "filePath": chat.join("notes.md") }),
        };
        streams(&mut world, vec![event(reads)]);
        let now = world.status();
        assert!(now.starts_with(status), "{profile:?}: {now}");
        world.send("and then");
        assert_eq!(typed(&world.after(1_000)), [""; 0], "its dialog would take that");
    }
}

/// The CLI's own rules see one command of a line at a time, and no option that stands behind others.
#[test]
fn what_a_rule_denies_is_refused_with_its_reason_and_nobody_is_asked() {
    let mut world = World::at_rest();
    world.answered_by_keys("\r", "Permission required");
    let line = "cd projects/stack && git push --force";
    streams(&mut world, vec![prompt("push it"), began("t1", line)]);
    let effects = streams(&mut world, vec![event(bash_asked(line))]);
    assert!(world.status().starts_with("running"), "{}", world.status());
    let denied = jobs(&effects).into_iter().find_map(|job| match job {
        Work::Journal(JournalWork::Append(_, lines, _)) => lines.into_iter().find_map(|line| match line.what {
            Happened::Permission { answer, by, rule, .. } if answer == "denied" => Some((by, rule.unwrap_or_default())),
            _ => None,
        }),
        _ => None,
    });
    assert_eq!(denied, Some(("rule".into(), "built in: git push --force".into())));
    world.with_decisions_safe(effects);
    world.after(2_000);
    let shown = screen(
        "Permission required\n\n$ cd projects/stack && git push --force\n\nAllow once",
        Size { cols: 60, rows: 24 },
    );
    let effects = world.happens(Event::Pty(id("auth").into(), PtyEvent::Screen(shown)));
    assert_eq!(typed(&effects), ["\u{1b}"], "its dialog is answered with no");
    let reason = world.state.domain.live.agents.get(&id("auth")).unwrap();
    let reason = reason.outbox.queue.front().map(|queued| queued.prompt.text.clone());
    let reason = reason.unwrap_or_default();
    assert!(
        reason.starts_with("This call was refused: parlour's built-in rule (git push --force) denies it: "),
        "{reason}"
    );
}

/// Somebody typed in its dialog, so no key is pressed there.
#[test]
fn a_question_about_what_a_rule_denies_names_the_rule_where_it_cannot_be_refused() {
    let mut world = World::at_rest();
    world.answered_by_keys("\r", "Permission required");
    let line = "git push --force";
    streams(&mut world, vec![prompt("push it"), began("t1", line)]);
    streams(&mut world, vec![event(bash_asked(line))]);
    let agent = world.answered_by_keys("\r", "Permission required");
    agent.turn.asking_mut().next().unwrap().touch();
    world.after(1_000);
    let listed = approval::json(&world.state.domain, None);
    assert_eq!(listed["approvals"][0]["rule"], "built in: git push --force", "{listed}");
}

/// A dialog that is not seen, as one about a directory that shows nothing of the call, or in which somebody typed.
#[test]
fn an_answer_that_the_clis_own_server_takes_waits_for_no_dialog() {
    for decided in [Decision::Allow, Decision::Deny] {
        let mut world = World::at_rest();
        world.answered_by_server("Permission required");
        streams(&mut world, vec![prompt("write it"), began("t1", "touch /x")]);
        streams(&mut world, vec![event(bash_asked("touch /x"))]);
        world.touches_question("auth");
        let effects = approval::decide_named(&mut world.state.domain, "t1", decided, "not there", CallId(7)).unwrap();
        let answer = match decided {
            Decision::Allow => HookAnswer::Allow,
            Decision::Deny => HookAnswer::Deny("not there".into()),
        };
        let given = ServerAnswer {
            about: "t1".into(),
            is_of_reach: false,
            answer,
        };
        let given = Effect::Answer(id("auth"), given);
        let is_given = |effect: &Effect| *effect == given;
        assert!(!effects.iter().any(is_given), "it is not on disk yet");
        let effects = world.with_decisions_safe(effects);
        assert!(effects.iter().any(is_given), "{effects:?}");
        assert!(world.status().starts_with("running"), "{}", world.status());
        let agent = world.state.domain.live.agents.get(&id("auth")).unwrap();
        assert!(agent.outbox.queue.is_empty(), "the reason is given already");
    }
}

#[test]
fn an_answer_that_the_clis_server_does_not_take_is_not_said_to_be_typed() {
    let mut world = World::at_rest();
    world.answered_by_server("Permission required");
    streams(&mut world, vec![prompt("write it"), began("t1", "touch /x")]);
    streams(&mut world, vec![event(bash_asked("touch /x"))]);
    let effects = approval::decide_named(&mut world.state.domain, "t1", Decision::Deny, "no", CallId(7)).unwrap();
    world.with_decisions_safe(effects);
    let effects = world.after(30_000);
    let lines = jobs(&effects).into_iter().flat_map(|job| match job {
        Work::Journal(JournalWork::Append(_, lines, _)) => lines,
        _ => Vec::new(),
    });
    let said: Vec<String> = lines
        .filter_map(|line| match line.what {
            Happened::Error { message, .. } => Some(message),
            _ => None,
        })
        .collect();
    assert_eq!(
        said,
        ["the answer was given to the agent's server, and nothing tells that it was taken"]
    );
    assert!(world.status().starts_with("needs-you"), "{}", world.status());
}

/// OpenCode refuses all that a session asks together with the one that a person refuses.
#[test]
fn a_call_that_is_refused_together_with_another_is_not_said_to_be_refused_by_a_person() {
    let mut world = World::at_rest();
    world.answered_by_server("Permission required");
    streams(
        &mut world,
        vec![prompt("do it"), began("t1", "touch /x"), began("t2", "touch /y")],
    );
    streams(
        &mut world,
        vec![event(bash_asked("touch /x")), event(bash_asked("touch /y"))],
    );
    let effects = approval::decide_named(&mut world.state.domain, "t1", Decision::Deny, "no", CallId(7)).unwrap();
    world.with_decisions_safe(effects);
    let along = event(HookEvent::RefusedAlong { tool: "t2".into() });
    streams(&mut world, vec![along]);
    assert!(world.status().starts_with("running"), "{}", world.status());
    let said = vec![ended("t1", ToolStatus::Denied), ended("t2", ToolStatus::Denied)];
    let effects = streams(&mut world, said);
    let decisions: Vec<_> = jobs(&effects)
        .into_iter()
        .flat_map(|job| match job {
            Work::Journal(JournalWork::Append(_, lines, _)) => lines,
            _ => Vec::new(),
        })
        .filter_map(|line| match line.what {
            Happened::Permission {
                id, answer, by, reason, ..
            } => Some((id, answer, by, reason.unwrap_or_default())),
            _ => None,
        })
        .collect();
    let words = ["t2", "denied", "another call", "refused together with it"].map(String::from);
    assert_eq!(decisions, [words.into()], "the other one is recorded already");
}

/// OpenCode asks about a directory outside of the chat, then about the file in it.
#[test]
fn a_question_about_a_directory_says_that_and_is_no_twin_of_the_one_about_the_file() {
    let mut world = World::at_rest();
    world.answered_by_server("Permission required");
    let asks = |reach: &[&str]| {
        event(HookEvent::PermissionAsked {
            tool: "write".into(),
            input: json!({"filePath": "/srv/notes/outside.txt", "content": "x\n"}),
            reach: reach.iter().map(ToString::to_string).collect(),
        })
    };
    streams(&mut world, vec![prompt("write it"), asks(&["/srv/notes"])]);
    assert_eq!(
        world.status(),
        "needs-you: reach /srv/notes, for Write: /srv/notes/outside.txt"
    );
    let listed = approval::json(&world.state.domain, None);
    let told = &listed["approvals"][0];
    assert_eq!(
        (&told["wants"], &told["reach"]),
        (&json!("wants to reach /srv/notes"), &json!(["/srv/notes"]))
    );
    let lines = [
        "reaches /srv/notes, outside of its directory; the call itself is asked about next",
        "/srv/notes/outside.txt",
        "+ x",
    ];
    assert_eq!(told["shown"], json!(lines));
    world.attach_to(ME, "auth");
    world.press("ctrl+q a");
    let picture = world.picture();
    assert!(picture.contains("wants to reach /srv/notes"), "{picture}");
    assert!(
        picture.contains("outside of its directory; the call itself"),
        "{picture}"
    );
    let answered = HookEvent::WorksOn { tool: String::new() };
    streams(&mut world, vec![event(answered), asks(&[])]);
    let listed = approval::json(&world.state.domain, None);
    let told = &listed["approvals"][0];
    assert_eq!(
        (&told["wants"], &told["reach"]),
        (&json!("wants to write outside.txt"), &json!([]))
    );
}

#[test]
fn a_rule_that_allows_is_not_named_as_why_it_is_asked() {
    let mut world = World::at_rest();
    world.edits("auth", |chat| chat.record.set.permissions = PermissionProfile::Clones);
    world.answered_by_server("Permission required");
    let chat = world.state.domain.disk.home.join("chats").join(id("auth").as_str());
    streams(&mut world, vec![prompt("fix it"), began("t1", "make")]);
    let reads = HookEvent::PermissionAsked {
        reach: Vec::new(),
        tool: "read".into(),
        input: json!({ "filePath": chat.join("notes.md") }),
    };
    streams(&mut world, vec![event(reads)]);
    // Nothing tells that the answer was taken.
    world.after(30_000);
    let listed = approval::json(&world.state.domain, None);
    assert_eq!(listed["approvals"][0]["rule"], Value::Null, "{listed}");
}
