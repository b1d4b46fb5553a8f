//! The verbs that other programs call. Help does not show them.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::agents::demo;

#[derive(Debug, Subcommand)]
pub enum CalledVerb {
    #[command(hide = true)]
    Hook(HookArgs),
    #[command(hide = true)]
    DemoAgent(demo::DemoOptions),
}

/// Called by agent CLIs, which may read a failure as consent: so no word of it is wrong use.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct HookArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<OsString>,
}

impl HookArgs {
    pub const TOKEN_FILE: &str = "--token-file";

    fn word(&self, at: usize) -> &str {
        self.words.get(at).and_then(|word| word.to_str()).unwrap_or_default()
    }

    pub fn agent(&self) -> &str {
        self.word(0)
    }

    pub fn event(&self) -> &str {
        self.word(1)
    }

    pub fn token_file(&self) -> Option<PathBuf> {
        let flag = self.words.iter().position(|w| w == Self::TOKEN_FILE)?;
        self.words.get(flag + 1).map(PathBuf::from)
    }
}
