//! What is piped into a verb.

use std::io::{Seek, SeekFrom, Write};
use std::process::Stdio;

use serde_json::json;

use super::engine::{Engine, parlour, stderr, stdout};

#[test]
fn a_long_prompt_comes_whole_from_standard_input() {
    let engine =
        Engine::answering(json!({"sent": true, "handle": "fix-auth", "queued": false, "why": null, "id": "k1"}));
    let prompt = "– größe 修 –\n".repeat(20_000);
    let mut sending = parlour(&engine.home(), &["send", "fix-auth", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = sending.stdin.take().unwrap();
    stdin.write_all(prompt.as_bytes()).unwrap();
    drop(stdin);
    assert_eq!(stdout(&sending.wait_with_output().unwrap()), "sent to fix-auth\n");
    assert_eq!(engine.asked()["text"], prompt.trim_end());
}

#[test]
fn what_is_piped_in_follows_the_words_of_a_prompt() {
    let answer = json!({"sent": true, "handle": "fix-auth", "queued": false, "why": null, "id": "k1"});
    for (words, field) in [
        (&["send", "fix-auth", "what", "is this"][..], "text"),
        (&["new", "--alone", "--no-project", "-p", "what is this"], "prompt"),
    ] {
        let engine = Engine::answering(answer.clone());
        let begin = |stdin: Stdio| {
            parlour(&engine.home(), words)
                .stdin(stdin)
                .stderr(Stdio::piped())
                .spawn()
        };
        let mut sending = begin(Stdio::piped()).unwrap();
        sending.stdin.take().unwrap().write_all(b"+ a\n").unwrap();
        assert!(sending.wait_with_output().unwrap().status.success());
        let said = if field == "text" {
            "what is this"
        } else {
            words.last().unwrap()
        };
        assert_eq!(engine.asked()[field], format!("{said}\n\n+ a"));

        // A file that a loop reads line by line is not this verb's.
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"one\ntwo\n").unwrap();
        file.seek(SeekFrom::Start(4)).unwrap();
        let sending = begin(file.into()).unwrap();
        assert!(sending.wait_with_output().unwrap().status.success());
        assert_eq!(engine.asked()[field], said);
    }
}

/// Such as that of a hook or a CI job.
#[test]
fn a_pipe_that_stays_open_and_says_nothing_keeps_no_prompt_back() {
    let answer = json!({"sent": true, "handle": "fix-auth", "queued": false, "why": null, "id": "k1"});
    let engine = Engine::answering(answer);
    let mut sending = parlour(&engine.home(), &["send", "fix-auth", "go on"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let open = sending.stdin.take();
    let output = sending.wait_with_output().unwrap();
    assert!(
        stderr(&output).contains("nothing was piped in within 5 s"),
        "{output:?}"
    );
    assert_eq!(engine.asked()["text"], "go on");
    drop(open);
}
