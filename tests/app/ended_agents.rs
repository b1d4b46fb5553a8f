//! What an agent leaves behind that has ended.

use parlour::domain::Effect;
use parlour::model::chat::Pending;
use parlour::model::entry::From;
use parlour::model::{Capabilities, PaneEvent};
use parlour::screen::need::{self, Need};
use parlour::screen::view::Mode;

use super::status::at_work;
use crate::support::events::{claude, shell, told, turn_ended, typed, works};
use crate::support::world::{ME, World, id, noon};

#[test]
fn an_agent_that_ends_at_rest_leaves_no_turn_open() {
    let mut world = at_work();
    world.hook(turn_ended(0));
    world.stop("auth");
    world.after(10);
    let stopped = PaneEvent::Exited {
        code: Some(143),
        signal: None,
    };
    let effects = world.said("auth", stopped);
    assert!(!told(&effects).contains(&"interrupt".to_string()));
    assert_eq!(world.state.domain.detail(&id("auth")), "stopped");
}

#[test]
fn an_agent_that_was_killed_has_failed_until_somebody_looks() {
    for (code, signal, need) in [
        (None, Some(9), Need::Failed),
        (Some(101), None, Need::Failed),
        (Some(0), None, Need::Unseen),
    ] {
        let mut world = at_work();
        world.said("auth", PaneEvent::Exited { code, signal });
        assert_eq!(need::of(&world.state.domain, &id("auth")), need, "{code:?} {signal:?}");
    }
    let world = World::morning(120, 40);
    assert_eq!(need::of(&world.state.domain, &id("flaky")), Need::Ended, "long ago");
}

#[test]
fn a_chat_whose_agent_has_ended_says_that_prompts_wait() {
    let mut world = World::morning(120, 40);
    let left = ["and then this", "and that"].map(|text| Pending::new(text.into(), From::Person, noon()));
    world.edits("flaky", |chat| chat.record.prompts = left.into());
    assert!(world.picture().contains("2 queued"), "{}", world.picture());
}

#[test]
fn a_key_that_reaches_no_program_says_which_ones_lead_on() {
    let mut world = at_work();
    world.attach(ME, 120, 40);
    world.press("enter");
    world.later(1_000);
    let killed = PaneEvent::Exited {
        code: None,
        signal: Some(9),
    };
    world.said("auth", killed);
    world.later(1_000);
    assert_eq!(world.state.views[&ME].mode, Mode::Agent);
    assert_eq!(world.press("7"), []);
    let picture = world.picture();
    assert!(
        picture.contains("7 does nothing here; what ran has ended: Enter starts it again, Esc leaves"),
        "{picture}"
    );
}

/// An ended one, that Enter starts again.
fn ended() -> World {
    let mut world = at_work();
    world.attach(ME, 120, 40);
    world.press("enter");
    let (code, signal) = (Some(0), None);
    world.said("auth", PaneEvent::Exited { code, signal });
    world.later(1_000);
    world
}

/// Starts it, types in the moment until its process is there, and tells what that got.
fn types_ahead(world: &mut World, capabilities: Capabilities, keys: &str) -> Vec<Effect> {
    let (work, _) = works(&world.press("enter")).remove(0);
    assert_eq!(typed(&world.press(keys)), [""; 0], "nobody is there");
    assert_eq!(typed(&world.prepared(work, "auth", capabilities)), [""; 0]);
    world.said("auth", PaneEvent::Started { pid: 4711 })
}

#[test]
fn keys_wait_for_the_process_of_a_shell_that_is_just_started() {
    let keys = "l s enter p w d";
    assert_eq!(
        typed(&types_ahead(&mut ended(), shell(), keys)),
        ["l", "s", "\r", "p", "w", "d"]
    );
    let into_agent = typed(&types_ahead(&mut ended(), claude(), keys));
    assert_eq!(
        into_agent, [""; 0],
        "its first screen may be a question that a key answers"
    );
}

#[test]
fn text_of_several_lines_is_not_typed_into_a_program_that_is_not_there_yet() {
    let mut world = ended();
    let (work, _) = works(&world.press("enter")).remove(0);
    assert_eq!(typed(&world.paste("rm a\nrm b\n")), [""; 0]);
    assert!(
        world.picture().contains("It is just being started"),
        "{}",
        world.picture()
    );
    world.paste("git status");
    world.prepared(work, "auth", shell());
    assert_eq!(
        typed(&world.said("auth", PaneEvent::Started { pid: 4711 })),
        ["git status"]
    );
}

#[test]
fn keys_for_a_program_that_is_stopped_before_it_was_there_are_typed_nowhere() {
    let mut world = ended();
    let (work, _) = works(&world.press("enter")).remove(0);
    world.press("l s enter");
    world.stop("auth");
    world.prepared(work, "auth", shell());
    assert_eq!(typed(&world.said("auth", PaneEvent::Started { pid: 4711 })), [""; 0]);
    assert_eq!(typed(&world.later(1_000)), [""; 0]);
}
