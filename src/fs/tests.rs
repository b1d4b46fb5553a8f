//! The promises of this room: nothing outside a handle is read, written or removed, whatever lies beneath it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::*;

struct FsStage {
    _temporary: tempfile::TempDir,
    inside: PathBuf,
    outside: PathBuf,
    dir: Dir,
}

fn place() -> FsStage {
    let temporary = tempfile::tempdir().unwrap();
    let (inside, outside) = (temporary.path().join("inside"), temporary.path().join("outside"));
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("secret"), b"secret").unwrap();
    let dir = Dir::open_or_create(&inside).unwrap();
    FsStage {
        _temporary: temporary,
        inside,
        outside,
        dir,
    }
}

/// Every path beneath `root` with its mode and contents (a link's target).
fn manifest(root: &Path) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![root.to_path_buf()];
    while let Some(path) = waiting.pop() {
        let metadata = fs::symlink_metadata(&path).unwrap();
        let contents = if metadata.is_dir() {
            waiting.extend(fs::read_dir(&path).unwrap().map(|e| e.unwrap().path()));
            Vec::new()
        } else if metadata.is_symlink() {
            fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
        } else {
            fs::read(&path).unwrap()
        };
        found.insert(path, (metadata.mode(), contents));
    }
    found
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().mode() & 0o7777
}

#[test]
fn what_is_written_is_private_and_reads_back() {
    let place = place();
    place.dir.create_dir("a/b").unwrap();
    place.dir.write_atomic("a/b/file", b"one").unwrap();
    place.dir.write_atomic("a/b/file", b"two").unwrap();
    assert_eq!(place.dir.read("a/b/file", 3).unwrap().unwrap(), b"two");
    assert_eq!(mode(&place.inside.join("a/b/file")), 0o600);
    assert_eq!(mode(&place.inside.join("a/b")), 0o700);
    let names: Vec<_> = place.dir.entries("a/b").unwrap().into_iter().map(|e| e.name).collect();
    assert_eq!(names, ["file"], "no temporary file is left");
}

#[test]
fn appending_goes_on_at_the_end() {
    let place = place();
    place.dir.append("log").unwrap().write_all(b"one\n").unwrap();
    place.dir.append("log").unwrap().write_all(b"two\n").unwrap();
    assert_eq!(place.dir.read("log", 100).unwrap().unwrap(), b"one\ntwo\n");
    assert_eq!(mode(&place.inside.join("log")), 0o600);
}

#[test]
fn a_missing_file_is_none_and_a_large_one_an_error() {
    let place = place();
    assert_eq!(place.dir.read("nothing/here", 10).unwrap(), None);
    place.dir.write_atomic("large", [0; 11]).unwrap();
    assert!(matches!(
        place.dir.read("large", 10),
        Err(Error::TooLarge { max: 10, .. })
    ));
    assert_eq!(place.dir.read("large", 11).unwrap().unwrap().len(), 11);
}

#[test]
fn paths_that_leave_the_handle_are_refused() {
    let place = place();
    for path in [
        "",
        "..",
        "a/../../outside/secret",
        "/etc/passwd",
        "a\0b",
        "../outside/secret",
    ] {
        assert!(matches!(place.dir.read(path, 10), Err(Error::Path { .. })), "{path:?}");
        assert!(
            matches!(place.dir.write_atomic(path, b""), Err(Error::Path { .. })),
            "{path:?}"
        );
        assert!(
            matches!(place.dir.remove_tree(path), Err(Error::Path { .. })),
            "{path:?}"
        );
        assert!(
            matches!(place.dir.create_dir(path), Err(Error::Path { .. })),
            "{path:?}"
        );
    }
    assert!(
        place.dir.remove_tree(".").is_err(),
        "the handle itself is not removed through itself"
    );
}

#[test]
fn a_link_at_any_component_is_not_followed() {
    let place = place();
    let before = manifest(&place.outside);
    place.dir.create_dir("a/b").unwrap();
    for link in ["top", "a/middle", "a/b/low"] {
        symlink(&place.outside, place.inside.join(link)).unwrap();
        let through = format!("{link}/secret");
        assert!(place.dir.read(&through, 100).unwrap_err().is_blocked(), "{link}");
        assert!(
            place.dir.write_atomic(&through, b"x").unwrap_err().is_blocked(),
            "{link}"
        );
        assert!(place.dir.append(&through).unwrap_err().is_blocked(), "{link}");
        assert!(place.dir.remove_file(&through).unwrap_err().is_blocked(), "{link}");
        assert!(place.dir.remove_tree(&through).unwrap_err().is_blocked(), "{link}");
        assert!(place.dir.entries(link).unwrap_err().is_blocked(), "{link}");
        assert!(
            place.dir.create_dir(format!("{link}/new")).unwrap_err().is_blocked(),
            "{link}"
        );
        assert!(
            place
                .dir
                .rename(&through, &place.dir, "stolen")
                .unwrap_err()
                .is_blocked(),
            "{link}"
        );
        assert!(place.dir.symlink("x", &through).unwrap_err().is_blocked(), "{link}");
    }
    assert_eq!(manifest(&place.outside), before);
}

#[test]
fn a_link_at_the_end_is_replaced_by_a_write_and_refused_by_a_read() {
    let place = place();
    let before = manifest(&place.outside);
    symlink(place.outside.join("secret"), place.inside.join("file")).unwrap();
    assert!(place.dir.read("file", 100).unwrap_err().is_blocked());
    assert!(place.dir.append("file").unwrap_err().is_blocked());
    place.dir.write_atomic("file", b"mine").unwrap();
    assert_eq!(place.dir.read("file", 100).unwrap().unwrap(), b"mine");
    assert_eq!(manifest(&place.outside), before);
}

#[test]
fn a_fifo_and_a_directory_are_no_files_and_do_not_block() {
    let place = place();
    place.dir.create_dir("dir").unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(place.inside.join("fifo"))
        .status()
        .unwrap();
    assert!(made.success());
    assert!(matches!(place.dir.read("fifo", 10), Err(Error::NotAFile { .. })));
    assert!(matches!(place.dir.append("fifo"), Err(Error::NotAFile { .. })));
    assert!(matches!(place.dir.read("dir", 10), Err(Error::NotAFile { .. })));
    assert_eq!(place.dir.metadata("fifo").unwrap().unwrap().kind, DirEntryKind::Other);
}

#[test]
fn a_link_is_made_read_and_replaced() {
    let place = place();
    place.dir.symlink("AGENTS.md", "CLAUDE.md").unwrap();
    place.dir.symlink("OTHER.md", "CLAUDE.md").unwrap();
    assert_eq!(place.dir.read_link("CLAUDE.md").unwrap(), Some("OTHER.md".into()));
    place.dir.write_atomic("file", b"").unwrap();
    assert_eq!(place.dir.read_link("file").unwrap(), None);
    assert_eq!(
        place.dir.metadata("CLAUDE.md").unwrap().unwrap().kind,
        DirEntryKind::Link
    );
}

#[test]
fn a_directory_whose_way_has_become_a_link_is_not_opened() {
    let place = place();
    let inside = place.inside.canonicalize().unwrap();
    place.dir.create_dir("a/b").unwrap();
    assert!(Dir::open_unlinked(inside.join("a/b")).unwrap().entries(".").is_ok());
    fs::rename(inside.join("a"), inside.join("c")).unwrap();
    symlink("c", inside.join("a")).unwrap();
    assert!(Dir::open(inside.join("a/b")).is_ok());
    assert!(Dir::open_unlinked(inside.join("a/b")).is_err());
    symlink("b", inside.join("c/leaf")).unwrap();
    assert!(Dir::open_unlinked(inside.join("c/leaf")).is_err());
}

#[test]
fn a_claimed_name_cannot_be_claimed_again() {
    let place = place();
    place.dir.create_new_dir("one").unwrap();
    assert_eq!(
        place.dir.create_new_dir("one").unwrap_err().kind(),
        std::io::ErrorKind::AlreadyExists
    );
}

#[test]
fn what_may_not_be_written_any_more_can_be_again_and_can_be_removed() {
    let place = place();
    let before = manifest(&place.outside);
    place.dir.create_dir("tree/.git/objects").unwrap();
    place.dir.create_dir("tree/src/deeper").unwrap();
    place.dir.write_atomic("tree/src/deeper/file", b"x").unwrap();
    place.dir.write_atomic("tree/run.sh", b"x").unwrap();
    place.dir.set_executable("tree/run.sh").unwrap();
    place.dir.write_atomic("tree/.git/HEAD", b"x").unwrap();
    symlink(place.outside.join("secret"), place.inside.join("tree/src/link")).unwrap();
    place.dir.forbid_writing("tree", ".git").unwrap();
    let modes = [
        "tree",
        "tree/src/deeper",
        "tree/src/deeper/file",
        "tree/run.sh",
        "tree/.git",
        "tree/.git/HEAD",
    ];
    assert_eq!(
        modes.map(|path| mode(&place.inside.join(path))),
        [0o500, 0o500, 0o400, 0o500, 0o700, 0o600]
    );
    place.dir.allow_writing("tree", ".git").unwrap();
    assert_eq!(
        modes.map(|path| mode(&place.inside.join(path))),
        [0o700, 0o700, 0o600, 0o700, 0o700, 0o600]
    );
    place.dir.forbid_writing("tree", ".git").unwrap();
    assert_eq!(manifest(&place.outside), before);
    place.dir.remove_tree("tree").unwrap();
    assert_eq!(place.dir.entries(".").unwrap(), []);
}

#[test]
fn removing_a_tree_takes_links_and_locked_directories_but_nothing_outside() {
    let place = place();
    let before = manifest(&place.outside);
    place.dir.create_dir("tree/locked/deeper").unwrap();
    place.dir.write_atomic("tree/locked/deeper/file", b"x").unwrap();
    symlink(&place.outside, place.inside.join("tree/link-to-directory")).unwrap();
    symlink(
        place.outside.join("secret"),
        place.inside.join("tree/locked/link-to-file"),
    )
    .unwrap();
    fs::hard_link(place.outside.join("secret"), place.inside.join("tree/hard")).unwrap();
    for (path, mode) in [("tree/locked/deeper", 0o000), ("tree/locked", 0o555)] {
        fs::set_permissions(place.inside.join(path), fs::Permissions::from_mode(mode)).unwrap();
    }
    place.dir.remove_tree("tree").unwrap();
    assert_eq!(place.dir.entries(".").unwrap(), []);
    assert_eq!(manifest(&place.outside), before);
    place.dir.remove_tree("tree").unwrap();
}

#[test]
fn removing_a_link_to_a_tree_leaves_the_tree() {
    let place = place();
    let before = manifest(&place.outside);
    symlink(&place.outside, place.inside.join("link")).unwrap();
    place.dir.remove_tree("link").unwrap();
    assert_eq!(place.dir.metadata("link").unwrap(), None);
    assert_eq!(manifest(&place.outside), before);
}

#[test]
fn a_very_deep_tree_is_removed() {
    let place = place();
    let mut dir = place.dir.create_dir("tree").unwrap();
    for _ in 0..1500 {
        dir = dir.create_dir("down").unwrap();
    }
    dir.write_atomic("file", b"x").unwrap();
    place.dir.remove_tree("tree").unwrap();
    assert_eq!(place.dir.entries(".").unwrap(), []);
}

#[test]
fn a_tree_that_is_still_written_to_is_removed_once_the_writer_stops() {
    let place = place();
    place.dir.create_dir("tree/a").unwrap();
    let tree = place.inside.join("tree");
    let writer = std::thread::spawn(move || {
        for n in 0..2000 {
            // The directory goes away under the writer: then it has nothing more to do.
            if fs::write(tree.join("a").join(n.to_string()), b"x").is_err() {
                return;
            }
        }
    });
    place.dir.remove_tree("tree").unwrap();
    writer.join().unwrap();
    assert_eq!(place.dir.metadata("tree").unwrap(), None);
}

#[test]
fn errors_say_what_and_where() {
    let place = place();
    let missing = place.dir.dir("nothing").unwrap_err();
    assert!(missing.is_missing());
    assert!(
        missing.to_string().ends_with("inside/nothing: it does not exist"),
        "{missing}"
    );
    let full = Error::io("writing", Path::new("/home/me/x"), rustix::io::Errno::NOSPC);
    assert!(full.is_full_disk());
    assert_eq!(
        full.to_string(),
        "writing /home/me/x: the disk is full; free some space"
    );
}

#[test]
fn names_are_taken_as_they_are_or_refused() {
    for good in [
        "parlour",
        "my app",
        "日本語",
        "a.b",
        "émoji-🎉",
        "x".repeat(100).as_str(),
    ] {
        assert_eq!(SafeName::parse(good).unwrap().as_str(), good);
    }
    for bad in [
        "",
        ".",
        "..",
        ".git",
        "-rf",
        "a/b",
        "a\\b",
        "a\0",
        "a\nb",
        "\u{1b}[31m",
        "a\u{202E}b",
        "a\u{200B}b",
        " a",
        "a ",
        "a\u{E0041}",
        "\u{FEFF}a",
        "x".repeat(101).as_str(),
    ] {
        assert!(SafeName::parse(bad).is_err(), "{bad:?}");
    }
}

#[test]
fn a_slug_keeps_letters_and_digits() {
    assert_eq!(slug("Fix the Login: OAuth2!"), "fix-the-login-oauth2");
    assert_eq!(slug("日本"), "x");
    let long = format!("{} tail", "a".repeat(39));
    assert_eq!(slug(&long), "a".repeat(39), "a cut never ends in a dash");
}

proptest! {
    #[test]
    fn any_text_makes_a_slug_that_is_a_safe_name(text in any::<String>()) {
        let slug = slug(&text);
        prop_assert!((1..=40).contains(&slug.len()));
        prop_assert!(slug.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'));
        prop_assert!(SafeName::parse(&slug).is_ok());
    }

    #[test]
    fn no_path_reaches_outside_the_handle(parts in prop::collection::vec(
        prop::sample::select(vec!["..", ".", "a", "up", "out", "", "secret", "/", "\0", "inside", "outside"]), 0..6)) {
        let place = place();
        place.dir.create_dir("a/a").unwrap();
        symlink("..", place.inside.join("a/up")).unwrap();
        symlink(&place.outside, place.inside.join("a/out")).unwrap();
        symlink("../outside", place.inside.join("out")).unwrap();
        let before = manifest(&place.outside);
        let path = parts.join("/");
        if let Ok(Some(bytes)) = place.dir.read(&path, 100) {
            prop_assert_ne!(bytes, b"secret".to_vec());
        }
        let _ = place.dir.write_atomic(&path, b"mine");
        let _ = place.dir.create_dir(&path);
        let _ = place.dir.symlink("x", &path);
        let _ = place.dir.remove_tree(&path);
        prop_assert_eq!(manifest(&place.outside), before);
    }

    #[test]
    fn a_safe_name_is_one_component(name in any::<String>()) {
        if let Ok(name) = SafeName::parse(&name) {
            let path = Path::new("root").join(&name);
            prop_assert_eq!(path.parent(), Some(Path::new("root")));
        }
    }
}
