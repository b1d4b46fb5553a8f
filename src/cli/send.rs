//! `parlour send`: a prompt, once, whatever becomes of the engine meanwhile.
//!
//! The prompt has an id. An engine that ends before it answers may have taken the prompt in: the next engine is asked
//! under the same id where one runs, else the record says what is known.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use uuid::Uuid;

use super::args::{CompactArgs, Send};
use super::environment::environment;
use super::output::{OutputForm, show, text};
use super::piped::{self, PipeWait};
use super::requests::{naming, said, try_ask};
use super::{output, person_only, templates};
use crate::client::{self, StartEngine, is_frozen, is_lost, is_missing};
use crate::model::request::ChatRequest;
use crate::model::text::visible;
use crate::model::{Problem, Request};
use crate::store::{Home, PromptOutcome};

/// How long an engine that has gone is waited for, until its record counts.
const ENDS: Duration = Duration::from_secs(10);

/// Between two looks for what comes after it.
const LOOK: Duration = Duration::from_millis(50);

/// A prompt to be sent.
pub struct Prompt {
    pub chat: String,
    pub text: String,
    pub follow_up: bool,
    /// Answer only once the agent has it.
    pub wait: bool,
    pub id: String,
}

impl Prompt {
    pub fn plain(chat: String, text: String) -> Prompt {
        Prompt {
            chat,
            text,
            follow_up: false,
            wait: false,
            id: new_id(),
        }
    }
}

/// A name for a prompt that no other has.
pub fn new_id() -> String {
    Uuid::new_v4().simple().to_string()
}

pub fn send(home: &Path, form: OutputForm, send: Send) -> anyhow::Result<()> {
    let text = match send.template {
        None => {
            let words: Vec<String> = send.text.into_iter().chain(send.arguments).collect();
            piped::behind(&words.join(" "), PipeWait::ForItsBeginning)?
        }
        // Made once: sent again under its id, it is the same prompt, whatever has changed since.
        Some(name) => {
            let arguments = send.text.into_iter().chain(send.arguments).collect();
            let prompt = templates::fill(home, &send.chat, name, arguments)?;
            templates::tell_notes(&prompt);
            prompt.text
        }
    };
    let plain = Prompt::plain(send.chat, text);
    let prompt = Prompt {
        follow_up: send.follow_up,
        wait: send.wait,
        id: send.id.unwrap_or(plain.id),
        ..plain
    };
    let answer = hand_over(home, prompt)?;
    show(form, &answer, |_| words(&answer))
}

/// Has the agent's CLI sum the conversation up.
pub fn compact(home: &Path, form: OutputForm, of: CompactArgs) -> anyhow::Result<()> {
    let request = Request::Chat(ChatRequest::Compact {
        chat: of.chat,
        words: of.words.join(" "),
        env: environment(),
    });
    let answer = try_ask(home, &request, StartEngine::IfMissing, waits).map_err(said)?;
    show(form, &answer, |_| words(&answer))
}

/// Gives the engine a prompt: whether it is sent, or queued and why.
pub fn hand_over(home: &Path, prompt: Prompt) -> anyhow::Result<Value> {
    let (id, chat) = (prompt.id, prompt.chat.clone());
    let request = Request::Chat(ChatRequest::Send {
        chat: prompt.chat,
        text: prompt.text,
        follow_up: prompt.follow_up,
        env: environment(),
        sender: person_only::chat_above(),
        id: id.clone(),
        wait: prompt.wait,
    });
    let mut answer = match try_ask(home, &request, StartEngine::IfMissing, waits) {
        Err(problem) if is_lost(&problem) => after_the_engine(home, &request, &id),
        Err(problem) if is_frozen(&problem) => Err(unknown(&id).into()),
        answer => answer.map_err(said),
    }?;
    if let Some(Value::String(why)) = answer.get_mut("why") {
        *why = naming(why, &chat);
    }
    Ok(answer)
}

fn words(answer: &Value) -> String {
    let (why, handle) = (visible(text(answer, "why")), visible(text(answer, "handle")));
    // An engine that has ended told nothing of the chat.
    let named = |word: &str| match handle.as_str() {
        "" => String::new(),
        handle => format!(" {word} {handle}"),
    };
    match (answer["sent"] == true, answer["already"] == true) {
        (true, _) => format!("sent{}\n", named("to")),
        (false, true) => format!(
            "already queued{} as {}: {why}\n",
            named("for"),
            visible(text(answer, "id"))
        ),
        (false, false) => format!("queued{}: {why}\n", named("for")),
    }
}

/// What a prompt waits for whose sender waits too.
fn waits(line: Value) {
    output::tell(&format!("waiting: {}", text(&line, "waiting")));
}

/// The next engine answers, or the record does.
fn after_the_engine(home: &Path, request: &Request, id: &str) -> anyhow::Result<Value> {
    output::tell("the engine ended before it answered; looking what became of the prompt");
    let gone = Instant::now();
    while gone.elapsed() < ENDS {
        match try_ask(home, request, StartEngine::Never, waits) {
            Err(problem) if is_lost(&problem) => {}
            Err(problem) if is_missing(&problem) => {
                if client::is_gone(home) {
                    return by_the_record(home, id);
                }
            }
            Err(problem) if is_frozen(&problem) => return Err(unknown(id).into()),
            answer => return answer.map_err(said),
        }
        thread::sleep(LOOK);
    }
    Err(unknown(id).into())
}

fn by_the_record(home: &Path, id: &str) -> anyhow::Result<Value> {
    let answer = |sent: bool, why: Value| Ok(json!({"sent": sent, "queued": !sent, "why": why, "id": id}));
    match Home::open(home)?.prompt_outcome(id)? {
        Some(PromptOutcome::Delivered) => answer(true, Value::Null),
        Some(PromptOutcome::Queued) => answer(
            false,
            "the engine ended; sent when the agent runs again: `parlour resume CHAT`".into(),
        ),
        Some(PromptOutcome::Begun) => answer(
            false,
            "the engine ended while the agent was given it; `parlour resume CHAT` looks whether the agent has it, and \
             sends it if not"
                .into(),
        ),
        None => {
            let cause = "the engine ended before it took the prompt: it was not sent";
            Err(Problem::busy("sending a prompt", cause, "send it again").into())
        }
    }
}

fn unknown(id: &str) -> Problem {
    let cause = "the engine does not answer, so it is not known whether it took the prompt";
    let hint = format!("send it with `--id {id}` when it answers again: then it cannot be sent twice");
    Problem::fault("sending a prompt", cause).hinted(hint)
}
