//! The key that leaves: first what stands in place of the agent's terminal, and only then the screen.

use parlour::domain::event::ClientEvent;
use parlour::domain::work::ChatWork;
use parlour::domain::{Effect, Event, Work};
use parlour::model::preferences::{LeftWords, ScreenPlace};
use parlour::model::script::ScriptEnding;
use parlour::screen::keymap::PaneSheet;
use parlour::screen::layout;
use parlour::screen::left;
use parlour::screen::surface::{InPane, Surface};
use parlour::screen::view::{Mode, Tab};

use crate::support::events::jobs;
use crate::support::review::{answer, reviewed};
use crate::support::transcript::{kinds, read};
use crate::support::world::{ME, World, id};

fn leaves(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| matches!(effect, Effect::Bye(..)))
}

fn last_row(world: &World) -> String {
    world.picture().lines().rev().nth(1).unwrap_or_default().to_string()
}

/// Presses the key twice, with a pause between: it goes back to the terminal, then detaches.
fn closes_then_leaves(world: &mut World, what: &str) {
    world.calm();
    assert!(!leaves(&world.press("q")), "{what}: it closes");
    assert_eq!(world.view().tab, Tab::Terminal, "{what}");
    world.later(100);
    assert!(
        !leaves(&world.press("q")),
        "{what}: a second one in haste does not leave"
    );
    world.later(5_000);
    assert!(last_row(world).contains("q detach"), "{what}: {}", last_row(world));
    assert!(leaves(&world.press("q")), "{what}: nothing is left to close");
}

#[test]
fn q_closes_each_tab_and_only_then_detaches() {
    for opens in ["t", "d", "h", "l", "W"] {
        let mut world = World::morning(200, 50);
        world.press(opens);
        assert!(
            last_row(&world).contains("Esc q close"),
            "{opens}: {}",
            last_row(&world)
        );
        closes_then_leaves(&mut world, opens);
    }
}

#[test]
fn q_closes_a_tab_from_deeper_in_it_where_esc_goes_one_step() {
    let mut world = read(200, 50, &kinds());
    world.press("/ a enter esc");
    assert_eq!(
        world.view().tab,
        Tab::Sheet(PaneSheet::Transcript),
        "Esc ends the search"
    );
    world.press("/ a enter");
    closes_then_leaves(&mut world, "a search");
    // In fields it is a letter.
    let mut world = World::morning(200, 50);
    world.press("t enter q");
    assert_eq!(world.view().composer.field.text(), "q");
    world.press("esc / q");
    assert_eq!(world.view().surface(), Surface::Search);
}

#[test]
fn q_in_the_list_of_chats_closes_the_tab_beside_it() {
    let mut world = World::morning(120, 40);
    world.press("d tab");
    assert_eq!(world.view().surface(), Surface::Sidebar(InPane::Other));
    assert!(last_row(&world).contains("q close"), "{}", last_row(&world));
    closes_then_leaves(&mut world, "the list");
}

#[test]
fn q_beside_the_agent_leads_back_to_its_terminal() {
    let mut world = World::morning(120, 40);
    let (number, _) = world.presses_for("e");
    world.run_starts(id("auth"), number, "up");
    assert_eq!(world.view().tab, Tab::Side(number));
    assert_eq!(world.view().surface(), Surface::Pane(InPane::Other));
    closes_then_leaves(&mut world, "a run");
}

#[test]
fn q_leaves_the_grid() {
    let mut world = World::morning(200, 50);
    world.press("Z");
    assert!(last_row(&world).contains("Z q out of the grid"), "{}", last_row(&world));
    world.calm();
    assert!(!leaves(&world.press("q")));
    assert!(world.view().shown_grid().is_none());
}

#[test]
fn q_leads_out_of_the_cards_and_hides_them_where_they_lie_over_the_terminal() {
    for (cols, stays) in [(200, true), (80, false)] {
        for keys in ["c", "c 4"] {
            let mut world = World::morning(cols, 40);
            if layout::arrange(world.view()).inspector.is_some() {
                world.press("c");
                world.calm();
            }
            world.press(keys);
            assert_eq!(world.view().surface(), Surface::Inspector);
            world.calm();
            assert!(!leaves(&world.press("q")), "{cols} {keys}");
            assert_eq!(world.view().surface(), Surface::Pane(InPane::Agent), "{cols} {keys}");
            let there = layout::arrange(world.view()).inspector.is_some();
            assert_eq!(there, stays, "{cols} {keys}");
            world.calm();
            assert!(leaves(&world.press("q")));
        }
    }
}

#[test]
fn the_leader_detaches_from_anywhere_and_a_tab_says_so() {
    let mut world = World::morning(120, 40);
    world.press("d ctrl+c");
    let told = world.view().over.toasts.first().map(|toast| toast.text.clone());
    assert_eq!(told.as_deref(), Some("Ctrl+Q q detaches, and agents run on."));
    assert!(leaves(&world.press("ctrl+q q")));
}

#[test]
fn the_key_that_closes_tabs_can_be_another() {
    let mut world = World::morning(120, 40);
    world.keys(&[("closeTab", "Q")]);
    world.press("d");
    world.calm();
    world.press("Q");
    assert_eq!(world.view().tab, Tab::Terminal);
}

/// What is written down of the form of a new chat.
fn forms(effects: &[Effect]) -> Vec<String> {
    let form = |job| match job {
        Work::Chat(ChatWork::KeepLeft(left)) => Some(left.form),
        _ => None,
    };
    jobs(effects).into_iter().filter_map(form).collect()
}

#[test]
fn what_is_typed_for_a_new_chat_outlives_the_engine_and_stands_in_the_next_form() {
    let mut world = World::morning(120, 40);
    world.press("n");
    world.paste("my long prompt");
    assert_eq!(forms(&world.later(200)), [""; 0], "more may follow");
    assert_eq!(forms(&world.later(100)), ["my long prompt"]);
    assert_eq!(forms(&world.later(5_000)), [""; 0]);
    let note = "You typed this before the engine or your screen ended.";
    assert!(!world.picture().contains(note), "{}", world.picture());
    let comes_back = |world: &mut World| {
        let effects = world.updates(Event::Client(ME, ClientEvent::Gone));
        world.attach(ME, 120, 40);
        world.calm();
        world.press("n");
        forms(&effects)
    };
    assert_eq!(comes_back(&mut world), ["my long prompt"]);
    let shown = world.picture();
    assert!(shown.contains("my long prompt") && shown.contains(note), "{shown}");
    // What was typed just before is not waited for.
    world.paste(" and more");
    assert_eq!(comes_back(&mut world), ["my long prompt and more"]);
    assert!(
        world.picture().contains("my long prompt and more"),
        "{}",
        world.picture()
    );
    // It is given up by who empties it.
    world.press("ctrl+u");
    assert_eq!(world.state.domain.disk.left.form, "");
    assert!(!world.picture().contains(note), "{}", world.picture());
}

#[test]
fn what_is_typed_to_an_agent_as_the_engine_ends_is_no_command_of_the_next_one() {
    let mut world = World::morning(120, 40);
    let place = |types| ScreenPlace {
        chat: Some(id("auth")),
        types,
        ..ScreenPlace::default()
    };
    // In an agent, in a form, in a filter.
    for (keys, types) in [("enter", true), ("n", true), ("/", true), ("g", false), ("d", false)] {
        let mut world = World::morning(120, 40);
        world.press(keys);
        assert_eq!(left::place(world.view()).types, types, "{keys}");
    }
    world.come_back(ME, place(true));
    world.press("z");
    assert!(!world.view().zoomed, "{}", world.picture());
    let told = last_row(&world);
    assert!(told.contains("z ignored: what you typed in has just closed"), "{told}");
    assert!(world.picture().contains("The engine ended"), "{}", world.picture());
    // The next words come when the screen is back.
    world.later(900);
    world.press("z");
    assert!(!world.view().zoomed);
    world.later(2_100);
    world.press("z");
    assert!(world.view().zoomed);
    // Who was among the chats typed commands.
    world.come_back(ME, place(false));
    world.press("z");
    assert!(world.view().zoomed);
}

/// Detaches, and attaches again.
fn comes_back(world: &mut World) {
    world.updates(Event::Client(ME, ClientEvent::Gone));
    world.attach(ME, 120, 40);
    world.calm();
}

#[test]
fn whoever_attaches_again_has_what_they_left_before_them() {
    let mut world = World::morning(120, 40);
    let (number, _) = world.presses_for("E");
    world.editor_starts(number, "~ grove");
    comes_back(&mut world);
    let there = |world: &World| {
        let view = &world.state.views[&ME];
        (view.tab, view.mode)
    };
    assert_eq!(there(&world), (Tab::Side(number), Mode::Agent));
    world.press("ctrl+q esc");
    comes_back(&mut world);
    assert_eq!(there(&world), (Tab::Side(number), Mode::Outside));
    // What was meant for an editor that ended meanwhile is not for the agent.
    world.press("enter");
    world.updates(Event::Client(ME, ClientEvent::Gone));
    world.comes_to_its_end(number, ScriptEnding::Exited(0));
    world.attach(ME, 120, 40);
    assert_eq!(there(&world), (Tab::Terminal, Mode::Outside));
    world.calm();
    world.press("t");
    comes_back(&mut world);
    assert_eq!(there(&world), (Tab::Sheet(PaneSheet::Transcript), Mode::Outside));
    world.press("q");
    comes_back(&mut world);
    assert_eq!(there(&world), (Tab::Terminal, Mode::Outside));
}

/// What is written down of messages and remarks.
fn words(effects: &[Effect]) -> Vec<Option<LeftWords>> {
    let words = |job| match job {
        Work::Chat(ChatWork::KeepLeft(left)) => Some(left.words),
        _ => None,
    };
    jobs(effects).into_iter().filter_map(words).collect()
}

#[test]
fn a_remark_that_is_being_typed_outlives_the_engine_and_stands_at_its_place() {
    let mut world = reviewed(120, 40);
    world.press_each("enter j j j enter q u o k k a", answer);
    assert_eq!(words(&world.later(200)), []);
    let written = words(&world.later(100));
    let [Some(left)] = written.as_slice() else {
        panic!("{written:?}");
    };
    assert_eq!(left.words, "quokka");
    world.updates(Event::Client(ME, ClientEvent::Gone));
    world.attach(ME, 120, 40);
    let again = world.view().over.drafts.words_again(&left.chat, &left.about);
    assert_eq!(again.map(|left| left.words).as_deref(), Some("quokka"));
    // What was sent is not typed again.
    let mut world = reviewed(120, 40);
    world.press_each("enter j j j enter q u o k k a", answer);
    world.later(300);
    let mut sent = world.press("ctrl+s");
    sent.extend(world.later(300));
    assert_eq!(words(&sent).last(), Some(&None));
}
