//! All settings there are, in the order in which people read them.

use super::ActsFrom::{AgentStart, AtOnce, EngineStart};
use super::SettingKind::{Choice, List, Map, Switch, Text};
use super::{ActsFrom, MapOf, NumberRange, Setting, SettingKind, SettingSection as S};

/// All of them, section by section.
pub fn all() -> &'static [Setting] {
    TABLE
}

const fn line(path: &'static str, section: S, kind: SettingKind, acts: ActsFrom, about: &'static str) -> Setting {
    Setting {
        path,
        section,
        kind,
        about,
        acts,
    }
}

/// As many as can be counted.
pub(super) const ANY: f64 = 9_007_199_254_740_991.0;

const fn whole(least: f64, unit: &'static str) -> SettingKind {
    SettingKind::Number(NumberRange {
        least,
        most: ANY,
        is_whole: true,
        unit,
    })
}

const fn number(least: f64, most: f64, unit: &'static str) -> SettingKind {
    SettingKind::Number(NumberRange {
        least,
        most,
        is_whole: false,
        unit,
    })
}

const fn between(least: f64, most: f64, unit: &'static str) -> SettingKind {
    SettingKind::Number(NumberRange {
        least,
        most,
        is_whole: true,
        unit,
    })
}

/// The least budget: a cent.
const CENT: f64 = 0.01;
const ALERTS: &[&str] = &["needs-you", "done", "failed", "limit"];

const TABLE: &[Setting] = &[
    line(
        "defaultLlm",
        S::General,
        Text,
        AtOnce,
        "The agent of a new chat. Without it, parlour takes the first agent CLI that it finds.",
    ),
    line(
        "resumeOnStart",
        S::General,
        Switch,
        EngineStart,
        "When the engine starts, it also starts the agents that ran when it ended.",
    ),
    line(
        "clipboard",
        S::General,
        Choice(&["ask", "allow", "deny"]),
        AtOnce,
        "Whether a program in a terminal may set your clipboard. With ask, you are asked once a chat.",
    ),
    line(
        "copyOnSelect",
        S::General,
        Switch,
        AtOnce,
        "Text that you select with the mouse is copied when you release the button.",
    ),
    line(
        "clone.copyLimit",
        S::General,
        whole(0.0, "bytes"),
        AtOnce,
        "A clone up to this size holds all of its history itself. A larger one shares it with parlour's copy of the repository in `bare/`.",
    ),
    line(
        "theme",
        S::Theme,
        Text,
        AtOnce,
        "The colours of the screen. Without it, parlour takes dark or light, as your terminal's background is.",
    ),
    line(
        "reducedMotion",
        S::Theme,
        Switch,
        AtOnce,
        "Nothing on the screen moves by itself.",
    ),
    line(
        "reader",
        S::Theme,
        Switch,
        AtOnce,
        "The screen is plain lines, for a screen reader.",
    ),
    line(
        "customLlms",
        S::Agents,
        Map(MapOf::Agents),
        AgentStart,
        "Agent CLIs of your own: the command that starts each, and how parlour recognises that it waits for a prompt.",
    ),
    line(
        "trust",
        S::Agents,
        Map(MapOf::Switches),
        AgentStart,
        "Whether parlour may tell an agent CLI to trust the directories of chats, so that it does not ask in each.",
    ),
    line(
        "globalMcpServers",
        S::Servers,
        Map(MapOf::Servers),
        AgentStart,
        "MCP servers that every agent gets beside parlour's own.",
    ),
    line(
        "keys",
        S::Keys,
        Map(MapOf::Keys),
        AtOnce,
        "Other keys for commands. A key is taken from the command that had it.",
    ),
    line(
        "permissions.profile",
        S::Permissions,
        Choice(&["ask", "clones", "all"]),
        AtOnce,
        "What agents of new chats do unasked: only what their CLI allows, also edits in their clones, or also commands.",
    ),
    line(
        "permissions.allow",
        S::Permissions,
        List(&[]),
        AtOnce,
        "What agents may do without asking you, such as Bash(cargo test:*) or Edit(src/**).",
    ),
    line(
        "permissions.ask",
        S::Permissions,
        List(&[]),
        AtOnce,
        "What agents ask you about, even if another rule allows it.",
    ),
    line(
        "permissions.deny",
        S::Permissions,
        List(&[]),
        AtOnce,
        "What agents may never do. It wins over the other two lists.",
    ),
    line(
        "limits.liveAgents",
        S::Limits,
        whole(1.0, "agents"),
        AtOnce,
        "How many agents may run at once.",
    ),
    line(
        "limits.liveChildren",
        S::Limits,
        whole(0.0, "agents"),
        AtOnce,
        "How many agents that one chat dispatched may run at once.",
    ),
    line(
        "limits.dispatchDepth",
        S::Limits,
        whole(0.0, "levels"),
        AtOnce,
        "How far below its root a chat may be that an agent dispatches.",
    ),
    line(
        "limits.descendants",
        S::Limits,
        whole(0.0, "chats"),
        AtOnce,
        "How many chats may be below one root.",
    ),
    line(
        "limits.spawnsPerMinute",
        S::Limits,
        whole(0.0, "chats"),
        AtOnce,
        "How many chats the agents of one tree may make within a minute.",
    ),
    line(
        "limits.agentSchedules",
        S::Limits,
        whole(0.0, "schedules"),
        AtOnce,
        "How many schedules the agents of one tree may have made.",
    ),
    line(
        "limits.agentScheduleMinutes",
        S::Limits,
        whole(0.0, "minutes"),
        AtOnce,
        "The least time between two runs of a schedule that an agent made.",
    ),
    line(
        "limits.hibernateMinutes",
        S::Limits,
        number(0.0, ANY, "minutes"),
        AtOnce,
        "An agent that was idle for so long is stopped. A key, a prompt or a message starts it again. 0 means never.",
    ),
    line(
        "limits.cloneSeconds",
        S::Limits,
        whole(1.0, "seconds"),
        AtOnce,
        "How long a clone or a fetch may take.",
    ),
    line(
        "limits.historyLines",
        S::Limits,
        whole(0.0, "lines"),
        AtOnce,
        "How many lines a terminal that you watch can be scrolled back.",
    ),
    line(
        "limits.hiddenHistoryLines",
        S::Limits,
        whole(0.0, "lines"),
        AtOnce,
        "How many lines a terminal that nobody watches keeps at least, while there is room.",
    ),
    line(
        "limits.historyBytes",
        S::Limits,
        whole(0.0, "bytes"),
        AtOnce,
        "Memory that all terminals keep for scrolling back. Unless set, it grows with `historyLines` above 10,000.",
    ),
    line(
        "limits.budget.chat",
        S::Limits,
        number(CENT, ANY, "US dollars"),
        AtOnce,
        "What the agent of one chat may cost.",
    ),
    line(
        "limits.budget.tree",
        S::Limits,
        number(CENT, ANY, "US dollars"),
        AtOnce,
        "What a chat and all chats below it may cost.",
    ),
    line(
        "limits.budget.day",
        S::Limits,
        number(CENT, ANY, "US dollars"),
        AtOnce,
        "What all chats together may cost in a day.",
    ),
    line(
        "limits.budget.stop",
        S::Limits,
        Switch,
        AtOnce,
        "A budget that is used up stops new prompts. Otherwise parlour only says so.",
    ),
    line(
        "sandbox",
        S::Sandbox,
        Choice(&["off", "strict"]),
        AgentStart,
        "With strict, the kernel (Landlock) keeps agents from writing outside of their chat. They can still read everywhere.",
    ),
    line(
        "notify.on",
        S::Notifications,
        List(ALERTS),
        AtOnce,
        "The events for which parlour calls you while you look elsewhere.",
    ),
    line(
        "notify.terminal",
        S::Notifications,
        Choice(&["auto", "bell", "osc9", "osc777", "osc99", "off"]),
        AtOnce,
        "How your terminal calls you. With auto, the bell rings, and a notification is shown if your terminal can show one.",
    ),
    line(
        "notify.command",
        S::Notifications,
        Text,
        AtOnce,
        "A command for sh that parlour runs too. The text to show is in $PARLOUR_ALERT_TEXT.",
    ),
    line(
        "prices",
        S::Prices,
        Map(MapOf::Prices),
        AtOnce,
        "What models cost, in US dollars a million tokens, by the model's name or its beginning. Others have list prices, if known.",
    ),
    line(
        "checkpoints.keep.days",
        S::Checkpoints,
        between(0.0, 36_500.0, "days"),
        AtOnce,
        "All checkpoints of the last days are kept. Older ones are thinned out.",
    ),
    line(
        "checkpoints.keep.number",
        S::Checkpoints,
        whole(1.0, "checkpoints"),
        AtOnce,
        "The newest checkpoints of each chat are kept, however old they are.",
    ),
    line(
        "mcp.port",
        S::Mcp,
        between(1.0, 65_535.0, "port"),
        EngineStart,
        "The port at which agents reach parlour's tools. Without it, parlour derives it from the path of the home.",
    ),
    line(
        "mcp.tools",
        S::Mcp,
        List(&[]),
        AtOnce,
        "The tools of parlour that agents may call. Without it, they may call all.",
    ),
];
