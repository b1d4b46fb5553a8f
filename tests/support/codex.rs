//! The real Codex CLI, and the home folder of somebody who uses it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::npm::Package;

const CODEX: Package = Package {
    name: "codex",
    title: "Codex CLI",
    package: "@openai/codex",
    version: "0.169.0",
    script: None,
};

pub fn installed() -> Option<PathBuf> {
    static FOUND: LazyLock<Result<PathBuf, String>> = LazyLock::new(|| CODEX.install());
    CODEX.found(&FOUND)
}

/// A home folder of somebody who is set up with a provider of their own: the scripted model.
pub fn home(scratch: &Path, model: &str) -> PathBuf {
    let home = scratch.join("home");
    fs::create_dir_all(home.join(".codex")).expect("a scratch directory");
    let config = format!(
        "model = \"scripted\"\nmodel_provider = \"scripted\"\n\n[model_providers.scripted]\nname = \"scripted\"\n\
         base_url = \"{model}/v1\"\nwire_api = \"responses\"\nenv_key = \"SCRIPTED_KEY\"\n"
    );
    fs::write(home.join(".codex/config.toml"), config).expect("a scratch directory");
    home
}

/// What it needs of the environment beside its home.
pub fn environment(home: &Path) -> Vec<(String, String)> {
    [("HOME", home.to_string_lossy().as_ref()), ("SCRIPTED_KEY", "scripted")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into()
}
