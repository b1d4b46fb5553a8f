//! Writing a transcript. Each chat's has one writer, and what it acknowledges is in the file, whole lines only.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::line::{self, EVENTS, LONGEST, LineHead};
use super::outputs::{Outputs, beginning};
use super::tail_reader::TailReader;
use super::{Error, Home};
use crate::fs::Dir;
use crate::fs::writing::Writing;
use crate::model::entry::Safety;
use crate::model::{ChatId, Entry, Happened, Mark, Reported, Timestamp};

/// How many lines at the end are asked for their number: one of them may carry a damaged one.
const ASKED: usize = 32;

/// More files than this are synced together with all else on their file system: one by one takes milliseconds each.
const ONE_BY_ONE: usize = 32;

/// The one writer of a chat's `events.jsonl`.
///
/// Opening it touches nothing. The file is looked at before the first append, and again after any failure or when
/// somebody has replaced it: then an unfinished last line is moved aside and an entry says so.
pub struct Journal {
    chat: ChatId,
    record: Dir,
    outputs: Outputs,
    end: JournalEnd,
}

/// What the writer knows of the end of the file.
enum JournalEnd {
    /// Nothing yet.
    Unseen,
    Known(KnownEntries),
    /// A write or sync failed: what lies behind `length` was never acknowledged.
    Doubtful {
        length: u64,
        seq: u64,
    },
}

struct KnownEntries {
    file: File,
    inode: u64,
    length: u64,
    /// The number of the last entry.
    seq: u64,
    unsynced: bool,
}

impl Journal {
    pub fn open(home: &Home, chat: &ChatId) -> Result<Journal, Error> {
        home.writable()?;
        Ok(Journal {
            chat: chat.clone(),
            record: home.record_dir(chat)?,
            outputs: Outputs::new(home.record_dir(chat)?),
            end: JournalEnd::Unseen,
        })
    }

    /// Whether it still writes into the chat's record: another may have been put in its place.
    pub fn is_in(&self, home: &Home) -> bool {
        home.record_dir(&self.chat)
            .is_ok_and(|there| there.is_same(&self.record))
    }

    /// Appends what happened, numbered and dated, in one write, synced where a decision is among it. The entries are
    /// acknowledged by being returned; after an error none of them is in the file. Entries of the writer's own (damage
    /// found) come first, and a long output of a tool is laid beside them.
    pub fn append(&mut self, now: Timestamp, what: Vec<Happened>) -> Result<Vec<Entry>, Error> {
        let mut told = what.into_iter().map(Reported::from).collect();
        self.append_read(now, &mut told, None)
    }

    /// Appends what was read of a CLI's own transcript, with how far that was. What is undated happens now. After an
    /// error all of it is still in `what`, to be appended again.
    pub fn append_read(
        &mut self,
        now: Timestamp,
        what: &mut Vec<Reported>,
        read: Option<&Mark>,
    ) -> Result<Vec<Entry>, Error> {
        let (mut known, said) = self.take_known(now)?;
        // Until the write has succeeded the end is in doubt, wherever this returns early; what was acknowledged before and
        // is not synced yet stays to be synced.
        self.end = JournalEnd::Doubtful {
            length: known.length,
            seq: known.seq,
        };
        what.splice(..0, said.into_iter().map(Reported::from));
        let mut bytes = Vec::new();
        let count = what.len();
        let mut decided = false;
        for (at, Reported { at: told, what }) in what.iter_mut().enumerate() {
            self.outputs.shorten(what)?;
            decided |= what.safety() == Safety::Decision;
            let place = LineHead {
                chat: &self.chat,
                seq: known.seq + 1 + at as u64,
                ts: told.unwrap_or(now),
                read: read.filter(|_| at + 1 == count),
            };
            self.write_line(&mut bytes, place, what)?;
        }
        if decided {
            // An entry that lasts names no output that does not.
            self.outputs.sync()?;
        }
        let _writing = Writing::begin(self.record.path().join(EVENTS));
        known.file.write_all(&bytes).map_err(|e| self.failed("writing", e))?;
        if decided {
            known.file.sync_data().map_err(|e| self.failed("syncing", e))?;
        }
        let entries = what
            .drain(..)
            .enumerate()
            .map(|(at, Reported { at: told, what })| Entry {
                v: line::VERSION,
                seq: known.seq + 1 + at as u64,
                ts: told.unwrap_or(now),
                read: read.filter(|_| at + 1 == count).cloned(),
                what,
            });
        let entries = entries.collect();
        known.unsynced = !decided;
        known.length += bytes.len() as u64;
        known.seq += count as u64;
        self.end = JournalEnd::Known(known);
        Ok(entries)
    }

    /// Makes streamed entries last through a power cut; called within 250 ms of an append.
    pub fn sync(&mut self) -> Result<(), Error> {
        self.outputs.sync()?;
        let known = match &mut self.end {
            JournalEnd::Unseen => return Ok(()),
            JournalEnd::Doubtful { length, seq } => {
                let (length, seq) = (*length, *seq);
                self.end = JournalEnd::Known(self.go_back(length, seq)?);
                return Ok(());
            }
            JournalEnd::Known(known) if !known.unsynced => return Ok(()),
            JournalEnd::Known(known) => known,
        };
        let _writing = Writing::begin(self.record.path().join(EVENTS));
        match known.file.sync_data() {
            Ok(()) => {
                known.unsynced = false;
                Ok(())
            }
            Err(e) => {
                self.end = JournalEnd::Doubtful {
                    length: known.length,
                    seq: known.seq,
                };
                Err(self.failed("syncing", e))
            }
        }
    }

    /// Syncs several, and says whose could not be.
    pub fn sync_all(home: &Home, journals: Vec<&mut Journal>) -> Vec<(ChatId, Error)> {
        let files: usize = journals.iter().map(|journal| 1 + journal.outputs.unsynced()).sum();
        let together = files > ONE_BY_ONE && home.dir().sync_file_system().is_ok();
        let failed = journals.into_iter().filter_map(|journal| match together {
            true => {
                journal.mark_synced();
                None
            }
            false => journal.sync().err().map(|error| (journal.chat.clone(), error)),
        });
        failed.collect()
    }

    fn mark_synced(&mut self) {
        self.outputs.mark_synced();
        if let JournalEnd::Known(known) = &mut self.end {
            known.unsynced = false;
        }
    }

    /// The end of the file, checked, and what there is to say of it.
    fn take_known(&mut self, now: Timestamp) -> Result<(KnownEntries, Vec<Happened>), Error> {
        match std::mem::replace(&mut self.end, JournalEnd::Unseen) {
            JournalEnd::Unseen => self.look(now),
            JournalEnd::Known(known) => {
                let there = match self.record.metadata(EVENTS) {
                    Ok(there) => there,
                    Err(error) => {
                        self.end = JournalEnd::Known(known);
                        return Err(error.into());
                    }
                };
                let ours = there.is_some_and(|f| f.inode == known.inode && f.len == known.length);
                match ours {
                    true => Ok((known, Vec::new())),
                    // An editor put another file in its place, or changed it.
                    false => self.look(now),
                }
            }
            JournalEnd::Doubtful { length, seq } => {
                let known = self.go_back(length, seq);
                if known.is_err() {
                    self.end = JournalEnd::Doubtful { length, seq };
                }
                Ok((known?, Vec::new()))
            }
        }
    }

    /// Opens the file, moves an unfinished last line aside, and counts on from the last whole one.
    fn look(&self, now: Timestamp) -> Result<(KnownEntries, Vec<Happened>), Error> {
        let fresh = self.record.metadata(EVENTS)?.is_none();
        let file = self.record.append(EVENTS)?;
        if fresh {
            self.record.sync()?;
        }
        let reading = |e| self.failed("reading", e);
        let length = file.metadata().map_err(reading)?.len();
        let mut tail_reader = TailReader::new(&file).map_err(reading)?;
        let finished = tail_reader.finished;
        let seq = self.last_number(&mut tail_reader)?;
        let mut said = Vec::new();
        if finished < length {
            said.push(self.move_aside(&file, finished, length, now)?);
        }
        let inode = self.record.metadata(EVENTS)?.map_or(0, |found| found.inode);
        let known = KnownEntries {
            file,
            inode,
            length: finished,
            seq,
            unsynced: false,
        };
        Ok((known, said))
    }

    /// The number of the last entry, among the last lines that can be read.
    fn last_number(&self, lines: &mut TailReader<'_>) -> Result<u64, Error> {
        let (mut seq, mut asked) = (0, 0);
        for stretch in lines {
            let stretch = stretch.map_err(|e| self.failed("reading", e))?;
            let entry = stretch.line.and_then(|line| line::parse(&self.chat, &line));
            if let Some(entry) = entry {
                seq = seq.max(entry.seq);
                asked += 1;
            }
            if asked == ASKED {
                break;
            }
        }
        Ok(seq)
    }

    /// The copy is safe before the original is cut.
    fn move_aside(&self, file: &File, from: u64, to: u64, now: Timestamp) -> Result<Happened, Error> {
        let name = format!("events.torn-{}", now.0);
        let mut torn = self.record.append(&name)?;
        let mut reader = file.try_clone().map_err(|e| self.failed("reading", e))?;
        reader
            .seek(SeekFrom::Start(from))
            .and_then(|_| io::copy(&mut reader.take(to - from), &mut torn))
            .and_then(|_| torn.sync_all())
            .map_err(|e| self.failed("moving aside the unfinished end of", e))?;
        self.record.sync()?;
        file.set_len(from)
            .and_then(|()| file.sync_all())
            .map_err(|e| self.failed("moving aside the unfinished end of", e))?;
        Ok(Happened::Error {
            place: EVENTS.into(),
            message: format!("the last line was unfinished: {} bytes were moved aside", to - from),
            hint: format!("they are kept in {name}"),
            trouble: None,
        })
    }

    /// After a failure: a new handle, since a failed sync may be forgotten by the old one; what was never acknowledged
    /// is cut off; and what was must still be there and reach the disk before anything follows it.
    fn go_back(&self, length: u64, seq: u64) -> Result<KnownEntries, Error> {
        let unsafe_end = || Error::Unsafe { path: self.path() };
        let file = self.record.append(EVENTS)?;
        let there = file.metadata().map_err(|e| self.failed("reading", e))?.len();
        if there > length {
            file.set_len(length).map_err(|e| self.failed("writing", e))?;
        }
        let mut tail_reader = TailReader::new(&file).map_err(|e| self.failed("reading", e))?;
        let intact = there >= length && self.last_number(&mut tail_reader)? == seq;
        if !intact {
            return Err(unsafe_end());
        }
        file.sync_all().map_err(|_| unsafe_end())?;
        let inode = self.record.metadata(EVENTS)?.map_or(0, |found| found.inode);
        Ok(KnownEntries {
            file,
            inode,
            length,
            seq,
            unsynced: false,
        })
    }

    /// Writes the line of an entry. One that would be too long is laid beside the transcript whole, and its long texts
    /// are cut to their beginnings, which say where that is.
    fn write_line(&self, lines: &mut Vec<u8>, place: LineHead, what: &mut Happened) -> Result<(), Error> {
        let begins = lines.len();
        line::write(lines, &place, what);
        if lines.len() - begins <= LONGEST {
            return Ok(());
        }
        let whole = Path::new("outputs").join(format!("entry-{}.json", place.seq));
        self.record.create_dir("outputs")?;
        self.record.write_atomic(&whole, &lines[begins..])?;
        let mut short = serde_json::to_value(&*what).unwrap_or_default();
        shorten(&mut short, &format!("… (cut; all of it is in {})", whole.display()));
        *what = serde_json::from_value(short).unwrap_or_else(|_| left_out(&whole));
        lines.truncate(begins);
        line::write(lines, &place, what);
        if lines.len() - begins > LONGEST {
            *what = left_out(&whole);
            lines.truncate(begins);
            line::write(lines, &place, what);
        }
        Ok(())
    }

    fn path(&self) -> PathBuf {
        self.record.path().join(EVENTS)
    }

    fn failed(&self, doing: &'static str, source: io::Error) -> Error {
        Error::Io {
            doing,
            path: self.path(),
            source,
        }
    }
}

fn left_out(whole: &Path) -> Happened {
    let fields = json!({ "was": "too long", "whole": whole.display().to_string() });
    match fields {
        Value::Object(fields) => Happened::Unknown { fields },
        _ => unreachable!("json! of braces is an object"),
    }
}

fn shorten(value: &mut Value, mark: &str) {
    match value {
        Value::String(text) => {
            let kept = beginning(text).len();
            if kept < text.len() {
                text.truncate(kept);
                text.push_str(mark);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| shorten(value, mark)),
        Value::Object(fields) => fields.values_mut().for_each(|value| shorten(value, mark)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
