//! The screen in lines, for a screen reader.

use parlour::config::theme::Theme;
use parlour::domain::Event;
use parlour::model::{CallId, HookEvent, Status};
use parlour::screen::view::Focus;
use serde_json::json;

use super::SIZES;
use crate::support::golden::golden;
use crate::support::paper::{Paper, draw};
use crate::support::told::show_cards;
use crate::support::transcript::{kinds, read};
use crate::support::world::{ME, World, id};

/// In screen-reader mode from now on.
pub fn hears(mut world: World) -> World {
    world.sets(|settings| settings.reader = true);
    world
}

fn morning(cols: u16, rows: u16) -> World {
    hears(World::morning(cols, rows))
}

/// Draws it at each size. Lines that are drawn, and the dots of braille, are on none of them.
pub fn heard(name: &str, what: &str, build: impl Fn(u16, u16) -> World) {
    for (cols, rows) in SIZES {
        let mut world = build(cols, rows);
        world.calm();
        let screen = paper(&world);
        golden(&format!("reader.{name}.{cols}x{rows}"), what, screen);
    }
}

fn paper(world: &World) -> Paper {
    let paper = draw(&world.state, ME, &Theme::dark());
    let text = paper.to_string();
    let drawn = text
        .chars()
        .find(|letter| matches!(letter, '\u{2500}'..='\u{259f}' | '\u{2800}'..='\u{28ff}'));
    assert_eq!(drawn, None, "{text}");
    assert!(paper.cursor.is_some(), "the cursor always is somewhere:\n{text}");
    paper
}

fn lines(world: &World) -> Vec<String> {
    paper(world).to_string().lines().map(str::to_string).collect()
}

fn asks(world: &mut World, chat: &str, call: u64, command: &str) {
    let asked = HookEvent::PermissionAsked {
        reach: Vec::new(),
        tool: "Bash".into(),
        input: json!({ "command": command }),
    };
    world.happens(Event::Hook(CallId(call), id(chat), vec![asked]));
}

#[test]
fn the_list_of_chats_in_lines() {
    heard(
        "sidebar",
        "The selected chat with its place and how it is, where the cursor stands; below it all chats, each with its place.",
        |cols, rows| {
            let mut world = morning(cols, rows);
            world.press("j j");
            world
        },
    );
}

#[test]
fn a_first_start_in_lines() {
    heard("empty", "That there are no chats.", |cols, rows| {
        hears(World::new(cols, rows))
    });
}

#[test]
fn a_form_in_lines() {
    heard(
        "new-chat",
        "The focused field with its name, the cursor behind what is typed; below it all parts with their values, and the keys.",
        |cols, rows| {
            let mut world = morning(cols, rows);
            world.press("n tab A d a");
            world
        },
    );
}

#[test]
fn a_question_in_lines() {
    heard(
        "stop",
        "The focused button and how many there are; below it what is asked.",
        |cols, rows| {
            let mut world = morning(cols, rows);
            world.press("s");
            world
        },
    );
}

#[test]
fn an_approval_in_lines() {
    heard(
        "approval",
        "The question and the focused button; below it the queue and the command.",
        |cols, rows| {
            let mut world = morning(cols, rows);
            asks(&mut world, "auth", 21, "cargo test --workspace");
            world.later(60_000);
            world.press("a");
            world
        },
    );
}

#[test]
fn the_agent_in_lines() {
    heard(
        "agent",
        "The agent's own lines without what it draws around them, the cursor where its cursor is.",
        |cols, rows| {
            let mut world = morning(cols, rows);
            world.press("enter");
            world
        },
    );
}

#[test]
fn the_transcript_in_lines() {
    heard(
        "transcript",
        "The selected entry where the cursor stands; below it the entries around it, with words for signs.",
        |cols, rows| {
            let paper = kinds();
            let mut world = hears(read(cols, rows, &paper));
            world.press_each("[ k k k", |world, effects| paper.answer(world, effects));
            world
        },
    );
}

#[test]
fn the_cards_in_lines() {
    heard(
        "cards",
        "The selected card where the cursor stands; below it all cards.",
        |cols, rows| {
            let mut world = hears(World::new(cols, rows));
            world
                .chat("auth", "Fix auth bug", 2)
                .project("grove", "feature-auth")
                .runs(Status::Running(None), "");
            show_cards(&mut world);
            while world.view().focus != Focus::Inspector {
                world.press("tab");
            }
            world
        },
    );
}

#[test]
fn pages_and_lists_in_lines() {
    for (name, keys, what) in [
        ("keys", "?", "The page of keys, without its frame."),
        (
            "palette",
            ": d i f f",
            "What is typed, with the cursor; below it the chosen command, then all that match.",
        ),
        (
            "leader",
            "enter ctrl+q",
            "All commands with their keys, each a part of a line.",
        ),
        (
            "filter",
            "/ r e",
            "What is typed, with the cursor; the first match; below it all matches.",
        ),
    ] {
        heard(name, what, |cols, rows| {
            let mut world = morning(cols, rows);
            world.press(keys);
            world
        });
    }
}

#[test]
fn what_changes_is_told_in_a_sentence() {
    let mut world = morning(80, 24);
    assert_eq!(lines(&world)[1], "", "nothing has changed yet");
    asks(&mut world, "dates", 21, "cargo test");
    world.look();
    assert_eq!(
        lines(&world)[1],
        "Dates in the report are off by one needs you: Bash: cargo test"
    );
    world.press("j");
    assert!(lines(&world)[1].contains("needs you"), "there was no time to hear it");
    world.later(4_000);
    world.press("j");
    assert_eq!(lines(&world)[1], "");
}

#[test]
fn a_toast_is_told_and_stays() {
    let mut world = morning(80, 24);
    world.press("P");
    world.press("G T");
    let told = lines(&world)[1].clone();
    assert!(told.contains("No agent of this tree runs"), "{told}");
    world.later(60_000);
    assert_eq!(lines(&world)[1], told, "nobody has acted since");
}

#[test]
fn moving_changes_the_row_of_the_focus_and_no_other() {
    let mut world = morning(80, 24);
    world.press("j");
    let before = lines(&world);
    world.press("j");
    let after = lines(&world);
    let changed: Vec<usize> = (0..24).filter(|at| before[*at] != after[*at]).collect();
    assert!(changed.iter().all(|at| (3..5).contains(at)), "{changed:?}");
    assert!(after[3].starts_with("Try Redis, 3 of "), "{}", after[3]);
}

#[test]
fn the_cursor_follows_the_focus() {
    let at = |world: &World| paper(world).cursor.map(|at| (at.x, at.y));
    let mut world = morning(80, 24);
    assert_eq!(at(&world), Some((0, 3)));
    world.press("n");
    world.paste("ab");
    assert_eq!(at(&world), Some((10, 3)), "behind “Prompt: ab”:\n{}", paper(&world));
}

#[test]
fn nothing_moves_by_itself() {
    let mut world = morning(80, 24);
    world.sets(|settings| settings.reduced_motion = false);
    let before = paper(&world).to_string();
    for _ in 0..20 {
        world.later(250);
    }
    assert_eq!(paper(&world).to_string(), before);
}
