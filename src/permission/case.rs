//! Calls that wait for their verdicts, with all that these depend on: whoever has them can judge, beside the loop.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use super::call::Call;
use super::rules::Rules;
use super::ruling::Ruling;
use super::unasked::{self, NamedFile};
use crate::model::settings::PermissionSettings;
use crate::model::{Area, PermissionProfile};

#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    pub rules: Arc<Rules>,
    /// What the role of its chat says beside them.
    pub role: Option<PermissionSettings>,
    /// The directory of the chat.
    pub cwd: PathBuf,
    pub dirs: Vec<Area>,
    pub calls: Vec<AskedCall>,
    /// What a person lets its agent do where no rule says anything.
    pub profile: PermissionProfile,
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

impl AskedCall {
    /// A command line of an agent's that is no call of its CLI.
    pub fn of_command(line: &str) -> AskedCall {
        AskedCall {
            tool: "Bash".into(),
            input: json!({"command": line}),
            at: None,
            by_cli: false,
        }
    }
}

impl Case {
    /// The files that parlour lets a call read or write without anybody's yes: whoever has the disk can tell where links lead.
    pub fn unasked(&self, asked: &AskedCall, ruling: &Ruling) -> Vec<NamedFile> {
        unasked::files(&self.all_rules(), &self.call(asked), ruling)
    }

    pub(super) fn call<'a>(&'a self, asked: &'a AskedCall) -> Call<'a> {
        Call {
            tool: &asked.tool,
            input: &asked.input,
            cwd: &self.cwd,
            at: asked.at.as_deref(),
            dirs: &self.dirs,
        }
    }

    /// The verdict on each call, in their order.
    pub fn judge(&self) -> Vec<Ruling> {
        let rules = self.all_rules();
        let judge = |asked: &AskedCall| {
            let call = self.call(asked);
            let ruling = match asked.by_cli {
                true => rules.judge_for_cli(&call),
                false => rules.judge(&call),
            };
            rules.widen(ruling, &call, self.profile)
        };
        self.calls.iter().map(judge).collect()
    }

    fn all_rules(&self) -> Cow<'_, Rules> {
        match &self.role {
            Some(role) => Cow::Owned(self.rules.with(role)),
            None => Cow::Borrowed(self.rules.as_ref()),
        }
    }
}
