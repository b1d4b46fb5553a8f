//! As Markdown: a heading a turn, what was asked as a quotation, what was said as it is, calls with their output as code.

use crate::model::Zone;
use crate::model::entry::From;
use crate::model::price::Cost;
use crate::model::usage::short;

use super::talk::{AskedPart, ExportCall, ExportPart, ExportTurn, ExportedTalk, sub_agent_words};

pub fn write(talk: &ExportedTalk, zone: Zone) -> String {
    let record = &talk.chat.record;
    let mut text = format!("# {}\n\n", one(&record.name));
    text += &format!(
        "Chat `{}` of {}, begun {}.\n",
        talk.handle,
        record.llm,
        zone.wall(record.created).format("%Y-%m-%d %H:%M")
    );
    for project in &talk.chat.projects {
        let branch = project
            .branch
            .as_deref()
            .map(|branch| format!(", branch `{branch}`"))
            .unwrap_or_default();
        text += &format!("- project `{}`{branch}\n", project.name);
    }
    if let Some(spent) = talk.spent() {
        text += &format!("- used {spent}\n");
    }
    for turn in &talk.turns {
        text += &format!("\n## {}\n", heading(talk, turn, zone));
        if let Some((prompt, from)) = &turn.prompt {
            if *from != From::Person {
                text += &format!("\nFrom {}:\n", who(*from));
            }
            text += &format!("\n{}\n", quoted(prompt));
        }
        for part in &turn.parts {
            text += &format!("\n{}\n", written(part));
        }
    }
    text
}

/// `Turn 3 · 2026-02-15 10:04 · 2m 10s · 18k tokens · $0.03`.
pub fn heading(talk: &ExportedTalk, turn: &ExportTurn, zone: Zone) -> String {
    if turn.number == 0 {
        return "Before the first prompt".into();
    }
    let mut words = vec![
        format!("Turn {}", turn.number),
        zone.wall(turn.began).format("%Y-%m-%d %H:%M").to_string(),
    ];
    let waited = turn.clock.waited();
    let whole = turn.clock.ms() + waited;
    match (whole, waited) {
        (..1_000, _) => {}
        (_, ..1_000) => words.push(lasted(whole)),
        (_, _) => words.push(format!(
            "{}, {} of it waiting for an answer",
            lasted(whole),
            lasted(waited)
        )),
    }
    let tokens = turn.used.tokens().total();
    if tokens > 0 {
        words.push(format!("{} tokens", short(tokens)));
        words.push(Cost::of(&turn.used, &talk.prices).words());
    }
    words.join(" · ")
}

pub fn lasted(ms: u64) -> String {
    match ms / 1_000 {
        0 => format!("{ms} ms"),
        seconds @ 1..60 => format!("{seconds}s"),
        seconds @ 60..3_600 => format!("{}m {}s", seconds / 60, seconds % 60),
        seconds => format!("{}h {}m", seconds / 3_600, seconds / 60 % 60),
    }
}

pub fn who(from: From) -> &'static str {
    match from {
        From::Person => "a person",
        From::Parent => "the chat above",
        From::Schedule => "a schedule",
        From::Inbox => "another chat",
    }
}

/// `Bash: cargo test, failed, 1.2 s`.
pub fn call_words(call: &ExportCall) -> String {
    let mut words = call.name.clone();
    if call.parent {
        words.push_str(" (sub-agent)");
    }
    // Who refused it says that it was.
    let is_told = |word: &str| call.ruling.as_ref().is_some_and(|ruling| ruling.starts_with(word));
    if let Some(ruling) = &call.ruling {
        words.push_str(&format!(", {ruling}"));
    }
    if let Some(trouble) = call.trouble().filter(|trouble| !is_told(trouble)) {
        words.push_str(&format!(", {trouble}"));
    }
    if let Some(ms) = call.ms.filter(|ms| *ms >= 100) {
        words.push_str(&format!(", {}", lasted(ms)));
    }
    words
}

fn written(part: &ExportPart) -> String {
    match part {
        ExportPart::Said(text) => below_its_turn(text.trim_end()),
        ExportPart::Steered(text) => quoted(&format!("↪ {}", text.trim_end())),
        ExportPart::Thought(text) => format!("<details><summary>Thinking</summary>\n\n{}\n\n</details>", quoted(text)),
        ExportPart::Summary(title, text) => format!(
            "<details><summary>{}</summary>\n\n{}\n\n</details>",
            escaped(title),
            quoted(text)
        ),
        ExportPart::OfSubAgent(said, text) => format!(
            "<details><summary>{}</summary>\n\n{}\n\n</details>",
            sub_agent_words(*said),
            quoted(text)
        ),
        ExportPart::Told { text, failed } => {
            let sign = if *failed { "**Error**: " } else { "" };
            let lines: Vec<String> = text.lines().map(one).filter(|line| !line.is_empty()).collect();
            format!("*{sign}{}*", escaped(&lines.join(" · ")))
        }
        ExportPart::Call(call) => {
            let mut text = format!("**{}**: {}", escaped(&call_words(call)), code(&one(&call.summary)));
            for part in &call.asked {
                text += &asked(part, &call.summary);
            }
            if !call.output.trim().is_empty() && !call.is_told_by_its_diff() {
                text += &format!("\n\n{}", fenced("", &call.output));
            }
            if let Some(rest) = &call.rest {
                text += &format!("\n\n*{rest}*");
            }
            text
        }
    }
}

/// What an agent says has headings of its own, which stand below that of its turn.
fn below_its_turn(text: &str) -> String {
    let mut is_code = false;
    let line = |line: &str| {
        let starts = line.trim_start();
        is_code ^= starts.starts_with("```") || starts.starts_with("~~~");
        let level = line.len() - line.trim_start_matches('#').len();
        let is_heading = !is_code && (1..=6).contains(&level) && line[level..].starts_with(' ');
        match is_heading {
            true => format!("{}{}", "#".repeat((level + 2).min(6)), &line[level..]),
            false => line.to_string(),
        }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// What stands in the line of the call is not said twice.
fn asked(part: &AskedPart, summary: &str) -> String {
    match part {
        AskedPart::Why(words) => format!("\n\n*{}*", escaped(&one(words))),
        AskedPart::Code(code) if code.trim() == summary => String::new(),
        AskedPart::Code(code) => format!("\n\n{}", fenced("sh", code)),
        AskedPart::Diff(diff) => format!("\n\n{}", fenced("diff", diff)),
        AskedPart::Prose(words) => format!("\n\n{}", quoted(words)),
        AskedPart::Todo(words, done) => format!("\n- [{}] {}", if *done { "x" } else { " " }, escaped(&one(words))),
        AskedPart::Field(name, value) if value.contains('\n') => {
            format!("\n\n{}:\n\n{}", escaped(name), fenced("", value))
        }
        AskedPart::Field(name, value) => format!("\n- {}: {}", escaped(name), code(value)),
    }
}

fn one(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn quoted(text: &str) -> String {
    text.trim_end()
        .lines()
        .map(|line| format!("> {line}\n"))
        .collect::<String>()
        .trim_end()
        .to_string()
}

/// The fence is longer than any in it.
fn fenced(language: &str, text: &str) -> String {
    let fence = "`".repeat(ticks(text).max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}", text.trim_end_matches('\n'))
}

fn code(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let fence = "`".repeat(ticks(text) + 1);
    let gap = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{gap}{text}{gap}{fence}")
}

/// The longest row of backticks.
fn ticks(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or(0)
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if matches!(c, '*' | '_' | '`' | '<' | '>' | '[' | ']' | '\\') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::below_its_turn;

    #[test]
    fn an_agents_headings_stand_below_that_of_its_turn() {
        let said = "# The design\n\ntext\n\n```sh\n# no heading\n```\n## Parts\n#tag\n###### Six";
        let told = "### The design\n\ntext\n\n```sh\n# no heading\n```\n#### Parts\n#tag\n###### Six";
        assert_eq!(below_its_turn(said), told);
    }
}
