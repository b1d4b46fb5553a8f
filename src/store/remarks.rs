//! The remarks of a chat: `records/{id}/remarks.jsonl`, append-only. Each line says what happened to one of them.

use std::io::Write;

use serde::{Deserialize, Serialize};

use super::{Error, Home};
use crate::fs::{self, Dir};
use crate::model::remark::{Remark, RemarkAnswer, RemarkState};
use crate::model::{ChatId, Timestamp};

const FILE: &str = "remarks.jsonl";
/// Years of remarks; what is beyond is an accident.
const MAX: u64 = 64 << 20;

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum RemarkLine {
    Made(Box<Remark>),
    Answered {
        id: u64,
        answer: RemarkAnswer,
    },
    State {
        id: u64,
        state: RemarkState,
        at: Timestamp,
    },
    Edited {
        id: u64,
        text: String,
        at: Timestamp,
    },
    Sent {
        ids: Vec<u64>,
        at: Timestamp,
    },
    /// The prompt with which they were sent is taken back.
    NotSent {
        ids: Vec<u64>,
        at: Timestamp,
    },
}

/// The remarks of one chat.
pub struct Remarks {
    dir: Dir,
}

impl Home {
    pub fn remarks(&self, chat: &ChatId) -> Result<Remarks, Error> {
        Ok(Remarks {
            dir: self.record_dir(chat)?,
        })
    }
}

impl Remarks {
    /// All of them, oldest first, as they are now. A line that cannot be read is passed over.
    pub fn list(&self) -> Result<Vec<Remark>, Error> {
        let text = self.dir.read(FILE, MAX)?.unwrap_or_default();
        let mut remarks: Vec<Remark> = Vec::new();
        let whole = text
            .split_inclusive(|byte| *byte == b'\n')
            .filter(|line| line.ends_with(b"\n"));
        for line in whole.filter_map(|line| serde_json::from_slice(line).ok()) {
            apply(&mut remarks, line);
        }
        Ok(remarks)
    }

    /// Synced: it has happened from here on.
    pub fn add(&self, line: &RemarkLine) -> Result<(), Error> {
        let mut file = self.dir.append(FILE)?;
        let doing = |source| {
            Error::Files(fs::Error::Io {
                doing: "writing",
                path: self.dir.path().join(FILE),
                source,
            })
        };
        let text = self.dir.read(FILE, MAX)?.unwrap_or_default();
        // A kill or a full disk left a part of a line: it counts as none.
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        if whole < text.len() {
            file.set_len(whole as u64).map_err(doing)?;
        }
        let mut line = serde_json::to_vec(line).map_err(|error| doing(error.into()))?;
        line.push(b'\n');
        file.write_all(&line).and_then(|()| file.sync_all()).map_err(doing)?;
        Ok(self.dir.sync()?)
    }
}

fn apply(remarks: &mut Vec<Remark>, line: RemarkLine) {
    let mut change = |id: u64, change: &dyn Fn(&mut Remark)| {
        if let Some(remark) = remarks.iter_mut().find(|remark| remark.id == id) {
            change(remark);
        }
    };
    match line {
        RemarkLine::Made(remark) => remarks.push(*remark),
        RemarkLine::Answered { id, answer } => change(id, &|remark| {
            remark.answers.push(answer.clone());
            remark.state = RemarkState::Answered;
        }),
        RemarkLine::State { id, state, .. } => change(id, &|remark| remark.state = state),
        RemarkLine::Edited { id, text, .. } => change(id, &|remark| remark.text.clone_from(&text)),
        RemarkLine::Sent { ids, .. } => {
            for id in ids {
                change(id, &|remark| remark.sent = true);
            }
        }
        RemarkLine::NotSent { ids, .. } => {
            for id in ids {
                change(id, &|remark| remark.sent = false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::remark::{Anchor, RemarkAuthor, RemarkSide};

    fn remark(id: u64) -> Remark {
        Remark {
            id,
            project: "grove".into(),
            path: "src/main.rs".into(),
            side: RemarkSide::After,
            anchor: Some(Anchor {
                lines: vec!["fn main() {}".into()],
                before: Vec::new(),
                after: Vec::new(),
                line: 1,
                above: None,
                below: None,
                count: 1,
                ordinal: 0,
            }),
            text: "why?".into(),
            author: RemarkAuthor::Person,
            at: Timestamp(0),
            state: RemarkState::Open,
            sent: false,
            answers: Vec::new(),
        }
    }

    #[test]
    fn what_happened_to_a_remark_adds_up_and_a_torn_line_counts_as_none() {
        let temporary = tempfile::tempdir().unwrap();
        let dir = Dir::open(temporary.path()).unwrap();
        let remarks = Remarks { dir };
        assert_eq!(remarks.list().unwrap(), []);
        remarks.add(&RemarkLine::Made(Box::new(remark(1)))).unwrap();
        remarks.add(&RemarkLine::Made(Box::new(remark(2)))).unwrap();
        std::fs::OpenOptions::new()
            .append(true)
            .open(temporary.path().join(FILE))
            .and_then(|mut file| file.write_all(b"{\"kind\":\"se"))
            .unwrap();
        let answer = RemarkAnswer {
            author: RemarkAuthor::Agent,
            text: "because".into(),
            at: Timestamp(1),
        };
        let id = 2;
        remarks
            .add(&RemarkLine::Answered {
                id,
                answer: answer.clone(),
            })
            .unwrap();
        let (ids, at) = (vec![1], Timestamp(2));
        remarks.add(&RemarkLine::Sent { ids, at }).unwrap();
        let ids = vec![1, 2];
        remarks.add(&RemarkLine::NotSent { ids, at }).unwrap();
        assert!(remarks.list().unwrap().iter().all(|remark| !remark.sent));
        let ids = vec![1];
        remarks.add(&RemarkLine::Sent { ids, at }).unwrap();
        let state = RemarkState::Resolved;
        remarks.add(&RemarkLine::State { id: 1, state, at }).unwrap();
        remarks.add(&RemarkLine::State { id: 9, state, at }).unwrap();
        let first = Remark {
            sent: true,
            state,
            ..remark(1)
        };
        let second = Remark {
            answers: vec![answer],
            state: RemarkState::Answered,
            ..remark(2)
        };
        assert_eq!(remarks.list().unwrap(), [first, second]);
    }
}
