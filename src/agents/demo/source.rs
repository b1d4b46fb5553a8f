//! What a prompt asks of the demo agent: the repository it names, and the words that steer the script.

use std::path::Path;

use crate::fs::slug;

/// Words of a prompt that change the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DemoWish {
    pub source: Option<String>,
    /// The branch's last part, and the new function's name.
    pub slug: String,
    pub slow: bool,
    pub fail: bool,
    pub ask: bool,
}

const STEERING: &[&str] = &["slow", "fail", "ask", "noask"];
/// What no name ends with: what it leads to is left out.
const LEADS_ON: &[&str] = &["in", "of", "to", "for", "from", "on", "at", "with", "the", "a", "an"];
/// Enough to tell branches apart.
const SLUG_WORDS: usize = 4;

impl DemoWish {
    pub fn read(prompt: &str, default_source: Option<String>) -> DemoWish {
        let words: Vec<&str> = prompt
            .split_whitespace()
            .map(bare)
            .filter(|word| !word.is_empty())
            .collect();
        let is_word = |wanted: &str| words.iter().any(|word| word.eq_ignore_ascii_case(wanted));
        let named = words.iter().find(|word| names_repository(word));
        let telling = words
            .iter()
            .filter(|word| !names_repository(word) && !STEERING.contains(&word.to_lowercase().as_str()));
        let mut telling: Vec<&str> = telling.take(SLUG_WORDS).copied().collect();
        while telling.len() > 1 && telling.last().is_some_and(|word| LEADS_ON.contains(word)) {
            telling.pop();
        }
        DemoWish {
            source: named.map(|word| word.to_string()).or(default_source),
            slug: match telling.is_empty() {
                true => "change".into(),
                false => slug(&telling.join(" ")),
            },
            slow: is_word("slow"),
            fail: is_word("fail"),
            ask: !is_word("noask"),
        }
    }
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| matches!(c, '"' | '\'' | '`' | ',' | ';' | '(' | ')' | '<' | '>'))
        .trim_end_matches(['.', '!', '?', ':'])
}

/// A URL, or a path that is a directory here. A comment's `///` is none.
fn names_repository(word: &str) -> bool {
    let is_dir = |word: &str| Path::new(word).file_name().is_some() && Path::new(word).is_dir();
    word.contains("://") || word.starts_with("git@") || (word.starts_with('/') && is_dir(word))
}
