//! A model provider of a person's own in Codex CLI's `config.toml`: with its key nobody has to log in.

use std::path::{Path, PathBuf};

use super::user_defaults;
use crate::agents::adapter::Env;
use crate::fs::Dir;
use crate::model::Login;

const CONFIG: &str = "config.toml";

/// What the provider that is chosen in this directory needs, or nothing where none of a person's own is.
pub(super) fn login(env: &Env, dir: Option<PathBuf>) -> Option<Login> {
    let config = user_defaults::read(&Dir::open(&dir?).ok()?, Path::new(CONFIG))?;
    let chosen = config.get("model_provider")?.as_str()?;
    let provider = config.get("model_providers")?.get(chosen)?;
    if provider.get("requires_openai_auth").and_then(|needs| needs.as_bool()) == Some(true) {
        return None;
    }
    Some(match provider.get("env_key").and_then(|key| key.as_str()) {
        Some(key) if env.get(key).is_some_and(|value| !value.is_empty()) => Login::Found,
        Some(_) => Login::Missing,
        // It may need no key, such as one on this machine, or have it elsewhere.
        None => Login::Unknown,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_of_a_provider_of_ones_own_is_a_login() {
        let dir = tempfile::tempdir().unwrap();
        let ask = |config: &str, env: &[(&str, &str)]| {
            std::fs::write(dir.path().join(CONFIG), config).unwrap();
            let env = env.iter().map(|(name, value)| (name.to_string(), value.to_string()));
            login(&env.collect(), Some(dir.path().into()))
        };
        let with_key = "model_provider = 'mine'\n[model_providers.mine]\nenv_key = 'MINE_KEY'\n";
        assert_eq!(ask(with_key, &[("MINE_KEY", "k")]), Some(Login::Found));
        assert_eq!(ask(with_key, &[("MINE_KEY", "")]), Some(Login::Missing));
        let local = "model_provider = 'mine'\n[model_providers.mine]\nbase_url = 'http://127.0.0.1:1'\n";
        assert_eq!(ask(local, &[]), Some(Login::Unknown));
        let openai = "model_provider = 'mine'\n[model_providers.mine]\nrequires_openai_auth = true\n";
        assert_eq!(ask(openai, &[]), None);
        assert_eq!(ask("model = 'any'\n", &[("MINE_KEY", "k")]), None);
    }
}
