//! Whatever the size and whatever is open, drawing and settling never fail.

use parlour::config::theme::Theme;
use parlour::domain::event::Size;
use parlour::model::Losses;
use proptest::prelude::*;

use crate::support::paper::draw;
use crate::support::world::{ME, World};

/// Keys that open each surface, from the morning's screen.
const SURFACES: [&str; 20] = [
    ": s c r",
    "ctrl+p pagedown",
    "enter ctrl+q v g v j l",
    "b",
    "b",
    "enter",
    "enter ctrl+q",
    "enter ctrl+q z",
    "/ c a",
    "/ z z",
    "?",
    "L",
    "n",
    "n tab tab tab g r down",
    "o",
    "r",
    "s",
    "x",
    "U",
    "tab",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_size_is_too_small(surface in 0..SURFACES.len(), first in (1u16..=40, 1u16..=20), then in (1u16..=40, 1u16..=20), dragged in 0u16..60) {
        let mut world = World::morning(first.0, first.1);
        world.view().sidebar.width = dragged;
        world.press(SURFACES[surface]);
        if SURFACES[surface] == "x" {
            world.loses(Losses { lost: vec!["a 修 file\u{202e}".repeat(9); 12], notes: vec!["修".repeat(99)], clones: 1 });
        }
        draw(&world.state, ME, &Theme::dark());
        world.view().size = Size { cols: then.0, rows: then.1 };
        world.look();
        draw(&world.state, ME, &Theme::dark());
        for (x, y) in [(0, 0), (first.0 / 2, first.1 / 2), (then.0 - 1, then.1 - 1)] {
            world.click(x, y);
            draw(&world.state, ME, &Theme::light());
        }
    }
}

#[test]
fn every_surface_is_drawn_at_every_small_size() {
    for surface in SURFACES {
        let mut world = World::new(40, 20);
        world
            .chat("auth", "Fix 修复 auth bug", 2)
            .project("grove", "feature-auth")
            .ended("ended");
        world.look();
        world.press(surface);
        for cols in 1..=40 {
            for rows in 1..=20 {
                world.view().size = Size { cols, rows };
                world.look();
                draw(&world.state, ME, &Theme::dark());
            }
        }
    }
}
