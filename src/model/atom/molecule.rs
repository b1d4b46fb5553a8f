//! The nouns: an atom, the molecule that it is a part of, and the graph of all of them.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};

use crate::model::Timestamp;
use crate::model::text::visible;

/// All molecules of a tree of chats, by name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Graph {
    pub molecules: Vec<Molecule>,
}

/// One file of atoms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Molecule {
    pub name: String,
    pub items: Vec<MoleculeItem>,
    /// Keys of the file that are not ours.
    pub other: Map<String, Value>,
    /// Why the file cannot be read, in words: it has no items then, and is left alone.
    pub damage: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum MoleculeItem {
    Atom(Box<Atom>),
    /// What stands among the atoms and is none: kept as it is.
    Odd {
        value: Value,
        why: String,
    },
}

/// A work item.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Atom {
    pub id: String,
    #[serde(default, deserialize_with = "or_default")]
    pub title: String,
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "String::is_empty")]
    pub detail: String,
    #[serde(default, deserialize_with = "or_default")]
    pub status: AtomStatus,
    /// Atoms that have to be done first: of the same molecule by their id, of another as `molecule/id`.
    #[serde(default, deserialize_with = "or_default")]
    pub needs: Vec<String>,
    /// A chat's id, or whatever an agent wrote there.
    #[serde(default)]
    pub owner: Option<String>,
    /// What whoever takes it on should know.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "String::is_empty")]
    pub context: String,
    /// What was said of it last.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Since when it has its status.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, clap::ValueEnum,
)]
#[serde(rename_all = "snake_case")]
#[value(rename_all = "snake_case")]
pub enum AtomStatus {
    #[default]
    Todo,
    InProgress,
    Done,
}

impl AtomStatus {
    pub const ALL: [AtomStatus; 3] = [AtomStatus::Todo, AtomStatus::InProgress, AtomStatus::Done];

    pub fn word(self) -> &'static str {
        match self {
            AtomStatus::Todo => "todo",
            AtomStatus::InProgress => "in_progress",
            AtomStatus::Done => "done",
        }
    }
}

/// Where an atom is in its graph.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct AtomKey {
    pub molecule: String,
    pub id: String,
}

impl AtomKey {
    pub fn new(molecule: &str, id: &str) -> AtomKey {
        AtomKey {
            molecule: molecule.into(),
            id: id.into(),
        }
    }

    /// What a need that is written in `molecule` means.
    pub fn of_need(molecule: &str, need: &str) -> AtomKey {
        match need.split_once('/') {
            Some((other, id)) => AtomKey::new(other, id),
            None => AtomKey::new(molecule, need),
        }
    }

    /// As it is written in `molecule`.
    pub fn from(&self, molecule: &str) -> String {
        match self.molecule == molecule {
            true => self.id.clone(),
            false => self.to_string(),
        }
    }
}

impl fmt::Display for AtomKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.molecule, self.id)
    }
}

impl Atom {
    pub const MOST_NEEDS: usize = 50;
}

impl Molecule {
    /// The version that this parlour writes.
    const VERSION: u64 = 1;
    /// More than these are no plan that anybody follows; the whole graph is looked through at each change.
    pub const MOST_ATOMS: usize = 500;

    pub fn empty(name: &str) -> Molecule {
        Molecule {
            name: name.into(),
            items: Vec::new(),
            other: Map::new(),
            damage: None,
        }
    }

    pub fn damaged(name: &str, why: impl fmt::Display) -> Molecule {
        Molecule {
            damage: Some(why.to_string()),
            ..Molecule::empty(name)
        }
    }

    /// What the bytes of its file say.
    pub fn parse(name: &str, bytes: &[u8]) -> Molecule {
        let mut fields = match serde_json::from_slice(bytes) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) => return Molecule::damaged(name, "it holds no object"),
            Err(error) => return Molecule::damaged(name, format!("it is not JSON: {error}")),
        };
        match fields.get("v").map(Value::as_u64) {
            None | Some(Some(Self::VERSION)) => {}
            Some(_) => return Molecule::damaged(name, "it is of another version"),
        }
        let items = match fields.remove("atoms") {
            Some(Value::Array(items)) if items.len() <= Self::MOST_ATOMS => items,
            Some(Value::Array(items)) => return Molecule::damaged(name, format!("it holds {} atoms", items.len())),
            Some(_) | None => return Molecule::damaged(name, "it holds no list of atoms"),
        };
        fields.remove("v");
        let mut molecule = Molecule {
            other: fields,
            ..Molecule::empty(name)
        };
        for value in items {
            let item = molecule.item(value);
            molecule.items.push(item);
        }
        molecule
    }

    fn item(&self, value: Value) -> MoleculeItem {
        let why = match Atom::deserialize(&value) {
            Ok(atom) if atom.id.is_empty() || atom.id.contains('/') => {
                format!("{:?} is no id", visible(&atom.id))
            }
            Ok(atom) if self.atoms().any(|known| known.id == atom.id) => {
                format!("two atoms are called {}", visible(&atom.id))
            }
            Ok(atom) if atom.needs.len() > Atom::MOST_NEEDS => {
                format!("{} needs more than {} atoms", visible(&atom.id), Atom::MOST_NEEDS)
            }
            Ok(atom) => return MoleculeItem::Atom(Box::new(atom)),
            Err(error) => visible(&error.to_string()),
        };
        MoleculeItem::Odd { value, why }
    }

    /// As it is written to its file, for people too.
    pub fn text(&self) -> String {
        let item = |item: &MoleculeItem| match item {
            MoleculeItem::Atom(atom) => serde_json::to_value(atom).expect("an atom has only text keys"),
            MoleculeItem::Odd { value, .. } => value.clone(),
        };
        let mut fields = Map::new();
        fields.insert("v".into(), json!(Self::VERSION));
        fields.insert("atoms".into(), self.items.iter().map(item).collect());
        fields.extend(self.other.clone());
        format!("{:#}\n", Value::Object(fields))
    }

    pub fn atoms(&self) -> impl Iterator<Item = &Atom> {
        self.items.iter().filter_map(|item| match item {
            MoleculeItem::Atom(atom) => Some(atom.as_ref()),
            MoleculeItem::Odd { .. } => None,
        })
    }

    pub(super) fn atom_mut(&mut self, id: &str) -> Option<&mut Atom> {
        let mut atoms = self.items.iter_mut().filter_map(|item| match item {
            MoleculeItem::Atom(atom) => Some(atom.as_mut()),
            MoleculeItem::Odd { .. } => None,
        });
        atoms.find(|atom| atom.id == id)
    }
}

impl Graph {
    /// Files that are read, and atoms in all of them: the screen shows the whole graph.
    pub const MOST_MOLECULES: usize = 64;
    pub const MOST_ATOMS: usize = 2_000;
    pub const MOST_NEEDS: usize = 5_000;

    /// Puts a molecule to the others; one that makes the graph too large is there as one that cannot be read.
    pub fn take(&mut self, molecule: Molecule) {
        let name = molecule.name.clone();
        self.molecules.push(molecule);
        if let (Some(why), Some(last)) = (self.is_too_large(), self.molecules.last_mut()) {
            *last = Molecule::damaged(&name, format!("with it {why}"));
        }
    }

    pub(super) fn is_too_large(&self) -> Option<String> {
        let needs = |(_, atom): (AtomKey, &Atom)| atom.needs.len();
        match (self.atoms().count(), self.atoms().map(needs).sum::<usize>()) {
            (atoms, _) if atoms > Self::MOST_ATOMS => {
                Some(format!("this tree would hold more than {} atoms", Self::MOST_ATOMS))
            }
            (_, needs) if needs > Self::MOST_NEEDS => {
                Some(format!("its atoms would need more than {} others", Self::MOST_NEEDS))
            }
            _ => None,
        }
    }

    pub fn molecule(&self, name: &str) -> Option<&Molecule> {
        self.molecules.iter().find(|molecule| molecule.name == name)
    }

    /// Every atom with its place, in the order of the files.
    pub fn atoms(&self) -> impl Iterator<Item = (AtomKey, &Atom)> {
        let of = |molecule: &'_ Molecule| molecule.name.clone();
        self.molecules.iter().flat_map(move |molecule| {
            let name = of(molecule);
            molecule.atoms().map(move |atom| (AtomKey::new(&name, &atom.id), atom))
        })
    }

    pub fn get(&self, key: &AtomKey) -> Option<&Atom> {
        self.molecule(&key.molecule)?.atoms().find(|atom| atom.id == key.id)
    }

    /// What an atom needs that is not done, or not there, as it is written in its molecule.
    pub fn waits_for(&self, key: &AtomKey) -> Vec<String> {
        let open = |need: &&String| {
            let needed = self.get(&AtomKey::of_need(&key.molecule, need));
            needed.is_none_or(|needed| needed.status != AtomStatus::Done)
        };
        let needs = self.get(key).map(|atom| atom.needs.as_slice()).unwrap_or_default();
        needs.iter().filter(open).cloned().collect()
    }

    /// It can be claimed.
    pub fn is_ready(&self, key: &AtomKey) -> bool {
        let todo = self.get(key).is_some_and(|atom| atom.status == AtomStatus::Todo);
        todo && self.waits_for(key).is_empty()
    }

    /// What in the files cannot be read: which molecule, and why.
    pub fn odd(&self) -> Vec<(String, String)> {
        let of = |molecule: &Molecule| {
            let odd = molecule.items.iter().filter_map(|item| match item {
                MoleculeItem::Odd { why, .. } => Some(why.clone()),
                MoleculeItem::Atom(_) => None,
            });
            let name = molecule.name.clone();
            let all: Vec<String> = molecule.damage.iter().cloned().chain(odd).collect();
            all.into_iter().map(move |why| (name.clone(), why))
        };
        self.molecules.iter().flat_map(of).collect()
    }
}

/// Agents write `null` for what they leave out.
fn or_default<'de, D, T>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(from)?.unwrap_or_default())
}
