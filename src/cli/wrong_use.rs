//! A command line that cannot be meant, in the parts of a problem.

use crate::model::Problem;

/// Of what clap says: its first paragraph is what is wrong, in one line; how it is used is the hint.
pub fn problem(said: &str) -> Problem {
    let paragraphs = said.split("\n\n").map(|paragraph| {
        let words: Vec<&str> = paragraph.split_whitespace().collect();
        words.join(" ")
    });
    let paragraphs: Vec<String> = paragraphs.collect();
    let cause = paragraphs
        .first()
        .map_or("", |cause| cause.trim_start_matches("error: "));
    let tip = paragraphs.iter().find_map(|paragraph| paragraph.strip_prefix("tip: "));
    let usage = paragraphs
        .iter()
        .find_map(|paragraph| paragraph.strip_prefix("Usage: "));
    let usage = usage.map(|usage| format!("it is used like `{usage}`"));
    let hints: Vec<&str> = tip.into_iter().chain(usage.as_deref()).collect();
    let hint = match hints.is_empty() {
        true => "`parlour --help` shows all verbs".into(),
        false => hints.join("; "),
    };
    Problem::new("reading the command line", cause, hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cause_is_one_sentence_and_the_usage_is_the_hint() {
        for (said, cause, hint) in [
            (
                "error: the following required arguments were not provided:\n  <CHAT>\n\nUsage: parlour push <CHAT>\n\n\
                 For more information, try '--help'.\n",
                "the following required arguments were not provided: <CHAT>",
                "it is used like `parlour push <CHAT>`",
            ),
            (
                "error: unexpected argument '--josn' found\n\n  tip: a similar argument exists: '--json'\n\n\
                 Usage: parlour list --json\n",
                "unexpected argument '--josn' found",
                "a similar argument exists: '--json'; it is used like `parlour list --json`",
            ),
            (
                "error: parlour has no verb lst; did you mean `parlour list`?\n",
                "parlour has no verb lst; did you mean `parlour list`?",
                "`parlour --help` shows all verbs",
            ),
        ] {
            let problem = problem(said);
            assert_eq!((problem.cause.as_str(), problem.hint.as_str()), (cause, hint));
        }
    }
}
