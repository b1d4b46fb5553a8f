//! A conversation that ends before one of its prompts: where that prompt stands in a CLI's own transcript.

use std::fs::File;
use std::io::Read;

use super::ReadTranscript;
use crate::model::earlier_prompt::EarlierPrompt;
use crate::model::{Happened, Problem, ResultExt};

/// A longer transcript is not cut.
const LONGEST: u64 = 512 << 20;

const DOING: &str = "going back in the conversation";

/// The lines of a transcript, each with its end. What a kill left of a last one is left out.
pub(super) fn lines_of(transcript: &File) -> Result<Vec<String>, Problem> {
    let mut text = Vec::new();
    transcript.take(LONGEST).read_to_end(&mut text).doing(DOING)?;
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let whole = lines.filter(|line| line.ends_with(b"\n"));
    Ok(whole.map(|line| String::from_utf8_lossy(line).into_owned()).collect())
}

/// Which line brings that prompt, as the reader of this CLI understands them: by its id if there is one with it, else by
/// its place among the prompts, if it says the same.
pub(super) fn line_of(
    mut reader: Box<dyn ReadTranscript>,
    lines: &[String],
    prompt: &EarlierPrompt,
) -> Result<usize, Problem> {
    let mut known: Vec<(usize, String, String)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        for told in reader.line(line.trim_end()) {
            if let Happened::Prompt { id, text, .. } = told.what {
                known.push((at, id, text));
            }
        }
    }
    place_of(known.iter().map(|(_, id, text)| (&**id, &**text)), prompt).map(|place| known[place].0)
}

/// Which of the prompts of a conversation, each with its id and text, is the one that is meant.
pub(super) fn place_of<'a>(
    prompts: impl Iterator<Item = (&'a str, &'a str)> + Clone,
    prompt: &EarlierPrompt,
) -> Result<usize, Problem> {
    let by_id = prompts
        .clone()
        .position(|(id, _)| !prompt.id.is_empty() && id == prompt.id);
    let found = by_id.or_else(|| prompts.enumerate().position(|(at, (id, text))| prompt.is(id, text, at)));
    found.ok_or_else(|| {
        let cause = "its agent's own record of the conversation does not have that prompt any more";
        Problem::missing(DOING, cause, "go back with the code alone")
    })
}
