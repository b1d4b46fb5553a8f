//! Terminals beside an agent's: a person's editor or shell, a project that runs. Each is a tab of its chat.
//!
//! They are typed in, read and drawn as an agent's terminal is; what is different is that nobody but a person types there,
//! and that nothing is judged by what they show.

pub mod state;

use serde_json::json;

use crate::model::script::ScriptEnding;
use crate::model::{ChatId, ClientId, PaneEvent, PaneId, Problem, Timestamp, WorkId};

use super::approval::clipboard;
use super::effect::{Effect, PaneOrder};
use super::event::{PtyEvent, Size};
use super::notice::Notice;
use super::state::{Domain, Requester};
use super::{chat, reply};

pub use state::{AuxiliaryProgram, AuxiliaryStage, Side};

/// How long after something was drawn in a shell its command has the terminal.
const STIRS_MS: u64 = 300;

/// The terminals beside a chat's that there is something to see of, the oldest first.
pub fn of_chat<'s>(state: &'s Domain, chat: &ChatId) -> impl Iterator<Item = (WorkId, &'s Side)> {
    let seen = |side: &Side| side.chat == *chat && side.stage != AuxiliaryStage::Starting;
    let sides = state.live.sides.iter().filter(move |(_, side)| seen(side));
    sides.map(|(number, side)| (*number, side))
}

/// Keys, a paste or the mouse of a person, encoded for the program.
pub fn input(state: &mut Domain, number: WorkId, client: ClientId, bytes: Vec<u8>) -> Vec<Effect> {
    let Some(side) = state.live.sides.get_mut(&number).filter(|side| side.is_live()) else {
        return Vec::new();
    };
    side.driver = Some(client);
    vec![Effect::Pane(PaneId::Side(number), PaneOrder::Input(bytes))]
}

/// As with an agent's terminal, who typed last decides the size.
pub fn resize(state: &mut Domain, number: WorkId, client: ClientId, size: Size) -> Vec<Effect> {
    let Some(side) = state.live.sides.get_mut(&number) else {
        return Vec::new();
    };
    let driver = side.driver.unwrap_or(client);
    side.driver = Some(driver);
    if driver != client || side.size == size {
        return Vec::new();
    }
    side.size = size;
    vec![Effect::Pane(PaneId::Side(number), PaneOrder::Resize(size))]
}

/// This person's pane decides its size from now on.
pub fn take_size(state: &mut Domain, number: WorkId, client: ClientId) {
    if let Some(side) = state.live.sides.get_mut(&number) {
        side.driver = Some(client);
    }
}

/// What its terminal reports.
pub fn update(state: &mut Domain, number: WorkId, event: PtyEvent) -> Vec<Effect> {
    let pane = PaneId::Side(number);
    let Some(side) = state.live.sides.get_mut(&number) else {
        return Vec::new();
    };
    match event {
        PtyEvent::Screen(screen) => {
            let before = side.screen.replace(screen);
            let is_shell = side.what == AuxiliaryProgram::Shell;
            let is_news = is_shell && side.stirred.is_none();
            side.stirred = side.stirred.or(is_news.then_some(state.now));
            state.notices.push(Notice::Shows(pane, before));
            // A command that prints nothing has the terminal a moment after its line was entered.
            let look = is_news.then(|| Effect::WakeAt(state.now.plus_ms(STIRS_MS)));
            return look.into_iter().collect();
        }
        PtyEvent::Front(program) => side.front = program,
        PtyEvent::View(client, screen) => state.notices.push(Notice::FurtherBack(pane, client, screen)),
        PtyEvent::Copied(client, copied) => state.notices.push(Notice::Copied(client, copied)),
        PtyEvent::Found(client, found) => state.notices.push(Notice::Found(pane, client, found)),
        PtyEvent::LetGo => {}
        PtyEvent::Said(PaneEvent::Started { pid }) => {
            side.stage = AuxiliaryStage::Running;
            side.pid = Some(pid);
            match side.what {
                AuxiliaryProgram::Edit
                | AuxiliaryProgram::Page
                | AuxiliaryProgram::Shell
                | AuxiliaryProgram::LogIn { .. } => return started(state, number),
                // What it is called is still to come.
                AuxiliaryProgram::Run { .. } => {}
            }
        }
        PtyEvent::Said(PaneEvent::Clipboard(text)) => {
            let chat = side.chat.clone();
            return match side.what {
                AuxiliaryProgram::Edit
                | AuxiliaryProgram::Page
                | AuxiliaryProgram::Shell
                | AuxiliaryProgram::LogIn { .. } => clipboard::by_person(state, &chat, text),
                AuxiliaryProgram::Run { .. } => clipboard::by_agent(state, &chat, text),
            };
        }
        PtyEvent::Said(PaneEvent::Bell) => state.notices.push(Notice::Bell(pane)),
        PtyEvent::Said(PaneEvent::InputRefused) => state.notices.push(Notice::InputRefused(number)),
        // Of its end whoever started it hears, when all that it had started is gone too.
        PtyEvent::Said(
            PaneEvent::Exited { .. }
            | PaneEvent::FailedToStart { .. }
            | PaneEvent::ParserFailed
            | PaneEvent::Changed
            | PaneEvent::Title(_)
            | PaneEvent::Notify { .. }
            | PaneEvent::Cwd(_)
            | PaneEvent::Progress(_)
            | PaneEvent::CommandBegan { .. }
            | PaneEvent::CommandEnded { .. },
        ) => {}
    }
    Vec::new()
}

/// Looks who has the terminals of shells in which something stirred.
pub fn clock(state: &mut Domain) -> Vec<Effect> {
    let now = state.now;
    let is_due = |at: &mut Timestamp| now.ms_since(*at) >= STIRS_MS;
    let sides = state.live.sides.iter_mut();
    let stirred = sides.filter_map(|(number, side)| side.stirred.take_if(is_due).map(|_| *number));
    let look = |number| Effect::Pane(PaneId::Side(number), PaneOrder::Look);
    stirred.map(look).collect()
}

fn started(state: &mut Domain, number: WorkId) -> Vec<Effect> {
    let Some(side) = state.live.sides.get_mut(&number) else {
        return Vec::new();
    };
    let requester = std::mem::replace(&mut side.requester, Requester::Nobody);
    told(state, number, requester)
}

/// It is open: whoever asked for it is told.
pub fn told(state: &mut Domain, number: WorkId, requester: Requester) -> Vec<Effect> {
    let Some(chat) = state.live.sides.get(&number).map(|side| side.chat.clone()) else {
        return Vec::new();
    };
    if let Requester::Screen(request) = requester {
        state.notices.push(Notice::SideOpened(request, number));
        return Vec::new();
    }
    let told = json!({"id": chat, "handle": chat::handle(state, &chat)});
    reply::answer(state, requester, Ok(told))
}

/// It was never started.
pub fn failed(state: &mut Domain, number: WorkId, problem: Problem) -> Vec<Effect> {
    let requester = state
        .live
        .sides
        .get(&number)
        .map_or(Requester::Nobody, |side| side.requester);
    let mut effects = close(state, number);
    effects.extend(reply::answer(state, requester, Err(problem)));
    effects
}

/// It is over, and stays to be read.
pub fn ended(state: &mut Domain, number: WorkId, how: ScriptEnding) {
    let now = state.now;
    if let Some(side) = state.live.sides.get_mut(&number) {
        (side.stage, side.since) = (AuxiliaryStage::Ended(how), now);
    }
}

/// It is gone, and its tab with it.
pub fn close(state: &mut Domain, number: WorkId) -> Vec<Effect> {
    let Some(side) = state.live.sides.remove(&number) else {
        return Vec::new();
    };
    state.notices.push(Notice::SideClosed(number, side.chat));
    vec![Effect::Pane(PaneId::Side(number), PaneOrder::Drop)]
}

/// A chat is gone, and with it whatever stood beside its terminal.
pub fn close_all(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let of_chat = state.live.sides.iter().filter(|(_, side)| side.chat == *chat);
    let numbers: Vec<WorkId> = of_chat.map(|(number, _)| *number).collect();
    let mut effects = Vec::new();
    for number in numbers {
        let requester = state
            .live
            .sides
            .get(&number)
            .map_or(Requester::Nobody, |side| side.requester);
        effects.extend(close(state, number));
        if requester != Requester::Nobody {
            let problem = Problem::missing(
                "starting a program beside its agent",
                "the chat is gone",
                "`parlour undo-rm` brings a deleted chat back",
            );
            effects.extend(reply::answer(state, requester, Err(problem)));
        }
    }
    effects
}
