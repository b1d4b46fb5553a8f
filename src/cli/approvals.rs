//! What agents ask, listed and answered from the shell.

use std::io::{self, IsTerminal};
use std::path::Path;

use serde_json::{Value, json};

use super::args::{ApproveArgs, DenyArgs};
use super::output::{OutputForm, show, text};
use super::requests::ask;
use super::single_word::opening;
use super::{agreement, person_only};
use crate::domain::call::called_in;
use crate::model::request::ApprovalRequest;
use crate::model::text::visible;
use crate::model::{Problem, Request};

/// For how long an answer about the clipboard holds.
const COPIES: &str = "for all that is copied in this chat, until parlour's engine ends";

pub fn list(home: &Path, form: OutputForm) -> anyhow::Result<()> {
    let answer = ask(home, Request::Approval(ApprovalRequest::List))?;
    show(form, &answer, |_| {
        let open = answer["approvals"].as_array().map_or(&[][..], Vec::as_slice);
        match open.is_empty() {
            true => "Nothing to approve\n".into(),
            false => open.iter().map(in_words).collect(),
        }
    })
}

/// The whole of what is asked, and how to answer it.
fn in_words(one: &Value) -> String {
    // An id is an agent CLI's own, and may hold blanks.
    let id = visible(text(one, "id"));
    let id = shell_words::quote(&id);
    let way = match (one["id"].is_null(), one["only_there"] == true) {
        (true, _) => String::new(),
        (false, true) => format!(
            "  only its own dialog takes the answer: `{}`\n\n",
            opening(text(one, "chat"))
        ),
        (false, false) => format!("  `parlour approve {id}` or `parlour deny {id}`\n\n"),
    };
    question(one) + &way
}

/// The whole of what is asked.
fn question(one: &Value) -> String {
    let (chat, tool) = (text(one, "chat"), text(one, "tool"));
    if one["id"].is_null() {
        let asks = visible(&called_in(text(one, "asks")));
        let (chat, open) = (visible(chat), opening(chat));
        let call = match tool {
            "" => String::new(),
            _ => format!("  it {}\n{}", visible(text(one, "wants")), shown(one)),
        };
        return format!("{chat} asks in its own dialog: {asks}\n{call}  `{open}` shows it\n\n");
    }
    let mut words = format!("{} {}\n", visible(chat), visible(text(one, "wants")));
    let rule = text(one, "rule");
    if !rule.is_empty() {
        words += &format!("  asked by the rule {}\n", visible(rule));
    }
    words += &shown(one);
    let also = handles(&one["also"]);
    if !also.is_empty() {
        words += &format!("  your answer is also for {}\n", visible(&also.join(", ")));
    }
    words
}

/// What a call does, as the dialog of all approvals shows it.
fn shown(one: &Value) -> String {
    let lines = one["shown"].as_array().map_or(&[][..], Vec::as_slice);
    let lines = lines.iter().filter_map(Value::as_str);
    lines.map(|line| format!("  {}\n", visible(line))).collect()
}

/// The id of the question that is meant. Where none was given, the question is shown, and allowed only by whoever has seen
/// it: it may be another one than the one that they have read. `None` where they do not allow it.
fn meant(home: &Path, form: OutputForm, named: Option<String>, wants: Option<&str>) -> anyhow::Result<Option<String>> {
    let meant = ask(
        home,
        Request::Approval(ApprovalRequest::Meant { request: named.clone() }),
    )?;
    let asks = &meant["question"];
    let id = text(asks, "id").to_owned();
    let Some(wants) = wants.filter(|_| meant["by"] != "id") else {
        return Ok(Some(id));
    };
    let can_ask = form == OutputForm::Words && io::stdin().is_terminal() && io::stderr().is_terminal();
    if !can_ask {
        let cause = match named {
            Some(name) => format!("{} is a chat; name its question: {}", visible(&name), visible(&id)),
            None => format!("name the question: {}", visible(&id)),
        };
        let hint = "without a terminal nobody sees what would be allowed; `parlour approvals` shows it";
        return Err(Problem::new("answering an agent", cause, hint).into());
    }
    Ok(agreement::is_asked_afresh(&question(asks), wants)?.then_some(id))
}

pub fn approve(home: &Path, form: OutputForm, asked: ApproveArgs) -> anyhow::Result<()> {
    person_only::under_an_agent("answering an agent")?;
    let wants = match (asked.rules, &asked.always) {
        (true, _) => None,
        (false, None) => Some("Allow it?"),
        (false, Some(_)) => Some("Allow it from now on?"),
    };
    let Some(request) = meant(home, form, asked.request, wants)? else {
        return show(form, &json!({"given": null}), |_| "nothing was allowed\n".into());
    };
    if asked.rules {
        let answer = ask(home, Request::Approval(ApprovalRequest::Rules { request }))?;
        return show(form, &answer, |_| proposed(&answer));
    }
    let verb = match asked.always {
        None => ApprovalRequest::Approve { request },
        Some(rule) => ApprovalRequest::Always { request, rule },
    };
    let answer = ask(home, Request::Approval(verb))?;
    show(form, &answer, |_| {
        let rule = text(&answer, "rule");
        if !rule.is_empty() {
            return always(&answer, rule);
        }
        let what = match (answer["setup"] == true, answer["clipboard"] == true) {
            (true, _) => format!(
                "approved{}, until the setup of this repository changes",
                settled(&answer)
            ),
            (false, true) => format!("allowed, {COPIES}"),
            (false, false) => "allowed, this once".into(),
        };
        given(&answer, &what)
    })
}

/// The rules that would allow what is asked, the one that is written first.
fn proposed(answer: &Value) -> String {
    let rules = answer["rules"].as_array().map_or(&[][..], Vec::as_slice);
    match rules.is_empty() {
        true => "no rule would allow it: it can be allowed once\n".into(),
        false => rules
            .iter()
            .filter_map(Value::as_str)
            .map(|rule| visible(rule) + "\n")
            .collect(),
    }
}

/// Which rule stands in `config.json` now, and from when on it holds.
fn always(answer: &Value, rule: &str) -> String {
    let mut words = format!("config.json allows {} from now on\n", visible(rule));
    if answer["given"] == false {
        words += "this question was answered meanwhile\n";
    }
    words
}

pub fn deny(home: &Path, form: OutputForm, asked: DenyArgs) -> anyhow::Result<()> {
    person_only::under_an_agent("answering an agent")?;
    let meant = ApprovalRequest::Meant {
        request: Some(asked.request),
    };
    let meant = ask(home, Request::Approval(meant))?;
    let question = &meant["question"];
    let request = Request::Approval(ApprovalRequest::Deny {
        request: text(question, "id").into(),
        reason: asked.reason,
    });
    let answer = ask(home, request)?;
    let of = match meant["by"] == "chat" {
        true => format!(" {}", about(question)),
        false => String::new(),
    };
    let holds = match answer["clipboard"] == true {
        true => format!(", {COPIES}"),
        false => String::new(),
    };
    let what = format!("refused{}{of}{holds}", settled(&answer));
    show(form, &answer, |_| given(&answer, &what))
}

/// Which question it was, in a line.
fn about(question: &Value) -> String {
    visible(&format!("{} {}", text(question, "chat"), text(question, "about")))
}

/// The chats that one answer was for, where they are several.
fn settled(answer: &Value) -> String {
    let chats = handles(&answer["chats"]);
    match chats.len() {
        0 | 1 => String::new(),
        _ => format!(" for {}", visible(&chats.join(", "))),
    }
}

fn handles(chats: &Value) -> Vec<&str> {
    chats
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// Where an answer is a key, it goes to its dialog and to no other.
fn given(answer: &Value, what: &str) -> String {
    match answer["given"] == false {
        true => format!("{what}, as soon as its dialog shows in the agent's terminal\n"),
        false => format!("{what}\n"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_printed_to_answer_with_is_one_word_for_a_shell() {
        let last = |id: &str| {
            let words = in_words(&json!({"id": id, "chat": "auth", "tool": "Bash"}));
            words.trim_end().lines().last().map(str::to_owned)
        };
        assert_eq!(
            last("own 321").as_deref(),
            Some("  `parlour approve 'own 321'` or `parlour deny 'own 321'`")
        );
        assert_eq!(
            last("toolu_01").as_deref(),
            Some("  `parlour approve toolu_01` or `parlour deny toolu_01`")
        );
    }
}
