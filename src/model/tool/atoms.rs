//! The work graph of the caller's tree.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::entry::{ToolOf, changes, reads};
use crate::model::atom::{Ask, AtomKey, AtomStatus, Change, Edit, ListAtoms, NewAtoms};

pub(super) fn tools() -> [ToolOf<Ask>; 4] {
    [
        ToolOf {
            name: "add_atoms",
            does: "Add work items (atoms) to the plan that all chats of this tree share. Ids and molecule (a group of atoms): \
                   a-z, 0-9, dashes.",
            ..changes::<NewAtoms, Added, _>()
        },
        ToolOf {
            name: "list_atoms",
            does: "The shared plan, or what of it is free now.",
            when: Some(
                "with `add_atoms`, `claim_atom` and `update_atom`: the plan that all chats of your tree share. Claim an atom \
                 before you work on it, set it done after",
            ),
            ..reads::<ListAtoms, Atoms, _>()
        },
        ToolOf {
            name: "claim_atom",
            does: "Take an atom whose needs are done; it is yours alone until update_atom.",
            ..changes::<AtomKey, Atom, _>()
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
    atoms: Vec<Atom>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unreadable: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Atom {
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

impl From<NewAtoms> for Ask {
    fn from(asked: NewAtoms) -> Ask {
        Ask::Change(Change::Add(asked))
    }
}

impl From<ListAtoms> for Ask {
    fn from(asked: ListAtoms) -> Ask {
        Ask::List(asked)
    }
}

impl From<AtomKey> for Ask {
    fn from(key: AtomKey) -> Ask {
        Ask::Change(Change::Claim(key))
    }
}

impl From<UpdateAtom> for Ask {
    fn from(asked: UpdateAtom) -> Ask {
        let key = AtomKey::new(&asked.molecule, &asked.id);
        let edit = Edit {
            note: asked.note,
            detail: asked.detail,
            ..Edit::to(asked.status)
        };
        Ask::Change(Change::Update(key, edit))
    }
}
