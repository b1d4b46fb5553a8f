//! What is done with a call that is selected in the transcript.

use std::path::PathBuf;

use parlour::domain::effect::Effect;
use parlour::domain::work::{Read, ScriptWork, ShownRead, Work};
use parlour::model::entry::{From, SubagentSaid};
use parlour::screen::inspector::InspectorTab;
use parlour::screen::keymap::PaneSheet;
use parlour::screen::surface::Surface;
use parlour::screen::view::Focus;
use serde_json::json;

use crate::support::events::works;
use crate::support::told::show_cards;
use crate::support::transcript::{Paper, kinds, numbered, of_sub_agent, prompt, read, start, sub_agent};
use crate::support::world::{ME, World, id};

const TRANSCRIPT: Surface = Surface::Sheet(PaneSheet::Transcript);

/// The call with this entry is selected: reads are 5 and 24, the edit is 7, the command 10.
fn at(call: u64) -> World {
    let paper = kinds();
    let mut world = read(140, 50, &paper);
    world.press("g");
    let mut before = None;
    loop {
        let effects = world.press(")");
        paper.answer(&mut world, effects);
        let selected = world.view().transcript.selected;
        if selected.is_some_and(|key| key.seq == call) {
            return world;
        }
        assert_ne!(selected, before, "there is no call {call}");
        before = selected;
    }
}

fn copied(effects: &[Effect]) -> Option<&str> {
    match effects {
        [Effect::Clipboard(ME, text)] => Some(text),
        _ => None,
    }
}

#[test]
fn enter_shows_it_in_full_beside_and_esc_leads_back_to_it() {
    let mut world = at(10);
    assert!(world.view().inspector.wanted.is_none());
    world.press("enter");
    assert_eq!(world.view().focus, Focus::Inspector);
    assert_eq!(world.view().inspector.tab, InspectorTab::Card);
    // No cards were read: the transcript has it.
    let picture = world.picture();
    assert!(picture.contains("failed after 3.200 s"), "{picture}");
    world.press("J");
    assert!(world.picture().contains("\"command\""), "{}", world.picture());
    world.press("esc");
    assert_eq!(world.view().surface(), TRANSCRIPT);
    assert_eq!(world.view().transcript.selected.map(|key| key.seq), Some(10));
    assert!(world.view().inspector.wanted.is_none(), "it is as it was");
}

#[test]
fn esc_lets_go_of_it_and_enter_then_leads_to_the_composer() {
    let mut world = at(10);
    world.press("esc");
    assert_eq!(world.view().surface(), TRANSCRIPT);
    assert_eq!(world.view().transcript.selected, None);
    world.press("enter");
    assert_eq!(world.view().surface(), Surface::Composer);
}

#[test]
fn it_is_copied_as_it_was_run_and_so_is_what_came_back() {
    let mut world = at(10);
    assert_eq!(copied(&world.press("y")), Some("cargo test auth"));
    let output = world.press("Y");
    assert!(
        copied(&output).is_some_and(|text| text.ends_with("1 failed")),
        "{output:?}"
    );
    // What is no call is copied as before, and its turn too.
    let mut world = at(7);
    let edit = world.press("y");
    assert!(
        copied(&edit).is_some_and(|text| text.starts_with("--- src/auth/session.rs")),
        "{edit:?}"
    );
    world.press("esc k");
    let turn = world.press("Y");
    assert!(copied(&turn).is_some_and(|text| text.starts_with("> ")), "{turn:?}");
}

#[test]
fn its_file_is_opened_in_the_editor() {
    let mut world = at(7);
    let effects = world.press("E");
    let opened = works(&effects).iter().find_map(|(_, work)| match work {
        Work::Script(ScriptWork::Edit { dir, file, .. }) => Some((dir.clone(), file.clone())),
        _ => None,
    });
    let (dir, file) = opened.expect("an editor");
    assert_eq!(dir.as_deref(), Some("grove"));
    assert_eq!(file.map(|(path, _)| path), Some(PathBuf::from("src/auth/session.rs")));
}

#[test]
fn it_is_asked_for_again_in_the_composer() {
    let mut world = at(10);
    world.press("p");
    assert_eq!(world.view().surface(), Surface::Composer);
    let text = world.view().composer.field.text();
    assert_eq!(text, "Run this again:\n\n```sh\ncargo test auth\n```");
}

#[test]
fn a_card_leads_to_its_place_in_the_transcript_and_to_the_terminal_then() {
    let moments = |effects: &[Effect]| {
        let of = |(_, work): &(_, Work)| matches!(work, Work::Read(Read::Shown(ShownRead::Moment(..))));
        works(effects).iter().filter(|work| of(work)).count()
    };
    let paper = kinds();
    let among_cards = || {
        let mut world = World::morning(140, 50);
        show_cards(&mut world);
        world.press("g j");
        world
    };
    let mut world = among_cards();
    let card = world.view().inspector.selected.expect("a card");
    let effects = world.press("t");
    paper.answer(&mut world, effects);
    assert_eq!(world.view().surface(), TRANSCRIPT);
    assert_eq!(world.view().transcript.selected.map(|key| key.seq), Some(card));
    let mut world = among_cards();
    let effects = world.press("m");
    assert_eq!(moments(&effects), 0, "the transcript is not read yet");
    paper.answer(&mut world, effects);
    assert!(world.view().transcript.moment.is_some());
    assert!(world.picture().contains("Terminal as it was"), "{}", world.picture());
    world.press("m");
    assert!(!world.picture().contains("Terminal as it was"), "{}", world.picture());
}

#[test]
fn f_unfolds_a_call_that_has_no_more_than_the_transcript_has() {
    let mut world = at(5);
    let key = world.view().transcript.selected.expect("a read");
    assert!(!world.view().transcript.open.contains(&key));
    for _ in 0..2 {
        world.press("f");
        assert!(world.view().transcript.open.contains(&key));
        assert!(world.view().over.dialog.is_none() && world.view().over.toasts.is_empty());
    }
}

/// Several that were started at once are told apart by their prompts, whichever begins first.
#[test]
fn a_sub_agent_is_called_by_the_task_that_it_was_given() {
    let task = |id, about: &str, prompt: &str| {
        let input = json!({"description": about, "prompt": prompt, "subagent_type": "Explore"});
        start(id, "Task", input, None)
    };
    let paper = Paper {
        entries: numbered(vec![
            prompt("Audit both.", From::Person),
            task("t1", "Audit money", "Read money.py"),
            task("t2", "Audit store", "Read store.py"),
            sub_agent("a2", "started"),
            sub_agent("a1", "started"),
            of_sub_agent("a1", SubagentSaid::Asked, "Read money.py"),
            of_sub_agent("a2", SubagentSaid::Asked, "Read store.py\n"),
        ]),
        gap_behind: None,
        is_terminal_gone: false,
    };
    let mut world = World::morning(120, 40);
    let effects = world.press("t");
    paper.answer(&mut world, effects);
    let picture = world.picture();
    let at = |words: &str| picture.find(words).unwrap_or_else(|| panic!("{picture}"));
    assert!(
        at("» Audit store · Explore") < at("» Audit money · Explore"),
        "{picture}"
    );
}

#[test]
fn a_fork_shows_inherited_paths_as_its_original_does() {
    use parlour::model::talk::ForkOrigin;
    let at = |chat: &str, rest: &str| format!("/home/mia/.parlour/chats/{}/{rest}", id(chat));
    let file = |of: &str, chat: &str, rest: &str| {
        let path = at(chat, rest);
        start(of, "Read", json!({"file_path": path}), None)
    };
    let command = format!("cat {}", at("gone", "projects/grove/README.md"));
    let paper = Paper {
        entries: numbered(vec![
            prompt("Read them.", From::Person),
            file("r1", "gone", "projects/grove/src/inherited.rs"),
            start("r2", "Bash", json!({"command": command}), None),
            file("r3", "gone", "projects/grove/src/foreign.rs"),
            file("r4", "auth", "projects/grove/src/own.rs"),
        ]),
        gap_behind: None,
        is_terminal_gone: false,
    };
    let mut world = read(140, 50, &paper);
    world.edits("auth", |chat| {
        chat.record.origin.of = Some(ForkOrigin {
            chat: id("gone"),
            checkpoint: None,
            inherited: 3,
        });
    });
    world.calm();
    let picture = world.picture();
    assert!(picture.contains("Read src/inherited.rs"), "{picture}");
    assert!(picture.contains("Bash cat grove/README.md"), "{picture}");
    assert!(picture.contains("Read src/own.rs"), "{picture}");
    // What the fork itself does to the other one is not as if it were its own.
    assert!(
        picture.contains(&at("gone", "projects/grove/src/foreign.rs")),
        "{picture}"
    );
}
