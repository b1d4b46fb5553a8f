//! Supervisors are forked from a template: they share its memory, and nothing else depends on it.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::support::parlour::{PATIENCE, Parlour, kill, until};

/// A stopped template is waited for two seconds; the rest is for a loaded machine.
const SOON: Duration = Duration::from_secs(10);

/// What a supervisor may keep for itself, in kB. It is two thousand where each is loaded anew.
const OWN: u64 = 500;

/// A parlour with agents that rest.
fn parlour() -> Parlour {
    let parlour = Parlour::new().with_program("rests", "#!/bin/sh\nexec sleep 1000\n");
    let rests = json!({"command": "rests", "args": [], "ready": "> "});
    parlour.configure(&json!({"customLlms": {"rests": rests}}).to_string());
    parlour
}

/// Starts one more agent: it and its supervisor.
fn start(parlour: &Parlour, name: &str) -> Supervised {
    let before = if parlour.home().join("chats").exists() {
        parlour.agents()
    } else {
        Vec::new()
    };
    parlour.say(&["new", name, "--llm", "rests"]);
    let mut agent = None;
    until("its agent rests", PATIENCE, || {
        let mut agents = parlour.agents().into_iter();
        agent = agents.find(|agent| !before.contains(agent) && read(*agent, "comm") == "sleep\n");
        agent.is_some()
    });
    let agent = agent.unwrap();
    let supervisor = stat(agent).unwrap().parent;
    // It opens the agent's directory and terminal for it.
    until("its supervisor rests", PATIENCE, || descriptors(supervisor).len() == 6);
    Supervised { agent, supervisor }
}

struct Supervised {
    agent: i32,
    supervisor: i32,
}

struct Stat {
    state: String,
    parent: i32,
    session: i32,
}

fn stat(pid: i32) -> Option<Stat> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    Some(Stat {
        state: fields[0].into(),
        parent: fields[1].parse().ok()?,
        session: fields[3].parse().ok()?,
    })
}

fn is_alive(pid: i32) -> bool {
    stat(pid).is_some_and(|stat| stat.state != "Z")
}

fn read(pid: i32, file: &str) -> String {
    fs::read_to_string(format!("/proc/{pid}/{file}")).unwrap_or_default()
}

/// What its descriptors are, by their numbers.
fn descriptors(pid: i32) -> Vec<(u32, String)> {
    let listed = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    let mut open: Vec<(u32, String)> = listed
        .filter_map(|entry| {
            let number = entry.file_name().to_str()?.parse().ok()?;
            Some((number, fs::read_link(entry.path()).ok()?.to_string_lossy().into_owned()))
        })
        .collect();
    open.sort();
    open
}

/// The same, without which one of its kind each is.
fn kinds(pid: i32) -> Vec<String> {
    let kind = |what: &str| {
        what.trim_end_matches(|end: char| "[]0123456789".contains(end))
            .to_string()
    };
    descriptors(pid).iter().map(|(_, what)| kind(what)).collect()
}

fn children(of: i32) -> Vec<i32> {
    let all = fs::read_dir("/proc").unwrap().flatten();
    all.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| stat(*pid).is_some_and(|stat| stat.parent == of))
        .collect()
}

/// The engine's child that supervises nothing: it leads no session.
fn template(engine: i32) -> Option<i32> {
    let mut children = children(engine).into_iter();
    children.find(|pid| {
        let is_alone = stat(*pid).is_some_and(|stat| stat.session != *pid);
        is_alone && read(*pid, "cmdline").ends_with("\0spawn\0") && kinds(*pid) == ["socket:", "/dev/null", "/dev/null"]
    })
}

/// What a process has from the one that started it.
fn inherited(pid: i32) -> Vec<String> {
    let status = read(pid, "status");
    let told = [
        "Umask",
        "SigBlk",
        "SigIgn",
        "SigCgt",
        "NoNewPrivs",
        "Threads",
        "Cpus_allowed",
    ];
    let told = told.map(|name| {
        let mut lines = status.lines();
        lines.find(|line| line.starts_with(name)).unwrap_or(name).to_string()
    });
    let files = ["cmdline", "comm", "limits", "oom_score_adj", "cgroup"].map(|file| read(pid, file));
    let leads = stat(pid).is_some_and(|stat| stat.session == pid).to_string();
    told.into_iter().chain(files).chain(kinds(pid)).chain([leads]).collect()
}

/// Kills it, and leaves it to be noticed.
fn strike(pid: i32) {
    kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
}

fn is_gone(pid: i32) -> bool {
    !Path::new(&format!("/proc/{pid}")).exists()
}

fn stop(pid: i32) {
    kill_process(Pid::from_raw(pid).unwrap(), Signal::STOP).unwrap();
    until("it is stopped", PATIENCE, || {
        stat(pid).is_some_and(|stat| stat.state == "T")
    });
}

#[test]
fn one_more_supervisor_keeps_little_memory_for_itself() {
    let parlour = parlour();
    let all = [start(&parlour, "One"), start(&parlour, "Two"), start(&parlour, "Three")];
    let engine = parlour.engine_pid();
    assert!(template(engine).is_some());
    for supervised in all {
        let Supervised { supervisor, .. } = supervised;
        assert_eq!(stat(supervisor).unwrap().parent, engine);
        let own = |smaps: &str| {
            let line = smaps.lines().find_map(|line| line.strip_prefix("Private_Dirty:"))?;
            line.trim().strip_suffix(" kB")?.parse::<u64>().ok()
        };
        let smaps = read(supervisor, "smaps_rollup");
        assert!(own(&smaps).is_some_and(|own| own < OWN), "{smaps}");
    }
}

#[test]
fn agents_go_on_and_new_ones_start_when_the_template_is_killed() {
    let parlour = parlour();
    let one = start(&parlour, "One");
    let engine = parlour.engine_pid();
    let first = template(engine).unwrap();
    strike(first);
    let two = start(&parlour, "Two");
    until("it was noticed", PATIENCE, || is_gone(first));
    let second = template(engine).unwrap();
    assert!(second != first && is_alive(one.agent) && is_alive(one.supervisor));
    let three = start(&parlour, "Three");
    assert_eq!(template(engine), Some(second));
    strike(second);
    // That of the chat's own, and not because its template is gone.
    parlour.say(&["stop", "one"]);
    parlour.wait("one", "exited");
    assert!(!is_alive(one.agent) && is_alive(two.agent) && is_alive(three.agent));

    kill(engine);
    let rest = [two.agent, two.supervisor, three.agent, three.supervisor];
    until("all have ended", PATIENCE, || !rest.iter().any(|pid| is_alive(*pid)));
}

#[test]
fn a_stopped_template_delays_an_agent_for_a_moment() {
    let parlour = parlour();
    let one = start(&parlour, "One");
    let engine = parlour.engine_pid();
    let stopped = template(engine).unwrap();
    stop(stopped);
    let asked = Instant::now();
    let two = start(&parlour, "Two");
    assert!(asked.elapsed() < SOON, "{:?}", asked.elapsed());
    until("the template was ended", PATIENCE, || is_gone(stopped));
    // It was started as all are where no template is to be had, and nobody can tell.
    assert_eq!(inherited(one.supervisor), inherited(two.supervisor));
    assert_eq!(inherited(one.agent), inherited(two.agent));
    for Supervised { supervisor, .. } in [&one, &two] {
        let at = fs::read_link(format!("/proc/{supervisor}/cwd")).unwrap();
        assert_eq!(
            (at.as_path(), read(*supervisor, "environ").as_str()),
            (Path::new("/"), "")
        );
    }

    start(&parlour, "Three");
    let stopped = template(engine).unwrap();
    stop(stopped);
    kill(engine);
    let rest = [stopped, one.agent, two.agent];
    until("all have ended", PATIENCE, || !rest.iter().any(|pid| is_alive(*pid)));
}

#[test]
fn no_descriptor_of_another_reaches_an_agent() {
    let parlour = parlour();
    let (one, two) = (start(&parlour, "One"), start(&parlour, "Two"));
    let template = template(parlour.engine_pid()).unwrap();
    let asked = descriptors(template).remove(0);
    for supervised in [&one, &two] {
        let terminal = descriptors(supervised.agent).remove(0).1;
        assert!(terminal.starts_with("/dev/pts/"), "{terminal}");
        let of_agent = [0, 1, 2].map(|number| (number, terminal.clone()));
        assert_eq!(descriptors(supervised.agent), of_agent);
        let open = descriptors(supervised.supervisor);
        assert_eq!(open[1..3], of_agent[1..], "{open:?}");
        // To the engine, twice, and what its own signals are told by.
        let sockets = [&open[..1], &open[3..]].concat();
        assert_eq!(sockets.len(), 4, "{open:?}");
        assert!(
            sockets
                .iter()
                .all(|(_, what)| what.starts_with("socket:") && *what != asked.1),
            "{open:?}"
        );
    }
    let own = |supervised: &Supervised| descriptors(supervised.supervisor).remove(0).1;
    assert_ne!(own(&one), own(&two));
}

#[test]
fn nothing_is_left_of_agents_that_ended() {
    let parlour = parlour();
    let all = [start(&parlour, "One"), start(&parlour, "Two"), start(&parlour, "Three")];
    let engine = parlour.engine_pid();
    let template = template(engine).unwrap();
    strike(all[0].supervisor);
    parlour.wait("one", "exited");
    parlour.say(&["stop", "two"]);
    strike(template);
    parlour.say(&["stop", "three"]);
    let gone = all
        .iter()
        .flat_map(|supervised| [supervised.agent, supervised.supervisor]);
    let gone: Vec<i32> = gone.chain([template]).collect();
    until("none is left, dead or alive", PATIENCE, || {
        gone.iter().all(|pid| is_gone(*pid)) && children(engine).iter().all(|pid| is_alive(*pid))
    });
}
