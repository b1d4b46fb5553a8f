//! Keeping what an agent did: the menu of ways, and what came of one.

use super::choice::{DiffChoice, DiffList, KeepChoice};
use crate::domain::effect::Effect;
use crate::domain::notice::KeptNews;
use crate::domain::state::Requester;
use crate::domain::{keep, reply};
use crate::model::ClientId;
use crate::model::keep::KeepAsk;
use crate::model::text::visible;
use crate::screen::State;
use crate::screen::dialog::{ChoiceItem, Choose, KeepForm};
use crate::screen::keymap::KeepWay;
use crate::screen::view::Tone;
use crate::screen::{dialogs, toast};

pub fn menu(state: &mut State, client: ClientId) -> Vec<Effect> {
    let item = |letter, text: &str, note: &str, choice| ChoiceItem {
        letter: Some(letter),
        text: text.into(),
        note: note.into(),
        choice: DiffChoice::Keep(choice),
    };
    let by = |letter, text, note, way| item(letter, text, note, KeepChoice::Way(way));
    let mut items = vec![
        by('c', "Commit…", "what is staged, or all", KeepWay::Commit),
        by('a', "Amend the last commit…", "", KeepWay::Amend),
        by('p', "Push…", "to the project's remote", KeepWay::Push),
        by('o', "Open a pull request…", "by gh", KeepWay::Pull),
        item('s', "State of the pull request", "by gh", KeepChoice::PullStatus),
        by('h', "Bring the branch home…", "where it came from", KeepWay::Home),
        by('r', "Rebase…", "onto the base branch", KeepWay::Rebase),
        item('x', "Conflicts with other chats", "their commits", KeepChoice::Radar),
    ];
    if let Some(what) = under_way(state, client) {
        let note = visible(&what);
        items.push(by('n', "Continue…", &note, KeepWay::Continue));
        items.push(by('b', "Abort…", &note, KeepWay::Abort));
    }
    dialogs::open(state, client, Choose::new(DiffList::Keep, items))
}

/// What git has begun in a clone of the chat.
fn under_way(state: &State, client: ClientId) -> Option<String> {
    let chat = state.views.get(&client)?.chat.as_ref()?;
    let mut projects = state.domain.disk.chats.get(chat)?.projects.iter();
    projects.find_map(|project| project.under_way.clone())
}

pub fn chosen(state: &mut State, client: ClientId, choice: KeepChoice) -> Vec<Effect> {
    let Some(chat) = state.views.get(&client).and_then(|view| view.chat.clone()) else {
        return Vec::new();
    };
    let requester = Requester::screen(client);
    let asked = match choice {
        KeepChoice::Way(way) => {
            let mut dialog = KeepForm::new(&state.domain, &chat, way);
            let (chat, about) = dialog.about_words();
            let view = state.views.get_mut(&client);
            if let Some(left) = view.and_then(|view| view.over.drafts.words_again(chat, about)) {
                dialog.goes_on(left);
            }
            return dialogs::open(state, client, dialog);
        }
        KeepChoice::PullStatus => keep::ask(&mut state.domain, chat.as_str(), None, KeepAsk::PullStatus, requester),
        KeepChoice::Radar => keep::radar::ask(&mut state.domain, Some(chat.as_str()), requester),
    };
    asked.unwrap_or_else(|problem| reply::answer(&mut state.domain, requester, Err(problem)))
}

/// The clones are compared again: what is committed differs no more from the last commit.
pub fn told(state: &mut State, client: ClientId, news: KeptNews) {
    let KeptNews::Done(words) = news else {
        return;
    };
    if let Some(view) = state.views.get_mut(&client) {
        view.changes.refresh();
        view.checkpoints.refresh();
    }
    for words in words {
        toast::tell(state, client, words.trim_end().replace('\n', "; "), Tone::Told);
    }
}
