//! Whole outputs that an agent's CLI keeps beside its transcript, where it cut them there.
//!
//! What a transcript names is an agent's word: only a file in the CLI's own folder for this session is read, through no
//! link, and no more of it than is kept.

use std::io::Read;
use std::path::{Component, Path};

use crate::agents::KeptOutputs;
use crate::fs::Dir;
use crate::model::entry::Cut;
use crate::model::{Happened, Reported, Streamed};

/// The most that is kept of one output.
const MOST: u64 = 16 << 20;

/// Puts whole outputs, as a person would read them, in the place of what is left of them.
pub(super) fn complete(told: &mut [Reported], kept: Option<&KeptOutputs>, read_by_person: impl Fn(String) -> String) {
    for Reported { what, .. } in told {
        if let Some((whole, rest)) = claimed(what).and_then(|path| read(kept?, path)) {
            let text = read_by_person(String::from_utf8_lossy(&whole).into_owned());
            replace(what, text, rest);
        }
    }
}

/// Whether any of it is said to lie whole somewhere.
pub(super) fn is_any_kept(said: &[Streamed]) -> bool {
    let mut told = said.iter();
    told.any(|said| matches!(said, Streamed::Reported(told) if claimed(&told.what).is_some()))
}

fn claimed(what: &Happened) -> Option<&Path> {
    let Happened::ToolEnd { whole, .. } = what else {
        return None;
    };
    whole.as_deref()
}

/// The beginning of the file, and how many bytes of it are left out.
fn read(kept: &KeptOutputs, claimed: &Path) -> Option<(Vec<u8>, u64)> {
    let below = claimed.strip_prefix(&kept.root).ok()?;
    let plain = below.components().all(|part| matches!(part, Component::Normal(_)));
    if !plain || !below.starts_with(&kept.folder) {
        return None;
    }
    let file = Dir::open(&kept.root).ok()?.open_file(below).ok()??;
    let length = file.metadata().ok()?.len();
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes).ok()?;
    let rest = length.saturating_sub(bytes.len() as u64);
    Some((bytes, rest))
}

fn replace(what: &mut Happened, text: String, rest: u64) {
    if let Happened::ToolEnd { id, status, ms, .. } = what {
        let mut whole = Happened::tool_ended(id.clone(), *status, text, *ms);
        if let (Happened::ToolEnd { cut, bytes, .. }, true) = (&mut whole, rest > 0) {
            *cut = Some(Cut::Parlour);
            *bytes += rest;
        }
        *what = whole;
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    use super::*;
    use crate::model::entry::ToolStatus;

    /// How much is known of an output whose beginning is `cut` and whose whole is said to be at that path.
    fn known(kept: &KeptOutputs, path: PathBuf) -> (u64, Option<Cut>) {
        let ended = Happened::tool_ended("t1", ToolStatus::Ok, "cut".into(), None);
        let mut told = [ended.cut_by_cli(Some(path)).into()];
        complete(&mut told, Some(kept), |text| text);
        match &told[0].what {
            Happened::ToolEnd { bytes, cut, .. } => (*bytes, *cut),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn only_what_lies_in_the_clis_own_folder_is_read_and_no_more_than_is_kept() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().join("projects");
        let folder = root.join("slug/session/tool-results");
        fs::create_dir_all(&folder).unwrap();
        let kept = KeptOutputs::beside(&root, &folder).unwrap();
        let secret = home.path().join("secret");
        fs::write(&secret, "a secret").unwrap();
        fs::write(root.join("slug/other.txt"), "another chat's").unwrap();
        fs::write(folder.join("whole.txt"), "all of it").unwrap();
        symlink(&secret, folder.join("link.txt")).unwrap();
        symlink(home.path(), folder.join("links")).unwrap();
        fs::File::create(folder.join("long.txt"))
            .unwrap()
            .set_len(MOST + 5)
            .unwrap();
        let left = (3, Some(Cut::Cli));
        assert_eq!(known(&kept, folder.join("whole.txt")), (9, None));
        assert_eq!(known(&kept, folder.join("long.txt")), (MOST + 5, Some(Cut::Parlour)));
        for path in [
            secret.clone(),
            root.join("slug/other.txt"),
            folder.join("gone.txt"),
            folder.join("link.txt"),
            folder.join("links/secret"),
            folder.join("../../other.txt"),
            PathBuf::from("whole.txt"),
        ] {
            assert_eq!(known(&kept, path.clone()), left, "{}", path.display());
        }
    }
}
