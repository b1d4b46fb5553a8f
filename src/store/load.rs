//! Loading chats whole: the record, and what the transcript's end and the directory say.

use std::fs::File;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::Ordering;
use std::time::{SystemTime, UNIX_EPOCH};

use memchr::memmem::Finder;
use serde_json::Value;

use super::home::if_there;
use super::line::EVENTS;
use super::tail_reader::TailReader;
use super::{Error, Home, atoms, declared, inbox_file, line, projects, todos};
use crate::fs::Dir;
use crate::model::chat::ENGINE_STOPPED;
use crate::model::text::one_plain_line;
use crate::model::todo::Todos;
use crate::model::{Chat, ChatId, DirectoryPlace, Entry, Handle, Happened, Record, Role, Status, Timestamp};

/// Beside it, where the chat has a role.
pub(super) const ROLE: &str = "role.json";
/// Prompts that wait are in it, two megabytes of them at most, each byte of which JSON may write as six.
pub(super) const LARGEST: u64 = 16 << 20;
/// How far back the transcript's end is searched for the last words: a refresh must not read a file of gigabytes.
const FAR: u64 = 4 << 20;
/// How many entries from the end are read for them, where there are none.
const MANY: usize = 64;
const PREVIEW: usize = 120;

/// Both folders of all chats, held open while these are listed: each open of one of them by its path wakes the thread that
/// watches the home.
struct Folders {
    records: Dir,
    chats: Dir,
}

impl Folders {
    fn of(home: &Dir) -> Result<Folders, crate::fs::Error> {
        Ok(Folders {
            records: home.dir("records")?,
            chats: home.dir("chats")?,
        })
    }
}

/// A chat whose record cannot be read. It is shown as such and keeps no other from being listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damaged {
    pub id: ChatId,
    pub why: String,
}

impl Home {
    /// Every chat, by id.
    pub fn list(&self) -> Result<Vec<Result<Chat, Damaged>>, Error> {
        let ids = self.ids()?;
        // Where one of them cannot be opened, each chat says why.
        let folders = Folders::of(&self.dir).ok();
        let folders = folders.as_ref();
        // Almost all of the time goes into system calls, so a second thread halves it.
        let half = ids.len() / 2;
        let load = |ids: &[ChatId]| ids.iter().map(|id| self.load_or_say(id, folders)).collect::<Vec<_>>();
        let (mut first, second) = std::thread::scope(|scope| {
            let other = scope.spawn(|| load(&ids[half..]));
            (load(&ids[..half]), other.join())
        });
        match second {
            Ok(second) => first.extend(second),
            Err(panic) => std::panic::resume_unwind(panic),
        }
        // A chat deleted since the ids were read is not damage.
        Ok(first.into_iter().flatten().collect())
    }

    /// One chat as it is shown: whole, or what stands in for it where its record cannot be read. `None` where it is gone.
    pub fn shown(&self, id: &ChatId) -> Option<Chat> {
        let loaded = self.load_or_say(id, None)?;
        Some(loaded.unwrap_or_else(|damaged| self.stand_in(damaged)))
    }

    /// What is still known of a chat without its record: what was said last, and what lies in its directory.
    pub fn stand_in(&self, damaged: Damaged) -> Chat {
        let Damaged { id, why } = damaged;
        let written = self
            .dir
            .metadata(Path::new("records").join(id.as_str()).join("chat.json"));
        let written = written.ok().flatten().map(|found| found.modified);
        let handle = Handle::parse(id.as_str()).expect("a chat id is made of characters that a handle may have");
        let created = written.map_or(Timestamp::default(), moment);
        let record = Record::new(id.clone(), (id.as_str(), handle), "unknown", created);
        let dir = self.record_dir(&record.id);
        Chat {
            unreadable: Some(why),
            ..self.with_record(dir.ok().as_ref(), record)
        }
    }

    fn load_or_say(&self, id: &ChatId, folders: Option<&Folders>) -> Option<Result<Chat, Damaged>> {
        match self.load_from(id, folders) {
            Ok(chat) => Some(Ok(chat)),
            Err(Error::NoChat(_)) => None,
            Err(e) => Some(Err(Damaged {
                id: id.clone(),
                why: e.to_string(),
            })),
        }
    }

    /// One chat, whole.
    pub fn load(&self, id: &ChatId) -> Result<Chat, Error> {
        self.load_from(id, None)
    }

    fn load_from(&self, id: &ChatId, folders: Option<&Folders>) -> Result<Chat, Error> {
        // First: a change meanwhile may or may not be in what is read.
        let changes = self.changes.load(Ordering::Acquire);
        let dir = match folders.map(|folders| if_there(folders.records.dir(id.as_str()))) {
            Some(dir) => dir?.ok_or_else(|| Error::NoChat(id.clone()))?,
            None => self.record_dir(id)?,
        };
        let record = read_record(&dir, id)?;
        let mut chat = of_record(Some(&dir), record);
        self.add_directory_part(&mut chat, folders);
        Ok(Chat { changes, ..chat })
    }

    /// The record with all that is derived.
    pub(super) fn with_record(&self, dir: Option<&Dir>, record: Record) -> Chat {
        let mut chat = of_record(dir, record);
        self.add_directory_part(&mut chat, None);
        chat
    }

    /// What the agent's directory says. Nothing in it can make a chat unreadable.
    fn add_directory_part(&self, chat: &mut Chat, folders: Option<&Folders>) {
        let dir = match folders {
            Some(folders) => folders.chats.dir(chat.id().as_str()),
            None => self.dir.dir(format!("chats/{}", chat.id())),
        };
        let dir = match if_there(dir) {
            Ok(Some(dir)) => dir,
            Ok(None) => return,
            Err(e) => {
                chat.damage.get_or_insert(e.to_string());
                return;
            }
        };
        chat.place = DirectoryPlace::Here;
        chat.inbox = inbox_file::stamp(&dir);
        chat.todos = todos::read(&dir);
        match projects::of(&dir, &chat.record.dirs) {
            Ok(projects) => chat.projects = projects,
            Err(e) => drop(chat.damage.get_or_insert(e.to_string())),
        }
        match atoms::read(&dir) {
            Ok(work) => chat.work = work,
            Err(e) => drop(chat.damage.get_or_insert(e.to_string())),
        }
        match declared::read(&dir) {
            Ok(declared) => chat.declared = declared,
            Err(why) => drop(chat.damage.get_or_insert(why)),
        }
    }

    /// The ids of all records. Whatever else lies among them is not a chat.
    pub fn ids(&self) -> Result<Vec<ChatId>, Error> {
        let entries = if_there(self.dir.entries("records"))?.unwrap_or_default();
        let names = entries.iter().filter_map(|entry| entry.name.to_str());
        Ok(names.filter_map(ChatId::parse).collect())
    }
}

/// What is known of a chat without its directory: its record, and what lies beside that.
fn of_record(dir: Option<&Dir>, record: Record) -> Chat {
    let mut damage = None;
    let events = dir.map_or(Ok(None), |dir| dir.open_file(EVENTS));
    let tail = match events.map(|file| file.map(|file| tail(&record, &file))) {
        Ok(None) => TranscriptTail::default(),
        Ok(Some(Ok(tail))) => tail,
        Ok(Some(Err(e))) => {
            damage = Some(format!("reading {EVENTS}: {e}"));
            TranscriptTail::default()
        }
        Err(e) => {
            damage = Some(e.to_string());
            TranscriptTail::default()
        }
    };
    if tail.damaged {
        damage = Some(format!("{EVENTS} has lines that cannot be read"));
    }
    let mut chat = Chat {
        role: None,
        place: DirectoryPlace::Gone,
        projects: Vec::new(),
        changes: 0,
        declared: None,
        work: None,
        preview: tail.preview,
        updated: tail.updated.unwrap_or(record.created),
        seq: tail.seq,
        ended: tail.ended,
        interrupted: record.llm != "shell" && tail.in_turn.unwrap_or(false),
        failed: tail.failed,
        damage,
        inbox: 0,
        todos: Todos::default(),
        unreadable: None,
        record,
    };
    if let (Some(dir), Some(_)) = (dir, &chat.record.role) {
        match read_role(dir) {
            Ok(role) => chat.role = role,
            Err(why) => drop(chat.damage.get_or_insert(why)),
        }
    }
    chat
}

fn moment(time: SystemTime) -> Timestamp {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or_default())
}

pub(super) fn read_record(dir: &Dir, id: &ChatId) -> Result<Record, Error> {
    let damaged = |why: String| Error::Damaged {
        path: dir.path().join("chat.json"),
        why,
    };
    let bytes = dir.read("chat.json", LARGEST)?;
    let bytes = bytes.ok_or_else(|| damaged("it is missing".into()))?;
    let value: Value = serde_json::from_slice(&bytes).map_err(|e| damaged(e.to_string()))?;
    let record: Record = serde_json::from_value(value).map_err(|e| damaged(e.to_string()))?;
    match record.id == *id {
        true => Ok(record),
        false => Err(damaged(format!("it says that it belongs to {}", record.id))),
    }
}

/// What the role of a chat said when the chat was made.
fn read_role(dir: &Dir) -> Result<Option<Role>, String> {
    let said = |why: &dyn std::fmt::Display| format!("reading {ROLE}: {why}");
    let bytes = dir.read(ROLE, LARGEST).map_err(|e| said(&e))?;
    let parse = |bytes: Vec<u8>| serde_json::from_slice(&bytes).map_err(|e| said(&e));
    bytes.map(parse).transpose()
}

/// What the end of a transcript says.
#[derive(Default)]
struct TranscriptTail {
    seq: u64,
    updated: Option<Timestamp>,
    preview: String,
    ended: Option<Status>,
    /// Whether the agent was in a turn when it was heard of last.
    in_turn: Option<bool>,
    /// What had failed in its last turn, as it said then.
    failed: Option<String>,
    /// What was read last led to a turn that was taken back.
    leads_to_hidden: bool,
    damaged: bool,
}

impl TranscriptTail {
    fn lacks_only_a_status(&self) -> bool {
        !self.preview.is_empty() && self.updated.is_some()
    }
}

/// Most lines are words and calls, and to parse a thousand transcripts' takes longer than to read them. What is looked for
/// is prepared once: that takes as long as to look through a line.
fn may_be_a_status(line: &[u8]) -> bool {
    static WORD: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(br#""status""#));
    !line.starts_with(b"{") || WORD.find(line).is_some()
}

fn tail(record: &Record, file: &File) -> std::io::Result<TranscriptTail> {
    let mut tail = TranscriptTail::default();
    let mut read = 0;
    let lines = TailReader::new(file)?;
    let length = lines.finished;
    for stretch in lines {
        let stretch = stretch?;
        let far = length.saturating_sub(stretch.start) > FAR;
        let line = stretch.line.unwrap_or_default();
        let is_of_use = !tail.lacks_only_a_status() || may_be_a_status(&line);
        match is_of_use.then(|| line::parse(&record.id, &line)) {
            None => read += 1,
            Some(Some(entry)) => {
                tail.seq = tail.seq.max(entry.seq);
                let acted = entry.what.is_activity().then_some(entry.ts);
                tail.updated = tail.updated.max(acted);
                let hidden = record.origin.went_back.hides(entry.seq);
                read += usize::from(!hidden);
                note(&mut tail, entry, hidden);
            }
            Some(None) => tail.damaged = true,
        }
        let enough = tail.in_turn.is_some() && !tail.preview.is_empty();
        if enough || read >= MANY || far {
            break;
        }
    }
    Ok(tail)
}

fn note(tail: &mut TranscriptTail, entry: Entry, hidden: bool) {
    // What was noted or went wrong last is shown again as well: nothing has been said since.
    if let Happened::Text { text, .. }
    | Happened::Prompt { text, .. }
    | Happened::Note { text }
    | Happened::Error { message: text, .. } = &entry.what
        && tail.preview.is_empty()
        && !hidden
    {
        tail.preview = one_plain_line(text, PREVIEW);
    }
    let Happened::Status { status, detail, .. } = entry.what else {
        tail.leads_to_hidden = hidden;
        return;
    };
    // How a turn ended that was taken back is said no more, nor that its agent was at work before its prompt was told.
    let in_turn = Status::is_in_turn(&status, &detail);
    let is_of_hidden = hidden || tail.leads_to_hidden && in_turn == Some(true);
    tail.leads_to_hidden = is_of_hidden;
    if tail.in_turn.is_none() && !is_of_hidden {
        tail.in_turn = in_turn;
        tail.failed = Status::what_failed(&status, &detail);
    }
    if tail.ended.is_none() {
        tail.ended = Some(match status.as_str() {
            "exited" => Status::Exited(detail),
            "hibernated" => Status::Hibernated,
            _ => Status::Exited(ENGINE_STOPPED.into()),
        });
    }
}
