//! The keys of the screen of schedules.

use strum::{IntoStaticStr, VariantArray};

use super::line::{KeyLine, bind};

#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase", prefix = "schedules.")]
pub enum SchedulesAction {
    New,
    RunNow,
    Pause,
    Edit,
    Cancel,
    Runs,
    Open,
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
    Back,
    Close,
}

pub const TABLE: [KeyLine<SchedulesAction>; SchedulesAction::VARIANTS.len()] = {
    use SchedulesAction as A;
    [
        bind(A::New, &["n"], "Make a schedule", "new"),
        bind(A::RunNow, &["r"], "Run it now", "run now"),
        bind(A::Pause, &["p"], "Pause it, or let it go on", "pause"),
        bind(A::Edit, &["e"], "Edit it", "edit"),
        bind(A::Cancel, &["x"], "Cancel it", "cancel"),
        bind(A::Runs, &["tab", "backtab"], "Among its runs, and back", "runs"),
        bind(A::Open, &["enter"], "The chat of a run", "chat"),
        bind(A::Up, &["k", "up"], "Schedule or run above", "up"),
        bind(A::Down, &["j", "down"], "Schedule or run below", "down"),
        bind(A::PageUp, &["pageup"], "Ten up", "page up"),
        bind(A::PageDown, &["pagedown"], "Ten down", "page down"),
        bind(A::First, &["g", "home"], "First schedule or run", "first"),
        bind(A::Last, &["G", "end"], "Last schedule or run", "last"),
        bind(A::Back, &["esc"], "Back from the runs, or close", "close"),
        bind(A::Close, &["q", "ctrl+c"], "Close the schedules", "close"),
    ]
};
