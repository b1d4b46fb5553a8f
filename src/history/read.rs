//! What transcripts hold beyond what is in the index, as rows of it.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use super::database::number;
use super::entries::{IndexedCalls, IndexedLine, SaidText, next_line, take};
use crate::model::ChatId;
use crate::model::history::{SEARCHED, words};
use crate::model::text::without_sequences;
use crate::store::{EVENTS, Home};

/// Rows that are written at once, by the bytes of their words.
const BATCH: usize = 24 << 20;
/// A stretch of a long output that is a row.
pub(super) const PIECE: usize = 64 << 10;
/// Of what is in the index already, so much is looked at to know it again.
const TAIL: u64 = 512;

/// How far a chat's transcript is in the index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct IndexReach {
    pub inode: u64,
    pub upto: u64,
    /// Of the bytes before there.
    pub tail: Vec<u8>,
    pub open: IndexedCalls,
}

/// A transcript that has grown, or is another one.
pub(super) struct Behind {
    pub chat: ChatId,
    /// How long it is, in bytes, and when it was written to.
    pub length: u64,
    pub changed: Option<SystemTime>,
    pub from: IndexReach,
    /// What was known of it belongs to another file.
    pub restarts: bool,
}

/// A row of the index.
pub(super) struct IndexRow {
    /// By when it happened. Rows of the same moment have the same.
    pub number: i64,
    /// Which of the batch's chats it is of.
    pub chat: usize,
    pub seq: u64,
    /// Where its line begins.
    pub at: u64,
    pub tool: Option<String>,
    pub project: Option<String>,
    pub failed: bool,
    /// The call's own entry, of what came of it.
    pub call: Option<u64>,
    /// The first byte of a stretch of a whole output.
    pub piece: Option<u64>,
    /// That stretch is the last that is looked at, and the output goes on.
    pub is_cut: bool,
    /// Where they stand in the words of the batch.
    pub words: Range<usize>,
}

/// Rows with what is then reached.
#[derive(Default)]
pub(super) struct IndexBatch {
    pub rows: Vec<IndexRow>,
    /// Of all rows, in small letters, with blanks between.
    pub words: String,
    pub chats: Vec<ChatStep>,
    /// Bytes of transcripts that it goes over.
    pub read: u64,
}

impl IndexBatch {
    /// Its memory stays, for the next.
    fn clear(&mut self) {
        self.rows.clear();
        self.words.clear();
        self.chats.clear();
        self.read = 0;
    }

    /// Leaves out what has come of a transcript that can't be read on.
    fn drop_unfinished(&mut self) {
        let next = self.chats.len();
        self.rows.retain(|row| row.chat < next);
    }

    fn is_full(&self) -> bool {
        self.words.len() + self.rows.len() * size_of::<IndexRow>() >= BATCH
    }
}

pub(super) struct ChatStep {
    pub chat: ChatId,
    pub from: u64,
    pub restarts: bool,
    pub reached: IndexReach,
}

/// Who takes batches, and says whether more are wanted.
pub(super) type Hand<'h> = &'h mut dyn FnMut(&mut IndexBatch) -> bool;

/// The transcript's file, if it says more than the index knows.
pub(super) fn behind(home: &Home, chat: &ChatId, known: Option<&IndexReach>) -> Option<Behind> {
    let file = home.record_dir(chat).ok()?.open_file(EVENTS).ok()??;
    let found = file.metadata().ok()?;
    let goes_on = known.filter(|known| {
        let grown = known.inode == found.ino() && known.upto <= found.len();
        grown && tail(&file, known.upto).is_ok_and(|tail| tail == known.tail)
    });
    match goes_on {
        Some(known) if known.upto == found.len() => None,
        Some(known) => Some(Behind {
            chat: chat.clone(),
            length: found.len(),
            changed: found.modified().ok(),
            from: known.clone(),
            restarts: false,
        }),
        None => Some(Behind {
            chat: chat.clone(),
            length: found.len(),
            changed: found.modified().ok(),
            from: IndexReach {
                inode: found.ino(),
                ..IndexReach::default()
            },
            restarts: known.is_some(),
        }),
    }
}

/// By which a file is known again in which somebody has written over what was there.
fn tail(file: &File, upto: u64) -> io::Result<Vec<u8>> {
    let from = upto.saturating_sub(TAIL);
    let mut bytes = vec![0; usize::try_from(upto - from).unwrap_or_default()];
    file.read_exact_at(&mut bytes, from)?;
    Ok(Sha256::digest(&bytes)[..8].to_vec())
}

/// Hands on what these have more, in batches. Ends early when nobody wants more.
pub(super) fn read(home: &Home, all: Vec<Behind>, hand: Hand) {
    let mut batch = IndexBatch::default();
    for behind in all {
        let chat = behind.chat.clone();
        match transcript(home, behind, &mut batch, hand) {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                tracing::warn!("{chat}: its transcript can't be read to be searched: {error}");
                batch.drop_unfinished();
            }
        }
    }
    if !batch.chats.is_empty() {
        hand(&mut batch);
    }
}

fn transcript(home: &Home, behind: Behind, batch: &mut IndexBatch, hand: Hand) -> io::Result<bool> {
    let Behind {
        chat,
        from: mut reached,
        mut restarts,
        ..
    } = behind;
    // Opened one by one: there may be more of them than files may be open at once.
    let opened = home.record_dir(&chat).map_err(io::Error::other)?.open_file(EVENTS);
    let Some(file) = opened.map_err(io::Error::other)? else {
        return Ok(true);
    };
    if file.metadata()?.ino() != reached.inode {
        return Ok(true);
    }
    let mut from = reached.upto;
    let mut at = from;
    let mut lines = BufReader::with_capacity(256 << 10, &file);
    lines.seek(SeekFrom::Start(at))?;
    let mut line = Vec::new();
    loop {
        let next = next_line(&mut lines, &mut line)?;
        let is_over = next.is_none();
        if is_over || batch.is_full() {
            if at > from || restarts {
                reached.upto = at;
                reached.tail = tail(&file, at)?;
                batch.read += at - from;
                batch.chats.push(ChatStep {
                    chat: chat.clone(),
                    from,
                    restarts,
                    reached: reached.clone(),
                });
                (from, restarts) = (at, false);
            }
            if batch.is_full() {
                let goes_on = hand(batch);
                batch.clear();
                if !goes_on {
                    return Ok(false);
                }
            }
        }
        let Some(bytes) = next else {
            return Ok(true);
        };
        if let Some(indexed) = IndexedLine::parse(&line) {
            add(home, &chat, (&indexed, at), &mut reached.open, batch);
        }
        at += bytes;
    }
}

fn add(home: &Home, chat: &ChatId, (line, at): (&IndexedLine, u64), open: &mut IndexedCalls, batch: &mut IndexBatch) {
    let (Some(when), Some(said)) = (line.at(), line.said()) else {
        return;
    };
    let call = take(open, &said);
    let IndexBatch { rows, words, chats, .. } = batch;
    let mut row = |text: &str, piece: Option<OutputPiece>| {
        let from = words.len();
        fold(text, words);
        // A call is found by its tool, though it has no words.
        if words.len() == from && call.is_none() {
            return;
        }
        rows.push(IndexRow {
            number: number(when),
            chat: chats.len(),
            seq: line.seq,
            at,
            tool: call.as_ref().map(|call| call.tool.clone()),
            project: call.as_ref().and_then(|call| call.project.clone()),
            failed: said.failed,
            call: call.as_ref().map(|call| call.seq).filter(|seq| *seq != line.seq),
            piece: piece.map(|piece| piece.from),
            is_cut: piece.is_some_and(|piece| piece.is_cut),
            words: from..words.len(),
        });
    };
    match said.output.as_deref().and_then(|file| open_output(home, chat, file)) {
        Some(file) => pieces(file, |piece, text| row(text, Some(piece))),
        None => row(&said.text, None),
    }
}

fn fold(text: &str, to: &mut String) {
    // A colour is no part of the word that it begins before.
    match memchr::memchr(0x1b, text.as_bytes()) {
        Some(_) => words::append(&without_sequences(text), to),
        None => words::append(text, to),
    }
}

/// The file with the whole output. The name comes from a transcript: it leads to an output or nowhere.
pub(super) fn open_output(home: &Home, chat: &ChatId, file: &str) -> Option<File> {
    let name = file.strip_prefix("outputs/")?;
    let name = crate::fs::SafeName::parse(name).ok()?;
    let record = home.record_dir(chat).ok()?;
    record.open_file(Path::new("outputs").join(name)).ok()?
}

/// A stretch of a whole output, as it is read to be searched.
#[derive(Clone, Copy)]
struct OutputPiece {
    /// Its first byte.
    from: u64,
    is_cut: bool,
}

/// Stretches from line to line. One that has no end of a line is cut where it is too long.
fn pieces(file: File, mut take: impl FnMut(OutputPiece, &str)) {
    let is_longer = file.metadata().is_ok_and(|found| found.len() > SEARCHED);
    let mut file = file.take(SEARCHED);
    let mut held: Vec<u8> = Vec::new();
    let mut from = 0u64;
    loop {
        let wanted = (PIECE - held.len()) as u64;
        let read = match file.by_ref().take(wanted).read_to_end(&mut held) {
            Ok(read) => read,
            Err(error) => {
                tracing::warn!("an output can't be read to be searched: {error}");
                return;
            }
        };
        let is_over = (read as u64) < wanted;
        let end = match memchr::memrchr(b'\n', &held) {
            Some(at) if !is_over => at + 1,
            Some(_) | None => held.len(),
        };
        if end > 0 {
            let piece = OutputPiece {
                from,
                is_cut: is_longer && from + end as u64 == SEARCHED,
            };
            take(piece, &String::from_utf8_lossy(&held[..end]));
        }
        from += end as u64;
        held.drain(..end);
        if is_over {
            return;
        }
    }
}

/// A stretch of a whole output again.
pub(super) fn piece(file: &File, from: u64) -> Option<String> {
    let mut bytes = vec![0; PIECE];
    let mut read = 0;
    while read < bytes.len() {
        match file.read_at(&mut bytes[read..], from + read as u64).ok()? {
            0 => break,
            more => read += more,
        }
    }
    bytes.truncate(read);
    let end = memchr::memrchr(b'\n', &bytes)
        .filter(|_| read == PIECE)
        .map_or(read, |at| at + 1);
    Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
}

/// The line that begins there.
pub(super) fn line_at(file: &File, at: u64) -> Option<Vec<u8>> {
    let mut reader = BufReader::with_capacity(8 << 10, file);
    reader.seek(SeekFrom::Start(at)).ok()?;
    let mut line = Vec::new();
    next_line(&mut reader, &mut line).ok()??;
    Some(line)
}

impl SaidText<'_> {
    /// What stands in the whole output from there, or in the entry.
    pub fn text_at(&self, home: &Home, chat: &ChatId, piece_at: Option<u64>) -> Option<String> {
        match (piece_at, &self.output) {
            (Some(from), Some(file)) => piece(&open_output(home, chat, file)?, from),
            (Some(_), None) => None,
            (None, _) => Some(self.text.to_string()),
        }
    }
}
