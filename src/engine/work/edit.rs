//! A person's editor, pager or shell in a directory of a chat.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::agents::{self, Env};
use crate::domain::event::{Outcome, Size};
use crate::domain::work::ScriptDone;
use crate::model::output::OpenedWith;
use crate::model::script::ScriptEnd;
use crate::model::text::visible;
use crate::model::{Chat, ChatId, DirectoryPlace, Problem, ResultExt, WorkId};
use crate::sys;

use super::super::services::Services;
use super::auxiliary;
use super::context::WorkContext;
use super::guard;
use super::loading::loading;

const DOING: &str = "opening your editor";
const DOING_SHELL: &str = "opening your shell";
/// Where neither variable names one.
const USUAL: [&str; 3] = ["editor", "nano", "vi"];
const PAGERS: [&str; 2] = ["less", "more"];

/// What is opened.
#[derive(Clone, Copy)]
pub struct EditPlace<'a> {
    pub with: OpenedWith,
    /// A directory of the chat; the first where none is named.
    pub dir: Option<&'a str>,
    /// A file there, at this line; the directory itself where none is named.
    pub file: Option<(&'a Path, u32)>,
    /// The process that leads the terminal which named the file.
    pub leader: Option<u32>,
}

/// Runs it to its end. It is the person's own: it has no token, and nothing of the chat but its directory.
pub fn edit(
    context: &WorkContext,
    number: WorkId,
    id: &ChatId,
    what: EditPlace<'_>,
    (env, size): (&Env, Size),
) -> Result<Outcome, Problem> {
    let services = &context.services;
    let chat = services.home.load(id).map_err(|error| loading(id, error))?;
    let cwd = place(services, &chat, what.dir)?;
    let file = match what.file {
        // A file of a named directory may be gone, and then is made again.
        Some((path, line)) if what.dir.is_some() => Some((path.to_owned(), line)),
        Some((path, line)) => Some((found(services, &chat, (&cwd, what.leader), path)?, line)),
        None => None,
    };
    let copy = match (&file, what.with) {
        (Some((path, line)), OpenedWith::Editor) => copy_of_output(services, id, path)?.map(|copy| (copy, *line)),
        (Some(_), OpenedWith::Pager | OpenedWith::Shell) | (None, _) => None,
    };
    let is_copy = copy.is_some();
    let file = copy.or(file);
    let file = file.as_ref().map(|(path, line)| (path.as_path(), *line));
    let (program, args) = match what.with {
        OpenedWith::Editor => editor(env, file)?,
        OpenedWith::Pager => pager(env, file)?,
        OpenedWith::Shell => (shell(env)?, Vec::new()),
    };
    let mut env = env.clone();
    if what.with == OpenedWith::Shell {
        agents::shorten_prompt(&program, &mut env);
    }
    let spec = auxiliary::of_person(&services.home, (program, args), &env, cwd);
    let beside = auxiliary::Beside {
        number,
        spec,
        size,
        tap: None,
    };
    let ended = auxiliary::run(context, beside, &mut |_| {});
    if is_copy {
        services.home.remove_copy(id).doing(DOING)?;
    }
    let how = ended?;
    Ok(Outcome::Script(ScriptDone::Ended(ScriptEnd { how, last: Vec::new() })))
}

/// An output of a call is shown by a copy, which nobody can write: the record tells what happened.
fn copy_of_output(services: &Services, chat: &ChatId, path: &Path) -> Result<Option<PathBuf>, Problem> {
    let Ok(below) = path.strip_prefix(services.home.record_path(chat)) else {
        return Ok(None);
    };
    let Some(file) = below.to_str().filter(|_| below.starts_with("outputs")) else {
        return Ok(None);
    };
    let output = services.home.output(chat, file).doing(DOING)?;
    services.home.put_copy(chat, &output).map(Some).doing(DOING)
}

/// Runs it to its end on a prompt, and tells what that is then.
pub fn write(
    context: &WorkContext,
    number: WorkId,
    id: &ChatId,
    prompt: &str,
    with: (&Env, Size),
) -> Result<Outcome, Problem> {
    let home = &context.services.home;
    let path = home.put_prompt(id, prompt).doing(DOING)?;
    let place = EditPlace {
        with: OpenedWith::Editor,
        dir: None,
        file: Some((&path, 1)),
        leader: None,
    };
    let ended = edit(context, number, id, place, with);
    // What was saved counts, however the editor ended.
    let text = home.take_prompt(id).doing("reading what you wrote")?;
    match ended? {
        Outcome::Script(ScriptDone::Ended(end)) => Ok(Outcome::Script(ScriptDone::Written {
            how: end.how,
            text: text.unwrap_or_else(|| prompt.to_owned()),
        })),
        other => Ok(other),
    }
}

/// The file that a path means which stands somewhere in the chat: as seen from where the program of that terminal is, where
/// the chat's shell was at its prompt, the first directory, the chat's own, or another one.
fn found(
    services: &Services,
    chat: &Chat,
    (cwd, leader): (&Path, Option<u32>),
    path: &Path,
) -> Result<PathBuf, Problem> {
    if let Ok(below) = path.strip_prefix("~") {
        return Ok(guard::person_home().join(below));
    }
    let own = services.home.chat_path(chat.id());
    let others = chat.projects.iter().map(|project| project.path.as_path());
    let shell = chat.is_shell().then(|| services.home.record_path(chat.id()));
    let shell = shell.and_then(|record| agents::kept_cwd(&record));
    let front = leader.and_then(sys::front_cwd);
    let here = front.iter().chain(&shell).map(PathBuf::as_path);
    let here = here.chain([cwd, own.as_path()]);
    let places: Vec<&Path> = here.chain(others).collect();
    file_in(&places, path).ok_or_else(|| {
        let cause = format!("there is no file {} in this chat", visible(&path.to_string_lossy()));
        Problem::missing(DOING, cause, "its path may be as seen from another directory")
    })
}

/// The first file that the path means as seen from one of these places. One that was resolved from where the agent is now may
/// have been written as seen from another.
fn file_in(places: &[&Path], path: &Path) -> Option<PathBuf> {
    let written = places.iter().filter_map(|place| path.strip_prefix(place).ok());
    let mut candidates = [path]
        .into_iter()
        .chain(written)
        .flat_map(|path| places.iter().map(move |place| place.join(path)));
    candidates.find(|candidate| candidate.is_file())
}

/// The directory of that name or label; the first where none is named, and the chat's own where it has none.
fn place(services: &Services, chat: &Chat, wanted: Option<&str>) -> Result<PathBuf, Problem> {
    if chat.place == DirectoryPlace::Gone {
        let hint = "press R on it in parlour to make the directory again";
        return Err(Problem::missing(DOING, "the chat's directory is gone", hint));
    }
    let own = services.home.chat_path(chat.id());
    let name = match wanted {
        None => None,
        Some(wanted) => {
            let is_it =
                |dir: &&crate::model::chat::Directory| dir.name == wanted || dir.label.as_deref() == Some(wanted);
            let found = chat.record.dirs.iter().find(is_it);
            Some(found.map(|dir| dir.name.clone()).ok_or_else(|| {
                let names: Vec<&str> = chat.record.dirs.iter().map(|dir| dir.name.as_str()).collect();
                let cause = format!("this chat has no directory called {}", visible(wanted));
                Problem::missing(DOING, cause, format!("its directories are: {}", names.join(", ")))
            })?)
        }
    };
    let mut projects = chat.projects.iter();
    let project = projects.find(|project| name.as_ref().is_none_or(|name| project.name == *name));
    match (project, name) {
        (Some(project), _) => Ok(project.path.clone()),
        (None, None) => Ok(own),
        (None, Some(name)) => Err(Problem::missing(
            DOING,
            format!("{} is not there", visible(&name)),
            "open the project again",
        )),
    }
}

/// The program that the person's environment names, with its arguments, on a file or on the directory that it starts in.
pub fn editor(env: &Env, file: Option<(&Path, u32)>) -> Result<(PathBuf, Vec<OsString>), Problem> {
    named(env, &["VISUAL", "EDITOR"], &USUAL, file)
}

/// The same for the program that shows a file.
fn pager(env: &Env, file: Option<(&Path, u32)>) -> Result<(PathBuf, Vec<OsString>), Problem> {
    named(env, &["PAGER"], &PAGERS, file)
}

/// The one that the person's environment names.
fn shell(env: &Env) -> Result<PathBuf, Problem> {
    let named = env.get("SHELL").filter(|shell| !shell.trim().is_empty());
    let shell = PathBuf::from(named.map_or("/bin/sh", String::as_str));
    match shell.is_absolute() && shell.is_file() {
        true => Ok(shell),
        false => {
            let cause = format!("$SHELL names {}, which is not there", visible(&shell.to_string_lossy()));
            Err(Problem::missing(DOING_SHELL, cause, "set it to the path of your shell"))
        }
    }
}

fn named(
    env: &Env,
    variables: &[&'static str],
    usual: &[&str],
    file: Option<(&Path, u32)>,
) -> Result<(PathBuf, Vec<OsString>), Problem> {
    let path = env.get("PATH").map_or("", String::as_str);
    let on_path = |name: &str| agents::on_path(name, OsStr::new(path));
    let set = |name: &&'static str| {
        env.get(*name)
            .filter(|value| !value.trim().is_empty())
            .map(|value| (*name, value))
    };
    let Some((variable, value)) = variables.iter().find_map(set) else {
        let last = variables.last().copied().unwrap_or_default();
        let found = usual.iter().find_map(|name| on_path(name));
        let cause = format!("${last} names none, and none of {} is on your PATH", usual.join(", "));
        let program = found.ok_or_else(|| Problem::new(DOING, cause, format!("set {last} to the one you like")))?;
        let opened = opened(&program, file);
        return Ok((program, opened));
    };
    let words = shell_words::split(value);
    let words =
        words.map_err(|error| Problem::new(DOING, format!("${variable} cannot be read: {error}"), "correct it"))?;
    let Some((name, args)) = words.split_first() else {
        return Err(Problem::new(DOING, format!("${variable} names none"), "correct it"));
    };
    let program = on_path(name).ok_or_else(|| {
        let cause = format!("${variable} names {}, which is not on your PATH", visible(name));
        Problem::missing(DOING, cause, "install it, or set another")
    })?;
    let opened = opened(Path::new(name), file);
    let args = args.iter().map(OsString::from).chain(opened).collect();
    Ok((program, args))
}

/// How an editor is told what to open. One that is not known gets the file alone.
fn opened(program: &Path, file: Option<(&Path, u32)>) -> Vec<OsString> {
    let Some((path, line)) = file else {
        return vec![".".into()];
    };
    // A name that begins with a dash is no option.
    let path = Path::new(".").join(path).into_os_string();
    let at_line = || {
        let mut place = path.clone();
        place.push(format!(":{line}"));
        place
    };
    match program.file_name().and_then(OsStr::to_str) {
        Some(
            "vi" | "vim" | "nvim" | "view" | "nano" | "pico" | "emacs" | "emacsclient" | "micro" | "kak" | "mg" | "joe"
            | "jed" | "ne" | "mcedit" | "editor",
        ) => vec![format!("+{line}").into(), path],
        // Colours are shown, and no other sequence acts.
        Some("less") => vec!["-R".into(), format!("+{line}g").into(), path],
        Some("hx" | "helix" | "zed" | "subl") => vec![at_line()],
        Some("code" | "codium" | "cursor" | "windsurf") => vec!["--goto".into(), at_line()],
        Some(_) | None => vec![path],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_found_from_whichever_directory_it_was_written() {
        let chat = tempfile::tempdir().unwrap();
        let clone = chat.path().join("projects/tides");
        std::fs::create_dir_all(clone.join("tides")).unwrap();
        let file = clone.join("tides/query.py");
        std::fs::write(&file, "").unwrap();
        let places = [chat.path(), clone.as_path()];
        for written in ["tides/query.py", "projects/tides/tides/query.py"] {
            assert_eq!(file_in(&places, Path::new(written)).as_ref(), Some(&file));
            assert_eq!(file_in(&places, &chat.path().join(written)).as_ref(), Some(&file));
        }
        assert_eq!(file_in(&places, Path::new("tides/other.py")), None);
    }

    fn of(pairs: &[(&str, &str)]) -> Result<(PathBuf, Vec<OsString>), String> {
        let env = pairs.iter().map(|(name, value)| (name.to_string(), value.to_string()));
        editor(&env.collect(), None).map_err(|problem| problem.to_string())
    }

    #[test]
    fn an_editor_is_told_the_line_in_its_own_way() {
        let of = |program: &str| {
            let words = opened(Path::new(program), Some((Path::new("-src/a b.rs"), 7)));
            words
                .iter()
                .map(|word| word.to_string_lossy().into_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(of("/usr/bin/nvim"), ["+7", "./-src/a b.rs"]);
        assert_eq!(of("hx"), ["./-src/a b.rs:7"]);
        assert_eq!(of("code"), ["--goto", "./-src/a b.rs:7"]);
        assert_eq!(of("my-editor"), ["./-src/a b.rs"]);
        assert_eq!(opened(Path::new("vi"), None), ["."]);
    }

    #[test]
    fn the_shell_is_the_persons_and_has_to_be_there() {
        let of = |pairs: &[(&str, &str)]| {
            let env = pairs.iter().map(|(name, value)| (name.to_string(), value.to_string()));
            shell(&env.collect()).map_err(|problem| problem.to_string())
        };
        let sh = Ok(PathBuf::from("/bin/sh"));
        assert_eq!([of(&[]), of(&[("SHELL", " ")])], [sh.clone(), sh]);
        let why = of(&[("SHELL", "/no/such/shell")]).unwrap_err();
        assert!(why.contains("$SHELL names /no/such/shell, which is not there"), "{why}");
        assert!(of(&[("SHELL", "sh")]).is_err());
    }

    #[test]
    fn the_editor_is_the_persons_with_its_arguments() {
        let path = ("PATH", "/usr/bin:/bin");
        let sh = |args: &[&str]| Ok((PathBuf::from("/bin/sh"), args.iter().map(OsString::from).collect()));
        assert_eq!(
            of(&[path, ("EDITOR", "/bin/sh -c 'a b'"), ("VISUAL", " ")]),
            sh(&["-c", "a b", "."])
        );
        assert_eq!(of(&[path, ("EDITOR", "cat"), ("VISUAL", "/bin/sh")]), sh(&["."]));
        for (value, said) in [("no-such-editor -w", "not on your PATH"), ("'x", "cannot be read")] {
            assert!(of(&[path, ("EDITOR", value)]).unwrap_err().contains(said), "{value}");
        }
        assert!(
            of(&[])
                .unwrap_err()
                .contains("none of editor, nano, vi is on your PATH")
        );
    }
}
