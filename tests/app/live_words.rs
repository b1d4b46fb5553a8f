//! What an agent is writing, seen before it is whole.

use parlour::domain::Event;
use parlour::domain::event::Observed;
use parlour::model::entry::From;
use parlour::model::{Activity, Capabilities, LiveText, Reported, Source, Streamed};

use crate::support::events::told;
use crate::support::transcript::{Paper, appended, numbered, prompt, read, said};
use crate::support::world::{World, id};

fn tells_of_all() -> Capabilities {
    Capabilities {
        transcribes: true,
        ..Capabilities::unknown()
    }
}

fn reading() -> World {
    let paper = Paper {
        entries: numbered(vec![prompt("fix it", From::Person)]),
        gap_behind: None,
        is_terminal_gone: false,
    };
    let mut world = read(120, 40, &paper);
    let capabilities = Capabilities {
        streams_words: true,
        ..tells_of_all()
    };
    world.is_like("auth", capabilities);
    world.hears(Source::SessionFile, Activity::Busy(None));
    world
}

/// The words of the answer that is told under this id, so far.
fn writes(world: &mut World, key: &str, text: &str) -> usize {
    let mut words = LiveText::of(format!("text {key}"), false);
    words.grow(text);
    let effects = world.happens(Event::Observed(id("auth"), Observed::Writes(words)));
    told(&effects).len()
}

#[test]
fn an_answer_grows_behind_a_caret_and_is_drawn_once_more_when_it_is_whole() {
    let mut world = reading();
    assert_eq!(
        writes(&mut world, "a1", "The **session"),
        0,
        "nothing of it is written down"
    );
    let picture = world.picture();
    assert!(picture.contains("The **session▍"), "{picture}");
    writes(&mut world, "a1", "The **session** is\ndone");
    let picture = world.picture();
    assert!(
        picture.contains("The **session** is\n") && picture.contains("done▍"),
        "{picture}"
    );
    // It is told, and in the transcript a moment later.
    let mut whole = said("The **session** is done");
    if let parlour::model::Happened::Text { id, .. } = &mut whole {
        *id = "a1".into();
    }
    let line = Streamed::Reported(Reported {
        at: None,
        what: whole.clone(),
    });
    world.happens(Event::Observed(id("auth"), Observed::Stream(vec![line], None)));
    let mut entries = numbered(vec![whole]);
    entries[0].seq = 2;
    appended(&mut world, &id("auth"), entries);
    let picture = world.picture();
    assert!(
        picture.contains("The session is done") && !picture.contains('▍'),
        "{picture}"
    );
}

#[test]
fn what_is_still_written_is_not_new_to_who_reads_further_up() {
    let mut world = reading();
    writes(&mut world, "a1", &"a line\n".repeat(200));
    world.press("pageup");
    assert_eq!(world.view().transcript.fresh(), 0);
    assert!(!world.picture().contains('▍'), "{}", world.picture());
}

#[test]
fn a_cli_that_tells_only_what_is_whole_is_said_to_be_at_work() {
    let mut world = reading();
    world.is_like("auth", tells_of_all());
    world.later(1_000);
    let at_work = "at work; what it writes is shown when it is whole";
    assert!(world.picture().contains(at_work), "{}", world.picture());
    world.hears(Source::SessionFile, Activity::Idle);
    world.later(1_000);
    assert!(!world.picture().contains(at_work), "{}", world.picture());
}

#[test]
fn words_without_end_take_no_room_without_end() {
    let mut words = LiveText::of("text a".into(), false);
    (0..10_000).for_each(|_| words.grow("größe "));
    assert!(
        words.text.len() <= 16 << 10 && words.text.ends_with("größe "),
        "{}",
        words.text.len()
    );
    assert_eq!(words.before + words.text.len() as u64, 10_000 * "größe ".len() as u64);
}
