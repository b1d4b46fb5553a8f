//! The demo agent as a program: from its start to its end, one prompt after the other.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use serde_json::json;

use super::actor::{Actor, ActorStop};
use super::adapter::INTERRUPT;
use super::hooks::Hooks;
use super::keys::Input;
use super::page::{Mood, Page, PageStyle};
use super::remarks;
use super::script;
use super::source::DemoWish;
use super::talk::{DemoSaid, Talk};
use super::team::{self, DemoPart};
use super::terminal::{DemoTerminal, inputs};

const PACE_MS: u64 = 150;

/// The arguments of `parlour demo-agent`.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct DemoOptions {
    /// The id of a new session
    #[arg(long, conflicts_with = "resume")]
    pub session_id: Option<String>,
    /// The id of a session to go on with
    #[arg(long)]
    pub resume: Option<String>,
    /// The file that holds the token for hooks
    #[arg(long)]
    pub hook_token_file: Option<PathBuf>,
}

/// Runs until the person quits or the terminal is gone.
pub fn run(options: &DemoOptions) -> ExitCode {
    let (Ok(parlour), Ok(cwd)) = (std::env::current_exe(), std::env::current_dir()) else {
        eprintln!("the demo agent does not know where it is: start it in a directory that exists");
        return ExitCode::FAILURE;
    };
    play(options, parlour, cwd);
    ExitCode::SUCCESS
}

/// `parlour` is the program whose hooks are called.
pub(super) fn play(options: &DemoOptions, parlour: PathBuf, cwd: PathBuf) {
    let terminal = DemoTerminal::enter();
    let mut page = Page::new();
    page.open();
    let talk = Talk::new(std::env::var_os("PARLOUR_DEMO_TRANSCRIPT").map(PathBuf::from));
    let session = options.resume.clone().or_else(|| options.session_id.clone());
    let hooks = Hooks {
        program: parlour,
        token_file: options.hook_token_file.clone(),
        session: session.unwrap_or_else(|| uuid::Uuid::new_v4().to_string()),
        transcript: talk.path().map(PathBuf::from),
        cwd,
    };
    let mut actor = Actor::new(page, inputs(), hooks, talk, pace());
    greet(&mut actor, options);
    converse(&mut actor);
    actor.hooks.call("SessionEnd", json!({"reason": "prompt_input_exit"}));
    actor.page.say(PageStyle::Dim, "Bye.");
    actor.page.close();
    drop(terminal);
}

fn pace() -> Duration {
    let set = std::env::var("PARLOUR_DEMO_PACE_MS")
        .ok()
        .and_then(|ms| ms.parse().ok());
    Duration::from_millis(set.unwrap_or(PACE_MS))
}

fn greet(actor: &mut Actor, options: &DemoOptions) {
    actor.page.show(&[
        (PageStyle::Accent, "╭──────────────────────────────────────────────╮"),
        (PageStyle::Accent, "│ demo agent — scripted, no model behind it    │"),
        (PageStyle::Accent, "╰──────────────────────────────────────────────╯"),
        (
            PageStyle::Dim,
            "It shows what an agent does here, whatever you ask. /exit ends it.",
        ),
        (PageStyle::Plain, ""),
    ]);
    if options.resume.is_some() {
        recall(actor);
    }
    if let Some(Err(why)) = actor.tools.as_ref().map(|tools| tools.connect()) {
        actor
            .page
            .say(PageStyle::Red, &format!("parlour's tools are missing: {why}"));
    }
    let source = match options.resume {
        Some(_) => "resume",
        None => "startup",
    };
    actor
        .hooks
        .call("SessionStart", json!({"source": source, "model": "none (scripted)"}));
}

fn recall(actor: &mut Actor) {
    for said in actor.talk.load() {
        match said {
            DemoSaid::Prompt { text, .. } => actor.page.say(PageStyle::Bold, &format!("> {text}")),
            DemoSaid::Words { text } => actor.page.say(PageStyle::Plain, &format!("● {text}")),
            DemoSaid::Tool { line } => actor.page.say(PageStyle::Dim, &format!("● {line}")),
            DemoSaid::Opened { .. } => {}
        }
    }
    actor.page.say(PageStyle::Dim, "(what was said before)");
}

/// Until the person quits.
fn converse(actor: &mut Actor) {
    loop {
        if let Some(prompt) = actor.queued.pop_front() {
            match prompt.trim() {
                "/exit" | "/quit" => return,
                prompt => match turn(actor, prompt) {
                    NextStep::Listen => continue,
                    NextStep::Quit => return,
                },
            }
        }
        match actor.inputs.recv() {
            Err(_) | Ok(Input::End) => return,
            Ok(Input::Enter) => {
                let prompt = std::mem::take(&mut actor.page.composer);
                if !prompt.trim().is_empty() {
                    actor.queued.push_back(prompt);
                }
            }
            Ok(Input::Escape) => {}
            Ok(Input::Cancel) => actor.page.composer.clear(),
            Ok(input @ (Input::Text(_) | Input::Paste(_) | Input::Backspace | Input::Clear)) => actor.compose(input),
        }
        actor.page.draw();
    }
}

enum NextStep {
    Listen,
    Quit,
}

fn turn(actor: &mut Actor, prompt: &str) -> NextStep {
    let id = uuid::Uuid::new_v4().to_string();
    let answer = actor
        .hooks
        .call("UserPromptSubmit", json!({"prompt_id": id, "prompt": prompt}));
    actor.page.say(PageStyle::Bold, &format!("\n> {prompt}"));
    if answer["decision"] == "block" {
        let why = answer["reason"].as_str().unwrap_or("no reason was given");
        actor
            .page
            .say(PageStyle::Red, &format!("The prompt was refused: {why}"));
        return NextStep::Listen;
    }
    actor.talk.keep(&DemoSaid::Prompt {
        text: prompt.into(),
        id: id.clone(),
    });
    actor.page.title(Mood::Busy);
    let wish = DemoWish::read(prompt, std::env::var("PARLOUR_DEMO_REPO").ok());
    let played = match DemoPart::of(prompt) {
        DemoPart::Lead => team::lead(actor, &wish),
        DemoPart::Member { atom } => team::member(actor, &atom),
        DemoPart::Hear => team::hear(actor),
        DemoPart::Answer(numbers) => remarks::answer(actor, &numbers),
        DemoPart::Alone => script::play(actor, &wish),
    };
    actor.page.notice.clear();
    actor.page.draw();
    actor.close_open_tool();
    actor.page.title(Mood::Idle);
    match played {
        Ok(words) => ended(actor, &id, &words),
        Err(ActorStop::Interrupted) => {
            actor.page.say(PageStyle::Red, "  ⎿ Interrupted. What now?");
            actor.hooks.call(INTERRUPT, json!({}));
            ended(actor, &id, "Interrupted.");
        }
        Err(ActorStop::Failed(why)) => {
            actor.page.say(PageStyle::Red, &format!("  ⎿ Error: {why}"));
            let fields = json!({"error": "unknown", "last_assistant_message": why});
            actor.hooks.call("StopFailure", fields);
        }
        Err(ActorStop::Quit) => return NextStep::Quit,
    }
    NextStep::Listen
}

fn ended(actor: &Actor, prompt: &str, words: &str) {
    let fields = json!({"prompt_id": prompt, "stop_hook_active": false, "last_assistant_message": words, "background_tasks": []});
    actor.hooks.call("Stop", fields);
}
