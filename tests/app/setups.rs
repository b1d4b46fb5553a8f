//! Setups of repositories that wait for a person: one answer is for all that wait for the same text.

use parlour::app::update;
use parlour::domain::event::{Observed, ScriptReport};
use parlour::domain::work::{JournalWork, ScriptWork};
use parlour::domain::{Effect, Event, Work};
use parlour::model::request::{ApprovalRequest, ProjectRequest, Request};
use parlour::model::script::{Order, Proposal, ScriptAsk};
use parlour::model::{Happened, ScriptKind};

use crate::support::auxiliary::{agreed, proposal};
use crate::support::events::{jobs, replies, works};
use crate::support::world::{World, id};

/// These chats wait for one text, and the last for another one.
fn waiting(chats: &[&str], other: &str) -> World {
    let mut world = World::new(120, 40);
    for (chat, ago) in chats.iter().chain([&other]).zip(1..) {
        world.chat(chat, chat, ago).project("grove", "main");
    }
    for chat in chats {
        waits(&mut world, chat, proposal());
    }
    let definition = "{\"command\":\"make\"}".into();
    let theirs = Proposal {
        definition,
        shown: vec!["make".into()],
        ..proposal()
    };
    waits(&mut world, other, theirs);
    world.look();
    world
}

fn waits(world: &mut World, chat: &str, proposal: Proposal) {
    let says = ScriptReport::Waits(Box::new(proposal));
    update(&mut world.state, Event::Observed(id(chat), Observed::Script(says)));
}

fn approved(effects: &[Effect]) -> Vec<String> {
    let approved = jobs(effects).into_iter().filter_map(|job| match job {
        Work::Script(ScriptWork::Approve { chat, .. }) => Some(chat.to_string()),
        _ => None,
    });
    approved.collect()
}

fn ids(chats: &[&str]) -> Vec<String> {
    chats.iter().map(|chat| id(chat).to_string()).collect()
}

#[test]
fn a_yes_on_screen_is_for_all_that_wait_for_the_same_text() {
    let mut world = waiting(&["web", "web2", "web3"], "else");
    world.press("a");
    world.later(1_000);
    let picture = world.picture();
    assert!(picture.contains("Your answer is also for web2, web3"), "{picture}");
    assert!(picture.contains("1 of 4"), "{picture}");
    let effects = world.press("y");
    assert_eq!(approved(&effects), ids(&["web", "web2", "web3"]));
    for (work, _) in works(&effects)
        .into_iter()
        .filter(|(_, job)| matches!(job, Work::Script(ScriptWork::Approve { .. })))
    {
        let runs = jobs(&world.done(work, agreed(ScriptKind::Setup)));
        assert!(matches!(runs[..], [Work::Script(ScriptWork::Run { .. })]), "{runs:?}");
    }
    let picture = world.picture();
    assert!(picture.contains("1 of 1") && picture.contains("make"), "{picture}");
    assert!(!picture.contains("also for"), "{picture}");
}

#[test]
fn an_answer_in_the_shell_names_the_chats_that_it_was_for() {
    let mut world = waiting(&["web", "web2"], "else");
    let request = format!("setup-{}-grove", id("web2"));
    let effects = world.ask(Request::Approval(ApprovalRequest::Approve { request }));
    assert_eq!(approved(&effects), ids(&["web", "web2"]));
    let answer = replies(&effects).remove(0).1.unwrap();
    assert_eq!(answer["chats"], serde_json::json!(["web", "web2"]));
}

#[test]
fn approving_by_the_name_of_a_chat_settles_the_others_too() {
    let mut world = waiting(&["web", "web2"], "else");
    let order = Order {
        kind: ScriptKind::Setup,
        project: Some("grove".into()),
    };
    let effects = world.ask(Request::Project(ProjectRequest::Script {
        chat: "web2".into(),
        ask: ScriptAsk::Approve {
            order,
            definition: proposal().definition,
        },
    }));
    let mut chats = approved(&effects);
    chats.sort();
    let mut both = ids(&["web", "web2"]);
    both.sort();
    assert_eq!(chats, both);
}

#[test]
fn a_no_is_said_and_stays_in_each_chat() {
    let mut world = waiting(&["web", "web2"], "else");
    world.press("a");
    world.later(1_000);
    let effects = world.press("n");
    let denied = |job: &Work| matches!(job, Work::Script(ScriptWork::DenySetup { .. }));
    assert_eq!(jobs(&effects).iter().filter(|job| denied(job)).count(), 2);
    let noted = jobs(&effects).into_iter().filter(|job| match job {
        Work::Journal(JournalWork::Append(_, told, _)) => told.iter().any(|told| match &told.what {
            Happened::Note { text } => text.starts_with("setup of grove denied, not run"),
            _ => false,
        }),
        _ => false,
    });
    assert_eq!(noted.count(), 2);
    let picture = world.picture();
    assert!(picture.contains("was denied and does not run"), "{picture}");
}
