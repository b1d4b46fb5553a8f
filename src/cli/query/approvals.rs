//! What an agent asks while a query waits for it: answered by the rules of `--yes-to`, else by somebody elsewhere.

use std::env;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::super::output::text;
use super::super::requests::ask;
use super::super::single_word;
use super::asked::{AskedChat, TurnStage};
use crate::domain::call::{CallSummary, called_in};
use crate::model::agent::{ASKS_FOR_TRUST, TRUSTING};
use crate::model::request::ApprovalRequest;
use crate::model::settings::PermissionSettings;
use crate::model::text::visible;
use crate::model::{Problem, Request};
use crate::permission::{Call, RuleName, Rules, Ruling, Sort, sort_of};

/// Of what a call is about.
const LONGEST: usize = 120;

/// The rules of `--yes-to`.
#[derive(Default)]
pub struct Yes {
    rules: Option<Rules>,
}

/// What is done about questions.
pub struct Patience {
    pub yes: Yes,
    /// Whoever asks waits for an answer that is given elsewhere.
    pub waits: bool,
}

/// What became of the questions that are open.
#[derive(Debug, PartialEq, Eq)]
pub enum Questions {
    /// None is, as far as is known.
    None,
    /// All were answered.
    Answered,
    /// This one needs a person. The second one is what to do about it.
    Open { id: String, asks: String, hint: String },
}

impl Yes {
    pub fn parse(rules: &[String]) -> Result<Yes, Problem> {
        if rules.is_empty() {
            return Ok(Yes::default());
        }
        let settings = PermissionSettings {
            allow: rules.to_vec(),
            ..PermissionSettings::default()
        };
        let person = env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
        let (rules, misfits) = Rules::parse(&settings, &person);
        match misfits.first() {
            Some(misfit) => {
                let hint = "a rule is written as in config.json, like 'Bash(cargo test:*)' or 'WebFetch'";
                Err(Problem::new("reading --yes-to", misfit.to_string(), hint))
            }
            None => Ok(Yes { rules: Some(rules) }),
        }
    }

    /// A person has said yes to it beforehand, by a rule of their own.
    fn is_said_to(&self, tool: &str, input: &Value, dir: &Path) -> bool {
        let Some(rules) = &self.rules else {
            return false;
        };
        let call = Call {
            tool,
            input,
            cwd: dir,
            at: None,
            dirs: &[],
        };
        matches!(
            rules.judge(&call),
            Ruling::Allow {
                rule: RuleName::Persons(_)
            }
        )
    }
}

/// Looks at what a chat asks, and answers what may be.
pub fn settle(home: &Path, asked: &AskedChat, yes: &Yes) -> anyhow::Result<Questions> {
    let open = ask(home, Request::Approval(ApprovalRequest::List))?;
    let open = open["approvals"].as_array().map_or(&[][..], Vec::as_slice);
    let dir = home.join("chats").join(&asked.id);
    let mut ended = Questions::None;
    for question in open.iter().filter(|one| text(one, "chat") == asked.handle) {
        let (id, tool, input) = (text(question, "id"), text(question, "tool"), &question["input"]);
        if id.is_empty() {
            continue;
        }
        if !yes.is_said_to(tool, input, &dir) {
            return Ok(open_question(id, tool, input));
        }
        let request = ApprovalRequest::Approve { request: id.into() };
        ask(home, Request::Approval(request))?;
        ended = Questions::Answered;
    }
    Ok(ended)
}

fn open_question(id: &str, tool: &str, input: &Value) -> Questions {
    let told = CallSummary::of(tool, input);
    let name = visible(&told.name);
    let asks = match told.about(LONGEST) {
        about if about.is_empty() => name,
        about => format!("{name}: {about}"),
    };
    let word = shell_words::quote(id).into_owned();
    let rule = rule_for(tool, input);
    let hint = format!(
        "`parlour approve {}` allows it once, and `--yes-to {}` beforehand",
        visible(&word),
        visible(&shell_words::quote(&rule))
    );
    Questions::Open {
        id: id.into(),
        asks,
        hint,
    }
}

/// A rule that allows just this call, or its tool.
fn rule_for(tool: &str, input: &Value) -> String {
    let command = ["command", "cmd"].iter().find_map(|name| input[name].as_str());
    match (sort_of(tool), command) {
        (Sort::Bash, Some(command)) if !command.contains(['\n', '(', ')', '*']) => format!("Bash({command})"),
        (Sort::Bash, _) => "Bash".into(),
        (Sort::Write | Sort::Edit, _) => "Edit".into(),
        (Sort::Read | Sort::Search | Sort::Fetch | Sort::Task | Sort::Mcp | Sort::Other, _) => tool.into(),
    }
}

/// It asks in its own dialog alone.
pub fn in_its_own_dialog(asked: &AskedChat, what: &str, stage: TurnStage) -> Problem {
    let open = single_word::opening(&asked.handle);
    let mut hint = match stage {
        TurnStage::Before => {
            format!("your question is kept, and asked as soon as that is answered: `{open}` opens the chat")
        }
        TurnStage::Within | TurnStage::Behind => format!("`{open}` opens the chat, where it can be answered"),
    };
    if asked.llm == TRUSTING && what == ASKS_FOR_TRUST {
        hint.push_str("; `parlour config set trust.claude true` answers it here and in every other chat");
    }
    Problem::new(
        format!("asking {}", visible(&asked.llm)),
        format!("it waits for you: {}", visible(&called_in(what))),
        hint,
    )
}

pub fn needs_approval(asked: &AskedChat, asks: &str, hint: &str, stage: TurnStage) -> Problem {
    let doing = format!("asking {}", visible(&asked.llm));
    let (handle, open) = (visible(&asked.handle), single_word::opening(&asked.handle));
    let kept = match stage {
        TurnStage::Before => "; your question is kept, and asked when that is settled",
        TurnStage::Within | TurnStage::Behind => "",
    };
    let hint = format!("{hint}; the chat is {handle}, and `{open}` opens it{kept}");
    Problem::new(doing, format!("it needs an approval: {asks}"), hint)
}
