//! What the thread listens to, and when it lets go of it.

use std::fs;
use std::io::Write;

use parking_lot::{Mutex, RwLock};

use super::*;
use crate::agents;
use crate::engine::inbound::InboundLanes;
use crate::git::{Caches, Program};
use crate::model::Settings;
use crate::store::{Home, Watcher};

struct ReaderStage {
    folder: tempfile::TempDir,
    reader: Reader,
    inbox: InboundLanes,
}

fn place() -> ReaderStage {
    let folder = tempfile::tempdir().unwrap();
    let home = Arc::new(Home::open(&folder.path().join("home")).unwrap());
    let (sender, inbox) = Sender::channel(Arc::default());
    let services = Services {
        caches: Caches::new(home.dir().dir("bare").unwrap()).unwrap(),
        git: Program::find().unwrap(),
        parlour: "/nowhere".into(),
        mcp_url: String::new(),
        tokens: Arc::default(),
        hook_tokens: Arc::default(),
        offered: Arc::default(),
        bare: Arc::default(),
        left_out: Arc::default(),
        settings: RwLock::default(),
        watcher: Arc::new(Mutex::new(Watcher::start(|_| {}).unwrap())),
        programs: Default::default(),
        files: Default::default(),
        scripts: Arc::default(),
        reviews: crate::engine::locks::ChatLocks::default(),
        prepared: crate::engine::prepared::PreparedTurns::default(),
        measured: crate::engine::measured::Measured::default(),
        outputs: crate::engine::line_indexes::LineIndexes::default(),
        history: crate::engine::history::HistoryKeeper::start(home.clone()).unwrap().0,
        home,
    };
    let reader = Reader::new(Arc::new(services), Backlog::default(), sender);
    ReaderStage { folder, reader, inbox }
}

impl ReaderStage {
    /// A session of Claude Code with one sub-agent; their transcripts.
    fn session(&self) -> (PathBuf, PathBuf) {
        let transcript = self.folder.path().join("s.jsonl");
        let sub_agent = self.folder.path().join("s/subagents/agent-a.jsonl");
        fs::create_dir_all(sub_agent.parent().unwrap()).unwrap();
        for path in [&transcript, &sub_agent] {
            fs::write(path, "{}\n").unwrap();
        }
        (transcript, sub_agent)
    }

    fn listen(&mut self, chat: &ChatId, path: &Path) {
        let adapter = agents::find("claude", &Settings::default()).unwrap();
        self.reader
            .begin(chat.clone(), path, ReadKind::Transcript, adapter.into());
    }

    fn live(&self, path: &Path) -> Option<bool> {
        self.reader.files.get(path).map(|file| file.live)
    }
}

#[test]
fn a_resumed_sessions_sub_agents_are_listened_to_again() {
    let mut place = place();
    let chat = ChatId::from_bits(1);
    fs::create_dir_all(place.reader.services.home.record_path(&chat)).unwrap();
    let (transcript, sub_agent) = place.session();
    place.listen(&chat, &transcript);
    assert_eq!(place.live(&sub_agent), Some(true));
    place.reader.forget(&chat);
    assert_eq!(
        (place.live(&transcript), place.live(&sub_agent)),
        (Some(false), Some(false))
    );
    place.listen(&chat, &transcript);
    assert_eq!(
        (place.live(&transcript), place.live(&sub_agent)),
        (Some(true), Some(true))
    );
}

#[test]
fn what_a_deleted_chat_left_is_let_go() {
    let mut place = place();
    let (gone, stays) = (ChatId::from_bits(1), ChatId::from_bits(2));
    let record = place.reader.services.home.record_path(&gone);
    fs::create_dir_all(&record).unwrap();
    let (transcript, sub_agent) = place.session();
    place.listen(&gone, &transcript);
    place.reader.forget(&gone);
    fs::remove_dir(record).unwrap();
    let other = place.folder.path().join("other.jsonl");
    fs::write(&other, "{}\n").unwrap();
    place.listen(&stays, &other);
    assert_eq!(place.live(&other), Some(true));
    assert_eq!((place.live(&transcript), place.live(&sub_agent)), (None, None));
}

#[test]
fn a_hook_is_told_behind_all_that_was_written_before_it() {
    let mut place = place();
    let chat = ChatId::from_bits(1);
    let path = place.folder.path().join("s.jsonl");
    fs::write(&path, "").unwrap();
    place.listen(&chat, &path);
    let line = |at: u32| {
        let message = serde_json::json!({"id": at.to_string(), "role": "assistant", "content": [
            {"type": "text", "text": "x".repeat(100 << 10)}]});
        serde_json::json!({"type": "assistant", "uuid": at.to_string(), "message": message}).to_string() + "\n"
    };
    let mut file = fs::File::options().append(true).open(&path).unwrap();
    (0..10).for_each(|at| file.write_all(line(at).as_bytes()).unwrap());
    place.reader.read_transcripts(&chat);
    let length = fs::metadata(&path).unwrap().len();
    let mut read = 0;
    while let Ok(inbound) = place.inbox.said.try_recv() {
        if let Inbound::Event(Event::Observed(_, Observed::Transcript(_, mark))) = inbound {
            read = mark.to;
        }
    }
    assert_eq!(read, length);
}

/// Codex goes on in another file then.
#[test]
fn what_a_person_took_back_in_the_cli_is_told_as_the_file_is_begun_with() {
    let mut place = place();
    let chat = ChatId::from_bits(1);
    let day = place.folder.path().join("sessions/2026/11/28");
    fs::create_dir_all(&day).unwrap();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/agents/codex/went-back");
    let mut files = Vec::new();
    for sample in fs::read_dir(samples).unwrap() {
        let sample = sample.unwrap().path();
        files.push(day.join(sample.file_name().unwrap()));
        fs::copy(&sample, files.last().unwrap()).unwrap();
    }
    files.sort();
    let adapter: Arc<dyn Adapter> = agents::find("codex", &Settings::default()).unwrap().into();
    let mut told = Vec::new();
    for file in &files {
        place
            .reader
            .begin(chat.clone(), file, ReadKind::Transcript, adapter.clone());
        while let Ok(inbound) = place.inbox.said.try_recv() {
            match inbound {
                Inbound::Event(Event::Observed(_, Observed::WentBack(_))) => told.push("went back".to_owned()),
                Inbound::Event(Event::Observed(_, Observed::Transcript(happened, _))) => {
                    told.extend(happened.into_iter().filter_map(|told| match told.what {
                        crate::model::Happened::Prompt { text, .. } => Some(text),
                        _ => None,
                    }));
                }
                _ => {}
            }
        }
    }
    let all = [
        "Num 1",
        "Num 2",
        "Num 3",
        "went back",
        "Num 2 EDITED",
        "Num 4",
        "Num 5",
        "went back",
        "Num 4 AGAIN",
    ];
    assert_eq!(told, all);
}

/// A CLI cuts its transcript and writes it again, as after a compaction: what stood in it before is not told again, and
/// what is new in it is told.
#[test]
fn a_transcript_that_was_cut_is_read_again_from_its_beginning_and_tells_only_what_is_new() {
    let mut place = place();
    let chat = ChatId::from_bits(1);
    let path = place.folder.path().join("s.jsonl");
    let line = |id: &str| {
        let message = serde_json::json!({"id": id, "role": "assistant", "content": [{"type": "text", "text": id}]});
        serde_json::json!({"type": "assistant", "uuid": id, "message": message}).to_string() + "\n"
    };
    fs::create_dir_all(place.reader.services.home.record_path(&chat)).unwrap();
    let home = place.reader.services.home.clone();
    let mut journal = crate::store::Journal::open(&home, &chat).unwrap();
    let mut told = |place: &mut ReaderStage| {
        let mut texts = Vec::new();
        while let Ok(inbound) = place.inbox.said.try_recv() {
            if let Inbound::Event(Event::Observed(_, Observed::Transcript(mut happened, mark))) = inbound {
                let entries = journal.append_read(crate::model::Timestamp(1), &mut happened, Some(&mark));
                texts.extend(entries.unwrap().into_iter().filter_map(|entry| match entry.what {
                    crate::model::Happened::Text { text, .. } => Some(text),
                    _ => None,
                }));
            }
        }
        texts
    };
    fs::write(&path, [line("one"), line("two"), line("three")].concat()).unwrap();
    place.listen(&chat, &path);
    assert_eq!(told(&mut place), ["one", "two", "three"]);

    fs::write(&path, [line("two"), line("four")].concat()).unwrap();
    place.reader.read(&path);
    assert_eq!(told(&mut place), ["four"]);

    // Found while there is nothing in it yet.
    fs::write(&path, "").unwrap();
    place.reader.read(&path);
    fs::write(&path, [line("four"), line("five")].concat()).unwrap();
    place.reader.read(&path);
    assert_eq!(told(&mut place), ["five"]);

    // A longer one lies in its place.
    let longer = ["six", "five", "seven", "eight", "nine"].map(line).concat();
    let beside = path.with_extension("new");
    fs::write(&beside, longer).unwrap();
    fs::rename(&beside, &path).unwrap();
    place.reader.read(&path);
    assert_eq!(told(&mut place), ["six", "seven", "eight", "nine"]);

    // The same again, and a line more, loses and repeats nothing.
    let same = ["six", "five", "seven", "eight", "nine", "ten"].map(line).concat();
    fs::write(&beside, same).unwrap();
    fs::rename(&beside, &path).unwrap();
    place.reader.read(&path);
    assert_eq!(told(&mut place), ["ten"]);
}

/// Our own transcript is read for marks once, where the session is first listened to. What comes later is read from its
/// beginning, and only some of it before the hook that waits is told.
#[test]
fn the_transcripts_of_many_new_sub_agents_are_begun_some_at_a_time_until_all_are_followed() {
    let mut place = place();
    let chat = ChatId::from_bits(1);
    fs::create_dir_all(place.reader.services.home.record_path(&chat)).unwrap();
    let (transcript, sub_agent) = place.session();
    place.listen(&chat, &transcript);
    let new: Vec<PathBuf> = (0..40)
        .map(|at| sub_agent.with_file_name(format!("agent-n{at}.jsonl")))
        .collect();
    new.iter().for_each(|path| fs::write(path, "{}\n").unwrap());
    place.reader.read_transcripts(&chat);
    let followed = |place: &ReaderStage| new.iter().filter(|path| place.live(path) == Some(true)).count();
    assert_eq!(followed(&place), 16);
    for _ in 0..2 {
        let touched = std::iter::from_fn(|| place.inbox.said.try_recv().ok())
            .any(|inbound| matches!(inbound, Inbound::Touched(path) if path == transcript));
        assert!(touched, "the rest is looked for behind what waits");
        place.reader.touched(&transcript);
    }
    assert_eq!(followed(&place), 40);
}
