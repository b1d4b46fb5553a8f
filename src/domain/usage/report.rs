//! Usage over all chats, or of one: by day, project, model, CLI or chat.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::domain::state::Domain;
use crate::model::price::{Cost, DATED};
use crate::model::usage::{ByModel, ChatUsage, TokenCount, UsageBy, UsageOwner};
use crate::model::{CallId, ChatId, Problem};

use super::known;
use super::state::UsageAsker;
use crate::domain::effect::Effect;

/// What belongs to one day, project, model, CLI or chat.
#[derive(Clone, Debug, PartialEq)]
pub struct UsageRow {
    pub label: String,
    /// Of a chat: its handle; it is deleted where there is none.
    pub handle: Option<String>,
    pub used: ByModel,
    pub cost: Cost,
}

/// The rows, those that matter most first: the newest days, else what cost most.
pub fn rows(state: &Domain, by: UsageBy, chat: Option<&ChatId>) -> Vec<UsageRow> {
    let mut sums: BTreeMap<(String, Option<String>), ByModel> = BTreeMap::new();
    let mut add = |label: String, used: &ByModel| *sums.entry((label, None)).or_default() += used;
    let known = &state.live.usage;
    let chats = || known.chats.iter().filter(|(id, _)| chat.is_none_or(|chat| chat == *id));
    match (by, chat) {
        (UsageBy::Day, None) => known.days.iter().for_each(|(day, used)| add(day.clone(), used)),
        (UsageBy::Day, Some(_)) => {
            let days = chats().flat_map(|(_, usage)| &usage.days);
            days.for_each(|(day, used)| add(day.clone(), used));
        }
        (UsageBy::Model, _) => {
            for (model, spent) in chats().flat_map(|(_, usage)| &usage.all.0) {
                let mut one = ByModel::default();
                one.add(model, *spent);
                add(model.clone(), &one);
            }
        }
        (UsageBy::Project, _) => chats().for_each(|(id, usage)| {
            let project = owner(state, id, usage).project;
            let project = if project.is_empty() {
                "(no project)".into()
            } else {
                project
            };
            add(project, &usage.all);
        }),
        (UsageBy::Cli, _) => chats().for_each(|(id, usage)| {
            let llm = owner(state, id, usage).llm;
            add(state.disk.title_of(&llm).to_string(), &usage.all);
        }),
        (UsageBy::Chat, _) => {
            for (id, usage) in chats() {
                let owner = owner(state, id, usage);
                let handle = state.disk.chats.contains_key(id).then_some(owner.handle);
                *sums.entry((owner.name, handle)).or_default() += &usage.all;
            }
        }
    }
    let used = sums.into_iter().filter(|(_, used)| !used.is_empty());
    let mut rows: Vec<UsageRow> = used
        .map(|((label, handle), used)| UsageRow {
            cost: known::cost(state, &used),
            label,
            handle,
            used,
        })
        .collect();
    match by {
        UsageBy::Day => rows.reverse(),
        UsageBy::Project | UsageBy::Model | UsageBy::Cli | UsageBy::Chat => rows.sort_by(|one, other| {
            let tokens = |row: &UsageRow| row.used.tokens().total();
            let by_cost = other.cost.known.total_cmp(&one.cost.known);
            by_cost.then_with(|| tokens(other).cmp(&tokens(one)))
        }),
    }
    rows
}

/// As the record says now; of a chat that is gone, as it was.
fn owner(state: &Domain, id: &ChatId, usage: &ChatUsage) -> UsageOwner {
    match state.disk.chats.get(id) {
        Some(chat) => known::owner(state, chat),
        None => usage.of.clone(),
    }
}

/// The sum over some rows.
pub fn sum(state: &Domain, rows: &[UsageRow]) -> (ByModel, Cost) {
    let mut used = ByModel::default();
    rows.iter().for_each(|row| used += &row.used);
    let cost = known::cost(state, &used);
    (used, cost)
}

/// The models among what was used that have no price.
pub fn unpriced<'u>(state: &Domain, used: &'u ByModel) -> Vec<&'u str> {
    let prices = &state.disk.settings.prices;
    let all = used
        .0
        .iter()
        .filter(|(model, spent)| !spent.untold.is_zero() && prices.of(model).is_none());
    all.map(|(model, _)| model.as_str()).collect()
}

/// A shell asks. While transcripts are being read, as after a start of the engine, it waits for its answer.
pub fn ask(state: &mut Domain, call: CallId, by: UsageBy, chat: Option<&str>) -> Result<Vec<Effect>, Problem> {
    let chat = chat.map(|chat| state.find(chat)).transpose()?;
    state.live.usage.askers.push(UsageAsker { call, by, chat });
    Ok(answer_all(state))
}

/// Answers who asked, once nothing is being read.
pub fn answer_all(state: &mut Domain) -> Vec<Effect> {
    if !state.live.usage.reading.is_empty() {
        return Vec::new();
    }
    let askers = std::mem::take(&mut state.live.usage.askers);
    askers.into_iter().map(|asker| answer(state, &asker)).collect()
}

fn answer(state: &Domain, asker: &UsageAsker) -> Effect {
    let UsageAsker { call, by, ref chat } = *asker;
    let rows = rows(state, by, chat.as_ref());
    let (all, cost) = sum(state, &rows);
    let row = |row: &UsageRow| {
        let mut told = told(row.used.tokens(), &row.cost);
        told[by.word()] = row.label.clone().into();
        if by == UsageBy::Chat {
            told["handle"] = row.handle.clone().into();
        }
        told
    };
    let budget = &state.disk.settings.limits.budget;
    let answer = json!({
        "by": by.word(),
        "rows": rows.iter().map(row).collect::<Vec<_>>(),
        "total": told(all.tokens(), &cost),
        "unpriced": unpriced(state, &all),
        "pricesDated": DATED,
        "unread": state.live.usage.unread.len(),
        "budget": (!budget.is_empty()).then_some(budget),
    });
    Effect::Reply(call, Ok(answer))
}

/// Without a price it is not 0, but unknown.
fn told(tokens: TokenCount, cost: &Cost) -> Value {
    let usd = match cost.priced {
        0 if cost.unpriced > 0 => Value::Null,
        _ => json!(cost.known),
    };
    let mut told = json!({"tokens": tokens, "usd": usd, "unpricedTokens": cost.unpriced, "cost": cost.words()});
    told["tokens"]["total"] = tokens.total().into();
    told
}
