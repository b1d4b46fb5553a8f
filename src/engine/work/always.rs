//! A rule that allows a call from now on, written into `config.json`.

use std::path::{Path, PathBuf};

use crate::config;
use crate::domain::call;
use crate::domain::work::ApprovalDone;
use crate::fs::{self, Dir};
use crate::model::path::normal;
use crate::model::{Problem, ResultExt};
use crate::permission::{Case, QuestionNotes, WholeLines};

use super::super::services::Services;

const DOING: &str = "allowing it always";
/// Bytes of a file of which lines are shown.
const LARGEST: u64 = 1 << 20;
const MEND: &str = "correct config.json, then try again";

fn readable(services: &Services) -> Result<(), Problem> {
    config::load(&services.home.config()).doing_or(DOING, MEND).map(drop)
}

/// Rules that would allow the call. If `config.json` cannot be read, that is why there are none.
pub fn suggest(services: &Services, case: &Case) -> Result<ApprovalDone, Problem> {
    readable(services)?;
    Ok(ApprovalDone::Suggested(QuestionNotes {
        rules: case.suggestions(),
        in_whole_lines: in_whole_lines(case),
        overwrites: overwrites(case),
    }))
}

/// What is known of the files that these calls write.
pub fn in_files(cases: &[Case]) -> ApprovalDone {
    let notes = cases.iter().map(|case| QuestionNotes {
        in_whole_lines: in_whole_lines(case),
        overwrites: overwrites(case),
        ..QuestionNotes::default()
    });
    ApprovalDone::InFiles(notes.collect())
}

/// An edit in whole lines of its file; what is written over a file as an edit of that.
fn in_whole_lines(case: &Case) -> Option<WholeLines> {
    let asked = case.calls.first()?;
    let input = &asked.input;
    if let Some(path) = call::written_whole(&asked.tool, input) {
        return call::over_file(input, &read(case, path)?);
    }
    call::in_whole_lines(input, &read(case, call::replaced_in(input)?)?)
}

/// A text file in the chat's own directory or in one that was opened in place, which is reached by no link and not larger
/// than anybody reads.
fn read(case: &Case, path: &str) -> Option<String> {
    let path = absolute(case, path)?;
    let own = || read_in(Dir::open(&case.cwd), path.strip_prefix(&case.cwd).ok()?);
    let file = own().or_else(|| in_place(case, &path))?;
    String::from_utf8(file).ok().filter(|text| !text.contains('\0'))
}

fn absolute(case: &Case, path: &str) -> Option<PathBuf> {
    let asked = case.calls.first()?;
    Some(normal(&asked.at.as_ref().unwrap_or(&case.cwd).join(path)))
}

/// By the path that a person opened, whatever the agent calls it: what lies in the chat's directory is the agent's.
fn in_place(case: &Case, path: &Path) -> Option<Vec<u8>> {
    let mut areas = case.dirs.iter();
    areas.find_map(|area| {
        let below = area.paths.iter().find_map(|of| path.strip_prefix(of).ok())?;
        let mut opened = area.paths.iter().filter(|of| !of.starts_with(&case.cwd));
        opened.find_map(|of| read_in(Dir::open_unlinked(of), below))
    })
}

fn read_in(dir: Result<Dir, fs::Error>, below: &Path) -> Option<Vec<u8>> {
    dir.ok()?.read(below, LARGEST).ok()?
}

/// The file that a call writes is there, whether or not it can be shown.
fn overwrites(case: &Case) -> bool {
    let written = case
        .calls
        .first()
        .and_then(|asked| call::written_whole(&asked.tool, &asked.input));
    let path = written.and_then(|path| absolute(case, path));
    path.is_some_and(|path| path.symlink_metadata().is_ok())
}

/// Writes the rule, if it allows the call; without one, the first that does.
pub fn allow(services: &Services, case: &Case, rule: Option<String>) -> Result<ApprovalDone, Problem> {
    readable(services)?;
    let rule = match rule {
        Some(rule) => tried(case, rule.trim())?,
        None => {
            let found = case.suggestions();
            found
                .rules
                .into_iter()
                .next()
                .ok_or_else(|| nothing_fits(&found.why_none))?
        }
    };
    let loaded = config::allow(&services.home.config(), &rule).doing_or(DOING, MEND)?;
    Ok(ApprovalDone::AllowedAlways(rule, Box::new(loaded.settings)))
}

fn tried(case: &Case, rule: &str) -> Result<String, Problem> {
    match case.is_allowed_by(rule) {
        Ok(true) => Ok(rule.to_string()),
        Ok(false) => {
            let found = case.suggestions();
            if found.rules.is_empty() {
                return Err(nothing_fits(&found.why_none));
            }
            let cause = format!("with {rule} this call would still be asked about");
            Err(Problem::new(DOING, cause, "write a rule that is about this call"))
        }
        Err(misfit) => Err(Problem::new(
            DOING,
            misfit,
            "rules look like Bash(cargo test:*), Edit(src/**) or mcp__github",
        )),
    }
}

fn nothing_fits(why: &str) -> Problem {
    Problem::new(DOING, format!("no rule would: {why}"), "allow it once")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::model::settings::PermissionSettings;
    use crate::model::{Area, AreaMode, PermissionProfile};
    use crate::permission::{AskedCall, Rules};

    #[test]
    fn an_edit_is_seen_in_whole_lines_in_the_chat_and_where_it_works_in_place() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (chat, notes) = (root.join("chat"), root.join("notes"));
        for dir in [&chat.join("projects/web"), &notes] {
            std::fs::create_dir_all(dir).unwrap();
        }
        symlink(&notes, chat.join("projects/notes")).unwrap();
        symlink(root.join("secret"), notes.join("led.txt")).unwrap();
        for file in ["chat/own.txt", "chat/projects/web/a.txt", "notes/b.txt", "secret"] {
            std::fs::write(root.join(file), "one\ntwo\nthree\n").unwrap();
        }
        let linked = Area {
            name: "notes".into(),
            mode: AreaMode::Rw,
            asks: false,
            cloned: false,
            paths: vec![chat.join("projects/notes"), notes.clone()],
        };
        let first = |at: Option<&Path>, path: &Path| {
            let input = json!({"file_path": path, "old_string": "wo", "new_string": "w"});
            let case = Case {
                rules: Arc::new(Rules::parse(&PermissionSettings::default(), &root).0),
                role: None,
                cwd: chat.clone(),
                dirs: vec![linked.clone()],
                calls: vec![AskedCall {
                    tool: "Edit".into(),
                    input,
                    at: at.map(Into::into),
                    by_cli: true,
                }],
                profile: PermissionProfile::Ask,
            };
            let whole = in_whole_lines(&case)?;
            assert_eq!(whole.input["old_string"], "one\ntwo\nthree\n");
            Some(whole.first)
        };
        for path in ["own.txt", "projects/web/a.txt", "projects/notes/b.txt"] {
            assert_eq!(first(None, Path::new(path)), Some(1), "{path}");
            assert_eq!(first(None, &chat.join(path)), Some(1), "{path}");
        }
        assert_eq!(first(None, &notes.join("b.txt")), Some(1));
        assert_eq!(first(Some(&chat.join("projects/web")), Path::new("a.txt")), Some(1));
        for path in ["projects/notes/led.txt", "../secret", "projects/notes/../../../secret"] {
            assert_eq!(first(None, Path::new(path)), None, "{path}");
        }
    }

    fn writes(dir: &Path, name: &str) -> (Option<WholeLines>, bool) {
        let asked = AskedCall {
            tool: "Write".into(),
            input: json!({"file_path": dir.join(name), "content": "new\n"}),
            at: None,
            by_cli: true,
        };
        let case = Case {
            rules: Arc::new(Rules::default()),
            role: None,
            cwd: dir.into(),
            dirs: Vec::new(),
            calls: vec![asked],
            profile: PermissionProfile::default(),
        };
        let ApprovalDone::InFiles(mut notes) = in_files(&[case]) else {
            panic!("it is looked into files");
        };
        let note = notes.remove(0);
        (note.in_whole_lines, note.overwrites)
    }

    #[test]
    fn what_is_written_over_a_file_is_an_edit_of_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path();
        std::fs::write(path.join("a.js"), "old\n").unwrap();
        std::fs::write(path.join("a.png"), b"\x89PNG\0\xff").unwrap();
        std::fs::write(path.join("long"), "x".repeat(LARGEST as usize + 1)).unwrap();
        let edit = json!({"file_path": path.join("a.js"), "old_string": "old\n", "new_string": "new\n"});
        assert_eq!(writes(path, "a.js"), (Some(WholeLines { input: edit, first: 1 }), true));
        for name in ["a.png", "long"] {
            assert_eq!(writes(path, name), (None, true), "{name}");
        }
        assert_eq!(writes(path, "b.js"), (None, false));
    }
}
