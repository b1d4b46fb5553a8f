//! The Work pane by keys and mouse.

use parlour::domain::event::Outcome;
use parlour::domain::work::{ChatDone, ChatWork, ProjectWork, TeamDone, TeamWork, Work};
use parlour::domain::{Effect, Event};
use parlour::model::WorkId;
use parlour::model::atom::{AtomChange, AtomKey, AtomStatus, Edit, Graph, Molecule, NewAtom, NewAtoms, Who};
use parlour::screen::dialog::Dialog;
use parlour::screen::keymap::PaneSheet;
use parlour::screen::layout;
use parlour::screen::tab::board::Face;
use parlour::screen::view::{Focus, Mode, Tab};

use crate::support::events::{jobs, works};
use crate::support::world::{World, id};

const PLAN: &str = r#"{"v": 1, "atoms": [
    {"id": "a", "title": "A"},
    {"id": "b", "title": "B", "status": "in_progress", "owner": "auth"},
    {"id": "c", "title": "C", "needs": ["a", "b"]},
    {"id": "d", "title": "D", "status": "done", "owner": "auth"}]}"#;

fn world() -> World {
    let mut world = World::morning(120, 40);
    let graph = Graph {
        molecules: vec![Molecule::parse("plan", PLAN.as_bytes())],
    };
    world.edits("auth", |chat| chat.work = Some(graph));
    world.look();
    world
}

fn key(id: &str) -> AtomKey {
    AtomKey::new("plan", id)
}

fn selected(world: &World) -> String {
    let board = &world.state.views.values().next().unwrap().tabs.board;
    board.selected.as_ref().map_or(String::new(), |key| key.id.clone())
}

/// What is asked of the graph: all of it by a person, for the chat that is shown.
fn changes(effects: &[Effect]) -> Vec<AtomChange> {
    let change = |(_, job)| match job {
        Work::Team(TeamWork::Atoms { root, change, by }) => {
            assert_eq!((root, by.who, by.chat), (id("auth"), Who::Person, id("auth")));
            Some(change)
        }
        _ => None,
    };
    works(effects).into_iter().filter_map(change).collect()
}

#[test]
fn tab_goes_from_the_terminal_to_the_work_and_on_to_the_sidebar() {
    let mut world = world();
    let at = |world: &mut World| (world.view().focus, world.view().tab);
    world.press("tab");
    assert_eq!(at(&mut world), (Focus::Pane, Tab::Terminal));
    world.press("tab");
    assert_eq!(at(&mut world), (Focus::Pane, Tab::Sheet(PaneSheet::Work)));
    world.press("tab");
    assert_eq!(at(&mut world), (Focus::Sidebar, Tab::Sheet(PaneSheet::Work)));
    world.press("W");
    assert_eq!(at(&mut world), (Focus::Pane, Tab::Sheet(PaneSheet::Work)));
    world.press("W");
    assert_eq!(at(&mut world), (Focus::Pane, Tab::Terminal));
    world.press("W esc");
    assert_eq!(at(&mut world), (Focus::Pane, Tab::Terminal));
}

#[test]
fn going_into_the_agent_shows_its_terminal() {
    let mut world = world();
    world.press("W tab enter");
    assert_eq!((world.view().mode, world.view().tab), (Mode::Agent, Tab::Terminal));
    world.press("ctrl+q W");
    assert_eq!(
        (world.view().mode, world.view().tab),
        (Mode::Outside, Tab::Sheet(PaneSheet::Work))
    );
    world.press("ctrl+q esc");
    assert_eq!(world.view().focus, Focus::Sidebar);
}

#[test]
fn keys_move_the_selection_in_the_board_and_along_the_wires_of_the_graph() {
    let mut world = world();
    world.press("W");
    assert_eq!(selected(&world), "a");
    for (keys, at) in [
        ("j", "c"),
        ("j", "c"),
        ("right", "b"),
        ("l", "d"),
        ("l", "d"),
        ("h", "b"),
        ("h", "a"),
    ] {
        world.press(keys);
        assert_eq!(selected(&world), at, "{keys}");
    }
    world.press("g");
    assert_eq!(world.view().tabs.board.face, Face::Graph);
    for (keys, at) in [("l", "c"), ("l", "c"), ("h", "a"), ("j", "b"), ("k", "a")] {
        world.press(keys);
        assert_eq!(selected(&world), at, "{keys}");
    }
}

#[test]
fn home_and_end_of_the_work_are_its_first_and_last_atom_and_the_chat_stays() {
    let mut world = world();
    world.press("W");
    for (keys, at) in [("G", "d"), ("home", "a"), ("end", "d")] {
        world.press(keys);
        assert_eq!(
            (selected(&world).as_str(), world.selected()),
            (at, "Fix auth bug"),
            "{keys}"
        );
    }
}

#[test]
fn how_a_new_line_is_made_is_said_where_there_can_be_one() {
    let mut world = world();
    for keys in ["W a", "esc e"] {
        world.press(keys);
        assert!(!world.picture().contains("Alt+Enter new line"));
        world.press("tab");
        assert!(world.picture().contains("Alt+Enter new line"), "{keys}");
    }
}

#[test]
fn keys_claim_move_and_set_back() {
    let mut world = world();
    world.press("W");
    assert_eq!(changes(&world.press("c")), [AtomChange::Claim(key("a"))]);
    assert_eq!(changes(&world.press(">")), [AtomChange::Claim(key("a"))]);
    assert_eq!(changes(&world.press("<")), []);
    world.press("l");
    let to = |status| AtomChange::Update(key("b"), Edit::to(status));
    assert_eq!(changes(&world.press("shift+right")), [to(AtomStatus::Done)]);
    assert_eq!(changes(&world.press("shift+left")), [to(AtomStatus::Todo)]);
}

#[test]
fn what_was_typed_for_a_task_that_was_not_added_is_there_again() {
    let mut world = world();
    world.press("W a S h i p tab n o w esc");
    assert!(
        world
            .picture()
            .contains("the next new task goes on with what was typed"),
        "{}",
        world.picture()
    );
    world.calm();
    world.press("a");
    let picture = world.picture();
    assert!(picture.contains("Ship") && picture.contains("now"), "{picture}");
    // What is added is not.
    let effects = world.press("ctrl+s");
    assert_eq!(changes(&effects).len(), 1);
    let (work, _) = works(&effects).remove(0);
    let chat = world.on_disk("auth");
    world.happens(Event::Done(work, Outcome::Team(TeamDone::Atoms(Box::new(chat)))));
    world.calm();
    world.press("a");
    assert!(!world.picture().contains("Ship"), "{}", world.picture());
    // A form in which nothing was typed is no loss.
    world.forget_toasts();
    world.press("esc");
    assert!(!world.picture().contains("goes on with"), "{}", world.picture());
}

#[test]
fn an_atom_is_added_by_a_form_and_selected_once_it_is_there() {
    let mut world = world();
    let effects = world.press("W a S h i p space i t ctrl+s");
    let new = NewAtom {
        id: "ship-it".into(),
        title: "Ship it".into(),
        ..NewAtom::default()
    };
    let add = AtomChange::Add(NewAtoms {
        molecule: "plan".into(),
        atoms: vec![new],
    });
    assert_eq!(changes(&effects), [add]);
    let (work, _) = works(&effects).remove(0);
    let mut chat = world.on_disk("auth");
    let more = PLAN.replace(
        r#"{"id": "a","#,
        r#"{"id": "ship-it", "title": "Ship it"}, {"id": "a","#,
    );
    chat.work = Some(Graph {
        molecules: vec![Molecule::parse("plan", more.as_bytes())],
    });
    world.happens(Event::Done(work, Outcome::Team(TeamDone::Atoms(Box::new(chat)))));
    assert!(world.view().over.dialog.is_none());
    assert_eq!(selected(&world), "ship-it");
}

#[test]
fn an_edit_changes_what_was_changed_and_a_failure_is_said_in_the_form() {
    let mut world = world();
    let effects = world.press("W e ! ctrl+s");
    let edit = Edit {
        title: Some("A!".into()),
        detail: Some(String::new()),
        ..Edit::default()
    };
    assert_eq!(changes(&effects), [AtomChange::Update(key("a"), edit)]);
    let (work, _) = works(&effects).remove(0);
    let full = parlour::model::Problem::new("writing the work graph", "the disk is full", "");
    world.happens(Event::Done(work, Outcome::Failed(full)));
    assert!(world.picture().contains("the disk is full"));
    world.press("esc");
    assert!(world.view().over.dialog.is_none());
}

#[test]
fn a_click_selects_and_a_second_one_opens() {
    let mut world = world();
    world.press("W tab");
    let pane = layout::arrange(world.view()).pane;
    let middle = pane.x + pane.width / 2;
    world.click(middle, pane.y + 1);
    assert_eq!((selected(&world).as_str(), world.view().focus), ("b", Focus::Pane));
    world.click(middle, pane.y + 1);
    assert!(matches!(world.view().over.dialog, Some(Dialog::AtomPage(_))));
    world.press("esc");
    let rule = layout::arrange(world.view()).rule;
    world.click(rule.x + 4, rule.y);
    assert_eq!(world.view().tab, Tab::Terminal);
}

#[test]
fn a_selected_atom_that_vanishes_leaves_another_selected() {
    let mut world = world();
    world.press("W j");
    assert_eq!(selected(&world), "c");
    let graph = Graph {
        molecules: vec![Molecule::parse("plan", br#"{"atoms": [{"id": "z", "title": "Z"}]}"#)],
    };
    let chats = &mut world.state.domain.disk.chats;
    chats.change(&id("auth"), |chat| chat.work = Some(graph));
    world.look();
    assert_eq!(selected(&world), "z");
}

/// A new chat for the first atom, as it comes to the disk; its atom is being claimed by this work.
fn handed(world: &mut World) -> (WorkId, Work) {
    world.press("k n");
    assert!(world.picture().contains("New chat for plan/a"));
    let begins = "feature-auth of fix-auth-bug · a new name";
    assert!(world.picture().contains(begins), "{}", world.picture());
    let effects = world.press("ctrl+s");
    let (work, job) = works(&effects).remove(0);
    let Work::Chat(ChatWork::Create(new)) = job else {
        panic!("{job:?}");
    };
    assert_eq!(new.parent, Some(id("auth")));
    assert!(new.prompt.unwrap().starts_with("A\n\nThis is the atom plan/a"));
    world.chat("child", "A", 0).below("auth");
    let made = world.on_disk("child");
    let effects = world.happens(Event::Done(work, Outcome::Chat(ChatDone::Loaded(Box::new(made)))));
    works(&effects).remove(0)
}

#[test]
fn an_atom_is_handed_to_a_new_chat_below_this_one_that_has_it_before_its_agent_starts() {
    let mut world = world();
    world.press("W j n");
    assert!(world.view().over.dialog.is_none(), "C waits for A");
    let (work, job) = handed(&mut world);
    let Work::Team(TeamWork::Atoms { root, change, by }) = job else {
        panic!("{job:?}");
    };
    assert_eq!(
        (root, change, by.chat),
        (id("auth"), AtomChange::Claim(key("a")), id("child"))
    );
    let root = world.on_disk("auth");
    let effects = world.happens(Event::Done(work, Outcome::Team(TeamDone::Atoms(Box::new(root)))));
    // As what its agent dispatches: with the commits and on the branch of its own clone.
    let opened = works(&effects).into_iter().find_map(|(_, job)| match job {
        Work::Project(ProjectWork::OpenFrom { chat, from, open, .. }) => Some((chat, from, open.path_or_url)),
        _ => None,
    });
    assert_eq!(opened, Some((id("child"), id("auth"), "grove".into())), "{effects:?}");
}

#[test]
fn a_new_chat_that_is_given_up_while_its_atom_is_claimed_leaves_its_parent_alone() {
    let mut world = world();
    world.press("W j");
    let (work, _) = handed(&mut world);
    assert!(world.press("esc").contains(&Effect::Cancel(work)));
    let root = world.on_disk("auth");
    let effects = world.happens(Event::Done(work, Outcome::Team(TeamDone::Atoms(Box::new(root)))));
    let discarded: Vec<_> = jobs(&effects)
        .into_iter()
        .filter_map(|job| match job {
            Work::Chat(ChatWork::Discard(chat)) => Some(chat),
            _ => None,
        })
        .collect();
    assert_eq!(discarded, [id("child")]);
}
