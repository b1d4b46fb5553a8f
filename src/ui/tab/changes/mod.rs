//! The Changes tab: the timeline of turns, the files that differ, and the lines of the selected one.

mod clashes;
mod line_pen;
mod lines;
mod remark;
mod search;
mod timeline;
pub(super) mod tree;

pub(in crate::ui) use lines::syntax;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, Borders, Widget};

use crate::model::review::{Amount, Changes, DiffSet};
use crate::model::text::visible;
use crate::screen::clones::has_repositories;
use crate::screen::keymap::{Action, ChangesAction as A, ChatAction, RemarksAction, SheetAction};
use crate::screen::layout;
use crate::screen::tab::changes::in_place::is_all;
use crate::screen::tab::changes::remarks::open_elsewhere;
use crate::screen::tab::changes::sought::FoundInFiles;
use crate::screen::tab::changes::timeline::{has_turns, words as timeline_words};
use crate::screen::tab::changes::{place, sets};
use crate::screen::tab::search_line::Sought;
use crate::ui::message::{self, Placeholder};
use crate::ui::scene::Scene;
use crate::ui::tab::search_line;
use crate::ui::text::{after, clear, inset, put, put_right};

pub fn draw(scene: &Scene, buf: &mut Buffer) {
    let whole = layout::above_foot(scene.view);
    clear(buf, whole, scene.theme.background.patch(scene.theme.text));
    let changes = &scene.view.changes;
    let areas = place::areas(scene.view);
    if !has_repositories(scene.state, scene.view) {
        return message::draw(&without_repositories(scene), whole, scene.theme, buf);
    }
    let Some(overview) = &changes.overview else {
        let message = match &changes.problem {
            Some(problem) => Placeholder {
                sign: Some(("✗", scene.theme.failed)),
                headline: "The changes cannot be shown".into(),
                words: problem.to_string(),
                keys: keys(scene, &[(A::Refresh, "try again"), (A::Back, "the terminal")]),
            },
            None => Placeholder {
                sign: Some(("◌", scene.theme.running)),
                headline: "Comparing".into(),
                ..Placeholder::default()
            },
        };
        return message::draw(&message, whole, scene.theme, buf);
    };
    timeline::draw(scene, areas.timeline, buf);
    let told = |sought: &Sought<FoundInFiles>| search::told(scene.view, &sought.found);
    search_line::draw(scene, &scene.view.changes.search, told, areas.search, buf);
    let amounts = overview.changes.iter().map(|clone| Amount::of(&clone.files));
    let amount = amounts.fold(Amount::default(), |sum, amount| sum + amount);
    draw_heading(scene, amount, areas.heading, buf);
    clashes::draw(scene, areas.clashes, buf);
    if amount.files == 0 {
        let body = Rect {
            y: areas.clashes.bottom(),
            height: whole.bottom().saturating_sub(areas.clashes.bottom()),
            ..whole
        };
        return message::draw(&nothing(scene), body, scene.theme, buf);
    }
    if areas.border.width > 0 {
        let border = Block::new().borders(Borders::LEFT).border_style(scene.theme.border);
        border.render(areas.border, buf);
    }
    tree::draw(scene, areas.files, buf);
    lines::draw(scene, &areas, buf);
}

/// These keys, as they are in the tab.
fn keys(scene: &Scene, wanted: &[(A, &'static str)]) -> Vec<(String, &'static str)> {
    let wanted = wanted
        .iter()
        .map(|(action, words)| (SheetAction::Changes(*action), *words));
    scene.sheet_keys(wanted)
}

fn without_repositories(scene: &Scene) -> Placeholder {
    let key = |action: ChatAction| scene.state.keymap.key(action);
    let chat = scene.view.chat.as_ref();
    let chat = chat.and_then(|chat| scene.state.domain.disk.chats.get(chat));
    let is_plain = chat.is_some_and(|chat| !chat.record.dirs.is_empty());
    let words = match is_plain {
        true => {
            "This chat works in a directory of yours that is no git repository: there is no commit to compare it with."
        }
        false => "This chat works on no repository: Changes shows what was done in those.",
    };
    Placeholder {
        sign: None,
        headline: "Nothing to compare".into(),
        words: words.into(),
        keys: [
            is_plain
                .then(|| (key(ChatAction::Shell), "a shell there"))
                .into_iter()
                .collect(),
            vec![(key(ChatAction::OpenProject), "open a project")],
            keys(scene, &[(A::Back, "the terminal")]),
        ]
        .concat(),
    }
}

fn nothing(scene: &Scene) -> Placeholder {
    if is_all(&scene.view.changes) {
        return nothing_in_place(scene);
    }
    let mut keys = keys(
        scene,
        &[
            (A::CompareWith, "compare with something else"),
            (A::Back, "the terminal"),
        ],
    );
    if has_turns(&scene.view.changes) {
        let turns = [A::PreviousTurn, A::NextTurn].map(|action| Action::Sheet(SheetAction::Changes(action)));
        let turns = turns.map(|action| scene.state.keymap.key(action)).join(" ");
        keys.insert(1, (turns, "another turn"));
    }
    let mut words = format!("No file of this chat's clones changed {}.", in_words(scene));
    words.extend(left_out(scene).map(|told| format!(" {told}")));
    let uncommitted = scene
        .view
        .changes
        .overview
        .as_ref()
        .map_or(0, |overview| overview.uncommitted);
    if let Some(told) = remarks_elsewhere(scene) {
        words += &format!(" {told}.");
    }
    if uncommitted > 0 {
        let compare = Action::Sheet(SheetAction::Changes(A::CompareWith));
        let key = format!("{} {}", scene.state.keymap.key(compare), sets::UNCOMMITTED);
        let (files, shows) = match uncommitted {
            1 => ("1 file is".to_string(), "it"),
            many => (format!("{many} files are"), "them"),
        };
        words += &format!(" {files} not committed: {key} shows {shows}.");
    }
    Placeholder {
        sign: None,
        headline: "Nothing differs".into(),
        words,
        keys,
    }
}

/// How many remarks are open on what is not compared, and the key that lists them.
fn remarks_elsewhere(scene: &Scene) -> Option<String> {
    let list = Action::Sheet(SheetAction::Remarks(RemarksAction::ListRemarks));
    let key = scene.state.keymap.key(list);
    match open_elsewhere(&scene.view.changes) {
        0 => None,
        1 => Some(format!("1 open remark: {key} lists it")),
        many => Some(format!("{many} open remarks: {key} lists them")),
    }
}

/// The clones and places that are compared.
fn compared<'s>(scene: &'s Scene) -> impl Iterator<Item = &'s Changes> {
    let overview = scene.view.changes.overview.iter();
    overview.flat_map(|overview| &overview.changes)
}

/// What is not compared of what a person opened in place.
fn left_out(scene: &Scene) -> impl Iterator<Item = String> {
    compared(scene).filter_map(|place| Some(place.left_out.as_ref()?.told(&place.project)))
}

fn nothing_in_place(scene: &Scene) -> Placeholder {
    let is_readable = |place: &&Changes| place.left_out.as_ref().is_none_or(|why| !why.is_all());
    let readable = compared(scene).filter(is_readable);
    let names: Vec<String> = readable.map(|place| visible(&place.project)).collect();
    let same = match names.is_empty() {
        true => None,
        false => Some(format!(
            "No file of {} differs from its last commit.",
            names.join(" or ")
        )),
    };
    let words: Vec<String> = same.into_iter().chain(left_out(scene)).collect();
    Placeholder {
        sign: None,
        headline: match names.is_empty() {
            true => "Nothing to compare".into(),
            false => "Nothing differs".into(),
        },
        words: words.join(" "),
        keys: keys(scene, &[(A::Refresh, "look again"), (A::Back, "the terminal")]),
    }
}

fn in_words(scene: &Scene) -> String {
    let words = timeline_words(&scene.state.domain, &scene.view.changes);
    match scene.view.changes.set {
        DiffSet::Turn(_) | DiffSet::Commit(_) => format!("in {words}"),
        DiffSet::Uncommitted => "since the last commit".into(),
        DiffSet::LastPrompt | DiffSet::Since(_) | DiffSet::Base | DiffSet::Between(..) | DiffSet::With(_) => words,
    }
}

/// What is compared with what, and how much differs.
fn draw_heading(scene: &Scene, amount: Amount, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let area = inset(area, 1);
    clear(buf, area, theme.background.patch(theme.text));
    let mut words = timeline_words(&scene.state.domain, &scene.view.changes);
    // It has one comparison alone, whatever clones are compared with.
    let has_place = compared(scene).any(|place| place.in_place && !place.files.is_empty());
    if scene.view.changes.set != DiffSet::Uncommitted && has_place {
        words += "; in place: uncommitted";
    }
    if amount.files == 0 {
        put(buf, area, &words, theme.header);
        return;
    }
    let files = match amount.files {
        1 => "1 file".to_string(),
        many => format!("{many} files"),
    };
    let viewed = scene.view.changes.viewed_files();
    let viewed = match viewed {
        0 => String::new(),
        some => format!("  {some} viewed"),
    };
    let rest = put_right(buf, area, &format!("−{}", amount.removed), theme.diff.removed);
    let rest = put_right(buf, rest, &format!("+{} ", amount.added), theme.diff.added);
    let rest = put_right(buf, rest, &format!(" {files}{viewed}  "), theme.dim);
    let used = put(buf, rest, &words, theme.header);
    if let Some(turn) = scene.view.changes.newer.turn {
        let next = Action::Sheet(SheetAction::Changes(A::NextTurn));
        let told = format!("  turn {turn} is new: {} shows it", scene.state.keymap.key(next));
        put(buf, after(rest, used), &told, theme.accent);
    } else if let Some(told) = remarks_elsewhere(scene) {
        put(buf, after(rest, used), &format!("  {told}"), theme.accent);
    }
}
