//! Deleting a chat: names what would be lost, and can be answered only once that is known and was seen.

use crate::domain::auxiliary;
use crate::domain::notice::Done;
use crate::domain::state::Domain;
use crate::model::{ChatId, Losses, Problem, Status, Timestamp, text};

use super::super::keymap::ChatsAction;
use super::{Around, Ask, DiskPage, Form, Part, Question, Reply, Stop, Subject, Wish, Work, loss};

pub struct Delete {
    chat: ChatId,
    about: Subject,
    form: Form,
    /// What would be lost; `None` while that is being found out.
    losses: Option<Losses>,
    /// There was more when a person had agreed.
    grew: bool,
    /// The page from which a person came: it is there again afterwards.
    pub back: Option<Box<DiskPage>>,
}

impl Delete {
    pub fn new(domain: &Domain, chat: &ChatId) -> Delete {
        Delete {
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            form: Form::new(Stop::No, domain.now),
            losses: None,
            grew: false,
            back: None,
        }
    }

    pub fn back_to(self, back: Option<Box<DiskPage>>) -> Delete {
        Delete { back, ..self }
    }

    /// The chat that is being deleted, once somebody has agreed to that.
    pub fn under_way(&self) -> Option<&ChatId> {
        self.form.is_busy().then_some(&self.chat)
    }

    /// The answer is there. If there is something to decide on, that is new: it has to be seen before it is answered.
    fn would_lose(&mut self, now: Timestamp, losses: Losses) {
        if !losses.lost.is_empty() {
            self.form.shown = now;
        }
        self.losses = Some(losses);
    }

    /// What a person agreed to lose was looked at again: its agent may have worked on. What is more is asked about.
    fn still_agreed(&mut self, now: Timestamp, losses: Losses) -> bool {
        let shown = self.losses.get_or_insert_default();
        if self.form.is_busy() && !losses.is_more_than(shown) {
            return true;
        }
        self.grew = true;
        self.form.work = Work::Ready;
        (self.form.at, self.form.shown) = (Stop::No, now);
        self.would_lose(now, losses);
        false
    }

    fn loses(&self) -> Vec<Part> {
        let loss = loss::said(self.losses.as_ref(), "This would be lost:");
        let headline = loss.headline.to_string();
        let mut parts = match loss.lost.is_empty() {
            true => vec![Part::Note(headline)],
            false => vec![Part::Warning(headline), Part::Lines(loss.lost)],
        };
        parts.extend(loss.notes.into_iter().map(Part::Note));
        if self.grew {
            parts.insert(0, Part::Warning("There is more to lose by now.".into()));
        }
        parts
    }
}

impl Ask for Delete {
    fn form(&self) -> &Form {
        &self.form
    }

    fn form_mut(&mut self) -> &mut Form {
        &mut self.form
    }

    fn is_destructive(&self) -> bool {
        true
    }

    fn title(&self) -> String {
        "Delete this chat?".into()
    }

    fn parts(&self, around: &Around) -> Vec<Part> {
        let chat = around.domain.disk.chats.get(&self.chat);
        let mut parts = vec![Part::Words(text::visible(self.about.name()))];
        for project in chat.iter().flat_map(|chat| &chat.projects) {
            let branch = project.branch.as_deref().unwrap_or("(local)");
            parts.push(Part::Note(text::visible(&format!("{} · {branch}", project.name))));
        }
        parts.push(Part::Gap);
        parts.extend(self.loses());
        let status = around.domain.status(&self.chat);
        if status.is_live() {
            parts.push(Part::Gap);
            let runs = around.domain.disk.what_runs(&self.chat);
            let warning = match status {
                Status::Running(Some(program)) if runs == "shell" => {
                    format!("{} runs in its shell and will be stopped.", text::visible(&program))
                }
                _ => format!("Its {runs} is running and will be stopped."),
            };
            parts.push(Part::Warning(warning));
        }
        for (_, side) in auxiliary::of_chat(around.domain, &self.chat).filter(|(_, side)| side.is_live()) {
            let what = side.called();
            parts.push(Part::Warning(format!(
                "Its {what} tab is open: what runs there will be stopped."
            )));
        }
        parts.push(Part::Gap);
        let keymap = &around.keymap;
        let (undo, list) = (keymap.key(ChatsAction::UndoDelete), keymap.key(ChatsAction::Trash));
        parts.push(Part::Note(format!(
            "It stays in the trash for 7 days: {undo} restores, {list} lists."
        )));
        parts.push(Part::Gap);
        parts.extend(self.form.warning());
        let delete = if self.form.is_busy() { "Deleting…" } else { "Delete" };
        parts.push(Part::Buttons(vec![(Stop::No, "Keep it"), (Stop::Yes, delete)]));
        parts
    }

    fn about(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn wish(&self, _: &Around) -> Result<Wish, Problem> {
        match &self.losses {
            Some(_) => Ok(Wish::Delete(self.chat.clone())),
            None => Err(Problem::new(
                "deleting",
                "what would be lost is still being found out",
                "wait a moment",
            )),
        }
    }

    fn scrolls(&self) -> bool {
        true
    }

    fn question(&self) -> Option<Question> {
        self.losses.is_none().then(|| Question::Losses(self.chat.clone()))
    }

    fn learned(&mut self, done: &Done, now: Timestamp) {
        if let Done::Losses(_, losses) = done {
            self.would_lose(now, losses.clone());
        }
    }

    fn carried_out(&mut self, done: &Done, now: Timestamp) -> Reply {
        let Done::Rechecked(_, losses) = done else {
            return Reply::Over;
        };
        match self.still_agreed(now, losses.clone()) {
            true => Reply::Submit(Wish::Trash(self.chat.clone())),
            false => Reply::Stay,
        }
    }
}
