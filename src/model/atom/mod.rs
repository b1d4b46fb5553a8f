//! Work items and what they wait for: atoms, kept in molecules, one graph a tree of chats.
//!
//! The files are the agents' as much as parlour's, so anything may stand in them: what is no atom is kept and shown as
//! such, and circles are possible. Start at [`Graph`]; what may be done to one is in [`change`].

mod change;
mod molecule;
mod order;
#[cfg(test)]
mod tests;

pub use change::{AtomAsk, AtomChange, AtomRequester, Edit, ListAtoms, NewAtom, NewAtoms, Release, Who};
pub use molecule::{Atom, AtomKey, AtomStatus, Graph, Molecule, MoleculeItem};
