//! Clones that an agent has laid traps in.

use super::*;

#[test]
fn nothing_that_a_clone_configures_is_run() {
    let saved = SavedClone::new();
    let ran = saved.home.user().join("ran");
    let trap = saved.home.user().join("bin/trap");
    script(&trap, &format!("echo \"$0 $*\" >> {}; cat", ran.display()));
    let trap = trap.display();
    let config = format!(
        "[core]\n\tfsmonitor = {trap}\n\thooksPath = {0}\n\tsshCommand = {trap}\n[filter \"x\"]\n\tclean = {trap}\n\tsmudge = \
         {trap}\n\tprocess = {trap}\n[diff \"x\"]\n\tcommand = {trap}\n\ttextconv = {trap}\n",
        saved.home.user().join("bin").display()
    );
    let file = saved.path(".git/config");
    fs::write(&file, fs::read_to_string(&file).unwrap() + &config).unwrap();
    saved.write(".gitattributes", "* filter=x diff=x text eol=crlf\n");
    for hook in [
        "pre-commit",
        "post-checkout",
        "reference-transaction",
        "post-index-change",
    ] {
        script(
            &saved.path(&format!(".git/hooks/{hook}")),
            &format!("echo {hook} >> {}", ran.display()),
        );
    }
    saved.write("crlf.txt", "a\r\nb\n");
    let first = saved.take().snapshot;
    saved.write("crlf.txt", "changed\n");
    saved.restore(&first);
    assert_eq!(saved.text("crlf.txt"), "a\r\nb\n", "bytes are bytes");
    assert!(!ran.exists(), "{}", fs::read_to_string(&ran).unwrap_or_default());
    saved.check();
}

#[test]
fn a_fifo_in_the_place_of_a_list_or_a_ref_holds_up_nobody() {
    let saved = SavedClone::new();
    for place in [".gitignore", ".git/info/exclude", ".git/MERGE_HEAD", "pipe"] {
        let path = saved.path(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let _ = fs::remove_file(&path);
        assert!(
            std::process::Command::new("mkfifo")
                .arg(&path)
                .status()
                .unwrap()
                .success()
        );
    }
    let taken = saved.take();
    assert!(taken.left_out.iter().any(|out| out.path == Path::new("pipe")));
}

#[test]
fn a_link_leads_neither_reading_nor_writing_out_of_the_clone() {
    let saved = SavedClone::new();
    let outside = saved.home.user().join("outside");
    fs::create_dir_all(&outside).unwrap();
    fs::write(outside.join("secret.txt"), "secret\n").unwrap();
    saved.write("dir/secret.txt", "mine\n");
    let first = saved.take().snapshot;
    fs::remove_dir_all(saved.path("dir")).unwrap();
    std::os::unix::fs::symlink(&outside, saved.path("dir")).unwrap();
    let undo = saved.restore(&first);
    assert_eq!(fs::read_to_string(outside.join("secret.txt")).unwrap(), "secret\n");
    assert_eq!(saved.text("dir/secret.txt"), "mine\n");
    saved.undo(&undo, &first);
    assert_eq!(fs::read_link(saved.path("dir")).unwrap(), outside);
    // The same with the git directory's own folders.
    let refs = saved.home.user().join("refs");
    fs::rename(saved.path(".git/refs"), &refs).unwrap();
    std::os::unix::fs::symlink(&refs, saved.path(".git/refs")).unwrap();
    saved.clone.commit("more.txt", "more\n");
    let before = manifest(&refs);
    let refused = saved.try_restore(&first).unwrap_err().to_string();
    assert!(refused.starts_with(".git/refs/heads is in the way"), "{refused}");
    assert_eq!(saved.text("more.txt"), "more\n", "nothing began");
    assert_eq!(manifest(&refs), before);
}

#[test]
fn names_that_hide_something_are_saved_as_they_are() {
    use std::os::unix::ffi::OsStrExt;
    let saved = SavedClone::new();
    let names: [&[u8]; 7] = [
        b"line\nbreak",
        b"\xff\xfe bytes",
        "\u{202e}gnp.exe".as_bytes(),
        b"\x1b[31mred",
        b" space ",
        b"back\\slash",
        b"-rf",
    ];
    for name in names {
        fs::write(saved.clone.0.join(std::ffi::OsStr::from_bytes(name)), name).unwrap();
    }
    let was = everything(&saved.clone.0);
    let first = saved.take();
    assert_eq!(first.left_out, []);
    for name in names {
        fs::remove_file(saved.clone.0.join(std::ffi::OsStr::from_bytes(name))).unwrap();
    }
    saved.restore(&first.snapshot);
    assert_same(&everything(&saved.clone.0), &was, "as it was");
    saved.check();
}

#[test]
fn a_broken_memory_of_what_was_read_costs_time_only() {
    let saved = SavedClone::new();
    saved.take();
    let index = saved
        .home
        .user()
        .join(".parlour/records/one/checkpoints/grove.git/seen");
    fs::write(&index, "garbage").unwrap();
    saved.write("README.md", "changed\n");
    assert!(saved.take().is_new);
    assert!(!saved.take().is_new);
    saved.check();
}

#[test]
fn a_file_that_changes_between_the_checkpoint_and_the_restore_stops_it() {
    let saved = SavedClone::new();
    let first = saved.take().snapshot;
    saved.write("README.md", "second\n");
    let cancel = CancelFlag::default();
    let now = saved
        .store
        .take(&saved.dir(), &saved.options(&[], &cancel))
        .unwrap()
        .snapshot;
    saved.write("README.md", "and somebody else\n");
    let refused = saved
        .store
        .restore(&saved.dir(), (&now, &first), Scope::FilesAndGit, &cancel)
        .unwrap_err();
    assert_eq!(refused.to_string(), "README.md changed meanwhile");
    assert_eq!(saved.text("README.md"), "and somebody else\n");
}

/// So deep that a walk which calls itself for each level would end the engine.
#[test]
fn a_tree_without_end_in_the_place_of_a_file_stops_the_restore_before_it_begins() {
    let saved = SavedClone::new();
    saved.write("docs", "a file\n");
    let first = saved.take().snapshot;
    fs::remove_file(saved.path("docs")).unwrap();
    let mut level = saved.dir();
    for _ in 0..5_000 {
        level = level.create_dir("docs").unwrap();
    }
    let refused = saved.try_restore(&first).unwrap_err().to_string();
    assert!(
        refused.contains("is in the way: it is in no checkpoint"),
        "{}",
        refused.get(refused.len().saturating_sub(90)..).unwrap_or(&refused)
    );
    assert!(saved.path("docs").is_dir());
}
