//! Where everything of parlour's lies.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

/// `PARLOUR_HOME`, else `~/.parlour`; absolute, since the engine lives in another directory.
pub fn home() -> anyhow::Result<PathBuf> {
    let home = choose(env::var_os("PARLOUR_HOME"), env::var_os("HOME"))
        .ok_or_else(|| anyhow!("finding your home: neither PARLOUR_HOME nor HOME is set; set one"))?;
    std::path::absolute(home).context("finding your home")
}

/// What is empty counts as not set.
fn choose(parlour: Option<OsString>, person: Option<OsString>) -> Option<PathBuf> {
    let set = |value: Option<OsString>| value.filter(|value| !value.is_empty());
    set(parlour)
        .map(PathBuf::from)
        .or_else(|| set(person).map(|home| Path::new(&home).join(".parlour")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_that_is_set_wins_and_an_empty_one_is_none() {
        let choose = |parlour: &str, person: &str| choose(Some(parlour.into()), Some(person.into()));
        assert_eq!(choose("/p", "/home/ada"), Some("/p".into()));
        assert_eq!(choose("", "/home/ada"), Some("/home/ada/.parlour".into()));
        assert_eq!(choose("", ""), None);
    }
}
