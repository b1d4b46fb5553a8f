//! A checkout and its remote that are one project: what one has is not fetched again for the other.

use std::fs;

use super::super::*;
use super::support::*;

/// What does not get smaller by packing.
fn noise() -> String {
    let numbers = (0..200_000_u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    numbers.map(|n| format!("{n:x}")).collect()
}

/// A checkout of what is served, with a branch that only it has, and that branch's commit.
fn checkout(home: &GitHome, served: &Repo) -> (Repo, String) {
    let url = format!("ssh://git@example.com{}", served.text());
    served.git(&["clone", "-q", served.text(), "../mine"]);
    let mine = Repo(home.user().join("src/mine"));
    mine.git(&["remote", "set-url", "origin", &url]);
    mine.git(&["checkout", "-q", "-b", "private"]);
    let own = mine.commit("own", "only here");
    (mine, own)
}

fn with_kin<'a>(home: &'a GitHome, origin: &'a Origin, mine: &Repo) -> OpenJob<'a> {
    let mut job = home.job(origin);
    job.kin.extend(Kin::checkout(&home.origin(mine.text())));
    job
}

#[test]
fn what_a_checkout_of_the_same_project_has_is_not_fetched_again() {
    let home = home();
    let sent = home.user().join("sent");
    ssh(&home, &format!("sh -c \"$last\" | tee -a {}", sent.display()));
    let served = home.repository("app");
    let noise = noise();
    served.commit("noise", &noise);
    let (mine, own) = checkout(&home, &served);
    let newest = served.commit("more", "x");
    served.git(&["tag", "v1"]);

    let origin = over_ssh(&home, &served);
    let opened = run(&with_kin(&home, &origin, &mine)).unwrap();
    assert_eq!((&opened.commit, &opened.offline), (&newest, &None));
    let bytes = fs::metadata(&sent).unwrap().len();
    assert!(bytes < 100_000, "{bytes}");
    let clone = Repo(opened.path);
    assert_eq!(clone.git(&["tag"]), "v1");
    assert_eq!(
        clone.git(&["branch", "-r"]),
        "origin/HEAD -> origin/main\n  origin/main"
    );
    assert!(!has(&clone, &own), "what only the checkout has is none of the remote's");
}

fn has(repo: &Repo, commit: &str) -> bool {
    let known = repo.git(&["cat-file", "--batch-all-objects", "--batch-check"]);
    known.contains(commit)
}

#[test]
fn a_remote_out_of_reach_is_as_a_checkout_of_it_has_seen_it() {
    let home = home();
    ssh(&home, "echo 'fatal: no route to host' >&2; exit 255");
    let served = home.repository("app");
    let (mine, own) = checkout(&home, &served);
    let seen = mine.git(&["rev-parse", "origin/main"]);
    let newest = served.commit("more", "x");

    let origin = over_ssh(&home, &served);
    let opened = run(&with_kin(&home, &origin, &mine)).unwrap();
    assert_eq!((opened.branch.as_str(), &opened.commit), ("main", &seen));
    assert!(opened.offline.unwrap().contains("no route to host"));
    let clone = Repo(opened.path);
    assert_eq!(clone.git(&["remote", "get-url", "origin"]), origin.url);
    assert!(!has(&clone, &own));

    ssh(&home, SERVE);
    assert_eq!(run(&home.job(&origin)).unwrap().commit, newest);
}

#[test]
fn a_checkout_that_is_of_no_use_stops_nothing() {
    let home = home();
    ssh(&home, SERVE);
    let served = home.repository("app");
    let (mine, _) = checkout(&home, &served);
    let origin = over_ssh(&home, &served);
    let mut job = with_kin(&home, &origin, &mine);
    job.kin.push(Kin::Cache(home.user().join("nowhere")));
    fs::remove_dir_all(mine.0.join(".git/objects")).unwrap();
    assert_eq!(run(&job).unwrap().offline, None);
    let other = home.origin("ssh://git@example.com/nowhere/at/all");
    let mut job = home.job(&other);
    job.kin.push(Kin::Cache(home.user().join("nowhere")));
    assert!(run(&job).unwrap_err().to_string().starts_with("git ls-remote failed"));
}

#[test]
fn the_whole_history_of_a_shallow_checkout_is_taken_from_the_cache_of_its_remote() {
    let home = home();
    let sent = home.user().join("sent");
    ssh(&home, &format!("sh -c \"$last\" | tee -a {}", sent.display()));
    let served = home.repository("app");
    let noise = noise();
    served.commit("noise", &noise);
    served.commit("noise", "less");
    let origin = over_ssh(&home, &served);
    run(&home.job(&origin)).unwrap();
    fs::remove_file(&sent).unwrap();
    served.git(&[
        "clone",
        "-q",
        "--depth",
        "1",
        &format!("file://{}", served.text()),
        "../mine",
    ]);
    let mine = Repo(home.user().join("src/mine"));
    mine.git(&["remote", "set-url", "origin", &origin.url]);
    let local = home.origin(mine.text());
    let mut job = home.job(&local);
    job.kin.push(Kin::Cache(home.caches.path_of(&origin)));
    let opened = run(&job).unwrap();
    assert_eq!(Repo(opened.path).git(&["rev-list", "--count", "HEAD"]), "3");
    let bytes = fs::metadata(&sent).unwrap().len();
    assert!(bytes < 100_000, "{bytes}");
}
