//! What Gemini CLI shows: its title, and the dialogs that wait for a person before its session begins.
//!
//! A screen holds what an agent or a file says too, so a dialog is known by several of its own lines near the bottom.

use crate::model::Activity;

/// A dialog with its choices fits in this; what is further up has scrolled away from the person's eyes.
const TAIL: usize = 30;

/// A screen by its marks, all of which stand in its tail in this order.
struct Dialog {
    marks: &'static [&'static str],
    says: Says,
}

enum Says {
    Waits(&'static str),
    Fails(&'static str),
}

const DIALOGS: &[Dialog] = &[
    Dialog {
        marks: &["Do you trust the files in this folder?", "1. Trust folder"],
        says: Says::Waits("asks whether to trust this directory"),
    },
    Dialog {
        marks: &["How would you like to authenticate", "1. Sign in with Google"],
        says: Says::Waits("asks you to log in"),
    },
    Dialog {
        marks: &["Enter Gemini API Key"],
        says: Says::Waits("asks for an API key"),
    },
    Dialog {
        marks: &["Waiting for auth"],
        says: Says::Waits("waits for you to log in"),
    },
    Dialog {
        marks: &["Error resuming session"],
        says: Says::Fails("Gemini CLI does not find its session"),
    },
    Dialog {
        marks: &["Error starting session"],
        says: Says::Fails("Gemini CLI has a session of this id already"),
    },
];

pub(super) fn read(text: &str) -> Option<Activity> {
    let said = text.lines().rev().filter(|line| !line.trim().is_empty());
    let mut lines: Vec<&str> = said.take(TAIL).collect();
    lines.reverse();
    DIALOGS.iter().find_map(|dialog| dialog.found_in(&lines))
}

impl Dialog {
    fn found_in(&self, lines: &[&str]) -> Option<Activity> {
        let mut rest = lines.iter();
        let there = self.marks.iter().all(|mark| rest.any(|line| line.contains(mark)));
        there.then(|| match self.says {
            Says::Waits(what) => Activity::Waiting(what.into()),
            Says::Fails(why) => Activity::Failed(why.into()),
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
