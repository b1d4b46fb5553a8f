//! Links in what a terminal or the transcript shows: they are marked with letters, and a letter opens one, with Shift copies it.
//!
//! A link is what a program made one (OSC 8), a URL in the text, or a file with a line (`src/lib.rs:12`). Over a line that
//! the terminal broke it is one link. What is opened is told, since the text of a link may say something else.

pub mod data;
pub mod find;

use std::path::PathBuf;

use crossterm::event::{KeyCode, KeyEvent};

use crate::domain::agent::cwd;
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::Requester;
use crate::domain::work::{ScriptThen, ScriptWork};
use crate::model::text::{one_line, sentence};
use crate::model::{ChatId, ClientId, Problem};
use crate::screen::State;

use super::dialog::tables::{LINKS, LinkKey};
use super::keymap::PaneSheet;
use super::tab::transcript::linked;
use super::view::{Tab, Tone};
use super::{reading, side, toast};

use data::{LinkTarget, MarkedLinks};
use find::links;

/// Marks the links of what this person sees.
pub fn begin(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let rows = view.sheet().filter(|sheet| *sheet == PaneSheet::Transcript);
    let rows = rows.map(|_| view.transcript.sight.clone());
    let found = match (&rows, view.tab.is_terminal()) {
        (Some(_), _) => linked::links(&view.transcript),
        (None, true) => {
            let shown = reading::live(state, view).map(|live| view.reading.shown(live).clone());
            shown.map(|screen| links(&screen)).unwrap_or_default()
        }
        (None, false) => return Vec::new(),
    };
    if found.is_empty() {
        toast::tell(state, client, "There is no link on this screen.", Tone::Told);
        return Vec::new();
    }
    if let Some(view) = state.views.get_mut(&client) {
        view.reading.links = Some(MarkedLinks::new(found, rows));
    }
    Vec::new()
}

/// A key while they are marked: letters name one. What names none leaves.
pub fn press(state: &mut State, client: ClientId, key: KeyEvent) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let Some(mut marked) = view.reading.links.take() else {
        return Vec::new();
    };
    let letter = match (LINKS.command(key), key.code) {
        (Some(LinkKey::Leave), _) => return Vec::new(),
        (None, KeyCode::Char(letter)) => letter,
        (None, _) => return Vec::new(),
    };
    marked.typed.extend(letter.to_lowercase());
    let named = marked.meant().find(|(missing, _)| missing.is_empty());
    match named.map(|(_, link)| link.target.clone()) {
        Some(target) if letter.is_uppercase() => copy(state, client, &target),
        Some(target) => open(state, client, target),
        None => {
            view.reading.links = Some(marked).filter(|marked| marked.meant().next().is_some());
            Vec::new()
        }
    }
}

fn copy(state: &mut State, client: ClientId, target: &LinkTarget) -> Vec<Effect> {
    let text = target.text();
    toast::tell(state, client, format!("Copied {}.", one_line(&text, 200)), Tone::Told);
    vec![Effect::Clipboard(client, text)]
}

fn open(state: &mut State, client: ClientId, target: LinkTarget) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let Some(chat) = view.chat.clone() else {
        return Vec::new();
    };
    match target {
        LinkTarget::Url(url) if is_browsed(&url) => {
            let env = view.client.env.clone();
            let then = ScriptThen::Browsed(url.clone());
            let browse = ScriptWork::Browse { url, env };
            chat::work(&mut state.domain, Requester::screen(client), then, browse)
        }
        LinkTarget::Url(url) => {
            let shown = one_line(&url, 120);
            let text = format!("parlour opens web and mail addresses, not {shown}: with Shift it is copied.");
            toast::tell(state, client, text, Tone::Failed);
            Vec::new()
        }
        LinkTarget::File(path, line) => open_file(state, client, &chat, (&path, line.unwrap_or(1))),
    }
}

/// A browser was started with it, or why not: then it is copied, to be opened elsewhere.
pub fn browsed(state: &mut State, client: ClientId, url: String, problem: Option<&Problem>) -> Vec<Effect> {
    let shown = one_line(&url, 200);
    let (text, copies) = match problem {
        None => (format!("Opens {shown}"), None),
        Some(problem) => (format!("{} Copied {shown}.", sentence(&problem.cause)), Some(url)),
    };
    toast::tell(state, client, text, Tone::Told);
    copies.map(|url| Effect::Clipboard(client, url)).into_iter().collect()
}

/// Others may run programs.
fn is_browsed(url: &str) -> bool {
    let scheme = url.split(':').next().unwrap_or_default().to_lowercase();
    ["http", "https", "mailto"].contains(&scheme.as_str())
}

/// In the person's editor. A relative path is seen from where the agent is; in a terminal that a shell or a run has, from
/// where its program is as the file is opened.
fn open_file(state: &mut State, client: ClientId, chat: &ChatId, (path, line): (&str, u32)) -> Vec<Effect> {
    let leader = leader(state, client, chat);
    let cwd = cwd::cwd(&state.domain, chat).filter(|_| leader.is_none());
    let at = cwd.map(|cwd| cwd.join(path));
    let at = at.unwrap_or_else(|| PathBuf::from(path));
    side::edit_found(state, client, chat, (at, line), leader)
}

/// The process that leads the terminal which is shown, if that is no agent's.
fn leader(state: &State, client: ClientId, chat: &ChatId) -> Option<u32> {
    let live = &state.domain.live;
    match state.views.get(&client)?.tab {
        Tab::Side(number) => live.sides.get(&number).filter(|side| side.is_live())?.pid,
        Tab::Terminal if state.domain.disk.chats.get(chat)?.is_shell() => live.agents.get(chat)?.pid(),
        Tab::Terminal | Tab::Sheet(_) => None,
    }
}
