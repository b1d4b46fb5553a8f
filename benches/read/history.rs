//! Full text over many transcripts, beside `rg` on the same files, or `grep` where that is not installed.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::json;

use parlour::history::{CaughtUp, History};
use parlour::model::history::{HistoryAsk, HistoryQuery};
use parlour::model::{ChatId, Happened, Timestamp, Zone};
use parlour::store::{ChatCreation, Home, Journal, Surroundings};

use crate::table::Row;

const CHATS: u64 = 64;
const QUERIES: usize = 100;
/// Words that there are: few stand often, and most hardly ever.
const WORDS: u64 = 60_000;
const NOW: Timestamp = Timestamp(1_771_146_000_000);

pub fn rows(megabytes: u64) -> anyhow::Result<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let home = Arc::new(Home::open(&folder.path().join("home"))?);
    let mut chance = Chance(7);
    let mut chats = Vec::new();
    for number in 0..CHATS {
        let chat = make(&home, number + 1)?;
        write(&home, &chat, megabytes * 1_000_000 / CHATS, &mut chance)?;
        chats.push(chat);
    }
    let history = History::new(home.clone());
    let began = Instant::now();
    let made = history.catch_up(None, NOW, &|| false)?;
    let building = began.elapsed();
    ensure!(made == CaughtUp::Done, "the index is made");

    let mut times = Vec::new();
    let mut found = 0;
    for at in 0..QUERIES {
        let ask = ask(&query(at, &mut chance))?;
        let began = Instant::now();
        found += history.find(&ask, &|| false)?.hits.len();
        times.push(began.elapsed());
    }
    ensure!(found > QUERIES, "most queries find something");
    times.sort();
    let worst = times[QUERIES * 95 / 100];
    let records = home.path().join("records");
    let peer = peer();
    let mut beside: Vec<Duration> = (0..5)
        .map(|at| searched(peer, &records, at))
        .collect::<anyhow::Result<_>>()?;
    beside.sort();

    let news = news(&home, &history, &chats[0])?;
    let sizes = ["history.db", "history.db2"].map(|file| fs::metadata(home.path().join("cache").join(file)));
    let size: u64 = sizes
        .into_iter()
        .map(|found| Ok(found?.len()))
        .sum::<std::io::Result<u64>>()?;
    Ok(vec![
        Row {
            parlour: Some(building.as_secs_f64()),
            ..Row::new(format!("index of {megabytes} MB of transcripts, s")).at_most(60.0)
        },
        Row {
            peer: Some(ms(beside[2])),
            parlour: Some(ms(worst)),
            ..Row::new(format!(
                "full text, 95th of {QUERIES} queries, beside {} {}, ms",
                peer.0, peer.1
            ))
            .at_most(150.0)
        },
        Row {
            parlour: Some(ms(news)),
            ..Row::new("a new event is in the index, without the 300 ms that are gathered, ms").at_most(700.0)
        },
        Row {
            parlour: Some(size as f64 / 1e6),
            ..Row::new("size of the index, MB")
        },
    ])
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

fn ask(query: &str) -> anyhow::Result<HistoryAsk> {
    let query = HistoryQuery::parse(query, NOW, Zone::default()).map_err(|problem| anyhow::anyhow!("{problem}"))?;
    let ask = query
        .resolve(&[], None)
        .map_err(|problem| anyhow::anyhow!("{problem}"))?;
    Ok(HistoryAsk { limit: 50, ..ask })
}

/// What people type: a beginning, two words, a phrase, one with a filter.
fn query(at: usize, chance: &mut Chance) -> String {
    let (one, other) = (chance.word(), chance.word());
    match at % 5 {
        0 => one,
        1 => format!("{one} {other}"),
        2 => one[..one.len().min(3)].to_string(),
        3 => format!("{one} failed:yes"),
        _ => format!("\"{one}\" tool:bash"),
    }
}

fn news(home: &Home, history: &History, chat: &ChatId) -> anyhow::Result<Duration> {
    let mut journal = Journal::open(home, chat)?;
    let text = "zzunheardof".to_string();
    let began = Instant::now();
    journal.append(NOW, vec![Happened::Note { text }])?;
    history.catch_up(Some(std::slice::from_ref(chat)), NOW, &|| false)?;
    let found = history.find(&ask("zzunheardof")?, &|| false)?;
    ensure!(found.hits.len() == 1, "the new event is found");
    Ok(began.elapsed())
}

/// The program that is searched with beside parlour, and what has it name the files that have a word, in any case.
fn peer() -> (&'static str, &'static str) {
    let has_rg = Command::new("rg").arg("--version").stdout(Stdio::null()).status();
    match has_rg.is_ok_and(|ended| ended.success()) {
        true => ("rg", "-liF"),
        false => ("grep", "-rliF"),
    }
}

fn searched((program, options): (&str, &str), records: &Path, at: u64) -> anyhow::Result<Duration> {
    let began = Instant::now();
    let mut search = Command::new(program);
    search.args([options, &word(at * 997 + 500)]).arg(records);
    search.stdout(Stdio::null()).status().context("searching the files")?;
    Ok(began.elapsed())
}

fn make(home: &Home, number: u64) -> anyhow::Result<ChatId> {
    let made = home.create(ChatCreation {
        id: ChatId::from_bits(number),
        name: format!("Chat {number}"),
        handle: None,
        llm: "claude".into(),
        role: None,
        parent: None,
        schedule: None,
        disabled_servers: Vec::new(),
        to_open: 0,
        created: NOW,
        templates: Vec::new(),
        around: Surroundings::default(),
        skills: Vec::new(),
    })?;
    Ok(made.id().clone())
}

/// A transcript over the last ten weeks.
fn write(home: &Home, chat: &ChatId, bytes: u64, chance: &mut Chance) -> anyhow::Result<()> {
    const TEN_WEEKS: i64 = 70 * 86_400_000;
    let path = home.record_path(chat).join("events.jsonl");
    let mut file = BufWriter::new(File::options().append(true).create(true).open(path)?);
    let (mut seq, mut written) = (0_u64, 0_u64);
    while written < bytes {
        seq += 1;
        let part = i64::try_from(written * 1_000 / bytes).unwrap_or(0);
        let ts = Timestamp(NOW.0 - TEN_WEEKS + TEN_WEEKS / 1_000 * part + i64::try_from(seq % 1_000).unwrap_or(0));
        let (call, text) = (format!("t{}", seq / 2), chance.text());
        let status = if chance.next().is_multiple_of(9) { "error" } else { "ok" };
        let mut line = match seq % 6 {
            0 => json!({"kind": "prompt", "id": call, "text": text, "from": "person"}),
            1 | 3 => json!({"kind": "tool.start", "id": call, "name": "Bash", "input": {"command": text}}),
            2 | 4 => json!({"kind": "tool.end", "id": call, "status": status, "preview": text, "bytes": 1, "lines": 1}),
            _ => json!({"kind": "text", "id": call, "text": text}),
        };
        line["v"] = json!(1);
        line["seq"] = json!(seq);
        line["ts"] = json!(ts.to_string());
        let line = format!("{line}\n");
        file.write_all(line.as_bytes())?;
        written += line.len() as u64;
    }
    Ok(file.flush()?)
}

/// The same each time.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn word(&mut self) -> String {
        let (one, other) = (self.next() % WORDS, self.next() % WORDS);
        word(one * other / WORDS * (self.next() % WORDS) / WORDS)
    }

    fn text(&mut self) -> String {
        let count = 10 + self.next() % 120;
        (0..count).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }
}

fn word(number: u64) -> String {
    const SYLLABLES: [&str; 16] = [
        "ka", "to", "mi", "re", "lu", "so", "ne", "va", "di", "po", "gu", "be", "zi", "ha", "wo", "ty",
    ];
    let mut word = String::new();
    let mut left = number + 16;
    while left > 0 {
        word.push_str(SYLLABLES[usize::try_from(left % 16).unwrap_or(0)]);
        left /= 16;
    }
    word
}
