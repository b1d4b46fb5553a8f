//! How the agent of a chat runs: its model, or what it does unasked.

use crate::domain::state::Domain;
use crate::model::chat_change::ChatChange;
use crate::model::settings::Confinement;
use crate::model::{ChatId, PermissionProfile, Problem};

use super::super::hint::Hint;
use super::field::filled;
use super::form::next_of;
use super::tables::{FORM, FocusKey, FormKey, QUESTION, QuestionKey};
use super::{Around, Ask, Field, Form, NewChatField, Part, Room, Stop, Subject, Wish};

pub struct AgentForm {
    chat: ChatId,
    about: Subject,
    form: Form,
    what: AgentPart,
}

/// What of it is changed.
enum AgentPart {
    Model(Box<Field>),
    Permissions(PermissionProfile),
}

const ALLOWED: Stop = Stop::New(NewChatField::Permissions);

impl AgentForm {
    pub fn model(domain: &Domain, chat: &ChatId) -> AgentForm {
        let known = domain.disk.chats.get(chat);
        let model = known.and_then(|chat| chat.record.set.model.as_deref());
        let field = Field::new(model.unwrap_or_default(), Room::Line);
        AgentForm::new(domain, chat, Stop::Agent, AgentPart::Model(Box::new(field)))
    }

    pub fn permissions(domain: &Domain, chat: &ChatId) -> AgentForm {
        let known = domain.disk.chats.get(chat);
        let profile = known.map_or_else(PermissionProfile::default, |chat| chat.record.set.permissions);
        AgentForm::new(domain, chat, ALLOWED, AgentPart::Permissions(profile))
    }

    fn new(domain: &Domain, chat: &ChatId, at: Stop, what: AgentPart) -> AgentForm {
        AgentForm {
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            form: Form::new(at, domain.now),
            what,
        }
    }

    fn fields_of_part(&self, around: &Around) -> Vec<Part> {
        match &self.what {
            AgentPart::Model(_) => vec![
                Part::Field {
                    stop: Stop::Agent,
                    label: "Model",
                    rows: 1,
                    placeholder: "as its role or its CLI chooses".into(),
                },
                Part::Gap,
                Part::Note("By the name that its CLI has for it. It acts at the next start.".into()),
            ],
            AgentPart::Permissions(profile) => {
                let all = PermissionProfile::EACH;
                let at = all.iter().position(|one| one == profile).unwrap_or(0);
                let needs_sandbox = *profile == PermissionProfile::All && !has_sandbox(around.domain);
                let note = if needs_sandbox {
                    "only with \"sandbox\": \"strict\" in config.json"
                } else {
                    ""
                };
                vec![
                    Part::Choice {
                        stop: ALLOWED,
                        label: "Unasked",
                        value: profile.words().into(),
                        at: format!("{} of {}", at + 1, all.len()),
                        note: note.into(),
                    },
                    Part::Gap,
                    Part::Note("It acts at once. What rules deny or ask about stays so.".into()),
                ]
            }
        }
    }
}

fn has_sandbox(domain: &Domain) -> bool {
    domain.disk.settings.sandbox == Confinement::Strict
}

impl Ask for AgentForm {
    fn form(&self) -> &Form {
        &self.form
    }

    fn form_mut(&mut self) -> &mut Form {
        &mut self.form
    }

    fn title(&self) -> String {
        match self.what {
            AgentPart::Model(_) => "Model of this chat".into(),
            AgentPart::Permissions(_) => "What its agent does unasked".into(),
        }
    }

    fn parts(&self, around: &Around) -> Vec<Part> {
        let mut parts = self.fields_of_part(around);
        parts.push(Part::Gap);
        parts.extend(self.form.warning());
        parts.push(self.form.buttons("Save", "Saving…"));
        parts
    }

    fn hints(&self) -> Vec<Hint> {
        match self.what {
            AgentPart::Model(_) => vec![
                FORM.hint(&[FormKey::Enter], "keep"),
                FORM.hint(&[FormKey::Clear], "clear"),
                FORM.hint(&[FormKey::Close], "cancel").way_out(),
            ],
            AgentPart::Permissions(_) => vec![
                QUESTION.hint(&[FocusKey::Left, FocusKey::Right].map(QuestionKey::Focus), "choose"),
                QUESTION.hint(&[QuestionKey::Yes], "keep"),
                QUESTION.hint(&[QuestionKey::Close], "cancel").way_out(),
            ],
        }
    }

    fn fields(&self) -> Vec<(Stop, &Field)> {
        match &self.what {
            AgentPart::Model(field) => vec![(Stop::Agent, field)],
            AgentPart::Permissions(_) => Vec::new(),
        }
    }

    fn fields_mut(&mut self) -> Vec<(Stop, &mut Field)> {
        match &mut self.what {
            AgentPart::Model(field) => vec![(Stop::Agent, field)],
            AgentPart::Permissions(_) => Vec::new(),
        }
    }

    fn about(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn turn(&mut self, _: &Around, _: Stop, by: i8) {
        if let AgentPart::Permissions(profile) = &mut self.what {
            *profile = next_of(&PermissionProfile::EACH, profile, by);
        }
    }

    fn wish(&self, around: &Around) -> Result<Wish, Problem> {
        let change = match &self.what {
            AgentPart::Model(field) => ChatChange::Model(filled(field)),
            AgentPart::Permissions(PermissionProfile::All) if !has_sandbox(around.domain) => {
                let cause = "without a sandbox, not everything can be allowed";
                let hint = "set \"sandbox\": \"strict\" in config.json, or allow less";
                return Err(Problem::new("changing what its agent does unasked", cause, hint));
            }
            AgentPart::Permissions(profile) => ChatChange::Permissions(*profile),
        };
        Ok(Wish::Set(self.chat.clone(), vec![change]))
    }
}
