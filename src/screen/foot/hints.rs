//! Which keys matter now, for each surface.

use crossterm::event::{KeyCode, KeyEvent};

use crate::domain::agent::state::Agent;
use crate::domain::auxiliary::{AuxiliaryProgram, Side};
use crate::model::queue::{PromptKind, TakenBack};
use crate::model::{Chat, DirectoryPlace};
use crate::screen::State;
use crate::screen::dialog::Dialog;
use crate::screen::dialog::tables::{LINKS, LinkKey, SEARCH, SearchKey};
use crate::screen::hint::Hint;
use crate::screen::keymap::{
    Action, ChatAction, ChatsAction, ComposerAction, CopyAction, CopyMotion, FilterAction, LeaderAction, MoveAction,
    PaneSheet, QueuedAction, SchedulesAction, ScreenAction, TabAction,
};
use crate::screen::links::data::MarkedLinks;
use crate::screen::need::{self, Need};
use crate::screen::surface::{InPane, Surface};
use crate::screen::tab::{self, Ahead};
use crate::screen::view::{Tab, View};
use crate::screen::{dialogs, inspector, layout, leader_menu, moving, side};

/// Below this a program in a terminal is not named with the way out of it.
const NARROW: u16 = 70;

/// The keys that the surface has for these actions: the first of each.
fn hint<const N: usize>(state: &State, view: &View, actions: [Action; N], words: &'static str) -> Hint {
    state.keymap.hint(view.surface(), &actions, words)
}

/// What matters now on the surface that has the keys.
pub fn hints(state: &State, view: &View) -> Vec<Hint> {
    let leader = state.keymap.leader;
    let leave = state
        .keymap
        .keys_at(Surface::Leader, Action::Leader(LeaderAction::Leave))
        .next();
    let key = |action: Action, words| hint(state, view, [action], words);
    match view.surface() {
        Surface::Dialog => of_dialog(state, view),
        Surface::Schedules => of_schedules(state, view),
        Surface::Leader => {
            let menu = leader_menu::place(&state.keymap, layout::for_dialogs(view), 0);
            let more = (menu.pages > 1).then(|| Hint::note("← →", "more"));
            let leave = key(Action::Leader(LeaderAction::Leave), out_of(state, view));
            let send_on = key(Action::Leader(LeaderAction::SendOn), "send it on");
            [leave].into_iter().chain(more).chain([send_on]).collect()
        }
        Surface::Copy => of_copy_mode(state, view),
        // Who is zoomed in looks for that way out first, and a narrow row has room for one.
        Surface::Terminal => {
            let menu = key(Action::Leader(LeaderAction::Leader), "menu");
            // A narrow row has to say who needs a person, too.
            let out = if view.size.cols < NARROW {
                "out"
            } else {
                out_of(state, view)
            };
            let leave = Hint::in_turn([leader].into_iter().chain(leave).collect(), out);
            let in_grid = view.shown_grid().is_some();
            let unzoom = way_out(state, ScreenAction::Zoom, "out of zoom", view.zoomed);
            let ungrid = way_out(state, ScreenAction::Grid, "out of the grid", in_grid);
            let ways = unzoom.into_iter().chain(ungrid);
            match view.zoomed {
                true => ways.chain([menu, leave]).collect(),
                false => [menu].into_iter().chain(ways).chain([leave]).collect(),
            }
        }
        Surface::Search => vec![
            SEARCH.hint(&[SearchKey::Search], "search"),
            SEARCH.hint(&[SearchKey::Cancel], "cancel").way_out(),
            SEARCH.hint(&[SearchKey::PageUp, SearchKey::PageDown], "page"),
        ],
        Surface::Composer => of_composer(state, view),
        Surface::Queued => of_queued(state, view),
        Surface::Filter => vec![
            key(Action::Filter(FilterAction::Choose), "choose"),
            hint(
                state,
                view,
                [FilterAction::Up, FilterAction::Down].map(Action::Filter),
                "move",
            ),
            key(Action::Filter(FilterAction::GiveUp), "cancel").way_out(),
        ],
        Surface::Start => vec![
            key(ChatsAction::NewChat.into(), "new chat"),
            key(ChatsAction::Demo.into(), "demo"),
            key(ScreenAction::Help.into(), "all keys"),
            key(ScreenAction::Detach.into(), "detach"),
        ],
        Surface::Links => of_links(view),
        Surface::Sheet(sheet) => of_sheet(state, view, sheet),
        Surface::Pane(_) if view.shown_grid().is_some() => vec![
            key(ChatAction::Enter.into(), enters(state, view)),
            key(MoveAction::SwitchFocus.into(), "next"),
            key(MoveAction::Jump.into(), "by number"),
            hint(
                state,
                view,
                [ScreenAction::Grid.into(), TabAction::CloseTab.into()],
                "out of the grid",
            )
            .way_out(),
            key(ScreenAction::Zoom.into(), "zoom"),
            key(ScreenAction::Help.into(), "all keys"),
        ],
        Surface::Pane(in_pane) => of_terminal(state, view, in_pane),
        Surface::Inspector => inspector::hints(state, view),
        Surface::Sidebar(in_pane) => enter(state, view)
            .into_iter()
            .chain(moving::is_drawer_open(view).then(|| key(MoveAction::ShutList.into(), "close").way_out()))
            .chain([
                key(ChatsAction::NewChat.into(), "new chat"),
                key(ScreenAction::Help.into(), "all keys"),
                key(ChatsAction::Filter.into(), "filter"),
                leaves(state, view, in_pane),
                key(ScreenAction::Palette.into(), "commands"),
                key(ChatAction::OpenProject.into(), "open project"),
                key(ChatsAction::NextWaiting.into(), "next waiting"),
                key(ChatAction::Delete.into(), "delete"),
            ])
            .collect(),
    }
}

fn of_links(view: &View) -> Vec<Hint> {
    let letters = view.reading.links.as_ref().map_or(0, MarkedLinks::letters);
    let notes = match letters {
        0 | 1 => [Hint::note("a letter", "opens"), Hint::note("with Shift", "copies")],
        _ => [
            Hint::note("two letters", "open"),
            Hint::note("the second with Shift", "copies"),
        ],
    };
    let leave = LINKS.hint(&[LinkKey::Leave], "leave").way_out();
    notes.into_iter().chain([leave]).collect()
}

fn of_dialog(state: &State, view: &View) -> Vec<Hint> {
    let Some(dialog) = &view.over.dialog else {
        return Vec::new();
    };
    let live = Dialog::is_live_from(dialog).is_none_or(|from| from <= state.domain.now);
    let wait = (!live).then(|| Hint::note("…", "read it first"));
    wait.into_iter().chain(dialogs::input::hints(state, view)).collect()
}

fn of_schedules(state: &State, view: &View) -> Vec<Hint> {
    let key = |action, words| hint(state, view, [Action::Schedules(action)], words);
    let close = [SchedulesAction::Back, SchedulesAction::Close].map(Action::Schedules);
    let mut hints = vec![
        key(SchedulesAction::New, "new"),
        hint(state, view, close, "close").way_out(),
    ];
    if !state.domain.disk.schedules.is_empty() {
        hints.extend([
            key(SchedulesAction::RunNow, "run now"),
            key(SchedulesAction::Pause, "pause"),
            key(SchedulesAction::Edit, "edit"),
            key(SchedulesAction::Cancel, "cancel"),
            key(SchedulesAction::Runs, "runs"),
            key(SchedulesAction::Open, "chat"),
        ]);
    }
    hints.push(hint(state, view, [ScreenAction::Help.into()], "all keys"));
    hints
}

fn of_sheet(state: &State, view: &View, sheet: PaneSheet) -> Vec<Hint> {
    let mut hints = tab::hints(state, view, sheet);
    hints.push(hint(state, view, [MoveAction::SwitchFocus.into()], ahead(state, view)));
    hints.push(hint(state, view, [ScreenAction::Help.into()], "all keys"));
    // The key of that is another here where lines or todos are changed.
    if asks(state, view) {
        let keys = state.keymap.leading(view.surface(), ChatsAction::Approvals.into());
        hints.insert(0, Hint::in_turn(keys, "answers"));
    }
    hints
}

fn of_composer(state: &State, view: &View) -> Vec<Hint> {
    let key = |action, words| hint(state, view, [Action::Composer(action)], words);
    let agent = view.chat.as_ref().and_then(|chat| state.domain.live.agents.get(chat));
    let works = agent.is_some_and(Agent::is_working);
    let command = view.composer.command(&state.domain).is_some();
    let edited = view.composer.edited().filter(|_| !command);
    let stays_behind = edited.is_some_and(|edited| edited.kind() == PromptKind::FollowUp);
    let send = match works {
        true if command => "run after the turn",
        _ if edited.is_some_and(TakenBack::is_timed) => "keep its time",
        true if stays_behind => "keep it after the turn",
        true if agent.is_some_and(Agent::is_steered) => "steer",
        true => "queue",
        false if command => "run",
        false => "send",
    };
    let other = match works {
        _ if command => None,
        true if stays_behind => Some("steer"),
        true => Some("after the turn"),
        false if edited.is_some_and(TakenBack::is_timed) => Some("send now"),
        false => None,
    };
    if view.composer.is_completing() {
        let choose = [ComposerAction::Up, ComposerAction::Down].map(Action::Composer);
        let take = [ComposerAction::Send, ComposerAction::Complete].map(Action::Composer);
        let enter = match view.composer.is_choosing() {
            true => hint(state, view, take, "take"),
            false => key(ComposerAction::Send, send),
        };
        return vec![
            enter,
            hint(state, view, choose, "choose"),
            key(ComposerAction::Leave, "none of these"),
        ];
    }
    let mut hints = vec![key(ComposerAction::Send, send)];
    // It asks in another place than where one writes.
    if asks(state, view) {
        let tab = Surface::Sheet(PaneSheet::Transcript);
        let leave = state
            .keymap
            .keys_at(Surface::Composer, Action::Composer(ComposerAction::Leave));
        let answers = state.keymap.keys_at(tab, ChatsAction::Approvals.into());
        let keys = leave.take(1).chain(answers.take(1));
        hints.insert(0, Hint::in_turn(keys.collect(), "answers"));
    }
    hints.extend(other.map(|words| key(ComposerAction::FollowUp, words)));
    if works {
        let stops = if view.composer.field.is_empty() {
            "interrupt"
        } else {
            "empty"
        };
        hints.push(key(ComposerAction::Interrupt, stops));
    }
    hints.push(key(ComposerAction::Leave, "leave").way_out());
    let has_chips = !view.composer.chips.is_empty();
    hints.extend(Some(key(ComposerAction::Up, "what waits")).filter(|_| has_chips));
    // It leads to commands from an empty field alone.
    let typed = |letter| KeyEvent::from(KeyCode::Char(letter));
    let commands = Hint::new([typed('/')], "commands");
    hints.extend(Some(commands).filter(|_| view.composer.field.is_empty()));
    hints.extend([
        Hint::new([typed('@')], "files"),
        key(ComposerAction::NewLine, "new line"),
        key(ComposerAction::Editor, "editor"),
    ]);
    hints.extend(Some(key(ComposerAction::Up, "prompt before")).filter(|_| !has_chips));
    hints.extend([hint(
        state,
        view,
        [ComposerAction::PageUp, ComposerAction::PageDown].map(Action::Composer),
        "scroll",
    )]);
    hints
}

/// The agent of the chat that is shown asks something.
fn asks(state: &State, view: &View) -> bool {
    let chat = view.chat.as_ref();
    chat.is_some_and(|chat| need::of(&state.domain, chat) == Need::Waiting)
}

fn of_queued(state: &State, view: &View) -> Vec<Hint> {
    use QueuedAction as A;
    let key = |action, words| hint(state, view, [Action::Queued(action)], words);
    let chip = view.composer.chosen_chip();
    let mut hints = Vec::new();
    if let Some(chip) = chip.filter(|chip| chip.fixed.is_none()) {
        let turn = match chip.kind {
            PromptKind::Steer => "after the turn",
            PromptKind::FollowUp => "steer",
        };
        hints.extend([
            key(A::TakeBack, "edit"),
            key(A::Remove, "remove"),
            key(A::Turn, turn),
            hint(state, view, [A::Earlier, A::Later].map(Action::Queued), "move"),
        ]);
    }
    hints.push(hint(state, view, [A::Before, A::Behind].map(Action::Queued), "choose"));
    hints.push(key(A::Leave, "field"));
    hints
}

fn of_copy_mode(state: &State, view: &View) -> Vec<Hint> {
    let selects = view.reading.copy.is_some_and(|copy| copy.is_selecting());
    let key = |action, words| hint(state, view, [Action::Copy(action)], words);
    let moves = [CopyMotion::Left, CopyMotion::Down, CopyMotion::Up, CopyMotion::Right];
    let two = |motions: [CopyMotion; 2], words| hint(state, view, motions.map(Action::Motion), words);
    let searched = view.reading.search.found.is_some();
    let next = hint(
        state,
        view,
        [CopyAction::Next, CopyAction::Previous].map(Action::Copy),
        "next",
    );
    let mut hints = vec![
        key(CopyAction::Select, if selects { "let go" } else { "select" }),
        key(CopyAction::Take, "copy"),
        key(CopyAction::Leave, "leave").way_out(),
        key(CopyAction::Search, "search"),
        key(CopyAction::SelectBlock, "block"),
        key(CopyAction::Links, "links"),
        hint(state, view, moves.map(Action::Motion), "move"),
        two([CopyMotion::NextWord, CopyMotion::WordBefore], "word"),
        two([CopyMotion::LineStart, CopyMotion::LineEnd], "line"),
        two([CopyMotion::Oldest, CopyMotion::Newest], "all"),
    ];
    if searched {
        hints.insert(0, next);
    }
    if let Some(count) = view.reading.copy.map(|copy| copy.count).filter(|count| *count > 0) {
        hints.insert(0, Hint::note(&count.to_string(), "times"));
    }
    hints
}

/// With a terminal in view: the agent's, or one beside it.
fn of_terminal(state: &State, view: &View, in_pane: InPane) -> Vec<Hint> {
    let key = |action: Action, words| hint(state, view, [action], words);
    let side = side::shown(state, view).map(|(_, side)| side);
    let mut hints: Vec<Hint> = enter(state, view).into_iter().collect();
    match side.filter(|side| side.is_live()).map(|side| &side.what) {
        Some(
            AuxiliaryProgram::Edit | AuxiliaryProgram::Page | AuxiliaryProgram::Shell | AuxiliaryProgram::LogIn { .. },
        ) => hints.push(key(ChatAction::Stop.into(), "end it")),
        Some(AuxiliaryProgram::Run { .. }) => hints.extend([
            key(ChatAction::Stop.into(), "stop it"),
            key(ChatAction::Restart.into(), "restart it"),
        ]),
        None => {}
    }
    let scroll = [MoveAction::ScrollUp, MoveAction::ScrollDown].map(Action::Move);
    hints.extend([
        key(MoveAction::SwitchFocus.into(), ahead(state, view)),
        key(MoveAction::CopyMode.into(), "copy"),
        key(MoveAction::Links.into(), "links"),
        hint(state, view, scroll, "scroll"),
        match view.zoomed {
            true => key(ScreenAction::Zoom.into(), "out of zoom").way_out(),
            false => key(ScreenAction::Zoom.into(), "zoom"),
        },
        key(ScreenAction::Help.into(), "all keys"),
        leaves(state, view, in_pane),
    ]);
    hints
}

/// What the key comes to that leaves: what stands in the terminal's place is closed first.
fn leaves(state: &State, view: &View, in_pane: InPane) -> Hint {
    match in_pane {
        InPane::Other => hint(state, view, [TabAction::CloseTab.into()], "close").way_out(),
        InPane::Agent => hint(state, view, [ScreenAction::Detach.into()], "detach"),
    }
}

/// The way out of what a terminal is shown in, from inside it.
fn way_out(state: &State, action: ScreenAction, words: &'static str, is_shown: bool) -> Option<Hint> {
    let key = state.keymap.keys_at(Surface::Leader, action.into()).next();
    let keys = key.filter(|_| is_shown).map(|key| vec![state.keymap.leader, key]);
    keys.map(|keys| Hint::in_turn(keys, words).way_out())
}

/// The key that goes in. It does not where the directory is gone, or the record cannot be read.
fn enter(state: &State, view: &View) -> Option<Hint> {
    let known = view.chat.as_ref().and_then(|chat| state.domain.disk.chats.get(chat));
    let is_whole = |chat: &&Chat| chat.place != DirectoryPlace::Gone && chat.unreadable.is_none();
    let is_beside = side::shown(state, view).is_some();
    let words = enters(state, view);
    let wanted = is_beside || known.as_ref().is_none_or(is_whole);
    wanted.then(|| hint(state, view, [ChatAction::Enter.into()], words))
}

/// What going in comes to.
fn enters(state: &State, view: &View) -> &'static str {
    let beside = side::shown(state, view).map(|(_, side)| side);
    let live = view
        .chat
        .as_ref()
        .is_some_and(|chat| state.domain.status(chat).is_live());
    match beside.map(Side::is_live) {
        Some(false) => "run again",
        None if !live => "resume",
        Some(true) | None => "go in",
    }
}

/// What is left by the leader and Esc.
fn out_of(state: &State, view: &View) -> &'static str {
    match side::shown(state, view).map(|(_, side)| &side.what) {
        Some(AuxiliaryProgram::Edit) => "out of the editor",
        Some(AuxiliaryProgram::Page) => "out of the pager",
        Some(AuxiliaryProgram::Shell) => "out of the shell",
        Some(AuxiliaryProgram::LogIn { .. }) => "out of the login",
        Some(AuxiliaryProgram::Run { .. }) => "out of the run",
        None if state.shows_shell(view) => "out of the shell",
        None => "out of the agent",
    }
}

/// Where the focus goes from the pane.
fn ahead(state: &State, view: &View) -> &'static str {
    match tab::ahead(state, view) {
        Ahead::Tab(Tab::Terminal) => "terminal",
        Ahead::Tab(Tab::Sheet(sheet)) => sheet.into(),
        Ahead::Tab(Tab::Side(number)) => state.domain.live.sides.get(&number).map_or("", Side::called),
        Ahead::Inspector => "cards",
        Ahead::Sidebar => "sidebar",
    }
}
