//! A second opinion: a reviewer's chat below the one whose changes it looks at, with clones of that state, which it may
//! only read. What it finds becomes remarks of the other chat.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::domain::work::{NewRecord, RemarkWork, ReviewDone};
use crate::engine::clock::now;
use crate::engine::work::context::WorkContext;
use crate::engine::work::loading::loading;
use crate::engine::work::{chats, dispatch};
use crate::model::chat::Pending;
use crate::model::entry::From;
use crate::model::open_dir::OpenDir;
use crate::model::remark::{NewRemark, RemarkAuthor, RemarkSide, Reviewing};
use crate::model::review::{Cause, Changes, DiffAsk, DiffSet};
use crate::model::text::visible;
use crate::model::tool::AddRemark;
use crate::model::{AreaMode, Chat, ChatId, Kind, Problem, ResultExt};

use super::attempt::OtherClones;
use super::clones::Review;
use super::{diff, remark, take};

const DOING: &str = "asking for a second opinion";
/// In the reviewer's directory.
const PATCH: &str = "changes.patch";

/// All of it or nothing: a reviewer that lacks a clone would judge what it does not see.
pub fn make(context: &WorkContext, of: &ChatId, set: DiffSet, new: &NewRecord) -> Result<ReviewDone, Problem> {
    // The lines that it will remark on are found again by this state, which a checkpoint keeps.
    take::take(context, of, Cause::Asked, "")?;
    let ask = DiffAsk {
        set,
        project: None,
        lines: true,
    };
    let other = OtherClones::of(context, &ask.set)?;
    let lock = context.services.reviews.of(of);
    let changes = {
        let _alone = lock.lock();
        diff::changes(&Review::open(context, of, DOING)?, &ask, other.as_ref())?
    };
    let changes: Vec<Changes> = changes.into_iter().filter(|clone| !clone.files.is_empty()).collect();
    if changes.is_empty() {
        let hint = "choose another comparison: the base branch, or what is uncommitted";
        return Err(Problem::new(DOING, "nothing differs", hint));
    }
    // A kill before the last step leaves a chat that lacks something, and the next engine lets it go.
    let new = &NewRecord {
        to_open: changes.len() + 1,
        ..new.clone()
    };
    chats::make(&context.services, new)?;
    match fill(context, of, &changes, new) {
        Ok(chat) => Ok(ReviewDone::ReviewerMade(Box::new(chat))),
        Err(problem) => {
            // What went wrong first is what a person is told.
            let _ = chats::trash(context, &new.id);
            Err(problem)
        }
    }
}

fn fill(context: &WorkContext, of: &ChatId, changes: &[Changes], new: &NewRecord) -> Result<Chat, Problem> {
    let home = &context.services.home;
    let original = home.load(of).map_err(|error| loading(of, error))?;
    for clone in changes {
        let is_it = |dir: &&crate::model::chat::Directory| dir.name == clone.project && dir.kind == Kind::Git;
        let dir = original.record.dirs.iter().find(is_it);
        let dir = dir.ok_or_else(|| {
            let cause = format!("{} is open no more", visible(&clone.project));
            Problem::missing(DOING, cause, "ask again")
        })?;
        let asked = OpenDir {
            path_or_url: dir.name.clone(),
            mode: Some(AreaMode::Ro),
            label: dir.label.clone(),
            ..OpenDir::default()
        };
        dispatch::clone(context, &new.id, &original, dir, &asked)?;
    }
    bring(context, of, changes, new)?;
    let patch: String = changes.iter().map(|clone| clone.patch.text.as_str()).collect();
    let dir = home.chat_dir(&new.id).doing(DOING)?;
    dir.write_atomic(PATCH, patch).doing(DOING)?;
    let reviews = Reviewing {
        of: of.clone(),
        trees: changes
            .iter()
            .map(|clone| (clone.project.clone(), clone.after.clone()))
            .collect::<BTreeMap<String, String>>(),
    };
    let prompt = Pending::new(prompt(changes), From::Person, now());
    let made = home.change(&new.id, |record| {
        record.to_open = record.dirs.len();
        record.reviews = Some(reviews);
        record.prompts.push(prompt);
    });
    made.doing(DOING)
}

/// The reviewer's clones get the files of that state, committed or not.
fn bring(context: &WorkContext, of: &ChatId, changes: &[Changes], new: &NewRecord) -> Result<(), Problem> {
    let (theirs, ours) = (
        Review::open(context, of, DOING)?,
        Review::open(context, &new.id, DOING)?,
    );
    let lock = context.services.reviews.of(of);
    let _alone = lock.lock();
    let sources = theirs.clones(DOING)?;
    let projects = context.services.projects_dir(&new.id).doing(DOING)?;
    for clone in ours.clones(DOING)? {
        let state = changes.iter().find(|state| state.project == clone.name);
        let source = sources.iter().find(|source| source.name == clone.name);
        if let (Some(state), Some(source)) = (state, source) {
            let options = ours.options(u64::MAX, &[], true);
            let brought = clone
                .store
                .bring_files(&clone.dir, (&source.store, &state.after), &options);
            brought.doing(DOING)?;
        }
        projects.forbid_writing(&clone.name, ".git").doing(DOING)?;
    }
    Ok(())
}

fn prompt(changes: &[Changes]) -> String {
    let mut text = format!(
        "Review the changes of another agent. `{PATCH}` in this directory holds them. The files as they are after the \
         changes are below `projects/`, and you can only read them:\n\n"
    );
    for clone in changes {
        let files = clone.files.len();
        let _ = writeln!(text, "- `projects/{}`: {files} changed", visible(&clone.project));
    }
    text.push_str(
        "\nTell each finding with the tool `add_remark` of the MCP server `parlour`: the project, the file's path in it, \
         the number of the line after the change, and what is wrong there with a case that shows it. A person reads your \
         remarks and decides what becomes of them, so do not use `report_to_parent` or `send_message`. If nothing is \
         wrong, make no remark. End with one sentence that says what you looked at and what you did not.",
    );
    text
}

/// A finding of a reviewer becomes a remark of the chat whose changes it looks at.
pub fn remark(context: &WorkContext, reviewer: &ChatId, finding: AddRemark) -> Result<ReviewDone, Problem> {
    let doing = "making a remark";
    let loaded = context.services.home.load(reviewer);
    let chat = loaded.map_err(|error| loading(reviewer, error))?;
    let Some(reviewing) = chat.record.reviews else {
        let hint = "a person asks for a review with `parlour review`";
        return Err(Problem::new(doing, "this chat reviews nobody's changes", hint));
    };
    let Some(tree) = reviewing.trees.get(&finding.project) else {
        let cause = format!("{} is no project of this review", visible(&finding.project));
        let names: Vec<&str> = reviewing.trees.keys().map(String::as_str).collect();
        return Err(Problem::missing(
            doing,
            cause,
            format!("name one of {}", names.join(", ")),
        ));
    };
    let new = NewRemark {
        project: finding.project,
        path: finding.path,
        lines: finding.line.map(|line| (line, finding.last_line.unwrap_or(line))),
        side: RemarkSide::After,
        tree: Some(tree.clone()),
        text: finding.text,
        author: RemarkAuthor::Reviewer,
    };
    remark::carry_out(context, &reviewing.of, RemarkWork::Add(new))
}
