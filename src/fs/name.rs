//! The one validator for names that become path components.

use std::fmt;
use std::path::Path;

use crate::model::{Failure, ProblemKind};

/// Long enough for any name a person types; short enough that what we add to it stays under a file system's 255 bytes.
const MAX_BYTES: usize = 100;
const SLUG_CHARS: usize = 40;

/// A name that is safe as one path component and safe to show.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SafeName(String);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} cannot be a name: {why}")]
pub struct NameError {
    pub name: String,
    pub why: &'static str,
}

impl Failure for NameError {
    fn problem_kind(&self) -> ProblemKind {
        ProblemKind::User
    }

    fn hint(&self) -> Option<&'static str> {
        Some("give another name")
    }
}

impl SafeName {
    pub fn parse(name: &str) -> Result<SafeName, NameError> {
        match refusal(name) {
            Some(why) => Err(NameError {
                name: name.to_string(),
                why,
            }),
            None => Ok(SafeName(name.to_string())),
        }
    }

    /// A name of `[a-z0-9-]{1,40}` that [`slug`] leaves as it is: one that agents type again and again.
    pub fn plain(name: &str) -> Result<SafeName, NameError> {
        match name == slug(name) {
            true => SafeName::parse(name),
            false => Err(NameError {
                name: name.to_string(),
                why: "it is not of 1 to 40 letters a-z, digits and single dashes between them",
            }),
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl AsRef<Path> for SafeName {
    fn as_ref(&self) -> &Path {
        Path::new(&self.0)
    }
}

impl fmt::Display for SafeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn refusal(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        return Some("it is empty");
    }
    if name.len() > MAX_BYTES {
        return Some("it is longer than 100 bytes");
    }
    if name.starts_with('.') {
        return Some("it starts with a dot");
    }
    if name.starts_with('-') {
        return Some("it starts with a dash, like an option");
    }
    if name.trim() != name {
        return Some("it starts or ends with a space");
    }
    if name.contains(['/', '\\']) {
        return Some("it holds a path separator");
    }
    if name.chars().any(is_hidden_char) {
        return Some("it holds a control, invisible or direction-changing character");
    }
    None
}

/// Control, invisible and bidirectional characters: what makes a name look like another, or a terminal act.
pub fn is_hidden_char(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{3164}' | '\u{FFA0}'
            | '\u{180B}'..='\u{180F}'   // Mongolian selectors and vowel separator
            | '\u{200B}'..='\u{200F}'   // zero width, and direction marks
            | '\u{2028}'..='\u{202E}'   // line separators, embeddings and overrides
            | '\u{2060}'..='\u{206F}'   // joiners, isolates
            | '\u{FE00}'..='\u{FE0F}'   // variation selectors
            | '\u{FEFF}'
            | '\u{FFF0}'..='\u{FFFB}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}' // tags, which spell hidden text, and more selectors
        )
}

/// `[a-z0-9-]{1,40}` from anything: what is neither a letter nor a digit of ASCII becomes one dash.
pub fn slug(text: &str) -> String {
    let mut slug = String::new();
    for c in text.chars() {
        if slug.len() >= SLUG_CHARS {
            break;
        }
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let trimmed = slug.trim_end_matches('-');
    if trimmed.is_empty() {
        "x".to_string()
    } else {
        trimmed.to_string()
    }
}
