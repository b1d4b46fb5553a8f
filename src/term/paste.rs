//! Text that a person pastes, or parlour types, into a program.

use super::screen::Modes;

/// The bytes for `text`. The program cannot be made to take any of it for something that was not pasted: no escape or
/// control character survives, so the text cannot end its own frame.
pub fn encode(text: &str, modes: &Modes) -> Vec<u8> {
    let text = sanitised(text);
    if modes.bracketed_paste {
        format!("\x1b[200~{text}\x1b[201~").into_bytes()
    } else {
        // A program that knows no pastes expects the Enter key at a line's end.
        text.replace('\n', "\r").into_bytes()
    }
}

/// The text as a program gets it.
pub fn sanitised(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.chars()
        .filter(|c| matches!(c, '\n' | '\t') || !c.is_control())
        .collect()
}

/// The text as an agent gets it as a prompt: also without the signs that turn the order of letters around. Some CLIs drop
/// them, and what a person reads is what the model reads.
pub fn of_prompt(text: &str) -> String {
    let turns = |c: &char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    sanitised(text).chars().filter(|c| !turns(c)).collect()
}
