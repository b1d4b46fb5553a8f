//! Project setup: kept whole or not at all, for one origin, and never in the way of tracked files.

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};

use super::super::Error;
use super::super::setup::{Applied, Approval, apply, list, remove, save};
use super::support::*;
use crate::fs::{Dir, SafeName};

struct SavedSetup {
    home: GitHome,
    setups: Dir,
    clone: Dir,
    app: SafeName,
}

fn setup() -> SavedSetup {
    let home = home();
    let repo = home.repository("app");
    repo.commit("tracked.env", "tracked");
    let clone = Dir::open(home.open(&repo).path).unwrap();
    let setups = Dir::open_or_create(home.user().join(".parlour/project-setup")).unwrap();
    SavedSetup {
        home,
        setups,
        clone,
        app: SafeName::parse("app").unwrap(),
    }
}

impl SavedSetup {
    fn save(&self, files: &[&str]) -> Result<Vec<String>, Error> {
        self.save_as("host/app", files, Approval::Missing)
    }

    /// The person has agreed.
    fn save_asked(&self, files: &[&str]) -> Result<Vec<String>, Error> {
        self.save_as("host/app", files, Approval::Given)
    }

    fn save_as(&self, key: &str, files: &[&str], approval: Approval) -> Result<Vec<String>, Error> {
        let files: Vec<String> = files.iter().map(|f| f.to_string()).collect();
        save(&self.setups, key, &self.app, &self.clone, &files, approval)
    }

    fn fresh(&self) -> Dir {
        Dir::open(self.home.open(&Repo(self.home.user().join("src/app"))).path).unwrap()
    }

    fn apply(&self, key: &str, clone: &Dir) -> Applied {
        apply(&self.setups, key, clone).unwrap()
    }
}

#[test]
fn saved_files_are_in_the_next_clone() {
    let s = setup();
    fs::write(s.clone.path().join(".env"), b"SECRET=1").unwrap();
    script(&s.clone.path().join("bin/setup"), "true");
    assert_eq!(s.save_asked(&[".env", "./bin/setup"]).unwrap(), [".env", "bin/setup"]);
    let fresh = s.fresh();
    assert_eq!(
        s.apply("host/app", &fresh),
        Applied {
            files: vec![".env".into(), "bin/setup".into()],
            skipped: vec![]
        }
    );
    assert_eq!(fs::read(fresh.path().join(".env")).unwrap(), b"SECRET=1");
    assert_eq!(fs::metadata(fresh.path().join(".env")).unwrap().mode() & 0o777, 0o600);
    assert_eq!(
        fs::metadata(fresh.path().join("bin/setup")).unwrap().mode() & 0o777,
        0o700
    );
}

#[test]
fn saved_files_are_no_changes_of_the_next_clone_whether_or_not_it_ignores_them() {
    let s = setup();
    let names = [".env", "a/[b] *.env", "back\\slash ", "#note", "!not"];
    fs::create_dir(s.clone.path().join("a")).unwrap();
    for name in names {
        fs::write(s.clone.path().join(name), b"SECRET=1").unwrap();
    }
    s.save_asked(&names).unwrap();
    let fresh = s.fresh();
    assert_eq!(s.apply("host/app", &fresh).skipped, []);
    fs::write(fresh.path().join("b.env"), b"another").unwrap();
    let status = Repo(fresh.path().to_path_buf()).git(&["status", "--porcelain"]);
    assert_eq!(status.trim(), "?? b.env");
}

#[test]
fn a_later_save_adds_and_replaces() {
    let s = setup();
    for (name, text) in [("a", "1"), ("b", "1")] {
        fs::write(s.clone.path().join(name), text).unwrap();
        s.save_asked(&[name]).unwrap();
    }
    fs::write(s.clone.path().join("a"), "2").unwrap();
    s.save_asked(&["a"]).unwrap();
    assert_eq!(names(&s.setups.dir("app").unwrap()), ["files", "origin"]);
    assert_eq!(names(&s.setups.dir("app/files").unwrap()), ["a", "b"]);
    assert_eq!(s.setups.read("app/files/a", 9).unwrap().unwrap(), b"2");
}

#[test]
fn another_origin_of_the_same_name_has_its_own_files() {
    let s = setup();
    fs::write(s.clone.path().join(".env"), b"one").unwrap();
    s.save(&[".env"]).unwrap();
    assert_eq!(s.apply("other/app", &s.fresh()), Applied::default());
    fs::write(s.clone.path().join(".env"), b"two").unwrap();
    s.save_as("other/app", &[".env"], Approval::Missing).unwrap();
    assert_eq!(names(&s.setups), ["app", "app-2"]);
    let fresh = s.fresh();
    s.apply("host/app", &fresh);
    assert_eq!(fresh.read(".env", 9).unwrap().unwrap(), b"one");
}

#[test]
fn one_bad_entry_and_nothing_is_saved() {
    let s = setup();
    let clone = s.clone.path();
    fs::write(clone.join("good"), b"x").unwrap();
    fs::write(s.home.user().join("outside"), b"x").unwrap();
    symlink(s.home.user().join("outside"), clone.join("link")).unwrap();
    symlink(s.home.user(), clone.join("dir-link")).unwrap();
    fs::create_dir(clone.join("dir")).unwrap();
    fs::write(clone.join("large"), vec![0; (10 << 20) + 1]).unwrap();
    let many: Vec<String> = (0..101).map(|n| format!("f{n}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert!(s.save_asked(&many).is_err());
    for bad in [
        "link",
        "dir-link/outside",
        "dir",
        "missing",
        "/etc/passwd",
        "../app/good",
        "",
        "large",
        ".git/config",
        ".GIT/config",
        "sub/.git/config",
        "git~1/config",
        ".git./config",
        ".git /config",
        ".g\u{200C}it/config",
        ".git::$INDEX_ALLOCATION/x",
        "dir\\.git\\config",
        "good\u{202E}",
        "nul\0",
    ] {
        assert!(s.save_asked(&["good", bad]).is_err(), "{bad:?}");
    }
    assert_eq!(names(&s.setups), Vec::<String>::new());
    s.save_asked(&["good"]).unwrap();
}

#[test]
fn files_that_may_tell_programs_what_to_run_need_approval() {
    let s = setup();
    for file in [
        ".claude/settings.json",
        ".Claude/commands/x.md",
        ".mcp.json",
        ".envrc",
        "CLAUDE.md",
        "docs/AGENTS.md",
        ".cursor/mcp.json",
        ".vscode/tasks.json",
        ".bashrc",
        "GEMINI.md",
        ".husky/pre-commit",
        ".aider.conf.yml",
        ".amp/settings.json",
        ".claude.json",
        ".cargo/config.toml",
        ".tool-versions",
        ".pnpmfile.cjs",
        ".gdbinit",
        ".netrc",
        "rust-toolchain.toml",
        "sitecustomize.py",
        "conftest.py",
        "node_modules/.bin/x",
        "node_modules/x/data.json",
        "package.json",
        "web/tsconfig.base.json",
        "babel.config.json",
        "compose.override.yml",
        "gradle.properties",
        "Makefile",
        "run",
    ] {
        let path = s.clone.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, b"x").unwrap();
        let error = s.save(&[file]).unwrap_err();
        assert!(matches!(&error, Error::Approval { .. }), "{file}: {error}");
        assert!(error.to_string().contains("needs the user's approval"));
        assert_eq!(s.save_as("host/app", &[file], Approval::Given).unwrap(), [file]);
    }
    for harmless in [
        ".env",
        "api/.env.local",
        "config/local.yml",
        "config/master.key",
        "certs/dev.pem",
        "google-services.json",
        "seed.sqlite3",
    ] {
        let path = s.clone.path().join(harmless);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, b"x").unwrap();
        s.save(&[harmless]).unwrap();
    }
}

#[test]
fn applying_goes_through_no_link_and_replaces_no_tracked_file() {
    let s = setup();
    for name in ["a/env", "tracked.env", "there", "b/env"] {
        let path = s.clone.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, b"saved").unwrap();
    }
    let refused = s.save_asked(&["b/env", "./tracked.env"]).unwrap_err().to_string();
    assert!(refused.contains("each clone has it already"), "{refused}");
    Repo(s.clone.path().to_owned()).git(&["rm", "-q", "--cached", "tracked.env"]);
    s.save_asked(&["a/env", "tracked.env", "there", "b/env"]).unwrap();
    let fresh = s.fresh();
    fs::write(fresh.path().join("there"), b"mine").unwrap();
    symlink(s.home.user(), fresh.path().join("a")).unwrap();
    fs::remove_file(fresh.path().join("tracked.env")).unwrap();
    let applied = s.apply("host/app", &fresh);
    assert_eq!(applied.files, ["b/env"]);
    let skipped: Vec<_> = applied.skipped.iter().map(|(file, _)| file.as_str()).collect();
    assert_eq!(skipped, ["a/env", "there", "tracked.env"]);
    assert!(!s.home.user().join("env").exists());
    assert!(!fresh.path().join("tracked.env").exists());
    assert_eq!(fresh.read("there", 9).unwrap().unwrap(), b"mine");
}

#[test]
fn what_is_kept_is_listed_by_project_and_removed_whole_or_not_at_all() {
    let s = setup();
    fs::write(s.clone.path().join(".env"), b"SECRET=1").unwrap();
    script(&s.clone.path().join("bin/setup"), "true");
    s.save_asked(&[".env", "bin/setup"]).unwrap();
    let listed = || {
        let projects = list(&s.setups).unwrap();
        assert_eq!((&*projects[0].project, &*projects[0].origin), ("app", "host/app"));
        let files = projects[0].files.iter();
        files.map(|file| file.path.clone()).collect::<Vec<_>>()
    };
    assert_eq!(listed(), [".env", "bin/setup"]);
    let files = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    assert!(remove(&s.setups, "app", &files(&[".env", "nothing"])).is_err());
    assert!(remove(&s.setups, "other", &files(&[".env"])).is_err());
    assert!(remove(&s.setups, "app", &files(&["../origin"])).is_err());
    assert_eq!(listed(), [".env", "bin/setup"]);
    remove(&s.setups, "app", &files(&[".env"])).unwrap();
    assert_eq!(listed(), ["bin/setup"]);
    assert_eq!(s.apply("host/app", &s.fresh()).files, ["bin/setup"]);
}
