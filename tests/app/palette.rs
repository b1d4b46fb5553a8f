//! The palette: every command by its name.

use crossterm::event::{MouseButton, MouseEventKind};
use parlour::domain::{Effect, PaneOrder};
use parlour::screen::dialog::{Dialog, PaletteEntry, palette};
use parlour::screen::dialogs;
use parlour::screen::keymap::{
    Action, ChatsAction, MoveAction, PaneSheet, ScreenAction, SheetAction, Table, WorkAction,
};
use parlour::screen::layout;
use parlour::screen::view::Mode;

use crate::support::world::{ME, World, id};

fn entries(world: &World) -> Vec<PaletteEntry> {
    match &world.state.views[&ME].over.dialog {
        Some(Dialog::Palette(palette)) => {
            palette.entries(&dialogs::input::around(&world.state, &world.state.views[&ME]))
        }
        _ => panic!("the palette is not open"),
    }
}

#[test]
fn every_command_but_the_palette_is_in_it() {
    let mut world = World::morning(120, 40);
    world.press(":");
    let listed: Vec<Action> = entries(&world).into_iter().map(|entry| entry.action).collect();
    let left_out = [ScreenAction::Palette, ScreenAction::HowToLeave].map(Action::Screen);
    let all = Table::Commands.commands().into_iter().map(|command| command.command);
    assert_eq!(
        listed,
        all.filter(|action| !left_out.contains(action)).collect::<Vec<_>>()
    );
}

#[test]
fn at_the_plan_its_own_commands_come_first() {
    let mut world = World::morning(120, 40);
    world.press("W : c l a i m");
    let entry = &entries(&world)[0];
    assert_eq!(entry.action, Action::Sheet(SheetAction::Work(WorkAction::Claim)));
    assert_eq!((&*entry.keys, entry.why_not), ("c", Some("no task is selected")));
}

#[test]
fn a_few_letters_and_enter_run_a_command() {
    let mut world = World::morning(120, 40);
    world.press("ctrl+p z o o m enter");
    assert!(world.view().zoomed && world.view().over.dialog.is_none());
    world.calm();
    world.press(": r e n a m e enter");
    assert!(matches!(world.view().over.dialog, Some(Dialog::Rename(_))));
}

#[test]
fn a_command_is_found_by_the_name_it_has_in_the_settings() {
    let mut world = World::morning(120, 40);
    world.press(": n e x t W");
    assert_eq!(entries(&world)[0].action, Action::Chats(ChatsAction::NextWaiting));
}

#[test]
fn what_cannot_be_run_says_why_and_stays() {
    let mut world = World::morning(120, 40);
    world.press("G : i n t e r r u p t");
    assert_eq!(entries(&world)[0].why_not, Some("no agent runs here"));
    assert_eq!(world.press("enter"), []);
    assert!(world.view().over.dialog.is_some());
    world.press("esc");
    assert!(world.view().over.dialog.is_none());
}

#[test]
fn behind_the_leader_it_runs_for_the_agent_one_is_in() {
    let mut world = World::morning(120, 40);
    world.press("enter ctrl+q : i n t e r r u p t enter");
    world.calm();
    let typed = Effect::Pane(id("auth").into(), PaneOrder::Input(b"x".to_vec()));
    assert_eq!((world.press("x"), world.view().mode), (vec![typed], Mode::Agent));
}

#[test]
fn a_click_runs_the_wheel_moves_and_a_click_beside_closes() {
    let mut world = World::morning(60, 20);
    world.press(":");
    let whole = layout::for_dialogs(world.view());
    let list = palette::place(whole).list;
    for _ in 0..Table::Commands.commands().len() {
        world.mouse(MouseEventKind::ScrollDown, list.x + 2, list.y + 2);
    }
    let last = entries(&world).last().unwrap().action;
    assert_eq!(last, Action::Screen(ScreenAction::Detach));
    world.mouse(MouseEventKind::Up(MouseButton::Left), list.x + 2, list.y + 2);
    let effects = world.click(list.x + 2, list.bottom() - 1);
    assert!(matches!(effects[0], Effect::Bye(ME, _)), "{effects:?}");
}

#[test]
fn what_other_programs_call_it_is_found() {
    for (typed, action) in [
        ("r e v e r t", Action::Show(PaneSheet::Checkpoints)),
        ("t h e m e", Action::Screen(ScreenAction::Settings)),
        ("p a n e", Action::Move(MoveAction::SwitchFocus)),
        ("p a s t e", Action::Move(MoveAction::CopyMode)),
    ] {
        let mut world = World::morning(120, 40);
        world.press(&format!(": {typed}"));
        let found: Vec<Action> = entries(&world).into_iter().map(|entry| entry.action).collect();
        assert!(found.contains(&action), "{typed}: {found:?}");
    }
}

#[test]
fn the_first_esc_ends_a_search_and_the_second_leaves_the_list() {
    for keys in ["? z o o m", ", / z o o m", ", / z o o m enter"] {
        let mut world = World::morning(120, 40);
        world.press(keys);
        let narrowed = world.picture();
        world.press("esc");
        assert!(world.view().over.dialog.is_some(), "{keys}");
        assert_ne!(world.picture(), narrowed, "{keys}: all is listed again");
        world.press("esc");
        assert!(world.view().over.dialog.is_none(), "{keys}");
    }
}
