//! The chats, as far as they are scrolled into sight.

pub(super) mod rail;
mod row;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::domain::schedule;
use crate::model::ChatId;
use crate::model::preferences::ListOrder;
use crate::screen::figures;
use crate::screen::layout::Bar;
use crate::screen::scrolling;
use crate::screen::sidebar_row::{Fold, Heading, SidebarRow, What};
use crate::screen::view::{Focus, Mode};
use crate::screen::wrap::width;

use super::field::{self, Typed};
use super::header::counts;
use super::scene::{CursorAt, Scene};
use super::scrollbar;
use super::text::{after, but_last, clear, inset, put, put_right, row as line_of};

/// Draws it; the cursor is in the filter while one is typed.
pub fn draw(scene: &Scene, bar: &Bar, rule: Rect, buf: &mut Buffer) -> Option<CursorAt> {
    let base = scene.theme.background.patch(scene.theme.text);
    clear(buf, bar.area, base);
    draw_border(scene, bar, rule, buf);
    draw_title(scene, bar.title, buf);
    let cursor = draw_filter(scene, bar.filter, buf);
    let sidebar = &scene.view.sidebar;
    let rows = &sidebar.rows;
    let first = rows.partition_point(|row| row.top + row.height <= sidebar.scroll);
    let end = sidebar.scroll + usize::from(bar.list.height);
    for row in rows.iter().skip(first).take_while(|row| row.top < end) {
        draw_row(scene, row, bar.list, buf);
    }
    if rows.is_empty() {
        let words = if sidebar.filter.is_some() {
            "nothing matches"
        } else {
            "no chats yet"
        };
        put(buf, after(bar.list, 2), words, scene.theme.dim);
    }
    draw_card(scene, bar.card, buf);
    cursor
}

/// Figures of the selected chat.
fn draw_card(scene: &Scene, area: Rect, buf: &mut Buffer) {
    let chat = scene.view.chat.as_ref();
    let Some(chat) = chat.and_then(|chat| scene.state.domain.disk.chats.get(chat)) else {
        return;
    };
    if area.height == 0 {
        return;
    }
    put(buf, area, &"─".repeat(area.width.into()), scene.theme.border);
    let room = inset(area, 1).width.into();
    for (at, words) in figures::lines(scene.state, scene.view, chat, room).iter().enumerate() {
        put(buf, inset(line_of(area, at + 1), 1), words, scene.theme.dim);
    }
}

fn draw_border(scene: &Scene, bar: &Bar, rule: Rect, buf: &mut Buffer) {
    let focused = scene.view.focus == Focus::Sidebar && scene.view.mode == Mode::Outside;
    let style = if focused { scene.theme.focus } else { scene.theme.border };
    for y in bar.border.top()..bar.border.bottom() {
        let meets = bar.is_joined && y == rule.y && rule.height > 0;
        let line = match (meets, scene.view.mode) {
            (false, _) => "│",
            (true, Mode::Agent) => "┝",
            (true, Mode::Outside) => "├",
        };
        if let Some(cell) = buf.cell_mut((bar.border.x, y)) {
            cell.set_symbol(line).set_style(style);
        }
    }
    let scroll = scrolling::sidebar(scene.view, bar);
    scrollbar::draw(scene, &scroll, buf);
    let ends = [
        (scroll.extent.first > 0, bar.list.top(), "↑"),
        (scroll.extent.below() > 0, bar.list.bottom().saturating_sub(1), "↓"),
    ];
    for (more, y, arrow) in ends {
        if let Some(cell) = buf.cell_mut((bar.border.x, y)).filter(|_| more && bar.list.height > 0) {
            cell.set_symbol(arrow).set_style(style);
        }
    }
}

/// How many agents do one thing.
struct TitleCount {
    count: usize,
    words: &'static str,
    shape: &'static str,
    style: Style,
}

impl TitleCount {
    fn long(&self) -> String {
        format!("{} {}", self.count, self.words)
    }
}

/// The name of the house, and how many agents work or wait; in signs where words do not fit.
fn draw_title(scene: &Scene, area: Rect, buf: &mut Buffer) {
    let area = inset(area, 1);
    let name = put(buf, area, "parlour", scene.theme.accent);
    let mut area = after(area, name + 1);
    let order = scene.view.sidebar.look.order;
    if order != ListOrder::Need {
        let used = put(buf, area, order.words(), scene.theme.dim);
        area = after(area, used + 1);
    }
    let counts = counts(scene.state);
    let need = if counts.needs_you == 1 { "needs you" } else { "need you" };
    let told = |count, words, shape, style| TitleCount {
        count,
        words,
        shape,
        style,
    };
    let told = [
        told(counts.running, "running", "●", scene.theme.running),
        told(counts.needs_you, need, "◆", scene.theme.waiting),
    ];
    let told: Vec<TitleCount> = told.into_iter().filter(|told| told.count > 0).collect();
    let long: Vec<String> = told.iter().map(TitleCount::long).collect();
    let fits = width(&long.join(" · ")) <= usize::from(area.width);
    for (at, told) in told.iter().enumerate().rev() {
        if fits {
            area = put_right(buf, area, &told.long(), told.style);
            if at > 0 {
                area = put_right(buf, area, " · ", scene.theme.dim);
            }
        } else {
            let short = format!("{} {}", told.shape, told.count);
            area = but_last(put_right(buf, area, &short, told.style), 2);
        }
    }
}

fn draw_filter(scene: &Scene, area: Rect, buf: &mut Buffer) -> Option<CursorAt> {
    let filter = scene.view.sidebar.filter.as_ref().filter(|_| area.height > 0)?;
    put(buf, after(area, 1), "/", scene.theme.key);
    let mut room = but_last(area, 1);
    if filter.more > 0 {
        let more = format!("{} more", filter.more);
        room = but_last(put_right(buf, room, &more, scene.theme.dim), 1);
    }
    let typed = after(room, 3);
    let placeholder = "name, project, status";
    field::draw(
        &filter.field,
        &Typed {
            area: typed,
            placeholder,
            focused: true,
        },
        scene.theme,
        buf,
    )
}

fn draw_row(scene: &Scene, at: &SidebarRow, list: Rect, buf: &mut Buffer) {
    let scroll = scene.view.sidebar.scroll;
    // The rows of the list that this one lies on; `None` for a line that is scrolled away.
    let line = |number: usize| {
        let seen = (at.top + number).checked_sub(scroll).map(|seen| line_of(list, seen));
        seen.filter(|area| area.height > 0)
    };
    match &at.what {
        What::Heading(heading) => {
            if let Some(area) = line(at.height - 1) {
                put(buf, after(area, 1), &title(scene, heading), scene.theme.dim);
            }
        }
        What::Runs { schedule, count, rails } => {
            let Some(area) = line(0) else {
                return;
            };
            let inside = row::draw_rails(rails, 0, scene.theme.border, inset(area, 1), buf);
            let sign = if at.fold == Fold::Shut { "▸" } else { "▾" };
            let used = put(buf, inside, sign, scene.theme.border) + 1;
            let inside = after(inside, used);
            let runs = format!("{count} runs");
            let rest = put_right(buf, inside, &runs, scene.theme.dim);
            let name = but_last(rest, 1);
            put(
                buf,
                name,
                &format!("⏱ {}", schedule::called(&scene.state.domain, schedule)),
                scene.theme.accent,
            );
        }
        What::Chat(id, rails) => {
            if let Some(chat) = scene.state.domain.disk.chats.get(id) {
                row::draw(scene, chat, (at, rails), [line(0), line(1)], buf);
            }
        }
    }
}

/// Where the name of a chat stands, where that is in sight.
pub(super) fn name_of(scene: &Scene, bar: &Bar, chat: &ChatId) -> Option<Rect> {
    let sidebar = &scene.view.sidebar;
    let (at, rails) = sidebar.rows.iter().find_map(|at| match &at.what {
        What::Chat(id, rails) if id == chat => Some((at, rails)),
        What::Chat(..) | What::Heading(_) | What::Runs { .. } => None,
    })?;
    let line = line_of(bar.list, at.top.checked_sub(sidebar.scroll)?);
    let sign = if at.fold == Fold::Leaf { 2 } else { 3 };
    let inside = after(inset(line, 1), row::rails_width(rails) + sign);
    Some(inside).filter(|area| !area.is_empty())
}

pub(super) fn title(scene: &Scene, heading: &Heading) -> String {
    match heading {
        Heading::Pinned => "Pinned".into(),
        Heading::Archived => "Archived".into(),
        Heading::State(need) => need.title().into(),
        Heading::Day(day) => day.title().into(),
        Heading::Project(name) => name.clone(),
        Heading::NoProject => "No project".into(),
        Heading::Schedule(schedule) => format!("⏱ {}", schedule::called(&scene.state.domain, schedule)),
        Heading::NoSchedule => "Started by hand".into(),
    }
}
