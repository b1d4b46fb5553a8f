//! The prompt templates of a chat, and prompts made of them.

use std::path::Path;

use super::context::WorkContext;
use super::loading::loading;
use super::review;
use crate::config;
use crate::domain::work::{ReadDone, ReviewDone};
use crate::model::review::{DiffAsk, DiffSet};
use crate::model::template::{PromptTemplate, TemplateAsk, TemplatePrompt, TemplateValues};
use crate::model::text::visible;
use crate::model::{Chat, ChatId, Problem, Project};

/// Bytes of a diff in a prompt: more would push everything else out of an agent's context.
const LONGEST_DIFF: usize = 128 << 10;

pub fn carry_out(
    context: &WorkContext,
    id: &ChatId,
    ask: TemplateAsk,
    person: Option<&Path>,
    date: String,
) -> Result<ReadDone, Problem> {
    let chat = context.services.home.load(id).map_err(|error| loading(id, error))?;
    let all = all(context, &chat, person);
    match ask {
        TemplateAsk::List => Ok(ReadDone::Templates(all)),
        TemplateAsk::Fill { name, arguments } => {
            let filled = fill(context, id, (&name, &arguments), person, date)?;
            Ok(ReadDone::Filled(filled))
        }
    }
}

/// A prompt made of a template.
pub fn fill(
    context: &WorkContext,
    id: &ChatId,
    (name, arguments): (&str, &[String]),
    person: Option<&Path>,
    date: String,
) -> Result<TemplatePrompt, Problem> {
    let chat = context.services.home.load(id).map_err(|error| loading(id, error))?;
    let template = config::command(name, all(context, &chat, person))?;
    if let Some(missing) = template.missing(arguments) {
        let doing = format!("using the template {}", visible(&template.name));
        let hint = "say it behind the template's name; '' leaves it empty";
        return Err(Problem::new(doing, missing.words(), hint));
    }
    let values = TemplateValues {
        project: joined(&chat, |project| Some(project.name.clone())),
        branch: joined(&chat, |project| project.branch.clone()),
        diff: match template.names("diff") {
            true => diff(context, id)?,
            false => String::new(),
        },
        date,
    };
    Ok(template.prompt(arguments, &values))
}

/// All that can be used in a chat.
pub fn all(context: &WorkContext, chat: &Chat, person: Option<&Path>) -> Vec<PromptTemplate> {
    let projects: Vec<&Path> = chat.projects.iter().map(|project| project.path.as_path()).collect();
    config::commands(&projects, Some(context.services.home.dir()), person)
}

/// What is said of each project; a chat without any says that it has none.
fn joined(chat: &Chat, of: impl Fn(&Project) -> Option<String>) -> String {
    let said: Vec<String> = chat.projects.iter().filter_map(of).collect();
    match said.is_empty() {
        true => "(no project)".into(),
        false => said.join(", "),
    }
}

/// What is not committed in the chat's clones, as a fenced block; a long one is cut, and that is said.
pub fn diff(context: &WorkContext, id: &ChatId) -> Result<String, Problem> {
    let ask = DiffAsk {
        set: DiffSet::Uncommitted,
        project: None,
        lines: true,
    };
    let ReviewDone::Compared(changes, _) = review::diff(context, id, &ask)? else {
        return Err(Problem::fault("using a template", "nothing was compared"));
    };
    let mut patch: String = changes.into_iter().map(|clone| clone.patch.text).collect();
    if patch.trim().is_empty() {
        return Ok("(no uncommitted changes)".into());
    }
    let whole = patch.len();
    let mut cut = String::new();
    if whole > LONGEST_DIFF {
        let end = patch.floor_char_boundary(LONGEST_DIFF);
        patch.truncate(patch[..end].rfind('\n').unwrap_or(end));
        cut = format!(
            "\n(cut: {} of {} KB; `git diff` shows all)",
            patch.len() >> 10,
            whole >> 10
        );
    }
    // A diff of Markdown may hold fences.
    let fence = "`".repeat(longest_fence(&patch).max(2) + 1);
    Ok(format!("{fence}diff\n{}\n{fence}{cut}", patch.trim_end()))
}

fn longest_fence(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or(0)
}
