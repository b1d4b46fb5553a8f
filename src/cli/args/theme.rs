//! The words of `parlour theme`. Every comment here is help text.

use clap::{Args, Subcommand};

/// Show the themes that there are, and what each looks like
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour theme list
  parlour theme preview nord
  parlour theme preview              all of them, one below the other

`\"theme\": \"nord\"` in config.json sets one. Without it parlour takes dark or light, as your terminal's background is;
if the terminal does not tell it, its own sixteen colours. Your own lie in themes/NAME.toml of the home.")]
pub struct ThemeArgs {
    #[command(subcommand)]
    pub verb: ThemeVerb,
}

#[derive(Debug, Subcommand)]
pub enum ThemeVerb {
    /// Print their names
    #[command(after_help = "Examples:\n  parlour theme list")]
    List,
    /// Draw a small screen in one of them, or in each
    #[command(after_help = "Examples:\n  parlour theme preview nord\n  parlour theme preview")]
    Preview {
        /// As `parlour theme list` prints it
        name: Option<String>,
    },
}
