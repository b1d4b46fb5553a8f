//! A chat in the sidebar: its name, its branch or what it does, and its age in one row; what it says in a second one where
//! that is to be read now.

use std::collections::BTreeSet;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use crate::config::theme::{self, Theme};
use crate::domain::agent::queue;
use crate::domain::call::called_in;
use crate::domain::chat::preview::DENIED;
use crate::domain::keep::radar::clashes;
use crate::domain::{chat as chats, opening};
use crate::model::chat::DirectoryPlace;
use crate::model::keep::{ChecksVerdict, PullRequest};
use crate::model::status::{COMMAND_FAILED, INTERRUPTED, TURN_FAILED};
use crate::model::text::fit_path;
use crate::model::{Chat, ChatId, Project, Status};
use crate::screen::header::run_of;
use crate::screen::need::{self, Need};
use crate::screen::numbers;
use crate::screen::sidebar_row::{Fold, RAILS, Rail, SidebarRow};
use crate::screen::tally;
use crate::screen::view::{Focus, Mode};
use crate::screen::wrap::width;

use super::super::header::project;
use super::super::scene::Scene;
use super::super::sign;
use super::super::text::{after, but_last, inset, put, put_right, shown};

/// So much of a name is not cut for what stands behind it.
const NAME: usize = 12;
/// Less than this of a branch says nothing.
const LEAST: usize = 8;

/// The lines on which it lies; `None` for one that is scrolled away.
pub fn draw(
    scene: &Scene,
    chat: &Chat,
    (at, rails): (&SidebarRow, &[Rail]),
    lines: [Option<Rect>; 2],
    buf: &mut Buffer,
) {
    let look = Look::of(scene, chat, at);
    for (number, area) in lines.into_iter().enumerate().take(at.height) {
        let Some(area) = area else { continue };
        look.draw_ground(area, buf);
        if let Some(flag) = look.flag {
            put(buf, area, " ", flag);
        }
        if let Some(key) = numbers::of(scene.state, chat.id()).filter(|_| number == 0) {
            let style = look.edge.map(as_edge).or(look.flag);
            let style = style.unwrap_or(look.over(scene.theme.dim));
            put(buf, area, &key.to_string(), style);
        }
        if number == 0 && scene.view.sidebar.marked.contains(chat.id()) {
            put(buf, area, "*", look.over(scene.theme.accent));
        }
        let inside = draw_rails(rails, number, look.ruled(scene), inset(area, 1), buf);
        match number {
            0 => draw_first(scene, chat, at, &look, inside, buf),
            _ => draw_words(scene, chat, at, &look, inside, buf),
        }
    }
}

/// How a row looks: the selected one has a bar at its edge, so that it does not rest on colour.
struct Look {
    name: Style,
    edge: Option<Style>,
    ground: Style,
    /// At the edge and under the sign of a chat that waits, where its row has no ground of its own.
    flag: Option<Style>,
}

impl Look {
    fn of(scene: &Scene, chat: &Chat, at: &SidebarRow) -> Look {
        let theme = scene.theme;
        let is_selected = scene.view.chat.as_ref() == Some(chat.id());
        let tint = theme.waiting_ground();
        let ground = match (is_selected, at.need) {
            (true, _) => theme.selection,
            (false, Need::Waiting) => tint.map_or(Style::new(), |tint| Style::new().bg(tint)),
            (false, _) => Style::new(),
        };
        let name = match at.need {
            Need::Waiting if is_selected || tint.is_none() => theme.waiting,
            Need::Waiting | Need::Failed | Need::Running | Need::Idle => theme.text,
            Need::Unseen => theme.text.add_modifier(Modifier::BOLD),
            Need::Ended => theme.dim,
        };
        let focused = scene.view.focus == Focus::Sidebar && scene.view.mode == Mode::Outside;
        let edge = if focused { theme.accent } else { theme.dim };
        let mut look = Look {
            name,
            edge: None,
            ground,
            flag: (at.need == Need::Waiting && !is_selected && tint.is_none()).then(|| flag(theme)),
        };
        look.name = match (is_selected, at.need) {
            (true, Need::Unseen) => ground.add_modifier(Modifier::BOLD),
            (true, Need::Failed | Need::Running | Need::Idle) => ground,
            (true, Need::Waiting | Need::Ended) | (false, _) => look.over(name),
        };
        look.edge = is_selected.then(|| look.over(edge));
        look
    }

    /// What is written on this row.
    fn over(&self, style: Style) -> Style {
        theme::over(style, self.ground.bg).add_modifier(self.ground.add_modifier)
    }

    /// Lines that are drawn there. On a ground of its own the colour of lines cannot be told from it.
    fn ruled(&self, scene: &Scene) -> Style {
        match self.ground.bg {
            Some(_) => self.over(scene.theme.dim),
            None => scene.theme.border.add_modifier(self.ground.add_modifier),
        }
    }

    fn draw_ground(&self, area: Rect, buf: &mut Buffer) {
        buf.set_style(area.intersection(buf.area), self.ground);
        if let Some(edge) = self.edge {
            put(buf, area, "▌", edge);
        }
    }
}

/// Sixteen colours have no tint of one: reversed it is seen on a light ground and on a dark one.
pub(super) fn flag(theme: &Theme) -> Style {
    theme.waiting.add_modifier(Modifier::REVERSED)
}

/// What stands in the bar at the edge of the selected chat, told from the row around it without a colour too.
pub(super) fn as_edge(style: Style) -> Style {
    match style.add_modifier.contains(Modifier::REVERSED) {
        true => style.remove_modifier(Modifier::REVERSED),
        false => style.add_modifier(Modifier::REVERSED),
    }
}

/// Sign, name, what there is to say of it, and its age at the right.
fn draw_first(scene: &Scene, chat: &Chat, at: &SidebarRow, look: &Look, line: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let sign = sign::of(scene.state, neediest(scene, chat, at), theme);
    put(buf, line, sign.shape, look.flag.unwrap_or(look.over(sign.style)));
    let mut area = after(line, 2);
    let mark = match at.fold {
        Fold::Leaf => None,
        Fold::Open => Some("▾"),
        Fold::Shut => Some("▸"),
    };
    if let Some(mark) = mark {
        put(buf, after(line, 1), mark, look.ruled(scene));
        area = after(area, 1);
    }
    let name = match at.by_handle {
        true => chat.record.handle.as_str(),
        false => &chat.record.name,
    };
    let wide = width(&shown(name));
    let age = at.moved.age(scene.state.domain.now);
    area = but_last(put_right(buf, area, &age, look.over(theme.dim)), 1);
    if chat.record.set.pinned {
        area = but_last(put_right(buf, area, "⌃", look.over(theme.accent)), 1);
    }
    let clash = clash(scene, chat);
    if !clash.is_empty() {
        // With whom is said below, where there is a row below.
        let said = match at.height == 1 && usize::from(area.width) >= wide + 2 + width(&clash) {
            true => clash.as_str(),
            false => "×",
        };
        area = but_last(put_right(buf, area, said, look.over(theme.waiting)), 1);
    }
    area = draw_pull(scene, chat, wide, look, area, buf);
    let about = About::of(scene, chat, at);
    if let Some(words) = about.fitting(wide, area.width.into()) {
        area = but_last(put_right(buf, area, &words, look.over(about.style)), 2);
    }
    put(buf, area, name, look.name);
}

/// The chat whose sign a row has: what is folded away below it may need a person more than the chat itself.
fn neediest<'s>(scene: &'s Scene, chat: &'s Chat, at: &'s SidebarRow) -> &'s ChatId {
    if at.fold != Fold::Shut {
        return chat.id();
    }
    let all = std::iter::once(chat.id()).chain(&at.below);
    // The first of those that need as much.
    all.min_by_key(|chat| need::of(&scene.state.domain, chat))
        .unwrap_or(chat.id())
}

/// What stands behind a name, the longest form first.
struct About {
    forms: Vec<String>,
    style: Style,
    /// The name is rather cut than this left out.
    matters: bool,
}

impl About {
    fn of(scene: &Scene, chat: &Chat, at: &SidebarRow) -> About {
        let (domain, theme) = (&scene.state.domain, scene.theme);
        let says = |forms: Vec<String>, style| About {
            forms,
            style,
            matters: true,
        };
        let status = domain.status(chat.id());
        if at.fold == Fold::Shut {
            let style = match at.need {
                Need::Waiting => theme.waiting,
                Need::Failed => theme.failed,
                Need::Unseen | Need::Running | Need::Idle | Need::Ended => theme.dim,
            };
            let count = format!("+{}", at.below.len());
            return says(vec![tally::words(domain, &at.below), count], style);
        }
        if chat.unreadable.is_some() {
            return says(vec!["cannot be read".into()], theme.failed);
        }
        if chat.place == DirectoryPlace::Gone {
            return says(vec!["directory gone".into()], theme.failed);
        }
        let failed = failed(&domain.detail(chat.id()));
        let waiting = if status.is_live() {
            0
        } else {
            queue::count(domain, chat.id())
        };
        match status {
            Status::Running(Some(tool)) => {
                if let Some(forms) = domain.waits_for(chat.id(), &tool) {
                    let least = ["waits".to_string()];
                    return says(forms.into_iter().chain(least).collect(), theme.dim);
                }
                let tool = if chat.is_shell() { tool } else { called_in(&tool) };
                let tally = domain.live.agents.get(chat.id()).and_then(|agent| agent.turn.tally());
                let counted = tally.map(|tally| format!("{tool} ({tally})"));
                says(counted.into_iter().chain([tool]).collect(), theme.dim)
            }
            Status::Retrying(why) => says(vec![format!("retrying: {why}"), "retrying".into()], theme.waiting),
            Status::Limited(until) if !until.is_empty() => says(vec![until, "limit".into()], theme.waiting),
            Status::Limited(_) | Status::LoggedOut(_) | Status::Error(_) => {
                let sign = sign::of(scene.state, chat.id(), theme);
                says(vec![sign.word.into()], sign.style)
            }
            Status::Exited(_) | Status::Hibernated if waiting > 0 => {
                let words = match waiting {
                    1 => "1 prompt queued".to_string(),
                    many => format!("{many} prompts queued"),
                };
                says(vec![words, format!("{waiting} queued")], theme.waiting)
            }
            Status::Idle(_) | Status::Hibernated | Status::Exited(_) if !failed.is_empty() => {
                let style = match at.need {
                    _ if failed.contains(&TURN_FAILED) => theme.failed,
                    Need::Unseen => theme.waiting,
                    Need::Waiting | Need::Failed | Need::Running | Need::Idle | Need::Ended => theme.dim,
                };
                says(failed.iter().map(|form| form.to_string()).collect(), style)
            }
            Status::Idle(_) | Status::Hibernated if chats::blocked(domain, chat).is_some() => {
                says(vec!["blocked".into()], theme.waiting)
            }
            // Why is said in the second row.
            Status::Exited(_) if at.need == Need::Failed => says(vec!["failed".into()], theme.failed),
            // The second row says it.
            Status::Idle(Some(beside)) if at.height > 1 && beside == INTERRUPTED => About::place(scene, chat),
            Status::Idle(Some(beside)) => says(vec![beside], theme.dim),
            Status::Running(None)
            | Status::Starting
            | Status::NeedsYou(_)
            | Status::Idle(None)
            | Status::Exited(_)
            | Status::Hibernated
            | Status::Unknown(_) => About::place(scene, chat),
        }
    }

    fn place(scene: &Scene, chat: &Chat) -> About {
        About {
            forms: place(scene, chat),
            style: scene.theme.dim,
            matters: false,
        }
    }

    /// The form for which there is room beside a name so wide.
    fn fitting(&self, name: usize, room: usize) -> Option<String> {
        let beside = room.saturating_sub(name + 2);
        let rest = room.saturating_sub(name.min(NAME) + 2);
        let room = match self.matters {
            true => beside.max((room * 2 / 5).min(rest)),
            false => beside,
        };
        let whole = self.forms.iter().find(|form| width(&shown(form)) <= room);
        // What is cut by one letter is not worth it.
        let cut = || self.forms.last().filter(|_| room >= LEAST);
        whole
            .or_else(cut)
            .map(|form| super::super::text::fit(form, room).into_owned())
    }
}

/// What failed in the last turn, by what is said of the chat: rather short than left out, as the sign alone says that all
/// is well.
fn failed(said: &str) -> &'static [&'static str] {
    match said {
        _ if said.ends_with(COMMAND_FAILED) => &[COMMAND_FAILED, "command failed", "cmd failed", "failed"],
        _ if said.contains(TURN_FAILED) => &[TURN_FAILED, "turn failed", "failed"],
        _ => &[],
    }
}

/// Where it works: its schedule, its project and branch, its branch alone.
fn place(scene: &Scene, chat: &Chat) -> Vec<String> {
    if let Some(run_of) = run_of(scene.state, chat) {
        return vec![run_of];
    }
    let Some(first) = chat.projects.first() else {
        let names = chat.gone_projects().map(|dir| format!("{} is gone", dir.name));
        return names.take(1).collect();
    };
    let more = match chat.projects.len() {
        1 => String::new(),
        many => format!(" +{}", many - 1),
    };
    let stands = match (&first.branch, &first.under_way) {
        (Some(branch), Some(what)) => Some(format!("{branch}, {what}")),
        (branch, what) => branch.clone().or(what.clone()),
    };
    let short = stands.as_ref().unwrap_or(&first.name);
    let long = match &stands {
        Some(_) => project(first),
        None => first.name.clone(),
    };
    vec![format!("{long}{more}"), format!("{short}{more}")]
}

/// What it asks, ran into or said last; at the right the chats that it conflicts with, over half of the row at most.
fn draw_words(scene: &Scene, chat: &Chat, at: &SidebarRow, look: &Look, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    if at.fold == Fold::Open {
        put(buf, area, "│", look.ruled(scene));
    }
    let mut area = after(area, 2);
    let clash = clash(scene, chat);
    if !clash.is_empty() {
        let half = area.width / 2;
        let rest = put_right(buf, after(area, half), &clash, look.over(theme.waiting));
        area.width = (half + rest.width).saturating_sub(1);
    }
    let style = match at.need {
        // Where the row has no ground of its own its words have the colour.
        Need::Waiting if theme.waiting_ground().is_none() => theme.waiting,
        Need::Waiting => theme.text,
        Need::Failed | Need::Unseen | Need::Running | Need::Idle | Need::Ended => theme.dim,
    };
    let words = words(scene, chat);
    // Of a path its end tells more.
    let words = match at.need {
        Need::Waiting => fit_path(&words, area.width.into()),
        Need::Failed | Need::Unseen | Need::Running | Need::Idle | Need::Ended => words.into(),
    };
    put(buf, area, &words, look.over(style));
}

/// How it ended, and its last words. Of a turn that was cut off before its calls ran there are none.
fn ended(how: &str, preview: &str) -> String {
    match preview {
        "" | INTERRUPTED | DENIED => how.into(),
        said => format!("{how} · {said}"),
    }
}

fn words(scene: &Scene, chat: &Chat) -> String {
    let domain = &scene.state.domain;
    let said = domain.detail(chat.id());
    let opening = opening::words(domain, chat.id());
    let blocked = chats::blocked(domain, chat);
    let status = domain.status(chat.id());
    if let Status::Running(Some(tool)) = &status
        && let Some([waits, _]) = domain.waits_for(chat.id(), tool)
    {
        return waits;
    }
    match status {
        _ if chat.unreadable.is_some() => "its record cannot be read".into(),
        Status::NeedsYou(what) => chats::near(domain, chat.id(), &called_in(&what)).into_owned(),
        Status::Idle(_) | Status::Hibernated if blocked.is_some() => blocked.unwrap_or_default(),
        _ if opening.is_some() => opening.unwrap_or_default().into(),
        Status::Error(what) | Status::LoggedOut(what) | Status::Limited(what) if !what.is_empty() => {
            chats::near(domain, chat.id(), &what).into_owned()
        }
        Status::Retrying(what) if !what.is_empty() => what,
        Status::Exited(_) | Status::Hibernated if said.ends_with(INTERRUPTED) => ended(INTERRUPTED, &chat.preview),
        Status::Idle(Some(beside)) if beside == INTERRUPTED => ended(INTERRUPTED, &chat.preview),
        crashed @ Status::Exited(_) if crashed.has_failed() => ended(&said, &chat.preview),
        // Nothing else of what still runs in a shell calls anybody, and its last words are of the command before.
        Status::Running(_) if chat.is_shell() && domain.live.unseen.contains(chat.id()) => "it rang".into(),
        Status::Error(_)
        | Status::LoggedOut(_)
        | Status::Limited(_)
        | Status::Retrying(_)
        | Status::Exited(_)
        | Status::Hibernated
        | Status::Starting
        | Status::Running(_)
        | Status::Idle(_)
        | Status::Unknown(_) => chat.preview.clone(),
    }
}

/// The chats that its branches conflict with.
fn clash(scene: &Scene, chat: &Chat) -> String {
    let with = clashes(&scene.state.domain, chat.id()).map(|clash| clash.with);
    let with: BTreeSet<String> = with.collect();
    match with.is_empty() {
        true => String::new(),
        false => format!("× {}", Vec::from_iter(with).join(", ")),
    }
}

/// At the right end, by its number alone where the name would be cut else; what is left of the row is told.
fn draw_pull(scene: &Scene, chat: &Chat, name: usize, look: &Look, area: Rect, buf: &mut Buffer) -> Rect {
    let of = |known: &Project| scene.state.domain.live.branches.pulls.of(chat.id(), known);
    // Of several the one that needs most.
    let Some(pull) = chat.projects.iter().filter_map(of).min_by_key(|pull| rest(pull)) else {
        return area;
    };
    let style = match pull.verdict() {
        Some(ChecksVerdict::Failing) => scene.theme.failed,
        Some(ChecksVerdict::Running | ChecksVerdict::Passing) | None => scene.theme.dim,
    };
    let words = match usize::from(area.width) > name + width(&pull.sign()) {
        true => pull.sign(),
        false => short(pull),
    };
    but_last(put_right(buf, area, &words, look.over(style)), 1)
}

/// How little there is to do about it.
fn rest(pull: &PullRequest) -> u8 {
    let is_open = matches!(pull.state.as_str(), "open" | "draft");
    match pull.verdict().filter(|_| is_open) {
        Some(ChecksVerdict::Failing) => 0,
        Some(ChecksVerdict::Running | ChecksVerdict::Passing) => 1,
        None if is_open => 1,
        None => 2,
    }
}

fn short(pull: &PullRequest) -> String {
    match pull.verdict() {
        Some(ChecksVerdict::Failing) => format!("#{}✗", pull.number),
        Some(ChecksVerdict::Running | ChecksVerdict::Passing) | None => format!("#{}", pull.number),
    }
}

/// Columns that the lines before a name take.
pub fn rails_width(rails: &[Rail]) -> u16 {
    let shown = rails.len().min(RAILS);
    u16::try_from(2 * shown).unwrap_or(u16::MAX)
}

pub fn draw_rails(rails: &[Rail], line: usize, style: Style, area: Rect, buf: &mut Buffer) -> Rect {
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
