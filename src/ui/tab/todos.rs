//! The Todos tab: the checklist, and the agent's own plan below it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use crate::domain::todo;
use crate::model::plan::StepState;
use crate::screen::layout;
use crate::screen::tab::todos::{LaidTodo, TodoRow, areas, bar, laid};
use crate::screen::view::{Focus, Mode};
use crate::ui::message::{self, Placeholder};
use crate::ui::scene::Scene;
use crate::ui::scrollbar;
use crate::ui::text::{after, clear, inset, put, put_right, row};

pub fn draw(scene: &Scene, buf: &mut Buffer) {
    let whole = layout::above_foot(scene.view);
    let theme = scene.theme;
    clear(buf, whole, theme.background.patch(theme.text));
    let all = laid(scene.state, scene.view);
    let known = scene
        .view
        .chat
        .as_ref()
        .and_then(|chat| scene.state.domain.disk.chats.get(chat));
    let Some(known) = known else {
        return;
    };
    let areas = areas(scene.view);
    if all.is_empty() && known.todos.problem.is_none() {
        return message::draw(&empty(), whole, theme, buf);
    }
    let heading = inset(row(areas.heading, 0), 1);
    let first = match known.record.set.todos_first {
        true => "todos first: done, push and PR wait",
        false => "",
    };
    let rest = put_right(buf, heading, first, theme.waiting);
    match &known.todos.problem {
        Some(problem) => put(buf, rest, problem, theme.failed),
        None => {
            let words = format!("{} of {} done", known.todos.done(), known.todos.items.len());
            put(buf, rest, &words, theme.header)
        }
    };
    put(
        buf,
        inset(row(areas.heading, 1), 1),
        "todos.md, which the agent and any editor change too",
        theme.dim,
    );
    let height = usize::from(areas.list.height);
    for (at, line) in all.iter().skip(scene.view.tabs.todos.top).take(height).enumerate() {
        draw_row(scene, line, row(areas.list, at), buf);
    }
    scrollbar::draw(scene, &bar(scene.state, scene.view), buf);
}

fn empty() -> Placeholder {
    Placeholder {
        sign: None,
        headline: "No todos yet".into(),
        words: "A checklist that you and the agent share, in todos.md of the chat's directory. What the agent plans by its \
                own tool appears here too."
            .into(),
        keys: vec![("a".into(), "add a todo"), ("Esc".into(), "the terminal")],
    }
}

fn draw_row(scene: &Scene, line: &LaidTodo, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    match &line.row {
        TodoRow::Todo { at, text, done, depth } => {
            let has_keys = scene.view.focus == Focus::Pane && scene.view.mode == Mode::Outside;
            let is_selected = *at == scene.view.tabs.todos.selected;
            if is_selected && has_keys {
                clear(buf, area, theme.selection);
            }
            if is_selected {
                put(buf, area, "▌", theme.accent);
            }
            let over = |style: Style| {
                if is_selected && has_keys {
                    theme.selection
                } else {
                    style
                }
            };
            let indent = u16::try_from(1 + depth * 2).unwrap_or(u16::MAX).min(area.width / 2);
            let area = inset(after(area, indent), 0);
            let (sign, style) = match done {
                true => ("[x]", theme.dim.add_modifier(Modifier::CROSSED_OUT)),
                false => ("[ ]", theme.text),
            };
            if !line.is_further {
                put(buf, area, sign, over(if *done { theme.dim } else { theme.key }));
            }
            put(buf, after(area, 4), text, over(style));
        }
        TodoRow::Gap => {}
        TodoRow::Heading(words) => {
            put(buf, inset(area, 1), words, theme.header);
        }
        TodoRow::Step { text, state } => {
            let (sign, style) = match state {
                StepState::Pending => ("□", theme.text),
                StepState::InProgress => ("▸", theme.running),
                StepState::Done => ("✓", theme.dim),
                StepState::Dropped => ("–", theme.dim),
            };
            let inside = inset(area, 1);
            let word = match state {
                StepState::InProgress | StepState::Dropped if !line.is_further => todo::state_word(*state),
                StepState::InProgress | StepState::Dropped | StepState::Pending | StepState::Done => "",
            };
            if !line.is_further {
                put(buf, inside, sign, style);
            }
            let rest = put_right(buf, after(inside, 2), word, theme.dim);
            let crossed = if *state == StepState::Dropped {
                Modifier::CROSSED_OUT
            } else {
                Modifier::empty()
            };
            put(buf, rest, text, style.add_modifier(crossed));
        }
    }
}
