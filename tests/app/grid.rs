//! Screens of several chats beside each other: which there are, which of them has the keys.

use parlour::domain::effect::{Effect, PaneOrder};
use parlour::domain::event::Size;
use parlour::model::PaneId;
use parlour::screen::grid::tiles::tiles;

use crate::support::world::{World, id};

fn shown(world: &mut World) -> Vec<String> {
    tiles(world.view()).iter().map(|tile| tile.chat.to_string()).collect()
}

fn last_row(world: &World) -> String {
    world.picture().lines().rev().nth(1).unwrap_or_default().to_string()
}

/// Which terminals were told their size.
fn sized(effects: &[Effect]) -> Vec<(PaneId, Size)> {
    let sized = effects.iter().filter_map(|effect| match effect {
        Effect::Pane(pane, PaneOrder::Resize(size)) => Some((pane.clone(), *size)),
        _ => None,
    });
    sized.collect()
}

#[test]
fn all_that_run_stand_beside_each_other_in_the_size_of_their_tiles() {
    let mut world = World::morning(200, 50);
    let effects = world.press("Z");
    let running = ["auth", "memcd", "redis", "dates"].map(|short| id(short).to_string());
    let mut there = shown(&mut world);
    there.sort();
    let mut wanted = running.to_vec();
    wanted.sort();
    assert_eq!(there, wanted);
    for tile in tiles(world.view()) {
        let size = Size {
            cols: tile.pane.width,
            rows: tile.pane.height,
        };
        assert!(
            sized(&effects).contains(&(PaneId::Agent(tile.chat.clone()), size)),
            "{tile:?}"
        );
    }
    assert!(last_row(&world).starts_with(" GRID "), "{}", last_row(&world));
    world.calm();
    world.press("Z");
    assert_eq!(shown(&mut world), Vec::<String>::new());
    assert!(world.picture().contains("parlour  "), "the list is back");
}

#[test]
fn a_number_leads_to_the_tile_that_shows_it() {
    let mut world = World::morning(200, 50);
    world.press("G M k M Z");
    let tiles = tiles(world.view());
    let numbers = world.state.domain.live.looked_at.numbers.clone();
    let numbered = tiles
        .iter()
        .filter_map(|tile| Some((&tile.chat, numbers.get(&tile.chat)?)));
    let numbered: Vec<_> = numbered.collect();
    let is_by_place = |(place, (_, number)): (usize, &(_, &u8))| place + 1 == usize::from(**number);
    assert!(!numbered.iter().enumerate().all(is_by_place), "{numbered:?}");
    for (chat, number) in numbered {
        world.press(&number.to_string());
        assert_eq!(world.view().chat.as_ref(), Some(chat));
    }
    let shown = tiles.iter().map(|tile| &tile.chat);
    let shown: Vec<_> = shown.collect();
    let other = numbers
        .iter()
        .find(|(chat, _)| !shown.contains(chat))
        .expect("one rests");
    let before = world.view().chat.clone();
    world.press(&other.1.to_string());
    assert_eq!(world.view().chat, before);
}

#[test]
fn marked_chats_are_shown_whatever_else_runs() {
    let mut world = World::morning(200, 50);
    world.press("g M");
    let marked = world.view().sidebar.marked.len();
    world.press("M Z");
    assert_eq!((marked, shown(&mut world).len()), (1, 2));
}

#[test]
fn what_is_typed_goes_to_the_tile_that_has_the_focus() {
    let mut world = World::morning(200, 50);
    world.press("Z enter");
    let typed = |effects: Vec<Effect>| {
        effects.into_iter().find_map(|effect| match effect {
            Effect::Pane(pane, PaneOrder::Input(_)) => Some(pane),
            _ => None,
        })
    };
    let first = world.view().chat.clone().unwrap();
    assert_eq!(typed(world.press("x")), Some(PaneId::Agent(first.clone())));
    // A click on another goes there, still inside; so does the key for what is next.
    let other = tiles(world.view()).into_iter().find(|tile| tile.chat != first).unwrap();
    world.click(other.pane.x + 3, other.pane.y + 3);
    assert_eq!(typed(world.press("x")), Some(PaneId::Agent(other.chat.clone())));
    world.press("ctrl+q tab");
    assert_ne!(world.view().chat, Some(other.chat));
    world.press("ctrl+q esc");
    assert!(last_row(&world).starts_with(" GRID "), "{}", last_row(&world));
}

#[test]
fn one_of_the_tiles_is_zoomed_and_the_grid_is_there_again() {
    let mut world = World::morning(200, 50);
    world.press("Z z");
    assert_eq!(shown(&mut world).len(), 0);
    world.press("z");
    assert_eq!(shown(&mut world).len(), 4);
}

#[test]
fn the_key_of_the_grid_leads_back_to_it_from_a_zoomed_screen() {
    let mut world = World::morning(200, 50);
    world.press("Z z Z");
    assert_eq!(shown(&mut world).len(), 4);
    world.press("Z");
    assert_eq!(shown(&mut world).len(), 0);
    assert!(world.picture().contains("parlour  "), "the list is back");
}

#[test]
fn a_screen_has_the_number_of_its_chat() {
    let mut world = World::morning(200, 50);
    world.press("Z");
    for tile in tiles(world.view()) {
        let number = world.state.domain.live.looked_at.numbers[&tile.chat];
        let title = format!(" {number} ");
        let picture = world.picture();
        let line = picture.lines().nth(usize::from(tile.title.y)).unwrap_or_default();
        assert!(line.contains(&title), "{title:?} in {line:?}");
        world.press(&number.to_string());
        assert_eq!(world.view().chat, Some(tile.chat));
    }
}

#[test]
fn the_selected_tile_of_the_grid_is_seen_and_the_others_are_glanced_at() {
    let mut world = World::morning(200, 50);
    world.press("Z");
    let other = id("dates");
    assert!(shown(&mut world).contains(&other.to_string()));
    assert_ne!(world.view().chat, Some(other.clone()));
    world.later(100);
    assert!(world.state.domain.live.unseen.contains(&other));
    world.later(1_000);
    assert!(world.state.domain.live.unseen.contains(&other));
    for _ in 0..9 {
        if world.view().chat.as_ref() != Some(&other) {
            world.press("tab");
        }
    }
    world.later(1_000);
    assert!(!world.state.domain.live.unseen.contains(&other));
}

#[test]
fn a_small_screen_shows_the_tiles_around_the_selected_one() {
    let mut world = World::morning(80, 24);
    world.press("Z");
    assert_eq!(shown(&mut world).len(), 2);
    let first = shown(&mut world);
    world.press("tab tab");
    assert_eq!(shown(&mut world).len(), 2);
    assert_ne!(shown(&mut world), first);
}

#[test]
fn without_a_running_agent_there_is_no_grid() {
    let mut world = World::new(120, 40);
    world.chat("ended", "Ended", 2).ended("ended");
    world.look();
    world.press("Z");
    assert!(world.picture().contains("No agent runs"), "{}", world.picture());
    assert_eq!(shown(&mut world).len(), 0);
}
