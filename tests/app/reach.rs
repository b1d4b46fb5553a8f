//! Everything is reached by keys alone: from the list of chats by the keys of the tables, each surface and each dialog; every
//! part of a dialog by Tab; and back.

use std::collections::{BTreeMap, BTreeSet};

use crossterm::event::{Event as Input, KeyCode, KeyEvent};
use parlour::domain::event::{ClientEvent, Event};
use parlour::domain::schedule;
use parlour::model::atom::{Graph, Molecule};
use parlour::model::schedule::Wanted;
use parlour::model::{Schedule, ScheduleId, Status, Zone};
use parlour::screen::dialog::Dialog;
use parlour::screen::dialogs::input::around;
use parlour::screen::surface::{InPane, Surface};
use parlour::term::key;
use strum::VariantNames;

use crate::support::composing::{composing, written};
use crate::support::dialog::shows_its_keys;
use crate::support::events::submitted;
use crate::support::review::{answer, listed, reviewed};
use crate::support::transcript::{kinds, read};
use crate::support::world::{ME, World, noon};

/// What no key of a table opens at once, but a choice in another dialog, an answer of a worker, a prompt that cannot be
/// sent as it is, or something that was discarded before. Each has tests of its own.
const BY_AN_ANSWER: [&str; 11] = [
    "Agent",
    "Proposed",
    "Template",
    "Output",
    "Keep",
    "Mend",
    "Export",
    "Disk",
    "Setup",
    "AddSetup",
    "BringBack",
];

/// More keys than any way takes.
const FAR: usize = 12;

/// Somebody before the list of chats, or what lies behind it where that takes more than keys.
fn starts() -> Vec<fn() -> World> {
    vec![
        || World::morning(120, 40),
        || World::new(120, 40),
        || reviewed(120, 40),
        || listed(120, 40),
        || read(120, 40, &kinds()),
        scheduled,
        queueing,
        planned,
        linked,
        || {
            let mut world = World::morning(120, 40);
            world.press("M j M");
            world
        },
    ]
}

fn scheduled() -> World {
    let mut world = World::morning(120, 40);
    let wanted = Wanted {
        name: Some("Dependencies".into()),
        prompt: "Look for what is outdated".into(),
        cron: Some("0 9 * * *".into()),
        llm: Some("claude".into()),
        ..Wanted::default()
    };
    let terms = wanted.terms(Zone::parse("Europe/Berlin").unwrap(), noon()).unwrap();
    let made = Schedule::new(ScheduleId::from_bits(1), terms, noon());
    schedule::loaded(&mut world.state.domain, made);
    world.look();
    world
}

/// A link is in sight.
fn linked() -> World {
    let mut world = World::new(120, 40);
    let said = "see https://example.org/docs";
    world
        .chat("build", "Watch the build", 2)
        .runs(Status::Running(None), said);
    world.look();
    world
}

/// The tree has a plan.
fn planned() -> World {
    let plan = r#"{"v": 1, "atoms": [{"id": "format", "title": "Agree on the format"}]}"#;
    let graph = Graph {
        molecules: vec![Molecule::parse("release", plan.as_bytes())],
    };
    let mut world = World::morning(120, 40);
    world.edits("auth", |chat| chat.work = Some(graph));
    world.look();
    world
}

/// A prompt waits for the agent to come to rest.
fn queueing() -> World {
    let mut world = composing();
    world.hook(submitted("one"));
    world.paste("two");
    let effects = world.press("alt+enter");
    written(&mut world, effects);
    world
}

/// The way from a start to a surface.
#[derive(Clone)]
struct Way {
    start: fn() -> World,
    keys: Vec<KeyEvent>,
}

impl Way {
    fn walk(&self) -> World {
        let mut world = (self.start)();
        world.calm();
        for key in &self.keys {
            press(&mut world, *key);
        }
        world
    }

    fn and(&self, key: KeyEvent) -> Way {
        let mut keys = self.keys.clone();
        keys.push(key);
        Way { keys, ..self.clone() }
    }
}

fn press(world: &mut World, key: KeyEvent) {
    let effects = world.updates(Event::Client(ME, ClientEvent::Input(Input::Key(key))));
    answer(world, effects);
    world.calm();
}

fn press_named(world: &mut World, name: &str) {
    press(world, key::parse(name).unwrap());
}

fn surface(world: &World) -> Option<Surface> {
    world.state.views.get(&ME).map(|view| view.surface())
}

fn dialog(world: &World) -> Option<&Dialog> {
    world.state.views.get(&ME)?.over.dialog.as_ref()
}

/// The keys that the tables give a surface, and those that are typed to get somewhere.
fn keys_of(world: &World, surface: Surface) -> Vec<KeyEvent> {
    let keymap = &world.state.keymap;
    let commands = surface.tables().flat_map(|table| table.commands());
    let mut keys: Vec<KeyEvent> = commands
        .filter_map(|command| keymap.keys_at(surface, command.command).next())
        .collect();
    if surface == Surface::Composer {
        keys.push(KeyCode::Char('/').into());
    }
    keys
}

/// Every surface and dialog with a way to it.
fn reached() -> (Vec<(Surface, Way)>, BTreeMap<&'static str, Way>) {
    let mut surfaces: Vec<(Surface, Way)> = Vec::new();
    let mut dialogs = BTreeMap::new();
    for start in starts() {
        let mut due = vec![Way {
            start,
            keys: Vec::new(),
        }];
        let mut seen = Vec::new();
        while let Some(way) = due.pop() {
            let world = way.walk();
            let Some(at) = surface(&world) else {
                continue;
            };
            if let Some(open) = dialog(&world) {
                dialogs.entry(open.into()).or_insert_with(|| way.clone());
            }
            if !surfaces.iter().any(|(known, _)| *known == at) {
                surfaces.push((at, way.clone()));
            }
            if seen.contains(&at) || way.keys.len() > FAR {
                continue;
            }
            seen.push(at);
            due.extend(keys_of(&world, at).into_iter().map(|key| way.and(key)));
        }
    }
    (surfaces, dialogs)
}

/// Keys that lead to the list of chats from wherever one is.
fn returns(world: &mut World) -> bool {
    for _ in 0..FAR {
        let before = surface(world);
        match before {
            Some(Surface::Sidebar(_) | Surface::Start) => return true,
            Some(Surface::Terminal) => {
                press_named(world, "ctrl+q");
                press_named(world, "esc");
            }
            Some(Surface::Pane(InPane::Other)) => press_named(world, "q"),
            Some(Surface::Pane(InPane::Agent) | Surface::Inspector) => press_named(world, "tab"),
            Some(_) => {
                press_named(world, "esc");
                if surface(world) == before && dialog(world).is_none() {
                    press_named(world, "tab");
                }
            }
            None => return false,
        }
    }
    false
}

/// Tab leads to all that can be focused in a dialog that asks.
fn is_walked_by_tab(way: &Way, name: &str) {
    let mut world = way.walk();
    let stops = |world: &World| {
        let view = &world.state.views[&ME];
        let ask = view.over.dialog.as_ref()?.contract().ask()?;
        let parts = ask.parts(&around(&world.state, view));
        let stops: Vec<String> = parts
            .iter()
            .flat_map(|part| part.stops())
            .map(|stop| format!("{stop:?}"))
            .collect();
        Some((stops, format!("{:?}", ask.form().at)))
    };
    let Some((wanted, _)) = stops(&world) else {
        return;
    };
    let mut focused = BTreeSet::new();
    for _ in 0..wanted.len() {
        focused.extend(stops(&world).map(|(_, at)| at));
        press_named(&mut world, "tab");
    }
    let missed: Vec<&String> = wanted.iter().filter(|stop| !focused.contains(*stop)).collect();
    assert!(missed.is_empty(), "Tab does not lead to {missed:?} of {name}");
}

#[test]
fn each_surface_and_dialog_is_reached_and_left_by_keys() {
    let (surfaces, dialogs) = reached();
    let missed: Vec<Surface> = Surface::each()
        .filter(|wanted| !surfaces.iter().any(|(known, _)| known == wanted))
        .collect();
    assert!(missed.is_empty(), "no keys lead to {missed:?}; {:?}", dialogs.keys());
    for (surface, way) in &surfaces {
        assert!(returns(&mut way.walk()), "no keys lead back from {surface:?}");
    }

    let missed: Vec<&&str> = Dialog::VARIANTS
        .iter()
        .filter(|name| !dialogs.contains_key(*name) && !BY_AN_ANSWER.contains(name))
        .collect();
    assert!(missed.is_empty(), "no keys lead to {missed:?}");
    for (name, way) in &dialogs {
        assert!(!BY_AN_ANSWER.contains(name), "keys lead to {name} by now");
        is_walked_by_tab(way, name);
        shows_its_keys(&mut way.walk());
        let mut world = way.walk();
        // A choice within it is given up first.
        for _ in 0..3 {
            if dialog(&world).is_some() {
                press_named(&mut world, "esc");
            }
        }
        assert!(dialog(&world).is_none(), "Esc does not leave {name}");
    }
}
