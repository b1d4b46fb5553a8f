//! A person's servers in the files of an agent CLI, beside what others wrote there.
//!
//! What parlour wrote stands in the chat's record, so that a server which is left out later leaves the files too, while
//! an entry that somebody else made or changed stays as it is.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{LaunchContext, merge};
use crate::fs::Dir;
use crate::model::{Problem, Server, server};

const LEDGER: &str = "servers.json";
const MOST_BYTES: u64 = 4 << 20;

type ServerFiles = BTreeMap<String, Map<String, Value>>;

/// What parlour wrote, by file and name.
pub(super) struct WrittenServers {
    record: Dir,
    before: ServerFiles,
    files: ServerFiles,
    kept: Vec<Problem>,
}

/// What parlour wrote into `file`, by name; nothing where that cannot be read.
pub(super) fn written(record: &Dir, file: &str) -> Map<String, Value> {
    read(record).remove(file).unwrap_or_default()
}

fn read(record: &Dir) -> ServerFiles {
    let bytes = record.read(LEDGER, MOST_BYTES).ok().flatten().unwrap_or_default();
    let written: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    serde_json::from_value(written["files"].clone()).unwrap_or_default()
}

impl WrittenServers {
    /// One that is missing or cannot be read is empty: then nothing in the files counts as parlour's.
    pub(super) fn open(context: &LaunchContext) -> Result<WrittenServers, Problem> {
        let record = Dir::open(context.record).map_err(|e| merge::refused(LEDGER, &e))?;
        let files = read(&record);
        Ok(WrittenServers {
            record,
            before: files.clone(),
            files,
            kept: Vec::new(),
        })
    }

    /// Brings `servers`, as they stand in `file`, to what is wanted of parlour's. An entry is parlour's where it is as
    /// parlour wrote it, or as it would write it now: a start that was cut off then does no harm.
    pub(super) fn place(&mut self, file: &str, servers: &mut Map<String, Value>, wanted: Map<String, Value>) {
        let before = self.files.remove(file).unwrap_or_default();
        let is_ours = |name: &str, found: &Value| before.get(name) == Some(found) || wanted.get(name) == Some(found);
        servers.retain(|name, found| wanted.contains_key(name) || !is_ours(name, found));
        let mut ours = Map::new();
        for (name, entry) in &wanted {
            match servers.get(name) {
                Some(found) if !is_ours(name, found) => self.kept.push(another(file, name)),
                Some(_) | None => {
                    servers.insert(name.clone(), entry.clone());
                    ours.insert(name.clone(), entry.clone());
                }
            }
        }
        if !ours.is_empty() {
            self.files.insert(file.into(), ours);
        }
    }

    /// As [`WrittenServers::place`], for a list of words under `key` of what stands in `file`.
    pub(super) fn place_words(
        &mut self,
        file: &str,
        map: &mut Map<String, Value>,
        key: &str,
        wanted: &[String],
    ) -> Result<(), String> {
        let known = format!("{file} {key}");
        if wanted.is_empty() && !self.files.contains_key(&known) {
            return Ok(());
        }
        let list = map.entry(key).or_insert_with(|| json!([])).as_array_mut();
        let list = list.ok_or_else(|| format!("`{key}` is not a list"))?;
        let ours = self.files.remove(&known).unwrap_or_default();
        let is_ours = |word: &Value| word.as_str().is_some_and(|word| ours.contains_key(word));
        list.retain(|word| !is_ours(word));
        let new: Vec<&String> = wanted.iter().filter(|word| !list.contains(&json!(word))).collect();
        list.extend(new.iter().map(|word| json!(word)));
        if !new.is_empty() {
            let ours = new.into_iter().map(|word| (word.clone(), true.into()));
            self.files.insert(known, ours.collect());
        }
        Ok(())
    }

    /// Writes it down where it changed, and tells what was left as it is.
    pub(super) fn close(self) -> Vec<Problem> {
        let mut problems = self.kept;
        if self.files != self.before {
            let written = json!({"v": 1, "files": self.files});
            problems.extend(merge::write(&self.record, LEDGER, &written).err());
        }
        problems
    }
}

fn another(file: &str, name: &str) -> Problem {
    Problem::new(
        format!("writing {file}"),
        format!("the server {name} in it is not as parlour wrote it, and stays as it is"),
        "remove it there, and the one of config.json takes its place at the next start",
    )
}

/// The servers of the chat, each as `form` makes it.
pub(super) fn each(context: &LaunchContext, form: impl Fn(&str, &Server) -> Value) -> Map<String, Value> {
    let servers = context.servers();
    servers
        .map(|(name, server)| (name.to_string(), form(name, server)))
        .collect()
}

/// The form that most CLIs share, `url` being the key of an address and `more` what stands beside it; `reference` spells
/// a variable of the environment.
pub(super) fn common(server: &Server, url_key: &str, more: &Value, reference: impl Fn(&str) -> String) -> Value {
    let spelled = |text: &String| server::spell(text, &reference);
    let all = |map: &BTreeMap<String, String>| -> Map<String, Value> {
        map.iter()
            .map(|(key, text)| (key.clone(), spelled(text).into()))
            .collect()
    };
    match server {
        Server::Stdio { command, args, env } => {
            let args: Vec<String> = args.iter().map(spelled).collect();
            json!({"command": spelled(command), "args": args, "env": all(env)})
        }
        Server::Http { url, headers } => {
            let mut form = more.as_object().cloned().unwrap_or_default();
            form.insert(url_key.into(), spelled(url).into());
            form.insert("headers".into(), all(headers).into());
            form.into()
        }
    }
}

/// A reference as it is written in `config.json`.
pub(super) fn as_written(name: &str) -> String {
    format!("${{{name}}}")
}
