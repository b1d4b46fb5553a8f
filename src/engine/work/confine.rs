//! What an agent, and the scripts of its projects, may write to under `sandbox: strict`.
//!
//! The chat's directory is granted whole, so that what is opened in it later can be worked in: a read-only clone within
//! it rests on its mode bits and on the gate. Which of those that are linked may be written in, `agents/linked.rs` says.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::agents::{self, Adapter, Env};
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

/// What holds a program in.
pub struct Confined {
    pub writable: Writable,
    /// Where its temporary files go, if not where its environment says.
    temporary: Option<PathBuf>,
}

impl Confined {
    /// Its environment says where its temporary files go.
    pub fn tell(&self, env: &mut Env) {
        if let Some(dir) = &self.temporary {
            env.insert("TMPDIR".into(), dir.to_string_lossy().into_owned());
        }
    }
}

/// What holds a script of the chat's projects in, which runs what the agent left in its clone: it writes where the agent
/// may, but for what the agent's CLI keeps.
pub fn of_script(services: &Services, chat: &Chat, env: &Env) -> Option<Confined> {
    match asked(&services.settings()) {
        Sandbox::NotAsked | Sandbox::Missing { .. } => None,
        Sandbox::InForce => Some(work_of(services, chat, env).0),
    }
}

/// What holds an agent in, if anything does, and what a person is to know of it.
pub fn of_agent(
    sandbox: &Sandbox,
    services: &Services,
    chat: &Chat,
    adapter: &dyn Adapter,
    env: &Env,
) -> (Option<Confined>, Vec<Problem>) {
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
    let (mut confined, problems) = work_of(services, chat, env);
    let writable = &mut confined.writable;
    writable.paths.extend(as_told(own.dirs.into_iter().chain(own.files)));
    writable.locks.extend(as_told(own.locks));
    (Some(confined), problems)
}

/// The chat's directory, what is linked to be written in it, and temporary ones.
fn work_of(services: &Services, chat: &Chat, env: &Env) -> (Confined, Vec<Problem>) {
    let (mut unlinked, mut problems) = (Vec::new(), Vec::new());
    for (dir, allowed) in agents::linked::judged(&chat.record.dirs) {
        match allowed {
            Ok(()) => unlinked.push(PathBuf::from(&dir.origin)),
            Err(problem) => problems.push(problem),
        }
    }
    let mut paths = vec![services.home.chat_path(chat.id())];
    let temporary = temporary(services.home.path(), &chat.record.dirs, env);
    paths.extend(temporary.granted);
    let mut own = None;
    if !temporary.refused.is_empty() {
        match services.home.temporary(chat.id()) {
            Ok(dir) => {
                paths.push(dir.path().to_path_buf());
                own = Some(dir.path().to_path_buf());
            }
            Err(error) => problems.push(Problem::of("making a directory for temporary files", &error)),
        }
    }
    problems.extend(temporary.refused);
    let writable = Writable {
        paths: as_told(paths),
        unlinked: as_told(unlinked),
        locks: Vec::new(),
    };
    let confined = Confined {
        writable,
        temporary: own,
    };
    (confined, problems)
}

fn as_told(paths: impl IntoIterator<Item = PathBuf>) -> Vec<OsString> {
    paths.into_iter().map(OsString::from).collect()
}

/// Where whatever runs in this environment keeps what it soon throws away.
#[derive(Default)]
struct TemporaryPlaces {
    granted: Vec<PathBuf>,
    /// Why others are not.
    refused: Vec<Problem>,
}

/// No place is granted that holds a person's files or parlour's, whether `TMPDIR` names it or is not set: nor one that
/// holds what this chat's directories came from.
fn temporary(home: &Path, dirs: &[Directory], env: &Env) -> TemporaryPlaces {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let ours = real(home);
    let mut kept = vec![(ours.clone(), "parlour's own files")];
    kept.extend(
        env.get("HOME")
            .map(|person| (real(Path::new(person)), "your home directory")),
    );
    let sources = dirs
        .iter()
        .filter(|dir| dir.kind == Kind::Git || dir.mode == AreaMode::Ro);
    let sources = sources
        .map(|dir| Path::new(&dir.origin))
        .filter(|path| path.is_absolute());
    kept.extend(sources.map(|path| (real(path), "what a directory of this chat came from")));
    let named = env.get("TMPDIR").map(PathBuf::from).filter(|dir| dir.is_absolute());
    let candidates = named.map_or_else(|| vec!["/tmp".into(), "/var/tmp".into()], |named| vec![named]);
    let mut places = TemporaryPlaces::default();
    for place in candidates {
        let dir = real(&place);
        let holds = kept.iter().find(|(path, _)| path.starts_with(&dir));
        let what = holds.map(|(_, what)| *what);
        match what.or_else(|| dir.starts_with(&ours).then_some("parlour's own files")) {
            None => places.granted.push(place),
            Some(what) => {
                let doing = format!("letting the agent write in {}", visible(&place.to_string_lossy()));
                let cause = format!("it holds {what}");
                let hint = "its temporary files go into a directory of its own; set TMPDIR to choose another";
                places.refused.push(Problem::new(doing, cause, hint));
            }
        }
    }
    places
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
            temporary(&root.join("ours"), &[], &env.into()).granted
        };
        let nowhere: [&Path; 0] = [];
        for dir in ["person", "ours", "ours/records", "", "link"] {
            assert_eq!(granted(&root.join(dir)), nowhere, "{dir}");
        }
        assert_eq!(granted(Path::new("/")), nowhere);
        let own = root.join("person/tmp");
        assert_eq!(granted(&own), [own]);
    }

    #[test]
    fn the_usual_temporary_directories_are_looked_at_as_hard() {
        let of = |home: &str, person: &str, dirs: &[Directory]| {
            let env = [("HOME".to_string(), person.to_string())];
            let places = temporary(Path::new(home), dirs, &env.into());
            let refused = places.refused.iter().map(|problem| problem.to_string());
            (places.granted, refused.collect::<Vec<_>>())
        };
        let usual = vec![PathBuf::from("/tmp"), PathBuf::from("/var/tmp")];
        assert_eq!(of("/home/ann/.parlour", "/home/ann", &[]), (usual, vec![]));
        let (granted, refused) = of("/tmp/try", "/home/ann", &[]);
        assert_eq!(granted, [PathBuf::from("/var/tmp")]);
        assert!(
            refused[0].starts_with("letting the agent write in /tmp: it holds parlour's own files"),
            "{refused:?}"
        );
        assert_eq!(of("/home/ann/.parlour", "/var/tmp/ann", &[]).0, [PathBuf::from("/tmp")]);
        let source = |kind, mode| Directory {
            name: "grove".into(),
            label: None,
            mode,
            kind,
            origin: "/tmp/grove".into(),
            key: None,
            subdir: None,
            asks: false,
        };
        for kept in [source(Kind::Git, AreaMode::Rw), source(Kind::Local, AreaMode::Ro)] {
            assert_eq!(
                of("/home/ann/.parlour", "/home/ann", &[kept]).0,
                [PathBuf::from("/var/tmp")]
            );
        }
        let written = source(Kind::Local, AreaMode::Rw);
        assert_eq!(of("/home/ann/.parlour", "/home/ann", &[written]).0.len(), 2);
    }
}
