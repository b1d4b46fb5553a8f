//! What dialogs say of what they ask about, and what leaving one gives up.

use parlour::app;
use parlour::domain::event::{DiskEvent, Outcome};
use parlour::domain::work::{ChatDone, ChatWork, ProjectDone, ProjectWork};
use parlour::domain::{Effect, Event, Work};
use parlour::model::open_dir::OpenDir;
use parlour::model::request::{ChatRequest, ProjectRequest, Request};
use parlour::model::tool::OpenDirAnswer;
use parlour::model::{Activity, Chat, Handle, Losses, Problem, Source, Status, WorkId};
use parlour::screen::dialog::{Ask, Dialog, Stop};
use parlour::ui;

use crate::support::events::works;
use crate::support::world::{ME, World, id};

#[test]
fn leaving_the_dialog_gives_up_the_project_that_it_opens_and_nothing_else_of_the_chat() {
    for way in ["esc", "cancel"] {
        let mut world = World::morning(120, 40);
        let other = world.ask(Request::Project(ProjectRequest::OpenDir {
            chat: "fix-auth-bug".into(),
            open: OpenDir {
                path_or_url: "https://example.org/ledger".into(),
                ..OpenDir::default()
            },
        }));
        let (other, _) = works(&other).remove(0);
        world.press("o");
        world.paste("https://example.org/grove");
        let mut opens = works(&world.press("ctrl+s")).into_iter();
        let (work, _) = opens
            .find(|(_, job)| matches!(job, Work::Project(ProjectWork::Open { .. })))
            .unwrap();
        assert_ne!(work, other);
        let effects = match way {
            "esc" => world.press("esc"),
            _ => world.press("tab tab tab tab enter"),
        };
        let cancels = |effect: &&Effect| matches!(effect, Effect::Cancel(_) | Effect::CancelFor(_));
        let cancelled: Vec<&Effect> = effects.iter().filter(cancels).collect();
        assert_eq!(cancelled, [&Effect::Cancel(work)], "{way}");
        assert!(world.view().over.dialog.is_none());
        assert!(world.picture().contains("Opening the project was given up."));
        world.done(work, Outcome::Failed(Problem::new("opening", "it was cancelled", "")));
        world.calm();
        assert!(!world.picture().contains("it was cancelled"), "{}", world.picture());
        assert!(world.picture().contains("cloning https://example.org/ledger"));
    }
}

#[test]
fn chats_of_one_name_are_told_apart_by_their_handles_wherever_they_are_asked_about() {
    let mut world = World::morning(120, 40);
    world.chat("twin", "Fix auth bug", 1).runs(Status::Running(None), "");
    world.edits("twin", |chat| {
        chat.record.handle = Handle::parse("fix-auth-bug-2").unwrap()
    });
    world.view().chat = Some(id("twin"));
    world.look();
    for (key, title) in [
        ("s", "Stop the agent?"),
        ("S", "Restart the agent?"),
        ("o", "Open a project in fix-auth-bug-2"),
        ("x", "Delete this chat?"),
    ] {
        world.press(key);
        let picture = world.picture();
        let below = picture
            .split_once(title)
            .unwrap_or_else(|| panic!("{title}: {picture}"))
            .1;
        let named = below.lines().nth(2).unwrap_or_default().contains("fix-auth-bug-2");
        assert!(named || title.contains("fix-auth-bug-2"), "{title}: {picture}");
        if key != "x" {
            world.press("esc");
            world.calm();
        }
    }
    assert_eq!(ui::title(&world.state, ME), "(1) fix-auth-bug-2 · parlour");
    world.loses(Losses::default());
    world.later(1_000);
    world.press("right enter");
    world.loses(Losses::default());
    world.is_deleted("twin");
    assert_eq!(
        world.view().over.toasts.last().unwrap().text,
        "Deleted fix-auth-bug-2. u restores it, X shows the trash."
    );
}

#[test]
fn what_a_restart_breaks_off_follows_what_the_agent_does() {
    let mut world = World::morning(120, 40);
    world.press("S");
    assert!(
        world.picture().contains("Its turn is broken off."),
        "{}",
        world.picture()
    );
    world.hears(Source::SessionFile, Activity::Idle);
    let picture = world.picture();
    assert!(!picture.contains("broken off"), "{picture}");
    assert!(picture.contains("It goes on with the same conversation"), "{picture}");
}

#[test]
fn a_letter_on_a_choice_goes_to_the_next_that_begins_with_it() {
    let mut world = World::new(120, 40);
    world.press("n tab tab");
    let chosen = |world: &World, agent: &str| {
        let picture = world.picture();
        assert!(picture.contains(&format!("‹ {agent}")), "{agent}: {picture}");
    };
    chosen(&world, "Claude Code");
    world.press("s");
    chosen(&world, "Shell");
    world.press("D");
    chosen(&world, "Demo");
    world.press("x");
    chosen(&world, "Demo");
    // Letters without a pause are one word, and the same one is the next of them.
    for (keys, agent) in [
        ("c l a u d e", "Claude Code"),
        ("d e m o", "Demo"),
        ("s", "Shell"),
        ("s h", "Shell"),
        ("s c l a u d e", "Claude Code"),
    ] {
        world.later(2_000);
        world.press(keys);
        chosen(&world, agent);
    }
}

#[test]
fn a_shell_is_offered_nothing_that_it_does_not_take() {
    let mut world = World::new(120, 40);
    world.press("n");
    assert!(world.picture().contains("Unasked"), "{}", world.picture());
    world.press("tab tab s");
    let picture = world.picture();
    assert!(picture.contains("a shell takes no prompt"), "{picture}");
    assert!(!picture.contains("Unasked") && !picture.contains("Role"), "{picture}");
    world.press("tab tab right");
    let picture = world.picture();
    assert!(picture.contains("in place, to read"), "{picture}");
    assert!(
        picture.contains("Nothing keeps a shell from writing there"),
        "{picture}"
    );
    world.press("left backtab backtab backtab backtab l s");
    let picture = world.picture();
    assert!(
        picture.contains("A shell takes no prompt: empty it, or choose another"),
        "{picture}"
    );
}

#[test]
fn a_form_is_answered_as_a_question_is_while_a_button_has_the_keys() {
    let mut world = World::morning(120, 40);
    world.press("n");
    world.calm();
    world.press("backtab n");
    assert!(world.view().over.dialog.is_none());
    world.calm();
    world.press("n");
    world.calm();
    world.paste("fix it");
    world.press("backtab");
    let makes = |(_, work): &(WorkId, Work)| matches!(work, Work::Chat(ChatWork::Create(..)));
    let effects = world.press("y");
    assert!(works(&effects).iter().any(makes), "{effects:?} {}", world.picture());
}

#[test]
fn the_foot_of_a_schedule_says_what_its_button_does() {
    let mut world = World::morning(120, 40);
    world.press("A");
    world.calm();
    world.press("n");
    let picture = world.picture();
    assert!(picture.contains("Ctrl+S create"), "{picture}");
}

/// The work that keys led to, and what is loaded when it is done.
fn begun(world: &mut World, keys: &str) -> (WorkId, Chat) {
    let effects = world.press(keys);
    let works = effects.into_iter().filter_map(|effect| match effect {
        Effect::Work(work, Work::Project(ProjectWork::Open { .. }) | Work::Chat(ChatWork::Rename { .. })) => Some(work),
        _ => None,
    });
    (
        works.last().expect("it begins"),
        world.state.domain.disk.chats[&id("auth")].clone(),
    )
}

#[test]
fn opening_what_is_open_already_ends_its_dialog() {
    let mut world = World::morning(120, 40);
    let (work, chat) = begun(&mut world, "o g r o v e ctrl+s");
    assert!(matches!(world.view().over.dialog, Some(Dialog::Project(_))));
    let again = OpenDirAnswer {
        name: "grove".into(),
        path: chat.projects[0].path.clone(),
        branch: None,
        created: false,
        notes: Vec::new(),
    };
    app::update(
        &mut world.state,
        Event::Done(work, Outcome::Project(ProjectDone::Opened(Box::new(chat), again))),
    );
    assert!(world.view().over.dialog.is_none());
}

#[test]
fn a_name_that_is_kept_in_another_form_ends_its_dialog() {
    let mut world = World::morning(120, 40);
    let (work, mut chat) = begun(&mut world, "r ctrl+u a space space b enter");
    assert!(matches!(world.view().over.dialog, Some(Dialog::Rename(_))));
    chat.record.name = "a b".into();
    app::update(
        &mut world.state,
        Event::Done(work, Outcome::Chat(ChatDone::Loaded(Box::new(chat)))),
    );
    assert!(world.view().over.dialog.is_none());
}

#[test]
fn what_else_is_done_in_the_chat_meanwhile_ends_no_dialog() {
    let mut world = World::morning(120, 40);
    let (_, mut chat) = begun(&mut world, "o l e d g e r ctrl+s");
    chat.projects.push(chat.projects[0].clone());
    app::update(&mut world.state, Event::Disk(DiskEvent::Chat(Box::new(chat))));
    assert!(matches!(world.view().over.dialog, Some(Dialog::Project(_))));
}

#[test]
fn a_chat_that_somebody_else_deletes_closes_its_dialog_and_that_is_said() {
    for keys in ["r", "x", "s", "S", "o", "m"] {
        let mut world = World::morning(120, 40);
        world.press(keys);
        if keys == "x" {
            world.loses(Losses::default());
            world.later(1_000);
        }
        if keys == "m" {
            world.lists_servers("auth", Vec::new());
        }
        assert!(world.view().over.dialog.is_some(), "{keys}");
        world.happens(Event::Disk(DiskEvent::ChatGone(id("auth"))));
        assert!(world.view().over.dialog.is_none(), "{keys}");
        let told: Vec<&str> = world
            .view()
            .over
            .toasts
            .iter()
            .map(|toast| toast.text.as_str())
            .collect();
        assert_eq!(told, ["Fix auth bug was deleted meanwhile."], "{keys}");
    }
}

#[test]
fn a_dialog_whose_work_is_under_way_waits_for_its_answer_whoever_else_does_the_same() {
    let mut world = World::morning(120, 40);
    let (work, chat) = begun(&mut world, "r ctrl+u N e w enter");
    let others = world.ask(Request::Chat(ChatRequest::Rename {
        chat: "fix-auth-bug".into(),
        name: "Other".into(),
    }));
    let (other, _) = works(&others).remove(0);
    world.done(other, Outcome::Chat(ChatDone::Loaded(Box::new(chat))));
    assert!(
        matches!(world.view().over.dialog, Some(Dialog::Rename(_))),
        "it was another's"
    );

    world.happens(Event::Disk(DiskEvent::ChatGone(id("auth"))));
    assert!(
        matches!(world.view().over.dialog, Some(Dialog::Rename(_))),
        "it is not answered"
    );
    world.done(
        work,
        Outcome::Failed(Problem::missing("renaming", "there is no such chat", "")),
    );
    assert!(world.view().over.dialog.is_none());
    let told: Vec<&str> = world
        .view()
        .over
        .toasts
        .iter()
        .map(|toast| toast.text.as_str())
        .collect();
    assert_eq!(told, ["Fix auth bug was deleted meanwhile."]);
}

#[test]
fn an_answer_meets_the_dialog_that_asked_and_no_later_one() {
    let mut world = World::morning(120, 40);
    let (work, chat) = begun(&mut world, "r ctrl+u N e w enter");
    world.press("esc");
    world.calm();
    let (second, _) = begun(&mut world, "r ctrl+u N e w e r enter");
    world.done(work, Outcome::Failed(Problem::new("renaming", "the disk is full", "")));
    assert!(matches!(world.view().over.dialog, Some(Dialog::Rename(_))));
    assert!(
        world.view().over.toasts[0].text.contains("the disk is full"),
        "of the first"
    );
    world.done(second, Outcome::Chat(ChatDone::Loaded(Box::new(chat))));
    assert!(world.view().over.dialog.is_none());
}

#[test]
fn a_chat_that_is_made_for_another_reason_leaves_what_is_typed_for_a_new_one() {
    let mut world = World::morning(120, 40);
    world.press("+");
    world.calm();
    let (work, _) = works(&world.press("y")).remove(0);
    world.calm();
    world.press("n F i x");
    let mut twin = world.state.domain.disk.chats[&id("auth")].clone();
    twin.record.id = id("twin");
    let made = ChatDone::Duplicated {
        chat: Box::new(twin),
        notes: Vec::new(),
    };
    world.done(work, Outcome::Chat(made));
    // Who typed on since stays where they are.
    assert_eq!(world.view().chat, Some(id("auth")));
    assert!(matches!(world.view().over.dialog, Some(Dialog::NewChat(_))));
}

#[test]
fn a_letter_that_is_no_buttons_key_moves_no_focus_in_a_question() {
    let mut world = World::morning(120, 40);
    world.press("s");
    world.later(1_000);
    let at = |world: &mut World| match &world.view().over.dialog {
        Some(Dialog::Stop(halt)) => halt.form().at,
        _ => panic!("it is asked"),
    };
    for letter in ["j", "k", "x"] {
        world.press(letter);
        assert_eq!(at(&mut world), Stop::No, "{letter}");
    }
    for key in ["down", "up", "tab", "left", "right"] {
        let before = at(&mut world);
        world.press(key);
        assert_ne!(at(&mut world), before, "{key}");
    }
}

#[test]
fn the_form_of_a_new_chat_stays_where_it_is_whatever_agent_is_chosen() {
    for (cols, rows) in [(120, 40), (80, 24)] {
        let mut world = World::morning(cols, rows);
        world.press("n tab tab");
        let frame = |world: &World| {
            let picture = world.picture();
            let row = |sign: &str| picture.lines().position(|line| line.contains(sign)).expect(sign);
            [row("╭ New chat"), row("Create"), row("Branch")]
        };
        let asks = |world: &World| world.picture().contains("let Claude Code trust");
        let (claude, asked) = (frame(&world), asks(&world));
        assert!(asked || rows < 30, "{}", world.picture());
        for _ in 0..2 {
            world.press("right");
            assert!(!asks(&world));
            assert_eq!(frame(&world), claude, "{}", world.picture());
        }
    }
}
