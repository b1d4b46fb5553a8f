//! What an `@` may name, offered while it is typed.

use crate::domain::effect::Effect;
use crate::domain::state::Domain;
use crate::model::compose::{CHAT, ComposerAsk, PromptAttachment};
use crate::model::{Chat, ChatId, ClientId, Timestamp};
use crate::screen::State;

use super::super::dialog::Field;
use super::super::filter::ranked;
use super::super::view::View;
use super::asking;
use super::data::ComposerView;
use super::offers::{Completion, NamedOffer};

/// Names of chats that are offered at once.
const CHATS: usize = 20;

/// The word before the cursor, if it begins with `@`: what stands behind that.
fn wanted(field: &Field) -> Option<String> {
    let (line, column) = field.cursor();
    let before: String = field.lines().get(line)?.chars().take(column).collect();
    let word = before.rsplit(char::is_whitespace).next()?;
    word.strip_prefix('@').map(str::to_owned)
}

/// After each event: what is offered belongs to the word before the cursor.
pub(super) fn settle(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let composer = &mut view.composer;
    let word = wanted(&composer.field).filter(|_| composer.is_entered && composer.chosen.is_none());
    let word = word.filter(|_| !is_of_shell(&state.domain, composer.of.as_ref()));
    let Some(word) = word else {
        composer.completion = None;
        return Vec::new();
    };
    let completion = composer.completion.get_or_insert_default();
    completion.wanted = word;
    if completion.sought.as_ref() == Some(&completion.wanted) {
        return Vec::new();
    }
    completion.sought = Some(completion.wanted.clone());
    completion.at = 0;
    let found = own(&state.domain, composer.of.as_ref(), &completion.wanted);
    let begins = |offer: &NamedOffer| offer.word[1..].starts_with(&completion.wanted.to_lowercase());
    (completion.own, completion.others) = found.into_iter().partition(begins);
    if completion.asked.is_some() {
        return Vec::new();
    }
    completion.asked = Some(completion.wanted.clone());
    let wanted = completion.wanted.clone();
    asking::ask(state, client, ComposerAsk::Files(wanted))
}

/// A shell is typed at: nothing is put in the place of what a command names.
pub(super) fn is_of_shell(domain: &Domain, of: Option<&ChatId>) -> bool {
    let chat = of.and_then(|of| domain.disk.chats.get(of));
    chat.is_some_and(Chat::is_shell)
}

/// What is no file.
fn own(domain: &Domain, of: Option<&ChatId>, wanted: &str) -> Vec<NamedOffer> {
    let offer = |word: String, note| (word.clone(), NamedOffer { word, note });
    let mut fixed = vec![
        offer(PromptAttachment::Todos.word(), "the todos of this chat"),
        offer(PromptAttachment::Diff.word(), "what is not committed"),
    ];
    // All chats would push the files out of sight.
    let names_chats = wanted.starts_with(&CHAT[1..]);
    if !names_chats {
        fixed.push(offer(CHAT.into(), "another chat's last words"));
    }
    let mut chats: Vec<_> = domain
        .disk
        .chats
        .iter()
        .filter(|(id, _)| names_chats && of != Some(*id))
        .collect();
    chats.sort_by_key(|(_, chat)| std::cmp::Reverse(chat.updated));
    let chats = chats.into_iter();
    let chats = chats.map(|(_, chat)| offer(format!("{CHAT}{}", chat.record.handle), "its last words"));
    let best = |found: Vec<(u32, NamedOffer)>| {
        let mut found = found;
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        found.into_iter().map(|(_, offer)| offer)
    };
    let fixed = best(ranked(fixed.into_iter(), wanted));
    fixed.chain(best(ranked(chats, wanted)).take(CHATS)).collect()
}

/// Files that were looked for.
pub(super) fn found(view: &mut View, wanted: &str, files: Vec<String>) {
    let Some(completion) = view.composer.completion.as_mut() else {
        return;
    };
    // An answer to what was typed before does not stand for the one that is on its way.
    if completion.asked.take_if(|asked| asked == wanted).is_none() {
        return;
    }
    let file = |path: String| NamedOffer {
        word: format!("@{path}"),
        note: "",
    };
    completion.files = files.into_iter().map(file).collect();
    if completion.wanted != wanted {
        // More was typed meanwhile: it is looked for once more.
        completion.sought = None;
    }
}

impl ComposerView {
    pub fn is_completing(&self) -> bool {
        self.completion.as_ref().is_some_and(Completion::is_open)
    }

    /// Enter means what is offered, not the prompt.
    pub fn is_choosing(&self) -> bool {
        self.completion.as_ref().is_some_and(Completion::is_unfinished)
    }

    /// The chosen one takes the place of the word.
    pub(super) fn take_offer(&mut self, now: Timestamp) {
        let completion = self.completion.take();
        let offer = completion
            .as_ref()
            .and_then(|completion| completion.offers().nth(completion.at));
        if let (Some(completion), Some(offer)) = (&completion, offer) {
            let typed = completion.wanted.chars().count() + 1;
            // What goes on is completed further.
            let space = if offer.word == CHAT { "" } else { " " };
            self.change(now, |field| {
                field.replace_before(typed, &format!("{}{space}", offer.word))
            });
        }
    }

    pub(super) fn choose_offer(&mut self, by: isize) -> bool {
        let Some(completion) = self.completion.as_mut().filter(|completion| completion.is_open()) else {
            return false;
        };
        let last = completion.offers().count() - 1;
        completion.at = completion.at.saturating_add_signed(by).min(last);
        true
    }

    /// Nothing more is offered for this word.
    pub(super) fn dismiss_offers(&mut self) -> bool {
        let open = self.is_completing();
        if let Some(completion) = &mut self.completion {
            completion.is_dismissed = true;
        }
        open
    }
}
