//! `parlour export`: a chat's transcript as a file to keep or to hand on. It needs no engine.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use super::args::ExportArgs;
use super::output::{self, OutputForm, OutputLook, show};
use super::{main_chat, numbers, person_only, trashed};
use crate::engine::export;
use crate::fs;
use crate::model::text::{count, visible};
use crate::model::{Chat, ChatId, Problem, ResultExt, chat_name};
use crate::store::Home;

/// For an engine that is to tell the numbers of chats.
const PATIENCE: Duration = Duration::from_secs(2);

pub fn run(home: &Path, form: OutputForm, args: ExportArgs) -> anyhow::Result<()> {
    person_only::under_an_agent("exporting a chat")?;
    let name = main_chat::resolve(home, args.chat)?;
    let home = Home::open(home).doing(doing(&name))?;
    let chat = named(&home, &name)?;
    let environment =
        std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let exported = export::write(&home, &chat, args.format, environment).doing(doing(&name))?;
    let text = exported.text;
    let Some(path) = args.output else {
        return output::print(&text);
    };
    write_private(&path, &text).map_err(|error| {
        let doing = format!("writing {}", visible(&path.to_string_lossy()));
        Problem::unwritten(doing, &path, &error)
    })?;
    let told = serde_json::json!({"path": path, "bytes": text.len(), "turns": exported.turns});
    show(form, &told, |_: &OutputLook| {
        let path = visible(&path.to_string_lossy());
        format!(
            "wrote {path}: {}, {} bytes; what looks like a secret is masked, read it before you hand it on\n",
            count(exported.turns, "turn"),
            text.len()
        )
    })
}

/// As its owner's alone, unless it was there before.
fn write_private(path: &Path, text: &str) -> io::Result<()> {
    match fs::make_private(path, text) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let mut file = File::options().write(true).truncate(true).open(path)?;
            file.write_all(text.as_bytes())
        }
        made => made,
    }
}

fn doing(name: &str) -> String {
    format!("exporting {}", visible(name))
}

fn named(home: &Home, name: &str) -> Result<ChatId, Problem> {
    let listed = home.list().doing(doing(name))?;
    let chats: Vec<Chat> = listed.into_iter().flatten().collect();
    // It is written without an engine, unless there is something that only one knows.
    let numbers = match name.parse::<u8>() {
        Ok(_) => numbers::given(home.path(), PATIENCE),
        Err(_) => BTreeMap::new(),
    };
    let found = chat_name::find(chats.iter(), &numbers, name).map(|chat| chat.id().clone());
    found.map_err(|problem| trashed::told(home.path(), problem))
}
