//! `parlour script` and `parlour run`: what the clones of a chat want to be run.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use serde_json::Value;

use super::args::{ApproveScript, RunScript, ScriptArgs, ScriptVerb};
use super::environment::environment;
use super::output::{OutputForm, OutputLook, OutputTone, show, text};
use super::requests::ask;
use super::table::{cell, table};
use super::{agreement, person_only};
use crate::model::chat_name::pasted;
use crate::model::request::ProjectRequest;
use crate::model::script::{Order, ScriptAsk};
use crate::model::text::visible;
use crate::model::{Problem, Request, ScriptKind};

pub fn script(home: &Path, form: OutputForm, script: ScriptArgs) -> anyhow::Result<()> {
    match script.verb {
        ScriptVerb::List(of) => {
            let listed = put(home, of.chat, ScriptAsk::List)?;
            show(form, &listed, |look| words(&listed, look))
        }
        ScriptVerb::Approve(which) => approve(home, form, which),
    }
}

fn put(home: &Path, chat: String, what: ScriptAsk) -> anyhow::Result<Value> {
    ask(home, Request::Project(ProjectRequest::Script { chat, ask: what }))
}

fn approve(home: &Path, form: OutputForm, which: ApproveScript) -> anyhow::Result<()> {
    let ApproveScript {
        chat,
        kind,
        project,
        yes,
    } = which;
    let doing = format!("approving {} of {chat}", kind.word());
    person_only::under_an_agent(&doing)?;
    let listed = put(home, chat.clone(), ScriptAsk::List)?;
    let (name, script) = find(&listed, kind, project.as_deref()).ok_or_else(|| {
        let cause = format!("its projects have no script `{}`", kind.word());
        Problem::new(&*doing, cause, kind.where_to_write(&pasted(&chat)))
    })?;
    let word = agreement::word(&name, text(&script, "definition"));
    if !agreement::is_given(yes.as_deref(), &word) && !agreed(form, &name, kind, &script)? {
        let cause = format!("nothing was approved: it runs {}", shown(&script).join("; "));
        return Err(Problem::new(doing, cause, agreement::hint(yes.as_deref(), &word)).into());
    }
    let project = Some(name);
    let order = Order { kind, project };
    let definition = text(&script, "definition").to_owned();
    let approval = ScriptAsk::Approve {
        order: order.clone(),
        definition,
    };
    let approved = put(home, chat.clone(), approval)?;
    if kind == ScriptKind::Setup {
        // It has waited for this since its clone was made.
        let env = environment();
        put(home, chat, ScriptAsk::Start { order, env })?;
    }
    show(form, &approved, |_| {
        let then = match kind {
            ScriptKind::Setup => "approved, and it runs now",
            ScriptKind::Run => "approved; `parlour run` starts it",
            ScriptKind::Archive => "approved; it runs before a chat is deleted",
        };
        format!("{then}\n")
    })
}

/// The clone's name with the script that is meant.
fn find(listed: &Value, kind: ScriptKind, project: Option<&str>) -> Option<(String, Value)> {
    let projects = listed["projects"].as_array().into_iter().flatten();
    let mut named = projects.filter(|one| project.is_none_or(|name| text(one, "name") == name));
    named.find_map(|one| {
        let mut scripts = one["scripts"].as_array().into_iter().flatten();
        let script = scripts.find(|script| text(script, "kind") == kind.word())?;
        Some((text(one, "name").to_owned(), script.clone()))
    })
}

fn agreed(form: OutputForm, name: &str, kind: ScriptKind, script: &Value) -> io::Result<bool> {
    if form == OutputForm::Json || !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(false);
    }
    let mut stderr = io::stderr();
    writeln!(stderr, "{} wants this for {}:", visible(name), kind.word())?;
    for line in shown(script) {
        writeln!(stderr, "  {line}")?;
    }
    agreement::is_asked("It could do what you can. Let it?")
}

fn shown(script: &Value) -> Vec<String> {
    let lines = script["shown"].as_array().into_iter().flatten();
    lines.filter_map(Value::as_str).map(visible).collect()
}

fn words(listed: &Value, look: &OutputLook) -> String {
    let mut said = String::new();
    for project in listed["projects"].as_array().into_iter().flatten() {
        said += &look.paint(OutputTone::Heading, &visible(text(project, "name")));
        said += "\n";
        let mut rows = Vec::new();
        for script in project["scripts"].as_array().into_iter().flatten() {
            let (word, tone) = match (script["approved"] == true, text(script, "author")) {
                (true, "person") => ("yours", OutputTone::Good),
                (true, _) => ("approved", OutputTone::Good),
                (false, _) if script["denied"] == true => ("denied", OutputTone::Bad),
                (false, _) => ("waits", OutputTone::Waiting),
            };
            rows.push(vec![
                cell(OutputTone::Plain, text(script, "kind")),
                cell(tone, word),
                cell(OutputTone::Plain, &shown(script).join("; ")),
            ]);
        }
        said += &table(look, &rows);
        let problem = text(project, "problem");
        if rows.is_empty() && problem.is_empty() {
            said += "no scripts\n";
        }
        if !problem.is_empty() {
            said += &format!("{}\n", look.paint(OutputTone::Bad, &visible(problem)));
        }
        said += &format!("yours are written in {}\n", visible(text(project, "own")));
    }
    said
}

pub fn run(home: &Path, form: OutputForm, run: RunScript) -> anyhow::Result<()> {
    let RunScript { chat, project, stop } = run;
    person_only::under_an_agent("running a project")?;
    let kind = ScriptKind::Run;
    let order = Order { kind, project };
    let what = match stop {
        true => ScriptAsk::Stop { order },
        false => ScriptAsk::Start {
            order,
            env: environment(),
        },
    };
    let told = put(home, chat, what)?;
    show(form, &told, |_| match stop {
        true => "it has ended\n".into(),
        false => format!(
            "it runs beside the agent, and writes {}\n",
            visible(text(&told, "output"))
        ),
    })
}
