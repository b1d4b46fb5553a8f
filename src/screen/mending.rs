//! Errors stand where they happened in the transcript, and lead to what can be done about them.

use crate::domain::agent::restart;
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester, ScreenRequest};
use crate::domain::written_prompt::WrittenPrompt;
use crate::model::queue::PromptKind;
use crate::model::secret::without_secrets;
use crate::model::text::one_line;
use crate::model::trouble::{countdown, moment, reset_time};
use crate::model::{ChatId, ClientId, Entry, Happened, Timestamp, TroubleKind};
use crate::screen::State;

use super::dialog::{MendDoes, MendItem, MendMenu, MendWish};
use super::keymap::{Action, ChatAction, ScreenAction};
use super::tab::transcript::item::{ItemKind, TranscriptItem};
use super::view::{Mode, Tab, Tone, View};
use super::{composer, dialogs, side, toast};

/// What an agent gets that was stopped by a limit.
const GO_ON: &str = "Go on where you stopped.";
/// Lines of the log in a diagnostic.
const LOGGED: usize = 20;
/// Columns of a prompt beside its entry.
const PROMPT: usize = 30;

/// The error that is selected.
pub fn selected(view: &View) -> Option<&TranscriptItem> {
    let item = view.transcript.items.get(view.transcript.held()?)?;
    let is_error = |entry: &Entry| matches!(entry.what, Happened::Error { .. });
    match &item.what {
        ItemKind::Event(entry) if is_error(entry) => Some(item),
        ItemKind::Event(_)
        | ItemKind::Unknown(_)
        | ItemKind::Prompt(_)
        | ItemKind::Said(_)
        | ItemKind::Thought(_)
        | ItemKind::Tool(_)
        | ItemKind::SubAgent(_)
        | ItemKind::OfSubAgent(_)
        | ItemKind::AtWork(_)
        | ItemKind::Gap(_)
        | ItemKind::Hidden { .. } => None,
    }
}

/// What can be done about the error that is selected.
pub fn open(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let (Some(item), Some(chat)) = (selected(view), view.chat.clone()) else {
        return Vec::new();
    };
    let ItemKind::Event(entry) = &item.what else {
        return Vec::new();
    };
    let error = words(entry);
    let items = items(state, view, &chat, item, entry);
    let menu = MendMenu::new(&state.domain, &chat, error, items);
    dialogs::open(state, client, menu)
}

fn words(entry: &Entry) -> String {
    let Happened::Error { message, hint, .. } = &entry.what else {
        return String::new();
    };
    match hint.is_empty() {
        true => message.clone(),
        false => format!("{message}; {hint}"),
    }
}

fn items(state: &State, view: &View, chat: &ChatId, item: &TranscriptItem, entry: &Entry) -> Vec<MendItem> {
    let domain = &state.domain;
    let kind = if let Happened::Error { trouble, message, .. } = &entry.what {
        trouble.map_or_else(|| TroubleKind::by_words(message), |trouble| trouble.kind)
    } else {
        TroubleKind::Refused
    };
    let wish = |letter, text: String, note: String, wish| MendItem {
        letter,
        text,
        note,
        does: MendDoes::Wish(wish),
    };
    let run = |letter, text: &str, action| MendItem {
        letter,
        text: text.into(),
        note: state.keymap.key(action),
        does: MendDoes::Run(action),
    };
    let mut items = Vec::new();
    if let Some(at) = resets(domain, entry) {
        let text = format!(
            "Go on at {}, when the limit ends",
            moment(at, domain.now, domain.live.facts.zone)
        );
        items.push(wish('g', text, countdown(at, domain.now), MendWish::GoOn(at)));
    }
    if kind == TroubleKind::Login {
        let llm = domain.disk.chats.get(chat).map_or("", |known| &known.record.llm);
        let title = domain.disk.title_of(llm);
        let login = domain.disk.login_of(llm).or_else(|| domain.disk.typed_login_of(llm));
        let note = login.unwrap_or("restarts it").to_owned();
        let again = prompt_of(view, item);
        let text = match again {
            Some(_) => format!("Log in to {title}, and go on"),
            None => format!("Log in to {title}"),
        };
        items.push(wish('l', text, note, MendWish::LogIn(again)));
    }
    if let Some(prompt) = prompt_of(view, item) {
        let note = one_line(&prompt, PROMPT);
        items.push(wish('p', "Send the prompt again".into(), note, MendWish::Send(prompt)));
    }
    items.push(run('s', "Restart the agent", Action::Chat(ChatAction::Restart)));
    let diagnostic = diagnostic(domain, chat, entry);
    items.push(wish(
        'c',
        "Copy a diagnostic".into(),
        String::new(),
        MendWish::Copy(diagnostic),
    ));
    items.push(run('o', "Open the log", Action::Screen(ScreenAction::Log)));
    items
}

/// When the limit ends that it tells of, if that is yet to come.
fn resets(domain: &Domain, entry: &Entry) -> Option<Timestamp> {
    let Happened::Error { trouble, message, .. } = &entry.what else {
        return None;
    };
    let trouble = trouble.filter(|trouble| trouble.kind == TroubleKind::Limit)?;
    let said = || reset_time(message, entry.ts, domain.live.facts.zone);
    trouble.resets.or_else(said).filter(|at| *at > domain.now)
}

/// The prompt of the turn that it happened in.
fn prompt_of(view: &View, item: &TranscriptItem) -> Option<String> {
    let items = &view.transcript.items;
    let before = &items.list()[..items.position(item.key)];
    let in_turn = before.iter().rev().take_while(|before| before.turn == item.turn);
    in_turn.into_iter().find_map(|before| {
        let ItemKind::Prompt(entry) = &before.what else {
            return None;
        };
        let Happened::Prompt { text, .. } = &entry.what else {
            return None;
        };
        Some(text.clone())
    })
}

/// What somebody needs to know who is to help. Secrets are masked.
fn diagnostic(domain: &Domain, chat: &ChatId, entry: &Entry) -> String {
    let Happened::Error {
        place,
        message,
        hint,
        trouble,
    } = &entry.what
    else {
        return String::new();
    };
    let known = domain.disk.chats.get(chat);
    let llm = known.map_or("", |known| known.record.llm.as_str());
    let status = domain.status(chat);
    let mut lines = vec![
        format!("parlour {} · {llm}", domain.live.facts.version),
        format!("error in {place} at {}: {message}", String::from(entry.ts)),
    ];
    lines.extend(
        Some(hint)
            .filter(|hint| !hint.is_empty())
            .map(|hint| format!("hint: {hint}")),
    );
    lines.extend(trouble.map(|trouble| format!("kind: {}", trouble.kind.title())));
    lines.push(format!("status: {} {}", status.word(), status.detail()));
    lines.push("log:".into());
    let log = &domain.live.log;
    let last = log.iter().skip(log.len().saturating_sub(LOGGED));
    lines.extend(last.map(|line| format!("  {}", line.text)));
    without_secrets(&lines.join("\n"))
}

/// A person has chosen what to do.
pub fn carry_out(state: &mut State, client: ClientId, chat: &ChatId, mends: MendWish) -> Vec<Effect> {
    match mends {
        MendWish::Send(prompt) => send(state, client, chat, prompt, None),
        MendWish::GoOn(at) => {
            let zone = state.domain.live.facts.zone;
            let words = moment(at, state.domain.now, zone);
            let effects = send(state, client, chat, GO_ON.into(), Some(at));
            toast::tell(state, client, format!("It goes on at {words}."), Tone::Told);
            effects
        }
        MendWish::LogIn(again) => log_in(state, client, chat, again),
        MendWish::Copy(text) => {
            toast::tell(state, client, "The diagnostic is copied.", Tone::Told);
            vec![Effect::Clipboard(client, text)]
        }
    }
}

fn send(
    state: &mut State,
    client: ClientId,
    chat: &ChatId,
    text: String,
    not_before: Option<Timestamp>,
) -> Vec<Effect> {
    let env = state.views.get(&client).map(|view| view.client.env.clone());
    let written = WrittenPrompt {
        not_before,
        ..WrittenPrompt::new(text, PromptKind::Steer, env.unwrap_or_default())
    };
    composer::send_for(state, client, chat, written)
}

/// The CLI's own login, in a terminal beside the agent. One without that is told to log in, or asks when it starts.
fn log_in(state: &mut State, client: ClientId, chat: &ChatId, again: Option<String>) -> Vec<Effect> {
    let disk = &state.domain.disk;
    let llm = disk.chats.get(chat).map_or("", |known| &known.record.llm);
    if disk.login_of(llm).is_some() {
        return side::log_in(state, client, chat, again);
    }
    let command = disk.typed_login_of(llm).map(str::to_owned);
    let env = state.views.get(&client).map(|view| view.client.env.clone());
    let env = env.unwrap_or_default();
    let effects = match command {
        Some(command) => {
            let written = WrittenPrompt {
                is_command: true,
                ..WrittenPrompt::new(command, PromptKind::FollowUp, env)
            };
            composer::send_for(state, client, chat, written)
        }
        None => {
            let requester = Requester::Screen(ScreenRequest::from(client));
            restart::begin(&mut state.domain, chat, env, requester)
        }
    };
    if let Some(view) = state.views.get_mut(&client) {
        view.show(Tab::Terminal);
        view.mode = Mode::Agent;
    }
    effects
}

/// What troubles several chats at once, and which.
pub struct SharedTrouble {
    pub words: String,
    pub chats: Vec<ChatId>,
}

/// The trouble that the last row tells of, if several chats have the same.
pub fn shared(domain: &Domain) -> Option<SharedTrouble> {
    let (mut network, mut login) = (Vec::new(), Vec::new());
    for (chat, agent) in domain.live.agents.iter() {
        let trouble = agent
            .turn
            .trouble
            .as_ref()
            .filter(|_| agent.verdict.status.has_failed());
        match trouble.map(|trouble| trouble.kind) {
            Some(TroubleKind::Network) => network.push(chat.clone()),
            Some(TroubleKind::Login) => login.push(chat.clone()),
            Some(
                TroubleKind::Limit
                | TroubleKind::Overloaded
                | TroubleKind::Credit
                | TroubleKind::Model
                | TroubleKind::ContextFull
                | TroubleKind::Refused,
            )
            | None => {}
        }
    }
    let (words, chats) = match (network.len(), login.len()) {
        (count @ 2.., _) => (
            format!("{count} chats cannot reach their provider: is the network there?"),
            network,
        ),
        (_, count @ 2..) => (format!("{count} chats are not logged in"), login),
        (_, _) => return None,
    };
    Some(SharedTrouble { words, chats })
}
