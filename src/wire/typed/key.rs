//! Keys and the mouse as crossterm names them, which is what the rest of parlour speaks.

use crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyEventState, KeyModifiers, MediaKeyCode, ModifierKeyCode, MouseButton,
    MouseEvent, MouseEventKind,
};
use termina::event as read;

pub(super) fn key(key: read::KeyEvent) -> KeyEvent {
    KeyEvent {
        code: code(key.code),
        modifiers: modifiers(key.modifiers),
        kind: match key.kind {
            read::KeyEventKind::Press => KeyEventKind::Press,
            read::KeyEventKind::Release => KeyEventKind::Release,
            read::KeyEventKind::Repeat => KeyEventKind::Repeat,
        },
        state: state(key.state),
    }
}

pub(super) fn mouse(mouse: read::MouseEvent) -> MouseEvent {
    MouseEvent {
        kind: match mouse.kind {
            read::MouseEventKind::Down(pressed) => MouseEventKind::Down(button(pressed)),
            read::MouseEventKind::Up(released) => MouseEventKind::Up(button(released)),
            read::MouseEventKind::Drag(held) => MouseEventKind::Drag(button(held)),
            read::MouseEventKind::Moved => MouseEventKind::Moved,
            read::MouseEventKind::ScrollDown => MouseEventKind::ScrollDown,
            read::MouseEventKind::ScrollUp => MouseEventKind::ScrollUp,
            read::MouseEventKind::ScrollLeft => MouseEventKind::ScrollLeft,
            read::MouseEventKind::ScrollRight => MouseEventKind::ScrollRight,
        },
        column: mouse.column,
        row: mouse.row,
        modifiers: modifiers(mouse.modifiers),
    }
}

fn button(button: read::MouseButton) -> MouseButton {
    match button {
        read::MouseButton::Left => MouseButton::Left,
        read::MouseButton::Right => MouseButton::Right,
        read::MouseButton::Middle => MouseButton::Middle,
    }
}

fn code(code: read::KeyCode) -> KeyCode {
    match code {
        read::KeyCode::Char(typed) => KeyCode::Char(typed),
        read::KeyCode::Enter => KeyCode::Enter,
        read::KeyCode::Backspace => KeyCode::Backspace,
        read::KeyCode::Tab => KeyCode::Tab,
        read::KeyCode::Escape => KeyCode::Esc,
        read::KeyCode::Left => KeyCode::Left,
        read::KeyCode::Right => KeyCode::Right,
        read::KeyCode::Up => KeyCode::Up,
        read::KeyCode::Down => KeyCode::Down,
        read::KeyCode::Home => KeyCode::Home,
        read::KeyCode::End => KeyCode::End,
        read::KeyCode::BackTab => KeyCode::BackTab,
        read::KeyCode::PageUp => KeyCode::PageUp,
        read::KeyCode::PageDown => KeyCode::PageDown,
        read::KeyCode::Insert => KeyCode::Insert,
        read::KeyCode::Delete => KeyCode::Delete,
        read::KeyCode::KeypadBegin => KeyCode::KeypadBegin,
        read::KeyCode::CapsLock => KeyCode::CapsLock,
        read::KeyCode::ScrollLock => KeyCode::ScrollLock,
        read::KeyCode::NumLock => KeyCode::NumLock,
        read::KeyCode::PrintScreen => KeyCode::PrintScreen,
        read::KeyCode::Pause => KeyCode::Pause,
        read::KeyCode::Menu => KeyCode::Menu,
        read::KeyCode::Null => KeyCode::Null,
        read::KeyCode::Function(number) => KeyCode::F(number),
        read::KeyCode::Modifier(alone) => KeyCode::Modifier(modifier(alone)),
        read::KeyCode::Media(media) => KeyCode::Media(media_key(media)),
    }
}

fn modifier(key: read::ModifierKeyCode) -> ModifierKeyCode {
    match key {
        read::ModifierKeyCode::LeftShift => ModifierKeyCode::LeftShift,
        read::ModifierKeyCode::LeftControl => ModifierKeyCode::LeftControl,
        read::ModifierKeyCode::LeftAlt => ModifierKeyCode::LeftAlt,
        read::ModifierKeyCode::LeftSuper => ModifierKeyCode::LeftSuper,
        read::ModifierKeyCode::LeftHyper => ModifierKeyCode::LeftHyper,
        read::ModifierKeyCode::LeftMeta => ModifierKeyCode::LeftMeta,
        read::ModifierKeyCode::RightShift => ModifierKeyCode::RightShift,
        read::ModifierKeyCode::RightControl => ModifierKeyCode::RightControl,
        read::ModifierKeyCode::RightAlt => ModifierKeyCode::RightAlt,
        read::ModifierKeyCode::RightSuper => ModifierKeyCode::RightSuper,
        read::ModifierKeyCode::RightHyper => ModifierKeyCode::RightHyper,
        read::ModifierKeyCode::RightMeta => ModifierKeyCode::RightMeta,
        read::ModifierKeyCode::IsoLevel3Shift => ModifierKeyCode::IsoLevel3Shift,
        read::ModifierKeyCode::IsoLevel5Shift => ModifierKeyCode::IsoLevel5Shift,
    }
}

fn media_key(key: read::MediaKeyCode) -> MediaKeyCode {
    match key {
        read::MediaKeyCode::Play => MediaKeyCode::Play,
        read::MediaKeyCode::Pause => MediaKeyCode::Pause,
        read::MediaKeyCode::PlayPause => MediaKeyCode::PlayPause,
        read::MediaKeyCode::Reverse => MediaKeyCode::Reverse,
        read::MediaKeyCode::Stop => MediaKeyCode::Stop,
        read::MediaKeyCode::FastForward => MediaKeyCode::FastForward,
        read::MediaKeyCode::Rewind => MediaKeyCode::Rewind,
        read::MediaKeyCode::TrackNext => MediaKeyCode::TrackNext,
        read::MediaKeyCode::TrackPrevious => MediaKeyCode::TrackPrevious,
        read::MediaKeyCode::Record => MediaKeyCode::Record,
        read::MediaKeyCode::LowerVolume => MediaKeyCode::LowerVolume,
        read::MediaKeyCode::RaiseVolume => MediaKeyCode::RaiseVolume,
        read::MediaKeyCode::MuteVolume => MediaKeyCode::MuteVolume,
    }
}

fn modifiers(held: read::Modifiers) -> KeyModifiers {
    let known = [
        (read::Modifiers::SHIFT, KeyModifiers::SHIFT),
        (read::Modifiers::ALT, KeyModifiers::ALT),
        (read::Modifiers::CONTROL, KeyModifiers::CONTROL),
        (read::Modifiers::SUPER, KeyModifiers::SUPER),
        (read::Modifiers::HYPER, KeyModifiers::HYPER),
        (read::Modifiers::META, KeyModifiers::META),
    ];
    known
        .into_iter()
        .filter(|(modifier, _)| held.contains(*modifier))
        .map(|(_, modifier)| modifier)
        .collect()
}

fn state(told: read::KeyEventState) -> KeyEventState {
    let known = [
        (read::KeyEventState::KEYPAD, KeyEventState::KEYPAD),
        (read::KeyEventState::CAPS_LOCK, KeyEventState::CAPS_LOCK),
        (read::KeyEventState::NUM_LOCK, KeyEventState::NUM_LOCK),
    ];
    known
        .into_iter()
        .filter(|(state, _)| told.contains(*state))
        .map(|(_, state)| state)
        .collect()
}
