//! `molecules/` in the directory of a tree's root: its work graph. The agents' own files, so anything may be in them.

use std::path::PathBuf;

use super::home::if_there;
use super::{Error, Home};
use crate::fs::{self, Dir, SafeName};
use crate::model::atom::{Graph, Molecule};
use crate::model::text::visible;
use crate::model::{Chat, ChatId};

const FOLDER: &str = "molecules";
const ENDING: &str = ".json";
/// Of one file.
const LARGEST: u64 = 1 << 20;
/// Of all files of a graph: it is read whole at each change of its chat's record.
const WHOLE: u64 = 8 << 20;

impl Home {
    /// Changes the graph of a tree as it is on disk at this moment, and loads its root again. `with` says which molecules
    /// it changed. Nobody else of parlour reads or writes the graph meanwhile, and it is safe on disk on return.
    pub fn change_atoms<E>(
        &self,
        root: &ChatId,
        with: impl FnOnce(&mut Graph) -> Result<Vec<String>, E>,
    ) -> Result<Result<Chat, E>, Error> {
        self.writable()?;
        let _atoms = self.atoms.lock();
        let chat = self.chat_dir(root)?;
        let mut graph = read(&chat)?.unwrap_or_default();
        let there: Vec<String> = graph.molecules.iter().map(|molecule| molecule.name.clone()).collect();
        let changed = match with(&mut graph) {
            Ok(changed) => changed,
            Err(why) => return Ok(Err(why)),
        };
        let others = graph
            .molecules
            .iter()
            .filter(|molecule| !changed.contains(&molecule.name));
        let mut left = WHOLE;
        for molecule in others {
            left = left.saturating_sub(chat.metadata(file(&molecule.name))?.map_or(0, |known| known.len));
        }
        for name in changed {
            if let Some(molecule) = graph.molecule(&name) {
                // Whoever wrote it since was not read.
                if !there.contains(&name) && chat.metadata(file(&name))?.is_some() {
                    return Err(Error::Io {
                        doing: "making",
                        path: chat.path().join(file(&name)),
                        source: std::io::ErrorKind::AlreadyExists.into(),
                    });
                }
                left -= write(&chat, molecule, left)?;
            }
        }
        Ok(Ok(self.load(root)?))
    }
}

/// The graph, `None` where a chat has none. A file that cannot be read keeps no other from being read.
pub(super) fn read(chat: &Dir) -> Result<Option<Graph>, Error> {
    let Some(entries) = if_there(chat.entries(FOLDER))? else {
        return Ok(None);
    };
    let names = entries.iter().map(|entry| entry.name.to_string_lossy());
    let names = names.filter_map(|name| name.strip_suffix(ENDING).map(str::to_owned));
    let mut names = names.filter(|name| !name.starts_with('.'));
    let mut graph = Graph::default();
    let mut left = WHOLE;
    for name in names.by_ref().take(Graph::MOST_MOLECULES) {
        let (molecule, read) = molecule(chat, &name, left);
        graph.take(molecule);
        left -= read;
    }
    if let Some(name) = names.next() {
        let why = format!("only {} molecules are read, and there are more", Graph::MOST_MOLECULES);
        graph.molecules.push(Molecule::damaged(&visible(&name), why));
    }
    Ok(Some(graph))
}

/// What one file says, and how many bytes were read for it. `left` bytes are left for the whole graph.
fn molecule(chat: &Dir, name: &str, left: u64) -> (Molecule, u64) {
    if let Err(odd) = SafeName::plain(name) {
        return (Molecule::damaged(&visible(name), odd), 0);
    }
    match chat.read(file(name), LARGEST.min(left)) {
        Ok(Some(bytes)) => (Molecule::parse(name, &bytes), bytes.len() as u64),
        Ok(None) => (Molecule::damaged(name, "it was removed while it was read"), 0),
        Err(fs::Error::TooLarge { .. }) if left < LARGEST => (Molecule::damaged(name, too_much()), 0),
        Err(error) => (Molecule::damaged(name, error), 0),
    }
}

fn too_much() -> String {
    format!("the files of a graph may have {} MiB together", WHOLE >> 20)
}

/// How many bytes were written, which may be at most `left`.
fn write(chat: &Dir, molecule: &Molecule, left: u64) -> Result<u64, Error> {
    let text = molecule.text();
    let path = file(&molecule.name);
    let (size, max) = (text.len() as u64, LARGEST.min(left));
    if size > max {
        let path = chat.path().join(path);
        return Err(fs::Error::TooLarge { path, max }.into());
    }
    chat.create_dir(FOLDER)?;
    chat.write_atomic(path, text)?;
    Ok(size)
}

fn file(molecule: &str) -> PathBuf {
    PathBuf::from(FOLDER).join(format!("{molecule}{ENDING}"))
}
