//! Whether a person is logged in to an agent CLI, as far as its files and their environment tell. Nothing is run for it,
//! and no credential is read: that there is one is all that is looked at.

use std::path::{Path, PathBuf};

use super::Env;
use crate::model::Login;

/// Where a CLI keeps a login, and what stands in for one.
pub(super) struct LoginPlaces<'a> {
    /// Names of variables that hold a key.
    pub keys: &'a [&'a str],
    /// Names of variables by which another service than its own is chosen.
    pub others: &'a [&'a str],
    /// The variable that names its directory, and that directory below the home where it is not set.
    pub dir: (&'a str, &'a str),
    /// The file with the login in it.
    pub file: &'a str,
}

impl LoginPlaces<'_> {
    pub fn look(&self, env: &Env) -> Login {
        let is_set = |name: &&str| env.get(*name).is_some_and(|value| !value.is_empty());
        if self.keys.iter().any(&is_set) {
            return Login::Found;
        }
        match self.dir(env) {
            Some(dir) if dir.join(self.file).is_file() => Login::Found,
            // A key ring of the system may have it, or a service that parlour knows nothing of.
            Some(_) if cfg!(target_os = "macos") || self.others.iter().any(is_set) => Login::Unknown,
            Some(_) => Login::Missing,
            None => Login::Unknown,
        }
    }

    pub fn dir(&self, env: &Env) -> Option<PathBuf> {
        let (variable, below) = self.dir;
        match env.get(variable).filter(|dir| !dir.is_empty()) {
            Some(dir) => Some(PathBuf::from(dir)),
            None => env.get("HOME").map(|home| Path::new(home).join(below)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_or_a_file_is_a_login_and_neither_is_none() {
        let home = tempfile::tempdir().unwrap();
        let places = LoginPlaces {
            keys: &["ACME_KEY"],
            others: &["ACME_CLOUD"],
            dir: ("ACME_HOME", ".acme"),
            file: "auth.json",
        };
        let mut env = Env::from([("HOME".to_string(), home.path().display().to_string())]);
        assert_eq!(places.look(&Env::new()), Login::Unknown);
        if !cfg!(target_os = "macos") {
            assert_eq!(places.look(&env), Login::Missing);
        }
        env.insert("ACME_CLOUD".into(), "1".into());
        assert_eq!(places.look(&env), Login::Unknown);
        std::fs::create_dir(home.path().join(".acme")).unwrap();
        std::fs::write(home.path().join(".acme/auth.json"), "{}").unwrap();
        assert_eq!(places.look(&env), Login::Found);
        env.insert("ACME_HOME".into(), "/nowhere".into());
        env.insert("ACME_KEY".into(), "k".into());
        assert_eq!(places.look(&env), Login::Found);
    }
}
