//! Keeps what is in the clones of a chat.
//!
//! Nobody else saves or restores the clones meanwhile, and what changes a clone takes a checkpoint first.

mod clones;
mod commit;
mod draft;
mod pull;
mod radar;
mod rebase;
mod send;

use crate::domain::work::{KeepDone, KeepWork};
use crate::model::Problem;
use crate::model::keep::KeepAsk;

use super::context::WorkContext;

pub fn carry_out(context: &WorkContext, work: KeepWork) -> Result<KeepDone, Problem> {
    let (chat, project, ask) = match work {
        KeepWork::InClones { chat, project, ask } => (chat, project, ask),
        KeepWork::Radar(scope, clones) => return radar::radar(context, &scope, clones),
        KeepWork::SeePulls(chat) => return pull::see(context, &chat),
        KeepWork::Draft(chat) => return draft::draft(context, &chat),
    };
    match ask {
        KeepAsk::Commit(how) => commit::commit(context, (&chat, project.as_deref()), &how),
        KeepAsk::Push { force_with_lease, .. } => send::push(context, (&chat, project.as_deref()), force_with_lease),
        KeepAsk::Home { checkout, name } => {
            let name = name.as_deref();
            send::bring_home(context, (&chat, project.as_deref()), (name, checkout))
        }
        KeepAsk::Rebase {
            upstream,
            keep_conflicts,
        } => rebase::rebase(context, (&chat, project.as_deref()), (upstream, keep_conflicts)),
        KeepAsk::End { way } => rebase::end(context, (&chat, project.as_deref()), way),
        KeepAsk::OpenPull(wish) => pull::open(context, (&chat, project.as_deref()), &wish),
        KeepAsk::PullStatus => pull::status(context, (&chat, project.as_deref())),
    }
}
