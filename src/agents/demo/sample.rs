//! A small repository for newcomers: something for the demo agent to work on where there is no project yet.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use git2::{IndexAddOption, Oid, Repository, RepositoryInitOptions, Signature, Time};

use crate::fs::{Dir, Error};

const NAME: &str = "tally";

/// 2026-01-05 09:00 UTC, and a day between commits: the same repository, to the byte, on every machine.
const FIRST_COMMIT: i64 = 1_767_603_600;
const DAY: i64 = 86_400;

struct SampleChange {
    message: &'static str,
    files: &'static [(&'static str, &'static str)],
}

const HISTORY: &[SampleChange] = &[
    SampleChange {
        message: "Count what is said",
        files: &[
            ("README.md", "# tally\n\nCounts words.\n"),
            (".gitignore", "/target\n"),
            (
                "Cargo.toml",
                "[package]\nname = \"tally\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
            ),
            (
                "src/lib.rs",
                "//! Counts words.\n\npub fn words(text: &str) -> usize {\n    text.split_whitespace().count()\n}\n",
            ),
        ],
    },
    SampleChange {
        message: "Count lines too, and release",
        files: &[
            (
                "README.md",
                "# tally\n\nCounts words and lines.\n\n    tally::words(\"one two\")  // 2\n",
            ),
            (
                "Cargo.toml",
                "[package]\nname = \"tally\"\nversion = \"1.0.0\"\nedition = \"2021\"\n",
            ),
            (
                "src/lib.rs",
                "//! Counts words and lines.\n\npub fn words(text: &str) -> usize {\n    text.split_whitespace().count()\n}\n\n\
                 pub fn lines(text: &str) -> usize {\n    text.lines().count()\n}\n",
            ),
        ],
    },
    SampleChange {
        message: "Say what may come next",
        files: &[("TODO.md", "- count sentences\n- do not count empty words\n")],
    },
];
/// The release branch stays at the second commit.
const RELEASED: usize = 1;

/// Where the sample is beneath `dir`, made where it is missing. It appears whole or not at all.
pub fn sample_repository(dir: &Path) -> anyhow::Result<PathBuf> {
    let parent = Dir::open_or_create(dir)?;
    let place = dir.join(NAME);
    if parent.metadata(NAME)?.is_some() {
        return Ok(place);
    }
    let building = format!(".{NAME}-{}", uuid::Uuid::new_v4().simple());
    parent.create_new_dir(&building)?;
    build(&parent.dir(&building)?)?;
    close(&dir.join(&building))?;
    match parent.rename(&building, &parent, NAME) {
        Ok(()) => Ok(place),
        // Another was quicker, and its sample is as good.
        Err(_) if parent.metadata(NAME)?.is_some() => {
            fs::remove_dir_all(dir.join(&building))?;
            Ok(place)
        }
        Err(e) => Err(e.into()),
    }
}

/// What libgit2 writes is as open as the umask has it; in a home everything is its owner's alone.
fn close(dir: &Path) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let found = entry.metadata()?;
        let owners = found.permissions().mode() & 0o700;
        fs::set_permissions(entry.path(), Permissions::from_mode(owners))?;
        if found.is_dir() {
            close(&entry.path())?;
        }
    }
    Ok(())
}

fn build(root: &Dir) -> anyhow::Result<()> {
    let mut options = RepositoryInitOptions::new();
    options.initial_head("main").external_template(false);
    let repository = Repository::init_opts(root.path(), &options)?;
    root.create_dir("src")?;
    let mut parent = None;
    for (at, change) in HISTORY.iter().enumerate() {
        let commit = commit(&repository, root, change, at, parent)?;
        if at == RELEASED {
            repository.branch("release/1.0", &repository.find_commit(commit)?, false)?;
        }
        parent = Some(commit);
    }
    Ok(())
}

fn commit(
    repository: &Repository,
    root: &Dir,
    change: &SampleChange,
    at: usize,
    parent: Option<Oid>,
) -> anyhow::Result<Oid> {
    write(root, change)?;
    let mut index = repository.index()?;
    index.add_all(["*"], IndexAddOption::DEFAULT, None)?;
    index.write()?;
    let tree = repository.find_tree(index.write_tree()?)?;
    let when = Time::new(FIRST_COMMIT + DAY * i64::try_from(at)?, 0);
    let author = Signature::new("Tally's authors", "tally@localhost", &when)?;
    let parent = parent.map(|parent| repository.find_commit(parent)).transpose()?;
    let parents: Vec<_> = parent.iter().collect();
    Ok(repository.commit(Some("HEAD"), &author, &author, change.message, &tree, &parents)?)
}

fn write(root: &Dir, change: &SampleChange) -> Result<(), Error> {
    change
        .files
        .iter()
        .try_for_each(|(file, text)| root.write_atomic(file, text))
}
