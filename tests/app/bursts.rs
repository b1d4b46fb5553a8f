//! Keys that come when the dialog they were typed at has closed, or before it could be read.

use crossterm::event::MouseEventKind;
use parlour::domain::event::{Outcome, PlaceHint};
use parlour::domain::state::Then;
use parlour::domain::work::{ChatDone, ChatThen};
use parlour::domain::{Effect, PaneOrder};
use parlour::model::{ChatId, HookAnswer, Losses};
use parlour::screen::dialog::{self, Dialog, HERE};
use parlour::screen::keymap::PaneSheet;
use parlour::screen::toast;
use parlour::screen::view::{Mode, Tab, Tone};
use parlour::screen::wrap::width;
use serde_json::json;

use crate::support::events::{HOOK, jobs};
use crate::support::world::{ME, World, id};

/// One question is open in `auth`, and the queue shows it since a second.
fn asked() -> World {
    let mut world = World::morning(120, 40);
    let now = world.state.domain.now;
    // Nobody else asks anything.
    world.state.domain.live.agents.remove(&id("redis"));
    let agent = world.state.domain.live.agents.get_mut(&id("auth")).unwrap();
    agent.asked("Bash".into(), json!({"command": "make"}), "t1".into(), None, now);
    agent.turn.question_mut("t1").unwrap().call = Some(HOOK);
    world.press("a");
    world
}

fn answers(effects: &[Effect]) -> usize {
    effects
        .iter()
        .filter(|effect| matches!(effect, Effect::Rule(..)))
        .count()
}

/// The last row of the screen.
fn sign(world: &World) -> String {
    world.picture().lines().nth(39).unwrap_or_default().to_owned()
}

#[test]
fn a_second_y_behind_an_answer_reaches_nothing_and_is_told_of() {
    let mut world = asked();
    world.later(1_000);
    assert_eq!(answers(&world.press("y")), 1);
    world.later(100);
    assert_eq!(world.press("y"), [], "it would have duplicated the chat");
    world.later(1_400);
    assert!(world.view().over.dialog.is_none());
    assert_eq!(world.press("y"), [], "it has just closed");
    let said = sign(&world);
    assert!(said.contains("y ignored: a dialog has just closed"), "{said}");
    // Each key of the burst puts its end off.
    for key in ["x", "enter", "d"] {
        world.later(400);
        assert_eq!(world.press(key), [], "{key}");
    }
    assert!(world.view().over.dialog.is_none() && world.view().mode == Mode::Outside);
    world.later(500);
    assert_eq!(jobs(&world.press("x")).len(), 1, "after a pause a key counts");
    world.later(2_000);
    assert!(!sign(&world).contains("ignored"), "{}", sign(&world));
}

#[test]
fn a_q_right_behind_one_that_closed_something_does_not_detach() {
    let leaves = |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::Bye(..)));
    for opens in ["A", "W", "I", ",", "d", "t"] {
        let mut world = World::morning(120, 40);
        world.press(opens);
        world.later(1_000);
        for _ in 0..4 {
            assert!(!leaves(&world.press("q")), "{opens}");
            world.later(400);
        }
        assert!(sign(&world).contains("q ignored"), "{opens}: {}", sign(&world));
        world.later(100);
        assert!(leaves(&world.press("q")), "{opens}: after a pause it counts");
    }
    let mut world = World::morning(120, 40);
    assert!(leaves(&world.press("q")));
    world.later(100);
    assert!(!leaves(&world.press("q")), "a key that is held");
    world.press("ctrl+q");
    assert!(leaves(&world.press("q")), "the leader means what comes next");
}

#[test]
fn what_is_typed_to_an_agent_behind_a_dialog_that_was_left_on_purpose_reaches_it() {
    let typed = |key: &str| Effect::Pane(id("auth").into(), PaneOrder::Input(key.as_bytes().to_vec()));
    let mut world = World::morning(120, 40);
    world.press("enter ctrl+q ? esc");
    assert_eq!(world.press("esc"), [], "the same key again would interrupt its turn");
    assert_eq!(world.press("x"), [typed("x")]);
    assert_eq!(world.press("esc").len(), 1);
    // So does what is typed behind a form that was ended, but for the same key again.
    let renamed = |world: &mut World| {
        let renamed = world.state.domain.disk.chats[&id("auth")].clone();
        world.comes(Outcome::Chat(ChatDone::Loaded(Box::new(renamed))));
        assert!(world.view().over.dialog.is_none());
    };
    world.press("ctrl+q r backspace enter");
    renamed(&mut world);
    assert_eq!(world.press("enter"), []);
    assert_eq!(world.press("x"), [typed("x")]);
    // Whoever typed on at the form while it was busy does not mean the agent, until there is a pause or the leader says
    // that one looks.
    world.press("ctrl+q r backspace enter x");
    renamed(&mut world);
    assert_eq!(world.press("x y"), []);
    assert_eq!(world.paste("all of it"), Vec::<Effect>::new());
    world.press("ctrl+q ?");
    assert!(matches!(world.view().over.dialog, Some(Dialog::Help(_))));
}

#[test]
fn a_toast_over_an_open_dialog_stands_in_the_last_row() {
    let mut world = World::morning(80, 24);
    world.press("?");
    let last = |world: &World| world.picture().lines().nth(23).unwrap_or_default().to_owned();
    let before = world.picture();
    toast::tell(&mut world.state, ME, "The engine said something.", Tone::Told);
    assert!(
        last(&world).ends_with("· The engine said something."),
        "{}",
        last(&world)
    );
    let (before, now) = (before.lines().collect::<Vec<_>>(), world.picture());
    assert_eq!(before[..23], now.lines().collect::<Vec<_>>()[..23]);
    world.press("esc");
    assert!(!last(&world).contains("The engine said"), "{}", world.picture());
    assert!(world.picture().contains("The engine said something."));
}

#[test]
fn what_closes_without_a_key_swallows_what_comes_right_after_it() {
    // The question is answered elsewhere, its agent gone: the dialog stays. The chat gone, a form closes.
    let mut world = World::morning(120, 40);
    world.press("r");
    world.later(5_000);
    world.state.domain.disk.chats.remove(&id("auth"));
    world.look();
    assert!(world.view().over.dialog.is_none());
    world.later(300);
    assert_eq!(world.press("x"), []);
    assert!(world.view().over.dialog.is_none());
    // A chat that was waited for is there: what was still typed at its form is not typed to its agent.
    let mut world = World::morning(120, 40);
    world.press("n ctrl+s");
    world.is_made("auth");
    assert_eq!((world.view().mode, world.press("a b")), (Mode::Agent, Vec::new()));
    world.calm();
    assert_eq!(world.press("a").len(), 1);
}

/// What closes it, its name in the last row, and the keys that open it from the sidebar.
const CLOSES: [(&str, &str, &str); 17] = [
    (": z o o m enter", "a dialog has", ""),
    ("?", "a dialog has", "?"),
    ("enter", "a dialog has", "?"),
    ("q", "a dialog has", "L"),
    ("L", "a dialog has", "L"),
    ("q", "a dialog has", "m"),
    ("q", "a dialog has", "a"),
    ("ctrl+c", "a dialog has", "n"),
    ("q", "the schedules have", "A"),
    ("A", "the schedules have", "A"),
    ("q", "the plan has", "W"),
    ("W", "the plan has", "W"),
    ("q", "the changes have", "d"),
    ("q", "the transcript has", "t"),
    ("q", "copy mode has", "v"),
    ("y", "copy mode has", "v"),
    ("ctrl+c", "copy mode has", "v"),
];

#[test]
fn whatever_was_closed_takes_the_keys_that_come_right_after_it() {
    let open = |world: &mut World| {
        let view = world.view();
        let over = view.over.dialog.is_some() || view.over.automations.is_some() || view.reading.copy.is_some();
        over || view.tab != Tab::Terminal
    };
    for (close, what, keys) in CLOSES {
        let mut world = World::morning(120, 40);
        let opens = keys.split(' ').filter(|key| !key.is_empty());
        opens.for_each(|key| drop(world.press(key)));
        world.later(1_000);
        assert!(keys.is_empty() || open(&mut world), "{keys}");
        // By itself a `q` closes, and what follows is meant.
        world.press(if close == "q" { "f9 q" } else { close });
        assert!(!open(&mut world), "{keys} {close}");
        for key in ["y", "x", "n", "q"] {
            world.later(60);
            assert_eq!(world.press(key), [], "{keys} {close} {key}");
            let told = match key {
                // It would detach, whatever has closed.
                "q" => "q ignored: press it again to detach".to_string(),
                _ => format!("{key} ignored: {what} just closed"),
            };
            assert!(sign(&world).contains(&told), "{keys} {close}: {}", sign(&world));
        }
        assert!(!open(&mut world), "{keys} {close}");
        world.calm();
        world.press("x");
        assert!(open(&mut world), "{keys} {close}: after a pause a key counts");
    }
}

#[test]
fn after_esc_one_types_on() {
    for keys in ["?", "L", "m", "a", ":", "A", "W", "v"] {
        let mut world = World::morning(120, 40);
        world.press(keys);
        world.later(1_000);
        assert_eq!(world.press("esc esc"), [], "{keys}");
        world.press("x");
        assert!(matches!(world.view().over.dialog, Some(Dialog::Delete(_))), "{keys}");
    }
}

#[test]
fn what_the_palette_opens_to_be_typed_in_takes_what_is_typed() {
    let mut world = World::morning(120, 40);
    world.press(": r e n a m e enter backspace x y");
    let picture = world.picture();
    assert!(picture.contains("Fix auth buxy"), "{picture}");
    let mut world = World::morning(120, 40);
    world.press(": f i l t e r enter r e d");
    assert_eq!(world.selected(), "Try Redis");
}

#[test]
fn over_the_schedules_and_the_plan_it_is_said_as_well() {
    let mut world = World::morning(120, 40);
    world.press("A n");
    world.later(1_000);
    world.press("ctrl+c");
    world.later(100);
    world.press("x");
    assert!(world.view().over.automations.is_some());
    assert!(
        sign(&world).contains(" SCHEDULES  x ignored: a dialog has just closed"),
        "{}",
        sign(&world)
    );
    let mut world = World::morning(120, 40);
    world.press("W a");
    world.later(1_000);
    world.press("ctrl+c");
    world.later(100);
    world.press("n");
    assert!(world.view().tab == Tab::Sheet(PaneSheet::Work) && world.view().over.dialog.is_none());
    assert!(
        sign(&world).contains("n ignored: a dialog has just closed"),
        "{}",
        sign(&world)
    );
    world.later(2_000);
    assert!(sign(&world).contains("Esc q close"), "{}", sign(&world));
}

#[test]
fn the_second_click_on_a_button_reaches_nothing_behind_it() {
    let mut world = World::morning(120, 40);
    world.press("s");
    world.calm();
    let picture = world.picture();
    let place = picture.lines().enumerate().find_map(|(row, line)| {
        let column = line.find("Let it run")?;
        Some((width(&line[..column]), row))
    });
    let (column, row) = place.unwrap();
    let (column, row) = (u16::try_from(column).unwrap(), u16::try_from(row).unwrap());
    world.click(column, row);
    assert!(world.view().over.dialog.is_none());
    let mode = world.view().mode;
    world.click(column, row);
    world.mouse(MouseEventKind::Up(crossterm::event::MouseButton::Left), column, row);
    assert_eq!(world.view().mode, mode);
    assert!(sign(&world).contains("Click ignored"), "{}", sign(&world));
}

#[test]
fn an_answer_that_comes_too_soon_is_told_of_and_changes_nothing() {
    let mut world = asked();
    world.later(350);
    assert!(sign(&world).contains("read it first"), "{}", sign(&world));
    for key in ["y", "n"] {
        assert_eq!(answers(&world.press(key)), 0);
        let told = format!("{key} came too soon: press it again");
        assert!(sign(&world).contains(&told), "{}", sign(&world));
    }
    world.later(500);
    assert!(world.press("n").contains(&denied()), "it is pressed again");
}

fn denied() -> Effect {
    let why = "The person refused this call. Do not try it in another way; ask what to do instead.";
    Effect::Rule(HOOK, HookAnswer::Deny(why.into()))
}

#[test]
fn everything_that_asks_takes_the_same_keys() {
    // Stopping, deleting, an approval: queued prompts, arrows with Enter, and Esc.
    for keys in ["y", "right enter", "tab enter", "left enter"] {
        let mut world = World::morning(120, 40);
        world.press("s");
        world.calm();
        let ended = world.press(keys);
        assert!(!ended.is_empty() && world.view().over.dialog.is_none(), "{keys}");
        let mut world = World::morning(120, 40);
        world.press("x");
        world.loses(Losses::default());
        world.calm();
        assert_eq!(jobs(&world.press(keys)).len(), 1, "{keys}");
    }
    for keys in ["y", "right right right right enter", "left enter", "shift+tab enter"] {
        let (mut world, allowed) = (asked(), Effect::Rule(HOOK, HookAnswer::Allow));
        world.calm();
        assert!(world.press(keys).contains(&allowed), "{keys}");
    }
    for keys in ["n", "enter", "esc", "right left enter"] {
        let mut world = World::morning(120, 40);
        world.press("s");
        world.calm();
        assert_eq!(world.press(keys), [], "{keys}");
        assert!(world.view().over.dialog.is_none(), "{keys}");
    }
}

#[test]
fn the_last_row_says_the_keys_of_the_dialog() {
    for (keys, words) in [
        ("s", "y yes  n no  ←→ choose  Enter answer  Esc close"),
        ("x", "y yes  n no"),
        ("?", "Enter close  ↑↓ choose"),
        ("n", "Enter next  Ctrl+S create  Alt+Enter new line"),
        ("m", "Space on or off"),
        (":", "Enter run"),
    ] {
        let mut world = World::morning(120, 40);
        world.press(keys);
        world.calm();
        let last = sign(&world);
        assert!(last.contains(" DIALOG ") && last.contains(words), "{keys}: {last}");
    }
}

#[test]
fn what_only_the_clis_own_dialog_answers_is_in_the_queue_and_enter_leads_there() {
    let mut world = World::morning(120, 40);
    world.press("j a");
    let picture = world.picture();
    assert!(picture.contains("Try Redis asks in its own dialog"), "{picture}");
    assert!(picture.contains("allow Bash: redis-server"), "{picture}");
    assert!(picture.contains("◆ 1") && picture.contains("1 of 1"), "{picture}");
    world.calm();
    for key in ["y", "n"] {
        assert_eq!(world.press(key), [], "there is nothing to answer here");
        let told = format!("{key} ignored: Enter leads to the dialog that takes the answer");
        assert!(sign(&world).contains(&told), "{}", sign(&world));
    }
    world.press("enter");
    assert_eq!(world.selected(), "Try Redis");
    assert_eq!(world.view().mode, Mode::Agent);
}

#[test]
fn the_counter_counts_the_chats_of_the_queue() {
    let mut world = asked();
    let now = world.state.domain.now;
    let agent = world.state.domain.live.agents.get_mut(&id("auth")).unwrap();
    agent.asked("Bash".into(), json!({"command": "two"}), "t2".into(), None, now);
    world.look();
    let picture = world.picture();
    assert!(
        picture.contains(" 1 needs you") && picture.contains("1 of 2"),
        "{picture}"
    );
}

#[test]
fn a_new_chat_offers_the_repository_that_its_person_is_in() {
    let here = |what: &str| PlaceHint {
        text: "/home/mia/grove".into(),
        what: what.into(),
    };
    let opened = |world: &World| {
        let made = world
            .state
            .domain
            .live
            .waiting
            .values()
            .find_map(|waiting| match &waiting.then {
                Then::Chat(ChatThen::SetUp(new)) => Some(new),
                _ => None,
            });
        let dirs = made.expect("a chat is made").dirs.iter();
        dirs.map(|dir| dir.path_or_url.clone()).collect::<Vec<_>>()
    };
    let mut world = World::new(120, 40);
    world.press("n");
    world.suggests(vec![here(HERE)], Vec::new());
    assert!(world.picture().contains("│ /home/mia/grove"), "{}", world.picture());
    world.press("ctrl+s");
    assert_eq!(opened(&world), ["/home/mia/grove"]);
    // It is no more than an offer: it can be cleared, what is typed is left alone, and it is no draft.
    let mut world = World::new(120, 40);
    world.press("n");
    world.suggests(vec![here(HERE)], Vec::new());
    world.press("tab tab tab ctrl+u ctrl+s");
    assert_eq!(opened(&world), Vec::<String>::new());
    let mut world = World::new(120, 40);
    world.press("n tab tab tab x");
    world.suggests(vec![here(HERE)], Vec::new());
    world.press("ctrl+s");
    assert_eq!(opened(&world), ["x"]);
    let mut world = World::new(120, 40);
    world.press("n");
    world.suggests(vec![here(HERE)], Vec::new());
    world.press("esc");
    assert!(world.view().over.toasts.is_empty(), "nothing was typed");
}

#[test]
fn tab_completes_what_the_suggestions_have_in_common() {
    let opened = |hints: &[&str], keys: &str| {
        let mut world = World::new(120, 40);
        world.press("n tab tab tab g r o");
        let hint = |text: &&str| PlaceHint {
            text: (*text).into(),
            what: "cached".into(),
        };
        world.suggests(hints.iter().map(hint).collect(), Vec::new());
        world.press(keys);
        match &world.view().over.dialog {
            Some(Dialog::NewChat(new)) => dialog::Ask::places(new.as_ref()).unwrap().field.text(),
            _ => panic!("it is open"),
        }
    };
    assert_eq!(opened(&["grove"], "tab"), "grove");
    assert_eq!(opened(&["grove", "groceries"], "tab"), "gro");
    assert_eq!(opened(&["grove.git", "grove"], "tab"), "grove");
    assert_eq!(
        opened(&["grove.git", "grove"], "tab tab"),
        "grove",
        "the next one moves on"
    );
    assert_eq!(opened(&["groß", "gros"], "tab"), "gro");
    assert_eq!(opened(&["ledger"], "tab"), "gro", "it was suggested for another text");
}

#[test]
fn runs_of_a_schedule_stand_below_it_and_fold() {
    let mut world = World::new(120, 40);
    for (short, minutes) in [("runa", 60 * 24 * 2), ("runb", 60 * 24), ("runc", 10)] {
        world.chat(short, short, minutes);
        world.edits(short, |chat| chat.record.schedule = Some(id("nightly").to_string()));
    }
    world.chat("other", "Other", 5);
    world.look();
    let shown = |world: &mut World| {
        let sidebar = &world.view().sidebar;
        sidebar.chats().map(ChatId::to_string).collect::<Vec<_>>()
    };
    let all = ["other", "runc", "runb", "runa"].map(|short| id(short).to_string());
    assert_eq!(shown(&mut world), all);
    assert!(world.picture().contains("3 runs"), "{}", world.picture());
    // Space on any of them leaves the newest, which is then selected.
    world.press("G space");
    assert_eq!(shown(&mut world), all[..2]);
    assert_eq!(world.selected(), "runc");
    world.press("space");
    assert_eq!(shown(&mut world), all);
    // What is gone to from elsewhere is shown.
    world.press("space");
    world.view().chat = Some(id("runa"));
    world.look();
    assert_eq!(shown(&mut world), all);
}

#[test]
fn who_copied_in_an_agent_types_on_at_once() {
    let typed = |key: &str| Effect::Pane(id("auth").into(), PaneOrder::Input(key.as_bytes().to_vec()));
    for leave in ["q", "y", "ctrl+c"] {
        let mut world = World::morning(120, 40);
        world.press("enter ctrl+q v");
        world.later(1_000);
        world.press(leave);
        assert_eq!(world.press(leave), [], "a key that is held down");
        assert_eq!(world.press("l"), [typed("l")], "after {leave}");
        assert_eq!(world.press("s"), [typed("s")]);
    }
}
