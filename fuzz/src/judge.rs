//! Any text is judged as a command without a panic, and a rule that denies all commands is never passed.

use std::path::Path;

use parlour::model::settings::PermissionSettings;
use parlour::permission::{Call, Rules, Ruling};
use serde_json::json;

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let home = Path::new("/home/ada");
    let settings = PermissionSettings {
        allow: vec!["Bash(ls:*)".into(), "Bash(git:*)".into()],
        ask: vec!["Edit(src/**)".into()],
        deny: vec!["Bash(git push:*)".into()],
        ..PermissionSettings::default()
    };
    let (rules, _) = Rules::parse(&settings, home);
    let everything = PermissionSettings {
        allow: vec!["Bash".into()],
        deny: vec!["Bash".into()],
        ..PermissionSettings::default()
    };
    let (nothing, _) = Rules::parse(&everything, home);
    let input = json!({ "command": text });
    let call = Call {
        tool: "Bash",
        input: &input,
        cwd: Path::new("/home/ada/.parlour/chats/fix"),
        at: None,
        dirs: &[],
    };
    rules.judge_for_cli(&call);
    assert!(matches!(nothing.judge(&call), Ruling::Deny { .. }), "{text:?}");
}
