//! Chats deleted from the shell.

use parlour::domain::event::Outcome;
use parlour::domain::work::{ChatDone, ChatWork, ReviewWork};
use parlour::domain::{Effect, PaneOrder, Work, removal};
use parlour::model::request::{Request, TrashRequest};
use parlour::model::{Losses, PaneEvent};

use crate::support::events::{SHELL, jobs, orders, problem, refusals, replies, submitted, turn_ended, works};
use crate::support::world::{ME, World, id};

#[test]
fn nothing_is_kept_of_a_deleted_chats_prompts() {
    let mut world = World::at_rest();
    world.hook(submitted("a long prompt"));
    assert!(world.state.domain.live.reviews.told.contains_key(&id("auth")));
    removal::removed(&mut world.state.domain, &id("auth"));
    assert!(world.state.domain.live.reviews.told.is_empty());
    assert!(world.state.domain.live.reviews.without_clone.is_empty());
}

#[test]
fn a_chat_whose_agent_runs_is_deleted_when_that_has_ended() {
    let mut world = World::at_rest();
    let chat = "auth".to_string();
    let effects = world.ask(Request::Trash(TrashRequest::Rm { chat, yes: true }));
    assert_eq!(jobs(&effects), [Work::Chat(ChatWork::ReadyTrash(id("auth")))]);
    assert_eq!(orders(&effects), []);
    let effects = world.done(works(&effects)[0].0, Outcome::Chat(ChatDone::ReadyToTrash));
    assert_eq!(
        effects,
        [
            Effect::Pane(id("auth").into(), PaneOrder::Stop { grace_ms: 4_000 }),
            Effect::CancelFor(id("auth")),
        ]
    );
    let effects = world.said(
        "auth",
        PaneEvent::Exited {
            code: Some(143),
            signal: None,
        },
    );
    assert_eq!(orders(&effects), [PaneOrder::Drop]);
    let trash = works(&effects)
        .into_iter()
        .find(|(_, job)| *job == Work::Chat(ChatWork::Trash(id("auth"))));
    let effects = world.done(
        trash.unwrap().0,
        Outcome::Chat(ChatDone::Removed(id("auth"), Vec::new())),
    );
    assert_eq!(replies(&effects)[0].0, SHELL);
    assert!(world.state.domain.disk.chats.is_empty() && world.state.domain.live.agents.iter().next().is_none());
}

/// A worker that looks at the clones of a chat finds less and less of them while it goes to the trash.
#[test]
fn what_fails_on_a_chat_within_its_deletion_is_no_trouble_of_anybody() {
    let fails = |world: &mut World, work| {
        world.done(work, Outcome::Failed(problem("there is no chat")));
        world.state.views[&ME]
            .over
            .toasts
            .iter()
            .map(|toast| toast.text.clone())
            .collect::<Vec<_>>()
    };
    let rests = || {
        let mut world = World::at_rest();
        world.chat("auth", "auth", 1).project("web", "auth");
        world.attach(ME, 120, 40);
        world.hook(submitted("please"));
        let effects = world.hooked(turn_ended(0)).0;
        let rest = works(&effects)
            .into_iter()
            .find(|(_, job)| matches!(job, Work::Review(ReviewWork::Rest { .. })));
        (world, rest.unwrap().0)
    };
    let (mut world, rest) = rests();
    assert_eq!(fails(&mut world, rest).len(), 1, "nobody deletes it");
    let (mut world, rest) = rests();
    world.rm("auth");
    assert_eq!(fails(&mut world, rest), [""; 0], "the trash is made ready");
    let (mut world, rest) = rests();
    let ready = works(&world.rm("auth"))[0].0;
    world.done(ready, Outcome::Chat(ChatDone::ReadyToTrash));
    assert_eq!(fails(&mut world, rest), [""; 0], "its agent is told to end");
    let (mut world, rest) = rests();
    removal::removed(&mut world.state.domain, &id("auth"));
    assert_eq!(fails(&mut world, rest), [""; 0], "it is gone");
}

#[test]
fn who_deletes_twice_does_not_delete_what_is_called_alike() {
    let mut world = World::at_rest();
    world.chat("copy", "auth-copy", 1);
    world.state.domain.disk.chats.remove(&id("auth"));
    let deletes = |world: &mut World, chat: &str, yes| {
        let chat = chat.to_string();
        world.ask(Request::Trash(TrashRequest::Rm { chat, yes }))
    };
    // Also before the yes: nobody is asked what is refused then.
    for yes in [true, false] {
        let effects = deletes(&mut world, "auth", yes);
        assert_eq!(refusals(&effects), ["no chat is called that; auth-copy begins like it"]);
    }
    let losses = ChatWork::Losses(id("copy")).into();
    assert_eq!(jobs(&deletes(&mut world, "auth-copy", false)), [losses]);
    assert_eq!(jobs(&deletes(&mut world, "auth-copy", true)).len(), 1);
}

#[test]
fn deleting_without_yes_names_what_would_be_lost_and_deletes_nothing() {
    let mut world = World::unwatched(&["auth"]);
    let losses = |lost: &[&str], notes: &[&str]| Losses {
        lost: lost.iter().map(ToString::to_string).collect(),
        notes: notes.iter().map(ToString::to_string).collect(),
        clones: 1,
    };
    for (losses, says) in [
        (
            losses(&["2 commits", "1 file"], &[]),
            "nothing was deleted: it would lose 2 commits; 1 file",
        ),
        (
            losses(&[], &["1 chat below it stays"]),
            "nothing was deleted: it would go to the trash for 7 days; 1 chat below it stays",
        ),
        (
            losses(&[], &[]),
            "nothing was deleted: it would go to the trash for 7 days",
        ),
    ] {
        let chat = "auth".to_string();
        let effects = world.ask(Request::Trash(TrashRequest::Rm { chat, yes: false }));
        let (work, job) = works(&effects).remove(0);
        assert_eq!(job, Work::Chat(ChatWork::Losses(id("auth"))));
        let effects = world.done(work, Outcome::Chat(ChatDone::Losses(losses)));
        assert_eq!(
            (refusals(&effects), jobs(&effects)),
            (vec![says.to_string()], Vec::new())
        );
    }
}

#[test]
fn an_agent_runs_on_where_its_chat_cannot_be_deleted() {
    let mut world = World::at_rest();
    let effects = world.rm("auth");
    let effects = world.done(works(&effects)[0].0, Outcome::Failed(problem("the disk is full")));
    assert_eq!(refusals(&effects), ["the disk is full"]);
    assert_eq!(orders(&effects), []);
    assert_eq!(world.status(), "idle");
}
