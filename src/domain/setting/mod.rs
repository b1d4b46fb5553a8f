//! `config.json`, as people change it on the screen.

pub mod done;
pub mod work;
