//! A path beneath a directory handle, as the components it is opened by.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};

use super::Error;

/// The components of `path`; none for `.`, which is the handle itself. Refuses what could name anything outside it.
pub(super) fn components(path: &Path) -> Result<Vec<&OsStr>, Error> {
    let refuse = |why| {
        Err(Error::Path {
            path: path.to_path_buf(),
            why,
        })
    };
    let bytes = path.as_os_str().as_bytes();
    if bytes.is_empty() {
        return refuse("it is empty");
    }
    if bytes.contains(&0) {
        return refuse("it holds a NUL byte");
    }
    let mut names = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => names.push(name),
            Component::CurDir => {}
            Component::ParentDir => return refuse("it holds `..`"),
            Component::RootDir | Component::Prefix(_) => return refuse("it is absolute"),
        }
    }
    Ok(names)
}

/// The way to the last component, and that component.
pub(super) fn split_leaf(path: &Path) -> Result<(Vec<&OsStr>, &OsStr), Error> {
    let mut names = components(path)?;
    match names.pop() {
        Some(leaf) => Ok((names, leaf)),
        None => Err(Error::Path {
            path: path.to_path_buf(),
            why: "it names the directory itself",
        }),
    }
}
