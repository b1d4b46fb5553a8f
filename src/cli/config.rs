//! `parlour config`: the settings of `config.json`, from disk and without an engine.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::Context;
use serde_json::{Map, Value, json};

use super::args::{ConfigVerb, SetArgs};
use super::environment::environment;
use super::output::{OutputForm, OutputLook, OutputTone, print, show};
use super::person_only;
use super::requests::listen;
use super::table::{cell, table};
use crate::client::StartEngine;
use crate::config::{self, BrokenFile, Loaded};
use crate::engine;
use crate::fs::Dir;
use crate::model::request::EngineRequest;
use crate::model::setting::{self, FoundSetting, Setting, SettingEdit, SettingPlace, SettingText};
use crate::model::text::visible;
use crate::model::{Problem, Request, ResultExt};
use crate::screen::keymap::Keymap;

/// How long an engine may take to read a file of settings.
const TAKEN_UP: Duration = Duration::from_secs(2);

/// Behind the reason, which says what the setting may be.
const SEE_ALL: &str = "nothing was written; `parlour config list` shows what each setting is now";

pub fn run(home: &Path, form: OutputForm, verb: ConfigVerb) -> anyhow::Result<ExitCode> {
    let file = home.join("config.json");
    match verb {
        ConfigVerb::Get(of) => get(&file, form, &of.key)?,
        ConfigVerb::Set(of) => set(&file, form, &of)?,
        ConfigVerb::Unset(of) => unset(&file, form, &of.key)?,
        ConfigVerb::Edit => return edit(&file, form),
        ConfigVerb::Path => show(form, &json!({ "path": file }), |_| format!("{}\n", file.display()))?,
        ConfigVerb::List { set } => list(&file, form, Listed::of(set))?,
        ConfigVerb::Schema => print(&format!("{:#}\n", setting::schema()))?,
    }
    Ok(ExitCode::SUCCESS)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Listed {
    All,
    Set,
}

impl Listed {
    fn of(set: bool) -> Listed {
        if set { Listed::Set } else { Listed::All }
    }
}

fn load(file: &Path) -> Result<Loaded, Problem> {
    config::load(file).map_err(|broken| unreadable("reading config.json", &broken))
}

fn unreadable(doing: &str, broken: &BrokenFile) -> Problem {
    Problem::new(doing, broken, "`parlour config edit` opens it")
}

fn found(doing: &str, key: &str) -> Result<FoundSetting, Problem> {
    setting::find(key).map_err(|hint| {
        let cause = format!("there is no setting {}", visible(key));
        Problem::missing(doing, cause, hint)
    })
}

fn get(file: &Path, form: OutputForm, key: &str) -> anyhow::Result<()> {
    const DOING: &str = "reading a setting";
    let found = found(DOING, key)?;
    let loaded = load(file)?;
    match found {
        FoundSetting::Group(group) => {
            let value = grouped(key, &group, &loaded.written);
            show(form, &value, |_| format!("{value:#}\n"))
        }
        FoundSetting::One(place) => {
            let written = place.value_in(&loaded.written);
            let default = place.within.is_empty().then(|| place.setting.default_value());
            let value = written.or(default).filter(|value| !value.is_null());
            let told = told(&place, &loaded.written);
            if form == OutputForm::Json {
                return show(form, &told, |_| String::new());
            }
            let not_set = || {
                let hint = format!("`parlour config set {key} VALUE` sets it");
                Problem::missing(DOING, format!("{} is not set", visible(key)), hint)
            };
            let value = value.ok_or_else(not_set)?;
            print(&match value {
                Value::String(text) => format!("{text}\n"),
                Value::Array(_) | Value::Object(_) => format!("{value:#}\n"),
                Value::Null | Value::Bool(_) | Value::Number(_) => format!("{value}\n"),
            })
        }
    }
}

/// The values of a group, below its name.
fn grouped(key: &str, group: &[&Setting], written: &Value) -> Value {
    let mut root = Value::Object(Map::new());
    for setting in group {
        let value = setting::value_in(written, setting.path).unwrap_or(setting.default_value());
        let below = setting.path.strip_prefix(key).unwrap_or(setting.path);
        let mut at = &mut root;
        for name in below.trim_start_matches('.').split('.') {
            if !at.is_object() {
                *at = Value::Object(Map::new());
            }
            at = &mut at[name];
        }
        *at = value.clone();
    }
    root
}

/// What `--json` says of one.
fn told(place: &SettingPlace, written: &Value) -> Value {
    let value = place.value_in(written);
    let setting = place.setting;
    let default = match place.within.is_empty() {
        true => setting.default_value(),
        false => &Value::Null,
    };
    json!({
        "path": place.way().join("."),
        "value": value.unwrap_or(default),
        "default": default,
        "source": source(value),
        "about": setting.about,
        "acts": setting.acts.words(),
    })
}

fn source(written: Option<&Value>) -> &'static str {
    match written {
        Some(_) => "config.json",
        None => "default",
    }
}

fn set(file: &Path, form: OutputForm, of: &SetArgs) -> anyhow::Result<()> {
    const DOING: &str = "changing a setting";
    person_only::under_an_agent(DOING)?;
    let place = one(DOING, &of.key)?;
    // As the settings call it on the screen: no theme of its own.
    if of.key == "theme" && of.value == ["default"] {
        return unset(file, form, &of.key);
    }
    let refused = |why: String| Problem::new(DOING, format!("{}: {why}", of.key), SEE_ALL);
    let value = place.parse(&of.value).map_err(refused)?;
    carry_out(DOING, file, SettingEdit::Set(place.way(), value))?;
    let loaded = load(file)?;
    let taken = taken(&of.key, &loaded);
    let mut told = told(&place, &loaded.written);
    if !taken.is_empty() {
        told["taken"] = json!(taken);
    }
    show(form, &told, |_| {
        let value = place.value_in(&loaded.written).unwrap_or(&Value::Null);
        let key = visible(&of.key);
        let acts = place.setting.acts.words();
        let set = match place.within.is_empty() {
            true => format!(
                "{key} is {} now; it acts {acts}\n",
                SettingText::shown(place.setting, value)
            ),
            false => format!("{key} is set now; it acts {acts}\n"),
        };
        let taken = taken.iter().map(|taken| format!("{key} {taken}\n"));
        [set].into_iter().chain(taken).collect()
    })
}

/// `takes q from detach`: what a person may not have meant by the key that was set.
fn taken(key: &str, loaded: &Loaded) -> Vec<String> {
    let mine = format!("{key}: ");
    let taken = Keymap::of(&loaded.settings).remarks.into_iter();
    taken
        .filter_map(|said| said.strip_prefix(&mine).map(String::from))
        .collect()
}

fn unset(file: &Path, form: OutputForm, key: &str) -> anyhow::Result<()> {
    const DOING: &str = "removing a setting";
    person_only::under_an_agent(DOING)?;
    let place = one(DOING, key)?;
    let was_set = place.value_in(&load(file)?.written).is_some();
    if was_set {
        carry_out(DOING, file, SettingEdit::Unset(place.way()))?;
    }
    let loaded = load(file)?;
    show(form, &told(&place, &loaded.written), |_| {
        let key = visible(key);
        let default = SettingText::shown(place.setting, place.setting.default_value());
        match (was_set, place.within.is_empty()) {
            (true, true) => format!("{key} has its default again: {default}\n"),
            (true, false) => format!("{key} is removed\n"),
            (false, true) => format!("{key} was not set; its default holds: {default}\n"),
            (false, false) => format!("{key} was not set\n"),
        }
    })
}

/// A setting or an entry of one; a group cannot be changed as a whole.
fn one(doing: &str, key: &str) -> Result<SettingPlace, Problem> {
    match found(doing, key)? {
        FoundSetting::One(place) => Ok(place),
        FoundSetting::Group(group) => {
            let names: Vec<&str> = group.iter().map(|setting| setting.path).collect();
            let cause = format!("{key} is a group of settings");
            Err(Problem::new(doing, cause, format!("name one of {}", names.join(", "))))
        }
    }
}

fn carry_out(doing: &str, file: &Path, edit: SettingEdit) -> anyhow::Result<()> {
    if let Some(home) = file.parent() {
        Dir::open_or_create(home).context("opening your home")?;
    }
    let changed = engine::change_settings(file, &[edit]);
    let hint = match &changed {
        Err(config::Unwritten::Refused { .. }) => SEE_ALL,
        Err(config::Unwritten::Newer { .. }) => "start the newer parlour",
        Err(config::Unwritten::Broken(_)) | Ok(_) => "`parlour config edit` opens it; nothing was written",
    };
    changed.doing_or(doing, hint)?;
    take_up(file);
    Ok(())
}

/// The engine that runs takes the change up before anything else is asked of it; where it cannot, its watcher tells it.
fn take_up(file: &Path) {
    let home = file.parent().unwrap_or(Path::new(""));
    let request = Request::Engine(EngineRequest::Settings);
    let (_, heard) = listen(home, request, StartEngine::Never);
    let _ = heard.recv_timeout(TAKEN_UP);
}

fn list(file: &Path, form: OutputForm, listed: Listed) -> anyhow::Result<()> {
    let loaded = load(file)?;
    let places = setting::all().iter().map(|setting| SettingPlace {
        setting,
        within: Vec::new(),
    });
    let is_listed = |place: &SettingPlace| listed == Listed::All || place.value_in(&loaded.written).is_some();
    let places: Vec<SettingPlace> = places.filter(is_listed).collect();
    let all: Vec<Value> = places.iter().map(|place| told(place, &loaded.written)).collect();
    let value = json!({"file": file, "settings": all, "unknown": unknown(&loaded), "wrong": wrong(&loaded)});
    show(form, &value, |look| words(&places, &loaded, look))
}

fn words(places: &[SettingPlace], loaded: &Loaded, look: &OutputLook) -> String {
    let row = |place: &SettingPlace| {
        let written = place.value_in(&loaded.written);
        let setting = place.setting;
        let value = SettingText::shown(setting, written.unwrap_or(setting.default_value()));
        let (tone, from) = match written {
            Some(_) => (OutputTone::Good, "config.json"),
            None => (OutputTone::Quiet, "default"),
        };
        vec![
            cell(OutputTone::Plain, setting.path),
            cell(tone, &value),
            cell(OutputTone::Quiet, from),
            cell(OutputTone::Quiet, setting.about),
        ]
    };
    let rows: Vec<_> = places.iter().map(row).collect();
    let words = match places.is_empty() {
        true => "config.json sets nothing; `parlour config list` shows every setting\n".into(),
        false => table(look, &rows),
    };
    words + &slips(loaded, look)
}

fn unknown(loaded: &Loaded) -> Vec<&str> {
    loaded.unknown.iter().map(|unknown| unknown.key.as_str()).collect()
}

fn wrong(loaded: &Loaded) -> Vec<String> {
    loaded.misfits.iter().map(ToString::to_string).collect()
}

/// What of the file does nothing, a line each.
fn slips(loaded: &Loaded, look: &OutputLook) -> String {
    let wrong = loaded.misfits.iter().map(|stray| (OutputTone::Bad, stray.to_string()));
    let unknown = loaded.unknown.iter();
    let unknown = unknown.map(|unknown| (OutputTone::Waiting, unknown.to_string()));
    let lines = wrong.chain(unknown);
    lines
        .map(|(tone, note)| format!("{}\n", look.paint(tone, &visible(&note))))
        .collect()
}

/// What is wrong afterwards is said, and kept as it was typed.
fn edit(file: &Path, form: OutputForm) -> anyhow::Result<ExitCode> {
    const DOING: &str = "editing config.json";
    person_only::under_an_agent(DOING)?;
    if let Some(home) = file.parent() {
        Dir::open_or_create(home).context("opening your home")?;
    }
    // One that cannot be read is there to be mended.
    let broken = config::begin(file).and_then(|()| config::load(file).map(drop)).err();
    let place = broken.and_then(|broken| broken.at);
    let line = place.map_or(1, |(line, _)| u32::try_from(line).unwrap_or(1));
    let (program, words): (PathBuf, _) = engine::editor(&environment(), Some((file, line)))?;
    let ended = Command::new(&program).args(words).status();
    let ended = ended.with_context(|| format!("starting {}", program.display()))?;
    if !ended.success() {
        let cause = format!("{} ended with {ended}", program.display());
        return Err(Problem::new(DOING, cause, "set EDITOR to the one you like").into());
    }
    let loaded = config::load(file).map_err(|broken| unreadable(DOING, &broken))?;
    take_up(file);
    let told = json!({"path": file, "unknown": unknown(&loaded), "wrong": wrong(&loaded)});
    show(form, &told, |look| {
        let first = "config.json can be read; a running engine takes it up by itself\n".to_string();
        first + &slips(&loaded, look)
    })?;
    Ok(ExitCode::SUCCESS)
}
