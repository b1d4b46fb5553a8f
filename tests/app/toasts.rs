//! What is told in a corner goes out of the way.

use parlour::screen::keymap::PaneSheet;
use parlour::screen::toast;
use parlour::screen::view::{Tab, Tone};

use crate::support::world::{ME, World};

fn shown(world: &World) -> Vec<String> {
    let toasts = world.state.views[&ME].over.toasts.iter();
    toasts.map(|toast| toast.text.clone()).collect()
}

fn tell(world: &mut World, text: &str) {
    toast::tell(&mut world.state, ME, text, Tone::Failed);
}

#[test]
fn a_key_takes_away_what_was_there_long_enough_to_be_read() {
    let mut world = World::morning(120, 40);
    let long = "It is in the way. ".repeat(6);
    tell(&mut world, "It failed.");
    tell(&mut world, &long);
    world.after(1_000);
    world.press("j");
    assert_eq!(shown(&world), ["It failed.", &long]);
    world.after(1_100);
    assert_eq!(shown(&world).len(), 2, "nobody goes on");
    world.press("j");
    assert_eq!(shown(&world), [long.as_str()], "it takes longer to read");
    world.after(1_500);
    world.press("j");
    assert_eq!(shown(&world), [""; 0]);
}

#[test]
fn typing_into_a_field_takes_away_nothing() {
    let mut world = World::morning(120, 40);
    tell(&mut world, "It failed.");
    world.press("/");
    world.after(3_000);
    world.press("a b");
    assert_eq!(shown(&world), ["It failed."]);
}

#[test]
fn the_key_of_a_tab_that_came_along_does_not_close_it_at_once() {
    let mut world = World::morning(120, 40);
    world.press("t");
    let transcript = Tab::Sheet(PaneSheet::Transcript);
    world.press("2");
    world.press("t");
    assert_eq!(world.view().tab, transcript);
    assert_eq!(shown(&world), ["It is open here already: t again closes it."]);
    world.press("t");
    assert_eq!(world.view().tab, Tab::Terminal);
    world.after(1_000);
    world.press("t 1");
    world.after(1_500);
    world.press("t");
    assert_eq!(world.view().tab, Tab::Terminal, "it was before them");
}
