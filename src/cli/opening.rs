//! Opening a chat at the end of another verb.

use std::env;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// What of the chat is shown first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningPlace {
    Agent,
    Editor,
}

/// Becomes `parlour CHAT`. A screen starts this program again with its own arguments, and `demo` would then make
/// a second chat. Returns only where that fails.
pub fn open(home: &Path, chat: &str, at: OpeningPlace) -> anyhow::Error {
    let program = match env::current_exe() {
        Ok(program) => program,
        Err(error) => return error.into(),
    };
    let mut command = Command::new(program);
    if at == OpeningPlace::Editor {
        command.arg("--edits");
    }
    let error = command.arg("--").arg(chat).env("PARLOUR_HOME", home).exec();
    anyhow::Error::new(error).context("opening the chat")
}
