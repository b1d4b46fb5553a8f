//! A rule that allows a call from now on, written into `config.json`.

use crate::config;
use crate::domain::work::ApprovalDone;
use crate::model::{Problem, ResultExt};
use crate::permission::Case;

use super::super::services::Services;

const DOING: &str = "allowing it always";
const MEND: &str = "correct config.json, then try again";

fn readable(services: &Services) -> Result<(), Problem> {
    config::load(&services.home.config()).doing_or(DOING, MEND).map(drop)
}

/// Rules that would allow the call. If `config.json` cannot be read, that is why there are none.
pub fn suggest(services: &Services, case: &Case) -> Result<ApprovalDone, Problem> {
    readable(services)?;
    Ok(ApprovalDone::Suggested(case.suggestions()))
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
