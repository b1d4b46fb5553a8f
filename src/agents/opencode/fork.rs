//! A conversation taken into another directory. The CLI's own fork stays in that of the original, but what it exports can
//! be imported anywhere: under ids of its own, since it keeps all sessions of a person in one place.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use uuid::Uuid;

use super::config::QUIET;
use crate::agents::adapter::Env;
use crate::agents::{Fork, LaunchContext, Parent, cut, environment, program};
use crate::fs::Dir;
use crate::model::{EarlierPrompt, Problem, ProblemKind, ResultExt};

/// In the record of a duplicate: the conversation of the chat it was made of, under new ids.
const FORKED: &str = "forked.json";

/// While a session is made that ends before an earlier prompt: what it says.
const EARLIER: &str = "earlier.json";

const DOING: &str = "copying the conversation";

/// A longer one is not taken along.
const LONGEST: u64 = 256 << 20;

/// The CLI takes seconds to start, half a minute on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// Ids begin with their time, by which they are sorted; the rest is by chance.
const KINDS: [&str; 3] = ["ses_", "msg_", "prt_"];
const LENGTH: usize = 30;
const CHANCE: usize = 14;

/// Writes what was said into the duplicate's record.
pub(super) fn export(parent: &Parent) -> Result<Fork, Problem> {
    if parent.session.is_empty() {
        return Ok(Fork::Empty);
    }
    let mut said = said(parent)?;
    if said["messages"].as_array().is_none_or(Vec::is_empty) {
        return Ok(Fork::Empty);
    }
    rename(&mut said, &mut HashMap::new());
    let into = Dir::open(parent.into).doing(DOING)?;
    let session = said["info"]["id"].as_str().filter(|_| parent.before.is_some());
    let Some(session) = session else {
        into.write_atomic(FORKED, said.to_string()).doing(DOING)?;
        return Ok(Fork::Ready);
    };
    // One of them is in the database from here on, whether or not it is ever gone on with.
    into.write_atomic(EARLIER, said.to_string()).doing(DOING)?;
    let file = parent.into.join(EARLIER);
    let words = ["import", &file.to_string_lossy()];
    run(&words, parent.env, parent.dir, Stdio::null()).doing(DOING)?;
    into.remove_file(EARLIER).doing(DOING)?;
    // What it was to begin with once is not what it goes on with.
    into.remove_file(FORKED).doing(DOING)?;
    Ok(Fork::Session(session.into()))
}

/// Looks for the prompt.
pub(super) fn find(parent: &Parent) -> Result<(), Problem> {
    if parent.session.is_empty() {
        return Ok(());
    }
    let found = said(parent).map(drop);
    Dir::open(parent.into).doing(DOING)?.remove_file(EARLIER).doing(DOING)?;
    found
}

/// The conversation, up to the prompt that it is to end before.
fn said(parent: &Parent) -> Result<Value, Problem> {
    // A duplicate that has not begun yet has no more than what it is to begin with.
    let text = match kept(parent.record).filter(|kept| kept["info"]["id"] != parent.session) {
        Some(kept) => kept.to_string(),
        None => exported(parent).doing(DOING)?,
    };
    let mut said: Value = serde_json::from_str(&text).doing(DOING)?;
    if let Some(before) = parent.before {
        end_before(&mut said, before)?;
    }
    Ok(said)
}

/// Leaves out a prompt and all behind it. What was copied before has ids of its own, that begin with the same time.
fn end_before(said: &mut Value, before: &EarlierPrompt) -> Result<(), Problem> {
    let Some(messages) = said["messages"].as_array_mut() else {
        return Ok(());
    };
    let time = |id: &str| id.get(..LENGTH - CHANCE).unwrap_or(id).to_owned();
    let mut prompts = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        let parts = message["parts"].as_array().map_or(&[][..], Vec::as_slice);
        let is_own = |part: &&Value| part["type"] == "text" && part["synthetic"] != true && part["ignored"] != true;
        let text = parts.iter().find(is_own).and_then(|part| part["text"].as_str());
        if let Some(text) = text.filter(|_| message["info"]["role"] == "user") {
            let id = message["info"]["id"].as_str().unwrap_or_default();
            prompts.push((at, time(id), text.to_owned()));
        }
    }
    let meant = EarlierPrompt {
        id: time(&before.id),
        ..before.clone()
    };
    let place = cut::place_of(prompts.iter().map(|(_, id, text)| (&**id, &**text)), &meant)?;
    messages.truncate(prompts[place].0);
    Ok(())
}

/// It prints into a file: of what is longer than a pipe holds it leaves out the end.
fn exported(parent: &Parent) -> anyhow::Result<String> {
    let into = Dir::open(parent.into)?;
    let name = if parent.before.is_some() { EARLIER } else { FORKED };
    into.write_atomic(name, "")?;
    let out = into.update(name)?;
    run(&["export", parent.session], parent.env, parent.into, out.into())?;
    let said = into.read(name, LONGEST)?.unwrap_or_default();
    Ok(String::from_utf8(said)?)
}

/// Has the CLI take up what stands in the duplicate's record, and says under which id. Done twice, it changes nothing.
pub(super) fn import(context: &LaunchContext) -> Result<Option<String>, Problem> {
    let Some(kept) = context.chat.origin.forked.as_ref().and_then(|_| kept(context.record)) else {
        return Ok(None);
    };
    let file = context.record.join(FORKED);
    let words = ["import", &file.to_string_lossy()];
    run(&words, context.env, context.dir, Stdio::null()).map_err(|error| {
        let hint = "resume it to try again";
        Problem::of("taking up the conversation of the original", &error)
            .of_kind(ProblemKind::Fault)
            .hinted(hint)
    })?;
    Ok(kept["info"]["id"].as_str().map(String::from))
}

fn kept(record: &Path) -> Option<Value> {
    let bytes = Dir::open(record).ok()?.read(FORKED, LONGEST).ok()??;
    serde_json::from_slice(&bytes).ok()
}

/// Gives everything an id of its own, the same for the same.
fn rename(value: &mut Value, names: &mut HashMap<String, String>) {
    match value {
        Value::String(text) if is_id(text) => {
            let named = names.entry(text.clone()).or_insert_with(|| {
                let chance = Uuid::new_v4().simple().to_string();
                format!("{}{}", &text[..LENGTH - CHANCE], &chance[..CHANCE])
            });
            text.clone_from(named);
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, names)),
        Value::Object(fields) => fields.values_mut().for_each(|field| rename(field, names)),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn is_id(text: &str) -> bool {
    let rest = KINDS.iter().find_map(|kind| text.strip_prefix(kind));
    text.len() == LENGTH && rest.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// With no plugin and no configuration but the person's own: no agent has a say in what runs here.
fn run(words: &[&str], env: &Env, dir: &Path, out: Stdio) -> anyhow::Result<()> {
    let search_path = env.get("PATH").map_or("", String::as_str);
    let program = program::on_path("opencode", search_path.as_ref());
    let program = program.ok_or_else(|| anyhow::anyhow!("there is no `opencode` on your PATH"))?;
    let mut command = Command::new(program);
    command.args(words).arg("--pure").current_dir(dir);
    command.env_clear().envs(environment::scrubbed(env));
    command
        .envs(QUIET.iter().map(|name| (name, "1")))
        .env("OPENCODE_DISABLE_PROJECT_CONFIG", "1");
    anyhow::ensure!(
        program::ends_well(command, out, PATIENCE)?,
        "`opencode {}` did not do it",
        words[0]
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn everything_gets_an_id_of_its_own_that_sorts_as_before() {
        let mut said = json!({
            "info": {"id": "ses_dff253144ffepJD1HC5u3zFl7l", "title": "ses_of words"},
            "messages": [{"id": "msg_200dad420001VIfMgqwg6111uL", "sessionID": "ses_dff253144ffepJD1HC5u3zFl7l"}],
        });
        rename(&mut said, &mut HashMap::new());
        let (session, message) = (
            said["info"]["id"].as_str().unwrap(),
            said["messages"][0]["id"].as_str().unwrap(),
        );
        assert!(session.starts_with("ses_dff253144ffe") && session.len() == LENGTH);
        assert!(message.starts_with("msg_200dad420001") && message != "msg_200dad420001VIfMgqwg6111uL");
        assert_eq!(said["messages"][0]["sessionID"], session);
        assert_ne!(session, "ses_dff253144ffepJD1HC5u3zFl7l");
        assert_eq!(said["info"]["title"], "ses_of words");
    }

    #[test]
    fn a_session_ends_before_a_prompt_also_where_a_copy_gave_it_another_id() {
        let message = |id: &str, role: &str, part: Value| json!({"info": {"id": id, "role": role}, "parts": [part]});
        let text = |text: &str| json!({"type": "text", "text": text});
        let said = json!({"info": {"id": "ses_dff253144ffepJD1HC5u3zFl7l"}, "messages": [
            message("msg_200dad420001VIfMgqwg6111uL", "user", text("say a")),
            message("msg_200dad430001VIfMgqwg6111uL", "assistant", json!({"type": "tool", "tool": "bash"})),
            message("msg_200dad440001VIfMgqwg6111uL", "user", json!({"type": "text", "text": "note", "synthetic": true})),
            message("msg_200dad450001VIfMgqwg6111uL", "user", text("say b")),
            message("msg_200dad460001VIfMgqwg6111uL", "assistant", text("b")),
        ]});
        let ends = |id: &str, text: &str, nth: usize| {
            let mut said = said.clone();
            let before = EarlierPrompt {
                id: id.into(),
                text: text.into(),
                nth,
                session: None,
            };
            end_before(&mut said, &before).map(|()| said["messages"].as_array().map_or(0, Vec::len))
        };
        assert_eq!(ends("msg_200dad450001VIfMgqwg6111uL", "say b", 1), Ok(3));
        assert_eq!(ends("msg_200dad450001aaaaaaaaaaaaaa", "say b", 7), Ok(3));
        assert_eq!(ends("typed-1", "say b", 1), Ok(3));
        assert_eq!(ends("typed-1", "say a", 0), Ok(0));
        assert!(ends("typed-1", "say c", 1).is_err());
    }
}
