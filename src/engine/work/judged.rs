//! Verdicts on calls. What parlour lets pass by itself, or by a permission profile, is looked at on the disk too: a link that
//! a repository brings may lead out of the chat.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::permission::{Case, NamedFile, Ruling};

/// Names that are looked at for the globs of one call.
const MOST_NAMES: usize = 10_000;

/// No name is longer on any disk that we know of, and no path that the kernel takes.
const LONGEST_NAME: usize = 255;
const LONGEST_PATH: usize = 4096;

pub fn judge(case: &Case) -> Vec<Ruling> {
    let rulings = case.judge().into_iter().zip(&case.calls);
    let mut roots = None;
    let checked = rulings.map(|(ruling, asked)| {
        let files = case.unasked(asked, &ruling);
        if files.is_empty() {
            return ruling;
        }
        let roots = roots.get_or_insert_with(|| Roots::of(case));
        let mut names = MOST_NAMES;
        match files.iter().all(|file| roots.hold(file, &mut names)) {
            true => ruling,
            false => Ruling::NoOpinion,
        }
    });
    checked.collect()
}

/// Where the files of a chat may lie.
struct Roots {
    /// Its directory, and then what is open in it as a link, as they are written.
    written: Vec<PathBuf>,
    /// The same as they really are.
    real: Vec<PathBuf>,
}

impl Roots {
    fn of(case: &Case) -> Roots {
        let linked = case.dirs.iter().flat_map(|area| &area.paths);
        // Where a link in the chat leads now is an agent's doing: where it was opened to, the record has.
        let linked = linked.filter(|path| !path.starts_with(&case.cwd)).cloned();
        let written: Vec<PathBuf> = std::iter::once(case.cwd.clone()).chain(linked).collect();
        let mut real = written.iter().map(|path| path.canonicalize().ok());
        let real = match real.next().flatten() {
            Some(own) => std::iter::once(own).chain(real.flatten()).collect(),
            None => Vec::new(),
        };
        Roots { written, real }
    }

    fn hold(&self, file: &NamedFile, names: &mut usize) -> bool {
        let roots = match file.written {
            true => &self.real[..self.real.len().min(1)],
            false => &self.real[..],
        };
        let is_in = || lies_in(&file.path, roots);
        if !file.globs {
            return is_in();
        }
        // Above these nothing is a pattern.
        let beneath = |root: &PathBuf| Some((root.clone(), file.path.strip_prefix(root).ok()?));
        let Some((root, beneath)) = self.written.iter().find_map(beneath) else {
            return false;
        };
        let parts: Vec<&OsStr> = beneath.iter().collect();
        is_in() && stays(&root, &parts, roots, names)
    }
}

/// Where it really lies, or would: a file that is not there yet is where its directory is.
fn lies_in(path: &Path, roots: &[PathBuf]) -> bool {
    let is_there = |path: &&Path| {
        path.symlink_metadata()
            .err()
            .is_none_or(|error| !is_absent(path, &error))
    };
    let there = path.ancestors().find(is_there);
    let real = there.and_then(|there| there.canonicalize().ok());
    real.is_some_and(|real| roots.iter().any(|root| real.starts_with(root)))
}

/// Whether it is certain that nothing is there.
fn is_absent(path: &Path, error: &io::Error) -> bool {
    let has_long = || path.iter().any(|name| name.len() > LONGEST_NAME);
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => true,
        io::ErrorKind::InvalidFilename => has_long() && path.as_os_str().len() < LONGEST_PATH,
        _ => false,
    }
}

/// Whether all names that may be put in the place of a pattern, beneath a directory, lie in it. `names` is how many are
/// looked at yet; where there are more, it is not known.
fn stays(above: &Path, parts: &[&OsStr], roots: &[PathBuf], names: &mut usize) -> bool {
    let Some((part, rest)) = parts.split_first() else {
        return true;
    };
    if !is_pattern(part) {
        let path = above.join(part);
        return lies_in(&path, roots) && stays(&path, rest, roots, names);
    }
    let entries = match fs::read_dir(above) {
        Ok(entries) => entries,
        Err(error) => return is_absent(above, &error),
    };
    // `**` is any way down, also none.
    let deep = part.to_string_lossy().contains("**");
    if deep && !stays(above, rest, roots, names) {
        return false;
    }
    for entry in entries {
        let Ok((name, kind)) = entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?))) else {
            return false;
        };
        let Some(left) = names.checked_sub(1) else {
            return false;
        };
        *names = left;
        let path = above.join(&name);
        // To the command it would be an option.
        if may_be(part, &name) && name.as_encoded_bytes().starts_with(b"-") {
            return false;
        }
        let is_last = match deep {
            true => rest.last().is_none_or(|last| may_be(last, &name)),
            false => rest.is_empty(),
        };
        let is_met = deep || may_be(part, &name);
        if !is_met || !(is_last || leads_on(&path)) {
            continue;
        }
        let goes_on = match (kind.is_symlink(), deep) {
            (true, _) if !lies_in(&path, roots) => false,
            (true, true) => true,
            (false, true) => !kind.is_dir() || stays(&path, parts, roots, names),
            (_, false) => stays(&path, rest, roots, names),
        };
        if !goes_on {
            return false;
        }
    }
    true
}

/// Whether there may be files beneath it.
fn leads_on(path: &Path) -> bool {
    path.metadata().map_or(true, |metadata| metadata.is_dir())
}

/// What means something else than itself to one shell or another.
fn means_more(c: char) -> bool {
    "*?[]{}()^#~|".contains(c)
}

fn is_pattern(part: &OsStr) -> bool {
    part.to_string_lossy().contains(means_more)
}

/// Whether a pattern may stand for a name. How it begins and ends is known, unless it holds alternatives.
fn may_be(part: &OsStr, name: &OsStr) -> bool {
    let (part, name) = (part.to_string_lossy(), name.to_string_lossy());
    let begin = part.split(means_more).next().unwrap_or_default();
    let end = part.rsplit(means_more).next().unwrap_or_default();
    part.contains(|c: char| "{}()^#~|".contains(c)) || (name.starts_with(begin) && name.ends_with(end))
}

#[cfg(test)]
mod tests;
