//! The dialog of a chat's MCP servers: what is switched, and what has to be read first.

use crossterm::event::MouseEventKind;
use parlour::domain::work::ServerWork;
use parlour::domain::{Effect, Work};
use parlour::model::request::Switch;
use parlour::model::server_entry::ServerEntry;

use crate::support::world::{World, noon, servers};

fn open() -> World {
    open_with(servers())
}

fn open_with(list: Vec<ServerEntry>) -> World {
    let mut world = World::morning(120, 40);
    let effects = world.press("m");
    assert!(
        matches!(
            &effects[..],
            [Effect::Work(_, Work::Server(ServerWork::List { ask: None, .. }))]
        ),
        "{effects:?}"
    );
    world.lists_servers("auth", list);
    world
}

fn switched(effects: &[Effect]) -> Option<(&str, &Switch)> {
    effects.iter().find_map(|effect| match effect {
        Effect::Work(_, Work::Server(ServerWork::Switch { name, switch, .. })) => Some((name.as_str(), switch)),
        _ => None,
    })
}

#[test]
fn a_server_is_switched_by_space_enter_and_a_click() {
    for keys in ["down space", "down enter"] {
        let effects = open().press(keys);
        assert_eq!(switched(&effects), Some(("db", &Switch::Off)), "{keys}");
    }
    let mut world = open();
    let picture = world.picture();
    let (y, line) = picture
        .lines()
        .enumerate()
        .find(|(_, line)| line.contains("[x] db"))
        .unwrap();
    let x = line.chars().position(|c| c == '[').unwrap();
    let effects = world.click(x as u16, y as u16);
    assert_eq!(switched(&effects), Some(("db", &Switch::Off)));
    assert_eq!(switched(&world.press("down space")), None, "one thing at a time");
}

#[test]
fn a_projects_server_is_read_before_it_is_agreed_to() {
    let mut world = open();
    assert_eq!(switched(&world.press("G space")), None);
    assert!(world.picture().contains("runs npx -y"), "{}", world.picture());
    assert_eq!(switched(&world.press("y")), None, "nobody reads so fast");
    world.later(600);
    let effects = world.press("y");
    let Some((name, Switch::Agreed(definition))) = switched(&effects) else {
        panic!("{effects:?}");
    };
    assert_eq!(name, "projects/grove/.mcp.json:lint");
    assert!(definition.contains("npx"));
}

#[test]
fn what_is_longer_than_its_room_is_agreed_to_at_its_end_only() {
    let mut list = servers();
    let offer = list.last_mut().and_then(|one| one.offer.as_mut()).unwrap();
    offer.runs = (0..60).map(|at| format!("with A{at}=1")).collect();
    let mut world = open_with(list);
    world.press("G space");
    world.later(600);
    assert_eq!(switched(&world.press("y")), None, "it shows more");
    for _ in 0..5 {
        world.later(600);
        if switched(&world.press("y")).is_some() {
            assert!(world.state.domain.now > noon());
            return;
        }
    }
    panic!("its end was never reached");
}

#[test]
fn no_is_what_esc_means_and_then_it_closes() {
    let mut world = open();
    world.press("G space");
    world.later(600);
    assert_eq!(switched(&world.press("esc")), None);
    assert!(world.picture().contains("MCP servers of"));
    world.calm();
    world.press("esc");
    assert!(!world.picture().contains("MCP servers of"));
}

#[test]
fn tools_are_asked_for_in_the_persons_environment_and_only_then() {
    let mut world = open();
    let effects = world.press("t");
    let asked = matches!(&effects[..], [Effect::Work(_, Work::Server(ServerWork::List { ask: Some(env), .. }))] if env["PATH"] == "/usr/bin");
    assert!(asked, "{effects:?}");
    world.mouse(MouseEventKind::ScrollDown, 50, 20);
}

#[test]
fn the_cursor_stays_at_its_server_when_others_come_above_it() {
    let mut world = open();
    world.press("down");
    let list = servers();
    let chosen = list[1].full_name();
    let (work, _) = crate::support::events::works(&world.press("t")).remove(0);
    let mut more = list.clone();
    more.insert(
        0,
        ServerEntry {
            name: "another".into(),
            ..list[0].clone()
        },
    );
    let answer = parlour::domain::work::ServerDone::Listed {
        chat: crate::support::world::id("auth"),
        changed: None,
        servers: more,
    };
    world.done(work, parlour::domain::event::Outcome::Server(answer));
    let Some(parlour::screen::dialog::Dialog::Servers(servers)) = &world.view().over.dialog else {
        panic!("it is open");
    };
    assert_eq!(servers.chosen().unwrap().full_name(), chosen);
}
