//! The clones of a chat that are meant, and what each is worked on with.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};

use crate::engine::work::context::WorkContext;
use crate::engine::work::loading::loading;
use crate::engine::work::{clones, open, review};
use crate::fs::Dir;
use crate::git::keep::{KeepError, KeepTools};
use crate::git::{self, GitLimits, GitProgress, Origin};
use crate::model::chat::Directory;
use crate::model::review::Cause;
use crate::model::text::visible;
use crate::model::{Chat, ChatId, Kind, Problem, ResultExt};

/// A chat whose clones are kept.
pub struct Keeping<'a> {
    pub context: &'a WorkContext,
    pub chat: Chat,
    doing: &'static str,
    staging: Dir,
    lock: Arc<Mutex<()>>,
}

/// One of its clones.
pub struct KeptClone<'a> {
    pub directory: &'a Directory,
    pub files: Dir,
}

/// Saves all clones before the first change of one, and once: what is refused leaves no checkpoint behind. Nobody else
/// changes them meanwhile.
pub struct FirstSave<'a> {
    save: &'a dyn Fn() -> Result<u64, Problem>,
    number: Cell<Option<u64>>,
    failed: Cell<Option<Problem>>,
    pub alone: &'a MutexGuard<'a, ()>,
}

impl FirstSave<'_> {
    /// The number of the checkpoint.
    pub fn number(&self) -> Result<u64, KeepError> {
        if let Some(number) = self.number.get() {
            return Ok(number);
        }
        match (self.save)() {
            Ok(number) => {
                self.number.set(Some(number));
                Ok(number)
            }
            Err(problem) => {
                let said = problem.cause.to_string();
                self.failed.set(Some(problem));
                Err(KeepError::Unwritten { said })
            }
        }
    }
}

impl<'a> Keeping<'a> {
    pub fn open(context: &'a WorkContext, id: &ChatId, doing: &'static str) -> Result<Keeping<'a>, Problem> {
        let services = &context.services;
        let chat = services.home.load(id).map_err(|error| loading(id, error))?;
        Ok(Keeping {
            context,
            chat,
            doing,
            staging: services.home.dir().dir("staging").doing(doing)?,
            lock: services.reviews.of(id),
        })
    }

    /// Does this in the clone that is named, or in each; of several, those with nothing to keep are passed over.
    pub fn each<T>(
        &self,
        project: Option<&str>,
        work: impl Fn(&KeptClone<'_>, &KeepTools<'_>) -> Result<T, KeepError>,
        is_nothing: impl Fn(&Result<T, KeepError>) -> bool,
    ) -> Result<Vec<T>, Problem> {
        let _alone = self.lock.lock();
        self.beside_others(project, work, is_nothing)
    }

    /// As [`Keeping::each`]. The work takes a checkpoint before it changes a clone: nobody changes one in between, so
    /// `parlour revert` brings back what was there before.
    pub fn each_saved<T>(
        &self,
        project: Option<&str>,
        work: impl Fn(&KeptClone<'_>, &KeepTools<'_>, &FirstSave<'_>) -> Result<T, KeepError>,
        is_nothing: impl Fn(&Result<T, KeepError>) -> bool,
    ) -> Result<Vec<T>, Problem> {
        let alone = self.lock.lock();
        let (context, id) = (self.context, self.chat.id());
        // What was cut off is put right first: the work is not to begin with it.
        review::ready(context, id, self.doing, &alone)?;
        let save = || {
            let kept = review::take_alone(context, id, (Cause::Asked, self.doing), project, &alone)?;
            Ok(kept.checkpoint.number)
        };
        let saved = FirstSave {
            save: &save,
            number: Cell::new(None),
            failed: Cell::new(None),
            alone: &alone,
        };
        let done = self.beside_others(project, |clone, tools| work(clone, tools, &saved), is_nothing);
        done.map_err(|problem| saved.failed.take().unwrap_or(problem))
    }

    /// As [`Keeping::each`], of what changes no clone and may take long: others save and restore the clones meanwhile.
    pub fn beside_others<T>(
        &self,
        project: Option<&str>,
        work: impl Fn(&KeptClone<'_>, &KeepTools<'_>) -> Result<T, KeepError>,
        is_nothing: impl Fn(&Result<T, KeepError>) -> bool,
    ) -> Result<Vec<T>, Problem> {
        let meant = self.meant(project)?;
        let report = |step: GitProgress| {
            if let Some(progress) = &self.context.progress {
                let total = step.percent.map(|_| 100);
                progress.report(u64::from(step.percent.unwrap_or(0)), total, open::stage(step.stage));
            }
        };
        let seconds = self.context.services.settings().limits.clone_seconds;
        let tools = KeepTools {
            program: &self.context.services.git,
            staging: &self.staging,
            limits: GitLimits {
                time: Duration::from_secs(seconds),
                ..GitLimits::default()
            },
            progress: &report,
            cancel: &self.context.cancel,
        };
        let (mut done, mut nothing, mut names) = (Vec::new(), None, Vec::new());
        for clone in &meant {
            let name = &clone.directory.name;
            let result = work(clone, &tools);
            if meant.len() > 1 && is_nothing(&result) {
                nothing = Some(result);
                continue;
            }
            let prompt = result.as_ref().err().and_then(|error| error.prompt(name));
            match (result.doing(format!("{} in {}", self.doing, visible(name))), prompt) {
                (Ok(result), _) => done.push(result),
                (Err(problem), None) => return Err(after(problem, &names)),
                (Err(problem), Some(prompt)) => {
                    let problem = problem.for_agent(self.chat.record.handle.as_str(), prompt);
                    return Err(after(problem, &names));
                }
            }
            names.push(visible(name));
        }
        match (done.is_empty(), nothing) {
            (true, Some(nothing)) => Ok(vec![nothing.doing(self.doing)?]),
            (true | false, _) => Ok(done),
        }
    }

    fn meant(&self, project: Option<&str>) -> Result<Vec<KeptClone<'_>>, Problem> {
        let services = &self.context.services;
        let of_git = || self.chat.record.dirs.iter().filter(|dir| dir.kind == Kind::Git);
        let names: Vec<&str> = of_git().map(|dir| dir.name.as_str()).collect();
        let chosen = of_git().filter(|dir| project.is_none_or(|project| dir.name == project));
        let mut meant = Vec::new();
        for directory in chosen {
            let path = clones::place(services, self.chat.id(), directory).map_err(|why| {
                let hint = "`parlour checkpoints CHAT` shows what its files can go back to";
                Problem::missing(self.doing, format!("{}: {why}", visible(&directory.name)), hint)
            })?;
            let projects = services.projects_dir(self.chat.id()).doing(self.doing)?;
            drop(path);
            meant.push(KeptClone {
                directory,
                files: projects.dir(&directory.name).doing(self.doing)?,
            });
        }
        if !meant.is_empty() {
            return Ok(meant);
        }
        Err(match (project, names.is_empty()) {
            (Some(project), false) => Problem::missing(
                self.doing,
                format!("the chat has no clone {}", visible(project)),
                format!("its clones: {}", names.join(", ")),
            ),
            (Some(_) | None, _) => Problem::missing(
                self.doing,
                without_clones(&self.chat),
                "`parlour open-dir CHAT PATH` clones a repository into it",
            ),
        })
    }

    pub fn origin(&self, clone: &KeptClone<'_>) -> Result<Origin, git::Error> {
        clones::origin(&self.context.services, clone.directory)
    }
}

/// What is open in place is its person's to keep.
fn without_clones(chat: &Chat) -> String {
    let places: Vec<String> = chat.record.dirs.iter().map(|dir| visible(&dir.name)).collect();
    match places.as_slice() {
        [] => "this chat has no clones".into(),
        [place] => format!("{place} is open in place, and this chat has no clones"),
        many => format!("{} are open in place, and this chat has no clones", many.join(", ")),
    }
}

/// What was done before it went wrong is done.
fn after(problem: Problem, names: &[String]) -> Problem {
    match names.is_empty() {
        true => problem,
        false => Problem {
            cause: format!("{} (it was done in {})", problem.cause, names.join(", ")),
            ..problem
        },
    }
}
