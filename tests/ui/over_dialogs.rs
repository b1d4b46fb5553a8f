//! What every dialog has: the list of its keys, and a scrollbar where it is longer than its place.

use parlour::config::theme::Theme;
use parlour::screen::toast;
use parlour::screen::view::Tone;

use super::pictured;
use crate::support::paper::draw;
use crate::support::world::{ME, World};

/// The rows of the thumb on the right border of what is open.
fn thumb(world: &World) -> Vec<usize> {
    let screen = draw(&world.state, ME, &Theme::dark()).to_string();
    let rows = screen.lines().enumerate();
    let is_thumb = |line: &str| line.chars().rev().take(2).any(|sign| sign == '┃');
    rows.filter(|(_, line)| is_thumb(line)).map(|(at, _)| at).collect()
}

#[test]
fn the_border_says_how_far_down_one_is() {
    let mut world = World::morning(80, 24);
    world.press("?");
    let first = thumb(&world);
    assert_eq!(first.first(), Some(&3), "at the first row of the list");
    world.press("pagedown pagedown pagedown pagedown pagedown pagedown");
    let below = thumb(&world);
    assert!(
        below[0] > first[0] && below.len().abs_diff(first.len()) <= 1,
        "{below:?}"
    );
    for _ in 0..40 {
        world.press("pagedown");
    }
    assert_eq!(thumb(&world).last(), Some(&20), "at the last row of the list");
    world.press("esc l");
    assert!(thumb(&world).is_empty(), "all of it is seen");
}

#[test]
fn a_notice_in_the_last_row_leaves_no_half_of_a_hint() {
    let last = |world: &World| world.picture().lines().nth(23).unwrap_or_default().to_owned();
    for letters in 20..60 {
        let mut world = World::morning(80, 24);
        world.press("?");
        let whole = last(&world);
        toast::tell(&mut world.state, ME, "x".repeat(letters), Tone::Told);
        let row = last(&world);
        let (left, _) = row.split_once(" · x").unwrap_or_else(|| panic!("{row}"));
        let parts = |row: &str| -> Vec<String> {
            let parts = row.split("  ").map(|part| part.trim().to_owned());
            parts.filter(|part| !part.is_empty()).collect()
        };
        let whole = parts(&whole);
        assert!(parts(left).iter().all(|part| whole.contains(part)), "{row}");
    }
}

#[test]
fn a_dialog_lists_its_keys() {
    pictured(
        "dialog.keys-form",
        "The keys of a form over it; behind it the form, and below how to leave the list.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("n f1");
            world
        },
    );
    pictured(
        "dialog.keys-question",
        "The keys of a question over it.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("s ?");
            world
        },
    );
}
