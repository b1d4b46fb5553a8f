//! The Work pane: the plan that a tree of chats shares.

use parlour::model::Timestamp;
use parlour::model::atom::{Graph, Molecule};

use super::pictured;
use crate::support::world::{World, noon};

const PLAN: &str = r#"{"v": 1, "atoms": [
    {"id": "format", "title": "Agree on the format", "status": "done", "owner": "authaaaaaa"},
    {"id": "parser", "title": "Read the new format", "status": "in_progress", "needs": ["format"], "owner": "redisaaaaa"},
    {"id": "writer", "title": "Write the new format", "needs": ["format"],
     "note": "free again: try-memcached, whose it was, has ended (ended by signal 9)"},
    {"id": "bench", "title": "Measure both, with files of a gigabyte", "needs": ["parser", "writer"]},
    {"id": "docs", "title": "Describe it in the handbook", "needs": ["parser"]},
    {"id": "site", "title": "期限切れのトークン 🙁", "status": "in_progress", "owner": "somebody-else"},
    {"id": "release", "title": "Release 2.0", "needs": ["bench", "docs", "site", "format"]}]}"#;

fn planned(cols: u16, rows: u16) -> World {
    let mut world = World::morning(cols, rows);
    plan(&mut world, PLAN);
    world.press("W");
    world
}

fn plan(world: &mut World, text: &str) {
    let mut molecule = Molecule::parse("release", text.as_bytes());
    for item in &mut molecule.items {
        if let parlour::model::atom::MoleculeItem::Atom(atom) = item {
            atom.since = Some(Timestamp(noon().0 - 12 * 60_000));
        }
    }
    let graph = Graph {
        molecules: vec![molecule],
    };
    world.edits("auth", |chat| chat.work = Some(graph));
    world.look();
}

#[test]
fn the_board_shows_what_is_ready_what_waits_and_who_does_what() {
    pictured(
        "work.board",
        "To do with what is ready first, what waits and for what; in progress with owner and age; done. The first is selected.",
        planned,
    );
}

#[test]
fn a_card_says_that_nobody_works_on_it_any_more() {
    let mut world = World::morning(120, 40);
    let text = r#"{"v": 1, "atoms": [{"id": "parser", "title": "Read the format", "status": "in_progress",
        "owner": "redisaaaaa", "note": "its owner ended its turn without a report"}]}"#;
    plan(&mut world, text);
    world.press("W");
    let picture = world.picture();
    let words = picture.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("its owner ended"), "{picture}");
    assert!(picture.contains("without a report"), "{picture}");
}

#[test]
fn the_graph_shows_what_leads_to_what() {
    pictured(
        "work.graph",
        "Layers from left to right with wires between; those of the selected atom, bench, stand out.",
        |cols, rows| {
            let mut world = planned(cols, rows);
            world.press("j g");
            world
        },
    );
}

#[test]
fn a_chat_without_a_plan_says_what_the_pane_is_for() {
    pictured(
        "work.empty",
        "What a plan is, and how to add to it; the tabs stand above.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("W");
            world
        },
    );
}

#[test]
fn an_atom_is_added_in_a_form() {
    pictured(
        "work.add",
        "Title, detail, needs, id and molecule; the cursor is in the title.",
        |cols, rows| {
            let mut world = planned(cols, rows);
            world.press("a S h i p");
            world
        },
    );
}

#[test]
fn an_atom_opens_with_all_that_is_known_of_it() {
    pictured(
        "work.atom",
        "Title, place and status; what it needs, with what of that is done; the note.",
        |cols, rows| {
            let mut world = planned(cols, rows);
            world.press("enter");
            world
        },
    );
}

#[test]
fn what_cannot_be_read_and_what_waits_for_itself_is_said() {
    pictured(
        "work.odd",
        "A line above the board names the molecule and why it cannot be read.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            let text = r#"{"atoms": [{"id": "a", "title": "A", "needs": ["b"]}, {"id": "b", "title": "B", "needs": ["a"]}, {"id": 7}]}"#;
            plan(&mut world, text);
            world.press("W");
            world
        },
    );
}
