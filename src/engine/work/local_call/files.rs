//! Files read, written and patched.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::unable::Unable;
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

/// What can be done about a file that these tools cannot read or write.
const BY_SHELL: &str = "use shell for it";

type FilesAnswered = Result<Done, Unable>;

fn done(answer: Value, output: String) -> Done {
    Done {
        answer: Ok(answer),
        output,
        failed: false,
    }
}

pub fn read(root: &Dir, path: &Path, offset: Option<u64>, limit: Option<u64>) -> FilesAnswered {
    if offset == Some(0) {
        return Err(Unable::user(
            "offset is 0, and lines are counted from 1",
            "leave it out, or give 1",
        ));
    }
    let file = root.open_file(path)?.ok_or_else(|| no_file(path))?;
    let goes_on = file.metadata()?.len() > SCANNED;
    let mut lines = BufReader::new(file.take(SCANNED));
    let (first, most) = (offset.unwrap_or(1), limit.unwrap_or(LINES).min(LINES));
    let (mut text, mut number, mut next) = (Vec::new(), 0, None);
    loop {
        let mut line = Vec::new();
        // A line that never ends is no more of a harm than the bytes of the answer.
        let length = (&mut lines).take(BYTES as u64).read_until(b'\n', &mut line)?;
        if length == 0 {
            if goes_on && !text.is_empty() {
                next = Some(number + 1);
            } else if goes_on {
                let cause = "this lies beyond its first 64 MiB, which is as far as a file is read";
                return Err(Unable::user(cause, BY_SHELL));
            }
            break;
        }
        number += 1;
        if line.contains(&0) {
            return Err(no_text(path));
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

fn no_file(path: &Path) -> Unable {
    Unable::missing(format!("there is no file {}", path.display()))
}

fn no_text(path: &Path) -> Unable {
    Unable::user(format!("{} is no text", path.display()), BY_SHELL)
}

pub fn write(root: &Dir, path: &Path, content: &str) -> FilesAnswered {
    let mode = mode_of(root, path)?;
    put(root, path, content, mode)?;
    let answer = json!({"bytes": content.len(), "created": mode.is_none()});
    Ok(done(answer, format!("{} bytes written", content.len())))
}

/// The permission bits of the file that is to be written, where it is there.
fn mode_of(root: &Dir, path: &Path) -> Result<Option<u32>, Unable> {
    let named = path.display();
    match root.metadata(path)? {
        None => Ok(None),
        Some(metadata) => match metadata.kind {
            DirEntryKind::File => Ok(Some(metadata.mode)),
            DirEntryKind::Link => {
                let cause = format!("{named} is a link, and links are not followed");
                Err(Unable::user(cause, "name the file that it leads to"))
            }
            DirEntryKind::Dir | DirEntryKind::Other => Err(Unable::user(format!("{named} is no file"), "name a file")),
        },
    }
}

fn put(root: &Dir, path: &Path, content: &str, mode: Option<u32>) -> Result<(), Unable> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        root.create_dir(folder)?;
    }
    let mode = mode.unwrap_or(NEW_FILE);
    Ok(root.write_atomic_as(path, content, mode)?)
}

/// A file as it was, if it was there, for putting it back.
type Before = Option<(String, u32)>;

/// All files are read and patched before the first is written, and removed only when all are written; where one cannot
/// be, those before it are put back.
pub fn patch(root: &Dir, changes: &[PatchedFile], below: &[PathBuf]) -> FilesAnswered {
    let mut below = below.iter();
    let mut next = || {
        below
            .next()
            .ok_or_else(|| Unable::fault("the patch names other files than it did"))
    };
    let mut befores: HashMap<&Path, Before> = HashMap::new();
    let (mut written, mut removed, mut held) = (Vec::new(), Vec::new(), 0);
    for change in changes {
        let was = change.was.as_ref().map(|_| next()).transpose()?;
        let becomes = change.becomes.as_ref().map(|_| next()).transpose()?;
        let mut touched = [was, becomes].into_iter().flatten();
        if let Some(twice) = touched.find(|path| befores.contains_key(path.as_path())) {
            let cause = format!("{} is in the patch twice", twice.display());
            return Err(Unable::user(cause, "put all changes of a file below one head"));
        }
        let before = match was {
            Some(path) => Some(text_of(root, path)?.ok_or_else(|| no_file(path))?),
            None => None,
        };
        let (text, mode) = before.as_ref().map_or(("", None), |(text, mode)| (text, Some(*mode)));
        let named = was.or(becomes).ok_or("the patch names no file")?;
        let after = change.apply(text).map_err(|why| {
            let hint = "read the file again, and make the patch from it";
            Unable::user(format!("{}: {why}", named.display()), hint)
        })?;
        held += text.len() + after.len();
        if held > PATCHED_IN_ALL {
            let cause = "its files are more than 16 MiB in all, before and after";
            return Err(Unable::user(cause, "send it in parts"));
        }
        if let Some(path) = becomes.filter(|path| Some(*path) != was) {
            if mode_of(root, path)?.is_some() {
                let cause = format!("{} is there already", path.display());
                return Err(Unable::user(cause, "read it, and make a patch of its lines"));
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
            None => root.remove_file(path).map_err(Unable::from),
        };
        if let Err(why) = changed {
            let left = put_back(root, afters[..at].iter().map(|(path, _)| path.as_path()), &befores);
            return Err(why.told(|why| format!("{}: {why}; {left}", path.display())));
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

fn text_of(root: &Dir, path: &Path) -> Result<Option<(String, u32)>, Unable> {
    let Some(mode) = mode_of(root, path)? else {
        return Ok(None);
    };
    let bytes = root.read(path, PATCHED)?.unwrap_or_default();
    let text = String::from_utf8(bytes).map_err(|_| no_text(path))?;
    Ok(Some((text, mode)))
}

/// Says how far all is as it was.
fn put_back<'p>(root: &Dir, changed: impl Iterator<Item = &'p Path>, befores: &HashMap<&Path, Before>) -> String {
    let failed: Vec<String> = changed
        .filter_map(|path| {
            let back = match befores.get(path)? {
                Some((text, mode)) => put(root, path, text, Some(*mode)),
                None => root.remove_file(path).map_err(Unable::from),
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
    use crate::model::ProblemKind;
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
        assert!(
            huge(lines + 1)
                .unwrap_err()
                .problem("read_file")
                .hint
                .contains("use shell")
        );
        fs::write(scratch.path().join("odd"), b"a\0b").unwrap();
        let refused = |path: &str, offset| {
            read(&root, Path::new(path), offset, None)
                .unwrap_err()
                .problem("read_file")
        };
        assert_eq!(refused("odd", None).cause, "odd is no text");
        assert_eq!(refused("long", Some(0)).kind, ProblemKind::User);
        let gone = refused("not/there", None);
        assert_eq!(
            (gone.kind, &*gone.cause),
            (ProblemKind::Missing, "there is no file not/there")
        );
        assert!(!gone.to_string().contains("parlour doctor"), "{gone}");
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
        let refused = patched(&format!("{x}{wrong}")).unwrap_err().problem("apply_patch");
        assert_eq!(refused.kind, ProblemKind::User);
        assert!(
            refused.cause.starts_with("y: hunk 1 does not fit at line 1"),
            "{refused}"
        );
        assert!(refused.hint.contains("read the file again"), "{refused}");
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
        let refused = patched(&format!("{moved}{made_twice}{untouched}"))
            .unwrap_err()
            .to_string();
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
