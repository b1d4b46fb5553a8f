//! What of a transcript is in memory: pages that stand one behind the other, and what was appended since.

use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::model::Entry;
use crate::model::transcript::{PageAt, PageLine, TranscriptPage};

/// Bytes of entries that are held; what lies farthest from what is looked at is let go.
const HELD: u64 = 8 << 20;
/// From here on nothing is read ahead. A page is smaller than what is left: letting one go makes no room to read it again.
const FULL: u64 = 6 << 20;

#[derive(Default)]
pub struct Window {
    pages: VecDeque<LoadedPage>,
    /// Appended behind the last page.
    fresh: Vec<Arc<Entry>>,
    /// Appended while the end is read, which may lack it.
    behind: Vec<Arc<Entry>>,
    /// How many prompts stand before it.
    pub prompts_before: u32,
    /// It ends where the transcript ends.
    pub at_end: bool,
}

struct LoadedPage {
    from: u64,
    to: u64,
    lines: Vec<PageLine>,
}

/// What was changed of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowChange {
    /// Lines were added behind.
    Longer,
    /// It begins elsewhere.
    Other,
    /// What came belongs to no end of it.
    Nothing,
}

impl Window {
    pub fn lines(&self) -> impl Iterator<Item = PageLine> {
        let paged = self.pages.iter().flat_map(|page| page.lines.iter().cloned());
        paged.chain(self.fresh.iter().cloned().map(PageLine::Entry))
    }

    pub fn is_empty(&self) -> bool {
        self.pages.is_empty() && self.fresh.is_empty()
    }

    pub fn at_start(&self) -> bool {
        self.from() == 0
    }

    /// The byte at which it begins, and the one at which its pages end.
    pub fn from(&self) -> u64 {
        self.pages.front().map_or(0, |page| page.from)
    }

    pub fn to(&self) -> u64 {
        self.pages.back().map_or(0, |page| page.to)
    }

    /// Entries that were told of since the last page was read.
    pub fn append(&mut self, entries: &[Arc<Entry>]) {
        match self.at_end {
            true => self.fresh.extend_from_slice(entries),
            false => self.behind.extend_from_slice(entries),
        }
    }

    pub fn fresh(&self) -> &[Arc<Entry>] {
        &self.fresh
    }

    /// The end is about to be read: what is appended from now on may be missing there.
    pub fn begin_reading(&mut self) {
        self.behind.clear();
    }

    /// Entries of the numbers in `kept` are not let go for it.
    pub fn take(&mut self, page: TranscriptPage, kept: &RangeInclusive<u64>) -> WindowChange {
        let loaded = LoadedPage {
            from: page.from,
            to: page.to,
            lines: page.lines,
        };
        match page.at {
            PageAt::End | PageAt::Start | PageAt::Around(_) => {
                self.pages = [loaded].into();
                self.fresh.clear();
                self.prompts_before = page.prompts_before.unwrap_or_default();
                self.reach(page.to >= page.whole);
                WindowChange::Other
            }
            PageAt::Before(end) if end == self.from() && !self.pages.is_empty() => {
                self.prompts_before = self.prompts_before.saturating_sub(prompts(&loaded));
                self.pages.push_front(loaded);
                while self.is_over(self.pages.back(), kept) && !is_any(&self.fresh, kept) {
                    self.pages.pop_back();
                    self.fresh.clear();
                    self.at_end = false;
                }
                WindowChange::Other
            }
            PageAt::After(start) if start == self.to() && !self.at_end => {
                self.pages.push_back(loaded);
                self.reach(page.to >= page.whole);
                let mut change = WindowChange::Longer;
                while self.is_over(self.pages.front(), kept) {
                    if let Some(first) = self.pages.pop_front() {
                        self.prompts_before += prompts(&first);
                    }
                    change = WindowChange::Other;
                }
                change
            }
            PageAt::Before(_) | PageAt::After(_) => WindowChange::Nothing,
        }
    }

    fn reach(&mut self, end: bool) {
        self.at_end = end;
        let behind = std::mem::take(&mut self.behind);
        if end {
            self.fresh = behind;
        }
    }

    /// More is read only where what is in sight needs it.
    pub fn is_full(&self) -> bool {
        self.bytes() >= FULL
    }

    fn is_over(&self, outer: Option<&LoadedPage>, kept: &RangeInclusive<u64>) -> bool {
        let is_kept = outer.is_none_or(|page| is_any(page.entries(), kept));
        self.bytes() > HELD && self.pages.len() > 2 && !is_kept
    }

    fn bytes(&self) -> u64 {
        self.pages.iter().map(LoadedPage::bytes).sum()
    }

    /// So much was appended that it is better read again from the end.
    pub fn is_long(&self) -> bool {
        self.fresh.len() > 2_000
    }
}

impl LoadedPage {
    fn entries(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.lines.iter().filter_map(|line| match line {
            PageLine::Entry(entry) => Some(entry),
            PageLine::Gap(_) => None,
        })
    }

    /// Nothing is held of what is no entry.
    fn bytes(&self) -> u64 {
        let gaps = self.lines.iter().map(|line| match line {
            PageLine::Entry(_) => 0,
            PageLine::Gap(bytes) => *bytes,
        });
        (self.to - self.from).saturating_sub(gaps.sum())
    }
}

fn is_any<'e>(entries: impl IntoIterator<Item = &'e Arc<Entry>>, kept: &RangeInclusive<u64>) -> bool {
    entries.into_iter().any(|entry| kept.contains(&entry.seq))
}

fn prompts(page: &LoadedPage) -> u32 {
    let is_prompt = |entry: &&Arc<Entry>| entry.what.begins_turn();
    u32::try_from(page.entries().filter(is_prompt).count()).unwrap_or(u32::MAX)
}
