//! The sums of what chats used, each in `cache/usage/CHAT.json` up to an entry of its transcript. The transcripts are the
//! truth: a file that is gone, or is none of this version, is made again from them.

use std::path::Path;

use super::home::if_there;
use super::{Error, Home, Line};
use crate::model::usage::{ChatUsage, UsageDetail, VERSION};
use crate::model::{ChatId, Zone};

const FOLDER: &str = "cache/usage";

/// Days times models, each a few numbers: years of work.
const LARGEST: u64 = 16 << 20;

impl Home {
    /// What a chat used, where days begin as in this zone. Of its transcript only what lies behind the kept sums is read,
    /// and nothing if those reach up to `seq`.
    pub fn usage(&self, chat: &ChatId, seq: u64, zone: Zone) -> Result<ChatUsage, Error> {
        let kept = self
            .kept_usage(chat)
            .filter(|kept| kept.zone == zone && kept.seq <= seq.max(1));
        let mut usage = kept.map_or_else(|| ChatUsage::new(zone), ChatUsage::summed);
        if usage.seq >= seq {
            return Ok(usage);
        }
        for line in self.all_lines_after(chat, usage.seq)? {
            if let Line::Entry(entry) = line.map_err(|source| self.reading(chat, source))? {
                usage.take(&entry);
            }
        }
        Ok(usage)
    }

    /// As it was kept; a file that cannot be read holds nothing.
    pub fn kept_usage(&self, chat: &ChatId) -> Option<ChatUsage> {
        let text = self.dir.read(file(chat), LARGEST).ok().flatten()?;
        let kept: ChatUsage = serde_json::from_slice(&text).ok()?;
        (kept.v == VERSION).then_some(kept)
    }

    /// The chats of which sums are kept, those that are gone too.
    pub fn chats_with_usage(&self) -> Vec<ChatId> {
        let entries = if_there(self.dir.entries(FOLDER)).ok().flatten().unwrap_or_default();
        let names = entries
            .iter()
            .filter_map(|entry| entry.name.to_str()?.strip_suffix(".json"));
        names.filter_map(ChatId::parse).collect()
    }

    /// Lasts as long as the cache does: it is not synced.
    pub fn keep_usage(&self, chat: &ChatId, usage: &ChatUsage) -> Result<(), Error> {
        self.writable()?;
        self.dir.create_dir(FOLDER)?;
        let text = serde_json::to_string(usage).expect("usage has only text keys");
        Ok(self.dir.write_unsynced(file(chat), format!("{text}\n"))?)
    }

    /// What each prompt and each sub-agent of a chat used: its whole transcript is read.
    pub fn usage_detail(&self, chat: &ChatId) -> Result<UsageDetail, Error> {
        let mut detail = UsageDetail::default();
        for line in self.all_lines_after(chat, 0)? {
            if let Line::Entry(entry) = line.map_err(|source| self.reading(chat, source))? {
                detail.take(&entry);
            }
        }
        Ok(detail)
    }
}

fn file(chat: &ChatId) -> impl AsRef<Path> {
    format!("{FOLDER}/{chat}.json")
}
