//! Tells whoever asks in a shell what waits for a person, once it is known what that would change in files.

use serde_json::Value;

use crate::domain::agent::cwd;
use crate::domain::call;
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::reply;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{ApprovalThen, ApprovalWork, WantedQuestions};
use crate::model::{ChatId, Problem};
use crate::permission::{AskedCall, Case};

use super::queue::{Asked, queue};
use super::told::{self, InFiles};
use super::{judging, local_call, naming};

/// Answers with them, once it is known what they would change in files.
pub fn tell(state: &mut Domain, wanted: WantedQuestions, requester: Requester) -> Result<Vec<Effect>, Problem> {
    let first = answer(state, &wanted, &InFiles::new())?;
    let mut cases: Vec<((ChatId, String), Case)> = Vec::new();
    for waits in queue(state) {
        let (tool, input) = match &waits.what {
            Asked::Call(question) | Asked::CallThere(question) => (&question.tool, &question.input),
            Asked::OpenCall { call, .. } => (&call.name, &call.given),
            Asked::Clipboard(_) | Asked::Setup { .. } | Asked::There(_) | Asked::HeldPrompt(_) => continue,
        };
        if call::written_whole(tool, input).or(call::replaced_in(input)).is_some() {
            let at = (waits.chat.clone(), waits.id().to_string());
            let case = written(state, &at, tool, input);
            cases.push((at, case));
        }
    }
    if cases.is_empty() {
        return Ok(reply::answer(state, requester, Ok(first)));
    }
    let (of, cases) = cases.into_iter().unzip();
    let then = ApprovalThen::Told(wanted, of);
    Ok(chat::work(state, requester, then, ApprovalWork::InFiles(cases)))
}

fn written(state: &Domain, (chat, id): &(ChatId, String), tool: &str, input: &Value) -> Case {
    let at = match local_call::is_asked(state, chat, id) {
        true => None,
        false => cwd::of_calls(state, chat).map(Into::into),
    };
    let asked = AskedCall {
        tool: tool.into(),
        input: input.clone(),
        at,
        by_cli: true,
    };
    judging::case(state, chat, vec![asked])
}

pub(super) fn answer(state: &Domain, wanted: &WantedQuestions, files: &InFiles) -> Result<Value, Problem> {
    match wanted {
        WantedQuestions::All(of) => Ok(told::all(state, of.as_deref(), files)),
        WantedQuestions::Meant(name) => naming::meant(state, name.as_deref(), files),
    }
}
