//! Terminals beside an agent's, and what is asked before a repository's command runs.

use parlour::model::script::ScriptEnding;

use parlour::model::entry::From;
use parlour::model::{Happened, Trouble, TroubleKind, WorkId};

use super::pictured;
use crate::support::auxiliary::proposal;
use crate::support::transcript::{Paper, numbered, prompt, read};
use crate::support::world::{World, id};

const EDITOR: &str = "\x1b[1m\" ============================================\x1b[0m\n\" Netrw Directory Listing\n../\n./\nsrc/\nCargo.toml\nREADME.md\n~\n~\n\x1b[7m.  1,1  All\x1b[0m";

const LOGIN: &str =
    "Opening browser to sign in…\r\nOr visit: https://claude.ai/login\r\n\r\nPaste code here if prompted > ";

const SERVER: &str = "\x1b[32m➜\x1b[0m  Local: \x1b[36mhttp://localhost:\x1b[1m4710\x1b[0m/\n\x1b[2m10:04:11\x1b[0m GET / 200\n\x1b[2m10:04:12\x1b[0m \x1b[31mGET /login 500\x1b[0m\n";

#[test]
fn the_editor_is_a_tab_beside_the_agent() {
    pictured(
        "beside.edit",
        "The tabs Terminal and Edit above, the editor in the terminal's place; the foot says EDITOR.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            let (number, _) = world.presses_for("E");
            world.editor_starts(number, EDITOR);
            world
        },
    );
}

/// The login of its CLI beside an agent that lacks it, opened from where the transcript says so.
fn logging_in(cols: u16, rows: u16) -> (World, WorkId) {
    let error = Happened::Error {
        place: "Claude Code".into(),
        message: "API error: 401, OAuth token has expired".into(),
        hint: "log in".into(),
        trouble: Some(Trouble::of(TroubleKind::Login)),
    };
    let paper = Paper {
        entries: numbered(vec![prompt("count the gulls", From::Person), error]),
        gap_behind: None,
        is_terminal_gone: false,
    };
    let mut world = read(cols, rows, &paper);
    let effects = world.press("{");
    paper.answer(&mut world, effects);
    world.press("enter");
    let (number, _) = world.presses_for("l");
    world.editor_starts(number, LOGIN);
    (world, number)
}

#[test]
fn the_login_of_a_cli_is_a_tab_beside_its_agent() {
    pictured(
        "beside.login",
        "The tab Login in the terminal's place, with what the CLI itself asks; the foot says LOGIN.",
        |cols, rows| logging_in(cols, rows).0,
    );
    pictured(
        "beside.login-failed",
        "The tab says that it failed; what the CLI wrote stays, and a line over it says how it ended and what Enter does.",
        |cols, rows| {
            let (world, number) = logging_in(cols, rows);
            failed(world, number)
        },
    );
}

/// It ends, and the toast that says so is gone again.
fn failed(mut world: World, number: WorkId) -> World {
    world.comes_to_its_end(number, ScriptEnding::Exited(1));
    world.forget_toasts();
    world
}

fn running(cols: u16, rows: u16) -> (World, WorkId) {
    let mut world = World::morning(cols, rows);
    let (number, _) = world.presses_for("e");
    world.run_starts(id("auth"), number, SERVER);
    (world, number)
}

#[test]
fn a_project_runs_in_a_tab_of_its_own() {
    pictured(
        "beside.run",
        "The tab says that it runs, and so does the header; the foot says how it is stopped.",
        |cols, rows| running(cols, rows).0,
    );
    pictured(
        "beside.run-ended",
        "The tab has its exit code; what it wrote stays, and a line over it says how it ended and what Enter does.",
        |cols, rows| {
            let (world, number) = running(cols, rows);
            failed(world, number)
        },
    );
}

#[test]
fn what_a_repository_brings_is_shown_whole_before_it_runs() {
    pictured(
        "beside.run-approve",
        "The whole command, with its environment and where it comes from; y runs it, and the answer at hand is to leave it.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            let (number, _) = world.presses_for("e");
            world.comes_to_its_end(number, ScriptEnding::Unapproved(Box::new(proposal())));
            world
        },
    );
}
