//! What Enter, a click, the key of the default and that of a new entry do with the chosen row.

use serde_json::Value;

use crate::model::setting::{
    ApprovalPolicy, DefaultsFile, MapOf, Setting, SettingEdit, SettingKind, SettingSection, SettingText,
};

use super::super::{Around, OtherPage, Reply, SettingWish, Wish};
use super::access;
use super::form::EntryForm;
use super::input::{SettingChoices, SettingInput, SettingMode, TypedInto};
use super::keys::KeyCatch;
use super::page::SettingsPage;
use super::rows::SettingRow;

impl SettingsPage {
    /// Enter or a click on the chosen row.
    pub(super) fn act(&mut self, around: &Around) -> Reply {
        let (Some(row), None) = (self.chosen(), self.is_closed()) else {
            self.news = self.is_closed().map(Err);
            return Reply::Stay;
        };
        self.news = None;
        let Some(known) = &self.known else {
            return Reply::Stay;
        };
        let file = &known.file;
        let way = row.way(known);
        let setting = row.setting();
        let value = file.value_or_default(setting);
        match &row {
            SettingRow::Word(_, word) => {
                let value = row.toggled(word, file);
                return self.change(SettingEdit::of(setting.path, value));
            }
            SettingRow::Entry(_, name) if setting.kind == SettingKind::Map(MapOf::Switches) => {
                let on = value.get(name).and_then(Value::as_bool).unwrap_or(false);
                return self.change(SettingEdit::Set(way, (!on).into()));
            }
            SettingRow::Tool(_, tool) => return self.change(access::toggled(tool, value)),
            SettingRow::Chat(_, at) => {
                let chat = known.chats.get(*at).map(|chat| chat.chat.clone());
                return chat.map_or(Reply::Stay, |chat| Reply::Instead(OtherPage::Servers(chat)));
            }
            SettingRow::Field(_) => match setting.kind {
                SettingKind::Switch => {
                    let on = value.as_bool().unwrap_or(false);
                    return self.change(SettingEdit::of(setting.path, (!on).into()));
                }
                SettingKind::Choice(_) => self.mode = Some(self.choices(&row, around)),
                SettingKind::Text if ["theme", "defaultLlm"].contains(&setting.path) => {
                    self.mode = Some(self.choices(&row, around));
                }
                SettingKind::Text | SettingKind::Number(_) => {
                    let text = if value.is_null() {
                        String::new()
                    } else {
                        SettingText::shown(setting, value)
                    };
                    self.type_into(&row, setting.path.into(), &text, TypedInto::Value(way));
                }
                SettingKind::List(_) | SettingKind::Map(_) => self.add(&row),
            },
            SettingRow::Item(_, at) => {
                let text = value.get(at).and_then(Value::as_str).unwrap_or_default().to_string();
                self.type_into(
                    &row,
                    format!("{} {}", setting.path, at + 1),
                    &text,
                    TypedInto::Value(way),
                );
            }
            SettingRow::Entry(_, name) => {
                let before = value.get(name).map(|value| (name.clone(), value.clone()));
                self.mode = EntryForm::new(setting, before).map(SettingMode::Form);
            }
            SettingRow::Defaults(_, at) => {
                let file = known.file.defaults.get(*at);
                return self.open_file(file.map(|file| file.path.clone()).unwrap_or_default());
            }
            SettingRow::Policy(_, at) => {
                let file = known.file.defaults.get(*at);
                if file.is_some_and(DefaultsFile::asks_by_rules) {
                    self.show(SettingSection::Permissions);
                    return Reply::Stay;
                }
                self.mode = file.and_then(|file| policies(setting, file)).map(SettingMode::Choose);
            }
            SettingRow::Key(_, at) => {
                let binding = known.keys.get(*at);
                self.mode = binding.map(|binding| SettingMode::Catch(KeyCatch::new(setting, binding)));
            }
            SettingRow::Try(_) => {
                let label = "A command line, or a call such as Edit(src/main.rs)";
                self.type_into(&row, label.into(), "", TypedInto::Verdict);
            }
            SettingRow::Add(_) => self.add(&row),
        }
        Reply::Stay
    }

    pub(super) fn add(&mut self, row: &SettingRow) {
        let setting = row.setting();
        match setting.kind {
            SettingKind::List([]) if setting.path == access::TOOLS => {
                self.news = Some(Err("choose a tool or a chat below, and press Enter".into()));
            }
            SettingKind::List([]) => self.type_into(row, format!("new in {}", setting.path), "", TypedInto::NewItem),
            SettingKind::Map(MapOf::Agents | MapOf::Servers | MapOf::Prices) => {
                self.mode = EntryForm::new(setting, None).map(SettingMode::Form);
            }
            SettingKind::Map(MapOf::Keys) => self.news = Some(Err("choose a command below, and press Enter".into())),
            SettingKind::Map(MapOf::Switches)
            | SettingKind::List(_)
            | SettingKind::Switch
            | SettingKind::Number(_)
            | SettingKind::Choice(_)
            | SettingKind::Text => self.news = Some(Err("there is nothing to add here".into())),
        }
    }

    pub(super) fn type_into(&mut self, row: &SettingRow, label: String, text: &str, into: TypedInto) {
        let input = SettingInput::new(row.setting(), label, text, into);
        self.mode = Some(SettingMode::Type(Box::new(input)));
    }

    pub(super) fn choices(&self, row: &SettingRow, around: &Around) -> SettingMode {
        let setting = row.setting();
        let known = self.known.as_ref().map(|known| &known.file);
        let option = |value: &str, about: &str| (Some(value.to_string()), about.to_string());
        let none = |about: &str| (None, about.to_string());
        let options: Vec<_> = match (setting.kind, setting.path) {
            (SettingKind::Choice(words), _) => words.iter().map(|word| option(word, "")).collect(),
            (_, "theme") => {
                let themes = known.into_iter().flat_map(|file| &file.themes);
                let themes = themes.map(|theme| option(&theme.value, &theme.about));
                [none("dark or light, as your terminal's background is")]
                    .into_iter()
                    .chain(themes)
                    .collect()
            }
            (_, _) => {
                let agents = around.domain.disk.agents.iter();
                let agents = agents.map(|agent| option(&agent.llm, &agent.title));
                [none("the first agent CLI that is found")]
                    .into_iter()
                    .chain(agents)
                    .collect()
            }
        };
        let now = known.and_then(|file| match setting.kind {
            SettingKind::Choice(_) => file.value_or_default(setting).as_str(),
            SettingKind::Switch
            | SettingKind::Number(_)
            | SettingKind::Text
            | SettingKind::List(_)
            | SettingKind::Map(_) => file.value_of(setting).and_then(Value::as_str),
        });
        SettingMode::Choose(SettingChoices::new(setting, options, now))
    }

    pub(super) fn reset(&mut self) -> Reply {
        self.news = self.is_closed().map(Err);
        let (Some(row), None) = (self.chosen(), &self.news) else {
            return Reply::Stay;
        };
        let Some(known) = self.known.as_ref().filter(|known| row.is_set(known)) else {
            self.news = Some(Ok("Its default holds already.".into()));
            return Reply::Stay;
        };
        if let SettingRow::Policy(_, at) | SettingRow::Defaults(_, at) = row {
            let file = known
                .file
                .defaults
                .get(at)
                .filter(|_| matches!(row, SettingRow::Policy(..)));
            return match file {
                Some(file) => Reply::Submit(Wish::Setting(SettingWish::Policy(file.path.clone(), None))),
                None => {
                    self.news = Some(Err("it is a file of yours: remove it by hand".into()));
                    Reply::Stay
                }
            };
        }
        if let SettingRow::Chat(..) = row {
            self.news = Some(Err("press Enter, and switch it on there".into()));
            return Reply::Stay;
        }
        let way = row.way(known);
        let entries = row.entries(known);
        if entries > 1 && self.empties.take().as_ref() != Some(&way) {
            let all = way.join(".");
            self.news = Some(Err(format!(
                "{entries} entries of {all} would go. The same key again removes them all."
            )));
            self.empties = Some(way);
            return Reply::Stay;
        }
        self.change(SettingEdit::Unset(way))
    }
}

/// When the CLI of this file asks.
fn policies(setting: &'static Setting, file: &DefaultsFile) -> Option<SettingChoices> {
    let policy = ApprovalPolicy::of(&file.path)?;
    let words = policy.words.iter();
    let words = words.map(|(word, about)| (Some((*word).to_string()), (*about).to_string()));
    let own = [(None, "as it does by itself, or as its own settings say".to_string())];
    let options = own.into_iter().chain(words).collect();
    let mut choices = SettingChoices::new(setting, options, file.policy.as_deref());
    choices.policy_of = Some(file.path.clone());
    Some(choices)
}
