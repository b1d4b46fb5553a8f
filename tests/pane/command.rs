//! Commands in a terminal that nobody watches.

use std::time::Duration;
use std::{fs, thread};

use parlour::pty::{CommandEnd, CommandHalt, CommandRun, Course, Sound, run_watched};

use super::stage::{shell, supervisor};

fn run(script: &str) -> CommandRun {
    let course = Course {
        limit: Duration::from_secs(60),
        halt: &CommandHalt::new().unwrap(),
        hear: &mut |_| {},
    };
    run_watched(&supervisor(), &shell(script), course).unwrap()
}

/// How often this thread has waited for something.
fn waits() -> u64 {
    let status = fs::read_to_string("/proc/thread-self/status").unwrap();
    let mut counts = status
        .lines()
        .filter_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
    counts.next().unwrap().trim().parse().unwrap()
}

#[test]
fn a_command_that_closed_its_terminal_wakes_nobody_and_is_heard_when_it_opens_it_again() {
    let before = waits();
    let ran = run("exec 3<&0 </dev/null >/dev/null 2>&1 3<&-; sleep 2.5; echo again >/dev/tty; exit 3");
    assert_eq!(ran.end, CommandEnd::Exited(3));
    assert_eq!(ran.said.trim(), "again");
    // Its start and end take some; two hundred a second would be five hundred.
    assert!(waits() - before < 100, "{}", waits() - before);
}

#[test]
fn a_command_whose_supervisor_was_killed_was_started_all_the_same() {
    let ran = run("sleep 1; kill -9 $PPID; sleep 60");
    assert_eq!(ran.end, CommandEnd::Killed(9));
}

#[test]
fn a_stop_ends_it_at_once_however_it_is_heard() {
    let halt = CommandHalt::new().unwrap();
    let halting = halt.clone();
    let mut hear = |sound: Sound| {
        if let Sound::Started(_) = sound {
            let halting = halting.clone();
            thread::spawn(move || halting.stop());
        }
    };
    let course = Course {
        limit: Duration::from_secs(60),
        halt: &halt,
        hear: &mut hear,
    };
    let script = shell("echo begun; exec >/dev/null 2>&1 </dev/null; sleep 60");
    let ran = run_watched(&supervisor(), &script, course).unwrap();
    assert_eq!(ran.end, CommandEnd::Stopped);
    // What was stopped before it began is not begun.
    halt.stop();
    let course = Course {
        limit: Duration::from_secs(60),
        halt: &halt,
        hear: &mut |_| panic!("it was begun"),
    };
    let ran = run_watched(&supervisor(), &script, course).unwrap();
    assert_eq!((ran.end, ran.said.as_str()), (CommandEnd::Stopped, ""));
}
