//! The trash: the chats that were deleted lately, by whomever, to be restored or deleted for good.

use std::collections::BTreeMap;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::domain::notice::{DiskNews, Done};
use crate::model::deleted::Deleted;
use crate::model::text::visible;
use crate::model::{ChatId, Handle, Losses, Problem, RequestId, Timestamp};

use super::super::hint::Hint;
use super::super::scrollbar::{Extent, ScrollBar};
use super::super::wrap::wrap;
use super::place::{self, FOR_GOOD};
use super::read_question::{ReadAnswer, ReadQuestion};
use super::tables::{self, KeySection, MoveKey, QUESTION, TRASH, TrashKey};
use super::{Around, Contract, DiskPage, DiskWish, Form, OtherPage, Question, Reply, Stop, Wish, loss};

const DAY_MS: u64 = 86_400_000;

#[derive(Default)]
pub struct Trash {
    /// Newest first; `None` until it is read.
    pub list: Option<Vec<Deleted>>,
    pub at: usize,
    /// The chosen one is to be deleted for good, if the person says so.
    pub confirm: Option<Form>,
    /// What is being done: one thing at a time.
    pub busy: Option<Busy>,
    /// The request by which that is done.
    request: Option<RequestId>,
    /// The request by which the list is read, perhaps again.
    listing: Option<RequestId>,
    /// The request by which it is found out what one would lose.
    looking: Option<RequestId>,
    pub problem: Option<Problem>,
    /// What each would lose; `None` while that is being found out.
    losses: BTreeMap<ChatId, Option<Losses>>,
    /// How often the trash had changed when the list was asked for; `None` where it may be another one since.
    seen: Option<u64>,
    /// It was opened to delete this one for good.
    wanted: Option<ChatId>,
    /// By the page that is there again afterwards.
    pub back: Option<Box<DiskPage>>,
}

/// With what the chat is called that something is done to: the cursor may be at another one by its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Busy {
    Reading,
    Restoring(String),
    Purging(String),
}

impl Busy {
    fn words(&self) -> &'static str {
        match self {
            Busy::Reading => "reading…",
            Busy::Restoring(_) => "restoring…",
            Busy::Purging(_) => "deleting for good…",
        }
    }
}

impl Trash {
    /// With the question whether to delete this one for good.
    pub fn purging(chat: ChatId) -> Trash {
        Trash {
            wanted: Some(chat),
            ..Trash::default()
        }
    }

    pub fn back_to(self, back: Option<Box<DiskPage>>) -> Trash {
        Trash { back, ..self }
    }

    fn ask_for_good(&mut self, now: Timestamp) {
        let list = self.list.iter().flatten();
        let Some(wanted) = self.wanted.take() else {
            return;
        };
        if let Some(at) = list.clone().position(|one| one.id == wanted) {
            self.at = at;
            self.confirm = Some(Form::new(Stop::No, now));
        }
    }

    pub fn chosen(&self) -> Option<&Deleted> {
        self.list.as_ref()?.get(self.at)
    }

    /// What one is called in the list: its handle where others have its name, with its id where they have both.
    pub fn label(&self, one: &Deleted) -> String {
        let others = || self.list.iter().flatten().filter(|other| other.id != one.id);
        match &one.handle {
            Some(handle) if others().any(|other| other.handle.as_ref() == Some(handle)) => {
                format!("{handle} ({})", one.id)
            }
            Some(handle) if is_made_up(handle, one) || others().any(|other| other.name == one.name) => {
                handle.to_string()
            }
            Some(_) | None => one.title().to_owned(),
        }
    }

    fn called(&self, chat: &ChatId) -> String {
        let found = self.list.iter().flatten().find(|one| one.id == *chat);
        found.map_or_else(|| chat.to_string(), |one| self.label(one))
    }

    /// The first row that is seen of a list with room for so many.
    pub fn first(&self, rows: usize) -> usize {
        (self.at + 1).saturating_sub(rows)
    }

    /// What is said of the chosen one below the list, or of a trash with nothing in it.
    pub fn detail(&self, around: &Around, width: usize) -> Vec<String> {
        let mut lines = Vec::new();
        lines.extend(self.problem.iter().map(|problem| visible(&problem.to_string())));
        lines.extend(self.busy.iter().map(|busy| busy.words().to_string()));
        if let Some(chosen) = self.chosen() {
            lines.push(kept(chosen, around.domain.now));
            lines.extend(self.loses());
        }
        lines.iter().flat_map(|line| wrap(line, width)).collect()
    }

    /// All that is to be read before the chosen one is deleted for good.
    pub fn words(&self, width: usize) -> Vec<String> {
        let Some(chosen) = self.chosen() else {
            return Vec::new();
        };
        let mut lines = vec![visible(&self.label(chosen)), String::new()];
        lines.extend(self.loses());
        lines.extend([String::new(), "Nothing brings it back after that.".into()]);
        lines.iter().flat_map(|line| wrap(line, width)).collect()
    }

    /// Whether to delete the chosen one for good.
    pub fn question(&self, whole: Rect) -> Option<ReadQuestion> {
        self.confirm.as_ref()?;
        let rows = self.words(place::read_width(whole)).len();
        Some(ReadQuestion {
            is_complete: self.knows(),
            ..ReadQuestion::new(whole, &FOR_GOOD, rows)
        })
    }

    /// What comes of an answer to it.
    fn decide(&mut self, answer: ReadAnswer) -> Reply {
        match answer {
            ReadAnswer::Open | ReadAnswer::TooSoon => answer.reply(),
            ReadAnswer::No => {
                self.confirm = None;
                match self.back {
                    Some(_) => Reply::Close,
                    None => Reply::Stay,
                }
            }
            ReadAnswer::Yes => {
                self.confirm = None;
                self.begin(DiskWish::Purge)
            }
        }
    }

    fn loses(&self) -> Vec<String> {
        let known = self.chosen().and_then(|chosen| self.losses.get(&chosen.id));
        let loss = loss::said(known.and_then(Option::as_ref), "Deleting it for good would lose:");
        let mut lines = vec![loss.headline.to_string()];
        lines.extend(loss.lost.iter().map(|line| format!("· {line}")));
        lines.extend(loss.notes);
        lines
    }

    /// A click on a row chooses it.
    fn choose_row(&mut self, at: usize) {
        if self.list.as_ref().is_some_and(|list| at < list.len()) {
            self.at = at;
        }
    }

    fn begin(&self, wish: fn(ChatId) -> DiskWish) -> Reply {
        match self.chosen().filter(|_| self.busy.is_none()) {
            Some(chosen) => Reply::Submit(Wish::Disk(wish(chosen.id.clone()))),
            None => Reply::Stay,
        }
    }

    fn knows(&self) -> bool {
        let known = self.chosen().and_then(|chosen| self.losses.get(&chosen.id));
        matches!(known, Some(Some(_)))
    }

    /// What to decide on is new: it has to be seen before it is answered.
    fn would_lose(&mut self, chat: &ChatId, losses: &Losses, now: Timestamp) {
        self.losses.insert(chat.clone(), Some(losses.clone()));
        if let Some(form) = &mut self.confirm
            && self.list.as_ref().and_then(|list| list.get(self.at)).map(|one| &one.id) == Some(chat)
        {
            form.shown = now;
        }
    }

    /// The cursor stays at its chat while that is listed.
    fn take(&mut self, list: &[Deleted]) {
        let chosen = self.chosen().map(|chosen| chosen.id.clone());
        let place = list.iter().position(|one| Some(&one.id) == chosen.as_ref());
        if place.is_none() {
            self.confirm = None;
        }
        self.at = place.unwrap_or(self.at).min(list.len().saturating_sub(1));
        self.list = Some(list.to_vec());
    }

    /// The chosen one, if nobody has asked yet what it would lose.
    fn looks_next(&self) -> Option<ChatId> {
        let id = &self.chosen()?.id;
        (self.looking.is_none() && !self.losses.contains_key(id)).then(|| id.clone())
    }
}

/// When it was deleted, and how long it stays.
fn kept(deleted: &Deleted, now: Timestamp) -> String {
    let Some(at) = deleted.deleted else {
        return "When it was deleted is not known: it is kept until you delete it.".into();
    };
    let when = match at.age(now) {
        now if now == "now" => "Deleted just now".to_string(),
        age => format!("Deleted {age} ago"),
    };
    let left = deleted.until.map_or(0, |until| until.ms_since(now)).div_ceil(DAY_MS);
    match left {
        0 => format!("{when}; it is about to be removed."),
        1 => format!("{when}; kept for another day."),
        days => format!("{when}; kept for another {days} days."),
    }
}

impl Contract for Trash {
    fn press(&mut self, key: KeyEvent, around: &Around) -> Reply {
        if let (Some(question), Some(form)) = (self.question(around.whole), &mut self.confirm) {
            let answer = question.press(form, key, around.domain.now);
            return self.decide(answer);
        }
        let room = place::servers(around.whole).list.height.into();
        let last = self.list.as_ref().map_or(0, |list| list.len().saturating_sub(1));
        match TRASH.command(key) {
            Some(TrashKey::Close) => return Reply::Close,
            Some(TrashKey::Disk) => return Reply::Instead(OtherPage::Disk),
            Some(TrashKey::Move(key)) => self.at = key.go(self.at, last, room),
            Some(TrashKey::Restore) => return self.begin(DiskWish::Restore),
            Some(TrashKey::Purge) if self.busy.is_none() && self.chosen().is_some() => {
                self.confirm = Some(Form::new(Stop::No, around.domain.now));
            }
            Some(TrashKey::Purge) | None => {}
        }
        Reply::Stay
    }

    /// A click on a deleted chat chooses it; the question whether to delete it for good has buttons.
    fn click(&mut self, (x, y): (u16, u16), around: &Around) -> Reply {
        if let (Some(question), Some(form)) = (self.question(around.whole), &mut self.confirm) {
            let answer = question.click(form, (x, y), around.domain.now);
            return self.decide(answer);
        }
        let placed = place::servers(around.whole);
        if placed.list.contains((x, y).into()) {
            self.choose_row(self.first(placed.list.height.into()) + usize::from(y - placed.list.y));
        }
        Reply::Stay
    }

    fn bars(&self, around: &Around) -> Vec<ScrollBar> {
        if let (Some(question), Some(form)) = (self.question(around.whole), &self.confirm) {
            return vec![question.bar(form)];
        }
        let placed = place::servers(around.whole);
        let first = self.first(placed.list.height.into());
        let extent = Extent::of_rows(placed.list, first, self.list.as_ref().map_or(0, Vec::len));
        vec![ScrollBar::on_frame(placed.area, placed.list, extent)]
    }

    fn scroll_to(&mut self, bar: &ScrollBar, first: usize, _: &Around) {
        match &mut self.confirm {
            Some(form) => form.scroll = first,
            None => self.at = bar.selection(first, self.at),
        }
    }

    fn keys(&self) -> Vec<KeySection> {
        match self.confirm.is_some() {
            true => vec![QUESTION.section()],
            false => vec![TRASH.section()],
        }
    }

    fn hints(&self, _: &Around) -> Vec<Hint> {
        match (self.chosen(), &self.confirm) {
            (None, _) => vec![
                TRASH.hint(&[TrashKey::Disk], "disk"),
                TRASH.hint(&[TrashKey::Close], "close").way_out(),
            ],
            (Some(_), Some(_)) => tables::question_hints(),
            (Some(_), None) => vec![
                TRASH.hint(&[TrashKey::Restore], "restore"),
                TRASH.hint(&[TrashKey::Purge], "delete for good"),
                TRASH.hint(&[TrashKey::Disk], "disk"),
                TRASH.hint(&[TrashKey::Close], "close").way_out(),
                TRASH.hint(&[MoveKey::Up, MoveKey::Down].map(TrashKey::Move), "move"),
            ],
        }
    }

    fn shown(&self) -> Option<Timestamp> {
        self.confirm.as_ref().map(|form| form.shown)
    }

    fn asks_within(&self) -> bool {
        self.confirm.is_some()
    }

    /// Looks again where chats came into the trash or left it, and finds out what the chosen one would lose, one at a time.
    fn settle(&mut self, around: &Around) -> Reply {
        let now = around.domain.live.trashed;
        if self.busy.is_none() && self.seen != Some(now) {
            self.seen = Some(now);
            return Reply::Submit(Wish::Know(Question::Trash));
        }
        match self.looks_next() {
            Some(chat) => Reply::Submit(Wish::Know(Question::Losses(chat))),
            None => Reply::Stay,
        }
    }

    fn begun(&mut self, wish: &Wish, request: RequestId, _: Timestamp) {
        if let Wish::Know(Question::Losses(chat)) = wish {
            self.losses.insert(chat.clone(), None);
            self.looking = Some(request);
            return;
        }
        let Wish::Disk(wish) = wish else {
            self.listing = Some(request);
            if self.list.is_none() {
                self.busy = Some(Busy::Reading);
            }
            return;
        };
        let doing = match wish {
            DiskWish::Restore(chat) => Busy::Restoring(self.called(chat)),
            DiskWish::Purge(chat) => Busy::Purging(self.called(chat)),
            DiskWish::Change(_) => return,
        };
        (self.busy, self.request) = (Some(doing), Some(request));
        self.problem = None;
    }

    fn awaits(&self, request: RequestId) -> bool {
        [self.request, self.listing, self.looking].contains(&Some(request))
    }

    fn is_busy(&self) -> bool {
        self.busy.is_some()
    }

    /// Once the chosen chat is back, the list has done what it was opened for.
    fn answered(&mut self, request: RequestId, done: &Done, around: &Around) -> Reply {
        if self.looking.take_if(|looking| *looking == request).is_some() {
            if let Done::Losses(chat, losses) = done {
                self.would_lose(chat, losses, around.domain.now);
            }
            return Reply::Stay;
        }
        if let Done::Restored(_) = done {
            self.back = None;
            return Reply::Over;
        }
        if let Done::Disk(DiskNews::Trash(list)) = done {
            self.listing = None;
            self.busy.take_if(|busy| *busy == Busy::Reading);
            self.take(list);
            self.ask_for_good(around.domain.now);
        } else if self.back.is_some() {
            return Reply::Over;
        } else {
            // The list is read again.
            (self.busy, self.request, self.seen) = (None, None, None);
        }
        Reply::Stay
    }

    /// The list may not be what it was: it is read again.
    fn failed(&mut self, request: RequestId, mut problem: Problem) {
        if self.looking.take_if(|looking| *looking == request).is_some() {
            let unknown = self.losses.values_mut().filter(|losses| losses.is_none());
            return unknown.for_each(|losses| *losses = Some(Losses::unknown()));
        }
        let listed = self.listing.take_if(|listing| *listing == request).is_some();
        let doing = match self.busy.as_ref().filter(|_| !listed) {
            Some(Busy::Restoring(label)) => Some(format!("restoring {label}")),
            Some(Busy::Purging(label)) => Some(format!("deleting {label} for good")),
            Some(Busy::Reading) | None => None,
        };
        if let Some(doing) = doing {
            problem.doing = doing;
            self.seen = None;
        }
        if !listed || self.busy == Some(Busy::Reading) {
            (self.busy, self.request) = (None, None);
        }
        self.problem = Some(problem);
    }
}

/// Another chat had its name when it was made: it was called by its handle.
fn is_made_up(handle: &Handle, one: &Deleted) -> bool {
    let plain = one.name.as_deref().and_then(Handle::from_name);
    let number = plain.and_then(|plain| {
        handle
            .as_str()
            .strip_prefix(plain.as_str())?
            .strip_prefix('-')
            .map(str::to_owned)
    });
    number.is_some_and(|number| number.parse::<u32>().is_ok())
}
