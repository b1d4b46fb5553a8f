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

/// As the parser has it: control characters are executed inside an escape sequence without ending it, and what is no
/// ASCII is nothing there.
fn after_escape(byte: u8) -> FilterState {
    match byte {
        b']' => FilterState::Command {
            number: 0,
            limit: None,
            length: 0,
        },
        CAN | SUB => FilterState::Ground,
        0x00..=0x1f | 0x7f.. => FilterState::Escape,
        0x20..=0x7e => FilterState::Ground,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use vte::{Parser, Perform};

    use super::*;

    /// Counts the commands that end.
    #[derive(Default)]
    struct Ends(usize);

    impl Perform for Ends {
        fn osc_dispatch(&mut self, _: &[&[u8]], _: bool) {
            self.0 += 1;
        }
    }

    /// Whether the parser is collecting a command after these bytes: then a bell ends it.
    fn collects(bytes: &[u8]) -> bool {
        let (mut parser, mut ends) = (Parser::new(), Ends::default());
        parser.advance(&mut ends, bytes);
        let before = ends.0;
        parser.advance(&mut ends, &[BEL]);
        ends.0 > before
    }

    /// What begins, ends or interrupts sequences, and what stands in between.
    fn byte() -> impl Strategy<Value = u8> {
        let telling = b"\x1b\x1b\x1b]]]\x07\x18\x1a\\\x9c\x9d\x80\xff\x7f\x00[P_^X(;8520mc\xc3\xa9\xe2\x82\xac";
        prop_oneof![4 => prop::sample::select(telling.to_vec()), 1 => any::<u8>()]
    }

    proptest! {
        #[test]
        fn the_filter_knows_of_each_command_that_the_parser_collects(
            pieces in prop::collection::vec(prop::collection::vec(byte(), 1..12), 1..12)
        ) {
            let (mut filter, mut kept) = (TapFilter::default(), Vec::new());
            for piece in &pieces {
                let mut at = 0;
                while at < piece.len() {
                    let (keep, skip) = filter.split(&piece[at..]);
                    kept.extend_from_slice(&piece[at..at + keep]);
                    at += keep + skip;
                }
                let knows = matches!(filter.state, FilterState::Command { .. } | FilterState::Overlong);
                prop_assert_eq!(knows, collects(&kept), "{:?}", kept);
            }
        }
    }

    #[test]
    fn no_byte_hides_the_beginning_of_a_command() {
        for byte in 0..=u8::MAX {
            let begins = [ESC, byte, b']', b'2', b';'];
            let flood = [&begins[..], &[b'x'; 3 * LIMIT]].concat();
            let mut filter = TapFilter::default();
            let (keep, _) = filter.split(&flood);
            assert_eq!(keep < flood.len(), collects(&begins), "{byte:#x}");
        }
    }
}
