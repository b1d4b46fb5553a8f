//! Clones made with the real git from real repositories in a temporary home.

mod carried;
mod checkpoints;
mod clones;
mod damage;
mod hostile;
mod in_place;
mod local_copies;
mod places;
mod reads;
mod saved;
mod shared;
mod sources;
mod support;
mod unsaved;
