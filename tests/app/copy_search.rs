//! Words that are looked for in a terminal.

use parlour::app::update;
use parlour::domain::event::PtyEvent;
use parlour::domain::{Effect, Event, PaneOrder};
use parlour::screen::layout;
use parlour::term::FoundText;

use super::reading::{build, copy_lines, numbered, shows, spot, wrote};
use crate::support::world::{ME, World};

/// The terminal's thread has searched for what was asked for.
fn found(world: &mut World, words: &str, lines: &[u64]) -> Vec<Effect> {
    let places = lines.iter().map(|line| (spot(*line, 0), spot(*line, 3))).collect();
    let found = FoundText {
        words: words.into(),
        places,
        cut: false,
    };
    update(&mut world.state, Event::Pty(build().into(), PtyEvent::Found(ME, found)))
}

fn asks(words: &str) -> Effect {
    let words = words.into();
    Effect::Pane(build().into(), PaneOrder::Find { client: ME, words })
}

fn cursor(world: &mut World) -> u64 {
    world.view().reading.copy.unwrap().cursor.line
}

#[test]
fn words_are_looked_for_as_they_are_typed_and_the_nearest_above_is_gone_to() {
    let mut world = wrote(&numbered(180));
    world.press("v");
    let origin = cursor(&mut world);
    assert_eq!(world.press("/"), []);
    assert_eq!(world.press("l"), [asks("l")]);
    assert_eq!(world.press("i"), [asks("li")]);
    assert_eq!(
        found(&mut world, "l", &[170]),
        [],
        "that was asked before the last letter"
    );
    assert_eq!(cursor(&mut world), origin);
    assert_eq!(found(&mut world, "li", &[170, 90, 3]), []);
    assert_eq!(cursor(&mut world), 170);
    assert!(
        world.picture().contains("/li▏") && world.picture().contains("3 of 3"),
        "{}",
        world.picture()
    );
    world.press("enter");
    assert_eq!(world.press("n"), [shows(87)], "with some rows around it");
    assert_eq!(world.press("n"), [shows(0)]);
    assert!(world.view().over.toasts.is_empty());
    assert_eq!(world.press("n"), [shows(139)], "around to the newest");
    assert_eq!(cursor(&mut world), 170);
    let told = |world: &mut World| world.view().over.toasts.last().unwrap().text.clone();
    assert_eq!(told(&mut world), "From the end: above there is no more.");
    world.press("N");
    assert_eq!(told(&mut world), "From the top: below there is no more.");
    assert_eq!(cursor(&mut world), 3);
    // What is looked for ends with copy mode.
    world.press("esc");
    assert!(world.view().reading.search.found.is_none());
}

#[test]
fn words_below_are_gone_to_first_and_a_search_upwards_says_that_it_goes_around() {
    let told = |world: &mut World| world.view().over.toasts.last().map(|toast| toast.text.clone());
    let mut world = wrote(&numbered(180));
    world.press("v g / l");
    found(&mut world, "l", &[170, 90, 3]);
    assert_eq!(cursor(&mut world), 3, "the first below");
    world.press("enter n");
    assert_eq!((cursor(&mut world), told(&mut world)), (90, None));
    world.press("N");
    assert_eq!(cursor(&mut world), 3);
    world.press("N");
    assert_eq!(told(&mut world).unwrap(), "From the end: above there is no more.");
    assert_eq!(cursor(&mut world), 170);
    world.forget_toasts();
    world.press("g ? l");
    found(&mut world, "l", &[170, 90, 3]);
    world.press("enter");
    assert_eq!(cursor(&mut world), 170);
    assert_eq!(told(&mut world).unwrap(), "From the end: above there is no more.");
    world.press("n");
    assert_eq!(cursor(&mut world), 90, "on upwards");
}

#[test]
fn an_answer_to_older_letters_counts_no_more_once_the_search_was_begun_or_given_up() {
    let mut world = wrote(&numbered(180));
    world.press("v");
    let origin = cursor(&mut world);
    world.press("/ l i enter");
    found(&mut world, "l", &[170]);
    assert_eq!(cursor(&mut world), origin);
    assert!(
        world.picture().contains("/li") && world.picture().contains("searching…"),
        "{}",
        world.picture()
    );
    found(&mut world, "li", &[90, 3]);
    assert_eq!(cursor(&mut world), 90);
    // So it is where nothing was found: that is told when it is known.
    world.press("/ x y enter");
    assert!(world.view().over.toasts.is_empty());
    found(&mut world, "xy", &[]);
    assert_eq!(world.view().over.toasts[0].text, "Nothing here says “xy”.");
    world.press("n");
    let last = world.view().over.toasts.last().unwrap();
    assert_eq!(last.text, "Nothing here says “xy”.");
    world.press("/ z esc");
    found(&mut world, "z", &[3]);
    assert_eq!(cursor(&mut world), 90);
    assert!(!world.view().reading.search.is_shown());
}

#[test]
fn the_words_of_the_last_search_are_a_proposal_that_goes_with_the_first_letter() {
    let mut world = wrote(&numbered(180));
    world.press("v / l i");
    found(&mut world, "li", &[90, 3]);
    world.press("enter");
    assert_eq!(world.press("/"), []);
    assert!(world.picture().contains("/▏li"), "{}", world.picture());
    assert_eq!(world.press("n"), [asks("n")]);
    world.press("esc");
    world.press("/ l i");
    found(&mut world, "li", &[90, 3]);
    world.press("enter / enter");
    assert_eq!(
        world.view().reading.search.wanted.as_deref(),
        Some("li"),
        "it is taken as it is"
    );
}

#[test]
fn giving_up_a_search_goes_back_to_where_it_began_and_pasted_words_are_looked_for() {
    let mut world = wrote(&numbered(180));
    world.press("v /");
    let origin = cursor(&mut world);
    assert_eq!(world.paste("line 4"), [asks("line 4")]);
    found(&mut world, "line 4", &[48, 3]);
    assert_eq!(cursor(&mut world), 48);
    world.press("esc");
    assert_eq!(cursor(&mut world), origin);
    assert!(world.view().reading.copy.is_some(), "copy mode goes on");
    world.press("/ x");
    found(&mut world, "x", &[]);
    world.press("enter");
    assert_eq!(world.view().over.toasts[0].text, "Nothing here says “x”.");
}

#[test]
fn giving_up_a_search_brings_back_the_lines_that_were_in_sight() {
    for (key, words) in [("?", "4"), ("/", "6")] {
        let mut world = wrote(&numbered(180));
        assert_eq!(world.press("v pageup pageup"), [shows(110)]);
        let before = world.view().reading.top;
        world.press(&format!("{key} {words}"));
        found(&mut world, words, &[20, 3]);
        assert_ne!(world.view().reading.top, before);
        world.press("esc");
        assert_eq!(world.view().reading.top, before);
    }
}

#[test]
fn words_that_may_have_been_in_lines_that_went_are_told_so() {
    let mut world = wrote(&numbered(2000));
    world.press("v / x");
    found(&mut world, "x", &[]);
    world.press("enter");
    let told = |world: &mut World| world.view().over.toasts.last().unwrap().text.clone();
    let lost = "Nothing here says “x”. Older lines are no longer kept.";
    assert_eq!(told(&mut world), lost);
    world.forget_toasts();
    world.press("n");
    assert_eq!(told(&mut world), lost);
}

#[test]
fn what_is_found_is_marked_until_the_selection_is_copied() {
    let mut world = wrote(&numbered(180));
    world.press("v / l");
    found(&mut world, "l", &[179, 178]);
    world.press("enter v k");
    let last = layout::pane_size(world.view()).cols - 1;
    world.press("V");
    assert_eq!(world.press("y"), [copy_lines(spot(178, 0), spot(179, last))]);
}

#[test]
fn the_way_of_a_search_is_seen_by_the_sign_before_its_words() {
    for (key, sign) in [("/", "/li"), ("?", "?li")] {
        let mut world = wrote(&numbered(180));
        world.press("v");
        world.press(key);
        world.press("l i");
        found(&mut world, "li", &[170]);
        assert!(world.picture().contains(&format!("{sign}▏")), "{}", world.picture());
        world.press("enter");
        let picture = world.picture();
        assert!(
            picture
                .lines()
                .any(|line| line.contains(sign) && line.contains("1 of 1")),
            "{picture}"
        );
    }
}
