//! The work graph of the caller's tree.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::offer::{Offer, Reads, given, offer};
use crate::model::ToolCall;
use crate::model::atom::{Ask, AtomKey, AtomStatus, Change, Edit, NewAtom};

pub fn offers() -> Vec<Offer> {
    vec![
        offer::<AddAtoms, Added>(
            "add_atoms",
            "Add work items (atoms) to the plan that all chats of this tree share. Ids and molecule (a group of atoms): \
             a-z, 0-9, dashes.",
            Reads::No,
        ),
        offer::<ListAtoms, Atoms>("list_atoms", "The shared plan, or what of it is free now.", Reads::Only),
        offer::<ClaimAtom, Atom>(
            "claim_atom",
            "Take an atom whose needs are done; it is yours alone until update_atom.",
            Reads::No,
        ),
        offer::<UpdateAtom, Updated>(
            "update_atom",
            "Finish an atom of yours (done) or give it back (todo).",
            Reads::No,
        ),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AddAtoms {
    molecule: String,
    atoms: Vec<New>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct New {
    id: String,
    title: String,
    detail: Option<String>,
    /// Ids to be done first; molecule/id for another molecule's
    needs: Option<Vec<String>>,
    /// For whoever takes it
    context: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Added {
    added: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListAtoms {
    molecule: Option<String>,
    ready_only: Option<bool>,
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
#[serde(deny_unknown_fields)]
struct ClaimAtom {
    molecule: String,
    id: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UpdateAtom {
    molecule: String,
    id: String,
    #[schemars(schema_with = "status")]
    status: AtomStatus,
    /// What came of it
    note: Option<String>,
    detail: Option<String>,
}

fn status(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "enum": AtomStatus::ALL})
}

impl From<AddAtoms> for ToolCall {
    fn from(asked: AddAtoms) -> ToolCall {
        let new = |atom: New| NewAtom {
            id: atom.id,
            title: atom.title,
            detail: atom.detail.unwrap_or_default(),
            needs: atom.needs.unwrap_or_default(),
            context: atom.context.unwrap_or_default(),
        };
        ToolCall::Work(Ask::Change(Change::Add {
            molecule: asked.molecule,
            atoms: asked.atoms.into_iter().map(new).collect(),
        }))
    }
}

impl From<ListAtoms> for ToolCall {
    fn from(asked: ListAtoms) -> ToolCall {
        ToolCall::Work(Ask::List {
            molecule: given(asked.molecule),
            ready_only: asked.ready_only.unwrap_or_default(),
        })
    }
}

impl From<ClaimAtom> for ToolCall {
    fn from(asked: ClaimAtom) -> ToolCall {
        let key = AtomKey::new(&asked.molecule, &asked.id);
        ToolCall::Work(Ask::Change(Change::Claim(key)))
    }
}

impl From<UpdateAtom> for ToolCall {
    fn from(asked: UpdateAtom) -> ToolCall {
        let key = AtomKey::new(&asked.molecule, &asked.id);
        let edit = Edit {
            note: given(asked.note),
            detail: given(asked.detail),
            ..Edit::to(asked.status)
        };
        ToolCall::Work(Ask::Change(Change::Update(key, edit)))
    }
}
