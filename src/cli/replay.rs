//! `parlour replay`: a recording of an engine, event by event.

use serde_json::json;

use super::args::{ReplayArgs as Wanted, ReplayUntil as Until};
use super::output::{self, OutputForm, print, show};
use crate::engine::replay::{Replay, ToldEvent};
use crate::model::text::visible;

pub fn run(form: OutputForm, wanted: &Wanted) -> anyhow::Result<()> {
    let mut replay = Replay::open(&wanted.file)?;
    let ours = env!("CARGO_PKG_VERSION");
    if replay.parlour != ours {
        let theirs = visible(&replay.parlour);
        output::tell(&format!(
            "parlour {theirs} recorded it, and {ours} may come to another state"
        ));
    }
    let lists = wanted.screen.is_none() && !wanted.state;
    while is_wanted(&replay, wanted.to) {
        let Some(told) = replay.step()? else { break };
        if lists {
            print(&line(form, &told))?;
        }
    }
    if replay.is_cut {
        output::tell("its last line is cut off: the engine was killed, or the disk was full");
    }
    match (wanted.screen, wanted.state) {
        (Some(client), _) => {
            let text = replay.screen(client)?;
            show(form, &json!({ "event": replay.number, "text": text }), |_| text.clone())
        }
        (None, true) => {
            let state = replay.state();
            show(form, &state, |_| format!("{state:#}\n"))
        }
        (None, false) => Ok(()),
    }
}

fn is_wanted(replay: &Replay, to: Option<Until>) -> bool {
    match to {
        Some(Until::Event(last)) => replay.number < last,
        Some(Until::Time(last)) => replay.next_at().is_some_and(|at| at <= last),
        None => true,
    }
}

fn line(form: OutputForm, told: &ToldEvent) -> String {
    match form {
        OutputForm::Json => {
            let value = json!({"event": told.number, "at": told.at, "name": told.name, "words": told.words});
            format!("{value}\n")
        }
        OutputForm::Words => {
            let words: String = visible(&told.words).chars().take(100).collect();
            format!("{:>6}  {}  {:<6}  {words}\n", told.number, told.at, told.name)
        }
    }
}
