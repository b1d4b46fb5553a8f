//! A chat with all that could go wrong in it, as each format.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::safe::Secrets;
use super::talk::ExportedTalk;
use super::{html, markdown};
use crate::model::entry::{From, ToolStatus};
use crate::model::price::Prices;
use crate::model::talk::HiddenEntries;
use crate::model::{ChatId, Happened, Settings, Timestamp, Zone};
use crate::store::{ChatCreation, Home, Journal};

fn talk(name: &str, what: Vec<Happened>) -> ExportedTalk {
    talk_without(name, what, Vec::new())
}

/// What somebody went back before is hidden.
fn talk_without(name: &str, what: Vec<Happened>, hidden: Vec<HiddenEntries>) -> ExportedTalk {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::open(&folder.path().join("home")).unwrap();
    let creation = ChatCreation::bare(ChatId::from_bits(1), name, "claude", Timestamp(1_771_146_000_000));
    let chat = home.create(creation).unwrap().id().clone();
    let mut journal = Journal::open(&home, &chat).unwrap();
    journal.append(Timestamp(1_771_146_060_000), what).unwrap();
    home.change(&chat, |record| record.origin.went_back.hidden = hidden)
        .unwrap();
    let environment = [("MY_TOKEN".to_string(), "known-secret-value".to_string())];
    let secrets = Secrets::known(&Settings::default(), environment.into_iter(), BTreeSet::new());
    ExportedTalk::read(&home, &chat, &secrets, Prices::default()).unwrap()
}

fn prompt(text: &str) -> Happened {
    Happened::Prompt {
        id: text.into(),
        text: text.into(),
        from: From::Person,
        sender: None,
        checkpoint: None,
        key: String::new(),
        steer: false,
    }
}

fn said(text: &str) -> Happened {
    Happened::Text {
        id: text.into(),
        text: text.into(),
    }
}

/// A hook tells of the call at once, and the words before it come when a person has answered.
#[test]
fn what_was_said_before_a_call_stands_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::open(&folder.path().join("home")).unwrap();
    let began = Timestamp(1_771_146_060_000);
    let chat = home
        .create(ChatCreation::bare(ChatId::from_bits(1), "late", "claude", began))
        .unwrap();
    let chat = chat.id().clone();
    let start = |id: &str| Happened::ToolStart {
        id: id.into(),
        name: "Write".into(),
        input: json!({"file_path": format!("{id}.js")}),
        dir: None,
        parent: None,
    };
    let mut journal = Journal::open(&home, &chat).unwrap();
    journal.append(began, vec![prompt("add it")]).unwrap();
    journal.append(began.plus_ms(300), vec![start("one")]).unwrap();
    journal
        .append(began.plus_ms(200), vec![said("First the module.")])
        .unwrap();
    journal.append(began.plus_ms(400), vec![start("two")]).unwrap();
    let ended = |id: &str| Happened::tool_ended(id, ToolStatus::Ok, format!("wrote {id}"), Some(9));
    journal
        .append(began.plus_ms(500), vec![ended("one"), ended("two")])
        .unwrap();
    let secrets = Secrets::known(&Settings::default(), std::iter::empty(), BTreeSet::new());
    let told = markdown::write(
        &ExportedTalk::read(&home, &chat, &secrets, Prices::default()).unwrap(),
        Zone::default(),
    );
    let places = [
        "add it",
        "First the module",
        "one.js",
        "wrote one",
        "two.js",
        "wrote two",
    ];
    let places = places.map(|words| told.find(words).unwrap_or_else(|| panic!("no {words} in {told}")));
    assert!(places.is_sorted(), "{told}");
}

const EVIL: &str = "<script>alert(1)</script><img src=x onerror=alert(2)> \" ' & </pre></details>";

fn hostile() -> ExportedTalk {
    let start = Happened::ToolStart {
        id: "t".into(),
        name: format!("Bash{EVIL}"),
        input: json!({"command": EVIL, "description": EVIL}),
        dir: None,
        parent: None,
    };
    let other = Happened::ToolStart {
        id: "u".into(),
        name: "Read".into(),
        input: json!({EVIL: EVIL}),
        dir: None,
        parent: None,
    };
    let markdown = format!(
        "{EVIL}\n\n<div onclick=\"alert(3)\">\n\n[a](javascript:alert(4)) ![b](https://spy.example/x.png) \
         [c](JaVaScRiPt:alert(5)) <https://ok.example>\n\n```html\n{EVIL}\n```\n\n| {EVIL} |\n|---|\n| x |\n"
    );
    let error = Happened::Error {
        place: EVIL.into(),
        message: EVIL.into(),
        hint: EVIL.into(),
        trouble: None,
    };
    talk(
        EVIL,
        vec![
            prompt(EVIL),
            said(&markdown),
            Happened::Thinking {
                id: "k".into(),
                text: EVIL.into(),
            },
            start,
            Happened::tool_ended("t", ToolStatus::Error, EVIL.into(), Some(1_200)),
            other,
            error,
            prompt("second"),
            prompt("third"),
        ],
    )
}

#[test]
fn nothing_that_was_written_becomes_html() {
    let page = html::write(&hostile(), Zone::default());
    let body = page.split_once("</style>").unwrap().1;
    for tag in [
        "<script",
        "<img",
        "<div onclick",
        "javascript:",
        "JaVaScRiPt:",
        "spy.example/x.png\" alt",
    ] {
        assert!(!body.contains(tag), "{tag} in {body}");
    }
    // Each tag is one of ours or of Markdown's.
    let known = [
        "head", "body", "html", "header", "h1", "h2", "p", "nav", "details", "summary", "ol", "li", "a", "main",
        "section", "div", "pre", "span", "code", "table", "thead", "tbody", "tr", "th", "td", "b", "br", "em",
        "strong",
    ];
    for tag in body.split('<').skip(1) {
        let name: String = tag
            .trim_start_matches('/')
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        assert!(known.contains(&name.as_str()), "<{name}");
        let inside = tag.split('>').next().unwrap();
        assert!(!inside.contains("onerror") && !inside.contains("onclick"), "{inside}");
    }
    assert!(body.contains("href=\"https://ok.example\""));
    assert!(page.contains("prefers-color-scheme: dark") && page.contains("default-src 'none'"));
}

#[test]
fn a_page_has_a_heading_a_turn_and_folds_its_calls() {
    let page = html::write(&hostile(), Zone::default());
    assert!(page.contains("<h2>Turn 1 · 2026-02-15 09:01</h2>"), "{page}");
    assert!(page.contains("<section id=\"turn-3\">") && page.contains("<a href=\"#turn-2\">second</a>"));
    assert!(
        page.contains("<details class=\"call failed\">") && page.contains(", failed, 1s</b>"),
        "{page}"
    );
    assert!(page.contains("Read, has not ended"));
}

#[test]
fn secrets_and_what_deceives_are_in_no_format() {
    let key = ["sk-", "ant-api03-0123456789abcdef"].concat();
    let evil = format!("{key} known-secret-value \u{202e}flip\u{1b}[31mred\u{0}");
    let start = Happened::ToolStart {
        id: "t".into(),
        name: "Bash".into(),
        input: json!({"command": evil}),
        dir: None,
        parent: None,
    };
    let talk = talk(
        &evil,
        vec![
            prompt(&evil),
            said(&evil),
            start,
            Happened::tool_ended("t", ToolStatus::Ok, format!("{evil}\n").repeat(400), None),
        ],
    );
    let written = [
        html::write(&talk, Zone::default()),
        markdown::write(&talk, Zone::default()),
        super::json::write(&talk),
    ];
    for text in written {
        assert!(!text.contains(&key) && !text.contains("known-secret-value"), "{text}");
        assert!(
            !text.contains('\u{202e}') && !text.contains('\u{1b}') && !text.contains('\u{0}'),
            "{text}"
        );
        assert!(text.contains("•••"));
        // The whole output is there, not only its beginning.
        assert!(text.matches("red").count() > 400, "{}", text.matches("red").count());
    }
}

#[test]
fn markdown_is_as_it_was_said_and_fences_hold() {
    let start = Happened::ToolStart {
        id: "t".into(),
        name: "Bash".into(),
        input: json!({"command": "cat notes.md", "description": "Read it"}),
        dir: None,
        parent: None,
    };
    let output = "```\ncode\n````\nmore".to_string();
    let talk = talk(
        "Fix *it*",
        vec![
            prompt("Do it.\n# not a heading"),
            said("## Done\n\n- one\n"),
            start,
            Happened::tool_ended("t", ToolStatus::Ok, output, Some(40)),
        ],
    );
    let text = markdown::write(&talk, Zone::default());
    let turns = text.split_once("## Turn").unwrap().1;
    let expected = " 1 · 2026-02-15 09:01\n\n> Do it.\n> # not a heading\n\n#### Done\n\n- one\n\n**Bash**: `cat notes.md`\n\n*Read it*\n\n\
                    `````\n```\ncode\n````\nmore\n`````\n";
    assert_eq!(turns, expected);
}

#[test]
fn a_turn_says_what_it_cost_and_the_head_what_all_did() {
    let used = |model: &str, cost| Happened::Usage {
        model: model.into(),
        input: 1_000_000,
        output: 0,
        cache_read: 0,
        cache_write: 0,
        cost,
        parent: None,
        window: None,
    };
    let talk = talk(
        "Fix",
        vec![
            prompt("a"),
            used("gpt-5", None),
            prompt("b"),
            used("nobody-knows", None),
        ],
    );
    let text = markdown::write(&talk, Zone::default());
    assert!(text.contains("- used 2M tokens, $1.25+\n"), "{text}");
    assert!(
        text.contains("## Turn 1 · 2026-02-15 09:01 · 1M tokens · $1.25\n"),
        "{text}"
    );
    assert!(text.contains("1M tokens · price unknown\n"), "{text}");
    let page = html::write(&talk, Zone::default());
    assert!(page.contains(" · 2M tokens, $1.25+</p>"), "{page}");
    assert!(page.contains("1M tokens · $1.25</h2>"), "{page}");
}

#[test]
fn json_holds_the_entries() {
    let value: Value = serde_json::from_str(&super::json::write(&talk("Fix", vec![prompt("a"), said("b")]))).unwrap();
    assert_eq!(value["chat"]["name"], "Fix");
    assert_eq!(value["entries"][1]["kind"], "text");
    assert_eq!(value["entries"][1]["text"], "b");
}

fn call(id: &str, name: &str, input: Value) -> Happened {
    Happened::ToolStart {
        id: id.into(),
        name: name.into(),
        input,
        dir: None,
        parent: None,
    }
}

#[test]
fn an_edit_is_a_diff_and_other_inputs_are_read_by_name() {
    let edit = json!({"file_path": "src/a.rs", "old_string": "let a = 1;\nb();", "new_string": "let a = 2;\nb();"});
    let todos =
        json!({"todos": [{"content": "Look", "status": "completed"}, {"content": "Mend", "status": "pending"}]});
    let talk = talk(
        "Fix",
        vec![
            prompt("Do it."),
            call("e", "Edit", edit),
            call("t", "TodoWrite", todos),
            call("q", "mcp__db__query", json!({"sql": "select 1", "limit": 5})),
        ],
    );
    let text = markdown::write(&talk, Zone::default());
    let diff = "```diff\n--- src/a.rs\n+++ src/a.rs\n@@\n-let a = 1;\n+let a = 2;\n b();\n```";
    assert!(text.contains(diff), "{text}");
    assert!(text.contains("- [x] Look\n- [ ] Mend"), "{text}");
    assert!(
        text.contains("**db/query, has not ended**") && text.contains("- sql: `select 1`"),
        "{text}"
    );
    let page = html::write(&talk, Zone::default());
    assert!(page.contains("<span class=\"removed\">-let a = 1;</span>"), "{page}");
    assert!(page.contains("<details class=\"call failed\" open>"), "{page}");
    assert!(
        page.contains("<p class=\"field\"><b>sql</b> <code>select 1</code></p>"),
        "{page}"
    );
    assert!(!page.contains("old_string") && !text.contains("old_string"));
}

#[test]
fn a_turn_keeps_its_number_where_those_before_it_were_taken_back() {
    let what = vec![
        said("Ready."),
        prompt("one"),
        prompt("two"),
        said("Two."),
        prompt("three"),
        prompt("four"),
    ];
    let hidden = vec![HiddenEntries { from: 3, to: 5 }];
    let talk = talk_without("Back", what, hidden);
    let written = markdown::write(&talk, Zone::default());
    let headings: Vec<&str> = written.lines().filter(|line| line.starts_with("## ")).collect();
    let numbers: Vec<&str> = headings.iter().map(|line| line.split(" · ").next().unwrap()).collect();
    assert_eq!(numbers, ["## Before the first prompt", "## Turn 1", "## Turn 4"]);
    assert!(!written.contains("Two."), "{written}");
    assert_eq!(talk.turn_count(), 2);
}
