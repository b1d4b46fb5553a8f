//! What one person is writing.

use std::collections::BTreeMap;

use crate::model::queue::TakenBack;
use crate::model::{ChatId, Problem, RequestId, Timestamp};

use super::super::dialog::Field;
use super::chip::QueuedChip;
use super::offers::Completion;

pub struct ComposerView {
    /// The chat that it is written for.
    pub of: Option<ChatId>,
    pub field: Field,
    /// Keys go into the field.
    pub is_entered: bool,
    /// The prompts that wait, in the order of their sending.
    pub chips: Vec<QueuedChip>,
    /// A prompt is on its way that waits for nothing.
    pub is_typed: bool,
    /// The chip that has the keys, by its id.
    pub chosen: Option<String>,
    /// What is in the field was taken out of the queue, and goes back there.
    pub(super) taken_back: Option<TakenBack>,
    /// Changes of what waits that are not known to be stored.
    pub(super) changing: Vec<RequestId>,
    /// What an `@` may name, while one is typed.
    pub completion: Option<Completion>,
    /// What is being stored, oldest first.
    pub(super) sending: Vec<SendingPrompt>,
    /// Why what is in the field could not be sent, or is not kept.
    pub problem: Option<Problem>,
    pub(super) history: PromptHistory,
    /// The prompt that going back has put there: it goes with the first letter.
    pub put_back: Option<(ChatId, String)>,
    /// What a person emptied the field of last.
    pub(super) emptied: Option<String>,
    pub(super) drafts: UnsavedDrafts,
}

/// A prompt that has left the field and is not known to be stored yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SendingPrompt {
    pub request: RequestId,
    pub chat: ChatId,
    pub text: String,
    /// It waited before.
    pub taken_back: Option<TakenBack>,
}

/// Prompts that were sent before, gone through by keys.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum PromptHistory {
    #[default]
    Left,
    /// A worker looks for them.
    Sought,
    /// The same; the newest is sent again.
    Retried,
    Shown {
        /// The newest first.
        prompts: Vec<String>,
        at: usize,
        /// What was in the field before.
        draft: String,
    },
}

/// What a restart would lose.
#[derive(Default)]
pub(super) struct UnsavedDrafts {
    /// When what is in the field is written down; `None` where it is already.
    pub due: Option<Timestamp>,
    /// What was in the field for chats that were left since.
    pub left: BTreeMap<ChatId, LeftDraft>,
    /// One at a time, so that an older one never overtakes a newer.
    pub saving: Option<SavingDraft>,
    /// What was known of all chats when the field was last made what is kept.
    pub shown: u64,
}

pub(super) struct LeftDraft {
    pub text: String,
    pub is_due: bool,
}

pub(super) struct SavingDraft {
    pub request: RequestId,
    pub chat: ChatId,
    pub text: String,
}

impl Default for ComposerView {
    fn default() -> ComposerView {
        ComposerView {
            of: None,
            field: Field::long(),
            is_entered: false,
            chips: Vec::new(),
            is_typed: false,
            chosen: None,
            taken_back: None,
            changing: Vec::new(),
            completion: None,
            sending: Vec::new(),
            problem: None,
            history: PromptHistory::default(),
            put_back: None,
            emptied: None,
            drafts: UnsavedDrafts::default(),
        }
    }
}

impl ComposerView {
    /// What is sent is being stored, or typed.
    pub fn is_sending(&self) -> bool {
        self.is_typed || self.of.as_ref().is_some_and(|chat| self.sends_to(chat))
    }

    pub(super) fn sends_to(&self, chat: &ChatId) -> bool {
        self.sending.iter().any(|sending| sending.chat == *chat)
    }

    /// What a person wrote in the field, whatever earlier prompt is shown there now.
    pub(super) fn written(&self) -> String {
        match &self.history {
            PromptHistory::Shown { draft, .. } => draft.clone(),
            PromptHistory::Left | PromptHistory::Sought | PromptHistory::Retried => self.field.text(),
        }
    }

    /// What is lost of a chat if the engine ends now: what is not known to be stored, and what is `written` behind it.
    pub(super) fn draft(&self, chat: &ChatId, written: String) -> String {
        let own = self.sending.iter().filter(|sending| sending.chat == *chat);
        let sending = own.map(|sending| sending.text.clone());
        joined(sending.chain([written]))
    }
}

/// Texts one below the other, without those that are empty.
pub(super) fn joined(texts: impl IntoIterator<Item = String>) -> String {
    let texts: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    texts.join("\n")
}
