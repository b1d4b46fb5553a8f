//! The commands of the whole program: plain keys outside of agents, and any key after the leader.

use strum::{IntoStaticStr, VariantArray};

use super::line::{KeyLine, bind};

/// What is done to the chat that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase")]
pub enum ChatAction {
    Enter,
    OpenProject,
    Rename,
    Servers,
    Explain,
    Duplicate,
    Fork,
    Compact,
    Export,
    Interrupt,
    Stop,
    StopTree,
    Restart,
    Run,
    Edit,
    Shell,
    Delete,
    Recreate,
    Pin,
    Archive,
    BindDir,
}

/// What is done among all chats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase")]
pub enum ChatsAction {
    NewChat,
    UndoDelete,
    Trash,
    Disk,
    SetupFiles,
    Usage,
    SearchAll,
    ResumeAll,
    Approvals,
    #[strum(serialize = "schedules")]
    Automations,
    Filter,
    NextWaiting,
    NextTroubled,
    Fold,
    Mark,
    MarkAll,
    Order,
    Groups,
    Demo,
    DemoTeam,
}

/// A way to keep what an agent did, about which a dialog asks first. The menu of the Changes tab has them too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase")]
pub enum KeepWay {
    Commit,
    Amend,
    Push,
    #[strum(serialize = "pullRequest")]
    Pull,
    #[strum(serialize = "bringHome")]
    Home,
    Rebase,
    /// Go on with a rebase that is under way.
    #[strum(serialize = "continueGit")]
    Continue,
    /// Call off what git has begun.
    #[strum(serialize = "abortGit")]
    Abort,
}

/// Where to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase")]
pub enum MoveAction {
    Up,
    Down,
    First,
    Last,
    Jump,
    LastChat,
    SwitchFocus,
    ShutList,
    ScrollUp,
    ScrollDown,
    HalfUp,
    HalfDown,
    ScrollEnd,
    CopyMode,
    Links,
}

/// What is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase")]
pub enum ScreenAction {
    Zoom,
    Grid,
    Sidebar,
    Inspector,
    Beside,
    Output,
    CardChanges,
    TakeSize,
    Redraw,
    Log,
    Settings,
    Palette,
    Help,
    Tour,
    Detach,
    HowToLeave,
}

/// Fixed: each leads to the chat with its number.
const JUMPS: &[&str] = &["1", "2", "3", "4", "5", "6", "7", "8", "9"];

pub const KEEP: [KeyLine<KeepWay>; KeepWay::VARIANTS.len()] = {
    use KeepWay as W;
    [
        bind(W::Commit, &[], "Commit what is in its clones", "commit"),
        bind(W::Amend, &[], "Amend the last commit of its clones", "amend"),
        bind(W::Push, &[], "Push its branches", "push"),
        bind(W::Pull, &[], "Open a pull request", "pull request"),
        bind(W::Home, &[], "Bring its branches home", "bring home"),
        bind(W::Rebase, &[], "Rebase its branches", "rebase"),
        bind(
            W::Continue,
            &[],
            "Continue what git has begun in its clones",
            "continue rebase",
        ),
        bind(W::Abort, &[], "Abort what git has begun in its clones", "abort rebase"),
    ]
};

pub const CHAT: [KeyLine<ChatAction>; ChatAction::VARIANTS.len()] = {
    use ChatAction as A;
    [
        bind(A::Enter, &["enter"], "Go into the agent", "go in"),
        bind(A::OpenProject, &["o"], "Open a project in this chat", "project"),
        bind(
            A::Rename,
            &["r", "f2"],
            "Rename this chat, where its name stands",
            "rename",
        ),
        bind(A::Servers, &["m"], "MCP servers of this chat", "servers"),
        bind(A::Explain, &["I"], "Why its status is what it is", "why"),
        // Where text is copied `y` does that, and a slip must make no chat.
        bind(A::Duplicate, &["+"], "Duplicate this chat", "duplicate"),
        bind(A::Fork, &["F"], "Fork from a chosen prompt or checkpoint", "fork"),
        bind(A::Compact, &[], "Have the agent sum its conversation up", "compact"),
        bind(A::Export, &[], "Export its transcript into a file", "export"),
        bind(A::Interrupt, &["i"], "Interrupt the agent's turn", "interrupt"),
        bind(A::Stop, &["s"], "Stop the agent", "stop"),
        bind(A::StopTree, &["T"], "Stop this chat's agent and all below", "stop tree"),
        bind(A::Restart, &["S"], "Restart the agent with new settings", "restart"),
        bind(A::Run, &["e"], "Run its project, or see it run", "run"),
        bind(
            A::Edit,
            &["E"],
            "Your editor in its project, and from there back",
            "edit",
        ),
        bind(
            A::Shell,
            &["$"],
            "Your shell in its project, and from there back",
            "shell",
        ),
        bind(A::Delete, &["x"], "Delete this chat", "delete"),
        bind(A::Recreate, &["R"], "Recreate a missing directory", "recreate"),
        bind(A::Pin, &["P"], "Keep this chat at the top, or not", "pin"),
        bind(A::Archive, &["H"], "Hide this chat from the list, or not", "archive"),
        bind(
            A::BindDir,
            &["."],
            "Let the directory you started in go on with this chat",
            "bind here",
        ),
    ]
};

pub const CHATS: [KeyLine<ChatsAction>; ChatsAction::VARIANTS.len()] = {
    use ChatsAction as A;
    [
        bind(A::NewChat, &["n"], "New chat", "new chat"),
        bind(
            A::UndoDelete,
            &["u"],
            "Bring back the chat deleted or archived last",
            "bring back",
        ),
        bind(A::Trash, &["X"], "Deleted chats, to restore", "trash"),
        bind(A::Disk, &[], "What chats, caches and the trash take on disk", "disk"),
        bind(
            A::SetupFiles,
            &[],
            "Files that new clones of a project get",
            "setup files",
        ),
        bind(A::Usage, &["U"], "Tokens and costs of this chat and all", "usage"),
        bind(
            A::SearchAll,
            &["ctrl+f"],
            "Search all transcripts and outputs",
            "search all",
        ),
        bind(
            A::ResumeAll,
            &["C"],
            "Resume all that the engine's end stopped",
            "resume all",
        ),
        bind(
            A::Approvals,
            &["a"],
            "Approvals: what agents ask, to answer",
            "approvals",
        ),
        bind(A::Automations, &["A"], "Schedules and their runs", "schedules"),
        bind(A::Filter, &["/", "ctrl+k"], "Filter chats", "filter"),
        bind(A::NextWaiting, &["w"], "Next chat that needs you or is done", "waiting"),
        bind(
            A::NextTroubled,
            &["!"],
            "Next chat that the trouble in the last row is about",
            "trouble",
        ),
        bind(A::Fold, &["space"], "Fold or show what is below a chat", "fold"),
        bind(
            A::Mark,
            &["M"],
            "Mark a chat; stop, delete, pin and archive are for all marked",
            "mark",
        ),
        bind(
            A::MarkAll,
            &["ctrl+a"],
            "Mark all chats of the list, or none",
            "mark all",
        ),
        bind(A::Order, &["O"], "Another order of the chats", "order"),
        bind(A::Groups, &["V"], "Chats by day, project, schedule, state", "groups"),
        bind(A::Demo, &["D"], "Watch the demo", "demo"),
        bind(A::DemoTeam, &[], "Watch a team of demo agents", "demo team"),
    ]
};

pub const MOVE: [KeyLine<MoveAction>; MoveAction::VARIANTS.len()] = {
    use MoveAction as A;
    [
        bind(A::Up, &["k", "up"], "Chat above; in VIEW a line up", "up"),
        bind(A::Down, &["j", "down"], "Chat below; in VIEW a line down", "down"),
        bind(A::First, &["g", "home"], "First chat; in VIEW the oldest line", "first"),
        bind(A::Last, &["G"], "Last chat; in VIEW the newest line", "last"),
        bind(A::Jump, JUMPS, "Chat with that number", "by number"),
        bind(A::LastChat, &["-"], "Chat that you were at before", "last chat"),
        bind(A::SwitchFocus, &["tab"], "Between sidebar, tabs, cards", "switch"),
        bind(
            A::ShutList,
            &["esc"],
            "Shut the list of chats, where it lies over the terminal; leave the grid",
            "shut",
        ),
        bind(A::ScrollUp, &["pageup"], "Scroll the terminal back", "scroll back"),
        bind(A::ScrollDown, &["pagedown"], "Scroll the terminal forward", "scroll on"),
        bind(A::HalfUp, &["ctrl+u"], "Half a page back, in tabs too", "half up"),
        bind(
            A::HalfDown,
            &["ctrl+d"],
            "Half a page forward, in tabs too",
            "half down",
        ),
        bind(A::ScrollEnd, &["end"], "Return to the newest line", "newest"),
        bind(A::CopyMode, &["v", "["], "Select text by keys and copy it", "copy mode"),
        bind(A::Links, &["K", ";"], "Links on the screen, to open or copy", "links"),
    ]
};

pub const SCREEN: [KeyLine<ScreenAction>; ScreenAction::VARIANTS.len()] = {
    use ScreenAction as A;
    [
        bind(A::Zoom, &["z"], "Terminal on the whole screen and back", "zoom"),
        bind(
            A::Grid,
            &["Z"],
            "Screens of the marked chats, or of all that run",
            "grid",
        ),
        bind(A::Sidebar, &["b"], "Show or hide the sidebar", "sidebar"),
        bind(A::Inspector, &["c"], "Show or hide what the agent did", "cards"),
        bind(A::Beside, &["|"], "Transcript beside the terminal, or not", "beside"),
        bind(A::Output, &["f"], "Whole output of the selected card", "output"),
        bind(
            A::CardChanges,
            &["B"],
            "Lines that the selected card changed",
            "its lines",
        ),
        bind(A::TakeSize, &["="], "Give the terminal this window's size", "take size"),
        bind(A::Redraw, &["ctrl+l"], "Draw the whole screen again", "draw again"),
        bind(A::Log, &["L"], "Log of the engine", "log"),
        bind(A::Settings, &[","], "Settings", "settings"),
        bind(A::Palette, &[":", "ctrl+p"], "All commands by name", "by name"),
        bind(A::Help, &["?"], "All keys", "all keys"),
        bind(A::Tour, &[], "Tour of the screen in six steps", "tour"),
        bind(A::Detach, &["q"], "Detach; agents run on", "detach"),
        bind(A::HowToLeave, &["ctrl+c"], "Say how to detach", "how to leave"),
    ]
};
