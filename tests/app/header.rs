//! What stands above the terminal, in the last row and in the title of the window.

use parlour::domain::Event;
use parlour::domain::chat::label;
use parlour::domain::event::DiskEvent;
use parlour::model::{Handle, PaneEvent, Status};
use parlour::ui;

use crate::support::world::{ME, World, id};

const PATH: &str = "/home/mia/.parlour/chats/asksaaaaaa/projects/grove/src/store/journal/segments.rs";

fn asking(cols: u16, rows: u16) -> World {
    let mut world = World::new(cols, rows);
    world
        .chat("asks", "Fix auth bug", 2)
        .project("grove", "main")
        .runs(Status::NeedsYou(format!("Write: {PATH}")), "");
    world
        .chat("calm", "Calm", 5)
        .project("grove", "feature-auth")
        .runs(Status::Idle(None), "");
    world.look();
    world
}

/// What stands right of the sidebar in this row.
fn header(world: &World, row: usize) -> String {
    let picture = world.picture();
    let line = picture.lines().nth(row).unwrap_or_default();
    line.split('│').next_back().unwrap_or_default().trim().to_string()
}

#[test]
fn a_question_has_a_row_of_its_own_with_its_path_made_relative() {
    let world = asking(120, 40);
    let first = header(&world, 0);
    assert!(
        first.starts_with("Fix auth bug") && first.ends_with("◆ needs you"),
        "{first}"
    );
    assert_eq!(header(&world, 1), "Write: src/store/journal/segments.rs");
    // Where there is one row, it is the question's: the list has the name.
    assert!(header(&asking(120, 12), 0).starts_with("Write: "));
}

#[test]
fn the_last_row_names_what_has_the_keys() {
    let mut world = asking(120, 40);
    for (keys, named) in [
        ("g", " SIDEBAR "),
        ("tab", " VIEW "),
        ("d", " CHANGES "),
        ("h", " CHECKPOINTS "),
        ("W", " WORK "),
        ("esc l", " TODOS "),
        ("esc t", " TRANSCRIPT "),
        ("esc / x", " FILTER "),
        ("esc enter", " AGENT "),
        ("ctrl+q", " LEADER "),
    ] {
        world.calm();
        world.press(keys);
        let picture = world.picture();
        let last = picture.lines().rev().nth(1).unwrap_or_default();
        assert!(last.starts_with(named), "{keys}: {last}");
    }
}

#[test]
fn who_needs_you_is_said_where_no_sidebar_says_it_and_a_click_leads_there() {
    let said = |world: &World| world.picture().lines().rev().nth(1).unwrap_or_default().to_string();
    let mut world = asking(120, 40);
    assert!(!said(&world).contains('◆'), "the sidebar has it");
    world.press("j enter ctrl+q z");
    let zoomed = said(&world);
    assert!(
        zoomed.starts_with(" AGENT ") && zoomed.contains("Ctrl+Q z out of zoom"),
        "{zoomed}"
    );
    assert!(zoomed.trim_end().ends_with("◆ 1 needs you  Ctrl+Q w"), "{zoomed}");
    world.calm();
    world.click(100, 39);
    assert_eq!(world.selected(), "Fix auth bug");
    let mut narrow = asking(60, 20);
    narrow.press("j enter");
    assert!(said(&narrow).contains("◆ 1 needs you"), "{}", said(&narrow));
    assert!(said(&narrow).contains("Ctrl+Q Esc out"), "{}", said(&narrow));
    let mut hidden = asking(80, 24);
    hidden.press("j b");
    assert!(said(&hidden).contains("◆ 1 needs you"), "{}", said(&hidden));
}

#[test]
fn the_windows_title_has_chat_project_branch_and_how_many_need_you() {
    let mut world = asking(120, 40);
    world.press("j");
    let title = ui::title(&world.state, ME);
    assert_eq!(title, "(1) Calm · grove · feature-auth · parlour");
}

#[test]
fn a_chat_goes_by_its_handle_as_long_as_another_has_its_name() {
    let mut world = World::unwatched(&[]);
    world.chat("auth", "Cache", 1);
    let shown = |world: &World| {
        let domain = &world.state.domain;
        label(domain, &domain.disk.chats[&id("auth")]).to_string()
    };
    assert_eq!(shown(&world), "Cache");
    world.chat("redis", "Cache", 1);
    assert_eq!(shown(&world), "Cache", "its handle is no more than its name");
    let called = |world: &mut World, name: &str, handle: &str| {
        let mut auth = world.state.domain.disk.chats[&id("auth")].clone();
        auth.record.name = name.into();
        auth.record.handle = Handle::parse(handle).unwrap();
        world.happens(Event::Disk(DiskEvent::Chat(Box::new(auth))));
    };
    called(&mut world, "Cache", "cache-2");
    assert_eq!(shown(&world), "cache-2");
    called(&mut world, "Queue", "queue");
    assert_eq!(shown(&world), "Queue");
    called(&mut world, "Cache", "cache-2");
    world.happens(Event::Disk(DiskEvent::ChatGone(id("redis"))));
    assert_eq!(shown(&world), "Cache");
}

#[test]
fn how_the_last_command_of_a_shell_ended_is_said_in_full_or_shortly_and_never_cut() {
    for (cols, said) in [
        (120, "idle: last command exit 1"),
        (80, "idle: exit 1"),
        (60, "○ exit 1"),
    ] {
        let mut world = World::new(cols, 20);
        world
            .chat("auth", "A shell with a name that takes all of the room", 5)
            .shell(Status::Idle(None));
        world.look();
        for code in [0, 1] {
            world.said("auth", PaneEvent::CommandEnded { code, is_ours: true });
        }
        assert!(world.picture().contains(said), "{}", world.picture());
    }
}

#[test]
fn the_last_row_counts_who_needs_you_elsewhere_and_not_the_chat_before_you() {
    let said = |world: &World| world.picture().lines().rev().nth(1).unwrap_or_default().to_string();
    for keys in ["enter", "tab", "enter ctrl+q z"] {
        let mut world = asking(80, 24);
        world.press(keys);
        assert!(!said(&world).contains('◆'), "{keys}: {}", said(&world));
    }
    let mut world = asking(80, 24);
    world.press("t");
    assert!(
        !said(&world).contains('◆') && said(&world).contains("a answers"),
        "{}",
        said(&world)
    );
    let mut world = asking(80, 24);
    world.press("j enter");
    assert!(said(&world).contains("◆ 1 needs you  Ctrl+Q w"), "{}", said(&world));
}
