//! A directory of the person's, worked in where it lies: a link to it in the chat, and a line in the chat's record.
//!
//! Nobody is asked when an agent opens one. So each write there is, but where a person has let it.

use std::path::Path;

use crate::domain::work::ProjectDone;
use crate::fs::SafeName;
use crate::model::atom::Who;
use crate::model::chat::Directory;
use crate::model::open_dir::OpenDir;
use crate::model::settings::Confinement;
use crate::model::text::visible;
use crate::model::tool::OpenDirAnswer;
use crate::model::{AreaMode, ChatId, Kind, Problem, ProblemKind, ResultExt};

use super::super::services::Services;
use super::loading::loading;
use super::opened;

/// `path` is free of links. A directory that the chat has open already is not linked twice.
pub(super) fn link(
    services: &Services,
    id: &ChatId,
    asked: &OpenDir,
    path: &Path,
    doing: &str,
) -> Result<ProjectDone, Problem> {
    let problem = |cause: String, hint: &str| Problem::new(doing, cause, hint);
    without_branch(asked, path, doing)?;
    // An agent could put a link to anywhere in its place, or let one chat write what another says.
    let chats = services.home.chats();
    if path.starts_with(chats.canonicalize().unwrap_or(chats)) {
        let cause = "it lies in the directory of a chat, where that chat's agent works as it is".to_string();
        return Err(problem(cause, "name a project, by its path or URL"));
    }
    let line = line(services, id)?;
    let own = line.first().map_or(&[][..], Vec::as_slice);
    let known = own.iter().find(|dir| leads_to(dir, path));
    let sandbox = services.settings().sandbox;
    let (mode, asks) = match (asked.by, known) {
        // What it says nothing of stays as it is.
        (Who::Person, Some(known)) if asked.mode.is_none() => (known.mode, known.asks),
        (Who::Person, None) if asked.in_place => (asked.mode.unwrap_or(AreaMode::Ro), false),
        (Who::Person, _) => (asked.mode.unwrap_or_default(), false),
        (Who::Agent, Some(known)) => (known.mode, known.asks),
        (Who::Agent, None) => match (asked.mode, granted(&line, path), sandbox) {
            (Some(AreaMode::Ro), ..) | (_, Some(AreaMode::Ro), _) => (AreaMode::Ro, !is_persons(&line, path)),
            (_, Some(AreaMode::Rw), _) => (AreaMode::Rw, false),
            // Whoever is asked by name cannot be asked by the kernel.
            (_, None, Confinement::Strict) => (AreaMode::Ro, true),
            (_, None, Confinement::Off) => (AreaMode::Rw, true),
        },
    };
    let projects = services.projects_dir(id).doing(doing)?;
    let is_free = |name: &str| {
        let on_disk = projects.metadata(name).is_ok_and(|meta| meta.is_none());
        on_disk && !own.iter().any(|dir| dir.name == name)
    };
    let name = match known {
        Some(known) => known.name.clone(),
        None => free_name(path, is_free, doing)?,
    };
    let is_new = projects.metadata(&name).doing(doing)?.is_none();
    if is_new {
        projects.symlink(path, &name).doing(doing)?;
    }
    let answer = OpenDirAnswer {
        path: projects.path().join(&name),
        name: name.clone(),
        branch: None,
        created: false,
        notes: notes(asked, (mode, asks), known, sandbox),
    };
    let directory = Directory {
        name: name.clone(),
        label: asked.label.clone().or(known.and_then(|known| known.label.clone())),
        mode,
        kind: Kind::Local,
        origin: path.to_string_lossy().into_owned(),
        key: None,
        subdir: None,
        asks,
    };
    if asked.by == Who::Person && mode == AreaMode::Ro {
        lower(services, id, path)?;
    }
    let recorded = opened::record(services, id, directory, answer);
    if recorded.is_err()
        && is_new
        && opened::is_unrecorded(services, id, &name)
        && let Err(error) = projects.remove_file(&name)
    {
        tracing::warn!("{id}: the link projects/{name} is in no record, and stays: {error}");
    }
    recorded
}

/// What is no repository has no branch to be on.
pub(super) fn without_branch(asked: &OpenDir, path: &Path, doing: &str) -> Result<(), Problem> {
    if asked.branch.is_none() && asked.base.is_none() {
        return Ok(());
    }
    let path = visible(&path.to_string_lossy());
    let cause = format!("{path} is no git repository, so it has no branches");
    let hint = "open it by itself, without branch and base";
    Err(Problem::new(doing, cause, hint))
}

/// What is open in the chat, in the one above it, and so on. Records can be edited by hand, so a circle is possible.
fn line(services: &Services, id: &ChatId) -> Result<Vec<Vec<Directory>>, Problem> {
    const LONGEST: usize = 100;
    let mut line = Vec::new();
    let mut next = Some(id.clone());
    while let Some(id) = next.filter(|_| line.len() < LONGEST) {
        let chat = match services.home.load(&id) {
            Ok(chat) => chat,
            Err(error) if line.is_empty() => return Err(loading(&id, error)),
            // It is deleted: nothing can be granted by it.
            Err(_) => break,
        };
        line.push(chat.record.dirs);
        next = chat.record.parent;
    }
    Ok(line)
}

fn leads_to(dir: &Directory, path: &Path) -> bool {
    dir.kind == Kind::Local && Path::new(&dir.origin) == path
}

/// What a person said that an agent may do in a directory: write, where it lies in one that is linked writable in its chat
/// or, if nothing is said there, in the next one above.
fn granted(line: &[Vec<Directory>], path: &Path) -> Option<AreaMode> {
    for dirs in line {
        let linked = || dirs.iter().filter(|dir| dir.kind == Kind::Local);
        let read_only = linked()
            .filter(|dir| dir.mode == AreaMode::Ro)
            .any(|dir| path.starts_with(&dir.origin) || Path::new(&dir.origin).starts_with(path));
        if read_only {
            return Some(AreaMode::Ro);
        }
        if linked().any(|dir| !dir.asks && path.starts_with(&dir.origin)) {
            return Some(AreaMode::Rw);
        }
    }
    None
}

/// Whether a path lies in what a person opened in its chat or in one above.
fn is_persons(line: &[Vec<Directory>], path: &Path) -> bool {
    let linked = line.iter().flatten().filter(|dir| dir.kind == Kind::Local);
    linked.into_iter().any(|dir| !dir.asks && path.starts_with(&dir.origin))
}

/// A person says of a directory that it is not to be written to: nor is what was linked within it before.
fn lower(services: &Services, id: &ChatId, path: &Path) -> Result<(), Problem> {
    let within = |dir: &&mut Directory| dir.kind == Kind::Local && Path::new(&dir.origin).starts_with(path);
    let lowered = services.home.change(id, |record| {
        let dirs = record.dirs.iter_mut().filter(within);
        dirs.for_each(|dir| dir.mode = AreaMode::Ro);
    });
    lowered.map(drop).map_err(|error| loading(id, error))
}

fn free_name(path: &Path, is_free: impl Fn(&str) -> bool, doing: &str) -> Result<String, Problem> {
    let base = path
        .file_name()
        .map_or_else(|| "directory".into(), |name| name.to_string_lossy());
    let name = SafeName::parse(&base)
        .or_else(|_| SafeName::parse(&crate::fs::slug(&base)))
        .doing_or(doing, "give the directory a plainer name")?;
    let mut names = (1..1000).map(|number| match number {
        1 => name.to_string(),
        number => format!("{name}-{number}"),
    });
    let free = names.find(|name| is_free(name));
    free.ok_or_else(|| {
        Problem::new(
            doing,
            "1000 directories of that name are open already",
            "give it another label",
        )
        .of_kind(ProblemKind::Limit)
    })
}

/// What whoever opened it is told beside its name.
fn notes(
    asked: &OpenDir,
    (mode, asks): (AreaMode, bool),
    known: Option<&Directory>,
    sandbox: Confinement,
) -> Vec<String> {
    let (whose, who) = match asked.by {
        Who::Person => ("your", "you"),
        Who::Agent => ("the person's", "they"),
    };
    let own = format!("this is {whose} own directory, not a copy");
    let mut notes = vec![match mode {
        AreaMode::Rw if asks => format!(
            "{own}: each change in it is asked about, unless {who} open it rw (parlour open-dir CHAT PATH --mode rw)"
        ),
        AreaMode::Rw => format!("{own}: changes are made in place"),
        AreaMode::Ro => format!("{own}, and is open read-only (ro)"),
    }];
    if asked.by == Who::Agent && mode == AreaMode::Ro && asked.mode != Some(AreaMode::Ro) {
        notes.push(
            "an agent may write only in directories that a person opened rw (parlour open-dir CHAT PATH --mode rw), or \
             within one"
                .into(),
        );
    }
    let before = known.map(|known| known.mode);
    if before == Some(mode) {
        notes.push("it was open already".into());
    }
    match (sandbox, mode) {
        (Confinement::Off, AreaMode::Ro) if before == Some(AreaMode::Rw) => {
            notes.push("the sandbox of a Codex CLI that runs already lets it write there until it is restarted".into());
        }
        (Confinement::Off, _) => {}
        (Confinement::Strict, _) if before == Some(mode) => {}
        (Confinement::Strict, AreaMode::Rw) => {
            notes.push("an agent that runs in a sandbox already can write there once it is restarted".into());
        }
        (Confinement::Strict, AreaMode::Ro) if before == Some(AreaMode::Rw) => {
            notes.push("the sandbox of an agent that runs already lets it write there until it is restarted".into());
        }
        (Confinement::Strict, AreaMode::Ro) => {}
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(origin: &str, mode: AreaMode) -> Directory {
        Directory {
            name: "x".into(),
            label: None,
            mode,
            kind: Kind::Local,
            origin: origin.into(),
            key: None,
            subdir: None,
            asks: false,
        }
    }

    #[test]
    fn an_agent_writes_only_within_what_was_linked_writable_and_the_nearest_chat_decides() {
        let own = vec![
            linked("/home/mia/notes", AreaMode::Rw),
            linked("/home/mia/notes/old", AreaMode::Ro),
        ];
        let above = vec![linked("/home/mia/drafts", AreaMode::Rw), linked("/srv", AreaMode::Ro)];
        let clone = Directory {
            kind: Kind::Git,
            ..linked("/home/mia/code", AreaMode::Rw)
        };
        let asked = Directory {
            asks: true,
            ..linked("/home/mia/lists", AreaMode::Rw)
        };
        let line = [own, vec![clone, asked], above];
        let cases = [
            ("/home/mia/notes", Some(AreaMode::Ro)),
            ("/home/mia/notes/new", Some(AreaMode::Rw)),
            ("/home/mia/notes/old/one", Some(AreaMode::Ro)),
            ("/home/mia/notes-2", None),
            ("/home/mia", Some(AreaMode::Ro)),
            ("/home/mia/drafts/one", Some(AreaMode::Rw)),
            ("/home/mia/lists/one", None),
            ("/home/mia/code", None),
            ("/srv/www", Some(AreaMode::Ro)),
            ("/home/mia/.config", None),
        ];
        for (path, mode) in cases {
            assert_eq!(granted(&line, Path::new(path)), mode, "{path}");
        }
    }
}
