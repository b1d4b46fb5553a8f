//! Whoever went somewhere from within a terminal is in it again, and what they type there reaches it.

use crossterm::event::{MouseButton, MouseEventKind};
use parlour::domain::event::ClientEvent;
use parlour::domain::{Effect, Event, PaneOrder};
use parlour::model::{PaneId, Status};
use parlour::screen::keymap::PaneSheet;
use parlour::screen::layout;
use parlour::screen::tab;
use parlour::screen::view::{Focus, Mode, Tab};

use crate::support::world::{ME, World, id};

fn typed(effects: &[Effect]) -> Vec<Vec<u8>> {
    let typed = effects.iter().filter_map(|effect| match effect {
        Effect::Pane(_, PaneOrder::Input(bytes)) => Some(bytes.clone()),
        _ => None,
    });
    typed.collect()
}

fn with_shell() -> World {
    let mut world = World::new(120, 40);
    for (chat, minutes) in [("first", 1), ("shell", 2)] {
        world.chat(chat, chat, minutes).runs(Status::Idle(None), "");
    }
    world.edits("shell", |chat| chat.record.llm = "shell".into());
    world
}

#[test]
fn an_esc_soon_after_one_that_closed_a_page_is_kept_from_an_agent_alone() {
    let mut world = with_shell();
    for (number, reaches) in [("1", false), ("2", true)] {
        world.press(&format!("ctrl+q {number} ctrl+q d"));
        world.later(1_000);
        world.press("esc");
        assert_eq!(world.view().mode, Mode::Agent);
        world.later(800);
        assert_eq!(typed(&world.press("esc")) == [b"\x1b"], reaches, "{number}");
    }
    // So it is with a terminal beside an agent.
    world.press("ctrl+q 1");
    let (number, _) = world.presses_for("ctrl+q $");
    world.editor_starts(number, "$ ");
    world.press("ctrl+q d");
    world.later(1_000);
    world.press("esc");
    world.later(800);
    let effects = world.press("esc");
    assert!(
        matches!(&effects[..], [Effect::Pane(PaneId::Side(_), _), ..]),
        "{effects:?}"
    );
}

#[test]
fn schedules_and_the_list_lead_back_into_the_terminal_too() {
    let mut world = with_shell();
    for (opens, closes) in [("A", "esc"), ("A", "q"), ("tab", "esc")] {
        world.press("ctrl+q 1");
        world.press(&format!("ctrl+q {opens}"));
        assert_eq!(world.view().mode, Mode::Outside, "{opens}");
        world.later(1_000);
        world.press(closes);
        assert_eq!(world.view().mode, Mode::Agent, "{opens} {closes}");
        world.press("ctrl+q esc");
    }
    // Whoever chose another chat there is at that.
    world.press("ctrl+q 1 ctrl+q tab j");
    world.later(1_000);
    world.press("esc");
    assert_eq!(world.selected(), "shell");
    assert_eq!(world.view().mode, Mode::Outside);
    // And whoever left the terminal by the key for that stays in the list.
    world.press("ctrl+q 1 ctrl+q esc");
    world.later(1_000);
    world.press("esc");
    assert_eq!((world.view().focus, world.view().mode), (Focus::Sidebar, Mode::Outside));
}

#[test]
fn a_click_on_the_name_of_a_terminal_leads_into_it() {
    let mut world = with_shell();
    world.press("ctrl+q 1");
    let (number, _) = world.presses_for("ctrl+q $");
    world.editor_starts(number, "$ ");
    let click = |world: &mut World, wanted: Tab| {
        let view = &world.state.views[&ME];
        let named = tab::tabs(&world.state, view)
            .into_iter()
            .find(|named| named.tab == wanted);
        let at = named.expect("its name is there").area;
        world.click(at.x + 1, at.y);
        world.mouse(MouseEventKind::Up(MouseButton::Left), at.x + 1, at.y);
        (world.view().tab, world.view().mode)
    };
    assert_eq!(click(&mut world, Tab::Terminal), (Tab::Terminal, Mode::Agent));
    let sheet = Tab::Sheet(PaneSheet::Transcript);
    assert_eq!(click(&mut world, sheet), (sheet, Mode::Outside));
    assert_eq!(click(&mut world, Tab::Side(number)), (Tab::Side(number), Mode::Agent));
}

#[test]
fn behind_the_leader_a_dialog_takes_no_key_but_the_one_that_detaches() {
    let mut world = with_shell();
    world.press("ctrl+q 1 ctrl+q : z z");
    assert!(world.picture().contains("zz"), "{}", world.picture());
    world.press("ctrl+q y");
    let picture = world.picture();
    assert!(
        picture.contains("Esc closes the dialog first") && !picture.contains("zzy"),
        "{picture}"
    );
    world.press("ctrl+q esc y");
    assert!(world.picture().contains("zzy"), "{}", world.picture());
    world.later(1_000);
    let effects = world.press("ctrl+q q");
    assert!(
        effects.iter().any(|effect| matches!(effect, Effect::Bye(..))),
        "{effects:?}"
    );
}

#[test]
fn the_width_of_the_list_and_that_it_is_hidden_outlive_the_screen() {
    let mut world = with_shell();
    let border = layout::arrange(world.view()).sidebar.unwrap().border;
    world.click(border.x, border.y + 5);
    world.mouse(MouseEventKind::Drag(MouseButton::Left), border.x + 8, border.y + 5);
    world.mouse(MouseEventKind::Up(MouseButton::Left), border.x + 8, border.y + 5);
    let wide = layout::arrange(world.view()).sidebar.unwrap().area.width;
    let again = |world: &mut World| {
        world.updates(Event::Client(ME, ClientEvent::Gone));
        world.attach(ME, 120, 40);
        world.calm();
        layout::arrange(world.view()).sidebar.map(|bar| bar.area.width)
    };
    assert_eq!(again(&mut world), Some(wide));
    world.press("ctrl+q b");
    assert_eq!(again(&mut world), None);
}

#[test]
fn what_a_filter_found_has_its_place_in_the_list_at_once() {
    let mut world = World::morning(120, 40);
    let order = |world: &World| -> Vec<String> {
        let chats = world.state.views[&ME].sidebar.chats();
        chats.map(ToString::to_string).collect()
    };
    world.press("g j");
    let before = order(&world);
    world.press("/ d a t e s enter");
    assert_eq!(world.selected(), "Dates in the report are off by one");
    assert_eq!(order(&world), before);
    assert!(before.contains(&id("dates").to_string()));
}

#[test]
fn the_list_of_a_narrow_screen_opens_from_within_a_terminal_and_stays_on_a_wide_one() {
    let mut world = World::morning(60, 20);
    world.press("enter");
    assert_eq!(world.view().mode, Mode::Agent);
    world.press("ctrl+q b");
    assert!(layout::arrange(world.view()).sidebar.is_some(), "{}", world.picture());
    world.press("b");
    assert!(layout::arrange(world.view()).sidebar.is_none());
    assert!(!world.view().sidebar.hidden);
}
