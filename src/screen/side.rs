//! The terminals beside an agent's, as a person goes to them: their editor, their shell, what they run.

use std::path::{Path, PathBuf};

use crate::domain::agent::FIRST_SIZE;
use crate::domain::auxiliary::{AuxiliaryProgram, Side, resize};
use crate::domain::effect::Effect;
use crate::domain::event::Size;
use crate::domain::notice::Unapproved;
use crate::domain::state::{Requester, ScreenRequest};
use crate::domain::{chat, edit, login, script};
use crate::model::output::{OpenedWith, OutputPlace};
use crate::model::{ChatId, ClientId, WorkId};
use crate::screen::State;

use super::dialog::{Halt, Halted, Proposed};
use super::keymap::ChatAction;
use super::late::{self, LatePlace};
use super::view::{BesideFrom, Focus, Mode, Tab, Tone, View};
use super::{dialogs, layout, toast};

/// The one that this person is shown in place of the agent's.
pub fn shown<'s>(state: &'s State, view: &View) -> Option<(WorkId, &'s Side)> {
    match view.tab {
        Tab::Side(number) => Some((number, state.domain.live.sides.get(&number)?)),
        Tab::Terminal | Tab::Sheet(_) => None,
    }
}

pub fn looking(state: &State, number: WorkId) -> Vec<ClientId> {
    let views = state.views.iter();
    let looking = views.filter(|(_, view)| view.tab == Tab::Side(number));
    looking.map(|(client, _)| *client).collect()
}

/// The one that this person types in.
pub(super) fn typed_in(state: &State, client: ClientId) -> Option<WorkId> {
    let view = state.views.get(&client)?;
    match (view.tab, view.mode) {
        (Tab::Side(number), Mode::Agent) => Some(number),
        (Tab::Side(_) | Tab::Terminal | Tab::Sheet(_), _) => None,
    }
}

/// Keys go there from now on.
pub fn enter(state: &mut State, client: ClientId, number: WorkId) -> Vec<Effect> {
    if let Some(view) = state.views.get_mut(&client)
        && view.tab != Tab::Side(number)
    {
        let from = match view.tab {
            Tab::Terminal if view.mode == Mode::Agent => Some(BesideFrom::Agent),
            Tab::Terminal => Some(BesideFrom::Terminal),
            Tab::Sheet(sheet) => Some(BesideFrom::Sheet(sheet)),
            Tab::Side(_) => None,
        };
        view.over.came_from = from.map(|from| (number, from));
    }
    show(state, client, number);
    let live = state.domain.live.sides.get(&number).is_some_and(Side::is_live);
    let Some(view) = state.views.get_mut(&client).filter(|_| live) else {
        return Vec::new();
    };
    view.mode = Mode::Agent;
    view.end_filter();
    let size = layout::pane_size(view);
    resize(&mut state.domain, number, client, size)
}

/// Shows its tab, outside of it.
pub fn show(state: &mut State, client: ClientId, number: WorkId) {
    if let Some(view) = state.views.get_mut(&client) {
        view.show(Tab::Side(number));
        view.mode = Mode::Outside;
        view.focus = Focus::Pane;
    }
}

/// It is there: whoever asked for it at a screen types in it from now on, unless they have gone on since.
pub fn opened(state: &mut State, request: ScreenRequest, number: WorkId) -> Vec<Effect> {
    let Some(side) = state.domain.live.sides.get(&number) else {
        return Vec::new();
    };
    let client = request.client;
    if let (Some(asked), Some(view)) = (request.number, state.views.get_mut(&client)) {
        view.over.drafts.program_opened(asked, number);
    }
    let comes = late::may_come(state, request, LatePlace::In(&side.chat));
    match (comes, &side.what) {
        (false, _) => point(state, client, number),
        (
            true,
            AuxiliaryProgram::Edit | AuxiliaryProgram::Page | AuxiliaryProgram::Shell | AuxiliaryProgram::LogIn { .. },
        ) => return enter(state, client, number),
        (true, AuxiliaryProgram::Run { .. }) => show(state, client, number),
    }
    Vec::new()
}

/// Whoever looked at what earlier runs left sees the new one.
pub fn take_place(state: &mut State, number: WorkId, of: &[WorkId]) {
    let looking: Vec<ClientId> = of.iter().flat_map(|older| looking(state, *older)).collect();
    for client in looking {
        show(state, client, number);
    }
}

/// Its tab has closed: whoever looked at it sees what they saw before, with the output from which they went to it, and types
/// in the agent if they came from there. What was on its way to the program is for nobody.
pub fn closed(state: &mut State, number: WorkId, chat: &ChatId) {
    let (now, lives) = (state.domain.now, state.domain.status(chat).is_live());
    for client in looking(state, number) {
        let Some(view) = state.views.get_mut(&client) else {
            continue;
        };
        let typed = view.mode == Mode::Agent;
        let from = view.over.came_from.take().filter(|(side, _)| *side == number);
        let from = from.map(|(_, from)| from);
        view.show(match from {
            Some(BesideFrom::Sheet(sheet)) => Tab::Sheet(sheet),
            Some(BesideFrom::Agent | BesideFrom::Terminal) | None => Tab::Terminal,
        });
        // What they did there may differ from what was compared.
        view.changes.refresh();
        if let Some(output) = view
            .over
            .drafts
            .output_again(number)
            .filter(|_| view.over.dialog.is_none())
        {
            view.over.dialog = Some(output.into());
        }
        match typed && from == Some(BesideFrom::Agent) && lives {
            true => view.over.guard.gave_back("the program in the tab has", now),
            false => {
                view.mode = Mode::Outside;
                if typed {
                    view.over.guard.closed("the program in the tab has", now);
                }
            }
        }
    }
}

/// It did not come before the eyes of whoever asked for it: they are told how to get there.
fn point(state: &mut State, client: ClientId, number: WorkId) {
    let Some(side) = state.domain.live.sides.get(&number) else {
        return;
    };
    let (what, action) = match side.what {
        AuxiliaryProgram::Edit => ("Your editor", Some(ChatAction::Edit)),
        AuxiliaryProgram::Page => ("Your pager", None),
        AuxiliaryProgram::Shell => ("Your shell", Some(ChatAction::Shell)),
        AuxiliaryProgram::LogIn { .. } => ("The login", None),
        AuxiliaryProgram::Run { .. } => ("What you run", Some(ChatAction::Run)),
    };
    let keymap = &state.keymap;
    let handle = chat::handle(&state.domain, &side.chat);
    let text = match action.map(|action| keymap.key(action)) {
        Some(key) => format!("{what} in {handle} is there: {} {key} shows it.", keymap.leader()),
        None => format!("{what} is there, in a tab of {handle}."),
    };
    toast::tell(state, client, text, Tone::Told);
}

/// What is shown belongs to the chat that is shown.
pub fn settle(state: &mut State, client: ClientId) {
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let Tab::Side(number) = view.tab else {
        return;
    };
    let there = state.domain.live.sides.get(&number);
    if there.is_none_or(|side| view.chat.as_ref() != Some(&side.chat)) {
        view.show(Tab::Terminal);
        // Keys that were meant for it are not for the agent.
        view.mode = Mode::Outside;
    }
}

/// As large as the pane of whoever wants it.
fn first_size(state: &State, client: ClientId) -> Size {
    state.views.get(&client).map_or(FIRST_SIZE, layout::pane_size)
}

/// Opens a person's editor or shell in a chat, or goes to the one that is open.
pub fn press_open(state: &mut State, client: ClientId, chat: &ChatId, with: OpenedWith) -> Vec<Effect> {
    if let Some(number) = edit::running(&state.domain, chat, with) {
        return enter(state, client, number);
    }
    let env = state.views.get(&client).map(|view| view.client.env.clone());
    let wanted = edit::WantedEditor {
        with,
        dir: None,
        file: None,
        leader: None,
        prompt: None,
        env: env.unwrap_or_default(),
        size: first_size(state, client),
    };
    let requester = state.requester(client);
    edit::open(&mut state.domain, chat, wanted, requester)
}

/// Opens a person's editor at a line of a file of a project.
pub fn edit_at(state: &mut State, client: ClientId, chat: &ChatId, project: String, at: (PathBuf, u32)) -> Vec<Effect> {
    let request = state.request(client);
    open_file(state, request, chat, OpenedWith::Editor, (Some(project), at))
}

/// Opens a person's editor at a file that the terminal names which this process leads, or that the transcript names.
pub fn edit_found(
    state: &mut State,
    client: ClientId,
    chat: &ChatId,
    at: (PathBuf, u32),
    leader: Option<u32>,
) -> Vec<Effect> {
    let request = state.request(client);
    let wanted = edit::WantedEditor {
        leader,
        ..opened_with(state, client, OpenedWith::Editor, (None, at))
    };
    open_one(state, request, chat, wanted)
}

/// Opens a call's whole output beside the agent.
pub fn open_output(state: &mut State, request: ScreenRequest, output: OutputPlace) -> Vec<Effect> {
    let record = state.domain.disk.home.join("records").join(output.chat.as_str());
    let at = (record.join(&output.file), output.line);
    open_file(state, request, &output.chat, output.with, (None, at))
}

/// Opens a file of the home beside the agent of the chat that is shown.
pub fn open_settings(state: &mut State, client: ClientId, (path, line): (&Path, u32)) -> Vec<Effect> {
    let Some(chat) = state.views.get(&client).and_then(|view| view.chat.clone()) else {
        let file = state.domain.disk.home.join(path);
        let text = format!(
            "Your editor opens beside a chat, and there is none yet: edit {} in a shell.",
            file.display()
        );
        toast::tell(state, client, text, Tone::Told);
        return Vec::new();
    };
    let file = state.domain.disk.home.join(path);
    let request = state.request(client);
    open_file(state, request, &chat, OpenedWith::Editor, (None, (file, line)))
}

/// An editor that is open already holds another file.
fn open_file(
    state: &mut State,
    request: ScreenRequest,
    chat: &ChatId,
    with: OpenedWith,
    (dir, at): (Option<String>, (PathBuf, u32)),
) -> Vec<Effect> {
    let wanted = opened_with(state, request.client, with, (dir, at));
    open_one(state, request, chat, wanted)
}

fn open_one(state: &mut State, request: ScreenRequest, chat: &ChatId, wanted: edit::WantedEditor) -> Vec<Effect> {
    let with = wanted.with;
    if with == OpenedWith::Editor && edit::running(&state.domain, chat, with).is_some() {
        let text = "Your editor is open in this chat already: end it, then press this key again.";
        toast::tell(state, request.client, text, Tone::Told);
        return Vec::new();
    }
    edit::open(&mut state.domain, chat, wanted, Requester::Screen(request))
}

fn opened_with(
    state: &State,
    client: ClientId,
    with: OpenedWith,
    (dir, at): (Option<String>, (PathBuf, u32)),
) -> edit::WantedEditor {
    let env = state.views.get(&client).map(|view| view.client.env.clone());
    edit::WantedEditor {
        with,
        dir,
        file: Some(at),
        leader: None,
        prompt: None,
        env: env.unwrap_or_default(),
        size: first_size(state, client),
    }
}

/// Opens a person's editor on a prompt that they write.
pub fn edit_prompt(state: &mut State, client: ClientId, chat: &ChatId, prompt: String) -> Vec<Effect> {
    let env = state.views.get(&client).map(|view| view.client.env.clone());
    let wanted = edit::WantedEditor {
        with: OpenedWith::Editor,
        dir: None,
        file: None,
        leader: None,
        prompt: Some(prompt),
        env: env.unwrap_or_default(),
        size: first_size(state, client),
    };
    let requester = state.requester(client);
    edit::open(&mut state.domain, chat, wanted, requester)
}

/// Asks before an editor or a shell is ended: what it has not saved is lost, and what runs in it ends.
pub fn ask_to_end(state: &mut State, client: ClientId, chat: &ChatId, with: OpenedWith) -> Vec<Effect> {
    let halt = Halt::new(&state.domain, chat, Halted::Beside(with));
    dialogs::open(state, client, halt)
}

/// Shows what is run in a chat, and starts it where it does not run.
pub fn press_run(state: &mut State, client: ClientId, chat: &ChatId) -> Vec<Effect> {
    let project = shown_project(state, client);
    match script::run_in(&state.domain, chat, project.clone()) {
        Some(number) if state.domain.live.sides.get(&number).is_some_and(Side::is_live) => {
            show(state, client, number);
            Vec::new()
        }
        Some(_) => Vec::new(),
        None => {
            let request = state.request(client);
            start(state, request, chat, project)
        }
    }
}

/// For whoever asked for it, be it that they had to agree first, or that an earlier run had to end.
pub fn start(state: &mut State, request: ScreenRequest, chat: &ChatId, project: Option<String>) -> Vec<Effect> {
    let client = request.client;
    let env = state.views.get(&client).map(|view| view.client.env.clone());
    let start = script::ScriptStart {
        order: script::run_of(project),
        env: env.unwrap_or_default(),
        size: first_size(state, client),
    };
    let requester = Requester::Screen(ScreenRequest {
        number: None,
        ..request
    });
    script::begin(&mut state.domain, chat, start, requester)
}

/// The project whose run this person looks at.
fn shown_project(state: &State, client: ClientId) -> Option<String> {
    let (_, side) = shown(state, state.views.get(&client)?)?;
    match &side.what {
        AuxiliaryProgram::Run { project } => project.clone(),
        AuxiliaryProgram::Edit | AuxiliaryProgram::Page | AuxiliaryProgram::Shell | AuxiliaryProgram::LogIn { .. } => {
            None
        }
    }
}

/// Opens the login of a chat's CLI.
pub fn log_in(state: &mut State, client: ClientId, chat: &ChatId, again: Option<String>) -> Vec<Effect> {
    let env = state.views.get(&client).map(|view| view.client.env.clone());
    let wanted = login::WantedLogin {
        again,
        env: env.unwrap_or_default(),
        size: first_size(state, client),
    };
    let requester = state.requester(client);
    login::begin(&mut state.domain, chat, wanted, requester)
}

/// Starts the run that a person looks at again, once it has ended where it has not; a login that went wrong likewise.
pub fn restart_shown(state: &mut State, client: ClientId, number: WorkId) -> Vec<Effect> {
    let side = state.domain.live.sides.get(&number);
    if let Some((chat, AuxiliaryProgram::LogIn { again })) = side.map(|side| (side.chat.clone(), side.what.clone())) {
        return log_in(state, client, &chat, again);
    }
    let request = state.request(client);
    if let Some(effects) = script::restart(&mut state.domain, request, number) {
        return effects;
    }
    let chat = state.domain.live.sides.get(&number).map(|side| side.chat.clone());
    let project = shown_project(state, client);
    chat.map(|chat| start(state, request, &chat, project))
        .unwrap_or_default()
}

/// Asks whoever wanted it to run, where they still look at its chat; else they are told why it does not.
pub fn propose(state: &mut State, request: ScreenRequest, unapproved: Unapproved) {
    let Unapproved {
        chat,
        proposal,
        problem,
    } = unapproved;
    if late::may_come(state, request, LatePlace::In(&chat)) {
        let proposed = Proposed::new(&state.domain, chat, proposal);
        dialogs::open(state, request.client, proposed);
    } else {
        dialogs::failed(state, request, problem);
    }
}
