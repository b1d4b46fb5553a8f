//! The inspector: its tabs by number, the card in full, and what is done with a card.

use std::path::PathBuf;

use crossterm::event::MouseEventKind;
use parlour::domain::Effect;
use parlour::domain::work::{ChatWork, Read, ScriptWork, ServerWork, Work};
use parlour::model::chat_change::ChatChange;
use parlour::model::request::Switch;
use parlour::model::{AreaMode, PermissionProfile, Status};
use parlour::screen::inspector::{InspectorTab, page};
use parlour::screen::layout::arrange;
use parlour::screen::surface::Surface;
use parlour::screen::view::Focus;

use crate::support::events::works;
use crate::support::told::show_cards;
use crate::support::world::{ME, World, id};

/// The cards of a chat have the keys: prompts are 1 and 4, the calls 2, 5, 7, 9, 11 and 13.
fn among_cards() -> World {
    let mut world = World::morning(140, 50);
    show_cards(&mut world);
    assert_eq!(world.view().focus, Focus::Inspector);
    world
}

/// The card with this entry is selected.
fn at(card: u64) -> World {
    let mut world = among_cards();
    world.press("g");
    while world.view().inspector.selected != Some(card) {
        let before = world.view().inspector.selected;
        world.press("j");
        assert_ne!(world.view().inspector.selected, before, "there is no card {card}");
    }
    world
}

#[test]
fn cards_keep_their_width_as_they_get_the_keys_and_take_more_where_they_are_read() {
    let mut world = World::morning(120, 40);
    show_cards(&mut world);
    let width = |world: &World| arrange(&world.state.views[&ME]).inspector.unwrap().area.width;
    assert_eq!(world.view().focus, Focus::Inspector);
    let with_keys = width(&world);
    world.press("esc");
    assert_ne!(world.view().focus, Focus::Inspector);
    assert_eq!(width(&world), with_keys);
    show_cards(&mut world);
    world.press("k space");
    assert_eq!(width(&world), 46, "one is open in the list");
    world.press("space enter");
    assert_eq!(width(&world), 60, "half of the screen");
}

#[test]
fn numbers_show_the_tabs_and_esc_leads_back_to_the_terminal() {
    let mut world = among_cards();
    let tabs = [
        ("2", InspectorTab::Card, "tool       Write"),
        ("3", InspectorTab::Todos, "No todos yet."),
        ("4", InspectorTab::Usage, "Nothing was used yet"),
        ("5", InspectorTab::Chat, "Permissions"),
        ("1", InspectorTab::Cards, "cargo test"),
        ("5", InspectorTab::Chat, "Directories"),
    ];
    for (key, tab, words) in tabs {
        world.press(key);
        assert_eq!(world.view().inspector.tab, tab);
        let picture = world.picture();
        assert!(picture.contains(words), "{words}: {picture}");
    }
    world.press("esc");
    assert_eq!(world.view().inspector.tab, InspectorTab::Cards);
    assert_eq!(world.view().focus, Focus::Inspector);
    world.press("esc");
    assert_eq!(world.view().focus, Focus::Pane);
}

#[test]
fn enter_shows_the_card_in_full_and_brackets_lead_to_its_neighbours() {
    let mut world = at(5);
    world.press("enter");
    assert_eq!(world.view().inspector.tab, InspectorTab::Card);
    assert!(world.picture().contains("done after 0.040 s"), "{}", world.picture());
    world.press(")");
    assert_eq!(world.view().inspector.selected, Some(7));
    assert!(world.picture().contains("refused after"), "{}", world.picture());
    world.press("( (");
    assert_eq!(world.view().inspector.selected, Some(4));
    assert!(
        world.picture().contains("Now fix it, with a test."),
        "{}",
        world.picture()
    );
}

#[test]
fn space_opens_a_card_in_its_place() {
    let mut world = at(11);
    world.press("space");
    assert!(world.view().inspector.open.contains(&11));
    assert_eq!(world.view().inspector.tab, InspectorTab::Cards);
    world.press("space");
    assert!(world.view().inspector.open.is_empty());
}

#[test]
fn its_input_is_shown_as_json_and_again_as_a_person_reads_it() {
    let mut world = at(11);
    world.press("J");
    assert_eq!(world.view().inspector.tab, InspectorTab::Card);
    assert!(
        world.picture().contains("\"command\": \"cargo test\""),
        "{}",
        world.picture()
    );
    world.press("J");
    assert!(!world.picture().contains("\"command\""), "{}", world.picture());
}

#[test]
fn a_command_is_copied_as_it_was_run_and_an_edit_as_a_diff() {
    let copied = |mut world: World| match world.press("y").as_slice() {
        [Effect::Clipboard(ME, text)] => text.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(copied(at(11)), "cargo test");
    assert_eq!(copied(at(4)), "Now fix it, with a test.");
    let diff = copied(at(5));
    assert!(diff.starts_with("--- README.md\n+++ README.md\n@@"), "{diff}");
    assert!(diff.contains("\n+        return Err(Denied::Expired);\n"), "{diff}");
}

#[test]
fn nothing_is_copied_of_what_brought_nothing_back() {
    let mut world = at(11);
    assert_eq!(world.press("Y"), []);
}

#[test]
fn a_call_is_asked_for_again_in_the_composer_and_nothing_is_sent_yet() {
    let mut world = at(11);
    let effects = world.press("p");
    let sends = |(_, work): &(_, Work)| matches!(work, Work::Chat(..) | Work::Agent(..));
    assert!(!works(&effects).iter().any(sends), "{effects:?}");
    assert_eq!(world.view().surface(), Surface::Composer);
    let text = world.view().composer.field.text();
    assert_eq!(text, "Run this again:\n\n```sh\ncargo test\n```");
}

#[test]
fn its_file_is_opened_in_the_editor_and_one_elsewhere_is_not() {
    let mut world = at(5);
    let effects = world.press("E");
    let opens = |work: &Work| match work {
        Work::Script(ScriptWork::Edit { dir, file, .. }) => Some((dir.clone(), file.clone())),
        _ => None,
    };
    let opened = works(&effects).iter().find_map(|(_, work)| opens(work));
    let (dir, file) = opened.expect("an editor");
    assert_eq!(dir.as_deref(), Some("grove"));
    assert_eq!(file.map(|(path, _)| path), Some(PathBuf::from("README.md")));
    let mut world = at(9);
    assert_eq!(world.press("E"), []);
    assert!(world.picture().contains("outside of the chat's"), "{}", world.picture());
}

#[test]
fn a_click_on_a_tab_shows_it_and_the_wheel_scrolls_it() {
    let mut world = World::morning(80, 24);
    show_cards(&mut world);
    let panel = arrange(world.view()).inspector.expect("shown");
    let tabs = page::tabs(&world.view().inspector, &panel);
    let chat = tabs.iter().find(|tab| tab.tab == InspectorTab::Chat).unwrap().area;
    world.click(chat.x, chat.y);
    assert_eq!(world.view().inspector.tab, InspectorTab::Chat);
    world.mouse(MouseEventKind::ScrollDown, panel.list.x + 2, panel.list.y);
    assert_eq!(world.view().inspector.scroll, 3);
    world.press("end");
    let most = world.view().inspector.scroll;
    world.press("down");
    assert_eq!(world.view().inspector.scroll, most, "there is no more");
    world.press("g");
    assert_eq!(world.view().inspector.scroll, 0);
}

#[test]
fn the_plan_of_the_agent_is_read_for_the_todos_once() {
    let mut world = among_cards();
    let reads = |effects: Vec<Effect>| {
        let of = |(_, work): &(_, Work)| matches!(work, Work::Read(Read::Tail(chat)) if *chat == id("auth"));
        works(&effects).iter().filter(|work| of(work)).count()
    };
    let effects = world.press("3");
    assert_eq!(reads(effects), 1);
    let effects = world.press("4 3");
    assert_eq!(reads(effects), 0);
}

#[test]
fn the_terminal_keeps_its_size_while_a_card_is_read_beside_it() {
    let mut world = at(11);
    let before = arrange(world.view()).pane;
    world.press("enter");
    assert_eq!(arrange(world.view()).pane, before);
}

/// What is set for the chat has the keys, and the row after so many is selected.
fn at_setting(downs: usize) -> World {
    let mut world = among_cards();
    world.press("5");
    for _ in 0..downs {
        world.press("j");
    }
    world
}

fn changes(effects: &[Effect]) -> Vec<ChatChange> {
    let of = |(_, work): (_, Work)| match work {
        Work::Chat(ChatWork::Set { chat, changes }) if chat == id("auth") => changes,
        _ => Vec::new(),
    };
    works(effects).into_iter().flat_map(of).collect()
}

#[test]
fn the_model_of_a_chat_is_changed_where_it_is_shown() {
    let mut world = at_setting(0);
    assert!(world.picture().contains("next start"), "{}", world.picture());
    world.press("enter o p u s");
    let effects = world.press("enter");
    assert_eq!(changes(&effects), [ChatChange::Model(Some("opus".into()))]);
}

#[test]
fn what_its_agent_does_unasked_is_chosen_and_needs_a_yes() {
    let mut world = at_setting(1);
    assert_eq!(changes(&world.press("enter")), []);
    world.later(600);
    world.press("right");
    let effects = world.press("y");
    assert_eq!(changes(&effects), [ChatChange::Permissions(PermissionProfile::Clones)]);
}

#[test]
fn a_directory_is_read_only_at_once_and_writable_again() {
    let mut world = at_setting(3);
    let effects = world.press("enter");
    assert_eq!(changes(&effects), [ChatChange::Mode("grove".into(), AreaMode::Ro)]);
    world.edits("auth", |chat| chat.record.dirs[0].mode = AreaMode::Ro);
    let effects = world.press("enter");
    assert_eq!(changes(&effects), [ChatChange::Mode("grove".into(), AreaMode::Rw)]);
}

#[test]
fn a_tool_of_parlours_own_is_switched_by_enter() {
    let mut world = at_setting(0);
    world.press("end");
    let effects = world.press("enter");
    let switched = works(&effects).into_iter().find_map(|(_, work)| match work {
        Work::Server(ServerWork::Switch { name, switch, .. }) => Some((name, switch)),
        _ => None,
    });
    let (name, switch) = switched.expect("it is switched");
    assert!(name.starts_with("parlour/"), "{name}");
    assert_eq!(switch, Switch::Off);
    // A call of it is refused at once.
    assert!(!world.picture().contains("without that change"), "{}", world.picture());
}

#[test]
fn a_shell_has_the_whole_width_and_the_cards_come_when_they_are_wanted() {
    let mut world = World::morning(200, 50);
    world.look();
    assert!(arrange(world.view()).inspector.is_some());
    let mut world = World::new(200, 50);
    world.chat("sh", "Shell", 1).shell(Status::Idle(None));
    world.look();
    let layout = arrange(world.view());
    assert_eq!((layout.inspector, layout.pane.right()), (None, 200));
    world.press("c");
    assert!(arrange(world.view()).inspector.is_some());
}

#[test]
fn what_was_chosen_among_the_cards_of_one_chat_is_chosen_in_no_other() {
    let mut world = at(4);
    world.press("space");
    assert_eq!(world.view().inspector.selected, Some(4));
    world.press("ctrl+q esc j");
    let view = world.view();
    assert_ne!(view.chat, Some(id("auth")));
    assert_eq!(view.inspector.of, view.chat);
    assert_eq!(view.inspector.selected, None);
    assert!(view.inspector.open.is_empty());
}
