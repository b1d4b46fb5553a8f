//! Where everything of parlour's lies.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

/// `PARLOUR_HOME`, else `~/.parlour`; absolute, since the engine lives in another directory.
pub fn home() -> anyhow::Result<PathBuf> {
    let home = choose(env::var_os("PARLOUR_HOME"), env::var_os("HOME"))
        .ok_or_else(|| anyhow!("finding your home: neither PARLOUR_HOME nor HOME is set; set one"))?;
    let home = std::path::absolute(home).context("finding your home")?;
    Ok(resolved(&home))
}

/// As agents see it, who are told of their directory free of links; what is not there yet lies where its parent leads.
fn resolved(path: &Path) -> PathBuf {
    match (path.canonicalize(), path.parent(), path.file_name()) {
        (Ok(there), ..) => there,
        (Err(_), Some(parent), Some(name)) => resolved(parent).join(name),
        (Err(_), ..) => path.to_path_buf(),
    }
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

    #[test]
    fn a_home_behind_a_link_is_where_that_leads_be_it_there_or_not() {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("disk/there")).unwrap();
        std::os::unix::fs::symlink(root.join("disk"), root.join("link")).unwrap();
        for name in ["there", "new", "new/within"] {
            assert_eq!(resolved(&root.join("link").join(name)), root.join("disk").join(name));
        }
    }
}
