//! What stands at a shell's prompt, as far as a person's keys and the screen tell. Parlour's command would be run together
//! with it, so this errs towards something that stands there: that only delays the command, until a line is entered or
//! given up, or the screen shows an empty prompt.

use crate::model::{Status, Timestamp};
use crate::term::{Screen, mouse};

use super::draft::{BACKSPACE, CUTTING, Draft, FOCUS, GIVING_UP, PASTE, RESTS_MS};
use super::state::Agent;

/// Parlour's command would be run together with it.
const TYPED_IN_SHELL: &str = "something is typed at the shell's prompt: enter it there, or clear it with Ctrl+C";

/// As behind an open quote.
const OPEN_IN_SHELL: &str = "the shell waits for the rest of a command: end it there, or give it up with Ctrl+C";

/// Keys that only move: left, right, down, Home, End, page up and down.
const MOVING: [&[u8]; 14] = [
    b"\x1b[D", b"\x1b[C", b"\x1b[B", b"\x1b[H", b"\x1b[F", b"\x1b[5~", b"\x1b[6~", b"\x1bOD", b"\x1bOC", b"\x1bOB",
    b"\x1bOH", b"\x1bOF", b"\x1b[1~", b"\x1b[4~",
];

/// Cells before the cursor by which an empty prompt is known again.
const END: usize = 3;

/// So long after a key its echo is on the screen.
const ECHO_MS: u64 = 30;

/// Takes in the bytes of one key, one paste or one report of the mouse or the focus.
pub(super) fn typed(agent: &mut Agent, bytes: &[u8]) {
    // A program on the alternate screen takes all keys itself.
    let is_whole_screen = agent.screen.as_ref().is_some_and(|screen| screen.modes.alt_screen);
    let says_nothing = mouse::is_press(bytes).is_some() || FOCUS.contains(&bytes) || MOVING.contains(&bytes);
    if is_whole_screen || says_nothing {
        return;
    }
    let rests = agent.rests();
    agent.shell.is_touched = true;
    if GIVING_UP.contains(&bytes) {
        (agent.draft, agent.shell.is_open) = (Draft::default(), false);
        return;
    }
    if let Some(enter) = bytes
        .iter()
        .rposition(|byte| *byte == b'\r')
        .filter(|_| !bytes.starts_with(PASTE))
    {
        let has_words = bytes[..enter].iter().any(|byte| !byte.is_ascii_whitespace());
        let had_words = has_words || !agent.draft.is_empty();
        // What is entered in a widget of the shell's own, as a search in its history, may be put at the prompt.
        let is_widget = !rests && agent.shell.is_marked && !agent.shell.line;
        agent.draft = Draft::default();
        match (rests, is_widget) {
            (true, _) if had_words => agent.shell.entered(),
            (false, true) => agent.draft.note_unknown(),
            (true | false, _) => {}
        }
        agent.draft.typed(&bytes[enter + 1..]);
        return;
    }
    let is_plain = bytes.starts_with(PASTE) || bytes.first().is_some_and(|first| *first >= b' ' && *first != 0x7f);
    match () {
        () if CUTTING.contains(&bytes) && agent.draft.is_empty() => {}
        () if is_plain || BACKSPACE.contains(&bytes) => agent.draft.typed(bytes),
        // Completion, a search, an older line, a widget: whatever it does, the line may be another by then.
        () => agent.draft.note_unknown(),
    }
}

/// A new screen: without a key since the prompt was drawn, it shows how that ends.
pub(super) fn seen(agent: &mut Agent) {
    let is_fresh = agent.shell.is_marked && !agent.shell.is_touched && agent.rests();
    if let Some(end) = agent.screen.as_deref().and_then(end).filter(|_| is_fresh) {
        agent.shell.prompt = Some(end);
    }
}

/// What a person has begun at the prompt, if anything.
pub(super) fn begun(agent: &Agent, now: Timestamp) -> Option<&'static str> {
    let is_begun = agent.shell.is_open || !agent.draft.is_empty();
    if !is_begun || matches!(agent.verdict.status, Status::Running(_)) || is_seen_empty(agent, now) {
        return None;
    }
    Some(if agent.shell.is_open {
        OPEN_IN_SHELL
    } else {
        TYPED_IN_SHELL
    })
}

/// The screen shows an empty prompt, and showed it behind the last key. Keys were for a program that is over by now.
fn is_seen_empty(agent: &Agent, now: Timestamp) -> bool {
    let (Some(last), Some(prompt)) = (agent.keys.last, agent.shell.prompt.as_ref()) else {
        return false;
    };
    // Behind the mark of a command's end the shell draws its prompt with all that was typed ahead of it.
    let ended = agent.shell.code.map(|(_, at)| at).filter(|at| *at >= last);
    let is_drawn = agent.shown >= ended.unwrap_or(last.plus_ms(ECHO_MS));
    is_drawn && now >= last.plus_ms(RESTS_MS) && agent.screen.as_deref().and_then(end).as_ref() == Some(prompt)
}

/// The cells before the cursor, where nothing stands behind it.
fn end(screen: &Screen) -> Option<String> {
    let row = screen.rows.get(usize::from(screen.cursor.row))?;
    let (before, behind) = row.cells.split_at_checked(usize::from(screen.cursor.col))?;
    if behind.iter().any(|cell| cell.symbol != ' ') {
        return None;
    }
    let end = &before[before.len().checked_sub(END)?..];
    let end: String = end.iter().map(|cell| cell.symbol).collect();
    (!end.trim().is_empty()).then_some(end)
}
