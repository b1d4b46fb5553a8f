//! Dialogs: what a person is asked, and what follows from the answer.

use parlour::domain::agents::Agents;
use parlour::domain::chats::Chats;
use parlour::domain::event::Outcome;
use parlour::domain::state::Then;
use parlour::domain::work::{
    AgentWork, ChatDone, ChatThen, ChatWork, Choice, ProjectWork, Read, ShownRead, TrashDone, TrashWork,
};
use parlour::domain::{Effect, Work};
use parlour::model::request::NewChat;
use parlour::model::{Losses, PaneEvent, Problem, RoleEntry, RoleFrom, Status};
use parlour::screen::dialog::Dialog;
use parlour::ui;

use crate::support::events::{orders, works};
use crate::support::world::{ME, World, id};

/// The jobs among effects.
fn jobs(effects: Vec<Effect>) -> Vec<Work> {
    let job = |effect| match effect {
        Effect::Work(_, job) => Some(job),
        _ => None,
    };
    effects.into_iter().filter_map(job).collect()
}

/// What the newest chat being made is to be made of.
fn ordered(world: &World) -> &NewChat {
    let made = world
        .state
        .domain
        .live
        .waiting
        .iter()
        .filter_map(|(work, waiting)| match &waiting.then {
            Then::Chat(ChatThen::SetUp(new)) => Some((work, new)),
            _ => None,
        });
    made.max_by_key(|(work, _)| **work).expect("a chat is being made").1
}

fn lost(lines: &[&str]) -> Losses {
    Losses {
        lost: lines.iter().map(ToString::to_string).collect(),
        ..Losses::default()
    }
}

#[test]
fn a_new_chat_can_be_made_without_filling_anything_in() {
    let mut world = World::morning(120, 40);
    world.press("n ctrl+s");
    let new = ordered(&world);
    assert_eq!(
        (new.llm.as_deref(), &new.prompt, &new.name, new.dirs.len()),
        (Some("claude"), &None, &None, 0)
    );
    assert_eq!(new.env.get("PATH").map(String::as_str), Some("/usr/bin"));
}

#[test]
fn enter_goes_from_field_to_field_and_then_creates() {
    let mut world = World::morning(120, 40);
    world.press("n");
    world.paste("Fix the login\nand test it");
    world.press("enter L o g i n enter right enter g r o v e");
    world.press("enter enter enter enter enter enter enter");
    assert_eq!(world.press("tab tab tab"), []);
    let new = ordered(&world);
    assert_eq!(new.prompt.as_deref(), Some("Fix the login\nand test it"));
    assert_eq!(
        (new.name.as_deref(), new.llm.as_deref()),
        (Some("Login"), Some("shell"))
    );
    assert_eq!(
        (new.dirs[0].path_or_url.as_str(), &new.dirs[0].branch),
        ("grove", &None)
    );
}

#[test]
fn what_was_typed_for_a_chat_that_was_not_made_is_there_again() {
    let mut world = World::morning(120, 40);
    world.press("n");
    world.paste("Fix the login");
    world.press("enter right esc");
    assert!(world.view().over.dialog.is_none());
    world.press("n tab L o g i n ctrl+s");
    let new = ordered(&world);
    assert_eq!(
        (new.prompt.as_deref(), new.name.as_deref(), new.llm.as_deref()),
        (Some("Fix the login"), Some("Login"), Some("claude"))
    );

    // It is being made, and given up: it comes back. What is made does not.
    world.press("esc n ctrl+s");
    assert_eq!(ordered(&world).prompt.as_deref(), Some("Fix the login"));
    world.is_made("auth");
    world.press("ctrl+q n ctrl+s");
    assert_eq!(ordered(&world).prompt, None);
}

#[test]
fn what_was_wrong_is_said_until_something_is_changed() {
    let mut world = World::morning(120, 40);
    let wrong = |world: &mut World| {
        world.press("ctrl+s");
        world.fails(Problem::new("making a chat", "that is no project", ""));
        assert!(world.picture().contains("that is no project"));
    };
    world.press("n");
    for change in ["x", "tab x", "tab right", "tab x"] {
        wrong(&mut world);
        world.press("tab shift+tab");
        assert!(world.picture().contains("that is no project"), "{change}");
        world.press(change);
        assert!(!world.picture().contains("that is no project"), "{change}");
    }
    wrong(&mut world);
    world.paste("more");
    assert!(!world.picture().contains("that is no project"));
}

#[test]
fn trust_is_written_only_with_consent_and_is_asked_only_once() {
    let trusts = |job: &Work| matches!(job, Work::Agent(AgentWork::Trust { llm, .. }) if llm == "claude");
    let mut world = World::morning(120, 40);
    assert!(!jobs(world.press("n ctrl+s")).iter().any(trusts));
    let mut world = World::morning(120, 40);
    world.press("n tab tab tab tab tab tab tab tab tab tab space");
    let effects = jobs(world.press("ctrl+s"));
    assert!(trusts(&effects[0]), "{effects:?}");
    world.state.domain.disk.settings.trust.insert("claude".into(), false);
    world.press("esc n tab tab tab tab tab tab tab tab tab tab space");
    assert!(!jobs(world.press("ctrl+s")).iter().any(trusts));
}

#[test]
fn suggestions_are_asked_for_one_at_a_time_with_the_newest_text() {
    let asked = |effects| {
        jobs(effects).into_iter().find_map(|job| match job {
            Work::Read(Read::Shown(ShownRead::Places { text, .. })) => Some(text),
            _ => None,
        })
    };
    let mut world = World::morning(120, 40);
    assert_eq!(asked(world.press("o")).as_deref(), Some(""));
    assert_eq!(asked(world.press("g r o")), None);
    assert_eq!(asked(world.suggests(Vec::new(), Vec::new())).as_deref(), Some("gro"));
    assert_eq!(asked(world.suggests(Vec::new(), Vec::new())), None);
}

#[test]
fn a_suggestion_is_taken_with_enter() {
    let mut world = World::morning(120, 40);
    world.press("o l e d g e r - w down enter tab h o t f i x");
    let opened = jobs(world.press("ctrl+s")).remove(0);
    let Work::Project(ProjectWork::Open { chat, open, .. }) = opened else {
        panic!("{opened:?}")
    };
    assert_eq!(
        (chat, open.path_or_url.as_str(), open.branch.as_deref()),
        (id("auth"), "/home/mia/ledger-web", Some("hotfix"))
    );
}

#[test]
fn a_failure_is_shown_where_it_was_asked_and_nothing_typed_is_lost() {
    let mut world = World::morning(120, 40);
    world.press("o x ctrl+s");
    world.fails(Problem::new("opening x", "there is no such place", ""));
    assert!(world.view().over.toasts.is_empty());
    let again = jobs(world.press("y ctrl+s"));
    assert!(
        matches!(&again[0], Work::Project(ProjectWork::Open { open, .. }) if open.path_or_url == "xy"),
        "{again:?}"
    );
}

#[test]
fn renaming_offers_the_name_and_refuses_none() {
    let mut world = World::morning(120, 40);
    world.press("r");
    assert_eq!(world.press("ctrl+u enter"), []);
    let renamed = jobs(world.press("N e w enter"));
    assert_eq!(
        renamed,
        [Work::Chat(ChatWork::Rename {
            chat: id("auth"),
            name: "New".into()
        })]
    );
}

#[test]
fn deleting_is_answered_only_after_the_losses_were_seen_for_half_a_second() {
    let mut world = World::morning(120, 40);
    assert_eq!(jobs(world.press("G x")), [Work::Chat(ChatWork::Losses(id("rails")))]);
    world.later(1_000);
    assert_eq!(world.press("right enter"), [], "what would be lost is not known yet");
    world.loses(lost(&["grove: 2 commits"]));
    world.later(499);
    assert_eq!(world.press("enter"), [], "it has just appeared");
    world.later(1);
    assert_eq!(jobs(world.press("enter")), [Work::Chat(ChatWork::Losses(id("rails")))]);
}

#[test]
fn the_first_answer_to_a_deletion_is_to_keep() {
    let mut world = World::morning(120, 40);
    world.press("x");
    world.loses(Losses::default());
    world.later(1_000);
    assert_eq!(world.press("enter"), []);
    assert!(world.view().over.dialog.is_none());
    assert!(world.state.domain.disk.chats.contains_key(&id("auth")));
}

#[test]
fn leaving_the_dialog_gives_up_the_chat_that_it_makes() {
    let begin = || {
        let mut world = World::morning(120, 40);
        let keys = "n tab tab tab h t t p s : / / x / y ctrl+s";
        let mut made = works(&world.press(keys))
            .into_iter()
            .filter_map(|(work, job)| match job {
                Work::Chat(ChatWork::Create(record)) => Some((work, record)),
                _ => None,
            });
        let (work, record) = made.next().expect("it is made");
        (world, work, record)
    };
    let chat = |record: &parlour::domain::work::NewRecord| {
        let mut chat = World::morning(120, 40).state.domain.disk.chats[&id("auth")].clone();
        chat.record.id = record.id.clone();
        Outcome::Chat(ChatDone::Loaded(Box::new(chat)))
    };
    let (mut world, work, record) = begin();
    let made = world.done(work, chat(&record));
    let (work, _) = works(&made).remove(0);
    world.later(2_500);
    assert!(
        world.picture().contains("cloning https://x/y · 2 s"),
        "{}",
        world.picture()
    );
    let effects = world.press("esc");
    assert!(effects.contains(&Effect::Cancel(work)), "{effects:?}");
    assert!(world.picture().contains("The new chat was given up."));
    let effects = world.done(work, Outcome::Failed(Problem::new("opening", "it was cancelled", "")));
    let done = jobs(effects);
    assert!(
        done.contains(&Work::Chat(ChatWork::Discard(record.id.clone()))),
        "{done:?}"
    );
    let numbers = done.iter().find_map(|job| match job {
        Work::Chat(ChatWork::KeepLeft(left)) => Some(left.numbers.contains_key(&record.id)),
        _ => None,
    });
    assert_eq!(numbers, Some(false), "its number is free");
    assert!(!world.picture().contains("it was cancelled"));
    // Before its record is there.
    let (mut world, work, record) = begin();
    world.press("esc");
    let done = jobs(world.done(work, chat(&record)));
    assert!(
        done.contains(&Work::Chat(ChatWork::Discard(record.id.clone()))),
        "{done:?}"
    );
}

/// A yes to the dialog, and what deleting would lose by then.
fn agreed(world: &mut World, losses: Losses) -> Vec<Effect> {
    let (work, job) = works(&world.press("right enter")).remove(0);
    assert_eq!(
        job,
        Work::Chat(ChatWork::Losses(id("auth"))),
        "its agent may have worked on"
    );
    world.done(work, Outcome::Chat(ChatDone::Losses(losses)))
}

#[test]
fn what_is_to_lose_is_looked_at_again_at_the_yes() {
    let losses = |lost: &[&str]| Losses {
        lost: lost.iter().map(|line| (*line).into()).collect(),
        ..Losses::default()
    };
    let mut world = World::morning(120, 40);
    world.press("x");
    world.loses(losses(&["one"]));
    world.later(1_000);
    assert_eq!(jobs(agreed(&mut world, losses(&["one", "two"]))), []);
    assert!(world.picture().contains("There is more to lose by now."));
    assert!(world.picture().contains("two"));
    assert_eq!(jobs(world.press("y")), [], "it has just appeared");
    world.later(1_000);
    // The safe answer is the first again, and less is no reason to ask.
    assert_eq!(
        jobs(agreed(&mut world, losses(&["two"]))),
        [Work::Chat(ChatWork::ReadyTrash(id("auth")))]
    );

    let mut world = World::morning(120, 40);
    world.press("x");
    world.loses(losses(&["one"]));
    world.later(1_000);
    let (work, _) = works(&world.press("right enter")).remove(0);
    world.press("esc");
    let effects = world.done(work, Outcome::Chat(ChatDone::Losses(losses(&["one"]))));
    assert_eq!(jobs(effects), [], "it was given up");
}

#[test]
fn what_was_deleted_is_said_and_can_be_brought_back() {
    let mut world = World::morning(120, 40);
    world.press("x");
    world.loses(Losses::default());
    world.later(1_000);
    agreed(&mut world, Losses::default());
    world.is_deleted("auth");
    assert_eq!(
        world.view().over.toasts[0].text,
        "Deleted Fix auth bug. u restores it, X shows the trash."
    );
    world.calm();
    // Whoever deleted it: what is newest in the trash comes back, and the cursor stands on it.
    let (work, job) = works(&world.press("u")).remove(0);
    assert_eq!(job, Work::Trash(TrashWork::RestoreLast { since: None }));
    let back = World::morning(120, 40).state.domain.disk.chats[&id("auth")].clone();
    world.done(work, Outcome::Trash(TrashDone::Restored(Box::new(back))));
    assert_eq!(world.view().chat, Some(id("auth")));
    assert_eq!(
        world.view().over.toasts.last().unwrap().text,
        "Restored \"Fix auth bug\"."
    );
}

#[test]
fn stopping_asks_first_and_only_where_something_runs() {
    let mut world = World::morning(120, 40);
    world.press("s");
    assert!(matches!(world.view().over.dialog, Some(Dialog::Stop(_))));
    assert_eq!(world.press("right enter"), [], "it has just appeared");
    assert_eq!(orders(&world.later(500)).len(), 1);
    world.calm();
    world.press("G s");
    assert_eq!(world.view().over.toasts[0].text, "Its agent does not run.");
}

#[test]
fn a_dialog_about_a_chat_goes_with_it() {
    let mut world = World::morning(120, 40);
    world.press("r");
    world.state.domain.disk.chats.remove(&id("auth"));
    world.look();
    assert!(world.view().over.dialog.is_none());
}

#[test]
fn losses_that_cannot_be_found_out_are_said_to_be_unknown() {
    let mut world = World::morning(120, 40);
    world.press("G x");
    world.fails(Problem::new("looking", "the disk is gone", ""));
    assert!(world.picture().contains("unknown: it could not be found out"));
    world.later(500);
    let (work, _) = works(&world.press("right enter")).remove(0);
    let effects = world.done(work, Outcome::Failed(Problem::new("looking", "the disk is gone", "")));
    assert_eq!(
        jobs(effects),
        [Work::Chat(ChatWork::Trash(id("rails")))],
        "it was agreed to as it is"
    );
}

#[test]
fn suggestions_go_on_after_a_question_that_failed() {
    let mut world = World::morning(120, 40);
    world.press("o g r");
    let effects = world.fails(Problem::new("looking", "the disk is gone", ""));
    assert!(world.view().over.toasts.is_empty());
    assert!(
        matches!(jobs(effects).as_slice(), [Work::Read(Read::Shown(ShownRead::Places { text, .. }))] if text == "gr")
    );
}

#[test]
fn the_demo_is_one_key_away() {
    let mut world = World::new(80, 24);
    assert_eq!(jobs(world.press("D")), [Work::Chat(ChatWork::Sample)]);
}

#[test]
fn the_windows_title_names_the_chat_and_counts_who_waits() {
    let mut world = World::morning(80, 24);
    assert_eq!(
        ui::title(&world.state, ME),
        "(1) Fix auth bug · grove · feature-auth · parlour"
    );
    world.state.domain.disk.chats = Chats::default();
    world.state.domain.live.agents = Agents::default();
    world.look();
    assert_eq!(ui::title(&world.state, ME), "parlour");
}

#[test]
fn a_new_chat_takes_on_the_role_that_was_chosen_and_the_agent_that_it_wants() {
    let mut world = World::morning(80, 24);
    world.press("n");
    let role = RoleEntry {
        name: "releaser".into(),
        description: String::new(),
        llm: Some("shell".into()),
        model: None,
        from: RoleFrom::User,
        path: None,
        damage: None,
    };
    world.suggests(Vec::new(), vec![role]);
    world.press("tab tab tab tab tab tab tab tab right");
    let made = jobs(world.press("ctrl+s"));
    let made = made.into_iter().find_map(|job| match job {
        Work::Chat(ChatWork::Create(record)) => Some((record.role, record.llm)),
        _ => None,
    });
    let shell = Choice::Named("shell".into());
    assert_eq!(made, Some((Some("releaser".into()), shell)));
}

#[test]
fn a_suggestion_that_is_chosen_stays_so_wherever_the_next_answer_puts_it() {
    let hint = |text: &str| parlour::domain::event::PlaceHint {
        text: text.into(),
        what: "git".into(),
    };
    let mut world = World::morning(120, 40);
    world.press("o x");
    world.suggests(vec![hint("xa"), hint("xb")], Vec::new());
    world.press("down");
    world.suggests(vec![hint("xb"), hint("xa")], Vec::new());
    world.press("enter");
    let opened = jobs(world.press("ctrl+s")).remove(0);
    assert!(
        matches!(&opened, Work::Project(ProjectWork::Open { open, .. }) if open.path_or_url == "xa"),
        "{opened:?}"
    );
}

/// What runs ends first, and stands elsewhere in the list by then.
#[test]
fn behind_a_deletion_the_chat_is_selected_that_the_person_saw_next_to_it() {
    let mut world = World::new(120, 40);
    for (chat, minutes) in [("auth", 1), ("docs", 2), ("web", 3)] {
        world.chat(chat, chat, minutes).runs(Status::Idle(None), "");
    }
    world.look();
    world.press("enter");
    let below = world.view().sidebar.chats().nth(1).cloned();
    world.press("ctrl+q x");
    world.loses(Losses::default());
    world.later(1_000);
    let effects = agreed(&mut world, Losses::default());
    world.done(works(&effects)[0].0, Outcome::Chat(ChatDone::ReadyToTrash));
    let ended = PaneEvent::Exited {
        code: Some(0),
        signal: None,
    };
    let effects = world.said("auth", ended);
    world.later(4_000);
    assert_ne!(world.view().sidebar.chats().next(), Some(&id("auth")), "it moved");
    let mut trash = works(&effects).into_iter();
    let trash = trash.find(|(_, job)| *job == ChatWork::Trash(id("auth")).into());
    world.done(
        trash.unwrap().0,
        Outcome::Chat(ChatDone::Removed(id("auth"), Vec::new())),
    );
    assert_eq!(world.view().chat, below);
}
