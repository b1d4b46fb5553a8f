//! What a checkpoint does not hold: it is never removed for that, and a checkpoint is whole or there is none.

use std::process::Command;

use super::*;

/// Runs a test of this file again in a process of its own, which may have so few files open.
fn again_with(descriptors: u32, test: &str) {
    let test = format!("git::tests::checkpoints::left_out::{test}");
    let output = Command::new("sh")
        .args(["-c", "ulimit -n $0 && exec \"$@\"", &descriptors.to_string()])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", &test, "--test-threads", "1"])
        .env("PARLOUR_FEW_FILES", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

fn is_again() -> bool {
    std::env::var_os("PARLOUR_FEW_FILES").is_some()
}

#[test]
fn what_a_checkpoint_left_out_stays_when_it_is_gone_back_to() {
    let saved = SavedClone::new();
    let huge = "x".repeat(LARGEST as usize + 1);
    saved.write("huge.bin", &huge);
    saved.write("nested/code.c", "int x;\n");
    fs::create_dir(saved.path("nested/empty")).unwrap();
    Repo(saved.path("nested")).git(&["init", "-q"]);
    let first = saved.take().snapshot;

    fs::remove_dir_all(saved.path("nested/.git")).unwrap();
    saved.clone.commit("huge.bin", &huge);
    saved.clone.commit("nested/code.c", "int y;\n");
    saved.write("new.txt", "new\n");
    let later = everything(&saved.clone.0);
    let now = saved.take().snapshot;
    let plan = saved.store.plan(&saved.dir(), &now, &first).unwrap();
    assert_eq!(plan.staying, [Path::new("huge.bin"), Path::new("nested")]);
    let changes: Vec<&Path> = plan.changes.iter().map(|change| change.path.as_path()).collect();
    assert_eq!(changes, [Path::new("new.txt")]);

    let undo = saved.restore(&first);
    assert!(!saved.path("new.txt").exists(), "the rest goes back");
    assert_eq!(saved.text("huge.bin"), huge);
    assert_eq!(saved.text("nested/code.c"), "int y;\n");
    assert!(saved.path("nested/empty").exists());
    saved.undo(&undo, &first);
    assert_same(&everything(&saved.clone.0), &later, "the undo");
    saved.check();
}

#[test]
fn a_directory_that_is_kept_for_what_is_ignored_keeps_its_mode() {
    let saved = SavedClone::new();
    let first = saved.take().snapshot;
    saved.write("private/notes.txt", "mine\n");
    saved.write("private/secret.log", "ignored\n");
    fs::set_permissions(saved.path("private"), fs::Permissions::from_mode(0o700)).unwrap();
    saved.restore(&first);
    assert_eq!(saved.text("private/secret.log"), "ignored\n");
    let mode = fs::metadata(saved.path("private")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

/// An agent may make a directory for each of its runs. More than these are open at once nowhere.
#[test]
fn a_wide_tree_is_saved_whole_with_few_descriptors() {
    if !is_again() {
        return again_with(400, "a_wide_tree_is_saved_whole_with_few_descriptors");
    }
    let saved = SavedClone::new();
    let run = |number: u32| format!("runs/{number}/result.txt");
    for number in 0..1500 {
        saved.write(&run(number), "done\n");
    }
    let first = saved.take();
    assert_eq!(first.left_out, []);
    let was = everything(&saved.clone.0);
    saved.write("new.txt", "new\n");
    let later = everything(&saved.clone.0);
    let undo = saved.restore(&first.snapshot);
    assert_same(&everything(&saved.clone.0), &was, "the restore");
    saved.undo(&undo, &first.snapshot);
    assert_same(&everything(&saved.clone.0), &later, "the undo");
}

#[test]
fn however_few_descriptors_are_left_a_checkpoint_is_whole_or_fails() {
    if !is_again() {
        return again_with(300, "however_few_descriptors_are_left_a_checkpoint_is_whole_or_fails");
    }
    let saved = SavedClone::new();
    saved.clone.git(&["branch", "packed"]);
    saved.clone.git(&["pack-refs", "--all"]);
    saved.clone.git(&["checkout", "-q", "-b", "side/loose"]);
    saved.clone.commit("docs/deep/er/page.md", "page\n");
    saved.write("forced.log", "ignored, and tracked\n");
    saved.clone.git(&["add", "-f", "forced.log"]);
    saved.write("kept/.gitignore", "*.tmp\n");
    saved.write("kept/much.tmp", "ignored\n");
    saved.write("kept/new.txt", "new\n");
    std::os::unix::fs::symlink("src/main.rs", saved.path("link")).unwrap();
    let whole = saved.take();
    assert!(whole.is_new && whole.left_out.is_empty());
    let mut failed = Vec::new();
    for left in 0..60 {
        // All is read again.
        fs::remove_file(saved.store_path().join("seen")).unwrap();
        let (store, dir) = (saved.store_again(), saved.dir());
        let cancel = CancelFlag::default();
        let options = saved.options(&[], &cancel);
        let mut held: Vec<fs::File> = std::iter::from_fn(|| fs::File::open("/dev/null").ok()).collect();
        assert!(held.len() > 60);
        held.truncate(held.len() - left);
        let taken = store.take(&dir, &options);
        drop(held);
        match taken {
            Ok(taken) => {
                assert_eq!(taken.left_out, [], "with {left}");
                let plan = store.plan(&dir, &taken.snapshot, &whole.snapshot).unwrap();
                assert_eq!((plan.changes, plan.head), (Vec::new(), None), "with {left}");
                assert!(!taken.is_new, "with {left}: nothing has changed");
            }
            Err(error) => failed.push((left, error.to_string())),
        }
        if !saved.store_path().join("seen").exists() {
            saved.take();
        }
    }
    assert!(failed.len() > 2 && failed.len() < 50, "{failed:?}");
    assert!(
        failed.iter().any(|(_, said)| said.contains("too many files are open")),
        "{failed:?}"
    );
    assert_eq!(saved.store.snapshots().unwrap().len(), 1);
    saved.check();
}
