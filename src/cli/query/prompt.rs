//! The prompt of a query: its words, and what is piped in behind them.

use std::io::{self, IsTerminal};
use std::os::fd::AsFd;

use rustix::fs::{FileType, fstat};

use super::super::changes::from_stdin;
use crate::model::Problem;

/// The words, and what standard input has where it is a pipe or a file. `-` stands for that alone.
pub fn whole(words: &[String]) -> anyhow::Result<String> {
    let words = words.join(" ");
    let piped = match words == "-" || (!io::stdin().is_terminal() && is_fed()) {
        true => from_stdin("-".into())?,
        false => String::new(),
    };
    let text = joined(if words == "-" { "" } else { &words }, &piped);
    if text.trim().is_empty() {
        let hint = "say what you want to know: `parlour query 'What does this do?'`, or pipe it in";
        return Err(Problem::new("asking an agent", "the question is empty", hint).into());
    }
    Ok(text)
}

/// A pipe or a file. Of anything else nobody knows whether it ever ends.
fn is_fed() -> bool {
    let stat = fstat(io::stdin().as_fd());
    stat.is_ok_and(|stat| {
        let kind = FileType::from_raw_mode(stat.st_mode);
        matches!(kind, FileType::Fifo | FileType::RegularFile)
    })
}

fn joined(words: &str, piped: &str) -> String {
    match (words.trim().is_empty(), piped.trim().is_empty()) {
        (_, true) => words.to_owned(),
        (true, false) => piped.to_owned(),
        (false, false) => format!("{words}\n\n{piped}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_piped_in_stands_behind_the_words() {
        assert_eq!(joined("review this", "+ a\n- b"), "review this\n\n+ a\n- b");
        assert_eq!(joined("", "+ a"), "+ a");
        assert_eq!(joined("hello", " \n"), "hello");
    }
}
