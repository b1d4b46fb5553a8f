//! A transcript is exported from the screen.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use crate::support::parlour::{Parlour, until};

const SUBMIT: &str = "\u{13}";

#[test]
fn a_transcript_is_exported_by_the_palette_into_the_file_that_is_offered_and_over_none() {
    let parlour = Parlour::new();
    let dir = parlour.scratch().join("notes");
    fs::create_dir(&dir).unwrap();
    parlour.json(&["new", "Fix login", "--llm", "demo", "-p", "noask hello"]);
    parlour.wait("fix-login", "idle");
    let mut terminal = parlour.attach_in(&dir, &["fix-login"], (160, 40));
    terminal.wait_for_text("Fix login");
    let open = |terminal: &mut crate::support::terminal::Terminal| {
        terminal.press("\u{11}:export");
        terminal.wait_for_text("Export its transcript into a file");
        terminal.press("\r");
        terminal.wait_for_text("Export Fix login");
        terminal.wait_for_text("notes/fix-login.md");
    };
    open(&mut terminal);
    terminal.press(SUBMIT);
    terminal.wait_for_text("Exported 1 turn to");
    let file = dir.join("fix-login.md");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("noask hello"), "{text}");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    // What is there stays, and another format has another name.
    open(&mut terminal);
    terminal.press(SUBMIT);
    terminal.wait_for_text("there already; give another name");
    terminal.press("\t\u{1b}[C");
    terminal.wait_for_text("notes/fix-login.html");
    terminal.press(SUBMIT);
    let page = dir.join("fix-login.html");
    until("the page is written", Duration::from_secs(30), || {
        fs::read_to_string(&page).is_ok_and(|text| text.starts_with("<!") && text.ends_with("</html>\n"))
    });
    assert_eq!(fs::read_to_string(file).unwrap(), text);
}
