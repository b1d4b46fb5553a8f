//! `parlour list`: a line a chat.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::args::ListArgs;
use super::bound;
use super::environment::here;
use super::output::{self, OutputForm, OutputLook, OutputTone, show, text};
use super::requests::ask;
use super::table::{SpareColumns, TableCell, cell, table_without};
use crate::domain::call::called_in;
use crate::model::chat::Declared;
use crate::model::request::ChatsRequest;
use crate::model::status::INTERRUPTED;
use crate::model::text::{fit_path, visible};
use crate::model::{ChatId, Handle, Request, Status, Timestamp};

/// Of the last words; the terminal may have room for fewer.
const LAST_WORDS: usize = 120;
/// With so few of them the others are still told of.
const LEAST_WORDS: usize = 12;
/// Letters of a name.
const NAME: usize = 30;

pub fn run(home: &Path, form: OutputForm, of: &ListArgs) -> anyhow::Result<()> {
    let answer = ask(home, Request::Chats(ChatsRequest::List))?;
    show(form, &answer, |look| words(&answer, of, look))
}

/// As [`run`], with the one that the current directory is bound to. Where that is gone another is chosen from the list.
pub fn run_here(home: &Path, form: OutputForm, of: &ListArgs) -> anyhow::Result<()> {
    let dir = here()?;
    let here = bound::bound(home, &dir).unwrap_or_else(|error| {
        output::tell(&format!("{error:#}"));
        None
    });
    let here = here.map(|found| found.chat);
    let mut answer = ask(home, Request::Chats(ChatsRequest::List))?;
    for chat in answer["chats"].as_array_mut().into_iter().flatten() {
        chat["bound"] = (Some(text(chat, "id")) == here.as_ref().map(ChatId::as_str)).into();
    }
    show(form, &answer, |look| {
        let all = answer["chats"].as_array().into_iter().flatten();
        let handle = all
            .filter(|chat| chat["bound"] == true)
            .map(|chat| text(chat, "handle"));
        let last = handle.map(|handle| format!("{} is bound to {}\n", bound::shown(&dir), visible(handle)));
        words(&answer, of, look) + &last.collect::<String>()
    })
}

/// What of the engine's answer is shown. Anything may be missing: a newer engine says things its own way.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ListedChat {
    id: String,
    parent: Option<String>,
    handle: String,
    /// The lines of the tree before its handle.
    #[serde(skip)]
    rails: String,
    name: String,
    llm: String,
    status: String,
    detail: String,
    preview: String,
    opening: Option<String>,
    number: Option<u8>,
    unseen: bool,
    archived: bool,
    declared: Option<Declared>,
    updated: Option<Timestamp>,
    projects: Vec<ListedProject>,
    /// What is no longer in `projects/`.
    gone: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ListedProject {
    name: String,
    branch: Option<String>,
    under_way: Option<String>,
}

pub(super) fn words(answer: &Value, of: &ListArgs, look: &OutputLook) -> String {
    let chats = answer["chats"].as_array().into_iter().flatten();
    let read = |chat: &Value| ListedChat::deserialize(chat).unwrap_or_default();
    let mut chats: Vec<ListedChat> = chats.map(read).collect();
    let all = chats.len();
    chats.retain(|chat| of.all || !chat.archived || chat.status == "needs-you");
    let archived = match all - chats.len() {
        0 => String::new(),
        hidden => format!("{hidden} archived: `parlour list --all` shows them too\n"),
    };
    if chats.is_empty() && all > 0 {
        return archived;
    }
    if chats.is_empty() {
        return "no chats yet; `parlour new` makes one, `parlour demo` shows one at work\n".into();
    }
    let chats = in_trees(chats);
    let heading = ["#", "STATUS", "CHAT", "NAME", "AGENT", "AGE", "PROJECTS", "LAST"];
    let mut rows = vec![heading.map(|word| cell(OutputTone::Quiet, word)).into()];
    rows.extend(chats.iter().map(|chat| row(chat, look)));
    // Who looks for a chat knows it by its number, or by the name that they gave it; a name that few have is in the way of
    // what all have.
    let named = chats.iter().filter(|chat| !other_name(chat).is_empty()).count();
    let spare = SpareColumns {
        narrow: match named * 4 < chats.len() {
            true => &[3, 4, 6, 5],
            false => &[4, 6, 5],
        },
        empty: &[0, 3],
        last: LEAST_WORDS,
    };
    table_without(look, &rows, spare) + &archived
}

/// Each below its parent, as the screen has them: a tree stands where the first of its chats stood.
fn in_trees(chats: Vec<ListedChat>) -> Vec<ListedChat> {
    let ids: BTreeMap<&str, usize> = (0..).zip(&chats).map(|(at, chat)| (chat.id.as_str(), at)).collect();
    let parent = |at: usize| chats[at].parent.as_deref().and_then(|id| ids.get(id).copied());
    let parents: Vec<Option<usize>> = (0..chats.len()).map(parent).collect();
    let mut trees = ChatTrees {
        parents,
        placed: Vec::new(),
        is_placed: vec![false; chats.len()],
    };
    for at in 0..chats.len() {
        trees.place(trees.root(at), &mut Vec::new());
    }
    let mut chats: Vec<Option<ListedChat>> = chats.into_iter().map(Some).collect();
    let placed = trees.placed.into_iter();
    let placed = placed.filter_map(|(at, rails)| {
        Some(ListedChat {
            rails,
            ..chats[at].take()?
        })
    });
    placed.collect()
}

struct ChatTrees {
    parents: Vec<Option<usize>>,
    /// Which chat, and the lines before it.
    placed: Vec<(usize, String)>,
    is_placed: Vec<bool>,
}

impl ChatTrees {
    /// Files that name each other as parents have none.
    fn root(&self, chat: usize) -> usize {
        let mut above = chat;
        for _ in 0..self.parents.len() {
            let Some(parent) = self.parents[above] else { break };
            above = parent;
        }
        above
    }

    /// A chat and all below it, with the lines that go by or lead to it: of each whether others follow.
    fn place(&mut self, chat: usize, follow: &mut Vec<bool>) {
        if std::mem::replace(&mut self.is_placed[chat], true) {
            return;
        }
        let last = follow.len().saturating_sub(1);
        let rail = |(at, more): (usize, &bool)| match (at == last, more) {
            (true, true) => "├ ",
            (true, false) => "└ ",
            (false, true) => "│ ",
            (false, false) => "  ",
        };
        let rails = follow.iter().enumerate().map(rail).collect();
        self.placed.push((chat, rails));
        let below: Vec<usize> = (0..self.parents.len())
            .filter(|at| self.parents[*at] == Some(chat) && !self.is_placed[*at])
            .collect();
        for (at, child) in below.iter().enumerate() {
            follow.push(at + 1 < below.len());
            self.place(*child, follow);
            follow.pop();
        }
    }
}

/// The name that the screen shows, where the handle is not just that name in a handle's letters.
fn other_name(chat: &ListedChat) -> &str {
    match Handle::from_name(&chat.name) {
        Some(handle) if handle.as_str() == chat.handle => "",
        _ => &chat.name,
    }
}

fn row(chat: &ListedChat, look: &OutputLook) -> Vec<TableCell> {
    let crashed = chat.unseen && chat.status == "exited" && Status::Exited(chat.detail.clone()).has_failed();
    let (dot, tone) = match (mark(&chat.status), chat.unseen) {
        _ if crashed => ("✗", OutputTone::Bad),
        ((_, tone), true) if Status::is_interrupted(&chat.detail) => ("■", tone),
        ((_, tone), true) if matches!(chat.status.as_str(), "idle" | "hibernated") => ("✓", tone),
        (mark, _) => mark,
    };
    let more = match (blocked(chat).is_some(), chat.unseen) {
        (true, _) => ", blocked",
        (false, true) => ", unseen",
        (false, false) => "",
    };
    // As the screen says it.
    let word = match dot {
        "✓" => "done",
        _ => &chat.status,
    };
    vec![
        cell(
            OutputTone::Quiet,
            &chat.number.map_or(String::new(), |number| number.to_string()),
        ),
        cell(tone, &format!("{dot} {word}{more}")),
        cell(OutputTone::Heading, &format!("{}{}", chat.rails, chat.handle)),
        cell(OutputTone::Plain, &beginning(other_name(chat), NAME)),
        cell(OutputTone::Plain, &chat.llm),
        cell(
            OutputTone::Quiet,
            &chat.updated.map_or(String::new(), |updated| updated.age(look.now)),
        ),
        cell(OutputTone::Plain, &projects(&chat.projects, &chat.gone)),
        cell(OutputTone::Quiet, &beginning(&last(chat), LAST_WORDS)),
    ]
}

/// A sign and a meaning for each status: the signs are those of the sidebar, different without any colour.
pub(super) fn mark(status: &str) -> (&'static str, OutputTone) {
    match status {
        "starting" => ("◌", OutputTone::Good),
        "running" => ("●", OutputTone::Good),
        "needs-you" => ("◆", OutputTone::Waiting),
        "idle" => ("○", OutputTone::Plain),
        "retrying" => ("◔", OutputTone::Waiting),
        "error" | "logged-out" => ("✗", OutputTone::Bad),
        "limit" => ("◔", OutputTone::Waiting),
        "exited" => ("□", OutputTone::Quiet),
        "hibernated" => ("◇", OutputTone::Quiet),
        _ => ("?", OutputTone::Waiting),
    }
}

fn projects(projects: &[ListedProject], gone: &[String]) -> String {
    if projects.is_empty() && gone.is_empty() {
        return "(no project)".into();
    }
    let gone = gone.iter().map(|name| format!("projects/{name} is gone"));
    let shown = projects
        .iter()
        .map(|project| match (&project.branch, &project.under_way) {
            (Some(branch), Some(what)) => format!("{} · {branch}, {what}", project.name),
            (Some(stands), None) | (None, Some(stands)) => format!("{} · {stands}", project.name),
            (None, None) => project.name.clone(),
        });
    gone.chain(shown).collect::<Vec<_>>().join(", ")
}

/// What its agent says, if it is at rest and cannot go on.
fn blocked(chat: &ListedChat) -> Option<String> {
    let rests = matches!(chat.status.as_str(), "idle" | "hibernated");
    chat.declared.as_ref().filter(|_| rests)?.blocked()
}

/// What is most worth knowing: what it waits for or does, what was said, else what it is about.
fn last(chat: &ListedChat) -> Cow<'_, str> {
    let opening = chat.opening.as_deref().unwrap_or_default();
    let detail = called_in(&chat.detail);
    if let Some(blocked) = blocked(chat) {
        return blocked.into();
    }
    // As the screen has it: what runs in a shell that nobody looks at, and what its end cut off.
    if chat.llm == "shell" && !chat.detail.ends_with(INTERRUPTED) {
        let has_failed = || Status::Exited(chat.detail.clone()).has_failed();
        match chat.status.as_str() {
            "running" if chat.unseen => return "it rang".into(),
            "exited" | "hibernated" if !chat.preview.is_empty() && !has_failed() => return (&chat.preview).into(),
            _ => {}
        }
    }
    // It rests: what is said beside that leaves room for its last words.
    let is_said = chat.preview.is_empty() || chat.preview == INTERRUPTED && Status::is_interrupted(&chat.detail);
    if matches!(chat.status.as_str(), "idle" | "hibernated") && !detail.is_empty() && !is_said {
        return format!("{detail} · {}", chat.preview).into();
    }
    let candidates: [Cow<'_, str>; 4] = [
        detail.into(),
        opening.into(),
        (&chat.preview).into(),
        (&chat.name).into(),
    ];
    candidates.into_iter().find(|text| !text.is_empty()).unwrap_or_default()
}

/// In one line. What is hidden in it stays, to be spelled out.
fn beginning(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    fit_path(&line, most).chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_is_told_in_the_words_of_its_row_on_the_screen() {
        let shell = |status: &str, detail: &str, preview: &str| ListedChat {
            llm: "shell".into(),
            name: "sh".into(),
            status: status.into(),
            detail: detail.into(),
            preview: preview.into(),
            unseen: true,
            ..ListedChat::default()
        };
        let cut_off = "slowtest.sh was cut off by the end of the engine";
        for (shell, told) in [
            (shell("running", "sleep", "make"), "it rang"),
            (shell("exited", "engine stopped", cut_off), cut_off),
            (shell("exited", "engine stopped", ""), "engine stopped"),
        ] {
            assert_eq!(last(&shell), told);
        }
    }
}
