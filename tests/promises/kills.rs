//! P1, P2, P3, P8: the engine is killed at any moment, nothing that it acknowledged is lost, and nobody is left.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{Dice, in_time, scaled};
use crate::story;
use crate::support::parlour::{PATIENCE, Parlour, git, kill, until};

/// The prompts in a chat's transcript, whose entries are numbered without a gap.
fn prompts(parlour: &Parlour, chat: &str) -> Vec<String> {
    let events = parlour.events(chat);
    let numbers: Vec<u64> = events.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>(), "of {chat}");
    let prompts = events.iter().filter(|event| event["kind"] == "prompt");
    prompts
        .map(|event| event["text"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn p01_an_engine_killed_while_five_agents_work_loses_and_doubles_nothing() {
    let chats = ["ash", "elm", "fir", "oak", "yew"];
    let parlour = Parlour::new();
    let grove = story::reviews::repository(&parlour.scratch().join("grove"));
    for chat in chats {
        parlour.json(&["new", chat, "--llm", "demo", "--dir", &grove]);
        parlour.wait(chat, "idle");
    }
    let mut dice = Dice(7);
    for round in 0..scaled(4, 200) {
        let wait = dice.below(200);
        let text = format!("noask in round {round}");
        let id = |chat: &str| format!("{chat}-{round}");
        let begin = |words: &[&str]| {
            let mut command = parlour.command(words);
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        };
        let engine = parlour.engine_pid();
        let mut all: Vec<_> = chats
            .iter()
            .map(|chat| begin(&["send", chat, &text, "--id", &id(chat)]))
            .collect();
        all.extend(chats.iter().map(|chat| begin(&["checkpoint", chat])));
        thread::sleep(Duration::from_millis(wait));
        kill(engine);
        for mut verb in all {
            verb.wait().unwrap();
        }
        for chat in chats {
            parlour.json(&["resume", chat]);
            parlour.say(&["send", chat, &text, "--id", &id(chat)]);
            parlour.wait(chat, "idle");
            let times = prompts(&parlour, chat).iter().filter(|sent| **sent == text).count();
            assert_eq!(times, 1, "{chat}: {text}");
        }
    }
    for chat in fs::read_dir(parlour.home().join("records")).unwrap() {
        let stores = fs::read_dir(chat.unwrap().path().join("checkpoints"));
        for store in stores.into_iter().flatten().map(|store| store.unwrap().path()) {
            if store.is_dir() {
                git(&store, &["fsck", "--strict"]);
            }
        }
    }
}

#[test]
fn p01_no_message_is_lost_or_doubled_when_the_engine_is_killed() {
    story::inbox::no_message_is_lost_or_doubled_when_the_engine_is_killed();
}

/// A hundred chats, a gigabyte of transcripts.
#[test]
fn p01_the_next_engine_is_ready_within_two_seconds() {
    let parlour = Parlour::new();
    parlour.configure(r#"{"customLlms": {"falls": {"command": "/bin/false"}}}"#);
    let made = parlour.json(&["new", "Seed", "--llm", "falls"]);
    parlour.wait("seed", "exited");
    parlour.say(&["kill-engine"]);
    let seed = made["id"].as_str().unwrap();
    for number in 0..100 {
        let chat = story::homes::copy(&parlour.home(), seed, number);
        transcript(&parlour.home(), &chat, scaled(200 << 10, 10 << 20));
    }
    parlour.status();
    parlour.kill_engine();
    let began = Instant::now();
    let listed = parlour.json(&["list"]);
    in_time("the engine is ready", began.elapsed(), Duration::from_secs(2));
    let chats = listed["chats"].as_array().unwrap();
    assert_eq!(chats.len(), 101);
    assert!(chats.iter().any(|chat| chat["preview"] == "The last word."), "{listed}");
}

/// A transcript of so many bytes.
pub fn transcript(home: &Path, chat: &str, bytes: usize) -> usize {
    let mut text = String::new();
    let mut seq = 0;
    let mut line = |what: &str| {
        seq += 1;
        let entry = json!({
            "v": 1, "seq": seq, "ts": "2026-02-15T09:00:00.000Z", "chat": chat,
            "kind": "text", "id": format!("m{seq}"), "text": what,
        });
        text.push_str(&format!("{entry}\n"));
        text.len()
    };
    let said = "Somebody says what there is to be said of it. ".repeat(20);
    while line(&said) < bytes {}
    line("The last word.");
    fs::write(home.join("records").join(chat).join("events.jsonl"), text).unwrap();
    seq
}

#[test]
#[cfg(target_os = "linux")]
fn p02_a_checkpoint_killed_at_any_call_to_storage_is_whole_or_not_there() {
    story::kills::a_checkpoint_killed_anywhere_is_whole_or_not_there_and_leaves_the_clones_alone();
}

#[test]
#[cfg(target_os = "linux")]
fn p02_a_revert_and_its_undo_killed_at_any_call_to_storage_are_old_or_new() {
    story::kills::a_revert_and_its_undo_killed_anywhere_are_old_or_new_in_all_clones();
}

#[test]
#[cfg(target_os = "linux")]
fn p02_a_fork_killed_at_any_call_to_storage_is_whole_or_not_there() {
    story::kills::a_fork_killed_anywhere_is_whole_or_not_there_and_leaves_the_original_alone();
}

#[test]
#[cfg(target_os = "linux")]
fn p02_a_commit_killed_at_any_call_to_storage_loses_nothing() {
    story::kills::a_commit_killed_anywhere_loses_nothing_and_can_be_made_again();
}

#[test]
#[cfg(target_os = "linux")]
fn p02_a_rebase_killed_at_any_call_to_storage_is_called_off_or_done() {
    story::kills::a_rebase_killed_anywhere_is_called_off_or_done_and_can_be_made_again();
}

#[test]
#[cfg(target_os = "linux")]
fn p02_a_way_home_killed_or_failed_at_any_call_to_storage_keeps_the_persons_branch_with_its_files() {
    story::kills::a_way_home_killed_anywhere_never_leaves_the_branch_ahead_of_its_files();
}

#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn p02_a_revert_that_fails_at_any_call_to_storage_is_old_or_new() {
    story::kills::a_revert_that_fails_anywhere_is_old_or_new_in_all_clones();
}

#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn p02_a_rebase_that_fails_at_any_call_to_storage_is_called_off_or_done() {
    story::kills::a_rebase_that_fails_anywhere_is_called_off_or_done_and_can_be_made_again();
}

/// A chat is made, named, deleted and brought back, and its agent gets a prompt.
#[test]
#[cfg(target_os = "linux")]
fn p02_a_chat_killed_at_any_call_to_storage_is_there_or_not_and_the_verb_works_again() {
    use crate::support::storage_calls::{Fault, FaultyEngine};

    let parlour = Parlour::new();
    parlour.json(&["new", "Other", "--llm", "demo", "-p", "noask hello"]);
    parlour.wait("other", "idle");
    let killed_at = |at: u64, words: &[&str]| {
        let engine = FaultyEngine::start(&parlour);
        engine.begin(Fault::KillAt(at));
        let _ = parlour.run(words);
        engine.ended(&parlour)
    };
    let handles = || -> Vec<String> {
        let listed = parlour.json(&["list"]);
        let chats = listed["chats"].as_array().unwrap().iter();
        chats.map(|chat| chat["handle"].as_str().unwrap().to_owned()).collect()
    };
    let verbs: [&[&str]; 5] = [
        &["new", "Talk", "--llm", "demo"],
        &["rename", "talk", "Speech"],
        &["send", "speech", "noask once", "--id", "once"],
        &["rm", "speech", "--yes"],
        &["undo-rm", "speech"],
    ];
    let is_done = |verb: &str| match verb {
        "new" => handles().contains(&"talk".into()),
        "rename" | "undo-rm" => handles().contains(&"speech".into()),
        "rm" => !handles().contains(&"speech".into()),
        _ => false,
    };
    let mut dice = Dice(11);
    let mut places = vec![3, 9, 20];
    for round in 0..scaled(3, 60) {
        places.push(1 + dice.below(40));
        let at = places[round];
        for words in verbs {
            killed_at(at, words);
            if !is_done(words[0]) {
                let said = parlour.run(words);
                assert!(said.status.success(), "{words:?} after a kill at {at}: {said:?}");
            }
            assert!(handles().contains(&"other".into()), "{words:?} at {at}");
            assert!(handles().len() <= 2, "{words:?} at {at}: {:?}", handles());
            if words[0] == "send" {
                parlour.json(&["resume", "speech"]);
                parlour.wait("speech", "idle");
                let sent = prompts(&parlour, "speech");
                assert_eq!(sent, ["noask once"], "killed at {at}");
            }
        }
        assert_eq!(parlour.json(&["doctor"])["problems"], json!([]), "killed at {at}");
        parlour.say(&["rm", "speech", "--yes"]);
        parlour.say(&["trash", "purge", "--yes"]);
    }
}

/// A sync that fails is no sync: what it was to make safe is not acknowledged, now or later.
#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn p03_nothing_is_acknowledged_that_could_not_be_synced() {
    use crate::support::storage_calls::{Calls, Fault, FaultyEngine};

    let parlour = Parlour::new();
    parlour.json(&["new", "Talk", "--llm", "demo"]);
    parlour.wait("talk", "idle");
    let engine = FaultyEngine::start(&parlour);
    parlour.json(&["resume", "talk"]);
    parlour.wait("talk", "idle");
    engine.begin(Fault::Fail(Calls::Syncs, libc::EIO));
    for (number, words) in [
        vec!["send", "talk", "noask lost"],
        vec!["rename", "talk", "Lost"],
        vec!["new", "Lost", "--llm", "demo"],
        vec!["schedule", "add", "Lost", "-p", "hello", "--cron", "@yearly"],
        vec!["rm", "talk", "--yes"],
    ]
    .iter()
    .enumerate()
    {
        let said = parlour.refusal(words);
        assert!(said.contains("nput/output error"), "{number} {words:?}: {said}");
    }
    engine.end();
    parlour.say(&["send", "talk", "noask kept"]);
    parlour.wait("talk", "idle");
    assert_eq!(prompts(&parlour, "talk"), ["noask kept"]);
    assert_eq!(parlour.json(&["list"])["chats"][0]["name"], "Talk");
    engine.ended(&parlour);
}

/// Whoever sent it was told that it was not taken in.
#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn p03_a_message_that_could_not_be_synced_is_not_delivered() {
    use crate::support::storage_calls::{Calls, Fault, FaultyEngine};
    use crate::support::team::{self, Mate};

    let parlour = team::parlour(json!({}));
    let engine = FaultyEngine::start(&parlour);
    let boss = Mate::new(&parlour, "Boss", &[]);
    let (child, _) = boss.dispatch(&parlour, json!({"prompt": "work", "name": "Child"}));
    let typed = || -> String {
        boss.prompts(&parlour)
            .into_iter()
            .map(|(_, text)| text + "\n")
            .collect()
    };
    until("the end of its turn is told", PATIENCE, || {
        typed().contains("child ended its turn")
    });
    parlour.wait("boss", "idle");
    engine.begin(Fault::Fail(Calls::Syncs, libc::EIO));
    let refused = child.call("report_to_parent", json!({"message": "lost"})).unwrap_err();
    assert!(refused.contains("nput/output error"), "{refused}");
    engine.end();
    child.call("report_to_parent", json!({"message": "kept"})).unwrap();
    until("the report is typed", PATIENCE, || typed().contains("kept"));
    assert!(!typed().contains("lost"), "{}", typed());
    engine.ended(&parlour);
}

/// One agent that would stay: it hears no signal, and a child of it has left its group and session.
const STAYS: &str = "#!/bin/sh
trap '' TERM HUP INT
setsid sh -c 'trap \"\" TERM HUP; while :; do sleep 1; done' &
while :; do sleep 1; done
";

#[test]
fn p08_nobody_is_left_five_seconds_after_a_kill_and_no_chat_gets_two_agents() {
    let parlour = Parlour::new().with_program("stays", STAYS);
    parlour.configure(r#"{"customLlms": {"stays": {"command": "stays"}}}"#);
    for (chat, llm) in [("one", "stays"), ("two", "demo"), ("three", "shell")] {
        parlour.json(&["new", chat, "--llm", llm]);
    }
    until("all run", PATIENCE, || parlour.agents().len() >= 5);
    for _ in 0..scaled(1, 20) {
        parlour.kill_engine();
        let began = Instant::now();
        until("nobody is left", PATIENCE, || parlour.agents().is_empty());
        in_time("agents end", began.elapsed(), Duration::from_secs(5));

        let resume = || {
            let mut command = parlour.command(&["resume", "two"]);
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        };
        let all: Vec<_> = (0..5).map(|_| resume()).collect();
        for mut verb in all {
            verb.wait().unwrap();
        }
        parlour.wait("two", "idle");
        let live = parlour.status()["agents"].clone();
        assert_eq!(live.as_array().map(Vec::len), Some(1), "{live}");
        parlour.json(&["resume", "one"]);
        until("all run", PATIENCE, || parlour.agents().len() >= 4);
    }
}
