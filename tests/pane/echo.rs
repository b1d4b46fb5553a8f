//! Who reads a pane while somebody types in it, and when that goes back to its thread.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use parlour::model::PaneEvent;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::stage::{OWN_THREAD, Stage, thread_name};

/// Longer than anybody counts as typing.
const PATIENCE: Duration = Duration::from_secs(60);

/// A loop as the engine's is, driven by a thread of its own.
fn reading_loop() -> Runtime {
    Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap()
}

/// Types into a program that has no echo of its own, and lets the loop read what it says to that.
fn type_key(stage: &Stage, reading: &Runtime, key: &str) -> JoinHandle<()> {
    stage.pane.input(key.as_bytes()).unwrap();
    let reader = stage.pane.echo_reader().expect("nobody else reads");
    reading.spawn(reader.read())
}

fn ends(reading: &Runtime, reader: JoinHandle<()>) {
    let ended = reading.block_on(async { timeout(PATIENCE, reader).await });
    ended.expect("it ends by itself").unwrap();
}

#[test]
fn an_echo_is_left_to_whoever_took_the_reading_over() {
    let mut stage = Stage::shell("stty -echo; echo ready; while read -r word; do echo \"heard $word\"; done");
    stage.wait_for_text("ready");
    stage.pane.input(b"go\r").unwrap();
    let reader = stage.pane.echo_reader().expect("nobody else reads");
    assert!(stage.pane.echo_reader().is_none());
    // It is not driven, so what is said is read by nobody, once the thread has done what it was about to do.
    let unread = (0..50).find(|number| {
        stage.pane.input(format!("{number}\r").as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(50));
        !stage.text_now().contains(&format!("heard {number}"))
    });
    let unread = unread.expect("the thread leaves the reading to others");
    drop(reader);
    stage.wait_for_text(&format!("heard {unread}"));

    let reading = reading_loop();
    let mut reader = type_key(&stage, &reading, "three\r");
    stage.wait_for_text("heard three");
    // Whether the thread was still at it is a matter of luck.
    let read = (0..50).any(|number| {
        if reader.is_finished() {
            reader = type_key(&stage, &reading, &format!("again {number}\r"));
        } else {
            stage.pane.input(format!("again {number}\r").as_bytes()).unwrap();
        }
        stage.wait_for_text(&format!("heard again {number}"));
        stage.was_read_elsewhere()
    });
    assert!(read, "only the thread reads");
    ends(&reading, reader);
    stage.pane.input(b"four\r").unwrap();
    stage.wait_for_text("heard four");
}

/// What hears all that a program says may write it to a disk that hangs.
#[test]
fn what_is_tapped_is_read_by_the_thread_alone() {
    let heard_on = Arc::new(Mutex::new(BTreeSet::new()));
    let hearing = heard_on.clone();
    let tap = move |_: &[u8]| {
        hearing.lock().insert(thread_name());
    };
    let mut stage = Stage::tapped(
        "stty -echo; echo ready; while read -r word; do echo \"heard $word\"; done",
        Box::new(tap),
    );
    stage.wait_for_text("ready");
    let reading = reading_loop();
    for number in 0..10 {
        let reader = type_key(&stage, &reading, &format!("{number}\r"));
        stage.wait_for_text(&format!("heard {number}"));
        ends(&reading, reader);
    }
    assert_eq!(*heard_on.lock(), BTreeSet::from([OWN_THREAD.to_string()]));
}

#[test]
fn a_flood_goes_back_to_the_thread_and_loses_nothing() {
    let mut stage = Stage::shell("stty -echo; echo ready; read -r go; seq 1 20000; echo all told; cat");
    stage.wait_for_text("ready");
    let reading = reading_loop();
    let reader = type_key(&stage, &reading, "go\r");
    let shown = stage.wait_for_text("all told");
    assert!(shown.contains("19999\n20000\nall told"), "{shown}");
    ends(&reading, reader);
}

#[test]
fn the_end_of_the_program_ends_the_reading_and_is_told_after_its_last_words() {
    let mut stage = Stage::shell("stty -echo; echo ready; read -r go; echo last words; exit 7");
    stage.wait_for_text("ready");
    let reading = reading_loop();
    let reader = type_key(&stage, &reading, "go\r");
    assert_eq!(stage.wait_for_exit(), (Some(7), None));
    stage.wait_for_text("last words");
    ends(&reading, reader);
    stage.pane.close();
}

/// A title is told and a half-drawn frame is shown in time, though the thread slept when they came.
#[test]
fn what_becomes_due_later_is_done_by_the_thread() {
    let mut stage = Stage::shell(
        "stty -echo; echo ready; read -r go; printf '\\033]0;first\\007\\033]0;second\\007'; \
         printf '\\033[?2026hhalf drawn'; cat",
    );
    stage.wait_for_text("ready");
    let reading = reading_loop();
    let reader = type_key(&stage, &reading, "go\r");
    stage.wait_for_text("half drawn");
    stage.wait_for_event("the title", |event| {
        matches!(event, PaneEvent::Title(title) if title == "second").then_some(())
    });
    ends(&reading, reader);
}

#[test]
fn a_pane_that_closes_ends_the_reading() {
    let mut stage = Stage::shell("echo ready; cat");
    stage.wait_for_text("ready");
    let reading = reading_loop();
    let reader = type_key(&stage, &reading, "x");
    stage.pane.close();
    ends(&reading, reader);
}
