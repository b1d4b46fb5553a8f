//! The demo agent's parts, each by itself: what it hears, understands, changes and asks of parlour.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::serve;
use crate::agents::demo::edit::DemoEdit;
use crate::agents::demo::keys::{DemoKeys, Input};

use crate::agents::demo::source::DemoWish;
use crate::agents::demo::talk::{DemoSaid, Talk};
use crate::agents::demo::team::DemoPart;
use crate::agents::demo::tools::DemoTools;
use crate::agents::demo::{git, hooks, sample_repository};

#[test]
fn keys_are_told_from_text_however_the_bytes_are_cut() {
    let bytes = "é修\x1b[200~two\r\nlines \x1b[A\x1b[201~\r\x1b[1;5C\x1bOP\x7f\x03\x15z".as_bytes();
    let whole = [
        Input::Text("é修".into()),
        Input::Paste("two\nlines \x1b[A".into()),
        Input::Enter,
        Input::Backspace,
        Input::Cancel,
        Input::Clear,
        Input::Text("z".into()),
    ];
    assert_eq!(DemoKeys::default().feed(bytes), whole);
    let mut keys = DemoKeys::default();
    let single: Vec<Input> = bytes.iter().flat_map(|byte| keys.feed(&[*byte])).collect();
    let mut joined: Vec<Input> = Vec::new();
    for input in single {
        match (joined.last_mut(), input) {
            (Some(Input::Text(before)), Input::Text(more)) => before.push_str(&more),
            (_, input) => joined.push(input),
        }
    }
    assert_eq!(joined, whole);
}

#[test]
fn escape_alone_is_a_key_once_nothing_follows() {
    let mut keys = DemoKeys::default();
    assert_eq!(keys.feed(b"\x1b"), []);
    assert!(keys.waits_behind_escape());
    assert_eq!(keys.settle(), Some(Input::Escape));
    assert_eq!(keys.feed(b"a"), [Input::Text("a".into())]);
    assert_eq!(keys.feed(b"\x1b[200~half"), []);
    assert_eq!(keys.settle(), None);
    assert_eq!(keys.feed(b" a paste\x1b[201~"), [Input::Paste("half a paste".into())]);
}

#[test]
fn bytes_that_are_no_text_end_nothing() {
    let mut keys = DemoKeys::default();
    let inputs = keys.feed(b"\xff\xfea\xe4\rb\0");
    assert_eq!(inputs, [Input::Text("a".into()), Input::Enter, Input::Text("b".into())]);
    assert_eq!(keys.feed(b"\n"), [Input::Text("\n".into())], "Ctrl+J is a new line");
}

#[test]
fn a_prompt_names_a_repository_and_steers_the_script() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().display().to_string();
    let wish = DemoWish::read(
        &format!("Please fix `{path}`, slow and noask!"),
        Some("/default".into()),
    );
    assert_eq!(
        wish,
        DemoWish {
            source: Some(path),
            slug: "please-fix-and".into(),
            slow: true,
            fail: false,
            ask: false
        }
    );
    let url = DemoWish::read("in (https://example.org/a/grove.git) fail", None);
    assert_eq!(url.source.as_deref(), Some("https://example.org/a/grove.git"));
    assert!(url.fail && url.ask);
    let plain = DemoWish::read("/no/such/place", Some("/default".into()));
    assert_eq!(
        (plain.source.as_deref(), plain.slug.as_str()),
        (Some("/default"), "no-such-place")
    );
    assert_eq!(DemoWish::read("slow", None).slug, "change");
}

#[test]
fn the_sample_is_made_once_and_is_a_small_history() {
    let home = tempfile::tempdir().unwrap();
    let sample = sample_repository(home.path()).unwrap();
    assert_eq!(sample_repository(home.path()).unwrap(), sample);
    let git = |args: &[&str]| git::git(&sample, args).unwrap();
    assert_eq!(git(&["branch", "--format=%(refname:short)"]), "main\nrelease/1.0");
    assert_eq!(
        git(&["log", "--format=%s"]),
        "Say what may come next\nCount lines too, and release\nCount what is said"
    );
    assert_eq!(git(&["rev-parse", "HEAD~1"]), git(&["rev-parse", "release/1.0"]));
    assert_eq!(git(&["status", "--porcelain"]), "");
    let entries = fs::read_dir(home.path()).unwrap().count();
    assert_eq!(entries, 1);
}

#[test]
fn edits_add_up_and_are_committed() {
    let home = tempfile::tempdir().unwrap();
    let clone = sample_repository(home.path()).unwrap();
    let mut names = Vec::new();
    for _ in 0..2 {
        let edit = DemoEdit::plan(&clone, "fix-it").unwrap();
        edit.write(&clone).unwrap();
        git::announce(&clone, &edit.file).unwrap();
        git::commit(&clone, &edit.file, &edit.what).unwrap();
        names.push(edit.what);
    }
    assert_eq!(
        names,
        [
            "a function `count_fix_it` and its test",
            "a function `count_fix_it_2` and its test"
        ]
    );
    assert_eq!(git::git(&clone, &["status", "--porcelain"]).unwrap(), "");
    fs::remove_dir_all(clone.join("src")).unwrap();
    let note = DemoEdit::plan(&clone, "fix-it").unwrap();
    assert_eq!(note.file, Path::new("README.md"));
    assert!(git::git(&clone, &["no-such-verb"]).is_err());
}

#[test]
fn what_was_said_is_read_back_past_a_broken_line() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("demo.jsonl");
    let talk = Talk::new(Some(path.clone()));
    assert_eq!(talk.load(), []);
    let opened = DemoSaid::Opened {
        source: "/a".into(),
        path: PathBuf::from("/b"),
    };
    let hello = DemoSaid::Prompt {
        text: "hello".into(),
        id: "1".into(),
    };
    talk.keep(&hello);
    fs::OpenOptions::new()
        .append(true)
        .open(&path)
        .unwrap()
        .write_all(b"{\"kind\"\n")
        .unwrap();
    talk.keep(&opened);
    assert_eq!(talk.load(), [hello, opened]);
}

#[test]
fn without_a_token_nobody_is_called() {
    let hooks = hooks::Hooks {
        program: "/bin/false".into(),
        token_file: None,
        session: "s".into(),
        transcript: None,
        cwd: "/".into(),
    };
    assert_eq!(hooks.call("Stop", json!({})), json!({}));
}

#[test]
fn tools_are_listed_and_called_over_http() {
    let result = |result: Value| json!({"jsonrpc": "2.0", "id": 1, "result": result}).to_string();
    let (url, served) = serve(vec![
        result(json!({"protocolVersion": "2025-06-18"})),
        String::new(),
        format!(
            "event: message\ndata: {}\n\n",
            result(json!({"tools": [{"name": "open_dir"}]}))
        ),
        result(json!({"structuredContent": {"path": "/p"}, "content": []})),
        result(json!({"isError": true, "content": [{"type": "text", "text": "no such branch"}]})),
    ]);
    let tools = DemoTools::new(url, "s3cret".into());
    assert_eq!(tools.connect(), Ok(1));
    assert_eq!(
        tools.call("open_dir", json!({"path_or_url": "/r"})),
        Ok(json!({"path": "/p"}))
    );
    assert_eq!(tools.call("open_dir", json!({})), Err("no such branch".into()));
    let asked = served.join().unwrap();
    let methods: Vec<&str> = asked
        .iter()
        .map(|request| request["method"].as_str().unwrap())
        .collect();
    let called = "tools/call";
    assert_eq!(
        methods,
        ["initialize", "notifications/initialized", "tools/list", called, called]
    );
    assert_eq!(
        asked[3]["params"],
        json!({"name": "open_dir", "arguments": {"path_or_url": "/r"}})
    );
    assert!(tools.connect().unwrap_err().contains("cannot be reached"));
}

#[test]
fn remarks_are_told_by_their_prompt_and_a_comment_names_no_repository() {
    let prompt = "Remarks on your changes. Answer each one with the tool `answer_remark`.\n\nRemark 1, tally/src/lib.rs \
                  (the whole file):\nWhy?\n\nRemark 12, tally/src/lib.rs:24:\n> /// Counts.\nRemark on it\n";
    assert_eq!(DemoPart::of(prompt), DemoPart::Answer(vec![1, 12]));
    assert_eq!(DemoPart::of("Remarks, please"), DemoPart::Alone);
    assert_eq!(DemoWish::read("see /// Counts", None).source, None);
}
