//! What a person has set: `config.json`, keys, themes, roles, skills, prompt templates, and the templates new chats start from.
//!
//! A file that does not parse is said with line, column and key, and never touched; the last good settings stay
//! with whoever loaded them. Start at [`load`].

mod commands;
mod defaults;
mod file;
mod json_edit;
mod json_position;
mod markdown;
mod port;
mod roles;
mod skills;
pub mod theme;
mod themes;
mod zone;

pub use commands::{command, commands};
pub use defaults::{idle, templates};
pub use file::{BrokenFile, Loaded, Stray, allow, load, set};
pub use port::port_of;
pub use roles::{role, roles, source as role_source};
pub use skills::{Skill, skills};
pub use themes::{SHIPPED, load_theme, own_themes, shipped as shipped_theme, theme_for};
pub use zone::zone;

#[cfg(test)]
mod tests;
