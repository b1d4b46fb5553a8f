//! The keys of the Changes tab that choose lines: to remark on, to stage and to discard.

use strum::{IntoStaticStr, VariantArray};

use super::line::{KeyLine, bind};

#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase", prefix = "changes.")]
pub enum RemarksAction {
    ChooseLines,
    Stage,
    Discard,
    Remark,
    Resolve,
    NextRemark,
    PreviousRemark,
    ListRemarks,
    SecondOpinion,
}

pub const TABLE: [KeyLine<RemarksAction>; RemarksAction::VARIANTS.len()] = {
    use RemarksAction as A;
    [
        bind(A::ChooseLines, &["V"], "Choose lines, from here on", "choose lines"),
        bind(
            A::Stage,
            &["space"],
            "Stage a file, a hunk or the chosen lines; unstage them",
            "stage",
        ),
        bind(
            A::Discard,
            &["x"],
            "Discard a file, a hunk or the chosen lines",
            "discard",
        ),
        bind(
            A::Remark,
            &["#"],
            "Remark on this file, this line or the chosen lines",
            "remark",
        ),
        bind(A::Resolve, &["D"], "Resolve a remark, or open it again", "resolve"),
        bind(A::NextRemark, &["}"], "Next remark", "next remark"),
        bind(A::PreviousRemark, &["{"], "Remark before", "remark before"),
        bind(
            A::ListRemarks,
            &["M"],
            "List the remarks, and send them to the agent",
            "remarks",
        ),
        bind(
            A::SecondOpinion,
            &["O"],
            "Have another agent review this",
            "second opinion",
        ),
    ]
};
