//! The work graph of the caller's tree.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::entry::{ToolOf, changes, reads};
use crate::model::atom::{AtomAsk, AtomChange, AtomKey, AtomStatus, Edit, ListAtoms, NewAtoms};

pub(super) fn tools() -> [ToolOf<AtomAsk>; 4] {
    [
        ToolOf {
            name: "add_atoms",
            does: "Add work items (atoms) to the tree's shared plan. Ids and molecule (group of atoms): \
                   a-z, 0-9, dashes.",
            ..changes::<NewAtoms, Added, _>()
        },
        ToolOf {
            name: "list_atoms",
            does: "The shared plan, or what of it is free now.",
            when: Some(
                "with `add_atoms`, `claim_atom` and `update_atom`: the plan that your tree shares. Claim an atom before you \
                 work on it, set it done after",
            ),
            ..reads::<ListAtoms, Atoms, _>()
        },
        ToolOf {
            name: "claim_atom",
            does: "Take an atom whose needs are done; yours alone until update_atom.",
            ..changes::<AtomKey, AtomAnswer, _>()
        },
        ToolOf {
            name: "update_atom",
            does: "Finish an atom of yours (done) or give it back (todo).",
            ..changes::<UpdateAtom, Updated, _>()
        },
    ]
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Added {
    added: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Atoms {
    atoms: Vec<AtomAnswer>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unreadable: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct AtomAnswer {
    molecule: String,
    id: String,
    title: String,
    status: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    detail: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    needs: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    waits_for: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    context: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    note: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Updated {
    status: String,
}

#[derive(Deserialize, JsonSchema)]
struct UpdateAtom {
    molecule: String,
    id: String,
    status: AtomStatus,
    /// What came of it
    note: Option<String>,
    detail: Option<String>,
}

impl From<NewAtoms> for AtomAsk {
    fn from(asked: NewAtoms) -> AtomAsk {
        AtomAsk::Change(AtomChange::Add(asked))
    }
}

impl From<ListAtoms> for AtomAsk {
    fn from(asked: ListAtoms) -> AtomAsk {
        AtomAsk::List(asked)
    }
}

impl From<AtomKey> for AtomAsk {
    fn from(key: AtomKey) -> AtomAsk {
        AtomAsk::Change(AtomChange::Claim(key))
    }
}

impl From<UpdateAtom> for AtomAsk {
    fn from(asked: UpdateAtom) -> AtomAsk {
        let key = AtomKey::new(&asked.molecule, &asked.id);
        let edit = Edit {
            note: asked.note,
            detail: asked.detail,
            ..Edit::to(asked.status)
        };
        AtomAsk::Change(AtomChange::Update(key, edit))
    }
}
