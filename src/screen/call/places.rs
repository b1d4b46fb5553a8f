//! Paths as seen from a chat: its agent writes them whole, and a person knows where the chat is.

use std::borrow::Cow;
use std::path::Path;

use crate::domain::state::Domain;
use crate::model::ChatId;
use crate::model::chat::{Directory, Kind};

/// Where a chat's directories lie.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeenPlaces {
    /// The chat's own directory.
    chat: String,
    /// Its projects: where each lies, and what it is called. The longer one first.
    dirs: Vec<(String, String)>,
    /// More than one: then it is told which one a call is about.
    are_many: bool,
    /// Commands are told as they run, from the agent's directory on.
    as_run: bool,
    /// Of a fork: the last entry that was told in the original, and where the directories of that one lie.
    inherited: Option<(u64, Box<SeenPlaces>)>,
}

/// Forks of forks that are followed; a circle is made by hands alone.
const DEEPEST: usize = 64;

/// A path, and the project that it lies in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenPath {
    pub dir: Option<String>,
    pub path: String,
}

impl SeenPlaces {
    pub fn of(domain: &Domain, chat: &ChatId) -> SeenPlaces {
        SeenPlaces::forked(domain, chat, &[], DEEPEST)
    }

    /// As [`SeenPlaces::of`], with commands as they run: whoever says yes to one has to see where it acts.
    pub fn as_run(domain: &Domain, chat: &ChatId) -> SeenPlaces {
        SeenPlaces {
            as_run: true,
            ..SeenPlaces::of(domain, chat)
        }
    }

    /// As [`SeenPlaces::of`], of a chat from which one with these directories was forked: it may be gone.
    fn forked(domain: &Domain, chat: &ChatId, dirs: &[Directory], deepest: usize) -> SeenPlaces {
        let home = domain.disk.home.join("chats").join(chat.to_string());
        let known = domain.disk.chats.get(chat);
        let own = known.map_or(dirs, |known| &known.record.dirs);
        let origin = known.and_then(|known| known.record.origin.of.as_ref());
        let inherited = origin.filter(|of| deepest > 0 && of.inherited > 0).map(|of| {
            let original = SeenPlaces::forked(domain, &of.chat, own, deepest - 1);
            (of.inherited, Box::new(original))
        });
        let mut places = SeenPlaces {
            chat: path_text(&home),
            inherited,
            ..SeenPlaces::default()
        };
        for project in known.into_iter().flat_map(|known| &known.projects) {
            places.dirs.push((path_text(&project.path), project.name.clone()));
        }
        for dir in own {
            places
                .dirs
                .push((path_text(&home.join("projects").join(&dir.name)), dir.name.clone()));
            if dir.kind == Kind::Local {
                places.dirs.push((dir.origin.clone(), dir.name.clone()));
            }
        }
        places.dirs.retain(|(path, _)| path.len() > 1);
        places.dirs.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
        places.dirs.dedup();
        let names = places.dirs.iter().map(|(_, name)| name);
        places.are_many = names.clone().any(|name| Some(name) != names.clone().next());
        places
    }

    /// Those of the chat in which this entry was told.
    pub fn at(&self, seq: u64) -> &SeenPlaces {
        match &self.inherited {
            Some((last, original)) if seq <= *last => original.at(seq),
            Some(_) | None => self,
        }
    }

    /// The project that a call is about, where the chat has several.
    pub fn label<'l>(&self, dir: Option<&'l str>) -> Option<&'l str> {
        dir.filter(|_| self.are_many)
    }

    /// A path by itself.
    pub fn path(&self, path: &str) -> SeenPath {
        for (dir, name) in &self.dirs {
            let relative = format!("projects/{name}");
            for start in [dir.as_str(), relative.as_str()] {
                if let Some(rest) = beneath(path, start) {
                    return SeenPath {
                        dir: Some(name.clone()),
                        path: if rest.is_empty() { name.clone() } else { rest.into() },
                    };
                }
            }
        }
        let path = match beneath(path, &self.chat) {
            Some("") => ".",
            Some(rest) => rest,
            None => path,
        };
        SeenPath {
            dir: None,
            path: path.into(),
        }
    }

    /// A path where it stands by itself and its project is not told beside it.
    pub fn whole(&self, path: &str) -> String {
        let placed = self.path(path);
        match placed.dir.filter(|dir| self.are_many && *dir != placed.path) {
            Some(dir) => format!("{dir}/{}", placed.path),
            None => placed.path,
        }
    }

    /// A text with paths in it: those of the chat are written from its directory on, projects by their names alone unless it
    /// is told as it runs.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.chat.is_empty() || !text.contains(&self.chat) {
            return text.into();
        }
        let mut short = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(&self.chat) {
            let (before, from) = rest.split_at(at);
            let after = &from[self.chat.len()..];
            short.push_str(before);
            rest = match after.strip_prefix('/') {
                Some(path) => {
                    let named = path.strip_prefix("projects/").filter(|_| !self.as_run);
                    let path = named.unwrap_or(path);
                    if !path.starts_with(|c: char| c.is_alphanumeric() || "._-@+".contains(c)) {
                        short.push('.');
                    }
                    path
                }
                None if after.starts_with(|c: char| c.is_alphanumeric() || "._-".contains(c)) => {
                    short.push_str(&self.chat);
                    after
                }
                None => {
                    short.push('.');
                    after
                }
            };
        }
        short.push_str(rest);
        short.into()
    }
}

/// What of a path lies beneath another.
fn beneath<'p>(path: &'p str, above: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(above).filter(|_| !above.is_empty())?;
    match rest.strip_prefix('/') {
        Some(rest) => Some(rest.trim_end_matches('/')),
        None => rest.is_empty().then_some(""),
    }
}

fn path_text(path: &Path) -> String {
    path.to_string_lossy().trim_end_matches('/').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(dirs: &[&str]) -> SeenPlaces {
        let path = |dir: &&str| (format!("/home/mia/.parlour/chats/c1/projects/{dir}"), dir.to_string());
        SeenPlaces {
            chat: "/home/mia/.parlour/chats/c1".into(),
            dirs: dirs.iter().map(path).collect(),
            are_many: dirs.len() > 1,
            as_run: false,
            inherited: None,
        }
    }

    #[test]
    fn a_command_as_it_runs_is_told_from_the_directory_of_its_agent_on() {
        let places = SeenPlaces {
            as_run: true,
            ..places(&["grove"])
        };
        let chat = "/home/mia/.parlour/chats/c1";
        for (text, told) in [
            (
                format!("cd {chat}/projects/grove && node a.js"),
                "cd projects/grove && node a.js",
            ),
            (format!("ls {chat} {chat}/notes"), "ls . notes"),
            ("cat /etc/hosts".into(), "cat /etc/hosts"),
        ] {
            assert_eq!(places.text(&text), told, "{text}");
        }
    }

    #[test]
    fn paths_begin_where_the_chat_is() {
        let (one, two) = (places(&["grove"]), places(&["grove", "web"]));
        let home = "/home/mia/.parlour/chats/c1";
        for (path, alone, of_two) in [
            (format!("{home}/projects/grove/src/a.rs"), "src/a.rs", "grove/src/a.rs"),
            (format!("{home}/projects/grove"), "grove", "grove"),
            ("projects/grove/a.rs".into(), "a.rs", "grove/a.rs"),
            (format!("{home}/notes.md"), "notes.md", "notes.md"),
            (home.into(), ".", "."),
            (
                "/home/mia/.parlour/chats/c12/x".into(),
                "/home/mia/.parlour/chats/c12/x",
                "/home/mia/.parlour/chats/c12/x",
            ),
            ("/etc/hosts".into(), "/etc/hosts", "/etc/hosts"),
            ("src/a.rs".into(), "src/a.rs", "src/a.rs"),
        ] {
            assert_eq!(
                (one.whole(&path).as_str(), two.whole(&path).as_str()),
                (alone, of_two),
                "{path}"
            );
        }
    }

    #[test]
    fn commands_name_projects() {
        let places = places(&["grove"]);
        for (text, short) in [
            ("cd /home/mia/.parlour/chats/c1/projects/grove && ls", "cd grove && ls"),
            ("ls /home/mia/.parlour/chats/c1", "ls ."),
            ("ls /home/mia/.parlour/chats/c1/", "ls ."),
            (
                "cat /home/mia/.parlour/chats/c1/a /home/mia/.parlour/chats/c1/b",
                "cat a b",
            ),
            ("ls /home/mia/.parlour/chats/c12/a", "ls /home/mia/.parlour/chats/c12/a"),
            ("ls", "ls"),
        ] {
            assert_eq!(places.text(text), short, "{text}");
        }
    }
}
