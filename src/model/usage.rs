//! What agents used of their models: tokens by kind, by model, by day.
//!
//! A provider's own name of a model is the key everywhere. Tokens are kept and costs are not: a price that changes holds for
//! what was used before too. Only what a CLI itself tells of costs is kept as it was told.

mod detail;

use std::collections::BTreeMap;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::{Entry, Happened, Timestamp, Zone};

pub use detail::{PromptUsage, SubAgentUsage, UsageDetail};

/// The version of the files in which [`ChatUsage`] is kept. Files of another version are made again.
pub const VERSION: u32 = 1;

/// Tokens by kind. What comes out of a cache is not in `input`, and what a model thinks is in `output`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct TokenCount {
    pub input: u64,
    pub output: u64,
    pub cache_read: u64,
    pub cache_write: u64,
}

impl TokenCount {
    pub fn total(&self) -> u64 {
        let kinds = [self.input, self.output, self.cache_read, self.cache_write];
        kinds.iter().fold(0, |sum, kind| sum.saturating_add(*kind))
    }

    pub fn is_zero(&self) -> bool {
        self.total() == 0
    }

    /// What the model was given: all that its context holds but for the answer.
    pub fn given(&self) -> u64 {
        self.total() - self.output.min(self.total())
    }
}

impl AddAssign for TokenCount {
    fn add_assign(&mut self, other: TokenCount) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.cache_write = self.cache_write.saturating_add(other.cache_write);
    }
}

/// What was used of one model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Spent {
    pub tokens: TokenCount,
    /// US dollars that the CLI itself told of.
    #[serde(skip_serializing_if = "is_nothing")]
    pub told: f64,
    /// Those of the tokens of whose cost it told nothing.
    #[serde(skip_serializing_if = "TokenCount::is_zero")]
    pub untold: TokenCount,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_nothing(dollars: &f64) -> bool {
    *dollars == 0.0
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Spent) {
        self.tokens += other.tokens;
        self.told += other.told;
        self.untold += other.untold;
    }
}

/// What was used, by model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ByModel(pub BTreeMap<String, Spent>);

impl ByModel {
    pub fn tokens(&self) -> TokenCount {
        let mut sum = TokenCount::default();
        self.0.values().for_each(|spent| sum += spent.tokens);
        sum
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn add(&mut self, model: &str, spent: Spent) {
        match self.0.get_mut(model) {
            Some(known) => *known += spent,
            None => drop(self.0.insert(model.into(), spent)),
        }
    }
}

impl AddAssign<&ByModel> for ByModel {
    fn add_assign(&mut self, other: &ByModel) {
        other.0.iter().for_each(|(model, spent)| self.add(model, *spent));
    }
}

/// How full the context of a model was when it was asked last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextFill {
    pub model: String,
    pub tokens: u64,
    /// How many it holds, where its CLI tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
}

/// One answer of a model, as a transcript tells of it.
#[derive(Clone, Debug, PartialEq)]
pub struct UsedOnce<'a> {
    pub model: &'a str,
    pub spent: Spent,
    /// The sub-agent that asked it.
    pub sub_agent: Option<&'a str>,
    pub window: Option<u64>,
}

impl<'a> UsedOnce<'a> {
    pub fn of(what: &'a Happened) -> Option<UsedOnce<'a>> {
        let Happened::Usage {
            model,
            input,
            output,
            cache_read,
            cache_write,
            cost,
            parent,
            window,
        } = what
        else {
            return None;
        };
        let tokens = TokenCount {
            input: *input,
            output: *output,
            cache_read: *cache_read,
            cache_write: *cache_write,
        };
        let told = cost.filter(|cost| cost.is_finite() && *cost >= 0.0);
        Some(UsedOnce {
            model,
            spent: Spent {
                tokens,
                told: told.unwrap_or_default(),
                untold: if told.is_some() { TokenCount::default() } else { tokens },
            },
            sub_agent: parent.as_deref(),
            window: *window,
        })
    }

    /// What it says of the agent's own context; `None` of a sub-agent's, and of a word that only completes an earlier one.
    fn context(&self) -> Option<ContextFill> {
        let tokens = self.spent.tokens;
        (self.sub_agent.is_none() && tokens.given() > 0).then(|| ContextFill {
            model: self.model.into(),
            tokens: tokens.total(),
            window: self.window,
        })
    }
}

/// The sums over one chat's transcript up to an entry of it. They can be made again from the transcript at any time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChatUsage {
    pub v: u32,
    /// The last entry that they hold.
    pub seq: u64,
    /// Where days begin.
    pub zone: Zone,
    /// What the chat was, for when it is gone.
    pub of: UsageOwner,
    /// `2026-02-15`, the day in that zone.
    pub days: BTreeMap<String, ByModel>,
    /// What of it sub-agents used.
    #[serde(default, skip_serializing_if = "ByModel::is_empty")]
    pub by_sub_agents: ByModel,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<ContextFill>,
    /// The sum over all days; not written, since the days are.
    #[serde(skip)]
    pub all: ByModel,
}

/// Whose usage it is, as people know it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageOwner {
    pub name: String,
    pub handle: String,
    pub llm: String,
    /// The names of its projects, joined.
    pub project: String,
    /// The chat at the top of its tree.
    pub root: String,
}

impl ChatUsage {
    pub fn new(zone: Zone) -> ChatUsage {
        ChatUsage {
            v: VERSION,
            zone,
            ..ChatUsage::default()
        }
    }

    /// One more entry of the transcript; `true` if it told of usage. One that is in already counts no second time.
    pub fn take(&mut self, entry: &Entry) -> bool {
        if entry.seq <= self.seq {
            return false;
        }
        self.seq = entry.seq;
        let Some(used) = UsedOnce::of(&entry.what) else {
            return false;
        };
        let day = day_of(self.zone, entry.ts);
        match self.days.get_mut(&day) {
            Some(known) => known.add(used.model, used.spent),
            None => {
                let mut fresh = ByModel::default();
                fresh.add(used.model, used.spent);
                self.days.insert(day, fresh);
            }
        }
        self.all.add(used.model, used.spent);
        if used.sub_agent.is_some() {
            self.by_sub_agents.add(used.model, used.spent);
        }
        self.context = used.context().or(self.context.take());
        true
    }

    /// As it was kept: the sum over all days is made again.
    pub fn summed(mut self) -> ChatUsage {
        self.all = ByModel::default();
        for day in self.days.values() {
            self.all += day;
        }
        self
    }
}

/// What usage is added up by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UsageBy {
    #[default]
    Day,
    Project,
    Model,
    Cli,
    Chat,
}

impl UsageBy {
    pub fn word(self) -> &'static str {
        match self {
            UsageBy::Day => "day",
            UsageBy::Project => "project",
            UsageBy::Model => "model",
            UsageBy::Cli => "cli",
            UsageBy::Chat => "chat",
        }
    }
}

/// The day on which a moment lies, for somebody in that zone.
pub fn day_of(zone: Zone, moment: Timestamp) -> String {
    zone.wall(moment).format("%Y-%m-%d").to_string()
}

/// `18k`, `1.2M`: a count of tokens, in few characters.
pub fn short(count: u64) -> String {
    let scaled = |unit: u64| {
        let (whole, tenth) = (count / unit, count % unit * 10 / unit);
        match (whole, tenth) {
            (0..10, 1..) => format!("{whole}.{tenth}"),
            (whole, _) => whole.to_string(),
        }
    };
    match count {
        0..1_000 => count.to_string(),
        1_000..1_000_000 => format!("{}k", scaled(1_000)),
        1_000_000..1_000_000_000 => format!("{}M", scaled(1_000_000)),
        _ => format!("{}G", scaled(1_000_000_000)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(seq: u64, ts: &str, (input, output): (u64, u64), cost: Option<f64>) -> Entry {
        Entry {
            v: 1,
            seq,
            ts: Timestamp::try_from(ts.to_string()).unwrap(),
            read: None,
            what: Happened::Usage {
                model: "m".into(),
                input,
                output,
                cache_read: 0,
                cache_write: 0,
                cost,
                parent: None,
                window: None,
            },
        }
    }

    #[test]
    fn an_entry_counts_once_and_on_the_day_of_the_person() {
        let mut usage = ChatUsage::new(Zone::parse("Europe/Berlin").unwrap());
        let late = used(4, "2026-02-14T23:30:00.000Z", (100, 20), None);
        assert!(usage.take(&late));
        assert!(!usage.take(&late), "the same entry again");
        assert!(usage.take(&used(5, "2026-02-14T12:00:00.000Z", (1, 1), Some(0.5))));
        let days: Vec<_> = usage
            .days
            .iter()
            .map(|(day, used)| (day.as_str(), used.tokens().total()))
            .collect();
        assert_eq!(days, [("2026-02-14", 2), ("2026-02-15", 120)]);
        let all = usage.all.0["m"];
        assert_eq!((all.tokens.total(), all.told, all.untold.total()), (122, 0.5, 120));
        assert_eq!(usage.context.as_ref().map(|fill| fill.tokens), Some(2));
        let written = serde_json::to_string(&usage).unwrap();
        let read: ChatUsage = serde_json::from_str(&written).unwrap();
        assert_eq!(read.summed(), usage);
    }

    #[test]
    fn counts_are_short() {
        let said = [0, 999, 1_000, 1_950, 18_432, 999_999, 1_200_000, 40_000_000_000].map(short);
        assert_eq!(said, ["0", "999", "1k", "1.9k", "18k", "999k", "1.2M", "40G"]);
    }
}
