//! Noticing what others change on disk, without polling and without watching any clone as a whole.
//!
//! Directories are watched, not files: git and editors replace a file by a rename, and a watch on the old one would
//! see nothing more. What is not named in a directory's rules is ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use parking_lot::Mutex;

use super::answered_places::{AnsweredPlace, AnsweredPlaces};
use super::{Error, Home};
use crate::model::{Chat, ChatId, Kind};

/// Long enough to take a commit's or an editor's burst as one, far below the 250 ms a person may wait.
const GATHER: Duration = Duration::from_millis(100);

/// What was changed, not how: whoever hears it loads the thing again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Changed {
    Chat(ChatId),
    Config,
    Schedules,
    /// The engine's own files: its lock and its socket.
    Engine,
    /// A file or directory watched for somebody else, as it was given.
    Custom(PathBuf),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct WatchRule {
    /// Only this entry of the directory; absent: any.
    name: Option<OsString>,
    means: Changed,
}

type WatchRules = BTreeMap<PathBuf, Vec<WatchRule>>;

/// Watches until it is dropped.
pub struct Watcher {
    notify: RecommendedWatcher,
    /// Written by the owner, read by the thread that notify calls.
    rules: Arc<Mutex<WatchRules>>,
}

impl Watcher {
    /// `tell` is called on a thread of the watcher's own, once for each thing changed within a tenth of a second.
    pub fn start(tell: impl FnMut(Changed) + Send + 'static) -> Result<Watcher, Error> {
        let rules = Arc::new(Mutex::new(WatchRules::new()));
        let (send, receive) = mpsc::channel();
        let seen = Arc::clone(&rules);
        let notify = notify::recommended_watcher(move |event| report(event, &seen, &send))
            .map_err(|e| failed(Path::new("the file system"), e))?;
        std::thread::Builder::new()
            .name("watch".into())
            .spawn(move || gather(&receive, tell))
            .map_err(|source| Error::Io {
                doing: "starting to watch",
                path: PathBuf::from("the file system"),
                source,
            })?;
        Ok(Watcher { notify, rules })
    }

    /// Watches what of a chat others change: its directory's top level and each clone's branch, index and heads. Called
    /// again after projects were opened, it adds what is new. Of what lies in place only what gave an answer is watched.
    pub fn watch_chat(&mut self, home: &Home, chat: &Chat, seen: &AnsweredPlaces) -> Result<(), Error> {
        let means = Changed::Chat(chat.id().clone());
        let dir = home.chat_path(chat.id());
        self.add(&dir, &[], &means)?;
        self.add(&dir.join("projects"), &[], &means)?;
        if chat.work.is_some() && chat.record.parent.is_none() {
            self.add(&dir.join("molecules"), &[], &means)?;
        }
        if chat.unreadable.is_some() {
            // Nobody but parlour writes it, unless a person repairs it.
            self.add(&home.record_path(chat.id()), &[OsStr::new("chat.json")], &means)?;
        }
        for project in chat.projects.iter().filter(|project| project.kind == Kind::Git) {
            let git = project.path.join(".git");
            if git.is_dir() {
                self.add(&git, &["HEAD", "index", "packed-refs"].map(OsStr::new), &means)?;
                self.add(&git.join("refs/heads"), &[], &means)?;
                // The branch may lie deeper; every move of it is noted here.
                self.add(&git.join("logs"), &[OsStr::new("HEAD")], &means)?;
            }
        }
        for seen in &seen.places {
            self.watch_place(seen, &means)?;
        }
        Ok(())
    }

    /// Watches what was opened in place, and where it is away, the nearest directory in which its way may be made again.
    fn watch_place(&mut self, seen: &AnsweredPlace, means: &Changed) -> Result<(), Error> {
        if let Some((dir, name)) = &seen.above {
            self.add(dir, &[name], means)?;
        }
        self.add(&seen.place, &[OsStr::new(".git")], means)?;
        match seen.has_git {
            true => self.add(&seen.place.join(".git"), &[OsStr::new("HEAD")], means),
            false => Ok(()),
        }
    }

    /// Watches `config.json` and the user's themes.
    pub fn watch_config(&mut self, home: &Home) -> Result<(), Error> {
        self.add(home.path(), &[OsStr::new("config.json")], &Changed::Config)?;
        self.add(&home.path().join("themes"), &[], &Changed::Config)
    }

    pub fn watch_schedules(&mut self, home: &Home) -> Result<(), Error> {
        self.add(&home.path().join("schedules"), &[], &Changed::Schedules)
    }

    /// Watches `run` and in it what the engine must find as it left it, the socket among it.
    pub fn watch_engine(&mut self, home: &Home, socket: &Path) -> Result<(), Error> {
        self.add(home.path(), &[OsStr::new("run")], &Changed::Engine)?;
        self.add(
            &home.run(),
            &["engine.lock", "engine.sock"].map(OsStr::new),
            &Changed::Engine,
        )?;
        match (socket.parent(), socket.file_name()) {
            (Some(folder), Some(name)) => self.add(folder, &[name], &Changed::Engine),
            (None, _) | (_, None) => Ok(()),
        }
    }

    /// Watches a file, which need not be there yet, or the entries of a directory.
    pub fn watch(&mut self, path: &Path) -> Result<(), Error> {
        let means = Changed::Custom(path.to_path_buf());
        match (path.is_dir(), path.parent(), path.file_name()) {
            (false, Some(folder), Some(name)) => self.add(folder, &[name], &means),
            _ => self.add(path, &[], &means),
        }
    }

    /// Ends all watching for one thing.
    pub fn forget(&mut self, what: &Changed) {
        let mut idle = Vec::new();
        let mut rules = self.rules.lock();
        rules.retain(|dir, rules| {
            rules.retain(|rule| rule.means != *what);
            if rules.is_empty() {
                idle.push(dir.clone());
            }
            !rules.is_empty()
        });
        // notify answers from the thread that takes this lock.
        drop(rules);
        for dir in idle {
            // It may be gone already, and its watch with it.
            self.notify.unwatch(&dir).ok();
        }
    }

    /// Watches these entries of a directory, all where none is named. Each call is a round trip to notify's thread.
    fn add(&mut self, dir: &Path, names: &[&OsStr], means: &Changed) -> Result<(), Error> {
        // Again where it is watched already: the directory may be a new one under the old name.
        match self.notify.watch(dir, RecursiveMode::NonRecursive) {
            Ok(()) => {}
            // Others may remove it at any moment: then there is nothing to watch.
            Err(e) if is_missing(&e) => return Ok(()),
            Err(e) => return Err(failed(dir, e)),
        }
        let rule = |name: Option<&OsStr>| WatchRule {
            name: name.map(OsString::from),
            means: means.clone(),
        };
        let any = names.is_empty().then(|| rule(None));
        let mut rules = self.rules.lock();
        let known = rules.entry(dir.to_path_buf()).or_default();
        for rule in any.into_iter().chain(names.iter().map(|name| rule(Some(name)))) {
            if !known.contains(&rule) {
                known.push(rule);
            }
        }
        Ok(())
    }
}

fn report(event: notify::Result<notify::Event>, rules: &Mutex<WatchRules>, send: &Sender<Changed>) {
    let rules = rules.lock();
    let tell = |changed: &Changed| {
        // Nobody hears it any more: the watcher is being dropped.
        send.send(changed.clone()).ok();
    };
    match event {
        // The kernel lost count: anything may have changed. Without a path there is no telling either.
        Ok(event) if event.need_rescan() => rules.values().flatten().for_each(|rule| tell(&rule.means)),
        // Reading is no change, and our own reading would wake us without end.
        Ok(event) if matches!(event.kind, EventKind::Access(_)) => {}
        Ok(event) => {
            for path in &event.paths {
                let inside = path.parent().and_then(|dir| rules.get(dir));
                let named = |rule: &&WatchRule| rule.name.is_none() || rule.name.as_deref() == path.file_name();
                inside
                    .into_iter()
                    .flatten()
                    .filter(named)
                    .for_each(|rule| tell(&rule.means));
                // The directory itself: removed, or moved away.
                rules.get(path).into_iter().flatten().for_each(|rule| tell(&rule.means));
            }
        }
        Err(_) => rules.values().flatten().for_each(|rule| tell(&rule.means)),
    }
}

/// Sleeps until something happens, then waits for what belongs to it. Ends when the watcher is dropped.
fn gather(receive: &Receiver<Changed>, mut tell: impl FnMut(Changed)) {
    while let Ok(first) = receive.recv() {
        let until = Instant::now() + GATHER;
        let mut changed = BTreeSet::from([first]);
        while let Ok(next) = receive.recv_timeout(until.saturating_duration_since(Instant::now())) {
            changed.insert(next);
        }
        changed.into_iter().for_each(&mut tell);
    }
}

fn is_missing(error: &notify::Error) -> bool {
    match &error.kind {
        notify::ErrorKind::PathNotFound => true,
        notify::ErrorKind::Io(e) => e.kind() == std::io::ErrorKind::NotFound,
        _ => false,
    }
}

fn failed(path: &Path, error: notify::Error) -> Error {
    let source = match error.kind {
        notify::ErrorKind::MaxFilesWatch => {
            std::io::Error::other("the system's limit of watches is reached; raise fs.inotify.max_user_watches")
        }
        notify::ErrorKind::Io(source) => source,
        _ => std::io::Error::other(error.to_string()),
    };
    Error::Io {
        doing: "watching",
        path: path.to_path_buf(),
        source,
    }
}
