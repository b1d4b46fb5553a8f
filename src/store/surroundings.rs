//! Where an agent works, in words that no name in them can change.

use std::path::{Path, PathBuf};

use crate::model::text::one_line;
use crate::model::{AreaMode, Chat, Kind};

/// A name or a description never takes more of an agent's attention than this.
const WORDS: usize = 160;
/// The longest path that the system takes: one that is cut leads nowhere.
const PATH: usize = 4096;

/// The instructions of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Own {
    /// In the chat: `projects/grove/AGENTS.md`.
    pub path: PathBuf,
    /// Whole lines.
    pub text: String,
    /// The file goes on.
    pub longer: bool,
}

/// What the block says that the chat's folders do not know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The user's shell, `/bin/zsh`.
    pub shell: String,
    /// The agent is given its role by a flag.
    pub role_by_flag: bool,
    /// Name and description of each skill in `skills/`.
    pub skills: Vec<(String, String)>,
    /// The tools offered, by name: those switched off are not spoken of.
    pub tools: Vec<String>,
    /// Where the agent is, once it has left the directory that it was started in.
    pub cwd: Option<PathBuf>,
    /// Directories of projects that the agent came through, each with its project: their instructions are told too.
    pub below: Vec<(String, PathBuf)>,
}

/// A directory as the block names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// Of the whole project.
    pub path: PathBuf,
    /// The part of it that was asked for: there the work is.
    pub subdir: Option<PathBuf>,
    pub label: Option<String>,
    pub mode: AreaMode,
    /// It is the person's own, not a copy.
    pub in_place: bool,
    pub branch: Option<String>,
    /// What its own files say to agents.
    pub own: Vec<Own>,
}

impl Opened {
    /// Where the work is.
    pub(super) fn view(&self) -> PathBuf {
        match &self.subdir {
            Some(subdir) => self.path.join(subdir),
            None => self.path.clone(),
        }
    }
}

/// A chat's directories, without the instructions of their own.
pub(super) fn opened(chat: &Chat) -> Vec<Opened> {
    let directories = chat.projects.iter().map(|project| {
        let recorded = chat.record.dirs.iter().find(|dir| dir.name == project.name);
        Opened {
            path: Path::new("projects").join(&project.name),
            // A branch may lack it.
            subdir: recorded
                .and_then(|dir| dir.subdir.clone())
                .filter(|subdir| project.path.join(subdir).is_dir()),
            label: recorded.and_then(|dir| dir.label.clone()),
            mode: project.mode,
            in_place: project.kind == Kind::Local,
            branch: project.branch.clone(),
            own: Vec::new(),
        }
    });
    directories.collect()
}

/// Where an agent works, as CLIs say it themselves.
pub(super) fn environment(directories: &[Opened], around: &Surroundings) -> String {
    let mut text = String::from("\n<environment_context>\n");
    if let Some(cwd) = &around.cwd {
        let cwd = escape_up_to(&cwd.display().to_string(), PATH);
        text.push_str(&format!("<cwd>{cwd}</cwd>\n"));
    }
    text.push_str("<directories>\n");
    for directory in directories {
        let path = directory.view().display().to_string();
        let name = directory.path.file_name().unwrap_or_default().to_string_lossy();
        let label = directory.label.as_deref().unwrap_or(&name);
        text.push_str(&format!(
            "<dir label=\"{}\" mode=\"{}\">{}</dir>\n",
            escape(label),
            directory.mode.word(),
            escape(&path)
        ));
    }
    let shell = escape(&around.shell);
    text.push_str(&format!(
        "</directories>\n<shell>{shell}</shell>\n</environment_context>\n"
    ));
    text
}

/// A name, a path or a branch as text in a line: it can add no element, no heading, no line and no mark of ours.
pub(super) fn plain(value: &str) -> String {
    let mut plain = String::new();
    for c in one_line(value, WORDS).chars() {
        match c {
            '<' => plain.push_str("&lt;"),
            '>' => plain.push_str("&gt;"),
            '`' => plain.push_str("&#96;"),
            c => plain.push(c),
        }
    }
    plain
}

/// The same within an element.
fn escape(value: &str) -> String {
    escape_up_to(value, WORDS)
}

fn escape_up_to(value: &str, most: usize) -> String {
    let mut escaped = String::new();
    for c in one_line(value, most).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '`' => escaped.push_str("&#96;"),
            c => escaped.push(c),
        }
    }
    escaped
}
