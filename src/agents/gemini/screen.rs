//! What Gemini CLI shows: its title, and the dialogs that wait for a person before its session begins.
//!
//! A screen holds what an agent or a file says too, so a dialog is known by several of its own lines near the bottom.

use crate::model::Activity;

/// A dialog with its choices fits in this; what is further up has scrolled away from the person's eyes.
const TAIL: usize = 30;

/// A screen by its marks, all of which stand in its tail in this order.
struct GeminiDialog {
    marks: &'static [&'static str],
    says: GeminiSays,
}

enum GeminiSays {
    Waits(&'static str),
    Fails(&'static str),
}

const DIALOGS: &[GeminiDialog] = &[
    GeminiDialog {
        marks: &["Do you trust the files in this folder?", "1. Trust folder"],
        says: GeminiSays::Waits("asks whether to trust this directory"),
    },
    GeminiDialog {
        marks: &["How would you like to authenticate", "1. Sign in with Google"],
        says: GeminiSays::Waits("asks you to log in"),
    },
    GeminiDialog {
        marks: &["Enter Gemini API Key"],
        says: GeminiSays::Waits("asks for an API key"),
    },
    GeminiDialog {
        marks: &["Waiting for auth"],
        says: GeminiSays::Waits("waits for you to log in"),
    },
    GeminiDialog {
        marks: &["Error resuming session"],
        says: GeminiSays::Fails("Gemini CLI does not find its session"),
    },
    GeminiDialog {
        marks: &["Error starting session"],
        says: GeminiSays::Fails("Gemini CLI has a session of this id already"),
    },
];

/// In the middle of a session: its title says that it rests, or works, and it waits for a person.
const ASKED_MEANWHILE: &[GeminiDialog] = &[
    GeminiDialog {
        marks: &["A potential loop was detected", "1. Keep loop detection enabled"],
        says: GeminiSays::Waits("asks whether to go on watching for loops: it has stopped at one"),
    },
    GeminiDialog {
        marks: &["1. Keep trying", "Stop"],
        says: GeminiSays::Waits("asks whether to try again: its provider refuses"),
    },
    GeminiDialog {
        marks: &["1. Switch to ", "Stop"],
        says: GeminiSays::Waits("asks whether to go on with another model"),
    },
    GeminiDialog {
        marks: &["1. Verify your account", "2. Change authentication"],
        says: GeminiSays::Waits("asks you to verify your account"),
    },
];

pub(super) fn read(text: &str) -> Option<Activity> {
    found(DIALOGS, text)
}

pub(super) fn read_dialog(text: &str) -> Option<Activity> {
    found(ASKED_MEANWHILE, text)
}

fn found(dialogs: &[GeminiDialog], text: &str) -> Option<Activity> {
    let said = text.lines().rev().filter(|line| !line.trim().is_empty());
    let mut lines: Vec<&str> = said.take(TAIL).collect();
    lines.reverse();
    dialogs.iter().find_map(|dialog| dialog.found_in(&lines))
}

impl GeminiDialog {
    fn found_in(&self, lines: &[&str]) -> Option<Activity> {
        let mut rest = lines.iter();
        let there = self.marks.iter().all(|mark| rest.any(|line| line.contains(mark)));
        there.then(|| match self.says {
            GeminiSays::Waits(what) => Activity::Waiting(what.into()),
            GeminiSays::Fails(why) => Activity::Failed(why.into()),
        })
    }
}

/// `◇  Ready (dir)`, `✦  Working… (dir)`, `⏲` where it has been silent for long, `✋` while a dialog is open.
pub(super) fn read_title(title: &str) -> Option<Activity> {
    match title.chars().next()? {
        '◇' => Some(Activity::Idle),
        '✦' | '⏲' => Some(Activity::Busy(None)),
        '✋' => Some(Activity::Waiting("asks a question".into())),
        _ => None,
    }
}
