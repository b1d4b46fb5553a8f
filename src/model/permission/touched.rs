//! The files that a command line reads or writes by name, as a person's rules about files look at them.

use super::command::forms;
use super::path::Place;
use super::pattern::Pattern;
use super::rules::fits_file;
use super::shell::Simple;
use super::tool::Kind;
use super::word::Word;
use super::works::{self, Effect};
use super::wrapper;

/// Verbs of git that write the files they are given.
const GIT_WRITES: [&str; 6] = ["checkout", "restore", "rm", "mv", "clean", "apply"];

/// Whether a rule that denies or asks means the file that a word names, or one of those that may stand in its place.
pub(super) fn is_meant(pattern: &Pattern, word: &Word, place: &Place) -> bool {
    let (Pattern::File(kind, glob), text) = (pattern, &word.text) else {
        return false;
    };
    let name = match kind {
        Kind::Edit => "Edit",
        Kind::Read | Kind::Command | Kind::Fetch | Kind::Other => "Read",
    };
    let fits = |path: &str| fits_file(pattern, name, *kind, path, place);
    fits(text) || (word.globs && fits(&glob.met_by(text)))
}

/// The files that a command writes to, with those that it makes in a directory that it is given.
pub(super) fn writes(simple: &Simple) -> Vec<Word> {
    let forms = forms(&simple.words);
    let Some(words) = forms.last() else {
        return Vec::new();
    };
    let name = wrapper::program(words);
    let operands = || words.iter().skip(1).filter(|word| !word.text.starts_with('-'));
    match works::effect(words) {
        Effect::WritesTo(targets) => {
            let copies = ["cp", "mv", "ln", "install", "rsync"].contains(&name);
            let bare = |word: &Word| Word {
                text: word.text.strip_prefix("of=").unwrap_or(&word.text).to_string(),
                ..word.clone()
            };
            let mut found: Vec<Word> = targets.iter().map(bare).collect();
            for target in targets {
                let within = |name: &str| Word {
                    text: format!("{}/{name}", target.text.trim_end_matches('/')),
                    ..target.clone()
                };
                if copies || works::takes_trees(name) {
                    found.push(within("*"));
                }
                if copies && found.len() < MOST {
                    let names = operands().filter_map(|word| word.text.trim_end_matches('/').rsplit('/').next());
                    found.extend(names.take(MOST).map(within));
                }
            }
            found
        }
        Effect::Git
            if words
                .get(1)
                .is_some_and(|verb| GIT_WRITES.contains(&verb.text.as_str())) =>
        {
            operands().skip(1).cloned().collect()
        }
        Effect::Reads | Effect::WritesHere | Effect::Git | Effect::Unknown => Vec::new(),
    }
}

/// Of more files only so many are looked at in the directory that they go to.
const MOST: usize = 256;
