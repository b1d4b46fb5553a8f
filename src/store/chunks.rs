//! Reading of a long output piece by piece.

use std::borrow::Cow;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use memchr::memmem;

use super::{Error, Home};
use crate::fs::SafeName;
use crate::model::ChatId;

/// Of a whole output that is held to be looked at.
const PIECE: u64 = 64 << 10;

/// How far is looked for words: no output that is kept is longer.
const SEARCHED: u64 = 64 << 20;

/// A piece of a whole output, from line to line where its lines are shorter than a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChunk {
    pub from: u64,
    /// The byte behind its last.
    pub to: u64,
    pub whole: u64,
    pub text: String,
}

impl Home {
    /// The piece of an output that begins at this byte.
    pub fn output_after(&self, chat: &ChatId, file: &str, from: u64) -> Result<FileChunk, Error> {
        let (file, whole) = self.open_output(chat, file)?;
        let from = from.min(whole);
        let bytes = read_at(&file, from, PIECE.min(whole - from))?;
        let to = from + bytes.len() as u64;
        // Up to its last whole line, or a whole character.
        let cut = match (to < whole, bytes.iter().rposition(|byte| *byte == b'\n')) {
            (false, _) => bytes.len(),
            (true, Some(at)) => at + 1,
            (true, None) => whole_characters(&bytes),
        };
        Ok(piece(from, whole, &bytes[..cut]))
    }

    /// The piece that ends before this byte.
    pub fn output_before(&self, chat: &ChatId, file: &str, to: u64) -> Result<FileChunk, Error> {
        let (file, whole) = self.open_output(chat, file)?;
        let to = to.min(whole);
        let from = to.saturating_sub(PIECE);
        let bytes = read_at(&file, from, to - from)?;
        let line = bytes.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
        let cut = match (from, line.filter(|at| *at < bytes.len())) {
            (0, _) => 0,
            (_, Some(at)) => at,
            (_, None) => bytes.iter().take_while(|byte| is_inside_character(**byte)).count(),
        };
        Ok(piece(from + cut as u64, whole, &bytes[cut..]))
    }

    /// Where these words stand next, from this byte on.
    pub fn output_next(&self, chat: &ChatId, file: &str, words: &str, from: u64) -> Result<Option<Found>, Error> {
        let (file, whole) = self.open_output(chat, file)?;
        let from = from.min(whole);
        let bytes = read_at(&file, from, (whole - from).min(SEARCHED))?;
        let at = SearchTerms::new(words).next_in(&bytes);
        at.map(|at| found(&file, from + at as u64)).transpose()
    }

    /// Where these words stand last before this byte.
    pub fn output_last(&self, chat: &ChatId, file: &str, words: &str, to: u64) -> Result<Option<Found>, Error> {
        let (file, whole) = self.open_output(chat, file)?;
        let to = to.min(whole);
        let from = to.saturating_sub(SEARCHED);
        let bytes = read_at(&file, from, to - from)?;
        let at = SearchTerms::new(words).last_in(&bytes);
        at.map(|at| found(&file, from + at as u64)).transpose()
    }

    /// The name comes from a transcript: it leads to an output or nowhere.
    fn open_output(&self, chat: &ChatId, file: &str) -> Result<(File, u64), Error> {
        let name = file
            .strip_prefix("outputs/")
            .and_then(|name| SafeName::parse(name).ok());
        let path = self.record_path(chat).join(file);
        let missing = || Error::Io {
            doing: "opening",
            path: path.clone(),
            source: std::io::ErrorKind::NotFound.into(),
        };
        let name = name.ok_or_else(missing)?;
        let found = self.record_dir(chat)?.open_file(Path::new("outputs").join(name))?;
        let file = found.ok_or_else(missing)?;
        let whole = file.metadata().map_or(0, |meta| meta.len());
        Ok((file, whole))
    }
}

/// Where words stand that were looked for, and the line they are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub at: u64,
    pub line: u64,
}

fn found(file: &File, at: u64) -> Result<Found, Error> {
    let from = at.saturating_sub(PIECE / 2);
    let before = read_at(file, from, at - from)?;
    let end = before.iter().rposition(|byte| *byte == b'\n');
    let line = match end {
        Some(end) => from + end as u64 + 1,
        None => from,
    };
    Ok(Found { at, line })
}

/// The words of a search. Case counts only if they contain a capital letter.
struct SearchTerms {
    words: Vec<u8>,
    any_case: bool,
}

impl SearchTerms {
    fn new(words: &str) -> SearchTerms {
        SearchTerms {
            words: words.as_bytes().to_vec(),
            any_case: !words.chars().any(char::is_uppercase),
        }
    }

    fn folded<'b>(&self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        match self.any_case {
            true => bytes.to_ascii_lowercase().into(),
            false => bytes.into(),
        }
    }

    fn next_in(&self, bytes: &[u8]) -> Option<usize> {
        memmem::find(&self.folded(bytes), &self.words)
    }

    fn last_in(&self, bytes: &[u8]) -> Option<usize> {
        memmem::rfind(&self.folded(bytes), &self.words)
    }
}

fn read_at(file: &File, from: u64, length: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = vec![0; usize::try_from(length).unwrap_or_default()];
    file.read_exact_at(&mut bytes, from).map_err(|source| Error::Io {
        doing: "reading",
        path: "an output".into(),
        source,
    })?;
    Ok(bytes)
}

fn piece(from: u64, whole: u64, bytes: &[u8]) -> FileChunk {
    FileChunk {
        from,
        to: from + bytes.len() as u64,
        whole,
        text: String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// How many of these bytes are not the beginning of a character that goes on behind them.
fn whole_characters(bytes: &[u8]) -> usize {
    let begins = bytes.iter().rev().take(4).position(|byte| !is_inside_character(*byte));
    match begins {
        Some(back) if bytes[bytes.len() - 1 - back] >= 0xc0 => bytes.len() - 1 - back,
        Some(_) | None => bytes.len(),
    }
}

fn is_inside_character(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}
