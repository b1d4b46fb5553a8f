//! Clones in every state that git knows.

use super::*;
use crate::git::checkpoint::LostTip;

#[test]
fn a_branch_and_commits_come_back_after_the_agents_gc() {
    let saved = SavedClone::new();
    let commit = saved.clone.commit("work.txt", "one\n");
    saved.write("staged.txt", "staged only\n");
    saved.clone.git(&["add", "staged.txt"]);
    saved.write("staged.txt", "and changed\n");
    let was = everything(&saved.clone.0);
    let first = saved.take().snapshot;
    saved.clone.git(&["reset", "-q", "--hard", "HEAD~1"]);
    saved.clone.git(&["reflog", "expire", "--expire=now", "--all"]);
    saved.clone.git(&["gc", "-q", "--prune=now"]);
    saved.check();
    saved.restore(&first);
    assert_eq!(saved.clone.git(&["rev-parse", "HEAD"]), commit);
    assert_eq!(saved.clone.git(&["show", ":staged.txt"]), "staged only");
    assert_same(&everything(&saved.clone.0), &was, "as it was");
    saved.clone.git(&["fsck", "--full"]);
}

/// Of what was committed after the first commit nothing can be packed, and the clone loses it.
fn lose_commits(saved: &SavedClone) {
    saved.clone.commit("gone.txt", "gone\n");
    let blob = saved.clone.git(&["rev-parse", "HEAD:gone.txt"]);
    saved.clone.git(&["rm", "-q", "gone.txt"]);
    saved.clone.commit("later.txt", "later\n");
    let (folder, name) = blob.split_at(2);
    std::fs::remove_file(saved.path(&format!(".git/objects/{folder}/{name}"))).unwrap();
}

fn forget_commits(saved: &SavedClone) {
    saved.clone.git(&["reflog", "expire", "--expire=now", "--all"]);
    saved.clone.git(&["gc", "-q", "--prune=now"]);
}

#[test]
fn a_branch_whose_commit_is_nowhere_any_more_stays_and_that_is_told() {
    let saved = SavedClone::new();
    lose_commits(&saved);
    let lost = saved.clone.git(&["rev-parse", "HEAD"]);
    let branch = saved.clone.git(&["branch", "--show-current"]);
    let first = saved.take().snapshot;
    saved.clone.git(&["reset", "-q", "--hard", "HEAD~2"]);
    forget_commits(&saved);
    let stays = saved.clone.git(&["rev-parse", "HEAD"]);
    let here = saved.take().snapshot;
    let cancel = CancelFlag::default();
    let plan = saved
        .store
        .restore(&saved.dir(), (&here, &first), Scope::FilesAndGit, &cancel);
    let plan = plan.unwrap();
    let told = LostTip {
        branch: Some(branch),
        commit: git2::Oid::from_str(&lost).unwrap(),
    };
    assert_eq!((plan.lost, plan.branches, plan.head), (vec![told], Vec::new(), None));
    assert_eq!(saved.clone.git(&["rev-parse", "HEAD"]), stays);
    assert_eq!(saved.clone.git(&["status", "--porcelain"]), "?? later.txt");
    saved.clone.git(&["fsck", "--full"]);
}

#[test]
fn a_detached_head_whose_commit_is_nowhere_any_more_stays() {
    let saved = SavedClone::new();
    saved.clone.git(&["checkout", "-q", "--detach"]);
    lose_commits(&saved);
    let first = saved.take().snapshot;
    saved.clone.git(&["checkout", "-q", "-"]);
    forget_commits(&saved);
    let stays = saved.clone.git(&["symbolic-ref", "HEAD"]);
    saved.restore(&first);
    assert_eq!(saved.clone.git(&["symbolic-ref", "HEAD"]), stays);
    assert_eq!(saved.clone.git(&["status", "--porcelain"]), "?? later.txt");
}

#[test]
fn a_merge_with_conflicts_comes_back_as_it_was() {
    let saved = SavedClone::new();
    saved.clone.git(&["checkout", "-q", "-b", "side"]);
    saved.clone.commit("README.md", "side\n");
    saved.clone.git(&["checkout", "-q", "-"]);
    saved.clone.commit("README.md", "main\n");
    let merge = std::process::Command::new("git")
        .args(["-c", "user.name=T", "-c", "user.email=t@example.com", "merge", "side"])
        .current_dir(&saved.clone.0)
        .output()
        .unwrap();
    assert!(!merge.status.success(), "it conflicts");
    let was = everything(&saved.clone.0);
    let during = saved.take().snapshot;
    saved.clone.git(&["merge", "--abort"]);
    let aborted = everything(&saved.clone.0);
    let undo = saved.restore(&during);
    assert_same(&everything(&saved.clone.0), &was, "as it was");
    assert!(saved.clone.git(&["status", "--porcelain"]).contains("UU README.md"));
    saved.undo(&undo, &during);
    assert_same(&everything(&saved.clone.0), &aborted, "as it was");
    saved.check();
}

#[test]
fn a_rebase_under_way_and_a_detached_head_come_back() {
    let saved = SavedClone::new();
    let base = saved.clone.git(&["rev-parse", "HEAD"]);
    saved.clone.commit("a.txt", "1\n");
    saved.clone.commit("a.txt", "2\n");
    saved.clone.git(&[
        "-c",
        "sequence.editor=sed -i 1s/pick/edit/",
        "rebase",
        "-q",
        "-i",
        &base,
    ]);
    let was = everything(&saved.clone.0);
    assert!(saved.path(".git/rebase-merge/onto").exists());
    let during = saved.take().snapshot;
    saved.clone.git(&["rebase", "--abort"]);
    let undo = saved.restore(&during);
    assert_same(&everything(&saved.clone.0), &was, "as it was");
    saved.clone.git(&["rebase", "--continue"]);
    saved.undo(&undo, &during);
    assert!(saved.clone.git(&["status"]).contains("nothing to commit"));
    saved.check();
}

#[test]
fn a_repository_without_a_commit_is_saved_and_restored() {
    let saved = SavedClone::new();
    saved.clone.git(&["checkout", "-q", "--orphan", "fresh"]);
    saved.clone.git(&["rm", "-q", "-r", "--cached", "."]);
    let was = everything(&saved.clone.0);
    let unborn = saved.take().snapshot;
    saved.clone.commit("first.txt", "1\n");
    let undo = saved.restore(&unborn);
    assert_same(&everything(&saved.clone.0), &was, "as it was");
    assert!(saved.clone.git(&["status"]).contains("No commits yet"));
    saved.undo(&undo, &unborn);
    assert_eq!(saved.clone.git(&["log", "--format=%s"]), "change");
    saved.check();
}

#[test]
fn ignored_files_that_git_tracks_are_saved() {
    let saved = SavedClone::new();
    saved.write("Cargo.log", "locked 1\n");
    saved.clone.git(&["add", "-f", "Cargo.log"]);
    let first = saved.take().snapshot;
    saved.write("Cargo.log", "locked 2\n");
    saved.restore(&first);
    assert_eq!(saved.text("Cargo.log"), "locked 1\n");
}

#[test]
fn a_file_that_became_ignored_is_replaced_only_after_it_was_saved() {
    let saved = SavedClone::new();
    saved.write("build.txt", "before\n");
    let first = saved.take().snapshot;
    saved.write(".gitignore", "build.txt\n");
    saved.write("build.txt", "after\n");
    let undo = saved.restore(&first);
    assert_eq!(saved.text("build.txt"), "before\n");
    saved.undo(&undo, &first);
    assert_eq!(saved.text("build.txt"), "after\n");
}

/// The restore removes them with the directory in whose place the file was.
#[test]
fn ignored_directories_without_files_come_back_with_the_undo() {
    let saved = SavedClone::new();
    saved.write("docs", "a file\n");
    let first = saved.take().snapshot;
    fs::remove_file(saved.path("docs")).unwrap();
    saved.write("docs/page.md", "saved\n");
    fs::create_dir_all(saved.path("docs/build.log/target/deps")).unwrap();
    let undo = saved.restore(&first);
    assert_eq!(saved.text("docs"), "a file\n");
    saved.undo(&undo, &first);
    assert_eq!(saved.text("docs/page.md"), "saved\n");
    assert!(saved.path("docs/build.log/target/deps").is_dir());
}

#[test]
fn what_is_in_the_way_and_in_no_checkpoint_stops_the_restore_before_it_begins() {
    let saved = SavedClone::new();
    saved.write("docs", "a file\n");
    let first = saved.take().snapshot;
    fs::remove_file(saved.path("docs")).unwrap();
    saved.write("docs/big.log", "ignored, and nowhere else\n");
    saved.write("README.md", "changed\n");
    let refused = saved.try_restore(&first).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "docs/big.log is in the way: it is in no checkpoint, so it cannot be replaced"
    );
    assert_eq!(saved.text("README.md"), "changed\n", "nothing was restored");
}

/// git keeps no `feature` beside `feature/one`, and a restore makes branches.
#[test]
fn a_branch_that_cannot_stand_beside_another_stops_the_restore_before_it_begins() {
    for (wanted, there) in [("feature", "feature/one"), ("feature/one", "feature")] {
        for pack in [false, true] {
            let saved = SavedClone::new();
            saved.clone.git(&["checkout", "-q", "-b", wanted]);
            let first = saved.take().snapshot;
            saved.clone.git(&["checkout", "-q", "--detach"]);
            saved.clone.git(&["branch", "-q", "-D", wanted]);
            saved.clone.git(&["checkout", "-q", "-b", there]);
            saved.clone.commit("work.txt", "one\n");
            if pack {
                saved.clone.git(&["pack-refs", "--all"]);
            }
            let was = everything(&saved.clone.0);
            let refused = saved.try_restore(&first).unwrap_err();
            assert_eq!(
                refused.to_string(),
                format!(".git/refs/heads/{there} is in the way: it is in no checkpoint, so it cannot be replaced")
            );
            assert_same(&everything(&saved.clone.0), &was, "nothing was restored");
            saved.clone.git(&["branch", "-q", "-m", "away"]);
            saved.restore(&first);
            assert_eq!(saved.clone.git(&["branch", "--show-current"]), wanted);
            saved.clone.git(&["fsck", "--full"]);
        }
    }
}

#[test]
fn empty_directories_where_a_branch_or_a_file_comes_back_give_way() {
    let saved = SavedClone::new();
    saved.clone.git(&["checkout", "-q", "-b", "feature"]);
    saved.write("cache", "a file\n");
    let was = everything(&saved.clone.0);
    let first = saved.take().snapshot;
    saved.clone.git(&["checkout", "-q", "--detach"]);
    saved.clone.git(&["branch", "-q", "-D", "feature"]);
    fs::remove_file(saved.path("cache")).unwrap();
    saved.write(".gitignore", "cache/\n");
    for empty in [".git/refs/heads/feature/one", "cache/of/nothing"] {
        fs::create_dir_all(saved.path(empty)).unwrap();
    }
    saved.restore(&first);
    assert_same(&everything(&saved.clone.0), &was, "as it was");
    assert_eq!(saved.clone.git(&["branch", "--show-current"]), "feature");
}

#[test]
fn nested_repositories_large_files_and_sockets_are_left_out_and_said() {
    let saved = SavedClone::new();
    saved.write("vendor/lib/code.c", "int x;\n");
    Repo(saved.path("vendor/lib")).git(&["init", "-q"]);
    Repo(saved.path("vendor/lib")).commit("code.c", "int y;\n");
    Repo(saved.path("vendor/lib")).git(&["status"]);
    fs::create_dir_all(saved.path("bare-nest")).unwrap();
    Repo(saved.path("bare-nest")).git(&["init", "-q"]);
    saved.write("huge.bin", &"x".repeat(LARGEST as usize + 1));
    let _socket = std::os::unix::net::UnixListener::bind(saved.path("s")).unwrap();
    let taken = saved.take();
    let said: Vec<String> = taken
        .left_out
        .iter()
        .map(|out| format!("{}: {}", out.path.display(), out.reason.words()))
        .collect();
    assert_eq!(
        said,
        [
            "bare-nest: a repository of its own",
            "huge.bin: untracked and too large",
            "s: not a file",
            "vendor/lib: a repository of its own",
        ]
    );
    saved.write("vendor/lib/code.c", "int z;\n");
    saved.write("README.md", "changed\n");
    saved.restore(&taken.snapshot);
    assert_eq!(saved.text("vendor/lib/code.c"), "int z;\n", "it is left alone");
    assert_eq!(saved.text("README.md"), "hello\n");
    saved.check();
}

#[test]
fn a_sparse_checkout_keeps_what_it_shows() {
    let saved = SavedClone::new();
    saved.clone.commit("other/file.txt", "far\n");
    saved
        .clone
        .git(&["sparse-checkout", "set", "--no-cone", "/src/", "/README.md"]);
    assert!(!saved.path("other").exists());
    let was = everything(&saved.clone.0);
    let first = saved.take().snapshot;
    saved.write("src/main.rs", "changed\n");
    saved.clone.git(&["sparse-checkout", "disable"]);
    saved.restore(&first);
    assert_same(&everything(&saved.clone.0), &was, "as it was");
    saved.check();
}

#[test]
fn without_its_git_directory_a_clones_files_are_saved_and_restored() {
    let saved = SavedClone::new();
    saved.write("README.md", "one\n");
    let first = saved.take().snapshot;
    fs::remove_dir_all(saved.path(".git")).unwrap();
    saved.write("README.md", "two\n");
    saved.check();
    let undo = saved.restore(&first);
    assert_eq!(saved.text("README.md"), "one\n");
    saved.undo(&undo, &first);
    assert_eq!(saved.text("README.md"), "two\n");
}

#[test]
fn a_directory_that_forbids_writing_is_restored_and_forbids_it_again() {
    let saved = SavedClone::new();
    saved.write("locked/file.txt", "one\n");
    fs::set_permissions(saved.path("locked"), fs::Permissions::from_mode(0o555)).unwrap();
    let first = saved.take().snapshot;
    let was = everything(&saved.clone.0);
    fs::set_permissions(saved.path("locked"), fs::Permissions::from_mode(0o755)).unwrap();
    saved.write("locked/file.txt", "two\n");
    saved.write("locked/more.txt", "more\n");
    fs::set_permissions(saved.path("locked"), fs::Permissions::from_mode(0o555)).unwrap();
    let undo = saved.restore(&first);
    assert_same(&everything(&saved.clone.0), &was, "as it was");
    saved.undo(&undo, &first);
    assert_eq!(saved.text("locked/more.txt"), "more\n");
    fs::set_permissions(saved.path("locked"), fs::Permissions::from_mode(0o755)).unwrap();
}

/// It is stored and brought back piece by piece.
#[test]
fn a_large_file_comes_back() {
    let saved = SavedClone::new();
    let piece: Vec<u8> = (0..251).collect();
    let content = piece.repeat((33 << 20) / piece.len());
    std::fs::write(saved.path("large.bin"), &content).unwrap();
    saved.clone.git(&["add", "large.bin"]);
    let first = saved.take().snapshot;
    saved.write("large.bin", "small");
    let second = saved.restore(&first);
    assert!(std::fs::read(saved.path("large.bin")).unwrap() == content);
    saved.undo(&second, &first);
    assert_eq!(saved.text("large.bin"), "small");
}
