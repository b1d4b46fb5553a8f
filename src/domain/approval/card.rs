//! What a chat's agent did, as cards: its transcript reduced to what a person looks through.
//!
//! Made of entries alone, so that a chat read from disk and one that is followed live look the same.

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value;

use crate::domain::call::CallSummary;
use crate::model::entry::{ChangedLines, Cut, From, SubagentSaid, ToolStatus};
use crate::model::usage::ByModel;
use crate::model::{Entry, Happened, Timestamp};

/// As many as a person scrolls through; what is older stands in the transcript.
const KEPT: usize = 500;

/// A chat's newest cards, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cards {
    pub(super) cards: VecDeque<Card>,
    /// By the id that its CLI gives each.
    pub sub_agents: BTreeMap<String, SubAgent>,
    /// The number of the last entry taken in.
    seq: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// The entry it began with.
    pub seq: u64,
    pub at: Timestamp,
    pub what: CardSubject,
}

#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "most cards are calls")]
pub enum CardSubject {
    Prompt {
        text: String,
        from: From,
    },
    Tool(Tool),
    Error {
        place: String,
        message: String,
        hint: String,
    },
    Interrupt {
        cause: String,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    pub id: String,
    pub name: String,
    /// It in one line.
    pub told: CallSummary,
    pub input: Value,
    pub dir: Option<String>,
    /// The sub-agent that called it.
    pub parent: Option<String>,
    /// The sub-agent that has its work from it.
    pub sub_agent: Option<String>,
    pub state: ToolState,
    /// How long a person was asked about it, and since when they are.
    pub waited: u64,
    pub asked: Option<Timestamp>,
    /// Who let it run, or did not, and by which rule.
    pub ruling: Option<String>,
    pub preview: String,
    pub lines: u64,
    pub bytes: u64,
    /// Where the whole output lies, where it is longer than the preview.
    pub output: Option<String>,
    /// Who left something of it out.
    pub cut: Option<Cut>,
    /// The preview is what differs in the file that it wrote.
    pub tells_diff: bool,
}

/// What is known of a sub-agent, as far as the cards go back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubAgent {
    /// Empty where its CLI told none.
    pub name: String,
    pub used: ByModel,
    pub has_ended: bool,
    /// What it was asked, and said.
    pub words: Vec<SubAgentWords>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubAgentWords {
    /// Their entry.
    pub seq: u64,
    pub said: SubagentSaid,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolState {
    Running,
    /// A person is asked whether it may run.
    Asked,
    Ended {
        status: ToolStatus,
        ms: u64,
    },
}

impl Tool {
    /// How long it has run by now, of a call that began then: while a person is asked, it does not.
    pub fn ran(&self, began: Timestamp, now: Timestamp) -> u64 {
        let asked = self.asked.map_or(0, |asked| now.ms_since(asked));
        now.ms_since(began).saturating_sub(self.waited + asked)
    }
}

impl Cards {
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Card> + ExactSizeIterator {
        self.cards.iter()
    }

    pub fn get(&self, at: usize) -> Option<&Card> {
        self.cards.get(at)
    }

    pub fn len(&self) -> usize {
        self.cards.len()
    }

    pub fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }

    /// Takes an entry in. One that was taken in before changes nothing: reading and following may overlap.
    pub fn take(&mut self, entry: &Entry) {
        if entry.seq <= self.seq {
            return;
        }
        self.seq = entry.seq;
        self.hear_of_sub_agent(entry);
        match &entry.what {
            Happened::ToolEnd { id, .. } => self.end(id, entry),
            Happened::Permission {
                id, answer, by, rule, ..
            } => {
                self.permission(id, answer, entry.ts);
                self.ruled(id, answer, by, rule.as_deref());
            }
            // The process is gone, and with it what it was doing.
            Happened::Session { .. } => self.cut_off(entry.ts),
            other => {
                if let Some(what) = begun(other) {
                    self.push(Card {
                        seq: entry.seq,
                        at: entry.ts,
                        what,
                    });
                }
            }
        }
    }

    fn push(&mut self, card: Card) {
        if self.cards.len() == KEPT {
            self.cards.pop_front();
        }
        self.cards.push_back(card);
    }

    fn tool(&mut self, id: &str) -> Option<(Timestamp, &mut Tool)> {
        let newest = self.cards.iter_mut().rev();
        newest
            .filter_map(|card| match &mut card.what {
                CardSubject::Tool(tool) => Some((card.at, tool)),
                CardSubject::Prompt { .. } | CardSubject::Error { .. } | CardSubject::Interrupt { .. } => None,
            })
            .find(|(_, tool)| tool.id == id)
    }

    fn end(&mut self, id: &str, entry: &Entry) {
        let Happened::ToolEnd {
            status,
            preview,
            bytes,
            lines,
            output,
            cut,
            changed,
            ms,
            ..
        } = &entry.what
        else {
            return;
        };
        if let Some((began, tool)) = self.tool(id) {
            let ms = match status {
                // Up to when it ran, or a person was asked, is not known. What was refused did not run.
                ToolStatus::Unknown | ToolStatus::Denied => 0,
                _ => ms.unwrap_or_else(|| entry.ts.ms_since(began)),
            };
            tool.state = ToolState::Ended { status: *status, ms };
            match status {
                ToolStatus::Error => tool.told.refused(preview),
                ToolStatus::Ok => tool.told.answered(preview),
                ToolStatus::Denied | ToolStatus::Interrupted | ToolStatus::Unknown => {}
            }
            tool.preview.clone_from(preview);
            (tool.bytes, tool.lines) = (*bytes, *lines);
            tool.output.clone_from(output);
            tool.cut = *cut;
            tool.tells_diff = changed.is_some_and(|changed| changed != ChangedLines::default());
            if let (Some(changed), Some(amount)) = (changed, &mut tool.told.amount) {
                *amount = (changed.added, changed.removed);
            }
        }
    }

    fn permission(&mut self, id: &str, answer: &str, at: Timestamp) {
        if let Some((_, tool)) = self.tool(id) {
            match (tool.state, answer) {
                (ToolState::Running, "asked") => tool.asked = Some(at),
                (ToolState::Asked, "allowed") => {
                    tool.waited += tool.asked.take().map_or(0, |asked| at.ms_since(asked));
                }
                _ => {}
            }
            tool.state = match (tool.state, answer) {
                (ToolState::Running, "asked") => ToolState::Asked,
                (ToolState::Asked, "allowed") => ToolState::Running,
                (other, _) => other,
            };
        }
    }

    fn ruled(&mut self, id: &str, answer: &str, by: &str, rule: Option<&str>) {
        if let Some((_, tool)) = self.tool(id)
            && matches!(answer, "allowed" | "denied")
        {
            let rule = rule.map_or(String::new(), |rule| format!(": {rule}"));
            tool.ruling = Some(format!("{answer} by {by}{rule}"));
        }
    }

    fn cut_off(&mut self, now: Timestamp) {
        for card in &mut self.cards {
            if let CardSubject::Tool(tool) = &mut card.what
                && !matches!(tool.state, ToolState::Ended { .. })
            {
                tool.state = ToolState::Ended {
                    status: ToolStatus::Interrupted,
                    ms: now.ms_since(card.at),
                };
            }
        }
    }
}

fn begun(what: &Happened) -> Option<CardSubject> {
    match what {
        Happened::Prompt { text, from, .. } => Some(CardSubject::Prompt {
            text: text.clone(),
            from: *from,
        }),
        Happened::ToolStart {
            id,
            name,
            input,
            dir,
            parent,
        } => Some(CardSubject::Tool(Tool {
            id: id.clone(),
            name: name.clone(),
            told: CallSummary::of(name, input),
            input: input.clone(),
            dir: dir.clone(),
            parent: parent.clone(),
            sub_agent: None,
            state: ToolState::Running,
            waited: 0,
            asked: None,
            ruling: None,
            preview: String::new(),
            lines: 0,
            bytes: 0,
            output: None,
            cut: None,
            tells_diff: false,
        })),
        Happened::Error {
            place, message, hint, ..
        } => Some(CardSubject::Error {
            place: place.clone(),
            message: message.clone(),
            hint: hint.clone(),
        }),
        Happened::Interrupt { cause } => Some(CardSubject::Interrupt { cause: cause.clone() }),
        Happened::Session { .. }
        | Happened::Text { .. }
        | Happened::Thinking { .. }
        | Happened::ToolEnd { .. }
        | Happened::Retry { .. }
        | Happened::Permission { .. }
        | Happened::Usage { .. }
        | Happened::Status { .. }
        | Happened::Compaction { .. }
        | Happened::Summary { .. }
        | Happened::Background { .. }
        | Happened::Message { .. }
        | Happened::Cwd { .. }
        | Happened::Subagent { .. }
        | Happened::SubagentText { .. }
        | Happened::Note { .. }
        | Happened::Revert { .. }
        | Happened::Unknown { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn entry(seq: u64, what: Happened) -> Entry {
        Entry {
            v: 1,
            seq,
            ts: Timestamp(1_000 * seq as i64),
            read: None,
            what,
        }
    }

    fn begins(id: &str) -> Happened {
        Happened::ToolStart {
            id: id.into(),
            name: "Bash".into(),
            input: json!({ "description": "Look", "command": "ls\n-l" }),
            dir: None,
            parent: None,
        }
    }

    fn ends(id: &str, status: ToolStatus) -> Happened {
        Happened::ToolEnd {
            id: id.into(),
            status,
            preview: "a\nb".into(),
            bytes: 3,
            lines: 2,
            output: None,
            cut: None,
            whole: None,
            changed: None,
            ms: None,
        }
    }

    fn state(cards: &Cards, at: usize) -> ToolState {
        match &cards.get(at).expect("a card").what {
            CardSubject::Tool(tool) => tool.state,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_tool_is_one_card_from_its_start_to_its_end() {
        let mut cards = Cards::default();
        cards.take(&entry(1, begins("a")));
        cards.take(&entry(2, begins("b")));
        assert_eq!(state(&cards, 0), ToolState::Running);
        cards.take(&entry(5, ends("a", ToolStatus::Ok)));
        let ended = |status, ms| ToolState::Ended { status, ms };
        assert_eq!(state(&cards, 0), ended(ToolStatus::Ok, 4_000));
        assert_eq!(state(&cards, 1), ToolState::Running);
        assert_eq!(cards.len(), 2);
    }

    #[test]
    fn a_call_does_not_run_while_a_person_is_asked() {
        let permission = |answer: &str| Happened::Permission {
            id: "a".into(),
            tool: "Bash".into(),
            input: json!({}),
            rule: None,
            answer: answer.into(),
            by: "you".into(),
            reason: None,
            given_once_written: false,
        };
        let mut cards = Cards::default();
        cards.take(&entry(1, begins("a")));
        cards.take(&entry(3, permission("asked")));
        let ran = |cards: &Cards, at: i64| match cards.get(0) {
            Some(Card {
                at: began,
                what: CardSubject::Tool(tool),
                ..
            }) => tool.ran(*began, Timestamp(1_000 * at)),
            other => panic!("{other:?}"),
        };
        assert_eq!(ran(&cards, 8), 2_000);
        cards.take(&entry(9, permission("allowed")));
        assert_eq!(ran(&cards, 14), 7_000);
    }

    #[test]
    fn an_entry_counts_once() {
        let mut cards = Cards::default();
        for _ in 0..2 {
            cards.take(&entry(1, begins("a")));
        }
        assert_eq!(cards.len(), 1);
    }

    #[test]
    fn what_a_dead_agent_left_open_is_shown_as_interrupted() {
        let mut cards = Cards::default();
        cards.take(&entry(1, begins("a")));
        cards.take(&entry(
            3,
            Happened::Session {
                agent: "claude".into(),
                session: "s".into(),
                model: None,
                version: None,
                cwd: "/".into(),
            },
        ));
        let status = ToolStatus::Interrupted;
        assert_eq!(state(&cards, 0), ToolState::Ended { status, ms: 2_000 });
    }

    #[test]
    fn only_the_newest_are_kept() {
        let mut cards = Cards::default();
        (1..=600).for_each(|seq| cards.take(&entry(seq, begins(&seq.to_string()))));
        assert_eq!((cards.len(), cards.get(0).expect("a card").seq), (KEPT, 101));
    }
}
