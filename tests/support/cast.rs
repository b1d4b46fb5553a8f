//! A recording as asciinema plays it, version 2: a line of JSON for the terminal, then one for each change of its screen.
//!
//! It is drawn again from what the screen showed, not copied from what the terminal got: a folder of the test stands there
//! in pieces, wherever two frames differ, and only on a whole screen can it be told and have another name.

use std::time::Duration;

use serde_json::json;

use super::terminal::Recording;

/// What comes within this time is one change.
const MOMENT: Duration = Duration::from_millis(15);

/// Fewer characters of a folder may be anything.
const FEWEST: usize = 5;

/// As long as the folders of tests mostly are; longer ones go on with it.
const NEUTRAL: &str = "/home/mia/agents-at-work-in-many-folders";

/// With another name for the folder that all lies in.
pub fn asciicast(recording: &Recording, title: &str, folder: &str) -> String {
    let (rows, cols) = recording.size();
    let head = json!({"version": 2, "width": cols, "height": rows, "title": title});
    let mut lines = format!("{head}\n");
    let mut terminal = vt100::Parser::new(rows, cols, 0);
    let mut shown = vt100::Parser::new(rows, cols, 0);
    let mut pieces = recording.pieces().into_iter().peekable();
    while let Some((at, bytes)) = pieces.next() {
        terminal.process(&bytes);
        while let Some((_, bytes)) = pieces.next_if(|(next, _)| *next < at + MOMENT) {
            terminal.process(&bytes);
        }
        let mut next = vt100::Parser::new(rows, cols, 0);
        next.process(neutral(&terminal.screen().state_formatted(), folder).as_bytes());
        let change = next.screen().state_diff(shown.screen());
        if !change.is_empty() {
            let seconds = (at.as_secs_f64() * 1000.0).round() / 1000.0;
            lines.push_str(&format!("{}\n", json!([seconds, "o", change])));
        }
        shown = next;
    }
    lines
}

/// The folder, or as much of it as there was room for, by a name of the same length.
fn neutral(screen: &str, folder: &str) -> String {
    let other: String = NEUTRAL.chars().cycle().take(folder.len()).collect();
    let begin = &folder[..FEWEST.min(folder.len())];
    let mut text = String::new();
    let mut rest = screen;
    while let Some(at) = rest.find(begin) {
        let (before, found) = rest.split_at(at);
        let same = found
            .bytes()
            .zip(folder.bytes())
            .take_while(|(one, own)| one == own)
            .count();
        text.push_str(before);
        text.push_str(&other[..same]);
        rest = &found[same..];
    }
    text + rest
}
