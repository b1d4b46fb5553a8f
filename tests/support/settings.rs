//! `config.json`, as a worker tells of it.

use parlour::domain::Effect;
use parlour::domain::event::Outcome;
use parlour::domain::work::{ReadDone, SettingDone, SettingNews, SettingWork, ShownContent, Work};
use parlour::model::Settings;
use parlour::model::setting::{DefaultsFile, SettingEdit, SettingOption, SettingsFile, TriedSetting};
use serde_json::Value;

use super::events::works;
use super::world::World;

/// What a file with this in it says.
pub fn settings_file(written: Value) -> SettingsFile {
    let option = |value: &str, about: &str| SettingOption {
        value: value.into(),
        about: about.into(),
    };
    SettingsFile {
        written,
        themes: vec![
            option("dark", "calm greys with one blue, on a dark background"),
            option("light", "paper and ink with one blue"),
            option("nord", "Nord: cold blues and greys"),
        ],
        defaults: vec![
            DefaultsFile {
                path: "llm-defaults/claude/settings.local.json".into(),
                is_own: true,
                policy: Some("acceptEdits".into()),
            },
            DefaultsFile {
                path: "llm-defaults/codex/config.toml".into(),
                ..DefaultsFile::default()
            },
            DefaultsFile {
                path: "llm-defaults/opencode/opencode.json".into(),
                ..DefaultsFile::default()
            },
        ],
        ..SettingsFile::default()
    }
}

/// The changes of `config.json` that this has begun.
pub fn edits(effects: &[Effect]) -> Vec<SettingEdit> {
    let edits = works(effects).into_iter().filter_map(|(_, job)| match job {
        Work::Setting(SettingWork::Edit(edits)) => Some(edits),
        _ => None,
    });
    edits.flatten().collect()
}

impl World {
    /// The settings screen has read the file.
    pub fn reads_settings(&mut self, file: SettingsFile) -> Vec<Effect> {
        self.comes(Outcome::Read(ReadDone::Shown(ShownContent::Settings(
            SettingNews::File(Box::new(file)),
        ))))
    }

    /// What it changed is written: the file says this now, and these settings hold.
    pub fn wrote_settings(&mut self, written: Value) -> Vec<Effect> {
        let settings: Settings = serde_json::from_value(written.clone()).unwrap();
        let file = settings_file(written);
        self.comes(Outcome::Setting(SettingDone::Edited(
            Box::new(settings),
            Box::new(file),
        )))
    }

    /// What the settings screen started came to this.
    pub fn started(&mut self, name: &str, outcome: Result<String, String>) -> Vec<Effect> {
        let tried = TriedSetting {
            name: name.into(),
            outcome,
        };
        self.comes(Outcome::Setting(SettingDone::Tried(tried)))
    }

    /// At the settings screen, with this in `config.json`.
    pub fn at_settings(cols: u16, rows: u16, written: Value) -> World {
        let mut world = World::morning(cols, rows);
        world.press(",");
        world.reads_settings(settings_file(written));
        world
    }
}
