//! What a source is on this machine, and whether it may be opened at all.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::origin::Reach;
use super::root::{RepositoryPlace, repository_at};
use super::small_file::small_file;
use super::source::shown;
use super::{CloneSource, Error, Origin, Program, config};

/// Beneath a home: what holds keys and passwords, the login of an agent's CLI among them.
const CREDENTIALS: [&str; 29] = [
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".netrc",
    ".git-credentials",
    ".npmrc",
    ".pypirc",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".config/gh",
    ".config/gcloud",
    ".config/op",
    ".password-store",
    ".local/share/keyrings",
    ".mozilla",
    ".config/google-chrome",
    "Library/Keychains",
    ".claude",
    ".codex",
    ".gemini",
    ".cursor",
    ".cline",
    ".codeium",
    ".copilot",
    ".config/opencode",
    ".local/share/opencode",
];
/// Too broad to be one project.
const BROAD: [&str; 22] = [
    "/bin", "/boot", "/dev", "/dev/shm", "/etc", "/home", "/lib", "/media", "/mnt", "/opt", "/private", "/proc",
    "/root", "/run", "/srv", "/sys", "/tmp", "/usr", "/var", "/var/lib", "/Users", "/Volumes",
];

/// What must not be opened, beyond what nobody should.
#[derive(Debug, Clone)]
pub struct SourceGuard {
    /// The person's home directory.
    pub home: PathBuf,
    /// parlour's own home: nothing in it is opened, other chats least of all.
    pub parlour_home: PathBuf,
    /// Places in it that may be: the asking chat's own directory, or the clone that it dispatches from.
    pub allowed: Vec<PathBuf>,
}

/// What a source turns out to be.
#[derive(Debug, PartialEq, Eq)]
pub enum LocalTarget {
    Repository(Origin),
    /// No repository: to be linked, not cloned.
    Directory(PathBuf),
}

/// Looks at a source, without reaching any network.
pub fn look(source: &CloneSource, guard: &SourceGuard, program: &Program) -> Result<LocalTarget, Error> {
    match source {
        CloneSource::Remote(remote) => Ok(LocalTarget::Repository(Origin::remote(remote))),
        CloneSource::Local(path) => look_at(path, guard, program),
    }
}

fn look_at(named: &Path, guard: &SourceGuard, program: &Program) -> Result<LocalTarget, Error> {
    let refuse = |why: &str| {
        Err(Error::Place {
            path: named.to_path_buf(),
            why: why.to_string(),
        })
    };
    let path = match named.canonicalize() {
        Ok(path) => path,
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            return Err(Error::Nowhere {
                path: named.to_path_buf(),
            });
        }
        Err(e) if e.kind() == io::ErrorKind::PermissionDenied => {
            return refuse("permission denied");
        }
        Err(e) => return refuse(&e.to_string()),
    };
    if !path.is_dir() {
        return refuse("it is a file; name the directory it is in");
    }
    if path
        .to_str()
        .is_none_or(|text| text.chars().any(crate::fs::is_hidden_char))
    {
        return refuse("its path holds control, invisible or direction-changing characters; rename it");
    }
    if let Some(why) = sensitive(&path, guard) {
        return refuse(why);
    }
    if let Err(e) = std::fs::read_dir(&path) {
        return refuse(if e.kind() == io::ErrorKind::PermissionDenied {
            "permission denied"
        } else {
            "it is unreadable"
        });
    }
    // A home that is itself a repository (of dot files) does not make all beneath it one project.
    let found = path
        .ancestors()
        .find_map(repository_at)
        .filter(|found| sensitive(&found.root, guard).is_none());
    let Some(RepositoryPlace { root, git_dir }) = found else {
        let home = resolved(&guard.parlour_home);
        if home.starts_with(&path) {
            return refuse("parlour's own home is inside it");
        }
        return Ok(LocalTarget::Directory(path));
    };
    if !is_ours(&root) || !is_ours(&git_dir) {
        return refuse("it belongs to another user; make a clone of your own first");
    }
    let subdir = path
        .strip_prefix(&root)
        .ok()
        .filter(|p| !p.as_os_str().is_empty() && !path.starts_with(&git_dir));
    let settings = config::read_source(program, &root)?;
    if settings.has_long_names() {
        let origin = root.display().to_string();
        return Err(Error::ObjectNames { origin });
    }
    // What has no files of its own is there to be fetched from and pushed to: a remote, wherever it was copied from.
    let is_bare = root == git_dir;
    let url = (!is_bare).then(|| settings.remote_url(&root)).flatten();
    let whole = match incomplete(&git_dir, &settings) {
        None => None,
        Some(kind) => match settings.remote(&root, guard) {
            Some(reach) => Some(reach),
            None => {
                return refuse(&format!(
                    "it is a {kind} clone without a remote to fetch the rest from; run git fetch --unshallow or --refetch there"
                ));
            }
        },
    };
    Ok(LocalTarget::Repository(Origin::local(
        &root,
        subdir.map(Path::to_path_buf),
        url,
        whole,
    )))
}

fn sensitive(path: &Path, guard: &SourceGuard) -> Option<&'static str> {
    let home = resolved(&guard.home);
    let parlour_home = resolved(&guard.parlour_home);
    if path == Path::new("/") {
        return Some("it is the root of the file system; name one project");
    }
    if guard.allowed.iter().any(|allowed| path.starts_with(resolved(allowed))) {
        return None;
    }
    if path.starts_with(&parlour_home) {
        return Some("it is in parlour's own home, where other chats are");
    }
    if path == home {
        return Some("it is the whole home directory; name one project");
    }
    if home.starts_with(path) || BROAD.iter().any(|broad| path == Path::new(broad)) {
        return Some("it is too broad; name one project");
    }
    let is_near = |secret: &&str| {
        let secret = home.join(secret);
        path.starts_with(&secret) || secret.starts_with(path)
    };
    if CREDENTIALS.iter().any(is_near) {
        return Some("it holds keys or passwords");
    }
    None
}

/// As given where it does not exist: then nothing can be inside it either.
fn resolved(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

fn is_ours(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|m| m.uid() == rustix::process::geteuid().as_raw())
}

/// Why its history or contents have holes, if they do.
fn incomplete(git_dir: &Path, settings: &config::GitSettings) -> Option<&'static str> {
    let common = small_file(&git_dir.join("commondir")).map(|text| git_dir.join(text.trim()));
    if common.unwrap_or_else(|| git_dir.to_path_buf()).join("shallow").exists() {
        return Some("shallow");
    }
    settings.is_partial().then_some("partial")
}

impl config::GitSettings {
    /// The address of the source's own remote, without secrets. A path stays what it is where nothing is there now, or
    /// nothing that may be opened: the clones only name it.
    fn remote_url(&self, root: &Path) -> Option<String> {
        let url = self.origin_url()?;
        match CloneSource::parse(url, root) {
            Ok(CloneSource::Remote(remote)) => Some(remote.url),
            Ok(CloneSource::Local(path)) => Some(super::root::real(&path).display().to_string()),
            // What parlour itself would not open is the remote all the same.
            Err(_) => ["http://", "git://"]
                .iter()
                .any(|scheme| url.starts_with(scheme))
                .then(|| shown(url)),
        }
    }

    /// Where the rest of an incomplete source is. Its own configuration says so, so that is looked at as hard.
    fn remote(&self, root: &Path, guard: &SourceGuard) -> Option<Reach> {
        match CloneSource::parse(self.origin_url()?, root).ok()? {
            CloneSource::Remote(remote) => Some(Reach::remote(&remote)),
            CloneSource::Local(path) => Some(Reach::Local {
                root: neighbour(&path, guard)?,
                whole: None,
            }),
        }
    }
}

/// The root of another repository on this machine, where it is one that may be opened.
fn neighbour(path: &Path, guard: &SourceGuard) -> Option<PathBuf> {
    let RepositoryPlace { root, git_dir } = repository_at(&path.canonicalize().ok()?)?;
    let may = is_ours(&root) && is_ours(&git_dir) && sensitive(&root, guard).is_none();
    may.then_some(root)
}
