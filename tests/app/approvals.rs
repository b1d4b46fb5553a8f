//! What is read of a question before a yes to it.

use parlour::domain::event::Outcome;
use parlour::domain::work::{ApprovalDone, ApprovalWork};
use parlour::domain::{Event, Work, approval, call};
use parlour::model::request::{ApprovalRequest, Request};
use parlour::model::{CallId, HookEvent};
use parlour::permission::QuestionNotes;
use serde_json::json;

use crate::support::events::{replies, submitted, works};
use crate::support::world::{ME, World, id};

/// `auth` asks for this command, which names the clone `web` in its directory.
fn asks(tail: &str) -> World {
    let mut world = World::at_rest();
    world.hook(submitted("go on"));
    let dir = world.state.domain.disk.home.join("chats").join(id("auth").as_str());
    let command = format!("cd {}/projects/web && {tail}", dir.display());
    let now = world.state.domain.now;
    let agent = world.answered_by_keys("y", "Would you like to");
    agent.asked("Bash".into(), json!({ "command": command }), "own-1".into(), None, now);
    world
}

#[test]
fn a_command_is_told_from_the_directory_of_its_agent_on() {
    let mut world = asks("node /srv/app.js");
    let listed = approval::json(&world.state.domain, None);
    let told = &listed["approvals"][0];
    assert_eq!(told["shown"], json!(["cd projects/web && node /srv/app.js"]), "{told}");
    world.attach(ME, 120, 40);
    world.look();
    world.press("a");
    let picture = world.picture();
    assert!(picture.contains("cd projects/web"), "{picture}");
    assert!(picture.contains("node /srv/app.js"), "{picture}");
}

/// A fragment alone does not say where it stands.
#[test]
fn a_shell_is_told_the_lines_of_an_edit_with_their_numbers_and_what_is_around_them() {
    let mut world = World::morning(120, 40);
    let input = json!({"filePath": "a.js", "oldString": "ten", "newString": "TEN"});
    let asked = HookEvent::PermissionAsked {
        reach: Vec::new(),
        tool: "edit".into(),
        input: input.clone(),
    };
    world.happens(Event::Hook(CallId(21), id("auth"), vec![asked]));
    let effects = world.ask(Request::Approval(ApprovalRequest::Meant { request: None }));
    assert_eq!(replies(&effects), [], "the file is looked into first");
    let work = works(&effects).into_iter().find_map(|(id, work)| match work {
        Work::Approval(ApprovalWork::InFiles(_)) => Some(id),
        _ => None,
    });
    let work = work.expect("the file is looked into");
    let file = "six\nseven\neight\nnine\nit is ten\neleven\n";
    let notes = QuestionNotes {
        in_whole_lines: call::in_whole_lines(&input, file),
        ..QuestionNotes::default()
    };
    let effects = world.done(work, Outcome::Approval(ApprovalDone::InFiles(vec![notes])));
    let told = replies(&effects).remove(0).1.unwrap();
    let lines = [
        "a.js",
        "2   seven",
        "3   eight",
        "4   nine",
        "5 - it is ten",
        "5 + it is TEN",
        "6   eleven",
    ];
    assert_eq!(told["question"]["shown"], json!(lines), "{told}");
}
