//! Files read, written and patched.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::fs::{Dir, DirEntryKind};
use crate::model::local_call::Done;
use crate::model::patch::PatchedFile;

/// Of a file, in one answer.
const LINES: u64 = 2_000;
const BYTES: usize = 128 << 10;
/// How far into a file is read.
const SCANNED: u64 = 64 << 20;
/// What is patched is held in memory: one file, and all of them before and after.
const PATCHED: u64 = 4 << 20;
const PATCHED_IN_ALL: usize = 16 << 20;
const NEW_FILE: u32 = 0o644;

type FilesAnswered = Result<Done, String>;

fn done(answer: Value, output: String) -> Done {
    Done {
        answer: Ok(answer),
        output,
        failed: false,
    }
}

fn words(error: impl std::fmt::Display) -> String {
    error.to_string()
}

pub fn read(root: &Dir, path: &Path, offset: Option<u64>, limit: Option<u64>) -> FilesAnswered {
    let file = root.open_file(path).map_err(words)?.ok_or("there is no such file")?;
    let goes_on = file.metadata().map_err(words)?.len() > SCANNED;
    let mut lines = BufReader::new(file.take(SCANNED));
    let (first, most) = (offset.unwrap_or(1).max(1), limit.unwrap_or(LINES).min(LINES));
    let (mut text, mut number, mut next) = (Vec::new(), 0, None);
    loop {
        let mut line = Vec::new();
        // A line that never ends is no more of a harm than the bytes of the answer.
        let length = (&mut lines)
            .take(BYTES as u64)
            .read_until(b'\n', &mut line)
            .map_err(words)?;
        if length == 0 {
            if goes_on && !text.is_empty() {
                next = Some(number + 1);
            } else if goes_on {
                return Err("this lies beyond its first 64 MiB, which is as far as a file is read; use shell".into());
            }
            break;
        }
        number += 1;
        if line.contains(&0) {
            return Err("it is no text".into());
        }
        if number < first {
            continue;
        }
        if number >= first.saturating_add(most) || text.len() + line.len() > BYTES {
            next = Some(number);
            break;
        }
        text.extend(line);
    }
    let text = String::from_utf8_lossy(&text).into_owned();
    Ok(done(json!({"text": text, "next_offset": next}), text))
}

pub fn write(root: &Dir, path: &Path, content: &str) -> FilesAnswered {
    let mode = mode_of(root, path)?;
    put(root, path, content, mode)?;
    let answer = json!({"bytes": content.len(), "created": mode.is_none()});
    Ok(done(answer, format!("{} bytes written", content.len())))
}

/// The permission bits of the file that is to be written, where it is there.
fn mode_of(root: &Dir, path: &Path) -> Result<Option<u32>, String> {
    match root.metadata(path).map_err(words)? {
        None => Ok(None),
        Some(metadata) => match metadata.kind {
            DirEntryKind::File => Ok(Some(metadata.mode)),
            DirEntryKind::Link => Err(format!("{} is a link, and links are not followed", path.display())),
            DirEntryKind::Dir | DirEntryKind::Other => Err(format!("{} is no file", path.display())),
        },
    }
}

fn put(root: &Dir, path: &Path, content: &str, mode: Option<u32>) -> Result<(), String> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        root.create_dir(folder).map_err(words)?;
    }
    let mode = mode.unwrap_or(NEW_FILE);
    root.write_atomic_as(path, content, mode).map_err(words)
}

/// A file as it was, if it was there, for putting it back.
type Before = Option<(String, u32)>;

/// All files are read and patched before the first is written, and removed only when all are written; where one cannot
/// be, those before it are put back.
pub fn patch(root: &Dir, changes: &[PatchedFile], below: &[PathBuf]) -> FilesAnswered {
    let mut below = below.iter();
    let mut next = || below.next().ok_or("the patch names other files than it did");
    let mut befores: HashMap<&Path, Before> = HashMap::new();
    let (mut written, mut removed, mut held) = (Vec::new(), Vec::new(), 0);
    for change in changes {
        let was = change.was.as_ref().map(|_| next()).transpose()?;
        let becomes = change.becomes.as_ref().map(|_| next()).transpose()?;
        let mut touched = [was, becomes].into_iter().flatten();
        if let Some(twice) = touched.find(|path| befores.contains_key(path.as_path())) {
            return Err(format!("{} is in the patch twice", twice.display()));
        }
        let before = match was {
            Some(path) => Some(text_of(root, path)?.ok_or(format!("there is no file {}", path.display()))?),
            None => None,
        };
        let (text, mode) = before.as_ref().map_or(("", None), |(text, mode)| (text, Some(*mode)));
        let named = was.or(becomes).ok_or("the patch names no file")?;
        let after = change
            .apply(text)
            .map_err(|why| format!("{}: {why}", named.display()))?;
        held += text.len() + after.len();
        if held > PATCHED_IN_ALL {
            return Err("its files are more than 16 MiB in all, before and after; send it in parts".into());
        }
        if let Some(path) = becomes.filter(|path| Some(*path) != was) {
            if mode_of(root, path)?.is_some() {
                return Err(format!("{} is there already", path.display()));
            }
            befores.insert(path, None);
        }
        if let Some(path) = was.filter(|path| Some(*path) != becomes) {
            removed.push((path, None));
        }
        written.extend(becomes.map(|path| (path, Some((after, mode)))));
        befores.extend(was.map(|path| (path.as_path(), before)));
    }
    let afters: Vec<_> = written.into_iter().chain(removed).collect();
    for (at, (path, after)) in afters.iter().enumerate() {
        let changed = match after {
            Some((text, mode)) => put(root, path, text, *mode),
            None => root.remove_file(path).map_err(words),
        };
        if let Err(why) = changed {
            let left = put_back(root, afters[..at].iter().map(|(path, _)| path.as_path()), &befores);
            return Err(format!("{}: {why}; {left}", path.display()));
        }
    }
    let mut changed: Vec<String> = afters
        .iter()
        .map(|(path, _)| path.to_string_lossy().into_owned())
        .collect();
    changed.sort();
    let said = changed.join("\n");
    Ok(done(json!({"changed": changed}), said))
}

fn text_of(root: &Dir, path: &Path) -> Result<Option<(String, u32)>, String> {
    let Some(mode) = mode_of(root, path)? else {
        return Ok(None);
    };
    let bytes = root.read(path, PATCHED).map_err(words)?.unwrap_or_default();
    let text = String::from_utf8(bytes).map_err(|_| format!("{} is no text", path.display()))?;
    Ok(Some((text, mode)))
}

/// Says how far all is as it was.
fn put_back<'p>(root: &Dir, changed: impl Iterator<Item = &'p Path>, befores: &HashMap<&Path, Before>) -> String {
    let failed: Vec<String> = changed
        .filter_map(|path| {
            let back = match befores.get(path)? {
                Some((text, mode)) => put(root, path, text, Some(*mode)),
                None => root.remove_file(path).map_err(words),
            };
            back.err()
                .map(|why| format!("{} could not be put back: {why}", path.display()))
        })
        .collect();
    match failed.is_empty() {
        true => "no file was changed".into(),
        false => failed.join("; "),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;
    use crate::model::patch::parse;

    fn answer(done: FilesAnswered) -> Value {
        done.unwrap().answer.unwrap()
    }

    #[test]
    fn a_file_is_read_in_pieces() {
        let scratch = tempfile::tempdir().unwrap();
        let root = Dir::open(scratch.path()).unwrap();
        let text: String = (1..=5_000).map(|line| format!("{line}\n")).collect();
        fs::write(scratch.path().join("long"), &text).unwrap();
        let piece = answer(read(&root, Path::new("long"), None, None));
        assert_eq!(piece["next_offset"], 2_001);
        assert!(piece["text"].as_str().unwrap().ends_with("\n2000\n"));
        let piece = answer(read(&root, Path::new("long"), Some(4_999), Some(10)));
        assert_eq!(piece, json!({"text": "4999\n5000\n", "next_offset": null}));
        fs::write(scratch.path().join("wide"), "x".repeat(3 * BYTES)).unwrap();
        let piece = answer(read(&root, Path::new("wide"), None, None));
        assert_eq!(piece["text"].as_str().unwrap().len(), BYTES);
        let mut huge = fs::File::create(scratch.path().join("huge")).unwrap();
        let line = format!("{}\n", "x".repeat((1 << 16) - 1));
        let lines = SCANNED >> 16;
        (0..=lines).for_each(|_| huge.write_all(line.as_bytes()).unwrap());
        let huge = |offset| read(&root, Path::new("huge"), Some(offset), Some(1));
        assert_eq!(answer(huge(lines))["text"], line);
        assert!(huge(lines + 1).unwrap_err().contains("use shell"));
        fs::write(scratch.path().join("odd"), b"a\0b").unwrap();
        assert_eq!(read(&root, Path::new("odd"), None, None).unwrap_err(), "it is no text");
    }

    #[test]
    fn no_link_is_followed_and_modes_stay() {
        let scratch = tempfile::tempdir().unwrap();
        let (inside, outside) = (scratch.path().join("in"), scratch.path().join("out"));
        fs::create_dir(&inside).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("secret"), "s").unwrap();
        symlink(&outside, inside.join("way")).unwrap();
        symlink(outside.join("secret"), inside.join("leaf")).unwrap();
        let root = Dir::open(&inside).unwrap();
        for path in ["way/secret", "leaf"] {
            assert!(read(&root, Path::new(path), None, None).is_err(), "{path}");
            assert!(write(&root, Path::new(path), "x").is_err(), "{path}");
        }
        assert!(write(&root, Path::new("way/new"), "x").is_err());
        assert_eq!(fs::read_to_string(outside.join("secret")).unwrap(), "s");
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
        fs::write(inside.join("run"), "old").unwrap();
        fs::set_permissions(inside.join("run"), fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(answer(write(&root, Path::new("run"), "new"))["created"], false);
        assert_eq!(
            fs::metadata(inside.join("run")).unwrap().permissions().mode() & 0o777,
            0o755
        );
        assert_eq!(answer(write(&root, Path::new("a/b/c"), "new"))["created"], true);
    }

    #[test]
    fn a_patch_changes_all_files_or_none() {
        let scratch = tempfile::tempdir().unwrap();
        let root = Dir::open(scratch.path()).unwrap();
        let file = |name: &str| fs::read_to_string(scratch.path().join(name)).ok();
        fs::write(scratch.path().join("x"), "a\n").unwrap();
        fs::write(scratch.path().join("y"), "b\n").unwrap();
        let patched = |text: &str| {
            let changes = parse(text).unwrap();
            let below: Vec<PathBuf> = changes.iter().flat_map(PatchedFile::paths).map(PathBuf::from).collect();
            patch(&root, &changes, &below)
        };
        let x = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+A\n";
        let wrong = "--- a/y\n+++ b/y\n@@ -1 +1 @@\n-something else\n+B\n";
        assert!(patched(&format!("{x}{wrong}")).unwrap_err().starts_with("y: "));
        assert_eq!((file("x").unwrap(), file("y").unwrap()), ("a\n".into(), "b\n".into()));
        // It can be made, but not written: a file lies where its folder would.
        let below_a_file = "--- /dev/null\n+++ b/y/z\n@@ -0,0 +1 @@\n+z\n";
        let refused = patched(&format!("{x}{below_a_file}")).unwrap_err();
        assert_eq!(file("x").unwrap(), "a\n", "{refused}");
        // What was not touched keeps its inode, and what is to be moved away stays.
        let inode = |name: &str| fs::metadata(scratch.path().join(name)).unwrap().ino();
        fs::write(scratch.path().join("w"), "w\n").unwrap();
        let (before, moved) = (inode("w"), "--- a/x\n+++ b/x2\n@@ -1 +1 @@\n-a\n+A\n");
        let made_twice = "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+n\n--- /dev/null\n+++ b/n/z\n@@ -0,0 +1 @@\n+z\n";
        let untouched = "--- a/w\n+++ b/w\n@@ -1 +1 @@\n-w\n+W\n";
        let refused = patched(&format!("{moved}{made_twice}{untouched}")).unwrap_err();
        assert!(refused.ends_with("; no file was changed"), "{refused}");
        assert_eq!((file("x"), file("x2"), file("n")), (Some("a\n".into()), None, None));
        assert_eq!(inode("w"), before);
        let gone = "--- a/y\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n--- /dev/null\n+++ b/n/z\n@@ -0,0 +1 @@\n+z\n";
        let changed = answer(patched(&format!("{x}{gone}")));
        assert_eq!(changed, json!({"changed": ["n/z", "x", "y"]}));
        assert_eq!(
            (file("x"), file("y"), file("n/z")),
            (Some("A\n".into()), None, Some("z\n".into()))
        );
    }
}
