//! The inspector with what a real CLI's recorded transcript makes: from its lines to the cards on screen.

use std::fs;
use std::path::Path;

use parlour::agents;
use parlour::app::card::Cards;
use parlour::app::inspector::Shelf;
use parlour::config::theme::Theme;
use parlour::model::{Entry, Settings};

use crate::support::golden::golden;
use crate::support::paper::draw;
use crate::support::world::{ME, World, id, noon};

/// The cards that a recorded transcript gives, as if it had been followed.
fn recorded(llm: &str, file: &str) -> Cards {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/agents")
        .join(llm)
        .join(file);
    let adapter = agents::find(llm, &Settings::default()).expect("a built-in CLI");
    let mut reader = adapter.transcript_reader();
    let mut cards = Cards::default();
    let mut seq = 0;
    for line in fs::read_to_string(path).expect("a fixture").lines() {
        for told in reader.line(line) {
            seq += 1;
            cards.take(&Entry {
                v: 1,
                seq,
                ts: told.at.unwrap_or(noon()),
                read: None,
                what: told.what,
            });
        }
    }
    cards
}

fn with_cards(cols: u16, rows: u16, cards: &Cards) -> World {
    let mut world = World::morning(cols, rows);
    world.look();
    world.view().inspector.wanted = Some(true);
    world.look();
    world.state.live.shelves.insert(id("auth"), Shelf::Here(cards.clone()));
    world
}

const SIZES: [(u16, u16); 2] = [(160, 45), (80, 24)];

/// Pictures the newest cards, and one of them opened: so many up from the newest.
fn pictured(llm: &str, file: &str, up: usize) {
    let cards = recorded(llm, file);
    for (cols, rows) in SIZES {
        let mut world = with_cards(cols, rows, &cards);
        let what = "Prompts and calls, newest last; what failed and what was interrupted stands out.";
        golden(
            "ui",
            &format!("cards.{llm}.{cols}x{rows}"),
            what,
            draw(&world.state, ME, &Theme::dark()),
        );
        world.press(&format!("tab tab {}enter", "up ".repeat(up)));
        let what = "One call is opened: its input, and what came back.";
        golden(
            "ui",
            &format!("cards.{llm}-open.{cols}x{rows}"),
            what,
            draw(&world.state, ME, &Theme::dark()),
        );
    }
}

#[test]
fn what_claude_code_did_stands_beside_its_terminal() {
    pictured("claude", "transcript.jsonl", 6);
}

#[test]
fn what_codex_did_stands_beside_its_terminal() {
    pictured("codex", "rollout.jsonl", 1);
}

#[test]
fn what_gemini_did_stands_beside_its_terminal() {
    pictured("gemini", "transcript.jsonl", 1);
}

#[test]
fn before_anything_was_done_the_inspector_says_so() {
    let world = with_cards(160, 45, &Cards::default());
    assert!(
        draw(&world.state, ME, &Theme::dark())
            .to_string()
            .contains("Nothing was asked or done yet.")
    );
}

#[test]
fn a_click_opens_a_card_and_a_second_one_closes_it() {
    let cards = recorded("claude", "transcript.jsonl");
    let mut world = with_cards(160, 45, &cards);
    let panel = parlour::app::layout::arrange(world.view()).inspector.expect("shown");
    let shows = |world: &World| draw(&world.state, ME, &Theme::dark()).to_string();
    let before = shows(&world);
    world.click(panel.list.x + 4, panel.list.y);
    assert_ne!(shows(&world), before);
    assert_eq!(world.view().inspector.open.len(), 1);
    let opened = world.view().inspector.selected;
    world.click(panel.list.x + 4, panel.list.y);
    assert!(world.view().inspector.open.is_empty(), "{opened:?}");
}

#[test]
fn cards_are_read_when_somebody_looks_and_let_go_when_nobody_does() {
    let mut world = World::morning(120, 40);
    world.look();
    assert!(world.state.live.shelves.is_empty());
    world.press("c");
    assert_eq!(world.state.live.shelves.keys().collect::<Vec<_>>(), [&id("auth")]);
    world.press("c");
    assert!(world.state.live.shelves.is_empty());
}
