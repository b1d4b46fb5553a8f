//! The Checkpoints tab: the saved states of a chat's clones, and how the selected one differs from the one before.

mod detail;
mod list;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, Borders, Widget};

use crate::domain::review::way::{PointWay, way};
use crate::model::bytes;
use crate::model::lineage::PointList;
use crate::model::text::count;
use crate::screen::clones::has_clones;
use crate::screen::keymap::{ChatAction, CheckpointsAction as A, SheetAction};
use crate::screen::layout;
use crate::screen::tab::checkpoints::place;
use crate::ui::message::{self, Placeholder};
use crate::ui::scene::Scene;
use crate::ui::scrollbar;
use crate::ui::text::{clear, inset, put, put_right, row};

pub fn draw(scene: &Scene, buf: &mut Buffer) {
    let whole = layout::above_foot(scene.view);
    clear(buf, whole, scene.theme.background.patch(scene.theme.text));
    let points = &scene.view.checkpoints;
    let list = match &points.list {
        Some(list) if !list.checkpoints.is_empty() => list,
        Some(_) => return message::draw(&empty(scene), whole, scene.theme, buf),
        None => return message::draw(&waiting(scene), whole, scene.theme, buf),
    };
    let areas = place::areas(scene.view);
    draw_heading(scene, list, areas.heading, buf);
    list::draw(scene, areas.list, buf);
    if areas.border.area() > 0 {
        let side = if areas.border.width == 1 {
            Borders::LEFT
        } else {
            Borders::TOP
        };
        let border = Block::new().borders(side).border_style(scene.theme.border);
        border.render(areas.border, buf);
    }
    detail::draw(scene, areas.detail, buf);
    for bar in place::bars(scene.view) {
        scrollbar::draw(scene, &bar, buf);
    }
}

fn waiting(scene: &Scene) -> Placeholder {
    match &scene.view.checkpoints.problem {
        Some(problem) => Placeholder {
            sign: Some(("✗", scene.theme.failed)),
            headline: "The checkpoints cannot be shown".into(),
            words: problem.to_string(),
            keys: keys(scene, &[(A::Refresh, "try again"), (A::Close, "the terminal")]),
        },
        None => Placeholder {
            sign: Some(("◌", scene.theme.running)),
            headline: "Reading".into(),
            ..Placeholder::default()
        },
    }
}

/// These keys, as they are in the tab.
fn keys(scene: &Scene, wanted: &[(A, &'static str)]) -> Vec<(String, &'static str)> {
    let wanted = wanted
        .iter()
        .map(|(action, words)| (SheetAction::Checkpoints(*action), *words));
    scene.sheet_keys(wanted)
}

fn empty(scene: &Scene) -> Placeholder {
    if !has_clones(scene.state, scene.view) {
        let open = scene.state.keymap.key(ChatAction::OpenProject);
        return Placeholder {
            sign: None,
            headline: "Nothing to save".into(),
            words:
                "This chat has no clone. Checkpoints save what parlour cloned; linked directories are yours, and are \
                    never saved or changed."
                    .into(),
            keys: [
                vec![(open, "open a project")],
                keys(scene, &[(A::Close, "the terminal")]),
            ]
            .concat(),
        };
    }
    let when = match scene.view.chat.as_ref().and_then(|chat| way(&scene.state.domain, chat)) {
        Some(PointWay::OnDemand) => "One is saved when you say so.",
        Some(PointWay::Before | PointWay::Told | PointWay::Sent) | None => {
            "One is saved before each prompt, and when you say so."
        }
    };
    Placeholder {
        sign: None,
        headline: "No checkpoint yet".into(),
        words: format!("A checkpoint holds all clones of this chat, to compare with and to go back to. {when}"),
        keys: keys(scene, &[(A::Checkpoint, "save one now"), (A::Close, "the terminal")]),
    }
}

/// How many there are, what they take on disk, and when they are taken.
fn draw_heading(scene: &Scene, list: &PointList, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let line = inset(row(area, 0), 1);
    let size = format!("{} on disk", bytes::in_words(list.bytes));
    let rest = put_right(buf, line, &size, theme.dim);
    put(buf, rest, &count(list.checkpoints.len(), "checkpoint"), theme.header);
    if area.height > 1 {
        let when = scene.view.chat.as_ref().and_then(|chat| way(&scene.state.domain, chat));
        let words = match when {
            Some(PointWay::Before) => "Saved before the agent goes on with a prompt",
            Some(PointWay::Told) => "Saved when a prompt is entered",
            Some(PointWay::Sent) => "Saved when a prompt leaves parlour, or you press Enter after a rest",
            Some(PointWay::OnDemand) => "A shell has no prompts: saved when you say so",
            None => "Saved before each prompt",
        };
        put(buf, inset(row(area, 1), 1), words, theme.dim);
    }
}
