//! What a person or an agent may name to be opened: an address, or a path. Parsing touches no disk and runs no git.

use std::fmt;
use std::path::{Path, PathBuf};

use url::Url;

use super::Error;
use crate::fs;

/// A source whose form is accepted. Whether it may be opened, and what it is, says [`super::look`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CloneSource {
    Remote(Remote),
    Local(PathBuf),
}

/// An address without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    /// What git is given and what is stored and shown.
    pub(super) url: String,
    pub(super) host: String,
    pub(super) port: Option<u16>,
    /// A path that starts at this user's home on the host, as `user@host:path` does.
    pub(super) home_of: Option<String>,
    /// The path on the host, without slashes around it and without `.git`.
    pub(super) path: String,
    /// For GIT_ALLOW_PROTOCOL.
    pub(super) protocols: &'static str,
    pub(super) credentials: Option<Credentials>,
}

/// What stood in an address; kept for its fetches and nowhere written.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    pub(super) user: String,
    pub(super) password: String,
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(hidden)")
    }
}

impl fmt::Display for CloneSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CloneSource::Remote(remote) => f.write_str(&remote.url),
            CloneSource::Local(path) => path.display().fmt(f),
        }
    }
}

impl CloneSource {
    /// Reads `text` as https, ssh, `user@host:path` or a path, relative ones from `cwd`.
    pub fn parse(text: &str, cwd: &Path) -> Result<CloneSource, Error> {
        let text = text.trim();
        let refuse = |why: &str| Err(refusal(text, why));
        if text.is_empty() {
            return refuse("nothing was named; give a URL or a path");
        }
        if text.chars().any(fs::is_hidden_char) {
            return refuse("it holds control, invisible or direction-changing characters");
        }
        if text.starts_with('-') {
            return refuse("it starts with a dash, like an option; write ./ before a path");
        }
        if let Some((helper, _)) = text.split_once("::")
            && helper.chars().all(|c| c.is_ascii_alphanumeric() || "+.-".contains(c))
        {
            return refuse("remote helpers run programs; use https, ssh or a path");
        }
        if text.contains("://") {
            return address(text);
        }
        let colon = text.find(':').unwrap_or(usize::MAX);
        if colon < text.find('/').unwrap_or(usize::MAX) && !text.starts_with('~') {
            return scp_like(text, colon);
        }
        local(text, cwd)
    }
}

fn refusal(text: &str, why: &str) -> Error {
    Error::Source {
        source_text: shown(text),
        why: why.to_string(),
    }
}

/// What was named, without what may be a secret and without what a terminal would act on.
pub fn shown(text: &str) -> String {
    let visible: String = text
        .chars()
        .map(|c| if fs::is_hidden_char(c) { '\u{FFFD}' } else { c })
        .take(200)
        .collect();
    match visible.split_once("://") {
        Some((scheme, rest)) => {
            let end = rest.find('/').unwrap_or(rest.len());
            let host = rest[..end].rfind('@').map_or(0, |at| at + 1);
            let rest = rest[host..].split(['?', '#']).next().unwrap_or_default();
            format!("{scheme}://{rest}")
        }
        None => visible,
    }
}

fn address(text: &str) -> Result<CloneSource, Error> {
    let refuse = |why: &str| Err(refusal(text, why));
    let Ok(url) = Url::parse(text) else {
        return refuse("it is no URL that can be read");
    };
    let protocols = match url.scheme() {
        "https" => "https",
        "ssh" => "ssh",
        "http" if is_loopback(&url) => "http",
        "http" => return refuse("plain http can be changed on the way; use https"),
        "file" => {
            return match url.to_file_path() {
                Ok(path) => Ok(CloneSource::Local(path)),
                Err(()) => refuse("it names a file on another machine; give a path"),
            };
        }
        _ => return refuse("only https, ssh and local paths are opened"),
    };
    if url.query().is_some() || url.fragment().is_some() {
        return refuse("it has a query or a fragment, which no repository address needs");
    }
    let Some(host) = url.host_str().filter(|host| is_host(host)) else {
        return refuse("it names no host that can be read");
    };
    let user = decoded(url.username());
    if user.starts_with('-') {
        return refuse("its user name looks like an option");
    }
    let credentials = (protocols != "ssh" && !(user.is_empty() && url.password().is_none())).then(|| Credentials {
        user,
        password: decoded(url.password().unwrap_or_default()),
    });
    let mut clean = url.clone();
    // Both fail only for addresses without a host, which have been refused.
    let _ = clean.set_password(None);
    if protocols != "ssh" {
        let _ = clean.set_username("");
    }
    let default_port = (protocols == "ssh").then_some(22);
    Ok(CloneSource::Remote(Remote {
        host: host.to_ascii_lowercase(),
        port: url.port().filter(|port| Some(*port) != default_port),
        home_of: None,
        path: path_on_host(text, &decoded(url.path()))?,
        protocols,
        credentials,
        url: clean.into(),
    }))
}

fn scp_like(text: &str, colon: usize) -> Result<CloneSource, Error> {
    let refuse = |why: &str| Err(refusal(text, why));
    let (place, path) = (&text[..colon], &text[colon + 1..]);
    let (user, host) = match place.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, place),
    };
    let is_user = |user: &str| user.chars().all(|c| c.is_ascii_alphanumeric() || "._+-".contains(c));
    if user.is_some_and(|user| user.is_empty() || user.starts_with('-') || !is_user(user)) || !is_host(host) {
        return refuse("it reads like user@host:path, but has no user or host that can be read");
    }
    if path.starts_with('-') {
        return refuse("its path looks like an option");
    }
    Ok(CloneSource::Remote(Remote {
        url: text.to_string(),
        host: host.to_ascii_lowercase(),
        port: None,
        // Forges have one user, git, whose paths are the same as in their URLs; elsewhere each user has a home.
        home_of: user
            .filter(|user| *user != "git" && !path.starts_with('/'))
            .map(str::to_string),
        path: path_on_host(text, path)?,
        protocols: "ssh",
        credentials: None,
    }))
}

fn path_on_host(text: &str, path: &str) -> Result<String, Error> {
    if path.chars().any(fs::is_hidden_char) {
        return Err(refusal(
            text,
            "it holds control, invisible or direction-changing characters",
        ));
    }
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    if parts.iter().any(|part| matches!(*part, "." | "..")) {
        return Err(refusal(text, "its path holds `.` or `..`"));
    }
    let path = parts.join("/");
    let path = path.strip_suffix(".git").unwrap_or(&path).trim_end_matches('/');
    if path.is_empty() {
        return Err(refusal(text, "it names a host but no repository on it"));
    }
    Ok(path.to_string())
}

fn local(text: &str, cwd: &Path) -> Result<CloneSource, Error> {
    if let Some(rest) = text.strip_prefix('~') {
        let beneath = match rest.strip_prefix('/') {
            Some(beneath) => beneath,
            None if rest.is_empty() => "",
            None => {
                return Err(refusal(
                    text,
                    "another person's home cannot be named by ~; give its path",
                ));
            }
        };
        let home = std::env::home_dir().ok_or_else(|| refusal(text, "there is no home directory; give a full path"))?;
        return Ok(CloneSource::Local(home.join(beneath)));
    }
    Ok(CloneSource::Local(cwd.join(text)))
}

fn is_loopback(url: &Url) -> bool {
    matches!(url.host_str(), Some("127.0.0.1" | "localhost" | "[::1]"))
}

/// A host that ssh cannot take for an option nor a path for more than one component.
fn is_host(host: &str) -> bool {
    let bare = host.strip_prefix('[').and_then(|h| h.strip_suffix(']'));
    match bare {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => {
            !host.is_empty()
                && !host.starts_with(['-', '.'])
                && host.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
        }
    }
}

/// `%41` → `A`; what is no UTF-8 then stays as it was.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = tail.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        match hex
            .filter(|_| *first == b'%')
            .and_then(|two| u8::from_str_radix(two, 16).ok())
        {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_string())
}
