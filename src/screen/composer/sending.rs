//! A prompt leaves the field for the queue of its chat's agent, by the way that `parlour send` goes. What it names is put
//! below it first.

use crate::domain::ask;
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester, ScreenRequest};
use crate::domain::written_prompt::WrittenPrompt;
use crate::model::agent::CliCommand;
use crate::model::compose::{ComposerAsk, PromptAttachment, attachments};
use crate::model::queue::{PromptKind, TakenBack};
use crate::model::{ChatId, ClientId, Problem, RequestId, Timestamp};
use crate::screen::State;

use super::super::view::{Focus, Mode, Tab};
use super::asking;
use super::completion;
use super::data::{ComposerView, LeftDraft, PromptHistory, SendingPrompt, joined};

/// What is in the field is sent, and leaves it. What waited before is of its own kind still, unless the key is the other
/// one.
pub(super) fn send(state: &mut State, client: ClientId, kind: PromptKind) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let composer = &mut view.composer;
    let text = composer.field.text();
    if text.trim().is_empty() || composer.of.is_none() {
        return Vec::new();
    }
    let (draft, taken_back) = match std::mem::take(&mut composer.history) {
        PromptHistory::Shown { draft, .. } => (draft, None),
        PromptHistory::Left | PromptHistory::Sought | PromptHistory::Retried => {
            (String::new(), composer.taken_back.take())
        }
    };
    composer.field.set(&draft);
    let taken_back = taken_back.map(|waited| match kind {
        PromptKind::Steer => waited,
        PromptKind::FollowUp => waited.turned(),
    });
    let kind = taken_back.as_ref().map_or(kind, TakenBack::kind);
    send_as(state, client, (text, taken_back), kind)
}

/// It is back in the field where that fails.
pub(super) fn send_text(state: &mut State, client: ClientId, text: String, kind: PromptKind) -> Vec<Effect> {
    send_as(state, client, (text, None), kind)
}

fn send_as(
    state: &mut State,
    client: ClientId,
    (text, taken_back): (String, Option<TakenBack>),
    kind: PromptKind,
) -> Vec<Effect> {
    let number = state.domain.ids.request();
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let Some(chat) = view.composer.of.clone() else {
        return Vec::new();
    };
    view.composer.problem = None;
    view.composer.sending.push(SendingPrompt {
        request: number,
        chat: chat.clone(),
        text: text.clone(),
        taken_back,
    });
    // What is sent is read where it appears.
    view.transcript.follow();
    let request = ScreenRequest::from(client).numbered(number);
    if completion::is_of_shell(&state.domain, Some(&chat)) {
        return submit(state, request, &chat, text, kind);
    }
    if let Some(command) = command_of(&state.domain, &chat, &text).cloned() {
        return run(state, request, &chat, text, &command);
    }
    match named(&state.domain, &text) {
        Ok(None) => submit(state, request, &chat, text, kind),
        Ok(Some(chats)) => asking::ask(
            state,
            client,
            ComposerAsk::Attach {
                number,
                kind,
                text,
                chats,
            },
        ),
        Err(problem) => {
            failed(state, request, &problem);
            Vec::new()
        }
    }
}

/// What does not come from the field. It is in the field, too, where it cannot be stored.
pub fn send_for(state: &mut State, client: ClientId, chat: &ChatId, written: WrittenPrompt) -> Vec<Effect> {
    let number = state.domain.ids.request();
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    view.composer.sending.push(SendingPrompt {
        request: number,
        chat: chat.clone(),
        text: written.text.clone(),
        taken_back: None,
    });
    let request = ScreenRequest::from(client).numbered(number);
    hand_over(state, request, chat, written).unwrap_or_default()
}

/// The prompt with what it names is there.
pub(super) fn attached(
    state: &mut State,
    client: ClientId,
    (number, kind): (RequestId, PromptKind),
    text: String,
) -> Vec<Effect> {
    let view = state.views.get(&client);
    let sending = view.and_then(|view| view.composer.sending.iter().find(|sending| sending.request == number));
    let Some(chat) = sending.map(|sending| sending.chat.clone()) else {
        return Vec::new();
    };
    let request = ScreenRequest::from(client).numbered(number);
    submit(state, request, &chat, text, kind)
}

fn submit(state: &mut State, request: ScreenRequest, chat: &ChatId, text: String, kind: PromptKind) -> Vec<Effect> {
    let view = state.views.get(&request.client);
    let env = view.map(|view| view.client.env.clone());
    let mut sending = view.into_iter().flat_map(|view| &view.composer.sending);
    let sending = sending.find(|sending| Some(sending.request) == request.number);
    let written = WrittenPrompt {
        taken_back: sending.and_then(|sending| sending.taken_back.clone()),
        ..WrittenPrompt::new(text, kind, env.unwrap_or_default())
    };
    hand_over(state, request, chat, written).unwrap_or_default()
}

/// A command of the CLI is typed as it is. What it shows is in its terminal.
fn run(state: &mut State, request: ScreenRequest, chat: &ChatId, text: String, command: &CliCommand) -> Vec<Effect> {
    let env = state.views.get(&request.client).map(|view| view.client.env.clone());
    let text = text.trim_end().to_owned();
    let written = WrittenPrompt {
        is_command: true,
        ..WrittenPrompt::new(text, PromptKind::FollowUp, env.unwrap_or_default())
    };
    let Some(effects) = hand_over(state, request, chat, written) else {
        return Vec::new();
    };
    if let Some(view) = state.views.get_mut(&request.client)
        && command.opens
    {
        view.show(Tab::Terminal);
        (view.mode, view.focus) = (Mode::Outside, Focus::Pane);
    }
    effects
}

/// `None`: it is refused, and back in the field.
fn hand_over(state: &mut State, request: ScreenRequest, chat: &ChatId, written: WrittenPrompt) -> Option<Vec<Effect>> {
    let requester = Requester::Screen(request);
    match ask::send_written(&mut state.domain, chat, written, requester) {
        Ok(effects) => Some(effects),
        Err(problem) => {
            failed(state, request, &problem);
            None
        }
    }
}

/// The command of its CLI that a text is: one line that begins with its name.
fn command_of<'s>(domain: &'s Domain, chat: &ChatId, text: &str) -> Option<&'s CliCommand> {
    let text = text.trim_end();
    let name = text
        .split_whitespace()
        .next()
        .filter(|_| !text.contains('\n') && text.starts_with('/'))?;
    let llm = &domain.disk.chats.get(chat)?.record.llm;
    domain
        .disk
        .commands
        .get(llm)?
        .iter()
        .find(|command| command.name == name)
}

/// The chats that a prompt names; none where it names nothing that is put below it.
fn named(domain: &Domain, text: &str) -> Result<Option<Vec<(String, ChatId)>>, Problem> {
    let named = attachments(text);
    let chat = |named: &PromptAttachment| match named {
        PromptAttachment::Chat(handle) => Some(domain.find(handle).map(|chat| (handle.clone(), chat))),
        PromptAttachment::Todos | PromptAttachment::Diff => None,
    };
    let chats: Result<Vec<(String, ChatId)>, Problem> = named.iter().filter_map(chat).collect();
    Ok(Some(chats?).filter(|_| !named.is_empty()))
}

/// What was asked for is done: a prompt is stored, or a draft is.
pub fn told(state: &mut State, request: ScreenRequest) {
    let now = state.domain.now;
    let (Some(request), Some(view)) = (request.number, state.views.get_mut(&request.client)) else {
        return;
    };
    let composer = &mut view.composer;
    composer.drafts.saving.take_if(|saving| saving.request == request);
    composer.changing.retain(|changing| *changing != request);
    if let Some(sent) = composer.take_sent(request) {
        // The draft that is on disk may have it still.
        composer.write_down(&sent.chat, now);
    }
}

/// It could not be done: the text is back in the field, or among the drafts of its chat. Says whether the composer tells
/// why: of a prompt for a chat that is not written for now, it does not.
pub fn failed(state: &mut State, request: ScreenRequest, problem: &Problem) -> bool {
    let now = state.domain.now;
    let (Some(request), Some(view)) = (request.number, state.views.get_mut(&request.client)) else {
        return false;
    };
    let composer = &mut view.composer;
    if let Some(saving) = composer.drafts.saving.take_if(|saving| saving.request == request) {
        composer.problem = Some(problem.clone()).filter(|_| composer.of.as_ref() == Some(&saving.chat));
        return true;
    }
    if let Some(at) = composer.changing.iter().position(|changing| *changing == request) {
        composer.changing.remove(at);
        composer.problem = Some(problem.clone());
        return true;
    }
    let Some(lost) = composer.take_sent(request) else {
        return false;
    };
    let is_here = composer.of.as_ref() == Some(&lost.chat);
    if is_here {
        let text = joined([lost.text, composer.written()]);
        composer.history = PromptHistory::Left;
        composer.field.set(&text);
        composer.taken_back = composer.taken_back.take().or(lost.taken_back);
        composer.problem = Some(problem.clone());
    } else {
        let known = state.domain.disk.chats.get(&lost.chat);
        let known = known.map_or("", |known| &known.record.set.draft);
        // What is on disk may have it already.
        let rest = known.strip_prefix(&lost.text).unwrap_or(known).trim_start_matches('\n');
        let left = composer
            .drafts
            .left
            .entry(lost.chat.clone())
            .or_insert_with(|| LeftDraft {
                text: rest.to_owned(),
                is_due: true,
            });
        left.text = joined([lost.text, std::mem::take(&mut left.text)]);
    }
    composer.write_down(&lost.chat, now);
    is_here
}

impl ComposerView {
    /// What is in the field waited before, and goes back there.
    pub fn edited(&self) -> Option<&TakenBack> {
        let is_shown = !matches!(self.history, PromptHistory::Shown { .. });
        self.taken_back.as_ref().filter(|_| is_shown)
    }

    /// The command of its CLI that is in the field.
    pub fn command<'s>(&self, domain: &'s Domain) -> Option<&'s CliCommand> {
        // Only one line is one.
        let [line] = self.field.lines() else { return None };
        command_of(domain, self.of.as_ref()?, line)
    }

    fn take_sent(&mut self, request: RequestId) -> Option<SendingPrompt> {
        let at = self.sending.iter().position(|sending| sending.request == request)?;
        Some(self.sending.remove(at))
    }

    /// The draft of this chat is written down at once.
    fn write_down(&mut self, chat: &ChatId, now: Timestamp) {
        match self.of.as_ref() == Some(chat) {
            true => self.drafts.due = Some(now),
            false => {
                let left = self.drafts.left.get_mut(chat);
                left.into_iter().for_each(|left| left.is_due = true);
            }
        }
    }
}
