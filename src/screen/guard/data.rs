//! Keeps what was typed at a dialog, a page, the plan, the schedules or in copy mode from what appears behind it when that closes.
//!
//! It closes under the second key of a burst: two `y` in a row, a command of the palette of which a person types on, a form
//! that was typed at while its work ended, a question that was answered elsewhere. So, from the moment it closes, keys,
//! pastes and clicks are swallowed until nothing came for a moment, and the last row says so. After Esc, and after the key
//! that ended a form, only the same key again is: whoever presses that means to type on, as does whoever leaves copy mode
//! for the program they were in. The leader is never typed at a dialog, so it counts at once, and so does Enter after
//! another key that closed a page: close it and go in is one gesture.
//!
//! A question over an agent may close by itself with the last answer, and a tab by Esc; and Esc, to an agent, is an interrupt:
//! for some seconds the first key after that is swallowed if it is Esc.
//!
//! An answer to a question that a person opened themselves, but could not have read yet, is held back: where no other key
//! comes it is meant, and acts; where one does, the answer was a letter of what they type, and is dropped. So are the letters
//! behind it, and behind one that the dialog has no use for, until nothing is typed for a while; the same key again counts.
//!
//! A `q` with a pause before it closes a page as Esc does: what follows is meant.

use std::mem::Discriminant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::model::Timestamp;
use crate::term::key::normal;

use super::super::dialog::Dialog;
use super::super::dialog::tables::{APPROVALS, ApprovalKey, QuestionKey};
use super::super::keymap::{PaneSheet, shown};
use super::super::surface::Surface;

/// A pause this long ends a burst of keys.
pub const QUIET_MS: u64 = 500;

/// How long it is told that a key did not count.
const TOLD_MS: u64 = 1_500;

/// An answer that came before its question could be read is meant where no other key comes within this: whoever types
/// prose types on, slowly too.
const HELD_MS: u64 = QUIET_MS;

/// Behind a key that was not meant for the dialog, others are neither until nothing was typed for so long.
const TYPES_ON_MS: u64 = 1_500;

/// The same of one that is to be pressed again: whoever reads it decides first, and may have looked elsewhere.
const ASKED_AGAIN_MS: u64 = 5_000;

/// So long after something was closed, a key that would detach is asked for again.
const BARE_MS: u64 = 10_000;

/// So long after a question closed by its answer, Esc is meant for it: to an agent it would be an interrupt.
const ESC_MS: u64 = 1_500;

/// What a person does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PersonAct {
    Key(KeyCode, KeyModifiers),
    Paste,
    Click,
}

#[derive(Default)]
pub struct Guard {
    before: Layers,
    deed: Option<PersonAct>,
    /// The last key, and when it was pressed.
    last: Option<(PersonAct, Timestamp)>,
    /// It is the same as the last one, whenever that was.
    is_same: bool,
    /// It came before a pause ended the burst of those before it.
    is_in_burst: bool,
    /// The deed says that the person goes on with what is behind.
    goes_on: bool,
    /// What a form was ended by, as long as nothing else was done since: it may close a moment later.
    ended_by: Option<PersonAct>,
    shut: Option<Shut>,
    told: Option<GuardNotice>,
    /// Since when the open dialog is.
    opened: Option<Timestamp>,
    /// The person opened it, and has pressed no key in it that it has no use for.
    is_own: bool,
    held: Option<HeldAnswer>,
    /// The last key behind an answer that came too soon, or one that the dialog has no use for.
    strays: Option<Timestamp>,
    /// When the answer was given that was held back, and acts with this event.
    acted: Option<Timestamp>,
    /// When the person closed what stood in place of the agent's terminal, so that nothing is left to close.
    bare_since: Option<Timestamp>,
    /// When a question was answered and closed over an agent, until a key is pressed.
    answered_at: Option<Timestamp>,
}

/// An answer that came too soon.
struct HeldAnswer {
    act: PersonAct,
    at: Timestamp,
    /// Since when what it answers was seen then.
    shown: Timestamp,
}

/// What lies over the rest of the screen and takes its keys.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Layers {
    pub(super) schedules: bool,
    pub(super) copy: bool,
    pub(super) dialog: Option<Discriminant<Dialog>>,
    /// Within the dialog something asks.
    pub(super) asks: bool,
    /// The keys of the dialog lie over it.
    pub(super) keys: bool,
    /// The dialog asks for an answer that counts only once it could be read.
    pub(super) is_question: bool,
    /// A tab that is no terminal, and has the keys.
    pub(super) sheet: Option<PaneSheet>,
    /// The terminal is what is shown, and keys are commands.
    pub(super) terminal: bool,
    /// A field takes what is typed.
    pub(super) field: bool,
    /// The dialog is filled in.
    pub(super) is_form: bool,
    /// What has the keys without the dialog.
    pub(super) behind: Option<Surface>,
    /// What is typed goes to a program.
    pub(super) inside: bool,
    /// Something stands in place of the agent's terminal.
    pub(super) replaced: bool,
}

struct Shut {
    /// Why a key is swallowed.
    why: String,
    /// When it closed, or when the last key was swallowed.
    at: Timestamp,
    /// Swallows this alone.
    only: Option<PersonAct>,
    /// A key closed it that is no answer: Enter is meant for what is behind.
    lets_in: bool,
}

struct GuardNotice {
    words: String,
    until: Timestamp,
    /// It is about the last key, and over with the next one.
    asks_again: bool,
}

fn just_closed(what: &str) -> String {
    format!("{what} just closed")
}

impl PersonAct {
    pub fn key(key: KeyEvent) -> PersonAct {
        let key = normal(key);
        PersonAct::Key(key.code, key.modifiers)
    }

    /// Whoever types words presses it.
    fn is_typed(self) -> bool {
        let PersonAct::Key(code, modifiers) = self else {
            return false;
        };
        matches!(code, KeyCode::Char(_) | KeyCode::Enter) && (modifiers - KeyModifiers::SHIFT).is_empty()
    }

    fn is_esc(self) -> bool {
        matches!(self, PersonAct::Key(KeyCode::Esc, _))
    }

    fn is_enter(self) -> bool {
        matches!(self, PersonAct::Key(KeyCode::Enter, _))
    }

    /// It closes whatever is open, and answers nothing.
    fn is_quit(self) -> bool {
        self == PersonAct::Key(KeyCode::Char('q'), KeyModifiers::NONE)
    }

    fn name(self) -> String {
        match self {
            PersonAct::Key(code, modifiers) => shown(KeyEvent::new(code, modifiers)),
            PersonAct::Paste => "Paste".into(),
            PersonAct::Click => "Click".into(),
        }
    }
}

impl Layers {
    /// What has closed since.
    fn lost(self, now: Layers, deed: Option<PersonAct>) -> Option<&'static str> {
        let closed = [
            (self.dialog.is_some() && self.dialog != now.dialog, "a dialog has"),
            (self.asks && !now.asks, "a dialog has"),
            (self.keys && !now.keys, "the list of keys has"),
            (self.copy && !now.copy, "copy mode has"),
            (self.schedules && !now.schedules, "the schedules have"),
        ];
        let closed = closed.into_iter().find_map(|(closed, what)| closed.then_some(what));
        // Whoever clicks beside a tab goes on there, with a second click for instance.
        let sheet = self.sheet.filter(|_| now.terminal && deed != Some(PersonAct::Click));
        closed.or(sheet.map(PaneSheet::closed))
    }
}

impl Guard {
    /// Whether this was meant for what has just closed. A key that is let go does nothing, then, either.
    pub fn swallows(&mut self, deed: PersonAct, now: Timestamp) -> bool {
        let before = self.last.replace((deed, now));
        let is_in_burst = before.is_some_and(|(_, at)| now.ms_since(at) < QUIET_MS);
        self.is_same = before.is_some_and(|(last, _)| last == deed);
        self.is_in_burst = is_in_burst;
        // Arrows and clicks are no words, and what goes into a field is meant for it.
        let to_question = deed.is_typed() && !self.before.field;
        let types_on = |at: &Timestamp| to_question && now.ms_since(*at) < TYPES_ON_MS;
        self.strays = self.strays.filter(types_on).map(|_| now);
        self.deed = Some(deed);
        self.told.take_if(|told| told.asks_again);
        self.ended_by = None;
        self.goes_on |= deed.is_esc() || deed.is_quit() && !is_in_burst;
        if let Some(held) = self.held.take().filter(|held| held.act != deed) {
            self.tell_too_soon(held.act, now);
        }
        let answered = self.answered_at.take();
        if deed.is_esc() && answered.is_some_and(|at| now.ms_since(at) < ESC_MS) {
            self.shut = None;
            self.tell("Esc ignored: what it was for has closed already".into(), now);
            return true;
        }
        let Some(shut) = &mut self.shut else {
            return false;
        };
        let is_meant = shut.only.is_some_and(|only| only != deed) || shut.lets_in && deed.is_enter();
        if now.ms_since(shut.at) >= QUIET_MS || is_meant {
            self.shut = None;
            return false;
        }
        // What comes with others is prose, its Enter too.
        (shut.at, shut.lets_in) = (shut.at.max(now), false);
        let words = format!("{} ignored: {}", deed.name(), shut.why);
        self.tell(words, now);
        true
    }

    /// A key that would leave the screen, right after it or another one closed what was open, whatever that was.
    pub fn leaves_in_haste(&mut self, now: Timestamp) -> bool {
        let is_bare = self.bare_since.is_some_and(|since| now.ms_since(since) < BARE_MS);
        let is_hasty = self.is_same && self.is_in_burst || is_bare;
        if is_hasty {
            self.asks_to_detach(now);
        }
        is_hasty
    }

    /// A key that would leave the screen is asked for again, once.
    pub fn asks_to_detach(&mut self, now: Timestamp) {
        self.bare_since = None;
        if let Some(deed) = self.deed {
            self.told = Some(GuardNotice {
                words: format!("{} ignored: press it again to detach", deed.name()),
                until: now.plus_ms(ASKED_AGAIN_MS),
                asks_again: true,
            });
        }
    }

    pub fn is_shut(&self, now: Timestamp) -> bool {
        self.shut.as_ref().is_some_and(|shut| now.ms_since(shut.at) < QUIET_MS)
    }

    /// The leader: it and what comes next are meant for what is seen.
    pub fn lift(&mut self) {
        (self.shut, self.goes_on) = (None, true);
    }

    /// What a person typed in is gone, with its verb: what is on its way to it reaches nothing else, if it comes by then or
    /// in the same burst.
    pub fn closed(&mut self, what: &'static str, at: Timestamp) {
        self.shut = Some(Shut {
            why: just_closed(what),
            at,
            only: None,
            lets_in: false,
        });
    }

    /// A key asks before it does anything, and had nothing to ask about: what comes next was meant for that question.
    pub fn did_not_open(&mut self, now: Timestamp) {
        self.shut = Some(Shut {
            why: "no dialog has opened".into(),
            at: now,
            only: None,
            lets_in: false,
        });
    }

    /// A program in which a person typed has ended, and what they came from has the keys again: they go on at once.
    pub fn gave_back(&mut self, what: &'static str, now: Timestamp) {
        self.shut = self.last.map(|(act, _)| Shut {
            why: just_closed(what),
            at: now,
            only: Some(act),
            lets_in: false,
        });
    }

    /// What a person opened from within a program, which may be an agent, has closed, and they type in it again.
    pub fn came_back(&mut self, what: &'static str, is_agent: bool, now: Timestamp) {
        self.gave_back(what, now);
        // What follows in one burst was typed at what has closed.
        if let Some(shut) = self.shut.as_mut().filter(|_| self.is_in_burst && !self.goes_on) {
            shut.only = None;
        }
        if is_agent && self.last.is_some_and(|(act, _)| act.is_esc()) {
            self.answered_at = Some(now);
        }
    }

    /// A dialog closes because what it was answered for is done: the person goes on at once.
    pub fn answered(&mut self) {
        self.before.dialog = None;
    }

    /// The mouse took what it selected in copy mode, which ends by that: nobody types at that.
    pub fn let_go(&mut self) {
        self.before.copy = false;
    }

    /// A person ends the form, and its work begins.
    pub fn ends_form(&mut self) {
        self.strays = None;
        self.ended_by = self.deed;
    }

    /// A key that is no command here, and what to press instead.
    pub fn unbound(&mut self, key: KeyEvent, instead: &str, now: Timestamp) {
        let words = format!("{} does nothing here; {instead}", shown(normal(key)));
        self.tell(words, now);
    }

    /// What was pressed leads nowhere from where the person is.
    pub fn does_nothing(&mut self, why: &str, now: Timestamp) {
        if let Some(deed) = self.deed {
            self.tell(format!("{} does nothing here: {why}", deed.name()), now);
        }
    }

    /// An answer to what could not be read yet. If that was `asked` of a person who opened it themselves, it is held back.
    pub fn too_soon(&mut self, asked: Option<Timestamp>, now: Timestamp) {
        // What has changed since then was not what they opened.
        let is_own = self.is_own && asked == self.opened;
        match (self.deed, asked.filter(|_| is_own)) {
            (Some(act @ PersonAct::Key(..)), Some(shown)) => self.held = Some(HeldAnswer { act, at: now, shown }),
            (Some(act), _) => self.tell_too_soon(act, now),
            (None, _) => {}
        }
    }

    fn tell_too_soon(&mut self, act: PersonAct, now: Timestamp) {
        self.strays = Some(now).filter(|_| act.is_typed());
        self.tell(format!("{} came too soon: press it again", act.name()), now);
    }

    /// A key that the question has no use for: what comes next may be prose too.
    pub fn typed_at(&mut self, now: Timestamp) {
        self.is_own = false;
        self.strays = Some(now);
    }

    /// The key that is pressed now goes on with words that are not meant for the dialog. One that is pressed again is.
    pub fn types_on(&self) -> bool {
        self.strays.is_some() && !self.is_same && self.deed.is_some_and(PersonAct::is_typed)
    }

    /// The answer that was held back and is meant by now, where the same is asked since then.
    pub fn due(&mut self, shown: Option<Timestamp>, now: Timestamp) -> Option<KeyEvent> {
        if let Some(held) = self.held.take_if(|held| Some(held.shown) != shown) {
            self.tell_too_soon(held.act, now);
        }
        let held = self.held.take_if(|held| now.ms_since(held.at) >= HELD_MS)?;
        self.acted = Some(held.at);
        match held.act {
            PersonAct::Key(code, modifiers) => Some(KeyEvent::new(code, modifiers)),
            PersonAct::Paste | PersonAct::Click => None,
        }
    }

    /// An answer to what only the agent's own dialog takes one to.
    pub fn answered_elsewhere(&mut self, now: Timestamp) {
        if let Some(deed) = self.deed {
            let words = format!(
                "{} ignored: {} leads to the dialog that takes the answer",
                deed.name(),
                APPROVALS.key(ApprovalKey::Question(QuestionKey::Answer))
            );
            self.tell(words, now);
        }
    }

    /// Since when a dialog has been open; none where none is.
    pub fn dialog_since(&self) -> Option<Timestamp> {
        self.opened
    }

    fn tell(&mut self, words: String, now: Timestamp) {
        let until = now.plus_ms(TOLD_MS);
        self.told = Some(GuardNotice {
            words,
            until,
            asks_again: false,
        });
    }

    /// That something did not count, for the last row.
    pub fn says(&self) -> Option<&str> {
        self.told.as_ref().map(|told| told.words.as_str())
    }

    /// When it stops saying so, or an answer that is held back acts.
    pub fn wakes(&self, now: Timestamp) -> Option<Timestamp> {
        let told = self.told.as_ref().map(|told| told.until);
        let held = self.held.as_ref().map(|held| held.at.plus_ms(HELD_MS));
        told.into_iter().chain(held).filter(|at| *at > now).min()
    }

    /// By what the person has just ended a form, if what was behind it has the keys now.
    fn ended(&self, now: Layers, deed: Option<PersonAct>) -> Option<PersonAct> {
        let is_over = self.before.is_form && now.dialog.is_none() && self.before.behind == now.behind;
        let enter = deed.filter(|deed| deed.is_enter());
        self.ended_by.or(enter).filter(|_| is_over)
    }

    /// A page is closed by keys that answer nothing; in a dialog and in copy mode there is one such key.
    fn lets_in(&self, deed: Option<PersonAct>) -> bool {
        let is_page = self.before.dialog.is_none() && !self.before.copy;
        deed.is_some_and(|deed| deed.is_quit() || is_page && matches!(deed, PersonAct::Key(..)) && !deed.is_enter())
    }

    /// What lies over the rest now: what has closed since the last event?
    pub(super) fn follow(&mut self, layers: Layers, now: Timestamp) {
        let (goes_on, deed) = (std::mem::take(&mut self.goes_on), self.deed.take());
        let acted = self.acted.take();
        if let Some(what) = self.before.lost(layers, deed) {
            // What a person opened by a command takes what they type. A question that was covered is to be read again first.
            let covered = self.before.keys && layers.is_question;
            // So does the program whose text was copied: nobody waits before typing on.
            let is_back = self.before.copy && !layers.copy && layers.inside;
            let only = deed.filter(|_| (goes_on || layers.field || is_back) && !covered);
            let only = only.or_else(|| self.ended(layers, deed));
            let lets_in = self.lets_in(deed);
            let at = acted.unwrap_or(now);
            self.shut = Some(Shut {
                why: just_closed(what),
                at,
                only,
                lets_in,
            });
        }
        let is_left = goes_on || deed.is_some_and(|deed| deed.is_esc() || deed.is_quit());
        if self.before.is_question && layers.dialog.is_none() && layers.inside && !is_left {
            self.answered_at = Some(now);
        }
        if self.before.dialog != layers.dialog {
            self.opened = layers.dialog.map(|_| now);
            self.is_own = deed.is_some();
            self.strays.take_if(|_| self.is_own);
            // What was said of a key before is not said of the dialog that the person opens.
            let is_over = self.is_own && layers.dialog.is_some();
            self.told.take_if(|told| is_over && told.until < now.plus_ms(TOLD_MS));
        }
        if deed.is_some() && self.before.replaced && !layers.replaced && layers.terminal {
            self.bare_since = Some(now);
        }
        self.before = layers;
        if self.told.as_ref().is_some_and(|told| told.until <= now) {
            self.told = None;
        }
    }
}
