//! The Changes tab, and the dialog that goes back.

use parlour::config::theme::Theme;
use parlour::domain::effect::Effect;
use parlour::domain::event::{Event, Outcome};
use parlour::domain::work::{ReviewDone, ReviewWork, Work};
use parlour::model::Login;
use parlour::model::review::{Amount, DiffSet, Overview};

use super::ALL_SIZES;
use crate::support::golden::golden;
use crate::support::paper::draw;
use crate::support::picked::was_reverted;
use crate::support::review::{
    answer, answer_reviewed, answer_with, ask_who_reviews, overview, remarked_upon, remarks, reviewed,
};
use crate::support::told::show_cards;
use crate::support::world::{ME, World, claude_and_codex};

fn at_four_sizes(name: &str, what: &str, build: impl Fn(u16, u16) -> World) {
    super::pictured(&format!("changes.{name}"), what, build);
}

fn pressed(cols: u16, rows: u16, keys: &str) -> World {
    let mut world = reviewed(cols, rows);
    world.press_each(keys, answer);
    world
}

fn with_remarks(cols: u16, rows: u16, keys: &str) -> World {
    let mut world = remarked_upon(cols, rows);
    world.press_each(keys, |world, effects| answer_with(world, effects, &remarks()));
    world
}

#[test]
fn files_of_all_clones_stand_beside_the_lines_of_one() {
    at_four_sizes(
        "files",
        "Turn 3 is chosen; files of grove and handbook with kinds and counts; README.md is selected and its lines stand beside.",
        reviewed,
    );
}

#[test]
fn the_lines_of_a_file_have_numbers_signs_and_a_cursor() {
    at_four_sizes(
        "lines",
        "The cursor is on the first added line; the tab, the hidden and the wide characters of the second change are seen.",
        |cols, rows| pressed(cols, rows, "j j j j enter n j j j"),
    );
}

#[test]
fn the_turn_that_wrote_a_line_is_told_above_and_its_card_selected() {
    at_four_sizes(
        "origin",
        "Turn 2 stands out in the timeline, which says that it wrote the line; its call is selected among the cards.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            show_cards(&mut world);
            for key in ["d", "enter", "j", "j", "j", "B"] {
                let effects = world.press(key);
                answer(&mut world, effects);
            }
            world
        },
    );
}

#[test]
fn before_and_after_stand_side_by_side() {
    at_four_sizes(
        "side-by-side",
        "The removed line stands beside the first that was added.",
        |cols, rows| pressed(cols, rows, "enter s"),
    );
}

#[test]
fn a_viewed_file_has_a_mark_and_another_turn_is_compared() {
    at_four_sizes(
        "viewed",
        "README.md is viewed and the file below selected; turn 2 is chosen, and compared alone.",
        |cols, rows| pressed(cols, rows, "v ["),
    );
}

#[test]
fn what_a_search_found_stands_out_in_the_lines_and_is_counted_at_the_files() {
    at_four_sizes(
        "search",
        "The second of 28 lines with `claims` is under the cursor; each file has the number of its lines.",
        |cols, rows| pressed(cols, rows, "/ c l a i m s enter n"),
    );
}

#[test]
fn words_to_search_for_are_typed_in_the_last_row() {
    at_four_sizes(
        "search-typing",
        "What is typed so far stands behind a slash.",
        |cols, rows| pressed(cols, rows, "/ c l a"),
    );
}

#[test]
fn a_folded_hunk_shows_its_heading_and_counts() {
    at_four_sizes(
        "folded",
        "The first hunk is folded, with its counts; the second is not.",
        |cols, rows| pressed(cols, rows, "enter z"),
    );
}

#[test]
fn a_folded_directory_says_what_is_in_it() {
    at_four_sizes(
        "folded-directory",
        "docs/ of the handbook is folded: how many files and lines are in it stands behind its name.",
        |cols, rows| pressed(cols, rows, "G up enter"),
    );
}

#[test]
fn what_is_compared_is_chosen_from_a_menu() {
    at_four_sizes(
        "sets",
        "Six ways to compare, each with its letter; the one that is shown is chosen.",
        |cols, rows| pressed(cols, rows, "c"),
    );
    at_four_sizes("commits", "Two commits with subject, clone and age.", |cols, rows| {
        pressed(cols, rows, "c o")
    });
}

#[test]
fn other_attempts_are_listed_and_compared() {
    at_four_sizes(
        "attempts",
        "Four chats with clones of grove, this one first, each by its name, with turns and size.",
        |cols, rows| pressed(cols, rows, "="),
    );
    at_four_sizes(
        "attempts.again",
        "Try memcached is compared: it is marked and chosen.",
        |cols, rows| pressed(cols, rows, "= down enter ="),
    );
    at_four_sizes(
        "attempt",
        "What differs from Try Redis; Space takes what is chosen.",
        |cols, rows| pressed(cols, rows, "= enter"),
    );
}

/// Names that are too long for a narrow screen differ at their end.
#[test]
fn attempts_of_names_that_begin_alike_are_told_apart() {
    let mut world = reviewed(60, 20);
    for (chat, name) in [
        ("redis", "Edit in lib and say why, 1st"),
        ("memcd", "Edit in lib and say why, 2nd"),
    ] {
        world.edits(chat, |chat| chat.record.name = name.into());
    }
    world.press_each("=", answer);
    let picture = world.picture();
    assert!(picture.contains("1st  ") && picture.contains("2nd  "), "{picture}");
}

#[test]
fn who_reviews_it_is_chosen_from_the_agents_that_are_here() {
    at_four_sizes(
        "reviewers",
        "The agents that are installed, and no shell; the one that made the changes last, and said so.",
        |cols, rows| {
            let mut world = reviewed(cols, rows);
            ask_who_reviews(&mut world, claude_and_codex());
            world
        },
    );
}

#[test]
fn a_reviewer_without_a_login_comes_last_and_it_is_said() {
    let mut world = reviewed(120, 40);
    let mut agents = claude_and_codex();
    agents[1].login = Login::Missing;
    ask_who_reviews(&mut world, agents);
    let picture = world.picture();
    let row = |words: &str| picture.lines().position(|line| line.contains(words));
    let (ready, not) = (row("Claude Code"), row("no login found"));
    assert!(ready.is_some() && ready < not, "{picture}");
    assert!(
        picture.lines().nth(not.unwrap()).unwrap().contains("Codex"),
        "{picture}"
    );
}

#[test]
fn files_are_chosen_from_a_list_by_a_few_letters() {
    at_four_sizes(
        "find-file",
        "Only the files that match `auth` are listed, the best first.",
        |cols, rows| pressed(cols, rows, "f a u t h"),
    );
}

#[test]
fn remarks_stand_below_the_lines_that_they_are_about() {
    at_four_sizes(
        "remarks",
        "An answered remark, a resolved one in one row, an outdated one last; the cursor is on the first, and the tree counts those that are not resolved.",
        |cols, rows| with_remarks(cols, rows, "enter }"),
    );
}

#[test]
fn a_remark_is_written_for_chosen_lines() {
    at_four_sizes(
        "remark",
        "The lines 88 to 90 of README.md are chosen; the remark has two words so far.",
        |cols, rows| pressed(cols, rows, "enter j j j V j j # w h y space s o"),
    );
}

#[test]
fn remarks_are_listed_with_how_they_stand() {
    at_four_sizes(
        "remarks-list",
        "Two remarks can be sent; four are listed with their places and how they stand.",
        |cols, rows| with_remarks(cols, rows, "M"),
    );
}

#[test]
fn chosen_lines_are_marked_and_discarding_them_asks() {
    at_four_sizes(
        "discard",
        "Three changed lines were chosen; Cancel has the focus; a checkpoint is promised.",
        |cols, rows| with_remarks(cols, rows, "space enter j j V j j x"),
    );
}

#[test]
fn going_back_names_each_file_and_cancel_is_first() {
    at_four_sizes(
        "revert",
        "Three files with what becomes of each; the agent is stopped first; Cancel has the focus.",
        |cols, rows| pressed(cols, rows, "R"),
    );
}

#[test]
fn what_goes_back_is_chosen_by_letters_too_and_the_foot_is_true_of_the_focus() {
    let mut world = pressed(120, 40, "R");
    let foot = |world: &World| world.picture().lines().nth(39).unwrap_or_default().to_owned();
    assert!(foot(&world).contains("←→ button  Enter answer"), "{}", foot(&world));
    world.press("backtab");
    assert!(foot(&world).contains("←→ choose"), "{}", foot(&world));
    assert!(!foot(&world).contains("Enter answer"), "{}", foot(&world));
    for (key, chosen) in [
        ("c", "‹ code alone ›"),
        ("alt+t", "‹ code alone ›"),
        ("t", "‹ the conversation alone ›"),
        ("x", "‹ the conversation alone ›"),
        ("b", "‹ both code and conversation ›"),
    ] {
        world.press(key);
        assert!(world.picture().contains(chosen), "{key}: {}", world.picture());
    }
}

#[test]
fn undoing_names_what_comes_back_and_cancel_is_first() {
    at_four_sizes(
        "undo-revert",
        "What undoing changes, file by file; Cancel has the focus.",
        |cols, rows| {
            let mut world = reviewed(cols, rows);
            was_reverted(&mut world);
            world.press_each("u", answer);
            world
        },
    );
}

#[test]
fn turns_and_checkpoints_are_chosen_from_lists() {
    at_four_sizes(
        "sets-turns",
        "The newest turn first, with its prompt and age.",
        |cols, rows| pressed(cols, rows, "c t"),
    );
    at_four_sizes(
        "sets-checkpoints",
        "The newest checkpoint first, with what it is of and its age.",
        |cols, rows| pressed(cols, rows, "c s"),
    );
}

#[test]
fn a_remark_on_a_whole_file_names_the_file_alone() {
    at_four_sizes(
        "remark-file",
        "The dialog names the file without a line.",
        |cols, rows| with_remarks(cols, rows, "#"),
    );
}

#[test]
fn nothing_that_differs_is_said_with_what_to_do() {
    at_four_sizes(
        "nothing",
        "Nothing differs since the last prompt; one file is not committed, and a key shows it.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            let effects = world.press("d");
            for effect in effects {
                let Effect::Work(number, Work::Review(ReviewWork::Overview(..))) = effect else {
                    continue;
                };
                let chat = world.view().chat.clone().unwrap();
                let found = Overview {
                    changes: Vec::new(),
                    since_last: Some(Amount::default()),
                    uncommitted: 1,
                    ..overview(DiffSet::LastPrompt)
                };
                let done = ReviewDone::Overview(chat, found);
                world.happens(Event::Done(number, Outcome::Review(done)));
            }
            world
        },
    );
}

/// A remark of `remarks` is open on a file that differs from the base alone.
#[test]
fn remarks_on_what_is_not_compared_are_told_of() {
    let mut world = World::morning(120, 40);
    for effect in world.press("d") {
        let Effect::Work(number, Work::Review(work)) = effect else {
            continue;
        };
        let chat = world.view().chat.clone().unwrap();
        let done = match work {
            ReviewWork::Overview(..) => ReviewDone::Overview(
                chat,
                Overview {
                    changes: Vec::new(),
                    ..overview(DiffSet::LastPrompt)
                },
            ),
            ReviewWork::Remark(..) => ReviewDone::Remarks(remarks()),
            _ => continue,
        };
        world.happens(Event::Done(number, Outcome::Review(done)));
    }
    let seen = world.picture();
    assert!(
        seen.contains("Nothing differs") && seen.contains("open remarks: M lists them"),
        "{seen}"
    );
    let all = with_remarks(120, 40, "").picture();
    assert!(!all.contains("open remarks"), "{all}");
}

#[test]
fn a_turn_that_is_not_shown_is_not_told_of_as_if_it_were() {
    let mut world = pressed(120, 40, "c b");
    let about = |world: &mut World| {
        let picture = world.picture();
        picture
            .lines()
            .find(|line| line.contains("Turn 3"))
            .unwrap_or_default()
            .to_owned()
    };
    let said = about(&mut world);
    assert!(said.contains("Turn 3, not shown:") && !said.contains("file"), "{said}");
    let effects = world.press("]");
    answer(&mut world, effects);
    let said = about(&mut world);
    assert!(!said.contains("not shown") && said.contains("file"), "{said}");
}

#[test]
fn what_is_newer_than_the_last_review_is_named_so() {
    for (cols, rows) in ALL_SIZES {
        let mut world = reviewed(cols, rows);
        for key in ["r", "c", "r"] {
            let effects = world.press(key);
            answer_reviewed(&mut world, effects, 2);
        }
        world.calm();
        let screen = draw(&world.state, ME, &Theme::dark());
        let what = "The files that changed since a person reviewed; no turn is chosen alone.";
        golden(&format!("changes.since-reviewed.{cols}x{rows}"), what, screen);
    }
}
