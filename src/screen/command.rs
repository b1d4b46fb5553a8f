//! What each command does. Keys, the leader menu and the mouse all come here.

use crate::domain::agent::{compaction, restart};
use crate::domain::approval::queue::queue;
use crate::domain::auxiliary;
use crate::domain::creation;
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester};
use crate::domain::written_prompt::WrittenPrompt;
use crate::domain::{agent, ask, chat, query};
use crate::model::chat::{DirectoryPlace, ListMark};
use crate::model::output::OpenedWith;
use crate::model::query::Binding;
use crate::model::queue::PromptKind;
use crate::model::request::NewChat;
use crate::model::{ChatId, ClientId, Kind, PaneId, text};
use crate::screen::State;

use super::dialog::{
    self, Approvals, Delete, Dialog, DiskPage, ExplainPage, ExportForm, ForkQuestion, Help, Log, Palette, Project,
    Rename, Servers, SetupPage, SeveralAct, Trash, UsagePage,
};
use super::dialogs::open;
use super::going::{self, with_chat};
use super::keymap::{Action, ChatAction, ChatsAction, InspectorAction, MoveAction, PaneSheet, ScreenAction, TabAction};
use super::meaning::Meaning;
use super::tab::changes::choice::KeepChoice;
use super::tab::{changes, transcript};
use super::view::{Tone, View};
use super::{
    automations, composer, copy, ending, form_text, grid, inspector, installed, layout, listing, mending, moving,
    reading, resuming, roll_up, side, start, tab, toast, tour, typing, undelete,
};

pub fn run(state: &mut State, client: ClientId, action: Action) -> Vec<Effect> {
    if let Some(why) = refusal(state, client, action) {
        toast::tell(state, client, text::sentence(why), Tone::Told);
        return Vec::new();
    }
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    match Meaning::of(state, view, action) {
        Meaning::Named(action) => by_name(state, client, action),
        Meaning::FullCard => inspector::run(state, client, InspectorAction::Full),
        Meaning::StopMarked => listing::ask(state, client, SeveralAct::Stop),
        Meaning::DeleteMarked => listing::ask(state, client, SeveralAct::Delete),
        Meaning::BackToPrompt => inspector::go_back(state, client),
        Meaning::OutputInTranscript => transcript::open_output(state, client),
        Meaning::LinesInTranscript => with_chat(state, client, changes::card::show_changes),
    }
}

fn by_name(state: &mut State, client: ClientId, action: Action) -> Vec<Effect> {
    match action {
        Action::Chat(action) => on_chat(state, client, action),
        Action::Chats(action) => among_chats(state, client, action),
        Action::Keep(way) => changes::keep::chosen(state, client, KeepChoice::Way(way)),
        Action::Move(action) => moving::run(state, client, action),
        Action::Screen(action) => on_screen(state, client, action),
        Action::Leader(action) => typing::lead(state, client, action),
        Action::Ended(action) => typing::at_ended(state, client, action),
        Action::Tab(TabAction::CloseTab) => tab::close(state, client),
        Action::Filter(action) => moving::in_filter(state, client, action),
        Action::Composer(action) => composer::run(state, client, action),
        Action::Queued(action) => composer::on_chip(state, client, action),
        Action::Show(sheet) => with_chat(state, client, |state, client, _| tab::press(state, client, sheet)),
        Action::Sheet(action) => tab::run(state, client, action),
        Action::Copy(action) => copy::run(state, client, action),
        Action::Motion(motion) => copy::go_by(state, client, motion),
        Action::Inspector(action) => inspector::run(state, client, action),
        Action::Schedules(action) => automations::run(state, client, action),
        Action::Start(action) => start::run(state, client, action),
    }
}

fn on_chat(state: &mut State, client: ClientId, action: ChatAction) -> Vec<Effect> {
    match action {
        ChatAction::Enter => with_chat(state, client, going::enter),
        ChatAction::OpenProject => with_chat(state, client, |state, client, chat| {
            let project = Project::new(&state.domain, state.cwd_of(client), &chat);
            open(state, client, project)
        }),
        ChatAction::Rename => with_chat(state, client, |state, client, chat| {
            let rename = Rename::new(&state.domain, &chat);
            open(state, client, rename)
        }),
        ChatAction::Servers => with_chat(state, client, |state, client, chat| {
            let servers = Servers::new(&state.domain, &chat);
            open(state, client, servers)
        }),
        ChatAction::Explain => with_chat(state, client, explain),
        ChatAction::Compact => with_chat(state, client, compact),
        ChatAction::Export => with_chat(state, client, |state, client, chat| {
            let export = ExportForm::new(&state.domain, &state.cwd_of(client), &chat);
            open(state, client, export)
        }),
        ChatAction::Interrupt => with_chat(state, client, ending::interrupt),
        ChatAction::Stop => with_chat(state, client, ending::stop),
        ChatAction::StopTree => with_chat(state, client, ending::stop_tree),
        ChatAction::Restart => with_chat(state, client, ending::restart),
        ChatAction::Delete => with_chat(state, client, delete),
        ChatAction::Pin => listing::turn(state, client, ListMark::Pinned),
        ChatAction::Archive => listing::turn(state, client, ListMark::Archived),
        ChatAction::BindDir => with_chat(state, client, |state, client, chat| {
            let binding = Binding::To(chat, state.cwd_of(client));
            query::bind(&mut state.domain, binding, Requester::screen(client))
        }),
        ChatAction::Recreate => with_chat(state, client, recreate),
        ChatAction::Duplicate => with_chat(state, client, |state, client, chat| {
            let question = ForkQuestion::new(&state.domain, &chat);
            open(state, client, question)
        }),
        ChatAction::Fork => with_chat(state, client, |state, client, chat| {
            inspector::fork(state, client, &chat)
        }),
        ChatAction::Run => with_chat(state, client, |state, client, chat| {
            side::press_run(state, client, &chat)
        }),
        ChatAction::Edit => with_chat(state, client, |state, client, chat| {
            going::open_beside(state, client, &chat, OpenedWith::Editor)
        }),
        ChatAction::Shell => with_chat(state, client, |state, client, chat| {
            going::open_beside(state, client, &chat, OpenedWith::Shell)
        }),
    }
}

fn among_chats(state: &mut State, client: ClientId, action: ChatsAction) -> Vec<Effect> {
    match action {
        ChatsAction::NewChat => new_chat(state, client),
        ChatsAction::UndoDelete => undelete::undo(state, client),
        ChatsAction::Trash => open(state, client, Trash::default()),
        ChatsAction::Disk => open(state, client, DiskPage::default()),
        ChatsAction::SetupFiles => open(state, client, SetupPage::default()),
        ChatsAction::Usage => usage(state, client),
        ChatsAction::SearchAll => search_all(state, client),
        ChatsAction::ResumeAll => resuming::resume_all(state, client),
        ChatsAction::Approvals => approvals(state, client),
        ChatsAction::Automations => automations::toggle(state, client),
        ChatsAction::Filter => moving::filter(state, client),
        ChatsAction::NextWaiting => moving::next_waiting(state, client),
        ChatsAction::NextTroubled => moving::next_troubled(state, client),
        ChatsAction::Fold => with_chat(state, client, roll_up::toggle),
        ChatsAction::Mark => with_chat(state, client, listing::mark),
        ChatsAction::MarkAll => listing::mark_all(state, client),
        ChatsAction::Order => listing::order(state, client),
        ChatsAction::Groups => listing::groups(state, client),
        ChatsAction::Demo => demo(state, client, creation::demo),
        ChatsAction::DemoTeam => demo(state, client, creation::demo_team),
    }
}

fn on_screen(state: &mut State, client: ClientId, action: ScreenAction) -> Vec<Effect> {
    match action {
        ScreenAction::Zoom => moving::zoom(state, client),
        ScreenAction::Grid => grid::toggle(state, client),
        ScreenAction::Sidebar => moving::toggle_sidebar(state, client),
        ScreenAction::Inspector => {
            inspector::toggle(state, client);
            Vec::new()
        }
        ScreenAction::Beside => with_chat(state, client, |state, client, _| {
            transcript::toggle_beside(state, client)
        }),
        ScreenAction::Output => inspector::open_output(state, client),
        ScreenAction::CardChanges => with_chat(state, client, changes::card::show_changes),
        ScreenAction::TakeSize => take_size(state, client),
        ScreenAction::Redraw => vec![Effect::Redraw(client)],
        ScreenAction::Log => open(state, client, Log::default()),
        ScreenAction::Settings => {
            let page = state
                .views
                .get_mut(&client)
                .map(|view| view.over.drafts.settings_again());
            let effects = open(state, client, page.unwrap_or_default());
            [effects, installed::look_for_agents(state, client)].concat()
        }
        ScreenAction::Palette => open(state, client, Palette::default()),
        ScreenAction::Help => open(state, client, Help::default()),
        ScreenAction::Tour => tour::open(state, client),
        ScreenAction::Detach => vec![detach(state, client)],
        ScreenAction::HowToLeave => {
            let text = format!(
                "{} detaches, and agents run on.",
                state.leads(client, ScreenAction::Detach)
            );
            toast::tell(state, client, text, Tone::Told);
            Vec::new()
        }
    }
}

/// Its size follows by itself: who decides it is told anew after each event.
fn take_size(state: &mut State, client: ClientId) -> Vec<Effect> {
    match state.views.get(&client).and_then(View::pane) {
        Some(PaneId::Agent(chat)) => agent::take_size(&mut state.domain, &chat, client),
        Some(PaneId::Side(number)) => auxiliary::take_size(&mut state.domain, number, client),
        None => {}
    }
    Vec::new()
}

/// Why a command does nothing now, where it does not say so itself.
fn refusal(state: &State, client: ClientId, action: Action) -> Option<&'static str> {
    let is_silent = matches!(
        action,
        Action::Chats(ChatsAction::Fold | ChatsAction::ResumeAll | ChatsAction::NextTroubled)
            | Action::Screen(ScreenAction::TakeSize)
    );
    let view = state.views.get(&client).filter(|_| is_silent)?;
    why_not(state, view, action)
}

/// Why a command has nothing to work on now.
pub fn why_not(state: &State, view: &View, action: Action) -> Option<&'static str> {
    let action = match Meaning::of(state, view, action) {
        Meaning::Named(action) => action,
        Meaning::OutputInTranscript if view.transcript.selected.is_none() => return Some("nothing is selected"),
        Meaning::LinesInTranscript if transcript::call::selected(view).is_none() => return Some("no call is selected"),
        Meaning::FullCard
        | Meaning::StopMarked
        | Meaning::DeleteMarked
        | Meaning::BackToPrompt
        | Meaning::OutputInTranscript
        | Meaning::LinesInTranscript => return None,
    };
    let (possible, else_because) = match action {
        Action::Chat(action) => is_for_chat(state, view, action),
        Action::Chats(action) => is_among_chats(state, view, action),
        Action::Move(action) => is_to_move(state, view, action),
        Action::Screen(action) => match action {
            ScreenAction::Zoom | ScreenAction::Grid => (view.chat.is_some(), NO_CHAT),
            ScreenAction::Beside => (view.size.cols >= layout::ROOMY, "it takes 160 columns"),
            ScreenAction::Output | ScreenAction::CardChanges => {
                (layout::arrange(view).inspector.is_some(), "no cards are shown")
            }
            ScreenAction::TakeSize => (state.views.len() > 1, "no other window shows it"),
            ScreenAction::Sidebar
            | ScreenAction::Inspector
            | ScreenAction::Redraw
            | ScreenAction::Log
            | ScreenAction::Settings
            | ScreenAction::Palette
            | ScreenAction::Help
            | ScreenAction::Tour
            | ScreenAction::Detach
            | ScreenAction::HowToLeave => (true, ""),
        },
        Action::Show(_) => (view.chat.is_some(), NO_CHAT),
        Action::Keep(_) => (has_clones(state, view), "this chat has no clones"),
        Action::Sheet(action) => tab::is_possible(view, action),
        Action::Inspector(action) => inspector::is_possible(state, view, action),
        Action::Start(action) => start::is_possible(state, view, action),
        Action::Leader(_)
        | Action::Ended(_)
        | Action::Tab(_)
        | Action::Filter(_)
        | Action::Composer(_)
        | Action::Queued(_)
        | Action::Copy(_)
        | Action::Motion(_)
        | Action::Schedules(_) => (true, ""),
    };
    (!possible).then_some(else_because)
}

fn has_clones(state: &State, view: &View) -> bool {
    let chat = view.chat.as_ref().and_then(|chat| state.domain.disk.chats.get(chat));
    chat.is_some_and(|chat| chat.record.dirs.iter().any(|dir| dir.kind == Kind::Git))
}

const NO_CHAT: &str = "no chat is selected";

/// Whether there is something to work on, and else why not.
type Possible = (bool, &'static str);

fn is_for_chat(state: &State, view: &View, action: ChatAction) -> Possible {
    let chat = view.chat.as_ref();
    let live = chat.is_some_and(|chat| state.domain.status(chat).is_live());
    let gone = chat
        .and_then(|chat| state.domain.disk.chats.get(chat))
        .is_some_and(|chat| chat.place == DirectoryPlace::Gone);
    let beside = side::shown(state, view).is_some_and(|(_, side)| side.is_live());
    match action {
        ChatAction::Enter
        | ChatAction::OpenProject
        | ChatAction::Rename
        | ChatAction::Servers
        | ChatAction::Explain
        | ChatAction::Duplicate
        | ChatAction::Fork
        | ChatAction::Compact
        | ChatAction::Export
        | ChatAction::Restart
        | ChatAction::Delete
        | ChatAction::Pin
        | ChatAction::Archive
        | ChatAction::BindDir
        | ChatAction::Run
        | ChatAction::Edit
        | ChatAction::Shell => (chat.is_some(), NO_CHAT),
        ChatAction::Stop => (live || beside, "no agent runs here"),
        ChatAction::Interrupt => (live, "no agent runs here"),
        ChatAction::StopTree => (ending::tree_lives(state, chat), "no agent of this tree runs"),
        ChatAction::Recreate => (gone, "none has vanished"),
    }
}

fn is_among_chats(state: &State, view: &View, action: ChatsAction) -> Possible {
    match action {
        ChatsAction::Fold => (
            view.chat.as_ref().is_some_and(|chat| roll_up::is_foldable(state, chat)),
            "nothing is above or below it",
        ),
        ChatsAction::ResumeAll => (
            !restart::ended_with_the_engine(&state.domain).is_empty(),
            "no agent was stopped by the engine's end",
        ),
        ChatsAction::NextTroubled => (
            mending::shared(&state.domain).is_some(),
            "no trouble is shared by several chats",
        ),
        ChatsAction::NextWaiting
        | ChatsAction::Filter
        | ChatsAction::Mark
        | ChatsAction::MarkAll
        | ChatsAction::Order
        | ChatsAction::Groups => (has_chats(state), "there are no chats"),
        ChatsAction::NewChat
        | ChatsAction::UndoDelete
        | ChatsAction::Trash
        | ChatsAction::Disk
        | ChatsAction::SetupFiles
        | ChatsAction::Usage
        | ChatsAction::SearchAll
        | ChatsAction::Approvals
        | ChatsAction::Automations
        | ChatsAction::Demo
        | ChatsAction::DemoTeam => (true, ""),
    }
}

fn is_to_move(state: &State, view: &View, action: MoveAction) -> Possible {
    let text = reading::live(state, view).is_some() && view.tab.is_terminal();
    match action {
        MoveAction::Up | MoveAction::Down | MoveAction::First | MoveAction::Last => {
            (has_chats(state), "there are no chats")
        }
        MoveAction::ScrollUp
        | MoveAction::ScrollDown
        | MoveAction::HalfUp
        | MoveAction::HalfDown
        | MoveAction::CopyMode => (text, "no terminal is shown"),
        MoveAction::Links => (
            text || view.sheet() == Some(PaneSheet::Transcript),
            "neither a terminal nor the transcript is shown",
        ),
        MoveAction::ScrollEnd => (view.reading.top.is_some(), "it is at the newest line"),
        MoveAction::Jump => (false, "press the number itself"),
        MoveAction::ShutList => (
            moving::is_drawer_open(view) || view.shown_grid().is_some(),
            "the list lies over nothing",
        ),
        MoveAction::LastChat => (view.sidebar.last.is_some(), "you were at no other"),
        MoveAction::SwitchFocus => (true, ""),
    }
}

fn has_chats(state: &State) -> bool {
    !state.domain.disk.chats.is_empty()
}

fn new_chat(state: &mut State, client: ClientId) -> Vec<Effect> {
    let now = state.domain.now;
    let draft = state
        .views
        .get_mut(&client)
        .and_then(|view| view.over.drafts.chat_again(now));
    let new = draft.unwrap_or_else(|| {
        let mut new = Box::new(dialog::NewChat::new(&state.domain, state.cwd_of(client)));
        form_text::go_on(state, client, &mut new);
        new
    });
    open(state, client, Dialog::NewChat(new));
    installed::look_for_agents(state, client)
}

/// Why its status is what it is.
pub fn explain(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    let page = ExplainPage::new(&state.domain, &chat);
    open(state, client, page)
}

/// The CLI does it once the turn has ended; its transcript tells of it.
fn compact(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    let env = state.views.get(&client).map(|view| view.client.env.clone());
    let sent = compaction::command(&state.domain, &chat, "").and_then(|text| {
        let written = WrittenPrompt {
            is_command: true,
            ..WrittenPrompt::new(text, PromptKind::FollowUp, env.unwrap_or_default())
        };
        ask::send_written(&mut state.domain, &chat, written, Requester::screen(client))
    });
    sent.unwrap_or_else(|problem| {
        toast::tell(state, client, problem.to_string(), Tone::Failed);
        Vec::new()
    })
}

fn delete(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    let delete = Delete::new(&state.domain, &chat);
    open(state, client, delete)
}

/// What the chat that is shown used, and from there what all did.
fn usage(state: &mut State, client: ClientId) -> Vec<Effect> {
    let chat = state.views.get(&client).and_then(|view| view.chat.clone());
    open(state, client, UsagePage::new(chat))
}

/// With what was looked for last.
fn search_all(state: &mut State, client: ClientId) -> Vec<Effect> {
    let view = state.views.get_mut(&client);
    let search = view.map(|view| view.over.drafts.search_again());
    open(state, client, search.unwrap_or_default())
}

/// The chat that is shown comes first, if its agent asks something.
fn approvals(state: &mut State, client: ClientId) -> Vec<Effect> {
    if queue(&state.domain).is_empty() {
        toast::tell(state, client, "Nothing to approve.", Tone::Told);
        let now = state.domain.now;
        if let Some(view) = state.views.get_mut(&client) {
            view.over.guard.did_not_open(now);
        }
        return Vec::new();
    }
    let approvals = Approvals::new(question_of_shown(state, client), state.domain.now);
    open(state, client, approvals)
}

fn question_of_shown(state: &State, client: ClientId) -> Option<(ChatId, String)> {
    let chat = state.views.get(&client)?.chat.as_ref()?;
    let mut waiting = queue(&state.domain).into_iter();
    let waits = waiting.find(|waits| waits.chat == *chat)?;
    Some((waits.chat.clone(), waits.id().to_owned()))
}

fn recreate(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    let known = state.domain.disk.chats.get(&chat);
    if known.is_none_or(|chat| chat.place == DirectoryPlace::Here) {
        let gone = known.and_then(|chat| chat.gone_projects().find(|dir| dir.kind == Kind::Git));
        let words = match gone {
            Some(gone) => format!("A revert to a checkpoint makes {} again.", text::visible(&gone.name)),
            None => "The directory of this chat is where it was.".into(),
        };
        toast::tell(state, client, words, Tone::Told);
        return Vec::new();
    }
    chat::recreate(&mut state.domain, &chat, Requester::screen(client))
}

fn demo(state: &mut State, client: ClientId, begin: fn(&mut Domain, NewChat, Requester) -> Vec<Effect>) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let new = NewChat {
        cwd: view.client.cwd.clone(),
        env: view.client.env.clone(),
        ..NewChat::default()
    };
    let requester = state.requester(client);
    begin(&mut state.domain, new, requester)
}

fn detach(state: &State, client: ClientId) -> Effect {
    let live = state
        .domain
        .disk
        .chats
        .keys()
        .filter(|chat| state.domain.status(chat).is_live())
        .count();
    let running = match live {
        0 => "No agent is running".to_string(),
        1 => "One agent runs on".to_string(),
        many => format!("{many} agents run on"),
    };
    Effect::Bye(client, format!("Detached. {running}; `parlour` brings you back."))
}
