//! The prompt of a query: its words, and what is piped in behind them.

use super::super::piped::{self, PipeWait};
use crate::model::Problem;

/// A person who asks waits for the answer, and so for what they pipe in, however long it takes.
pub fn whole(words: &[String]) -> anyhow::Result<String> {
    let text = piped::behind(&words.join(" "), PipeWait::ToItsEnd)?;
    if text.trim().is_empty() {
        let hint = "say what you want to know: `parlour query 'What does this do?'`, or pipe it in";
        return Err(Problem::new("asking an agent", "the question is empty", hint).into());
    }
    Ok(text)
}
