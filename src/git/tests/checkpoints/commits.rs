//! One commit compared with the one before.

use super::*;

#[test]
fn a_commit_is_found_by_whatever_git_calls_it() {
    let saved = SavedClone::new();
    saved.write("new.txt", "one\n");
    saved.clone.git(&["add", "-A"]);
    saved.clone.git(&["commit", "-q", "-m", "add new.txt"]);
    saved.clone.git(&["tag", "mark"]);
    saved.write("new.txt", "two\n");
    saved.clone.git(&["commit", "-q", "-am", "change new.txt"]);
    let cancel = CancelFlag::default();
    let now = saved.store.now(&saved.dir(), &saved.options(&[], &cancel)).unwrap();
    let branch = saved.clone.git(&["rev-parse", "--abbrev-ref", "HEAD"]);
    let hash = saved.clone.git(&["rev-parse", "HEAD~1"]);
    let kinds = |name: &str| {
        let (from, to) = saved.store.commit(&now, name).unwrap()?;
        let changes = saved.store.changes(from, to).unwrap();
        Some(
            changes
                .into_iter()
                .map(|change| (change.kind, change.added, change.removed))
                .collect::<Vec<_>>(),
        )
    };
    use crate::model::diff::FileKind::{Added, Modified};
    for name in ["HEAD", branch.as_str(), "HEAD~0"] {
        assert_eq!(kinds(name), Some(vec![(Modified, 1, 1)]), "{name}");
    }
    for name in ["HEAD~1", "HEAD^", "mark", &hash, &hash[..9]] {
        assert_eq!(kinds(name), Some(vec![(Added, 1, 0)]), "{name}");
    }
    for name in ["nothing", "HEAD~999", "", "0000000000", "HEAD:new.txt", "mark:"] {
        assert_eq!(kinds(name), None, "{name}");
    }
    // All of one second, a parent never comes before its child.
    let listed = saved.store.commits(&now, 2).unwrap();
    let ids: Vec<&str> = listed.iter().map(|commit| commit.id.as_str()).collect();
    assert_eq!(ids, [saved.clone.git(&["rev-parse", "HEAD"]).as_str(), hash.as_str()]);
    assert_eq!(listed[0].subject, "change new.txt");
}
