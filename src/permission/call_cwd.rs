//! Where a command is run, as far as its call says: in a directory that it names, or behind the `cd` that it begins with.

use std::path::{Path, PathBuf};

use super::call::Call;
use super::cwd::{CwdChange, moves};
use super::path::CallPlace;
use super::script::ParsedScript;
use super::tool::{self, ToolKind};

/// Of a longer line only so much is looked at: it is asked where nobody may wait.
const LONGEST: usize = 512;

/// `None` where the call says nothing of it. `home` is the person's.
pub fn call_cwd(call: &Call, home: &Path) -> Option<PathBuf> {
    let (_, ToolKind::Command) = tool::known(call.tool) else {
        return None;
    };
    let named = tool::directory(call.input);
    let mut place = CallPlace::within(call.cwd, call.at, named, home);
    let script = ParsedScript::read(beginning(&tool::command(call.input)?));
    let mut gone = named.is_some();
    for way in script.commands.iter().map_while(moves) {
        let (CwdChange::To(to) | CwdChange::Onto(to)) = way else {
            break;
        };
        place = place.moved(&to.text);
        gone = true;
    }
    gone.then(|| place.base().to_path_buf())
}

/// The whole commands that a line begins with, as far as they are looked at; nothing of a line that begins with another
/// than `cd`.
fn beginning(line: &str) -> &str {
    let line = line.trim_start();
    if !["cd", "pushd"].iter().any(|name| line.starts_with(name)) {
        return "";
    }
    match line.len() > LONGEST {
        true => {
            let head = &line[..line.floor_char_boundary(LONGEST)];
            head.rfind([';', '&', '\n']).map_or("", |end| &head[..end])
        }
        false => line,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_command_goes_where_it_says() {
        let cases = [
            (
                "Bash",
                json!({ "command": "cd projects/b && make" }),
                Some("/c/projects/b"),
            ),
            (
                "bash",
                json!({ "command": "make", "workdir": "projects/b" }),
                Some("/c/projects/b"),
            ),
            (
                "run_shell_command",
                json!({ "command": "cd ..; ls", "dir_path": "/c/projects/b" }),
                Some("/c/projects"),
            ),
            (
                "Bash",
                json!({ "command": "cd -P projects/b && make" }),
                Some("/c/projects/b"),
            ),
            ("Bash", json!({ "command": "make && cd projects/b" }), None),
            ("Bash", json!({ "command": "cd -" }), None),
            (
                "Bash",
                json!({ "command": format!("cd projects/b && make {}", "x;".repeat(5_000)) }),
                Some("/c/projects/b"),
            ),
            ("Bash", json!({ "command": format!("cd {}", "x".repeat(5_000)) }), None),
            ("list_directory", json!({ "dir_path": "/c/projects/b" }), None),
        ];
        for (tool, input, expected) in cases {
            let call = Call {
                tool,
                input: &input,
                cwd: Path::new("/c"),
                at: None,
                dirs: &[],
            };
            assert_eq!(
                call_cwd(&call, Path::new("/home/mia")).as_deref(),
                expected.map(Path::new),
                "{input}"
            );
        }
    }
}
