//! The arguments of a prompt template, which it cannot do without.

use crate::domain::state::Domain;
use crate::model::template::PromptTemplate;
use crate::model::{ChatId, Problem};

use super::super::hint::Hint;
use super::tables::{FORM, FormKey};
use super::{Around, Ask, ComposeWish, Field, Form, Part, Room, Stop, Subject, Wish};

pub struct TemplateForm {
    chat: ChatId,
    about: Subject,
    form: Form,
    template: PromptTemplate,
    /// What each argument is called, where each is asked for by itself; else all stand in one field.
    called: Vec<String>,
    fields: Vec<Field>,
}

/// As the text of a template names its arguments.
const PLACES: [&str; 9] = ["$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$9"];

impl TemplateForm {
    pub fn new(domain: &Domain, chat: &ChatId, template: PromptTemplate) -> TemplateForm {
        let called = template.numbered();
        TemplateForm {
            fields: (0..called.len().max(1)).map(|_| Field::new("", Room::Line)).collect(),
            called,
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            form: Form::new(Stop::Argument(0), domain.now),
            template,
        }
    }

    fn arguments(&self) -> Result<Vec<String>, Problem> {
        if !self.called.is_empty() {
            // One that may be left out stands in brackets.
            let given = self.fields.iter().zip(&self.called);
            let given = given.map(|(field, called)| (field.text(), called.starts_with('[')));
            let given = given.take_while(|(text, may_be_empty)| *may_be_empty || !text.trim().is_empty());
            return Ok(given.map(|(text, _)| text).collect());
        }
        shell_words::split(&self.fields[0].text()).map_err(|error| {
            let hint = "quotes keep words together; each needs its other one";
            Problem::new("using a template", error.to_string(), hint)
        })
    }
}

impl Ask for TemplateForm {
    fn form(&self) -> &Form {
        &self.form
    }

    fn form_mut(&mut self) -> &mut Form {
        &mut self.form
    }

    fn title(&self) -> String {
        format!("/{}", self.template.name)
    }

    fn parts(&self, _: &Around) -> Vec<Part> {
        let mut parts = vec![Part::Words(self.template.description.clone()), Part::Gap];
        let field = |(at, (label, placeholder)): (usize, (&'static str, String))| Part::Field {
            stop: Stop::Argument(at),
            label,
            rows: 1,
            placeholder,
        };
        match self.called.is_empty() {
            true => parts.push(field((0, ("With", self.template.arguments.clone())))),
            false => {
                let called = self.called.iter().cloned();
                parts.extend(PLACES.into_iter().zip(called).enumerate().map(field));
            }
        }
        parts.push(Part::Gap);
        parts.extend(self.form.warning());
        parts.push(Part::Buttons(vec![(Stop::No, "Cancel"), (Stop::Yes, "Use")]));
        parts
    }

    fn hints(&self) -> Vec<Hint> {
        vec![
            FORM.hint(&[FormKey::Enter], "use it"),
            FORM.hint(&[FormKey::Clear], "clear"),
            FORM.hint(&[FormKey::Close], "cancel").way_out(),
        ]
    }

    fn fields(&self) -> Vec<(Stop, &Field)> {
        let fields = self.fields.iter().enumerate();
        fields.map(|(at, field)| (Stop::Argument(at), field)).collect()
    }

    fn fields_mut(&mut self) -> Vec<(Stop, &mut Field)> {
        let fields = self.fields.iter_mut().enumerate();
        fields.map(|(at, field)| (Stop::Argument(at), field)).collect()
    }

    fn about(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    /// The prompt is seen before it is sent.
    fn leaves(&self) -> bool {
        true
    }

    fn wish(&self, _: &Around) -> Result<Wish, Problem> {
        let arguments = self.arguments()?;
        match self.template.missing(&arguments) {
            Some(missing) => {
                let doing = format!("using the template {}", self.template.name);
                let hint = match self.called.is_empty() {
                    true => "type it; blanks part arguments, quotes keep one together, '' is an empty one",
                    false => "type it in its field",
                };
                Err(Problem::new(doing, missing.words(), hint))
            }
            None => {
                let fill = ComposeWish::Fill(self.template.name.clone(), arguments);
                Ok(Wish::Compose(self.chat.clone(), fill))
            }
        }
    }
}
