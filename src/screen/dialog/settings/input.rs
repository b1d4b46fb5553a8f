//! A value is being changed: typed into a field, or chosen from a list.

use std::path::PathBuf;

use crate::model::Timestamp;
use crate::model::setting::{Setting, SettingEdit, SettingPlace};
use crate::permission::{self, Ruling};

use super::super::typed_letters::TypedLetters;
use super::super::{Field, Reply, Room, SettingWish, Wish};
use super::form::EntryForm;
use super::keys::KeyCatch;

/// What is open over the settings.
pub enum SettingMode {
    Type(Box<SettingInput>),
    Choose(SettingChoices),
    Catch(KeyCatch),
    Form(EntryForm),
}

/// A value that is typed.
pub struct SettingInput {
    pub setting: &'static Setting,
    /// What is typed: a value, or the name of a new entry.
    pub label: String,
    pub field: Field,
    /// Why it was not kept.
    pub problem: Option<String>,
    /// What the rules say to the call that is tried.
    pub verdict: Option<Ruling>,
    into: TypedInto,
}

/// Where what is typed goes.
#[derive(Clone, Debug, PartialEq)]
pub enum TypedInto {
    Value(Vec<String>),
    NewItem,
    /// Nowhere: a call is tried against the rules.
    Verdict,
}

impl SettingInput {
    pub fn new(setting: &'static Setting, label: String, text: &str, into: TypedInto) -> SettingInput {
        SettingInput {
            setting,
            label,
            field: Field::new(text, Room::Line),
            problem: None,
            verdict: None,
            into,
        }
    }

    /// The change that it comes to, or why it can be none.
    pub fn edit(&self) -> Result<SettingEdit, String> {
        let text = self.field.text().trim().to_string();
        if text.is_empty() {
            return Err("type something, or press Esc".into());
        }
        let path: Vec<String> = self.setting.path.split('.').map(String::from).collect();
        match &self.into {
            TypedInto::Verdict => Err("it is only tried".into()),
            TypedInto::NewItem => {
                self.check_rule(&text)?;
                Ok(SettingEdit::Push(path, text.into()))
            }
            TypedInto::Value(way) => {
                self.check_rule(&text)?;
                // An item of a list is a text like any other.
                let place = SettingPlace {
                    setting: self.setting,
                    within: Vec::new(),
                };
                let value = match way.len() > path.len() {
                    true => text.into(),
                    false => place.parse(&[text])?,
                };
                Ok(SettingEdit::Set(way.clone(), value))
            }
        }
    }

    pub fn is_tried(&self) -> bool {
        self.into == TypedInto::Verdict
    }

    /// Asks what the rules say to what is typed so far, where that is what it is for.
    pub fn tries(&mut self) -> Reply {
        self.verdict = None;
        let text = self.field.text();
        match self.is_tried() && !text.trim().is_empty() {
            true => Reply::Submit(Wish::Setting(SettingWish::Try(text))),
            false => Reply::Stay,
        }
    }

    fn check_rule(&self, text: &str) -> Result<(), String> {
        match self.setting.path.starts_with("permissions.") {
            true => permission::check(text).map(drop).map_err(|misfit| misfit.to_string()),
            false => Ok(()),
        }
    }
}

/// Values to choose from.
pub struct SettingChoices {
    pub setting: &'static Setting,
    /// The value, and what it is; `None` is the default.
    pub options: Vec<(Option<String>, String)>,
    pub at: usize,
    letters: TypedLetters,
    /// It is no setting of `config.json`, but when the agent CLI of this file of the home asks.
    pub policy_of: Option<PathBuf>,
}

impl SettingChoices {
    pub fn new(setting: &'static Setting, options: Vec<(Option<String>, String)>, now: Option<&str>) -> SettingChoices {
        let at = options.iter().position(|(value, _)| value.as_deref() == now);
        SettingChoices {
            setting,
            options,
            at: at.unwrap_or(0),
            letters: TypedLetters::default(),
            policy_of: None,
        }
    }

    /// What the cursor is on; nothing in it is the default.
    pub(super) fn value(&self) -> Option<Option<&str>> {
        self.options.get(self.at).map(|(value, _)| value.as_deref())
    }

    /// What a value is called in the list. A CLI has a word "default" of its own.
    pub fn word<'a>(&self, value: &'a Option<String>) -> &'a str {
        let nothing = if self.policy_of.is_some() { "not set" } else { "default" };
        value.as_deref().unwrap_or(nothing)
    }

    /// To the next value that begins with the letters typed so far, or with this one; behind the last comes the first.
    pub(super) fn go_to(&mut self, letter: char, now: Timestamp) {
        let typed = self.letters.press(letter, now);
        let count = self.options.len();
        let begins = |at: &usize, wanted: &str| self.word(&self.options[*at].0).to_lowercase().starts_with(wanted);
        // With another letter the same value may still be meant.
        let from = if typed.chars().count() > 1 { 0 } else { 1 };
        let next = |from: usize, wanted: &str| {
            let mut steps = (from..from + count).map(|step| (self.at + step) % count);
            steps.find(|at| begins(at, wanted))
        };
        let Some(at) = next(from, &typed) else {
            let alone: String = letter.to_lowercase().collect();
            self.at = next(1, &alone).unwrap_or(self.at);
            self.letters.begin(letter);
            return;
        };
        self.at = at;
    }

    pub fn edit(&self) -> Option<SettingEdit> {
        let (value, _) = self.options.get(self.at)?;
        Some(match value {
            Some(value) => SettingEdit::of(self.setting.path, value.as_str().into()),
            None => SettingEdit::reset(self.setting.path),
        })
    }

    /// The theme that the cursor is on, where themes are chosen; nothing in it is the default.
    pub fn theme(&self) -> Option<Option<&str>> {
        self.value().filter(|_| self.setting.path == "theme")
    }

    /// The first row that is seen of a list with room for so many.
    pub fn first(&self, rows: usize) -> usize {
        (self.at + 1).saturating_sub(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::setting;

    #[test]
    fn a_word_goes_to_the_value_that_begins_with_it() {
        let options = ["elk", "elm", "fir"].map(|word| (Some(word.to_string()), String::new()));
        let mut choices = SettingChoices::new(&setting::all()[0], options.into(), Some("fir"));
        let mut go = |letters: &str, at: i64| {
            for letter in letters.chars() {
                choices.go_to(letter, Timestamp(at));
            }
            choices.value().flatten().unwrap().to_owned()
        };
        assert_eq!(go("elm", 5_000), "elm");
        assert_eq!(go("e", 9_000), "elk", "the next one");
        assert_eq!(go("e", 9_100), "elm");
        assert_eq!(go("f", 9_200), "fir", "nothing begins with all of them");
    }
}
