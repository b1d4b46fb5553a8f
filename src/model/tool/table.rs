//! All tools there are, in the order in which agents read them.

use std::sync::LazyLock;

use super::call::ToolCall;
use super::entry::ToolOf;
use super::{atoms, history, inbox, local_calls, projects, remarks, schedules, team, todos};

/// A line of the table.
pub type ToolEntry = ToolOf<ToolCall>;

static TOOLS: LazyLock<Vec<ToolEntry>> = LazyLock::new(|| {
    let mut all = of(projects::tools(), ToolCall::Project);
    all.extend(of(team::tools(), ToolCall::Team));
    all.extend(of(inbox::tools(), ToolCall::Inbox));
    all.extend(of(atoms::tools(), ToolCall::Work));
    all.extend(of(schedules::tools(), ToolCall::Schedule));
    all.extend(of(todos::tools(), ToolCall::Todo));
    all.extend(of(remarks::tools(), ToolCall::Remark));
    all.extend(of(history::tools(), ToolCall::History));
    all
});

static LOCAL_CALLS: LazyLock<Vec<ToolEntry>> = LazyLock::new(|| of(local_calls::tools(), ToolCall::LocalCall));

fn of<Call: 'static, const N: usize>(tools: [ToolOf<Call>; N], topic: fn(Call) -> ToolCall) -> Vec<ToolEntry> {
    tools.into_iter().map(|tool| tool.within(topic)).collect()
}

/// What an agent brings along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equipped {
    WithTools,
    /// It has no tools of its own for files and commands, so it is offered parlour's beside all others.
    Bare,
}

/// All that may be offered to an agent; settings narrow it.
pub fn tools(to: Equipped) -> impl Iterator<Item = &'static ToolEntry> {
    let local_calls: &[ToolEntry] = match to {
        Equipped::WithTools => &[],
        Equipped::Bare => &LOCAL_CALLS,
    };
    TOOLS.iter().chain(local_calls)
}

/// The tool of this name.
pub fn named(name: &str) -> Option<&'static ToolEntry> {
    tools(Equipped::Bare).find(|tool| tool.name == name)
}

/// Why this is the name of no tool, with what may have been meant; nothing where it is.
pub fn unknown(name: &str) -> Option<String> {
    if named(name).is_some() {
        return None;
    }
    let known: Vec<&str> = tools(Equipped::Bare).map(|tool| tool.name).collect();
    let near = similar::get_close_matches(name, &known, 2, 0.6);
    Some(match near.is_empty() {
        true => format!("there is no tool {name}; there are {}", known.join(", ")),
        false => format!("there is no tool {name}; did you mean {}?", near.join(" or ")),
    })
}

/// Whether one of parlour's tools is called so: with that name and of its own server, a call runs unasked.
pub fn is_own(name: &str) -> bool {
    named(name).is_some()
}
