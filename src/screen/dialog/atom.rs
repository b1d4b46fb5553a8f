//! An atom: a form to add or change one, and a page of all that is known of it.

use crossterm::event::KeyEvent;

use crate::domain::state::Domain;
use crate::domain::team::{atom, tree};
use crate::model::atom::{Atom, AtomChange, AtomKey, AtomStatus, Edit, Graph, NewAtom, NewAtoms};
use crate::model::text::{one_line, visible};
use crate::model::{ChatId, Handle, Problem, Timestamp};

use super::super::hint::{Hint, HintRole};
use super::super::scrollbar::ScrollBar;
use super::super::wrap::wrap;
use super::field::filled;
use super::focus::FormFocus;
use super::tables::{FORM, FormKey, KeySection, PAGE, form_hints};
use super::{Around, Ask, AtomField, Contract, Field, Form, Part, Reply, Room, Stop, Subject, Wish, page, place};

/// Where an atom goes of which nobody says where.
const FIRST_MOLECULE: &str = "plan";

pub struct AtomForm {
    chat: ChatId,
    about: Subject,
    form: Form,
    /// The atom that is changed; `None` while a new one is made.
    of: Option<AtomKey>,
    molecule: Field,
    id: Field,
    title: Field,
    detail: Field,
    needs: Field,
}

impl AtomForm {
    /// A new one, beside the one that is selected.
    pub fn add(domain: &Domain, chat: &ChatId, selected: Option<&AtomKey>) -> AtomForm {
        let selected = selected.map(|key| key.molecule.as_str());
        let blank = || Field::new("", Room::Line);
        AtomForm {
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            form: Form::new(Stop::Name, domain.now),
            of: None,
            molecule: Field::new(selected.unwrap_or(FIRST_MOLECULE), Room::Line),
            id: blank(),
            title: blank(),
            detail: Field::new("", Room::Lines),
            needs: blank(),
        }
    }

    pub fn edit(domain: &Domain, chat: &ChatId, key: &AtomKey) -> Option<AtomForm> {
        let atom = atom::graph(domain, chat)?.get(key)?;
        Some(AtomForm {
            about: Subject::chat(domain, chat),
            form: Form::new(Stop::Name, domain.now),
            of: Some(key.clone()),
            molecule: Field::new(&key.molecule, Room::Line),
            id: Field::new(&key.id, Room::Line),
            title: Field::new(&atom.title, Room::Line),
            detail: Field::new(&atom.detail, Room::Lines),
            needs: Field::new(&atom.needs.join(", "), Room::Line),
            chat: chat.clone(),
        })
    }

    pub fn is_of(&self, chat: &ChatId) -> bool {
        self.chat == *chat
    }

    /// Whether something was typed for a new one that would have to be typed again.
    pub fn is_typed(&self) -> bool {
        let typed = [&self.title, &self.detail, &self.needs, &self.id];
        self.of.is_none() && typed.into_iter().any(|field| filled(field).is_some())
    }

    /// As it was when it was left.
    pub fn again(&mut self, now: Timestamp) {
        self.form = Form::new(Stop::Name, now);
    }

    /// The atom that it is about, once it is written.
    pub fn key(&self) -> AtomKey {
        AtomKey::new(&self.molecule.text(), &self.id_or_title())
    }

    fn id_or_title(&self) -> String {
        let from_title = || Handle::from_name(&self.title.text()).map(|handle| handle.to_string());
        filled(&self.id).or_else(from_title).unwrap_or_default()
    }

    fn needs(&self) -> Vec<String> {
        let text = self.needs.text();
        let ids = text.split([',', ' ']).filter(|id| !id.is_empty());
        ids.map(str::to_owned).collect()
    }
}

impl Ask for AtomForm {
    fn form(&self) -> &Form {
        &self.form
    }

    fn form_mut(&mut self) -> &mut Form {
        &mut self.form
    }

    fn title(&self) -> String {
        match &self.of {
            Some(key) => format!("Edit {}", visible(&key.to_string())),
            None => "Add a task".into(),
        }
    }

    fn parts(&self, _: &Around) -> Vec<Part> {
        let field = |stop, label, rows, placeholder: &str| Part::Field {
            stop,
            label,
            rows,
            placeholder: placeholder.into(),
        };
        let mut parts = vec![
            field(Stop::Name, "Title", 1, "what is to be done, in a few words"),
            field(Stop::Prompt, "Detail", 3, "the same at length"),
            field(
                Stop::Atom(AtomField::Needs),
                "Needs",
                1,
                "ids of tasks to be done first; group/id of another group",
            ),
        ];
        if self.of.is_none() {
            parts.push(field(Stop::Atom(AtomField::Id), "Id", 1, "made of the title"));
            parts.push(field(
                Stop::Atom(AtomField::Molecule),
                "Group",
                1,
                "the part of the plan it is in",
            ));
        }
        parts.push(Part::Gap);
        parts.extend(self.form.warning());
        let yes = if self.of.is_some() { "Save" } else { "Add" };
        parts.push(self.form.buttons(yes, "Writing…"));
        parts
    }

    fn hints(&self) -> Vec<Hint> {
        let submit = match self.of {
            Some(_) => "save",
            None => "add",
        };
        match self.form.at == Stop::Prompt {
            true => form_hints(FormFocus::Prompt, submit),
            false => vec![
                FORM.hint(&[FormKey::Next], "next"),
                FORM.hint(&[FormKey::Submit], submit).with(HintRole::Submit),
                FORM.hint(&[FormKey::Close], "cancel").way_out(),
            ],
        }
    }

    fn fields(&self) -> Vec<(Stop, &Field)> {
        vec![
            (Stop::Name, &self.title),
            (Stop::Prompt, &self.detail),
            (Stop::Atom(AtomField::Needs), &self.needs),
            (Stop::Atom(AtomField::Id), &self.id),
            (Stop::Atom(AtomField::Molecule), &self.molecule),
        ]
    }

    fn fields_mut(&mut self) -> Vec<(Stop, &mut Field)> {
        vec![
            (Stop::Name, &mut self.title),
            (Stop::Prompt, &mut self.detail),
            (Stop::Atom(AtomField::Needs), &mut self.needs),
            (Stop::Atom(AtomField::Id), &mut self.id),
            (Stop::Atom(AtomField::Molecule), &mut self.molecule),
        ]
    }

    fn about(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn wish(&self, around: &Around) -> Result<Wish, Problem> {
        let nothing = || Problem::new("writing a task", "it needs a title", "type one");
        let title = filled(&self.title).ok_or_else(nothing)?;
        let change = match &self.of {
            Some(key) => {
                let known = atom::graph(around.domain, &self.chat).and_then(|graph| graph.get(key));
                let needs = self.needs();
                AtomChange::Update(
                    key.clone(),
                    Edit {
                        title: Some(title),
                        detail: Some(self.detail.text()),
                        // What was wrong with them before keeps nothing else from being changed.
                        needs: Some(needs).filter(|needs| known.is_none_or(|known| known.needs != *needs)),
                        ..Edit::default()
                    },
                )
            }
            None => AtomChange::Add(NewAtoms {
                molecule: self.molecule.text().trim().to_string(),
                atoms: vec![NewAtom {
                    id: self.id_or_title(),
                    title,
                    detail: self.detail.text(),
                    needs: self.needs(),
                    context: String::new(),
                }],
            }),
        };
        Ok(Wish::Atom(self.chat.clone(), change))
    }
}

/// All of an atom.
pub struct AtomPage {
    chat: ChatId,
    pub key: AtomKey,
    about: Subject,
    pub scroll: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AtomLine {
    Title(String),
    /// Second in importance.
    Fact(String),
    Heading(&'static str),
    Text(String),
    Gap,
}

impl AtomPage {
    pub fn new(domain: &Domain, chat: &ChatId, key: AtomKey) -> AtomPage {
        AtomPage {
            chat: chat.clone(),
            key,
            about: Subject::chat(domain, chat),
            scroll: 0,
        }
    }

    pub fn lines(&self, around: &Around, width: usize) -> Vec<AtomLine> {
        let Some(graph) = atom::graph(around.domain, &self.chat) else {
            return Vec::new();
        };
        let Some(known) = graph.get(&self.key) else {
            return vec![AtomLine::Fact("This task no longer exists.".into())];
        };
        let text = |text: &str, line: fn(String) -> AtomLine| -> Vec<AtomLine> {
            let shown = text.lines().map(visible).collect::<Vec<_>>().join("\n");
            wrap(&shown, width).into_iter().map(line).collect()
        };
        let mut lines = text(&one_line(&known.title, 400), AtomLine::Title);
        lines.extend(text(&self.facts(around, known), AtomLine::Fact));
        if !known.needs.is_empty() {
            lines.extend([AtomLine::Gap, AtomLine::Heading("Needs")]);
            let needs = known.needs.iter().map(|need| need_line(graph, &self.key, need));
            lines.extend(needs.flat_map(|need| text(&need, AtomLine::Text)));
        }
        for (heading, words) in [
            ("Detail", &known.detail),
            ("Context", &known.context),
            ("Note", &known.note),
        ] {
            if !words.is_empty() {
                lines.extend([AtomLine::Gap, AtomLine::Heading(heading)]);
                lines.extend(text(words, AtomLine::Text));
            }
        }
        lines
    }

    fn facts(&self, around: &Around, known: &Atom) -> String {
        let root = tree::root(around.domain, &self.chat);
        let status = match known.status {
            AtomStatus::Todo => "to do",
            AtomStatus::InProgress => "in progress",
            AtomStatus::Done => "done",
        };
        let owner = atom::owner(around.domain, root, known).map(|owner| format!(" · {owner}"));
        let age = known.since.map(|since| format!(" · {}", since.age(around.domain.now)));
        format!(
            "{} · {status}{}{}",
            self.key,
            owner.unwrap_or_default(),
            age.unwrap_or_default()
        )
    }
}

impl Contract for AtomPage {
    fn subject(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn press(&mut self, key: KeyEvent, around: &Around) -> Reply {
        let lines = self.lines(around, place::read_width(around.whole)).len();
        let seen = usize::from(place::page(around.whole, lines).inside.height);
        page::press(&mut self.scroll, key, lines.saturating_sub(seen), seen)
    }

    fn bars(&self, around: &Around) -> Vec<ScrollBar> {
        let lines = self.lines(around, place::read_width(around.whole)).len();
        vec![page::bar(around.whole, self.scroll, lines)]
    }

    fn scroll_to(&mut self, _: &ScrollBar, first: usize, _: &Around) {
        self.scroll = first;
    }

    fn keys(&self) -> Vec<KeySection> {
        vec![PAGE.section()]
    }

    fn hints(&self, _: &Around) -> Vec<Hint> {
        page::hints()
    }
}

fn need_line(graph: &Graph, key: &AtomKey, need: &str) -> String {
    match graph.get(&AtomKey::of_need(&key.molecule, need)) {
        Some(known) if known.status == AtomStatus::Done => format!("✓ {need}  {}", one_line(&known.title, 200)),
        Some(known) => format!("◌ {need}  {}", one_line(&known.title, 200)),
        None => format!("? {need}  is not there"),
    }
}
