//! The names that a command goes by.

use super::word::ShellWord;
use super::{aliases, git, program};

/// The command's words under each name it may go by: as written, without the program's path, without git's options
/// in front of the verb, by its other names, and what pushes as a push. The first is as written, the last has its verb next
/// to its program.
pub(super) fn forms(words: &[ShellWord]) -> Vec<Vec<ShellWord>> {
    let mut forms = vec![words.to_vec()];
    let name = program::of(words);
    if words.first().is_some_and(|first| first.text != name) {
        let mut short = words.to_vec();
        short[0].text = name.to_string();
        forms.push(short);
    }
    forms.extend(git::apart(words));
    if name == "git" {
        for at in git::verbs(words).into_iter().rev().filter(|at| *at > 1) {
            let verb = words[at..].iter().cloned();
            forms.push(std::iter::once(ShellWord::plain("git")).chain(verb).collect());
        }
    }
    if name.starts_with("git") {
        let pushed = forms
            .iter()
            .flat_map(|words| git::pushed(words))
            .map(<[ShellWord]>::to_vec);
        let push = || ["git", "push"].map(ShellWord::plain).into_iter();
        let pushes: Vec<Vec<ShellWord>> = pushed.map(|said| push().chain(said).collect()).collect();
        forms.splice(1..1, pushes);
    }
    let others = aliases::others(words);
    if forms.len() == 1 && !others.is_empty() {
        forms.push(words.to_vec());
    }
    forms.splice(1..1, others);
    forms
}
