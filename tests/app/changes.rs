//! The Changes tab: what it asks workers for, and what stays while an agent works on.

use std::collections::BTreeMap;

use parlour::domain::agent::state::{Agent, AtEnd};
use parlour::domain::effect::Effect;
use parlour::domain::event::{Event, Outcome};
use parlour::domain::work::{Choice, ReviewDone, ReviewWork, Work};
use parlour::model::review::{Amount, Back, DiffSet, KeptCheckpoint, Point, RevertOf};
use parlour::screen::dialog::Dialog;
use parlour::screen::keymap::PaneSheet;
use parlour::screen::tab::changes::{ChangesPart, FileKey};
use parlour::screen::view::Tab;

use crate::support::events::problem;
use crate::support::review::{answer, answer_reviewed, ask_who_reviews, checkpoint, file, overview, reviewed};
use crate::support::world::{World, claude_and_codex, id};

fn press(world: &mut World, keys: &str) -> Vec<ReviewWork> {
    world.press_each(keys, answer)
}

fn selected(world: &mut World) -> FileKey {
    world.view().changes.tree.selected.clone().unwrap()
}

fn sets(asked: &[ReviewWork]) -> Vec<DiffSet> {
    let set = |work: &ReviewWork| match work {
        ReviewWork::Overview(_, set) => Some(set.clone()),
        _ => None,
    };
    asked.iter().filter_map(set).collect()
}

#[test]
fn it_opens_and_closes_by_its_key_and_asks_once() {
    let mut world = World::morning(120, 40);
    let effects = world.press("d");
    let asked = answer(&mut world, effects);
    assert_eq!(sets(&asked), [DiffSet::LastPrompt]);
    assert_eq!(
        asked.len(),
        3,
        "the files, the lines of the first and the remarks: {asked:?}"
    );
    assert_eq!(world.view().tab, Tab::Sheet(PaneSheet::Changes));
    assert!(answer(&mut world, Vec::new()).is_empty());
    press(&mut world, "d");
    assert_eq!(world.view().tab, Tab::Terminal);
}

#[test]
fn without_repositories_it_says_why_and_leads_to_what_is_in_place() {
    let shown = |is_plain: bool| {
        let mut world = World::new(120, 40);
        let chat = world.chat("notes", "Notes", 1);
        if is_plain {
            chat.local("notes");
        }
        world.look();
        world.press("g d");
        world.picture()
    };
    let (plain, without) = (shown(true), shown(false));
    assert!(
        plain.contains("is no git") && plain.contains("$  a shell there"),
        "{plain}"
    );
    assert!(without.contains("This chat works on no repository"), "{without}");
    assert!(!without.contains("a shell there"), "{without}");
}

#[test]
fn turns_are_gone_through_and_two_marked_ones_are_compared() {
    let mut world = reviewed(120, 40);
    assert_eq!(sets(&press(&mut world, "[")), [DiffSet::Turn(2)]);
    assert_eq!(sets(&press(&mut world, "[")), [DiffSet::Turn(1)]);
    // There is none before the first.
    assert_eq!(sets(&press(&mut world, "[")), [DiffSet::Turn(1)]);
    assert_eq!(
        sets(&press(&mut world, "m ] m")),
        [DiffSet::Turn(2), DiffSet::Between(1, 4)]
    );
    // Behind the last one there is nothing yet.
    let asked = sets(&press(&mut world, "[ m ] m"));
    assert_eq!(asked, [DiffSet::Turn(2), DiffSet::LastPrompt, DiffSet::Since(2)]);
    assert_eq!(sets(&press(&mut world, "c b")), [DiffSet::Base]);
    assert_eq!(sets(&press(&mut world, "c down enter")), [DiffSet::Uncommitted]);
    assert_eq!(sets(&press(&mut world, "c l")), [DiffSet::LastPrompt]);
}

#[test]
fn every_set_is_chosen_on_the_screen() {
    let mut world = reviewed(120, 40);
    assert_eq!(sets(&press(&mut world, "c t down enter")), [DiffSet::Turn(2)]);
    assert_eq!(
        sets(&press(&mut world, "c s N o w space f i x enter")),
        [DiffSet::Since(2)]
    );
    assert_eq!(
        sets(&press(&mut world, "c o l o g i n enter")),
        [DiffSet::Commit("b".repeat(40))]
    );
    assert!(world.picture().contains("commit bbbbbbbbbb"), "{}", world.picture());
    assert_eq!(sets(&press(&mut world, "c esc")), []);
}

#[test]
fn a_viewed_mark_falls_when_the_file_changes_again() {
    let mut world = reviewed(120, 40);
    let first = selected(&mut world);
    press(&mut world, "v");
    assert_ne!(selected(&mut world), first, "the next one comes");
    assert_eq!(world.view().changes.viewed_files(), 1);
    let mut changed = overview(DiffSet::LastPrompt);
    changed.changes[0].files[0].id = "a1-again".into();
    let effects = world.press("r");
    let number = effects.iter().find_map(|effect| match effect {
        Effect::Work(number, Work::Review(ReviewWork::Overview(..))) => Some(*number),
        _ => None,
    });
    let done = ReviewDone::Overview(id("auth"), changed);
    world.happens(Event::Done(number.expect("it is asked again"), Outcome::Review(done)));
    assert_eq!(world.view().changes.viewed_files(), 0);
}

#[test]
fn the_line_one_reads_stays_while_lines_come_above_it() {
    let mut world = reviewed(120, 40);
    press(&mut world, "enter n j j");
    let row = world.view().changes.place.row;
    let effects = world.press("+");
    let ask = effects.into_iter().find_map(|effect| match effect {
        Effect::Work(number, Work::Review(ReviewWork::File(chat, ask))) => Some((number, chat, ask)),
        _ => None,
    });
    let (number, chat, ask) = ask.expect("with more context the file is read again");
    assert_eq!(ask.context, 6);
    let mut longer = file(ask);
    if let parlour::model::diff::DiffBody::Lines { hunks, .. } = &mut longer.body {
        let mut more = hunks[0].lines[0].clone();
        more.text = "a line that was not shown before".into();
        hunks[0].lines.insert(0, more);
    }
    world.happens(Event::Done(number, Outcome::Review(ReviewDone::File(chat, longer))));
    assert_eq!(world.view().changes.place.row, row + 1);
}

#[test]
fn the_next_change_behind_the_last_is_in_the_next_file() {
    let mut world = reviewed(120, 40);
    let first = selected(&mut world);
    press(&mut world, "n n");
    assert_eq!(selected(&mut world), first);
    press(&mut world, "n");
    assert_ne!(selected(&mut world), first);
    press(&mut world, "esc");
    assert_eq!(world.view().changes.part, ChangesPart::Files);
    press(&mut world, "esc");
    assert_eq!(world.view().tab, Tab::Terminal);
}

/// Lines of the file before must not be marked by somebody who types faster than the next file is read.
#[test]
fn what_is_typed_before_a_file_is_here_is_meant_for_it() {
    let mut world = reviewed(120, 40);
    press(&mut world, "enter");
    let first = selected(&mut world);
    let asked = world.press("J");
    let second = selected(&mut world);
    assert_ne!(second, first);
    for key in ["n", "j", "enter"] {
        world.press(key);
        assert!(world.view().over.dialog.is_none(), "the lines are those of {first:?}");
    }
    let row = world.view().changes.place.row;
    answer(&mut world, asked);
    assert_ne!(world.view().changes.place.row, row);
    let picture = world.picture();
    let name = second.path.file_name().unwrap().to_str().unwrap().to_owned();
    assert!(matches!(world.view().over.dialog, Some(Dialog::Remark(_))), "{picture}");
    assert!(picture.contains(&name), "{picture}");

    press(&mut world, "esc");
    let asked = world.press("K");
    world.press("enter");
    world.press("esc");
    answer(&mut world, asked);
    assert_eq!(selected(&mut world), first);
    assert!(
        world.view().over.dialog.is_none(),
        "Esc takes back what was typed ahead"
    );
}

#[test]
fn going_back_asks_first_and_ends_when_its_work_is_done() {
    let mut world = reviewed(120, 40);
    let asked = press(&mut world, "[ R");
    let back = Back::To {
        point: Point::Turn(2),
        project: None,
        of: RevertOf::Both,
    };
    assert!(
        asked
            .iter()
            .any(|work| matches!(work, ReviewWork::Plan { back: asked, .. } if *asked == back)),
        "{asked:?}"
    );
    world.calm();
    assert!(
        world.picture().contains("Go back to before turn 2?"),
        "{}",
        world.picture()
    );
    // Esc, and Enter on Cancel, change nothing.
    assert!(press(&mut world, "enter").is_empty());
    assert!(world.view().over.dialog.is_none());
    world.calm();
    press(&mut world, "R");
    world.calm();
    assert!(world.view().over.dialog.is_some());
    let asked = press(&mut world, "y");
    assert!(!asked.iter().any(|work| matches!(work, ReviewWork::Plan { .. })));
    assert!(
        world.view().over.dialog.is_some(),
        "it waits for its work: {asked:?} {}",
        world.picture()
    );
}

#[test]
fn a_plan_that_cannot_be_made_is_said_in_the_dialog() {
    let mut world = reviewed(120, 40);
    crate::support::picked::was_reverted(&mut world);
    let effects = world.press("u");
    let number = effects.iter().find_map(|effect| match effect {
        Effect::Work(number, Work::Review(ReviewWork::Plan { .. })) => Some(*number),
        _ => None,
    });
    let problem = parlour::model::Problem::missing("undoing a revert", "there was none", "revert first");
    world.happens(Event::Done(number.unwrap(), Outcome::Failed(problem)));
    world.calm();
    assert!(world.picture().contains("there was none"), "{}", world.picture());
    press(&mut world, "esc");
    assert!(world.view().over.dialog.is_none());
}

#[test]
fn a_person_chooses_what_is_taken_back() {
    let mut world = reviewed(120, 40);
    press(&mut world, "R");
    world.calm();
    assert!(world.picture().contains("This takes back"));
    press(&mut world, "backtab right tab backtab");
    let picture = world.picture();
    assert!(
        picture.contains("‹ code alone ›") && !picture.contains("Hidden of"),
        "{picture}"
    );
    press(&mut world, "right");
    let picture = world.picture();
    assert!(
        picture.contains("‹ the conversation alone ›") && !picture.contains("README.md changes"),
        "{picture}"
    );
    press(&mut world, "y");
    // Its agent runs, so that it is ended first.
    let ends_for = |agent: &Agent| {
        agent.at_end.iter().any(|then| match then {
            AtEnd::Revert(Back::To { of, .. }, _) => *of == RevertOf::Talk,
            _ => false,
        })
    };
    assert!(world.state.domain.live.agents.iter().any(|(_, agent)| ends_for(agent)));
}

#[test]
fn what_is_newer_than_the_last_review_is_among_what_is_compared() {
    let mut world = reviewed(120, 40);
    let marks = |asked: Vec<ReviewWork>| -> Vec<Option<u64>> {
        let up_to = |work| match work {
            ReviewWork::MarkReviewed { up_to, .. } => Some(up_to),
            _ => None,
        };
        asked.into_iter().filter_map(up_to).collect()
    };
    assert_eq!(marks(press(&mut world, "A")), [None], "what is shown ends now");
    assert_eq!(
        marks(press(&mut world, "[ A")),
        [Some(4)],
        "turn 2 ended as turn 3 began"
    );
    press(&mut world, "]");
    let effects = world.press("r");
    answer_reviewed(&mut world, effects, 2);
    press(&mut world, "c");
    assert_eq!(sets(&press(&mut world, "r")), [DiffSet::Since(2)]);
    assert!(
        world.picture().contains("since the beginning of turn 2"),
        "the answer knows of no review: {}",
        world.picture()
    );
}

#[test]
fn that_it_is_reviewed_is_said_once_it_is_on_disk() {
    let mut world = reviewed(120, 40);
    let effects = world.press("A");
    let number = effects.iter().find_map(|effect| match effect {
        Effect::Work(number, Work::Review(ReviewWork::MarkReviewed { .. })) => Some(*number),
        _ => None,
    });
    let kept = KeptCheckpoint {
        checkpoint: checkpoint(5, 3, 0, "", Amount::default()),
        new: true,
        commits: BTreeMap::new(),
    };
    let done = ReviewDone::MarkedReviewed(id("auth"), kept);
    let effects = world.happens(Event::Done(number.expect("it is asked for"), Outcome::Review(done)));
    assert_eq!(
        sets(&answer(&mut world, effects)),
        [DiffSet::LastPrompt],
        "compared again"
    );
    assert!(
        world
            .picture()
            .contains("Reviewed up to checkpoint 5: A takes that back."),
        "{}",
        world.picture()
    );
}

#[test]
fn another_agent_reviews_what_is_compared() {
    let mut world = reviewed(120, 40);
    press(&mut world, "[");
    ask_who_reviews(&mut world, claude_and_codex());
    let picture = world.picture();
    assert!(picture.contains("Who reviews this?"), "{picture}");
    assert!(!picture.contains("Shell"), "a shell reviews nothing: {picture}");
    let asked: Vec<_> = press(&mut world, "enter")
        .into_iter()
        .filter_map(|work| match work {
            ReviewWork::Opinion { of, set, new } => Some((of, set, new.llm)),
            _ => None,
        })
        .collect();
    let by = Choice::Named("codex".into());
    assert_eq!(asked, [(id("auth"), DiffSet::Turn(2), by)]);
}

#[test]
fn an_open_list_of_files_follows_what_is_compared() {
    let mut world = reviewed(120, 40);
    let count = |world: &mut World| match &world.view().over.dialog {
        Some(Dialog::Choose(list)) => (list.count(), list.shown().len()),
        _ => panic!("no list is open"),
    };
    world.press("c");
    let due = world.press("b");
    world.press("f");
    let (all, _) = count(&mut world);
    world.press("r e a d m e");
    let Some(Effect::Work(number, Work::Review(ReviewWork::Overview(chat, set)))) = due.into_iter().next() else {
        panic!("nothing is compared");
    };
    let mut fewer = overview(set);
    fewer.changes.truncate(1);
    world.happens(Event::Done(number, Outcome::Review(ReviewDone::Overview(chat, fewer))));
    let (left, shown) = count(&mut world);
    assert!(left < all && shown < left, "{shown} of {left}, {all} before");
}

#[test]
fn one_key_leads_out_where_nothing_differs() {
    let mut world = World::morning(120, 40);
    world.press("d");
    world.press("enter");
    world.press("esc");
    assert_eq!(world.view().tab, Tab::Terminal);
}

/// Whoever goes through the chats fast asks for one comparison at a time.
#[test]
fn a_comparison_that_comes_when_another_chat_is_shown_makes_room_for_that_ones() {
    let mut world = World::morning(120, 40);
    let effects = world.press("d");
    let meanwhile = world.press("ctrl+q esc j");
    assert_eq!(sets(&answer(&mut world, meanwhile)), [], "one is under way");
    assert_ne!(world.view().chat, Some(id("auth")));
    let asked = answer(&mut world, effects);
    assert_eq!(sets(&asked).len(), 2, "{asked:?}");
    assert!(!world.view().changes.is_loading());
}

fn refused(effects: Vec<Effect>, wanted: fn(&ReviewWork) -> bool) -> parlour::model::WorkId {
    let found = effects.into_iter().find_map(|effect| match effect {
        Effect::Work(number, Work::Review(work)) if wanted(&work) => Some(number),
        _ => None,
    });
    found.expect("it is asked for")
}

#[test]
fn why_one_chat_cannot_be_compared_is_not_said_of_another() {
    let mut world = World::morning(120, 40);
    let effects = world.press("d");
    let number = refused(effects, |work| matches!(work, ReviewWork::Overview(..)));
    world.press("ctrl+q esc j");
    let effects = world.done(number, Outcome::Failed(problem("its clone is gone")));
    answer(&mut world, effects);
    assert_eq!(world.view().changes.problem, None);
    assert!(world.view().changes.overview.is_some(), "it is compared itself");

    let mut world = World::morning(120, 40);
    let effects = world.press("h");
    let number = refused(effects, |work| matches!(work, ReviewWork::Points(_)));
    world.press("ctrl+q esc j");
    world.done(number, Outcome::Failed(problem("its clone is gone")));
    assert!(!world.picture().contains("its clone is gone"), "{}", world.picture());
}

/// The first file is read again, and has become this.
fn read_again(world: &mut World, becomes: impl FnOnce(&mut parlour::model::diff::FileDiff)) {
    let effects = world.press("+");
    let ask = effects.into_iter().find_map(|effect| match effect {
        Effect::Work(number, Work::Review(ReviewWork::File(chat, ask))) => Some((number, chat, ask)),
        _ => None,
    });
    let (number, chat, ask) = ask.expect("it is asked for");
    let mut now = file(ask);
    becomes(&mut now);
    world.happens(Event::Done(number, Outcome::Review(ReviewDone::File(chat, now))));
}

fn first_hunk(file: &mut parlour::model::diff::FileDiff) -> &mut Vec<parlour::model::diff::DiffLine> {
    let parlour::model::diff::DiffBody::Lines { hunks, .. } = &mut file.body else {
        panic!("it has lines");
    };
    &mut hunks[0].lines
}

fn chosen_rows(world: &mut World) -> Option<(usize, usize)> {
    let changes = &world.view().changes;
    Some((changes.range?, changes.place.row))
}

#[test]
fn chosen_lines_stay_chosen_while_the_agent_works_on_and_are_given_up_when_they_change() {
    let mut world = reviewed(120, 40);
    press(&mut world, "enter j j j V j");
    let (from, to) = chosen_rows(&mut world).unwrap();
    // Another file of the clone has changed.
    read_again(&mut world, |_| {});
    assert_eq!(chosen_rows(&mut world), Some((from, to)));
    // A line came above them.
    read_again(&mut world, |now| {
        let lines = first_hunk(now);
        let mut more = lines[0].clone();
        more.text = "a line that was not there".into();
        lines.insert(0, more);
    });
    assert_eq!(chosen_rows(&mut world), Some((from + 1, to + 1)));
    assert!(world.view().over.toasts.is_empty());
    // One of them is another.
    read_again(&mut world, |now| first_hunk(now)[2].text = "changed".into());
    assert_eq!(chosen_rows(&mut world), None);
    let toasts = &world.view().over.toasts;
    assert_eq!(toasts[0].text, "The chosen lines are others now: V chooses again.");
}

#[test]
fn chosen_lines_stay_chosen_side_by_side_in_a_narrow_window_and_below_a_fold() {
    use parlour::screen::tab::changes::lines::{DiffRow, line_of};
    let mut world = reviewed(200, 40);
    let says = |world: &mut World| {
        let (from, to) = chosen_rows(world).unwrap();
        let view = world.view();
        let rows = parlour::screen::tab::changes::place::rows(view);
        let file = view.changes.file.as_ref().unwrap();
        [from, to].map(|row| line_of(file, rows[row]).map(|line: &parlour::model::diff::DiffLine| line.text.clone()))
    };
    if parlour::screen::tab::changes::place::is_side_by_side(world.view()) {
        press(&mut world, "s");
    }
    // The second and the third of the new lines.
    press(&mut world, "enter j j j j V j");
    let chosen = says(&mut world);
    assert_eq!(chosen[0].as_deref(), Some("        return Err(Denied::Expired);"));
    press(&mut world, "s");
    assert!(parlour::screen::tab::changes::place::is_side_by_side(world.view()));
    assert_eq!(says(&mut world), chosen);
    press(&mut world, "s");
    assert_eq!(says(&mut world), chosen);
    let rows = parlour::screen::tab::changes::place::rows(world.view());
    assert!(rows.iter().any(|row| matches!(row, DiffRow::Line(..))));
}
