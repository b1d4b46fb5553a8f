//! What a program is fed as a document: the files of a patch, and a program for an interpreter, which is looked at as if it
//! stood among the arguments.

use super::word::ShellWord;
use super::{interpreter, program, tool};

/// So many files of a patch are looked at.
const MOST: usize = 256;

/// The command as it would be with what it is fed among its words, where that says what it does.
pub(super) fn with_document(words: &[ShellWord], document: &ShellWord) -> Option<Vec<ShellWord>> {
    const EDITORS: [&str; 6] = ["ed", "red", "ex", "vi", "vim", "nvim"];
    let name = program::of(words);
    let patches = name == "patch"
        || ["git apply", "git am"]
            .iter()
            .any(|start| program::begins(words, start));
    let fed = match () {
        () if patches => patched(&document.text),
        () if program::is_shell(words) => return None,
        () if interpreter::is_interpreter(words) || EDITORS.contains(&name) => vec![document.clone()],
        () => return None,
    };
    Some([words, &fed].concat())
}

/// The files that a patch with `+++` names, as they stand there and without their first folder.
fn patched(patch: &str) -> Vec<ShellWord> {
    const MARKS: [&str; 5] = ["+++ ", "--- ", "rename to ", "copy to ", "Index: "];
    let named = patch
        .lines()
        .filter_map(|line| MARKS.iter().find_map(|mark| line.strip_prefix(mark)));
    let paths = named.map(|path| path.split('\t').next().unwrap_or_default().trim().trim_matches('"'));
    let both = |path: &'_ str| {
        let bare = path.split_once('/').map(|(_, bare)| bare);
        [Some(path), bare]
            .into_iter()
            .flatten()
            .map(ShellWord::plain)
            .collect::<Vec<_>>()
    };
    paths.take(MOST).flat_map(both).collect()
}

/// The files that a command writes which takes a patch of Codex's form, if one of these is such a command. It stands somewhere
/// in the text; `None` if it does not.
pub(super) fn applied<'w>(mut commands: impl Iterator<Item = &'w [ShellWord]>, text: &str) -> Option<Vec<ShellWord>> {
    let applies = |words: &[ShellWord]| ["apply_patch", "applypatch"].contains(&program::of(words));
    if !commands.any(applies) {
        return Some(Vec::new());
    }
    let word = |path: &str| ShellWord {
        known: !path.contains(['$', '`', '\\']),
        ..ShellWord::plain(path)
    };
    let files: Vec<ShellWord> = tool::patched(text).map(word).collect();
    (1..=MOST).contains(&files.len()).then_some(files)
}
