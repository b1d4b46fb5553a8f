//! The queue of what agents ask.

use parlour::config::theme::Theme;
use parlour::domain::Event;
use parlour::domain::event::{Observed, Outcome, PtyEvent, Size};
use parlour::domain::work::ApprovalDone;
use parlour::model::{Activity, CallId, HookEvent, PaneEvent, Problem, Signal, Source};
use parlour::permission::{QuestionNotes, SuggestedRules};
use serde_json::{Value, json};

use super::{ALL_SIZES, pictured_at};
use crate::support::events::works;
use crate::support::golden::golden;
use crate::support::paper::draw;
use crate::support::world::{ME, World, id, screen};

fn pictured(name: &str, what: &str, build: impl Fn(u16, u16) -> World) {
    pictured_at(&ALL_SIZES, name, what, build);
}

fn asks(world: &mut World, chat: &str, call: u64, tool: &str, input: Value) {
    let asked = HookEvent::PermissionAsked {
        reach: Vec::new(),
        tool: tool.into(),
        input,
    };
    world.happens(Event::Hook(CallId(call), id(chat), vec![asked]));
}

/// Three questions that are answered here, and one that is not.
fn busy(cols: u16, rows: u16) -> World {
    let mut world = World::morning(cols, rows);
    let command = "cd crates/session && for f in *.sql; do\n  psql \"$DB\" -f \"$f\"\ndone && cargo test --workspace --all-features -- expired --nocapture 2>&1 | tee /tmp/expired.log | grep -v '^running' && rm -rf build/\u{202e}tmp";
    let input = json!({"command": command, "description": "Apply the migrations and test"});
    asks(&mut world, "auth", 21, "Bash", input);
    world.later(180_000);
    let edit = json!({
        "file_path": format!("/home/mia/.parlour/chats/{}/projects/ledger/src/report/dates.rs", id("dates")),
        "old_string": "pub fn last_day(month: Month) -> Date {\n    let next = month.next();\n    Date::of(next, 1) - Days(2)\n}\n",
        "new_string": "pub fn last_day(month: Month) -> Date {\n    let next = month.next();\n    // The day before the first.\n    Date::of(next, 1) - Days(1)\n}\n",
        "replace_all": false,
    });
    asks(&mut world, "dates", 22, "Edit", edit);
    asks(
        &mut world,
        "memcd",
        23,
        "mcp__github__create_issue",
        json!({
            "title": "Benchmarks differ by 30 %",
            "body": "Run twice, they differ.\n\n- pin the clock\n- warm up",
            "labels": ["bench", "flaky"],
        }),
    );
    world.later(120_000);
    world
}

#[test]
fn a_command_is_read_at_the_right_of_the_queue() {
    pictured(
        "approvals.command",
        "All questions at the left with their age; at the right the command, broken at its operators; buttons below.",
        |cols, rows| {
            let mut world = busy(cols, rows);
            world.press("a");
            world
        },
    );
}

#[test]
fn an_edit_is_read_as_a_diff() {
    pictured(
        "approvals.edit",
        "The second question: an edit as a diff, its path as seen from the chat.",
        |cols, rows| {
            let mut world = busy(cols, rows);
            world.press("a down");
            world
        },
    );
}

#[test]
fn a_call_of_another_server_is_read_name_by_name() {
    pictured(
        "approvals.server",
        "The third question: each input below its name.",
        |cols, rows| {
            let mut world = busy(cols, rows);
            world.press("a down down");
            world
        },
    );
}

#[test]
fn what_waits_in_a_clis_own_dialog_is_in_the_queue_too() {
    pictured(
        "approvals.elsewhere",
        "What the agent asks in its own dialog, and one button that leads there.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("j a");
            world
        },
    );
}

/// Its CLI says of itself that it waits.
fn waits(world: &mut World, chat: &str) {
    world.later(1);
    let signal = Signal {
        source: Source::SessionFile,
        activity: Activity::Waiting("dialog open".into()),
        because: "it says waiting".into(),
        at: world.state.domain.now,
    };
    world.happens(Event::Observed(id(chat), Observed::Signals(vec![signal])));
}

#[test]
fn what_a_dialog_of_its_own_shows_is_read_too() {
    pictured(
        "approvals.seen",
        "Below the words of the CLI the last rows of its terminal, without its rules.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            let dialog = "● Done.\n\n────────────────────\n Accessing workspace:\n\n /home/mia/grove\n\n \
                 Is this a project you trust?\n\n ❯ No, exit\n   Yes, I trust this folder\n\n Enter to confirm · Esc to cancel\n\n";
            let size = Size { cols: 100, rows: 20 };
            let shown = PtyEvent::Screen(screen(dialog, size));
            world.happens(Event::Pty(id("redis").into(), shown));
            world.press("j a");
            world
        },
    );
}

#[test]
fn the_only_call_that_a_dialog_can_be_about_is_shown_with_it() {
    pictured(
        "approvals.open-call",
        "A command that its CLI asks about in a dialog of its own, and one button that leads there.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            let began = HookEvent::ToolStarted {
                id: "t1".into(),
                name: "Bash".into(),
                input: json!({"command": "python3 -m unittest discover -s tests", "description": "Run the tests"}),
                parent: None,
                cwd: None,
            };
            world.happens(Event::Hook(CallId(31), id("redis"), vec![began]));
            waits(&mut world, "redis");
            world.press("j a");
            world
        },
    );
}

#[test]
fn an_empty_queue_says_so() {
    let what = "What was asked is answered elsewhere: nothing to approve.";
    for (cols, rows) in ALL_SIZES {
        let mut world = World::morning(cols, rows);
        world.press("a");
        let ended = PaneEvent::Exited {
            code: Some(0),
            signal: None,
        };
        world.said("redis", ended);
        world.calm();
        world.reads_cards();
        let screen = draw(&world.state, ME, &Theme::dark());
        golden(&format!("approvals.none.{cols}x{rows}"), what, screen);
    }
    let mut world = World::new(120, 40);
    world.press("a");
    assert!(world.view().over.dialog.is_none());
    assert_eq!(world.view().over.toasts[0].text, "Nothing to approve.");
}

fn found(rules: Vec<String>) -> Outcome {
    let why_none = String::new();
    let rules = SuggestedRules { rules, why_none };
    Outcome::Approval(ApprovalDone::Suggested(QuestionNotes {
        rules,
        in_whole_lines: None,
        overwrites: false,
    }))
}

#[test]
fn the_rule_that_always_allows_is_shown_and_can_be_changed() {
    pictured(
        "approvals.always",
        "Below the question the rule that would be written, in a field, with how many others there are.",
        |cols, rows| {
            let mut world = busy(cols, rows);
            world.press("a");
            let effects = world.press("down");
            world.calm();
            let (work, _) = works(&effects)[0];
            let rules = ["Edit(projects/ledger/**)", "Edit(projects/ledger/src/report/**)"];
            let rules = rules.map(String::from).to_vec();
            world.done(work, found(rules));
            world.press("a");
            world
        },
    );
}

#[test]
fn why_a_rule_cannot_be_written_stands_below_it() {
    pictured(
        "approvals.always-failed",
        "Below the rule, with line and column, why it was not written.",
        |cols, rows| {
            let mut world = busy(cols, rows);
            let effects = world.press("a");
            world.calm();
            let (work, _) = works(&effects)[0];
            let rules = vec!["Bash(cargo test:*)".to_string()];
            world.done(work, found(rules));
            world.press("a");
            let effects = world.press("enter");
            let (work, _) = works(&effects)[0];
            let cause = "config.json:3:12: expected value; the last good settings stay active";
            let problem = Problem::new("allowing it always", cause, "correct config.json, then try again");
            world.done(work, Outcome::Failed(problem));
            world
        },
    );
}

#[test]
fn a_reason_is_typed_below_the_question() {
    pictured(
        "approvals.reason",
        "Below the question a field for why it is refused.",
        |cols, rows| {
            let mut world = busy(cols, rows);
            world.press("a");
            world.calm();
            world.press("r");
            world.paste("use the staging database");
            world
        },
    );
}

/// A rule of so many words, proposed for the first question.
fn proposes(cols: u16, rows: u16, words: usize) -> World {
    let mut world = busy(cols, rows);
    let effects = world.press("a");
    world.calm();
    let (work, _) = works(&effects)[0];
    let words: Vec<String> = (1..=words).map(|word| format!("argument-{word}")).collect();
    world.done(work, found(vec![format!("Bash(deploy {})", words.join(" "))]));
    world.press("a");
    world
}

#[test]
fn a_long_rule_is_seen_whole_before_it_is_written() {
    pictured(
        "approvals.always-long",
        "The rule stands in as many rows as it needs, from its first letter to its last.",
        |cols, rows| proposes(cols, rows, 12),
    );
    let seen = proposes(60, 20, 12).picture();
    assert!(
        seen.contains("Bash(deploy argument-1 ") && seen.contains("argument-12)"),
        "{seen}"
    );
    // More than there is room for: a sign stands where it is cut.
    let seen = proposes(60, 20, 90).picture();
    assert!(seen.contains("┃ …") && seen.contains("argument-90)"), "{seen}");
}
