//! What differs in one file, line by line, as it is shown.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// One file of two saved states. The states are named by their trees, as a list of changes tells them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileAsk {
    pub project: String,
    /// `None`: the file is compared with nothing.
    pub before: Option<String>,
    pub after: String,
    #[serde(with = "super::path_text")]
    pub path: PathBuf,
    /// Its path before, if it was renamed.
    #[serde(with = "super::path_text::option", default)]
    pub from: Option<PathBuf>,
    /// Unchanged lines around each change.
    pub context: u32,
    /// Lines that differ only in white space count as equal.
    pub ignore_whitespace: bool,
    /// What the index has of it, as git names the content; empty if it has no such file. Lines are then told whether they
    /// are staged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileDiff {
    pub ask: FileAsk,
    pub kind: FileKind,
    pub body: DiffBody,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileKind {
    Added,
    Deleted,
    Modified,
    Renamed,
    /// Only its permission bits changed.
    Mode,
    Submodule,
    /// It is as the last commit has it, and the next commit would have it otherwise: only the index differs.
    Staged,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DiffBody {
    Lines {
        hunks: Vec<Hunk>,
        /// How many lines of the difference are left out here, because it is too long to be read.
        cut: usize,
    },
    Binary {
        before: Option<BinaryContent>,
        after: Option<BinaryContent>,
    },
    /// git LFS keeps the content. Sizes in bytes.
    Lfs { before: Option<u64>, after: Option<u64> },
    /// The commits of a submodule.
    Submodule {
        before: Option<String>,
        after: Option<String>,
    },
    /// The contents are equal: only the permission bits or the name changed.
    Equal,
}

/// What can be said of content that has no lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BinaryContent {
    pub bytes: u64,
    /// It is a picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<ImageSize>,
}

/// In pixels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageSize {
    /// `PNG` and the like.
    pub kind: String,
    pub width: u64,
    pub height: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hunk {
    /// The first line and the number of lines before.
    pub old: (u32, u32),
    /// The first line and the number of lines after.
    pub new: (u32, u32),
    /// The line that git shows behind `@@`: the function that it is in.
    pub heading: String,
    pub lines: Vec<DiffLine>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffLine {
    pub kind: LineKind,
    /// The number of the line before, from 1.
    pub old: Option<u32>,
    /// The number of the line after, from 1.
    pub new: Option<u32>,
    /// Without its line end. Tabs and control characters are as in the file; what is no UTF-8 is replaced.
    pub text: String,
    /// In order, each up to where the next begins; together they cover the text. Empty: all of it is plain.
    pub spans: Vec<DiffSpan>,
    /// The file ends here without a line end.
    pub is_unended: bool,
    /// The next commit would have this change. Told where the index was asked for.
    #[serde(default)]
    pub is_staged: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineKind {
    Context,
    Removed,
    Added,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffSpan {
    /// Where it ends in the text, in bytes.
    pub end: u32,
    pub syntax: Syntax,
    /// These words differ from those of the line that it replaces, or that replaces it.
    pub is_changed: bool,
}

/// What a word is in its language. Each has a colour of its own in a theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Syntax {
    #[default]
    Plain,
    Comment,
    Keyword,
    String,
    Number,
    Function,
    Type,
    Constant,
    Operator,
}
