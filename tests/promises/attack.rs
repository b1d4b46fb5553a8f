//! P18, P19, P21, P22: callers that mean harm, a gate without an engine, agents without end, and what others may see.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use super::{Dice, MEGABYTE, grew_little, in_time, resident, scaled};
use crate::story;
use crate::support::parlour::{PATIENCE, Parlour, git, until};
use crate::support::team::{self, Mate};

fn address(mate: &Mate) -> String {
    let url = mate.server().url;
    url.trim_start_matches("http://").split('/').next().unwrap().to_owned()
}

#[test]
fn p18_hostile_callers_neither_end_the_engine_nor_hold_up_an_agent() {
    let parlour = team::parlour(json!({}));
    let mate = Mate::new(&parlour, "mate", &[]);
    mate.begins();
    let engine = parlour.engine_pid();
    let before = resident(engine);
    let server = mate.server();
    let address = address(&mate);
    let token = server.token.as_deref().unwrap();
    let head = |length: usize| {
        format!(
            "POST /mcp HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nContent-Type: \
             application/json\r\nContent-Length: {length}\r\n\r\n"
        )
    };
    let deep = format!("{}{}", head(200_000), "[".repeat(200_000));
    let said = [
        b"POST /mcp HTTP/1.1\r\nHost: 127".to_vec(),
        b"\0\xff\xfe{{{{".to_vec(),
        head(999_999_999_999).into_bytes(),
        deep.into_bytes(),
        format!("GET / HTTP/1.1\r\n{}", "X: y\r\n".repeat(20_000)).into_bytes(),
        Vec::new(),
    ];
    let mut slowest = Duration::ZERO;
    let mut callers = Vec::new();
    for number in 0..scaled(400, 1000) {
        // The server may refuse one of so many, and close another while it still writes.
        let Ok(mut caller) = TcpStream::connect(&address) else {
            continue;
        };
        let _ = caller.set_write_timeout(Some(Duration::from_secs(1)));
        let _ = caller.write_all(&said[number % said.len()]);
        callers.push(caller);
        if number % 40 == 0 {
            let began = Instant::now();
            let tools = server.ask("tools/list", &json!({})).unwrap();
            assert!(!tools["tools"].as_array().unwrap().is_empty());
            slowest = slowest.max(began.elapsed());
        }
    }
    for caller in callers.iter_mut().skip(2).step_by(said.len()) {
        let _ = caller.write_all(&vec![b'['; MEGABYTE as usize]);
    }
    in_time("an agent beside a crowd is answered", slowest, Duration::from_secs(1));
    parlour.say(&["send", &mate.id, "beside a crowd"]);
    until("the agent has it", PATIENCE, || {
        mate.prompts(&parlour).iter().any(|(_, text)| text == "beside a crowd")
    });
    grew_little("a crowd of callers", engine, before, 64 * MEGABYTE);
    drop(callers);
    assert_eq!(parlour.engine_pid(), engine);
}

/// Requests like those of an agent, with pieces of them changed.
#[test]
fn p18_malformed_requests_are_refused_and_nothing_falls_over() {
    let parlour = team::parlour(json!({}));
    let mate = Mate::new(&parlour, "mate", &[]);
    mate.begins();
    let engine = parlour.engine_pid();
    let (address, server) = (address(&mate), mate.server());
    let token = server.token.as_deref().unwrap();
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "send_message", "arguments": {"to": "mate", "message": "hello"}}})
    .to_string();
    let whole = format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nContent-Type: \
         application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let mut dice = Dice(5);
    let (rounds, mut answered) = (scaled(200, 20_000), 0);
    for _ in 0..rounds {
        let mut bytes = whole.clone().into_bytes();
        for _ in 0..1 + dice.below(6) {
            let at = dice.below(bytes.len() as u64) as usize;
            match dice.below(4) {
                0 => bytes[at] = dice.below(256) as u8,
                1 => drop(bytes.drain(at..(at + 9).min(bytes.len()))),
                2 => bytes.insert(at, b"\0\r\n\xff{}[]\":,\\"[dice.below(12) as usize]),
                _ => {
                    let piece = bytes[at..(at + 40).min(bytes.len())].to_vec();
                    bytes.splice(at..at, piece);
                }
            }
        }
        let mut caller = TcpStream::connect(&address).unwrap();
        let _ = caller.write_all(&bytes);
        // What is not whole is waited for longer than anybody here has time.
        let _ = caller.set_read_timeout(Some(Duration::from_millis(100)));
        let mut answer = Vec::new();
        let _ = caller.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer);
        answered += usize::from(answer.starts_with("HTTP/1.1 "));
        assert!(
            !answer.contains(" 500 "),
            "{answer}\nto {}",
            String::from_utf8_lossy(&bytes)
        );
        assert!(!answer.to_lowercase().contains("access-control-allow"), "{answer}");
    }
    println!("{answered} of {rounds} were answered");
    assert!(answered > rounds / 4, "{answered} of {rounds}");
    assert_eq!(parlour.engine_pid(), engine);
    assert!(server.ask("tools/list", &json!({})).is_some());
    let log = fs::read_to_string(parlour.home().join("run/engine.log")).unwrap();
    assert!(!log.contains("panicked"), "{log}");
}

#[test]
fn p19_nothing_runs_unasked_while_the_engine_is_frozen_or_gone() {
    story::gate::nothing_runs_unasked_while_the_engine_is_frozen_or_gone();
}

#[test]
fn p21_a_dispatch_beyond_a_limit_makes_nothing() {
    story::team::a_dispatch_beyond_a_limit_names_it_and_makes_nothing();
}

#[test]
fn p21_one_action_stops_a_tree() {
    let limits = json!({"liveChildren": 100, "spawnsPerMinute": 100});
    let parlour = team::parlour(limits);
    let boss = Mate::new(&parlour, "Boss", &[]);
    for number in 0..scaled(4, 18) {
        boss.dispatch(&parlour, json!({"prompt": "work", "name": format!("child {number}")}));
    }
    let began = Instant::now();
    parlour.say(&["stop", "boss", "--tree"]);
    assert!(parlour.agents().is_empty());
    in_time("a tree is stopped", began.elapsed(), Duration::from_secs(2));
}

/// Everything that parlour writes is its owner's alone, whatever the umask says.
#[test]
fn p22_with_any_umask_all_is_private() {
    for umask in ["0000", "0777", "0027"] {
        let parlour = Parlour::new();
        let grove = story::reviews::repository(&parlour.scratch().join("grove"));
        let verb = |words: &[&str]| {
            let inner = parlour.command(words);
            let mut shell = Command::new("/bin/sh");
            shell
                .args(["-c", "umask \"$0\"; exec \"$@\"", umask])
                .arg(inner.get_program())
                .args(inner.get_args())
                .env_clear()
                .envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))))
                .env("SHELL", "/bin/bash")
                .current_dir(parlour.scratch())
                .stdin(Stdio::null());
            let output = shell.output().unwrap();
            assert!(output.status.success(), "{words:?}: {output:?}");
        };
        verb(&["new", "Talk", "--llm", "demo", "--dir", &grove, "-p", "noask hello"]);
        verb(&["wait", "talk", "--for", "idle", "--timeout", "60"]);
        verb(&["checkpoint", "talk"]);
        verb(&["new", "Shell", "--llm", "shell"]);
        verb(&["wait", "shell", "--for", "idle", "--timeout", "60"]);
        verb(&["send", "shell", "cd /"]);
        verb(&["wait", "shell", "--for", "idle", "--timeout", "60"]);
        verb(&["config", "set", "limits.liveAgents", "7"]);
        verb(&["schedule", "add", "Look", "-p", "hello", "--cron", "@yearly"]);
        verb(&["export", "talk", "--output", "talk.md"]);
        verb(&["search", "hello"]);
        let mut open = Vec::new();
        // What an agent or git makes in a chat is as they make it; the chat's own directory is shut.
        private(&parlour.home(), &parlour.home(), &mut open);
        private_file(&parlour.scratch().join("talk.md"), &mut open);
        assert!(open.is_empty(), "umask {umask}:\n{}", open.join("\n"));
        parlour.say(&["kill-engine"]);
    }
}

fn private(dir: &Path, home: &Path, open: &mut Vec<String>) {
    private_file(dir, open);
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let kind = fs::symlink_metadata(&path).unwrap().file_type();
        if kind.is_symlink() {
            continue;
        }
        let is_a_chats = dir.parent().is_some_and(|parent| parent == home.join("chats"));
        match kind.is_dir() && !is_a_chats {
            true => private(&path, home, open),
            false => private_file(&path, open),
        }
    }
}

fn private_file(path: &Path, open: &mut Vec<String>) {
    let is = fs::symlink_metadata(path).unwrap();
    if is.mode() & 0o077 != 0 {
        let kind = if is.file_type().is_socket() { " (socket)" } else { "" };
        open.push(format!("{:o} {}{kind}", is.mode() & 0o7777, path.display()));
    }
}

/// Keeps a `.env` for the next clones of a project.
fn save_setup(parlour: &Parlour, text: &str) {
    let grove = parlour.scratch().join("grove");
    git(parlour.scratch(), &["init", "-q", "-b", "main", "grove"]);
    fs::write(grove.join(".env"), text).unwrap();
    let mut add = parlour.command(&["setup", "add", ".env"]);
    let added = add.current_dir(&grove).output().unwrap();
    assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
}

/// Tokens are in no argument list, log or export, and neither is a saved secret.
#[test]
fn p22_tokens_are_in_no_command_line_log_or_export() {
    let parlour = team::parlour(json!({}));
    let mate = Mate::new(&parlour, "mate", &[]);
    mate.begins();
    let token = mate.server().token.unwrap();
    let saved = "supersecretvalue12345";
    save_setup(&parlour, &format!("API_TOKEN={saved}\nNODE_ENV=production\n"));
    parlour.say(&[
        "send",
        "mate",
        &format!("my token is {token}, and in production {saved}"),
    ]);
    until("it has it", PATIENCE, || !mate.prompts(&parlour).is_empty());
    let mut shown = Vec::new();
    for process in fs::read_dir("/proc").unwrap().flatten() {
        let words = fs::read(process.path().join("cmdline")).unwrap_or_default();
        if String::from_utf8_lossy(&words).contains(&token) {
            shown.push(process.path());
        }
    }
    assert!(shown.is_empty(), "{shown:?}");
    for format in ["md", "html", "json"] {
        let said = parlour.say(&["export", "mate", "--format", format]);
        assert!(said.contains("my token is") && !said.contains(&token), "{said}");
        assert!(said.contains("and in production") && !said.contains(saved), "{said}");
    }
    for words in [&["search", saved][..], &["search", saved, "--json"]] {
        let found = parlour.say(words);
        assert!(found.contains("in production •••"), "{found}");
        let shown = found.replace(&format!("\"{saved}\""), "");
        assert!(!shown.contains(saved), "{found}");
    }
    for verb in [
        vec!["status", "--json"],
        vec!["explain", "mate", "--json"],
        vec!["log", "mate"],
        vec!["doctor", "--json"],
        vec!["servers", "mate", "--json"],
    ] {
        assert!(!parlour.say(&verb).contains(&token), "{verb:?}");
    }
    let log = fs::read_to_string(parlour.home().join("run/engine.log")).unwrap();
    assert!(!log.contains(&token), "{log}");
}
