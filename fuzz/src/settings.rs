//! Any bytes as `config.json`: they are read or a place in them is named, they are not touched, and what is set in them
//! leaves all else as it is.

use std::fs;
use std::path::PathBuf;

use parlour::config;
use parlour::model::setting::SettingEdit;
use serde_json::{Value, json};

struct Place {
    _folder: tempfile::TempDir,
    file: PathBuf,
}

thread_local! {
    static PLACE: Place = {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("config.json");
        Place { _folder: folder, file }
    };
}

pub fn run(bytes: &[u8]) {
    PLACE.with(|place| place.try_out(bytes));
}

impl Place {
    fn try_out(&self, bytes: &[u8]) {
        fs::write(&self.file, bytes).expect("it is written");
        let kept = || fs::read(&self.file).expect("it is there");
        let loaded = config::load(&self.file);
        assert!(kept() == bytes, "reading changed it");
        if let Err(broken) = &loaded {
            assert!(!broken.to_string().is_empty());
        }
        let edit = SettingEdit::of("limits.liveAgents", json!(7));
        match config::edit(&self.file, std::slice::from_ref(&edit)) {
            Ok(now) => {
                assert!(loaded.is_ok(), "what cannot be read was written over");
                assert_eq!(now.settings.limits.live_agents, 7);
                let again = config::load(&self.file).expect("what was written can be read");
                assert!(again.settings == now.settings);
                // Twice the same is the same.
                let once = kept();
                config::edit(&self.file, &[edit]).expect("it can be set again");
                assert!(kept() == once);
                let unset = SettingEdit::reset("limits.liveAgents");
                config::edit(&self.file, &[unset]).expect("it can be taken out again");
                keeps(bytes, &kept());
            }
            Err(_) => assert!(kept() == bytes, "a refusal changed it"),
        }
    }
}

/// Every other member is there with its value.
fn keeps(before: &[u8], after: &[u8]) {
    // Comments and commas that JSON does not know are the readers' own affair.
    let (Ok(Value::Object(before)), Ok(Value::Object(after))) =
        (serde_json::from_slice(before), serde_json::from_slice::<Value>(after))
    else {
        return;
    };
    for (key, value) in before.iter().filter(|(key, _)| *key != "limits") {
        assert_eq!(after.get(key), Some(value), "{key}");
    }
}
