//! Programs that write, or refuse to read, more than anyone can take.

use std::time::{Duration, Instant};

use parlour::model::PaneEvent;
use parlour::pty::InputFull;

use super::stage::{Stage, resident_megabytes};

#[test]
fn a_flood_keeps_memory_bounded_and_is_read_to_its_end() {
    let mut stage = Stage::shell("echo go; read line; yes 'all work and no play' | head -c 64000000; echo over");
    stage.wait_for_text("go");
    let before = resident_megabytes();
    stage.pane.input(b"\r").unwrap();
    stage.wait_for_text("over");
    let grown = resident_megabytes().saturating_sub(before);
    assert!(grown < 48, "grew by {grown} MB");
}

#[test]
fn a_stop_in_the_middle_of_a_flood_is_prompt() {
    let mut stage = Stage::shell("yes");
    stage.wait_for_text("y");
    let asked = Instant::now();
    stage.pane.stop(Duration::from_secs(5));
    stage.wait_for_exit();
    assert!(asked.elapsed() < Duration::from_secs(2), "took {:?}", asked.elapsed());
}

#[test]
fn input_that_nobody_reads_is_refused_and_not_lost() {
    let mut stage = Stage::shell("stty raw -echo; echo ready; exec sleep 1000");
    stage.wait_for_text("ready");
    let piece = vec![b'x'; 256 * 1024];
    let accepted = (0..64).take_while(|_| stage.pane.input(&piece).is_ok()).count();
    assert!((16..=18).contains(&accepted), "{accepted} pieces were accepted");
    assert_eq!(stage.pane.input(&piece), Err(InputFull));
    stage.wait_for_event("the refusal", |event| (*event == PaneEvent::InputRefused).then_some(()));
    stage.pane.stop(Duration::from_millis(100));
    stage.wait_for_exit();
}

#[test]
fn a_program_that_redraws_without_end_is_still_stopped_promptly() {
    let mut stage =
        Stage::shell("printf go; while :; do printf '\\033#8\\033[2J\\033[?2026hx\\033[65535b\\033#8'; done");
    stage.wait_for_pid();
    stage.wait_for("a screen full", |screen| screen.text().contains("EEEE"));
    let asked = Instant::now();
    stage.pane.stop(Duration::from_secs(1));
    stage.wait_for_exit();
    assert!(asked.elapsed() < Duration::from_secs(3), "took {:?}", asked.elapsed());
}
