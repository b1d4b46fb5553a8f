//! Options among the words of a command, as programs read them: a long one may be cut short, and short ones may stand in one
//! word, with a value behind them.

use super::program;
use super::word::ShellWord;

/// Whether a word is a long option, or any beginning of it that may stand for it, perhaps with a value.
pub(super) fn is_option(word: &str, long: &str) -> bool {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    name.len() > 2 && name.starts_with("--") && long.starts_with(name)
}

/// The values of an option, and whether each is known.
pub(super) fn values(words: &[ShellWord], option: &str) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let next = || words.get(at + 1).map(|word| (word.text.clone(), word.known));
        let own = |value: &str| Some((value.to_string(), word.known));
        let name = word.text.split_once('=').map_or(word.text.as_str(), |(name, _)| name);
        let value = word.text.get(name.len() + 1..);
        found.extend(match option {
            "*" => own(&word.text),
            // Of `--to` and `--to-cmd` the beginning of the one is the other.
            _ if option.starts_with("--") && option.ends_with('=') => {
                let least = option.rfind('-').unwrap_or_default() + 1;
                let is_one = name.len() > least && is_option(name, option);
                value.filter(|_| is_one).and_then(own)
            }
            _ if option.ends_with('=') => word.text.strip_prefix(option).and_then(own),
            _ if option.starts_with("--") => match is_option(name, option) {
                true => value.map_or_else(next, own),
                false => None,
            },
            _ if option.len() > 2 => (word.text == option).then(next).flatten(),
            _ => match behind_letter(&word.text, &option[1..]) {
                Some("") => next(),
                Some(value) => own(value),
                None => None,
            },
        });
    }
    found
}

/// What stands behind the letter of an option, among others in one word: `-Imake`, `-xzI`.
pub(super) fn behind_letter<'w>(word: &'w str, letter: &str) -> Option<&'w str> {
    let (flags, value) = word.strip_prefix('-')?.split_once(letter)?;
    flags.chars().all(|c| c.is_ascii_alphanumeric()).then_some(value)
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

/// tar takes the letters of its first word for options also without a dash, each with its value among the words behind:
/// `tar cIf make a.tar x`.
pub(super) fn old_style(words: &[ShellWord]) -> Option<Vec<ShellWord>> {
    const VALUED: &str = "bCfFgHIKLNTVX";
    let letters = words
        .get(1)
        .filter(|word| !word.text.starts_with('-') && !word.text.is_empty())?;
    if !["tar", "bsdtar", "gtar"].contains(&program::of(words)) {
        return None;
    }
    let mut rest = words[2..].iter();
    let mut apart = vec![words[0].clone()];
    for letter in letters.text.chars() {
        apart.push(ShellWord {
            text: format!("-{letter}"),
            ..letters.clone()
        });
        apart.extend(rest.by_ref().take(usize::from(VALUED.contains(letter))).cloned());
    }
    apart.extend(rest.cloned());
    Some(apart)
}
