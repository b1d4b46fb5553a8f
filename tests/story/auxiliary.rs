//! The editor, the shell and the run of a project in terminals beside the agent's, with the real engine.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::support::parlour::{PATIENCE, Parlour, git, install, let_it_be_read, until};

/// A shell chat with a clone of a repository that brings this `run` along.
fn chat(parlour: &Parlour, run: &str) -> PathBuf {
    let project = parlour.scratch().join("grove");
    fs::create_dir_all(project.join(".parlour")).unwrap();
    git(&project, &["init", "-q", "-b", "main"]);
    fs::write(project.join(".parlour/project.toml"), format!("run = {run:?}\n")).unwrap();
    git(&project, &["add", "."]);
    git(&project, &["commit", "-qm", "begin"]);
    parlour.say(&["new", "Beside", "--llm", "shell", "--dir", project.to_str().unwrap()]);
    let listed = parlour.json(&["script", "list", "beside"]);
    PathBuf::from(listed["projects"][0]["path"].as_str().unwrap())
}

/// An editor that draws a screen, and ends on `q`; any other key is written into a file.
fn editor(file: &Path) {
    let script = "#!/bin/sh\nenv > env\nstty raw -echo\nprintf 'EDITING %s' \"$*\"\n\
        while :; do key=$(dd bs=1 count=1 2>/dev/null); case $key in q) exit 7;; *) printf %s \"$key\" >> keys;; esac; done\n";
    install(file, script);
}

fn read(file: PathBuf) -> String {
    fs::read_to_string(file).unwrap_or_default()
}

#[test]
fn an_editor_opens_beside_the_agent_and_what_is_typed_goes_there() {
    let parlour = Parlour::new();
    let program = parlour.scratch().join("ed it");
    editor(&program);
    let parlour = parlour.with([("EDITOR".to_string(), format!("'{}' -w", program.display()))]);
    let clone = chat(&parlour, "true");
    let mut screen = parlour.attach(&["edit", "beside"]);
    screen.wait_for_text("EDITING -w .");
    screen.wait_for_text(" EDITOR ");
    screen.press("ab");
    until("both keys were written", PATIENCE, || read(clone.join("keys")) == "ab");
    // It is a person's program: nothing of the agent's is in its environment.
    let env = read(clone.join("env"));
    assert!(
        env.contains("TERM=xterm-256color") && !env.contains("PARLOUR_CHAT") && !env.contains("PARLOUR_TOKEN"),
        "{env}"
    );
    // A second one is the first.
    let told = parlour.json(&["edit", "beside"]);
    assert_eq!(told["handle"], "beside");
    screen.press("\x11\x1b");
    screen.wait_for_text(" SIDEBAR ");
    screen.press("E");
    screen.wait_for_text(" EDITOR ");
    screen.press("cq");
    screen.wait_for_text("The editor exited with 7");
    // What was meant for it does not go to the agent: that is gone into, once what is typed in haste has passed.
    screen.wait_for_text(" VIEW ");
    thread::sleep(Duration::from_secs(1));
    screen.press("\r");
    screen.wait_for_text(" SHELL ");
    assert_eq!(read(clone.join("keys")), "abc");
    screen.press("echo at-$((40 + 2))\r");
    screen.wait_for_text("at-42");
    let parlour = parlour.with([("VISUAL".to_string(), "no-such-editor".to_string())]);
    assert!(
        parlour
            .refusal(&["edit", "beside"])
            .contains("$VISUAL names no-such-editor")
    );
    // The chat was made here, so this directory means it.
    assert!(parlour.refusal(&["edit"]).contains("$VISUAL names no-such-editor"));
    assert!(
        parlour
            .refusal(&["edit", "beside", "--dir", "nowhere"])
            .contains("its directories are: grove")
    );
}

#[test]
fn a_shell_opens_beside_the_agent_in_its_clone() {
    let parlour = Parlour::new().with([("SHELL".to_string(), "/bin/sh".to_string())]);
    let clone = chat(&parlour, "true");
    let mut screen = parlour.attach(&["beside"]);
    screen.wait_for_text(" SHELL ");
    screen.press("\x11$");
    screen.wait_for_text(" Shell ━");
    screen.press("pwd > where; env > env; echo made-$((40 + 2))\r");
    screen.wait_for_text("made-42");
    assert_eq!(read(clone.join("where")).trim(), clone.to_str().unwrap());
    // It is the person's own, and no agent's.
    let env = read(clone.join("env"));
    assert!(!env.contains("PARLOUR_TOKEN") && !env.contains("PARLOUR_CHAT"), "{env}");
    // It is left by its own way out, and the keys go back to the agent.
    screen.press("exit 3\r");
    screen.wait_for("its tab is gone", |screen| !screen.contents().contains(" Shell ━"));
    screen.wait_for_text(" SHELL ");
}

#[test]
fn a_path_in_a_shell_leads_from_where_its_program_is() {
    // In the chat's own shell, and in one beside it.
    for opens in ["", "\x11$"] {
        let parlour = Parlour::new();
        let (program, told) = (parlour.scratch().join("edit"), parlour.scratch().join("told"));
        install(&program, &format!("#!/bin/sh\necho \"$1\" > '{}'\n", told.display()));
        let parlour = parlour.with([
            ("EDITOR".to_string(), program.to_string_lossy().into_owned()),
            ("SHELL".to_string(), "/bin/sh".to_string()),
        ]);
        let clone = chat(&parlour, "true");
        let deep = clone.join("sub/deep");
        fs::create_dir_all(&deep).unwrap();
        for place in [&clone, &clone.join("sub"), &deep] {
            fs::write(place.join("note.txt"), "a note\n").unwrap();
        }
        let mut screen = parlour.attach(&["beside"]);
        screen.wait_for_text(" SHELL ");
        screen.press(opens);
        screen.wait_for("the shell is there", |screen| {
            opens.is_empty() || screen.contents().contains(" Shell ━")
        });
        let sub = clone.join("sub");
        screen.press(&format!(
            "cd '{}' && (cd deep && echo made-$((40 + 2)) note.txt:1 && exec sleep 60)\r",
            sub.display()
        ));
        screen.wait_for_text("made-42 note.txt:1");
        screen.press("\x11K");
        screen.wait_for_text("LINKS");
        screen.press("a");
        until("the file is opened", PATIENCE, || !read(told.clone()).is_empty());
        assert_eq!(
            read(told.clone()).trim(),
            deep.join("note.txt").to_str().unwrap(),
            "{opens:?}"
        );
    }
}

#[test]
fn an_editor_ends_with_its_chat_and_with_the_engine() {
    let parlour = Parlour::new();
    let program = parlour.scratch().join("edit");
    let script = "#!/bin/sh\ntrap '' TERM HUP\necho $$ > pid\nwhile :; do sleep 1; done\n";
    install(&program, script);
    let parlour = parlour.with([("VISUAL".to_string(), program.to_string_lossy().into_owned())]);
    let clone = chat(&parlour, "true");
    let begun = |clone: &Path| {
        parlour.say(&["edit", "beside"]);
        let mut pid = None;
        until("it runs", PATIENCE, || {
            pid = read(clone.join("pid")).trim().parse::<i32>().ok();
            pid.is_some()
        });
        fs::remove_file(clone.join("pid")).unwrap();
        pid.unwrap()
    };
    let lives = |pid: i32| Path::new(&format!("/proc/{pid}")).exists();
    let first = begun(&clone);
    assert!(lives(first));
    let preferences = parlour.home().join("preferences.json");
    until("it is noted", PATIENCE, || read(preferences.clone()).contains("editor"));
    parlour.kill_engine();
    until("it is gone with the engine", PATIENCE, || !lives(first));
    let told = "the editor beside the agent ended with the engine";
    until("that is told", PATIENCE, || {
        parlour.events("beside").iter().any(|event| event["text"] == told)
    });
    let second = begun(&clone);
    parlour.say(&["rm", "beside", "--yes"]);
    assert!(!lives(second));
}

#[test]
fn a_run_is_approved_on_the_screen_and_seen_in_a_terminal_of_its_own() {
    let parlour = Parlour::new();
    let run = "printf '\\033[31mport %s\\033[0m\\n' $PARLOUR_PORT; [ -t 1 ] && read word; echo heard $word; exit 3";
    chat(&parlour, run);
    let mut screen = parlour.attach(&["beside"]);
    screen.wait_for_text(" SHELL ");
    screen.press("\x11e");
    screen.wait_for_text("╭ Run what the repository brings? ");
    screen.wait_for_text("[ -t 1 ] && read word; echo heard $word; exit 3");
    let_it_be_read();
    screen.press("y");
    screen.wait_for_text("▶ run");
    let port = parlour.json(&["script", "list", "beside"])["projects"][0]["scripts"][0].clone();
    assert_eq!(port["approved"], true);
    screen.wait_for("its colours", |screen| {
        let red = |row: u16, col: u16| {
            let cell = screen.cell(row, col)?;
            (cell.contents() == "p" && cell.fgcolor() == vt100::Color::Idx(1)).then_some(())
        };
        (0..40).any(|row| (0..120).any(|col| red(row, col).is_some()))
    });
    let_it_be_read();
    screen.press("\r");
    screen.wait_for_text(" RUN ");
    screen.press("well\r");
    screen.wait_for_text("heard well");
    screen.wait_for_text("✗ run 3");
    screen.wait_for_text("exited with 3");
    let record = parlour.json(&["run", "beside"])["output"].as_str().unwrap().to_owned();
    let port = |line: &str| {
        line.strip_prefix("port ")
            .is_some_and(|port| port.parse::<u16>().is_ok())
    };
    until("its port is in the record", PATIENCE, || {
        read(record.clone().into()).lines().any(port)
    });
    parlour.say(&["run", "beside", "--stop"]);
    screen.wait_for_text("□ run");
}

#[test]
fn without_a_name_it_is_the_chat_bound_to_the_directory_and_its_checkout() {
    let parlour = Parlour::new();
    let program = parlour.scratch().join("edit");
    editor(&program);
    let parlour = parlour.with([("EDITOR".to_string(), program.to_string_lossy().into_owned())]);
    let project = parlour.scratch().join("grove");
    fs::create_dir_all(&project).unwrap();
    git(&project, &["init", "-q", "-b", "main"]);
    git(&project, &["commit", "-q", "--allow-empty", "-m", "begin"]);
    let here = |words: &[&str]| {
        let output = parlour.command(words).current_dir(&project).output().unwrap();
        assert!(output.status.success(), "{words:?}: {output:?}");
    };
    here(&["init", "--llm", "shell"]);
    here(&["edit", "--json"]);
    until("it has begun there", PATIENCE, || {
        read(project.join("env")).contains("EDITOR=")
    });
}

#[test]
fn what_runs_in_a_persons_shell_as_the_engine_is_killed_is_told_by_its_name() {
    let parlour = Parlour::new().with([("SHELL".to_string(), "/bin/sh".to_string())]);
    chat(&parlour, "true");
    let mut screen = parlour.attach(&["beside"]);
    screen.wait_for_text(" SHELL ");
    screen.press("\u{11}$");
    screen.wait_for_text(" Shell ━");
    screen.press("sleep 600\r");
    let preferences = parlour.home().join("preferences.json");
    until("it is noted", PATIENCE, || {
        read(preferences.clone()).contains("sleep in your shell")
    });
    parlour.kill_engine();
    let told = "sleep in your shell was cut off by the end of the engine";
    until("that is told", PATIENCE, || {
        parlour.events("beside").iter().any(|event| event["text"] == told)
    });
}
