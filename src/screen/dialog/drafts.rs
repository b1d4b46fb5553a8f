//! Dialogs that were left and go on where they were: what was typed for something new and not made, or as a message or remark
//! and not sent, the last search, and the output that a person looks at in a program of their own.

use crate::model::preferences::LeftWords;
use crate::model::setting::SettingEdit;
use crate::model::{ChatId, RequestId, Timestamp, WorkId};

use super::{Ask, AtomForm, Dialog, HistorySearch, NewChat, Output, ScheduleForm, SettingsPage};

#[derive(Default)]
pub struct Drafts {
    chat: Option<Box<NewChat>>,
    schedule: Option<Box<ScheduleForm>>,
    atom: Option<Box<AtomForm>>,
    /// The search that was left last: it is there again when it is opened.
    search: Option<Box<HistorySearch>>,
    /// What undoes the changes of settings, the last one at the end.
    settings: Vec<Vec<SettingEdit>>,
    output: Option<LeftOutput>,
    /// Messages and remarks that were not sent, the last one at the end.
    words: Vec<LeftWords>,
}

/// Words of these are kept at most: a person goes back to what they left a moment ago.
const MOST_WORDS: usize = 8;

/// It is open again when the program has ended.
struct LeftOutput {
    output: Box<Output>,
    /// By which the program was asked for.
    request: RequestId,
    /// Once it runs.
    program: Option<WorkId>,
}

/// What is typed there as a message or a remark, and not being sent.
pub fn words_in(dialog: &Dialog) -> Option<LeftWords> {
    match dialog {
        Dialog::Remark(form) => form.words_left(),
        Dialog::Keep(form) => form.words_left(),
        _ => None,
    }
}

impl Drafts {
    /// Keeps what was typed in a dialog that is left; says what goes on with it, where that is not being made already.
    pub fn keep(&mut self, left: Dialog) -> Option<&'static str> {
        if let Some(words) = words_in(&left) {
            self.keep_words(words);
            return Some(match left {
                Dialog::Remark(_) => "next remark there",
                _ => "next message",
            });
        }
        if let Dialog::NewChat(new) = left {
            let new = Some(new).filter(|new| new.is_typed())?;
            let is_made = new.form().is_busy();
            self.chat = Some(new);
            (!is_made).then_some("next new chat")
        } else if let Dialog::Schedule(form) = left {
            let form = Some(form).filter(|form| form.is_typed())?;
            let is_made = form.form().is_busy();
            self.schedule = Some(form);
            (!is_made).then_some("next new schedule")
        } else if let Dialog::AtomForm(form) = left {
            let form = Some(form).filter(|form| form.is_typed())?;
            let is_made = form.form().is_busy();
            self.atom = Some(form);
            (!is_made).then_some("next new task")
        } else if let Dialog::History(search) = left {
            self.search = Some(search);
            None
        } else if let Dialog::Settings(page) = left {
            self.settings.extend(page.into_undo());
            None
        } else {
            None
        }
    }

    pub fn keep_words(&mut self, words: LeftWords) {
        let is_same = |other: &LeftWords| (&other.chat, &other.about) == (&words.chat, &words.about);
        self.words.retain(|other| !is_same(other));
        self.words.push(words);
        let surplus = self.words.len().saturating_sub(MOST_WORDS);
        self.words.drain(..surplus);
    }

    pub fn last_words(&self) -> Option<&LeftWords> {
        self.words.last()
    }

    /// What was typed about this and not sent.
    pub fn words_again(&mut self, chat: &ChatId, about: &str) -> Option<LeftWords> {
        let at = self
            .words
            .iter()
            .position(|left| left.chat == *chat && left.about == about)?;
        Some(self.words.remove(at))
    }

    pub fn leave_output(&mut self, output: Box<Output>, request: RequestId) {
        self.output = Some(LeftOutput {
            output,
            request,
            program: None,
        });
    }

    pub fn program_opened(&mut self, request: RequestId, program: WorkId) {
        if let Some(left) = self.output.as_mut().filter(|left| left.request == request) {
            left.program = Some(program);
        }
    }

    /// The output that was left for this program.
    pub fn output_again(&mut self, program: WorkId) -> Option<Output> {
        let left = self.output.take_if(|left| left.program == Some(program))?;
        Some(left.output.again())
    }

    pub fn search_again(&mut self) -> HistorySearch {
        self.search.take().map(|search| search.again()).unwrap_or_default()
    }

    pub fn settings_again(&mut self) -> SettingsPage {
        SettingsPage::undoing(std::mem::take(&mut self.settings))
    }

    pub fn chat_again(&mut self, now: Timestamp) -> Option<Box<NewChat>> {
        let mut new = self.chat.take()?;
        new.again(now);
        Some(new)
    }

    /// The form of a new chat that was left.
    pub fn chat(&self) -> Option<&NewChat> {
        self.chat.as_deref()
    }

    pub fn schedule_again(&mut self, now: Timestamp) -> Option<Box<ScheduleForm>> {
        let mut form = self.schedule.take()?;
        form.again(now);
        Some(form)
    }

    /// The form of a new task of this chat that was left.
    pub fn atom_again(&mut self, chat: &ChatId, now: Timestamp) -> Option<AtomForm> {
        let mut form = self.atom.take_if(|form| form.is_of(chat))?;
        form.again(now);
        Some(*form)
    }

    /// What was left while this request made it is made.
    pub fn answered(&mut self, request: RequestId) {
        self.atom.take_if(|form| form.form().request() == Some(request));
        self.schedule.take_if(|form| form.form().request() == Some(request));
    }
}
