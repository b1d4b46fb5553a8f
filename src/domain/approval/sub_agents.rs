//! Sub-agents whose calls stand among the cards: which call gave each its work, and what each used.

use crate::model::usage::UsedOnce;
use crate::model::{Entry, Happened};
use crate::permission::Sort;

use super::card::{CardSubject, Cards, SubAgent, SubAgentWords, Tool, ToolState};

/// What is kept of a sub-agent's words, and of each; the transcript has all.
const WORDS: usize = 200;
const LONGEST: usize = 4_000;

impl Cards {
    /// Something was told of a sub-agent, in whatever entry.
    pub(super) fn hear_of_sub_agent(&mut self, entry: &Entry) {
        match &entry.what {
            Happened::Subagent { id, name, state } => {
                let one = self.meet(id, name);
                one.has_ended |= state == "ended";
                if one.name.is_empty() {
                    one.name.clone_from(name);
                }
            }
            Happened::ToolStart { parent: Some(id), .. } => {
                self.meet(id, "");
            }
            Happened::SubagentText { parent, said, text, .. } => {
                let one = self.meet(parent, "");
                if one.words.len() < WORDS {
                    one.words.push(SubAgentWords {
                        seq: entry.seq,
                        said: *said,
                        text: text.chars().take(LONGEST).collect(),
                    });
                }
            }
            other => {
                if let Some((used, id)) = UsedOnce::of(other).and_then(|used| Some((used.clone(), used.sub_agent?))) {
                    self.meet(id, "").used.add(used.model, used.spent);
                }
            }
        }
    }

    /// No CLI tells which call a sub-agent has its work from. It is the first that still runs, has none yet, and asks for
    /// one of that name.
    fn meet(&mut self, id: &str, name: &str) -> &mut SubAgent {
        if !self.sub_agents.contains_key(id) {
            let asks_for = |tool: &&mut Tool| !name.is_empty() && tool.input["subagent_type"] == name;
            let named = self.unmet().find(asks_for);
            let giver = match named {
                Some(tool) => Some(tool),
                None => self.unmet().next(),
            };
            if let Some(giver) = giver {
                giver.sub_agent = Some(id.into());
                let name = giver.input["agent_name"].as_str().unwrap_or_default().to_owned();
                self.sub_agents.entry(id.into()).or_default().name = name;
            }
        }
        self.sub_agents.entry(id.into()).or_default()
    }

    /// Calls that run and hand work to a sub-agent of which nothing was heard.
    fn unmet(&mut self) -> impl Iterator<Item = &mut Tool> {
        self.tools_mut().filter(|tool| {
            tool.told.sort == Sort::Task
                && tool.sub_agent.is_none()
                && tool.parent.is_none()
                && !matches!(tool.state, ToolState::Ended { .. })
        })
    }

    fn tools_mut(&mut self) -> impl Iterator<Item = &mut Tool> {
        self.cards.iter_mut().filter_map(|card| match &mut card.what {
            CardSubject::Tool(tool) => Some(tool),
            CardSubject::Prompt { .. } | CardSubject::Error { .. } | CardSubject::Interrupt { .. } => None,
        })
    }
}
