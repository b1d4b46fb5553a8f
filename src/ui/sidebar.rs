//! The chats, as far as they are scrolled into sight.

use std::collections::BTreeSet;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::domain::keep::radar::{Clash, clashes};
use crate::domain::{chat as chats, opening, schedule};
use crate::model::chat::DirectoryPlace;
use crate::model::keep::{ChecksVerdict, PullRequest};
use crate::model::status::INTERRUPTED;
use crate::model::text::fit_path;
use crate::model::{Chat, ChatId, Project, Status, called_in};
use crate::screen::header::run_of;
use crate::screen::layout::Bar;
use crate::screen::sidebar_row::{Fold, PROJECT_LINES, Rail, SidebarRow, What};
use crate::screen::tally;
use crate::screen::view::{Focus, Mode};
use crate::screen::wrap::width;

use super::field::{self, Typed};
use super::header::{counts, no_project, project};
use super::scene::{CursorAt, Scene};
use super::sign;
use super::text::{after, but_last, clear, inset, put, put_right, row};

/// Deeper trees than this would push names out of sight.
const RAILS: usize = 5;

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
    for (at, row) in rows.iter().enumerate().skip(first).take_while(|(_, row)| row.top < end) {
        let below = rows.get(at + 1);
        draw_row(scene, row, below, bar.list, buf);
    }
    if rows.is_empty() {
        let words = if sidebar.filter.is_some() {
            "nothing matches"
        } else {
            "no chats yet"
        };
        put(buf, after(bar.list, 2), words, scene.theme.dim);
    }
    cursor
}

fn draw_border(scene: &Scene, bar: &Bar, rule: Rect, buf: &mut Buffer) {
    let focused = scene.view.focus == Focus::Sidebar && scene.view.mode == Mode::Outside;
    let style = if focused { scene.theme.focus } else { scene.theme.border };
    for y in bar.border.top()..bar.border.bottom() {
        let meets = !bar.over && y == rule.y && rule.height > 0;
        let line = match (meets, scene.view.mode) {
            (false, _) => "│",
            (true, Mode::Agent) => "┝",
            (true, Mode::Outside) => "├",
        };
        if let Some(cell) = buf.cell_mut((bar.border.x, y)) {
            cell.set_symbol(line).set_style(style);
        }
    }
    let all = scene.view.sidebar.rows.last().map_or(0, |row| row.top + row.height);
    let seen = scene.view.sidebar.scroll;
    let ends = [
        (seen > 0, bar.list.top(), "↑"),
        (
            all > seen + usize::from(bar.list.height),
            bar.list.bottom().saturating_sub(1),
            "↓",
        ),
    ];
    for (more, y, arrow) in ends {
        if let Some(cell) = buf.cell_mut((bar.border.x, y)).filter(|_| more && bar.list.height > 0) {
            cell.set_symbol(arrow).set_style(style);
        }
    }
}

/// The name of the house, and how many agents work or wait; in signs where words do not fit.
fn draw_title(scene: &Scene, area: Rect, buf: &mut Buffer) {
    let area = inset(area, 1);
    let name = put(buf, area, "parlour", scene.theme.accent);
    let area = after(area, name + 1);
    let counts = counts(scene.state);
    let words = [(counts.running, "running", "●"), (counts.needs_you, "needs you", "◆")];
    let words: Vec<_> = words.into_iter().filter(|(count, _, _)| *count > 0).collect();
    let long = words
        .iter()
        .map(|(count, word, _)| format!("{count} {word}"))
        .collect::<Vec<_>>();
    let fits = width(&long.join(" · ")) <= usize::from(area.width);
    let mut area = area;
    for (count, word, shape) in words.into_iter().rev() {
        let style = if shape == "◆" {
            scene.theme.waiting
        } else {
            scene.theme.running
        };
        let text = if fits {
            format!("{count} {word}")
        } else {
            format!("{shape} {count}")
        };
        area = put_right(buf, area, &text, style);
        area.width = area.width.saturating_sub(if fits { 3 } else { 2 });
        if fits && word == "needs you" && counts.running > 0 {
            put(
                buf,
                Rect {
                    x: area.right(),
                    width: 3,
                    ..area
                },
                " · ",
                scene.theme.dim,
            );
        }
    }
}

fn draw_filter(scene: &Scene, area: Rect, buf: &mut Buffer) -> Option<CursorAt> {
    let filter = scene.view.sidebar.filter.as_ref().filter(|_| area.height > 0)?;
    put(buf, after(area, 1), "/", scene.theme.key);
    let typed = Rect {
        width: area.width.saturating_sub(4),
        ..after(area, 3)
    };
    let placeholder = "name, project, branch";
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

fn draw_row(scene: &Scene, at: &SidebarRow, below: Option<&SidebarRow>, list: Rect, buf: &mut Buffer) {
    let scroll = scene.view.sidebar.scroll;
    // The rows of the list that this one lies on; `None` for a line that is scrolled away.
    let line = |number: usize| {
        let seen = (at.top + number).checked_sub(scroll).map(|seen| row(list, seen));
        seen.filter(|area| area.height > 0)
    };
    match &at.what {
        What::Day(day) => {
            if let Some(area) = line(at.height - 1) {
                put(buf, after(area, 1), day.title(), scene.theme.dim);
            }
        }
        What::Runs { schedule, count, rails } => {
            let Some(area) = line(0) else {
                return;
            };
            let inside = draw_rails(rails, 0, scene.theme.border, inset(area, 1), buf);
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
            let Some(chat) = scene.state.domain.disk.chats.get(id) else {
                return;
            };
            let has_children =
                below.is_some_and(|row| matches!(&row.what, What::Chat(_, deeper) if deeper.len() > rails.len()));
            let look = Look::of(scene, id);
            for (number, words) in lines(scene, chat, at).into_iter().enumerate() {
                let Some(area) = line(number) else {
                    continue;
                };
                look.draw_edge(area, buf);
                let inside = draw_rails(rails, number, look.faint, inset(area, 1), buf);
                match words {
                    Words::Name => draw_name(scene, chat, &look, inside, buf),
                    Words::RollUp(sign, words) => {
                        put(buf, inside, sign, look.faint);
                        put(buf, after(inside, 2), &words, look.dim);
                    }
                    Words::Below(words) => {
                        if has_children {
                            put(buf, inside, "│", look.faint);
                        }
                        let place = after(inside, 2);
                        put(buf, place, &fit_path(&words, place.width.into()), look.dim);
                    }
                    Words::Project { words, clash, pull } => {
                        if has_children {
                            put(buf, inside, "│", look.faint);
                        }
                        let place = draw_pull(pull, &look, after(inside, 2), buf);
                        let place = draw_clash(&clash, &look, place, buf);
                        put(buf, place, &fit_path(&words, place.width.into()), look.dim);
                    }
                }
            }
        }
    }
}

/// How a row looks: the selected one has a bar at its edge, so that it does not rest on colour.
struct Look {
    name: Style,
    dim: Style,
    /// A conflict with another chat.
    clash: Style,
    /// A pull request whose checks fail.
    failing: Style,
    faint: Style,
    edge: Option<Style>,
    ground: Style,
}

impl Look {
    fn of(scene: &Scene, chat: &ChatId) -> Look {
        let theme = scene.theme;
        if scene.view.chat.as_ref() != Some(chat) {
            return Look {
                name: theme.text,
                dim: theme.dim,
                clash: theme.waiting,
                failing: theme.failed,
                faint: theme.border,
                edge: None,
                ground: Style::new(),
            };
        }
        let focused = scene.view.focus == Focus::Sidebar && scene.view.mode == Mode::Outside;
        let edge = if focused { theme.accent } else { theme.dim };
        let ground = theme.selection;
        let on = |style: Style| Style { bg: ground.bg, ..style }.add_modifier(ground.add_modifier);
        Look {
            name: ground.patch(Style::new().bold()),
            dim: on(theme.dim),
            clash: on(theme.waiting),
            failing: on(theme.failed),
            faint: on(theme.border),
            edge: Some(on(edge)),
            ground,
        }
    }

    fn draw_edge(&self, area: Rect, buf: &mut Buffer) {
        let Some(edge) = self.edge else {
            return;
        };
        buf.set_style(area.intersection(buf.area), self.ground);
        put(buf, area, "▌", edge);
    }
}

enum Words<'a> {
    Name,
    Below(String),
    /// With the chats that it conflicts with, if there are any.
    Project {
        words: String,
        clash: String,
        pull: Option<&'a PullRequest>,
    },
    /// With the sign of what is shown below.
    RollUp(&'static str, String),
}

/// The lines of a chat: exactly as many as its row is high.
fn lines<'a>(scene: &Scene<'a>, chat: &Chat, at: &SidebarRow) -> Vec<Words<'a>> {
    let mut lines = vec![Words::Name];
    let shown = chat.projects.len().min(PROJECT_LINES);
    let (own, others) = chat.projects.split_at(shown);
    lines.extend(own.iter().map(|known| Words::Project {
        words: project(known),
        clash: clashing(scene, chat, std::slice::from_ref(known)),
        pull: scene.state.domain.live.pulls.of(chat.id(), known),
    }));
    if chat.projects.is_empty() {
        lines.push(Words::Below(no_project(scene.state, chat).into()));
    }
    if let (Some(run_of), Some(Words::Below(first) | Words::Project { words: first, .. })) =
        (run_of(scene.state, chat), lines.get_mut(1))
    {
        *first = format!("{run_of} · {first}");
    }
    if !others.is_empty() {
        lines.push(Words::Project {
            words: format!("and {} more", others.len()),
            clash: clashing(scene, chat, others),
            pull: None,
        });
    }
    let status = scene.state.domain.status(chat.id());
    let said = scene.state.domain.detail(chat.id());
    let words = match (chat.place, status) {
        _ if chat.unreadable.is_some() => "its record cannot be read".into(),
        (DirectoryPlace::Gone, _) => "directory gone".into(),
        (DirectoryPlace::Here, Status::NeedsYou(what)) => {
            chats::near(&scene.state.domain, chat.id(), &called_in(&what)).into_owned()
        }
        (DirectoryPlace::Here, _) if opening::words(&scene.state.domain, chat.id()).is_some() => {
            opening::words(&scene.state.domain, chat.id())
                .unwrap_or_default()
                .into()
        }
        (DirectoryPlace::Here, Status::Idle(Some(beside))) => format!("{beside} · {}", chat.preview),
        (DirectoryPlace::Here, Status::Exited(_) | Status::Hibernated) if said.ends_with(INTERRUPTED) => {
            format!("{INTERRUPTED} · {}", chat.preview)
        }
        (DirectoryPlace::Here, Status::Retrying(what)) if what.is_empty() => "retrying".into(),
        (DirectoryPlace::Here, Status::Retrying(what)) => format!("retrying: {what}"),
        (DirectoryPlace::Here, _) => chat.preview.clone(),
    };
    lines.push(Words::Below(words));
    let sign = match at.fold {
        Fold::Leaf => None,
        Fold::Open => Some("▾"),
        Fold::Shut => Some("▸"),
    };
    lines.truncate(at.height - usize::from(sign.is_some()));
    lines.extend(sign.map(|sign| Words::RollUp(sign, tally::words(&scene.state.domain, &at.below))));
    lines
}

/// The chats that these projects of a chat conflict with.
fn clashing(scene: &Scene, chat: &Chat, projects: &[Project]) -> String {
    let of_these = |clash: &Clash<'_>| projects.iter().any(|known| known.name == clash.project);
    let with = clashes(&scene.state.domain, chat.id()).filter(of_these);
    let with: BTreeSet<String> = with.map(|clash| clash.with).collect();
    match with.is_empty() {
        true => String::new(),
        false => format!("× {}", Vec::from_iter(with).join(", ")),
    }
}

/// At the right end; what is left of the row is told.
fn draw_pull(pull: Option<&PullRequest>, look: &Look, area: Rect, buf: &mut Buffer) -> Rect {
    let Some(pull) = pull else {
        return area;
    };
    let style = match pull.verdict() {
        Some(ChecksVerdict::Failing) => look.failing,
        Some(ChecksVerdict::Running | ChecksVerdict::Passing) | None => look.dim,
    };
    but_last(put_right(buf, area, &pull.sign(), style), 1)
}

/// At the right end, over half of the row at most; what is left of the row is told.
fn draw_clash(clash: &str, look: &Look, area: Rect, buf: &mut Buffer) -> Rect {
    if clash.is_empty() {
        return area;
    }
    let half = area.width / 2;
    let rest = put_right(buf, after(area, half), clash, look.clash);
    Rect {
        width: (half + rest.width).saturating_sub(1),
        ..area
    }
}

fn draw_rails(rails: &[Rail], line: usize, style: Style, area: Rect, buf: &mut Buffer) -> Rect {
    let skipped = rails.len().saturating_sub(RAILS);
    let mut area = area;
    for rail in &rails[skipped..] {
        let rail = if line == 0 { *rail } else { rail.below() };
        let drawn = match rail {
            Rail::Pass => "│",
            Rail::Blank => " ",
            Rail::Fork => "├",
            Rail::End => "└",
        };
        put(buf, area, drawn, style);
        area = after(area, 2);
    }
    area
}

fn draw_name(scene: &Scene, chat: &Chat, look: &Look, area: Rect, buf: &mut Buffer) {
    let sign = sign::of(scene.state, chat.id(), scene.theme);
    let style = match look.edge {
        Some(_) => Style {
            bg: look.ground.bg,
            ..sign.style
        },
        None => sign.style,
    };
    put(buf, area, sign.shape, style);
    let age = chat.updated.age(scene.state.domain.now);
    let rest = put_right(buf, after(area, 2), &age, look.dim);
    put(
        buf,
        but_last(rest, 1),
        chats::label(&scene.state.domain, chat),
        look.name,
    );
}
