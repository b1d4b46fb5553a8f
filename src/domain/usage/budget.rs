//! Budgets of a chat, a tree and a day: said at 80 % of each, and kept to where the settings want that.
//!
//! A budget that is used up stops prompts. It breaks no turn off: what an agent has begun it ends.

use crate::domain::agent::{alert, delivery};
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::notice::Notice;
use crate::domain::state::Domain;
use crate::model::alert::AlertKind;
use crate::model::price::{Cost, dollars};
use crate::model::settings::Budget;
use crate::model::usage::{ByModel, day_of};
use crate::model::{ChatId, Happened, Timestamp};

use super::state::{BudgetLevel, BudgetOf, root};
use super::{known, stop};

/// From here on it is said, in hundredths of a budget.
const NEAR: f64 = 0.8;

/// A chat has used more: its budget, that of its tree and that of the day are looked at.
pub fn spent(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    if state.disk.settings.limits.budget.is_empty() {
        return Vec::new();
    }
    let today = day_of(state.live.facts.zone, state.now);
    let tree = root(&state.disk.chats, chat);
    let mut effects = Vec::new();
    for of in [BudgetOf::Chat(chat.clone()), BudgetOf::Tree(tree), BudgetOf::Day(today)] {
        if let Some(cost) = judge(state, &of)
            && let Some(words) = tell(state, &of, &cost)
        {
            effects.extend(chat::append(state, chat, vec![Happened::Note { text: words }]));
            effects.extend(call(state, chat, &of));
        }
    }
    say_unpriced(state, chat);
    effects
}

/// Where nothing goes on any more, a person is called.
fn call(state: &mut Domain, chat: &ChatId, of: &BudgetOf) -> Vec<Effect> {
    let is_spent = state.live.usage.levels.get(of) == Some(&BudgetLevel::Spent);
    if !is_spent || !state.disk.settings.limits.budget.stop {
        return Vec::new();
    }
    let text = match of {
        BudgetOf::Chat(_) => "its budget is used up",
        BudgetOf::Tree(_) => "the budget of its tree is used up",
        BudgetOf::Day(_) => "today's budget is used up",
    };
    alert::call(state, chat, AlertKind::Limit, text.into())
}

/// Other settings hold: whoever has set another budget is told where it is used up, or nearly so.
pub fn changed(state: &mut Domain, before: &Budget) -> Vec<Effect> {
    let told_before = std::mem::take(&mut state.live.usage.levels);
    let now = state.disk.settings.limits.budget.clone();
    let is_other = |of: &BudgetOf| now.of(of.key()) != before.of(of.key());
    let mut news = Vec::new();
    for of in all(state) {
        let cost = judge(state, &of);
        let is_news = is_other(&of) || state.live.usage.levels.get(&of) > told_before.get(&of);
        news.extend(cost.filter(|_| is_news).map(|cost| (of, cost)));
    }
    match news.as_slice() {
        [_, _, _, ..] => {
            let words = format!(
                "{} budgets are used up, or nearly so: the figures are in each chat.",
                news.len()
            );
            state.notices.push(Notice::Trouble(words));
        }
        few => {
            for (of, cost) in few {
                tell(state, of, cost);
            }
        }
    }
    hold(state)
}

/// All sums were read: only what is left of the day is said.
pub fn begin(state: &mut Domain) -> Vec<Effect> {
    state.live.usage.levels.clear();
    for of in all(state) {
        if let (Some(cost), BudgetOf::Day(_)) = (judge(state, &of), &of) {
            tell(state, &of, &cost);
        }
    }
    hold(state)
}

/// That of each chat, of each tree and of the day; none where there is no budget.
fn all(state: &Domain) -> Vec<BudgetOf> {
    if state.disk.settings.limits.budget.is_empty() {
        return Vec::new();
    }
    let usage = &state.live.usage;
    let is_there = |chat: &&ChatId| state.disk.chats.contains_key(chat);
    let chats = usage.chats.keys().filter(is_there).cloned().map(BudgetOf::Chat);
    let trees = usage.trees.keys().filter(is_there).cloned().map(BudgetOf::Tree);
    let today = BudgetOf::Day(day_of(state.live.facts.zone, state.now));
    chats.chain(trees).chain([today]).collect()
}

/// What it has cost, if its level is higher than before.
fn judge(state: &mut Domain, of: &BudgetOf) -> Option<Cost> {
    let limit = state.disk.settings.limits.budget.of(of.key())?;
    let cost = known::cost(state, used(state, of)?);
    let level = match cost.known / limit {
        share if share >= 1.0 => Some(BudgetLevel::Spent),
        share if share >= NEAR => Some(BudgetLevel::Near),
        _ => None,
    };
    let levels = &mut state.live.usage.levels;
    let before = levels.get(of).copied();
    match level {
        Some(level) => drop(levels.insert(of.clone(), level)),
        None => drop(levels.remove(of)),
    }
    (level > before).then_some(cost)
}

fn used<'s>(state: &'s Domain, of: &BudgetOf) -> Option<&'s ByModel> {
    let usage = &state.live.usage;
    match of {
        BudgetOf::Chat(chat) => usage.chats.get(chat).map(|usage| &usage.all),
        BudgetOf::Tree(root) => usage.trees.get(root),
        BudgetOf::Day(day) => usage.days.get(day),
    }
}

/// On the screens. Returns what is told.
fn tell(state: &mut Domain, of: &BudgetOf, cost: &Cost) -> Option<String> {
    let budget = &state.disk.settings.limits.budget;
    let (limit, level) = (budget.of(of.key())?, state.live.usage.levels.get(of)?);
    let of_all = format!("{} of {}", dollars(cost.known), dollars(limit));
    let name = |chat: &ChatId| state.disk.chats.get(chat).map_or("", |known| chat::label(state, known));
    let whose = match of {
        BudgetOf::Chat(chat) => format!("The budget of \"{}\"", name(chat)),
        BudgetOf::Tree(root) => format!("The budget of the tree of \"{}\"", name(root)),
        BudgetOf::Day(_) => "Today's budget".to_string(),
    };
    let words = match (level, budget.stop) {
        (BudgetLevel::Near, _) => format!("{whose} is nearly used up: {of_all}."),
        (BudgetLevel::Spent, false) => format!("{whose} is used up: {of_all}."),
        (BudgetLevel::Spent, true) => {
            let key = of.key();
            format!(
                "{whose} is used up: {of_all}. New prompts are refused; limits.budget.{key} in config.json raises it."
            )
        }
    };
    state.notices.push(Notice::Trouble(words.clone()));
    Some(words)
}

/// A model without a price counts in no budget: said once for each.
fn say_unpriced(state: &mut Domain, chat: &ChatId) {
    let usage = &state.live.usage;
    let Some(models) = usage.chats.get(chat).map(|usage| &usage.all.0) else {
        return;
    };
    let prices = &state.disk.settings.prices;
    let lacks = |model: &&String| prices.of(model).is_none() && !usage.unpriced.contains(*model);
    let used = models
        .iter()
        .filter(|(_, spent)| !spent.untold.is_zero())
        .map(|(model, _)| model);
    let fresh: Vec<String> = used.filter(lacks).cloned().collect();
    for model in fresh {
        let words =
            format!("{model} counts in no budget, since its price is unknown: set prices.\"{model}\" in config.json.");
        state.notices.push(Notice::Trouble(words));
        state.live.usage.unpriced.insert(model);
    }
}

/// After each event: prompts wait for what is used up, and go on where that is no more so.
pub fn settle(state: &mut Domain) -> Vec<Effect> {
    let usage = &state.live.usage;
    match usage.levels.is_empty() && !usage.holds {
        true => Vec::new(),
        false => hold(state),
    }
}

fn hold(state: &mut Domain) -> Vec<Effect> {
    let waiting = state
        .live
        .agents
        .awake()
        .filter(|(_, agent)| !agent.outbox.queue.is_empty());
    let chats: Vec<ChatId> = waiting.map(|(chat, _)| chat.clone()).collect();
    let mut effects = Vec::new();
    let mut holds = false;
    for chat in chats {
        let stopped = stop::stopped(state, &chat);
        let Some(agent) = state.live.agents.get_mut(&chat) else {
            continue;
        };
        let before = std::mem::replace(&mut agent.outbox.held, stopped.as_ref().map(BudgetOf::held));
        holds |= stopped.is_some();
        match (&stopped, before) {
            (Some(BudgetOf::Day(_)), None) => effects.push(Effect::WakeAt(midnight(state))),
            (None, Some(_)) => effects.extend(delivery::pump(state, &chat)),
            (Some(_) | None, _) => {}
        }
    }
    state.live.usage.holds = holds;
    effects
}

/// When the day of a person is over.
fn midnight(state: &Domain) -> Timestamp {
    let (zone, now) = (state.live.facts.zone, state.now);
    let tomorrow = zone.wall(now).date() + chrono::Days::new(1);
    zone.read(&tomorrow.format("%Y-%m-%d").to_string())
        .unwrap_or(now.plus_ms(3_600_000))
}
