//! The terminal's place: the agent's screen, or why there is none and what to do.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::domain::agent::state::Process;
use crate::domain::auxiliary::{AuxiliaryStage, Side};
use crate::domain::opening;
use crate::model::chat::DirectoryPlace;
use crate::model::script::ScriptEnding;
use crate::model::{Chat, PaneId, Status};
use crate::screen::keymap::{Action, ChatAction, EndedAction};
use crate::screen::reading::{FoundWay, Reading};
use crate::screen::view::Mode;
use crate::screen::wrap::{width, wrap};
use crate::screen::{layout, side};
use crate::term::Screen;

use super::message::{self, Placeholder};
use super::scene::{CursorAt, Scene};
use super::terminal::{self, BareScreen};
use super::text::{clear, inset, put, put_right, row, shown};
use super::{field, header, sign, start};

/// Words stand in `free`, what of the place is in sight; the terminal has all of it.
pub fn draw(scene: &Scene, area: Rect, free: Rect, buf: &mut Buffer) -> Option<CursorAt> {
    if area.is_empty() {
        return None;
    }
    let chat = scene
        .view
        .chat
        .as_ref()
        .and_then(|chat| scene.state.domain.disk.chats.get(chat));
    let Some(chat) = chat else {
        start::draw(scene, free, buf);
        return None;
    };
    if let Some((_, side)) = side::shown(scene.state, scene.view) {
        return draw_beside(scene, side, area, free, buf);
    }
    let agent = scene.state.domain.live.agents.get(chat.id());
    let screen = scene.state.domain.live.screen(&PaneId::Agent(chat.id().clone()));
    let status = scene.state.domain.status(chat.id());
    let live = status.is_live();
    // Before its agent was first started there is nothing to see, even where a terminal is kept for it.
    let is_being_made = opening::is_being_made(&scene.state.domain, chat.id());
    match screen.filter(|_| !is_being_made) {
        Some(screen) => {
            let cursor = draw_screen(scene, screen, live, (area, free), buf);
            // One that hibernates looks as it did: a key brings it back.
            if !live && status != Status::Hibernated {
                let hints: Vec<String> = keys(
                    scene,
                    &[
                        (Action::Chat(ChatAction::Enter), "resumes"),
                        (Action::Chat(ChatAction::Delete), "deletes"),
                    ],
                )
                .into_iter()
                .map(|(key, title)| format!("{key} {title}"))
                .collect();
                let words = sign::in_words(scene.state, chat.id(), scene.theme);
                draw_banner(scene, &words, &hints.join(" · "), free, buf);
            }
            cursor
        }
        None => {
            let preparing =
                agent.is_some_and(|agent| matches!(agent.process, Process::Preparing | Process::Running { .. }));
            let message = match preparing {
                true => starting(scene, chat),
                false => ended(scene, chat),
            };
            message::draw(&message, free, scene.theme, buf);
            None
        }
    }
}

fn draw_screen(
    scene: &Scene,
    screen: &Arc<Screen>,
    live: bool,
    (area, free): (Rect, Rect),
    buf: &mut Buffer,
) -> Option<CursorAt> {
    let reading = &scene.view.reading;
    let shown = reading.shown(screen);
    let bare = BareScreen {
        screen: shown.clone(),
        area: area.intersection(buf.area),
        crop: layout::crop(shown, area, reading),
        focused: live && scene.view.mode == Mode::Agent,
    };
    let cursor = terminal::draw(&bare, reading, scene.theme, buf);
    draw_search(scene, reading, search_row(reading, screen, free), buf);
    if scene.view.zoomed && reading.below(screen).0 > 0 {
        let words = header::distance(scene, screen);
        put_right(buf, row(free, 0), &words, scene.theme.toast.info);
    }
    cursor
}

/// The last row, unless what was found is there.
fn search_row(reading: &Reading, screen: &Screen, free: Rect) -> Rect {
    let last = free.height.saturating_sub(1);
    let top = reading.top.unwrap_or(screen.live());
    let at = reading.copy.map(|copy| copy.cursor.line.saturating_sub(top));
    let found = reading.search.found.as_ref();
    let is_there = found.is_some_and(|found| !found.places.is_empty()) && at == Some(u64::from(last));
    row(free, if is_there { 0 } else { usize::from(last) })
}

/// The row in which one types what to look for, and reads how much of it there is.
fn draw_search(scene: &Scene, reading: &Reading, area: Rect, buf: &mut Buffer) {
    let search = &reading.search;
    let style = scene.theme.toast.info;
    // The key by which one began says the way.
    let sign = match search.way {
        FoundWay::Newer => '/',
        FoundWay::Older => '?',
    };
    let (words, of_words) = match (&search.typing, &search.wanted) {
        (Some(typing), _) => field::searched(typing, sign, (style, style.patch(scene.theme.dim))),
        (None, Some(wanted)) => (format!("{sign}{wanted}"), style),
        (None, None) => return,
    };
    clear(buf, area, style);
    let rest = match &search.found {
        Some(found) => {
            let all = found.places.len();
            let at = reading
                .copy
                .and_then(|copy| found.places.iter().position(|(first, _)| *first == copy.cursor));
            let more = if found.cut { "+" } else { "" };
            let told = match (all, at) {
                (0, _) => "not found".to_owned(),
                // The newest is first among them, and last in the text.
                (all, Some(at)) => format!("{} of {all}{more}", all - at),
                (all, None) => format!("{all}{more}"),
            };
            put_right(buf, area, &told, style)
        }
        None if search.wanted.is_some() => put_right(buf, area, "searching…", style),
        None => area,
    };
    put(buf, rest, &words, of_words);
}

/// A terminal beside the agent's; over the last row of one that has ended stands how.
fn draw_beside(scene: &Scene, side: &Side, area: Rect, free: Rect, buf: &mut Buffer) -> Option<CursorAt> {
    let cursor = side
        .screen
        .as_ref()
        .and_then(|screen| draw_screen(scene, screen, side.is_live(), (area, free), buf));
    if let AuxiliaryStage::Ended(how) = &side.stage {
        let words = match how {
            ScriptEnding::Stopped => "□ stopped".to_string(),
            how => how.trouble().map_or("✓ done".into(), |trouble| format!("✗ {trouble}")),
        };
        let again = keys(scene, &[(Action::Chat(ChatAction::Enter), "runs it again")]);
        let hints = again.into_iter().map(|(key, title)| format!("{key} {title}"));
        draw_banner(scene, &words, &hints.collect::<String>(), free, buf);
    }
    cursor
}

fn starting(scene: &Scene, chat: &Chat) -> Placeholder {
    Placeholder {
        sign: Some(("◌", scene.theme.running)),
        headline: format!("Starting {}", scene.state.domain.disk.title_of(&chat.record.llm)),
        ..Placeholder::default()
    }
}

fn ended(scene: &Scene, chat: &Chat) -> Placeholder {
    let (sign, runs) = (sign::of(scene.state, chat.id(), scene.theme), chat.what_runs());
    if let Some(why) = &chat.unreadable {
        return Placeholder {
            sign: Some((sign.shape, sign.style)),
            headline: "The record of this chat cannot be read".into(),
            words: format!("{why}. Its transcript and its files are untouched."),
            keys: keys(scene, &[(Action::Chat(ChatAction::Delete), "delete the chat")]),
        };
    }
    if chat.place == DirectoryPlace::Gone {
        return Placeholder {
            sign: Some(("✗", scene.theme.failed)),
            headline: "The directory of this chat is gone".into(),
            words: "Somebody removed it outside parlour. What parlour recorded of the chat is kept.".into(),
            keys: keys(
                scene,
                &[
                    (Action::Chat(ChatAction::Recreate), "make it again"),
                    (Action::Chat(ChatAction::Delete), "delete the chat"),
                ],
            ),
        };
    }
    if opening::is_being_made(&scene.state.domain, chat.id()) {
        let doing = opening::words(&scene.state.domain, chat.id()).unwrap_or("opening its projects");
        return Placeholder {
            sign: Some((sign.shape, sign.style)),
            headline: "Its projects are being opened".into(),
            words: format!("The {runs} starts when that is done: {doing}."),
            keys: keys(scene, &[(Action::Chat(ChatAction::Stop), "give up")]),
        };
    }
    let why = scene.state.domain.detail(chat.id());
    let headline = match why.is_empty() {
        true => format!("The {runs} is not running: {}", sign.word),
        false => format!("The {runs} is not running: {why}"),
    };
    Placeholder {
        sign: Some((sign.shape, sign.style)),
        headline,
        words: chat.preview.clone(),
        keys: keys(
            scene,
            &[
                (Action::Chat(ChatAction::Enter), "resume"),
                (Action::Chat(ChatAction::Delete), "delete"),
            ],
        ),
    }
}

/// Keys as they are where the person is: in the agent's place behind the leader, but for Enter.
fn keys(scene: &Scene, wanted: &[(Action, &'static str)]) -> Vec<(String, &'static str)> {
    let keymap = &scene.state.keymap;
    let key = |action: Action| match (scene.view.mode, action) {
        (Mode::Agent, Action::Chat(ChatAction::Enter)) => keymap.key(Action::Ended(EndedAction::Again)),
        (Mode::Agent, action) => format!("{} {}", keymap.leader(), keymap.key(action)),
        (Mode::Outside, action) => keymap.key(action),
    };
    wanted.iter().map(|(action, title)| (key(*action), *title)).collect()
}

fn is_blank(buf: &Buffer, area: Rect) -> bool {
    let cells = area.intersection(buf.area).positions();
    cells.filter_map(|at| buf.cell(at)).all(|cell| cell.symbol() == " ")
}

/// Over what an ended program left on its screen: at the bottom where nothing is written, else at the top, because what a
/// program says last is why it ended.
fn draw_banner(scene: &Scene, words: &str, hints: &str, area: Rect, buf: &mut Buffer) {
    // In one row where there is room, else the reason has rows of its own.
    let wide = area.width.saturating_sub(2);
    let one = width(&shown(words)) + width(hints) + 4 <= usize::from(area.width);
    let lines = match one {
        true => vec![shown(words).into_owned()],
        false => [wrap(&shown(words), wide.into()), wrap(hints, wide.into())].concat(),
    };
    let high = u16::try_from(lines.len()).unwrap_or(u16::MAX).min(area.height);
    let bottom = Rect {
        y: area.bottom() - high,
        height: high,
        ..area
    };
    let banner = match is_blank(buf, bottom) {
        true => bottom,
        false => Rect { y: area.y, ..bottom },
    };
    let style = scene.theme.selection;
    clear(buf, banner, style);
    for (at, line) in lines.iter().take(high.into()).enumerate() {
        put(buf, inset(row(banner, at), 1), line, style);
    }
    if one {
        put_right(buf, inset(row(banner, 0), 1), hints, style);
    }
}
