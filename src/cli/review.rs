//! What changed in the clones of a chat, their checkpoints, and the way back.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::path::Path;

use serde_json::{Value, json};

use super::args::{DiffOf, Revert, UndoRevert};
use super::environment::environment;
use super::output::{self, OutputForm, OutputLook, OutputTone, show};
use super::requests::ask;
use super::table::{TableCell, cell, table};
use super::{agreement, person_only};
use crate::model::bytes;
use crate::model::chat_name::pasted;
use crate::model::in_place::Uncompared;
use crate::model::lineage::PointList;
use crate::model::review::{
    AfterTurn, Amount, Changes, Checkpoint, DiffAsk, DiffSet, FileChange, FileFate, FileKind, KeptCheckpoint, Point,
    RevertOf, Reverted, ReviewAsk,
};
use crate::model::talk::{RevertedTalk, TalkFate};
use crate::model::text::{count, visible};
use crate::model::{Problem, Request};

/// Columns of the list where there is no terminal.
const WIDTH: usize = 80;

/// Paths that a plan names before the rest is only counted.
const NAMED: usize = 40;

pub fn checkpoint(home: &Path, form: OutputForm, chat: String) -> anyhow::Result<()> {
    person_only::under_an_agent(&format!("taking a checkpoint of {chat}"))?;
    let ask_for = ReviewAsk::Checkpoint;
    let answer = ask(home, Request::Review { chat, ask: ask_for })?;
    let kept: KeptCheckpoint = serde_json::from_value(answer)?;
    let number = kept.checkpoint.number;
    let told = json!({
        "id": number,
        "new": kept.new,
        "at": kept.checkpoint.at,
        "projects": kept.commits,
        "left_out": kept.checkpoint.left_out,
    });
    show(form, &told, |_| match kept.new {
        true => format!("checkpoint {number}\n"),
        false => format!("nothing changed since checkpoint {number}\n"),
    })
}

pub fn checkpoints(home: &Path, form: OutputForm, chat: String) -> anyhow::Result<()> {
    let ask_for = ReviewAsk::Checkpoints;
    let answer = ask(home, Request::Review { chat, ask: ask_for })?;
    let list: PointList = serde_json::from_value(answer.clone())?;
    show(form, &answer, |look| {
        // A prompt is long, whoever reads the list.
        let width = Some(look.width.unwrap_or(WIDTH));
        listed(&OutputLook { width, ..*look }, &list)
    })
}

fn listed(look: &OutputLook, list: &PointList) -> String {
    let checkpoints = &list.checkpoints;
    if checkpoints.is_empty() {
        return "no checkpoint yet: one is taken as each turn begins\n".into();
    }
    let head = ["ID", "TURN", "AGE", "CHANGED", "WHAT"];
    let mut rows = vec![
        head.map(|name| cell(OutputTone::Heading, name))
            .into_iter()
            .collect::<Vec<TableCell>>(),
    ];
    rows.extend(checkpoints.iter().rev().map(|one| row(look, one)));
    format!("{}{} on disk\n", table(look, &rows), bytes::in_words(list.bytes))
}

fn row(look: &OutputLook, one: &Checkpoint) -> Vec<TableCell> {
    let turn = one.turn.map_or(String::new(), |turn| turn.to_string());
    let without: Vec<&str> = one.unsaved().map(|out| out.project.as_str()).collect();
    let what = match without.is_empty() {
        true => one.about(),
        false => format!("{}; without {}", one.about(), without.join(", ")),
    };
    vec![
        cell(OutputTone::Plain, &one.number.to_string()),
        cell(OutputTone::Plain, &turn),
        cell(OutputTone::Quiet, &one.at.age(look.now)),
        cell(OutputTone::Plain, &one.changed.join(" ")),
        cell(OutputTone::Plain, &what),
    ]
}

pub fn diff(home: &Path, form: OutputForm, of: DiffOf) -> anyhow::Result<()> {
    let is_uncommitted_hidden = of.set.set() == DiffSet::LastPrompt && of.project.is_none();
    let ask_for = DiffAsk {
        set: of.set.set(),
        project: of.project,
        lines: !of.stat,
    };
    let chat = of.chat;
    let answer = ask(
        home,
        Request::Review {
            chat: chat.clone(),
            ask: ReviewAsk::Diff(ask_for),
        },
    )?;
    let changes: Vec<Changes> = serde_json::from_value(answer["changes"].clone())?;
    if is_uncommitted_hidden {
        say_uncommitted(home, &chat, &changes);
    }
    if let (Some(turn), OutputForm::Words) = (of.set.turn, form) {
        say_after(turn, &answer);
    }
    for project in &changes {
        if let Some(why) = &project.left_out {
            eprintln!("{}", why.told(&project.project));
        }
    }
    let has_changed = changes.iter().any(|project| !project.files.is_empty());
    if form == OutputForm::Words && has_changed && !of.stat && !io::stdout().is_terminal() {
        return output::print_bytes(changes.iter().map(|project| project.patch.bytes()));
    }
    show(form, &answer, |look| {
        let projects = changes.iter();
        if !has_changed {
            return "nothing changed\n".into();
        }
        match of.stat {
            true => projects.map(|project| stat(look, project)).collect(),
            false => projects.map(|project| patch(look, &project.patch.text)).collect(),
        }
    })
}

/// Where nothing changed since the last prompt, there may be work of earlier turns that is not committed.
fn say_uncommitted(home: &Path, chat: &str, changes: &[Changes]) {
    if changes.iter().any(|project| !project.files.is_empty()) {
        return;
    }
    let request = Request::Review {
        chat: chat.to_owned(),
        ask: ReviewAsk::Diff(DiffAsk {
            set: DiffSet::Uncommitted,
            project: None,
            lines: false,
        }),
    };
    // It is said beside the answer, which does not fail for it.
    let found = ask(home, request).ok();
    let found = found.and_then(|answer| serde_json::from_value::<Vec<Changes>>(answer["changes"].clone()).ok());
    let files: usize = found.iter().flatten().map(|project| project.files.len()).sum();
    let (files, shows) = match files {
        0 => return,
        1 => ("1 file is".to_string(), "it"),
        many => (format!("{many} files are"), "them"),
    };
    let chat = pasted(chat);
    eprintln!("{files} not committed: `parlour diff {chat} --uncommitted` shows {shows}");
}

/// What was changed after the turn is not what it did.
fn say_after(turn: u32, answer: &Value) {
    let Ok(after) = serde_json::from_value::<AfterTurn>(answer["after_turn"].clone()) else {
        return;
    };
    let Amount { files, added, removed } = after.amount;
    let files = count(files, "file");
    let told = match after.apart {
        true => "it is not among these changes",
        false => "it is among these changes, for which lines it was is not known",
    };
    eprintln!("{files} +{added} −{removed} changed after turn {turn} had ended, by no turn: {told}");
}

/// On a terminal: as git colours it, and nothing in it reaches the terminal but what is printed.
fn patch(look: &OutputLook, patch: &str) -> String {
    let mut shown = String::new();
    for line in patch.lines() {
        let tone = match line.as_bytes().first() {
            Some(b'+') if !line.starts_with("+++") => OutputTone::Good,
            Some(b'-') if !line.starts_with("---") => OutputTone::Bad,
            Some(b' ') => OutputTone::Plain,
            _ => OutputTone::Quiet,
        };
        let parts: Vec<String> = line.split('\t').map(visible).collect();
        let _ = writeln!(shown, "{}", look.paint(tone, &parts.join("\t")));
    }
    shown
}

fn stat(look: &OutputLook, project: &Changes) -> String {
    let name = &project.project;
    if project.left_out.as_ref().is_some_and(Uncompared::is_all) {
        return String::new();
    }
    if project.files.is_empty() {
        return format!("{}: no changes\n", visible(name));
    }
    let path = |path: &Path| format!("{name}/{}", path.display());
    let row = |file: &FileChange| {
        let kind = match file.kind {
            _ if file.is_in_conflict() => "in conflict",
            FileKind::Added => "added",
            FileKind::Deleted => "deleted",
            FileKind::Modified => "modified",
            FileKind::Renamed => "renamed",
            FileKind::Mode => "mode",
            FileKind::Submodule => "submodule",
            FileKind::Staged => "staged",
        };
        let lines = match file.binary {
            true => ["binary".into(), String::new()],
            false => [format!("+{}", file.added), format!("-{}", file.removed)],
        };
        let [added, removed] = lines;
        let shown = match &file.from {
            Some(from) => format!("{} → {}", path(from), path(&file.path)),
            None => path(&file.path),
        };
        vec![
            cell(OutputTone::Quiet, kind),
            cell(OutputTone::Good, &added),
            cell(OutputTone::Bad, &removed),
            cell(OutputTone::Plain, &shown),
        ]
    };
    table(look, &project.files.iter().map(row).collect::<Vec<_>>())
}

/// One of them is given.
pub(super) fn point(id: Option<u64>, turn: Option<u32>) -> Point {
    match (id, turn) {
        (Some(id), _) => Point::Checkpoint(id),
        (None, turn) => Point::Turn(turn.unwrap_or_default()),
    }
}

pub fn revert(home: &Path, form: OutputForm, of: Revert) -> anyhow::Result<()> {
    let to = point(of.id, of.turn);
    let project = of.project;
    let parts = match (of.code, of.talk) {
        (true, _) => RevertOf::Code,
        (false, true) => RevertOf::Talk,
        (false, false) => RevertOf::Both,
    };
    let asked = |yes| ReviewAsk::Revert {
        to,
        project: project.clone(),
        of: parts,
        yes,
        env: environment(),
    };
    back(home, form, (&of.chat, of.yes), &asked)
}

/// What changes, and which files stay though the code was to go back.
fn whole(plan: &Reverted, asked: &ReviewAsk) -> String {
    let is_of_code = matches!(asked, ReviewAsk::Revert { of, .. } if of.has_code());
    let places = plan.places().filter(|_| is_of_code).map(|told| told + "\n");
    planned(plan) + &places.collect::<String>()
}

pub fn undo_revert(home: &Path, form: OutputForm, of: UndoRevert) -> anyhow::Result<()> {
    back(home, form, (&of.chat, of.yes), &|yes| {
        let env = environment();
        ReviewAsk::UndoRevert { yes, env }
    })
}

fn back(
    home: &Path,
    form: OutputForm,
    (chat, yes): (&str, bool),
    asked: &dyn Fn(bool) -> ReviewAsk,
) -> anyhow::Result<()> {
    person_only::under_an_agent(&format!("changing the clones of {chat}"))?;
    let request = |yes| Request::Review {
        chat: chat.to_owned(),
        ask: asked(yes),
    };
    if !yes {
        let plan = ask(home, request(false))?;
        let words = whole(&serde_json::from_value(plan)?, &asked(false));
        let unchanged = |cause: String| Problem::new(format!("reverting {chat}"), cause, "say `--yes` to do it");
        if form == OutputForm::Json {
            let plan = words.trim_end().replace('\n', "; ");
            return Err(unchanged(format!("nothing was changed: {plan}")).into());
        }
        output::tell_lines(&words);
        if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return Err(unchanged("nothing was changed".into()).into());
        }
        if !agreement::is_asked("Go back?")? {
            output::tell("nothing was changed");
            return Ok(());
        }
    }
    let answer = ask(home, request(true))?;
    let reverted: Reverted = serde_json::from_value(answer.clone())?;
    let is_undo = matches!(asked(true), ReviewAsk::UndoRevert { .. });
    show(form, &answer, |_| {
        let changes = whole(&reverted, &asked(true));
        let saved = reverted.saved.unwrap_or_default();
        match is_undo {
            true => format!("{changes}the revert is taken back; what was there is checkpoint {saved}\n"),
            false => format!(
                "{changes}back at checkpoint {}; `parlour undo-revert {}` brings back what was there\n",
                reverted.to,
                pasted(chat)
            ),
        }
    })
}

/// What changes, file by file.
fn planned(plan: &Reverted) -> String {
    let mut words = String::new();
    for project in &plan.projects {
        let name = visible(&project.project);
        for file in project.changes.iter().take(NAMED) {
            let what = match file.what {
                FileFate::ComesBack => "comes back",
                FileFate::Goes => "goes",
                FileFate::Changes => "changes",
                FileFate::ChangesMode => "changes its mode",
            };
            let _ = writeln!(words, "{name}/{} {what}", visible(&file.path.to_string_lossy()));
        }
        if project.changes.len() > NAMED {
            let more = count(project.changes.len() - NAMED, "more file");
            let _ = writeln!(words, "{name}: {more}");
        }
        if let Some((from, to)) = &project.head {
            let _ = writeln!(
                words,
                "{name}: {} is checked out instead of {}",
                visible(to),
                visible(from)
            );
        }
        for branch in &project.branches {
            let short = |commit: &Option<String>| commit.as_ref().map_or("nothing".to_owned(), |id| id[..7].to_owned());
            let (from, to) = (short(&branch.from), short(&branch.to));
            let _ = writeln!(
                words,
                "{name}: branch {} moves from {from} to {to}",
                visible(&branch.name)
            );
        }
        for lost in &project.lost {
            let _ = writeln!(words, "{name}: {}", lost.told());
        }
        for path in &project.in_the_way {
            let path = visible(&path.to_string_lossy());
            let _ = writeln!(words, "{name}/{path} is in the way, and no checkpoint has it");
        }
        for path in project.stays.iter().take(NAMED) {
            let path = visible(&path.to_string_lossy());
            let _ = writeln!(words, "{name}/{path} stays: the checkpoint does not hold it");
        }
        if project.stays.len() > NAMED {
            let more = project.stays.len() - NAMED;
            let stay = if more == 1 { "stays" } else { "stay" };
            let _ = writeln!(words, "{name}: {more} more that the checkpoint does not hold {stay}");
        }
        if let Some(gone) = &project.gone {
            let _ = writeln!(words, "{name}: {}", gone.told());
            continue;
        }
        if project.changes.is_empty() && project.branches.is_empty() && project.head.is_none() {
            let _ = writeln!(words, "{name}: nothing changes");
        }
    }
    if let Some(talk) = &plan.talk {
        words.push_str(&talked(talk));
    }
    if let Some(why) = &plan.talk_stays {
        let _ = writeln!(words, "the conversation stays as it is: {}", visible(why));
    }
    for prompt in &plan.waiting {
        let _ = writeln!(words, "waits, and goes back to the composer: {}", visible(prompt));
    }
    words
}

/// What is hidden of the conversation, prompt by prompt.
fn talked(talk: &RevertedTalk) -> String {
    let mut words = String::new();
    for prompt in talk.hidden.iter().take(NAMED) {
        let _ = writeln!(words, "hidden: {}", visible(prompt));
    }
    if talk.hidden.len() > NAMED {
        let _ = writeln!(words, "hidden: {}", count(talk.hidden.len() - NAMED, "more prompt"));
    }
    for prompt in talk.shown.iter().take(NAMED) {
        let _ = writeln!(words, "shown again: {}", visible(prompt));
    }
    words.push_str(match talk.agent {
        TalkFate::GoesOn => "",
        TalkFate::BeginsAnew => "its agent begins again, with what was said until then in AGENTS.md\n",
        TalkFate::BeginsEmpty => {
            "its agent begins an empty conversation: nothing is left ahead of that prompt in its CLI\n"
        }
    });
    words
}
