//! What was used, as lines to read: of one chat in full, or of all by what they have in common.

use crate::domain::state::Domain;
use crate::domain::team::tree;
use crate::domain::usage::report::{self, UsageRow};
use crate::domain::usage::{self, state};
use crate::domain::{chat, usage::state::BudgetOf};
use crate::model::price::{self, Cost, DATED, dollars};
use crate::model::text::{one_line, visible};
use crate::model::usage::{ByModel, ChatUsage, TokenCount, UsageBy, UsageDetail, day_of, short};
use crate::model::{ChatId, Zone};

use super::wrap::wrap;

/// The newest prompts that are listed.
const MOST_PROMPTS: usize = 200;

/// A line of the page.
#[derive(Clone, Debug, PartialEq)]
pub enum UsageLine {
    Heading(String),
    /// A table's head or one of its rows: a label, then tokens by kind and in all, and the cost.
    Head(&'static str),
    Row(UsageCells),
    /// A name, what is said of it, and how full it is, of 100.
    Fact(&'static str, String, Option<u64>),
    Words(String),
    Gap,
}

impl UsageLine {
    /// Words in as many lines as they need, so that each is a row.
    pub fn wrapped(self, wide: usize) -> Vec<UsageLine> {
        match self {
            UsageLine::Words(words) => wrap(&visible(&words), wide).into_iter().map(UsageLine::Words).collect(),
            line @ (UsageLine::Heading(_)
            | UsageLine::Head(_)
            | UsageLine::Row(_)
            | UsageLine::Fact(..)
            | UsageLine::Gap) => vec![line],
        }
    }
}

/// Ready to be drawn; a narrow screen leaves some out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageCells {
    pub label: String,
    pub note: String,
    pub tokens: TokenCount,
    pub cost: String,
    /// It sums up the others.
    pub is_sum: bool,
}

fn cells(label: impl Into<String>, note: impl Into<String>, tokens: TokenCount, cost: &Cost) -> UsageCells {
    UsageCells {
        label: label.into(),
        note: note.into(),
        tokens,
        cost: cost.words(),
        is_sum: false,
    }
}

/// `18k tok · $0.03`: what is said of a chat in its header; nothing where nothing was used.
pub fn in_short(domain: &Domain, id: &ChatId) -> Option<String> {
    let used = &usage::of(domain, id)?.all;
    let cost = usage::cost(domain, used);
    Some(format!("{} tok · {}", short(used.tokens().total()), cost.words()))
}

/// One chat in full. What each prompt used comes in with the detail.
pub fn lines_of_chat(domain: &Domain, id: &ChatId, detail: Option<&UsageDetail>) -> Vec<UsageLine> {
    let known = domain.disk.chats.get(id);
    let name = known.map_or_else(|| id.to_string(), |known| chat::label(domain, known).to_string());
    let Some(used) = usage::of(domain, id) else {
        let words = match domain.live.usage.reading.contains_key(id) {
            true => "Its transcript is still being read.",
            false if domain.live.usage.unread.contains(id) => "Its transcript could not be read: see the log.",
            false => "Nothing was used yet, or its CLI does not tell.",
        };
        let mut lines = vec![UsageLine::Heading(name), UsageLine::Words(words.into())];
        lines.extend(tree_of(domain, id));
        return lines;
    };
    let cost = usage::cost(domain, &used.all);
    let tokens = used.all.tokens();
    let mut lines = vec![UsageLine::Heading(name)];
    let today = used.days.get(&day_of(domain.live.facts.zone, domain.now));
    let mut total = format!("{} tokens · {}", short(tokens.total()), cost.words());
    if let Some(today) = today.filter(|_| used.days.len() > 1) {
        total += &format!(" · today {}", usage::cost(domain, today).words());
    }
    lines.push(UsageLine::Fact("Total", total, None));
    lines.extend(context(used));
    lines.extend(cache(tokens));
    lines.extend(budgets(domain, id));
    lines.extend([UsageLine::Gap, UsageLine::Head("MODEL")]);
    for (model, spent) in &used.all.0 {
        let mut one = ByModel::default();
        one.add(model, *spent);
        let note = if spent.told > 0.0 { "as its CLI tells" } else { "" };
        lines.push(UsageLine::Row(cells(
            model,
            note,
            spent.tokens,
            &usage::cost(domain, &one),
        )));
    }
    lines.extend(unpriced(domain, &used.all));
    lines.extend(tree_of(domain, id));
    lines.extend(detail.into_iter().flat_map(|detail| sub_agents(domain, detail)));
    lines.extend(detail.into_iter().flat_map(|detail| prompts(domain, detail)));
    lines
}

fn context(used: &ChatUsage) -> Option<UsageLine> {
    let fill = used.context.as_ref()?;
    let window = fill.window.or_else(|| price::window(&fill.model));
    Some(match window {
        Some(window) => {
            let percent = fill
                .tokens
                .saturating_mul(100)
                .checked_div(window)
                .unwrap_or(0)
                .min(100);
            let words = format!("{} of {} tokens, {percent} %", short(fill.tokens), short(window));
            UsageLine::Fact("Context", words, Some(percent))
        }
        None => {
            let words = format!(
                "{} tokens; how many {} holds is not known",
                short(fill.tokens),
                fill.model
            );
            UsageLine::Fact("Context", words, None)
        }
    })
}

fn cache(tokens: TokenCount) -> Option<UsageLine> {
    let percent = tokens.cache_read.saturating_mul(100).checked_div(tokens.given())?;
    let words = format!(
        "{percent} % of what the model was given: {} read, {} written",
        short(tokens.cache_read),
        short(tokens.cache_write)
    );
    Some(UsageLine::Fact("Cache", words, Some(percent)))
}

/// The budgets that hold for a chat.
fn budgets(domain: &Domain, id: &ChatId) -> Vec<UsageLine> {
    let budget = &domain.disk.settings.limits.budget;
    if budget.is_empty() {
        return Vec::new();
    }
    let sums = &domain.live.usage;
    let root = state::root(&domain.disk.chats, id);
    let today = day_of(domain.live.facts.zone, domain.now);
    let all = [
        (
            "Budget, chat",
            BudgetOf::Chat(id.clone()),
            sums.chats.get(id).map(|usage| &usage.all),
        ),
        ("Budget, tree", BudgetOf::Tree(root.clone()), sums.trees.get(&root)),
        ("Budget, today", BudgetOf::Day(today.clone()), sums.days.get(&today)),
    ];
    let line = |(name, of, used): (&'static str, BudgetOf, Option<&ByModel>)| {
        let limit = budget.of(of.key())?;
        let spent = used.map_or(0.0, |used| usage::cost(domain, used).known);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share of what may be spent"
        )]
        let percent = (spent / limit * 100.0).clamp(0.0, 999.0) as u64;
        let words = format!("{} of {}, {percent} %", dollars(spent), dollars(limit));
        Some(UsageLine::Fact(name, words, Some(percent.min(100))))
    };
    all.into_iter().filter_map(line).collect()
}

/// What the chats below used, and the whole tree with them.
fn tree_of(domain: &Domain, id: &ChatId) -> Vec<UsageLine> {
    let below = tree::below(domain, id);
    let used = below
        .iter()
        .filter_map(|child| Some((child, &usage::of(domain, child)?.all)));
    let used: Vec<(&ChatId, &ByModel)> = used.collect();
    if used.is_empty() {
        return Vec::new();
    }
    let mut sum = usage::of(domain, id).map(|usage| usage.all.clone()).unwrap_or_default();
    let mut lines = vec![UsageLine::Gap, UsageLine::Head("CHAT BELOW")];
    for (child, of_child) in used {
        sum += of_child;
        let name = domain
            .disk
            .chats
            .get(child)
            .map_or("", |known| chat::label(domain, known));
        let cost = usage::cost(domain, of_child);
        lines.push(UsageLine::Row(cells(name, "", of_child.tokens(), &cost)));
    }
    let cost = usage::cost(domain, &sum);
    lines.push(UsageLine::Row(UsageCells {
        is_sum: true,
        ..cells("with this chat", "", sum.tokens(), &cost)
    }));
    lines
}

fn sub_agents(domain: &Domain, detail: &UsageDetail) -> Vec<UsageLine> {
    let rows = detail.at_work().map(|(id, one)| {
        let label = if one.name.is_empty() { id } else { &one.name };
        let cost = usage::cost(domain, &one.used);
        UsageLine::Row(cells(label, "in the sums above", one.used.tokens(), &cost))
    });
    let rows: Vec<UsageLine> = rows.collect();
    match rows.is_empty() {
        true => Vec::new(),
        false => [UsageLine::Gap, UsageLine::Head("SUB-AGENT")]
            .into_iter()
            .chain(rows)
            .collect(),
    }
}

/// The newest first.
fn prompts(domain: &Domain, detail: &UsageDetail) -> Vec<UsageLine> {
    let used = |used: &ByModel| (used.tokens(), usage::cost(domain, used));
    let zone = domain.live.facts.zone;
    let newest = detail.prompts.iter().rev();
    let rows = newest.take(MOST_PROMPTS).map(|prompt| {
        let (tokens, cost) = used(&prompt.used);
        let time = moment(zone, prompt.at, domain.now);
        UsageLine::Row(cells(one_line(&prompt.text, 80), time, tokens, &cost))
    });
    let mut lines: Vec<UsageLine> = rows.collect();
    if !detail.before.is_empty() {
        let (tokens, cost) = used(&detail.before);
        lines.push(UsageLine::Row(cells("before the first prompt", "", tokens, &cost)));
    }
    let hidden = detail.prompts.len().saturating_sub(MOST_PROMPTS);
    if hidden > 0 {
        lines.push(UsageLine::Words(format!("and {hidden} earlier prompts")));
    }
    match lines.is_empty() {
        true => lines,
        false => [UsageLine::Gap, UsageLine::Head("PROMPT")]
            .into_iter()
            .chain(lines)
            .collect(),
    }
}

/// The time; of another day with the day.
fn moment(zone: Zone, at: crate::model::Timestamp, now: crate::model::Timestamp) -> String {
    let wall = zone.wall(at);
    match day_of(zone, at) == day_of(zone, now) {
        true => wall.format("%H:%M").to_string(),
        false => wall.format("%b %-d %H:%M").to_string(),
    }
}

fn unpriced(domain: &Domain, used: &ByModel) -> Option<UsageLine> {
    let models = report::unpriced(domain, used);
    let first = models.first()?;
    let words = format!(
        "Price unknown: {}. Set prices.\"{first}\" in config.json.",
        models.join(", ")
    );
    Some(UsageLine::Words(words))
}

/// All chats, by what they have in common.
pub fn lines_of_rows(domain: &Domain, by: UsageBy, rows: &[UsageRow]) -> Vec<UsageLine> {
    let sums = &domain.live.usage;
    let (all, cost) = report::sum(domain, rows);
    let mut lines = Vec::new();
    if !sums.reading.is_empty() {
        lines.push(UsageLine::Words(
            "Transcripts are still being read; the sums grow.".into(),
        ));
    }
    if rows.is_empty() {
        lines.push(UsageLine::Words("Nothing was used yet.".into()));
        return lines;
    }
    lines.push(UsageLine::Head(match by {
        UsageBy::Day => "DAY",
        UsageBy::Project => "PROJECT",
        UsageBy::Model => "MODEL",
        UsageBy::Cli => "AGENT CLI",
        UsageBy::Chat => "CHAT",
    }));
    let today = day_of(domain.live.facts.zone, domain.now);
    for row in rows {
        let note = match by {
            UsageBy::Day if row.label == today => "today",
            UsageBy::Chat if row.handle.is_none() => "deleted",
            UsageBy::Day | UsageBy::Chat | UsageBy::Project | UsageBy::Model | UsageBy::Cli => "",
        };
        lines.push(UsageLine::Row(cells(&row.label, note, row.used.tokens(), &row.cost)));
    }
    lines.push(UsageLine::Row(UsageCells {
        is_sum: true,
        ..cells("Total", "", all.tokens(), &cost)
    }));
    lines.push(UsageLine::Gap);
    lines.extend(unpriced(domain, &all));
    if let Some(limit) = domain.disk.settings.limits.budget.day {
        let spent = sums
            .days
            .get(&today)
            .map_or(0.0, |used| usage::cost(domain, used).known);
        let words = format!("Today's budget: {} of {}.", dollars(spent), dollars(limit));
        lines.push(UsageLine::Words(words));
    }
    if !sums.unread.is_empty() {
        let words = format!(
            "{} transcripts could not be read and are not in these sums.",
            sums.unread.len()
        );
        lines.push(UsageLine::Words(words));
    }
    lines.push(UsageLine::Words(format!(
        "Costs are estimates by list prices of {DATED}, or those under prices in config.json."
    )));
    lines
}
