//! The first request of a screen: who attaches, from where, with which terminal.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The body of the request that makes a connection a screen. As JSON:
///
/// ```json
/// {"verb":"attach","cols":120,"rows":40,"chat":null,"edits":false,"reader":false,"cwd":"/home/ada",
///  "env":{"LANG":"C.UTF-8"},"term":{"colours":{"fg":[0,0,0],"bg":[255,255,255]},"truecolor":true,"indexed":true,"kitty_keyboard":false,"no_color":false}}
/// ```
///
/// It is answered like any request: a problem ends the client with that message. Later sizes come as
/// resize input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verb", rename = "attach")]
pub struct Attach {
    pub cols: u16,
    pub rows: u16,
    /// The chat to open: a handle, an id or a prefix, as a person typed it.
    #[serde(default)]
    pub chat: Option<String>,
    /// The chat of the directory that the screen is started in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<String>,
    /// Where an engine that is gone said that this screen was; it comes before `chat`. The client only keeps it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<serde_json::Value>,
    /// Show the editor that is open in it.
    #[serde(default)]
    pub edits: bool,
    /// Show lines for a screen reader.
    #[serde(default)]
    pub reader: bool,
    pub cwd: PathBuf,
    /// What agents that this screen creates or resumes start with. Never written to disk.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    #[serde(default)]
    pub term: Term,
    /// The terminal as a file, where the engine may write the echo of a key to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal: Option<TerminalFile>,
}

/// A terminal's path, and what tells whether the same path means the same terminal elsewhere: in another container it
/// may not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalFile {
    pub path: PathBuf,
    pub id: TerminalId,
}

/// As the kernel numbers it: file system, file, device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalId {
    pub dev: u64,
    pub ino: u64,
    pub rdev: u64,
}

/// What the client found out about its terminal before it attached.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Term {
    /// None when the terminal did not say.
    pub colours: Option<TerminalColours>,
    /// It shows colours of 24 bits.
    pub truecolor: bool,
    /// It shows at least the 256 colours of xterm.
    pub indexed: bool,
    pub kitty_keyboard: bool,
    pub no_color: bool,
}

/// The terminal's own text and background colour, as red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalColours {
    pub fg: [u8; 3],
    pub bg: [u8; 3],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attach_looks_as_written_above() {
        let json = r#"{"verb":"attach","cols":120,"rows":40,"chat":null,"edits":false,"reader":false,"cwd":"/home/ada","env":{"LANG":"C.UTF-8"},"term":{"colours":{"fg":[0,0,0],"bg":[255,255,255]},"truecolor":true,"indexed":true,"kitty_keyboard":false,"no_color":false}}"#;
        let attach: Attach = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&attach).unwrap(), json);
    }

    #[test]
    fn a_peer_that_says_little_can_attach() {
        let json = r#"{"verb":"attach","cols":1,"rows":1,"cwd":"/"}"#;
        let attach: Attach = serde_json::from_str(json).unwrap();
        assert_eq!(attach.chat, None);
        assert_eq!(attach.term, Term::default());
    }
}
