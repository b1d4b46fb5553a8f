//! What each prompt of a chat used, and each sub-agent: made of the whole transcript, for whoever looks.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{ByModel, UsedOnce};
use crate::model::text::one_plain_line;
use crate::model::{Entry, Happened, Timestamp};

/// Of a prompt's words.
const WORDS: usize = 120;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UsageDetail {
    /// The last entry that it holds.
    pub seq: u64,
    /// In order.
    pub prompts: Vec<PromptUsage>,
    /// What was used before the first of them.
    pub before: ByModel,
    pub sub_agents: BTreeMap<String, SubAgentUsage>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PromptUsage {
    pub at: Timestamp,
    pub text: String,
    pub used: ByModel,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SubAgentUsage {
    /// Empty where its CLI told none.
    pub name: String,
    pub used: ByModel,
}

impl UsageDetail {
    /// One more entry. One that is in already counts no second time.
    pub fn take(&mut self, entry: &Entry) {
        if entry.seq <= self.seq {
            return;
        }
        self.seq = entry.seq;
        match &entry.what {
            Happened::Prompt { text, .. } => self.prompts.push(PromptUsage {
                at: entry.ts,
                text: one_plain_line(text, WORDS),
                used: ByModel::default(),
            }),
            Happened::Subagent { id, name, .. } if !name.is_empty() => {
                self.sub_agents.entry(id.clone()).or_default().name.clone_from(name);
            }
            what => {
                if let Some(used) = UsedOnce::of(what) {
                    self.add(&used);
                }
            }
        }
    }

    fn add(&mut self, used: &UsedOnce) {
        let prompt = self.prompts.last_mut().map(|prompt| &mut prompt.used);
        prompt.unwrap_or(&mut self.before).add(used.model, used.spent);
        if let Some(id) = used.sub_agent {
            let sub_agent = self.sub_agents.entry(id.into()).or_default();
            sub_agent.used.add(used.model, used.spent);
        }
    }

    /// Sub-agents of which anything was told to have been used.
    pub fn at_work(&self) -> impl Iterator<Item = (&str, &SubAgentUsage)> {
        let all = self.sub_agents.iter().filter(|(_, one)| !one.used.is_empty());
        all.map(|(id, one)| (id.as_str(), one))
    }
}
