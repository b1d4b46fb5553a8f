//! Messages from the transcript: a person sees and can change them.

use crate::domain::work::{KeepDone, ReviewDone};
use crate::engine::services::Services;
use crate::engine::work::context::WorkContext;
use crate::engine::work::loading::loading;
use crate::engine::work::review;
use crate::git::keep;
use crate::model::keep::{CloneToKeep, KeepDraft};
use crate::model::remark::PROMPT;
use crate::model::review::{Changes, DiffSet, FileChange, StageState};
use crate::model::secret::without_secrets;
use crate::model::text::{one_line, one_plain_line};
use crate::model::{Chat, ChatId, Happened, Problem, ResultExt};
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
    let clone = |changes: &Changes| {
        let files = projects.dir(&changes.project).ok();
        let is_staged = |state: StageState| state != StageState::No;
        let staged = |change: &&FileChange| change.index.as_ref().is_some_and(|index| is_staged(index.staged));
        CloneToKeep {
            project: changes.project.clone(),
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
        message: message(services, &chat),
        title: pull.title,
        body: pull.body,
        name: if is_held {
            chat.record.handle.as_str().to_owned()
        } else {
            String::new()
        },
        clones,
    }))
}

/// Of a commit: the turn's prompt. What is longer than a subject follows whole. Remarks say what was wrong with the work,
/// and not what it was.
pub fn message(services: &Services, chat: &Chat) -> String {
    let lines = services.home.tail(chat.id(), LOOKED_AT).unwrap_or_default();
    let prompts = lines.into_iter().rev().filter_map(|line| match line {
        Line::Entry(entry) => match entry.what {
            Happened::Prompt { text, .. } => Some(text),
            _ => None,
        },
        Line::Gap { .. } => None,
    });
    let mut prompts = prompts
        .map(|text| text.trim().to_owned())
        .filter(|text| !is_remarks(text));
    let last = prompts.find(|text| !text.is_empty());
    from_prompt(&without_secrets(last.as_deref().unwrap_or(&chat.record.name)))
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
    use super::*;

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
