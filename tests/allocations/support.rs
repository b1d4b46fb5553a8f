//! Of what the other tests stand on, as much as describes a state.
#![allow(dead_code, unused_imports)]

#[path = "../support/composer.rs"]
pub mod composer;
#[path = "../support/disk.rs"]
pub mod disk;
#[path = "../support/events.rs"]
pub mod events;
#[path = "../support/paper.rs"]
pub mod paper;
#[path = "../support/transcript.rs"]
pub mod transcript;
#[path = "../support/world/mod.rs"]
pub mod world;
