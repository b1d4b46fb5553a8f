//! A session in which somebody went back in the CLI: it goes on in another file, whose first line names the file that it
//! continues, and how much of that still counts.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::rollout::Rollout;
use super::sessions::{self, RolloutName};
use crate::agents::{ReadTranscript, cut};
use crate::fs::Dir;
use crate::model::talk::{OwnRewind, RewindEnd};
use crate::model::{Happened, Problem, ResultExt, Timestamp};

/// A longer first line is none of this CLI's.
const LONGEST_HEAD: u64 = 4 << 20;

/// What of another file counts.
struct Base {
    /// The part or the session that it holds.
    id: String,
    bytes: u64,
    at: Option<Timestamp>,
}

impl Base {
    fn of(head: &str) -> Option<Base> {
        let head: Value = serde_json::from_str(head).ok()?;
        let base = &head["payload"]["history_base"];
        Some(Base {
            id: base["thread_id"].as_str()?.into(),
            bytes: base["end_byte_offset"].as_u64()?,
            at: head["timestamp"]
                .as_str()
                .and_then(|at| Timestamp::try_from(at.to_owned()).ok()),
        })
    }

    fn find<'f>(&self, files: &'f [PathBuf]) -> Option<&'f PathBuf> {
        let holds =
            |file: &&PathBuf| RolloutName::of(file).is_some_and(|name| name.part.unwrap_or(name.session) == self.id);
        files.iter().find(holds)
    }
}

/// What somebody took back when this file was begun: the first prompt behind what still counts of the other one.
pub(super) fn went_back(transcript: &Path) -> Option<OwnRewind> {
    let name = RolloutName::of(transcript).filter(|name| name.part.is_some())?;
    let files = sessions::transcripts_in(transcript.ancestors().nth(4)?, &name.session);
    let mut head = String::new();
    BufReader::new(opened(transcript)?.take(LONGEST_HEAD))
        .read_line(&mut head)
        .ok()?;
    let base = Base::of(&head)?;
    let mut rest = opened(base.find(&files)?)?;
    rest.seek(SeekFrom::Start(base.bytes)).ok()?;
    let mut reader = Rollout::default();
    let mut lines = BufReader::new(rest).lines().map_while(Result::ok);
    let prompt = lines.find_map(|line| {
        reader.line(&line).into_iter().find_map(|told| match told.what {
            Happened::Prompt { id, .. } => Some(id),
            _ => None,
        })
    });
    Some(OwnRewind::Before {
        prompt: prompt?,
        text: String::new(),
        goes_on: RewindEnd::At(base.at?),
    })
}

/// The lines of a session as it is now, without what was taken back.
pub(super) fn lines(files: &[PathBuf], doing: &str) -> Result<Vec<String>, Problem> {
    let Some(newest) = files.last() else {
        return Ok(Vec::new());
    };
    let mut lines = lines_of(newest, doing)?;
    let is_part = |file: &Path| RolloutName::of(file).is_some_and(|name| name.part.is_some());
    let mut file = newest;
    // Each continues an older one.
    for _ in files {
        let base = lines.first().filter(|_| is_part(file)).and_then(|head| Base::of(head));
        let Some((older, bytes)) = base.and_then(|base| Some((base.find(files)?, base.bytes))) else {
            break;
        };
        let mut counts = lines_of(older, doing)?;
        counts.truncate(within(&counts, bytes));
        counts.extend(lines.drain(1..));
        (lines, file) = (counts, older);
    }
    Ok(lines)
}

/// How many of these lines these bytes hold.
fn within(lines: &[String], bytes: u64) -> usize {
    let mut end = 0;
    lines
        .iter()
        .take_while(|line| {
            end += line.len() as u64;
            end <= bytes
        })
        .count()
}

fn lines_of(file: &Path, doing: &str) -> Result<Vec<String>, Problem> {
    let (Some(day), Some(name)) = (file.parent(), file.file_name()) else {
        return Ok(Vec::new());
    };
    let opened = Dir::open(day).doing(doing)?.open_file(name).doing(doing)?;
    opened.map_or(Ok(Vec::new()), |file| cut::lines_of(&file))
}

fn opened(file: &Path) -> Option<File> {
    Dir::open(file.parent()?).ok()?.open_file(file.file_name()?).ok()?
}
