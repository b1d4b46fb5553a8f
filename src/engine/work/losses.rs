//! What deleting a chat would lose. All that names losses asks here: the dialog, `parlour rm`, and those who say what
//! stayed behind of a clone.

use std::path::{Path, PathBuf};

use crate::domain::work::ChatDone;
use crate::fs::{Dir, DirEntryKind as FileKind};
use crate::git::{self, Unsaved, UnsavedContext, setup};
use crate::model::agent::Transcript;
use crate::model::atom::AtomStatus;
use crate::model::built_in::folders;
use crate::model::chat::Directory;
use crate::model::text::visible;
use crate::model::{Chat, ChatId, Kind, Losses, Problem};
use crate::store::{Error, holds_notes};

use super::super::services::Services;
use super::loading::loading;
use super::{clones, identity};

/// Names in one list, before the rest is only counted.
const NAMED: usize = 4;

/// What parlour keeps in a chat's directory itself, besides the folders of agent CLIs.
const OWN: [&str; 6] = [
    "projects",
    "molecules",
    "skills",
    "inbox.json",
    "status.json",
    ".mcp.json",
];
/// Files that parlour writes and others write into.
const SHARED: [&str; 4] = ["AGENTS.md", "CLAUDE.md", "GEMINI.md", "todos.md"];

/// Of a chat, or of one in the trash.
pub fn losses(services: &Services, id: &ChatId) -> Result<ChatDone, Problem> {
    let (chat, dir) = match services.home.load(id) {
        Ok(chat) => (chat, services.home.chat_dir(id).ok()),
        Err(Error::NoChat(_)) => services.home.deleted(id).map_err(|error| loading(id, error))?,
        Err(error) => return Err(loading(id, error)),
    };
    Ok(ChatDone::Losses(of(services, &chat, dir.as_ref())))
}

/// What would be lost with a chat whose directory is `dir`.
fn of(services: &Services, chat: &Chat, dir: Option<&Dir>) -> Losses {
    let mut losses = Losses::default();
    // Nothing is made to be looked at: a chat whose directory is gone has no projects and no notes.
    if let Some(dir) = dir {
        projects(services, chat, dir, &mut losses);
        losses.lost.extend(notes_in(services, chat, dir));
    }
    losses.lost.extend(plan(chat));
    match chat.record.prompts.len() {
        0 => {}
        waiting => losses
            .lost
            .push(format!("{} that its agent has not got", plural(waiting, "prompt"))),
    }
    losses.notes.extend(children(services, chat));
    losses
}

/// What of a clone does not come along where its commits do, in one line.
pub fn uncommitted(services: &Services, chat: &Chat, dir: &Directory) -> Option<String> {
    let projects = services.projects_dir(chat.id()).ok()?;
    let clone = projects.dir(&dir.name).ok()?;
    let unsaved = judge(services, chat, Some(dir), &clone).ok()?;
    let parts = without_commits(&unsaved);
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn projects(services: &Services, chat: &Chat, dir: &Dir, losses: &mut Losses) {
    let Ok(folder) = dir.dir("projects") else {
        return;
    };
    for entry in folder.entries(".").unwrap_or_default() {
        let name = visible(&entry.name.to_string_lossy());
        match entry.kind {
            // What a link leads to stays.
            FileKind::Link => {}
            FileKind::File | FileKind::Other => losses.lost.push(format!("projects/{name}")),
            FileKind::Dir => {
                let dir = chat.record.dirs.iter().find(|dir| *entry.name == *dir.name);
                let clone = folder.dir(&entry.name);
                project(services, (chat, dir), (&name, clone.ok().as_ref()), losses);
            }
        }
    }
}

fn project(
    services: &Services,
    (chat, dir): (&Chat, Option<&Directory>),
    (name, clone): (&str, Option<&Dir>),
    losses: &mut Losses,
) {
    let is_clone =
        clone.is_some_and(|clone| matches!(clone.metadata(".git"), Ok(Some(_))) || git::is_bare(clone.path()));
    if clone.is_some() && !is_clone {
        let kind = match dir {
            Some(_) => "its files; it is no clone any more",
            None => "a directory that is no git repository",
        };
        losses.lost.push(format!("{name}: {kind}"));
        return;
    }
    let unsaved = clone.map(|clone| judge(services, chat, dir, clone));
    let Some(Ok(unsaved)) = unsaved else {
        losses.lost.push(format!("{name}: perhaps work that could not be read"));
        return;
    };
    losses.clones += 1;
    let mut parts = without_commits(&unsaved);
    let lacking = match unsaved.bare {
        true => "that no remote is known to have",
        false => "that no remote has",
    };
    for commits in &unsaved.commits {
        let said = format!("{} on {}", plural(commits.count, "commit"), visible(&commits.on));
        match &commits.also_in {
            None => parts.push(format!("{said} {lacking}")),
            Some(other) => losses.notes.push(format!(
                "{name}: {said} not known to be pushed, but kept in {}",
                visible(&other.to_string_lossy())
            )),
        }
    }
    if !parts.is_empty() {
        losses.lost.push(format!("{name}: {}", parts.join(", ")));
    }
}

fn judge(services: &Services, chat: &Chat, dir: Option<&Directory>, clone: &Dir) -> Result<Unsaved, git::Error> {
    let keys = dir.map(|dir| identity::of(services, dir)).unwrap_or_default();
    let setups = services.home.dir().dir("project-setup").ok();
    let is_kept = |path: &Path| {
        let mut keys = keys.iter();
        setups
            .as_ref()
            .is_some_and(|setups| keys.any(|key| setup::keeps(setups, key, clone, path)))
    };
    let origin = dir.and_then(|dir| clones::origin(services, dir).ok());
    let cache = origin.as_ref().map(|origin| services.caches.path_of(origin));
    let mut no_remotes = vec![services.caches.path().to_path_buf()];
    let has_remote = |origin: &git::Origin, checkout: &PathBuf| Path::new(&origin.url) != checkout;
    no_remotes.extend(origin.as_ref().and_then(|origin| {
        let checkout = origin.checkout()?;
        has_remote(origin, &checkout).then_some(checkout)
    }));
    let mut staying: Vec<PathBuf> = origin.and_then(|origin| origin.checkout()).into_iter().collect();
    staying.extend(parents(services, chat, dir));
    let beside = UnsavedContext {
        chats: &services.home.chats(),
        no_remotes: &no_remotes,
        staying: &staying,
        cache: cache.as_deref(),
        is_kept: &is_kept,
    };
    git::unsaved(clone.path(), &beside)
}

/// The parent's clone of the same project: where a child's work is brought to.
fn parents(services: &Services, chat: &Chat, dir: Option<&Directory>) -> Option<PathBuf> {
    let parent = services.home.load(chat.record.parent.as_ref()?).ok()?;
    let is_same =
        |other: &&Directory| other.kind == Kind::Git && dir.is_some_and(|dir| identity::is_same(services, other, dir));
    let same = parent.record.dirs.iter().find(is_same)?;
    clones::place(services, parent.id(), same).ok()
}

fn without_commits(unsaved: &Unsaved) -> Vec<String> {
    let mut parts = Vec::new();
    if unsaved.bare {
        parts.push("a bare repository".into());
    }
    if unsaved.changed > 0 {
        parts.push(plural(unsaved.changed, "uncommitted change"));
    }
    if !unsaved.untracked.is_empty() {
        parts.push(format!("untracked {}", named(&unsaved.untracked)));
    }
    if unsaved.stashes > 0 {
        parts.push(match unsaved.stashes {
            1 => "1 stash".into(),
            many => format!("{many} stashes"),
        });
    }
    if !unsaved.ignored.is_empty() {
        parts.push(format!("ignored {}", named(&unsaved.ignored)));
    }
    for (name, inside) in &unsaved.submodules {
        let mut inner = without_commits(inside);
        let commits: usize = inside.commits.iter().map(|commits| commits.count).sum();
        if commits > 0 {
            inner.push(format!("{} that no remote has", plural(commits, "commit")));
        }
        parts.push(format!("in its submodule {}: {}", visible(name), inner.join(", ")));
    }
    parts
}

/// What lies in the chat's own directory and was put there by nobody but an agent or a person.
pub fn own_notes(services: &Services, chat: &Chat) -> Option<String> {
    notes_in(services, chat, &services.home.chat_dir(chat.id()).ok()?)
}

fn notes_in(services: &Services, chat: &Chat, dir: &Dir) -> Option<String> {
    let settings = services.settings();
    let custom = settings.custom_llms.get(&chat.record.llm);
    let custom = custom.into_iter().flat_map(|llm| {
        let servers = llm.mcp_config.as_ref().and_then(|config| config.file.clone());
        let servers = servers.unwrap_or_else(|| format!("{}.mcp.json", chat.record.llm));
        let transcript = match &llm.transcript {
            Transcript::Jsonl { file, .. } => Some(file.clone()),
            Transcript::None => None,
        };
        llm.instructions_file.iter().cloned().chain([servers]).chain(transcript)
    });
    let templates = super::chats::templates(services, &chat.record.llm);
    let laid = templates.iter().map(|(path, _)| path.to_string_lossy().into_owned());
    let made: Vec<PathBuf> = custom.chain(laid).map(PathBuf::from).collect();
    let is_made = |name: &std::ffi::OsStr| made.iter().any(|path| path.iter().next() == Some(name));
    let mut found = Vec::new();
    for entry in dir.entries(".").ok()? {
        let name = entry.name.to_string_lossy();
        let is_own = OWN.contains(&&*name)
            || folders().any(|folder| folder == name)
            || entry.kind == FileKind::Link
            || is_made(&entry.name);
        let is_untouched = SHARED.contains(&&*name) && !holds_notes(dir, &name);
        if !is_own && !is_untouched {
            let slash = if entry.kind == FileKind::Dir { "/" } else { "" };
            found.push(format!("{name}{slash}"));
        }
    }
    (!found.is_empty()).then(|| format!("in the chat's own directory: {}", named(&found)))
}

/// The plan of a tree lies with its root.
fn plan(chat: &Chat) -> Option<String> {
    let work = chat.work.as_ref()?;
    let atoms: Vec<AtomStatus> = work.atoms().map(|(_, atom)| atom.status).collect();
    let open = atoms.iter().filter(|status| **status != AtomStatus::Done).count();
    let all = plural(atoms.len(), "item");
    (!atoms.is_empty()).then(|| format!("the plan of its tree: {all}, {open} not done"))
}

fn children(services: &Services, chat: &Chat) -> Option<String> {
    let all = services.home.list().unwrap_or_default().into_iter().flatten();
    let below = all.filter(|other| other.record.parent.as_ref() == Some(chat.id()));
    let names: Vec<String> = below.map(|child| child.record.handle.to_string()).collect();
    match names.len() {
        0 => None,
        1 => Some(format!("1 chat below it stays, without a parent: {}", named(&names))),
        many => Some(format!(
            "{many} chats below it stay, without a parent: {}",
            named(&names)
        )),
    }
}

fn named(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(NAMED).map(|name| visible(name)).collect();
    match names.len().saturating_sub(NAMED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

pub fn plural(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        many => format!("{many} {noun}s"),
    }
}
