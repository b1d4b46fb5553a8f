//! Whether the system lets as many directories be watched as there are chats.

use std::path::Path;

use super::report::DoctorReport;
use crate::fs::{Dir, DirEntryKind};

/// Linux has it; what has no such file has no such limit.
const LIMIT: &str = "/proc/sys/fs/inotify/max_user_watches";
/// A chat's own directory and its `projects`.
const A_CHAT: usize = 2;
/// A clone's git directory, its branches and their logs.
const A_CLONE: usize = 3;

pub fn check(home: &Dir, report: &mut DoctorReport) {
    let limit = std::fs::read_to_string(LIMIT).ok();
    if let Some(limit) = limit.and_then(|text| text.trim().parse().ok()) {
        judge(wanted(home), limit, report);
    }
}

fn wanted(home: &Dir) -> usize {
    let beneath = |place: &Path| home.entries(place).unwrap_or_default();
    let chats = beneath(Path::new("chats"));
    let clones = chats.iter().map(|chat| {
        let projects = Path::new("chats").join(&chat.name).join("projects");
        let there = beneath(&projects);
        there.iter().filter(|project| project.kind == DirEntryKind::Dir).count()
    });
    chats.len() * A_CHAT + clones.sum::<usize>() * A_CLONE
}

fn judge(wanted: usize, limit: usize, report: &mut DoctorReport) {
    if wanted > limit {
        let what = format!("parlour would watch {wanted} directories, and the system allows {limit} for all programs");
        let hint =
            "raise fs.inotify.max_user_watches with sysctl; until then others' changes in some chats are seen late";
        report.problem(what, Path::new(LIMIT), hint);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chats_and_their_clones_are_counted_against_the_limit() {
        let home = tempfile::tempdir().unwrap();
        for place in ["chats/abcdefghij/projects/grove", "chats/bcdefghijk/projects"] {
            std::fs::create_dir_all(home.path().join(place)).unwrap();
        }
        let wanted = wanted(&Dir::open(home.path()).unwrap());
        assert_eq!(wanted, 7);
        let problems = |limit: usize| {
            let mut report = DoctorReport::default();
            judge(wanted, limit, &mut report);
            report.problems.len()
        };
        assert_eq!([problems(6), problems(7)], [1, 0]);
    }
}
