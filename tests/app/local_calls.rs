//! What agents without tools of their own have parlour do: judged, asked about, one after another in a directory.

use parlour::domain::event::{Caller, Outcome};
use parlour::domain::work::{ApprovalDone, ApprovalWork, JournalWork, ScriptWork};
use parlour::domain::{Effect, Event, Work, approval};
use parlour::model::chat::Directory;
use parlour::model::local_call::{Done, ReadFile, Root, ShellCommand, WriteFile};
use parlour::model::request::{ApprovalRequest, Request};
use parlour::model::{AreaMode, CallId, Kind, LocalCall, PaneEvent, ToolCall, WorkId};
use serde_json::json;

use crate::support::events::{custom, refusals, replies, told, works};
use crate::support::world::{World, id};

const ONE: CallId = CallId(11);
const TWO: CallId = CallId(12);
const THREE: CallId = CallId(13);

fn opened(name: &str, mode: AreaMode) -> Directory {
    Directory {
        name: name.into(),
        label: None,
        mode,
        kind: Kind::Git,
        origin: format!("https://example.org/{name}"),
        key: None,
        subdir: None,
        asks: false,
    }
}

/// A CLI without tools, with `grove` to write in and `lib` to read.
fn bare() -> World {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", custom());
    world.edits("auth", |chat| {
        chat.record.dirs = vec![opened("grove", AreaMode::Rw), opened("lib", AreaMode::Ro)]
    });
    world
}

fn calls(world: &mut World, call: CallId, local_call: LocalCall) -> Vec<Effect> {
    world.happens(Event::Tool(call, id("auth"), ToolCall::LocalCall(local_call)))
}

fn read(path: &str) -> LocalCall {
    LocalCall::Read(ReadFile {
        path: path.into(),
        offset: None,
        limit: None,
    })
}

fn write(path: &str) -> LocalCall {
    LocalCall::Write(WriteFile {
        path: path.into(),
        content: "x".into(),
    })
}

fn shell(command: &str, cwd: &str) -> LocalCall {
    LocalCall::Shell(ShellCommand {
        command: command.into(),
        cwd: Some(cwd.into()),
        seconds: None,
    })
}

/// What is begun: its number, and in which directory.
fn begun(effects: &[Effect]) -> Vec<(WorkId, Root)> {
    let local_call = |(work, job)| match job {
        Work::Approval(ApprovalWork::LocalCall { local_job, .. }) => Some((work, local_job.root)),
        _ => None,
    };
    works(effects).into_iter().filter_map(local_call).collect()
}

fn refusal(effects: &[Effect]) -> String {
    refusals(effects).remove(0)
}

fn ends(world: &mut World, work: WorkId) -> Vec<Effect> {
    let done = Done {
        answer: Ok(json!({"text": "t"})),
        output: "t".into(),
        failed: false,
    };
    world.done(work, Outcome::Approval(ApprovalDone::LocalCall(done)))
}

fn in_clone(name: &str) -> Root {
    Root::Clone(name.into())
}

#[test]
fn a_directory_does_one_after_another_and_several_at_once() {
    let mut world = bare();
    let first = begun(&calls(&mut world, ONE, read("a")));
    assert_eq!(first[0].1, in_clone("grove"));
    assert_eq!(begun(&calls(&mut world, TWO, write("a"))), []);
    assert_eq!(
        begun(&calls(&mut world, THREE, read("projects/lib/a")))[0].1,
        in_clone("lib")
    );
    let effects = ends(&mut world, first[0].0);
    assert_eq!(replies(&effects), [(ONE, Ok(json!({"text": "t"})))]);
    let second = begun(&effects);
    assert_eq!(second[0].1, in_clone("grove"));
    let effects = ends(&mut world, second[0].0);
    assert_eq!(replies(&effects)[0].0, TWO);
    assert_eq!(begun(&effects), []);
}

#[test]
fn a_call_is_told_once_with_its_directory() {
    let mut world = bare();
    let effects = calls(&mut world, ONE, read("projects/lib/a"));
    let starts = works(&effects).into_iter().find_map(|(_, job)| match job {
        Work::Journal(JournalWork::Append(_, told, _)) => {
            let happened: Vec<_> = told.into_iter().map(|told| told.what).collect();
            Some(serde_json::to_value(happened).unwrap())
        }
        _ => None,
    });
    let starts = starts.unwrap();
    assert_eq!(
        (&starts[0]["name"], &starts[0]["dir"]),
        (&json!("read_file"), &json!("lib"))
    );
    let work = begun(&effects)[0].0;
    let ended = told(&ends(&mut world, work));
    assert_eq!(ended.len(), 1, "{ended:?}");
    assert!(ended[0].ends_with(" Ok"), "{ended:?}");
    assert_eq!(told(&ends(&mut world, work)), Vec::<String>::new());
}

#[test]
fn what_is_open_read_only_is_not_written_and_nothing_outside_is_reached() {
    let mut world = bare();
    let patch = "--- a/projects/lib/x\n+++ b/projects/lib/x\n@@ -1 +1 @@\n-a\n+b\n";
    let writes = [
        write("projects/lib/x"),
        LocalCall::patch(patch.into()),
        shell("touch x", "projects/lib"),
    ];
    for local_call in writes {
        let effects = calls(&mut world, ONE, local_call);
        let why = refusal(&effects);
        assert!(why.starts_with("read-only directory lib (ro): "), "{why}");
        assert!(
            told(&effects).iter().any(|told| told.ends_with(" Denied")),
            "{:?}",
            told(&effects)
        );
        assert_eq!(begun(&effects), []);
    }
    assert_eq!(begun(&calls(&mut world, ONE, shell("ls", "projects/lib"))).len(), 1);
    for outside in ["/etc/passwd", "../../../records/x"] {
        let why = refusal(&calls(&mut world, TWO, read(outside)));
        assert!(why.ends_with("lies in no directory of this chat"), "{why}");
    }
}

#[test]
fn a_command_that_no_rule_names_waits_for_a_person_and_holds_up_nothing() {
    let mut world = bare();
    let effects = calls(&mut world, ONE, shell("make all", "."));
    assert_eq!((begun(&effects), replies(&effects)), (vec![], vec![]));
    assert_eq!(world.status(), "needs-you: shell: make all");
    let open = approval::json(&world.state.domain, None);
    assert_eq!(open["approvals"][0]["input"]["command"], "make all");
    let other = begun(&calls(&mut world, TWO, read("a")));
    let question = open["approvals"][0]["id"].as_str().unwrap().to_string();
    let effects = world.ask(Request::Approval(ApprovalRequest::Approve {
        request: question.clone(),
    }));
    assert_eq!(begun(&effects), []);
    assert!(!world.status().starts_with("needs-you"), "{}", world.status());
    let effects = ends(&mut world, other[0].0);
    let work = begun(&effects)[0].0;
    let effects = ends(&mut world, work);
    assert_eq!(replies(&effects)[0].0, ONE);
    assert!(
        told(&effects).iter().any(|told| told.contains("allowed")),
        "{:?}",
        told(&effects)
    );
    let again = world.ask(Request::Approval(ApprovalRequest::Approve { request: question }));
    assert!(replies(&again)[0].1.is_err());
}

#[test]
fn a_person_denies_a_command_and_its_agent_is_told() {
    let mut world = bare();
    calls(&mut world, ONE, shell("make all", "."));
    let open = approval::json(&world.state.domain, None);
    let effects = world.ask(Request::Approval(ApprovalRequest::Deny {
        request: open["approvals"][0]["id"].as_str().unwrap().into(),
        reason: String::new(),
    }));
    assert!(refusal(&effects).starts_with("The person refused this call"));
    assert!(
        told(&effects).iter().any(|told| told.ends_with(" Denied")),
        "{:?}",
        told(&effects)
    );
    assert_eq!(approval::json(&world.state.domain, None)["approvals"], json!([]));
}

#[test]
fn a_call_that_takes_longer_is_shared_by_the_same_call_made_again() {
    let mut world = bare();
    let first = begun(&calls(&mut world, ONE, read("a")))[0].0;
    world.happens(Event::Caller(ONE, Caller::CallsAgain));
    let again = calls(&mut world, TWO, read("a"));
    assert_eq!((begun(&again), replies(&again)), (vec![], vec![]));
    world.happens(Event::Caller(TWO, Caller::CallsAgain));
    assert_eq!(replies(&ends(&mut world, first)), []);
    let effects = calls(&mut world, THREE, read("a"));
    assert_eq!(replies(&effects), [(THREE, Ok(json!({"text": "t"})))]);
    assert_eq!(begun(&calls(&mut world, ONE, read("a"))).len(), 1);
}

#[test]
fn an_answer_that_was_kept_is_not_given_to_a_later_call_about_something_else_by_now() {
    // After another change, and after a long time, the same call is done again.
    for other in [Some(write("b")), Some(read("b")), None] {
        let mut world = bare();
        let first = begun(&calls(&mut world, ONE, read("a")))[0].0;
        world.happens(Event::Caller(ONE, Caller::CallsAgain));
        ends(&mut world, first);
        let stale = !matches!(other, Some(LocalCall::Read(_)));
        match other {
            Some(local_call) => {
                let work = begun(&calls(&mut world, TWO, local_call))[0].0;
                ends(&mut world, work);
            }
            None => drop(world.after(601_000)),
        }
        let again = calls(&mut world, THREE, read("a"));
        assert_eq!(begun(&again).len(), usize::from(stale), "{again:?}");
        assert_eq!(replies(&again).is_empty(), stale);
    }
}

#[test]
fn what_was_done_is_told_to_who_calls_again_whatever_was_done_since() {
    let mut world = bare();
    let first = begun(&calls(&mut world, ONE, shell("ls", ".")))[0].0;
    world.happens(Event::Caller(ONE, Caller::CallsAgain));
    ends(&mut world, first);
    let other = begun(&calls(&mut world, TWO, write("b")))[0].0;
    ends(&mut world, other);
    let again = calls(&mut world, THREE, shell("ls", "."));
    assert_eq!((begun(&again), replies(&again).len()), (vec![], 1));
}

#[test]
fn what_waits_of_a_chat_is_bounded_by_its_size_too() {
    let mut world = bare();
    let large = |path: &str| {
        LocalCall::Write(WriteFile {
            path: path.into(),
            content: "x".repeat(3 << 20),
        })
    };
    let first = begun(&calls(&mut world, ONE, large("a")))[0].0;
    assert_eq!(refusals(&calls(&mut world, TWO, large("b"))).len(), 0);
    let refused = refusal(&calls(&mut world, THREE, large("c")));
    assert!(refused.contains("8 MiB"), "{refused}");
    ends(&mut world, first);
    assert_eq!(refusals(&calls(&mut world, THREE, large("c"))).len(), 0);
    let too_large = LocalCall::Write(WriteFile {
        path: "d".into(),
        content: "x".repeat(9 << 20),
    });
    let refused = refusal(&calls(&mut world, THREE, too_large));
    assert!(refused.contains("larger than 8 MiB"), "{refused}");
}

#[test]
fn what_a_persons_rule_allows_is_told_with_the_rule() {
    let mut world = bare();
    let mut settings = world.state.domain.disk.settings.clone();
    settings.permissions.allow = vec!["Bash(make:*)".into()];
    world.state.domain.disk.follow(settings);
    let said = |effects: &[Effect]| told(effects).iter().any(|told| told.contains("allowed"));
    assert!(said(&calls(&mut world, ONE, shell("make all", "."))));
    assert!(
        !said(&calls(&mut world, TWO, shell("ls", "."))),
        "everybody may do that"
    );
}

#[test]
fn what_nobody_waits_for_is_stopped_or_never_begun() {
    let mut world = bare();
    let first = begun(&calls(&mut world, ONE, shell("ls", ".")))[0].0;
    calls(&mut world, TWO, shell("ls -l", "."));
    calls(&mut world, THREE, shell("make", "."));
    world.happens(Event::Caller(TWO, Caller::Gone));
    world.happens(Event::Caller(THREE, Caller::Gone));
    assert_eq!(approval::json(&world.state.domain, None)["approvals"], json!([]));
    let effects = world.happens(Event::Caller(ONE, Caller::Gone));
    assert_eq!(works(&effects).remove(0).1, Work::Script(ScriptWork::Stop(first)));
    let effects = ends(&mut world, first);
    assert_eq!((begun(&effects), replies(&effects)), (vec![], vec![]));
}

#[test]
fn with_the_agent_ends_what_it_had_begun() {
    let mut world = bare();
    let first = begun(&calls(&mut world, ONE, shell("ls", ".")))[0].0;
    calls(&mut world, TWO, shell("make", "."));
    let effects = world.said(
        "auth",
        PaneEvent::Exited {
            code: Some(0),
            signal: None,
        },
    );
    assert!(
        works(&effects)
            .iter()
            .any(|(_, job)| *job == Work::Script(ScriptWork::Stop(first))),
        "{effects:?}"
    );
    let answered: Vec<CallId> = replies(&effects).into_iter().map(|(call, _)| call).collect();
    assert_eq!(answered, [ONE, TWO]);
    assert_eq!(begun(&ends(&mut world, first)), []);
}
