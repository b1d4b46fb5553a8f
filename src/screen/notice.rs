//! What a person sees of what the domain tells.

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::notice::{Done, NotedNews, Notice};
use crate::domain::state::ScreenRequest;
use crate::model::review::{Reverted, RevertedProject};
use crate::model::text::{one_line, visible};
use crate::model::{ChatId, ClientId, PaneId};
use crate::screen::State;

use super::dialog::Dialog;
use super::keymap::{Action, ChangesAction, ChatsAction, SheetAction};
use super::late::{self, LatePlace};
use super::sidebar::DeletedTogether;
use super::tab::{board, changes, checkpoints};
use super::view::{Tone, View};
use super::{client, composer, copy, dialogs, going, links, numbers, reading, side, tab, toast, undelete};

pub fn on(state: &mut State, notice: Notice) -> Vec<Effect> {
    match notice {
        Notice::Done(request, done) => return on_done(state, request, done),
        Notice::Failed(request, problem) if composer::failed(state, request, &problem) => {}
        Notice::Failed(request, problem) => dialogs::failed(state, request, problem),
        Notice::AgentStarts(client) => reading::follow(state, client),
        Notice::News(text) => toast::tell_all(state, &text, Tone::Told),
        Notice::Trouble(text) => toast::tell_all(state, &text, Tone::Failed),
        Notice::ChatTrouble(chat, text) => {
            let looking = looking(state, |view| view.chat.as_ref() == Some(&chat));
            tell(state, looking, &text);
        }
        Notice::Shows(pane, before) => return reading::changed(state, &pane, before.as_deref()),
        Notice::FurtherBack(pane, client, screen) => {
            if reading::arrived(state, &pane, client, screen) {
                return copy::came(state, client);
            }
        }
        Notice::Copied(client, copied) => return reading::copied(state, client, copied),
        Notice::Found(pane, client, found) => return copy::search::found(state, client, &pane, found),
        Notice::Bell(pane) => {
            let looking = match &pane {
                PaneId::Agent(chat) => looking(state, |view| view.chat.as_ref() == Some(chat)),
                PaneId::Side(number) => side::looking(state, *number),
            };
            return looking.into_iter().map(Effect::Ring).collect();
        }
        Notice::SetsClipboard(chat, text) => return set_clipboard(state, &chat, text),
        Notice::Alert(alert) => {
            return main_terminal(state)
                .map(|client| Effect::Alert(client, alert))
                .into_iter()
                .collect();
        }
        Notice::InputRefused(number) => {
            let text = "It does not read its input; what was typed last did not reach it.";
            let looking = side::looking(state, number);
            tell(state, looking, text);
        }
        Notice::SideOpened(request, number) => return side::opened(state, request, number),
        Notice::RunTakesPlace { number, of } => side::take_place(state, number, &of),
        Notice::SideClosed(number, chat) => side::closed(state, number, &chat),
        Notice::PromptEdited(client, chat, text) => composer::edited(state, client, &chat, &text),
        Notice::SettingsRead => state.follow_settings(),
    }
    Vec::new()
}

/// One terminal calls: the one that says that it has the focus, else the one in which somebody was last.
fn main_terminal(state: &State) -> Option<ClientId> {
    let terminals = state.views.iter();
    let terminals = terminals.map(|(client, view)| (view.attention.nearness(), *client));
    terminals.max().map(|(_, client)| client)
}

/// Those who look at the chat get it; if nobody does, the terminal that is typed in.
fn set_clipboard(state: &mut State, chat: &ChatId, text: String) -> Vec<Effect> {
    let mut clients = looking(state, |view| view.chat.as_ref() == Some(chat));
    if clients.is_empty() {
        clients.extend(main_terminal(state));
    }
    let known = state.domain.disk.chats.get(chat);
    let name = known.map(|known| one_line(chat::label(&state.domain, known), 40));
    let count = text.chars().count();
    let characters = if count == 1 { "character" } else { "characters" };
    let told = format!("{} copied {count} {characters}.", name.unwrap_or_default());
    for client in &clients {
        toast::tell(state, *client, told.clone(), Tone::Told);
    }
    clients
        .into_iter()
        .map(|client| Effect::Clipboard(client, text.clone()))
        .collect()
}

/// The dialog that waits for it hears of it first; what else is seen of it follows.
fn on_done(state: &mut State, request: ScreenRequest, done: Done) -> Vec<Effect> {
    let client = request.client;
    let (ended, mut effects) = dialogs::input::answered(state, request, &done);
    let request = match ended {
        // Whoever still waited in its dialog has not gone on, whatever they pressed there.
        Some(_) => ScreenRequest {
            asked: state.request(client).asked,
            ..request
        },
        None => request,
    };
    match done {
        Done::ChatMade(chat) => effects.extend(client::created(state, request, &chat)),
        Done::Duplicated(notes) => toast::tell(state, client, notes.join("; "), Tone::Told),
        Done::Deleted(name) => effects.extend(deleted(state, client, &name)),
        Done::NothingDeletedSince => effects.extend(undelete::unarchive(state, client)),
        Done::Restored(chat) => effects.extend(restored(state, request, chat)),
        Done::Shown(shown) => effects.extend(tab::arrived(state, client, shown)),
        Done::NotShown(read, problem) => effects.extend(tab::failed(state, client, read, problem)),
        Done::Overview(chat, overview) => changes::arrived(state, client, &chat, overview),
        Done::FileDiff(chat, file) => changes::file_arrived(state, client, &chat, file),
        Done::Reverted(chat, reverted) => {
            let undoes = matches!(&ended, Some(Dialog::Revert(question)) if question.undoes());
            reverted_to(state, client, (&chat, &reverted), undoes);
        }
        Done::Remarks(chat, news) => effects.extend(changes::line_keys::on(state, client, &chat, news)),
        Done::Kept(news) => changes::keep::told(state, client, news),
        Done::CheckpointTaken(kept) => changes::taken(state, client, &kept),
        Done::Points(chat, news) => checkpoints::told(state, client, &chat, news),
        Done::NoChanges(chat, problem) => changes::failed(state, client, &chat, problem),
        Done::Detail(told) => effects.extend(changes::detail::told(state, request, told)),
        Done::AtomSaved => {
            if let Some(Dialog::AtomForm(atom)) = ended {
                board::select(state, client, Some(atom.key()));
            }
        }
        Done::ScheduleKept(schedule) => {
            let view = state.views.get_mut(&client);
            let page = view.and_then(|view| view.over.automations.as_mut());
            if let (Some(page), Some(Dialog::Schedule(_))) = (page, ended) {
                page.at = Some(schedule);
            }
        }
        Done::Unapproved(unapproved) => side::propose(state, request, *unapproved),
        Done::Approved(chat, project) | Done::CanRunAgain(chat, project) => {
            effects.extend(side::start(state, request, &chat, project));
        }
        Done::Noted(news) => effects.extend(noted(state, client, news)),
        Done::Changed(_) => composer::told(state, request),
        // Only dialogs have a use for these.
        Done::Rules(_)
        | Done::Opened(_)
        | Done::Losses(..)
        | Done::Rechecked(..)
        | Done::Disk(_)
        | Done::Servers(..)
        | Done::Planned(..) => {}
    }
    effects
}

/// What is checked out by now, and where branches are.
fn moved_refs(project: &RevertedProject) -> impl Iterator<Item = String> {
    let name = visible(&project.project);
    let of = name.clone();
    let branches = project.branches.iter().filter_map(move |branch| {
        let to = branch.to.as_deref()?;
        let branch = visible(&branch.name);
        Some(format!("{branch} of {of} is at {}", to.get(..7).unwrap_or(to)))
    });
    let head = project.head.iter();
    head.map(move |(_, to)| format!("{name} is on {}", visible(to)))
        .chain(branches)
}

/// It was gone back: the tab compares again.
fn reverted_to(state: &mut State, client: ClientId, (chat, reverted): (&ChatId, &Reverted), undoes: bool) {
    let files: usize = reverted.projects.iter().map(|project| project.changes.len()).sum();
    let moved = reverted
        .projects
        .iter()
        .flat_map(moved_refs)
        .collect::<Vec<_>>()
        .join(", ");
    let mut what = match files {
        0 if reverted.talk.is_some() => " in the conversation; no file changed".into(),
        0 if !moved.is_empty() => String::new(),
        1 => ": 1 file changed".into(),
        many => format!(": {many} files changed"),
    };
    if !moved.is_empty() {
        what += if what.is_empty() { ": " } else { "; " };
        what += &moved;
    }
    // As `give_back` puts it there.
    let is_written = |draft: &str| !draft.trim_end().is_empty();
    let known = state.domain.disk.chats.get(chat);
    let is_free = known.is_some_and(|known| !is_written(&known.record.set.draft)) && reverted.waiting.is_empty();
    let talk = reverted.talk.as_ref().filter(|talk| is_free && talk.shown.is_empty());
    if let (Some(prompt), Some(view)) = (talk.and_then(|talk| talk.prompt.as_ref()), state.views.get_mut(&client)) {
        view.composer.put_back = Some((chat.clone(), prompt.trim_end().to_owned()));
        what += "; the prompt is in the composer";
    }
    let undo = Action::Sheet(SheetAction::Changes(ChangesAction::UndoRevert));
    let text = match undoes {
        true => format!("The revert is undone{what}."),
        // The same key means something else where the person may have gone by then.
        false => format!("Went back{what}. {} in Changes undoes it.", state.keymap.key(undo)),
    };
    toast::tell(state, client, text, Tone::Told);
    if let Some(view) = state.views.get_mut(&client) {
        view.changes.refresh();
        view.checkpoints.refresh();
    }
}

fn noted(state: &mut State, client: ClientId, news: NotedNews) -> Vec<Effect> {
    let text = match news {
        NotedNews::AllowedAlways(rule) => format!("config.json allows {} from now on.", one_line(&rule, 80)),
        NotedNews::Trusted => "config.json lets Claude Code trust parlour's folder of chats: `trust`.".into(),
        NotedNews::Bound(bound) => {
            if let Some(view) = state.views.get_mut(&client) {
                view.client.bound = Some(bound.clone());
            }
            let known = state.domain.disk.chats.get(&bound);
            let name = known.map(|known| one_line(chat::label(&state.domain, known), 60));
            let dir = state.cwd_of(client);
            let dir = one_line(&dir.to_string_lossy(), 200);
            format!("`parlour` in {dir} opens {} from now on.", name.unwrap_or_default())
        }
        NotedNews::Browsed(url, problem) => return links::browsed(state, client, url, problem.as_ref()),
    };
    toast::tell(state, client, text, Tone::Told);
    Vec::new()
}

fn deleted(state: &mut State, client: ClientId, name: &str) -> Vec<Effect> {
    let chats = &state.domain.disk.chats;
    if let Some(view) = state.views.get_mut(&client) {
        view.sidebar.deleted.at = Some(state.domain.now);
        // They deleted what they typed in. The neighbour that is selected then is not what they type in.
        if view.chat.as_ref().is_some_and(|chat| !chats.contains_key(chat)) {
            view.stop_typing();
        }
    }
    let back = undelete::restore_late(state, client);
    if !back.is_empty() {
        return back;
    }
    let key = |action: ChatsAction| state.leads(client, action);
    let (undo, list) = (key(ChatsAction::UndoDelete), key(ChatsAction::Trash));
    let together = state.views.get(&client).map_or(0, |view| match &view.sidebar.deleted {
        DeletedTogether { comes_back: true, .. } => 0,
        deleted => deleted.chats.len(),
    });
    // The same words again take the place of the first.
    let text = match together {
        0 => format!("Deleted {name}. {undo} restores it, {list} shows the trash."),
        many => format!("Deleted {many} chats. {undo} restores them, {list} shows the trash."),
    };
    toast::tell(state, client, text, Tone::Told);
    Vec::new()
}

/// It is shown to whoever asked for it and has not gone on.
fn restored(state: &mut State, request: ScreenRequest, id: ChatId) -> Vec<Effect> {
    let together = state.views.get(&request.client).map(|view| &view.sidebar.deleted);
    let together = together.filter(|deleted| deleted.comes_back && deleted.chats.contains(&id));
    if let Some(deleted) = together {
        let text = format!("Restored {} chats.", deleted.chats.len());
        let is_first = deleted.chats.first() == Some(&id);
        toast::tell(state, request.client, text, Tone::Told);
        let shows = is_first && late::may_come(state, request, LatePlace::OfItsOwn);
        return match shows {
            true => going::show(state, request.client, id),
            false => Vec::new(),
        };
    }
    let known = state.domain.disk.chats.get(&id);
    let name = known.map(|known| one_line(chat::label(&state.domain, known), 60));
    let name = name.unwrap_or_default();
    let number = numbers::successor(state, &id).and_then(|(number, other)| {
        let other = one_line(chat::label(&state.domain, state.domain.disk.chats.get(other)?), 60);
        Some(format!(" Number {number} leads to \"{other}\" now."))
    });
    let number = number.unwrap_or_default();
    let (text, comes) = match late::may_come(state, request, LatePlace::OfItsOwn) {
        true => (format!("Restored \"{name}\".{number}"), Some(id)),
        false => (format!("Restored \"{name}\": it is in the list.{number}"), None),
    };
    toast::tell(state, request.client, text, Tone::Told);
    comes.map_or_else(Vec::new, |id| going::show(state, request.client, id))
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
