//! A call in one line: what kind of tool it is, and what it is about.

use serde_json::Value;

use crate::model;
use crate::model::server::OURS;
use crate::model::text::one_visible_line;
use crate::permission::{Sort, paths_of, sort_of};

use super::choice::{self, AskedChoice};
use super::edit;
use super::file_edit::FileEdit;
use super::input::{self, command, number, sort, text};
use super::todo;

/// Parlour's own, which makes a chat of a name.
const DISPATCH: &str = "parlour/dispatch";
/// Parlour's own, which waits for chats.
pub const WAIT_FOR: &str = "parlour/wait_for";
/// Of those that it was told to wait for, where it names none.
const ALL_BELOW: &str = "all its children";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSummary {
    pub sort: Sort,
    /// `Bash`, `github/create_issue`; what its CLI calls it, if it is of no kind.
    pub name: String,
    pub words: Vec<SummaryWord>,
    /// Lines that it adds and removes.
    pub amount: Option<(usize, usize)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SummaryWord {
    /// It is shown as seen from the chat.
    Path(String),
    Text(String),
}

impl CallSummary {
    pub fn of(tool: &str, input: &Value) -> CallSummary {
        let sort = sort(tool, input);
        let mut summary = CallSummary {
            sort,
            name: name(tool, sort),
            words: Vec::new(),
            amount: None,
        };
        match sort {
            Sort::Write | Sort::Edit => summary.edit(input),
            Sort::Read => summary.read(tool, input),
            Sort::Bash => match command(input) {
                Some(command) => summary.say(command),
                None => summary.otherwise(input),
            },
            Sort::Search => summary.search(input),
            Sort::Fetch => match text(input, &["url"]) {
                Some(url) => summary.say(url),
                None => summary.otherwise(input),
            },
            Sort::Task => match text(input, &["description", "task_name", "agent_name", "prompt", "message"]) {
                Some(words) => summary.say(words),
                None => summary.otherwise(input),
            },
            Sort::Mcp | Sort::Other => summary.other(input),
        }
        summary
    }

    /// What it is about, in one line of so many characters, with paths as the call names them.
    pub fn about(&self, longest: usize) -> String {
        let words = self.words.iter().map(|word| match word {
            SummaryWord::Path(words) | SummaryWord::Text(words) => words.as_str(),
        });
        one_visible_line(&words.collect::<String>(), longest)
    }

    /// The chats that it waits for, as it names them, and what for.
    fn waits_for(&mut self, input: &Value) {
        let chats = names(&input["chats"], |chat| chat.as_str());
        self.say(if chats.is_empty() { ALL_BELOW.into() } else { chats });
        if let Some(until) = text(input, &["for"]) {
            self.say(format!(" · {until}"));
        }
    }

    /// It has its answer. One that named no chats has waited for those that are told of.
    pub fn answered(&mut self, said: &str) {
        let is_any = |word: &SummaryWord| *word == SummaryWord::Text(ALL_BELOW.into());
        if self.name != WAIT_FOR || !self.words.first().is_some_and(is_any) {
            return;
        }
        let answer: Value = serde_json::from_str(said).unwrap_or_default();
        let chats = names(&answer["chats"], |chat| chat["handle"].as_str());
        if !chats.is_empty() {
            self.words[0] = SummaryWord::Text(chats);
        }
    }

    /// One of parlour's own tools refused it: why it did stands behind what was asked.
    pub fn refused(&mut self, said: &str) {
        let is_ours = self.name.split_once('/').is_some_and(|(server, _)| server == OURS);
        let first = said.lines().map(str::trim).find(|line| !line.is_empty());
        if let Some(first) = first.filter(|_| is_ours) {
            self.say(format!(": {first}"));
        }
    }

    fn say(&mut self, words: impl Into<String>) {
        self.words.push(SummaryWord::Text(words.into()));
    }

    fn path(&mut self, path: impl Into<String>) {
        self.words.push(SummaryWord::Path(path.into()));
    }

    /// The first of several files, and how many more there are.
    fn files(&mut self, paths: impl IntoIterator<Item = String>) {
        let mut paths = paths.into_iter();
        if let Some(first) = paths.next() {
            self.path(first);
        }
        match paths.count() {
            0 => {}
            more => self.say(format!(" and {more} more")),
        }
    }

    fn edit(&mut self, input: &Value) {
        let (edits, _) = edit::read(input);
        if edits.is_empty() {
            return self.otherwise(input);
        }
        let sums = edits.iter().map(FileEdit::amount);
        self.amount = Some(sums.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1)));
        let mut paths: Vec<String> = edits.into_iter().map(|edit| edit.path).collect();
        paths.dedup();
        self.files(paths);
    }

    fn read(&mut self, tool: &str, input: &Value) {
        let paths = paths_of(input);
        if paths.is_empty() {
            return self.otherwise(input);
        }
        self.files(paths);
        // Claude Code counts lines from 1, all others from 0.
        let before = u64::from(tool != "Read");
        let from = number(input, &["start_line"]).or(number(input, &["offset"]).map(|from| from + before));
        let limit = number(input, &["limit"]);
        let to_limit = limit.map(|limit| from.unwrap_or(1) + limit.saturating_sub(1));
        let to = number(input, &["end_line"]).or(to_limit);
        match (from, to) {
            (Some(from), Some(to)) => self.say(format!(" lines {from}-{to}")),
            (Some(from), None) if from > 1 => self.say(format!(" from line {from}")),
            (None, Some(to)) => self.say(format!(" lines 1-{to}")),
            (Some(_) | None, None) => {}
        }
    }

    fn search(&mut self, input: &Value) {
        let place = text(input, &["path", "dir_path", "directory"]).filter(|place| !matches!(*place, "." | ""));
        let files = text(input, &["glob", "include", "include_pattern"]);
        match (text(input, &["pattern", "query"]), place) {
            (Some(words), _) => self.say(words),
            (None, Some(place)) => return self.path(place),
            (None, None) => return self.otherwise(input),
        }
        if let Some(files) = files {
            self.say(format!(" in {files}"));
        }
        if let Some(place) = place {
            self.say(if files.is_some() { " below " } else { " in " });
            self.path(place);
        }
    }

    fn other(&mut self, input: &Value) {
        if let Some(choices) = choice::choices(input) {
            return self.asks(&choices);
        }
        let Some(items) = todo::items(input) else {
            if self.name == WAIT_FOR {
                return self.waits_for(input);
            }
            return match text(input, &["name"]).filter(|_| self.name == DISPATCH) {
                Some(name) => self.say(name),
                None => self.otherwise(input),
            };
        };
        if self.sort == Sort::Other {
            self.name = "Todos".into();
        }
        let done = items.iter().filter(|item| item.is_done).count();
        self.say(format!("{done} of {} done", items.len()));
        if let Some(current) = items.iter().find(|item| item.is_current) {
            self.say(format!(" · {}", current.text));
        }
    }

    fn asks(&mut self, choices: &[AskedChoice]) {
        if self.sort == Sort::Other {
            self.name = "Question".into();
        }
        if let [first, rest @ ..] = choices {
            self.say(first.question.as_str());
            if !rest.is_empty() {
                self.say(format!(" and {} more", rest.len()));
            }
        }
    }

    /// What of the input tells most, by its name.
    fn otherwise(&mut self, input: &Value) {
        let words = input::telling(input);
        if !words.is_empty() {
            self.say(words);
        }
    }
}

fn names<'v>(list: &'v Value, name: impl Fn(&'v Value) -> Option<&'v str>) -> String {
    let list = list.as_array().into_iter().flatten();
    list.filter_map(name).collect::<Vec<_>>().join(", ")
}

/// What a tool is called on every surface: its kind; of a server's tool, its own name and whose it is.
pub fn called(tool: &str) -> String {
    name(tool, sort_of(tool))
}

/// A status's detail, which is a tool, or a tool and what it is used for behind a colon, or something else altogether.
pub fn called_in(detail: &str) -> String {
    let (tool, rest) = detail.split_at(detail.find(": ").unwrap_or(detail.len()));
    match tool.contains(' ') {
        // No tool's name is several words.
        true => detail.into(),
        false => called(tool) + rest,
    }
}

fn name(tool: &str, sort: Sort) -> String {
    let name = match sort {
        Sort::Read => "Read",
        Sort::Write => "Write",
        Sort::Edit => "Edit",
        Sort::Bash => "Bash",
        Sort::Search => "Search",
        Sort::Fetch => "Fetch",
        Sort::Task => "Task",
        Sort::Mcp => return server_tool(tool),
        Sort::Other => tool,
    };
    name.into()
}

fn server_tool(tool: &str) -> String {
    // Where one line joins the two, a server may only look like parlour: then the name stays as it is.
    let joined = tool.strip_prefix("mcp_").filter(|rest| !rest.starts_with('_'));
    match joined.and_then(|rest| rest.split_once('_')) {
        Some((server, name)) if server != OURS && !server.is_empty() && !name.is_empty() => {
            format!("{server}/{name}")
        }
        Some(_) | None => match model::called(tool).split_once(" · ") {
            Some((name, server)) => format!("{server}/{name}"),
            None => tool.into(),
        },
    }
}
