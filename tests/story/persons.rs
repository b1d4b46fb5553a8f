//! Who counts as a person: whoever types in a terminal of their own, or in a shell of parlour's, and nothing that an
//! agent left behind.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use parlour::wire::PROTOCOL;
use serde_json::json;

use crate::support::parlour::{PATIENCE, Parlour, until};

const BINARY: &str = env!("CARGO_BIN_EXE_parlour");

/// Has an orphan, which says nothing of where it comes from, stop another chat.
fn agent() -> String {
    let stop = format!("sleep 0.3; env -u PARLOUR_CHAT {BINARY} stop other >said 2>&1; echo over >>said");
    format!("#!/bin/sh\n( ( {stop} ) & )\ncat\n")
}

fn said(dir: &Path) -> String {
    until("it was tried", PATIENCE, || {
        fs::read_to_string(dir.join("said")).is_ok_and(|said| said.ends_with("over\n"))
    });
    fs::read_to_string(dir.join("said")).unwrap()
}

/// Lets a process connect, and another with the same connection ask once that one is gone.
const TWO_PROCESSES: &str = r#"
use IO::Socket::UNIX;
my $engine = IO::Socket::UNIX->new(Peer => shift) or die "no engine: $!";
binmode $engine;
print $engine "parlour\0" . pack("VV", shift, 0);
$engine->flush;
read($engine, my $hello, 16) == 16 or die "no hello";
my $first = $$;
if (fork) { exit }
select(undef, undef, undef, 0.02) while -e "/proc/$first";
my $body = pack("V", 7) . shift;
print $engine pack("VC", length($body) + 1, 4) . $body;
$engine->flush;
read($engine, my $head, 5) == 5 or die "no answer";
read($engine, my $answer, unpack("V", $head) - 1);
print substr($answer, 4), "\n";
"#;

#[test]
fn who_is_gone_when_its_connection_asks_is_who_it_was() {
    if Command::new("perl")
        .args(["-MIO::Socket::UNIX", "-e1"])
        .status()
        .is_err()
    {
        println!("without perl nothing is tried here");
        return;
    }
    let parlour = Parlour::new();
    let (trick, engine) = (
        parlour.scratch().join("trick.pl"),
        parlour.home().join("run/engine.sock"),
    );
    fs::write(&trick, TWO_PROCESSES).unwrap();
    let body = r#"{"noun":"chat","verb":"stop","chat":"other"}"#;
    let ask = format!("perl '{}' '{}' {PROTOCOL} '{body}'", trick.display(), engine.display());
    let sly = format!("( {ask} ) >said 2>&1; until grep -q . said; do sleep 0.1; done; echo over >>said; cat");
    let parlour = parlour.with_program("sly", &format!("#!/bin/sh\n{sly}\n"));
    let sly = json!({"command": "sly", "args": [], "ready": "> "});
    parlour.configure(&json!({"customLlms": {"sly": sly}}).to_string());
    parlour.say(&["new", "Other", "--llm", "shell"]);
    let chat = parlour.json(&["new", "Sly", "--llm", "sly"]);
    let refused = said(Path::new(chat["dir"].as_str().unwrap()));
    assert!(refused.contains("only a person may do it"), "{refused}");
    assert_ne!(parlour.json(&["explain", "other"])["status"], "exited");

    // The same of a person's, whose first process has left another to itself.
    let file = parlour.scratch().join("said");
    let output = fs::File::create(&file).unwrap();
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &ask]).stdin(Stdio::null()).stdout(output);
    assert!(shell.status().unwrap().success());
    parlour.wait("other", "exited");
    let done = fs::read_to_string(file).unwrap();
    assert!(!done.contains("only a person"), "{done}");
}

#[test]
fn what_outlives_its_supervisor_is_no_person() {
    let stop = format!("sleep 1; env -u PARLOUR_CHAT {BINARY} stop other >said 2>&1; echo over >>said");
    let parlour = Parlour::new().with_program(
        "sly",
        &format!("#!/bin/sh\nsetsid sh -c '{stop}' </dev/null >/dev/null 2>&1 &\nsleep 0.3\nkill -9 $PPID\ncat\n"),
    );
    let sly = json!({"command": "sly", "args": [], "ready": "> "});
    parlour.configure(&json!({"customLlms": {"sly": sly}}).to_string());
    parlour.say(&["new", "Other", "--llm", "shell"]);
    let chat = parlour.json(&["new", "Sly", "--llm", "sly"]);
    let refused = said(Path::new(chat["dir"].as_str().unwrap()));
    assert!(refused.contains("only a person may do it"), "{refused}");
    assert_ne!(parlour.json(&["explain", "other"])["status"], "exited");
}

#[test]
fn a_persons_script_that_nobody_waits_for_is_a_persons() {
    let parlour = Parlour::new();
    parlour.say(&["new", "Other", "--llm", "shell"]);
    let stop = format!("sleep 0.3; {BINARY} stop other >said 2>&1; echo over >>said");
    let mut shell = Command::new("/bin/sh");
    shell
        .args([
            "-c",
            &format!("( ( setsid sh -c '{stop}' </dev/null >/dev/null 2>&1 & ) & )"),
        ])
        .env("PARLOUR_HOME", parlour.home())
        .current_dir(parlour.scratch());
    assert!(shell.status().unwrap().success());
    let done = said(parlour.scratch());
    assert!(!done.contains("only a person"), "{done}");
    parlour.wait("other", "exited");
}

#[test]
fn an_orphan_of_an_agent_is_no_person_and_one_of_a_shell_is() {
    let parlour = Parlour::new().with_program("sly", &agent());
    let sly = json!({"command": "sly", "args": [], "ready": "> "});
    parlour.configure(&json!({"customLlms": {"sly": sly}}).to_string());
    parlour.say(&["new", "Other", "--llm", "shell"]);
    let chat = parlour.json(&["new", "Sly", "--llm", "sly"]);
    let refused = said(Path::new(chat["dir"].as_str().unwrap()));
    assert!(refused.contains("only a person may do it"), "{refused}");
    assert_ne!(parlour.json(&["explain", "other"])["status"], "exited");

    let chat = parlour.json(&["new", "Mine", "--llm", "shell"]);
    let line = format!("( (sleep 0.3; {BINARY} stop other >said 2>&1; echo over >>said) & )");
    parlour.say(&["send", "mine", &line]);
    let done = said(Path::new(chat["dir"].as_str().unwrap()));
    assert!(!done.contains("only a person"), "{done}");
    parlour.wait("other", "exited");
}
