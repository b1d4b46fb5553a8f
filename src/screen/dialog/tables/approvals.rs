//! The keys of the queue of what agents ask, and of what is typed for an answer.

use super::super::super::keymap::bind;
use super::moves::in_text;
use super::{DialogTable, FocusKey, QuestionKey};

/// The queue of what agents ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApprovalKey {
    Question(QuestionKey),
    Always,
    Reason,
}

pub static APPROVALS: DialogTable<ApprovalKey> = DialogTable::moving(
    "Among approvals",
    {
        use ApprovalKey::{Always, Question, Reason};
        use QuestionKey as K;
        &[
            bind(Question(K::Yes), &["y"], "Allow it once, or approve", "allow once"),
            bind(Question(K::No), &["n"], "Refuse", "refuse"),
            bind(
                Always,
                &["a"],
                "Always allow: by a rule that you see first",
                "always allow",
            ),
            bind(Reason, &["r"], "Refuse with a reason for the agent", "refuse, because"),
            bind(Question(K::Answer), &["enter"], "What the focus is on", "answer"),
            bind(
                Question(K::Focus(FocusKey::Left)),
                &["left", "backtab"],
                "Button at the left",
                "left",
            ),
            bind(
                Question(K::Focus(FocusKey::Right)),
                &["right", "tab"],
                "Button at the right",
                "right",
            ),
            bind(
                Question(K::Close),
                &["esc", "q", "ctrl+c"],
                "Close; the question stays open",
                "close",
            ),
        ]
    },
    |key| ApprovalKey::Question(QuestionKey::Move(key)),
    &in_text(["Question before", "Next question", "First question", "Last question"]),
);

/// A rule or a reason is typed below a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerKeys {
    Give,
    Back,
    Before,
    Next,
    PageUp,
    PageDown,
}

pub static ANSWER: DialogTable<AnswerKeys> = DialogTable::new("While a rule or a reason is typed", {
    use AnswerKeys as K;
    &[
        bind(K::Give, &["enter"], "Write the rule and allow, or refuse", "answer"),
        bind(K::Back, &["esc", "ctrl+c"], "Back to the question", "back"),
        bind(K::Before, &["up", "backtab"], "Rule before", "before"),
        bind(K::Next, &["down", "tab"], "Next rule", "next"),
        bind(K::PageUp, &["pageup"], "A page up in the question", "page up"),
        bind(K::PageDown, &["pagedown"], "A page down in the question", "page down"),
    ]
});
