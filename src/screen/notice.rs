//! What a person sees of what the domain tells.

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::notice::{Done, Notice, PointsNews};
use crate::domain::removal;
use crate::domain::state::Requester;
use crate::model::text::one_line;
use crate::model::{ChatId, ClientId, PaneId};
use crate::screen::State;

use super::view::{Tone, View};
use super::{changes, checkpoints, client, command, dialog, reading, side, toast};

pub fn on(state: &mut State, notice: Notice) -> Vec<Effect> {
    match notice {
        Notice::Done(request, done) => return on_done(state, request.client, done),
        Notice::Failed(request, problem) => dialog::failed(state, request.client, problem),
        Notice::AgentStarts(client) => reading::follow(state, client),
        Notice::News(text) => toast::tell_all(state, &text, Tone::Told),
        Notice::Trouble(text) => toast::tell_all(state, &text, Tone::Failed),
        Notice::ChatTrouble(chat, text) => {
            let looking = looking(state, |view| view.chat.as_ref() == Some(&chat));
            tell(state, looking, &text);
        }
        Notice::Shows(pane, before) => return reading::changed(state, &pane, before.as_deref()),
        Notice::FurtherBack(pane, client, screen) => return reading::arrived(state, &pane, client, screen),
        Notice::Copied(client, copied) => return reading::copied(state, client, copied),
        Notice::Bell(pane) => {
            let looking = match &pane {
                PaneId::Agent(chat) => looking(state, |view| view.chat.as_ref() == Some(chat)),
                PaneId::Side(number) => side::looking(state, *number),
            };
            return looking.into_iter().map(Effect::Ring).collect();
        }
        Notice::InputRefused(number) => {
            let text = "It does not read its input; what was typed last did not reach it.";
            let looking = side::looking(state, number);
            tell(state, looking, text);
        }
        Notice::SideOpened(client, number) => return side::opened(state, client, number),
        Notice::RunTakesPlace { number, of } => side::take_place(state, number, &of),
        Notice::SideClosed(number) => side::closed(state, number),
        Notice::SettingsRead => state.follow_settings(),
    }
    Vec::new()
}

fn on_done(state: &mut State, client: ClientId, done: Done) -> Vec<Effect> {
    match done {
        Done::ChatMade(chat) => return client::created(state, client, &chat),
        Done::Duplicated(notes) => toast::tell(state, client, notes.join("; "), Tone::Told),
        Done::Deleted(name) => dialog::deleted(state, client, &name),
        Done::Renamed(chat) => dialog::renamed(state, client, &chat),
        Done::Opened(chat) => dialog::opened(state, client, &chat),
        Done::Restored(chat) => return restored(state, client, chat),
        Done::Losses(chat, losses) => dialog::losses(state, client, &chat, losses),
        Done::Rechecked(chat, losses) => {
            if dialog::still_agreed(state, client, &chat, losses) {
                return removal::delete(&mut state.domain, &chat, Requester::screen(client));
            }
        }
        Done::Trash(list) => dialog::listed(state, client, list),
        Done::Purged => return dialog::purged(state, client),
        Done::Places(hints, roles) => {
            dialog::roles(state, client, roles);
            dialog::places(state, client, hints);
        }
        Done::NoPlaces => dialog::no_places(state, client),
        Done::Piece(chat, piece) => dialog::output::arrived(state, client, &chat, piece),
        Done::NoPiece => dialog::output::close(state, client),
        Done::Servers(chat, servers) => dialog::servers(state, client, &chat, servers),
        Done::Overview(chat, overview) => changes::arrived(state, client, &chat, overview),
        Done::FileDiff(chat, file) => changes::file_arrived(state, client, &chat, file),
        Done::Planned(chat, plan) => dialog::planned(state, client, &chat, plan),
        Done::Reverted(chat, reverted) => dialog::reverted(state, client, &chat, &reverted),
        Done::Remarks(chat, news) => return changes::marks::on(state, client, &chat, news),
        Done::CheckpointTaken(kept) => changes::taken(state, client, &kept),
        Done::Points(PointsNews::Listed(chat, list)) => checkpoints::arrived(state, client, &chat, list),
        Done::Points(PointsNews::Differs(chat, number, changes)) => {
            checkpoints::changes_arrived(state, client, &chat, (number, changes));
        }
        Done::Points(PointsNews::Failed(problem)) => checkpoints::failed(state, client, problem),
        Done::NoChanges(problem) => changes::failed(state, client, problem),
        Done::Detail(told) => return changes::detail::told(state, client, told),
        Done::AtomSaved => dialog::saved(state, client),
        Done::ScheduleKept(schedule) => dialog::kept(state, client, &schedule),
        Done::Unapproved(unapproved) => side::propose(state, client, *unapproved),
        Done::Approved(chat, project) => return side::approved(state, client, &chat, project),
        Done::CanRunAgain(chat, project) => return side::start(state, client, &chat, project),
    }
    Vec::new()
}

fn restored(state: &mut State, client: ClientId, id: ChatId) -> Vec<Effect> {
    dialog::restored(state, client);
    let name = state
        .domain
        .disk
        .chats
        .get(&id)
        .map(|known| one_line(chat::label(&state.domain, known), 60));
    let text = format!("Restored \"{}\".", name.unwrap_or_default());
    toast::tell(state, client, text, Tone::Told);
    command::show(state, client, id)
}

fn looking(state: &State, looks: impl Fn(&View) -> bool) -> Vec<ClientId> {
    let views = state.views.iter().filter(|(_, view)| looks(view));
    views.map(|(client, _)| *client).collect()
}

fn tell(state: &mut State, clients: Vec<ClientId>, text: &str) {
    for client in clients {
        toast::tell(state, client, text, Tone::Failed);
    }
}
