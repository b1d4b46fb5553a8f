//! Bytes in, bytes out, sizes and records.

use std::time::{Duration, Instant};

use parlour::model::PaneEvent;
use parlour::term::TerminalSize;

use super::stage::{Stage, shell};

#[test]
fn what_is_typed_comes_back_on_the_screen() {
    let mut stage = Stage::shell("cat");
    stage.wait_for_pid();
    stage.pane.input("grüße 世界\r".as_bytes()).unwrap();
    stage.wait_for("the line twice", |screen| {
        screen.text().matches("grüße 世界").count() == 2
    });
}

/// A key that comes after a paste is never written before it.
#[test]
fn a_key_waits_for_the_paste_before_it() {
    let mut stage = Stage::shell("stty raw -echo; printf ready; exec cat");
    stage.wait_for_text("ready");
    for round in 0..100 {
        stage.pane.input(&[b'x'; 200]).unwrap();
        stage.pane.input(format!("<{round}>\r\n").as_bytes()).unwrap();
    }
    let shown = stage.wait_for_text("<99>");
    for round in 93..100 {
        assert!(shown.contains(&format!("{}<{round}>", "x".repeat(40))), "{shown}");
    }
}

#[test]
fn the_program_sees_the_pane_s_size_and_each_new_one() {
    let mut stage = Stage::shell("trap 'stty size; exit' WINCH; stty size; while :; do sleep 0.05; done");
    stage.wait_for_text("24 80");
    stage.pane.resize(TerminalSize::new(100, 30));
    stage.wait_for_text("30 100");
}

#[test]
fn the_exit_code_is_told_after_the_last_output() {
    let mut stage = Stage::shell("echo last words; exit 7");
    assert_eq!(stage.wait_for_exit(), (Some(7), None));
    stage.wait_for_text("last words");
}

#[test]
fn a_signal_that_ends_the_program_is_told() {
    assert_eq!(Stage::shell("kill -SEGV $$").wait_for_exit(), (None, Some(11)));
}

#[test]
fn a_missing_program_is_named() {
    let mut spec = shell("");
    spec.program = "/nowhere/agent".into();
    let why = Stage::run(spec).wait_for_event("the failure", |event| match event {
        PaneEvent::FailedToStart { why } => Some(why.clone()),
        _ => None,
    });
    assert_eq!(why, "/nowhere/agent is not there; check that it is installed");
}

#[test]
fn a_missing_directory_is_named() {
    let mut spec = shell("true");
    spec.cwd = "/nowhere".into();
    let why = Stage::run(spec).wait_for_event("the failure", |event| match event {
        PaneEvent::FailedToStart { why } => Some(why.clone()),
        _ => None,
    });
    assert_eq!(why, "its directory /nowhere is not there");
}

#[test]
fn the_agent_gets_its_environment_and_nothing_else() {
    let mut stage = Stage::shell(
        "env | cut -d= -f1 | grep -v -e PWD -e SHLVL -e _ | sort | tr '\\n' ' '; ulimit -c; (set -- /proc/$$/fd/*; echo $#)",
    );
    // LC_ALL has an underscore and is filtered with the shell's own `_`.
    stage.wait_for_text("PATH TERM 0");
    // stdin, stdout, stderr; the shell may hold one more for itself.
    stage.wait_for("few descriptors", |screen| {
        screen.text().lines().any(|line| matches!(line, "3" | "4"))
    });
}

#[test]
fn the_program_is_answered_when_it_asks_for_its_terminal() {
    let mut stage =
        Stage::shell("stty raw -echo; printf '\\033[>q'; dd bs=1 count=10 2>/dev/null | od -c; printf done");
    stage.wait_for_text("done");
    stage.wait_for_text("p   a   r");
}

#[test]
fn a_frame_is_shown_when_it_is_whole() {
    // Of one write, since what is held too long is shown; and longer than what is read at once.
    let between = "\\033[m".repeat(2000);
    let script = format!("printf '\\033[?2026hone half{between}, two halves\\033[?2026l'; cat");
    let mut stage = Stage::shell(&script);
    stage.wait_for("the frame", |screen| {
        let text = screen.text();
        assert!(!text.contains("one half") || text.contains("two halves"), "{text}");
        text.contains("two halves")
    });
}

#[test]
fn titles_and_bells_are_told() {
    let mut stage = Stage::shell("printf '\\033]2;a name\\007\\007'; sleep 0.2; printf '\\033]9;come back\\007'; cat");
    stage.wait_for_event("the title", |event| {
        (*event == PaneEvent::Title("a name".into())).then_some(())
    });
    stage.wait_for_event("the bell", |event| (*event == PaneEvent::Bell).then_some(()));
    let note = PaneEvent::Notify {
        title: String::new(),
        body: "come back".into(),
    };
    stage.wait_for_event("the note", |event| (*event == note).then_some(()));
}

#[test]
fn the_record_of_one_run_stands_above_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("terminal");
    let mut first = Stage::recorded("printf '\\033[?1000h'; echo the first run", &record);
    first.wait_for_exit();
    first.pane.close();
    let mut second = Stage::recorded("echo the second run", &record);
    let text = second.wait_for_text("the second run");
    assert!(text.find("the first run") < text.find("the second run"), "{text}");
}

/// How many lines are above the screen.
fn lines_above(stage: &Stage) -> usize {
    let (sender, views) = std::sync::mpsc::channel();
    stage.pane.view(usize::MAX, move |screen| drop(sender.send(screen)));
    views.recv().unwrap().offset
}

/// As after a kill: the second run begins below what the first left, and keeps little of it until somebody looks.
#[test]
fn a_watched_pane_has_the_lines_again_that_it_let_go_of_while_nobody_watched() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("terminal");
    let mut first = Stage::recorded("seq 1 1500", &record);
    first.wait_for_exit();
    first.pane.close();
    let mut second = Stage::recorded("printf '\\033[?2004h$>'; cat", &record);
    second.wait_for_text("$>");
    assert!(lines_above(&second) >= 1500);
    second.pane.set_history_limit(200);
    assert_eq!(lines_above(&second), 200);
    second.pane.input(b"more\r").unwrap();
    second.wait_for_text("more\nmore");
    second.pane.set_history_limit(2000);
    assert_eq!(lines_above(&second), 200, "nobody looks yet");
    let before = second.text_now();
    second.pane.read_back();
    let (sender, views) = std::sync::mpsc::channel();
    second.pane.view(usize::MAX, move |screen| drop(sender.send(screen)));
    let oldest = views.recv().unwrap();
    assert!(oldest.offset >= 1500, "{}", oldest.offset);
    assert!(oldest.text().trim_start().starts_with("1\n2\n3"), "{}", oldest.text());
    assert_eq!(second.text_now(), before);
    second.pane.input(b"still here\r").unwrap();
    second.wait_for_text("still here\nstill here");
}

/// Somebody looks while a pager has the screen: above that there are no lines, and those below it are not known.
#[test]
fn a_pane_that_was_watched_behind_a_pager_has_its_lines_again_once_that_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("terminal");
    let pager = "printf '\\033[?1049h in the pager'; read key; printf '\\033[?1049l left it'";
    for is_in_pager_before in [false, true] {
        let mut stage = Stage::recorded(&format!("seq 1 1500; printf '$>'; read key; {pager}; cat"), &record);
        stage.wait_for_text("$>");
        assert!(lines_above(&stage) >= 1400);
        let into_pager = |stage: &mut Stage| {
            stage.pane.input(b"\r").unwrap();
            stage.wait_for_text("in the pager");
        };
        if is_in_pager_before {
            into_pager(&mut stage);
        }
        stage.pane.set_history_limit(200);
        if !is_in_pager_before {
            into_pager(&mut stage);
        }
        stage.pane.set_history_limit(4000);
        stage.pane.read_back();
        assert_eq!(lines_above(&stage), 0);
        stage.pane.input(b"\r").unwrap();
        stage.wait_for_text("left it");
        let deadline = Instant::now() + Duration::from_secs(60);
        while lines_above(&stage) < 1400 {
            assert!(Instant::now() < deadline, "{} lines", lines_above(&stage));
            std::thread::sleep(Duration::from_millis(5));
        }
        stage.pane.close();
    }
}

#[test]
fn history_is_read_back_by_lines() {
    let mut stage = Stage::shell("seq 1 500; printf ready; cat");
    stage.wait_for_text("ready");
    let (sender, views) = std::sync::mpsc::channel();
    stage.pane.view(100, move |screen| drop(sender.send(screen)));
    let view = views.recv().unwrap();
    assert_eq!((view.offset, view.rows.len()), (100, 24));
    let top = view.text().lines().next().unwrap().to_owned();
    assert_eq!(top, (500 - 22 - 100).to_string());
}

#[test]
fn a_program_that_has_stopped_itself_goes_on_when_told() {
    let mut stage = Stage::shell("kill -STOP $$; echo back again; cat");
    let pid = stage.wait_for_pid();
    let is_stopped = || {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
        stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('T'))
    };
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_stopped() {
        assert!(Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(5));
    }
    stage.pane.go_on();
    stage.wait_for_text("back again");
}
