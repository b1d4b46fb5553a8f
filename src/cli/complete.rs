//! Completion in a shell: what may stand in a place of the command line, from what there is now.
//!
//! The scripts that `parlour completions` prints call parlour with [`VAR`] set. It reads the disk, asks an engine that runs,
//! and starts none; whatever goes wrong, it offers less and says nothing. A word that a shell would not take as it is
//! is not offered: schedules are named by agents too.

mod asking;
mod line;

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Arg, Command, CommandFactory, ValueHint};
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use clap_complete::env::{CompleteEnv, EnvCompleter, Shells};
use serde_json::Value;

use self::asking::{PATIENCE, agents, answer, candidate, here, is_plain};
use super::args::ParlourArgs;
use super::numbers;
use super::output::text;
use crate::fs::Dir;
use crate::model::request::ApprovalRequest;
use crate::model::{ChatId, Request};
use crate::store::{self, CompletionNames};
use crate::{config, git};

/// Names the shell that asks.
pub const VAR: &str = "PARLOUR_COMPLETE";

/// A file `_parlour` on zsh's `fpath` is read at the first Tab, as the body of the function that is to complete: it only made
/// itself known for the next one. Behind `source` it has nothing to complete.
const ZSH_AUTOLOADED: &str = r#"
if [[ "${funcstack[1]}" == _parlour ]]; then
    _clap_dynamic_completer_parlour "$@"
fi
"#;

/// Whether a shell asked what may stand on a command line: then it has been answered.
pub fn answered(words: &[OsString]) -> bool {
    if env::var_os(VAR).is_none_or(|shell| shell.is_empty()) {
        return false;
    }
    let here = env::current_dir().ok();
    let asked = CompleteEnv::with_factory(command).var(VAR);
    // Whatever went wrong, a person in the middle of a line has no use for it.
    let _ = asked.try_complete(words.iter().cloned(), here.as_deref());
    true
}

/// What a shell reads to complete parlour's words.
pub fn script(shell: &dyn EnvCompleter) -> std::io::Result<Vec<u8>> {
    let mut script = Vec::new();
    shell.write_registration(VAR, "parlour", "parlour", "parlour", &mut script)?;
    if shell.is("zsh") {
        script.extend(ZSH_AUTOLOADED.as_bytes());
    }
    Ok(script)
}

/// The shell of that name.
pub fn shell(name: &str) -> Option<&'static dyn EnvCompleter> {
    const SHELLS: Shells<'static> = Shells::builtins();
    SHELLS.0.iter().copied().find(|shell| shell.is(name))
}

/// All words that parlour takes, and what there is for each.
fn command() -> Command {
    dynamic(ParlourArgs::command(), "")
}

fn dynamic(command: Command, verb: &str) -> Command {
    let command = command.mut_args(|arg| offered(arg, verb));
    command.mut_subcommands(|sub| {
        let verb = match verb {
            "" => sub.get_name().to_owned(),
            above => format!("{above} {}", sub.get_name()),
        };
        dynamic(sub, &verb)
    })
}

/// By the name that an argument has everywhere.
fn offered(arg: Arg, verb: &str) -> Arg {
    let id = arg.get_id().to_string();
    let in_trash = matches!(verb, "undo-rm" | "trash purge");
    let candidates = match id.as_str() {
        "chat" if in_trash => ArgValueCandidates::new(deleted),
        "chat" | "chats" => ArgValueCandidates::new(chats),
        "llm" => ArgValueCandidates::new(agents),
        "schedule" => ArgValueCandidates::new(schedules),
        "request" => ArgValueCandidates::new(questions),
        "role" | "profile" => ArgValueCandidates::new(roles),
        "name" if verb.starts_with("roles ") => ArgValueCandidates::new(roles),
        "from" | "with" => ArgValueCandidates::new(chats),
        "key" if verb.starts_with("config ") => ArgValueCandidates::new(line::settings),
        "value" if verb == "config set" => ArgValueCandidates::new(line::values),
        "name" if verb == "theme preview" => ArgValueCandidates::new(line::themes),
        "project" if verb == "setup rm" => ArgValueCandidates::new(line::kept_projects),
        "files" if verb == "setup rm" => ArgValueCandidates::new(line::kept_files),
        "id" if matches!(verb, "revert" | "fork") => ArgValueCandidates::new(line::checkpoints),
        "path" if matches!(verb, "stage" | "unstage" | "discard") => ArgValueCandidates::new(line::uncommitted),
        "path" if verb == "take" => ArgValueCandidates::new(line::takeable),
        "place" if verb == "remark" => ArgValueCandidates::new(line::remarkable),
        "dirs" | "path_or_url" => return arg.value_hint(ValueHint::DirPath),
        "project" if verb == "schedule add" => return arg.value_hint(ValueHint::DirPath),
        _ => return arg,
    };
    arg.add(candidates)
}

/// With the numbers by which the screen lists them, said first.
fn chats() -> Vec<CompletionCandidate> {
    let numbers = here().map(|home| numbers::given(&home, PATIENCE)).unwrap_or_default();
    let number = |id: &str| numbers.get(&ChatId::parse(id)?).copied();
    named(store::chats_named, |named| match number(&named.id) {
        Some(number) => format!("{number} {}", named.title),
        None => named.title.clone(),
    })
}

fn deleted() -> Vec<CompletionCandidate> {
    named(store::deleted_named, |named| named.title.clone())
}

fn schedules() -> Vec<CompletionCandidate> {
    named(store::schedules_named, |named| named.title.clone())
}

fn named(
    of: fn(&Path) -> Vec<CompletionNames>,
    title: impl Fn(&CompletionNames) -> String,
) -> Vec<CompletionCandidate> {
    let all = here().map(|home| of(&home)).unwrap_or_default().into_iter();
    // What is called by words with blanks between them is offered by its id, and the name said beside it.
    let word = |named: CompletionNames| match is_plain(&named.word) {
        true => candidate(&named.word, &title(&named)),
        false => candidate(&named.id, &title(&named)),
    };
    all.filter_map(word).collect()
}

fn roles() -> Vec<CompletionCandidate> {
    let root = env::current_dir().ok().and_then(|here| git::root(&here));
    let roots: Vec<&Path> = root.iter().map(PathBuf::as_path).collect();
    let own = here().and_then(|home| Dir::open(home).ok());
    let all = config::roles(&roots, own.as_ref()).into_iter();
    all.filter_map(|role| candidate(&role.name, &role.description))
        .collect()
}

/// What agents ask is known to the engine alone. One that does not answer at once is not waited for.
fn questions() -> Vec<CompletionCandidate> {
    let Some(answer) = answer(Request::Approval(ApprovalRequest::List), PATIENCE) else {
        return Vec::new();
    };
    let one = |one: &Value| {
        candidate(
            text(one, "id"),
            &format!("{}: {}", text(one, "chat"), text(one, "tool")),
        )
    };
    let open = answer["approvals"].as_array().into_iter().flatten();
    open.filter_map(one).collect()
}
