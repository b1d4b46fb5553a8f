//! What stands where a chat would, while there is none, and the tour.

use parlour::domain::event::PlaceHint;
use parlour::model::{AgentFault, Login, UnusableAgent};
use parlour::screen::dialog::HERE;

use super::pictured;
use crate::support::world::{World, claude_and_codex};

fn hint(text: &str, what: &str) -> PlaceHint {
    PlaceHint {
        text: text.into(),
        what: what.into(),
    }
}

#[test]
fn a_first_start_says_what_to_do() {
    pictured(
        "empty.no-chats",
        "Nothing is there yet: what to begin with, and Claude Code, which may be trusted by one key.",
        |cols, rows| {
            let mut world = World::new(cols, rows);
            world.suggests(Vec::new(), Vec::new());
            world
        },
    );
}

#[test]
fn without_any_agent_cli_the_demo_agent_stands_in_and_that_is_said() {
    pictured(
        "empty.no-clis",
        "No agent CLI was found: the demo agent stands in, and how others are installed.",
        |cols, rows| {
            let mut world = World::new(cols, rows);
            let mut agents = world.state.domain.disk.agents.clone();
            agents.retain(|agent| agent.llm != "claude");
            world.finds_agents(agents);
            world.suggests(vec![hint("/home/mia/grove", HERE)], Vec::new());
            world
        },
    );
}

#[test]
fn a_cli_that_does_not_run_is_told_with_its_reason() {
    pictured(
        "empty.unusable-cli",
        "Claude Code is there and fails: why, that the demo agent stands in, and how others are installed.",
        |cols, rows| {
            let mut world = World::new(cols, rows);
            let mut agents = world.state.domain.disk.agents.clone();
            agents.retain(|agent| agent.llm != "claude");
            world.finds_agents(agents);
            world.finds_unusable(vec![UnusableAgent {
                title: "Claude Code".into(),
                program: "/usr/local/bin/claude".into(),
                why: AgentFault::Fails("SyntaxError: Unexpected token".into()),
            }]);
            world.suggests(Vec::new(), Vec::new());
            world
        },
    );
}

#[test]
fn in_a_repository_one_key_starts_an_agent_on_it() {
    pictured(
        "empty.repository",
        "The repository as a clone or in place, recent projects by number, each CLI with its version and login.",
        |cols, rows| {
            let mut world = World::new(cols, rows);
            let mut agents = claude_and_codex();
            agents[0].login = Login::Found;
            agents[1].login = Login::Missing;
            world.finds_agents(agents);
            let hints = vec![
                hint("/home/mia/grove", HERE),
                hint("/home/mia/ledger", "recent"),
                hint("https://github.com/acme/shop", "cached"),
            ];
            world.suggests(hints, Vec::new());
            world
        },
    );
}

#[test]
fn the_tour_points_at_six_things() {
    for step in 0..6 {
        pictured(
            &format!("tour.step-{}", step + 1),
            "One thing of the screen as it is, all else fainter, and beside it what it is for.",
            |cols, rows| {
                let mut world = World::morning(cols, rows);
                world.press(": t o u r enter");
                world.calm();
                (0..step).for_each(|_| drop(world.press("enter")));
                world
            },
        );
    }
}
