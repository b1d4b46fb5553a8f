//! Who looks elsewhere is called when an agent asks something, is done or fails.

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::notice::Notice;
use crate::domain::state::Domain;
use crate::model::alert::{Alert, AlertKind};
use crate::model::text::one_line;
use crate::model::{ChatId, Status, Timestamp};

use super::obstacle::{TIMED, first_obstacle};
use super::state::Agent;
use super::state::outbox::Obstacle;

/// Letters of a question or reason.
const LONGEST: usize = 200;

/// Its status has changed. Nobody is called for what they did themselves.
pub fn tell(state: &mut Domain, chat: &ChatId, before: &Status) -> Vec<Effect> {
    let Some(kind) = kind(state, chat, before) else {
        return Vec::new();
    };
    let known = state.disk.chats.get(chat).filter(|_| kind == AlertKind::Done);
    if let Some(words) = known.and_then(|known| chat::blocked(state, known)) {
        return call(state, chat, AlertKind::NeedsYou, one_line(&words, LONGEST));
    }
    let text = match kind {
        AlertKind::Done => String::new(),
        AlertKind::NeedsYou | AlertKind::Failed | AlertKind::Limit => {
            one_line(&chat::near(state, chat, &state.detail(chat)), LONGEST)
        }
    };
    call(state, chat, kind, text)
}

/// Calls whoever wants to be called for it, and whose screen with the focus does not show the chat.
pub fn call(state: &mut Domain, chat: &ChatId, kind: AlertKind, text: String) -> Vec<Effect> {
    let settings = &state.disk.settings.notify;
    let known = state.disk.chats.get(chat).filter(|_| settings.on.contains(&kind));
    let is_watched = state.live.attention.watched.contains(chat);
    let Some(known) = known.filter(|_| !is_watched) else {
        return Vec::new();
    };
    let project = known.projects.first();
    let alert = Alert {
        kind,
        chat: chat.clone(),
        name: one_line(chat::label(state, known), LONGEST),
        project: project.map(|project| project.name.clone()),
        branch: project.and_then(|project| project.branch.clone()),
        text,
    };
    let command = settings.command.clone();
    state.notices.push(Notice::Alert(alert.clone()));
    command
        .map(|command| Effect::Notify { command, alert })
        .into_iter()
        .collect()
}

fn kind(state: &Domain, chat: &ChatId, before: &Status) -> Option<AlertKind> {
    let agent = state.live.agents.get(chat)?;
    let was_at_work = matches!(before, Status::Running(_) | Status::Retrying(_));
    let is_own_wish = !agent.at_end.is_empty();
    let reports = || {
        let record = state.disk.chats.get(chat).map(|chat| &chat.record);
        record.is_some_and(|record| record.parent.is_some())
    };
    match &agent.verdict.status {
        Status::NeedsYou(_) => Some(AlertKind::NeedsYou),
        Status::Limited(_) | Status::LoggedOut(_) => Some(AlertKind::Limit),
        Status::Error(_) => Some(AlertKind::Failed),
        Status::Exited(_) if was_at_work && !is_own_wish => Some(AlertKind::Failed),
        Status::Idle(_) if goes_on(agent, state.now) => None,
        Status::Idle(_) if was_at_work && agent.was_asked() && !reports() => Some(AlertKind::Done),
        Status::Idle(_)
        | Status::Exited(_)
        | Status::Starting
        | Status::Running(_)
        | Status::Retrying(_)
        | Status::Hibernated
        | Status::Unknown(_) => None,
    }
}

/// A prompt waits that goes by itself: it is not done. One that waits for a person, or for its time, is no work for now.
fn goes_on(agent: &Agent, now: Timestamp) -> bool {
    if agent.outbox.typing.is_some() {
        return true;
    }
    let waits = !agent.outbox.queue.is_empty();
    waits
        && match first_obstacle(agent, now) {
            None | Some(Obstacle::Reason(_)) => true,
            Some(Obstacle::Until(_, why)) => why != TIMED,
            Some(Obstacle::Person(_)) => false,
        }
}
