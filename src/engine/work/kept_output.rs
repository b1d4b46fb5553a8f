//! A call's whole output, as a person looks through it.

use std::path::{Path, PathBuf};

use crate::model::Problem;
use crate::model::output::{LONGEST_COPY, LinesAt, OutputAsk, OutputFound, OutputWanted};

use super::context::WorkContext;

const DOING: &str = "reading a call's output";

/// Lines are numbered as soon as they were counted. A line by its number waits for that.
pub fn read(context: &WorkContext, ask: &OutputAsk) -> Result<OutputFound, Problem> {
    let output = context
        .services
        .home
        .output(&ask.chat, &ask.file)
        .map_err(|error| match error.is_missing() {
            true => Problem::new(
                DOING,
                "its file is gone from the record",
                "the beginning of it is left, in the card of the call",
            ),
            false => Problem::of(DOING, &error),
        })?;
    let indexes = &context.services.outputs;
    let is_cancelled = || context.cancel.is_set();
    let failed = |error| Problem::fault(DOING, error);
    match &ask.wanted {
        OutputWanted::Page(at) => {
            let index = match at {
                LinesAt::Line(_) => Some(indexes.counted(&output, &is_cancelled).map_err(failed)?),
                LinesAt::After(_) | LinesAt::Before(_) | LinesAt::Next(..) | LinesAt::Last(..) => {
                    indexes.known(&output)
                }
            };
            let page = output.page(at, index.as_deref(), &is_cancelled);
            page.map(OutputFound::Page).map_err(failed)
        }
        OutputWanted::Lines(at) => {
            let index = indexes.counted(&output, &is_cancelled).map_err(failed)?;
            Ok(OutputFound::Lines {
                lines: index.lines,
                at: *at,
                number: output.number_of(*at, &index).map_err(failed)?,
            })
        }
        OutputWanted::Text(from, to) => {
            let (text, is_whole) = output.text((*from, *to), LONGEST_COPY).map_err(failed)?;
            Ok(OutputFound::Text { text, is_whole })
        }
        OutputWanted::Save(path) => save(&output, path),
    }
}

fn save(output: &crate::store::KeptOutput, path: &Path) -> Result<OutputFound, Problem> {
    let doing = "saving a call's output";
    let saved = output.save(path);
    let bytes = saved.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => Problem::new(doing, "there is such a file already", "give another name"),
        _ => Problem::fault(doing, error),
    })?;
    let path: PathBuf = path.into();
    Ok(OutputFound::Saved {
        path: path.to_string_lossy().into_owned(),
        bytes,
    })
}
