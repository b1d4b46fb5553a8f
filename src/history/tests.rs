//! Homes with transcripts, and what is found in them.

mod long_outputs;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;

use super::shards::shard_of;
use super::{CaughtUp, History};
use crate::model::entry::{From, ToolStatus};
use crate::model::history::{HistoryAsk, HistoryHit, HistoryPage, HistoryQuery};
use crate::model::{ChatId, Happened, Timestamp, Zone};
use crate::store::{ChatCreation, Home, Journal};

/// 2026-02-15, 09:00.
const NOW: Timestamp = Timestamp(1_771_146_000_000);
const HOUR: i64 = 3_600_000;

struct Place {
    folder: tempfile::TempDir,
    home: Arc<Home>,
    history: History,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let home = Arc::new(Home::open(&folder.path().join("home")).unwrap());
        let history = History::new(home.clone());
        Place { folder, home, history }
    }

    fn chat(&self, bits: u64) -> ChatId {
        let creation = ChatCreation::bare(ChatId::from_bits(bits), format!("Chat {bits}"), "demo", NOW);
        self.home.create(creation).unwrap().id().clone()
    }

    fn write(&self, chat: &ChatId, hours_ago: i64, what: Vec<Happened>) {
        let mut journal = Journal::open(&self.home, chat).unwrap();
        journal.append(Timestamp(NOW.0 - hours_ago * HOUR), what).unwrap();
    }

    fn events(&self, chat: &ChatId) -> std::path::PathBuf {
        self.home.record_path(chat).join("events.jsonl")
    }

    fn catch_up(&self) -> CaughtUp {
        self.history.catch_up(None, NOW, &|| false).unwrap()
    }

    fn page(&self, query: &str, change: impl FnOnce(&mut HistoryAsk)) -> HistoryPage {
        let query = HistoryQuery::parse(query, NOW, Zone::default()).unwrap();
        let mut ask = query.resolve(&[], None).unwrap();
        ask.limit = 50;
        change(&mut ask);
        self.history.find(&ask, &|| false).unwrap()
    }

    fn find(&self, query: &str) -> Vec<String> {
        self.page(query, |_| {}).hits.iter().map(shown).collect()
    }

    /// The file that a chat is in.
    fn index(&self, chat: &ChatId) -> std::path::PathBuf {
        super::shards::paths(&self.folder.path().join("home"))[shard_of(chat)].clone()
    }
}

fn shown(hit: &HistoryHit) -> String {
    let piece = |(text, marked): (&str, bool)| if marked { format!("[{text}]") } else { text.into() };
    let text: String = hit.excerpt.pieces().into_iter().map(piece).collect();
    format!("{} {}: {text}", hit.seq, hit.kind.name())
}

fn prompt(text: &str) -> Happened {
    Happened::Prompt {
        id: text.into(),
        text: text.into(),
        from: From::Person,
        sender: None,
        checkpoint: None,
        key: String::new(),
        steer: false,
    }
}

fn answer(text: &str) -> Happened {
    Happened::Text {
        id: text.into(),
        text: text.into(),
    }
}

fn call(id: &str, tool: &str, command: &str, dir: Option<&str>) -> Happened {
    Happened::ToolStart {
        id: id.into(),
        name: tool.into(),
        input: json!({"command": command, "timeout": 12}),
        dir: dir.map(str::to_string),
        parent: None,
    }
}

fn ended(id: &str, status: ToolStatus, output: &str) -> Happened {
    Happened::tool_ended(id, status, output.into(), None)
}

#[test]
fn all_that_was_said_and_done_is_found_newest_first() {
    let place = Place::new();
    let (one, other) = (place.chat(1), place.chat(2));
    place.write(
        &one,
        30,
        vec![
            prompt("Fix the Login of expired tokens"),
            answer("The token had expired."),
        ],
    );
    place.write(
        &other,
        2,
        vec![
            call("a", "Bash", "cargo test token", None),
            ended("a", ToolStatus::Error, "token: FAILED"),
        ],
    );
    place.catch_up();
    assert_eq!(
        place.find("token"),
        [
            "2 output: [token]: FAILED",
            "1 call: cargo test [token] 12",
            "2 answer: The [token] had expired.",
            "1 prompt: Fix the Login of expired [tokens]",
        ]
    );
    assert_eq!(
        place.find("\"the login\""),
        ["1 prompt: Fix [the Login] of expired tokens"]
    );
    assert_eq!(place.find("token expired "), ["2 answer: The [token] had [expired]."]);
    assert_eq!(
        place.find("login of tok"),
        ["1 prompt: Fix the [Login] [of] expired [tokens]"]
    );
    assert!(place.find("tokex").is_empty() && place.find("zzz").is_empty());
    let newest = place.page("token", |ask| ask.limit = 3);
    let rest = place.page("token", |ask| ask.from = newest.more);
    assert_eq!((newest.hits.len(), rest.hits.len(), rest.more), (3, 1, None));
}

#[test]
fn a_secret_of_a_saved_setup_file_is_found_and_not_shown() {
    let place = Place::new();
    let files = place.folder.path().join("home/project-setup/web/files/app");
    fs::create_dir_all(&files).unwrap();
    fs::write(
        files.join(".env"),
        "API_TOKEN=supersecretvalue12345\nNODE_ENV=production\n",
    )
    .unwrap();
    let said = "The token is supersecretvalue12345, in production.";
    place.write(&place.chat(1), 1, vec![answer(said)]);
    place.catch_up();
    let masked = "1 answer: The token is •••, in production.";
    assert_eq!(place.find("supersecretvalue12345"), [masked]);
    assert_eq!(place.find("token"), [masked.replace("token", "[token]")]);
}

#[test]
fn filters_narrow_it_down() {
    let place = Place::new();
    let (one, other) = (place.chat(1), place.chat(2));
    place.write(
        &one,
        50,
        vec![
            call("a", "Bash", "make", Some("grove")),
            ended("a", ToolStatus::Error, "make failed"),
            call("b", "exec_command", "make", Some("lake")),
            ended("b", ToolStatus::Ok, "make done"),
        ],
    );
    place.write(
        &other,
        1,
        vec![call("c", "mcp__github__make", "make it", None), prompt("make it so")],
    );
    place.catch_up();
    let count = |query: &str| place.find(query).len();
    assert_eq!(count("make"), 6);
    assert_eq!(count("make tool:bash"), 4);
    assert_eq!(count("make tool:exec_command"), 2);
    assert_eq!(count("make tool:github"), 1);
    assert_eq!(count("tool:Bash failed:"), 1);
    assert_eq!(count("make after:2d"), 2);
    assert_eq!(count("make before:2d"), 4);
    assert_eq!(count("before:2d"), 4);
    let of = |change: &dyn Fn(&mut HistoryAsk)| place.page("make", |ask| change(ask)).hits.len();
    assert_eq!(of(&|ask| ask.chats = Some(vec![other.clone()])), 2);
    assert_eq!(of(&|ask| ask.chats = Some(vec![ChatId::from_bits(9)])), 0);
    assert_eq!(
        of(&|ask| ask.projects = vec!["lake".into()]),
        4,
        "what names no project may be of it"
    );
    let mut ask = HistoryAsk {
        tools: vec!["basj".into()],
        limit: 1,
        ..HistoryAsk::default()
    };
    let said = place
        .history
        .find(&ask, &|| false)
        .unwrap_err()
        .problem("searching")
        .to_string();
    assert!(
        said.contains("tool:basj") && said.contains("Bash, exec_command, mcp__github__make"),
        "{said}"
    );
    ask.tools.clear();
    assert!(matches!(
        place.history.find(&ask, &|| true),
        Err(super::Error::Cancelled)
    ));
}

#[test]
fn what_is_appended_is_added_and_what_is_written_again_is_read_again() {
    let place = Place::new();
    let chat = place.chat(1);
    place.write(&chat, 3, vec![call("a", "Bash", "first", None)]);
    place.catch_up();
    place.write(&chat, 2, vec![ended("a", ToolStatus::Ok, "second"), prompt("third")]);
    place
        .history
        .catch_up(Some(std::slice::from_ref(&chat)), NOW, &|| false)
        .unwrap();
    assert_eq!(
        place.find("second tool:bash"),
        ["2 output: [second]"],
        "its call is known"
    );
    // A line that is not whole is left for later.
    let mut file = fs::OpenOptions::new().append(true).open(place.events(&chat)).unwrap();
    file.write_all(b"{\"v\":1,\"seq\":4,").unwrap();
    place.catch_up();
    file.write_all(b"\"ts\":\"2026-02-15T08:00:00Z\",\"kind\":\"note\",\"text\":\"fourth\"}\n")
        .unwrap();
    place.catch_up();
    assert_eq!(place.find("fourth"), ["4 note: [fourth]"]);
    let other = fs::read_to_string(place.events(&chat))
        .unwrap()
        .replace("third", "fifth");
    fs::write(place.events(&chat), other).unwrap();
    place.catch_up();
    assert_eq!(
        (
            place.find("third").len(),
            place.find("fifth").len(),
            place.find("first").len()
        ),
        (0, 1, 1)
    );
}

#[test]
fn a_transcript_that_is_cut_while_it_is_read_changes_no_other() {
    let place = Place::new();
    let cut = place.chat(1);
    let same_file = |bits: &u64| shard_of(&ChatId::from_bits(*bits)) == shard_of(&cut);
    let other = place.chat((2..).find(same_file).unwrap());
    place.write(&other, 2, vec![prompt("heron")]);
    let long = "reed ".repeat(200_000);
    let mut all = vec![answer(&long); 30];
    all.resize(60, answer("otter"));
    place.write(&cut, 1, all);
    let events = place.events(&cut);
    let is_whole = AtomicBool::new(true);
    let cuts = || {
        if is_whole.swap(false, Ordering::SeqCst) {
            let file = fs::OpenOptions::new().write(true).open(&events).unwrap();
            file.set_len(10).unwrap();
        }
        false
    };
    place.history.catch_up(None, NOW, &cuts).unwrap();
    assert!(!is_whole.into_inner());
    assert_eq!(place.find("otter"), [""; 0]);
    let hits = place.page("heron", |_| {}).hits;
    assert_eq!(hits.iter().map(|hit| &hit.chat).collect::<Vec<_>>(), [&other]);
}

#[test]
fn broken_lines_and_clocks_hide_nothing() {
    let place = Place::new();
    let chat = place.chat(1);
    place.write(&chat, 2, vec![prompt("before")]);
    let mut file = fs::OpenOptions::new().append(true).open(place.events(&chat)).unwrap();
    writeln!(file, "not JSON\n{{\"seq\":2}}\n{}", "x".repeat(3 << 20)).unwrap();
    for (seq, ts) in [
        (7, "1969-01-01T00:00:00Z"),
        (8, "9999-01-01T00:00:00Z"),
        (9, "2026-02-15T08:00:00Z"),
    ] {
        writeln!(
            file,
            "{{\"v\":1,\"seq\":{seq},\"ts\":\"{ts}\",\"kind\":\"note\",\"text\":\"behind\"}}"
        )
        .unwrap();
    }
    place.catch_up();
    assert_eq!(
        place.find("behind"),
        ["8 note: [behind]", "9 note: [behind]", "7 note: [behind]"]
    );
    assert_eq!(place.find("before"), ["1 prompt: [before]"]);
}

#[test]
fn what_happens_at_one_moment_keeps_its_order_and_its_time() {
    let place = Place::new();
    let (chat, other) = (place.chat(1), place.chat(2));
    let many = |from: u32| (from..from + 300).map(|at| prompt(&format!("sought n{at}"))).collect();
    place.write(&chat, 1, many(0));
    place.catch_up();
    // They stand where the next milliseconds would, which others then find taken.
    place.write(&other, 1, many(1_000));
    place.write(&chat, 1, many(300));
    let mut journal = Journal::open(&place.home, &chat).unwrap();
    let next = Timestamp(NOW.0 - HOUR + 1);
    journal.append(next, vec![prompt("sought last")]).unwrap();
    place.catch_up();
    let found = |change: &dyn Fn(&mut HistoryAsk)| {
        let page = place.page("sought", |ask| {
            (ask.limit, ask.chats) = (2_000, Some(vec![chat.clone()]));
            change(ask);
        });
        page.hits.iter().map(|hit| hit.seq).collect::<Vec<u64>>()
    };
    let all: Vec<u64> = (1..=601).rev().collect();
    assert_eq!(found(&|_| {}), all);
    assert_eq!(found(&|ask| ask.before = Some(next)), all[1..]);
    assert_eq!(found(&|ask| ask.after = Some(next)), [601]);
}

#[test]
fn what_lies_in_two_files_is_found_as_one() {
    let place = Place::new();
    let chats: Vec<ChatId> = (1..=6).map(|bits| place.chat(bits)).collect();
    let files: std::collections::BTreeSet<_> = chats.iter().map(|chat| place.index(chat)).collect();
    assert_eq!(files.len(), 2, "each has some of them");
    // By turns, over five weeks; of each two, the second at the moment of the first.
    for (at, chat) in (0..60).zip(chats.iter().cycle()) {
        place.write(chat, 840 - at / 2 * 28, vec![prompt(&format!("sought n{at}"))]);
    }
    place.catch_up();
    let all = place.page("sought", |ask| ask.limit = 100).hits;
    let times: Vec<Timestamp> = all.iter().map(|hit| hit.at).collect();
    assert!(
        times.len() == 60 && times.is_sorted_by(|one, next| one >= next),
        "{times:?}"
    );
    let mut from = None;
    for hit in &all {
        let page = place.page("sought", |ask| (ask.from, ask.limit) = (from, 1));
        assert_eq!(page.hits, std::slice::from_ref(hit), "page by page it is the same");
        from = page.more;
    }
    let rest = place.page("sought", |ask| (ask.from, ask.limit) = (from, 1));
    assert_eq!((rest.hits.len(), rest.more), (0, None));
    let without = |wanted: &[ChatId]| {
        place
            .page("", |ask| (ask.chats, ask.limit) = (Some(wanted.into()), 100))
            .hits
    };
    assert_eq!(without(&chats).len(), 60);
    assert_eq!(without(&chats[..1]).len(), 10);
}

#[test]
fn an_index_that_is_gone_or_damaged_is_made_again() {
    let place = Place::new();
    let chat = place.chat(1);
    place.write(
        &chat,
        1,
        (0..200).map(|at| prompt(&format!("word{at} sought"))).collect(),
    );
    assert!(place.page("sought", |_| {}).pending.is_some(), "there is none yet");
    place.catch_up();
    assert_eq!(place.find("word7 sought").len(), 1);
    for end in ["", "-wal", "-shm"] {
        drop(fs::remove_file(format!("{}{end}", place.index(&chat).display())));
    }
    assert!(place.find("word7 sought").is_empty());
    // A new event notices it too.
    place.history.catch_up(Some(&[]), NOW, &|| false).unwrap();
    assert_eq!(place.find("word7 sought").len(), 1);
    let damages: [&dyn Fn(&Path); 3] = [
        &|path| fs::write(path, "this is no index").unwrap(),
        &|path| {
            fs::OpenOptions::new()
                .write(true)
                .open(path)
                .unwrap()
                .set_len(4096 * 3)
                .unwrap()
        },
        &|path| {
            let mut bytes = fs::read(path).unwrap();
            bytes.iter_mut().skip(4096).for_each(|byte| *byte ^= 0x5a);
            fs::write(path, bytes).unwrap();
        },
    ];
    for damage in damages {
        // Another process made it so.
        let fresh = History::new(place.home.clone());
        place.history_writer().clear();
        for end in ["-wal", "-shm"] {
            drop(fs::remove_file(format!("{}{end}", place.index(&chat).display())));
        }
        damage(&place.index(&chat));
        let ask = HistoryAsk {
            sought: HistoryQuery::parse("\"word7\"", NOW, Zone::default()).unwrap().sought,
            limit: 5,
            ..HistoryAsk::default()
        };
        drop(fresh.find(&ask, &|| false));
        fresh.catch_up(None, NOW, &|| false).unwrap();
        assert_eq!(fresh.find(&ask, &|| false).unwrap().hits.len(), 1);
    }
}

#[test]
fn how_far_the_index_has_come_is_told_by_chats() {
    let place = Place::new();
    let chats = [1, 2, 3].map(|bits| place.chat(bits));
    let write = |chat| place.write(chat, 1, vec![prompt("sought")]);
    chats.iter().for_each(write);
    place.catch_up();
    assert_eq!(place.history.lag().unwrap(), None);
    chats[..2].iter().for_each(write);
    let lag = place.history.lag().unwrap().unwrap();
    assert_eq!((lag.chats_done, lag.chats), (1, 3));
    assert!(lag.to_string().starts_with("1 of 3 chats, "), "{lag}");
    let seen = parking_lot::Mutex::new(Vec::new());
    let look = || {
        seen.lock().extend(place.history.progress());
        false
    };
    place.history.catch_up(None, NOW, &look).unwrap();
    assert_eq!(
        seen.lock().first().map(|first| (first.chats_done, first.chats)),
        Some((0, 2))
    );
    assert_eq!(place.history.progress(), None);
}

#[test]
fn chats_in_the_trash_are_not_found_until_they_are_back() {
    let place = Place::new();
    let chat = place.chat(1);
    place.write(&chat, 1, vec![prompt("sought")]);
    place.catch_up();
    place.home.trash_chat(&chat, NOW).unwrap();
    place.catch_up();
    assert!(place.find("sought").is_empty());
    place.home.restore(&chat).unwrap();
    place.catch_up();
    assert_eq!(place.find("sought").len(), 1);
}

impl Place {
    fn history_writer(&self) -> parking_lot::MutexGuard<'_, Vec<super::database::Database>> {
        self.history.writer()
    }
}
