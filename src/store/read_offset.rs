//! How far an agent CLI's own transcript was read into ours.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use super::line::EVENTS;
use super::tail_reader::TailReader;
use super::{Error, Home, line};
use crate::model::entry::PROMPT;
use crate::model::{ChatId, Entry, Timestamp};

/// Entries that are asked, from the last one back. A mark stands every few lines while a transcript is followed.
const ASKED: usize = 20_000;

/// Where to go on reading a CLI's transcript, and what was told since, by hooks say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOffset {
    /// In bytes; 0 where nothing of it was read.
    pub to: u64,
    /// When the newest of it was told; `None` where nothing of it was read.
    pub at: Option<Timestamp>,
    /// The keys of the entries behind that place; see [`crate::model::Happened::key`].
    pub told: HashSet<String>,
}

impl ReadOffset {
    /// Takes out the keys of prompts. That a transcript has a prompt counts, whoever told of it first.
    pub fn take_prompts(&mut self) -> Vec<String> {
        let told = std::mem::take(&mut self.told);
        let (prompts, rest) = told.into_iter().partition(|key| key.starts_with(PROMPT));
        self.told = rest;
        let prompts: HashSet<String> = prompts;
        prompts.into_iter().collect()
    }
}

/// As [`ReadOffset`], of several transcripts of one chat.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ReadOffsets {
    /// In bytes, by the name of the file. One that is not here was not read.
    pub to: HashMap<String, u64>,
    /// The keys of the entries behind the first of those places.
    pub told: HashSet<String>,
}

impl Home {
    /// What is known of the transcripts whose files have these names, by one reading of ours.
    pub fn read_offsets(&self, chat: &ChatId, files: &HashSet<String>) -> Result<ReadOffsets, Error> {
        let mut read_offsets = ReadOffsets::default();
        self.each_back(chat, |entry| {
            if read_offsets.to.len() == files.len() {
                return ControlFlow::Break(());
            }
            if let Some(mark) = entry.read.filter(|mark| files.contains(&mark.file)) {
                read_offsets.to.entry(mark.file).or_insert(mark.to);
            }
            read_offsets.told.extend(entry.what.key());
            ControlFlow::Continue(())
        })?;
        Ok(read_offsets)
    }

    /// What is known of the transcript whose file has this name.
    pub fn read_offset(&self, chat: &ChatId, file: &str) -> Result<ReadOffset, Error> {
        let mut read_offset = ReadOffset::default();
        self.each_back(chat, |entry| {
            if let Some(mark) = entry.read.filter(|mark| mark.file == file) {
                (read_offset.to, read_offset.at) = (mark.to, Some(entry.ts));
                return ControlFlow::Break(());
            }
            read_offset.told.extend(entry.what.key());
            ControlFlow::Continue(())
        })?;
        Ok(read_offset)
    }

    /// The keys of all that was told of that transcript and by hooks, where it begins again. Prompts that hooks alone told of
    /// are left out: that a transcript has a prompt counts.
    pub fn told_of(&self, chat: &ChatId, file: &str) -> Result<HashSet<String>, Error> {
        let mut told = HashSet::new();
        let mut is_read = false;
        self.each_back(chat, |entry| {
            is_read |= entry.read.is_some_and(|mark| mark.file == file);
            told.extend(entry.what.key().filter(|key| is_read || !key.starts_with(PROMPT)));
            ControlFlow::Continue(())
        })?;
        Ok(told)
    }

    /// The entries of our transcript, the newest first, as far back as is looked for a mark.
    fn each_back(&self, chat: &ChatId, mut visit: impl FnMut(Entry) -> ControlFlow<()>) -> Result<(), Error> {
        let Some(events) = self.record_dir(chat)?.open_file(EVENTS)? else {
            return Ok(());
        };
        let tail_reader = TailReader::new(&events).map_err(|e| self.reading(chat, e))?;
        for stretch in tail_reader.take(ASKED) {
            let stretch = stretch.map_err(|e| self.reading(chat, e))?;
            let entry = stretch.line.and_then(|line| line::parse(chat, &line));
            if let Some(entry) = entry
                && visit(entry).is_break()
            {
                break;
            }
        }
        Ok(())
    }
}
