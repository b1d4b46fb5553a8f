//! The dialogs that keep what an agent did.

use parlour::config::theme::Theme;
use parlour::model::keep::KeepDraft;

use crate::support::golden::golden;
use crate::support::keep::{draft, keeping, keeping_with, rebasing};
use crate::support::paper::draw;
use crate::support::pulls::{pull, pulled};
use crate::support::radar::{colliding, collision};
use crate::support::world::{ME, World, id};

fn at_four_sizes(name: &str, what: &str, keys: &str) {
    super::pictured(&format!("keep.{name}"), what, |cols, rows| keeping(cols, rows, keys).0);
}

#[test]
fn the_ways_to_keep_it_are_a_menu() {
    at_four_sizes("menu", "Eight ways, each with its letter.", "p");
}

#[test]
fn a_commit_shows_its_message_and_what_it_holds() {
    at_four_sizes(
        "commit",
        "The message is drafted; of ledger 2 of 6 files are staged, of ledger-web all that is changed; the branch's hidden character shows.",
        "p c",
    );
}

#[test]
fn a_push_shows_where_and_how() {
    at_four_sizes(
        "push",
        "In ledger alone; replacing is ticked, and the focus is on it.",
        "p p up up right down space",
    );
}

#[test]
fn a_pull_request_is_read_before_others_read_it() {
    at_four_sizes(
        "pull",
        "A title and a text are drafted; it will be a draft.",
        "p o tab tab tab space",
    );
}

#[test]
fn an_amended_commit_keeps_its_message_unless_one_is_written() {
    at_four_sizes(
        "amend",
        "The field says that the message stays; in ledger alone.",
        "p a tab right",
    );
}

#[test]
fn the_way_home_says_what_it_leaves_alone() {
    at_four_sizes(
        "home",
        "Cancel is first; nothing is checked out there unless that is ticked.",
        "p h",
    );
}

#[test]
fn a_branch_that_is_checked_out_at_home_gets_another_name() {
    let held = KeepDraft {
        name: "dates".into(),
        ..draft()
    };
    let what = "The chat's name is proposed, as the branch's own is checked out there.";
    super::pictured("keep.home.renamed", what, |cols, rows| {
        keeping_with(&held, cols, rows, "p h").0
    });
}

#[test]
fn a_rebase_says_what_becomes_of_conflicts() {
    at_four_sizes(
        "rebase",
        "Cancel is first; conflicts call it off unless that is ticked.",
        "p r",
    );
}

#[test]
fn what_git_has_begun_is_continued_or_aborted() {
    let shown = |name: &str, what: &str, keys: &str| {
        super::pictured(&format!("keep.{name}"), what, |cols, rows| {
            keeping_with(&rebasing(), cols, rows, keys).0
        });
    };
    shown(
        "menu-under-way",
        "Two more ways at the end, each with what is under way.",
        "p",
    );
    shown(
        "continue",
        "What stands in the way of it is said of the clone that is meant.",
        "p n",
    );
    shown(
        "abort",
        "Cancel is first; what goes is said, and that it comes back.",
        "p b",
    );
}

#[test]
fn who_collides_where_stands_in_the_sidebar() {
    for (cols, rows) in super::ALL_SIZES {
        let mut world = World::morning(cols, rows);
        let with = |other: (&str, &str)| collision(("dates", "ledger"), other, &["src/report.rs"]);
        let found = vec![
            collision(("auth", "grove"), ("redis", "grove"), &["src/cache.rs"]),
            with(("flaky", "grove")),
            with(("rails", "shop")),
            collision(("dates", "ledger-web"), ("rails", "shop"), &["index.ts"]),
        ];
        colliding(&mut world, &["auth", "redis", "dates", "flaky", "rails"], found);
        let what = "Beside the branches stand the chats that they conflict with; where there are two, both as far as they fit.";
        golden(
            &format!("keep.clashes-sidebar.{cols}x{rows}"),
            what,
            draw(&world.state, ME, &Theme::dark()),
        );
    }
}

#[test]
fn who_collides_where_stands_above_the_files() {
    for (cols, rows) in super::ALL_SIZES {
        let (mut world, _) = keeping(cols, rows, "");
        let with = |other: &str| {
            collision(
                ("dates", "ledger"),
                (other, "grove"),
                &["src/report.rs", "a\u{202e}b.rs"],
            )
        };
        let found = ["auth", "redis", "flaky", "memcd"].map(with).to_vec();
        colliding(&mut world, &["dates", "auth", "redis", "flaky", "memcd"], found);
        world.calm();
        let what = "Below the heading a row for each conflict, three at most and one on a low screen; what is left is counted.";
        golden(
            &format!("keep.clashes-changes.{cols}x{rows}"),
            what,
            draw(&world.state, ME, &Theme::dark()),
        );
    }
}

#[test]
fn pull_requests_stand_in_the_header_and_in_the_sidebar() {
    for (cols, rows) in super::ALL_SIZES {
        let mut world = World::morning(cols, rows);
        let auth = pull(("grove", "feature-auth"), 1_204, "open", (3, 1, 1));
        let redis = pull(("grove", "cache-redis"), 9, "draft", (1, 0, 2));
        let memcd = pull(("grove", "cache-memcached"), 12, "merged", (3, 0, 0));
        let dates = vec![
            pull(("ledger", "fix-dates"), 41, "open", (5, 0, 0)),
            pull(("ledger-web", "fix-dates"), 8, "closed", (0, 1, 0)),
        ];
        pulled(
            &mut world,
            &[
                ("auth", vec![auth]),
                ("redis", vec![redis]),
                ("memcd", vec![memcd]),
                ("dates", dates),
            ],
        );
        let found = vec![collision(("auth", "grove"), ("redis", "grove"), &["src/cache.rs"])];
        colliding(&mut world, &["redis", "auth"], found);
        let what =
            "Number, state and checks: in words in the header, by signs in the sidebar; a conflict stands beside them.";
        golden(
            &format!("keep.pulls.{cols}x{rows}"),
            what,
            draw(&world.state, ME, &Theme::dark()),
        );
        for _ in 0..20 {
            if world.view().chat.as_ref() == Some(&id("dates")) {
                break;
            }
            world.press("down");
        }
        let what = "Two projects' pull requests in the header: by signs where there is no room for words.";
        golden(
            &format!("keep.pulls-two.{cols}x{rows}"),
            what,
            draw(&world.state, ME, &Theme::dark()),
        );
    }
}
