//! P4, P6: damaged transcripts are read around the damage, and the index of the history is nobody's only copy.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::kills::transcript;
use super::{Dice, MEGABYTE, grew_little, in_time, resident, scaled};
use crate::support::parlour::{PATIENCE, Parlour, until};

/// A home with two stopped chats, the first with a transcript of so many bytes.
fn with_transcript(bytes: usize) -> (Parlour, PathBuf, usize) {
    let parlour = Parlour::new();
    let made = parlour.json(&["new", "Talk", "--llm", "demo"]);
    parlour.json(&["new", "Other", "--llm", "demo", "-p", "noask hello"]);
    parlour.wait("other", "idle");
    parlour.wait("talk", "idle");
    parlour.say(&["kill-engine"]);
    let id = made["id"].as_str().unwrap();
    let lines = transcript(&parlour.home(), id, bytes);
    let file = parlour.home().join("records").join(id).join("events.jsonl");
    (parlour, file, lines)
}

#[test]
fn p04_a_damaged_log_opens_around_the_damage() {
    let (parlour, file, lines) = with_transcript(scaled(2 << 20, 256 << 20));
    let whole = fs::read(&file).unwrap();
    let mut dice = Dice(9);
    let mut bytes = whole.clone();
    let mut spoilt = 0;
    let mut damage = |at: usize, with: &[u8]| {
        bytes.splice(at..at + with.len(), with.iter().copied());
        spoilt += 2 + with.len() / 500;
    };
    for _ in 0..20 {
        let at = dice.below(whole.len() as u64 / 2) as usize;
        let noise: Vec<u8> = (0..dice.below(3000)).map(|_| dice.below(256) as u8).collect();
        damage(at, &noise);
    }
    // A block that a file system lost, and a line without an end within reach.
    damage(whole.len() / 2, &[0; 4096]);
    damage(whole.len() * 3 / 4, &vec![b'x'; scaled(300_000, 40 << 20)]);
    bytes.extend_from_slice(b"{\"v\":1,\"seq\":99");
    fs::write(&file, &bytes).unwrap();

    let engine = parlour.engine_pid();
    let before = resident(engine);
    let read: Vec<Value> = parlour.events("talk");
    let entries = read.iter().filter(|event| event["kind"] == "text").count();
    println!("{entries} of {lines} entries are read");
    assert!(
        entries + spoilt >= lines,
        "{entries} of {lines}, {spoilt} may be damaged"
    );
    assert!(read.iter().any(|event| event["text"] == "The last word."));
    assert!(parlour.say(&["export", "talk"]).contains("The last word."));
    grew_little("reading what is damaged", engine, before, 64 * MEGABYTE);
    assert!(fs::read(&file).unwrap() == bytes, "reading changes no byte");
    assert!(
        parlour
            .events("other")
            .iter()
            .any(|event| event["text"] == "noask hello")
    );

    parlour.json(&["resume", "talk"]);
    parlour.wait("talk", "idle");
    parlour.say(&["send", "talk", "noask go on"]);
    parlour.wait("talk", "idle");
    let now = fs::read(&file).unwrap();
    let kept = bytes.len() - b"{\"v\":1,\"seq\":99".len();
    assert!(now[..kept] == bytes[..kept] && !now[kept..].starts_with(b"{\"v\":1,\"seq\":99"));
    assert!(
        parlour
            .events("talk")
            .iter()
            .any(|event| event["text"] == "noask go on")
    );
    let aside = fs::read_dir(file.parent().unwrap()).unwrap();
    let names = aside.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.filter(|name| name.starts_with("events.torn-")).count(), 1);
}

#[test]
fn p06_the_index_may_vanish_or_be_garbage_at_any_time() {
    let (parlour, ..) = with_transcript(scaled(1 << 20, 64 << 20));
    let search = |words: &str| parlour.found(words);
    let finds = || search("\"last word\"").as_array().is_some_and(|hits| !hits.is_empty());
    until("it is found", PATIENCE, finds);
    let found = search("\"last word\"");
    let cache = parlour.home().join("cache");
    let spoil = |garbage: bool| {
        let mut left = vec![cache.clone()];
        while let Some(dir) = left.pop() {
            for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
                match entry.path().is_dir() {
                    true => left.push(entry.path()),
                    false if garbage => fs::write(entry.path(), vec![0xa5; 9000]).unwrap(),
                    false => fs::remove_file(entry.path()).unwrap(),
                }
            }
        }
    };
    for (runs, garbage) in [(true, false), (true, true), (false, false), (false, true)] {
        if !runs {
            parlour.say(&["kill-engine"]);
        }
        spoil(garbage);
        parlour.json(&["send", "other", "noask go on"]);
        parlour.wait("other", "idle");
        until("it is found again", PATIENCE, finds);
        assert_eq!(search("\"last word\""), found, "running: {runs}, garbage: {garbage}");
    }
    // No query is wrong.
    for query in [
        "\"",
        "tool:",
        "(((",
        "AND OR NOT",
        "*",
        "a:b:c",
        "after:never",
        "'; drop table",
        "\u{202e}",
        "",
    ] {
        let said = parlour.run(&["search", "--json", "--", query]);
        let told = String::from_utf8_lossy(&said.stderr).into_owned();
        let is_plain = ["there is nothing to look for", "after:never"];
        let is_plain = is_plain.iter().any(|words| told.contains(words));
        let has_answer = matches!(said.status.code(), Some(0 | 1)) && !said.stdout.is_empty();
        assert!(has_answer || is_plain, "{query:?}: {told}");
    }
}

/// A gigabyte of transcripts within a minute.
#[test]
fn p06_the_index_is_made_again_in_time() {
    let (parlour, ..) = with_transcript(scaled(4 << 20, 1 << 30));
    let began = Instant::now();
    until("all is found", 20 * PATIENCE, || {
        let hits = parlour.found("\"last word\"");
        hits.as_array().is_some_and(|hits| !hits.is_empty())
    });
    in_time("the index is made", began.elapsed(), Duration::from_secs(60));
}
