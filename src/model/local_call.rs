//! What an agent whose CLI has no tools of its own has parlour do: read, write and patch files, run a command, each in
//! one directory of its chat.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::chat::Directory;
use super::path::normal;
use super::text::visible;
use super::{AreaMode, Kind, Problem, patch};

/// A command may take so long, and takes [`SECONDS`] at most where nothing is said.
pub const MOST_SECONDS: u64 = 3_600;
pub const SECONDS: u64 = 120;

/// As the agent asked for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LocalCall {
    Read(ReadFile),
    Write(WriteFile),
    /// A unified diff, of one file or several; the files that it names, or why it is none.
    Patch {
        patch: String,
        files: Result<Vec<String>, String>,
    },
    Shell(ShellCommand),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReadFile {
    pub path: String,
    /// First line, from 1
    pub offset: Option<u64>,
    /// Lines at most, 2000 where not given
    pub limit: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WriteFile {
    pub path: String,
    pub content: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShellCommand {
    pub command: String,
    pub cwd: Option<String>,
    /// 120 where not given, 3600 at most
    #[serde(rename = "timeout_s")]
    pub seconds: Option<u64>,
}

/// A directory of a chat: what is done in one is done in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// The chat's own.
    Chat,
    /// A clone in its `projects`.
    Clone(String),
    /// A directory of the person's, and the name that it has in the chat.
    Link(String, PathBuf),
}

impl Root {
    /// The label of what is done there; the chat's own has none.
    pub fn label(&self) -> Option<&str> {
        match self {
            Root::Chat => None,
            Root::Clone(name) | Root::Link(name, _) => Some(name),
        }
    }
}

/// A place beneath a directory of a chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    pub root: Root,
    pub mode: AreaMode,
    pub below: PathBuf,
    /// As the gate judges it.
    pub path: PathBuf,
}

/// A local call, and the places that it is about: of a patch each file before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalJob {
    pub local_call: LocalCall,
    pub root: Root,
    pub mode: AreaMode,
    /// Beneath the root; where a command is run, or the files in the order in which the local call names them.
    pub below: Vec<PathBuf>,
}

/// What became of one: the answer, and what the transcript keeps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Done {
    pub answer: Result<Value, Problem>,
    pub output: String,
    /// The command ran, and failed.
    pub failed: bool,
}

/// What a chat has open, for finding the directory that a path lies in.
pub struct LocalRoots<'c> {
    /// The chat's own directory.
    pub chat: &'c Path,
    pub dirs: &'c [Directory],
}

impl LocalCall {
    /// It is read here once, before anybody waits for it.
    pub fn patch(patch: String) -> LocalCall {
        let named = |changes: Vec<patch::PatchedFile>| {
            changes
                .iter()
                .flat_map(patch::PatchedFile::paths)
                .map(str::to_string)
                .collect()
        };
        let files = patch::parse(&patch).map(named);
        LocalCall::Patch { patch, files }
    }

    /// How much of memory it takes while it waits.
    pub fn bytes(&self) -> usize {
        match self {
            LocalCall::Read(read) => read.path.len(),
            LocalCall::Write(write) => write.path.len() + write.content.len(),
            LocalCall::Patch { patch, .. } => patch.len(),
            LocalCall::Shell(shell) => shell.command.len() + shell.cwd.as_ref().map_or(0, String::len),
        }
    }

    /// The name of its tool, which rules know.
    pub fn tool(&self) -> &'static str {
        match self {
            LocalCall::Read(_) => "read_file",
            LocalCall::Write(_) => "write_file",
            LocalCall::Patch { .. } => "apply_patch",
            LocalCall::Shell(_) => "shell",
        }
    }

    /// What rules judge and a person is shown: with the places where they are found, else as they were named.
    pub fn input(&self, spots: &[Spot]) -> Value {
        let path = |named: &str| match spots.first() {
            Some(spot) => spot.path.to_string_lossy().into_owned(),
            None => named.to_string(),
        };
        match self {
            LocalCall::Read(read) => json!({"path": path(&read.path)}),
            LocalCall::Write(write) => json!({"path": path(&write.path), "content": write.content}),
            LocalCall::Patch { patch, .. } => {
                let paths: Vec<_> = spots.iter().map(|spot| spot.path.to_string_lossy()).collect();
                json!({"paths": paths, "patch": patch})
            }
            LocalCall::Shell(shell) => {
                json!({"command": shell.command, "cwd": path(shell.cwd.as_deref().unwrap_or_default())})
            }
        }
    }

    /// The paths that it names.
    fn names(&self) -> Result<Vec<String>, String> {
        match self {
            LocalCall::Read(ReadFile { path, .. }) | LocalCall::Write(WriteFile { path, .. }) => Ok(vec![path.clone()]),
            LocalCall::Patch { files, .. } => files.clone(),
            LocalCall::Shell(shell) => Ok(shell.cwd.iter().cloned().collect()),
        }
    }
}

impl LocalRoots<'_> {
    /// Where a local call leads, all of it in one directory.
    pub fn route(&self, local_call: &LocalCall) -> Result<Vec<Spot>, Problem> {
        let doing = || format!("calling {}", local_call.tool());
        let names = local_call.names().map_err(|why| {
            let hint = "send a unified diff, as `git diff` prints it";
            Problem::new(doing(), format!("the patch cannot be read: {why}"), hint)
        })?;
        if let LocalCall::Shell(ShellCommand {
            seconds: Some(seconds), ..
        }) = local_call
            && !(1..=MOST_SECONDS).contains(seconds)
        {
            let cause = format!("timeout_s is {seconds}, and is from 1 to {MOST_SECONDS}");
            return Err(Problem::new(
                doing(),
                cause,
                "give it as many seconds, and divide what takes longer",
            ));
        }
        let mut spots = Vec::new();
        for name in &names {
            let spot = self.find(name).ok_or_else(|| {
                let cause = format!("{name} lies in no directory of this chat");
                Problem::new(doing(), cause, format!("open one with open_dir; {}", self.listed()))
            })?;
            if spot.below.as_os_str().is_empty() && !matches!(local_call, LocalCall::Shell(_)) {
                let cause = format!("{} is a directory", visible(&spot.path.to_string_lossy()));
                return Err(Problem::new(doing(), cause, "name a file in it"));
            }
            spots.push(spot);
        }
        if spots.is_empty() {
            spots.push(self.first());
        }
        if spots.iter().any(|spot| spot.root != spots[0].root) {
            let cause = "the patch is about more than one directory";
            return Err(Problem::new(doing(), cause, "send one for each"));
        }
        Ok(spots)
    }

    /// The first that was opened; the chat's own where none is.
    fn first(&self) -> Spot {
        let first = self.dirs.first().and_then(|dir| {
            let own = self.chat.join("projects").join(&dir.name);
            self.spot(&own)
        });
        first.unwrap_or_else(|| Spot {
            root: Root::Chat,
            mode: AreaMode::Rw,
            below: PathBuf::new(),
            path: self.chat.to_path_buf(),
        })
    }

    /// `projects/NAME` names a directory; any other path that is relative starts in the first.
    fn find(&self, named: &str) -> Option<Spot> {
        let named = Path::new(named);
        let first = self.first();
        let base = match self.dirs.iter().any(|dir| {
            let own = Path::new("projects").join(&dir.name);
            named.starts_with(own)
        }) {
            true => self.chat,
            false => &first.path,
        };
        self.spot(&normal(&base.join(named)))
    }

    /// Of directories within each other the innermost counts.
    fn spot(&self, path: &Path) -> Option<Spot> {
        let projects = self.chat.join("projects");
        let own = (self.chat.to_path_buf(), Root::Chat, AreaMode::Rw);
        let dirs = self.dirs.iter().flat_map(|dir| {
            let root = match dir.kind {
                Kind::Git => Root::Clone(dir.name.clone()),
                Kind::Local => Root::Link(dir.name.clone(), PathBuf::from(&dir.origin)),
            };
            let area = dir.area(&projects);
            area.paths.into_iter().map(move |at| (at, root.clone(), area.mode))
        });
        let around = dirs.chain([own]).filter(|(at, ..)| path.starts_with(at));
        // Of one path opened twice the stricter counts, as for the gate.
        let inmost = around.max_by_key(|(at, _, mode)| (at.components().count(), *mode == AreaMode::Ro));
        let (at, root, mode) = inmost?;
        Some(Spot {
            root,
            mode,
            below: path.strip_prefix(at).ok()?.to_path_buf(),
            path: path.to_path_buf(),
        })
    }

    fn listed(&self) -> String {
        let names: Vec<String> = self.dirs.iter().map(|dir| format!("projects/{}", dir.name)).collect();
        match names.is_empty() {
            true => "nothing is open but the chat's own directory".into(),
            false => format!("open are {}", names.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dir(name: &str, kind: Kind, mode: AreaMode) -> Directory {
        Directory {
            name: name.into(),
            label: None,
            mode,
            kind,
            origin: format!("/home/mia/{name}"),
            key: None,
            subdir: None,
            asks: false,
        }
    }

    fn read(path: &str) -> LocalCall {
        LocalCall::Read(ReadFile {
            path: path.into(),
            offset: None,
            limit: None,
        })
    }

    fn led(dirs: &[Directory], local_call: &LocalCall) -> Result<(Option<String>, AreaMode, String), String> {
        let roots = LocalRoots {
            chat: Path::new("/p/chats/c"),
            dirs,
        };
        let spots = roots.route(local_call).map_err(|problem| problem.cause)?;
        let below = spots[0].below.to_string_lossy().into_owned();
        Ok((spots[0].root.label().map(str::to_string), spots[0].mode, below))
    }

    #[test]
    fn a_path_leads_to_the_innermost_directory_that_it_lies_in() {
        let dirs = [
            dir("grove", Kind::Git, AreaMode::Rw),
            dir("notes", Kind::Local, AreaMode::Ro),
        ];
        let to = |name: &str, mode, below: &str| Ok((Some(name.to_string()), mode, below.to_string()));
        let cases = [
            ("src/a.rs", to("grove", AreaMode::Rw, "src/a.rs")),
            ("projects/grove/src/a.rs", to("grove", AreaMode::Rw, "src/a.rs")),
            ("/p/chats/c/projects/grove/a", to("grove", AreaMode::Rw, "a")),
            ("projects/notes/today", to("notes", AreaMode::Ro, "today")),
            ("/home/mia/notes/today", to("notes", AreaMode::Ro, "today")),
            ("projects/grove/../notes/x", to("notes", AreaMode::Ro, "x")),
            ("/p/chats/c/AGENTS.md", Ok((None, AreaMode::Rw, "AGENTS.md".into()))),
        ];
        for (path, expected) in cases {
            assert_eq!(led(&dirs, &read(path)), expected, "{path}");
        }
        let cases = [
            "/etc/passwd",
            "/home/mia/notes-2/x",
            "../../../../records/c/chat.json",
            "/p/chats/d/x",
        ];
        for path in cases {
            let refused = led(&dirs, &read(path)).unwrap_err();
            assert!(refused.ends_with("lies in no directory of this chat"), "{refused}");
        }
    }

    #[test]
    fn no_file_is_a_directory_and_no_command_takes_forever() {
        let dirs = [dir("grove", Kind::Git, AreaMode::Rw)];
        for path in ["projects/grove", ".", ""] {
            let refused = led(&dirs, &read(path)).unwrap_err();
            assert_eq!(refused, "/p/chats/c/projects/grove is a directory", "{path}");
        }
        let taking = |seconds| {
            LocalCall::Shell(ShellCommand {
                command: "ls".into(),
                cwd: Some("projects/grove".into()),
                seconds: Some(seconds),
            })
        };
        assert!(led(&dirs, &taking(3_600)).is_ok());
        let refused = led(&dirs, &taking(99_999)).unwrap_err();
        assert_eq!(refused, "timeout_s is 99999, and is from 1 to 3600");
    }

    #[test]
    fn what_names_no_path_goes_to_the_first_directory() {
        let shell = LocalCall::Shell(ShellCommand {
            command: "make".into(),
            cwd: None,
            seconds: None,
        });
        let dirs = [
            dir("grove", Kind::Git, AreaMode::Ro),
            dir("lib", Kind::Git, AreaMode::Rw),
        ];
        assert_eq!(
            led(&dirs, &shell),
            Ok((Some("grove".into()), AreaMode::Ro, String::new()))
        );
        assert_eq!(led(&[], &shell), Ok((None, AreaMode::Rw, String::new())));
    }

    #[test]
    fn a_patch_is_for_one_directory() {
        let file = |path: &str| format!("--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-a\n+b\n");
        let dirs = [
            dir("grove", Kind::Git, AreaMode::Rw),
            dir("lib", Kind::Git, AreaMode::Rw),
        ];
        let patch = |patch: String| led(&dirs, &LocalCall::patch(patch));
        assert_eq!(
            patch(file("src/a")),
            Ok((Some("grove".into()), AreaMode::Rw, "src/a".into()))
        );
        let both = file("projects/grove/a") + &file("projects/lib/a");
        assert_eq!(patch(both).unwrap_err(), "the patch is about more than one directory");
        assert!(
            patch("nothing".into())
                .unwrap_err()
                .starts_with("the patch cannot be read")
        );
    }
}
