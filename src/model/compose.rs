//! What a person wants for a prompt that they write: earlier prompts, templates, files, and what the prompt names.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::queue::PromptKind;
use super::template::{PromptTemplate, TemplatePrompt};
use super::{ChatId, RequestId};

/// What a worker is asked about a chat for its composer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComposerAsk {
    /// What people asked, the newest first.
    Prompts,
    /// What prompts can be made of; with the home directory of whoever asks.
    Templates(Option<PathBuf>),
    /// A prompt made of a template.
    Fill {
        name: String,
        arguments: Vec<String>,
        person: Option<PathBuf>,
        /// Today's, where the person is.
        date: String,
    },
    /// Files of its projects that match these letters.
    Files(String),
    /// The prompt with what it names below it; with the chats that it names, by their handles.
    Attach {
        /// By which the prompt is known on the screen.
        number: RequestId,
        kind: PromptKind,
        text: String,
        chats: Vec<(String, ChatId)>,
    },
}

/// What the worker found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ComposerNews {
    Prompts(Vec<String>),
    Templates(Vec<PromptTemplate>),
    Filled(TemplatePrompt),
    /// What was looked for, and what matches, as the agent names it, the best first.
    Files(String, Vec<String>),
    Attached {
        number: RequestId,
        kind: PromptKind,
        text: String,
    },
}

/// What a prompt can name and have put below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PromptAttachment {
    /// The todos of the chat.
    Todos,
    /// What is not committed.
    Diff,
    /// The last words of the chat with this handle.
    Chat(String),
}

/// Behind it stands the handle of a chat.
pub const CHAT: &str = "@chat:";

impl PromptAttachment {
    /// As it stands in the prompt.
    pub fn word(&self) -> String {
        match self {
            PromptAttachment::Todos => "@todos".into(),
            PromptAttachment::Diff => "@diff".into(),
            PromptAttachment::Chat(handle) => format!("{CHAT}{handle}"),
        }
    }
}

/// What a prompt names, each once.
pub fn attachments(text: &str) -> Vec<PromptAttachment> {
    let mut found = Vec::new();
    for word in text.split_whitespace() {
        let word = word.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '"', '\'']);
        let word = word.trim_start_matches(['(', '"', '\'']);
        let named = match word {
            "@todos" => Some(PromptAttachment::Todos),
            "@diff" => Some(PromptAttachment::Diff),
            _ => {
                let handle = word.strip_prefix(CHAT).filter(|handle| !handle.is_empty());
                handle.map(|handle| PromptAttachment::Chat(handle.into()))
            }
        };
        found.extend(named.filter(|named| !found.contains(named)));
    }
    found
}

/// The prompt with these texts below it, each under its word.
pub fn attached(text: &str, below: &[(PromptAttachment, String)]) -> String {
    let mut prompt = text.trim_end().to_owned();
    for (named, words) in below {
        prompt.push_str(&format!("\n\n{}:\n{}", named.word(), words.trim_end()));
    }
    prompt
}

/// What a person typed of a prompt that [`attached`] made: without what was put below it.
pub fn typed(prompt: &str) -> &str {
    let begins = |at: &usize| {
        let (head, below) = (&prompt[..*at], &prompt[*at + 2..]);
        let line = below.lines().next().unwrap_or_default();
        let word = line.strip_suffix(':').filter(|word| word.starts_with('@'));
        word.is_some_and(|word| attachments(head).iter().any(|named| named.word() == word))
    };
    let at = prompt.match_indices("\n\n@").map(|(at, _)| at).find(begins);
    at.map_or(prompt, |at| &prompt[..at])
}

/// A paste that is nothing but the path of a file, as a terminal pastes what is dropped on it: the path.
pub fn dropped_path(paste: &str) -> Option<String> {
    let bare = paste.trim();
    let quoted = ['"', '\'']
        .iter()
        .find_map(|quote| bare.strip_prefix(*quote)?.strip_suffix(*quote));
    let path = quoted.unwrap_or(bare);
    let path = path.strip_prefix("file://").unwrap_or(path);
    let path = if quoted.is_none() {
        path.replace("\\ ", " ")
    } else {
        path.to_owned()
    };
    let name = path.rsplit('/').next()?;
    let (stem, extension) = name.rsplit_once('.')?;
    let is_file = !stem.is_empty() && !extension.is_empty() && extension.chars().all(|c| c.is_ascii_alphanumeric());
    // A blank in it would have to be quoted or escaped.
    let is_one = quoted.is_some() || paste.contains("\\ ") || !bare.contains(char::is_whitespace);
    let is_absolute = path.starts_with('/') || path.starts_with("~/");
    (is_file && is_one && is_absolute && !path.contains('\n')).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_names_what_is_put_below_it_once() {
        let text = "Review @diff (see @todos), then @diff again, and ask @chat:try-redis. mail@diff.org @chat:";
        let named = attachments(text);
        let words: Vec<String> = named.iter().map(PromptAttachment::word).collect();
        assert_eq!(words, ["@diff", "@todos", "@chat:try-redis"]);
        let prompt = attached("Review @diff\n", &[(PromptAttachment::Diff, "+ 1\n".into())]);
        assert_eq!(prompt, "Review @diff\n\n@diff:\n+ 1");
        assert_eq!(typed(&prompt), "Review @diff");
        for own in ["Review @diff", "Review\n\n@diff:\n+ 1", "@todos\n\n@diff: below"] {
            assert_eq!(typed(own), own);
        }
    }

    #[test]
    fn a_dropped_file_is_told_from_words() {
        for (paste, path) in [
            ("/home/mia/shot.png", Some("/home/mia/shot.png")),
            ("'/home/mia/my shot.png' ", Some("/home/mia/my shot.png")),
            ("/home/mia/my\\ shot.png\n", Some("/home/mia/my shot.png")),
            ("file:///tmp/a.pdf", Some("/tmp/a.pdf")),
            ("~/notes.md", Some("~/notes.md")),
            ("/compact", None),
            ("/usr/bin/ls and more.txt", None),
            ("see /tmp/a.pdf", None),
            ("/tmp/a.b\n/tmp/c.d", None),
        ] {
            assert_eq!(dropped_path(paste).as_deref(), path, "{paste:?}");
        }
    }
}
