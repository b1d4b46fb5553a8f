//! Calls a person who looks elsewhere: by what their terminal takes, and by a command of their own.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::model::alert::{Alert, TerminalNotice};
use crate::sys::spawn::Helper;

/// How long a command may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a terminal takes, by the environment of the client in it. A multiplexer passes nothing on but the bell.
pub fn taken_by(env: &BTreeMap<String, String>) -> TerminalNotice {
    let is = |name: &str, value: &str| env.get(name).is_some_and(|told| told.contains(value));
    if env.contains_key("TMUX") || env.contains_key("STY") || env.contains_key("ZELLIJ") {
        return TerminalNotice::Bell;
    }
    if is("TERM", "kitty") {
        return TerminalNotice::Osc99;
    }
    if is("TERM", "rxvt") || is("TERM", "foot") {
        return TerminalNotice::Osc777;
    }
    let known = ["iTerm", "WezTerm", "ghostty"];
    match known.iter().any(|name| is("TERM_PROGRAM", name)) || is("TERM", "ghostty") || is("TERM", "wezterm") {
        true => TerminalNotice::Osc9,
        false => TerminalNotice::Bell,
    }
}

/// What has a terminal call its person.
pub fn sequence(alert: &Alert, set: TerminalNotice, taken: TerminalNotice) -> String {
    let words: String = alert.words().chars().filter(|letter| !letter.is_control()).collect();
    // Title and text are parted by `;` in one of the forms.
    let words = words.replace(';', ",");
    let form = match set {
        TerminalNotice::Auto => taken,
        other => other,
    };
    let shown = match form {
        TerminalNotice::Osc9 => format!("\x1b]9;{words}\x1b\\"),
        TerminalNotice::Osc777 => format!("\x1b]777;notify;parlour;{words}\x1b\\"),
        // One notification a chat: the newest takes the place of the one before.
        TerminalNotice::Osc99 => format!("\x1b]99;i=parlour-{};{words}\x1b\\", alert.chat),
        TerminalNotice::Auto | TerminalNotice::Bell | TerminalNotice::Off => String::new(),
    };
    let bell = match set {
        TerminalNotice::Auto | TerminalNotice::Bell => "\x07",
        TerminalNotice::Osc9 | TerminalNotice::Osc777 | TerminalNotice::Osc99 | TerminalNotice::Off => "",
    };
    shown + bell
}

/// Runs the person's command beside the loop, with the alert in its environment. One that fails is told in the log.
pub fn run(command: String, alert: Alert, home: &Path) {
    let mut shell = Command::new("/bin/sh");
    shell
        .args(["-c", &command])
        .env_clear()
        .envs(std::env::vars_os())
        .env("PARLOUR_ALERT", <&str>::from(alert.kind))
        .env("PARLOUR_ALERT_TEXT", alert.words())
        .env("PARLOUR_ALERT_CHAT", alert.chat.to_string())
        .env("PARLOUR_ALERT_NAME", &alert.name)
        .env("PARLOUR_ALERT_PROJECT", alert.project.unwrap_or_default())
        .env("PARLOUR_ALERT_BRANCH", alert.branch.unwrap_or_default())
        .current_dir(home);
    tokio::task::spawn_blocking(move || {
        let ended = Helper::start(shell, Stdio::null(), Stdio::null())
            .and_then(|mut helper| helper.wait_until(Instant::now() + PATIENCE));
        match ended {
            Ok(Some(exit)) if exit.is_success() => {}
            Ok(Some(_)) => tracing::warn!("notify.command failed: {command}"),
            Ok(None) => tracing::warn!("notify.command was ended after {PATIENCE:?}: {command}"),
            Err(error) => tracing::warn!("notify.command cannot be run: {error}"),
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ChatId;
    use crate::model::alert::AlertKind;

    fn alert(text: &str) -> Alert {
        Alert {
            kind: AlertKind::NeedsYou,
            chat: ChatId::from_bits(7),
            name: "auth".into(),
            project: None,
            branch: None,
            text: text.into(),
        }
    }

    fn env(told: &[(&str, &str)]) -> BTreeMap<String, String> {
        let told = told.iter().map(|(name, value)| (name.to_string(), value.to_string()));
        told.collect()
    }

    #[test]
    fn a_terminal_is_told_in_the_form_it_takes() {
        let form = |told: &[(&str, &str)]| taken_by(&env(told));
        assert_eq!(form(&[("TERM", "xterm-kitty")]), TerminalNotice::Osc99);
        assert_eq!(form(&[("TERM", "foot")]), TerminalNotice::Osc777);
        assert_eq!(
            form(&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "iTerm.app")]),
            TerminalNotice::Osc9
        );
        assert_eq!(form(&[("TERM", "xterm-256color")]), TerminalNotice::Bell);
        assert_eq!(
            form(&[("TERM", "xterm-kitty"), ("TMUX", "/tmp/x,1,0")]),
            TerminalNotice::Bell
        );
    }

    #[test]
    fn what_an_agent_asks_cannot_write_to_the_terminal() {
        let text = sequence(
            &alert("run\x1b]52;c;AAAA\x07 it"),
            TerminalNotice::Auto,
            TerminalNotice::Osc777,
        );
        assert_eq!(
            text,
            "\x1b]777;notify;parlour;auth needs you: run]52,c,AAAA it\x1b\\\x07"
        );
    }

    #[test]
    fn what_is_set_wins_over_what_is_known() {
        assert_eq!(sequence(&alert(""), TerminalNotice::Bell, TerminalNotice::Osc9), "\x07");
        assert_eq!(sequence(&alert(""), TerminalNotice::Off, TerminalNotice::Osc9), "");
        assert_eq!(
            sequence(&alert(""), TerminalNotice::Osc9, TerminalNotice::Bell),
            "\x1b]9;auth needs you\x1b\\"
        );
    }
}
