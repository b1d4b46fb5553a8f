//! Ctrl+Z in an agent's terminal, below which there is no shell.

use parlour::domain::{Effect, PaneOrder, agent};
use parlour::model::ClientId;

use crate::support::events::{orders, typed};
use crate::support::world::{World, id};

fn presses(world: &mut World, key: &[u8]) -> Vec<Effect> {
    agent::input(&mut world.state.domain, &id("auth"), ClientId(1), key.to_vec())
}

#[test]
fn a_cli_that_was_suspended_goes_on_by_itself_a_moment_later() {
    for key in [&b"\x1a"[..], b"\x1b[122;5u", b"\x1b[27;5;122~"] {
        let mut world = World::at_rest();
        let effects = presses(&mut world, key);
        assert_eq!(typed(&effects), [String::from_utf8_lossy(key)], "it gets the key");
        assert!(effects.iter().any(|effect| matches!(effect, Effect::WakeAt(_))));
        assert_eq!(orders(&world.after(600)), []);
        assert_eq!(orders(&world.after(100)), [PaneOrder::GoOn]);
        assert_eq!(orders(&world.after(5_000)), [], "once");
    }
}

#[test]
fn other_keys_wake_nothing() {
    let mut world = World::at_rest();
    presses(&mut world, b"z");
    assert_eq!(orders(&world.after(5_000)), []);
}
