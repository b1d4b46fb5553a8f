//! The Transcript tab.

use parlour::config::theme::Theme;

use crate::support::golden::golden;
use crate::support::paper::draw;
use crate::support::transcript::{Paper, kinds, read};
use crate::support::world::{ME, World};

fn at_four_sizes(name: &str, what: &str, build: impl Fn(u16, u16) -> World) {
    for (cols, rows) in [(200, 50), (120, 40), (80, 24), (60, 20)] {
        let mut world = build(cols, rows);
        world.calm();
        let screen = draw(&world.state, ME, &Theme::dark());
        golden(&format!("transcript.{name}.{cols}x{rows}"), what, screen);
    }
}

fn pressed(cols: u16, rows: u16, keys: &str) -> World {
    let paper = kinds();
    let mut world = read(cols, rows, &paper);
    for key in keys.split_whitespace() {
        let effects = world.press(key);
        paper.answer(&mut world, effects);
    }
    world
}

#[test]
fn the_newest_is_shown_first() {
    at_four_sizes(
        "end",
        "The end of turn 3: a sub-agent with two calls, a message, a compaction, an error, a call that runs.",
        |cols, rows| pressed(cols, rows, ""),
    );
}

#[test]
fn it_reads_from_the_first_prompt_on() {
    at_four_sizes(
        "start",
        "The session, turn 1 with its prompt, a folded thought, an answer, three calls, a retry, a move.",
        |cols, rows| pressed(cols, rows, "g"),
    );
}

#[test]
fn an_empty_transcript_says_so() {
    let empty = Paper {
        entries: Vec::new(),
        gap_behind: None,
    };
    at_four_sizes(
        "empty",
        "Nothing was said yet, with a key that leads on.",
        |cols, rows| read(cols, rows, &empty),
    );
}
