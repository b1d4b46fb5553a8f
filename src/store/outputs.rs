//! A tool's output: the beginning goes into the transcript, the whole beside it.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::Error;
use crate::fs::{Dir, SafeName};
use crate::model::Happened;

const FOLDER: &str = "outputs";
const LINES: usize = 60;
const BYTES: usize = 8 << 10;

/// What is written beside one transcript. It lasts through a power cut once it is synced.
pub(super) struct Outputs {
    record: Dir,
    /// Once something was put there.
    folder: Option<Dir>,
    unsynced: Vec<PathBuf>,
}

impl Outputs {
    pub fn new(record: Dir) -> Outputs {
        Outputs {
            record,
            folder: None,
            unsynced: Vec::new(),
        }
    }

    /// Leaves the beginning of an output where it is, and puts a longer one beside the transcript, under the CLI's own id
    /// of the call. What was shortened before stays so.
    pub fn shorten(&mut self, what: &mut Happened) -> Result<(), Error> {
        let Happened::ToolEnd {
            id, preview, output, ..
        } = what
        else {
            return Ok(());
        };
        let kept = beginning(preview).len();
        if kept < preview.len() {
            *output = Some(self.keep(id, preview)?);
            preview.truncate(kept);
            // What is cut off may be many times as long.
            preview.shrink_to_fit();
        }
        Ok(())
    }

    fn keep(&mut self, tool: &str, text: &str) -> Result<String, Error> {
        let folder = match self.folder.take() {
            Some(folder) => folder,
            None => self.record.create_dir(FOLDER)?,
        };
        let name = name(tool);
        self.folder.insert(folder).write_unsynced(&name, text)?;
        let said = format!("{FOLDER}/{name}");
        self.unsynced.push(Path::new(FOLDER).join(name));
        Ok(said)
    }

    /// How many files are not synced.
    pub fn unsynced(&self) -> usize {
        self.unsynced.len()
    }

    /// To be called after their whole file system was synced.
    pub fn mark_synced(&mut self) {
        self.unsynced.clear();
    }

    /// After an error all of them are still to be synced.
    pub fn sync(&mut self) -> Result<(), Error> {
        if self.unsynced.is_empty() {
            return Ok(());
        }
        for path in &self.unsynced {
            // Whoever removed it meanwhile needs it no more.
            if let Some(file) = self.record.open_file(path)? {
                file.sync_all().map_err(|source| Error::Io {
                    doing: "syncing",
                    path: self.record.path().join(path),
                    source,
                })?;
            }
        }
        match self.record.dir(FOLDER) {
            Ok(folder) => folder.sync()?,
            Err(error) if error.is_missing() => {}
            Err(error) => return Err(error.into()),
        }
        self.unsynced.clear();
        Ok(())
    }
}

/// Copies what an entry names into the record of another chat. What is gone stays gone.
pub(super) fn copy(from: &Dir, said: &str, into: &Dir) -> Result<(), Error> {
    let name = said.strip_prefix(FOLDER).and_then(|name| name.strip_prefix('/'));
    let Some(name) = name.and_then(|name| SafeName::parse(name).ok()) else {
        return Ok(());
    };
    let path = Path::new(FOLDER).join(name.as_str());
    if let Some(file) = from.open_file(&path)? {
        into.create_dir(FOLDER)?;
        into.copy_file_in(&file, &path, 0o600)?;
    }
    Ok(())
}

/// Ids come from agents: one that is no safe name becomes its hash.
fn name(tool: &str) -> String {
    match SafeName::parse(tool) {
        Ok(name) => name.to_string(),
        Err(_) => data_encoding::HEXLOWER.encode(&Sha256::digest(tool.as_bytes())[..16]),
    }
}

/// The first lines of a text, at most 60 and 8 KB.
pub(super) fn beginning(text: &str) -> &str {
    let text = &text[..text.floor_char_boundary(BYTES)];
    let end = text.match_indices('\n').nth(LINES - 1);
    &text[..end.map_or(text.len(), |(at, _)| at + 1)]
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::model::entry::ToolStatus;

    #[test]
    fn what_could_not_be_synced_is_tried_again() {
        let record = tempfile::tempdir().unwrap();
        let mut outputs = Outputs::new(Dir::open(record.path()).unwrap());
        let mut ended = Happened::tool_ended("toolu_1", ToolStatus::Ok, "line\n".repeat(100), None);
        outputs.shorten(&mut ended).unwrap();
        let output = record.path().join("outputs/toolu_1");
        fs::remove_file(&output).unwrap();
        fs::create_dir(&output).unwrap();
        outputs.sync().unwrap_err();
        outputs.sync().unwrap_err();
        fs::remove_dir_all(output.parent().unwrap()).unwrap();
        outputs.sync().unwrap();
        assert_eq!(outputs.unsynced(), 0);
    }

    #[test]
    fn a_preview_is_sixty_lines_or_eight_kilobytes() {
        assert_eq!(beginning("short\n"), "short\n");
        assert_eq!(beginning(&"x\n".repeat(61)).lines().count(), 60);
        assert_eq!(beginning(&"é".repeat(8000)).len(), BYTES);
        assert_eq!(beginning(&format!("x{}", "é".repeat(8000))).len(), BYTES - 1);
    }

    #[test]
    fn a_tools_id_never_leads_out_of_its_folder() {
        assert_eq!(name("toolu_1"), "toolu_1");
        for odd in ["../../x", "", ".", "a/b", "-rf"] {
            let name = name(odd);
            assert!(SafeName::parse(&name).is_ok(), "{name:?}");
        }
    }
}
