//! `docs/settings.md` says what the table of settings says.

use parlour::model::setting::{self, ActsFrom, Setting, SettingText};
use serde_json::Value;

use crate::support::page::holds;

/// The end of what is written by hand.
const MARK: &str = "settings_page -->\n";

/// The table as the page has it.
fn page() -> String {
    let (mut page, mut section) = (String::new(), None);
    for setting in setting::all() {
        if section != Some(setting.section) {
            section = Some(setting.section);
            let title = setting.section.title();
            page.push_str(&format!(
                "\n## {title}\n\n| setting | value | default | what it does |\n|---|---|---|---|\n"
            ));
        }
        page.push_str(&row(setting));
    }
    page
}

fn row(setting: &Setting) -> String {
    let acts = match setting.acts {
        ActsFrom::AtOnce => String::new(),
        later @ (ActsFrom::AgentStart | ActsFrom::EngineStart) => format!(" It takes effect {}.", later.words()),
    };
    let default = match setting.default_value() {
        Value::Null => SettingText::shown(setting, &Value::Null),
        value => {
            let told = SettingText::told(setting, value);
            let unit = match told.strip_prefix(&SettingText::shown(setting, value)) {
                Some(unit) => unit.to_string(),
                None => format!(" ({told})"),
            };
            // 0.0 is written as 0.
            format!("`{}`{unit}", value.to_string().trim_end_matches(".0"))
        }
    };
    let kind = SettingText::kind(setting);
    format!(
        "| `{}` | {kind} | {default} | {}{acts} |\n",
        setting.path, setting.about
    )
}

#[test]
fn the_page_of_settings_is_made_from_the_table() {
    holds("docs/settings.md", MARK, &page());
}
