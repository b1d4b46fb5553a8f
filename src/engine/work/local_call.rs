//! What agents without tools of their own ask for, done in one directory of their chat: files by handles that follow no
//! link out of it, commands below a supervisor that the kernel holds in.

mod files;
mod shell;
mod unable;

use crate::agents::Env;
use crate::domain::event::Outcome;
use crate::domain::work::ApprovalDone;
use crate::fs::Dir;
use crate::model::local_call::{Done, LocalJob, ReadFile, Root, ShellCommand, WriteFile};
use crate::model::{ChatId, LocalCall, Problem, WorkId, patch};

use super::super::services::Services;
use super::context::WorkContext;
use unable::Unable;

/// What could not be done is an answer, too: its call is told of it.
pub fn carry_out(
    context: &WorkContext,
    number: WorkId,
    id: &ChatId,
    local_job: &LocalJob,
    env: &Env,
) -> Result<Outcome, Problem> {
    let problem = |why: Unable| why.problem(local_job.local_call.tool());
    let root = open(&context.services, id, &local_job.root).map_err(problem)?;
    let first = local_job.below.first().cloned().unwrap_or_default();
    let done = match &local_job.local_call {
        LocalCall::Read(ReadFile { offset, limit, .. }) => files::read(&root, &first, *offset, *limit),
        LocalCall::Write(WriteFile { content, .. }) => files::write(&root, &first, content),
        LocalCall::Patch { patch, .. } => {
            let changes = patch::parse(patch).map_err(Unable::from);
            changes.and_then(|changes| files::patch(&root, &changes, &local_job.below))
        }
        LocalCall::Shell(ShellCommand { command, seconds, .. }) => {
            let run = shell::ShellRun {
                number,
                root: &root,
                mode: local_job.mode,
                below: &first,
                command,
                seconds: *seconds,
                env,
            };
            shell::run(context, id, run)
        }
    };
    let done = done.unwrap_or_else(|why| {
        let problem = problem(why);
        Done {
            output: problem.to_string(),
            answer: Err(problem),
            failed: true,
        }
    });
    Ok(Outcome::Approval(ApprovalDone::LocalCall(done)))
}

/// What lies in the chat's directory is its agent's to replace, and so is reached without following a link.
fn open(services: &Services, id: &ChatId, root: &Root) -> Result<Dir, Unable> {
    Ok(match root {
        Root::Chat => services.home.chat_dir(id)?,
        Root::Clone(name) => services.projects_dir(id)?.dir(name)?,
        Root::Link(_, path) => Dir::open_unlinked(path)?,
    })
}
