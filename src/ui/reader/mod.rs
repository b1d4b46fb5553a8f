//! The screen for a person who hears it, or feels it line by line: the surface that takes the keys, as plain lines.
//!
//! From top to bottom: where the person is, what has changed, what the next key works on, and all else. Each kind of line has
//! rows of its own ([`crate::screen::reader::place`]), so a change rewrites the rows that it concerns. The cursor stands in
//! what the next key works on, or is the agent's own.

mod approvals;
mod chats;
mod dialog;
mod drawn;
mod page;
mod settings;
mod usage;
mod words;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::domain::chat as labels;
use crate::domain::opening;
use crate::model::PaneId;
use crate::model::text::one_line;
use crate::screen::dialog::Dialog;
use crate::screen::foot;
use crate::screen::hint::HintRole;
use crate::screen::keymap::ScreenAction;
use crate::screen::layout;
use crate::screen::reader::place::{self, ReaderRows};
use crate::screen::surface::Surface;
use crate::term::CursorShape;

use super::scene::{CursorAt, Scene};
use super::text::{after, put};
use super::{automations, inspector, key_card, pane, sign, surfaces, tab};
use page::{ReaderPage, put_wrapped};

/// Says where the cursor is: there always is one.
pub fn render(scene: &Scene, buf: &mut Buffer) -> Option<CursorAt> {
    let rows = place::place(scene.view.size);
    buf.set_style(buf.area, scene.theme.background.patch(scene.theme.text));
    if let Some(news) = &scene.view.over.reader {
        put_wrapped(
            &words::spoken(&news.words(), None, words::Blanks::Joined),
            rows.news,
            scene.theme,
            buf,
        );
    }
    draw_foot(scene, &rows, buf);
    let cursor = match shows_terminal(scene) {
        true => draw_terminal(scene, &rows, buf),
        false => page::draw(&page(scene), &rows, scene.theme, buf),
    };
    Some(cursor).filter(|at| layout::holds(buf.area, at.x, at.y))
}

/// A program's own screen is before the person.
fn shows_terminal(scene: &Scene) -> bool {
    let view = scene.view;
    let is_there = match view.surface() {
        Surface::Terminal | Surface::Pane(_) | Surface::Copy | Surface::Links | Surface::Search => {
            view.tab.is_terminal()
        }
        Surface::Dialog
        | Surface::Schedules
        | Surface::Leader
        | Surface::Filter
        | Surface::Composer
        | Surface::Queued
        | Surface::Sheet(_)
        | Surface::Inspector
        | Surface::Start
        | Surface::Sidebar(_) => false,
    };
    let is_being_made = view
        .chat
        .as_ref()
        .is_some_and(|chat| opening::is_being_made(&scene.state.domain, chat));
    let pane = view.pane().filter(|_| is_there && !is_being_made);
    pane.is_some_and(|pane| scene.state.domain.live.screen(&pane).is_some())
}

fn draw_terminal(scene: &Scene, rows: &ReaderRows, buf: &mut Buffer) -> CursorAt {
    let area = rows.terminal;
    let cursor = pane::draw(scene, area, area, buf);
    drawn::blank_lines(area, buf);
    put(buf, rows.title, &title(scene).unwrap_or_default(), scene.theme.header);
    let here = || {
        let screen = scene.state.domain.live.screen(&scene.view.pane()?)?;
        let shown = scene.view.reading.shown(screen);
        let (left, top) = layout::crop(shown, area, &scene.view.reading);
        let (x, y) = (shown.cursor.col.checked_sub(left)?, shown.cursor.row.checked_sub(top)?);
        (x < area.width && y < area.height).then_some((area.x + x, area.y + y))
    };
    // Where keys do not go to it, its cursor still is the place to read from.
    cursor.unwrap_or_else(|| {
        let (x, y) = here().unwrap_or((area.x, area.y));
        CursorAt {
            x,
            y,
            shape: CursorShape::Block,
            blinking: false,
        }
    })
}

fn page<'s>(scene: &Scene<'s>) -> ReaderPage<'s> {
    let view = scene.view;
    let placed = layout::arrange(view);
    let over = layout::for_dialogs(view);
    if let (Some(card), Some(open)) = (&view.over.keys, &view.over.dialog) {
        let mut page = drawn::page(scene, None, |scene, buf| {
            key_card::draw(scene, card, open, over, buf);
            None
        });
        page.lines.push(dialog::keys(scene));
        return page;
    }
    if let Some(open) = &view.over.dialog {
        return of_dialog(scene, open, over);
    }
    if let (Surface::Inspector, Some(panel)) = (view.surface(), &placed.inspector) {
        return drawn::page(scene, title(scene), |scene, buf| {
            inspector::draw(scene, panel, buf);
            None
        });
    }
    match view.surface() {
        Surface::Sidebar(_) | Surface::Filter => chats::page(scene),
        Surface::Leader => commands(scene),
        Surface::Schedules => drawn::page(scene, title(scene), |scene, buf| {
            if let Some(page) = &scene.view.over.automations {
                automations::draw(scene, page, placed.whole, buf);
            }
            None
        }),
        Surface::Dialog
        | Surface::Inspector
        | Surface::Copy
        | Surface::Links
        | Surface::Terminal
        | Surface::Search
        | Surface::Composer
        | Surface::Queued
        | Surface::Sheet(_)
        | Surface::Pane(_)
        | Surface::Start => drawn::page(scene, title(scene), |scene, buf| match scene.view.sheet() {
            Some(sheet) if scene.view.chat.is_some() => tab::draw(scene, sheet, buf),
            Some(_) | None => pane::draw(scene, placed.free, placed.free, buf),
        }),
    }
}

fn of_dialog<'s>(scene: &Scene<'s>, open: &'s Dialog, over: Rect) -> ReaderPage<'s> {
    if let Dialog::Approvals(queue) = open {
        return approvals::page(scene, queue);
    }
    if let Dialog::Settings(page) = open {
        return settings::page(scene, page);
    }
    if let Dialog::Usage(page) = open {
        return usage::page(scene, page);
    }
    if let Some(ask) = open.contract().ask() {
        return dialog::page(scene, ask);
    }
    let mut page = drawn::page(scene, None, |scene, buf| surfaces::draw_dialog(scene, open, over, buf));
    page.lines.push(dialog::keys(scene));
    page
}

/// Commands that are read out behind the leader. All of them would be a minute.
const COMMANDS: usize = 10;

/// What the key after the leader may be.
fn commands(scene: &Scene) -> ReaderPage<'static> {
    let keymap = &scene.state.keymap;
    let commands = Surface::Leader.tables().flat_map(|table| table.commands());
    let named = commands.map(|command| (keymap.key_at(Surface::Leader, command.command), command.short));
    let named = named.filter(|(key, _)| !key.is_empty());
    let mut lines: Vec<String> = named.map(|(key, words)| format!("{key} {words}")).collect();
    let more = lines.len().saturating_sub(COMMANDS);
    lines.truncate(COMMANDS);
    let help = keymap.key_at(Surface::Leader, ScreenAction::Help);
    let focus = format!("Press the key of a command; {help} lists all and runs the one that you choose");
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    ReaderPage {
        title: title(scene).unwrap_or_default(),
        focus: page::ReaderFocus::words(focus, ""),
        lines,
        at: 0,
    }
}

/// What takes the keys, of which chat, and how that is.
fn title(scene: &Scene) -> Option<String> {
    let view = scene.view;
    let side = || matches!(view.pane(), Some(PaneId::Side(_)));
    let disk = &scene.state.domain.disk;
    let runs = view.chat.as_ref().map_or("agent", |chat| disk.what_runs(chat));
    let what: String = match view.surface() {
        Surface::Dialog => return None,
        Surface::Schedules => return Some("Schedules".into()),
        Surface::Leader => return Some("Commands".into()),
        Surface::Sidebar(_) | Surface::Filter => "Chats".into(),
        Surface::Terminal if side() => format!("Program beside the {runs}, which takes all keys"),
        Surface::Terminal => format!("{}, which takes all keys", capital(runs)),
        Surface::Pane(_) if side() => format!("Program beside the {runs}"),
        Surface::Pane(_) => match view.shown_grid().and_then(|grid| grid.place(view.chat.as_ref())) {
            Some((at, all)) => format!("Grid, screen {} of {all}", at + 1),
            None => format!("Terminal of the {runs}"),
        },
        Surface::Copy => "Copy mode".into(),
        Surface::Links => "Links, each named by letters".into(),
        Surface::Search => "Search".into(),
        Surface::Composer => "Prompt".into(),
        Surface::Queued => "Prompts that wait".into(),
        Surface::Sheet(sheet) => capital(sheet.into()),
        Surface::Inspector => view.inspector.tab.name().into(),
        Surface::Start => "What to begin with".into(),
    };
    let chat = view
        .chat
        .as_ref()
        .and_then(|chat| scene.state.domain.disk.chats.get(chat));
    Some(match chat {
        Some(chat) => {
            let name = one_line(labels::label(&scene.state.domain, chat), 60);
            let word = sign::of(scene.state, chat.id(), scene.theme).word;
            format!("{what}. {name}, {word}")
        }
        None => what,
    })
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// The name of the surface; behind it why a key did not count, what is wrong, or how to learn all keys.
fn draw_foot(scene: &Scene, rows: &ReaderRows, buf: &mut Buffer) {
    let foot = foot::arrange(scene.state, scene.view);
    let badge = foot.badge.trim();
    let used = put(buf, rows.foot, badge, scene.theme.header);
    let words = match (foot.ignored, &foot.offer, &foot.problem) {
        (Some(words), ..) => words.to_string(),
        (None, Some(offer), _) => offer.words.clone(),
        (None, None, Some((cause, _))) => cause.to_string(),
        (None, None, None) => way_out(scene),
    };
    put(buf, after(rows.foot, used + 1), &words, scene.theme.text);
}

/// The one key that leads on from here, which does not change with what is selected.
fn way_out(scene: &Scene) -> String {
    let hints = foot::hints(scene.state, scene.view);
    let wanted = match scene.view.surface() == Surface::Terminal {
        true => hints.first(),
        false => hints.iter().find(|hint| hint.role == HintRole::AllKeys),
    };
    wanted.map_or_else(String::new, |hint| format!("{}: {}", hint.label, hint.words))
}
