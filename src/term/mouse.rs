//! The mouse, and focus, as bytes for a program that asked for them.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::screen::{Modes, MouseEncoding, MouseReports};

/// A notch of the wheel is this many lines where the program gets arrow keys instead.
const LINES_A_NOTCH: usize = 3;

/// The bytes for an event, its place relative to the pane; `None` where the program did not ask for it and the mouse
/// is parlour's own.
pub fn encode(event: &MouseEvent, modes: &Modes) -> Option<Vec<u8>> {
    if modes.mouse == MouseReports::Off {
        return arrows(event.kind, modes);
    }
    let button = button(event.kind, modes.mouse)? + modifiers(event.modifiers);
    let released = matches!(event.kind, MouseEventKind::Up(_));
    let (col, row) = (u32::from(event.column) + 1, u32::from(event.row) + 1);
    match modes.mouse_encoding {
        MouseEncoding::Sgr => {
            let last = if released { 'm' } else { 'M' };
            Some(format!("\x1b[<{button};{col};{row}{last}").into_bytes())
        }
        // These two do not say which button was released.
        MouseEncoding::X10 => {
            let button = if released {
                3 + modifiers(event.modifiers)
            } else {
                button
            };
            let bytes = [button, col, row].map(|value| u8::try_from(value + 32).ok());
            let [Some(button), Some(col), Some(row)] = bytes else {
                return None;
            };
            Some(vec![0x1b, b'[', b'M', button, col, row])
        }
        MouseEncoding::Utf8 => {
            let button = if released {
                3 + modifiers(event.modifiers)
            } else {
                button
            };
            let place: String = [button, col, row]
                .iter()
                .filter_map(|value| char::from_u32(value + 32))
                .collect();
            Some(format!("\x1b[M{place}").into_bytes())
        }
    }
}

/// Whether [`encode`] made these bytes of the mouse, and if so whether a button went down: not the wheel, not a move or
/// a release, which choose nothing.
pub fn is_press(bytes: &[u8]) -> Option<bool> {
    const MOVED_OR_WHEEL: u32 = 32 | 64;
    if let Some(rest) = bytes.strip_prefix(b"\x1b[<") {
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit());
        let button = digits.fold(0, |sum: u32, digit| {
            sum.saturating_mul(10).saturating_add(u32::from(digit - b'0'))
        });
        return Some(button & MOVED_OR_WHEEL == 0 && rest.ends_with(b"M"));
    }
    let button = u32::from(*bytes.strip_prefix(b"\x1b[M")?.first()?).checked_sub(32)?;
    Some(button & MOVED_OR_WHEEL == 0 && button & 3 != 3)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FocusChange {
    Gained,
    Lost,
}

/// The bytes that tell a program of the focus, where it asked to be told.
pub fn encode_focus(focus: FocusChange, modes: &Modes) -> Option<&'static [u8]> {
    match (modes.focus, focus) {
        (false, _) => None,
        (true, FocusChange::Gained) => Some(b"\x1b[I"),
        (true, FocusChange::Lost) => Some(b"\x1b[O"),
    }
}

/// On the alternate screen there is no history to scroll; pagers get arrow keys instead (mode 1007).
fn arrows(kind: MouseEventKind, modes: &Modes) -> Option<Vec<u8>> {
    if !(modes.alt_screen && modes.alternate_scroll) {
        return None;
    }
    let arrow = match kind {
        MouseEventKind::ScrollUp => b'A',
        MouseEventKind::ScrollDown => b'B',
        _ => return None,
    };
    let introducer = if modes.app_cursor { b'O' } else { b'[' };
    Some([0x1b, introducer, arrow].repeat(LINES_A_NOTCH))
}

fn button(kind: MouseEventKind, reports: MouseReports) -> Option<u32> {
    let code = |button| match button {
        MouseButton::Left => 0,
        MouseButton::Middle => 1,
        MouseButton::Right => 2,
    };
    match kind {
        MouseEventKind::Down(button) | MouseEventKind::Up(button) => Some(code(button)),
        MouseEventKind::Drag(button) if reports != MouseReports::Clicks => Some(32 + code(button)),
        MouseEventKind::Moved if reports == MouseReports::Motion => Some(35),
        MouseEventKind::Drag(_) | MouseEventKind::Moved => None,
        MouseEventKind::ScrollUp => Some(64),
        MouseEventKind::ScrollDown => Some(65),
        MouseEventKind::ScrollLeft => Some(66),
        MouseEventKind::ScrollRight => Some(67),
    }
}

fn modifiers(modifiers: KeyModifiers) -> u32 {
    let bits = [
        (KeyModifiers::SHIFT, 4),
        (KeyModifiers::ALT, 8),
        (KeyModifiers::CONTROL, 16),
    ];
    bits.iter()
        .filter(|(modifier, _)| modifiers.contains(*modifier))
        .map(|(_, bit)| bit)
        .sum()
}
