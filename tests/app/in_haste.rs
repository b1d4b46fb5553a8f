//! Answers and keys that come at typing speed: to what a person opened or closed themselves.

use parlour::domain::event::Outcome;
use parlour::domain::work::{ChatDone, TrashWork};
use parlour::domain::{Effect, Event, Work};
use parlour::model::{CallId, HookAnswer, Losses, Status};
use parlour::screen::keymap::PaneSheet;
use parlour::screen::view::{Mode, Tab};

use crate::support::events::{bash_asked, jobs, submitted, turn_ended, typed, works};
use crate::support::world::{World, id};

/// The last row of the screen.
fn sign(world: &World) -> String {
    world.picture().lines().nth(39).unwrap_or_default().to_owned()
}

/// Types these keys at so many milliseconds each, and waits until nothing is held back any more.
fn types(world: &mut World, keys: &str, ms: u64) -> Vec<Effect> {
    let mut effects = Vec::new();
    for key in keys.split(' ') {
        world.later(ms);
        effects = world.press(key);
    }
    assert_eq!(
        world.later(499).iter().filter(|effect| is_work(effect)).count(),
        0,
        "{keys}"
    );
    effects.extend(world.later(1));
    effects
}

fn is_work(effect: &Effect) -> bool {
    matches!(effect, Effect::Work(..) | Effect::Pane(..))
}

#[test]
fn an_answer_to_what_one_opened_counts_at_any_speed() {
    for (keys, ms) in [
        ("i y", 30),
        ("i y", 120),
        ("s y", 120),
        ("S y", 120),
        ("s right enter", 60),
    ] {
        let mut world = World::morning(120, 40);
        let effects = types(&mut world, keys, ms);
        assert!(effects.iter().any(is_work), "{keys}: {effects:?}");
        assert!(world.view().over.dialog.is_none(), "{keys}");
        assert!(!sign(&world).contains("too soon"), "{keys}: {}", sign(&world));
    }
    // Only what could be lost is to be read first.
    for (lost, is_deleted) in [(None, true), (Some("3 commits".to_string()), false)] {
        let mut world = World::morning(120, 40);
        let losses = Losses {
            lost: lost.into_iter().collect(),
            ..Losses::default()
        };
        world.press("x");
        world.later(120);
        world.press("y");
        world.loses(losses);
        let effects = world.later(500);
        assert_eq!(jobs(&effects).len(), usize::from(is_deleted));
        assert_eq!(
            sign(&world).contains("y came too soon"),
            !is_deleted,
            "{}",
            sign(&world)
        );
    }
    // So is what is asked because of the answer: the second of two reaches nothing.
    let mut world = World::morning(120, 40);
    world.press("x");
    world.loses(Losses::default());
    world.calm();
    world.press("y");
    let more = Losses {
        lost: vec!["3 commits".into()],
        ..Losses::default()
    };
    world.loses(more);
    world.press("y");
    assert!(sign(&world).contains("y came too soon"), "{}", sign(&world));
    assert_eq!(jobs(&world.later(600)), []);
    // What is not known yet is waited for.
    let mut world = World::morning(120, 40);
    assert_eq!(jobs(&types(&mut world, "x y", 120)), []);
    assert_eq!(jobs(&world.loses(Losses::default())).len(), 1);
}

#[test]
fn prose_answers_nothing() {
    for (keys, ms) in [
        ("i y o u", 120),
        ("i x space m y", 120),
        ("i x space m y", 400),
        ("s y s", 300),
        ("s y s", 450),
        ("s y esc", 120),
    ] {
        let mut world = World::morning(120, 40);
        let effects = types(&mut world, keys, ms);
        assert!(!effects.iter().any(is_work), "{keys}: {effects:?}");
        assert!(
            sign(&world).contains("y came too soon: press it again"),
            "{keys}: {}",
            sign(&world)
        );
        world.later(2_000);
        assert!(!sign(&world).contains("too soon"), "{}", sign(&world));
    }
    let mut world = World::morning(120, 40);
    world.press("i y");
    assert!(!world.paste("and so on").iter().any(is_work));
    assert!(sign(&world).contains("y came too soon"), "{}", sign(&world));
    assert!(!world.later(600).iter().any(is_work));
}

/// The agent in whose terminal the person types asks about a call.
fn asked() -> World {
    let mut world = World::new(120, 40);
    world.chat("auth", "Auth", 1).runs(Status::Idle(None), "");
    world.look();
    world.hook(submitted("go on"));
    world.happens(Event::Hook(CallId(21), id("auth"), vec![bash_asked("make")]));
    world.press("enter");
    world.press("ctrl+q a");
    world
}

/// Types a sentence, and tells how the call was ruled on.
fn ruled(world: &mut World, words: &str, ms: u64) -> Option<HookAnswer> {
    let ruling = |effects: Vec<Effect>| {
        effects.into_iter().find_map(|effect| match effect {
            Effect::Rule(_, answer) => Some(answer),
            _ => None,
        })
    };
    let mut ruled = None;
    for letter in words.chars() {
        world.later(ms);
        let key = if letter == ' ' {
            "space".into()
        } else {
            letter.to_string()
        };
        ruled = ruled.or(ruling(world.press(&key)));
    }
    ruled
}

#[test]
fn a_reason_that_is_typed_on_is_the_reason_however_soon_it_is_begun() {
    for (ms, until) in [(130, 300), (150, 400), (40, 30), (300, 700)] {
        let mut world = asked();
        world.later(until);
        assert_eq!(ruled(&mut world, "rkeep those they are needed", ms), None);
        let refused = world.press("enter");
        let with_it = |effect: &Effect| matches!(effect, Effect::Rule(_, HookAnswer::Deny(why)) if why.contains("keep those they are needed"));
        assert!(refused.iter().any(with_it), "{ms}, {until}: {refused:?}");
    }
}

#[test]
fn prose_that_is_typed_at_a_question_answers_nothing() {
    for (words, ms) in [
        ("they need it", 130),
        ("they", 400),
        ("please do not", 60),
        ("some", 10),
    ] {
        let mut world = asked();
        world.later(2_000);
        assert_eq!(ruled(&mut world, words, ms), None, "{words}");
        // A pause to think is no end.
        world.later(1_000);
        assert_eq!(ruled(&mut world, "no", 130), None, "{words}");
        world.later(1_500);
        let meant = ruled(&mut world, "n", 0);
        assert!(matches!(meant, Some(HookAnswer::Deny(_))), "{words}: {meant:?}");
    }
    // Typed at the list, where a letter of it opens the dialog.
    for (words, ms) in [
        ("apply the fix", 130),
        ("are you done", 100),
        ("add all my keys", 160),
        ("any", 240),
    ] {
        let mut world = asked();
        world.press("esc");
        world.calm();
        world.press("ctrl+q esc");
        world.calm();
        assert_eq!(ruled(&mut world, words, ms), None, "{words}");
        assert_eq!(jobs(&world.press("enter")), [], "{words}");
        assert!(!world.picture().contains('┃'), "{words}: {}", world.picture());
    }
    // One wrong key, and the right one twice, as it is told to.
    let mut world = asked();
    world.later(2_000);
    assert_eq!(ruled(&mut world, "xy", 300), None);
    assert!(sign(&world).contains("y came too soon"), "{}", sign(&world));
    assert_eq!(ruled(&mut world, "y", 600), Some(HookAnswer::Allow));
}

#[test]
fn approvals_closes_by_itself_also_where_the_last_question_was_answered_elsewhere() {
    let mut world = asked();
    world.later(1_000);
    world.press("n");
    // It asks once more, and that is answered in its own dialog.
    world.happens(Event::Hook(CallId(22), id("auth"), vec![bash_asked("make test")]));
    world.later(500);
    world.hook(turn_ended(0));
    assert!(
        world.picture().contains("Nothing asks any more."),
        "{}",
        world.picture()
    );
    world.later(1_500);
    assert!(world.view().over.dialog.is_none(), "{}", world.picture());
    let mut world = asked();
    world.hook(turn_ended(0));
    world.press("enter");
    assert!(world.view().over.dialog.is_none(), "{}", world.picture());
}

#[test]
fn a_q_that_would_detach_right_after_something_was_closed_is_asked_for_again() {
    let leaves = |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::Bye(..)));
    for (opens, closes) in [("t", "esc"), ("d", "d"), ("A", "esc"), ("?", "esc")] {
        let mut world = World::morning(120, 40);
        world.press(opens);
        world.later(1_000);
        world.press(closes);
        world.later(9_000);
        assert!(!leaves(&world.press("q")), "{opens} {closes}");
        let told = "q ignored: press it again to detach";
        assert!(sign(&world).contains(told), "{opens} {closes}: {}", sign(&world));
        world.later(500);
        assert!(leaves(&world.press("q")), "{opens} {closes}");
    }
    let mut world = World::morning(120, 40);
    world.press("t");
    world.later(1_000);
    world.press("t");
    world.later(10_000);
    assert!(leaves(&world.press("q")), "that is long ago");
}

/// Whoever looks whether more is asked presses it a second later.
#[test]
fn an_esc_after_the_last_answer_is_no_interrupt() {
    let mut world = asked();
    world.later(1_000);
    world.press("y");
    world.later(1_500);
    assert!(world.view().over.dialog.is_none(), "{}", world.picture());
    assert_eq!(world.view().mode, Mode::Agent);
    world.later(1_000);
    assert_eq!(typed(&world.press("esc")), [""; 0]);
    let said = "Esc ignored: what it was for has closed already";
    assert!(sign(&world).contains(said), "{}", sign(&world));
    assert_eq!(typed(&world.press("esc")), ["\x1b"]);
}

#[test]
fn the_leader_leads_on_from_the_last_answer() {
    let mut world = asked();
    world.later(1_000);
    world.press("y ctrl+q t");
    assert!(world.view().over.dialog.is_none(), "{}", world.picture());
    assert_eq!(world.view().tab, Tab::Sheet(PaneSheet::Transcript));
}

#[test]
fn enter_after_the_key_that_closed_a_page_goes_in() {
    for (opens, closes) in [("t", "q"), ("d", "q"), ("t", "t"), ("A", "q"), ("v", "q"), ("L", "q")] {
        let mut world = World::morning(120, 40);
        world.press(opens);
        world.later(1_000);
        world.press(closes);
        world.later(120);
        world.press("enter");
        assert_eq!(world.view().mode, Mode::Agent, "{opens} {closes}");
    }
    // Prose ends with Enter, and goes on.
    let mut world = World::morning(120, 40);
    world.press("t");
    world.later(1_000);
    for key in ["q", "u", "i", "enter"] {
        world.press(key);
        world.later(120);
    }
    assert_eq!(world.view().mode, Mode::Outside);
    // An answer is often followed by Enter, and a list by a second one.
    for (opens, closes) in [("s", "y"), ("s", "n"), ("?", "enter"), ("v", "y")] {
        let mut world = World::morning(120, 40);
        world.press(opens);
        world.later(1_000);
        world.press(closes);
        world.later(120);
        world.press("enter");
        assert_eq!(world.view().mode, Mode::Outside, "{opens} {closes}");
    }
}

/// `x` and the yes: the agent of `auth` is being ended.
fn deletes_auth() -> World {
    let mut world = World::morning(120, 40);
    world.press("x");
    world.loses(Losses::default());
    world.calm();
    world.press("y");
    world.loses(Losses::default());
    world
}

/// The chats that are brought back by name.
fn restored(effects: &[Effect]) -> Vec<&'static str> {
    let all = ["auth", "flaky", "rails"].into_iter();
    let back = |chat: &str| Work::Trash(TrashWork::Restore(Some(id(chat).to_string())));
    all.filter(|chat| jobs(effects).contains(&back(chat))).collect()
}

#[test]
fn a_deleted_chat_is_brought_back_at_any_speed() {
    for ms in [0, 100, 400, 1_200] {
        let mut world = deletes_auth();
        world.is_deleted("auth");
        world.later(ms);
        let last = Work::Trash(TrashWork::RestoreLast { since: None });
        assert_eq!(jobs(&world.press("u")), [last], "{ms}");
    }
    // Other keys are kept from what is behind.
    let mut world = deletes_auth();
    world.is_deleted("auth");
    assert_eq!(world.press("d"), []);
    assert!(sign(&world).contains("d ignored"), "{}", sign(&world));
}

#[test]
fn a_chat_that_is_still_being_deleted_comes_back_once_it_is() {
    // In the dialog, and where that was left meanwhile.
    for keys in ["u", "u u", "esc u", "u esc"] {
        let mut world = deletes_auth();
        assert_eq!(jobs(&world.press(keys)), [], "{keys}");
        assert!(
            world.picture().contains("It comes back as soon as it is deleted."),
            "{keys}: {}",
            world.picture()
        );
        assert_eq!(restored(&world.is_deleted("auth")), ["auth"], "{keys}");
        assert!(!world.picture().contains("Deleted Fix auth bug"), "{}", world.picture());
    }
    // Whoever agrees to delete it again does not want it back.
    let mut world = World::morning(120, 40);
    world.press("x");
    world.loses(Losses::default());
    world.calm();
    world.press("y u");
    let more = Losses {
        lost: vec!["3 commits".into()],
        ..Losses::default()
    };
    world.loses(more.clone());
    world.calm();
    world.press("y");
    world.loses(more);
    assert_eq!(restored(&world.is_deleted("auth")), [""; 0]);
}

#[test]
fn chats_that_are_deleted_together_come_back_one_by_one_as_they_are_gone() {
    let mut world = World::morning(120, 40);
    world.press("7 M M x");
    world.loses(Losses::default());
    world.loses(Losses::default());
    world.calm();
    let works = works(&world.press("y"));
    let removed = |chat: &str| Outcome::Chat(ChatDone::Removed(id(chat), Vec::new()));
    let (first, second) = (works[0].0, works[1].0);
    assert_eq!(restored(&world.done(first, removed("flaky"))), [""; 0]);
    assert_eq!(restored(&world.press("u")), ["flaky"]);
    assert_eq!(restored(&world.done(second, removed("rails"))), ["rails"]);
}

/// Its turn has ended a moment ago.
#[test]
fn what_was_meant_for_a_question_that_had_nothing_to_ask_reaches_nothing() {
    let mut world = World::morning(120, 40);
    world.press("5 i");
    let picture = world.picture();
    assert!(picture.contains("Nothing runs that could be interrupted."), "{picture}");
    world.later(200);
    assert_eq!(world.press("n"), []);
    assert!(world.view().over.dialog.is_none());
    assert!(
        sign(&world).contains("n ignored: no dialog has opened"),
        "{}",
        sign(&world)
    );
    world.later(500);
    world.press("n");
    assert!(world.view().over.dialog.is_some(), "after a pause a key counts");
}

#[test]
fn a_q_that_does_not_detach_says_the_same_wherever_it_is() {
    for opens in ["d", "h", "t", "A"] {
        let mut world = World::morning(120, 40);
        world.press(opens);
        world.later(1_000);
        world.press("q");
        world.later(300);
        world.press("q");
        assert!(
            sign(&world).contains("q ignored: press it again to detach"),
            "{opens}: {}",
            sign(&world)
        );
    }
}

#[test]
fn a_q_that_is_asked_for_again_is_read_on_narrow_screens_too_and_for_some_seconds() {
    for (cols, rows) in [(120, 40), (80, 24), (60, 20)] {
        let mut world = World::morning(cols, rows);
        // The row has much to say besides.
        world.press("tab z l");
        world.later(1_000);
        world.press("q");
        world.later(3_000);
        world.press("q");
        let told = "q ignored: press it again to detach";
        world.later(4_000);
        assert!(world.picture().contains(told), "{}", world.picture());
        world.press("j");
        assert!(!world.picture().contains(told), "another key was pressed");
        world.later(1_000);
        world.press("t");
        world.later(1_000);
        world.press("q");
        world.later(3_000);
        world.press("q");
        world.later(5_000);
        assert!(!world.picture().contains(told), "{}", world.picture());
    }
}

/// From within a terminal one looks at something by the leader, and types on where one was.
#[test]
fn a_tab_or_the_cards_opened_from_within_a_terminal_lead_back_into_it() {
    for (opens, closes) in [
        ("t", "q"),
        ("d", "q"),
        ("d", "esc"),
        ("h", "q"),
        ("l", "q"),
        ("W", "q"),
        ("t", "t"),
        ("c", "q"),
        ("c", "c"),
    ] {
        let mut world = World::morning(120, 40);
        if opens == "c" {
            world.press("c");
            world.press("c");
        }
        world.press("enter");
        assert_eq!(world.view().mode, Mode::Agent);
        world.press(&format!("ctrl+q {opens}"));
        assert_eq!(world.view().mode, Mode::Outside, "{opens}");
        world.later(1_000);
        world.press(closes);
        let picture = world.picture();
        assert_eq!(world.view().mode, Mode::Agent, "{opens} {closes}\n{picture}");
        // The key that closed it, pressed twice, is not for the agent.
        world.later(100);
        assert_eq!(typed(&world.press(closes)), [""; 0], "{opens} {closes}");
        assert_eq!(typed(&world.press("x")), ["x"], "{opens} {closes}");
    }
    // Whoever came from outside stays there, and whoever went to the list in between too.
    let mut world = World::morning(120, 40);
    world.press("d");
    world.later(1_000);
    world.press("q");
    assert_eq!(world.view().mode, Mode::Outside);
    world.press("enter");
    world.press("ctrl+q d");
    world.press("ctrl+q esc");
    world.press("tab");
    world.later(1_000);
    world.press("d");
    let picture = world.picture();
    assert_eq!(world.view().mode, Mode::Outside, "{picture}");
}
