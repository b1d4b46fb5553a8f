//! The person's own command is run when a chat needs them.

use std::fs;
use std::time::Duration;

use crate::support::parlour::{Parlour, until};

#[test]
fn a_command_is_run_with_the_chat_in_its_environment() {
    let parlour = Parlour::new();
    let told = parlour.scratch().join("told");
    let command = format!(
        "printf '%s|%s|%s\\n' \"$PARLOUR_ALERT\" \"$PARLOUR_ALERT_NAME\" \"$PARLOUR_ALERT_TEXT\" >> {}",
        told.display()
    );
    parlour.configure(&serde_json::json!({"notify": {"on": ["needs-you"], "command": command}}).to_string());
    parlour.json(&["demo"]);
    parlour.wait("demo", "needs-you");
    let lines = || fs::read_to_string(&told).unwrap_or_default();
    until("the command ran", Duration::from_secs(10), || lines().ends_with('\n'));
    let lines = lines();
    assert_eq!(lines.lines().count(), 1, "{lines}");
    assert!(lines.starts_with("needs-you|Demo|Demo needs you: "), "{lines}");
}

#[test]
fn what_one_cannot_be_called_for_is_named() {
    let parlour = Parlour::new();
    parlour.configure(r#"{"notify": {"on": ["neds-you"]}}"#);
    let refused = String::from_utf8(parlour.run(&["doctor"]).stdout).unwrap();
    assert!(refused.contains("notify.on"), "{refused}");
    assert!(refused.contains("needs-you"), "{refused}");
}
