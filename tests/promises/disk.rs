//! P5: a full disk, a home that cannot be written, too few descriptors; and a disk that gives no answer at all.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};

use super::in_time;
use crate::support::parlour::{PATIENCE, Parlour, until};
use crate::support::storage_calls::{Calls, Fault, FaultyEngine};
use crate::support::terminal::Terminal;

/// Until the person sees what is wrong.
const SHOWN: Duration = Duration::from_secs(1);

/// What must not be lost: the transcripts and records of all chats.
fn kept(home: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut left = vec![home.join("records")];
    while let Some(dir) = left.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => left.push(path),
                // What scrolled by is written over and over.
                false if path.ends_with("terminal") => {}
                false => drop(found.insert(path.clone(), fs::read(&path).unwrap_or_default())),
            }
        }
    }
    found
}

/// A chat of the demo agent and a shell that a person looks at.
struct Desk {
    parlour: Parlour,
    screen: Terminal,
    agents: Vec<i32>,
}

impl Desk {
    fn new(parlour: Parlour) -> Desk {
        parlour.json(&["new", "Talk", "--llm", "demo", "-p", "noask before"]);
        parlour.wait("talk", "idle");
        parlour.json(&["new", "Shell", "--llm", "shell"]);
        parlour.wait("shell", "idle");
        let mut screen = parlour.attach(&["shell"]);
        screen.wait_for_text("Shell");
        screen.press("echo re''ady\r");
        screen.wait_for_text("ready");
        let agents = parlour.agents();
        Desk {
            parlour,
            screen,
            agents,
        }
    }

    fn on_a_faulty_disk() -> (Desk, FaultyEngine) {
        let parlour = Parlour::new();
        let engine = FaultyEngine::start(&parlour);
        (Desk::new(parlour), engine)
    }

    /// Agents run on, and their terminals take keys.
    fn lives(&mut self, word: &str) {
        self.screen.press(&format!("echo {}''{}\r", &word[..1], &word[1..]));
        self.screen.wait_for_text(word);
        // A hook that was answered a moment ago may still be ending.
        until("no other agent runs", PATIENCE, || self.parlour.agents() == self.agents);
    }

    fn shows_at_once(&self, words: &str, since: Instant) {
        self.screen.wait_for_text(words);
        in_time("a banner says it", since.elapsed(), SHOWN);
    }

    /// All is well again, with nothing lost and nothing started anew.
    fn recovers(&mut self, words: &str, before: &BTreeMap<PathBuf, Vec<u8>>) {
        self.screen
            .wait_for("no banner", |screen| !screen.contents().contains(words));
        self.parlour.say(&["send", "talk", "noask after"]);
        self.parlour.wait("talk", "idle");
        self.lives("well");
        let now = kept(&self.parlour.home());
        for (path, bytes) in before.iter().filter(|(path, _)| path.ends_with("events.jsonl")) {
            assert!(now[path].starts_with(bytes), "{} lost something", path.display());
        }
        let events = self.parlour.events("talk");
        let numbers: Vec<u64> = events.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
        assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
        let looked = self.parlour.run(&["doctor", "--json"]);
        let found: serde_json::Value = serde_json::from_slice(&looked.stdout).unwrap();
        let problems = found["problems"].as_array().unwrap().iter();
        // A disk of a few megabytes is one.
        let others: Vec<_> = problems
            .filter(|problem| !problem.to_string().contains("are free"))
            .collect();
        assert!(others.is_empty(), "{others:?}");
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn p05_a_disk_that_is_full_or_read_only_is_said_and_harms_nothing() {
    for (error, words) in [(libc::ENOSPC, "No space left"), (libc::EROFS, "Read-only file system")] {
        let (mut desk, engine) = Desk::on_a_faulty_disk();
        let before = kept(&desk.parlour.home());
        engine.begin(Fault::Fail(Calls::All, error));
        let began = Instant::now();
        let refused = desk.parlour.refusal(&["send", "talk", "noask meanwhile"]);
        assert!(refused.contains(words), "{refused}");
        desk.shows_at_once(words, began);
        desk.lives("alive");
        for verb in [
            vec!["rename", "talk", "Speech"],
            vec!["new", "More", "--llm", "demo"],
            vec!["rm", "talk", "--yes"],
            vec!["schedule", "add", "Look", "-p", "hello", "--cron", "@yearly"],
        ] {
            let refused = desk.parlour.refusal(&verb);
            assert!(refused.contains(words), "{verb:?}: {refused}");
        }
        engine.end();
        desk.recovers(words, &before);
        assert!(
            !desk
                .parlour
                .events("talk")
                .iter()
                .any(|event| event["text"] == "noask meanwhile")
        );
        engine.ended(&desk.parlour);
    }
}

/// A file system of a few megabytes, where this process may make one.
struct Small(PathBuf);

impl Small {
    fn mount(at: &Path) -> Option<Small> {
        fs::create_dir(at).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=6m,mode=0700", "none"]).arg(at);
        let mounted = mount.stderr(Stdio::null()).status();
        mounted
            .is_ok_and(|status| status.success())
            .then(|| Small(at.to_owned()))
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn p05_a_file_system_that_fills_up_is_said_and_harms_nothing() {
    let parlour = Parlour::new();
    let Some(_mounted) = Small::mount(&parlour.home()) else {
        println!("not run: no file system can be mounted here");
        return;
    };
    let mut desk = Desk::new(parlour);
    let (home, before) = (desk.parlour.home(), kept(&desk.parlour.home()));
    let filler = home.join("filler");
    // To the last block, however many of them are left.
    for size in [1 << 20, 4096] {
        let mut bytes = fs::read(&filler).unwrap_or_default();
        while fs::write(&filler, &bytes).is_ok() {
            bytes.resize(bytes.len() + size, b'x');
        }
    }
    let began = Instant::now();
    let refused = desk.parlour.refusal(&["send", "talk", "noask meanwhile"]);
    assert!(refused.contains("No space left"), "{refused}");
    desk.shows_at_once("No space left", began);
    desk.lives("alive");
    fs::remove_file(&filler).unwrap();
    desk.recovers("No space left", &before);
    desk.parlour.say(&["kill-engine"]);
}

#[test]
fn p05_an_engine_without_descriptors_goes_on_and_recovers() {
    let mut desk = Desk::new(Parlour::new());
    let before = kept(&desk.parlour.home());
    let engine = desk.parlour.engine_pid();
    let open = fs::read_dir(format!("/proc/{engine}/fd")).unwrap().count() as u64;
    let pid = Pid::from_raw(engine);
    let usual = getrlimit(Resource::Nofile);
    let limit = |current: u64| Rlimit {
        current: Some(current),
        maximum: usual.maximum,
    };
    prlimit(pid, Resource::Nofile, limit(open)).unwrap();
    let mut verb = desk.parlour.command(&["send", "talk", "noask meanwhile"]);
    let mut verb = verb.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // The connection cannot be taken; who is attached goes on.
    desk.screen.press("echo s''till\r");
    desk.screen.wait_for_text("still");
    prlimit(pid, Resource::Nofile, limit(usual.current.unwrap_or(4096))).unwrap();
    let _ = verb.wait().unwrap();
    assert_eq!(desk.parlour.engine_pid(), engine);
    desk.recovers("Too many open files", &before);
}

#[test]
fn p05_an_engine_whose_files_may_not_grow_goes_on_and_recovers() {
    let mut desk = Desk::new(Parlour::new());
    let before = kept(&desk.parlour.home());
    let engine = desk.parlour.engine_pid();
    let pid = Pid::from_raw(engine);
    let limit = |current: Option<u64>| Rlimit {
        current,
        maximum: getrlimit(Resource::Fsize).maximum,
    };
    prlimit(pid, Resource::Fsize, limit(Some(1))).unwrap();
    let began = Instant::now();
    let refused = desk.parlour.refusal(&["send", "talk", "noask meanwhile"]);
    assert!(refused.contains("File too large"), "{refused}");
    desk.shows_at_once("File too large", began);
    desk.lives("alive");
    prlimit(pid, Resource::Fsize, limit(getrlimit(Resource::Fsize).current)).unwrap();
    assert_eq!(desk.parlour.engine_pid(), engine);
    desk.recovers("File too large", &before);
}

/// A verb at work, and the file of what it says meanwhile.
fn begin(parlour: &Parlour, words: &[&str], number: usize) -> (Child, PathBuf) {
    let told = parlour.scratch().join(format!("told-{number}"));
    let mut command = parlour.command(words);
    command.stdout(Stdio::piped()).stderr(File::create(&told).unwrap());
    (command.spawn().unwrap(), told)
}

/// As when the server of a network file system is gone: no call comes back, and then all do.
#[test]
fn p05_a_disk_that_gives_no_answer_is_said_and_everything_is_written_when_it_is_back() {
    let (mut desk, engine) = Desk::on_a_faulty_disk();
    let parlour = &desk.parlour;
    engine.begin(Fault::Hold);
    let began = Instant::now();
    let sends: Vec<_> = (0..3)
        .map(|number| {
            let text = format!("noask number {number}");
            begin(parlour, &["send", "talk", &text, "--json"], number)
        })
        .collect();
    let (rename, _) = begin(parlour, &["rename", "shell", "Sea"], sends.len());
    desk.screen.wait_for_text("gives no answer");
    in_time("a banner says it", began.elapsed(), Duration::from_secs(6));
    // Of all that is kept it names what waits longest.
    let unwritten = parlour.json(&["status"])["unwritten"].clone();
    let said = unwritten.as_str().unwrap_or_default();
    let file = said.strip_prefix("The disk gives no answer: ");
    assert!(file.is_some_and(|file| !file.is_empty()), "{unwritten}");
    // Screens and agents do not wait for it, and neither do questions.
    desk.screen.press("echo a''live\r");
    desk.screen.wait_for_text("alive");
    assert!(desk.parlour.say(&["screen", "shell"]).contains("alive"));
    assert_eq!(desk.parlour.json(&["list"])["chats"].as_array().unwrap().len(), 2);
    until("verbs say what they wait for", PATIENCE, || {
        sends.iter().all(|(_, told)| {
            let told = fs::read_to_string(told).unwrap();
            told.contains("waiting for the disk to write ") && told.contains("/records/")
        })
    });
    assert!(engine.disk.held.load(Ordering::SeqCst) > 0);
    engine.end();
    for (send, told) in sends {
        let output = send.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", fs::read_to_string(told).unwrap());
        let lines = String::from_utf8(output.stdout).unwrap();
        let answer: serde_json::Value = serde_json::from_str(&lines).unwrap();
        assert!(answer["sent"] == true || answer["queued"] == true, "{answer}");
    }
    assert!(rename.wait_with_output().unwrap().status.success());
    desk.screen
        .wait_for("no banner", |screen| !screen.contents().contains("gives no answer"));
    desk.parlour.wait("talk", "idle");
    until("all were sent, each once", PATIENCE, || {
        let events = desk.parlour.events("talk");
        let prompts = events.iter().filter(|event| event["kind"] == "prompt");
        let mut texts: Vec<String> = prompts
            .map(|event| event["text"].as_str().unwrap().to_owned())
            .collect();
        texts.sort();
        texts == ["noask before", "noask number 0", "noask number 1", "noask number 2"]
    });
    engine.ended(&desk.parlour);
}
