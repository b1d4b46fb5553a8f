//! Keeping what is in the clones of a chat: commits, pushes, the way home, rebases, pull requests, conflicts.

use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::args::{BringHome, CommitArgs, PullArgs, PushArgs, RadarArgs, RebaseArgs};
use super::output::{OutputForm, show};
use super::person_only;
use super::requests::ask;
use crate::model::Request;
use crate::model::keep::{BroughtHome, Collision, Committed, KeepAsk, PullRequest, PullWish, Pushed, Rebased};
use crate::model::text::visible;

/// Of each clone.
#[derive(Deserialize)]
struct EachClone<T> {
    projects: Vec<T>,
}

#[derive(Deserialize)]
struct RadarAnswer {
    collisions: Vec<Collision>,
}

pub fn commit(home: &Path, form: OutputForm, of: CommitArgs) -> anyhow::Result<()> {
    let CommitArgs {
        chat,
        message,
        amend,
        project,
    } = of;
    let what = ("committing in the clones of", KeepAsk::Commit { message, amend });
    in_each(home, form, (chat, project), what, committed)
}

pub fn push(home: &Path, form: OutputForm, of: PushArgs) -> anyhow::Result<()> {
    let force_with_lease = of.force_with_lease;
    let what = ("pushing the branches of", KeepAsk::Push { force_with_lease });
    in_each(home, form, (of.chat, of.project), what, pushed)
}

pub fn bring_home(home: &Path, form: OutputForm, of: BringHome) -> anyhow::Result<()> {
    let checkout = of.checkout;
    let what = ("bringing home the branches of", KeepAsk::Home { checkout });
    in_each(home, form, (of.chat, of.project), what, brought_home)
}

pub fn rebase(home: &Path, form: OutputForm, of: RebaseArgs) -> anyhow::Result<()> {
    let keep_conflicts = of.keep_conflicts;
    let what = ("rebasing the branches of", KeepAsk::Rebase { keep_conflicts });
    in_each(home, form, (of.chat, of.project), what, rebased)
}

pub fn pull(home: &Path, form: OutputForm, of: PullArgs) -> anyhow::Result<()> {
    let ask_for = match of.status {
        true => KeepAsk::PullStatus,
        false => KeepAsk::OpenPull(PullWish {
            title: of.title,
            body: of.body,
            draft: of.draft,
        }),
    };
    let what = ("opening pull requests of", ask_for);
    in_each(home, form, (of.chat, of.project), what, pulled)
}

pub fn radar(home: &Path, form: OutputForm, of: RadarArgs) -> anyhow::Result<()> {
    person_only::under_an_agent("comparing the branches of all chats")?;
    let answer = ask(home, Request::Radar { chat: of.chat })?;
    let found: RadarAnswer = serde_json::from_value(answer.clone())?;
    show(form, &answer, |_| match found.collisions.is_empty() {
        true => "no branches conflict\n".into(),
        false => found.collisions.iter().map(collision).collect(),
    })
}

fn in_each<T: DeserializeOwned>(
    home: &Path,
    form: OutputForm,
    (chat, project): (String, Option<String>),
    (doing, ask_for): (&str, KeepAsk),
    said: fn(&T) -> String,
) -> anyhow::Result<()> {
    if ask_for.changes() {
        person_only::under_an_agent(&format!("{doing} {chat}"))?;
    }
    let ask_for = Request::Keep {
        chat,
        project,
        ask: ask_for,
    };
    let answer = ask(home, ask_for)?;
    let all: EachClone<T> = serde_json::from_value(answer.clone())?;
    show(form, &answer, |_| all.projects.iter().map(said).collect())
}

fn short(commit: &str) -> &str {
    commit.get(..7).unwrap_or(commit)
}

fn committed(of: &Committed) -> String {
    let project = visible(&of.project);
    let files = match of.files {
        1 => "1 file".to_owned(),
        many => format!("{many} files"),
    };
    let on = of.branch.as_deref().map_or("no branch".to_owned(), visible);
    let mut words = format!(
        "{project}: {} on {on}: {} ({files})\n",
        short(&of.commit),
        visible(&of.subject)
    );
    if !of.skipped_hooks.is_empty() {
        let hooks = visible(&of.skipped_hooks.join(", "));
        let _ = writeln!(words, "{project}: hooks that did not run: {hooks}");
    }
    if !of.left_out.is_empty() {
        let left_out = visible(&of.left_out.join(", "));
        let _ = writeln!(words, "{project}: left out, as repositories of their own: {left_out}");
    }
    words
}

fn pushed(of: &Pushed) -> String {
    let (project, branch, remote) = (visible(&of.project), visible(&of.branch), visible(&of.remote));
    match of.up_to_date {
        true => format!("{project}: {remote} has {branch} already\n"),
        false => format!("{project}: {branch} is at {} in {remote}\n", short(&of.commit)),
    }
}

fn brought_home(of: &BroughtHome) -> String {
    let (project, branch) = (visible(&of.project), visible(&of.branch));
    let into = visible(&of.into.to_string_lossy());
    let words = match &of.from {
        Some(from) if *from == of.commit => format!("{project}: {into} has {branch} already"),
        Some(from) => format!(
            "{project}: {branch} goes from {} to {} in {into}",
            short(from),
            short(&of.commit)
        ),
        None => format!("{project}: {branch} is new in {into}, at {}", short(&of.commit)),
    };
    match of.checked_out {
        true => format!("{words}, and is checked out\n"),
        false => format!("{words}\n"),
    }
}

fn rebased(of: &Rebased) -> String {
    let (project, branch, onto) = (visible(&of.project), visible(&of.branch), visible(&of.onto));
    let base = short(&of.base);
    let Some(conflict) = &of.conflict else {
        return match of.up_to_date {
            true => format!("{project}: {branch} stands on {onto} ({base}) already\n"),
            false => format!("{project}: {branch} is at {} on {onto} ({base})\n", short(&of.commit)),
        };
    };
    let subject = visible(&conflict.subject);
    let mut words = format!("{project}: the rebase on {onto} ({base}) is under way; {subject} conflicts in\n");
    for file in &conflict.files {
        let _ = writeln!(words, "  {}", visible(file));
    }
    words
}

fn pulled(of: &PullRequest) -> String {
    let (project, title) = (visible(&of.project), visible(&of.title));
    let checks = of.checks;
    let counted = [
        (checks.passed, "passed"),
        (checks.failed, "failed"),
        (checks.pending, "pending"),
    ];
    let counted: Vec<String> = counted
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    let checks = match counted.is_empty() {
        true => String::new(),
        false => format!("; checks: {}", counted.join(", ")),
    };
    let (number, state, url) = (of.number, visible(&of.state), visible(&of.url));
    format!("{project}: #{number} {state}: {title}{checks}\n{url}\n")
}

fn collision(of: &Collision) -> String {
    let [one, other] = of
        .sides
        .each_ref()
        .map(|side| format!("{} ({})", visible(&side.chat), visible(&side.branch)));
    let mut words = format!("{one} and {other} conflict in {}\n", visible(&of.sides[0].project));
    for file in &of.files {
        let _ = writeln!(words, "  {}", visible(file));
    }
    words
}
