//! Whether a budget that is used up keeps prompts from a chat.

use crate::domain::state::Domain;
use crate::model::usage::day_of;
use crate::model::{ChatId, Problem};

use super::state::{BudgetLevel, BudgetOf, root};

/// Which budget keeps prompts from a chat now.
pub fn stopped(state: &Domain, chat: &ChatId) -> Option<BudgetOf> {
    let tree = root(&state.disk.chats, chat);
    spent(state, [BudgetOf::Chat(chat.clone()), BudgetOf::Tree(tree)])
}

/// Which budget keeps a first prompt from a chat that is still to be made, below this one if there is one.
pub fn stopped_below(state: &Domain, parent: Option<&ChatId>) -> Option<BudgetOf> {
    let tree = parent.map(|parent| BudgetOf::Tree(root(&state.disk.chats, parent)));
    spent(state, tree)
}

/// Of these, or of the day.
fn spent(state: &Domain, of: impl IntoIterator<Item = BudgetOf>) -> Option<BudgetOf> {
    let (levels, settings) = (&state.live.usage.levels, &state.disk.settings);
    if levels.is_empty() || !settings.limits.budget.stop {
        return None;
    }
    let today = BudgetOf::Day(day_of(state.live.facts.zone, state.now));
    let mut all = of.into_iter().chain([today]);
    all.find(|of| levels.get(of) == Some(&BudgetLevel::Spent))
}

/// Why a prompt is not taken in now: a budget is used up.
pub fn refusal(state: &Domain, chat: &ChatId, doing: &str) -> Option<Problem> {
    refused_by(state, &stopped(state, chat)?, doing)
}

/// Why a chat with a first prompt is not made now.
pub fn refusal_below(state: &Domain, parent: Option<&ChatId>, doing: &str) -> Option<Problem> {
    refused_by(state, &stopped_below(state, parent)?, doing)
}

fn refused_by(state: &Domain, of: &BudgetOf, doing: &str) -> Option<Problem> {
    let most = state.disk.settings.limits.budget.of(of.key())?;
    let cause = format!("{} is used up", of.words());
    Some(Problem::over_budget(
        doing,
        cause,
        &format!("budget.{}", of.key()),
        most,
    ))
}
