//! Items, made of the lines of a transcript one after another, so that what is read and what is followed look the same.

use std::collections::HashMap;
use std::sync::Arc;

use crate::domain::approval::card::Cards;
use crate::model::entry::{SubagentSaid, ToolStatus};
use crate::model::talk::HiddenEntries;
use crate::model::text::one_line;
use crate::model::transcript::PageLine;
use crate::model::turn_clock::TurnClock;
use crate::model::usage::UsedOnce;
use crate::model::{Entry, Happened, Timestamp};

use super::item::{AtWork, ItemKey, ItemKind, ItemPart, SubAgentSums, TranscriptItem};
use super::turn::TurnSums;

/// Letters of a sub-agent's task in its row.
const TASK: usize = 60;

#[derive(Default)]
pub struct Items {
    list: Vec<TranscriptItem>,
    /// Oldest first.
    turns: Vec<TurnSums>,
    /// The number of the last turn so far.
    turn: u32,
    /// The number of the first entry taken in, and of the last.
    pub first: Option<u64>,
    pub last: u64,
    hidden: Vec<HiddenEntries>,
    /// Calls that have not ended, by id.
    running: HashMap<String, usize>,
    sub_agents: HashMap<String, usize>,
    /// Messages that no prompt has brought to the agent yet, by id.
    messages: HashMap<String, usize>,
    /// What holds the entries of this turn that nobody knows.
    unknown: Option<usize>,
}

impl Items {
    /// `turn` prompts were before the first line; `hidden` is what going back has hidden.
    pub fn new(turn: u32, hidden: Vec<HiddenEntries>) -> Items {
        Items {
            turn,
            hidden,
            ..Items::default()
        }
    }

    /// What of them going back has hidden.
    pub fn hidden(&self) -> &[HiddenEntries] {
        &self.hidden
    }

    pub fn list(&self) -> &[TranscriptItem] {
        &self.list
    }

    pub fn turns(&self) -> &[TurnSums] {
        &self.turns
    }

    pub fn turn_of(&self, item: &TranscriptItem) -> Option<&TurnSums> {
        let at = self.turns.binary_search_by_key(&item.turn, |turn| turn.number).ok()?;
        self.turns.get(at)
    }

    /// Where the item with this key stands, or the first one behind it.
    pub fn position(&self, key: ItemKey) -> usize {
        self.list.partition_point(|item| item.key < key)
    }

    pub fn get(&self, key: ItemKey) -> Option<&TranscriptItem> {
        self.list.get(self.position(key)).filter(|item| item.key == key)
    }

    /// What stands behind all that is told. Says whether that is news.
    pub fn show_at_work(&mut self, now: Option<AtWork>) -> bool {
        let shown = self.get(ItemKey::AT_WORK);
        let is_same = match (shown.map(|item| &item.what), &now) {
            (Some(ItemKind::AtWork(shown)), Some(now)) => shown == now,
            (shown, now) => shown.is_none() && now.is_none(),
        };
        if is_same {
            return false;
        }
        self.forget_work();
        if let Some(now) = now {
            let at = self.list.last().map(|item| item.at).unwrap_or_default();
            self.push(ItemKey::AT_WORK, at, ItemKind::AtWork(now));
        }
        true
    }

    fn forget_work(&mut self) {
        self.list.pop_if(|item| item.key == ItemKey::AT_WORK);
    }

    pub fn take(&mut self, line: &PageLine) {
        self.forget_work();
        match line {
            PageLine::Entry(entry) => self.take_entry(entry),
            PageLine::Gap(bytes) => {
                let key = ItemKey {
                    seq: self.last + 1,
                    part: ItemPart::Gap,
                };
                let at = self.list.last().map(|item| item.at).unwrap_or_default();
                self.push(key, at, ItemKind::Gap(*bytes));
            }
        }
    }

    pub fn take_entry(&mut self, entry: &Arc<Entry>) {
        if entry.seq <= self.last {
            return;
        }
        self.forget_work();
        self.last = entry.seq;
        self.first.get_or_insert(entry.seq);
        self.note_hidden(entry);
        if let Some(turn) = self.turns.last_mut() {
            turn.take(entry.ts, &entry.what);
        }
        let key = ItemKey::entry(entry.seq);
        self.note_message(&entry.what);
        let mut plain = |kind| self.push(key, entry.ts, kind);
        match &entry.what {
            Happened::Prompt { steer: true, .. } => self.push(key, entry.ts, ItemKind::Prompt(entry.clone())),
            Happened::Prompt { steer: false, .. } => {
                self.turn += 1;
                self.turns.push(TurnSums {
                    number: self.turn,
                    key,
                    began: entry.ts,
                    clock: TurnClock::begins(entry.ts),
                    ..TurnSums::default()
                });
                self.push(key, entry.ts, ItemKind::Prompt(entry.clone()));
            }
            Happened::Text { text, .. } if text.trim().is_empty() => {}
            Happened::Thinking { text, .. } if text.trim().is_empty() => {}
            Happened::Summary { text, .. } if text.trim().is_empty() => {}
            Happened::Text { .. } => self.say(entry, ItemKind::Said(entry.clone())),
            Happened::Thinking { .. } => self.say(entry, ItemKind::Thought(entry.clone())),
            Happened::ToolStart { id, parent, .. } => self.start(id, parent.as_deref(), entry),
            Happened::ToolEnd { id, status, .. } => self.end(id, *status, entry),
            Happened::Permission { id, .. } => {
                self.change_running(id, entry);
            }
            Happened::Subagent { id, name, state } => self.sub_agent(id, name, state, entry),
            Happened::SubagentText { parent, .. } => self.words_of_sub_agent(parent, entry),
            Happened::Session { .. } => {
                self.cut_off(entry);
                self.push(key, entry.ts, ItemKind::Event(entry.clone()));
            }
            // What is summed up in the line above a turn, or seen in the sidebar.
            Happened::Usage { .. } => self.used_by_sub_agent(&entry.what),
            Happened::Status { .. } => {}
            // The queue above the composer says it while it is so.
            what if what.is_of_queue() => {}
            Happened::Retry { .. } => self.retry(entry),
            Happened::Error { .. }
            | Happened::Compaction { .. }
            | Happened::Summary { .. }
            | Happened::Background { .. }
            | Happened::Message { .. }
            | Happened::Cwd { .. }
            | Happened::Interrupt { .. }
            | Happened::Note { .. }
            | Happened::Revert { .. } => plain(ItemKind::Event(entry.clone())),
            Happened::Unknown { .. } => self.unknown(key, entry),
        }
    }

    /// Behind what was said before it. Claude Code writes the words before a call only when a person has answered whether it
    /// may run, where that is asked while the model still speaks; of the call a hook has told by then.
    fn say(&mut self, entry: &Entry, what: ItemKind) {
        let turn = self.turn;
        let is_later = |item: &&TranscriptItem| item.turn == turn && item.at > entry.ts;
        let later = self.list.iter().rev().take_while(is_later).enumerate();
        let calls = later.filter(|(_, item)| item.tool().is_some() && item.of.is_none());
        let Some((back, call)) = calls.last() else {
            return self.push(ItemKey::entry(entry.seq), entry.ts, what);
        };
        let key = ItemKey {
            seq: call.key.seq,
            part: ItemPart::SaidBefore(entry.seq),
        };
        self.push(key, entry.ts, what);
        let at = self.list.len() - 2 - back;
        self.list[at..].rotate_right(1);
        let places = self.running.values_mut().chain(self.sub_agents.values_mut());
        let places = places.chain(self.messages.values_mut()).chain(&mut self.unknown);
        places.filter(|place| **place >= at).for_each(|place| *place += 1);
    }

    /// What was said once is shown once: a message is the prompt that brings it, as soon as there is one.
    fn note_message(&mut self, what: &Happened) {
        match what {
            Happened::Message { id, .. } => drop(self.messages.insert(id.clone(), self.list.len())),
            Happened::Prompt { key, .. } => {
                let message = self.messages.remove(key).and_then(|at| self.list.get_mut(at));
                if let Some(item) = message {
                    item.is_delivered = true;
                    item.revision += 1;
                }
            }
            _ => {}
        }
    }

    /// One row counts the attempts that follow each other.
    fn retry(&mut self, entry: &Arc<Entry>) {
        let is_retry =
            |last: &ItemKind| matches!(last, ItemKind::Event(last) if matches!(last.what, Happened::Retry { .. }));
        let turn = self.turn;
        match self
            .list
            .last_mut()
            .filter(|last| last.turn == turn && is_retry(&last.what))
        {
            Some(last) => {
                (last.at, last.what) = (entry.ts, ItemKind::Event(entry.clone()));
                last.revision += 1;
            }
            None => self.push(ItemKey::entry(entry.seq), entry.ts, ItemKind::Event(entry.clone())),
        }
    }

    /// They are one item a turn: a newer CLI may write one behind each call.
    fn unknown(&mut self, key: ItemKey, entry: &Arc<Entry>) {
        let hidden_by = self.hidden_by(key);
        let of_turn = self.unknown.and_then(|at| self.list.get_mut(at));
        let same = of_turn.filter(|item| item.turn == self.turn && item.hidden_by == hidden_by);
        if let Some(item) = same
            && let ItemKind::Unknown(entries) = &mut item.what
        {
            entries.push(entry.clone());
            item.revision += 1;
            return;
        }
        self.unknown = Some(self.list.len());
        self.push(key, entry.ts, ItemKind::Unknown(vec![entry.clone()]));
    }

    fn push(&mut self, key: ItemKey, at: Timestamp, what: ItemKind) {
        let hidden_by = self.hidden_by(key);
        self.list.push(TranscriptItem {
            key,
            at,
            turn: self.turn,
            hidden_by,
            of: None,
            is_delivered: false,
            revision: 0,
            what,
        });
    }

    fn hidden_by(&self, key: ItemKey) -> Option<ItemKey> {
        if key.part == ItemPart::Hidden {
            return None;
        }
        let by = self.hidden.iter().find(|hidden| hidden.has(key.seq))?;
        Some(ItemKey {
            seq: by.from,
            part: ItemPart::Hidden,
        })
    }

    /// Before the first entry of those that are hidden together stands how many they are.
    fn note_hidden(&mut self, entry: &Entry) {
        let Some(by) = self.hidden_by(ItemKey::entry(entry.seq)) else {
            return;
        };
        let is_prompt = u32::from(entry.what.begins_turn());
        let is_revert = u32::from(matches!(entry.what, Happened::Revert { undo: false, .. }));
        if let Some(note) = self.list.iter_mut().rev().find(|item| item.key == by) {
            if let ItemKind::Hidden {
                prompts,
                reverts,
                entries,
            } = &mut note.what
            {
                (*prompts, *reverts, *entries) = (*prompts + is_prompt, *reverts + is_revert, *entries + 1);
                note.revision += 1;
            }
            return;
        }
        let note = ItemKind::Hidden {
            prompts: is_prompt,
            reverts: is_revert,
            entries: 1,
        };
        self.push(by, entry.ts, note);
    }

    fn start(&mut self, id: &str, parent: Option<&str>, entry: &Arc<Entry>) {
        let of = parent.map(|parent| self.called_by(parent, entry));
        if let Some(turn) = self.turns.last_mut() {
            turn.calls += 1;
        }
        let mut cards = Cards::default();
        cards.take(entry);
        self.running.insert(id.to_owned(), self.list.len());
        self.push(ItemKey::entry(entry.seq), entry.ts, ItemKind::Tool(Box::new(cards)));
        if let Some(item) = self.list.last_mut() {
            item.of = of;
        }
    }

    fn end(&mut self, id: &str, status: ToolStatus, entry: &Arc<Entry>) {
        let failed = status == ToolStatus::Error;
        if let Some(turn) = self.turns.last_mut().filter(|_| failed) {
            turn.failed += 1;
        }
        if let Some(of) = self.change_running(id, entry)
            && let Some(sums) = self.sums(of)
        {
            sums.failed += u32::from(failed);
            sums.last = sums.last.max(entry.ts);
        }
        self.running.remove(id);
    }

    /// The sub-agent of the call that something was heard of.
    fn change_running(&mut self, id: &str, entry: &Entry) -> Option<ItemKey> {
        let item = self.running.get(id).and_then(|at| self.list.get_mut(*at))?;
        if let ItemKind::Tool(cards) = &mut item.what {
            cards.take(entry);
            item.revision += 1;
        }
        item.of
    }

    /// The process is gone, and with it what it was doing.
    fn cut_off(&mut self, entry: &Entry) {
        for at in std::mem::take(&mut self.running).into_values() {
            if let Some(item) = self.list.get_mut(at)
                && let ItemKind::Tool(cards) = &mut item.what
            {
                cards.take(entry);
                item.revision += 1;
            }
        }
    }

    fn sums(&mut self, key: ItemKey) -> Option<&mut SubAgentSums> {
        let at = self.position(key);
        let item = self.list.get_mut(at).filter(|item| item.key == key)?;
        item.revision += 1;
        match &mut item.what {
            ItemKind::SubAgent(sums) => Some(sums),
            ItemKind::Prompt(_)
            | ItemKind::Said(_)
            | ItemKind::Thought(_)
            | ItemKind::Tool(_)
            | ItemKind::OfSubAgent(_)
            | ItemKind::Event(_)
            | ItemKind::Unknown(_)
            | ItemKind::AtWork(_)
            | ItemKind::Gap(_)
            | ItemKind::Hidden { .. } => None,
        }
    }

    /// The item of a sub-agent, which has called something. Not every CLI tells before that one began.
    fn called_by(&mut self, id: &str, entry: &Entry) -> ItemKey {
        let key = match self.sub_agents.get(id) {
            Some(at) => self.list[*at].key,
            None => self.new_sub_agent(id, "", entry),
        };
        if let Some(sums) = self.sums(key) {
            sums.calls += 1;
            sums.last = sums.last.max(entry.ts);
        }
        key
    }

    /// They are seen where the sub-agent is open.
    fn words_of_sub_agent(&mut self, id: &str, entry: &Arc<Entry>) {
        let key = match self.sub_agents.get(id) {
            Some(at) => self.list[*at].key,
            None => self.new_sub_agent(id, "", entry),
        };
        let task = self.task_of(&entry.what);
        if let Some(sums) = self.sums(key) {
            sums.last = sums.last.max(entry.ts);
            if let Some(task) = task.filter(|_| sums.task.is_empty()) {
                sums.task = task;
            }
        }
        self.push(ItemKey::entry(entry.seq), entry.ts, ItemKind::OfSubAgent(entry.clone()));
        if let Some(item) = self.list.last_mut() {
            item.of = Some(key);
        }
    }

    /// What the call says of a sub-agent's work that gave it just this prompt.
    fn task_of(&self, said: &Happened) -> Option<String> {
        let Happened::SubagentText {
            said: SubagentSaid::Asked,
            text,
            ..
        } = said
        else {
            return None;
        };
        let calls = self.list.iter().rev().filter_map(|item| item.tool());
        let mut gave = calls.filter(|(_, tool)| tool.input["prompt"].as_str().map(str::trim) == Some(text.trim()));
        let (_, tool) = gave.next()?;
        tool.input["description"].as_str().map(|task| one_line(task, TASK))
    }

    fn used_by_sub_agent(&mut self, what: &Happened) {
        let Some((used, id)) = UsedOnce::of(what).and_then(|used| Some((used.spent.tokens, used.sub_agent?))) else {
            return;
        };
        // Before its first call it has no item.
        let key = self.sub_agents.get(id).map(|at| self.list[*at].key);
        if let Some(sums) = key.and_then(|key| self.sums(key)) {
            sums.used += used;
        }
    }

    fn new_sub_agent(&mut self, id: &str, name: &str, entry: &Entry) -> ItemKey {
        // Before the call by which it is known first.
        let key = ItemKey {
            seq: entry.seq,
            part: ItemPart::SubAgent,
        };
        let name = match name {
            "" => self.name_by_call().unwrap_or_default(),
            name => name.to_owned(),
        };
        self.sub_agents.insert(id.to_owned(), self.list.len());
        let sums = SubAgentSums {
            id: id.to_owned(),
            name,
            last: entry.ts,
            ..SubAgentSums::default()
        };
        self.push(key, entry.ts, ItemKind::SubAgent(sums));
        key
    }

    /// Gemini CLI names a sub-agent only in the call that gives it its work.
    fn name_by_call(&self) -> Option<String> {
        let running = self.running.values().filter_map(|at| self.list.get(*at)?.tool());
        let mut named = running.filter_map(|(_, tool)| tool.input["agent_name"].as_str());
        named.next().map(str::to_owned)
    }

    fn sub_agent(&mut self, id: &str, name: &str, state: &str, entry: &Arc<Entry>) {
        let key = match self.sub_agents.get(id) {
            Some(at) => self.list[*at].key,
            None => self.new_sub_agent(id, name, entry),
        };
        if let Some(sums) = self.sums(key) {
            if sums.name.is_empty() {
                sums.name = name.to_owned();
            }
            sums.has_ended |= state == "ended";
            sums.last = sums.last.max(entry.ts);
        }
    }
}
