//! What a person has set: `config.json`, keys, themes, roles, skills, prompt templates, and the templates new chats start from.
//!
//! A file that does not parse is said with line, column and key, and never touched; the last good settings stay
//! with whoever loaded them. Start at [`load`].

mod commands;
mod defaults;
mod edit;
mod file;
mod json_position;
mod jsonc;
mod markdown;
mod policy;
mod port;
mod roles;
mod schema_file;
mod skills;
pub mod theme;
mod themes;
mod zone;

pub use commands::{command, commands};
pub use defaults::{begin_own_settings, broken as broken_defaults, idle, own_settings, templates};
pub use edit::{Unwritten, allow, begin, edit, edit_if};
pub use file::{BrokenFile, Loaded, Stray, UnknownSetting, load};
pub use policy::set_policy;
pub use port::port_of;
pub use roles::{role, roles, source as role_source};
pub use skills::{Skill, skills};
pub use themes::{SHIPPED, load_theme, own_themes, shipped as shipped_theme, theme_for};
pub use zone::zone;

#[cfg(test)]
mod tests;
