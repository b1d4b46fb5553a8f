//! A pretend home with a parlour home in it, and repositories to open.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::super::*;
use crate::fs::{Dir, SafeName};

pub struct GitHome {
    temporary: tempfile::TempDir,
    pub program: Program,
    pub caches: Caches,
    pub staging: Dir,
    pub projects: Dir,
}

pub fn home() -> GitHome {
    let temporary = tempfile::tempdir().unwrap();
    let root = temporary.path().canonicalize().unwrap();
    let user = root.join("user");
    fs::create_dir_all(&user).unwrap();
    fs::write(
        user.join(".gitconfig"),
        "[user]\n\tname = Ada\n\temail = ada@example.com\n",
    )
    .unwrap();
    let parlour = Dir::open_or_create(user.join(".parlour")).unwrap();
    GitHome {
        program: Program::find().unwrap().with_home(&user),
        caches: Caches::new(parlour.create_dir("bare").unwrap()).unwrap(),
        staging: parlour.create_dir("staging").unwrap(),
        projects: parlour.create_dir("chats/one/projects").unwrap(),
        temporary,
    }
}

impl GitHome {
    pub fn user(&self) -> PathBuf {
        self.temporary.path().canonicalize().unwrap().join("user")
    }

    pub fn guard(&self) -> SourceGuard {
        SourceGuard {
            home: self.user(),
            parlour_home: self.user().join(".parlour"),
            allowed: Vec::new(),
        }
    }

    /// A repository with one commit on `main`.
    pub fn repository(&self, name: &str) -> Repo {
        let repo = Repo(self.user().join("src").join(name));
        fs::create_dir_all(&repo.0).unwrap();
        repo.git(&["init", "-q", "-b", "main"]);
        repo.commit("README.md", "hello\n");
        repo
    }

    pub fn look(&self, text: &str) -> Result<LocalTarget, Error> {
        look(&CloneSource::parse(text, &self.user())?, &self.guard(), &self.program)
    }

    pub fn origin(&self, text: &str) -> Origin {
        match self.look(text).unwrap() {
            LocalTarget::Repository(origin) => origin,
            LocalTarget::Directory(path) => panic!("{} is no repository", path.display()),
        }
    }

    pub fn job<'a>(&'a self, origin: &'a Origin) -> OpenJob<'a> {
        OpenJob {
            program: &self.program,
            caches: &self.caches,
            staging: &self.staging,
            projects: &self.projects,
            origin,
            branch: None,
            base: None,
            carried: None,
            kin: Vec::new(),
            name: SafeName::parse(origin.name.as_str()).unwrap(),
            copy_limit: 512 << 20,
            limits: GitLimits::default(),
        }
    }

    pub fn open(&self, repo: &Repo) -> OpenedClone {
        let origin = self.origin(repo.text());
        run(&self.job(&origin)).unwrap()
    }

    pub fn open_on(&self, repo: &Repo, branch: Option<&str>, base: Option<&str>) -> Result<OpenedClone, Error> {
        let origin = self.origin(repo.text());
        let mut job = self.job(&origin);
        job.branch = branch.map(BranchName::parse).transpose()?;
        job.base = base.map(str::to_string);
        run(&job)
    }

    pub fn visible(&self) -> Vec<String> {
        names(&self.projects)
    }
}

pub fn run(job: &OpenJob<'_>) -> Result<OpenedClone, Error> {
    open(job, &|_| {}, &CancelFlag::default(), |_| Ok(()))
}

pub fn names(dir: &Dir) -> Vec<String> {
    dir.entries(".")
        .unwrap()
        .into_iter()
        .map(|e| e.name.into_string().unwrap())
        .collect()
}

pub struct Repo(pub PathBuf);

impl Repo {
    pub fn text(&self) -> &str {
        self.0.to_str().unwrap()
    }

    pub fn git(&self, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .current_dir(&self.0)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .args([
                "-c",
                "user.name=Test",
                "-c",
                "user.email=test@example.com",
                "-c",
                "protocol.file.allow=always",
            ])
            .args(arguments)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "git {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).trim().to_string()
    }

    pub fn commit(&self, file: &str, text: &str) -> String {
        let path = self.0.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self.git(&["add", "-f", "--", file]);
        self.git(&["commit", "-q", "-m", "change"]);
        self.git(&["rev-parse", "HEAD"])
    }
}

/// Every path beneath `root`, with mode, owner, time and contents.
pub fn manifest(root: &Path) -> BTreeMap<PathBuf, (u32, u32, i64, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![root.to_path_buf()];
    while let Some(path) = waiting.pop() {
        let m = fs::symlink_metadata(&path).unwrap();
        let contents = if m.is_dir() {
            waiting.extend(fs::read_dir(&path).unwrap().map(|e| e.unwrap().path()));
            Vec::new()
        } else if m.is_symlink() {
            fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
        } else {
            fs::read(&path).unwrap()
        };
        found.insert(path, (m.mode(), m.uid(), m.mtime_nsec() + m.mtime(), contents));
    }
    found
}

/// Every regular file beneath `root`, by device and inode, with its link count.
pub fn inodes(root: &Path) -> BTreeMap<(u64, u64), (u64, PathBuf)> {
    let files = manifest(root)
        .into_keys()
        .filter(|path| fs::symlink_metadata(path).unwrap().is_file());
    files
        .map(|path| {
            let m = fs::metadata(&path).unwrap();
            ((m.dev(), m.ino()), (m.nlink(), path))
        })
        .collect()
}

pub fn script(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    // By a process of its own: a descriptor that another test's child inherits would make it "busy".
    let write = "printf '#!/bin/sh\\n%s\\n' \"$2\" > \"$1\" && chmod 755 \"$1\"";
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", write, "sh"]).arg(path).arg(text);
    assert!(shell.status().unwrap().success());
}

/// What our ssh does after it has written a line to `connections`.
pub fn ssh(home: &GitHome, then: &str) {
    let program = home.user().join("bin/ssh");
    let text = format!(
        "echo \"$@\" >> {}\nfor last; do :; done\n{then}",
        home.user().join("connections").display()
    );
    script(&program, &text);
    let settings = format!("[core]\n\tsshCommand = {}\n", program.display());
    fs::write(home.user().join(".gitconfig"), settings).unwrap();
}

pub const SERVE: &str = "exec sh -c \"$last\"";

pub fn connections(home: &GitHome) -> Vec<String> {
    let text = fs::read_to_string(home.user().join("connections")).unwrap_or_default();
    text.lines().map(str::to_string).collect()
}

pub fn over_ssh(home: &GitHome, repo: &Repo) -> Origin {
    home.origin(&format!("ssh://git@example.com{}", repo.text()))
}
