//! The list of chats in lines: the selected one, and each with its place in the list.

use crate::domain::call::called_in;
use crate::domain::chat as chats;
use crate::model::text::{self, one_line};
use crate::model::{Chat, ChatId, Status};
use crate::screen::header::run_of;
use crate::screen::sidebar_row::{Fold, SidebarRow, What};

use super::super::header::{self, counts};
use super::super::scene::Scene;
use super::super::{sidebar, sign};
use super::page::{ReaderFocus, ReaderPage};

pub(super) fn page<'s>(scene: &Scene<'s>) -> ReaderPage<'s> {
    let bar = &scene.view.sidebar;
    let all = bar.chats().count();
    let mut lines = Vec::new();
    let (mut number, mut at, mut selected) = (0, 0, None);
    for row in &bar.rows {
        match &row.what {
            What::Heading(heading) => lines.push(format!("{}:", sidebar::title(scene, heading))),
            What::Runs { schedule, count, .. } => {
                let name = crate::domain::schedule::called(&scene.state.domain, schedule);
                lines.push(format!("{} of the schedule {name}", text::count(*count, "run")));
            }
            What::Chat(id, _) => {
                number += 1;
                let Some(chat) = scene.state.domain.disk.chats.get(id) else {
                    continue;
                };
                let place = format!("{number} of {all}");
                if scene.view.chat.as_ref() == Some(id) {
                    (at, selected) = (lines.len(), Some((chat, row, place.clone())));
                }
                lines.push(format!("{place}: {}", in_list(scene, chat, row)));
            }
        }
    }
    let (text, more) = match &selected {
        Some((chat, row, place)) => (in_full(scene, chat, row, place), says(scene, chat)),
        None if bar.filter.is_some() => ("Nothing matches".into(), String::new()),
        None => ("No chats yet".into(), String::new()),
    };
    let focus = match &bar.filter {
        Some(filter) => ReaderFocus::Field {
            label: "Filter".into(),
            field: &filter.field,
            more: text,
        },
        None => ReaderFocus::words(text, more),
    };
    ReaderPage {
        title: title(scene, all),
        focus,
        lines,
        at,
    }
}

fn title(scene: &Scene, listed: usize) -> String {
    let counts = counts(scene.state);
    let (what, all) = match &scene.view.sidebar.filter {
        Some(filter) => ("Chats that match", listed + filter.more),
        None => ("Chats", listed),
    };
    let mut title = format!("{what}: {all}");
    for (count, words) in [(counts.running, "running"), (counts.needs_you, "waiting for you")] {
        if count > 0 {
            title.push_str(&format!(", {count} {words}"));
        }
    }
    title
}

fn name(chat: &Chat, row: &SidebarRow) -> String {
    let name = if row.by_handle {
        chat.record.handle.as_str()
    } else {
        &chat.record.name
    };
    one_line(name, 60)
}

/// How it is. What an agent at work does just now would be read again at every call.
pub(super) fn status(scene: &Scene, chat: &ChatId) -> String {
    let domain = &scene.state.domain;
    let word = sign::of(scene.state, chat, scene.theme).word;
    let detail = match domain.status(chat) {
        Status::Running(_) | Status::Starting | Status::Idle(_) => String::new(),
        Status::NeedsYou(_)
        | Status::Retrying(_)
        | Status::Error(_)
        | Status::Limited(_)
        | Status::LoggedOut(_)
        | Status::Exited(_)
        | Status::Hibernated
        | Status::Unknown(_) => domain.detail(chat),
    };
    match detail.is_empty() {
        true => word.into(),
        false => format!("{word}: {}", chats::near(domain, chat, &called_in(&detail))),
    }
}

fn in_list(scene: &Scene, chat: &Chat, row: &SidebarRow) -> String {
    let word = sign::of(scene.state, chat.id(), scene.theme).word;
    let mut parts = vec![name(chat, row), word.to_string()];
    parts.extend(depth(row));
    parts.extend(below(row));
    parts.join(", ")
}

fn in_full(scene: &Scene, chat: &Chat, row: &SidebarRow, place: &str) -> String {
    let mut parts = vec![name(chat, row), place.to_string(), status(scene, chat.id())];
    parts.extend(depth(row));
    parts.extend(below(row));
    let is_marked = scene.view.sidebar.marked.contains(chat.id());
    let marks = [
        (is_marked, "marked"),
        (chat.record.set.pinned, "pinned"),
        (chat.record.set.archived, "archived"),
    ];
    parts.extend(
        marks
            .iter()
            .filter(|(is_so, _)| *is_so)
            .map(|(_, word)| word.to_string()),
    );
    parts.extend(run_of(scene.state, chat).map(|run| format!("run of {}", run.trim_start_matches("⏱ "))));
    parts.extend(header::gone(chat));
    parts.extend(
        chat.projects
            .iter()
            .map(|project| header::project(project).replace(" · ", ", ")),
    );
    parts.join(", ")
}

/// What it said last.
fn says(scene: &Scene, chat: &Chat) -> String {
    // A question is said already.
    match matches!(scene.state.domain.status(chat.id()), Status::NeedsYou(_)) {
        true => String::new(),
        false => one_line(&chat.preview, 400),
    }
}

fn depth(row: &SidebarRow) -> Option<String> {
    match &row.what {
        What::Chat(_, rails) if !rails.is_empty() => Some(format!("level {}", rails.len() + 1)),
        What::Chat(..) | What::Heading(_) | What::Runs { .. } => None,
    }
}

fn below(row: &SidebarRow) -> Option<String> {
    (row.fold == Fold::Shut).then(|| format!("{} below, folded", row.below.len()))
}
