//! Terminals beside an agent's, and what is asked before a repository's command runs.

use parlour::model::script::ScriptEnding;

use super::pictured;
use crate::support::auxiliary::proposal;
use crate::support::world::{World, id};

const EDITOR: &str = "\x1b[1m\" ============================================\x1b[0m\n\" Netrw Directory Listing\n../\n./\nsrc/\nCargo.toml\nREADME.md\n~\n~\n\x1b[7m.  1,1  All\x1b[0m";

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

fn running(cols: u16, rows: u16) -> (World, parlour::model::WorkId) {
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
            let (mut world, number) = running(cols, rows);
            world.comes_to_its_end(number, ScriptEnding::Exited(1));
            world.state.views.values_mut().for_each(|view| view.over.toasts.clear());
            world
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
