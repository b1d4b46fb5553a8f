//! The real Codex CLI, at one version, installed from npm beside the build's output.
//!
//! Where it cannot be installed a test says so on stderr and returns. `PARLOUR_REQUIRE_AGENTS=1` makes it fail instead.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use super::npm;

pub const VERSION: &str = "0.169.0";

/// The executable, or nothing, said aloud, where Node or the registry is missing.
pub fn installed() -> Option<PathBuf> {
    static FOUND: LazyLock<Result<PathBuf, String>> =
        LazyLock::new(|| npm::install("codex", "@openai/codex", VERSION, |_| Ok(())));
    npm::said_aloud("Codex CLI", VERSION, &FOUND)
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
