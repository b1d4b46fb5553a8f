//! Which of parlour's own tools agents may call: for all of them, as `mcp.tools` says, and what single chats go without.

use serde_json::Value;

use crate::domain::state::Domain;
use crate::model::ChatId;
use crate::model::setting::SettingEdit;
use crate::model::text::one_line;
use crate::model::tool::{self, Equipped};

/// The setting that says it for all.
pub(super) const TOOLS: &str = "mcp.tools";

/// What one chat has of servers and tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatAccess {
    pub chat: ChatId,
    name: String,
    /// Servers and tools that a person switched off there.
    pub off: Vec<String>,
}

impl ChatAccess {
    /// Of all chats, by name.
    pub(super) fn all(domain: &Domain) -> Vec<ChatAccess> {
        let of = |chat: &ChatId| {
            let record = &domain.disk.chats.get(chat)?.record;
            Some(ChatAccess {
                chat: chat.clone(),
                name: record.name.clone(),
                off: record.disabled_servers.clone(),
            })
        };
        let mut all: Vec<ChatAccess> = domain.disk.chats.keys().filter_map(of).collect();
        all.sort_by_cached_key(|chat| (chat.name.to_lowercase(), chat.chat.clone()));
        all
    }

    /// What a search finds it by.
    pub(super) fn sought(&self) -> String {
        format!("mcp tools servers chat {} {}", self.name, self.off.join(" "))
    }

    pub(super) fn label(&self) -> String {
        format!("chat {}", one_line(&self.name, 60))
    }

    pub(super) fn told(&self) -> String {
        match &self.off[..] {
            [] => "all of these".into(),
            [one] => format!("{one} off"),
            many => format!("{} off", many.len()),
        }
    }
}

pub(super) fn tools() -> impl Iterator<Item = &'static str> {
    tool::tools(Equipped::Bare).map(|tool| tool.name)
}

/// Where nothing is set, all are.
pub(super) fn is_offered(tool: &str, value: &Value) -> bool {
    let Some(offered) = value.as_array() else {
        return true;
    };
    offered.iter().any(|name| name.as_str() == Some(tool))
}

pub(super) fn told(value: &Value) -> String {
    let all = tools().count();
    match tools().filter(|tool| is_offered(tool, value)).count() {
        offered if offered == all => "all".into(),
        0 => "none".into(),
        offered => format!("{offered} of {all}"),
    }
}

/// The list with this tool in it, or without it; once all are in it, it is none. What another version knows stays in it.
pub(super) fn toggled(tool: &str, value: &Value) -> SettingEdit {
    let wanted = |one: &&str| is_offered(one, value) != (*one == tool);
    let mut offered: Vec<&str> = tools().filter(wanted).collect();
    let is_all = offered.len() == tools().count();
    let listed = value.as_array().into_iter().flatten().filter_map(Value::as_str);
    offered.extend(listed.filter(|name| !tool::is_own(name)));
    match is_all {
        true => SettingEdit::reset(TOOLS),
        false => SettingEdit::of(TOOLS, offered.into()),
    }
}
