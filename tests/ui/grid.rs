//! Pictures of the grid, and of the card of figures below the list.

use parlour::domain::event::Outcome;
use parlour::domain::work::{ReadDone, ShownContent};
use parlour::model::figures::ChatFigures;

use super::pictured;
use crate::support::world::{World, id};

#[test]
fn screens_of_all_that_run() {
    pictured(
        "grid.morning",
        "Each running chat's own screen below its name; the selected one stands out, and the last row says the way out.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("Z");
            world
        },
    );
    pictured(
        "grid.inside",
        "The same while one of them has the keys.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("Z enter");
            world
        },
    );
}

#[test]
fn figures_of_the_selected_chat() {
    super::pictured_at(
        &[(120, 40), (200, 50)],
        "sidebar.figures",
        "Below the list: what the chat takes on disk, its ports, what it is ahead by, and what it cost.",
        with_figures,
    );
}

fn with_figures(cols: u16, rows: u16) -> World {
    let mut world = World::morning(cols, rows);
    world.edits("auth", |chat| chat.record.port = Some(20_410));
    world.later(1_500);
    let figures = ChatFigures {
        bytes: 48 << 20,
        more: false,
        ahead: 3,
        changed: 1,
    };
    let shown = ShownContent::Figures(id("auth"), figures);
    world.comes(Outcome::Read(ReadDone::Shown(shown)));
    world
}

#[test]
fn figures_take_no_row_that_a_chat_needs() {
    let is_shown = |rows| with_figures(120, rows).picture().contains("ports 20410");
    // The chats have eleven rows, above them is the title and below the last row.
    assert!(is_shown(17));
    assert!(!is_shown(16));
}
