//! The login of a chat's CLI, which a person goes through.

use std::path::PathBuf;

use crate::agents::{self, Env};
use crate::domain::event::{Outcome, Size};
use crate::domain::work::ScriptDone;
use crate::model::script::ScriptEnd;
use crate::model::{ChatId, Problem, WorkId};

use super::auxiliary;
use super::context::WorkContext;
use super::guard;
use super::loading::loading;

const DOING: &str = "logging in";

/// Runs it to its end, in the person's own home: nothing of the chat has to do with it.
pub fn log_in(
    context: &WorkContext,
    number: WorkId,
    id: &ChatId,
    (env, size): (&Env, Size),
) -> Result<Outcome, Problem> {
    let services = &context.services;
    let chat = services.home.load(id).map_err(|error| loading(id, error))?;
    let llm = &chat.record.llm;
    let found = agents::find(llm, &services.settings());
    let path = env.get("PATH").map_or("", String::as_str);
    let login = found.and_then(|adapter| Some((adapter.login_arguments()?, adapter)));
    let Some((arguments, adapter)) = login else {
        let cause = format!("{llm} has no login of its own that parlour knows");
        return Err(Problem::new(
            DOING,
            cause,
            "log in by its own means, then restart the agent",
        ));
    };
    let Some(program) = adapter.program(path.as_ref())? else {
        let cause = format!("{llm} is no program of its own");
        return Err(Problem::new(DOING, cause, "it needs no login"));
    };
    let home = env.get("HOME").map_or_else(guard::person_home, PathBuf::from);
    let arguments = arguments.iter().map(Into::into).collect();
    let beside = auxiliary::Beside {
        number,
        spec: auxiliary::of_person(&context.services.home, (program, arguments), env, home),
        size,
        tap: None,
    };
    let how = auxiliary::run(context, beside, &mut |_| {})?;
    Ok(Outcome::Script(ScriptDone::Ended(ScriptEnd { how, last: Vec::new() })))
}
