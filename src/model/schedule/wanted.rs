//! A schedule as somebody asks for it, in words, and what it comes to.

use serde::{Deserialize, Serialize};

use super::{Cron, Missed, Overlap, Rule, Terms, Timestamp, When, Zone};
use crate::model::Problem;
use crate::model::open_dir::OpenDir;
use crate::model::text::one_line;

/// How long a run may take where nobody said.
pub const DEFAULT_TIMEOUT_S: u64 = 2 * 3600;

const LONGEST_TIMEOUT_S: u64 = 7 * 24 * 3600;
const LONGEST_NAME: usize = 60;
const LONGEST_CHECK: usize = 2_000;
const LONGEST_PROMPT: usize = 256 << 10;

/// What the shell, a dialog or an agent gives.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Wanted {
    pub name: Option<String>,
    pub prompt: String,
    pub cron: Option<String>,
    pub at: Option<String>,
    pub tz: Option<String>,
    pub project: Option<OpenDir>,
    pub llm: Option<String>,
    pub check: Option<String>,
    pub timeout_s: Option<u64>,
    pub overlap: Option<Overlap>,
    pub missed: Option<Missed>,
}

impl Wanted {
    /// As terms that can be kept. `zone` is what holds where none is given.
    pub fn terms(self, zone: Zone, now: Timestamp) -> Result<Terms, Problem> {
        let doing = "making a schedule";
        let wrong = |cause: String, hint: &str| Problem::new(doing, cause, hint);
        let prompt = self.prompt.trim();
        if prompt.is_empty() {
            return Err(wrong(
                "it has no prompt".into(),
                "say what the agent is to do each time",
            ));
        }
        if prompt.len() > LONGEST_PROMPT {
            let hint = "put the text into a file of the project and name that file";
            return Err(wrong("its prompt is longer than 256 KB".into(), hint));
        }
        let zone = match &self.tz {
            Some(name) => Zone::parse(name).map_err(|cause| wrong(cause, ""))?,
            None => zone,
        };
        let rule = match (&self.cron, &self.at) {
            (Some(cron), None) => Rule::Cron(Box::new(Cron::parse(cron).map_err(|cause| wrong(cause, ""))?)),
            (None, Some(at)) => Rule::At(zone.read_next(at, now).map_err(|cause| wrong(cause, ""))?),
            (Some(_), Some(_)) | (None, None) => {
                let cause = "it needs either a cron rule or one time".to_string();
                return Err(wrong(cause, "like `0 9 * * MON-FRI`, 09:00 or 2026-03-29T09:00"));
            }
        };
        if let Rule::At(at) = rule
            && at <= now
        {
            let cause = format!("{} is past", zone.spell(at));
            return Err(wrong(cause, &format!("it is {} now", zone.spell(now))));
        }
        let timeout_s = self.timeout_s.unwrap_or(DEFAULT_TIMEOUT_S);
        if !(1..=LONGEST_TIMEOUT_S).contains(&timeout_s) {
            let hint = "give seconds, from 1 to a week of them";
            return Err(wrong(format!("{timeout_s} seconds are no time limit"), hint));
        }
        let check = self.check.filter(|check| !check.trim().is_empty());
        if check
            .as_ref()
            .is_some_and(|check| check.len() > LONGEST_CHECK || check.contains('\0'))
        {
            let cause = "its check is longer than a command should be".to_string();
            return Err(wrong(cause, "put it into a script of the project"));
        }
        let name = self.name.as_deref().map(|name| one_line(name, LONGEST_NAME));
        Ok(Terms {
            name: name
                .filter(|name| !name.is_empty())
                .unwrap_or_else(|| one_line(prompt, 40)),
            prompt: prompt.into(),
            when: When { rule, zone },
            project: self.project,
            llm: self.llm,
            check,
            check_by_agent: false,
            timeout_s,
            overlap: self.overlap.unwrap_or_default(),
            missed: self.missed.unwrap_or_default(),
        })
    }
}
