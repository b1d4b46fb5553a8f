//! The Checkpoints tab: what it asks workers for, and what its keys do.

use std::collections::BTreeMap;
use std::time::Instant;

use parlour::config::theme::Theme;
use parlour::domain::effect::Effect;
use parlour::domain::event::{DiskEvent, Event, Observed, Outcome};
use parlour::domain::work::{ReviewDone, ReviewWork, Work};
use parlour::model::Status;
use parlour::model::entry::From;
use parlour::model::request::Request;
use parlour::model::review::{Amount, Back, Cause, DiffSet, KeptCheckpoint, Point, RevertOf, ReviewAsk};
use parlour::model::talk::{HiddenEntries, OwnRewind, RewindEnd};
use parlour::screen::dialog::Dialog;
use parlour::screen::keymap::PaneSheet;
use parlour::screen::tab::transcript;
use parlour::screen::view::Tab;

use crate::support::events::{replies, told, works};
use crate::support::paper::draw;
use crate::support::review::{answer, checkpoint, listed, overview, points};
use crate::support::transcript::{Paper, numbered, prompt, read, said};
use crate::support::world::{ME, World, id};

fn press(world: &mut World, keys: &str) -> Vec<ReviewWork> {
    world.press_each(keys, answer)
}

/// What was compared with what.
fn sets(asked: &[ReviewWork]) -> Vec<DiffSet> {
    let set = |work: &ReviewWork| match work {
        ReviewWork::Overview(_, set) => Some(set.clone()),
        ReviewWork::Diff(_, ask) => Some(ask.set.clone()),
        _ => None,
    };
    asked.iter().filter_map(set).collect()
}

#[test]
fn it_opens_by_its_key_and_asks_for_the_list_and_the_newest_ones_files() {
    let mut world = World::morning(120, 40);
    let effects = world.press("h");
    let asked = answer(&mut world, effects);
    assert_eq!(world.view().tab, Tab::Sheet(PaneSheet::Checkpoints));
    assert_eq!(asked[0], ReviewWork::Points(id("auth")));
    assert_eq!(sets(&asked), [DiffSet::Between(10, 11)]);
    assert_eq!(asked.len(), 2);
    assert!(press(&mut world, "h").is_empty());
    assert_eq!(world.view().tab, Tab::Terminal);
}

#[test]
fn the_first_one_has_nothing_to_compare_with() {
    let mut world = listed(120, 40);
    assert_eq!(sets(&press(&mut world, "G")), []);
    assert_eq!(world.view().checkpoints.selected, Some(1));
    assert_eq!(sets(&press(&mut world, "k")), [DiffSet::Between(1, 2)]);
}

#[test]
fn enter_compares_now_with_it_in_changes() {
    let mut world = listed(120, 40);
    let asked = press(&mut world, "j j enter");
    assert_eq!(world.view().tab, Tab::Sheet(PaneSheet::Changes));
    assert!(sets(&asked).contains(&DiffSet::Since(9)), "{asked:?}");
    assert!(
        !sets(&asked).contains(&DiffSet::LastPrompt),
        "nothing else is compared first: {asked:?}"
    );
}

#[test]
fn two_marked_ones_are_compared_whichever_is_marked_first() {
    for keys in ["m j j m", "j j m k k m"] {
        let mut world = listed(120, 40);
        let asked = press(&mut world, keys);
        assert!(sets(&asked).contains(&DiffSet::Between(9, 11)), "{keys}: {asked:?}");
        assert_eq!(world.view().tab, Tab::Sheet(PaneSheet::Changes));
        assert_eq!(world.view().checkpoints.marked, None);
        assert!(!world.picture().contains("press m again"), "{}", world.picture());
    }
}

#[test]
fn reverting_asks_first_and_names_the_checkpoint() {
    let mut world = listed(120, 40);
    let asked = press(&mut world, "j j j R");
    let point = Point::Checkpoint(8);
    let back = Back::To {
        point,
        project: None,
        of: RevertOf::Both,
    };
    let is_it = |work: &ReviewWork| matches!(work, ReviewWork::Plan { chat, back: asked, .. } if *chat == id("auth") && *asked == back);
    assert!(asked.iter().any(is_it), "{asked:?}");
    assert!(matches!(world.view().over.dialog, Some(Dialog::Revert(_))));
    // The keys are on a button still.
    for (letter, chosen) in [("c", "code alone"), ("t", "the conversation alone"), ("b", "both")] {
        press(&mut world, letter);
        let picture = world.picture();
        assert!(picture.contains(&format!("‹ {chosen}")), "{picture}");
    }
    press(&mut world, "esc");
    let asked = press(&mut world, "u");
    assert!(
        matches!(asked[0], ReviewWork::Plan { back: Back::Undo, .. }),
        "{asked:?}"
    );
}

#[test]
fn its_number_is_copied() {
    let mut world = listed(120, 40);
    let effects = world.press("y");
    assert!(effects.contains(&Effect::Clipboard(ME, "11".into())), "{effects:?}");
}

#[test]
fn a_new_checkpoint_comes_into_the_list_and_moves_nothing() {
    let mut world = listed(120, 40);
    press(&mut world, "j");
    let effects = world.press("C");
    let number = effects.iter().find_map(|effect| match effect {
        Effect::Work(number, Work::Review(ReviewWork::Take { .. })) => Some(*number),
        _ => None,
    });
    let kept = KeptCheckpoint {
        checkpoint: checkpoint(12, 6, 0, "and now?", Amount::default()),
        new: true,
        commits: BTreeMap::new(),
    };
    let done = ReviewDone::Taken(id("auth"), kept);
    let effects = world.happens(Event::Done(number.expect("one is taken"), Outcome::Review(done)));
    let is_list = |effect: &Effect| match effect {
        Effect::Work(_, Work::Review(ReviewWork::Points(_))) => true,
        // At most once a second.
        Effect::WakeAt(at) => at.ms_since(world.state.domain.now) <= 1000,
        _ => false,
    };
    assert!(effects.iter().any(is_list), "{effects:?}");
    assert_eq!(world.view().checkpoints.selected, Some(10));
}

#[test]
fn what_is_saved_by_hand_stands_in_the_transcript() {
    let mut world = listed(120, 40);
    let mut told_of = |cause, new| {
        let effects = world.press("C");
        let number = effects.iter().find_map(|effect| match effect {
            Effect::Work(number, Work::Review(ReviewWork::Take { .. })) => Some(*number),
            _ => None,
        });
        let mut taken = checkpoint(12, 6, 0, "", Amount::default());
        (taken.cause, taken.turn) = (cause, None);
        let kept = KeptCheckpoint {
            checkpoint: taken,
            new,
            commits: BTreeMap::new(),
        };
        let done = ReviewDone::Taken(id("auth"), kept);
        told(&world.happens(Event::Done(number.expect("one is taken"), Outcome::Review(done))))
    };
    assert_eq!(told_of(Cause::Asked, true), ["Checkpoint 12 was saved by hand"]);
    assert_eq!(told_of(Cause::Asked, false), [""; 0], "nothing had changed");
}

/// The bar is 100 ms for all of it, with the worker's part; a debug build gets twice that.
#[test]
fn a_thousand_checkpoints_open_at_once() {
    let mut world = World::morning(200, 50);
    let mut list = points();
    list.checkpoints = (1..=1000)
        .map(|number| {
            let mut one = checkpoint(
                number,
                number as u32,
                2000 - number as i64,
                "count the gulls",
                Amount::default(),
            );
            if number % 7 == 0 {
                (one.cause, one.turn) = (Cause::Revert(number - 3), None);
            }
            one
        })
        .collect();
    let began = Instant::now();
    for effect in world.press("h") {
        if let Effect::Work(number, Work::Review(ReviewWork::Points(chat))) = effect {
            let done = ReviewDone::Points(chat, list.clone());
            world.happens(Event::Done(number, Outcome::Review(done)));
        }
    }
    let screen = draw(&world.state, ME, &Theme::dark()).to_string();
    let took = began.elapsed();
    assert!(screen.contains("1000 checkpoints"), "{screen}");
    assert!(took.as_millis() < 200, "{took:?}");
}

#[test]
fn nothing_is_put_back_beneath_another_chat_that_is_at_work_there() {
    let mut world = World::morning(120, 40);
    world
        .chat("child", "helper", 1)
        .linked("parents", "projects")
        .runs(Status::Running(None), "at work");
    world.look();
    let revert = |of: RevertOf| Request::Review {
        chat: "auth".into(),
        ask: ReviewAsk::Revert {
            to: Point::Checkpoint(8),
            project: None,
            of,
            yes: true,
            env: Default::default(),
        },
    };
    let undo = Request::Review {
        chat: "auth".into(),
        ask: ReviewAsk::UndoRevert {
            yes: true,
            env: Default::default(),
        },
    };
    for asked in [revert(RevertOf::Both), revert(RevertOf::Code), undo] {
        let effects = world.ask(asked);
        assert_eq!(effects.len(), 1, "nothing ends: {effects:?}");
        let (_, answer) = replies(&effects).remove(0);
        let problem = answer.expect_err("it is refused");
        assert!(problem.cause.contains("helper is at work in parents"), "{problem}");
        assert!(problem.hint.contains("parlour wait helper"), "{problem}");
    }
    let is_refused = |effects: &[Effect]| replies(effects).iter().any(|(_, answer)| answer.is_err());
    let talk = world.ask(revert(RevertOf::Talk));
    assert!(!is_refused(&talk), "what was said is nobody else's: {talk:?}");
    world
        .chat("child", "helper", 1)
        .linked("parents", "projects")
        .runs(Status::Idle(None), "done");
    let both = world.ask(revert(RevertOf::Both));
    assert!(!is_refused(&both), "it rests: {both:?}");
}

/// A person went back in the CLI itself: a worker finds out what that hides, and it is hidden wherever somebody looks.
#[test]
fn what_was_taken_back_in_the_cli_is_hidden() {
    let mut world = World::at_rest();
    let rewind = OwnRewind::Before {
        prompt: "turn-2".into(),
        text: String::new(),
        goes_on: RewindEnd::At(world.state.domain.now),
    };
    let effects = world.happens(Event::Observed(id("auth"), Observed::WentBack(rewind.clone())));
    let follows = Work::Review(ReviewWork::Follow(id("auth"), rewind));
    let (work, _) = works(&effects).into_iter().find(|(_, job)| *job == follows).unwrap();
    let mut chat = world.on_disk("auth");
    let hidden = HiddenEntries { from: 4, to: 9 };
    chat.record.origin.went_back.hidden.push(hidden);
    world.done(work, Outcome::Review(ReviewDone::Followed(Some(Box::new(chat)))));
    let known = &world.state.domain.disk.chats[&id("auth")].record.origin.went_back;
    assert_eq!(known.hidden, [hidden]);
    let effects = world.happens(Event::Observed(
        id("auth"),
        Observed::WentBack(OwnRewind::Before {
            prompt: "turn-2".into(),
            text: String::new(),
            goes_on: RewindEnd::Open,
        }),
    ));
    let (again, _) = works(&effects).pop().unwrap();
    assert_eq!(
        told(&world.done(again, Outcome::Review(ReviewDone::Followed(None)))),
        [""; 0]
    );
}

/// Also by who reads the transcript as it happens.
#[test]
fn what_a_revert_hides_is_folded_at_once_and_its_undo_shows_it_again() {
    let paper = Paper {
        entries: numbered(vec![
            prompt("first", From::Person),
            said("answer one"),
            prompt("second", From::Person),
            said("answer two"),
        ]),
        gap_behind: None,
        is_terminal_gone: false,
    };
    let mut world = read(120, 40, &paper);
    assert!(world.picture().contains("answer two"), "{}", world.picture());
    let mut chat = world.on_disk("auth");
    let hidden = &mut chat.record.origin.went_back.hidden;
    hidden.push(HiddenEntries { from: 3, to: 4 });
    world.happens(Event::Disk(DiskEvent::Chat(Box::new(chat.clone()))));
    world.look();
    let picture = world.picture();
    assert!(picture.contains("1 turn taken back"), "{picture}");
    assert!(
        picture.contains("answer one") && !picture.contains("answer two"),
        "{picture}"
    );
    // As a hit of the search over all chats leads there.
    transcript::go_to(&mut world.state, ME, 4);
    world.look();
    assert!(world.picture().contains("answer two"), "{}", world.picture());
    chat.record.origin.went_back.hidden.clear();
    world.happens(Event::Disk(DiskEvent::Chat(Box::new(chat))));
    world.look();
    let picture = world.picture();
    assert!(
        picture.contains("answer two") && !picture.contains("taken back"),
        "{picture}"
    );
}

#[test]
fn an_undo_is_asked_for_whatever_the_changes_knew_before() {
    let mut world = listed(120, 40);
    world.press("q");
    for effect in world.press("d") {
        if let Effect::Work(number, Work::Review(ReviewWork::Overview(chat, set))) = effect {
            // No revert is known there yet.
            let mut found = overview(set);
            found.checkpoints.retain(|checkpoint| checkpoint.turn.is_some());
            world.happens(Event::Done(number, Outcome::Review(ReviewDone::Overview(chat, found))));
        }
    }
    world.later(1_000);
    press(&mut world, "h");
    world.later(1_000);
    let asked = press(&mut world, "u");
    let is_plan = |work: &ReviewWork| matches!(work, ReviewWork::Plan { back: Back::Undo, .. });
    assert!(asked.iter().any(is_plan), "{asked:?} {}", world.picture());
}
