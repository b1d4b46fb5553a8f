//! `parlour work`: the work graph of a chat's tree.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::args::{AtomName, NewWork, UpdateWork, WorkArgs, WorkList, WorkVerb};
use super::output::{OutputForm, OutputLook, OutputTone, show, text};
use super::person_only;
use super::requests::ask;
use super::table::{TableCell, cell, table};
use crate::model::atom::{AtomAsk, AtomChange, AtomKey, AtomStatus, Edit, ListAtoms, NewAtom, NewAtoms};
use crate::model::text::visible;
use crate::model::{Request, Timestamp};

pub fn run(home: &Path, form: OutputForm, work: WorkArgs) -> anyhow::Result<()> {
    let (chat, change) = match work.verb {
        WorkVerb::List(list) => return self::list(home, form, list),
        WorkVerb::Add(new) => add(new),
        WorkVerb::Claim(atom) => (atom.chat.clone(), AtomChange::Claim(key(&atom))),
        WorkVerb::Done(of) => update(&of.atom, of.note, AtomStatus::Done),
        WorkVerb::Todo(of) => update(&of.atom, of.note, AtomStatus::Todo),
        WorkVerb::Update(edit) => edit_of(edit),
    };
    let answer = ask(home, request(Some(chat), AtomAsk::Change(change)))?;
    show(form, &answer, |_| match answer["added"].as_array() {
        Some(added) => {
            let added = added.iter().filter_map(Value::as_str).map(visible);
            added.map(|key| format!("added {key}\n")).collect()
        }
        None => one_line(&answer),
    })
}

fn request(chat: Option<String>, ask: AtomAsk) -> Request {
    let sender = person_only::chat_above();
    Request::Work { chat, sender, ask }
}

fn key(atom: &AtomName) -> AtomKey {
    AtomKey::new(&atom.molecule, &atom.id)
}

fn add(new: NewWork) -> (String, AtomChange) {
    let atom = NewAtom {
        id: new.atom.id,
        title: new.title,
        detail: new.detail.unwrap_or_default(),
        needs: new.needs,
        context: new.context.unwrap_or_default(),
    };
    let add = AtomChange::Add(NewAtoms {
        molecule: new.atom.molecule,
        atoms: vec![atom],
    });
    (new.atom.chat, add)
}

fn update(atom: &AtomName, note: Option<String>, to: AtomStatus) -> (String, AtomChange) {
    let edit = Edit { note, ..Edit::to(to) };
    (atom.chat.clone(), AtomChange::Update(key(atom), edit))
}

fn edit_of(edit: UpdateWork) -> (String, AtomChange) {
    let key = key(&edit.atom);
    let change = Edit {
        status: edit.status,
        title: edit.title,
        detail: edit.detail,
        needs: edit.needs.map(|ids| ids.0),
        note: edit.note,
    };
    (edit.atom.chat, AtomChange::Update(key, change))
}

/// `plan/parser: in_progress, fix-auth`
fn one_line(atom: &Value) -> String {
    let mut words = format!(
        "{}/{}: {}",
        text(atom, "molecule"),
        text(atom, "id"),
        text(atom, "status")
    );
    match text(atom, "owner") {
        "" => {}
        owner => words += &format!(", {owner}"),
    }
    visible(&words) + "\n"
}

/// What of an atom is shown. Anything may be missing: a newer engine says things its own way.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ListedAtom {
    tree: String,
    molecule: String,
    id: String,
    title: String,
    status: String,
    ready: bool,
    waits_for: Vec<String>,
    owner: Option<String>,
    note: String,
    since: Option<Timestamp>,
}

fn list(home: &Path, form: OutputForm, list: WorkList) -> anyhow::Result<()> {
    let all = list.chat.is_none();
    let none = match list.ready {
        true => "no atom is ready to be claimed; `parlour work list` shows what they wait for",
        false => "no atoms; `parlour work add` makes one",
    };
    let wanted = AtomAsk::List(ListAtoms {
        molecule: list.molecule,
        ready_only: list.ready,
    });
    let answer = ask(home, request(list.chat, wanted))?;
    show(form, &answer, |look| words(&answer, look, all, none))
}

fn words(answer: &Value, look: &OutputLook, trees: bool, none: &str) -> String {
    let atoms = answer["atoms"].as_array().into_iter().flatten();
    let rows: Vec<ListedAtom> = atoms
        .map(|atom| ListedAtom::deserialize(atom).unwrap_or_default())
        .collect();
    let odd = answer["unreadable"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    let odd: String = odd.map(|why| visible(why) + "\n").collect();
    if rows.is_empty() && !odd.is_empty() {
        return odd;
    }
    if rows.is_empty() {
        return format!("{none}\n");
    }
    let mut heading: Vec<TableCell> = ["STATUS", "ATOM", "OWNER", "AGE", "TITLE"]
        .map(|word| cell(OutputTone::Quiet, word))
        .into();
    if trees {
        heading.insert(1, cell(OutputTone::Quiet, "TREE"));
    }
    let cells = |atom: &ListedAtom| {
        let mut cells = row(atom, look);
        if trees {
            cells.insert(1, cell(OutputTone::Plain, &atom.tree));
        }
        cells
    };
    let rows: Vec<Vec<TableCell>> = std::iter::once(heading).chain(rows.iter().map(cells)).collect();
    odd + &table(look, &rows)
}

fn row(atom: &ListedAtom, look: &OutputLook) -> Vec<TableCell> {
    let (sign, tone, status) = match (atom.status.as_str(), atom.ready) {
        ("todo", true) => ("○", OutputTone::Good, "ready"),
        ("todo", false) => ("◌", OutputTone::Waiting, "todo"),
        ("in_progress", _) => ("●", OutputTone::Plain, "in_progress"),
        ("done", _) => ("✓", OutputTone::Quiet, "done"),
        (other, _) => ("?", OutputTone::Waiting, other),
    };
    let mut about = atom.title.clone();
    if atom.status == "todo" && !atom.waits_for.is_empty() {
        about += &format!(" · waits for {}", atom.waits_for.join(", "));
    }
    if !atom.note.is_empty() {
        about += &format!(" · {}", atom.note.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    vec![
        cell(tone, &format!("{sign} {status}")),
        cell(OutputTone::Heading, &format!("{}/{}", atom.molecule, atom.id)),
        cell(OutputTone::Plain, atom.owner.as_deref().unwrap_or_default()),
        cell(
            OutputTone::Quiet,
            &atom.since.map_or(String::new(), |since| since.age(look.now)),
        ),
        cell(OutputTone::Plain, &about),
    ]
}
