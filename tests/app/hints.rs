//! The hints of the last row: their keys, and clicks on them.

use crossterm::event::{KeyCode, MouseButton, MouseEventKind};
use parlour::domain::Event;
use parlour::domain::event::DiskEvent;
use parlour::model::Status;
use parlour::model::atom::{Graph, Molecule};
use parlour::screen::dialog::Dialog;
use parlour::screen::keymap::PaneSheet;
use parlour::screen::surface::{InPane, Surface};
use parlour::screen::view::{Mode, Tone};
use parlour::screen::{foot, layout, toast};

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
fn zoom_gives_the_keys_to_what_fills_the_screen_and_going_on_leaves_it() {
    let mut world = World::morning(120, 40);
    assert_eq!(world.view().surface(), Surface::Sidebar(InPane::Agent));
    world.press("z");
    assert_eq!(world.view().surface(), Surface::Pane(InPane::Agent));
    let last = |world: &World| world.picture().lines().rev().nth(1).unwrap_or_default().to_string();
    assert!(last(&world).contains("z out of zoom"), "{}", last(&world));
    for _ in 0..6 {
        if matches!(world.view().surface(), Surface::Sidebar(_)) {
            break;
        }
        world.press("tab");
    }
    assert!(!world.view().zoomed, "the list is there");
}

#[test]
fn a_key_that_is_no_command_says_so_and_esc_does_not() {
    let mut world = World::morning(120, 40);
    let last = |world: &World| world.picture().lines().rev().nth(1).unwrap_or_default().to_string();
    world.press("esc");
    assert!(!last(&world).contains("does nothing"), "{}", last(&world));
    world.press("Q");
    assert!(
        last(&world).contains("Q does nothing here; ? shows all keys"),
        "{}",
        last(&world)
    );
    world.later(10_000);
    assert!(!last(&world).contains("does nothing"), "{}", last(&world));
    world.press("Q");
    world.later(100);
    world.press("n");
    assert!(
        last(&world).contains(" create "),
        "it is not said of what opens then: {}",
        last(&world)
    );
}

#[test]
fn a_command_with_nothing_to_work_on_says_why() {
    for (keys, why) in [
        ("=", "No other window shows it."),
        ("C", "No agent was stopped by the engine's end."),
        ("space", "Nothing is above or below it."),
    ] {
        let mut world = World::new(120, 40);
        world.chat("alone", "Alone", 2).runs(Status::Idle(None), "");
        world.look();
        world.press(keys);
        let toasts = &world.view().over.toasts;
        assert!(toasts.iter().any(|toast| toast.text == why), "{keys}: {toasts:?}");
    }
}

#[test]
fn what_was_told_before_leaves_the_keys_of_a_dialog_readable() {
    let mut world = World::morning(80, 24);
    let last = |world: &World| world.picture().lines().rev().nth(1).unwrap_or_default().to_string();
    world.press("=");
    assert!(!world.view().over.toasts.is_empty());
    world.later(1_000);
    world.press("?");
    assert!(!last(&world).contains("No other window"), "{}", last(&world));
    toast::tell(&mut world.state, ME, "News.", Tone::Told);
    assert!(last(&world).contains("News."), "{}", last(&world));
}

#[test]
fn the_count_in_the_first_row_leads_to_who_waits() {
    let mut world = World::morning(120, 40);
    let first = world.picture().lines().next().unwrap_or_default().to_string();
    let at = first.find('◆').unwrap_or_else(|| panic!("{first}"));
    let column = first[..at].chars().count();
    world.click(u16::try_from(column).unwrap(), 0);
    let chosen = world.view().chat.clone().unwrap();
    assert!(matches!(world.state.domain.status(&chosen), Status::NeedsYou(_)));
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

#[test]
fn the_composer_says_how_to_answer_while_the_agent_asks() {
    let words = |world: &World| {
        let hints = foot::hints(&world.state, &world.state.views[&ME]);
        let hints = hints.iter().map(|hint| format!("{} {}", hint.label, hint.words));
        hints.collect::<Vec<_>>().join("  ")
    };
    let mut world = World::morning(120, 40);
    world.press("t enter");
    assert!(!words(&world).contains("answers"), "{}", words(&world));
    let mut world = World::morning(120, 40);
    world.press("3");
    assert_eq!(world.selected(), "Try Redis");
    world.press("t enter");
    assert!(words(&world).contains("Esc a answers"), "{}", words(&world));
    world.press("esc a");
    assert!(matches!(world.view().over.dialog, Some(Dialog::Approvals(_))));
}

#[test]
fn what_answers_a_question_is_named_where_its_key_is_another() {
    let mut world = World::new(120, 40);
    world
        .chat("auth", "Fix auth", 1)
        .runs(Status::NeedsYou("Bash: make".into()), "");
    world.look();
    world.press("d");
    assert!(world.picture().contains("  a answers"), "{}", world.picture());
    world.press("esc l");
    assert!(world.picture().contains("Ctrl+Q a answers"), "{}", world.picture());
}

#[test]
fn a_click_opens_the_menu_behind_the_leader_and_another_runs_what_stands_there() {
    for (cols, rows) in [(120, 40), (80, 24), (60, 20)] {
        let mut world = World::morning(cols, rows);
        world.press("enter");
        click(&mut world, "menu");
        let foot = layout::arrange(world.view()).foot;
        world.mouse(MouseEventKind::Up(MouseButton::Left), foot.x + 12, foot.y);
        world.later(200);
        let picture = world.picture();
        assert!(
            picture.contains(" Commands"),
            "it stays as the button comes up: {picture}"
        );
        let place = picture.lines().enumerate().find_map(|(row, line)| {
            let at = line.find(" n new chat")?;
            Some((line[..at].chars().count() + 1, row))
        });
        let (column, row) = place.unwrap_or_else(|| panic!("{picture}"));
        let (column, row) = (u16::try_from(column).unwrap(), u16::try_from(row).unwrap());
        world.click(column, row);
        world.mouse(MouseEventKind::Up(MouseButton::Left), column, row);
        assert!(
            matches!(world.view().over.dialog, Some(Dialog::NewChat(_))),
            "{}",
            world.picture()
        );
        world.press("esc");
        assert_eq!((world.view().leader, world.view().mode), (false, Mode::Agent));
        world.later(1_000);
        world.press("ctrl+q");
        world.later(200);
        world.click(1, 0);
        assert!(!world.view().leader, "a click beside it shuts it");
    }
}
