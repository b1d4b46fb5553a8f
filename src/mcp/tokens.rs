//! The secrets by which callers are known.
//!
//! One token a chat, issued at each start of its agent. They live in memory only, so an engine that
//! starts again knows none of the old ones.

use std::collections::HashMap;
use std::{fmt, io};

use data_encoding::BASE64URL_NOPAD;
use parking_lot::Mutex;
use subtle::ConstantTimeEq;

use crate::model::{ChatId, Problem, ResultExt};

/// 256 random bits in base64url, fit for a header. Never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// The secret itself, to be written where only the agent reads it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// Where a token may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried {
    InHeader,
    /// Also as `token` in the address: for a CLI whose settings have no other place for it.
    InUrl,
}

/// The live tokens. Hooks have another set than tools.
#[derive(Debug, Default)]
pub struct Tokens {
    live: Mutex<HashMap<ChatId, (Token, Carried)>>,
}

impl Tokens {
    /// A new token for a chat; the one it had is dead.
    pub fn issue(&self, chat: &ChatId) -> Result<Token, Problem> {
        self.issue_as(chat, Carried::InHeader)
    }

    /// As [`Tokens::issue`], saying where it may be shown.
    pub fn issue_as(&self, chat: &ChatId, carried: Carried) -> Result<Token, Problem> {
        let mut bits = [0; 32];
        getrandom::fill(&mut bits)
            .map_err(io::Error::from)
            .doing_or("making a token", "start the chat again")?;
        let token = Token(BASE64URL_NOPAD.encode(&bits));
        self.live.lock().insert(chat.clone(), (token.clone(), carried));
        Ok(token)
    }

    pub fn revoke(&self, chat: &ChatId) {
        self.live.lock().remove(chat);
    }

    /// Of an agent that has ended: the token of a newer start of the chat lives on.
    pub fn end(&self, chat: &ChatId, token: &Token) {
        let mut live = self.live.lock();
        if live.get(chat).is_some_and(|(newest, _)| newest == token) {
            live.remove(chat);
        }
    }

    /// The chat of a token. Every live token is compared to its end, so time tells nothing.
    pub fn owner(&self, token: &str) -> Option<ChatId> {
        self.found(token).map(|(chat, _)| chat)
    }

    /// The chat of a token that was shown in the address.
    pub fn owner_in_url(&self, token: &str) -> Option<ChatId> {
        self.found(token)
            .filter(|(_, carried)| *carried == Carried::InUrl)
            .map(|(chat, _)| chat)
    }

    fn found(&self, token: &str) -> Option<(ChatId, Carried)> {
        let mut found = None;
        for (chat, (live, carried)) in self.live.lock().iter() {
            if bool::from(live.0.as_bytes().ct_eq(token.as_bytes())) {
                found = Some((chat.clone(), *carried));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_good_until_the_next_start_or_the_end() {
        let (tokens, chat) = (Tokens::default(), ChatId::from_bits(1));
        let first = tokens.issue(&chat).unwrap();
        assert_eq!(tokens.owner(first.reveal()), Some(chat.clone()));

        let second = tokens.issue(&chat).unwrap();
        assert_eq!(tokens.owner(first.reveal()), None);
        assert_eq!(tokens.owner(second.reveal()), Some(chat.clone()));

        tokens.revoke(&chat);
        assert_eq!(tokens.owner(second.reveal()), None);
    }

    #[test]
    fn the_end_of_an_agent_leaves_a_newer_ones_token() {
        let (tokens, chat) = (Tokens::default(), ChatId::from_bits(1));
        let first = tokens.issue(&chat).unwrap();
        let second = tokens.issue(&chat).unwrap();
        tokens.end(&chat, &first);
        assert_eq!(tokens.owner(second.reveal()), Some(chat.clone()));
        tokens.end(&chat, &second);
        assert_eq!(tokens.owner(second.reveal()), None);
    }

    #[test]
    fn a_token_is_long_and_never_printed() {
        let tokens = Tokens::default();
        let token = tokens.issue(&ChatId::from_bits(1)).unwrap();
        assert_eq!(token.reveal().len(), 43);
        assert!(!format!("{token:?} {tokens:?}").contains(token.reveal()));
        assert_eq!(tokens.owner(""), None);
    }
}
