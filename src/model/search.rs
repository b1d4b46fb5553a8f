//! Words that are looked for among the lines of a comparison, and where they are.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;

use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use super::diff::FileAsk;

/// Finds words in a text: in any case, unless they have a capital letter.
#[derive(Clone, Debug)]
pub struct Needle(Regex);

impl Needle {
    /// None where there is nothing to look for.
    pub fn of(words: &str) -> Option<Needle> {
        let has_capital = words.chars().any(char::is_uppercase);
        let pattern = RegexBuilder::new(&regex::escape(words))
            .case_insensitive(!has_capital)
            .size_limit(64 << 20)
            .build();
        pattern.ok().filter(|_| !words.is_empty()).map(Needle)
    }

    /// Finds each of these, in any case. None where there is nothing to look for.
    pub fn of_any<'w>(words: impl Iterator<Item = &'w String>) -> Option<Needle> {
        let mut words: Vec<String> = words
            .filter(|words| !words.is_empty())
            .map(|words| regex::escape(words))
            .collect();
        // The first that fits counts: the longest.
        words.sort_by_key(|words| std::cmp::Reverse(words.len()));
        let pattern = RegexBuilder::new(&words.join("|"))
            .case_insensitive(true)
            .size_limit(64 << 20)
            .build();
        pattern.ok().filter(|_| !words.is_empty()).map(Needle)
    }

    /// How many different words of it are in a text.
    pub fn kinds_in(&self, text: &str) -> usize {
        let kinds: BTreeSet<String> = self.places(text).map(|place| text[place].to_lowercase()).collect();
        kinds.len()
    }

    pub fn is_in(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    /// In order, none over another.
    pub fn places<'t>(&self, text: &'t str) -> impl Iterator<Item = Range<usize>> + use<'_, 't> {
        self.0.find_iter(text).map(|found| found.range())
    }
}

/// Files whose shown lines are searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchAsk {
    pub words: String,
    pub files: Vec<FileAsk>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundLines {
    pub words: String,
    /// Only those that have such lines.
    pub files: Vec<FileMatches>,
    /// There was no time for as many more files.
    pub unread: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileMatches {
    pub project: String,
    #[serde(with = "super::path_text")]
    pub path: PathBuf,
    /// How many of its lines have the words in them.
    pub lines: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capital_letter_makes_the_case_count() {
        let found = |words: &str, text: &str| {
            let needle = Needle::of(words).unwrap();
            let places = needle.places(text).map(|place| text[place].to_owned());
            places.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(found("token", "Token, token, TOKEN"), "Token token TOKEN");
        assert_eq!(found("Token", "Token, token, TOKEN"), "Token");
        assert_eq!(found("grüße", "GRÜSSE GRÜßE"), "GRÜßE");
        assert_eq!(found("a.b(", "axb( a.b("), "a.b(");
        assert!(Needle::of("").is_none());
    }

    #[test]
    fn each_of_several_words_is_found_in_any_case() {
        let words = ["token".to_owned(), "Tokens".to_owned(), "expired".to_owned()];
        let needle = Needle::of_any(words.iter()).unwrap();
        let text = "TOKENS that are Expired, token by token";
        let places: Vec<&str> = needle.places(text).map(|place| &text[place]).collect();
        assert_eq!(places, ["TOKENS", "Expired", "token", "token"]);
        assert_eq!(needle.kinds_in(text), 3);
        assert!(Needle::of_any([].iter()).is_none());
    }
}
