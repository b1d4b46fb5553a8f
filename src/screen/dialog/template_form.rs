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
    words: Field,
}

impl TemplateForm {
    pub fn new(domain: &Domain, chat: &ChatId, template: PromptTemplate) -> TemplateForm {
        TemplateForm {
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            form: Form::new(Stop::Name, domain.now),
            template,
            words: Field::new("", Room::Line),
        }
    }

    fn arguments(&self) -> Result<Vec<String>, Problem> {
        shell_words::split(&self.words.text()).map_err(|error| {
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
        let mut parts = vec![
            Part::Words(self.template.description.clone()),
            Part::Gap,
            Part::Field {
                stop: Stop::Name,
                label: "With",
                rows: 1,
                placeholder: self.template.arguments.clone(),
            },
            Part::Gap,
        ];
        parts.extend(self.form.warning());
        parts.push(Part::Buttons(vec![(Stop::Yes, "Use"), (Stop::No, "Cancel")]));
        parts
    }

    fn hints(&self) -> Vec<Hint> {
        vec![
            FORM.hint(&[FormKey::Enter], "use it"),
            FORM.hint(&[FormKey::Clear], "clear"),
            FORM.hint(&[FormKey::Close], "cancel"),
        ]
    }

    fn fields(&self) -> Vec<(Stop, &Field)> {
        vec![(Stop::Name, &self.words)]
    }

    fn fields_mut(&mut self) -> Vec<(Stop, &mut Field)> {
        vec![(Stop::Name, &mut self.words)]
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
                Err(Problem::new(doing, missing.words(), "type it; '' leaves it empty"))
            }
            None => {
                let fill = ComposeWish::Fill(self.template.name.clone(), arguments);
                Ok(Wish::Compose(self.chat.clone(), fill))
            }
        }
    }
}
