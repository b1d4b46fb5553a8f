//! A person who hears the screen: the demo asks, is answered, is listened to and left, in lines and by keys alone.

use std::path::Path;

use crate::support::parlour::Parlour;
use crate::support::terminal::Terminal;

/// The leader, then the key that detaches.
const DETACH: &str = "\x11q";

fn row(screen: &vt100::Screen, at: usize) -> String {
    let (_, cols) = screen.size();
    let mut rows = screen.rows(0, cols.into());
    rows.nth(at).unwrap_or_default().trim_end().to_string()
}

/// Once the row says it; no line is drawn around anything then, and the cursor is to be seen.
fn hear(terminal: &Terminal, at: usize, text: &str) {
    terminal.wait_for(&format!("{text:?} in row {at}"), |screen| {
        let is_said = row(screen, at).contains(text);
        let all = screen.contents();
        let is_drawn = all.contains(|letter| matches!(letter, '\u{2500}'..='\u{259f}' | '\u{2800}'..='\u{28ff}'));
        is_said && !is_drawn && !screen.hide_cursor()
    });
}

fn cursor_row(terminal: &Terminal, wanted: u16) {
    terminal.wait_for(&format!("the cursor in row {wanted}"), |screen| {
        screen.cursor_position().0 == wanted
    });
}

fn attach(parlour: &Parlour, words: &[&str], dir: &Path) -> Terminal {
    parlour.attach_in(dir, words, (80, 24))
}

#[test]
fn the_demo_is_heard_answered_and_left_by_keys_alone() {
    let parlour = Parlour::new();
    parlour.json(&["demo"]);
    parlour.wait("demo", "needs-you");
    let home = parlour.scratch().join("home");
    let mut terminal = attach(&parlour, &["--reader"], &home);
    hear(&terminal, 0, "Chats: 1, 1 waiting for you");
    hear(&terminal, 3, "1 of 1, needs you: Bash: git commit");
    hear(&terminal, 23, "SIDEBAR");
    cursor_row(&terminal, 3);

    terminal.press("a");
    hear(&terminal, 0, "Approvals");
    hear(&terminal, 23, "DIALOG");
    terminal.wait_for_text("Keys: ");
    terminal.press("\x1b");
    hear(&terminal, 23, "SIDEBAR");

    terminal.press("\r");
    hear(&terminal, 0, "Agent, which takes all keys");
    hear(&terminal, 23, "AGENT");
    terminal.wait_for_text("1. Yes");
    terminal.press("\r");
    parlour.wait("demo", "idle");
    hear(&terminal, 0, "idle");
    terminal.press("\x11\x1b");
    hear(&terminal, 23, "SIDEBAR");
    terminal.press("t");
    hear(&terminal, 0, "Transcript.");
    hear(&terminal, 23, "TRANSCRIPT");
    cursor_row(&terminal, 3);
    terminal.press("\x1b\t");
    terminal.press(DETACH);
    assert_eq!(terminal.wait_for_end(), 0);
}

#[test]
fn the_settings_switch_it_on_and_off_while_somebody_looks() {
    let parlour = Parlour::new();
    parlour.configure(r#"{"reader": true}"#);
    let home = parlour.scratch().join("home");
    let mut terminal = attach(&parlour, &[], &home);
    hear(&terminal, 0, "What to begin with");
    terminal.wait_for_text("A chat is one conversation");
    terminal.press("n");
    hear(&terminal, 0, "Dialog: New chat");
    hear(&terminal, 3, "Prompt:");
    terminal.press("ab");
    terminal.wait_for("the cursor behind what is typed", |screen| {
        let typed = row(screen, 3).ends_with("ab");
        typed && screen.cursor_position() == (3, u16::try_from(row(screen, 3).len()).unwrap())
    });
    terminal.press("\x1b");
    hear(&terminal, 23, "SIDEBAR");
    parlour.configure("{}");
    terminal.wait_for("a drawn screen", |screen| screen.contents().contains('─'));
}
