//! What the demo agent does with a prompt, step by step.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use super::actor::{Actor, ActorDone, ActorStop};
use super::edit::DemoEdit;
use super::git;
use super::page::PageStyle;
use super::source::DemoWish;
use super::talk::DemoSaid;
use crate::fs::Dir;
use crate::model::text;

/// `slow` must leave time to press Escape, at any pace.
const SLOW: Duration = Duration::from_secs(8);
const MOST_README: u64 = 256 << 10;

/// Plays one turn and returns the agent's last words.
pub fn play(actor: &mut Actor, wish: &DemoWish) -> Result<String, ActorStop> {
    let thinking = match wish.slow {
        true => SLOW,
        false => actor.pace * 3,
    };
    actor.pause("Thinking", thinking)?;
    let clone = match &wish.source {
        Some(source) => Some(open(actor, source, &wish.slug)?),
        None => opened_before(actor),
    };
    let Some(clone) = clone else {
        let words = "Name a repository in your prompt, by path or URL, and I will show what an agent does with it.";
        actor.say(words);
        return Ok(words.into());
    };
    if wish.fail {
        return Err(ActorStop::Failed("your prompt asked me to fail".into()));
    }
    work(actor, &clone, wish)
}

/// Reads, changes, looks and commits.
pub(super) fn work(actor: &mut Actor, clone: &Path, wish: &DemoWish) -> Result<String, ActorStop> {
    read(actor, clone)?;
    let edit = change(actor, clone, &wish.slug)?;
    run(actor, clone, &edit)?;
    finish(actor, clone, &edit, wish)
}

/// The first clone of this chat: whoever made the chat may have opened one.
pub(super) fn opened_before(actor: &Actor) -> Option<PathBuf> {
    let listed = actor.tools.as_ref()?.call("list_projects", json!({})).ok()?;
    let mut projects = listed["projects"].as_array()?.iter();
    let clone = projects.find(|project| project["kind"] == "git")?;
    clone["path"].as_str().map(PathBuf::from)
}

/// A repository that this session has open already is worked on where it is.
pub(super) fn open(actor: &mut Actor, source: &str, slug: &str) -> Result<PathBuf, ActorStop> {
    let known = actor.talk.load().into_iter().rev().find_map(|said| match said {
        DemoSaid::Opened { source: known, path } if known == source && path.is_dir() => Some(path),
        DemoSaid::Opened { .. } | DemoSaid::Prompt { .. } | DemoSaid::Words { .. } | DemoSaid::Tool { .. } => None,
    });
    if let Some(path) = known {
        return Ok(path);
    }
    actor.say("I will work on a clone of my own.");
    let branch = format!("demo/{slug}");
    let title = format!("open_dir({source}, branch: {branch})");
    let arguments = json!({"path_or_url": source, "branch": branch});
    let tools = actor.tools.clone();
    let input = arguments.clone();
    let outcome = actor.tool("mcp__parlour__open_dir", &title, input, move || {
        let tools = tools.ok_or("I was not told where parlour's tools are")?;
        let opened = tools.call("open_dir", arguments)?;
        let branch = opened["branch"].as_str().unwrap_or("no branch");
        let shown = format!("{} on {branch}", opened["path"].as_str().unwrap_or_default());
        Ok(ActorDone {
            response: opened.to_string().into(),
            shown: vec![(PageStyle::Dim, shown)],
        })
    })?;
    let response = outcome.map_err(ActorStop::Failed)?.response;
    let opened: Value = serde_json::from_str(response.as_str().unwrap_or_default()).unwrap_or_default();
    let path = opened["path"]
        .as_str()
        .ok_or_else(|| ActorStop::Failed("open_dir named no path".into()))?;
    let path = PathBuf::from(path);
    actor.talk.keep(&DemoSaid::Opened {
        source: source.into(),
        path: path.clone(),
    });
    Ok(path)
}

fn read(actor: &mut Actor, clone: &Path) -> Result<(), ActorStop> {
    let dir = clone.to_path_buf();
    let path = clone.join("README.md");
    let input = json!({"file_path": path});
    // A repository without a README is none the worse for it: the failure shows, the script goes on.
    let _shown = actor.tool("Read", "Read(README.md)", input, move || {
        let dir = Dir::open(&dir).map_err(|e| e.to_string())?;
        let bytes = dir.read("README.md", MOST_README).map_err(|e| e.to_string())?;
        let text = String::from_utf8_lossy(&bytes.ok_or("there is no README.md")?).into_owned();
        let lines = text.lines().count();
        let response = json!({"type": "text", "file": {"filePath": path, "content": text, "numLines": lines}});
        Ok(ActorDone {
            response,
            shown: vec![(PageStyle::Dim, format!("{lines} lines"))],
        })
    })?;
    Ok(())
}

fn change(actor: &mut Actor, clone: &Path, slug: &str) -> Result<DemoEdit, ActorStop> {
    let edit = DemoEdit::plan(clone, slug).map_err(ActorStop::Failed)?;
    actor.say(&format!("I will add {}.", edit.what));
    let path = clone.join(&edit.file);
    let title = format!("Edit({})", edit.file.display());
    let input = json!({"file_path": path, "old_string": "", "new_string": edit.added});
    let (dir, written) = (clone.to_path_buf(), edit.clone());
    let outcome = actor.tool("Edit", &title, input, move || {
        written.write(&dir)?;
        let diff = written.diff();
        let style = |line: &String| match line.starts_with('+') {
            true => PageStyle::Green,
            false => PageStyle::Dim,
        };
        let shown = diff.iter().map(|line| (style(line), line.clone())).collect();
        let response = json!({"filePath": path, "structuredPatch": [{"lines": diff}]});
        Ok(ActorDone { response, shown })
    })?;
    outcome.map(|_| edit).map_err(ActorStop::Failed)
}

fn run(actor: &mut Actor, clone: &Path, edit: &DemoEdit) -> Result<(), ActorStop> {
    let (dir, file) = (clone.to_path_buf(), edit.file.clone());
    let input = json!({"command": "git diff --stat", "description": "Show what changed"});
    let outcome = actor.tool("Bash", "Bash(git diff --stat)", input, move || {
        git::announce(&dir, &file)?;
        Ok(printed(&git::git(&dir, &["diff", "--no-ext-diff", "--stat"])?))
    })?;
    outcome.map(|_| ()).map_err(ActorStop::Failed)
}

fn finish(actor: &mut Actor, clone: &Path, edit: &DemoEdit, wish: &DemoWish) -> Result<String, ActorStop> {
    let message = format!("Add {}", edit.what.replace('`', ""));
    let command = format!(
        "git commit -m {} -- {}",
        shell_words::quote(&message),
        edit.file.display()
    );
    let title = format!("Bash({})", text::one_line(&command, 100));
    let input = json!({"command": command, "description": "Commit the change"});
    let (dir, file) = (clone.to_path_buf(), edit.file.clone());
    let work = move || git::commit(&dir, &file, &message).map(|line| printed(&line));
    let outcome = match wish.ask {
        true => actor.tool_if_allowed("Bash", &title, input, work)?,
        false => actor.tool("Bash", &title, input, work)?,
    };
    let words = match outcome {
        Ok(_) => format!(
            "Done: I added {} to {} and committed it.",
            edit.what,
            edit.file.display()
        ),
        Err(why) => format!(
            "I added {} and did not commit it: {}.",
            edit.what,
            why.trim_end_matches('.')
        ),
    };
    actor.say(&words);
    Ok(words)
}

fn printed(output: &str) -> ActorDone {
    ActorDone {
        response: json!({"stdout": output, "stderr": "", "interrupted": false}),
        shown: output.lines().map(|line| (PageStyle::Dim, line.to_string())).collect(),
    }
}

/// One of parlour's tools, shown as a call like any other.
pub(super) fn call(actor: &mut Actor, name: &'static str, about: &str, input: Value) -> Result<Value, ActorStop> {
    let tools = actor.tools.clone();
    let (title, arguments) = (format!("{name}({about})"), input.clone());
    let outcome = actor.tool(&format!("mcp__parlour__{name}"), &title, input, move || {
        let tools = tools.ok_or("I was not told where parlour's tools are")?;
        let answer = tools.call(name, arguments)?;
        Ok(ActorDone {
            response: answer.to_string().into(),
            shown: vec![(PageStyle::Dim, shown(&answer))],
        })
    })?;
    let response = outcome.map_err(ActorStop::Failed)?.response;
    Ok(serde_json::from_str(response.as_str().unwrap_or_default()).unwrap_or_default())
}

/// What a person wants to see of an answer.
fn shown(answer: &Value) -> String {
    let first = ["handle", "title", "status", "state", "to"]
        .iter()
        .find_map(|key| answer[key].as_str());
    first.unwrap_or("done").into()
}
