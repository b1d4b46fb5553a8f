//! As one HTML file that needs nothing beside it: no scripts, nothing is loaded. Whatever an agent, a tool or a person wrote
//! stands there as text, never as HTML.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

use crate::model::Zone;
use crate::model::entry::{From, SubagentSaid};

use super::markdown::{call_words, heading, who};
use super::talk::{AskedPart, ExportCall, ExportPart, ExportTurn, ExportedTalk, sub_agent_words};

const STYLE: &str = include_str!("style.css");

/// A diff of so many lines is read without a click.
const SHORT: usize = 40;

/// Nothing is run or loaded, whatever is in it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

pub fn write(talk: &ExportedTalk, zone: Zone) -> String {
    let record = &talk.chat.record;
    let name = escaped(&record.name);
    let begun = zone.wall(record.created).format("%Y-%m-%d %H:%M");
    let projects: String = talk
        .chat
        .projects
        .iter()
        .map(|project| {
            let branch = project
                .branch
                .as_deref()
                .map(|branch| format!(" ({})", escaped(branch)))
                .unwrap_or_default();
            format!(" · {}{branch}", escaped(&project.name))
        })
        .collect();
    let spent = talk.spent().map_or(String::new(), |spent| format!(" · {spent}"));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{name}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>{name}</h1>\n<p>{} · {} · {begun}{projects}{}</p>\n</header>\n",
        escaped(&talk.handle),
        escaped(&record.llm),
        escaped(&spent),
    );
    page += &contents(&talk.turns);
    page += "<main>\n";
    talk.turns.iter().for_each(|turn| page += &section(talk, turn, zone));
    page += "</main>\n</body>\n</html>\n";
    page
}

fn contents(turns: &[ExportTurn]) -> String {
    const WORDS: usize = 80;
    if turns.len() < 3 {
        return String::new();
    }
    let mut list = String::from("<nav>\n<details>\n<summary>Contents</summary>\n<ol>\n");
    for turn in turns {
        if let Some((prompt, _)) = &turn.prompt {
            let words = crate::model::text::one_line(prompt, WORDS);
            list += &format!(
                "<li value=\"{}\"><a href=\"#turn-{0}\">{}</a></li>\n",
                turn.number,
                escaped(&words)
            );
        }
    }
    list + "</ol>\n</details>\n</nav>\n"
}

fn section(talk: &ExportedTalk, turn: &ExportTurn, zone: Zone) -> String {
    let mut text = format!(
        "<section id=\"turn-{}\">\n<h2>{}</h2>\n",
        turn.number,
        escaped(&heading(talk, turn, zone))
    );
    if let Some((prompt, from)) = &turn.prompt {
        let from = match from {
            From::Person => String::new(),
            other => format!("<p class=\"from\">From {}</p>\n", who(*other)),
        };
        text += &format!("{from}<div class=\"prompt\">{}</div>\n", escaped(prompt.trim_end()));
    }
    turn.parts.iter().for_each(|part| text += &written(part));
    text + "</section>\n"
}

fn written(part: &ExportPart) -> String {
    match part {
        ExportPart::Said(text) => format!("<div class=\"said\">\n{}</div>\n", rendered(text)),
        ExportPart::Steered(text) => format!("<div class=\"prompt\">↪ {}</div>\n", escaped(text.trim_end())),
        ExportPart::Thought(text) => {
            let text = escaped(text.trim_end());
            format!("<details class=\"thought\">\n<summary>Thinking</summary>\n<div>{text}</div>\n</details>\n")
        }
        ExportPart::Summary(title, text) => {
            let (title, text) = (escaped(title), rendered(text));
            format!(
                "<details class=\"thought\">\n<summary>{title}</summary>\n<div class=\"said\">{text}</div>\n</details>\n"
            )
        }
        ExportPart::OfSubAgent(said, text) => {
            let (head, text) = (sub_agent_words(*said), rendered(text));
            let open = if *said == SubagentSaid::Answered { " open" } else { "" };
            format!(
                "<details class=\"sub-agent\"{open}>\n<summary>{head}</summary>\n<div class=\"said\">{text}</div>\n</details>\n"
            )
        }
        ExportPart::Told { text, failed } => {
            let class = if *failed { "told failed" } else { "told" };
            format!("<p class=\"{class}\">{}</p>\n", escaped(text))
        }
        ExportPart::Call(call) => call_details(call),
    }
}

fn call_details(call: &ExportCall) -> String {
    let class = match call.trouble() {
        Some(_) => "call failed",
        None => "call",
    };
    let words = escaped(&call_words(call));
    let summary = crate::model::text::one_line(&call.summary, 160);
    let is_short = |part: &AskedPart| matches!(part, AskedPart::Diff(diff) if diff.lines().count() <= SHORT);
    let open = if call.asked.iter().any(is_short) { " open" } else { "" };
    let mut text = format!(
        "<details class=\"{class}\"{open}>\n<summary><b>{words}</b> <code>{}</code></summary>\n",
        escaped(&summary)
    );
    call.asked.iter().for_each(|part| text += &asked(part));
    if !call.output.is_empty() && !call.is_told_by_its_diff() {
        text += &format!("<pre>{}</pre>\n", escaped(&call.output));
    }
    if let Some(rest) = &call.rest {
        text += &format!("<p class=\"rest\">{}</p>\n", escaped(rest));
    }
    text + "</details>\n"
}

fn asked(part: &AskedPart) -> String {
    match part {
        AskedPart::Why(words) => format!("<p class=\"why\">{}</p>\n", escaped(words)),
        AskedPart::Code(code) => format!("<pre class=\"input\">{}</pre>\n", escaped(code)),
        AskedPart::Diff(diff) => format!("<pre class=\"diff\">{}</pre>\n", coloured(diff)),
        AskedPart::Prose(words) => format!("<div class=\"prompt\">{}</div>\n", escaped(words.trim_end())),
        AskedPart::Todo(words, done) => {
            let sign = if *done { "✓" } else { "□" };
            format!("<p class=\"todo\">{sign} {}</p>\n", escaped(words))
        }
        AskedPart::Field(name, value) => {
            format!(
                "<p class=\"field\"><b>{}</b> <code>{}</code></p>\n",
                escaped(name),
                escaped(value)
            )
        }
    }
}

/// Lines of a diff, each as what it is.
fn coloured(diff: &str) -> String {
    let mut is_begun = false;
    let line = |line: &str| {
        // Where the lines stand is not known: only that there is something between.
        if line == "@@" {
            let between = if is_begun {
                "<span class=\"hunk\">⋯</span>\n"
            } else {
                ""
            };
            return between.to_string();
        }
        is_begun = !line.starts_with("--- ") && !line.starts_with("+++ ");
        let class = match line.as_bytes() {
            [b'-', b'-', b'-', b' ', ..] | [b'+', b'+', b'+', b' ', ..] => "file",
            [b'+', ..] => "added",
            [b'-', ..] => "removed",
            [b'@', ..] => "hunk",
            _ => return format!("{}\n", escaped(line)),
        };
        format!("<span class=\"{class}\">{}</span>\n", escaped(line))
    };
    diff.lines().map(line).collect()
}

/// Markdown as HTML. HTML in it is text, images are links, and a link leads to the web or nowhere.
fn rendered(text: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let events = Parser::new_ext(text, options).map(|event| match event {
        Event::Html(html) | Event::InlineHtml(html) => Event::Text(html),
        Event::Start(
            Tag::Image {
                dest_url, title, id, ..
            }
            | Tag::Link {
                dest_url, title, id, ..
            },
        ) => Event::Start(Tag::Link {
            link_type: pulldown_cmark::LinkType::Inline,
            dest_url: leads_to(dest_url),
            title,
            id,
        }),
        Event::End(TagEnd::Image) => Event::End(TagEnd::Link),
        // A paragraph, where it would begin a block of HTML.
        Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
        Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
        other => other,
    });
    let mut page = String::new();
    html::push_html(&mut page, events);
    page
}

fn leads_to(url: CowStr) -> CowStr {
    let is_web = ["https://", "http://", "mailto:"].iter().any(|scheme| {
        let begin = url.get(..scheme.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(scheme))
    });
    match is_web {
        true => url,
        false => CowStr::Borrowed("#"),
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}
