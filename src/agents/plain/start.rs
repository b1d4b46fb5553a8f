//! What the three have in common: how they are found, how their servers are written, how they are treated.

use std::ffi::OsStr;
use std::path::PathBuf;

use serde_json::{Map, Value};

use crate::agents::program::Version;
use crate::agents::servers::{self, WrittenServers};
use crate::agents::{AgentAbsence, LaunchContext, Prepared, environment, merge, program};
use crate::fs::Dir;
use crate::model::{AgentFault, Installed, Login, Problem, Server};

const KEY: &str = "mcpServers";
pub(super) const UNTRIED: &str = "written from its documentation and not tested; nothing is typed for you";

/// A CLI that says its version in one line, whatever else stands in it.
pub(super) fn detect(llm: &str, title: &str, command: &str, search_path: &OsStr) -> Result<Installed, AgentAbsence> {
    let program = program::found(command, search_path)?;
    let said = match program::version(&program, search_path) {
        Version::Reported(said) => said,
        Version::Failed(said) => return Err(program::unusable(title, program, AgentFault::Fails(said))),
        Version::Late => String::new(),
    };
    let version = said.lines().next().and_then(|line| line.split_whitespace().last());
    Ok(Installed {
        llm: llm.into(),
        title: title.into(),
        program,
        version: version.map(String::from),
        remark: UNTRIED.into(),
        login: Login::Unknown,
    })
}

/// Writes parlour's server as `ours` beside the person's in `file` of the chat.
pub(super) fn write_servers(
    context: &LaunchContext,
    file: &str,
    ours: Value,
    form: impl Fn(&str, &Server) -> Value,
) -> Vec<Problem> {
    let written = || {
        let dir = Dir::open(context.dir).map_err(|e| merge::refused(file, &e))?;
        let (folder, _) = file.rsplit_once('/').unwrap_or((".", file));
        dir.create_dir(folder).map_err(|e| merge::refused(folder, &e))?;
        let mut ledger = WrittenServers::open(context)?;
        let edited = merge::edit(&dir, file, |root| {
            let all = merge::object(root, KEY)?;
            ledger.place(file, all, servers::each(context, form));
            put(all, ours);
            Ok(())
        });
        let mut problems = ledger.close();
        problems.extend(edited.err());
        Ok(problems)
    };
    written().unwrap_or_else(|problem: Problem| vec![problem])
}

/// What is parlour's in the entry; what others added to it stays.
pub(super) fn put(all: &mut Map<String, Value>, ours: Value) {
    let entry = all.entry("parlour").or_insert_with(|| Map::new().into());
    match (entry, ours) {
        (Value::Object(entry), Value::Object(ours)) => entry.extend(ours),
        (entry, ours) => *entry = ours,
    }
}

pub(super) fn prepared(
    context: &LaunchContext,
    title: &str,
    command: &str,
    problems: Vec<Problem>,
) -> Result<Prepared, Problem> {
    let program = program::installed(title, command, context.search_path())?;
    Ok(started(program, context, problems))
}

/// A program without arguments in the chat's directory.
pub(super) fn started(program: PathBuf, context: &LaunchContext, problems: Vec<Problem>) -> Prepared {
    let launch = context.launch(program, Vec::new(), environment::for_context(context));
    Prepared {
        launch,
        resumes: false,
        problems,
    }
}
