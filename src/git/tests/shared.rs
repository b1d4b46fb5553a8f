//! Remotes: shared fetches, cancel, kills, offline, secrets. The remote is an ssh that is a script of ours.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::super::*;
use super::support::*;

fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(
            started.elapsed() < Duration::from_secs(30),
            "gave up waiting for {what}"
        );
        std::thread::yield_now();
    }
}

#[test]
fn a_remote_is_reached_by_the_persons_own_ssh_which_never_asks() {
    let home = home();
    ssh(&home, SERVE);
    let repo = home.repository("app");
    let origin = over_ssh(&home, &repo);
    let opened = run(&home.job(&origin)).unwrap();
    assert!(
        connections(&home)[0].contains("-oBatchMode=yes"),
        "{:?}",
        connections(&home)
    );
    let url = Repo(opened.path).git(&["remote", "get-url", "origin"]);
    assert_eq!(url, format!("ssh://git@example.com{}", repo.text()));
    assert!(home.caches.path().join("example.com").is_dir());
}

#[test]
fn a_second_clone_fetches_nothing_that_is_there() {
    let home = home();
    ssh(&home, SERVE);
    let repo = home.repository("app");
    let origin = over_ssh(&home, &repo);
    run(&home.job(&origin)).unwrap();
    assert_eq!(connections(&home).len(), 2, "asked, then fetched");
    run(&home.job(&origin)).unwrap();
    assert_eq!(connections(&home).len(), 3, "only asked");
    let tip = repo.commit("more", "x");
    assert_eq!(run(&home.job(&origin)).unwrap().commit, tip);
    assert_eq!(connections(&home).len(), 5);
}

#[test]
fn a_cache_that_is_cloned_from_is_not_removed() {
    let home = home();
    let repo = home.repository("app");
    let origin = home.origin(repo.text());
    let cached = || home.caches.origins().len();
    let remove = || home.caches.remove(&home.staging, |_| true).unwrap();
    let whole = |_: &std::path::Path| {
        remove();
        assert_eq!(cached(), 1);
        Ok(())
    };
    open::<Error>(&home.job(&origin), &|_| {}, &CancelFlag::default(), whole).unwrap();
    remove();
    assert_eq!(cached(), 0);
}

#[test]
fn twenty_calls_at_once_make_one_cache_and_twenty_clones() {
    let home = home();
    let go = home.user().join("go");
    ssh(
        &home,
        &format!("while ! test -e {}; do sleep 0.02; done\n{SERVE}", go.display()),
    );
    let repo = home.repository("app");
    let origin = over_ssh(&home, &repo);
    let waiting = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|| {
                let told = std::cell::Cell::new(false);
                let note = |progress: GitProgress| {
                    if progress.stage == GitStage::Waiting && !told.replace(true) {
                        waiting.fetch_add(1, Ordering::SeqCst);
                    }
                };
                open::<Error>(&home.job(&origin), &note, &CancelFlag::default(), |_| Ok(())).unwrap();
            });
        }
        wait_for("19 calls to queue behind the first", || {
            waiting.load(Ordering::SeqCst) == 19
        });
        fs::write(&go, b"").unwrap();
    });
    assert_eq!(
        connections(&home).len(),
        3,
        "one clone into the cache, and one question for all who came later"
    );
    assert_eq!(home.visible().len(), 20);
    assert_eq!(names(&home.staging), Vec::<String>::new());
}

#[test]
fn offline_the_cache_serves_and_says_so() {
    let home = home();
    ssh(&home, SERVE);
    let repo = home.repository("app");
    let origin = over_ssh(&home, &repo);
    assert_eq!(run(&home.job(&origin)).unwrap().offline, None);
    ssh(&home, "echo 'fatal: no route to host' >&2; exit 255");
    let opened = run(&home.job(&origin)).unwrap();
    assert!(opened.offline.unwrap().contains("no route to host"));
    assert!(opened.path.join("README.md").exists());
    repo.commit("more", "x");
    // The line breaks after the question, before the fetch.
    let count = connections(&home).len() + 2;
    ssh(
        &home,
        &format!("test $(wc -l < $(dirname $0)/../connections) -ge {count} && exit 255\n{SERVE}"),
    );
    assert!(
        run(&home.job(&origin))
            .unwrap()
            .offline
            .unwrap()
            .starts_with("git fetch failed")
    );
}

#[test]
fn an_unreachable_remote_without_a_cache_is_an_error_with_gits_words() {
    let home = home();
    ssh(&home, "echo 'Permission denied (publickey).' >&2; exit 255");
    let repo = home.repository("app");
    let origin = over_ssh(&home, &repo);
    let error = run(&home.job(&origin)).unwrap_err().to_string();
    assert!(error.starts_with("git ls-remote failed: "), "{error}");
    assert_eq!((home.visible(), names(&home.staging)), (vec![], vec![]));
    ssh(&home, SERVE);
    run(&home.job(&origin)).unwrap();
}

/// An ssh that never answers, with its process id in a file.
fn hang(home: &GitHome) -> PathBuf {
    let pid = home.user().join("pid");
    ssh(
        home,
        &format!("echo $$ > {0}.new; mv {0}.new {0}; exec sleep 600", pid.display()),
    );
    pid
}

fn is_running(pid: &std::path::Path) -> bool {
    let pid: i32 = fs::read_to_string(pid).unwrap().trim().parse().unwrap();
    rustix::process::test_kill_process(rustix::process::Pid::from_raw(pid).unwrap()).is_ok()
}

#[test]
fn a_cancel_ends_git_and_its_helpers() {
    let home = home();
    let pid = hang(&home);
    let repo = home.repository("app");
    let origin = over_ssh(&home, &repo);
    let cancel = CancelFlag::default();
    std::thread::scope(|scope| {
        let call = scope.spawn(|| open::<Error>(&home.job(&origin), &|_| {}, &cancel, |_| Ok(())));
        wait_for("ssh to be started", || pid.exists());
        let cancelled = Instant::now();
        cancel.cancel();
        assert!(call.join().unwrap().unwrap_err().is_cancelled());
        assert!(cancelled.elapsed() < Duration::from_secs(10));
    });
    wait_for("ssh to end", || !is_running(&pid));
    assert_eq!((home.visible(), names(&home.staging)), (vec![], vec![]));
    ssh(&home, SERVE);
    run(&home.job(&origin)).unwrap();
}

#[test]
fn one_calls_cancel_is_not_anothers() {
    let home = home();
    let pid = hang(&home);
    let repo = home.repository("app");
    let origin = over_ssh(&home, &repo);
    let cancel = CancelFlag::default();
    let waiting = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let first = scope.spawn(|| open::<Error>(&home.job(&origin), &|_| {}, &cancel, |_| Ok(())));
        wait_for("ssh to be started", || pid.exists());
        let second = scope.spawn(|| {
            let waiting = &waiting;
            let note = move |progress: GitProgress| {
                if progress.stage == GitStage::Waiting {
                    waiting.fetch_add(1, Ordering::SeqCst);
                }
            };
            open::<Error>(&home.job(&origin), &note, &CancelFlag::default(), |_| Ok(()))
        });
        wait_for("the second call to wait", || waiting.load(Ordering::SeqCst) > 0);
        ssh(&home, SERVE);
        cancel.cancel();
        assert!(first.join().unwrap().unwrap_err().is_cancelled());
        second.join().unwrap().unwrap();
    });
}

#[test]
fn a_command_past_its_time_is_ended() {
    let home = home();
    let pid = hang(&home);
    let repo = home.repository("app");
    let origin = over_ssh(&home, &repo);
    let mut job = home.job(&origin);
    job.limits.time = Duration::from_millis(300);
    let error = run(&job).unwrap_err().to_string();
    assert!(error.contains("took longer than"), "{error}");
    if pid.exists() {
        wait_for("ssh to end", || !is_running(&pid));
    }
}

#[test]
fn a_killed_fetch_shows_nothing_and_the_same_call_then_works() {
    let home = home();
    let repo = home.repository("app");
    let origin = over_ssh(&home, &repo);
    // The first connection asks; the second is the fetch.
    let killing = format!(
        "test $(wc -l < {}) -ge 2 && kill -9 $PPID\n{SERVE}",
        home.user().join("connections").display()
    );
    ssh(&home, &killing);
    assert!(run(&home.job(&origin)).is_err());
    assert_eq!((home.visible(), names(&home.staging)), (vec![], vec![]));
    assert!(!home.caches.path().join("example.com").exists());
    ssh(&home, SERVE);
    run(&home.job(&origin)).unwrap();
}

#[test]
fn locks_and_halves_left_in_a_cache_do_not_stop_the_next_fetch() {
    let home = home();
    let repo = home.repository("app");
    let origin = home.origin(repo.text());
    run(&home.job(&origin)).unwrap();
    let cache = home.caches.path().join(&origin.cache);
    for left in [
        "packed-refs.lock",
        "shallow.lock",
        "config.lock",
        "refs/heads/main.lock",
        "objects/pack/tmp_pack_x",
    ] {
        fs::write(cache.join(left), b"").unwrap();
    }
    let tip = repo.commit("more", "x");
    assert_eq!(run(&home.job(&origin)).unwrap().commit, tip);
    assert!(!cache.join("objects/pack/tmp_pack_x").exists());
}

#[test]
fn a_repository_above_the_size_limit_is_not_fetched_to_its_end() {
    let home = home();
    let repo = home.repository("app");
    let noise: String = (0u64..200_000)
        .map(|n| format!("{:x}", n.wrapping_mul(0x9E37_79B9_7F4A_7C15)))
        .collect();
    repo.commit("noise", &noise);
    // The server sends all of it and then never hangs up, so only the limit can end the fetch.
    ssh(
        &home,
        "sh -c \"$last\"; test $(wc -l < $(dirname $0)/../connections) -lt 2 || exec sleep 600",
    );
    let origin = over_ssh(&home, &repo);
    let mut job = home.job(&origin);
    job.limits.size = 100_000;
    let error = run(&job).unwrap_err().to_string();
    assert!(error.contains("is larger than"), "{error}");
    assert_eq!((home.visible(), names(&home.staging)), (vec![], vec![]));
}

/// A server of plain files that asks for a name and password, on a port of its own; it ends with the test process.
fn guarded_server(root: PathBuf, expected: &'static str) -> u16 {
    use std::io::{BufRead, BufReader, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let lines: Vec<String> = BufReader::new(stream.try_clone().unwrap())
                .lines()
                .map_while(Result::ok)
                .take_while(|line| !line.is_empty())
                .collect();
            let asked = lines
                .first()
                .and_then(|line| line.split(' ').nth(1))
                .unwrap_or_default();
            let file = root.join(asked.split('?').next().unwrap_or_default().trim_start_matches('/'));
            let answer = if !lines.iter().any(|line| line.ends_with(expected)) {
                ("401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"", Vec::new())
            } else {
                match fs::read(file) {
                    Ok(bytes) => ("200 OK", bytes),
                    Err(_) => ("404 Not Found", Vec::new()),
                }
            };
            let (status, bytes) = answer;
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                bytes.len()
            );
            // A client that has hung up has what it wanted.
            let _ = stream
                .write_all(head.as_bytes())
                .and_then(|()| stream.write_all(&bytes));
        }
    });
    port
}

#[test]
fn credentials_in_an_address_open_it_and_are_written_nowhere() {
    let home = home();
    let repo = home.repository("app");
    let served = home.user().join("served");
    repo.git(&[
        "clone",
        "-q",
        "--bare",
        repo.text(),
        served.join("app.git").to_str().unwrap(),
    ]);
    Repo(served.join("app.git")).git(&["update-server-info"]);
    // base64 of `ada:s3cret!`
    let port = guarded_server(served, "Basic YWRhOnMzY3JldCE=");
    let origin = home.origin(&format!("http://ada:s3cret%21@127.0.0.1:{port}/app.git"));
    let opened = run(&home.job(&origin)).unwrap();
    let url = Repo(opened.path.clone()).git(&["remote", "get-url", "origin"]);
    assert_eq!(url, format!("http://127.0.0.1:{port}/app.git"));
    for (path, (.., bytes)) in manifest(&home.user().join(".parlour")) {
        assert!(
            !String::from_utf8_lossy(&bytes).contains("s3cret"),
            "{}",
            path.display()
        );
    }
    let without = home.origin(&format!("http://127.0.0.1:{port}/app.git"));
    let offline = run(&home.job(&without)).unwrap().offline.unwrap();
    assert!(offline.contains("git ls-remote failed"), "{offline}");
}
