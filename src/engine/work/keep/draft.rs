//! Messages from the transcript: a person sees and can change them.

use std::path::Path;

use crate::domain::work::{KeepDone, ReviewDone};
use crate::engine::services::Services;
use crate::engine::work::context::WorkContext;
use crate::engine::work::loading::loading;
use crate::engine::work::{clones, review};
use crate::fs::Dir;
use crate::git::checkpoint::Reason;
use crate::git::{self, keep};
use crate::model::in_place::Uncompared;
use crate::model::keep::{CloneToKeep, KeepDraft};
use crate::model::remark::PROMPT;
use crate::model::review::{Changes, Checkpoint, DiffSet, FileChange, StageState};
use crate::model::secret::without_secrets;
use crate::model::text::{one_line, one_plain_line};
use crate::model::{Chat, ChatId, Handle, Happened, Problem, ResultExt, Timestamp};
use crate::store::Line;

/// As long as git shows a subject whole.
const SUBJECT: usize = 72;
/// Characters of a prompt or an answer in a pull request.
const LONGEST: usize = 400;
/// Of longer talks the last ones count.
const MOST_TURNS: usize = 50;
/// The lines of a transcript behind which a prompt is no longer the last turn's.
const LOOKED_AT: usize = 5000;

const DOING: &str = "looking for what can be kept";

/// What a person may want to change before it is kept.
pub fn draft(context: &WorkContext, id: &ChatId) -> Result<KeepDone, Problem> {
    let services = &context.services;
    let chat = services.home.load(id).map_err(|error| loading(id, error))?;
    let ReviewDone::Overview(_, overview) = review::overview(context, id, DiffSet::Uncommitted)? else {
        return Err(Problem::new(DOING, "nothing was compared", ""));
    };
    let projects = services.projects_dir(id).doing(DOING)?;
    let target = |name: &str, files: &Dir| {
        let directory = chat.record.dirs.iter().find(|directory| directory.name == name)?;
        let origin = clones::origin(services, directory).ok()?;
        keep::push_target(files, &origin).ok()
    };
    let clone = |changes: &Changes| {
        let files = projects.dir(&changes.project).ok();
        let is_staged = |state: StageState| matches!(state, StageState::Partly | StageState::Yes);
        let staged = |change: &&FileChange| change.index.as_ref().is_some_and(|index| is_staged(index.staged));
        let unpushed = files.as_ref().and_then(|files| git::read::unpushed(files.path()).ok());
        let directory = chat.record.dirs.iter().find(|dir| dir.name == changes.project);
        let home = directory.and_then(|directory| directory.source());
        let under_way = files.as_ref().and_then(keep::under_way);
        CloneToKeep {
            ends_by_commit: under_way.as_ref().is_some_and(|(_, message)| message.is_some()),
            under_way: under_way.map(|(what, _)| what),
            conflicts: changes.files.iter().filter(|change| change.is_in_conflict()).count(),
            project: changes.project.clone(),
            too_large: too_large(changes),
            home_hooks: home.map(keep::skipped_at_home).unwrap_or_default(),
            home: home.map(|home| home.display().to_string()),
            is_pushed: unpushed == Some(0),
            target: files.as_ref().and_then(|files| target(&changes.project, files)),
            branch: files.and_then(|files| keep::tip(&files).ok()).map(|tip| tip.branch),
            changed: changes.files.len(),
            staged: changes.files.iter().filter(staged).count(),
        }
    };
    let pull = pull(services, &chat);
    let clones: Vec<CloneToKeep> = overview.changes.iter().map(clone).collect();
    let is_held = clones.iter().any(|clone| {
        let directory = chat
            .record
            .dirs
            .iter()
            .find(|directory| directory.name == clone.project);
        let home = directory.and_then(|directory| directory.source());
        home.zip(clone.branch.as_deref())
            .is_some_and(|(home, branch)| keep::is_checked_out_home(home, branch))
    });
    Ok(KeepDone::Draft(KeepDraft {
        message: proposed(&clones, |name| projects.dir(name).ok()).unwrap_or_else(|| message(services, &chat)),
        title: pull.title,
        body: pull.body,
        name: match is_held {
            true => last_name(services, &chat, &clones).unwrap_or_else(|| name_at_home(&chat)),
            false => String::new(),
        },
        last: last(&clones, |name| projects.dir(name).ok()),
        clones,
    }))
}

fn too_large(changes: &Changes) -> Vec<String> {
    let Some(Uncompared::Omitted { paths }) = &changes.left_out else {
        return Vec::new();
    };
    let large = paths.iter().filter(|out| out.why == Reason::Large.words());
    large.map(|out| out.path.to_string_lossy().into_owned()).collect()
}

/// What git proposes for the commit that ends what is under way in the only clone.
fn proposed(clones: &[CloneToKeep], files: impl Fn(&str) -> Option<Dir>) -> Option<String> {
    let [only] = clones else { return None };
    let (_, message) = keep::under_way(&files(&only.project)?)?;
    let message = message?.trim_end().to_owned();
    (!message.is_empty()).then_some(message)
}

/// The message of the last commit in the only clone.
fn last(clones: &[CloneToKeep], files: impl Fn(&str) -> Option<Dir>) -> String {
    let [only] = clones else {
        return String::new();
    };
    let read = files(&only.project).and_then(|files| git::read::last_message(files.path()).ok());
    read.map_or_else(String::new, |message| message.trim_end().to_owned())
}

/// What the branch of the only clone was called at home the last time, unless that is checked out there too.
fn last_name(services: &Services, chat: &Chat, clones: &[CloneToKeep]) -> Option<String> {
    let [only] = clones else { return None };
    let last = services.home.brought(chat.id(), &only.project).ok()??;
    let last = Some(last.branch).filter(|_| only.branch.as_ref() == Some(&last.own))?;
    let home = only.home.as_ref()?;
    (!keep::is_checked_out_home(Path::new(home), &last)).then_some(last)
}

/// What a branch is called at home where its own name is checked out: as the chat is.
pub fn name_at_home(chat: &Chat) -> String {
    let named = Handle::from_name(&chat.record.name);
    named.as_ref().unwrap_or(&chat.record.handle).as_str().to_owned()
}

/// Of a commit: the prompt of the newest turn since the last commit that changed files, else the last one. What is longer
/// than a subject follows whole. Remarks say what was wrong with the work, and not what it was. In a shell nobody says it.
pub fn message(services: &Services, chat: &Chat) -> String {
    if chat.is_shell() {
        return String::new();
    }
    let lines = services.home.tail(chat.id(), LOOKED_AT).unwrap_or_default();
    let prompts = lines.into_iter().rev().filter_map(|line| {
        let Line::Entry(entry) = line else { return None };
        let Happened::Prompt { text, .. } = entry.what else {
            return None;
        };
        Some(text)
    });
    let prompts = prompts
        .map(|text| text.trim().to_owned())
        .filter(|text| !is_remarks(text) && !text.is_empty());
    let prompts: Vec<String> = prompts.collect();
    let work = newest_work(services, chat);
    let is_it = |text: &&String| work.as_ref() == Some(&one_line(text, review::PROMPT));
    let meant = prompts.iter().find(is_it).or(prompts.first());
    from_prompt(&without_secrets(meant.unwrap_or(&chat.record.name)))
}

/// The beginning of the prompt of the newest turn that changed files since the last commit, as far as a checkpoint was taken
/// after it.
fn newest_work(services: &Services, chat: &Chat) -> Option<String> {
    let known = services.home.checkpoints(chat.id()).ok()?.list().ok()?;
    let projects = services.projects_dir(chat.id()).ok()?;
    let clones = chat
        .record
        .dirs
        .iter()
        .filter_map(|clone| projects.dir(&clone.name).ok());
    let committed = clones.filter_map(|clone| git::read::last_commit(clone.path())).max();
    newest_that_changed(&known, committed.unwrap_or(Timestamp(0))).map(String::from)
}

/// What changed in a turn is told by the next checkpoint.
fn newest_that_changed(known: &[Checkpoint], since: Timestamp) -> Option<&str> {
    let mut begun: Option<&Checkpoint> = None;
    let mut newest = None;
    for checkpoint in known {
        if let Some(turn) = begun
            && !checkpoint.changed.is_empty()
        {
            newest = Some(turn.prompt.as_str());
        }
        if checkpoint.turn.is_some() {
            let counts = checkpoint.at >= since && !is_remarks(&checkpoint.prompt);
            begun = counts.then_some(checkpoint);
        }
    }
    newest
}

fn is_remarks(prompt: &str) -> bool {
    prompt.trim_start().starts_with(PROMPT)
}

fn from_prompt(prompt: &str) -> String {
    let subject = one_line(prompt, SUBJECT);
    match subject == prompt {
        true => subject,
        false => format!("{subject}\n\n{prompt}"),
    }
}

/// What a pull request says if nobody writes it.
pub struct PullDraft {
    pub title: String,
    pub body: String,
}

/// Of a pull request: the first prompt, then each prompt with how its turn ended.
pub fn pull(services: &Services, chat: &Chat) -> PullDraft {
    let mut turns: Vec<(String, String)> = Vec::new();
    for line in services.home.lines(chat.id()).into_iter().flatten().flatten() {
        let Line::Entry(entry) = line else { continue };
        if let Happened::Prompt { text, .. } = entry.what {
            turns.push((text, String::new()));
        } else if let Happened::Text { text, .. } = entry.what
            && let Some((_, answer)) = turns.last_mut()
        {
            *answer = text;
        }
    }
    // What looks like a token is left out first: cut short it would look like none.
    let open = |text: &str, most: usize| one_plain_line(&without_secrets(text), most);
    let title = turns.first().map_or(chat.record.name.as_str(), |(prompt, _)| prompt);
    let title = one_line(&without_secrets(title), SUBJECT);
    let skipped = turns.len().saturating_sub(MOST_TURNS);
    let mut body = String::new();
    for (prompt, answer) in turns.iter().skip(skipped) {
        let asked = match is_remarks(prompt) {
            true => "Remarks on the changes".to_owned(),
            false => open(prompt, LONGEST),
        };
        body.push_str(&format!("- **{asked}**\n"));
        if !answer.is_empty() {
            body.push_str(&format!("  {}\n", open(answer, LONGEST)));
        }
    }
    PullDraft { title, body }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_commit_is_named_by_the_newest_turn_since_the_last_commit_that_changed_files() {
        let point = |number: u64, prompt: &str, changed: &[&str]| -> Checkpoint {
            let point = json!({"v": 1, "number": number, "at": Timestamp(i64::try_from(number).unwrap() * 1000),
                "cause": "turn", "turn": number, "prompt": prompt, "changed": changed});
            serde_json::from_value(point).expect("a checkpoint")
        };
        let known = [
            point(1, "what is this?", &[]),
            point(2, "fix the login", &[]),
            point(3, "run it", &["grove"]),
            point(4, "and the logout", &[]),
            point(5, "push it now", &["grove"]),
        ];
        let newest = |from: usize, since: i64| newest_that_changed(&known[..from], Timestamp(since * 1000));
        assert_eq!(newest(5, 0), Some("and the logout"));
        assert_eq!(newest(4, 0), Some("fix the login"), "the turn goes on");
        assert_eq!(newest(3, 0), Some("fix the login"));
        assert_eq!(newest(5, 3), Some("and the logout"));
        assert_eq!(newest(2, 0), None, "the turn goes on");
        assert_eq!(newest(5, 5), None);
    }

    #[test]
    fn a_long_prompt_is_a_subject_and_a_body() {
        assert_eq!(from_prompt("Fix the login"), "Fix the login");
        let long = "Fix the login, which fails for everybody whose name has a letter that is not in ASCII";
        let message = from_prompt(long);
        let (subject, body) = message.split_once("\n\n").unwrap();
        assert!(
            subject.chars().count() <= SUBJECT && long.starts_with(subject.trim_end_matches('…')),
            "{subject}"
        );
        assert_eq!(body, long);
        assert_eq!(from_prompt("One\nTwo"), "One Two\n\nOne\nTwo");
    }
}
