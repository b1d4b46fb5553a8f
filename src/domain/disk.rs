//! What the folders say has changed, by us or by others.

use super::agent::{restart, trust};
use super::approval::always;
use super::chat::{append, loaded};
use super::effect::Effect;
use super::event::DiskEvent;
use super::keep::{pulls, radar};
use super::notice::Notice;
use super::removal::vanished;
use super::schedule::agenda;
use super::state::Domain;
use super::team::{atom, inbox};
use super::{maintenance, schedule, usage};
use crate::model::Settings;

/// How many lines of the engine's log are kept for its screen.
const LOG_LINES: usize = 500;

/// The folders changed, by us or by others.
pub fn update(state: &mut Domain, event: DiskEvent) -> Vec<Effect> {
    match event {
        DiskEvent::Chat(chat) => {
            let id = chat.id().clone();
            let mut effects = atom::appeared(state, &chat);
            state.live.reviews.moved(&id);
            effects.extend(loaded(state, *chat));
            effects.extend(inbox::noticed(state, &id));
            effects
        }
        DiskEvent::Began(env) => {
            let mut effects = restart::after_the_engine(state, &env);
            effects.extend(agenda::began(state, &env));
            effects.extend(usage::begin(state));
            effects.extend(maintenance::begin(state));
            radar::begin(state);
            pulls::begin(state);
            effects
        }
        DiskEvent::Schedules(all) => {
            schedule::all_loaded(state, all);
            Vec::new()
        }
        DiskEvent::ChatGone(chat) => vanished(state, &chat),
        DiskEvent::LeftOpen(chat, ends) => append(state, &chat, ends),
        DiskEvent::Settings(read) => {
            match *read {
                Ok(settings) => return settings_read(state, settings),
                Err(problem) => state.disk.tell_broken_settings(problem),
            }
            Vec::new()
        }
        DiskEvent::Stalled(file) => {
            state.disk.write_trouble.stalled = file;
            Vec::new()
        }
        DiskEvent::Unwritten(failed) => {
            state.disk.write_trouble.failed = failed;
            Vec::new()
        }
        DiskEvent::Log(line) => {
            if state.live.log.len() == LOG_LINES {
                state.live.log.pop_front();
            }
            state.live.log.push_back(line);
            Vec::new()
        }
    }
}

/// Other settings are in force.
pub fn settings_read(state: &mut Domain, settings: Settings) -> Vec<Effect> {
    let consent = state.disk.settings.trust.clone();
    let budget = state.disk.settings.limits.budget.clone();
    let has_other_rules = state.disk.settings.permissions != settings.permissions;
    state.disk.follow(settings);
    state.notices.push(Notice::SettingsRead);
    let mut effects = usage::budget::changed(state, &budget);
    effects.extend(trust::settled(state, &consent));
    if has_other_rules {
        effects.extend(always::judge_open(state));
    }
    effects
}
