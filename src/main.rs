//! Arguments in, exit code out.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    // The engine starts a supervisor this way. It holds descriptors that nothing else may touch, so it comes first.
    if env::args_os().nth(1).is_some_and(|verb| verb == "spawn") {
        return parlour::sys::spawn::supervise();
    }
    parlour::cli::run(env::args_os())
}
