//! What the menu of the Changes tab keeps: what is asked of workers, and what is said of it.

use parlour::domain::effect::Effect;
use parlour::domain::event::{Event, Outcome};
use parlour::domain::work::{KeepDone, KeepWork, Work};
use parlour::model::keep::{CommitHow, EndWay, GitUnderWay, KeepAsk, KeepDraft, PullWish, Pushed};
use parlour::model::{ChatId, Problem};

use crate::support::keep::{draft, keeping, keeping_with, press, press_with};
use crate::support::world::{World, id};

fn wanted(asked: &[KeepWork]) -> (ChatId, Option<&str>, KeepAsk) {
    match asked {
        [KeepWork::InClones { chat, project, ask }] => (chat.clone(), project.as_deref(), ask.clone()),
        other => panic!("{other:?}"),
    }
}

/// How what git has begun was to end after these keys.
fn ends(found: &KeepDraft, keys: &str) -> Vec<EndWay> {
    let (_, asked) = keeping_with(found, 120, 40, keys);
    let way = |work: &KeepWork| match work {
        KeepWork::InClones {
            ask: KeepAsk::End { way },
            ..
        } => Some(*way),
        _ => None,
    };
    asked.iter().filter_map(way).collect()
}

#[test]
fn a_drafted_message_is_committed_as_a_person_leaves_it() {
    let (mut world, _) = keeping(120, 40, "p c end");
    world.paste("!");
    let asked = press(&mut world, "ctrl+s");
    let message = Some("Rename session.rs and say so in the docs!".into());
    let ask = KeepAsk::Commit(CommitHow {
        message,
        amend: false,
        all: false,
        despite_remote: false,
    });
    assert_eq!(wanted(&asked), (id("dates"), None, ask));
}

#[test]
fn what_is_typed_goes_in_place_of_the_drafted_message() {
    let message = |keys: &str| match wanted(&keeping(120, 40, keys).1).2 {
        KeepAsk::Commit(CommitHow { message, .. }) => message,
        other => panic!("{other:?}"),
    };
    assert_eq!(message("p c F i x ctrl+s").as_deref(), Some("Fix"));
    assert_eq!(message("p c ctrl+s"), Some(draft().message));
}

#[test]
fn the_last_row_says_that_enter_commits_from_the_one_field() {
    // Which clones are meant is chosen behind the message.
    let (world, _) = keeping(120, 40, "p c tab");
    let picture = world.picture();
    let foot = picture
        .lines()
        .find(|line| line.contains(" DIALOG "))
        .unwrap_or_default();
    assert!(foot.contains("Enter Ctrl+S commit"), "{foot}");
    assert!(!foot.contains("Enter next"), "{foot}");
}

#[test]
fn an_amended_commit_keeps_its_message_unless_another_is_typed() {
    let (_, asked) = keeping(120, 40, "p a ctrl+s");
    let ask = KeepAsk::Commit(CommitHow {
        message: None,
        amend: true,
        all: false,
        despite_remote: false,
    });
    assert_eq!(wanted(&asked), (id("dates"), None, ask));
}

#[test]
fn a_message_that_was_left_goes_on_in_the_next_one_of_its_kind() {
    let (mut world, _) = keeping(120, 40, "p c F i x");
    press(&mut world, "esc");
    let told = |world: &mut World| world.view().over.toasts.last().map(|toast| toast.text.clone());
    assert_eq!(
        told(&mut world).as_deref(),
        Some("the next message goes on with what was typed")
    );
    world.later(20_000);
    press(&mut world, "p a esc");
    assert_eq!(told(&mut world), None, "nothing was typed there");
    world.later(2_000);
    let asked = press(&mut world, "p c ctrl+s");
    let message = Some("Fix".into());
    assert_eq!(
        wanted(&asked).2,
        KeepAsk::Commit(CommitHow {
            message,
            amend: false,
            all: false,
            despite_remote: false,
        })
    );
}

#[test]
fn a_message_that_was_left_says_so_and_goes_with_the_commit_that_it_was_for() {
    let mut one = draft();
    one.clones.truncate(1);
    one.last = "Mend the dates".into();
    let (mut world, _) = keeping_with(&one, 120, 40, "p c F i x");
    press_with(&one, &mut world, "esc");
    press_with(&one, &mut world, "p c");
    assert!(
        world
            .picture()
            .contains("You typed this before: Ctrl+U clears the line."),
        "{}",
        world.picture()
    );
    press_with(&one, &mut world, "! esc");
    // Somebody has committed in a shell.
    one.last = "Merge side".into();
    press_with(&one, &mut world, "p c");
    let picture = world.picture();
    assert!(
        !picture.contains("Fix!") && !picture.contains("You typed this before"),
        "{picture}"
    );
    assert!(picture.contains(&one.message), "{picture}");
}

#[test]
fn the_last_message_is_there_to_be_mended() {
    let mut one = draft();
    one.clones.truncate(1);
    one.last = "Mend the dats".into();
    let (mut world, _) = keeping_with(&one, 120, 40, "p a end backspace backspace");
    world.paste("tes");
    let asked = press(&mut world, "ctrl+s");
    let ask = KeepAsk::Commit(CommitHow {
        message: Some("Mend the dates".into()),
        amend: true,
        all: false,
        despite_remote: false,
    });
    assert_eq!(wanted(&asked).2, ask);
}

#[test]
fn a_commit_that_a_remote_has_is_replaced_once_that_is_ticked() {
    let mut one = draft();
    one.clones.truncate(1);
    one.clones[0].is_pushed = true;
    let (mut world, asked) = keeping_with(&one, 120, 40, "p a ctrl+s");
    assert_eq!(asked, [], "{}", world.picture());
    assert!(world.picture().contains("a remote has the last commit already"));
    press(&mut world, "tab tab space");
    let asked = press(&mut world, "ctrl+s");
    let ask = KeepAsk::Commit(CommitHow {
        message: None,
        amend: true,
        all: false,
        despite_remote: true,
    });
    assert_eq!(wanted(&asked).2, ask, "{}", world.picture());
}

#[test]
fn one_clone_is_chosen_and_what_is_bold_is_ticked() {
    let (_, asked) = keeping(120, 40, "p p up up right y");
    let ask = KeepAsk::Push {
        force_with_lease: false,
        despite_todos: false,
    };
    assert_eq!(wanted(&asked), (id("dates"), Some("ledger"), ask.clone()));
    let (_, asked) = keeping(120, 40, "p p up up right ctrl+s");
    assert_eq!(wanted(&asked), (id("dates"), Some("ledger"), ask), "as a form is ended");
    let (_, asked) = keeping(120, 40, "p h tab tab space ctrl+s");
    let (checkout, name) = (true, None);
    assert_eq!(wanted(&asked), (id("dates"), None, KeepAsk::Home { checkout, name }));
    for (keys, upstream) in [("p r up space y", false), ("p r up space up space y", true)] {
        let (_, asked) = keeping(120, 40, keys);
        let ask = KeepAsk::Rebase {
            upstream,
            keep_conflicts: true,
        };
        assert_eq!(wanted(&asked), (id("dates"), None, ask));
    }
}

#[test]
fn a_branch_that_is_checked_out_at_home_is_brought_there_by_another_name() {
    let held = KeepDraft {
        name: "dates".into(),
        ..draft()
    };
    let (mut world, _) = keeping_with(&held, 120, 40, "p h end");
    world.paste("/two");
    let asked = press(&mut world, "ctrl+s");
    let (checkout, name) = (false, Some("dates/two".into()));
    assert_eq!(wanted(&asked), (id("dates"), None, KeepAsk::Home { checkout, name }));
}

#[test]
fn a_pull_request_says_what_was_read() {
    let (_, asked) = keeping(120, 40, "p o ctrl+s");
    let (_, _, ask) = wanted(&asked);
    let KeepAsk::OpenPull(PullWish { title, body, draft, .. }) = ask else {
        panic!("{ask:?}");
    };
    assert_eq!((title.as_deref(), draft), (Some("Mend the dates"), false));
    assert!(body.is_some_and(|body| body.contains("Rename session.rs")));
}

#[test]
fn what_was_pushed_is_said_and_why_not_stands_in_the_dialog() {
    let (mut world, _) = keeping(120, 40, "p p");
    let pushed = |effects: Vec<Effect>| {
        let mut numbers = effects.into_iter().filter_map(|effect| match effect {
            Effect::Work(number, Work::Keep(_)) => Some(number),
            _ => None,
        });
        numbers.next().expect("a push is asked for")
    };
    let effects = world.press("y");
    let refused = Problem::new(
        "pushing in ledger",
        "the remote has commits that this branch lacks",
        "rebase first",
    );
    world.happens(Event::Done(pushed(effects), Outcome::Failed(refused)));
    assert!(
        world.picture().contains("the remote has commits"),
        "{}",
        world.picture()
    );
    let effects = world.press("y");
    let done = KeepDone::Pushed(vec![Pushed {
        project: "ledger".into(),
        branch: "fix-dates".into(),
        remote: "origin".into(),
        commit: "0123456789".into(),
        up_to_date: false,
        untold: None,
        uncommitted: 0,
    }]);
    let effects = world.happens(Event::Done(pushed(effects), Outcome::Keep(done)));
    assert!(
        world.picture().contains("fix-dates is at 0123456 in origin") && world.view().over.dialog.is_none(),
        "{}",
        world.picture()
    );
    let compared = |effect: &Effect| matches!(effect, Effect::Work(_, Work::Review(_)));
    assert!(effects.iter().any(compared), "the tab compares again");
}

#[test]
fn conflicts_of_a_rebase_are_offered_to_the_agent_as_a_prompt_that_waits_in_the_composer() {
    let (mut world, _) = keeping(120, 40, "p r");
    let effects = world.press("y");
    let number = effects.into_iter().find_map(|effect| match effect {
        Effect::Work(number, Work::Keep(_)) => Some(number),
        _ => None,
    });
    let problem = |offered: bool| {
        let problem = Problem::new(
            "rebasing in ledger",
            "One conflicts in a.rs",
            "`--keep-conflicts` leaves it",
        );
        match offered {
            true => problem.for_agent("dates", "Rebase it, and resolve a.rs.".into()),
            false => problem,
        }
    };
    assert!(problem(false).prompt.is_none());
    world.happens(Event::Done(number.unwrap(), Outcome::Failed(problem(true))));
    let picture = world.picture();
    assert!(picture.contains("Ask the agent"), "{picture}");
    assert!(!picture.contains("parlour send"), "{picture}");
    let effects = world.press("right enter");
    assert!(
        !effects.iter().any(|effect| matches!(effect, Effect::Pane(..))),
        "{effects:?}"
    );
    assert!(world.view().over.dialog.is_none());
    assert_eq!(world.view().composer.field.text(), "Rebase it, and resolve a.rs.");
    assert!(world.view().composer.is_entered);
}

#[test]
fn what_is_under_way_is_told_before_anything_is_typed() {
    let mut found = draft();
    found.clones.truncate(1);
    let shown = |found: &KeepDraft, keys: &str| keeping_with(found, 120, 40, keys).0.picture();
    found.clones[0].under_way = Some(GitUnderWay::Merge);
    found.clones[0].ends_by_commit = true;
    let picture = shown(&found, "p c");
    assert!(picture.contains("the commit ends a merge"), "{picture}");
    found.clones[0].conflicts = 2;
    let picture = shown(&found, "p c");
    assert!(picture.contains("a merge is under way, 2 files in"), "{picture}");
    found.clones[0].under_way = Some(GitUnderWay::Rebase);
    found.clones[0].ends_by_commit = false;
    let picture = shown(&found, "p c");
    assert!(picture.contains("a rebase is under way: continue or"), "{picture}");
    assert!(shown(&found, "p n").contains("a rebase is under way, 2 files in"));
    assert_eq!(ends(&found, "p n y"), [EndWay::Continue]);
    assert!(shown(&found, "p b").contains("committed: all of it goes"));
    assert_eq!(ends(&found, "p b y"), [EndWay::Abort]);
    found.clones[0].ends_by_commit = true;
    found.clones[0].conflicts = 0;
    assert!(shown(&found, "p n").contains("a rebase is under way: a commit"));
    found.clones[0].conflicts = 2;
    found.clones[0].under_way = None;
    // Neither is offered where nothing is under way.
    assert_eq!(ends(&found, "p n y p b y"), []);
    let picture = shown(&found, "p c");
    assert!(picture.contains("2 files in conflict: resolve"), "{picture}");
}
