//! What is told of calls of each CLI, line by line.

use serde_json::{Value, json};

use super::command::{CommandShade, lines};
use super::*;
use crate::model::diff::LineKind;

/// `Name words +added -removed`
fn told(tool: &str, input: Value) -> String {
    let summary = CallSummary::of(tool, &input);
    let words: String = summary
        .words
        .iter()
        .map(|word| match word {
            SummaryWord::Path(text) | SummaryWord::Text(text) => text.as_str(),
        })
        .collect();
    let amount = summary
        .amount
        .map_or(String::new(), |(added, removed)| format!(" +{added} -{removed}"));
    format!("{} {words}{amount}", summary.name)
}

const PATCH: &str = "*** Begin Patch\n*** Update File: src/a.rs\n@@ fn main() {\n let x = 1;\n-let y = 2;\n+let y = 3;\n\
                     *** Add File: b.txt\n+hello\n+you\n*** Delete File: old.txt\n*** Update File: c.rs\n*** Move to: d.rs\n@@\n-x\n+y\n*** End Patch";

#[test]
#[expect(clippy::too_many_lines, reason = "a table of calls and what is told of each")]
fn a_call_of_each_cli_is_told_in_one_line() {
    let cases = [
        ("Read", json!({"file_path": "a.rs"}), "Read a.rs"),
        (
            "Read",
            json!({"file_path": "a.rs", "offset": 10, "limit": 5}),
            "Read a.rs lines 10-14",
        ),
        (
            "read_file",
            json!({"absolute_path": "a.rs", "offset": 9, "limit": 5}),
            "Read a.rs lines 10-14",
        ),
        (
            "read_file",
            json!({"file_path": "a.rs", "start_line": 3, "end_line": 9}),
            "Read a.rs lines 3-9",
        ),
        ("read", json!({"filePath": "a.rs", "limit": 50}), "Read a.rs lines 1-50"),
        (
            "read_many_files",
            json!({"include": ["a.rs", "b.rs", "c.rs"]}),
            "Read a.rs and 2 more",
        ),
        ("view_image", json!({"path": "a.png"}), "Read a.png"),
        (
            "Write",
            json!({"file_path": "a.rs", "content": "a\nb\n"}),
            "Write a.rs +2 -0",
        ),
        (
            "write_file",
            json!({"file_path": "a.rs", "content": "a"}),
            "Write a.rs +1 -0",
        ),
        ("write", json!({"filePath": "a.rs", "content": ""}), "Write a.rs +0 -0"),
        (
            "Edit",
            json!({"file_path": "a.rs", "old_string": "a\nb\nc", "new_string": "a\nB\nc\nd"}),
            "Edit a.rs +2 -1",
        ),
        (
            "edit",
            json!({"filePath": "a.rs", "oldString": "a", "newString": "b"}),
            "Edit a.rs +1 -1",
        ),
        (
            "replace",
            json!({"file_path": "a.rs", "old_string": "a", "new_string": ""}),
            "Edit a.rs +0 -1",
        ),
        (
            "MultiEdit",
            json!({"file_path": "a.rs", "edits": [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}]}),
            "Edit a.rs +2 -2",
        ),
        ("apply_patch", json!({"input": PATCH}), "Edit src/a.rs and 3 more +4 -2"),
        ("apply_patch", json!(PATCH), "Edit src/a.rs and 3 more +4 -2"),
        (
            "shell",
            json!({"command": ["apply_patch", PATCH]}),
            "Edit src/a.rs and 3 more +4 -2",
        ),
        (
            "exec_command",
            json!({"cmd": format!("cd web && apply_patch <<'EOF'\n{PATCH}\nEOF\n")}),
            "Edit web/src/a.rs and 3 more +4 -2",
        ),
        (
            "Bash",
            json!({"command": "cargo test", "description": "Test"}),
            "Bash cargo test",
        ),
        ("exec_command", json!({"cmd": "ls -la"}), "Bash ls -la"),
        ("shell", json!({"command": ["bash", "-lc", "ls | wc"]}), "Bash ls | wc"),
        (
            "shell",
            json!({"command": ["git", "commit", "-m", "a b"]}),
            "Bash git commit -m 'a b'",
        ),
        ("run_shell_command", json!({"command": "ls"}), "Bash ls"),
        ("bash", json!({"command": "ls"}), "Bash ls"),
        (
            "Grep",
            json!({"pattern": "fn main", "path": "src", "glob": "*.rs"}),
            "Search fn main in *.rs below src",
        ),
        ("glob", json!({"pattern": "**/*.rs"}), "Search **/*.rs"),
        (
            "search_file_content",
            json!({"pattern": "x", "dir_path": "src"}),
            "Search x in src",
        ),
        ("list_directory", json!({"dir_path": "src"}), "Search src"),
        ("WebSearch", json!({"query": "rust"}), "Search rust"),
        (
            "WebFetch",
            json!({"url": "https://a.b", "prompt": "Sum up"}),
            "Fetch https://a.b",
        ),
        (
            "web_fetch",
            json!({"prompt": "Read https://a.b"}),
            "Fetch Read https://a.b",
        ),
        (
            "Task",
            json!({"description": "look around", "prompt": "Look"}),
            "Task look around",
        ),
        ("spawn_agent", json!({"message": "Look"}), "Task Look"),
        (
            "mcp__github__create_issue",
            json!({"title": "x", "name": "y"}),
            "github/create_issue y",
        ),
        ("mcp_github_create_issue", json!({"name": "y"}), "github/create_issue y"),
        (
            "mcp__parlour__open_dir",
            json!({"path_or_url": "grove"}),
            "parlour/open_dir grove",
        ),
        ("mcp_parlour_evil_run", json!({}), "mcp_parlour_evil_run "),
        (
            "TodoWrite",
            json!({"todos": [{"content": "a", "status": "completed"}, {"content": "b", "status": "in_progress"}]}),
            "Todos 1 of 2 done · b",
        ),
        (
            "update_plan",
            json!({"plan": [{"step": "a", "status": "pending"}]}),
            "Todos 0 of 1 done",
        ),
        (
            "AskUserQuestion",
            questions(&["Which colour?"]),
            "Question Which colour?",
        ),
        (
            "ask_user",
            questions(&["Which?", "How many?"]),
            "Question Which? and 1 more",
        ),
        ("ExitPlanMode", json!({"plan": "Do it"}), "ExitPlanMode Do it"),
        ("Bash", json!({}), "Bash "),
        ("Edit", json!({"file_path": 3}), "Edit "),
    ];
    for (tool, input, expected) in cases {
        assert_eq!(told(tool, input), expected, "{tool}");
    }
}

fn questions(asked: &[&str]) -> Value {
    let options = json!([{"label": "Red", "description": "warm"}, {"label": "Blue"}, "Green"]);
    let question = |text: &&str| json!({"question": text, "header": "H", "options": options});
    json!({"questions": asked.iter().map(question).collect::<Vec<_>>()})
}

#[test]
fn a_question_to_the_person_is_told_with_what_may_be_chosen() {
    let mut asked = questions(&["Which colour?", "And then?"]);
    let words = |question: &str| CallPart::Prose(format!("{question}\n· Red: warm\n· Blue\n· Green"));
    assert_eq!(
        parts("AskUserQuestion", &asked),
        ["Which colour?", "And then?"].map(words)
    );
    asked["questions"][1]["options"] = json!(null);
    let open = CallPart::Prose("And then?".into());
    assert_eq!(parts("ask_user", &asked), [words("Which colour?"), open]);
}

fn diff(tool: &str, input: Value) -> String {
    let mut text = String::new();
    for part in parts(tool, &input) {
        let CallPart::Edit(edit) = part else {
            text.push_str(&format!("{part:?}\n"));
            continue;
        };
        text.push_str(&format!(
            "{:?} {} {}\n",
            edit.kind,
            edit.path,
            edit.to.as_deref().unwrap_or("")
        ));
        for hunk in edit.hunks {
            text.push_str(&format!("@@ {}\n", hunk.heading));
            for line in hunk.lines {
                let sign = match line.kind {
                    LineKind::Context => ' ',
                    LineKind::Removed => '-',
                    LineKind::Added => '+',
                };
                let number = |number: Option<u32>| number.map_or("".into(), |number| number.to_string());
                text.push_str(&format!(
                    "{}/{} {sign}{}\n",
                    number(line.old),
                    number(line.new),
                    line.text
                ));
            }
        }
    }
    text
}

#[test]
fn an_edit_keeps_its_indentation_and_only_what_differs_is_marked() {
    let old = "fn a() {\n\tone();\n\ttwo();\n}\n";
    let new = "fn a() {\n\tone();\n\tthree();\n}\n";
    insta::assert_snapshot!(diff("Edit", json!({"file_path": "a.rs", "old_string": old, "new_string": new, "replace_all": false})), @r"
    Modified a.rs 
    @@ 
    /  fn a() {
    /  	one();
    / -	two();
    / +	three();
    /  }
    ");
}

#[test]
fn patches_of_both_forms_are_read() {
    insta::assert_snapshot!(diff("apply_patch", json!({"patch": PATCH})), @r"
    Modified src/a.rs 
    @@ fn main() {
    /  let x = 1;
    / -let y = 2;
    / +let y = 3;
    Added b.txt 
    @@ 
    /1 +hello
    /2 +you
    Deleted old.txt 
    Modified c.rs d.rs
    @@ 
    / -x
    / +y
    ");
    let unified = "--- a/x.sql\n+++ b/x.sql\n@@ -7,2 +7,2 @@ select\n one\n--- two\n+-- three\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+new\n";
    insta::assert_snapshot!(diff("mcp__parlour__apply_patch", json!({"patch": unified})), @r"
    Modified x.sql 
    @@ select
    7/7  one
    8/ --- two
    /8 +-- three
    Added y 
    @@ 
    /1 +new
    ");
}

#[test]
fn nothing_of_an_input_is_left_out() {
    let cases = [
        (
            "Bash",
            json!({"command": "ls", "timeout": 5}),
            vec![r#"Command("ls")"#, r#"Input { name: "timeout", value: "5" }"#],
        ),
        (
            "Edit",
            json!({"file_path": "a", "old_string": "", "new_string": "", "content": "other"}),
            vec!["Edit", r#"Input { name: "content", value: "other" }"#],
        ),
        (
            "Read",
            json!({"file_path": "a", "path": "b"}),
            vec![r#"File("a")"#, r#"File("b")"#],
        ),
        // More than a patch: it is a command.
        (
            "exec_command",
            json!({"cmd": "apply_patch <<EOF\n*** Begin Patch\n*** Add File: a\n+$(rm -rf x)\n*** End Patch\nEOF"}),
            vec!["Command"],
        ),
        (
            "exec_command",
            json!({"cmd": "apply_patch <<'EOF'; rm x\n*** Begin Patch\n*** End Patch\nEOF"}),
            vec!["Command"],
        ),
        (
            "exec_command",
            json!({"cmd": "apply_patch <<'EOF'\n*** Begin Patch\nEOF\nrm x\n*** End Patch\nEOF"}),
            vec!["Command"],
        ),
    ];
    for (tool, input, expected) in cases {
        let found: Vec<String> = parts(tool, &input).iter().map(|part| format!("{part:?}")).collect();
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.starts_with(expected), "{found} {expected}");
        }
    }
}

/// Lines as they stand below each other; programs in `[]`, operators in `()`.
fn broken(command: &str) -> Vec<String> {
    let word = |(shade, text): &(CommandShade, String)| match shade {
        CommandShade::Program => format!("[{text}]"),
        CommandShade::Operator => format!("({text})"),
        CommandShade::Quoted => format!("<{text}>"),
        CommandShade::Comment => format!("{{{text}}}"),
        CommandShade::Plain => text.clone(),
    };
    let line =
        |line: &super::command::ReadLine| "  ".repeat(line.indent) + &line.words.iter().map(word).collect::<String>();
    lines(command).iter().map(line).collect()
}

#[test]
fn a_command_is_broken_at_its_operators() {
    let cases: [(&str, &[&str]); 17] = [
        ("ls -la", &["[ls] -la"]),
        (
            "cd a && cargo test || exit 1",
            &["[cd] a", "  (&&) [cargo] test", "  (||) [exit] 1"],
        ),
        ("a; b;", &["[a](;)", "[b](;)"]),
        (
            "cat x | grep -v y 2>&1 | wc",
            &["[cat] x", "  (|) [grep] -v y (2>&)1", "  (|) [wc]"],
        ),
        ("echo 'a && b' \"c; $(d)\"", &["[echo] <'a && b'> <\"c; $(d)\">"]),
        ("echo a\\;b", &["[echo] a\\;b"]),
        ("x=$(a | b) y", &["x=$([a] (|) [b]()) y"]),
        ("(cd a && b); c", &["(()[cd] a (&&) [b]();)", "[c]"]),
        ("FOO=1 make # all\nls", &["FOO=1 [make] {# all}", "[ls]"]),
        (
            "cat <<'EOF' > f\na && b\nEOF\nls",
            &["[cat] (<<)<'EOF'> (>) f", "<a && b>", "<EOF>", "[ls]"],
        ),
        (
            "for i in a b; do echo $i; done",
            &["[for] i in a b(;)", "(do) [echo] $i(;)", "(done)"],
        ),
        (
            "a && for i in b; do c | d; done && e; f",
            &[
                "[a]",
                "  (&&) [for] i in b(;)",
                "    (do) [c]",
                "      (|) [d](;)",
                "    (done)",
                "  (&&) [e](;)",
                "[f]",
            ],
        ),
        ("sleep 1 & echo x", &["[sleep] 1 (&)", "[echo] x"]),
        ("a \\\n  --b", &["[a] \\", "  --b"]),
        ("a &> f", &["[a] (&>) f"]),
        (
            "if [[ a && b ]]; then c; fi",
            &["(if) [[[] a (&&) [b] ]](;)", "(then) [c](;)", "(fi)"],
        ),
        ("", &[]),
    ];
    for (command, expected) in cases {
        assert_eq!(broken(command), expected, "{command}");
    }
}

#[test]
fn an_input_is_summed_up_by_what_tells_most() {
    let cases = [
        (json!({ "description": "Look", "command": "ls\n-l" }), "ls -l"),
        (json!({ "command": ["git", "push", "-f"] }), "git push -f"),
        (json!({ "content": "x", "file_path": "src/a.rs" }), "src/a.rs"),
        (json!({ "limit": 3, "other": "thing" }), "thing"),
        (json!("*** Begin Patch"), "*** Begin Patch"),
        (json!({}), ""),
    ];
    for (input, expected) in cases {
        assert_eq!(telling(&input), expected);
    }
}

proptest::proptest! {
    /// Whatever is typed, all of it but white space and the places of breaks is there.
    #[test]
    fn nothing_of_a_command_is_lost(command in "[a-c ;&|<>()'\"`\\\\\n$#={}-]{0,40}") {
        let plain = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let told: String = lines(&command).iter().flat_map(|line| &line.words).map(|(_, text)| text.as_str()).collect();
        proptest::prop_assert_eq!(plain(&told), plain(&command));
    }
}

#[test]
fn a_detail_names_its_tool_as_a_card_does() {
    assert_eq!(called_in("mcp__a__b: c: d"), "a/b: c: d");
    assert_eq!(called_in("Bash: echo mcp__a__b"), "Bash: echo mcp__a__b");
    assert_eq!(called_in("run_shell_command: npm test"), "Bash: npm test");
    for no_tool in [
        "2 tasks in the background",
        "stopped · interrupted",
        "rate limit · next try at 10:00:00 · attempt 4",
    ] {
        assert_eq!(called_in(no_tool), no_tool);
    }
}

#[test]
fn a_chat_that_is_dispatched_goes_by_the_name_it_was_given() {
    let named = json!({"prompt": "Make it so", "name": "nightly run"});
    assert!(told("mcp__parlour__dispatch", named.clone()).ends_with("nightly run"));
    assert!(told("mcp__other__dispatch", named).ends_with("Make it so"));
    assert!(told("mcp__parlour__dispatch", json!({"prompt": "Make it so"})).ends_with("Make it so"));
}

#[test]
fn what_parlour_refused_is_told_with_the_first_line_of_why() {
    let refused = |tool: &str| {
        let mut summary = CallSummary::of(tool, &json!({"name": "x"}));
        summary.refused("\nno agent is called nope\nthere are claude, codex");
        summary.about(100)
    };
    assert_eq!(refused("mcp__parlour__dispatch"), "x: no agent is called nope");
    assert_eq!(refused("mcp__github__create_issue"), "x");
}

#[test]
fn a_piece_of_a_line_is_shown_in_whole_lines_with_some_around_it() {
    let file = "a\nb\nc\nd\n  e(1);\nf\ng\nh\ni\n";
    let input = |old: &str, new: &str| json!({"path": "x", "oldText": old, "newText": new});
    let whole = |old, new| in_whole_lines(&input(old, new), file).map(|whole| whole.input);
    assert_eq!(
        whole("1", "2"),
        Some(input("b\nc\nd\n  e(1);\nf\ng\nh\n", "b\nc\nd\n  e(2);\nf\ng\nh\n"))
    );
    assert_eq!(whole("a\n", "A\n"), Some(input("a\nb\nc\nd\n", "A\nb\nc\nd\n")));
    assert_eq!(whole("i\n", ""), Some(input("f\ng\nh\ni\n", "f\ng\nh\n")));
    // It is not there, or not in one place alone.
    assert_eq!(whole("x", "y"), None);
    assert_eq!(whole("\n", ""), None);
    assert_eq!(whole("", "new"), None);
}

#[test]
fn whole_lines_have_their_numbers_in_the_file() {
    let file = "a\nb\nc\nd\n  e(1);\nf\ng\nh\ni\n";
    let input = json!({"path": "x", "oldText": "1", "newText": "2"});
    let whole = in_whole_lines(&input, file).unwrap();
    assert_eq!(whole.first, 2);
    let hunks = numbered(&whole.input, whole.first).unwrap();
    let lines = hunks.iter().flat_map(|hunk| &hunk.lines);
    let numbers: Vec<_> = lines.map(|line| (line.old, line.new)).collect();
    let both = |number| (Some(number), Some(number));
    let changed = [(Some(5), None), (None, Some(5))];
    let wanted = [&[both(2), both(3), both(4)][..], &changed, &[both(6), both(7), both(8)]];
    assert_eq!(numbers, wanted.concat());
}

#[test]
fn a_wait_names_the_chats_that_it_is_for() {
    let wait = |input: Value| CallSummary::of("mcp__parlour__wait_for", &input);
    let named = wait(json!({"for": "idle", "chats": ["parser", "risky"]}));
    assert_eq!(named.about(80), "parser, risky · idle");
    let mut all = wait(json!({"for": "idle"}));
    assert_eq!(all.about(80), "all its children · idle");
    all.answered(r#"{"met": true, "chats": [{"handle": "parser"}, {"handle": "risky"}]}"#);
    assert_eq!(all.about(80), "parser, risky · idle");
}
