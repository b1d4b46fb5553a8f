//! What an agent, and the scripts of its projects, may write to under `sandbox: strict`.
//!
//! The chat's directory is granted whole, so that what is opened in it later can be worked in: a read-only clone within
//! it rests on its mode bits and on the gate. A read-only directory that is linked lies elsewhere and is not granted,
//! nor is a writable one that it lies in.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::agents::{Adapter, Env};
use crate::fs::Dir;
use crate::model::chat::Directory;
use crate::model::settings::Confinement;
use crate::model::text::visible;
use crate::model::{AreaMode, Chat, Kind, Problem, Sandbox, Settings};
use crate::sys::spawn::{self, Writable};

use super::super::services::Services;

/// Whether the kernel will hold the agent in.
pub fn asked(settings: &Settings) -> Sandbox {
    match settings.sandbox {
        Confinement::Off => Sandbox::NotAsked,
        Confinement::Strict => match spawn::can_confine() {
            Ok(()) => Sandbox::InForce,
            Err(why) => Sandbox::Missing { why },
        },
    }
}

/// Where a script of the chat's projects writes, which runs what the agent left in its clone: where the agent may, but for
/// what the agent's CLI keeps.
pub fn of_script(services: &Services, chat: &Chat, env: &Env) -> Option<Writable> {
    match asked(&services.settings()) {
        Sandbox::NotAsked | Sandbox::Missing { .. } => None,
        Sandbox::InForce => Some(work_of(services, chat, env).0),
    }
}

/// Where it writes, `None` where nothing holds it in; and what a person is to know of it.
pub fn writable(
    sandbox: &Sandbox,
    services: &Services,
    chat: &Chat,
    adapter: &dyn Adapter,
    env: &Env,
) -> (Option<Writable>, Vec<Problem>) {
    match sandbox {
        Sandbox::NotAsked | Sandbox::Missing { .. } => return (None, Vec::new()),
        Sandbox::InForce => {}
    }
    let own = adapter.writes(env);
    for dir in own.dirs.iter().chain(&own.made) {
        if let Err(error) = Dir::open_or_create(dir) {
            tracing::warn!("{} cannot be made for {}: {error}", dir.display(), chat.record.handle);
        }
    }
    let (mut writable, problems) = work_of(services, chat, env);
    writable.paths.extend(as_told(own.dirs.into_iter().chain(own.files)));
    writable.locks.extend(as_told(own.locks));
    (Some(writable), problems)
}

/// The chat's directory, what is linked to be written in it, and temporary ones.
fn work_of(services: &Services, chat: &Chat, env: &Env) -> (Writable, Vec<Problem>) {
    let (unlinked, mut problems) = linked(&chat.record.dirs);
    let own = [services.home.chat_path(chat.id())];
    let temporary = temporary(services.home.path(), env).unwrap_or_else(|problem| {
        problems.push(problem);
        Vec::new()
    });
    let writable = Writable {
        paths: as_told(own.into_iter().chain(temporary)),
        unlinked: as_told(unlinked),
        locks: Vec::new(),
    };
    (writable, problems)
}

fn as_told(paths: impl IntoIterator<Item = PathBuf>) -> Vec<OsString> {
    paths.into_iter().map(OsString::from).collect()
}

/// The directories that are linked writable, but for those that hold a read-only one: the kernel cannot grant the one
/// without the other, and those that nobody said it of. What is no directory any more, or is reached by a link that somebody has put there since, grants
/// nothing.
fn linked(dirs: &[Directory]) -> (Vec<PathBuf>, Vec<Problem>) {
    let of_mode = |mode| {
        dirs.iter()
            .filter(move |dir| dir.kind == Kind::Local && dir.mode == mode)
    };
    let (mut granted, mut problems) = (Vec::new(), Vec::new());
    for dir in of_mode(AreaMode::Rw) {
        let path = Path::new(&dir.origin);
        let doing = format!("letting the agent write in projects/{}", dir.name);
        if dir.asks {
            let cause = "the agent opened it itself";
            let hint = "`parlour open-dir CHAT PATH --mode rw` lets it";
            problems.push(Problem::new(doing, cause, hint));
            continue;
        }
        let kept = of_mode(AreaMode::Ro).find(|other| Path::new(&other.origin).starts_with(path));
        match (kept, Dir::open_unlinked(path)) {
            (Some(kept), _) => {
                let cause = format!("projects/{} lies in it and is read-only", kept.name);
                let hint = "the sandbox cannot part them: open what is to be written to by itself";
                problems.push(Problem::new(doing, cause, hint));
            }
            (None, Err(error)) => {
                let hint = "if it was moved, open it where it is now";
                problems.push(Problem::of(doing, &error).hinted(hint));
            }
            (None, Ok(_)) => granted.push(path.to_path_buf()),
        }
    }
    (granted, problems)
}

/// Where whatever runs in this environment keeps what it soon throws away: no place that a person's files or parlour's lie
/// in, whatever `TMPDIR` says.
fn temporary(home: &Path, env: &Env) -> Result<Vec<PathBuf>, Problem> {
    let Some(named) = env.get("TMPDIR").map(PathBuf::from).filter(|dir| dir.is_absolute()) else {
        return Ok(vec!["/tmp".into(), "/var/tmp".into()]);
    };
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let (dir, ours) = (real(&named), real(home));
    let persons = env.get("HOME").map(|person| real(Path::new(person)));
    if persons.is_some_and(|person| person.starts_with(&dir)) || ours.starts_with(&dir) || dir.starts_with(&ours) {
        let doing = "letting the agent write in its temporary directory";
        let cause = format!(
            "TMPDIR is {}, which holds more than that",
            visible(&named.to_string_lossy())
        );
        return Err(Problem::new(doing, cause, "set TMPDIR to a directory of its own"));
    }
    Ok(vec![named])
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_temporary_directory_is_not_granted_if_what_is_a_persons_or_ours_lies_in_it() {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path();
        for dir in ["person/tmp", "ours/records"] {
            fs::create_dir_all(root.join(dir)).unwrap();
        }
        symlink("/", root.join("link")).unwrap();
        let granted = |dir: &Path| {
            let named = [("HOME", root.join("person")), ("TMPDIR", dir.to_path_buf())];
            let env = named.map(|(name, path)| (name.to_string(), path.display().to_string()));
            temporary(&root.join("ours"), &env.into()).ok()
        };
        for dir in ["person", "ours", "ours/records", "", "link"] {
            assert_eq!(granted(&root.join(dir)), None, "{dir}");
        }
        assert_eq!(granted(Path::new("/")), None);
        let own = root.join("person/tmp");
        assert_eq!(granted(&own), Some(vec![own]));
        assert_eq!(granted(Path::new("tmp")), Some(vec!["/tmp".into(), "/var/tmp".into()]));
    }

    #[test]
    fn nothing_is_granted_that_holds_what_is_read_only_or_has_become_a_link() {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path().canonicalize().unwrap();
        let linked_as = |path: &str, mode| Directory {
            name: path.replace('/', "-"),
            label: None,
            mode,
            kind: Kind::Local,
            origin: root.join(path).display().to_string(),
            key: None,
            subdir: None,
            asks: false,
        };
        for dir in ["notes", "work/secret", "work/open", "swapped", "above/within"] {
            fs::create_dir_all(root.join(dir)).unwrap();
        }
        let dirs = [
            linked_as("notes", AreaMode::Rw),
            linked_as("work", AreaMode::Rw),
            linked_as("work/secret", AreaMode::Ro),
            linked_as("work/open", AreaMode::Rw),
            linked_as("swapped", AreaMode::Rw),
            linked_as("above/within", AreaMode::Rw),
            linked_as("gone", AreaMode::Rw),
        ];
        fs::remove_dir(root.join("swapped")).unwrap();
        symlink("/", root.join("swapped")).unwrap();
        fs::rename(root.join("above"), root.join("elsewhere")).unwrap();
        symlink(root.join("elsewhere"), root.join("above")).unwrap();
        let (granted, problems) = linked(&dirs);
        assert_eq!(granted, [root.join("notes"), root.join("work/open")]);
        let told: Vec<_> = problems
            .iter()
            .map(|problem| problem.doing.rsplit('/').next())
            .collect();
        assert_eq!(told, ["work", "swapped", "above-within", "gone"].map(Some));
    }
}
