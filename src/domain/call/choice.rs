//! What an agent asks its person by a tool of its own, as its CLI's tool writes it.

use serde_json::Value;

use super::input::text;

pub(super) struct AskedChoice {
    pub question: String,
    /// What may be chosen, each with what it means.
    pub answers: Vec<String>,
}

/// The questions of a call, where it asks some.
pub(super) fn choices(input: &Value) -> Option<Vec<AskedChoice>> {
    let list = input.get("questions")?.as_array()?;
    let choices: Option<Vec<AskedChoice>> = list.iter().map(choice).collect();
    choices.filter(|choices| !choices.is_empty())
}

fn choice(value: &Value) -> Option<AskedChoice> {
    let answers = value["options"].as_array().map_or(&[][..], Vec::as_slice);
    Some(AskedChoice {
        question: text(value, &["question"])?.into(),
        answers: answers.iter().filter_map(answer).collect(),
    })
}

fn answer(value: &Value) -> Option<String> {
    let label = value.as_str().or_else(|| text(value, &["label"]))?;
    Some(match text(value, &["description"]) {
        Some(meaning) if !meaning.is_empty() => format!("{label}: {meaning}"),
        Some(_) | None => label.into(),
    })
}

impl AskedChoice {
    /// The question, and a line for each answer.
    pub fn in_words(&self) -> String {
        let lines = self.answers.iter().map(|answer| format!("\n· {answer}"));
        self.question.clone() + &lines.collect::<String>()
    }
}
