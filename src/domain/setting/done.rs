//! The settings are others, or something of them was tried.

use serde_json::json;

use crate::domain::effect::Effect;
use crate::domain::notice::Done;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{SettingDone, SettingNews, SettingThen, ShownContent};
use crate::domain::{disk, reply};

/// Other settings hold at once, before the watcher tells of the file.
pub fn done(state: &mut Domain, requester: Requester, then: SettingThen, done: SettingDone) -> Vec<Effect> {
    let (mut effects, news) = match done {
        SettingDone::Edited(settings, file) => (disk::settings_read(state, *settings), SettingNews::File(file)),
        SettingDone::Begun(path) => (Vec::new(), SettingNews::Begun(path)),
        SettingDone::Tried(tried) => (Vec::new(), SettingNews::Tried(tried)),
    };
    match then {
        SettingThen::Show => reply::show(state, requester, Done::Shown(ShownContent::Settings(news))),
        SettingThen::Answer => effects.extend(reply::answer(state, requester, Ok(json!({})))),
    }
    effects
}
