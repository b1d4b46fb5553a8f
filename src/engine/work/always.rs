//! A rule that allows a call from now on, written into `config.json`.

use serde_json::Value;

use crate::config;
use crate::domain::call;
use crate::domain::work::ApprovalDone;
use crate::fs::Dir;
use crate::model::path::normal;
use crate::model::{Problem, ResultExt};
use crate::permission::{Case, QuestionNotes};

use super::super::services::Services;

const DOING: &str = "allowing it always";
/// Bytes of a file of which lines are shown.
const LARGEST: u64 = 1 << 20;
const MEND: &str = "correct config.json, then try again";

fn readable(services: &Services) -> Result<(), Problem> {
    config::load(&services.home.config()).doing_or(DOING, MEND).map(drop)
}

/// Rules that would allow the call. If `config.json` cannot be read, that is why there are none.
pub fn suggest(services: &Services, case: &Case) -> Result<ApprovalDone, Problem> {
    readable(services)?;
    Ok(ApprovalDone::Suggested(QuestionNotes {
        rules: case.suggestions(),
        in_whole_lines: in_whole_lines(case),
    }))
}

/// Of a file in the chat's own directory that is no link, and not larger than anybody reads.
fn in_whole_lines(case: &Case) -> Option<Value> {
    let input = &case.calls.first()?.input;
    let path = call::replaced_in(input)?;
    let path = normal(&case.cwd.join(path));
    let file = Dir::open(&case.cwd)
        .ok()?
        .read(path.strip_prefix(&case.cwd).ok()?, LARGEST)
        .ok()??;
    call::in_whole_lines(input, std::str::from_utf8(&file).ok()?)
}

/// Writes the rule, if it allows the call; without one, the first that does.
pub fn allow(services: &Services, case: &Case, rule: Option<String>) -> Result<ApprovalDone, Problem> {
    readable(services)?;
    let rule = match rule {
        Some(rule) => tried(case, rule.trim())?,
        None => {
            let found = case.suggestions();
            found
                .rules
                .into_iter()
                .next()
                .ok_or_else(|| nothing_fits(&found.why_none))?
        }
    };
    let loaded = config::allow(&services.home.config(), &rule).doing_or(DOING, MEND)?;
    Ok(ApprovalDone::AllowedAlways(rule, Box::new(loaded.settings)))
}

fn tried(case: &Case, rule: &str) -> Result<String, Problem> {
    match case.is_allowed_by(rule) {
        Ok(true) => Ok(rule.to_string()),
        Ok(false) => {
            let found = case.suggestions();
            if found.rules.is_empty() {
                return Err(nothing_fits(&found.why_none));
            }
            let cause = format!("with {rule} this call would still be asked about");
            Err(Problem::new(DOING, cause, "write a rule that is about this call"))
        }
        Err(misfit) => Err(Problem::new(
            DOING,
            misfit,
            "rules look like Bash(cargo test:*), Edit(src/**) or mcp__github",
        )),
    }
}

fn nothing_fits(why: &str) -> Problem {
    Problem::new(DOING, format!("no rule would: {why}"), "allow it once")
}
