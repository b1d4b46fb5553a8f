//! A person's remarks on what the demo agent changed: it answers each one.

use serde_json::json;

use super::actor::{Actor, ActorStop};
use super::script;
use crate::model::remark::PROMPT;

const ANSWER: &str = "Read. This agent is scripted: a real one would change the line now, and say here what it did.";

/// The numbers of the remarks in a prompt; `None` if it is another kind of prompt.
pub fn in_prompt(prompt: &str) -> Option<Vec<u64>> {
    let told = prompt.strip_prefix(PROMPT)?;
    let number = |line: &str| line.strip_prefix("Remark ")?.split(',').next()?.parse().ok();
    Some(told.lines().filter_map(number).collect())
}

pub fn answer(actor: &mut Actor, remarks: &[u64]) -> Result<String, ActorStop> {
    for remark in remarks {
        let answer = json!({"id": remark, "text": ANSWER});
        script::call(actor, "answer_remark", &format!("remark {remark}"), answer)?;
    }
    let words = match remarks.len() {
        1 => "I answered your remark.".to_owned(),
        many => format!("I answered your {many} remarks."),
    };
    actor.say(&words);
    Ok(words)
}
