//! The command by which a CLI sums its conversation up.

use crate::domain::Domain;
use crate::model::{ChatId, Problem};

const DOING: &str = "summing the conversation up";

/// As it is typed, with a person's own words about what is to be kept, if there are any.
pub fn command(state: &Domain, chat: &ChatId, words: &str) -> Result<String, Problem> {
    let llm = state.disk.chats.get(chat).map_or("", |known| &known.record.llm);
    let known = state.disk.commands.get(llm).into_iter().flatten();
    let Some(command) = known.into_iter().find(|command| command.sums_up()) else {
        let what = format!("parlour knows no command of {llm} for it");
        return Err(Problem::new(DOING, what, "if it has one, type it in its terminal"));
    };
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    if !words.is_empty() && command.arguments.is_empty() {
        let what = format!("{} of {llm} takes no words of your own", command.name);
        return Err(Problem::new(
            DOING,
            what,
            "leave them out, or send them as a prompt afterwards",
        ));
    }
    Ok(format!("{} {words}", command.name).trim_end().to_owned())
}
