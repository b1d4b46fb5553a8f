//! The branches of a project, suggested as a new chat is typed.

use std::fs::File;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::reviews::repository;
use crate::support::parlour::{Parlour, git};

/// As long as a person takes a list to be there at once, on a machine that has other things to do.
const SOON: Duration = Duration::from_secs(3);

#[test]
fn branches_are_suggested_as_one_types_and_a_new_name_is_said_to_create_one() {
    let parlour = Parlour::new();
    let grove = parlour.scratch().join("grove");
    repository(&grove);
    let commit = git(&grove, &["rev-parse", "HEAD"]);
    let names = (0..5_000).map(|at| format!("create refs/heads/task/{at:04} {commit}\n"));
    std::fs::write(parlour.scratch().join("refs"), names.collect::<String>()).unwrap();
    let mut made = Command::new("git");
    made.args(["update-ref", "--stdin"])
        .current_dir(&grove)
        .stdout(Stdio::null());
    made.stdin(File::open(parlour.scratch().join("refs")).unwrap());
    assert!(made.status().unwrap().success());
    git(&grove, &["branch", "login-page"]);
    git(&grove, &["branch", "login-form"]);

    let mut terminal = parlour.attach_in(&grove, &[], (120, 40));
    terminal.wait_for_text("on grove, in a clone");
    terminal.press("n");
    terminal.wait_for_text("/grove");
    // Name, agent, project, how it is opened, branch.
    terminal.press("\t\t\t\t\t");
    terminal.wait_for_text("checked out");
    let began = Instant::now();
    terminal.press("task/499");
    terminal.wait_for_text("task/4990");
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    terminal.wait_for_text("a new name creates it");
    terminal.press("7");
    terminal.wait_for("one is left", |screen| {
        !screen.contents().contains("a new name creates it")
    });
    terminal.press("\u{15}login");
    terminal.wait_for_text("login-page");
    // What both begin with is typed by Tab, and the first of them chosen by the arrow and Enter.
    terminal.press("\t");
    terminal.wait_for_text("login-");
    terminal.press("\u{1b}[B\r");
    terminal.wait_for("it is taken", |screen| {
        let shown = screen.contents();
        shown.contains("login-form") && !shown.contains("login-page")
    });
    terminal.press("\r");
    terminal.press("mai");
    terminal.wait_for_text("checked out");
}
