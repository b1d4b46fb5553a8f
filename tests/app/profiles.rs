//! How much the agent of a chat may do unasked: chosen for it, else as above it, else as the settings have it.

use parlour::domain::work::ChatWork;
use parlour::domain::{Effect, Work};
use parlour::model::PermissionProfile;
use parlour::model::request::{ChatsRequest, NewChat, Request};
use parlour::model::settings::Confinement;

use crate::support::events::works;
use crate::support::world::{World, id};

/// What a chat of this would be let do, or why it is not made.
fn made(world: &mut World, new: NewChat) -> Result<PermissionProfile, String> {
    let effects = world.ask(Request::Chats(ChatsRequest::New(new)));
    let record = works(&effects).into_iter().find_map(|(_, job)| match job {
        Work::Chat(ChatWork::Create(record)) => Some(record.permissions),
        _ => None,
    });
    record.ok_or_else(|| {
        let refused = effects.into_iter().find_map(|effect| match effect {
            Effect::Reply(_, Err(problem)) => Some(problem.to_string()),
            _ => None,
        });
        refused.unwrap_or_default()
    })
}

fn asked(permissions: Option<PermissionProfile>) -> NewChat {
    NewChat {
        name: Some("Fix".into()),
        llm: Some("claude".into()),
        permissions,
        ..NewChat::default()
    }
}

#[test]
fn what_is_said_comes_first_then_the_chat_above_then_the_settings() {
    use PermissionProfile::{All, Ask, Clones};
    let mut world = World::morning(120, 40);
    assert_eq!(made(&mut world, asked(None)), Ok(Ask));
    assert_eq!(made(&mut world, asked(Some(Clones))), Ok(Clones));
    let mut settings = world.state.domain.disk.settings.clone();
    settings.permissions.profile = Some(Clones);
    world.state.domain.disk.follow(settings.clone());
    assert_eq!(made(&mut world, asked(None)), Ok(Clones));
    let below = NewChat {
        parent: Some(id("auth")),
        ..asked(None)
    };
    assert_eq!(made(&mut world, below), Ok(Ask));
    let refused = made(&mut world, asked(Some(All))).unwrap_err();
    assert!(refused.contains("needs the sandbox"), "{refused}");
    settings.sandbox = Confinement::Strict;
    world.state.domain.disk.follow(settings);
    assert_eq!(made(&mut world, asked(Some(All))), Ok(All));
}

#[test]
fn an_agent_cannot_ask_for_more_than_its_own_chat_has() {
    let mut world = World::morning(120, 40);
    let by_agent = NewChat {
        sender: Some(id("auth")),
        ..asked(Some(PermissionProfile::Clones))
    };
    let refused = made(&mut world, by_agent).unwrap_err();
    assert!(refused.contains("for a person to say"), "{refused}");
    let by_agent = NewChat {
        sender: Some(id("auth")),
        ..asked(None)
    };
    assert_eq!(made(&mut world, by_agent), Ok(PermissionProfile::Ask));
}

#[test]
fn the_header_says_what_is_allowed_unasked() {
    let mut world = World::morning(120, 40);
    world.edits("auth", |chat| chat.record.set.permissions = PermissionProfile::Clones);
    assert!(
        world.picture().contains("permissions: clones · Claude Code"),
        "{}",
        world.picture()
    );
}
