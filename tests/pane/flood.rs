//! Programs that write, or refuse to read, more than anyone can take.

use std::cell::Cell;
use std::time::{Duration, Instant};

use parlour::model::PaneEvent;
use parlour::pty::InputFull;

use super::stage::{Stage, pass_alone, resident_megabytes, wait_until};

#[test]
fn a_flood_keeps_memory_bounded_and_is_read_to_its_end() {
    pass_alone(&["pane::flood::a_flood_with_a_process_of_its_own"]);
}

#[test]
#[ignore = "run by the test above, as a process of its own"]
fn a_flood_with_a_process_of_its_own() {
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
    stage.pane.stop(Duration::from_secs(60));
    stage.wait_for_exit();
    assert!(asked.elapsed() < Duration::from_secs(30), "took {:?}", asked.elapsed());
}

#[test]
fn input_that_nobody_reads_is_refused_and_not_lost() {
    let mut stage = Stage::shell("stty raw -echo; echo ready; exec sleep 1000");
    stage.wait_for_text("ready");
    let piece = vec![b'x'; 256 * 1024];
    let accepted = (0..64).take_while(|_| stage.pane.input(&piece).is_ok()).count();
    stage.wait_for_event("the refusal", |event| (*event == PaneEvent::InputRefused).then_some(()));
    // The terminal itself takes some of it, when its thread comes to that.
    let later = Cell::new(0);
    wait_until("it stays full", || match stage.pane.input(&piece) {
        Ok(()) => {
            later.set(later.get() + 1);
            false
        }
        Err(InputFull) => true,
    });
    let accepted = accepted + later.get();
    assert!((16..=18).contains(&accepted), "{accepted} pieces were accepted");
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
    stage.pane.stop(Duration::from_secs(60));
    stage.wait_for_exit();
    assert!(asked.elapsed() < Duration::from_secs(30), "took {:?}", asked.elapsed());
}
