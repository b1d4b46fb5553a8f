//! The queue of what agents ask, in lines: the question and the focused button, the call as it is read, and all that waits.

use crate::domain::approval::queue::{Waits, queue};
use crate::domain::chat;
use crate::model::text::one_line;
use crate::screen::dialog::Approvals;
use crate::screen::dialog::approvals::{GONE, NOTHING_MORE, name};

use super::super::scene::Scene;
use super::dialog;
use super::page::{ReaderFocus, ReaderPage};

pub(super) fn page<'s>(scene: &Scene<'s>, approvals: &'s Approvals) -> ReaderPage<'s> {
    let domain = &scene.state.domain;
    let queue = queue(domain);
    let at = approvals.place(&queue);
    let Some(waits) = queue.get(at) else {
        return ReaderPage {
            title: "Approvals".into(),
            focus: match approvals.last_words(domain) {
                Some(last) => ReaderFocus::words(NOTHING_MORE, last),
                None => ReaderFocus::words(GONE, ""),
            },
            lines: vec![dialog::keys(scene)],
            at: 0,
        };
    };
    let around = scene.around();
    let question = format!(
        "{} {}: {}",
        name(&scene.state.domain, &waits.chat),
        waits.title(),
        line(scene, waits)
    );
    let buttons = approvals.buttons(&around);
    let mut lines: Vec<String> = approvals
        .rows()
        .iter()
        .map(|row| row.pieces.iter().map(|piece| piece.text.as_str()).collect())
        .collect();
    let words: Vec<&str> = buttons.iter().map(|(_, words)| *words).collect();
    lines.push(format!("Buttons: {}", words.join(", ")));
    let is_read = !waits.can_be_answered_here() || !approvals.is_unread(domain.now);
    if !is_read {
        lines.push("Read it first: keys count in a moment.".into());
    }
    lines.push(dialog::keys(scene));
    if queue.len() > 1 {
        lines.push("All that waits:".into());
        let all = queue.iter().enumerate();
        lines.extend(all.map(|(number, waits)| {
            format!(
                "{} of {}: {}, {}",
                number + 1,
                queue.len(),
                name(&scene.state.domain, &waits.chat),
                line(scene, waits)
            )
        }));
    }
    let focus = match &approvals.typed {
        Some(typed) => ReaderFocus::Field {
            label: typed.label().trim_end_matches([':', '.', '…']).into(),
            field: &typed.field,
            more: typed
                .problem
                .as_ref()
                .map_or_else(|| typed.note().into(), ToString::to_string),
        },
        None => ReaderFocus::words(dialog::button(buttons, approvals.on).unwrap_or_default(), question),
    };
    ReaderPage {
        title: format!("Approvals, {} of {}", at + 1, queue.len()),
        focus,
        at: approvals.scroll,
        lines,
    }
}

fn line(scene: &Scene, waits: &Waits) -> String {
    one_line(&chat::near(&scene.state.domain, &waits.chat, &waits.line()), 400)
}
