//! What git LFS puts into commits in place of a file: a pointer to its content.

use std::io::{self, Read};

use sha2::{Digest, Sha256};

const VERSION: &str = "version https://git-lfs.github.com/spec/v1";
/// By the format itself; a longer text is none.
const LONGEST: usize = 1024;

/// The content that a pointer stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LfsPointer {
    /// Its SHA-256, in hexadecimal digits.
    pub hash: String,
    pub size: u64,
}

impl LfsPointer {
    pub fn parse(text: &[u8]) -> Option<LfsPointer> {
        let text = std::str::from_utf8(text).ok().filter(|text| text.len() < LONGEST)?;
        let mut lines = text.lines();
        lines.next().filter(|line| *line == VERSION)?;
        let (mut hash, mut size) = (None, None);
        for line in lines {
            match line.split_once(' ')? {
                ("oid", value) => hash = value.strip_prefix("sha256:"),
                ("size", value) => size = value.parse().ok(),
                _ => {}
            }
        }
        let is_hash = |hash: &&str| hash.len() == 64 && hash.bytes().all(|digit| digit.is_ascii_hexdigit());
        Some(LfsPointer {
            hash: hash.filter(is_hash)?.to_owned(),
            size: size?,
        })
    }

    /// The pointer to this content.
    pub fn of(content: &mut impl Read) -> io::Result<LfsPointer> {
        let mut sum = Sha256::new();
        let size = io::copy(content, &mut sum)?;
        Ok(LfsPointer {
            hash: data_encoding::HEXLOWER.encode(&sum.finalize()),
            size,
        })
    }

    /// As git LFS writes it.
    pub fn to_text(&self) -> String {
        format!("{VERSION}\noid sha256:{}\nsize {}\n", self.hash, self.size)
    }
}

/// Whether a text begins as a pointer does.
pub(super) fn is_beginning(line: &[u8]) -> bool {
    line.strip_suffix(b"\n") == Some(VERSION.as_bytes())
}
