//! Every surface, as a person sees it.
//!
//! Each is drawn at four sizes into a folder of `snapshots/ui` for its surface; the picture is what has to be read when it changes.

mod anything;
mod approvals;
mod automations;
mod auxiliary;
mod calls;
mod cards;
mod changes;
mod checkpoints;
mod copy;
mod dialogs;
mod echo;
mod ended;
mod explain;
mod grid;
mod history;
mod in_place;
mod inspector;
mod keep;
mod output;
mod over_dialogs;
mod reader;
mod reader_pages;
mod recorded;
mod screens;
mod settings;
mod start;
mod themes;
mod todos;
mod transcript;
mod usage;
mod work;

use parlour::config::theme::Theme;

use crate::support::dialog::shows_its_keys;
use crate::support::golden::golden;
use crate::support::paper::draw;
use crate::support::world::{ME, World};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (60, 20)];

/// And a wide screen.
const ALL_SIZES: [(u16, u16); 4] = [(200, 50), (120, 40), (80, 24), (60, 20)];

/// Draws a world that `build` makes, at each size.
fn pictured(name: &str, what: &str, build: impl Fn(u16, u16) -> World) {
    pictured_at(&ALL_SIZES, name, what, build);
}

fn pictured_at(sizes: &[(u16, u16)], name: &str, what: &str, build: impl Fn(u16, u16) -> World) {
    for (cols, rows) in sizes.iter().copied() {
        let mut world = build(cols, rows);
        world.calm();
        world.reads_cards();
        shows_its_keys(&mut build(cols, rows));
        let screen = draw(&world.state, ME, &Theme::dark());
        golden(&format!("{name}.{cols}x{rows}"), what, screen);
    }
}
