//! Any sequence of changes: a restore and its undo are the same to the byte.

use proptest::prelude::*;

use super::*;

/// Names that collide as files and as directories.
const NAMES: [&str; 9] = [
    "a",
    "a/b",
    "a/b/c",
    "b",
    "b/x.log",
    "src/main.rs",
    "README.md",
    "keep/.gitignore",
    "z/deep/er",
];

#[derive(Debug, Clone)]
enum RandomStep {
    Write(usize, u16),
    Large(usize),
    Remove(usize),
    Rename(usize, usize),
    Mode(usize, u32),
    Link(usize, usize),
    EmptyDir(usize),
    Stage(usize),
    Unstage,
    Commit,
    Branch(u8),
    Ignore(usize),
    Clean,
}

fn step() -> impl Strategy<Value = RandomStep> {
    let name = 0..NAMES.len();
    prop_oneof![
        6 => (name.clone(), any::<u16>()).prop_map(|(name, seed)| RandomStep::Write(name, seed)),
        1 => name.clone().prop_map(RandomStep::Large),
        3 => name.clone().prop_map(RandomStep::Remove),
        2 => (name.clone(), name.clone()).prop_map(|(from, to)| RandomStep::Rename(from, to)),
        2 => (name.clone(), prop::sample::select(vec![0o600, 0o644, 0o755, 0o700])).prop_map(|(name, mode)| RandomStep::Mode(name, mode)),
        1 => (name.clone(), name.clone()).prop_map(|(name, to)| RandomStep::Link(name, to)),
        1 => name.clone().prop_map(RandomStep::EmptyDir),
        2 => name.clone().prop_map(RandomStep::Stage),
        1 => Just(RandomStep::Unstage),
        2 => Just(RandomStep::Commit),
        1 => (0u8..3).prop_map(RandomStep::Branch),
        1 => name.prop_map(RandomStep::Ignore),
        1 => Just(RandomStep::Clean),
    ]
}

/// Carries a step out as an agent would: what git or the file system refuses is no harm.
fn act(saved: &SavedClone, step: &RandomStep) {
    let path = |name: usize| saved.path(NAMES[name]);
    let make_room = |name: usize| drop(fs::create_dir_all(path(name).parent().unwrap()));
    let git = |arguments: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.args(["-c", "user.name=T", "-c", "user.email=t@example.com"]);
        git.args(arguments).current_dir(&saved.clone.0);
        git.env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap();
    };
    match step {
        RandomStep::Write(name, seed) => {
            make_room(*name);
            let _ = fs::write(path(*name), format!("{seed}\n").repeat(usize::from(*seed % 50)));
        }
        RandomStep::Large(name) => {
            make_room(*name);
            let _ = fs::write(path(*name), vec![b'x'; LARGEST as usize + 10]);
        }
        RandomStep::Remove(name) => drop(fs::remove_file(path(*name)).or_else(|_| fs::remove_dir_all(path(*name)))),
        RandomStep::Rename(from, to) => {
            make_room(*to);
            let _ = fs::rename(path(*from), path(*to));
        }
        RandomStep::Mode(name, mode) => {
            let is_file = fs::symlink_metadata(path(*name)).is_ok_and(|found| found.is_file());
            let mode = if is_file { *mode } else { mode | 0o700 };
            if fs::symlink_metadata(path(*name)).is_ok_and(|found| !found.is_symlink()) {
                let _ = fs::set_permissions(path(*name), fs::Permissions::from_mode(mode));
            }
        }
        RandomStep::Link(name, to) => {
            make_room(*name);
            let _ = std::os::unix::fs::symlink(NAMES[*to], path(*name));
        }
        RandomStep::EmptyDir(name) => drop(fs::create_dir_all(path(*name))),
        RandomStep::Stage(name) => git(&["add", "-A", "--", NAMES[*name]]),
        RandomStep::Unstage => git(&["reset", "-q"]),
        RandomStep::Commit => git(&["commit", "-q", "-a", "-m", "step"]),
        RandomStep::Branch(number) => git(&["checkout", "-q", "-B", &format!("side-{number}")]),
        RandomStep::Ignore(name) => saved.write(".git/info/exclude", &format!("{}\n", NAMES[*name])),
        RandomStep::Clean => git(&["gc", "-q", "--prune=now"]),
    }
}

/// What a checkpoint holds of all that is there.
fn covered(saved: &SavedClone, snapshot: &Snapshot, of: &Everything) -> Everything {
    let files = saved.store.paths(snapshot).unwrap();
    of.only(|path| path.starts_with(".git") || files.contains(path))
}

/// Where a branch and a commit stand.
fn refs(saved: &SavedClone) -> String {
    let read = |arguments: &[&str]| saved.clone.git(arguments);
    format!("{}\n{}", read(&["for-each-ref"]), read(&["symbolic-ref", "HEAD"]))
}

fn cases() -> u32 {
    std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a_restore_and_its_undo_are_the_same_to_the_byte(
        before in prop::collection::vec(step(), 0..12),
        after in prop::collection::vec(step(), 0..12),
    ) {
        let saved = SavedClone::new();
        for step in &before {
            act(&saved, step);
        }
        let first = saved.take().snapshot;
        let was = covered(&saved, &first, &everything(&saved.clone.0));
        for step in &after {
            act(&saved, step);
        }
        let (later, refs_later) = (everything(&saved.clone.0), refs(&saved));
        match saved.try_restore(&first) {
            Ok(undo) => {
                let now = covered(&saved, &first, &everything(&saved.clone.0));
                prop_assert!(now == was, "the restore:\n{}", now.differences(&was));
                saved.undo(&undo, &first);
                let now = everything(&saved.clone.0);
                prop_assert!(now == later, "the undo:\n{}", now.differences(&later));
                prop_assert_eq!(refs(&saved), refs_later);
            }
            Err(Error::InTheWay { .. }) => {
                let now = everything(&saved.clone.0);
                prop_assert!(now == later, "nothing began:\n{}", now.differences(&later));
            }
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        }
        saved.check();
    }
}
