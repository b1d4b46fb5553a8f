//! Roles: a repository's own in `.parlour/roles/`, the user's in `roles/`, and the shipped ones, in this order.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::markdown;
use crate::fs::{Dir, SafeName};
use crate::model::settings::PermissionSettings;
use crate::model::text::{one_line, visible};
use crate::model::{Authority, Problem, ResultExt, Role, RoleEntry, RoleFrom};

/// Instructions, not a book: an agent reads all of it at every start.
const LARGEST: u64 = 64 << 10;
const MOST: usize = 200;

const SHIPPED: &[(&str, &str)] = &[
    ("merger", include_str!("roles/merger.md")),
    ("orchestrator", include_str!("roles/orchestrator.md")),
    ("reviewer", include_str!("roles/reviewer.md")),
    ("worker", include_str!("roles/worker.md")),
];

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RoleHead {
    description: String,
    #[serde(alias = "agent")]
    llm: Option<String>,
    model: Option<String>,
    permissions: RoleRules,
}

/// A slip in a name must not leave out what is forbidden.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RoleRules {
    allow: Vec<String>,
    ask: Vec<String>,
    deny: Vec<String>,
}

/// The role of that name for work on these repositories, given by their directories.
pub fn role(name: &str, repositories: &[&Path], home: &Dir) -> Result<Role, Problem> {
    let doing = || format!("taking up the role {}", visible(name));
    let unknown = |cause: String| {
        let names: Vec<String> = roles(repositories, Some(home))
            .into_iter()
            .map(|role| role.name)
            .collect();
        Problem::missing(doing(), cause, format!("there are: {}", names.join(", ")))
    };
    let safe = SafeName::parse(name).map_err(|error| unknown(error.to_string()))?;
    for (dir, authority) in places(repositories, Some(home)) {
        let file = match dir.read(format!("{safe}.md"), LARGEST) {
            Ok(None) => continue,
            Ok(Some(file)) => file,
            Err(error) => return Err(Problem::of(doing(), &error).hinted("correct the file, or take another role")),
        };
        let role = parse(name, &String::from_utf8_lossy(&file));
        let wrong = |why| {
            Problem::new(
                doing(),
                format!("{}/{safe}.md: {why}", dir.path().display()),
                "correct it",
            )
        };
        return Ok(role.map_err(wrong)?.under(authority));
    }
    match SHIPPED.iter().find(|(shipped, _)| *shipped == name) {
        Some((_, file)) => parse(name, file).doing(doing()),
        None => Err(unknown("there is no role of that name".into())),
    }
}

/// A role as its file has it, and the file, where it is not one of those built in.
pub fn source(name: &str, repositories: &[&Path], home: Option<&Dir>) -> Result<(String, Option<PathBuf>), Problem> {
    let doing = || format!("reading the role {}", visible(name));
    let found = roles(repositories, home).into_iter().find(|role| role.name == name);
    let Some(found) = found else {
        let names = roles(repositories, home).into_iter().map(|role| role.name);
        let hint = format!("there are: {}", names.collect::<Vec<_>>().join(", "));
        return Err(Problem::missing(doing(), "there is no role of that name", hint));
    };
    let Some(path) = found.path else {
        let shipped = SHIPPED.iter().find(|(shipped, _)| *shipped == name);
        return Ok((shipped.map_or(String::new(), |(_, file)| (*file).to_string()), None));
    };
    let folder = path.parent().unwrap_or(Path::new("/"));
    let file = Dir::open(folder).and_then(|dir| dir.read(format!("{name}.md"), LARGEST));
    match file.doing(doing())? {
        Some(file) => Ok((String::from_utf8_lossy(&file).into_owned(), Some(path))),
        None => Err(Problem::missing(
            doing(),
            "its file is gone",
            "`parlour roles` shows all of them",
        )),
    }
}

/// Every role for these repositories, by name: of several of one name that which would be taken up.
pub fn roles(repositories: &[&Path], home: Option<&Dir>) -> Vec<RoleEntry> {
    let mut found: BTreeMap<String, RoleEntry> = BTreeMap::new();
    for (name, file) in SHIPPED {
        let entry = entry(name, parse(name, file), RoleFrom::Shipped, None);
        found.insert(entry.name.clone(), entry);
    }
    for (dir, authority) in places(repositories, home).into_iter().rev() {
        let from = match authority {
            Authority::Repository => RoleFrom::Repository,
            Authority::Person => RoleFrom::User,
        };
        for listed in dir.entries(".").unwrap_or_default().into_iter().take(MOST) {
            let name = listed.name.to_str().and_then(|name| name.strip_suffix(".md"));
            let Some(name) = name.filter(|name| SafeName::parse(name).is_ok()) else {
                continue;
            };
            let read = match dir.read(&listed.name, LARGEST) {
                Ok(Some(file)) => parse(name, &String::from_utf8_lossy(&file)),
                Ok(None) => continue,
                Err(error) => Err(error.to_string()),
            };
            let entry = entry(name, read, from, Some(dir.path().join(&listed.name)));
            found.insert(name.into(), entry);
        }
    }
    found.into_values().collect()
}

fn entry(name: &str, read: Result<Role, String>, from: RoleFrom, path: Option<PathBuf>) -> RoleEntry {
    let (role, damage) = match read {
        Ok(role) => (role, None),
        Err(why) => (Role::default(), Some(why)),
    };
    RoleEntry {
        name: name.into(),
        description: role.description,
        llm: role.llm,
        model: role.model,
        from,
        path,
        damage,
    }
}

fn places(repositories: &[&Path], home: Option<&Dir>) -> Vec<(Dir, Authority)> {
    let own = repositories
        .iter()
        .filter_map(|repository| Dir::open(repository).ok()?.dir(".parlour/roles").ok());
    let own = own.map(|dir| (dir, Authority::Repository));
    let persons = home.and_then(|home| home.dir("roles").ok());
    own.chain(persons.map(|dir| (dir, Authority::Person))).collect()
}

fn parse(name: &str, file: &str) -> Result<Role, String> {
    let (head, text): (RoleHead, &str) = markdown::parse(file)?;
    let RoleRules { allow, ask, deny } = head.permissions;
    let given = |text: Option<String>| text.map(|text| one_line(&text, 100)).filter(|text| !text.is_empty());
    Ok(Role {
        name: name.into(),
        description: one_line(&head.description, 160),
        llm: given(head.llm),
        model: given(head.model),
        permissions: PermissionSettings {
            allow,
            ask,
            deny,
            ..PermissionSettings::default()
        },
        text: text.trim().into(),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    struct Place {
        root: tempfile::TempDir,
    }

    impl Place {
        fn new() -> Place {
            let root = tempfile::tempdir().unwrap();
            fs::create_dir_all(root.path().join("home/roles")).unwrap();
            fs::create_dir_all(root.path().join("grove/.parlour/roles")).unwrap();
            Place { root }
        }

        fn write(&self, path: &str, text: &str) {
            fs::write(self.root.path().join(path), text).unwrap();
        }

        fn role(&self, name: &str) -> Result<Role, Problem> {
            let home = Dir::open(self.root.path().join("home")).unwrap();
            role(name, &[&self.root.path().join("grove")], &home)
        }
    }

    #[test]
    fn every_shipped_role_can_be_read_and_says_what_it_is() {
        let place = Place::new();
        for (name, _) in SHIPPED {
            let role = place.role(name).unwrap();
            assert!(
                !role.description.is_empty() && role.text.starts_with("You are"),
                "{name}"
            );
        }
        assert_eq!(place.role("reviewer").unwrap().permissions.deny, ["Edit", "Write"]);
    }

    #[test]
    fn a_repositorys_role_goes_before_the_users_and_that_before_the_shipped() {
        let place = Place::new();
        place.write("home/roles/worker.md", "---\nagent: codex\nmodel: gpt-5\n---\nMine.");
        let mine = place.role("worker").unwrap();
        assert_eq!((mine.text.as_str(), mine.llm.as_deref()), ("Mine.", Some("codex")));
        assert_eq!(mine.model.as_deref(), Some("gpt-5"));
        place.write("grove/.parlour/roles/worker.md", "Its own.");
        assert_eq!(place.role("worker").unwrap().text, "Its own.");
    }

    #[test]
    fn a_repository_may_forbid_and_not_allow() {
        let place = Place::new();
        let file = "---\npermissions: {allow: [\"Bash(*)\"], deny: [\"Bash(git push:*)\"]}\n---\nx";
        place.write("grove/.parlour/roles/wild.md", file);
        place.write("home/roles/own.md", file);
        let wild = place.role("wild").unwrap().permissions;
        assert_eq!((wild.allow.len(), wild.deny.len()), (0, 1));
        assert_eq!(place.role("own").unwrap().permissions.allow, ["Bash(*)"]);
    }

    #[test]
    fn the_list_says_where_each_role_comes_from_and_what_is_broken() {
        let place = Place::new();
        place.write(
            "home/roles/worker.md",
            "---\ndescription: Mine\nagent: codex\n---\nMine.",
        );
        place.write("home/roles/odd.md", "---\nmodle: x\n---\n");
        place.write("grove/.parlour/roles/reviewer.md", "Its own.");
        let home = Dir::open(place.root.path().join("home")).unwrap();
        let listed = roles(&[&place.root.path().join("grove")], Some(&home));
        let seen: Vec<_> = listed
            .iter()
            .map(|role| {
                (
                    role.name.as_str(),
                    role.from,
                    role.llm.as_deref(),
                    role.damage.is_some(),
                )
            })
            .collect();
        assert_eq!(
            seen,
            [
                ("merger", RoleFrom::Shipped, None, false),
                ("odd", RoleFrom::User, None, true),
                ("orchestrator", RoleFrom::Shipped, None, false),
                ("reviewer", RoleFrom::Repository, None, false),
                ("worker", RoleFrom::User, Some("codex"), false),
            ]
        );
        assert!(listed[4].path.as_ref().unwrap().ends_with("home/roles/worker.md"));
    }

    #[test]
    fn a_role_that_is_not_there_or_cannot_be_read_is_said_with_those_that_are() {
        let place = Place::new();
        let unknown = place.role("wroker").unwrap_err();
        assert_eq!(unknown.hint, "there are: merger, orchestrator, reviewer, worker");
        assert!(place.role("../worker").unwrap_err().cause.contains("cannot be a name"));
        place.write("home/roles/odd.md", "---\nmodle: x\n---\n");
        let odd = place.role("odd").unwrap_err();
        assert!(odd.cause.contains("home/roles/odd.md: its head"), "{}", odd.cause);
        place.write("home/roles/slip.md", "---\npermissions:\n  denny: [Bash]\n---\n");
        assert!(place.role("slip").unwrap_err().cause.contains("denny"));
    }
}
