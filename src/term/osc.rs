//! The operating system commands that parlour understands and its emulator swallows.
//!
//! OSC 9, 777 and 99 notify, 9;4 tells progress, 7 the directory, 133 marks a shell's prompt, 52 sets the clipboard.
//! Everything is cut to a length and to visible characters here, at the border.

use data_encoding::BASE64;

use super::emulator::{Progress, PromptMark, TerminalSignal};
use super::visible::line;

const TITLE_BYTES: usize = 128;
const BODY_BYTES: usize = 512;
/// Longer paths do not exist on the systems we run on.
const PATH_BYTES: usize = 4096;

/// Reads commands; remembers only a kitty notification that is still coming in pieces.
#[derive(Default)]
pub(super) struct Commands {
    title: String,
    body: String,
}

impl Commands {
    pub(super) fn read(&mut self, params: &[&[u8]]) -> Option<TerminalSignal> {
        match *params {
            [b"7", ..] => cwd(params),
            [b"9", b"4", state, ref rest @ ..] => progress(state, rest.first()),
            // ConEmu's other commands are numbered 9;1 to 9;12; a notification hardly begins with a lone number.
            [b"9", number, _, ..] if number.len() <= 2 && number.iter().all(u8::is_ascii_digit) => None,
            [b"9", ..] => notification("", &line(&rest(params, 1), BODY_BYTES)),
            [b"52", _, content] => clipboard(content),
            [b"99", about, ..] => self.kitty_notification(about, &rest(params, 2)),
            [b"133", which, ref options @ ..] => mark(which, options),
            [b"777", b"notify", title, ..] => {
                notification(&line(title, TITLE_BYTES), &line(&rest(params, 3), BODY_BYTES))
            }
            _ => None,
        }
    }

    /// `about` is `key=value:key=value`; `p` says which part this is, `d=0` that more follows, `e=1` base64.
    fn kitty_notification(&mut self, about: &[u8], content: &[u8]) -> Option<TerminalSignal> {
        let has = |pair: &[u8]| about.split(|byte| *byte == b':').any(|found| found == pair);
        let decoded = if has(b"e=1") {
            BASE64.decode(content).ok()?
        } else {
            content.to_vec()
        };
        if has(b"p=body") {
            self.body = line(
                format!("{}{}", self.body, String::from_utf8_lossy(&decoded)).as_bytes(),
                BODY_BYTES,
            );
        } else if has(b"p=title") || !about.split(|byte| *byte == b':').any(|found| found.starts_with(b"p=")) {
            self.title = line(
                format!("{}{}", self.title, String::from_utf8_lossy(&decoded)).as_bytes(),
                TITLE_BYTES,
            );
        } else {
            // Icons, buttons and questions about support.
            return None;
        }
        if has(b"d=0") {
            return None;
        }
        let (title, body) = (std::mem::take(&mut self.title), std::mem::take(&mut self.body));
        if body.is_empty() {
            notification("", &title)
        } else {
            notification(&title, &body)
        }
    }
}

/// The parser splits at every `;`, also at those inside a text.
fn rest(params: &[&[u8]], from: usize) -> Vec<u8> {
    params.get(from..).unwrap_or_default().join(&b';')
}

fn notification(title: &str, body: &str) -> Option<TerminalSignal> {
    let empty = title.is_empty() && body.is_empty();
    (!empty).then(|| TerminalSignal::Notify {
        title: title.to_owned(),
        body: body.to_owned(),
    })
}

/// `file://host/path`, percent-encoded. The host is not looked at: a remote shell's directory is told all the same.
fn cwd(params: &[&[u8]]) -> Option<TerminalSignal> {
    let url = rest(params, 1);
    let after = url.strip_prefix(b"file://")?;
    let path = &after[after.iter().position(|byte| *byte == b'/')?..];
    let path = line(&percent_decoded(path), PATH_BYTES);
    Some(TerminalSignal::Cwd(path))
}

fn percent_decoded(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let escaped = text.get(at + 1..at + 3).filter(|_| text[at] == b'%');
        let byte = escaped.and_then(|hex| u8::from_str_radix(str::from_utf8(hex).ok()?, 16).ok());
        out.push(byte.unwrap_or(text[at]));
        at += if byte.is_some() { 3 } else { 1 };
    }
    out
}

fn number<T: std::str::FromStr>(text: &[u8]) -> Option<T> {
    str::from_utf8(text).ok()?.parse().ok()
}

fn progress(state: &[u8], percent: Option<&&[u8]>) -> Option<TerminalSignal> {
    let percent = percent.and_then(|text| number::<u32>(text)).unwrap_or(0).min(100) as u8;
    Some(TerminalSignal::Progress(match state {
        b"0" => Progress::None,
        b"1" => Progress::Running(percent),
        b"2" => Progress::Failed(percent),
        b"3" => Progress::Indeterminate,
        b"4" => Progress::Paused(percent),
        _ => return None,
    }))
}

/// The option by which a mark says that it is of a shell that parlour started. Shells within that one, as on another machine,
/// mark their own commands.
pub const OWN_MARK: &str = "aid=parlour";

fn mark(which: &[u8], options: &[&[u8]]) -> Option<TerminalSignal> {
    let is_ours = options.contains(&OWN_MARK.as_bytes());
    Some(TerminalSignal::Mark(match which.first()? {
        b'A' => PromptMark::PromptStart,
        b'B' => PromptMark::PromptEnd,
        b'C' => PromptMark::OutputStart { is_ours },
        b'D' => PromptMark::CommandEnd {
            code: options.first().and_then(|text| number(text)),
            is_ours,
        },
        _ => return None,
    }))
}

/// A request to read the clipboard (`?`) is never answered.
fn clipboard(content: &[u8]) -> Option<TerminalSignal> {
    let text = String::from_utf8(BASE64.decode(content).ok()?).ok()?;
    let visible: String = text
        .chars()
        .filter(|c| matches!(c, '\n' | '\t') || !c.is_control())
        .collect();
    (!visible.is_empty()).then_some(TerminalSignal::Clipboard(visible))
}
