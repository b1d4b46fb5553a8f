//! Terminals beside an agent's: a person's editor, a project that runs. Each is a tab of its chat.
//!
//! They are typed in, read and drawn as an agent's terminal is; what is different is that nobody but a person types there,
//! and that nothing is judged by what they show.

use std::sync::Arc;

use crate::model::script::How;
use crate::model::{ChatId, ClientId, PaneEvent, PaneId, Problem, Timestamp, WorkId};
use crate::term::Screen;

use super::agent::FIRST_SIZE;
use super::effect::{Effect, PaneOrder};
use super::event::{PtyEvent, Size};
use super::state::{Asker, State};
use super::{chat, done, edit};
use crate::screen::keymap::{Action, Keymap};
use crate::screen::view::{Focus, Mode, Tab, Tone, View};
use crate::screen::{layout, reading, toast};

pub struct Side {
    pub chat: ChatId,
    pub what: What,
    pub stage: Stage,
    /// When it ended, where it has.
    pub since: Timestamp,
    pub screen: Option<Arc<Screen>>,
    pub size: Size,
    /// The client whose pane decides the size: the last that typed.
    pub driver: Option<ClientId>,
    /// Who waits for its start.
    pub asker: Asker,
    /// Whoever asked for it types in another terminal meanwhile.
    pub typed_on: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    Edit,
    /// The project is known from its start on, where nobody named one.
    Run {
        project: Option<String>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It may yet be refused: there is no tab of it.
    Starting,
    Running,
    /// What it showed last stays to be read.
    Ended(How),
}

impl Side {
    pub fn new(chat: ChatId, what: What, size: Size, asker: Asker) -> Side {
        Side {
            chat,
            what,
            stage: Stage::Starting,
            since: Timestamp(0),
            screen: None,
            size,
            driver: None,
            asker,
            typed_on: false,
        }
    }

    pub fn is_live(&self) -> bool {
        self.stage == Stage::Running
    }

    /// What the mode is called in which keys go to it.
    pub fn badge(&self) -> &'static str {
        match self.what {
            What::Edit => " EDITOR ",
            What::Run { .. } => " RUN ",
        }
    }

    /// What is written on its tab; the project where it is not the only one.
    pub fn label(&self, alone: bool) -> String {
        let What::Run { project } = &self.what else {
            return "Edit".into();
        };
        let project = project.as_deref().filter(|_| !alone);
        let of = project.map(|name| format!(" {name}")).unwrap_or_default();
        match &self.stage {
            Stage::Starting | Stage::Running => format!("▶ run{of}"),
            Stage::Ended(How::Exited(0)) => format!("✓ run{of}"),
            Stage::Ended(How::Stopped) => format!("□ run{of}"),
            Stage::Ended(How::Exited(code)) => format!("✗ run{of} {code}"),
            Stage::Ended(How::Killed(_) | How::NotStarted(_) | How::Late(_) | How::Absent | How::Unapproved(_)) => {
                format!("✗ run{of}")
            }
        }
    }
}

/// As large as the pane of whoever wants it.
pub fn first_size(state: &State, asker: Asker) -> Size {
    let size = match asker {
        Asker::Screen(client) => state.views.get(&client).map(layout::pane_size),
        Asker::Call(_) | Asker::Launch(_) | Asker::Nobody => None,
    };
    size.unwrap_or(FIRST_SIZE)
}

/// The terminals beside a chat's that there is something to see of, the oldest first.
pub fn of_chat<'s>(state: &'s State, chat: &ChatId) -> impl Iterator<Item = (WorkId, &'s Side)> {
    let seen = |side: &Side| side.chat == *chat && side.stage != Stage::Starting;
    let sides = state.live.sides.iter().filter(move |(_, side)| seen(side));
    sides.map(|(number, side)| (*number, side))
}

/// The one that this person is shown in place of the agent's.
pub fn shown<'s>(state: &'s State, view: &View) -> Option<(WorkId, &'s Side)> {
    match view.tab {
        Tab::Side(number) => Some((number, state.live.sides.get(&number)?)),
        Tab::Terminal | Tab::Work => None,
    }
}

/// Keys go there from now on.
pub fn enter(state: &mut State, client: ClientId, number: WorkId) -> Vec<Effect> {
    show(state, client, number);
    let live = state.live.sides.get(&number).is_some_and(Side::is_live);
    let Some(view) = state.views.get_mut(&client).filter(|_| live) else {
        return Vec::new();
    };
    view.mode = Mode::Agent;
    view.sidebar.filter = None;
    let size = layout::pane_size(view);
    resize(state, number, client, size)
}

/// Shows its tab, outside of it.
pub fn show(state: &mut State, client: ClientId, number: WorkId) {
    if let Some(view) = state.views.get_mut(&client) {
        view.show(Tab::Side(number));
        view.mode = Mode::Outside;
        view.focus = Focus::Pane;
    }
}

/// Whether it may come before the eyes of whoever asked for it: they look at its chat and at nothing over it, and have
/// typed nothing since.
pub fn is_awaited(state: &State, client: ClientId, number: WorkId) -> bool {
    let (Some(view), Some(side)) = (state.views.get(&client), state.live.sides.get(&number)) else {
        return false;
    };
    let types = view.mode == Mode::Agent && side.typed_on || view.sidebar.filter.is_some();
    let reads = view.dialog.is_some() || view.automations.is_some();
    view.chat.as_ref() == Some(&side.chat) && !types && !reads
}

/// This person types in a terminal: what they asked for before does not take their keys.
pub fn typed_on(state: &mut State, client: ClientId) {
    let (person, scripts) = (Asker::Screen(client), &state.live.scripts);
    for (number, side) in &mut state.live.sides {
        let runs = scripts.get(number).is_some_and(|running| running.asker == person);
        side.typed_on |= runs || side.asker == person;
    }
}

/// It is there, and did not come before the eyes of whoever asked for it: they are told how to get there.
pub fn point(state: &mut State, client: ClientId, number: WorkId) {
    let Some(side) = state.live.sides.get(&number) else {
        return;
    };
    let (what, action) = match side.what {
        What::Edit => ("Your editor", Action::Edit),
        What::Run { .. } => ("What you run", Action::Run),
    };
    let keymap = Keymap::of(&state.disk.settings);
    let (leader, key) = (keymap.leader(), keymap.key(action));
    let text = format!(
        "{what} in {} is there: {leader} {key} shows it.",
        chat::handle(state, &side.chat)
    );
    toast::tell(state, client, text, Tone::Told);
}

/// Keys, a paste or the mouse of a person, encoded for the program.
pub fn input(state: &mut State, number: WorkId, client: ClientId, bytes: Vec<u8>) -> Vec<Effect> {
    let Some(side) = state.live.sides.get_mut(&number).filter(|side| side.is_live()) else {
        return Vec::new();
    };
    side.driver = Some(client);
    vec![Effect::Pane(PaneId::Side(number), PaneOrder::Input(bytes))]
}

/// As with an agent's terminal, who typed last decides the size.
pub fn resize(state: &mut State, number: WorkId, client: ClientId, size: Size) -> Vec<Effect> {
    let Some(side) = state.live.sides.get_mut(&number) else {
        return Vec::new();
    };
    let there = side.driver.filter(|driver| state.views.contains_key(driver));
    let driver = there.unwrap_or(client);
    side.driver = Some(driver);
    if driver != client || side.size == size {
        return Vec::new();
    }
    side.size = size;
    vec![Effect::Pane(PaneId::Side(number), PaneOrder::Resize(size))]
}

/// What its terminal reports.
pub fn update(state: &mut State, number: WorkId, event: PtyEvent) -> Vec<Effect> {
    let pane = PaneId::Side(number);
    let Some(side) = state.live.sides.get_mut(&number) else {
        return Vec::new();
    };
    match event {
        PtyEvent::Screen(screen) => {
            let before = side.screen.replace(screen);
            reading::changed(state, &pane, before.as_deref())
        }
        PtyEvent::View(client, screen) => reading::arrived(state, &pane, client, screen),
        PtyEvent::Copied(client, copied) => reading::copied(state, client, copied),
        PtyEvent::LetGo => Vec::new(),
        PtyEvent::Said(PaneEvent::Started { .. }) => {
            side.stage = Stage::Running;
            match side.what {
                What::Edit => edit::started(state, number),
                // What it is called is still to come.
                What::Run { .. } => Vec::new(),
            }
        }
        PtyEvent::Said(PaneEvent::Bell) => {
            let looking = looking(state, number).into_iter();
            looking.map(Effect::Ring).collect()
        }
        PtyEvent::Said(PaneEvent::InputRefused) => {
            let text = "It does not read its input; what was typed last did not reach it.";
            for client in looking(state, number) {
                toast::tell(state, client, text, Tone::Failed);
            }
            Vec::new()
        }
        // Of its end whoever started it hears, when all that it had started is gone too.
        PtyEvent::Said(
            PaneEvent::Exited { .. }
            | PaneEvent::FailedToStart { .. }
            | PaneEvent::ParserFailed
            | PaneEvent::Changed
            | PaneEvent::Title(_)
            | PaneEvent::Notify { .. }
            | PaneEvent::Cwd(_)
            | PaneEvent::Progress(_),
        ) => Vec::new(),
    }
}

pub fn looking(state: &State, number: WorkId) -> Vec<ClientId> {
    let views = state.views.iter();
    let looking = views.filter(|(_, view)| view.tab == Tab::Side(number));
    looking.map(|(client, _)| *client).collect()
}

/// It is over, and stays to be read.
pub fn ended(state: &mut State, number: WorkId, how: How) {
    let now = state.now;
    if let Some(side) = state.live.sides.get_mut(&number) {
        (side.stage, side.since) = (Stage::Ended(how), now);
    }
}

/// Its tab closes; whoever looked at it sees the agent again. Keys that were meant for it are not for the agent.
pub fn close(state: &mut State, number: WorkId) -> Vec<Effect> {
    let looking = looking(state, number);
    if state.live.sides.remove(&number).is_none() {
        return Vec::new();
    }
    for client in looking {
        if let Some(view) = state.views.get_mut(&client) {
            view.show(Tab::Terminal);
            view.mode = Mode::Outside;
        }
    }
    vec![Effect::Pane(PaneId::Side(number), PaneOrder::Drop)]
}

/// A chat is gone, and with it whatever stood beside its terminal.
pub fn close_all(state: &mut State, chat: &ChatId) -> Vec<Effect> {
    let of_chat = state.live.sides.iter().filter(|(_, side)| side.chat == *chat);
    let numbers: Vec<WorkId> = of_chat.map(|(number, _)| *number).collect();
    let mut effects = Vec::new();
    for number in numbers {
        let asker = state.live.sides.get(&number).map_or(Asker::Nobody, |side| side.asker);
        effects.extend(close(state, number));
        if asker != Asker::Nobody {
            let problem = Problem::new("starting a program beside its agent", "the chat is gone", "");
            effects.extend(done::answer(state, asker, Err(problem)));
        }
    }
    effects
}

/// What is shown belongs to the chat that is shown.
pub fn settle(state: &mut State, client: ClientId) {
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let Tab::Side(number) = view.tab else {
        return;
    };
    let there = state.live.sides.get(&number);
    if there.is_none_or(|side| view.chat.as_ref() != Some(&side.chat)) {
        view.show(Tab::Terminal);
    }
}
