//! What moves while something runs, and that nothing does otherwise.

use std::collections::BTreeMap;

use parlour::domain::Effect;
use parlour::domain::event::{Attached, ClientEvent, ColourDepth, Event, Size};
use parlour::model::{ClientId, Status};
use parlour::screen::spinner;

use crate::support::world::{ME, World, id};

/// A person lets things move, and looks at this chat.
fn looking(keys: &str) -> World {
    let mut world = World::morning(120, 40);
    world.sets(|settings| settings.reduced_motion = false);
    if !keys.is_empty() {
        world.press(keys);
    }
    world.later(20_000);
    world
}

fn sign(world: &mut World) -> Option<&'static str> {
    let view = &world.state.views[&ME];
    spinner::sign(&world.state, view)
}

fn wakes(effects: &[Effect]) -> usize {
    effects
        .iter()
        .filter(|effect| matches!(effect, Effect::WakeAt(_)))
        .count()
}

#[test]
fn the_sign_of_a_running_agent_moves_by_one_timer() {
    let mut world = looking("");
    let first = sign(&mut world).expect("it moves");
    assert!(
        world.picture().contains(&format!("{first} running")),
        "{}",
        world.picture()
    );
    let effects = world.later(250);
    assert_eq!(wakes(&effects), 1, "{effects:?}");
    assert_ne!(sign(&mut world), Some(first));
    assert_eq!(wakes(&world.look()), 0, "it was asked for already");
}

#[test]
fn nothing_moves_where_nothing_runs_or_it_is_out_of_sight() {
    let mut world = looking("G");
    assert_eq!(sign(&mut world), None, "that chat has ended");
    assert_eq!(wakes(&world.later(250)), 0);
    let mut world = looking("A");
    assert_eq!(sign(&mut world), None, "the schedules lie over it");
    assert_eq!(wakes(&world.later(250)), 0);
}

#[test]
fn nothing_moves_for_who_wants_no_motion_or_no_colour() {
    let mut world = looking("");
    world.sets(|settings| settings.reduced_motion = true);
    assert_eq!(sign(&mut world), None);
    assert_eq!(wakes(&world.later(250)), 0);
    let mut world = looking("");
    let attached = Attached {
        size: Size { cols: 120, rows: 40 },
        colours: None,
        reader: false,
        no_color: true,
        depth: ColourDepth::True,
        chat: Some("Fix auth bug".into()),
        bound: None,
        place: None,
        edits: false,
        cwd: "/home/mia".into(),
        env: BTreeMap::new(),
    };
    world.happens(Event::Client(ClientId(2), ClientEvent::Attached(attached)));
    let view = &world.state.views[&ClientId(2)];
    assert_eq!(view.chat, Some(id("auth")));
    assert_eq!(spinner::sign(&world.state, view), None);
}

#[test]
fn a_program_in_a_shell_may_run_all_day_and_moves_nothing() {
    let mut world = World::new(120, 40);
    world.chat("sh", "Shell", 1).shell(Status::Running(Some("vim".into())));
    world.sets(|settings| settings.reduced_motion = false);
    world.later(20_000);
    let effects = world.later(250);
    assert_eq!((sign(&mut world), wakes(&effects)), (None, 0));
}
