//! What the settings are to the rest of the screen.

use crossterm::event::KeyEvent;

use crate::domain::notice::Done;
use crate::domain::work::{SettingNews, ShownContent, ShownRead};
use crate::model::setting::ApprovalPolicy;
use crate::model::{Problem, RequestId, Settings, Timestamp};

use super::super::super::hint::Hint;
use super::super::super::scrollbar::{Extent, ScrollBar};
use super::super::tables::{self, FORM, KeySection, MoveKey, SETTING_TYPED, SETTINGS, SettingTypedKey, SettingsKey};
use super::super::{Around, Contract, Question, Reply, SettingWish, Wish};
use super::input::SettingMode;
use super::page::{AfterWrite, SettingWrite, SettingsFocus, SettingsPage};
use super::place::SettingsPlace;
use super::rows::SettingRow;

/// Settings that a step of the wheel goes on by.
const WHEEL: isize = 3;

impl Contract for SettingsPage {
    fn press(&mut self, key: KeyEvent, around: &Around) -> Reply {
        let placed = SettingsPlace::of(around.whole);
        let page = usize::from(placed.list.height);
        match &self.mode {
            Some(SettingMode::Type(_)) => return self.press_typed(key),
            Some(SettingMode::Choose(_)) => return self.press_choices(key, (page, around.domain.now)),
            Some(SettingMode::Catch(_)) => return self.press_caught(key, around),
            Some(SettingMode::Form(_)) => return self.press_form(key),
            None if self.is_searching => return self.press_search(key),
            None => {}
        }
        let last = self.rows().len().saturating_sub(1);
        let command = SETTINGS.command(key);
        if !matches!(command, Some(SettingsKey::Reset)) {
            self.empties = None;
        }
        match command {
            Some(SettingsKey::Close) => return self.close(),
            Some(SettingsKey::Move(key)) if self.focus == SettingsFocus::Sections => self.step_section(key),
            Some(SettingsKey::Move(key)) => (self.at, self.news) = (key.go(self.at, last, page), None),
            Some(SettingsKey::Act) if self.focus == SettingsFocus::Sections => self.focus = SettingsFocus::Rows,
            Some(SettingsKey::Act) => return self.act(around),
            Some(SettingsKey::Search) => self.is_searching = true,
            Some(SettingsKey::Reset) => return self.reset(),
            Some(SettingsKey::Remove) => match self.chosen() {
                Some(SettingRow::Item(..) | SettingRow::Entry(..) | SettingRow::Key(..)) => return self.reset(),
                Some(_) | None => self.news = Some(Err("only entries of a list can be removed".into())),
            },
            Some(SettingsKey::Add) => {
                self.news = self.is_closed().map(Err);
                if let (Some(row), None) = (self.chosen(), &self.news) {
                    self.add(&row);
                }
            }
            Some(SettingsKey::Undo) if self.writing.is_some() => {}
            Some(SettingsKey::Undo) => return self.undo(),
            Some(SettingsKey::Start) => return self.start(),
            Some(SettingsKey::Editor) => return self.open_file("config.json".into()),
            Some(SettingsKey::Switch) => {
                self.focus = match self.focus {
                    SettingsFocus::Sections => SettingsFocus::Rows,
                    SettingsFocus::Rows => SettingsFocus::Sections,
                }
            }
            Some(SettingsKey::Sections) => self.focus = SettingsFocus::Sections,
            Some(SettingsKey::Rows) => self.focus = SettingsFocus::Rows,
            None => {}
        }
        Reply::Stay
    }

    fn paste(&mut self, text: &str, _: &Around) {
        match &mut self.mode {
            Some(SettingMode::Type(input)) => {
                input.field.paste(text);
                input.problem = None;
            }
            Some(SettingMode::Form(form)) => form.paste(text),
            Some(SettingMode::Choose(_) | SettingMode::Catch(_)) => {}
            None if self.is_searching => {
                self.search.paste(text);
                self.at = 0;
            }
            None => {}
        }
    }

    /// A click chooses a section or a setting; one on the chosen setting changes it.
    fn click(&mut self, at: (u16, u16), around: &Around) -> Reply {
        let placed = SettingsPlace::of(around.whole);
        let rows = usize::from(placed.list.height);
        let line = placed
            .list
            .contains(at.into())
            .then(|| usize::from(at.1 - placed.list.y));
        match &mut self.mode {
            Some(SettingMode::Form(form)) => {
                form.at = line.filter(|line| *line < form.lines.len()).unwrap_or(form.at);
                return Reply::Stay;
            }
            Some(SettingMode::Type(_) | SettingMode::Catch(_)) => return Reply::Stay,
            Some(SettingMode::Choose(choices)) => {
                let to = line.map(|line| choices.first(rows) + line);
                if let Some(to) = to.filter(|to| *to < choices.options.len()) {
                    if choices.at == to {
                        return self.take_choice();
                    }
                    choices.at = to;
                }
                return Reply::Stay;
            }
            None => {}
        }
        if let Some(section) = placed.section_at(at) {
            (self.is_searching, self.focus) = (false, SettingsFocus::Sections);
            self.show(section);
        } else if placed.search.contains(at.into()) {
            self.is_searching = true;
        } else if let Some(line) = line {
            let to = self.first(rows) + line;
            (self.is_searching, self.focus) = (false, SettingsFocus::Rows);
            if to == self.at {
                return self.act(around);
            }
            if to < self.rows().len() {
                (self.at, self.news) = (to, None);
            }
        }
        Reply::Stay
    }

    /// Over the settings it goes through them, whichever has the keys.
    fn wheel(&mut self, by: i8, at: (u16, u16), around: &Around) -> bool {
        let placed = SettingsPlace::of(around.whole);
        if self.mode.is_some() || !placed.list.contains(at.into()) {
            return false;
        }
        let last = self.rows().len().saturating_sub(1);
        self.focus = SettingsFocus::Rows;
        self.at = self
            .at
            .saturating_add_signed(isize::from(by.signum()) * WHEEL)
            .min(last);
        true
    }

    fn bars(&self, around: &Around) -> Vec<ScrollBar> {
        let placed = SettingsPlace::of(around.whole);
        let seen = usize::from(placed.list.height);
        let (first, all) = match &self.mode {
            _ if self.known.is_none() => return Vec::new(),
            Some(SettingMode::Form(_)) => return Vec::new(),
            Some(SettingMode::Choose(choices)) => (choices.first(seen), choices.options.len()),
            Some(SettingMode::Type(_) | SettingMode::Catch(_)) | None => (self.first(seen), self.rows().len()),
        };
        let bar = ScrollBar::on_frame(around.whole, placed.list, Extent { first, seen, all });
        vec![bar.with_foot(placed.rule)]
    }

    fn scroll_to(&mut self, bar: &ScrollBar, first: usize, _: &Around) {
        let at = match &mut self.mode {
            Some(SettingMode::Choose(choices)) => &mut choices.at,
            Some(SettingMode::Type(_) | SettingMode::Catch(_) | SettingMode::Form(_)) => return,
            None => &mut self.at,
        };
        *at = bar.selection(first, *at);
    }

    fn keys(&self) -> Vec<KeySection> {
        match &self.mode {
            Some(SettingMode::Type(_)) => vec![SETTING_TYPED.section()],
            Some(SettingMode::Form(_)) => vec![FORM.section(), SETTING_TYPED.section()],
            Some(SettingMode::Catch(_)) => Vec::new(),
            None if self.is_searching => vec![SETTING_TYPED.section()],
            Some(SettingMode::Choose(_)) | None => vec![SETTINGS.section()],
        }
    }

    fn hints(&self, _: &Around) -> Vec<Hint> {
        let key = |key, words| SETTINGS.hint(&[key], words);
        let typed = |words| {
            vec![
                SETTING_TYPED.hint(&[SettingTypedKey::Keep], words),
                SETTING_TYPED.hint(&[SettingTypedKey::Cancel], "cancel").way_out(),
            ]
        };
        let moves = SETTINGS.hint(&[MoveKey::Up, MoveKey::Down].map(SettingsKey::Move), "move");
        match &self.mode {
            Some(SettingMode::Type(input)) if input.is_tried() => {
                return vec![SETTING_TYPED.hint(&[SettingTypedKey::Cancel], "back")];
            }
            Some(SettingMode::Type(_)) => return typed("keep"),
            Some(SettingMode::Form(form)) => return form.hints(),
            Some(SettingMode::Catch(catch)) => {
                let taken = catch.caught.is_some();
                let keep = taken.then(|| SETTING_TYPED.hint(&[SettingTypedKey::Keep], "keep it"));
                let cancel = SETTING_TYPED.hint(&[SettingTypedKey::Cancel], "cancel").way_out();
                return keep.into_iter().chain([cancel]).collect();
            }
            Some(SettingMode::Choose(_)) => {
                return vec![
                    key(SettingsKey::Act, "choose"),
                    moves,
                    key(SettingsKey::Close, "as before"),
                ];
            }
            None if self.is_searching => return typed("to the list"),
            None => {}
        }
        let mut hints = match self.focus {
            SettingsFocus::Sections => vec![key(SettingsKey::Rows, "settings")],
            SettingsFocus::Rows => vec![match self.chosen() {
                Some(SettingRow::Chat(..)) => key(SettingsKey::Act, "its servers and tools"),
                Some(_) | None => key(SettingsKey::Act, "change"),
            }],
        };
        hints.extend([
            key(SettingsKey::Close, tables::ends(!self.search.is_empty())).way_out(),
            key(SettingsKey::Search, "search"),
        ]);
        if self.focus == SettingsFocus::Rows {
            hints.push(match self.chosen() {
                Some(SettingRow::Item(..) | SettingRow::Entry(..)) => key(SettingsKey::Remove, "remove"),
                Some(_) | None => key(SettingsKey::Reset, "default"),
            });
        }
        let undo = || key(SettingsKey::Undo, "undo");
        hints.extend((!self.undo.is_empty()).then(undo));
        hints.extend(self.can_start().then(|| key(SettingsKey::Start, "test")));
        hints.extend([
            key(SettingsKey::Switch, "sections"),
            moves,
            key(SettingsKey::Editor, "editor"),
        ]);
        hints
    }

    fn is_typed_in(&self) -> bool {
        self.is_searching
            || matches!(
                self.mode,
                Some(SettingMode::Type(_) | SettingMode::Catch(_) | SettingMode::Form(_))
            )
    }

    /// The file is read when the page opens, and again when other settings came into force.
    fn settle(&mut self, around: &Around) -> Reply {
        let disk = &around.domain.disk;
        let is_seen = |(settings, problem): &(Settings, Option<Problem>)| {
            *settings == disk.settings && *problem == disk.settings_problem
        };
        if self.reading.is_some() || self.writing.is_some() || self.seen.as_ref().is_some_and(is_seen) {
            return Reply::Stay;
        }
        self.seen = Some((disk.settings.clone(), disk.settings_problem.clone()));
        Reply::Submit(Wish::Know(Question::Shown(ShownRead::Settings)))
    }

    fn begun(&mut self, wish: &Wish, request: RequestId, _: Timestamp) {
        let Wish::Setting(wish) = wish else {
            self.reading = Some(request);
            return;
        };
        match wish {
            SettingWish::Edit(edits) => self.writes(edits, request),
            SettingWish::Policy(path, _) => {
                let holds = ApprovalPolicy::of(path).map_or("", |policy| policy.holds.words());
                let told = format!("It is kept in {}, and holds in {holds}.", path.display());
                let then = AfterWrite::Nothing;
                self.writing = Some(SettingWrite { request, told, then });
            }
            SettingWish::Try(_) | SettingWish::Begin(_) | SettingWish::Start(..) => self.trying = Some(request),
            SettingWish::OpenFile(..) => self.reading = Some(request),
        }
    }

    fn awaits(&self, request: RequestId) -> bool {
        [self.reading, self.trying].contains(&Some(request))
            || self.writing.as_ref().is_some_and(|writing| writing.request == request)
    }

    fn answered(&mut self, request: RequestId, done: &Done, around: &Around) -> Reply {
        if self.reading == Some(request) {
            self.reading = None;
        } else if self.trying == Some(request) {
            self.trying = None;
        } else if let Some(write) = self.writing.take() {
            let told = self.wrote(write);
            let told = self.told_with_trial(told);
            (self.mode, self.news) = (None, Some(Ok(told)));
            // What was read with it is newer than what the watcher tells.
            let disk = &around.domain.disk;
            self.seen = Some((disk.settings.clone(), disk.settings_problem.clone()));
        }
        if let Done::NotShown(_, problem) = done {
            self.news = Some(Err(problem.to_string()));
        }
        let Done::Shown(ShownContent::Settings(news)) = done else {
            return Reply::Stay;
        };
        match news {
            SettingNews::File(file) => self.take(file, around),
            SettingNews::Verdict(ruling) => {
                if let Some(SettingMode::Type(input)) = &mut self.mode {
                    input.verdict = Some(ruling.clone());
                }
            }
            SettingNews::Begun(path) => return self.begun_file(path),
            SettingNews::Tried(tried) => return self.tried(tried),
        }
        Reply::Stay
    }

    fn failed(&mut self, request: RequestId, problem: Problem) {
        if self.reading == Some(request) {
            self.reading = None;
        } else if self.trying == Some(request) {
            self.trying = None;
        } else {
            self.writing = None;
        }
        match &mut self.mode {
            Some(SettingMode::Type(input)) => input.problem = Some(problem.cause),
            Some(SettingMode::Form(form)) => (form.is_trying, form.problem) = (false, Some(problem.cause)),
            Some(SettingMode::Choose(_) | SettingMode::Catch(_)) | None => {
                self.mode = None;
                self.news = Some(Err(problem.to_string()));
            }
        }
    }
}
