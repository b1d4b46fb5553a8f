//! Any bytes as a chat's transcript: what is whole is read, reading changes nothing, and what is written on is read back.

use std::fs;
use std::path::PathBuf;

use parlour::model::{ChatId, Happened, Timestamp};
use parlour::store::{ChatCreation, Home, Journal, Line, Surroundings};

const NOW: Timestamp = Timestamp(1_771_146_000_000);

struct Place {
    _folder: tempfile::TempDir,
    home: Home,
    chat: ChatId,
    file: PathBuf,
}

thread_local! {
    /// Made once: a home is many files.
    static PLACE: Place = place();
}

fn place() -> Place {
    let folder = tempfile::tempdir().expect("a folder");
    let home = Home::open(&folder.path().join("home")).expect("a home");
    let chat = home
        .create(ChatCreation {
            id: ChatId::from_bits(1),
            name: "Talk".into(),
            handle: None,
            llm: "demo".into(),
            role: None,
            parent: None,
            schedule: None,
            disabled_servers: Vec::new(),
            to_open: 0,
            templates: Vec::new(),
            created: NOW,
            around: Surroundings::default(),
            skills: Vec::new(),
        })
        .expect("a chat");
    let chat = chat.record.id;
    let file = home.record_path(&chat).join("events.jsonl");
    Place {
        _folder: folder,
        home,
        chat,
        file,
    }
}

pub fn run(bytes: &[u8]) {
    PLACE.with(|place| place.try_out(bytes));
}

impl Place {
    fn lines(&self) -> Vec<Line> {
        let lines = self.home.lines(&self.chat).expect("it opens");
        lines.collect::<Result<_, _>>().expect("it is read to its end")
    }

    fn try_out(&self, bytes: &[u8]) {
        // A name that holds where this chat is, for corpora.
        let bytes = replaced(bytes, b"CHAT", self.chat.as_str().as_bytes());
        fs::write(&self.file, &bytes).expect("it is written");
        let before = self.lines();
        let numbers = |lines: &[Line]| -> Vec<u64> {
            let entries = lines.iter().filter_map(|line| match line {
                Line::Entry(entry) => Some(entry.seq),
                Line::Gap { .. } => None,
            });
            entries.collect()
        };
        for most in [1, 3, 1000] {
            let tail = self.home.tail(&self.chat, most).expect("its end is read");
            assert!(tail.len() <= most);
        }
        self.home.load(&self.chat).expect("the chat loads");
        assert!(
            fs::read(&self.file).expect("it is there") == bytes,
            "reading changed it"
        );

        let mut journal = Journal::open(&self.home, &self.chat).expect("it opens");
        let said = Happened::Note { text: "on".into() };
        let written = journal.append(NOW, vec![said.clone()]).expect("it is written on");
        let last = written.last().expect("an entry");
        assert_eq!(last.what, said);
        let now = fs::read(&self.file).expect("it is there");
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        assert!(now.starts_with(&bytes[..whole]), "a whole line was lost");
        assert_eq!(now.last(), Some(&b'\n'));
        let after = self.lines();
        assert!(matches!(after.last(), Some(Line::Entry(entry)) if entry == last));
        let tail = self.home.tail(&self.chat, 1).expect("its end is read");
        assert!(matches!(&tail[..], [Line::Entry(entry)] if entry == last));
        // Numbers that the end of the file shows are not given again.
        let known = numbers(&before);
        assert!(
            known.last().is_none_or(|known| last.seq > *known),
            "{known:?}, then {}",
            last.seq
        );
        drop(journal);
        for entry in fs::read_dir(self.home.record_path(&self.chat))
            .expect("it is there")
            .flatten()
        {
            if entry.file_name().to_string_lossy().starts_with("events.torn-") {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// With each of these in the place of those.
pub(crate) fn replaced(bytes: &[u8], what: &[u8], by: &[u8]) -> Vec<u8> {
    let mut made = Vec::new();
    let mut rest = bytes;
    while let Some(at) = rest.windows(what.len()).position(|piece| piece == what) {
        made.extend_from_slice(&rest[..at]);
        made.extend_from_slice(by);
        rest = &rest[at + what.len()..];
    }
    made.extend_from_slice(rest);
    made
}
