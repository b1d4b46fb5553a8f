//! The Changes tab: the timeline of turns, the files that differ, and the lines of the selected one.

mod clashes;
mod lines;
mod remark;
mod search;
mod timeline;
pub(super) mod tree;

pub(in crate::ui) use lines::syntax;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, Borders, Widget};

use crate::model::review::{Amount, DiffSet};
use crate::screen::clones::has_clones;
use crate::screen::keymap::{Action, ChangesAction as A, ChatAction, SheetAction};
use crate::screen::layout;
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
    if !has_clones(scene.state, scene.view) {
        return message::draw(&without_clones(scene), whole, scene.theme, buf);
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

fn without_clones(scene: &Scene) -> Placeholder {
    let key = |action: ChatAction| scene.state.keymap.key(action);
    let chat = scene.view.chat.as_ref();
    let chat = chat.and_then(|chat| scene.state.domain.disk.chats.get(chat));
    let in_place = chat.is_some_and(|chat| !chat.record.dirs.is_empty());
    let words = match in_place {
        true => {
            "This chat works in a directory of yours, in place. Changes shows what was done in clones alone; `git diff` \
             there tells what changed."
        }
        false => "This chat has no clone: Changes shows what was done in those.",
    };
    Placeholder {
        sign: None,
        headline: "Nothing to compare".into(),
        words: words.into(),
        keys: [
            in_place
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
    let uncommitted = scene
        .view
        .changes
        .overview
        .as_ref()
        .map_or(0, |overview| overview.uncommitted);
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
    let words = timeline_words(&scene.state.domain, &scene.view.changes);
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
    let rest = put_right(buf, rest, &format!("{files}{viewed}  "), theme.dim);
    let used = put(buf, rest, &words, theme.header);
    if let Some(turn) = scene.view.changes.newer.turn {
        let next = Action::Sheet(SheetAction::Changes(A::NextTurn));
        let told = format!("  turn {turn} is new: {} shows it", scene.state.keymap.key(next));
        put(buf, after(rest, used), &told, theme.accent);
    }
}
