//! Names for things: chats, clients, calls and pieces of work.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Ten characters of lowercase base32, never used twice in a home. Also the name of the chat's folder.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ChatId(Arc<str>);

impl ChatId {
    pub const LENGTH: usize = 10;

    pub fn parse(text: &str) -> Option<ChatId> {
        let fits = text.len() == Self::LENGTH
            && text
                .bytes()
                .all(|b| b.is_ascii_lowercase() || (b'2'..=b'7').contains(&b));
        fits.then(|| ChatId(text.into()))
    }

    /// An id from 50 random bits.
    pub fn from_bits(bits: u64) -> ChatId {
        const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
        let text: String = (0..Self::LENGTH)
            .map(|place| ALPHABET[(bits >> (place * 5)) as usize & 31] as char)
            .collect();
        ChatId(text.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The same for a schedule; also the name of its file.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ScheduleId(Arc<str>);

impl ScheduleId {
    pub fn parse(text: &str) -> Option<ScheduleId> {
        ChatId::parse(text).map(|id| ScheduleId(id.0))
    }

    pub fn from_bits(bits: u64) -> ScheduleId {
        ScheduleId(ChatId::from_bits(bits).0)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a person calls a chat in the shell: `[a-z0-9-]{1,40}`, unique in a home. `@main` handles keep their `@`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Handle(Arc<str>);

impl Handle {
    pub const LONGEST: usize = 40;

    pub fn parse(text: &str) -> Option<Handle> {
        let name = text.strip_prefix('@').unwrap_or(text);
        let fits = (1..=Self::LONGEST).contains(&name.len())
            && name
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        fits.then(|| Handle(text.into()))
    }

    /// The nearest handle to a chat's name: `Fix auth bug!` becomes `fix-auth-bug`, and `ünïcode` `unicode`. `None` where
    /// nothing is left.
    pub fn from_name(name: &str) -> Option<Handle> {
        let mut slug = String::new();
        for c in name.chars().flat_map(spelled).flat_map(|c| c.to_lowercase()) {
            match c {
                'a'..='z' | '0'..='9' => slug.push(c),
                _ if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
                _ => {}
            }
            if slug.len() == Self::LONGEST {
                break;
            }
        }
        Handle::parse(slug.trim_end_matches('-'))
    }

    /// This handle with a number behind it, cut so that it still fits.
    pub fn numbered(&self, number: u32) -> Handle {
        let tail = format!("-{number}");
        let keep = self.0.len().min(Self::LONGEST - tail.len());
        Handle(format!("{}{tail}", self.0[..keep].trim_end_matches('-')).into())
    }

    /// Who else signs messages is called so: no chat is.
    pub fn is_reserved(&self) -> bool {
        matches!(self.as_str(), "parlour" | "person")
    }

    /// Whether it is made of this name alone, with or without a number behind it.
    pub fn is_made_of(&self, name: &str) -> bool {
        let whole = Handle::from_name(name);
        let rest = whole.as_ref().and_then(|whole| self.0.strip_prefix(whole.as_str()));
        rest.is_some_and(|rest| match rest.strip_prefix('-') {
            Some(number) => !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()),
            None => rest.is_empty(),
        })
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A letter of an alphabet near to ours in the letters of ours, without an accent behind it; anything else as it is.
fn spelled(c: char) -> Vec<char> {
    if matches!(c, '\u{300}'..='\u{36f}') {
        return Vec::new();
    }
    let is_near = matches!(c, '\u{c0}'..='\u{52f}' | '\u{1e00}'..='\u{1fff}') && c.is_alphabetic();
    match is_near {
        true => any_ascii::any_ascii_char(c).chars().collect(),
        false => vec![c],
    }
}

macro_rules! text_id {
    ($name:ident, $what:literal) => {
        impl TryFrom<String> for $name {
            type Error = String;
            fn try_from(text: String) -> Result<Self, String> {
                $name::parse(&text).ok_or_else(|| format!("{text:?} is not {}", $what))
            }
        }
        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0.to_string()
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}
text_id!(ChatId, "a chat id");
text_id!(ScheduleId, "a schedule id");
text_id!(Handle, "a handle");

/// One attached terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ClientId(pub u64);

/// One question that somebody waits on: a shell verb, an MCP tool call or a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CallId(pub u64);

/// One piece of work that a worker has in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WorkId(pub u64);

/// One thing that a person asked for at a screen, and that something there waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RequestId(pub u64);

/// A chat as a person names it; `chat_name` has the rule.
pub type ChatName = String;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chat_id_is_ten_lowercase_base32_characters() {
        assert_eq!(ChatId::from_bits(0).as_str(), "aaaaaaaaaa");
        assert_eq!(ChatId::from_bits(u64::MAX).as_str(), "7777777777");
        assert_eq!(ChatId::parse("abcdefghi"), None);
        assert_eq!(ChatId::parse("../../etc/"), None);
        assert_eq!(ChatId::parse("abcdefgh01"), None);
    }

    #[test]
    fn a_handle_keeps_what_of_a_name_it_can() {
        let handle = |name| Handle::from_name(name).map(|h| h.to_string());
        assert_eq!(handle("Fix auth bug!").as_deref(), Some("fix-auth-bug"));
        assert_eq!(handle("  ../é 2 "), Some("e-2".into()));
        assert_eq!(handle("ünïcode").as_deref(), Some("unicode"));
        assert_eq!(handle("u\u{308}ber Straße").as_deref(), Some("uber-strasse"));
        assert_eq!(handle("Москва").as_deref(), Some("moskva"));
        assert_eq!(handle("修复"), None);
        assert_eq!(handle(&"ab ".repeat(40)).map(|h| h.len()), Some(40));
    }

    #[test]
    fn a_numbered_handle_still_fits() {
        let long = Handle::parse(&"a".repeat(40)).unwrap();
        assert_eq!(long.numbered(12).as_str(), format!("{}-12", "a".repeat(37)));
    }
}
