//! What a worker finds out for a prompt that a person writes.

use std::path::Path;
use std::sync::Arc;

use ignore::WalkBuilder;

use super::context::WorkContext;
use super::loading::loading;
use super::{dispatch, templates};
use crate::domain::work::ShownContent;
use crate::model::compose::{ComposerAsk, ComposerNews, PromptAttachment, attached, attachments, typed};
use crate::model::text::visible;
use crate::model::{Chat, ChatId, Problem};
use crate::screen::filter::ranked;

/// Prompts that a person goes back to.
const PROMPTS: usize = 100;
/// Files that are looked among.
const FILES: usize = 50_000;
/// Those that are shown.
const SHOWN: usize = 20;
pub fn carry_out(context: &WorkContext, id: &ChatId, ask: ComposerAsk) -> Result<ShownContent, Problem> {
    let home = &context.services.home;
    let news = match ask {
        ComposerAsk::Prompts => {
            let prompts = home.prompts(id, PROMPTS).map_err(|error| loading(id, error))?;
            // What they name is put below them again, as it is then.
            let mut typed: Vec<String> = prompts.iter().map(|prompt| typed(prompt).to_owned()).collect();
            typed.dedup();
            ComposerNews::Prompts(typed)
        }
        ComposerAsk::Templates(person) => {
            let chat = home.load(id).map_err(|error| loading(id, error))?;
            ComposerNews::Templates(templates::all(context, &chat, person.as_deref()))
        }
        ComposerAsk::Fill {
            name,
            arguments,
            person,
            date,
        } => ComposerNews::Filled(templates::fill(
            context,
            id,
            (&name, &arguments),
            person.as_deref(),
            date,
        )?),
        ComposerAsk::Files(wanted) => {
            let found = files(context, id, &wanted)?;
            ComposerNews::Files(wanted, found)
        }
        ComposerAsk::Attach {
            number,
            kind,
            text,
            chats,
        } => ComposerNews::Attached {
            number,
            kind,
            text: with_attachments(context, id, &text, &chats)?,
        },
    };
    Ok(ShownContent::Compose(id.clone(), news))
}

/// Files of the chat's projects whose path matches, the best first.
fn files(context: &WorkContext, id: &ChatId, wanted: &str) -> Result<Vec<String>, Problem> {
    let all = listed(context, id)?;
    let mut found = ranked(all.iter().map(|path| (path.clone(), path)), wanted);
    // A project may be called as what is looked for, and then each of its paths matches.
    let sought = wanted.to_lowercase();
    let is_named = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or_default();
        name.to_lowercase().starts_with(&sought)
    };
    found.sort_by(|(one, a), (other, b)| {
        let by_name = is_named(b).cmp(&is_named(a));
        by_name.then(other.cmp(one)).then(a.len().cmp(&b.len())).then(a.cmp(b))
    });
    Ok(found.into_iter().take(SHOWN).map(|(_, path)| path.clone()).collect())
}

fn listed(context: &WorkContext, id: &ChatId) -> Result<Arc<Vec<String>>, Problem> {
    let chat = context.services.home.load(id).map_err(|error| loading(id, error))?;
    Ok(context.services.files.of(id, || files_of(&chat)))
}

/// As the agent names them, who works in the chat's directory. What a repository ignores is left out.
fn files_of(chat: &Chat) -> Vec<String> {
    let mut files = Vec::new();
    for project in &chat.projects {
        let Ok(root) = project.path.canonicalize() else {
            continue;
        };
        let walk = WalkBuilder::new(&root)
            .hidden(false)
            .filter_entry(|entry| entry.file_name() != ".git")
            .build();
        let is_file = |entry: &ignore::DirEntry| entry.file_type().is_some_and(|kind| kind.is_file());
        for entry in walk.flatten().filter(is_file) {
            if files.len() >= FILES {
                return files;
            }
            let path = entry.path().strip_prefix(&root).ok().and_then(Path::to_str);
            files.extend(path.map(|path| format!("projects/{}/{path}", project.name)));
        }
    }
    files
}

fn with_attachments(
    context: &WorkContext,
    id: &ChatId,
    text: &str,
    chats: &[(String, ChatId)],
) -> Result<String, Problem> {
    let named = attachments(text).into_iter();
    let below: Result<Vec<(PromptAttachment, String)>, Problem> = named
        .map(|named| Ok((named.clone(), words_of(context, id, &named, chats)?)))
        .collect();
    Ok(attached(text, &below?))
}

fn words_of(
    context: &WorkContext,
    id: &ChatId,
    named: &PromptAttachment,
    chats: &[(String, ChatId)],
) -> Result<String, Problem> {
    match named {
        PromptAttachment::Diff => templates::diff(context, id),
        PromptAttachment::Todos => {
            let chat = context.services.home.load(id).map_err(|error| loading(id, error))?;
            Ok(chat.todos.as_prompt())
        }
        PromptAttachment::Chat(handle) => {
            let other = chats.iter().find(|(name, _)| name == handle);
            let (_, other) = other.ok_or_else(|| {
                let cause = format!("no chat is called {}", visible(handle));
                let hint = "`@chat:` completes the names of those that are there";
                Problem::missing("putting a chat's last words into the prompt", cause, hint)
            })?;
            dispatch::last_words(context, other, None)
        }
    }
}
