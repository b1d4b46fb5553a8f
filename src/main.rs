//! Arguments in, exit code out.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let home = PathBuf::from(std::env::var_os("PARLOUR_HOME").unwrap_or_default());
    let ended = match std::env::args().nth(1).as_deref() {
        Some("reset") => parlour::client::reset()
            .map(|()| ExitCode::SUCCESS)
            .map_err(Into::into),
        chat => parlour::client::attach(parlour::client::Options {
            home,
            chat: chat.map(str::to_owned),
        }),
    };
    ended.unwrap_or_else(|error| {
        eprintln!("parlour: {error:#}");
        ExitCode::FAILURE
    })
}
