//! How a chat, and what its agent says of files, are written for a person.

use std::borrow::Cow;

use crate::domain::state::Domain;
use crate::model::{Chat, ChatId, Declared, Status};
use crate::permission::{Sort, sort_of};

/// What a chat is called on screen: its handle where another one has the same name, and had it first.
pub fn label<'c>(state: &Domain, chat: &'c Chat) -> &'c str {
    match state.disk.chats.is_called_by_handle(chat) {
        true => chat.record.handle.as_str(),
        false => &chat.record.name,
    }
}

/// What an agent says that is at rest and cannot go on without a person. A prompt answers that.
pub fn blocked(state: &Domain, chat: &Chat) -> Option<String> {
    let blocked = declared(state, chat)?.blocked()?;
    let rests = matches!(state.status(chat.id()), Status::Idle(_) | Status::Hibernated);
    rests.then_some(blocked)
}

/// What an agent says of itself. That it is blocked holds no longer once it has got another prompt.
pub fn declared<'c>(state: &Domain, chat: &'c Chat) -> Option<&'c Declared> {
    let agent = state.live.agents.get(chat.id());
    let went_on = agent.is_some_and(|agent| agent.went_on);
    let declared = chat.declared.as_ref()?;
    (!went_on || declared.blocked().is_none()).then_some(declared)
}

/// Paths of the chat's own directory as its cards name them: from its project on where it has one, else clones by their
/// names.
pub fn near<'t>(state: &Domain, chat: &ChatId, text: &'t str) -> Cow<'t, str> {
    let dir = format!("{}/chats/{chat}/", state.disk.home.display());
    let only = || {
        let only = state.disk.chats.get(chat).and_then(only_project);
        only.map(|name| format!("{name}/"))
    };
    if text.contains(&dir) {
        return shortened(text, &dir, only().as_deref()).into();
    }
    match relative(text) {
        Some((before, path)) => (before.to_owned() + within(path, only().as_deref())).into(),
        None => text.into(),
    }
}

/// What is said of a file, and its path below `projects`: some CLIs name files as seen from the chat's directory. A command is
/// left as it runs.
fn relative(text: &str) -> Option<(&str, &str)> {
    let tool = text.split_once(": ").map_or("", |(tool, _)| tool);
    let before = match matches!(sort_of(tool), Sort::Edit | Sort::Write | Sort::Read) {
        true => tool.len() + ": ".len(),
        false => 0,
    };
    let (before, path) = text.split_at(before);
    path.strip_prefix("projects/").map(|path| (before, path))
}

/// Paths of the chat's own directory from that on, in which its agent runs a command: whoever says yes to one has to see
/// where it acts.
pub fn as_run<'t>(state: &Domain, chat: &ChatId, text: &'t str) -> Cow<'t, str> {
    let dir = format!("{}/chats/{chat}/", state.disk.home.display());
    let mut pieces = text.split(&dir);
    let first = pieces.next().unwrap_or_default();
    if first.len() == text.len() {
        return text.into();
    }
    let mut told = first.to_owned();
    for piece in pieces {
        if !goes_on(piece) {
            told.push('.');
        }
        told.push_str(piece);
    }
    told.into()
}

/// A path goes on here, below a directory.
fn goes_on(rest: &str) -> bool {
    rest.starts_with(|c: char| c.is_alphanumeric() || "._-@+".contains(c))
}

/// A path to a directory itself stays one: it is written by its name.
fn shortened(text: &str, dir: &str, only: Option<&str>) -> String {
    let mut pieces = text.split(dir);
    let mut short = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let piece = piece.strip_prefix("projects/").unwrap_or(piece);
        if !goes_on(piece) {
            short.push('.');
        }
        short.push_str(within(piece, only));
    }
    short
}

/// A path below `projects`, without the name of the only one.
fn within<'p>(path: &'p str, only: Option<&str>) -> &'p str {
    let within = only.and_then(|only| path.strip_prefix(only));
    within.filter(|rest| goes_on(rest)).unwrap_or(path)
}

fn only_project(chat: &Chat) -> Option<&str> {
    let opened = chat.projects.iter().map(|project| project.name.as_str());
    let mut names = opened.chain(chat.record.dirs.iter().map(|dir| dir.name.as_str()));
    let first = names.next()?;
    names.all(|name| name == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::{relative, shortened, within};

    #[test]
    fn a_file_named_from_the_chats_directory_on_is_told_like_one_named_whole() {
        for (text, alone) in [
            ("Edit: projects/grove/src/a.rs", Some("Edit: src/a.rs")),
            ("read: projects/grove/src/a.rs", Some("read: src/a.rs")),
            ("projects/grove/.env", Some(".env")),
            ("Edit: projects/web/a.rs", Some("Edit: web/a.rs")),
            ("Edit: src/projects/grove/a.rs", None),
            ("Bash: projects/grove/run.sh", None),
        ] {
            let told = relative(text).map(|(before, path)| before.to_owned() + within(path, Some("grove/")));
            assert_eq!(told.as_deref(), alone, "{text}");
        }
    }

    #[test]
    fn what_a_command_is_run_in_keeps_its_name() {
        for (text, alone, of_several) in [
            ("cd /c/projects/grove/ && ls", "cd grove/ && ls", "cd grove/ && ls"),
            ("cd /c/projects/grove && ls", "cd grove && ls", "cd grove && ls"),
            ("cat /c/projects/grove/a /c/b", "cat a b", "cat grove/a b"),
            ("rm /c/projects/grove/.env", "rm .env", "rm grove/.env"),
            ("ls /c/ '/c/projects/'", "ls . '.'", "ls . '.'"),
            ("ls /d/", "ls /d/", "ls /d/"),
        ] {
            assert_eq!(shortened(text, "/c/", Some("grove/")), alone);
            assert_eq!(shortened(text, "/c/", None), of_several);
        }
    }
}
