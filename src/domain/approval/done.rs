//! The call of an agent was judged, or done for it, or a rule allows it from now on.

use serde_json::json;

use crate::domain::disk;
use crate::domain::effect::Effect;
use crate::domain::notice::{Done, NotedNews};
use crate::domain::reply;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{ApprovalDone, ApprovalThen, ForeignResult, SettingNews, ShownContent};
use crate::model::{ChatId, Problem, Settings, WorkId};
use crate::permission::Ruling;

use super::question::Decision;
use super::{always, decide, judging, listing, local_call};

pub fn done(
    state: &mut Domain,
    work: WorkId,
    requester: Requester,
    then: ApprovalThen,
    done: ApprovalDone,
) -> Result<Vec<Effect>, ForeignResult> {
    match (then, done) {
        (ApprovalThen::Judged(chat), ApprovalDone::Judged(rulings)) => Ok(judging::judged(state, &chat, work, rulings)),
        (ApprovalThen::JudgedAnew(chat, id), ApprovalDone::Judged(rulings)) => {
            let ruling = rulings.into_iter().next().unwrap_or(Ruling::NoOpinion);
            Ok(always::judged_anew(state, &chat, &id, &ruling))
        }
        (ApprovalThen::LocalCall, ApprovalDone::LocalCall(done)) => Ok(local_call::done(state, work, done)),
        (ApprovalThen::Tried, ApprovalDone::Judged(rulings)) => {
            let ruling = rulings.into_iter().next().unwrap_or(Ruling::NoOpinion);
            reply::show(
                state,
                requester,
                Done::Shown(ShownContent::Settings(SettingNews::Verdict(ruling))),
            );
            Ok(Vec::new())
        }
        (ApprovalThen::Suggested, ApprovalDone::Suggested(found)) => {
            let answer = json!({"rules": found.rules.rules});
            reply::show(state, requester, Done::Rules(found));
            Ok(reply::answer(state, requester, Ok(answer)))
        }
        (ApprovalThen::Told(wanted, of), ApprovalDone::InFiles(notes)) => {
            let files = of.into_iter().zip(notes).collect();
            let answer = listing::answer(state, &wanted, &files);
            Ok(reply::answer(state, requester, answer))
        }
        (ApprovalThen::AllowedAlways(chat, id), ApprovalDone::AllowedAlways(rule, settings)) => {
            Ok(allowed(state, requester, (&chat, &id), rule, *settings))
        }
        (
            ApprovalThen::Judged(_)
            | ApprovalThen::JudgedAnew(..)
            | ApprovalThen::LocalCall
            | ApprovalThen::Suggested
            | ApprovalThen::Told(..)
            | ApprovalThen::Tried
            | ApprovalThen::AllowedAlways(..),
            _,
        ) => Err(ForeignResult),
    }
}

pub fn failed(
    state: &mut Domain,
    work: WorkId,
    requester: Requester,
    then: ApprovalThen,
    problem: Problem,
) -> Vec<Effect> {
    match then {
        ApprovalThen::Judged(chat) => judging::judged(state, &chat, work, Vec::new()),
        ApprovalThen::LocalCall => local_call::failed(state, work, problem),
        // It is asked still.
        ApprovalThen::JudgedAnew(..) => Vec::new(),
        ApprovalThen::Suggested | ApprovalThen::Told(..) | ApprovalThen::Tried | ApprovalThen::AllowedAlways(..) => {
            reply::answer(state, requester, Err(problem))
        }
    }
}

/// The rule is in force, and what was asked is answered with it. It may have been answered meanwhile.
fn allowed(
    state: &mut Domain,
    requester: Requester,
    (chat, id): (&ChatId, &str),
    rule: String,
    settings: Settings,
) -> Vec<Effect> {
    let mut effects = disk::settings_read(state, settings);
    let answer = |given: bool| json!({"given": given, "setup": false, "rule": rule});
    let given = decide(state, chat, id, Decision::Allow, "", (requester, |_| answer(true)));
    effects.extend(given.unwrap_or_else(|_| reply::answer(state, requester, Ok(answer(false)))));
    reply::show(state, requester, Done::Noted(NotedNews::AllowedAlways(rule)));
    effects
}
