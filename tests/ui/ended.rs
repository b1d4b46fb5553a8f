//! What stands where a terminal would, once no agent runs in it.

use super::pictured;
use crate::support::world::{TALK, World};

#[test]
fn an_agent_that_ended_says_why_and_what_to_do() {
    pictured(
        "ended.last-words",
        "The last screen of the agent, and a line over it: why it ended, Enter resumes.",
        |cols, rows| {
            let mut world = World::new(cols, rows);
            world
                .chat("auth", "Fix auth bug", 2)
                .project("grove", "feature-auth")
                .preview("Done.")
                .ran("ended with exit code 1", TALK);
            world
        },
    );
    pictured(
        "ended.full-screen",
        "Its last screen is full: how it ended stands at the top, and the last line says why.",
        |cols, rows| {
            let mut world = World::new(cols, rows);
            let lines: String = (1..60).map(|line| format!("step {line} of 59\n")).collect();
            world
                .chat("auth", "Fix auth bug", 2)
                .project("grove", "feature-auth")
                .ran(
                    "ended with exit code 3",
                    &format!("{lines}error: the token has run out"),
                );
            world
        },
    );
    pictured(
        "ended.engine-stopped",
        "No screen is left: why the agent is not running, its last words, and the keys.",
        |cols, rows| {
            let mut world = World::new(cols, rows);
            world
                .chat("auth", "Fix auth bug", 2)
                .preview("All tests pass now.")
                .ended("engine stopped");
            world
        },
    );
}

#[test]
fn a_directory_that_vanished_is_said() {
    pictured(
        "ended.directory-gone",
        "The chat's directory is gone: make it again, or delete the chat.",
        |cols, rows| {
            let mut world = World::new(cols, rows);
            world
                .chat("auth", "Fix auth bug", 2)
                .project("grove", "feature-auth")
                .ended("ended")
                .gone();
            world
        },
    );
}

#[test]
fn a_record_that_cannot_be_read_is_said() {
    pictured(
        "ended.record-damaged",
        "The chat's record cannot be read: why, and that all else of it is there.",
        |cols, rows| {
            let mut world = World::new(cols, rows);
            world
                .chat("auth", "authaaaaaa", 2)
                .project("grove", "feature-auth")
                .preview("Now the session test fails.")
                .unreadable("chat.json is damaged: EOF while parsing an object at line 1 column 40");
            world.chat("redis", "Try Redis", 5).ended("ended");
            world
        },
    );
}
