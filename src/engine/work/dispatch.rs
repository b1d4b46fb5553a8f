//! What an agent's own chats are made of: a clone taken from the caller's, and the last words of one for another.

use std::path::Path;

use crate::domain::team::family::MOST_WORDS;
use crate::domain::work::ProjectDone;
use crate::fs::SafeName;
use crate::git;
use crate::model::atom::Who;
use crate::model::chat::Directory;
use crate::model::open_dir::OpenDir;
use crate::model::text::visible;
use crate::model::{Chat, ChatId, Happened, Kind, Problem, ResultExt};
use crate::store::Line;

use super::context::WorkContext;
use super::loading::loading;
use super::open::WantedClone;
use super::{clones, losses, names, open};

/// Entries from the end of a transcript among which last words are looked for.
const LOOKED_AT: usize = 2_000;

/// Opens a project in a chat: from the caller's clone, where it has one, else as any other.
pub fn open_from(context: &WorkContext, into: &ChatId, from: &ChatId, asked: &OpenDir) -> Result<ProjectDone, Problem> {
    let services = &context.services;
    let caller = services.home.load(from).map_err(|error| loading(from, error))?;
    let named = caller
        .record
        .dirs
        .iter()
        .find(|dir| names::means(services, &caller, dir, asked));
    match named {
        Some(dir) if dir.kind == Kind::Git => clone(context, into, &caller, dir, asked),
        Some(dir) => {
            // A repository that is worked in in place is cloned for others; a plain directory is only linked.
            let is_repository = git::root(Path::new(&dir.origin)).is_some();
            let asked = OpenDir {
                path_or_url: dir.origin.clone(),
                mode: asked.mode.or((!is_repository).then_some(dir.mode)),
                ..asked.clone()
            };
            open::open(context, into, &asked, Some(from))
        }
        None => {
            let asked = OpenDir {
                cwd: asked.cwd.clone().or_else(|| Some(services.home.chat_path(from))),
                ..asked.clone()
            };
            open::open(context, into, &asked, Some(from))
        }
    }
}

/// From the caller's clone, with the commits that only that one has.
pub(super) fn clone(
    context: &WorkContext,
    into: &ChatId,
    caller: &Chat,
    dir: &Directory,
    asked: &OpenDir,
) -> Result<ProjectDone, Problem> {
    let services = &context.services;
    let name = visible(&dir.name);
    let doing = format!("cloning {name} for the new chat");
    let hint = "open it again with `open_dir`";
    let original = clones::place(services, caller.id(), dir).doing_or(&*doing, hint)?;
    let origin = clones::origin(services, dir).doing(&*doing)?;
    let wanted = WantedClone {
        asked,
        origin: &origin,
        name: SafeName::parse(&dir.name).doing(&*doing)?,
        carried: Some(original),
    };
    let opened = open::clone(context, into, wanted, &doing)?;
    let ProjectDone::Opened(chat, mut opened) = opened else {
        return Ok(opened);
    };
    let whose = match asked.by {
        Who::Agent => "your".to_string(),
        Who::Person => format!("{}'s", caller.record.handle),
    };
    let stayed =
        losses::uncommitted(services, caller, dir).map(|what| format!("stayed behind in {whose} {name}: {what}"));
    opened.notes.extend(stayed);
    Ok(ProjectDone::Opened(chat, opened))
}

/// The last answer in a transcript; with a number, so many lines of the last ones.
pub fn last_words(context: &WorkContext, id: &ChatId, lines: Option<usize>) -> Result<String, Problem> {
    context.journals.catch_up();
    let tail = context
        .services
        .home
        .tail(id, LOOKED_AT)
        .map_err(|error| loading(id, error))?;
    let texts = tail.into_iter().rev().filter_map(|line| {
        let Line::Entry(entry) = line else { return None };
        let Happened::Text { text, .. } = entry.what else {
            return None;
        };
        Some(text)
    });
    let mut found: Vec<String> = Vec::new();
    let (mut bytes, mut count) = (0, 0);
    for text in texts {
        bytes += text.len();
        count += text.lines().count() + 1;
        found.push(text);
        if lines.is_none_or(|most| count >= most) || bytes >= MOST_WORDS {
            break;
        }
    }
    found.reverse();
    Ok(end_of(&found.join("\n\n")))
}

/// Its end is what matters of a long answer.
fn end_of(text: &str) -> String {
    let cut = text.len().saturating_sub(MOST_WORDS);
    match (cut..text.len()).find(|at| text.is_char_boundary(*at)) {
        Some(at) if cut > 0 => format!("…{}", &text[at..]),
        Some(_) | None => text.to_string(),
    }
}
