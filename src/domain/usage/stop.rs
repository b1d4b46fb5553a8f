//! Whether a budget that is used up keeps prompts from a chat.

use crate::domain::state::Domain;
use crate::model::usage::day_of;
use crate::model::{ChatId, Problem};

use super::state::{BudgetLevel, BudgetOf, root};

/// Which budget keeps prompts from a chat now.
pub fn stopped(state: &Domain, chat: &ChatId) -> Option<BudgetOf> {
    let (levels, settings) = (&state.live.usage.levels, &state.disk.settings);
    if levels.is_empty() || !settings.limits.budget.stop {
        return None;
    }
    let today = day_of(state.live.facts.zone, state.now);
    let tree = root(&state.disk.chats, chat);
    let all = [BudgetOf::Chat(chat.clone()), BudgetOf::Tree(tree), BudgetOf::Day(today)];
    all.into_iter().find(|of| levels.get(of) == Some(&BudgetLevel::Spent))
}

/// Why a prompt is not taken in now: a budget is used up.
pub fn refusal(state: &Domain, chat: &ChatId, doing: &str) -> Option<Problem> {
    let of = stopped(state, chat)?;
    let most = state.disk.settings.limits.budget.of(of.key())?;
    let cause = format!("{} is used up", of.words());
    Some(Problem::over_budget(
        doing,
        cause,
        &format!("budget.{}", of.key()),
        most,
    ))
}
