//! The keys of the Changes tab that serve reading: searching, folding, copying.

use strum::{IntoStaticStr, VariantArray};

use super::line::{KeyLine, bind};

#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase", prefix = "changes.")]
pub enum DiffAction {
    Search,
    FindFile,
    Fold,
    FoldAll,
    CopyHunk,
    CopyFile,
    Origin,
    Edit,
    Attempts,
    NextChanged,
    PreviousChanged,
}

pub const TABLE: [KeyLine<DiffAction>; DiffAction::VARIANTS.len()] = {
    use DiffAction as A;
    [
        bind(A::Search, &["/"], "Search in the lines of all files", "search"),
        bind(A::FindFile, &["f"], "Go to a file by a few letters", "find file"),
        bind(A::Fold, &["z"], "Fold a hunk, or unfold it", "fold"),
        bind(A::FoldAll, &["Z"], "Fold all hunks of the file, or none", "fold all"),
        bind(A::CopyHunk, &["y"], "Copy a hunk as a patch", "copy hunk"),
        bind(A::CopyFile, &["Y"], "Copy the patch of a whole file", "copy file"),
        bind(
            A::Origin,
            &["B"],
            "Turn and card that wrote this line, or removed it",
            "written by",
        ),
        bind(A::Edit, &["e"], "Open at this line in your editor", "edit"),
        bind(A::Attempts, &["="], "Compare with another chat's attempt", "attempts"),
        bind(A::NextChanged, &[")"], "Next turn that changed files (±)", "next ±"),
        bind(
            A::PreviousChanged,
            &["("],
            "Turn before that changed files (±)",
            "± before",
        ),
    ]
};
