//! How large the terminal of an agent is that starts before anybody looks at it.

use parlour::domain::event::Size;
use parlour::domain::work::AgentWork;
use parlour::domain::{Effect, Work};
use parlour::model::Status;
use parlour::screen::layout;

use crate::support::events::jobs;
use crate::support::world::World;

const SCREENS: [(u16, u16); 4] = [(60, 20), (80, 24), (120, 40), (200, 50)];

fn started(effects: &[Effect]) -> Size {
    let start = jobs(effects).into_iter().find_map(|job| match job {
        Work::Agent(AgentWork::Start { size, .. }) => Some(size),
        _ => None,
    });
    start.expect("an agent is started")
}

/// A chat is before the person, and another one rests.
fn world(cols: u16, rows: u16, llm: &str) -> World {
    let mut world = World::new(cols, rows);
    world.chat("one", "One", 1).runs(Status::Idle(None), "");
    world.chat("new", "New", 2);
    world.edits("new", |chat| chat.record.llm = llm.into());
    world.press("G");
    world
}

#[test]
fn it_has_the_size_that_the_screen_gives_it_later() {
    for (cols, rows) in SCREENS {
        for llm in ["claude", "shell"] {
            for keys in ["", "b", "c", "z"] {
                let mut world = world(cols, rows, llm);
                if !keys.is_empty() {
                    world.press(keys);
                }
                let size = started(&world.resume("new"));
                world.has_before_them("new");
                let seen = layout::pane_size(world.view());
                assert_eq!(size, seen, "{cols}x{rows}, {llm}, after {keys}");
            }
        }
    }
}

#[test]
fn it_has_that_of_the_last_screen_where_none_is_attached() {
    let mut world = world(120, 40, "claude");
    world.screens_left();
    assert_eq!(started(&world.resume("new")), Size { cols: 88, rows: 36 });
    let mut unwatched = World::unwatched(&["auth"]);
    unwatched.knows_no_screen();
    assert_eq!(started(&unwatched.resume("auth")), Size { cols: 120, rows: 40 });
}
