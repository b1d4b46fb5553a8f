//! The hints of the last row: their keys, and clicks on them.

use crossterm::event::KeyCode;
use parlour::domain::Event;
use parlour::domain::event::DiskEvent;
use parlour::model::atom::{Graph, Molecule};
use parlour::screen::dialog::Dialog;
use parlour::screen::keymap::PaneSheet;
use parlour::screen::surface::{InPane, Surface};
use parlour::screen::view::Mode;
use parlour::screen::{foot, layout};

use crate::support::world::{ME, World, id};

/// A morning with a plan of its work.
fn world() -> World {
    let mut world = World::morning(120, 40);
    let mut chat = world.state.domain.disk.chats[&id("auth")].clone();
    let plan = r#"{"v": 1, "atoms": [{"id": "a", "title": "A"}]}"#;
    chat.work = Some(Graph {
        molecules: vec![Molecule::parse("plan", plan.as_bytes())],
    });
    world.updates(Event::Disk(DiskEvent::Chat(Box::new(chat))));
    world
}

/// Clicks on the words of a hint.
fn click(world: &mut World, words: &str) {
    let foot = layout::arrange(world.view()).foot;
    let picture = world.picture();
    let last = picture.lines().nth(usize::from(foot.y)).unwrap().to_string();
    let at = last
        .find(words)
        .unwrap_or_else(|| panic!("{words:?} is not in {last:?}"));
    let column = last[..at].chars().count();
    world.click(u16::try_from(column).unwrap(), foot.y);
}

/// By the keys that lead there.
const SURFACES: [(&str, Surface); 10] = [
    ("", Surface::Sidebar(InPane::Agent)),
    ("tab", Surface::Pane(InPane::Agent)),
    ("c", Surface::Inspector),
    ("W", Surface::Sheet(PaneSheet::Work)),
    ("/", Surface::Filter),
    ("v", Surface::Copy),
    ("t enter", Surface::Composer),
    ("A", Surface::Schedules),
    ("enter", Surface::Terminal),
    ("ctrl+q", Surface::Leader),
];

#[test]
fn each_hint_is_in_the_table_of_its_surface() {
    for (keys, surface) in SURFACES {
        let mut world = world();
        if !keys.is_empty() {
            world.press(keys);
        }
        let view = &world.state.views[&ME];
        assert_eq!(view.surface(), surface, "{keys}");
        let hints = foot::hints(&world.state, view);
        assert!(!hints.is_empty(), "{surface:?}");
        for hint in hints {
            assert!(hint.begins().next().is_some(), "{surface:?}: {hint:?}");
            for key in hint.begins() {
                // Some letters lead further as they are typed.
                let is_typed = surface == Surface::Composer && matches!(key.code, KeyCode::Char('/' | '@'));
                assert!(
                    is_typed || world.state.keymap.action(surface, key).is_some(),
                    "{surface:?}: {hint:?}"
                );
            }
        }
    }
}

#[test]
fn a_hint_shows_the_key_that_a_person_has_set() {
    let mut world = world();
    world.keys(&[("newChat", "f2"), ("work.claim", "C")]);
    let last = |world: &World| world.picture().lines().rev().nth(1).unwrap().to_string();
    assert!(last(&world).contains("F2 new chat"), "{}", last(&world));
    world.press("W");
    assert!(last(&world).contains("C claim"), "{}", last(&world));
}

#[test]
fn a_click_on_a_hint_presses_its_key() {
    let mut world = world();
    click(&mut world, "new chat");
    assert!(matches!(world.view().over.dialog, Some(Dialog::NewChat(_))));
    click(&mut world, "cancel");
    assert!(world.view().over.dialog.is_none());
    world.calm();
    click(&mut world, "go in");
    assert_eq!(world.view().mode, Mode::Agent);
    click(&mut world, "out of the agent");
    assert_eq!(world.view().mode, Mode::Outside);
}

#[test]
fn a_click_between_hints_does_nothing() {
    let mut world = world();
    let foot = layout::arrange(world.view()).foot;
    assert_eq!(world.click(0, foot.y), []);
    assert_eq!(world.view().surface(), Surface::Sidebar(InPane::Agent));
}

#[test]
fn a_key_that_is_in_no_table_does_nothing() {
    for (keys, surface) in SURFACES {
        if matches!(surface, Surface::Terminal | Surface::Filter) {
            continue;
        }
        let mut world = world();
        if !keys.is_empty() {
            world.press(keys);
        }
        let before = match surface {
            // Whatever comes after the leader, it is used up.
            Surface::Leader => World::morning(120, 40).view().surface(),
            surface => surface,
        };
        assert_eq!(world.press("f9"), [], "{surface:?}");
        assert_eq!(world.view().surface(), before, "{surface:?}");
    }
}

#[test]
fn the_way_out_of_zoom_is_said_in_a_narrow_row_too() {
    for cols in [60, 80, 120] {
        let mut world = World::morning(cols, 24);
        world.look();
        world.press("enter ctrl+q z");
        let picture = world.picture();
        let foot = picture.lines().find(|line| line.contains(" AGENT ")).unwrap();
        assert!(foot.contains("Ctrl+Q z out of zoom"), "{cols}: {foot}");
    }
}

#[test]
fn the_menu_behind_the_leader_comes_when_no_key_does() {
    let mut world = World::morning(120, 40);
    world.look();
    world.press("enter ctrl+q");
    assert!(!world.picture().contains("Commands"), "{}", world.picture());
    world.later(199);
    assert!(!world.picture().contains("Commands"));
    world.later(1);
    assert!(world.picture().contains("Commands"));
    world.press("z");
    assert!(!world.picture().contains("Commands"));
}
