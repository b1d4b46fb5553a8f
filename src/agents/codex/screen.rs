//! What Codex shows: its title while it runs, and before its session begins its composer and the dialogs ahead of it.

use crate::agents::RequestRetry;
use crate::model::Activity;

/// A dialog with its choices fits in this.
const TAIL: usize = 25;
/// The composer, and below it what it says of the model and the keys.
const FOOTER: usize = 5;
/// What it does stands above the composer, which may hold a draft.
const RETRY_WITHIN: usize = 14;
/// In `Reconnecting...` and `Server is busy, reconnecting`.
const RECONNECTS: &str = "econnecting";

/// A dialog by its marks, all of which stand in the screen's tail in this order, and what it waits for.
const DIALOGS: &[(&[&str], &str)] = &[
    (&["Sign in with ChatGPT"], "asks you to log in"),
    (&["Trust this folder?"], "asks whether to trust this directory"),
    (&["Hooks need review", "Trust all"], "asks whether to trust its hooks"),
    (&["Update available", "Skip"], "offers an update of itself"),
    (&["Press enter to confirm"], "asks a question"),
    (&["Press enter to continue"], "asks a question"),
];

/// The title changes with what it does: `⠸ …`, `[ ! ] Action Required …`, and neither at its composer.
pub(super) fn read_title(title: &str) -> Option<Activity> {
    match title.chars().next()? {
        '\u{2800}'..='\u{28ff}' => Some(Activity::Busy(None)),
        '[' if title.contains("] Action Required") => Some(Activity::Waiting("asks a question".into())),
        _ => Some(Activity::Idle),
    }
}

/// An empty composer, or the dialog in its place.
pub(super) fn read(text: &str) -> Option<Activity> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut lines: Vec<&str> = lines.rev().take(TAIL).collect();
    let composer = lines.iter().take(FOOTER).any(|line| is_composer(line));
    lines.reverse();
    let shown = DIALOGS.iter().find(|(marks, _)| stand_in(&lines, marks));
    match shown {
        Some((_, what)) => Some(Activity::Waiting((*what).into())),
        None => composer.then_some(Activity::Idle),
    }
}

/// `• Reconnecting... 2/5 (6s • esc to interrupt)`, above the composer. It waits for seconds, and does not say for how many.
pub(super) fn read_retry(text: &str) -> Option<RequestRetry> {
    let lines = text.lines().rev().filter(|line| !line.trim().is_empty());
    lines.take(RETRY_WITHIN).find_map(retry)
}

fn retry(line: &str) -> Option<RequestRetry> {
    let (said, keys) = line.split_once(" (")?;
    let (message, count) = said.rsplit_once(' ')?;
    let (attempt, attempts) = count.split_once('/')?;
    let is_retry = message.contains(RECONNECTS) && keys.contains("esc to interrupt");
    is_retry.then_some(RequestRetry {
        message: message.trim_matches(|c: char| !c.is_alphanumeric()).into(),
        seconds: None,
        attempt: attempt.parse().ok()?,
        attempts: attempts.parse().ok()?,
    })
}

fn stand_in(lines: &[&str], marks: &[&str]) -> bool {
    let mut rest = lines.iter();
    marks.iter().all(|mark| rest.any(|line| line.contains(mark)))
}

/// `› Ask Codex to do anything`; in a dialog the sign stands before a numbered choice.
fn is_composer(line: &str) -> bool {
    let typed = line.strip_prefix("› ");
    typed.is_some_and(|typed| !typed.starts_with(|c: char| c.is_ascii_digit()))
}
