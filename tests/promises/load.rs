//! P10, P11: much output, clients that stand still, and many agents at rest.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Signal, kill_process};

use super::{MEGABYTE, grew_little, in_time, resident, scaled};
use crate::support::parlour::{Parlour, until};
use crate::support::terminal::Terminal;

/// How long a flood of a gigabyte may take.
const FLOOD: Duration = Duration::from_secs(600);

#[test]
fn p10_a_flood_to_a_client_that_stands_still_costs_little_memory_and_holds_up_nobody() {
    let parlour = Parlour::new();
    parlour.configure(r#"{"limits": {"historyBytes": 1048576}}"#);
    parlour.json(&["new", "Flood", "--llm", "shell"]);
    parlour.json(&["new", "Calm", "--llm", "shell"]);
    parlour.json(&["new", "Demo", "--llm", "demo"]);
    parlour.wait("demo", "idle");
    let mut client = parlour.attach(&["flood"]);
    client.wait_for_text("Flood");
    let mut typist = parlour.attach(&["calm"]);
    typist.wait_for_text("Calm");
    let engine = parlour.engine_pid();
    let before = resident(engine);

    let end = parlour.scratch().join("end");
    let bytes = scaled(24 << 20, 1_u64 << 30);
    let flood = format!(
        "yes 'all work and no play' | head -c {bytes}; touch {}; echo o''ver\r",
        end.display()
    );
    client.press(&flood);
    client.wait_for_text("all work and no play");
    kill_process(client.pid(), Signal::STOP).unwrap();
    let slowest = slow_echo(&mut typist);
    parlour.say(&["send", "demo", "noask beside a flood"]);
    parlour.wait("demo", "idle");
    until("the flood is over", FLOOD, || end.exists());
    grew_little("a flood", engine, before, 32 * MEGABYTE);
    in_time("a key beside a flood is seen", slowest, Duration::from_millis(50));

    // It stands still for as long as a person is away.
    thread::sleep(Duration::from_secs(scaled(0, 600)));
    grew_little("a client that stands still", engine, before, 32 * MEGABYTE);
    kill_process(client.pid(), Signal::CONT).unwrap();
    client.wait_for_text("over");
}

/// The slowest but one of a hundred keys.
fn slow_echo(typist: &mut Terminal) -> Duration {
    let mut times = Vec::new();
    let mut typed = String::from(": ");
    typist.press(&typed);
    for number in 0..100_u8 {
        let key = char::from(b'a' + number % 26);
        typed.push(key);
        let began = Instant::now();
        typist.press(&key.to_string());
        // What does not fit into a row goes on in the next.
        let last = &typed[typed.len().saturating_sub(20)..];
        typist.wait_for(last, |screen| {
            screen
                .contents()
                .replace(['\n', ' '], "")
                .contains(last.trim_start_matches([':', ' ']))
        });
        times.push(began.elapsed());
    }
    times.sort();
    times[98]
}

#[test]
#[cfg(target_os = "linux")]
fn p11_agents_at_rest_cost_next_to_nothing() {
    let (live, records) = scaled((5, 10), (20, 80));
    let parlour = Parlour::new();
    parlour.configure(r#"{"customLlms": {"falls": {"command": "/bin/false"}}}"#);
    parlour.json(&["new", "Seed", "--llm", "falls"]);
    let seed = parlour.wait("seed", "exited")["id"].as_str().unwrap().to_owned();
    parlour.say(&["kill-engine"]);
    for number in 0..records {
        crate::story::homes::copy(&parlour.home(), &seed, number);
    }
    for number in 0..live {
        let name = format!("live {number}");
        parlour.json(&["new", &name, "--llm", "demo", "-p", "noask hello"]);
    }
    for number in 0..live {
        parlour.wait(&format!("live-{number}"), "idle");
    }
    let engine = parlour.engine_pid();
    let stat = Path::new("/proc").join(engine.to_string()).join("stat");
    let ticks = |places: [usize; 2]| -> u64 {
        let text = fs::read_to_string(&stat).unwrap();
        let (_, fields) = text.rsplit_once(") ").unwrap();
        let fields: Vec<&str> = fields.split(' ').collect();
        places
            .iter()
            .map(|place| fields[place - 3].parse::<u64>().unwrap())
            .sum()
    };
    // What follows the last turn is written and indexed.
    thread::sleep(Duration::from_secs(5));
    let (own, of_children) = (ticks([14, 15]), ticks([16, 17]));
    let watched = Duration::from_secs(scaled(10, 300));
    thread::sleep(watched);
    // A tick is 10 ms.
    let spent = Duration::from_millis(10 * (ticks([14, 15]) - own));
    in_time("an engine at rest spends", spent, watched / 1000);
    assert_eq!(ticks([16, 17]), of_children, "it started something");
    let holds = resident(engine);
    println!("it holds {} MB", holds / MEGABYTE);
    assert!(holds < (150 + 64) * MEGABYTE, "it holds {} MB", holds / MEGABYTE);
}
