//! Why the status of a chat is what it is, on the screen.

use parlour::domain::event::{Event, Outcome};
use parlour::domain::work::{Read, ReadDone, ShownContent, ShownRead, Work};
use parlour::model::WorkId;
use parlour::screen::dialog::Dialog;
use serde_json::json;

use crate::support::events::{turn_ended, works};
use crate::support::world::{World, id};

fn is_open(world: &mut World) -> bool {
    matches!(world.view().over.dialog, Some(Dialog::Explain(_)))
}

/// The page is open, and this is the read that it asked for.
fn opened() -> (World, WorkId) {
    let mut world = World::morning(120, 40);
    let effects = world.press("I");
    let asked = works(&effects).into_iter().find_map(|(number, job)| match job {
        Work::Read(Read::Shown(ShownRead::Explain(chat))) if chat == id("auth") => Some(number),
        _ => None,
    });
    (world, asked.expect("its servers are asked for"))
}

#[test]
fn the_page_says_what_the_verdict_rests_on_and_its_key_closes_it() {
    let (mut world, asked) = opened();
    let picture = world.picture();
    for words in [
        "Status of Fix auth bug",
        "running",
        "pid 4711 runs",
        "busy with Bash",
        "nothing yet",
    ] {
        assert!(picture.contains(words), "{words}: {picture}");
    }
    let read = json!({"servers": [{"name": "db", "on": false, "from": "config.json", "because": "left out"}],
        "rules_lost": ["deny Bash(make:*) is not kept by its CLI"]});
    let shown = ShownContent::Explain(id("auth"), read);
    world.happens(Event::Done(asked, Outcome::Read(ReadDone::Shown(shown))));
    let picture = world.picture();
    assert!(picture.contains("db off, config.json, left out"), "{picture}");
    assert!(picture.contains("is not kept by its CLI"), "{picture}");
    world.press("I");
    assert!(!is_open(&mut world));
}

#[test]
fn it_follows_what_happens_and_asks_for_nothing_twice() {
    let (mut world, _) = opened();
    let effects = world.hook(turn_ended(0));
    assert!(
        !works(&effects)
            .iter()
            .any(|(_, job)| matches!(job, Work::Read(Read::Shown(ShownRead::Explain(_)))))
    );
    world.later(3_000);
    let picture = world.picture();
    assert!(picture.contains("idle"), "{picture}");
}

#[test]
fn a_click_on_the_status_opens_it_and_one_beside_it_closes_it() {
    let mut world = World::morning(120, 40);
    world.click(116, 0);
    assert!(is_open(&mut world), "{}", world.picture());
    world.calm();
    world.click(0, 39);
    world.click(0, 0);
    assert!(!is_open(&mut world));
}

#[test]
fn a_chat_whose_agent_does_not_run_is_explained_too() {
    let mut world = World::morning(120, 40);
    world.press("G");
    world.press("I");
    let picture = world.picture();
    assert!(picture.contains("no agent of it runs"), "{picture}");
}
