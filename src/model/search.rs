//! Words that are looked for among the lines of a comparison, and where they are.

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
}
