//! The last row: where keys go, and the ones that matter now.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::domain::auxiliary::{Side, What};
use crate::screen::board::Face;
use crate::screen::keymap::{Action, ChatAction, ChatsAction, Keymap, MoveAction, ScreenAction};
use crate::screen::surface::Surface;
use crate::screen::tab::{self, Ahead};
use crate::screen::view::Tab;
use crate::screen::wrap::width;
use crate::screen::{command, side};

use super::scene::Scene;
use super::text::{after, clear, put, put_right};

pub fn draw(scene: &Scene, area: Rect, buf: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let theme = scene.theme;
    clear(buf, area, theme.background.patch(theme.text));
    let keymap = &scene.state.keymap;
    let beside = side::shown(scene.state, scene.view).map(|(_, side)| side);
    let surface = scene.view.surface();
    let (badge, style) = match surface {
        Surface::Dialog => (" DIALOG ", theme.mode.outside),
        Surface::Copy => (" COPY ", theme.mode.outside),
        Surface::Leader => (" LEADER ", theme.mode.outside),
        Surface::Terminal => (beside.map_or(" AGENT ", Side::badge), theme.mode.agent),
        Surface::Schedules
        | Surface::Filter
        | Surface::Work
        | Surface::Pane
        | Surface::Inspector
        | Surface::Sidebar => (" PARLOUR ", theme.mode.outside),
    };
    let mut rest = after(area, put(buf, area, badge, style) + 1);
    if let Some(words) = scene.view.guard.says() {
        put(buf, rest, words, theme.waiting);
        return;
    }
    let offer = scene.view.offered.and_then(|_| command::offer(scene.state));
    if let Some(words) = offer.filter(|_| !matches!(surface, Surface::Dialog | Surface::Leader)) {
        put(buf, rest, &words, theme.accent);
        return;
    }
    let disk = &scene.state.domain.disk;
    if let Some(problem) = disk.read_only.as_ref().or(disk.settings_problem.as_ref()) {
        let half = after(rest, rest.width / 2);
        let left = put_right(buf, half, &problem.cause, theme.failed);
        rest.width = (rest.width / 2 + left.width).saturating_sub(1);
    }
    for (key, words) in hints(scene, keymap) {
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
    let key = |action: Action, words| (keymap.key(action), words);
    let leader = keymap.leader();
    let beside = side::shown(scene.state, scene.view).map(|(_, side)| side);
    let no_chat = scene.view.chat.is_none();
    let live = scene
        .view
        .chat
        .as_ref()
        .is_some_and(|chat| scene.state.domain.status(chat).is_live());
    let enter = match beside {
        Some(side) if !side.is_live() => "run again",
        None if !live => "resume",
        Some(_) | None => "go in",
    };
    let enter = key(Action::Chat(ChatAction::Enter), enter);
    match scene.view.surface() {
        Surface::Dialog => keys_of_dialog(scene),
        // It has a row of its own.
        Surface::Schedules => Vec::new(),
        Surface::Leader => vec![("Esc".into(), out_of(scene)), (leader, "send it on")],
        Surface::Copy => keys_of_copy_mode(scene),
        Surface::Terminal => vec![(leader.clone(), "menu"), (format!("{leader} Esc"), out_of(scene))],
        Surface::Filter => {
            vec![
                ("Enter".into(), "choose"),
                ("↑↓".into(), "move"),
                ("Esc".into(), "give up"),
            ]
        }
        Surface::Work | Surface::Pane | Surface::Inspector | Surface::Sidebar if no_chat => {
            vec![
                key(Action::Chats(ChatsAction::NewChat), "new chat"),
                key(Action::Chats(ChatsAction::Demo), "demo"),
                key(Action::Screen(ScreenAction::Help), "all keys"),
                key(Action::Screen(ScreenAction::Detach), "detach"),
            ]
        }
        Surface::Work => {
            let face = match scene.view.board.face {
                Face::Board => "graph",
                Face::Graph => "board",
            };
            let keys = [
                ("Enter", "open"),
                ("> <", "move"),
                ("c", "claim"),
                ("e", "edit"),
                ("a", "add"),
                ("n", "hand out"),
                ("g", face),
                ("Esc q", "close"),
            ];
            let keys = keys.map(|(key, words)| (key.to_string(), words)).into_iter();
            keys.chain([
                key(Action::Move(MoveAction::SwitchFocus), ahead(scene)),
                key(Action::Screen(ScreenAction::Help), "all keys"),
            ])
            .collect()
        }
        Surface::Pane => keys_of_terminal(scene, keymap, enter),
        Surface::Inspector => vec![
            key(Action::Chat(ChatAction::Enter), "open"),
            (
                format!(
                    "{} {}",
                    keymap.key(Action::Move(MoveAction::Up)),
                    keymap.key(Action::Move(MoveAction::Down))
                ),
                "move",
            ),
            key(Action::Move(MoveAction::SwitchFocus), "sidebar"),
            key(Action::Screen(ScreenAction::Inspector), "hide"),
            key(Action::Screen(ScreenAction::Help), "all keys"),
            key(Action::Screen(ScreenAction::Detach), "detach"),
        ],
        Surface::Sidebar => vec![
            enter,
            key(Action::Chats(ChatsAction::NewChat), "new chat"),
            key(Action::Screen(ScreenAction::Help), "all keys"),
            key(Action::Chats(ChatsAction::Filter), "filter"),
            key(Action::Screen(ScreenAction::Detach), "detach"),
            key(Action::Screen(ScreenAction::Palette), "commands"),
            key(Action::Chat(ChatAction::OpenProject), "open project"),
            key(Action::Chats(ChatsAction::NextWaiting), "next waiting"),
            key(Action::Chat(ChatAction::Delete), "delete"),
        ],
    }
}

fn keys_of_dialog(scene: &Scene) -> Vec<(String, &'static str)> {
    let Some(dialog) = &scene.view.dialog else {
        return Vec::new();
    };
    let live = dialog.is_live_from().is_none_or(|from| from <= scene.state.domain.now);
    let wait = (!live).then_some(("…", "read it first"));
    let keys = wait.iter().chain(dialog.keys(scene.state));
    keys.map(|(key, words)| (key.to_string(), *words)).collect()
}

fn keys_of_copy_mode(scene: &Scene) -> Vec<(String, &'static str)> {
    let selects = scene.view.reading.copy.is_some_and(|copy| copy.is_selecting());
    let keys = [
        ("v", if selects { "let go" } else { "select" }),
        ("y", "copy"),
        ("Esc", "leave"),
        ("hjkl", "move"),
        ("w b", "word"),
        ("0 $", "line"),
        ("g G", "all"),
    ];
    keys.map(|(key, words)| (key.to_string(), words)).to_vec()
}

/// What is left by the leader and Esc.
fn out_of(scene: &Scene) -> &'static str {
    match side::shown(scene.state, scene.view).map(|(_, side)| &side.what) {
        Some(What::Edit) => "out of the editor",
        Some(What::Run { .. }) => "out of the run",
        None => "out of the agent",
    }
}

/// Where the focus goes from the pane.
fn ahead(scene: &Scene) -> &'static str {
    match tab::ahead(scene.state, scene.view) {
        Ahead::Tab(Tab::Terminal) => "terminal",
        Ahead::Tab(Tab::Work) => "work",
        Ahead::Tab(Tab::Side(number)) => match scene.state.domain.live.sides.get(&number).map(|side| &side.what) {
            Some(What::Run { .. }) => "run",
            Some(What::Edit) | None => "editor",
        },
        Ahead::Inspector => "cards",
        Ahead::Sidebar => "sidebar",
    }
}

/// With a terminal in view: the agent's, or one beside it.
fn keys_of_terminal(scene: &Scene, keymap: &Keymap, enter: (String, &'static str)) -> Vec<(String, &'static str)> {
    let key = |action: Action, words| (keymap.key(action), words);
    let side = side::shown(scene.state, scene.view).map(|(_, side)| side);
    let mut keys = vec![enter];
    match side.filter(|side| side.is_live()).map(|side| &side.what) {
        Some(What::Edit) => keys.push(key(Action::Chat(ChatAction::Stop), "end it")),
        Some(What::Run { .. }) => keys.extend([
            key(Action::Chat(ChatAction::Stop), "stop it"),
            key(Action::Chat(ChatAction::Restart), "restart it"),
        ]),
        None => {}
    }
    let scroll = format!(
        "{} {}",
        keymap.key(Action::Move(MoveAction::ScrollUp)),
        keymap.key(Action::Move(MoveAction::ScrollDown))
    );
    keys.extend([
        key(Action::Move(MoveAction::SwitchFocus), ahead(scene)),
        key(Action::Move(MoveAction::CopyMode), "copy"),
        (scroll, "scroll"),
        key(Action::Screen(ScreenAction::Zoom), "zoom"),
        key(Action::Screen(ScreenAction::Help), "all keys"),
        key(Action::Screen(ScreenAction::Detach), "detach"),
    ]);
    keys
}
