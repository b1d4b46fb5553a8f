//! What was said in a conversation that its agent begins anew: a part of its `AGENTS.md`.

use super::{Home, Line};
use crate::model::{Chat, Happened};

/// Bytes of it. The last words count.
const MOST: usize = 24 << 10;

impl Home {
    /// Up to where somebody went back to, or forked from, if the agent could not go on from there.
    pub(super) fn said_so_far(&self, chat: &Chat) -> Option<String> {
        let origin = &chat.record.origin;
        if !origin.went_back.retold {
            return None;
        }
        let inherited = || origin.of.as_ref().map(|of| of.inherited + 1);
        let until = origin
            .went_back
            .hidden
            .last()
            .map(|last| last.from)
            .or_else(inherited)?;
        let mut said = String::new();
        for line in self.lines(chat.id()).ok()?.map_while(Result::ok) {
            let Line::Entry(entry) = line else { continue };
            if entry.seq >= until {
                break;
            }
            if let Happened::Prompt { text, .. } = &entry.what {
                said.push_str(&spoken("You were asked", text));
            } else if let Happened::Text { text, .. } = &entry.what {
                said.push_str(&spoken("You said", text));
            }
        }
        (!said.is_empty()).then(|| end_of(&said).to_owned())
    }
}

/// Indented, so that nothing that was said can speak as parlour.
fn spoken(who: &str, text: &str) -> String {
    let lines: String = text.trim().lines().map(|line| format!("    {line}\n")).collect();
    format!("{who}:\n\n{lines}\n")
}

fn end_of(said: &str) -> &str {
    let cut = said.len().saturating_sub(MOST);
    let whole = said.as_bytes()[cut..].iter().position(|byte| *byte == b'\n');
    match (cut, whole) {
        (0, _) | (_, None) => said,
        (cut, Some(at)) => &said[cut + at + 1..],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_is_indented_and_its_end_is_kept() {
        assert_eq!(
            spoken("You said", " one\n# two\n"),
            "You said:\n\n    one\n    # two\n\n"
        );
        assert_eq!(end_of("short"), "short");
        let long = "line ü\n".repeat(MOST);
        let end = end_of(&long);
        assert!(end.len() <= MOST && end.starts_with("line") && end.ends_with("ü\n"));
    }
}
