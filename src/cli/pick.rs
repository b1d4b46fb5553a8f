//! Staging, unstaging, discarding and taking parts of a file.

use std::path::Path;

use super::args::{PickOf, PickVerb, TakeOf};
use super::output::{OutputForm, show};
use super::person_only;
use super::requests::ask;
use crate::model::chat_name::pasted;
use crate::model::pick::{Pick, Picked, PickedFile, PickedPart};
use crate::model::review::ReviewAsk;
use crate::model::text::visible;
use crate::model::{Problem, Request};

pub fn run(home: &Path, form: OutputForm, verb: PickVerb) -> anyhow::Result<()> {
    let (of, what, wanted): (PickOf, &str, Box<dyn FnOnce(Pick) -> ReviewAsk>) = match verb {
        PickVerb::Stage(of) => (of, "staged", Box::new(ReviewAsk::Stage)),
        PickVerb::Unstage(of) => (of, "unstaged", Box::new(ReviewAsk::Unstage)),
        PickVerb::Discard(of) => (of, "discarded", Box::new(ReviewAsk::Discard)),
        PickVerb::Take(TakeOf { from, of }) => (of, "taken", Box::new(|pick| ReviewAsk::Take { from, pick })),
    };
    let chat = of.chat.clone();
    person_only::under_an_agent(&format!("changing the clones of {chat}"))?;
    let wanted = wanted(pick(of)?);
    let request = Request::Review {
        chat: chat.clone(),
        ask: wanted,
    };
    let answer = ask(home, request)?;
    let picked: Picked = serde_json::from_value(answer.clone())?;
    show(form, &answer, |_| {
        let (project, path) = (visible(&picked.project), visible(&picked.path.to_string_lossy()));
        match picked.saved {
            Some(saved) => format!(
                "{project}/{path}: {what}; `parlour revert {} {saved}` brings it back\n",
                pasted(&chat)
            ),
            None => format!("{project}/{path}: {what}\n"),
        }
    })
}

fn pick(of: PickOf) -> Result<Pick, Problem> {
    if of.hunk.contains(&0) || (of.lines.is_some() && of.hunk.len() != 1) {
        let cause = "hunks are counted from 1, and `--lines` needs exactly one of them";
        return Err(Problem::new("reading the command", cause, "say `--hunk 2 --lines 4-6`"));
    }
    let lines = of.lines.map(|(first, last)| (first - 1, last - 1));
    let parts = of.hunk.iter().map(|hunk| PickedPart { hunk: hunk - 1, lines });
    Ok(Pick {
        parts: parts.collect(),
        of: PickedFile::Uncommitted {
            project: of.project.unwrap_or_default(),
            path: of.path,
        },
    })
}
