//! Calls that wait for their verdicts, with all that these depend on: whoever has them can judge, beside the loop.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;

use super::call::Call;
use super::rules::Rules;
use super::ruling::Ruling;
use crate::model::Area;
use crate::model::settings::PermissionSettings;

#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    pub rules: Arc<Rules>,
    /// What the role of its chat says beside them.
    pub role: Option<PermissionSettings>,
    /// The directory of the chat.
    pub cwd: PathBuf,
    pub dirs: Vec<Area>,
    pub calls: Vec<AskedCall>,
}

/// One call, as [`Call`] has it.
#[derive(Clone, Debug, PartialEq)]
pub struct AskedCall {
    pub tool: String,
    pub input: Value,
    pub at: Option<PathBuf>,
    /// A CLI asks first about what no rule names.
    pub by_cli: bool,
}

impl Case {
    /// The verdict on each call, in their order.
    pub fn judge(&self) -> Vec<Ruling> {
        let own = self.role.as_ref().map(|role| self.rules.with(role));
        let rules = own.as_ref().unwrap_or(&self.rules);
        let judge = |asked: &AskedCall| {
            let call = Call {
                tool: &asked.tool,
                input: &asked.input,
                cwd: &self.cwd,
                at: asked.at.as_deref(),
                dirs: &self.dirs,
            };
            match asked.by_cli {
                true => rules.judge_for_cli(&call),
                false => rules.judge(&call),
            }
        };
        self.calls.iter().map(judge).collect()
    }
}
