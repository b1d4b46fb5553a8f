//! The last row: where keys go, and the ones that matter now.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::keymap::{Action, Keymap};
use crate::app::view::{Focus, Mode};
use crate::app::wrap::width;

use super::screen::Scene;
use super::text::{after, clear, put, put_right};

pub fn draw(scene: &Scene, area: Rect, buf: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let theme = scene.theme;
    clear(buf, area, theme.background.patch(theme.text));
    let keymap = Keymap::of(&scene.state.disk.settings);
    let (badge, style) = match (scene.view.leader, scene.view.mode) {
        (false, _) if scene.view.reading.copy.is_some() => (" COPY ", theme.mode.outside),
        (true, _) => (" LEADER ", theme.mode.outside),
        (false, Mode::Agent) => (" AGENT ", theme.mode.agent),
        (false, Mode::Outside) => (" PARLOUR ", theme.mode.outside),
    };
    let mut rest = after(area, put(buf, area, badge, style) + 1);
    let disk = &scene.state.disk;
    if let Some(problem) = disk.read_only.as_ref().or(disk.settings_problem.as_ref()) {
        let half = after(rest, rest.width / 2);
        let left = put_right(buf, half, &problem.cause, theme.failed);
        rest.width = (rest.width / 2 + left.width).saturating_sub(1);
    }
    for (key, words) in hints(scene, &keymap) {
        let wide = u16::try_from(width(&key) + 1 + width(words) + 2).unwrap_or(u16::MAX);
        if key.is_empty() || wide > rest.width + 2 {
            continue;
        }
        let used = put(buf, rest, &key, theme.key);
        let after_key = after(rest, used + 1);
        put(buf, after_key, words, theme.dim);
        rest = after(rest, wide);
    }
}

/// Most wanted first: what does not fit is left out.
fn hints(scene: &Scene, keymap: &Keymap) -> Vec<(String, &'static str)> {
    let key = |action, words| (keymap.key(action), words);
    let leader = keymap.leader();
    if scene.view.leader {
        return vec![("Esc".into(), "out of the agent"), (leader, "send it on")];
    }
    if let Some(copy) = &scene.view.reading.copy {
        let select = if copy.is_selecting() { "let go" } else { "select" };
        let keys = [
            ("v", select),
            ("y", "copy"),
            ("Esc", "leave"),
            ("hjkl", "move"),
            ("w b", "word"),
            ("0 $", "line"),
            ("g G", "all"),
        ];
        return keys.map(|(key, words)| (key.to_string(), words)).to_vec();
    }
    let no_chat = scene.view.chat.is_none();
    let live = scene
        .view
        .chat
        .as_ref()
        .is_some_and(|chat| scene.state.status(chat).is_live());
    let enter = key(Action::Enter, if live { "go in" } else { "resume" });
    match (scene.view.mode, scene.view.focus) {
        (Mode::Agent, _) => vec![(leader.clone(), "menu"), (format!("{leader} Esc"), "out of the agent")],
        (Mode::Outside, _) if scene.view.sidebar.filter.is_some() => {
            vec![
                ("Enter".into(), "choose"),
                ("↑↓".into(), "move"),
                ("Esc".into(), "give up"),
            ]
        }
        (Mode::Outside, _) if no_chat => {
            vec![
                key(Action::NewChat, "new chat"),
                key(Action::Demo, "demo"),
                key(Action::Help, "all keys"),
                key(Action::Detach, "detach"),
            ]
        }
        (Mode::Outside, Focus::Pane) => vec![
            enter,
            key(Action::SwitchFocus, "sidebar"),
            key(Action::CopyMode, "copy"),
            (
                format!("{} {}", keymap.key(Action::ScrollUp), keymap.key(Action::ScrollDown)),
                "scroll",
            ),
            key(Action::Zoom, "zoom"),
            key(Action::Help, "all keys"),
            key(Action::Detach, "detach"),
        ],
        (Mode::Outside, Focus::Inspector) => vec![
            key(Action::Enter, "open"),
            (
                format!("{} {}", keymap.key(Action::Up), keymap.key(Action::Down)),
                "move",
            ),
            key(Action::SwitchFocus, "sidebar"),
            key(Action::Inspector, "hide"),
            key(Action::Help, "all keys"),
            key(Action::Detach, "detach"),
        ],
        (Mode::Outside, Focus::Sidebar) => vec![
            enter,
            key(Action::NewChat, "new chat"),
            key(Action::Help, "all keys"),
            key(Action::Filter, "filter"),
            key(Action::Detach, "detach"),
            key(Action::Palette, "commands"),
            key(Action::OpenProject, "open project"),
            key(Action::NextWaiting, "next waiting"),
            key(Action::Delete, "delete"),
        ],
    }
}
