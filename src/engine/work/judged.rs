//! Verdicts on calls. What a permission profile allows is looked at on the disk too: a link that a repository brings may
//! lead out of the chat.

use std::path::Path;

use crate::permission::{Case, RuleName, Ruling};

pub fn judge(case: &Case) -> Vec<Ruling> {
    let rulings = case.judge().into_iter().zip(&case.calls);
    let checked = rulings.map(|(ruling, asked)| match &ruling {
        Ruling::Allow {
            rule: RuleName::Profile(_),
        } if !case.named(asked).iter().all(|path| lies_in(path, &case.cwd)) => Ruling::NoOpinion,
        _ => ruling,
    });
    checked.collect()
}

/// Where it really lies, or would: a file that is not there yet is where its directory is.
fn lies_in(path: &Path, own: &Path) -> bool {
    let Ok(own) = own.canonicalize() else {
        return false;
    };
    let there = path.ancestors().find(|part| part.symlink_metadata().is_ok());
    there.is_some_and(|there| there.canonicalize().is_ok_and(|real| real.starts_with(own)))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_that_leads_out_of_the_chat_is_not_in_it() {
        let scratch = tempfile::tempdir().unwrap();
        let own = scratch.path().join("chat");
        fs::create_dir_all(own.join("projects/web")).unwrap();
        fs::write(scratch.path().join("bashrc"), "").unwrap();
        symlink("../../../bashrc", own.join("projects/web/out")).unwrap();
        symlink("../../../nothing", own.join("projects/web/dangles")).unwrap();
        symlink("../../..", own.join("projects/web/up")).unwrap();
        let lies = |path: &str| lies_in(&own.join(path), &own);
        assert!(lies("projects/web/new/file.rs"));
        assert!(lies("projects/web"));
        assert!(!lies("projects/web/out"));
        assert!(!lies("projects/web/dangles"));
        assert!(!lies("projects/web/up/new"));
    }
}
