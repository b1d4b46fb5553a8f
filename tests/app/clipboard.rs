//! Programs that set the clipboard of a person, and what they are told.

use parlour::domain::event::{DiskEvent, PtyEvent};
use parlour::domain::{Effect, Event};
use parlour::model::request::{ApprovalRequest, Request};
use parlour::model::settings::ClipboardAccess;
use parlour::model::{PaneEvent, Settings};
use parlour::screen::dialog::Dialog;

use crate::support::world::{ME, World, id};

fn copies(world: &mut World, chat: &str, text: &str) -> Vec<Effect> {
    let said = PtyEvent::Said(PaneEvent::Clipboard(text.into()));
    let effects = world.happens(Event::Pty(id(chat).into(), said));
    effects.into_iter().filter(is_copy).collect()
}

fn is_copy(effect: &Effect) -> bool {
    matches!(effect, Effect::Clipboard(..))
}

fn set(world: &mut World, clipboard: ClipboardAccess) {
    let settings = Settings {
        clipboard,
        ..Settings::default()
    };
    world.happens(Event::Disk(DiskEvent::Settings(Box::new(Ok(settings)))));
}

fn copied(text: &str) -> Effect {
    Effect::Clipboard(ME, text.into())
}

#[test]
fn it_is_asked_once_a_chat_and_then_is_as_was_said() {
    let mut world = World::morning(120, 40);
    assert_eq!(copies(&mut world, "auth", "first"), []);
    assert_eq!(copies(&mut world, "auth", "second"), []);
    let picture = world.picture();
    assert!(picture.contains("wants to copy to your clipboard: second"), "{picture}");
    let approve = ApprovalRequest::Approve {
        request: format!("clipboard-{}", id("auth")),
    };
    let effects = world.ask(Request::Approval(approve));
    assert!(effects.contains(&copied("second")), "{effects:?}");
    assert!(world.picture().contains("copied 6 characters"));
    assert_eq!(copies(&mut world, "auth", "third"), [copied("third")]);
    // Another chat is asked about by itself.
    assert_eq!(copies(&mut world, "dates", "x"), []);
}

#[test]
fn a_no_holds_too_and_is_said_once() {
    let mut world = World::morning(120, 40);
    copies(&mut world, "auth", "x");
    let deny = ApprovalRequest::Deny {
        request: format!("clipboard-{}", id("auth")),
        reason: String::new(),
    };
    world.ask(Request::Approval(deny));
    assert_eq!(copies(&mut world, "auth", "y"), []);
    assert!(world.picture().contains("you refused it for this chat"));
    assert!(!world.picture().contains("wants to copy"));
}

#[test]
fn the_settings_answer_for_all_chats() {
    let mut world = World::morning(120, 40);
    set(&mut world, ClipboardAccess::Allow);
    assert_eq!(copies(&mut world, "auth", "x"), [copied("x")]);
    set(&mut world, ClipboardAccess::Deny);
    assert_eq!(copies(&mut world, "auth", "y"), []);
    assert!(world.picture().contains("config.json denies it"));
}

#[test]
fn the_queue_of_approvals_shows_it_and_offers_no_rule() {
    let mut world = World::morning(120, 40);
    copies(&mut world, "auth", "hello there");
    world.press("a");
    let Some(Dialog::Approvals(_)) = world.view().over.dialog else {
        panic!("{}", world.picture());
    };
    let picture = world.picture();
    assert!(picture.contains("wants to set your clipboard"), "{picture}");
    assert!(
        picture.contains("Allow in this chat") && !picture.contains("Always allow"),
        "{picture}"
    );
    assert!(picture.contains("hello there"), "{picture}");
}
