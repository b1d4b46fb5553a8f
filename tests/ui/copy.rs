//! Copy mode over a terminal.

use parlour::domain::Event;
use parlour::domain::event::PtyEvent;
use parlour::model::{PaneEvent, Status};
use parlour::screen::reading;
use parlour::term::{FoundText, TextSpot};

use super::pictured;
use crate::support::world::{ME, World, id};

#[test]
fn what_is_selected_is_seen() {
    pictured(
        "copy.selecting",
        "Copy mode: the foot says COPY and its keys, the cursor is at the end of what is selected.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("enter ctrl+q v g j w v j j e");
            world
        },
    );
}

#[test]
fn words_that_are_found_in_a_terminal_are_marked() {
    pictured(
        "copy.searching",
        "Copy mode: / is typed, with the words and how many there are in the last row; both places are marked, and the cursor \
         is on the newer one.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("enter ctrl+q v / a u t h");
            let screen = reading::live(&world.state, &world.state.views[&ME]).unwrap().clone();
            let places = screen.rows.iter().enumerate().rev().filter_map(|(at, row)| {
                let mut text = String::new();
                row.push_text(0, row.cells.len(), &mut text);
                let line = screen.first + at as u64;
                let col = u16::try_from(text[..text.find("auth")?].chars().count()).ok()?;
                Some((TextSpot { line, col }, TextSpot { line, col: col + 3 }))
            });
            let found = FoundText {
                words: "auth".into(),
                places: places.collect(),
                cut: false,
            };
            world.happens(Event::Pty(id("auth").into(), PtyEvent::Found(ME, found)));
            world
        },
    );
}

#[test]
fn links_are_marked_with_letters() {
    pictured(
        "copy.links",
        "The foot says LINKS; a URL and a file stand out, each with a letter over its beginning, the lower one with the first.",
        |cols, rows| {
            let mut world = World::new(cols, rows);
            let said = "error in lib/session.rs:42\r\nsee https://example.org/docs";
            world
                .chat("build", "Watch the build", 2)
                .runs(Status::Running(None), said);
            world.look();
            world.press("K");
            world
        },
    );
}

#[test]
fn a_copy_that_a_program_wants_is_a_question_like_any_other() {
    pictured(
        "copy.asked",
        "The question is for this chat, with the text that is to be copied and three buttons.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            let said = PtyEvent::Said(PaneEvent::Clipboard("git push origin feature-auth".into()));
            world.happens(Event::Pty(id("auth").into(), said));
            world.press("a");
            world.later(1_000);
            world
        },
    );
}
