//! Keeping what is in the clones of a chat: commits, pushes, the way home, rebases, pull requests, conflicts.

use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::args::{BringHome, CommitArgs, PullArgs, PushArgs, RadarArgs, RebaseArgs};
use super::output::{OutputForm, show};
use super::person_only;
use super::requests::ask;
use crate::model::Request;
use crate::model::chat_name::pasted;
use crate::model::keep::{
    BroughtHome, Collision, CommitHow, Committed, EndWay, EndedGit, KeepAsk, PullRequest, PullWish, Pushed, Rebased,
};
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
        all,
        despite_remote,
        project,
    } = of;
    let commit = KeepAsk::Commit(CommitHow {
        message,
        amend,
        all,
        despite_remote,
    });
    let what = ("committing in the clones of", commit);
    in_each(home, form, (chat, project), what, Committed::words)
}

pub fn push(home: &Path, form: OutputForm, of: PushArgs) -> anyhow::Result<()> {
    let push = KeepAsk::Push {
        force_with_lease: of.force_with_lease,
        despite_todos: of.despite_todos,
    };
    let what = ("pushing the branches of", push);
    let chat = of.chat.clone();
    in_each(home, form, (of.chat, of.project), what, |pushed: &Pushed| {
        pushed.words() + &left_behind(&pushed.project, pushed.uncommitted, &chat)
    })
}

pub fn bring_home(home: &Path, form: OutputForm, of: BringHome) -> anyhow::Result<()> {
    let home_ask = KeepAsk::Home {
        checkout: of.checkout,
        name: of.name,
    };
    let what = ("bringing home the branches of", home_ask);
    let chat = of.chat.clone();
    in_each(home, form, (of.chat, of.project), what, |home: &BroughtHome| {
        home.words() + &left_behind(&home.project, home.uncommitted, &chat)
    })
}

pub fn rebase(home: &Path, form: OutputForm, of: RebaseArgs) -> anyhow::Result<()> {
    let way = match (of.go_on, of.abort) {
        (true, _) => Some(EndWay::Continue),
        (_, true) => Some(EndWay::Abort),
        (false, false) => None,
    };
    if let Some(way) = way {
        let what = (way.doing_in(), KeepAsk::End { way });
        return in_each(home, form, (of.chat, of.project), what, EndedGit::words);
    }
    let rebase = KeepAsk::Rebase {
        upstream: of.upstream,
        keep_conflicts: of.keep_conflicts,
    };
    let what = ("rebasing the branches of", rebase);
    in_each(home, form, (of.chat, of.project), what, Rebased::words)
}

pub fn pull(home: &Path, form: OutputForm, of: PullArgs) -> anyhow::Result<()> {
    let ask_for = match of.status {
        true => KeepAsk::PullStatus,
        false => KeepAsk::OpenPull(PullWish {
            title: of.title,
            body: of.body,
            draft: of.draft,
            despite_todos: of.despite_todos,
        }),
    };
    let what = ("opening pull requests of", ask_for);
    in_each(home, form, (of.chat, of.project), what, PullRequest::words)
}

pub fn radar(home: &Path, form: OutputForm, of: RadarArgs) -> anyhow::Result<()> {
    person_only::under_an_agent("comparing the branches of all chats")?;
    let answer = ask(home, Request::Radar { chat: of.chat })?;
    let found: RadarAnswer = serde_json::from_value(answer.clone())?;
    show(form, &answer, |_| match found.collisions.is_empty() {
        true => format!("{}\n", Collision::NONE),
        false => found.collisions.iter().map(Collision::words).collect(),
    })
}

/// What did not go along.
fn left_behind(project: &str, files: usize, chat: &str) -> String {
    let project = visible(project);
    let commit = format!("`parlour commit {}`", pasted(chat));
    match files {
        0 => String::new(),
        1 => format!("{project}: 1 file is not committed: {commit}\n"),
        many => format!("{project}: {many} files are not committed: {commit}\n"),
    }
}

fn in_each<T: DeserializeOwned>(
    home: &Path,
    form: OutputForm,
    (chat, project): (String, Option<String>),
    (doing, ask_for): (&str, KeepAsk),
    said: impl Fn(&T) -> String,
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
