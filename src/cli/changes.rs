//! Verbs that make or change a chat.

use std::path::Path;
use std::process::ExitCode;

use serde_json::Value;

use super::args::{ChatSetArgs, Duplicate, Fork, New, OpenIn, RenameArgs, ResumeArgs, StopArgs};
use super::environment::{environment, here};
use super::meant::{self, MeantPlace, NamedPlace};
use super::output::{self, OutputForm, show, text};
use super::piped::{self, PipeWait};
use super::requests::ask;
use super::{main_chat, person_only, review, single_word};
use crate::domain::call::called_in;
use crate::model::chat::ListMark;
use crate::model::chat_change::ChatChange;
use crate::model::open_dir::OpenDir;
use crate::model::request::NewChat;
use crate::model::request::{ChatRequest, ChatsRequest, ProjectRequest};
use crate::model::review::Point;
use crate::model::text::visible;
use crate::model::{AreaMode, Problem, Request};

pub fn new(home: &Path, form: OutputForm, new: New) -> anyhow::Result<()> {
    let behind = |words: String| piped::behind(&words, PipeWait::ForItsBeginning);
    let prompt = new.prompt.map(behind).transpose()?;
    let cwd = here()?;
    let around = main_chat::around(home, &cwd);
    // The directory of an orchestrator stays that: what is made beside it is one of many.
    let is_free = matches!(around, Ok(None));
    let main = match new.alone {
        true => None,
        false => around?,
    };
    let sender = person_only::chat_above();
    let (branch, base, in_place) = (new.branch.clone(), new.base.clone(), new.in_place);
    if in_place {
        person_only::under_an_agent("opening a directory in place")?;
    }
    let open = |dir: OpenDir| OpenDir {
        branch: branch.clone(),
        base: base.clone(),
        // To work in, as on the screen.
        mode: dir.mode.or(in_place.then_some(AreaMode::Rw)),
        in_place,
        ..dir
    };
    let is_asked = new.dirs.is_empty() && !new.no_project;
    let here = match &main {
        // An agent says itself what it means.
        None if sender.is_none() && is_asked => meant::here(home, &cwd, in_place),
        Some(_) | None => MeantPlace::Nothing,
    };
    let taken = match &main {
        Some(main) if is_asked => Some(main.root.to_string_lossy().into_owned()),
        Some(_) | None => here.place().map(str::to_owned),
    };
    let taken = taken.map(|place| OpenDir {
        path_or_url: place,
        ..OpenDir::default()
    });
    let (mut named, mut exchanged) = (Vec::new(), None);
    for dir in new.dirs {
        let dir = OpenDir { in_place, ..dir };
        let place = match sender {
            None => meant::named(home, &cwd, dir)?,
            // An agent says itself what it means.
            Some(_) => NamedPlace { open: dir, note: None },
        };
        named.push(place.open);
        if let Some(note) = place.note {
            *exchanged.get_or_insert_with(String::new) += &note;
        }
    }
    let dirs: Vec<_> = named.into_iter().chain(taken).map(open).collect();
    let unmet = match (new.branch.or(new.base), in_place) {
        (Some(_), _) if matches!(here, MeantPlace::WithoutCommit(_)) => {
            Some("the repository around this directory has no commit yet")
        }
        (Some(_), _) => Some("a branch was named, but no project"),
        (None, true) => Some("there is no repository around this directory to open in place"),
        (None, false) => None,
    };
    if let (true, Some(cause)) = (dirs.is_empty(), unmet) {
        return Err(Problem::new("making a chat", cause, "name one with --dir").into());
    }
    let role = new.role.or_else(|| main.as_ref().map(|_| "worker".into()));
    let below = role.as_deref().filter(|_| main.is_some()).map(below_words);
    let request = NewChat {
        name: new.name,
        prompt,
        llm: new.llm,
        role,
        dirs,
        without_mcp: new.without_mcp,
        permissions: new.permissions,
        bind: (is_free && sender.is_none()).then(|| cwd.clone()),
        parent: main.map(|main| main.chat),
        sender,
        cwd: cwd.clone(),
        env: environment(),
        ..NewChat::default()
    };
    let made = ask(home, Request::Chats(ChatsRequest::New(request)))?;
    show(form, &made, |_| {
        let taken = here.words(&cwd, in_place);
        let notes: String = [below, taken, exchanged].into_iter().flatten().collect();
        let notes = notes + &noted(&made);
        format!("{}{notes}{}\n", one_chat(&made), opens(&made))
    })
}

/// How one gets to it: no screen is opened within another.
fn opens(made: &Value) -> String {
    match person_only::is_nested() {
        true => "the list on the screen around this terminal has it".into(),
        false => format!("`{}` opens it", single_word::opening(text(made, "handle"))),
    }
}

/// `a worker of @main; --alone for a chat of its own`
fn below_words(role: &str) -> String {
    format!("a {} of @main; --alone for a chat of its own\n", visible(role))
}

pub fn open_dir(home: &Path, form: OutputForm, open: OpenIn) -> anyhow::Result<()> {
    let cwd = here()?;
    let (dir, exchanged) = match person_only::chat_above() {
        None => {
            let place = meant::named(home, &cwd, open.dir)?;
            (place.open, place.note)
        }
        Some(_) => (open.dir, None),
    };
    let request = Request::Project(ProjectRequest::OpenDir {
        chat: open.chat,
        open: OpenDir { cwd: Some(cwd), ..dir },
    });
    let opened = ask(home, request)?;
    show(form, &opened, |_| {
        exchanged.unwrap_or_default() + &opened_words(&opened)
    })
}

fn opened_words(opened: &Value) -> String {
    let mut words = format!("{} in {}", text(opened, "name"), text(opened, "path"));
    let made = opened["created"].as_bool().unwrap_or_default();
    match (text(opened, "branch"), made) {
        ("", _) => {}
        (branch, true) => words += &format!(", on the new branch {branch}"),
        (branch, false) => words += &format!(", on {branch}"),
    }
    let notes = opened["notes"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    let lines = std::iter::once(words.as_str()).chain(notes);
    lines.map(|line| visible(line) + "\n").collect()
}

/// One after the other. A chat whose agent cannot be stopped keeps none behind it from that; the first failure is the exit
/// code.
pub fn stop(home: &Path, form: OutputForm, stop: StopArgs) -> anyhow::Result<ExitCode> {
    let mut ended = ExitCode::SUCCESS;
    for chat in stop.chats {
        let request = Request::Chat(ChatRequest::Stop { chat, tree: stop.tree });
        match ask(home, request) {
            Ok(answer) => show(form, &answer, |_| stopped(&answer))?,
            Err(error) => {
                let code = output::complain(form, &error);
                if ended == ExitCode::SUCCESS {
                    ended = code;
                }
            }
        }
    }
    Ok(ended)
}

pub fn resume(home: &Path, form: OutputForm, resume: ResumeArgs) -> anyhow::Result<()> {
    let env = environment();
    let Some(chat) = resume.chat else {
        let answer = ask(home, Request::Chats(ChatsRequest::ResumeAll { env }))?;
        return show(form, &answer, |_| many_chats(&answer));
    };
    let answer = ask(home, Request::Chat(ChatRequest::Resume { chat, env }))?;
    show(form, &answer, |_| one_chat(&answer))
}

/// Each that was resumed, and why others were not.
fn many_chats(answer: &Value) -> String {
    let chats = answer["chats"].as_array().map_or(&[][..], Vec::as_slice);
    let mut said: String = chats.iter().map(one_chat).collect();
    match answer["left"].as_u64().unwrap_or_default() {
        0 if chats.is_empty() => said.push_str("no agent ran when the engine ended\n"),
        0 => {}
        left => said.push_str(&format!("{left} left: {}\n", visible(text(answer, "why")))),
    }
    said
}

pub fn restart(home: &Path, form: OutputForm, chat: String) -> anyhow::Result<()> {
    let env = environment();
    let answer = ask(home, Request::Chat(ChatRequest::Restart { chat, env }))?;
    show(form, &answer, |_| one_chat(&answer))
}

pub fn rename(home: &Path, form: OutputForm, rename: RenameArgs) -> anyhow::Result<()> {
    let (chat, name) = (rename.chat, rename.name);
    let answer = ask(home, Request::Chat(ChatRequest::Rename { chat, name }))?;
    show(form, &answer, |_| one_chat(&answer))
}

pub fn set(home: &Path, form: OutputForm, of: ChatSetArgs) -> anyhow::Result<()> {
    let is_of_next_start = of.model.is_some();
    let model = of.model.map(|model| Some(model).filter(|model| !model.is_empty()));
    let mut changes: Vec<ChatChange> = model.map(ChatChange::Model).into_iter().collect();
    changes.extend(of.unasked.map(ChatChange::Permissions));
    changes.extend(of.mode.into_iter().map(|(name, mode)| ChatChange::Mode(name, mode)));
    let done: String = changes.iter().map(changed).collect();
    let answer = ask(home, Request::Chat(ChatRequest::Set { chat: of.chat, changes }))?;
    show(form, &answer, |_| {
        let runs = !matches!(text(&answer, "status"), "exited" | "hibernated");
        let handle = visible(text(&answer, "handle"));
        let note = match is_of_next_start && runs {
            true => format!("its agent runs on with the model that it has; `parlour restart {handle}` changes that\n"),
            false => String::new(),
        };
        one_chat(&answer) + &done + &note
    })
}

/// What holds from now on, in a line.
fn changed(change: &ChatChange) -> String {
    match change {
        ChatChange::Model(Some(model)) => format!("its model is now {}\n", visible(model)),
        ChatChange::Model(None) => "its model is now that of its role, else what its agent chooses\n".into(),
        ChatChange::Permissions(profile) => format!("what it does unasked is now {}\n", profile.name()),
        ChatChange::Mode(dir, mode) => format!("{} is now {}\n", visible(dir), mode.word()),
    }
}

pub fn mark(home: &Path, form: OutputForm, chat: String, (mark, on): (ListMark, bool)) -> anyhow::Result<()> {
    let answer = ask(home, Request::Chat(ChatRequest::Mark { chat, mark, on }))?;
    let now = match (mark, on) {
        (ListMark::Pinned, true) => "pinned: it stands above all others in the list",
        (ListMark::Pinned, false) => "pinned no more",
        (ListMark::Archived, true) => "archived: `parlour list --all` shows it",
        (ListMark::Archived, false) => "in the list again",
    };
    show(form, &answer, |_| format!("{}{now}\n", one_chat(&answer)))
}

pub fn duplicate(home: &Path, form: OutputForm, of: Duplicate) -> anyhow::Result<()> {
    made_of(home, form, (of.chat, None), of.name)
}

pub fn fork(home: &Path, form: OutputForm, of: Fork) -> anyhow::Result<()> {
    let at = review::point(of.id, of.turn);
    made_of(home, form, (of.chat, Some(at)), of.name)
}

fn made_of(
    home: &Path,
    form: OutputForm,
    (chat, at): (String, Option<Point>),
    name: Option<String>,
) -> anyhow::Result<()> {
    let env = environment();
    let made = ask(home, Request::Chat(ChatRequest::Duplicate { chat, name, at, env }))?;
    show(form, &made, |_| {
        format!("{}{}{}\n", one_chat(&made), noted(&made), opens(&made))
    })
}

/// What whoever made a chat is to know, a line each.
fn noted(made: &Value) -> String {
    let notes = made["notes"].as_array().into_iter().flatten().filter_map(Value::as_str);
    notes.map(|note| visible(note) + "\n").collect()
}

/// `fix-auth (Fix auth): running Bash`
/// A row for each that was stopped; of a chat that did not run what it is.
fn stopped(answer: &Value) -> String {
    match answer["stopped"].as_array() {
        Some(all) if !all.is_empty() => all.iter().map(one_chat).collect(),
        Some(_) | None => one_chat(answer),
    }
}

pub(super) fn one_chat(chat: &Value) -> String {
    let mut words = format!("{} ({})", text(chat, "handle"), text(chat, "name"));
    match (text(chat, "status"), text(chat, "detail")) {
        ("", _) => {}
        (status, "") => words += &format!(": {status}"),
        (status, detail) => words += &format!(": {status}, {}", called_in(detail)),
    }
    visible(&words) + "\n"
}
