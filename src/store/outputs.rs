//! A tool's output: the beginning goes into the transcript, the whole beside it.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::{Error, Home};
use crate::fs::SafeName;
use crate::model::ChatId;

const LINES: usize = 60;
const BYTES: usize = 8 << 10;

/// What `tool.end` says of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    pub preview: String,
    pub bytes: u64,
    pub lines: u64,
    /// `outputs/{tool}`, where the preview is not the whole.
    pub file: Option<String>,
}

impl Home {
    /// Puts an output where it belongs. `tool` is the CLI's own id of the call.
    pub fn output(&self, chat: &ChatId, tool: &str, text: &str) -> Result<Output, Error> {
        let preview = beginning(text);
        let file = match preview.len() < text.len() {
            true => Some(self.keep(chat, tool, text)?),
            false => None,
        };
        Ok(Output {
            preview: preview.to_string(),
            bytes: text.len() as u64,
            lines: text.lines().count() as u64,
            file,
        })
    }

    fn keep(&self, chat: &ChatId, tool: &str, text: &str) -> Result<String, Error> {
        self.writable()?;
        let path = path(tool);
        let record = self.record_dir(chat)?;
        record.create_dir("outputs")?;
        record.write_atomic(&path, text)?;
        Ok(path.to_string_lossy().into_owned())
    }
}

/// Ids come from agents: one that is no safe name becomes its hash.
fn path(tool: &str) -> PathBuf {
    match SafeName::parse(tool) {
        Ok(name) => Path::new("outputs").join(name),
        Err(_) => {
            let hash = Sha256::digest(tool.as_bytes());
            Path::new("outputs").join(data_encoding::HEXLOWER.encode(&hash[..16]))
        }
    }
}

/// The first lines of a text, at most 60 and 8 KB.
pub(super) fn beginning(text: &str) -> &str {
    let end = text
        .char_indices()
        .filter(|(_, c)| *c == '\n')
        .nth(LINES - 1)
        .map_or(text.len(), |(at, _)| at + 1);
    &text[..text.floor_char_boundary(end.min(BYTES))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_is_sixty_lines_or_eight_kilobytes() {
        assert_eq!(beginning("short\n"), "short\n");
        assert_eq!(beginning(&"x\n".repeat(61)).lines().count(), 60);
        assert_eq!(beginning(&"é".repeat(8000)).len(), BYTES);
        assert_eq!(beginning(&format!("x{}", "é".repeat(8000))).len(), BYTES - 1);
    }

    #[test]
    fn a_tools_id_never_leads_out_of_its_folder() {
        assert_eq!(path("toolu_1"), Path::new("outputs/toolu_1"));
        for odd in ["../../x", "", ".", "a/b", "-rf"] {
            let path = path(odd);
            assert_eq!(path.components().count(), 2, "{path:?}");
            assert!(path.starts_with("outputs"));
        }
    }
}
