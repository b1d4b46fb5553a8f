//! An agent's process: started, heard, stopped, ended.
//!
//! What it says is [`hook`]'s to understand, what it does [`status`]'s to judge, and prompts reach it by [`delivery`].

pub mod acknowledgement;
pub mod alert;
mod asked_on_screen;
mod blind_paste;
pub mod compaction;
pub mod composer_state;
pub mod cwd;
pub mod dedup;
pub mod delivery;
pub mod delivery_receipt;
pub mod done;
pub mod draft;
pub mod explain;
pub mod explained;
pub mod hibernate;
pub mod hook;
pub mod interrupt;
pub mod keys;
pub(super) mod label;
mod last_screen;
pub(in crate::domain) mod news;
mod obstacle;
pub mod open_tool;
mod process;
mod prompt_escape;
pub mod queue;
pub mod quiescence;
pub mod reorder;
pub mod reported_lines;
pub mod restart;
mod retry;
pub mod rule_decision;
mod same_text;
pub mod screen_probe;
mod shell_prompt;
pub mod state;
pub mod status;
pub mod suspension;
pub mod timed_prompts;
pub mod trust;
pub(super) mod turn;
pub mod typing;
mod waiting_prompts;
pub mod work;
pub mod yielding;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::agent::state::outbox::QueuedPrompt;
use crate::model::chat::{Pending, STOPPED};
use crate::model::{Chat, ChatId, ClientId, Happened, PaneEvent, Problem, Status, Timestamp};
use crate::term::Screen;

use super::approval::question::Question;
use super::effect::{Effect, PaneOrder};
use super::event::{Observed, PtyEvent, Size};
use super::notice::{Notice, Upward};
use super::review::state::DueRevert;
use super::state::{Domain, Requester};
use super::usage::stop;
use super::{chat, opening, reply};
use process::grace_ms;
use state::slow_start::SlowStart;
use state::{Agent, AtEnd, Process, shell};

pub use process::{
    FIRST_SIZE, cut_off, end, end_within, kept, no_room, prepared, refusal, resume, start, start_first, what_makes_room,
};
use state::COULD_NOT_START;

/// Why an agent exited that ended by itself, and well.
pub const ENDED: &str = "ended";

/// Ends the agent's whole process group, and the check of its run.
pub fn stop(state: &mut Domain, chat: &ChatId, requester: Requester) -> Vec<Effect> {
    if opening::is_being_made(state, chat) {
        return opening::give_up(state, chat, requester);
    }
    let mut effects = vec![Effect::CancelFor(chat.clone())];
    state.upward.push(Upward::Stopped(chat.clone()));
    if let Some(stop) = end(state, chat, AtEnd::Tell(requester)) {
        effects.extend(stop);
        return effects;
    }
    effects.extend(stop_resting(state, chat));
    effects.extend(reply::answer(state, requester, Ok(chat::json(state, chat))));
    effects
}

/// What does not run is stopped too: it does not wake by itself, and what it had in progress is free.
pub fn stop_resting(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    state.upward.push(Upward::Over(chat.clone(), STOPPED.into()));
    match process::forget(state, chat) {
        true => status::reassess(state, chat),
        false => Vec::new(),
    }
}

/// Keys, a paste or the mouse of a person, encoded for the program.
pub fn input(state: &mut Domain, chat: &ChatId, client: ClientId, bytes: Vec<u8>) -> Vec<Effect> {
    let Some(agent) = state.live.agents.get_mut(chat).filter(|a| a.is_live()) else {
        return Vec::new();
    };
    agent.driver = Some(client);
    if agent.rest.wakes {
        agent.rest.ahead.typed(&bytes);
        return Vec::new();
    }
    let wakes = suspension::pressed(agent, &bytes, state.now);
    let mut effects = keys::press(state, chat, bytes);
    effects.extend(wakes);
    effects.extend(delivery::wakes(state, chat));
    effects
}

/// Breaks off the turn, in the agent's own way.
pub fn interrupt(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let now = state.now;
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    match agent
        .capabilities
        .as_ref()
        .map(|capabilities| capabilities.interrupt.clone())
    {
        Some(keys) if !keys.is_empty() => {
            agent.turn.asking_mut().for_each(Question::touch);
            let mut effects = vec![Effect::Pane(chat.clone().into(), PaneOrder::Input(keys))];
            effects.extend(agent.breaks_turn_off(now));
            effects
        }
        Some(_) | None => Vec::new(),
    }
}

/// Whoever asked from a shell ends the turn there. They never see its screen, and know how it ended all the same.
pub fn interrupt_query(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let effects = interrupt(state, chat);
    if let Some(agent) = state.live.agents.get_mut(chat) {
        agent.turn.broken.is_known = agent.is_breaking_off();
    }
    effects
}

/// The pane of the client that typed last decides the terminal's size; the first to look stands in for it.
pub fn resize(state: &mut Domain, chat: &ChatId, client: ClientId, size: Size) -> Vec<Effect> {
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    let driver = agent.driver.unwrap_or(client);
    agent.driver = Some(driver);
    if driver != client || agent.size == size {
        return Vec::new();
    }
    agent.size = size;
    if agent.must_stand_still(state.now) {
        agent.resize_held = true;
        return Vec::new();
    }
    vec![Effect::Pane(chat.clone().into(), PaneOrder::Resize(size))]
}

/// This person's pane decides its size from now on.
pub fn take_size(state: &mut Domain, chat: &ChatId, client: ClientId) {
    if let Some(agent) = state.live.agents.get_mut(chat) {
        agent.driver = Some(client);
    }
}

/// Passes on the sizes that were held back from agents that took up their sessions meanwhile.
pub fn resize_held(state: &mut Domain) -> Vec<Effect> {
    let now = state.now;
    let due = |agent: &Agent| agent.resize_held && !agent.must_stand_still(now);
    let waiting = state.live.agents.awake_mut().filter(|(_, agent)| due(agent));
    let pass = |(chat, agent): (&ChatId, &mut Agent)| {
        agent.resize_held = false;
        Effect::Pane(chat.clone().into(), PaneOrder::Resize(agent.size))
    };
    waiting.map(pass).collect()
}

/// What its terminal reports.
pub fn update(state: &mut Domain, chat: &ChatId, event: PtyEvent) -> Vec<Effect> {
    match event {
        PtyEvent::Screen(screen) => keep_screen(state, chat, screen),
        PtyEvent::View(client, screen) => tell(state, Notice::FurtherBack(chat.clone().into(), client, screen)),
        PtyEvent::Copied(client, copied) => tell(state, Notice::Copied(client, copied)),
        PtyEvent::Found(client, found) => tell(state, Notice::Found(chat.clone().into(), client, found)),
        PtyEvent::Said(said) => said_by_pane(state, chat, said),
        // What a shell's chat runs is told by its signals.
        PtyEvent::Front(_) => Vec::new(),
        PtyEvent::LetGo => last_screen::let_go(state, chat),
    }
}

fn tell(state: &mut Domain, notice: Notice) -> Vec<Effect> {
    state.notices.push(notice);
    Vec::new()
}

fn keep_screen(state: &mut Domain, chat: &ChatId, screen: Arc<Screen>) -> Vec<Effect> {
    let (now, after_ms) = (state.now, screen_probe::look_after_ms(state, chat));
    let Some(agent) = state.live.agents.get_mut(chat) else {
        let before = last_screen::keep(state, chat, screen);
        return tell(state, Notice::Shows(chat.clone().into(), before));
    };
    let stalled = agent.watch_still_screen(&screen, now);
    let before = agent.screen.replace(screen);
    agent.shown = now;
    if agent.is_shell() {
        shell_prompt::seen(agent);
    }
    let stirs = agent.shows_all() && !agent.stirred;
    if stirs {
        agent.stirred = true;
        agent.looked = now;
    }
    state.notices.push(Notice::Shows(chat.clone().into(), before));
    if stalled {
        screen_probe::heard(state, chat, Observed::Signals(vec![screen_probe::unasked(now)]))
    } else if stirs {
        vec![Effect::WakeAt(now.plus_ms(after_ms))]
    } else {
        Vec::new()
    }
}

fn said_by_pane(state: &mut Domain, chat: &ChatId, said: PaneEvent) -> Vec<Effect> {
    let now = state.now;
    // One that has ended says nothing more: what still comes is old news.
    let Some(agent) = state.live.agents.get_mut(chat).filter(|agent| agent.is_live()) else {
        return Vec::new();
    };
    match said {
        PaneEvent::Started { pid } => started(state, chat, pid),
        PaneEvent::FailedToStart { why } => could_not_start(state, chat, &why),
        PaneEvent::Exited { code, signal } => {
            let why = how_it_ended(agent, code, signal, now);
            ended(state, chat, why)
        }
        PaneEvent::Title(title) => {
            agent.title = title;
            Vec::new()
        }
        PaneEvent::ParserFailed => {
            let hint = "the agent runs on; press Ctrl+L in it, or resize, to have it drawn again".to_string();
            let error = Happened::Error {
                place: "terminal".into(),
                message: "its output broke the terminal emulator, which was started afresh".into(),
                hint,
                trouble: None,
            };
            chat::append(state, chat, vec![error])
        }
        PaneEvent::InputRefused => {
            let error = Happened::Error {
                place: "terminal".into(),
                message: "it does not read its input; what was typed last did not reach it".into(),
                hint: "wait for it, or stop it".into(),
                trouble: None,
            };
            chat::append(state, chat, vec![error])
        }
        PaneEvent::Bell => {
            // That is all by which a shell calls somebody.
            let is_shell = state.disk.chats.get(chat).is_some_and(Chat::is_shell);
            if is_shell && !state.live.attention.seen.contains(chat) {
                state.live.unseen.insert(chat.clone());
            }
            tell(state, Notice::Bell(chat.clone().into()))
        }
        PaneEvent::CommandBegan { is_ours } => {
            if agent.shell.hears(is_ours) {
                agent.shell.begins_line();
            }
            Vec::new()
        }
        PaneEvent::CommandEnded { code, is_ours } => {
            let is_idle = agent.verdict.status.is_idle();
            let counts = agent.shell.hears(is_ours);
            if counts {
                agent.quiescence.answers();
                state.upward.push(Upward::Learned(chat.clone()));
            }
            let acted = counts && agent.shell.ends_line();
            let told = counts.then(|| agent.shell.marked(code, now, is_idle)).flatten();
            if acted {
                chat::acted(state, chat);
            }
            let note = told.map(|text| Happened::Note { text });
            note.map_or_else(Vec::new, |note| chat::append(state, chat, vec![note]))
        }
        // Off unless a person asks for them: a program's notifications and progress.
        // What is copied is for the queue of approvals, which hears of it in `pane.rs`.
        PaneEvent::Changed
        | PaneEvent::Notify { .. }
        | PaneEvent::Cwd(_)
        | PaneEvent::Clipboard(_)
        | PaneEvent::Progress(_) => Vec::new(),
    }
}

fn started(state: &mut Domain, chat: &ChatId, pid: u32) -> Vec<Effect> {
    let (now, grace_ms) = (state.now, grace_ms(state, chat));
    let look_ms = screen_probe::look_after_ms(state, chat);
    let beside = starting_beside(state, chat);
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    agent.started = now;
    agent.looked = now;
    agent.slow_start = SlowStart {
        beside,
        ..SlowStart::new(now)
    };
    let mut effects = vec![
        Effect::WakeAt(now.plus_ms(look_ms)),
        Effect::WakeAt(now.plus_ms(screen_probe::LOOK_EVERY_MS)),
        Effect::WakeAt(now.plus_ms(agent.slow_start.limit_ms())),
    ];
    // It was told to stop while it was on its way.
    match agent.at_end.is_empty() {
        true => agent.process = Process::Running { pid },
        false => {
            agent.process = Process::Stopping { pid };
            effects.push(Effect::Pane(chat.clone().into(), PaneOrder::Stop { grace_ms }));
        }
    }
    effects.extend(status::reassess(state, chat));
    effects
}

/// How many others are starting, each of which has one more beside it from now on.
fn starting_beside(state: &mut Domain, chat: &ChatId) -> u32 {
    let mut others = 0;
    for (_, agent) in state.live.agents.awake_mut().filter(|(other, _)| *other != chat) {
        let is_starting = matches!(agent.process, Process::Running { .. }) && agent.verdict.status == Status::Starting;
        if is_starting {
            agent.slow_start.beside += 1;
            others += 1;
        }
    }
    others
}

fn how_it_ended(agent: &Agent, code: Option<i32>, signal: Option<i32>, now: Timestamp) -> String {
    let stopped = matches!(agent.process, Process::Stopping { .. });
    match (stopped, code, signal) {
        (true, _, _) => STOPPED.into(),
        (false, Some(0), _) => ENDED.into(),
        (false, Some(code), _) if now.ms_since(agent.started) < 3_000 => {
            format!("exited with code {code} right after start (see its screen)")
        }
        (false, Some(code), _) => format!("ended with exit code {code}"),
        (false, None, Some(signal)) => format!("ended by signal {signal}"),
        (false, None, None) => ENDED.into(),
    }
}

/// There never was a process, for this reason.
pub fn could_not_start(state: &mut Domain, chat: &ChatId, why: &str) -> Vec<Effect> {
    ended(state, chat, format!("{COULD_NOT_START}{why}"))
}

/// The process is gone, for this reason.
pub fn ended(state: &mut Domain, chat: &ChatId, why: String) -> Vec<Effect> {
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    agent.process = match agent.falls_asleep() {
        true => Process::Asleep,
        false => Process::Ended { why: why.clone() },
    };
    let again = restart::wanted(&mut agent.at_end);
    let cut = agent.shell.cut_off.take().map(|program| Happened::Note {
        text: shell::cut_off(&program),
    });
    let told = agent.breaks_off(&why).into_iter().chain(cut).collect();
    let mut effects = hook::close_open_tools(state, chat);
    effects.extend(chat::append(state, chat, told));
    if again.is_none() {
        effects.extend(status::reassess(state, chat));
        effects.extend(delivery::ended(state, chat, &why));
        if state.live.agents.get(chat).is_some_and(Agent::is_over) {
            state.upward.push(Upward::Over(chat.clone(), why));
        }
    }
    let agent = state.live.agents.get_mut(chat);
    let at_end = agent.map(|agent| std::mem::take(&mut agent.at_end)).unwrap_or_default();
    if let Some((env, requester)) = again {
        effects.extend(restart::go_on(state, chat, env, requester));
    }
    for then in at_end {
        effects.extend(match then {
            AtEnd::Tell(requester) | AtEnd::Restart(_, requester) => {
                reply::answer(state, requester, Ok(chat::json(state, chat)))
            }
            AtEnd::Delete(requester) => chat::trash(state, chat, requester),
            AtEnd::Revert(back, requester) => {
                let again = state.live.agents.get(chat).map(|agent| agent.env.clone());
                let env = again.clone().unwrap_or_default();
                let chat = chat.clone();
                state.live.reviews.due.push(DueRevert {
                    chat,
                    back,
                    again,
                    env,
                    requester,
                });
                Vec::new()
            }
            AtEnd::Sleep => Vec::new(),
        });
    }
    state.upward.push(Upward::Gone(chat.clone()));
    effects
}

/// As [`send_to_any`], for a person who hears of it, by `requester`, once it is stored.
pub fn send_written(
    state: &mut Domain,
    chat: &ChatId,
    (prompt, behind): (Pending, Vec<String>),
    env: BTreeMap<String, String>,
    requester: Requester,
) -> Result<Vec<Effect>, Problem> {
    if let Some(problem) = stop::refusal(state, chat, "sending a prompt") {
        return Err(problem);
    }
    if let Some(problem) = process::without_directory(state, chat) {
        return Err(problem);
    }
    delivery::has_room(state, chat, &prompt.text)?;
    if acknowledgement::is_blank(&prompt.text) {
        let hint = "type what the agent is to do";
        return Err(Problem::new("sending a prompt", "it is empty", hint));
    }
    let mut effects = Vec::new();
    if prompt.not_before.is_some() && !state.live.agents.contains_key(chat) {
        return queue::keep_timed(state, chat, prompt, requester);
    }
    if prompt.not_before.is_none() && !state.live.agents.get(chat).is_some_and(Agent::stays_up) {
        if let Some(problem) = refusal(state, chat) {
            return Err(problem);
        }
        effects.extend(resume(state, chat, env, Requester::Nobody));
    }
    let id = prompt.id();
    let mut queued_prompt = QueuedPrompt::new(prompt, None);
    // They see among the prompts that wait why it does.
    queued_prompt.receipt.noted = true;
    queued_prompt.receipt.comes_back = true;
    effects.extend(delivery::send(state, chat, queued_prompt));
    if let Some(agent) = state.live.agents.get_mut(chat) {
        agent.outbox.put_before(&id, &behind);
        agent.outbox.ledger.asks(requester);
    }
    Ok(effects)
}

/// Starts the agent where it does not run, then sends.
pub fn send_to_any(
    state: &mut Domain,
    chat: &ChatId,
    queued_prompt: QueuedPrompt,
    env: BTreeMap<String, String>,
) -> Vec<Effect> {
    if let Some(problem) = process::without_directory(state, chat) {
        return delivery::refused(queued_prompt.call, problem);
    }
    if state.live.agents.get(chat).is_some_and(Agent::stays_up) {
        return delivery::send(state, chat, queued_prompt);
    }
    if let Some(problem) = refusal(state, chat) {
        return delivery::refused(queued_prompt.call, problem);
    }
    let mut effects = resume(state, chat, env, Requester::Nobody);
    effects.extend(delivery::send(state, chat, queued_prompt));
    effects
}
