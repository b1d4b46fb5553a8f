//! Remarks on what agents changed: made, listed, sent and resolved.

use std::fmt::Write;
use std::path::Path;

use serde_json::Value;

use super::args::{OpinionOf, RemarkOn, RemarkVerb, RemarksOf};
use super::environment::environment;
use super::output::{OutputForm, OutputLook, OutputTone, show};
use super::person_only;
use super::requests::ask;
use crate::model::Request;
use crate::model::chat_name::pasted;
use crate::model::remark::{
    NewRemark, PlacedRemark, Remark, RemarkAsk, RemarkAuthor, RemarkChange, RemarkSide, RemarkState,
};
use crate::model::review::ReviewAsk;
use crate::model::text::visible;

pub fn run(home: &Path, form: OutputForm, verb: RemarkVerb) -> anyhow::Result<()> {
    match verb {
        RemarkVerb::Remark(of) => remark(home, form, of),
        RemarkVerb::Remarks(of) => remarks(home, form, of),
        RemarkVerb::Review(of) => review(home, form, of),
    }
}

fn review(home: &Path, form: OutputForm, of: OpinionOf) -> anyhow::Result<()> {
    person_only::under_an_agent(&format!("asking for a review of {}", of.chat))?;
    let ask_for = ReviewAsk::Opinion {
        set: of.set.set(),
        by: of.by,
        env: environment(),
    };
    let chat = of.chat.clone();
    let answer = ask(home, Request::Review { chat, ask: ask_for })?;
    show(form, &answer, |_| {
        let reviewer = visible(answer["handle"].as_str().unwrap_or_default());
        let chat = pasted(&of.chat);
        format!("{reviewer} reviews it; `parlour remarks {chat}` lists what it finds\n")
    })
}

fn asked(home: &Path, chat: &str, wanted: RemarkAsk) -> anyhow::Result<Value> {
    let chat = chat.to_owned();
    let ask_for = ReviewAsk::Remark(wanted);
    ask(home, Request::Review { chat, ask: ask_for })
}

fn remark(home: &Path, form: OutputForm, of: RemarkOn) -> anyhow::Result<()> {
    person_only::under_an_agent(&format!("remarking on the changes of {}", of.chat))?;
    let new = NewRemark {
        project: of.project.unwrap_or_default(),
        path: of.place.path,
        lines: of.place.lines,
        side: RemarkSide::After,
        tree: None,
        text: of.text,
        author: RemarkAuthor::Person,
    };
    let answer = asked(home, &of.chat, RemarkAsk::Add(new))?;
    let made: Remark = serde_json::from_value(answer.clone())?;
    show(form, &answer, |_| format!("remark {}\n", made.id))
}

fn remarks(home: &Path, form: OutputForm, of: RemarksOf) -> anyhow::Result<()> {
    let change = |id, state| RemarkAsk::Change {
        id,
        change: RemarkChange::State(state),
    };
    let wanted = match (of.resolve, of.reopen) {
        (Some(id), _) => change(id, RemarkState::Resolved),
        (None, Some(id)) => change(id, RemarkState::Open),
        (None, None) if of.send => RemarkAsk::Send {
            ids: Vec::new(),
            env: environment(),
        },
        (None, None) => RemarkAsk::List,
    };
    if wanted.changes() {
        person_only::under_an_agent(&format!("changing the remarks of {}", of.chat))?;
    }
    let is_list = wanted == RemarkAsk::List;
    let answer = asked(home, &of.chat, wanted)?;
    if !is_list {
        return show(form, &answer, |_| match of.send {
            true => "sent\n".into(),
            false => "done\n".into(),
        });
    }
    let known: Vec<PlacedRemark> = serde_json::from_value(answer["remarks"].clone())?;
    show(form, &answer, |look| match known.is_empty() {
        true => "no remarks\n".into(),
        false => known.iter().map(|placed| told(look, placed)).collect(),
    })
}

fn told(look: &OutputLook, placed: &PlacedRemark) -> String {
    let remark = &placed.remark;
    let state = placed.standing();
    let place = visible(&placed.place());
    let mut text = String::new();
    let _ = writeln!(text, "{} {place} {}", remark.id, look.paint(OutputTone::Quiet, state));
    for line in placed.quoted() {
        let quoted = format!("  > {}", visible(line));
        let _ = writeln!(text, "{}", look.paint(OutputTone::Quiet, &quoted));
    }
    for line in remark.text.lines() {
        let _ = writeln!(text, "  {}", visible(line));
    }
    for answer in &remark.answers {
        let who = match answer.author {
            RemarkAuthor::Person => "you",
            RemarkAuthor::Agent => "agent",
            RemarkAuthor::Reviewer => "reviewer",
        };
        for (at, line) in answer.text.lines().enumerate() {
            let begin = if at == 0 { format!("{who}: ") } else { String::new() };
            let _ = writeln!(text, "  {begin}{}", visible(line));
        }
    }
    text
}
