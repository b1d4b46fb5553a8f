//! A repository that may be opened: where it is fetched from, and the names it has with us.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::source::{CloneSource, Credentials, Remote};
use crate::fs::{self, SafeName};

/// A checked source. Only [`super::look`] makes one, so nothing that it refuses can be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// One for every spelling of the same origin; what caches and saved setup files belong to.
    pub key: String,
    /// Remote `origin` of the clones: the real remote, or the local path where there is none.
    pub url: String,
    /// How a clone is called where nobody says otherwise.
    pub name: SafeName,
    /// Beneath the repository's root, where a path inside it was named.
    pub subdir: Option<PathBuf>,
    pub(super) cache: PathBuf,
    pub(super) reach: Reach,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reach {
    Remote {
        protocols: &'static str,
        url: String,
        credentials: Option<Credentials>,
    },
    Local {
        root: PathBuf,
        /// Where the history is whole, for a shallow or partial source.
        whole: Option<Box<Reach>>,
    },
}

impl Origin {
    /// The checkout itself, where it lies on this machine.
    pub fn checkout(&self) -> Option<PathBuf> {
        match &self.reach {
            Reach::Local { root, .. } => Some(root.clone()),
            Reach::Remote { .. } => None,
        }
    }

    /// Where it is fetched from, as a person knows it: the checkout on this machine, else its address.
    pub(super) fn place(&self) -> String {
        let local = self.checkout().map(|root| root.to_string_lossy().into_owned());
        local.unwrap_or_else(|| self.url.clone())
    }

    /// Whether remote `origin` of the clones is another place than the one that is fetched from: then what is known of it
    /// is what the source has seen of it, and the source's own branches are no word of it.
    pub(super) fn is_seen_through_source(&self) -> bool {
        match &self.reach {
            Reach::Local { root, .. } => Path::new(&self.url) != root,
            Reach::Remote { .. } => false,
        }
    }

    pub(super) fn remote(remote: &Remote) -> Origin {
        let user = remote
            .home_of
            .as_ref()
            .map(|user| format!("~{user}/"))
            .unwrap_or_default();
        let host = match remote.port {
            Some(port) => format!("{}+{port}", remote.host),
            None => remote.host.clone(),
        };
        let path = format!("{user}{}", remote.path);
        let mut cache = PathBuf::from(component(&host));
        let mut parts: Vec<String> = path.split('/').map(component).collect();
        if let Some(last) = parts.last_mut() {
            last.push_str(".git");
        }
        cache.extend(parts);
        Origin {
            key: format!("{}/{path}", host.replace('+', ":")),
            url: remote.url.clone(),
            name: project_name(remote.path.rsplit('/').next().unwrap_or_default()),
            subdir: None,
            cache,
            reach: Reach::remote(remote),
        }
    }

    pub(super) fn local(root: &Path, subdir: Option<PathBuf>, url: Option<String>, whole: Option<Reach>) -> Origin {
        let folder = root.file_name().unwrap_or_default().to_string_lossy();
        let name = project_name(folder.strip_suffix(".git").unwrap_or(&folder));
        let hash = Sha256::digest(root.as_os_str().as_encoded_bytes());
        let short = data_encoding::HEXLOWER.encode(&hash[..8]);
        Origin {
            // Not by its remote: any directory can claim to come from anywhere, and saved files may hold secrets.
            key: format!("local:{}", root.display()),
            url: url.unwrap_or_else(|| root.display().to_string()),
            cache: Path::new("local").join(format!("{short}-{}.git", fs::slug(name.as_str()))),
            name,
            subdir,
            reach: Reach::Local {
                root: root.to_path_buf(),
                whole: whole.map(Box::new),
            },
        }
    }
}

impl Reach {
    pub(super) fn remote(remote: &Remote) -> Reach {
        Reach::Remote {
            protocols: remote.protocols,
            url: remote.url.clone(),
            credentials: remote.credentials.clone(),
        }
    }
}

/// One for every spelling of the same place: what a path or URL is called as [`Origin::key`], without reaching any network
/// or running git. None for what could not be opened; a path at which nothing is now keeps its own.
pub fn key_of(text: &str, cwd: &Path) -> Option<String> {
    match CloneSource::parse(text, cwd).ok()? {
        CloneSource::Remote(remote) => Some(Origin::remote(&remote).key),
        CloneSource::Local(path) => {
            let gone = || (!path.exists()).then(|| super::root::real(&path));
            Some(format!("local:{}", super::root(&path).or_else(gone)?.display()))
        }
    }
}

fn project_name(text: &str) -> SafeName {
    SafeName::parse(text)
        .or_else(|_| SafeName::parse(&fs::slug(text)))
        .expect("a slug is letters, digits and dashes, and starts with no dash")
}

/// A part of an address as one path component that no other part is written as.
fn component(part: &str) -> String {
    let mut text = String::new();
    for (at, byte) in part.bytes().enumerate() {
        let plain = byte.is_ascii_alphanumeric() || b"_-+~".contains(&byte) || (byte == b'.' && at > 0);
        if plain {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    // A folder must not look like the cache of a repository, or one cache could lie within another.
    if let Some(stem) = text.strip_suffix(".git") {
        text = format!("{stem}%2Egit");
    }
    if text.len() > 200 {
        let hash = Sha256::digest(part.as_bytes());
        text.truncate(100);
        text.push_str(&data_encoding::HEXLOWER.encode(&hash[..16]));
    }
    text
}
