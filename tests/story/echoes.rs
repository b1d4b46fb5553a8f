//! The engine writes the echo of a key to a client's terminal by itself. What stands there afterwards is what a window
//! shows that is opened then and drawn whole.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::parlour::{PATIENCE, Parlour, until};
use crate::support::terminal::Terminal;

/// A person presses one key after the other; each echo comes before the next key.
const BETWEEN_KEYS: Duration = Duration::from_millis(12);

/// Longer than output may count as an echo, and than frames are apart.
const AFTER: Duration = Duration::from_millis(250);

/// Where programs run that are not everywhere.
fn has(program: &str) -> bool {
    let path = std::env::var("PATH").unwrap_or_default();
    let is_there = path.split(':').any(|dir| Path::new(dir).join(program).exists());
    if !is_there {
        println!("{program} is not installed");
    }
    is_there
}

/// A shell with its terminal on the screen, the keyboard in it, and the engine at the terminal.
fn shell(size: (u16, u16)) -> (Parlour, Terminal) {
    let shell = if has("bash") { "/bin/bash" } else { "/bin/sh" };
    let parlour = Parlour::new().with([
        ("SHELL".into(), shell.into()),
        ("PS1".into(), "$ ".into()),
        ("EXINIT".into(), "set nocompatible noswapfile".into()),
    ]);
    parlour.json(&["new", "Sh", "--llm", "shell"]);
    parlour.wait("sh", "idle");
    let window = another(&parlour, size);
    let files = format!("/proc/{}/fd", parlour.engine_pid());
    until("the engine has the terminal itself", PATIENCE, || {
        let files = fs::read_dir(&files).unwrap().filter_map(Result::ok);
        files
            .filter_map(|file| fs::read_link(file.path()).ok())
            .any(|file| file == window.path())
    });
    (parlour, window)
}

fn another(parlour: &Parlour, (cols, rows): (u16, u16)) -> Terminal {
    let window = parlour.attach_sized(&["sh"], cols, rows);
    window.wait_for_text(" SHELL ");
    window
}

fn type_keys<'a>(window: &mut Terminal, keys: impl IntoIterator<Item = &'a str>) {
    for key in keys {
        window.press(key);
        thread::sleep(BETWEEN_KEYS);
    }
}

fn type_text(window: &mut Terminal, text: &str) {
    let mut last = 0;
    let ends: Vec<usize> = text
        .char_indices()
        .skip(1)
        .map(|(at, _)| at)
        .chain([text.len()])
        .collect();
    for end in ends {
        type_keys(window, [&text[last..end]]);
        last = end;
    }
}

/// Each cell as a person sees it, and the cursor. A cell that was never written looks like a blank.
fn seen(window: &Terminal) -> Vec<String> {
    window.look(|screen| {
        let (rows, cols) = screen.size();
        let row = |y: u16| -> String {
            let cell = |x: u16| {
                let cell = screen.cell(y, x).unwrap();
                let text = match cell.contents() {
                    "" if !cell.is_wide_continuation() => " ",
                    text => text,
                };
                let flags = [cell.bold(), cell.dim(), cell.italic(), cell.underline(), cell.inverse()];
                let flags = flags.map(|flag| char::from(b'0' + u8::from(flag)));
                let (front, back) = (cell.fgcolor(), cell.bgcolor());
                format!("{text}{}{front:?}{back:?} ", flags.iter().collect::<String>())
            };
            // The figures of a chat are of the moment in which a window asked for them.
            let has_figures = screen.contents_between(y, 0, y, LIST).contains(" · ports ");
            let from = if has_figures { LIST } else { 0 };
            (from..cols.into()).map(cell).collect()
        };
        let cursor = format!("cursor {:?}, hidden {}", screen.cursor_position(), screen.hide_cursor());
        (0..rows.into()).map(row).chain([cursor]).collect()
    })
}

/// A window that is opened now shows the same in each cell, and the same cursor.
fn shows_what_a_new_one_does(parlour: &Parlour, window: &Terminal, size: (u16, u16), when: &str) {
    thread::sleep(AFTER);
    let new = another(parlour, size);
    let begun = Instant::now();
    while seen(window) != seen(&new) {
        let differ = seen(window)
            .into_iter()
            .zip(seen(&new))
            .filter(|(one, other)| one != other);
        let differ = differ.map(|(one, other)| format!("{one}\n{other}\n"));
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "{when}, it shows\n{}\ninstead of\n{}\n{}",
            window.contents(),
            new.contents(),
            differ.collect::<String>()
        );
        thread::sleep(Duration::from_millis(20));
    }
}

const SIZE: (u16, u16) = (120, 40);
/// Columns of the list of chats.
const LIST: u16 = 31;

#[test]
fn what_is_typed_into_a_shell_stands_where_it_belongs() {
    let (parlour, mut window) = shell(SIZE);
    type_text(&mut window, "echo plain 修复 é e\u{301}x 한국 \u{1f600} end");
    shows_what_a_new_one_does(&parlour, &window, SIZE, "after wide and combining characters");
    // Over the last column, with a wide character that has no room in it.
    type_text(&mut window, &"0123456789修".repeat(9));
    shows_what_a_new_one_does(&parlour, &window, SIZE, "beyond the last column");
    type_keys(&mut window, vec!["\x7f"; 50]);
    shows_what_a_new_one_does(&parlour, &window, SIZE, "back over the last column");
    type_keys(
        &mut window,
        ["\x01", "修", "\x1b[C", "é", "\x1b[3~", "\x05", "!", "\x15"],
    );
    shows_what_a_new_one_does(&parlour, &window, SIZE, "after a change in the middle");
    type_text(&mut window, "printf '\\033[7m%79s\\033[4:3;58;5;1m修\\033[0m' x\r");
    shows_what_a_new_one_does(&parlour, &window, SIZE, "with a wrap that waits, in colours");
}

#[test]
fn a_window_whose_size_changed_and_changed_back_is_drawn_whole() {
    let (parlour, mut window) = shell(SIZE);
    type_text(&mut window, "seq 100 160 | paste -s; seq 60\r");
    for (cols, rows) in [(80, 24), (60, 20), (200, 50), (119, 39)] {
        type_text(&mut window, "before");
        window.resize(cols, rows);
        type_text(&mut window, "mid");
        window.resize(SIZE.0, SIZE.1);
        window.resize(cols, rows);
        window.resize(SIZE.0, SIZE.1);
        type_text(&mut window, "after");
        let when = format!("after it was {cols}x{rows} for a moment");
        shows_what_a_new_one_does(&parlour, &window, SIZE, &when);
    }
}

#[test]
fn windows_of_two_sizes_show_what_is_typed_in_either() {
    const SMALL: (u16, u16) = (80, 24);
    let (parlour, mut large) = shell(SIZE);
    let mut small = another(&parlour, SMALL);
    for round in 0..3 {
        type_text(&mut large, "echo in the large one 修\r");
        type_text(
            &mut small,
            "echo in the small one 修復, which is cut where the window ends, and goes on behind",
        );
        type_keys(&mut large, ["\x15"]);
        shows_what_a_new_one_does(&parlour, &small, SMALL, &format!("the small one, round {round}"));
        shows_what_a_new_one_does(&parlour, &large, SIZE, &format!("the large one, round {round}"));
    }
}

#[test]
fn an_editor_that_scrolls_parts_of_its_screen_looks_right() {
    if !has("vim") {
        return;
    }
    let (parlour, mut window) = shell(SIZE);
    type_text(&mut window, "seq -f 'line %g 修' 300 > a.txt; vim -u NONE -N a.txt\r");
    window.wait_for_text("line 20 ");
    type_keys(&mut window, ["\x04", "\x05", "\x05", "d", "d", "p", "o"]);
    type_text(&mut window, "typed 修\x1b");
    shows_what_a_new_one_does(&parlour, &window, SIZE, "after scrolling and typing");
    type_text(
        &mut window,
        ":split\r\x17jG\x19\x19\x15:set nu hls\r/line 1\rnnzzggOtop\x1bu",
    );
    shows_what_a_new_one_does(&parlour, &window, SIZE, "with two windows in it");
    type_text(&mut window, "vGd\x0fu10jzt\x16jjjlld:set list\r");
    shows_what_a_new_one_does(&parlour, &window, SIZE, "after a block was deleted");
    type_text(&mut window, ":qa!\r");
    shows_what_a_new_one_does(&parlour, &window, SIZE, "after it ended");
}

#[test]
fn a_pager_and_a_paste_look_right() {
    let (parlour, mut window) = shell(SIZE);
    window.paste("# a paste of\n# three lines 修復\n# and no more");
    type_keys(&mut window, ["\x01", "#", "\x05", "z"]);
    shows_what_a_new_one_does(&parlour, &window, SIZE, "after a paste");
    type_keys(&mut window, ["\x03"]);
    if has("less") {
        type_text(&mut window, "seq 500 | less\r");
        window.wait_for_text("30");
        type_keys(
            &mut window,
            [
                "j", "j", "k", " ", "b", "d", "u", "/", "7", "7", "\r", "n", "G", "g", "j",
            ],
        );
        shows_what_a_new_one_does(&parlour, &window, SIZE, "in the pager");
        type_keys(&mut window, ["q"]);
        shows_what_a_new_one_does(&parlour, &window, SIZE, "after the pager");
    }
}

#[test]
fn what_is_opened_and_closed_over_a_terminal_that_prints_leaves_nothing() {
    let (parlour, mut window) = shell(SIZE);
    parlour.json(&["new", "Two", "--llm", "shell"]);
    parlour.wait("two", "idle");
    type_text(
        &mut window,
        "for i in $(seq 400); do echo \"$i 修\"; sleep 0.01; done; cat\r",
    );
    // Help, zoom, the sidebar, copy mode, the palette, settings, the other chat and back.
    for keys in [
        "\x11?", "\x1b", "x", "\x11z", "x", "\x11z", "x", "\x11b", "x", "\x11b", "x", "\x11v", "q", "x", "\x11:",
        "\x1b", "x", "\x11,", "\x1b", "x", "\x112", "x", "\x11-", "x",
    ] {
        type_keys(&mut window, [keys]);
        thread::sleep(Duration::from_millis(60));
    }
    window.wait_for_text("400 ");
    type_text(&mut window, "end of it");
    until("it is back where it began", PATIENCE, || {
        window.contents().contains(" SHELL ")
    });
    shows_what_a_new_one_does(&parlour, &window, SIZE, "after all that");
}

#[test]
fn a_window_that_took_nothing_for_a_while_loses_nothing() {
    let (parlour, mut window) = shell(SIZE);
    for round in 0..3 {
        type_text(&mut window, "for i in $(seq 3000); do echo $RANDOM-$RANDOM-$i; done");
        window.press("\rabc修\x7fdef");
        window.look(|_| thread::sleep(Duration::from_millis(400)));
        type_text(&mut window, "ghi");
        window.wait_for_text("-3000");
        let when = format!("after it stood still, round {round}");
        shows_what_a_new_one_does(&parlour, &window, SIZE, &when);
        type_keys(&mut window, ["\x15", "\x0c"]);
    }
}

/// The guard gives the terminal back at once, and what is drawn after that would stand in the person's shell.
#[test]
fn nothing_is_written_to_the_terminal_of_a_client_that_was_killed_while_it_was_typed_in() {
    const SHOWN_AGAIN: &[u8] = b"\x1b[?1049l";
    let (parlour, _window) = shell(SIZE);
    for round in 0..8 {
        let mut window = another(&parlour, SIZE);
        type_text(&mut window, "echo some");
        let client = client_of(&window);
        for _ in 0..=round {
            window.press("x");
        }
        kill_process(client, Signal::KILL).unwrap();
        window.wait_for_end();
        thread::sleep(AFTER);
        let received = window.all_received();
        let left = received
            .windows(SHOWN_AGAIN.len())
            .rposition(|bytes| bytes == SHOWN_AGAIN)
            .unwrap();
        let after = String::from_utf8_lossy(&received[left..]).into_owned();
        assert!(!after.contains('x') && !after.contains('H'), "round {round}: {after:?}");
    }
}

/// The process that draws, below its guard.
fn client_of(window: &Terminal) -> Pid {
    let children = format!("/proc/{0}/task/{0}/children", window.pid().as_raw_nonzero());
    let client = fs::read_to_string(children).unwrap();
    Pid::from_raw(client.trim().parse().unwrap()).unwrap()
}

/// How often a process went to sleep since it began: as often as something woke it.
fn sleeps(process: Pid) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", process.as_raw_nonzero())).unwrap();
    let line = status.lines().find(|line| line.starts_with("voluntary_ctxt_switches"));
    line.unwrap().split_whitespace().last().unwrap().parse().unwrap()
}

#[test]
fn the_engine_reads_what_is_typed_and_its_client_sleeps() {
    const KEYS: u64 = 100;
    let (parlour, mut window) = shell(SIZE);
    type_text(&mut window, "cat");
    let client = client_of(&window);
    let before = sleeps(client);
    for number in 0..KEYS {
        let keys = ["a", "修", "\x1b[D", "\x1b[C", "\x7f"];
        type_keys(&mut window, [keys[usize::try_from(number).unwrap() % keys.len()]]);
    }
    let woken = sleeps(client) - before;
    assert!(woken < KEYS / 2, "{woken} times for {KEYS} keys");
    shows_what_a_new_one_does(&parlour, &window, SIZE, "after keys that the engine read itself");
}

#[test]
fn keys_pastes_and_sizes_keep_their_order_whoever_reads_them() {
    let (parlour, mut window) = shell(SIZE);
    type_text(&mut window, "cat > typed.txt\r");
    let mut wanted = String::new();
    for round in 0..20 {
        let (typed, pasted) = (format!("typed {round} 修 "), format!("pasted {round} "));
        wanted.push_str(&typed);
        wanted.push_str(&pasted);
        wanted.push_str("end\n");
        window.press(&typed);
        if round % 5 == 0 {
            window.resize(100, 30);
        }
        window.press(&format!("\x1b[200~{pasted}\x1b[201~en"));
        window.press("d\r");
        if round % 5 == 0 {
            window.resize(SIZE.0, SIZE.1);
        }
    }
    window.press("\x04");
    type_text(&mut window, "clear; wc -l typed.txt; sort typed.txt | tail -1\r");
    window.wait_for_text("20 typed.txt");
    let chats = parlour.json(&["list"]);
    let dir = Path::new(chats["chats"][0]["dir"].as_str().unwrap());
    let written = fs::read_to_string(dir.join("typed.txt")).unwrap();
    assert_eq!(written, wanted);
}

#[test]
fn a_client_that_is_stopped_keeps_what_is_typed_after_it() {
    let (parlour, mut window) = shell(SIZE);
    type_text(&mut window, "echo ");
    let client = client_of(&window);
    kill_process(client, Signal::STOP).unwrap();
    let terminal = fs::File::open(window.path()).unwrap();
    until("the engine reads no more", PATIENCE, || {
        window.press("x");
        thread::sleep(BETWEEN_KEYS);
        rustix::io::ioctl_fionread(&terminal).unwrap() > 0
    });
    kill_process(client, Signal::CONT).unwrap();
    window.press("end");
    window.wait_for("what was typed meanwhile", |screen| screen.contents().contains("xend"));
    shows_what_a_new_one_does(&parlour, &window, SIZE, "after its client was stopped");
}

#[test]
fn one_key_draws_the_screen_again_that_something_else_has_written_on() {
    let (parlour, mut window) = shell(SIZE);
    fs::write(window.path(), "\x1b[5;1Hsomebody calls all\x1b[9;50H\x1b[K").unwrap();
    window.wait_for_text("somebody calls all");
    window.press("\x11\x0c");
    window.wait_for("the screen without it", |screen| {
        !screen.contents().contains("somebody")
    });
    shows_what_a_new_one_does(&parlour, &window, SIZE, "after it was drawn again");
}
