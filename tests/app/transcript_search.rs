//! Words that are looked for in a transcript: from match to match, also within an answer that is longer than the screen.

use parlour::model::Happened;
use parlour::model::entry::From;

use crate::support::transcript::{Paper, numbered, prompt, read, said};
use crate::support::world::World;

fn paper(told: Vec<Happened>) -> Paper {
    Paper {
        entries: numbered(told),
        gap_behind: None,
        is_terminal_gone: false,
    }
}

fn press(world: &mut World, paper: &Paper, keys: &str) {
    for key in keys.split(' ') {
        let effects = world.press(key);
        paper.answer(world, effects);
    }
}

/// Both are on the screen: the line with the match, and which one it is.
fn is_at(world: &World, line: &str, count: &str) {
    let picture = world.picture();
    let row = picture.lines().find(|row| row.contains("/zebra")).unwrap_or_default();
    assert!(
        picture.contains(line) && row.contains(count),
        "{line}, {count}: {picture}"
    );
}

/// An answer of many lines, with matches far from each other.
fn answer() -> String {
    let line = |at: usize| match at {
        20 => "The first zebra is here.".to_string(),
        90 => "A zebra beside a zebra.".to_string(),
        150 => "The last zebra is here.".to_string(),
        at => format!("Line {at} says nothing."),
    };
    (0..200).map(line).collect::<Vec<_>>().join("\n\n")
}

#[test]
fn a_search_goes_from_match_to_match_in_a_long_answer() {
    let paper = paper(vec![
        prompt("where is the zebra?", From::Person),
        said(&answer()),
        prompt("and now?", From::Person),
        said(&"nothing\n\n".repeat(60)),
    ]);
    let mut world = read(120, 40, &paper);
    press(&mut world, &paper, "/ z e b r a enter");
    is_at(&world, "The last zebra is here.", "5 of 5");
    press(&mut world, &paper, "N");
    is_at(&world, "A zebra beside a zebra.", "4 of 5");
    press(&mut world, &paper, "N");
    is_at(&world, "A zebra beside a zebra.", "3 of 5");
    press(&mut world, &paper, "N");
    is_at(&world, "The first zebra is here.", "2 of 5");
    press(&mut world, &paper, "N");
    is_at(&world, "where is the zebra?", "1 of 5");
    press(&mut world, &paper, "n n n");
    is_at(&world, "A zebra beside a zebra.", "4 of 5");
    press(&mut world, &paper, "n n");
    is_at(&world, "where is the zebra?", "1 of 5");
    // Whoever has scrolled on goes on from there.
    press(&mut world, &paper, "g");
    press(&mut world, &paper, &["pagedown"; 4].join(" "));
    press(&mut world, &paper, "n");
    is_at(&world, "A zebra beside a zebra.", "3 of 5");
}

#[test]
fn a_match_below_what_is_in_sight_of_the_same_answer_is_found() {
    let paper = paper(vec![prompt("where?", From::Person), said(&answer())]);
    let mut world = read(120, 40, &paper);
    press(&mut world, &paper, "g");
    press(&mut world, &paper, "/ z e b r a enter");
    is_at(&world, "The first zebra is here.", "1 of 4");
    assert!(
        world.picture().contains("These words are not above"),
        "{}",
        world.picture()
    );
}
