//! Servers and agents are started once, to see whether they work: those that are kept, and those that are being typed.

use crossterm::event::KeyEvent;
use serde_json::Value;

use crate::domain::work::TrialOf;
use crate::model::setting::{MapOf, SettingKind, TriedSetting};

use super::super::tables::{SETTING_TYPED, SettingTypedKey};
use super::super::{Reply, SettingWish, Wish};
use super::form::EntryReply;
use super::input::SettingMode;
use super::page::SettingsPage;
use super::rows::SettingRow;

impl SettingsPage {
    pub(super) fn can_start(&self) -> bool {
        let row = self.chosen();
        row.is_some_and(|row| matches!(row, SettingRow::Entry(..)) && trial_of(row.setting().kind).is_some())
    }

    /// The server or the agent of the chosen row is started once.
    pub(super) fn start(&mut self) -> Reply {
        let known = self.known.as_ref().filter(|_| self.trying.is_none());
        let (Some(SettingRow::Entry(setting, name)), Some(known)) = (self.chosen(), known) else {
            self.news = Some(Err(
                "only a server or an agent of your own can be tested: choose one".into()
            ));
            return Reply::Stay;
        };
        let entry = known.file.value_or_default(setting).get(&name).cloned();
        match (trial_of(setting.kind), entry) {
            (Some(what), Some(entry)) => self.begin_trial(what, name, entry),
            (_, _) => Reply::Stay,
        }
    }

    fn begin_trial(&mut self, what: TrialOf, name: String, entry: Value) -> Reply {
        match &mut self.mode {
            Some(SettingMode::Form(form)) => (form.is_trying, form.tried, form.problem) = (true, None, None),
            Some(_) | None => self.news = Some(Ok(format!("starting {name}, 10 s at most…"))),
        }
        Reply::Submit(Wish::Setting(SettingWish::Start(what, name, entry)))
    }

    pub(super) fn press_form(&mut self, key: KeyEvent) -> Reply {
        let Some(SettingMode::Form(form)) = &mut self.mode else {
            return Reply::Stay;
        };
        let kind = form.setting.kind;
        let starts = SETTING_TYPED.command(key) == Some(SettingTypedKey::Start) && form.can_be_tried();
        let reply = if starts { form.try_it() } else { form.press(key) };
        match (reply, trial_of(kind)) {
            (EntryReply::GiveUp, _) => self.mode = None,
            (EntryReply::Try(name, entry), Some(what)) => return self.begin_trial(what, name, entry),
            (EntryReply::Keep(edits), _) if self.writing.is_none() => {
                return Reply::Submit(Wish::Setting(SettingWish::Edit(edits)));
            }
            (EntryReply::Keep(_) | EntryReply::Try(..) | EntryReply::Stay, _) => {}
        }
        Reply::Stay
    }

    pub(super) fn tried(&mut self, tried: &TriedSetting) -> Reply {
        match &mut self.mode {
            Some(SettingMode::Form(form)) => {
                (form.is_trying, form.tried) = (false, Some(tried.clone()));
                if form.keeps
                    && tried.outcome.is_ok()
                    && self.writing.is_none()
                    && let EntryReply::Keep(edits) = form.submit()
                {
                    return Reply::Submit(Wish::Setting(SettingWish::Edit(edits)));
                }
            }
            Some(_) | None => {
                let said = |said: &String| format!("{}: {said}", tried.name);
                self.news = Some(tried.outcome.as_ref().map(said).map_err(said));
            }
        }
        Reply::Stay
    }

    /// What is said once the form is kept: also what came of trying it, which goes with the form.
    pub(super) fn told_with_trial(&self, told: String) -> String {
        match &self.mode {
            Some(SettingMode::Form(form)) => match &form.tried {
                Some(TriedSetting { outcome: Ok(said), .. }) => format!("{told} Tried: {said}."),
                Some(_) | None => told,
            },
            Some(_) | None => told,
        }
    }
}

/// What is started to see whether an entry of such a map works.
fn trial_of(kind: SettingKind) -> Option<TrialOf> {
    match kind {
        SettingKind::Map(MapOf::Agents) => Some(TrialOf::Agent),
        SettingKind::Map(MapOf::Servers) => Some(TrialOf::Server),
        SettingKind::Map(MapOf::Keys | MapOf::Prices | MapOf::Switches)
        | SettingKind::List(_)
        | SettingKind::Switch
        | SettingKind::Number(_)
        | SettingKind::Choice(_)
        | SettingKind::Text => None,
    }
}
