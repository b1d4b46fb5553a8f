//! Options among the words of a command, as programs read them: a long one may be cut short, and short ones may stand in one
//! word, with a value behind them.

use super::word::ShellWord;

/// Whether a word is a long option, or any beginning of it that may stand for it, perhaps with a value.
pub(super) fn is_option(word: &str, long: &str) -> bool {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    name.len() > 2 && name.starts_with("--") && long.starts_with(name)
}

/// Whether a short option is among the words, or a long one or any beginning of it, which stands for it.
pub(super) fn has_option(words: &[ShellWord], short: &[char], long: &str) -> bool {
    words.iter().skip(1).any(|word| {
        let unknown = !word.known && !short.is_empty();
        is_option(&word.text, long) || (is_short(word) && (word.text.contains(short) || unknown))
    })
}

pub(super) fn is_short(word: &ShellWord) -> bool {
    word.text.starts_with('-') && !word.text.starts_with("--")
}
