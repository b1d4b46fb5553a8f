//! What parlour promises under kills, floods and hostile callers, in the engine that a person runs.

use std::io::Write;
use std::net::TcpStream;
use std::process::Stdio;
use std::time::Duration;
use std::{fs, thread};

use rustix::process::{Signal, kill_process};
use serde_json::json;

use crate::support::parlour::{PATIENCE, Parlour, kill, until};
use crate::support::team::{self, Mate};

const MEGABYTE: u64 = 1 << 20;

fn rss(parlour: &Parlour) -> u64 {
    parlour.status()["engine"]["rss_bytes"].as_u64().unwrap()
}

fn prompts(parlour: &Parlour, chat: &str) -> Vec<String> {
    let events = parlour.events(chat);
    let numbers: Vec<u64> = events.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>(), "of {chat}");
    let prompts = events.iter().filter(|event| event["kind"] == "prompt");
    prompts
        .map(|event| event["text"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn p1_an_engine_killed_while_five_agents_work_loses_and_doubles_nothing() {
    let chats = ["ash", "elm", "fir", "oak", "yew"];
    let parlour = Parlour::new();
    for chat in chats {
        parlour.json(&["new", chat, "--llm", "demo"]);
        parlour.wait(chat, "idle");
    }
    for wait in [0, 7, 23, 61, 140] {
        let text = format!("noask after {wait} ms");
        let id = |chat: &str| format!("{chat}-{wait}");
        let begin = |chat: &&str| {
            let mut command = parlour.command(&["send", chat, &text, "--id", &id(chat)]);
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        };
        let engine = parlour.engine_pid();
        let sending: Vec<_> = chats.iter().map(begin).collect();
        thread::sleep(Duration::from_millis(wait));
        kill(engine);
        for mut send in sending {
            send.wait().unwrap();
        }
        for chat in chats {
            parlour.json(&["resume", chat]);
            parlour.say(&["send", chat, &text, "--id", &id(chat)]);
            parlour.wait(chat, "idle");
            let times = prompts(&parlour, chat).iter().filter(|sent| **sent == text).count();
            assert_eq!(times, 1, "{chat}: {text}");
        }
    }
}

#[test]
fn p10_a_flood_to_a_client_that_stands_still_costs_little_memory_and_holds_up_nobody() {
    let parlour = Parlour::new();
    parlour.configure(r#"{"limits": {"historyBytes": 1048576}}"#);
    parlour.json(&["new", "Flood", "--llm", "shell"]);
    parlour.json(&["new", "Calm", "--llm", "demo"]);
    parlour.wait("calm", "idle");
    let mut client = parlour.attach(&["flood"]);
    client.wait_for_text("Flood");
    let before = rss(&parlour);

    let end = parlour.scratch().join("end");
    let flood = format!("seq 1 2000000; touch {}\r", end.display());
    client.press(&flood);
    client.wait_for_text("100");
    kill_process(client.pid(), Signal::STOP).unwrap();
    parlour.say(&["send", "calm", "noask beside a flood"]);
    parlour.wait("calm", "idle");
    until("the flood is over", PATIENCE, || end.exists());
    let grown = rss(&parlour).saturating_sub(before);
    assert!(grown < 32 * MEGABYTE, "the engine grew by {} MB", grown / MEGABYTE);

    kill_process(client.pid(), Signal::CONT).unwrap();
    client.wait_for_text("2000000");
}

#[test]
fn p18_hostile_callers_neither_end_the_engine_nor_hold_up_an_agent() {
    let parlour = team::parlour(json!({}));
    let mate = Mate::new(&parlour, "mate", &[]);
    mate.begins();
    let (engine, before) = (parlour.engine_pid(), rss(&parlour));
    let server = mate.server();
    let address = server.url.trim_start_matches("http://").split('/').next().unwrap();
    let tokens = server.token.as_deref().unwrap();
    let greedy = format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {tokens}\r\nContent-Length: 999999999999\r\n\r\n"
    );
    let said: [&[u8]; 4] = [
        b"POST /mcp HTTP/1.1\r\nHost: 127",
        b"\0\xff\xfe{{{{",
        greedy.as_bytes(),
        b"",
    ];
    let mut callers = Vec::new();
    for number in 0..400 {
        // The server may refuse one of so many, and close another while it still writes.
        let Ok(mut caller) = TcpStream::connect(address) else {
            continue;
        };
        let _ = caller.write_all(said[number % said.len()]);
        callers.push(caller);
    }
    for caller in callers.iter_mut().skip(2).step_by(said.len()) {
        let _ = caller.write_all(&vec![b'['; MEGABYTE as usize]);
    }
    let tools = server.ask("tools/list", &json!({})).unwrap();
    assert!(!tools["tools"].as_array().unwrap().is_empty());
    parlour.say(&["send", &mate.id, "beside a crowd"]);
    until("the agent has it", PATIENCE, || {
        prompts(&parlour, &mate.id).contains(&"beside a crowd".to_owned())
    });
    let grown = rss(&parlour).saturating_sub(before);
    assert!(grown < 64 * MEGABYTE, "the engine grew by {} MB", grown / MEGABYTE);
    drop(callers);
    assert_eq!(parlour.engine_pid(), engine);
    assert!(fs::exists(parlour.home().join("run/engine.sock")).unwrap());
}
