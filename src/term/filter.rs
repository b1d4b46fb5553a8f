//! Keeps operating system commands (OSC) from growing without end.
//!
//! The parser collects an OSC until its terminator, however long: 50 MB without one are 50 MB of memory. This filter
//! follows just enough of the stream to know when it is inside an OSC, and lets the rest of an over-long one fall. It
//! is not cancelled there: what followed would be printed on the pane.

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;
const CAN: u8 = 0x18;
const SUB: u8 = 0x1a;

/// Titles and directories are far shorter.
const LIMIT: usize = 4096;
/// A link that leads further is dropped, and its text stays: a program may make one of each cell.
pub(super) const LINK_LIMIT: usize = 1024;
/// OSC 52 carries the clipboard.
const CLIPBOARD_LIMIT: usize = 128 * 1024;

#[derive(Default)]
pub(super) struct TapFilter {
    state: FilterState,
}

#[derive(Default)]
enum FilterState {
    #[default]
    Ground,
    Escape,
    Command {
        number: u32,
        /// Known once the first `;` was seen.
        limit: Option<usize>,
        length: usize,
    },
    Overlong,
}

impl TapFilter {
    /// How many of the bytes to keep, and how many after these to drop.
    pub(super) fn split(&mut self, bytes: &[u8]) -> (usize, usize) {
        let mut at = 0;
        while at < bytes.len() {
            match &mut self.state {
                FilterState::Ground => match bytes[at..].iter().position(|byte| *byte == ESC) {
                    Some(found) => {
                        self.state = FilterState::Escape;
                        at += found + 1;
                    }
                    None => return (bytes.len(), 0),
                },
                FilterState::Escape => {
                    self.state = after_escape(bytes[at]);
                    at += 1;
                }
                FilterState::Command { number, limit, length } => {
                    let byte = bytes[at];
                    at += 1;
                    *length += 1;
                    match byte {
                        b';' if limit.is_none() => *limit = Some(limit_of(*number)),
                        b'0'..=b'9' if limit.is_none() => {
                            *number = number.saturating_mul(10).saturating_add(u32::from(byte - b'0'));
                        }
                        _ => {}
                    }
                    if ends(byte) {
                        self.state = after_command(byte);
                    } else if *length >= limit.unwrap_or(LIMIT) {
                        self.state = FilterState::Overlong;
                    }
                }
                FilterState::Overlong => match bytes[at..].iter().position(|byte| ends(*byte)) {
                    Some(0) => {
                        self.state = after_command(bytes[at]);
                        at += 1;
                    }
                    Some(skip) => return (at, skip),
                    None => return (at, bytes.len() - at),
                },
            }
        }
        (at, 0)
    }
}

fn limit_of(number: u32) -> usize {
    match number {
        8 => LINK_LIMIT,
        52 => CLIPBOARD_LIMIT,
        _ => LIMIT,
    }
}

fn ends(byte: u8) -> bool {
    matches!(byte, ESC | BEL | CAN | SUB)
}

fn after_command(byte: u8) -> FilterState {
    if byte == ESC {
        FilterState::Escape
    } else {
        FilterState::Ground
    }
}

/// Control characters are executed inside an escape sequence without ending it.
fn after_escape(byte: u8) -> FilterState {
    match byte {
        b']' => FilterState::Command {
            number: 0,
            limit: None,
            length: 0,
        },
        CAN | SUB => FilterState::Ground,
        0x00..=0x1f | 0x7f => FilterState::Escape,
        _ => FilterState::Ground,
    }
}
