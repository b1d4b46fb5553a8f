//! What Claude Code shows: its session file, its title, and the dialogs that wait for a person.
//!
//! A screen holds what an agent or a file says too, so a dialog is known by several of its own lines near the bottom,
//! and the screen never says that the agent is idle.

use serde_json::Value;

use crate::agents::{RequestRetry, SessionFile};
use crate::model::agent::ASKS_FOR_TRUST;
use crate::model::{Activity, Timestamp};

/// A dialog with its choices fits in this; what is further up has scrolled away from the person's eyes.
const TAIL: usize = 30;
const FOOTER: usize = 4;
/// What is said of a dialog that only shows itself. Every source says it so: who looks at the chat reads of one dialog.
pub(super) const ASKS: &str = "asks you something";
/// The composer and its lines stand below what the CLI says of a retry.
const RETRY_WITHIN: usize = 14;

const RETRIES: [&str; 2] = ["Retrying in ", "retrying in "];

/// A screen by its marks, all of which stand in its tail in this order.
struct ClaudeDialog {
    marks: &'static [&'static str],
    says: ClaudeSays,
}

enum ClaudeSays {
    Waits(&'static str),
    /// Waits with the question that the line of the first mark asks.
    Asks,
    Fails(&'static str),
}

const DIALOGS: &[ClaudeDialog] = &[
    ClaudeDialog {
        marks: &["Accessing workspace:", "Yes, I trust this folder"],
        says: ClaudeSays::Waits(ASKS_FOR_TRUST),
    },
    ClaudeDialog {
        marks: &["New MCP server found in this project", "Use this MCP server"],
        says: ClaudeSays::Waits("asks whether to use an MCP server"),
    },
    ClaudeDialog {
        marks: &["Detected a custom API key", "Do you want to use this API key?"],
        says: ClaudeSays::Waits("asks whether to use the API key of your environment"),
    },
    ClaudeDialog {
        marks: &["Bypass Permissions mode", "Yes, I accept"],
        says: ClaudeSays::Waits("asks whether to run without any permission question"),
    },
    ClaudeDialog {
        marks: &["Choose the text style", "Dark mode"],
        says: ClaudeSays::Waits("asks its first questions: answer them once, and they do not come again"),
    },
    ClaudeDialog {
        marks: &["Select login method"],
        says: ClaudeSays::Waits("asks you to log in"),
    },
    ClaudeDialog {
        marks: &["Unable to connect to Anthropic services"],
        says: ClaudeSays::Fails(
            "Claude Code could not reach its service at its first start: run `claude` once while online",
        ),
    },
    ClaudeDialog {
        marks: &["No conversation found with session ID"],
        says: ClaudeSays::Fails("Claude Code does not find its session"),
    },
    ClaudeDialog {
        marks: &["Session ID", "is already in use"],
        says: ClaudeSays::Fails("another Claude Code runs this session"),
    },
    ClaudeDialog {
        marks: &["Do you want to", "1. Yes", "Esc to cancel"],
        says: ClaudeSays::Asks,
    },
    ClaudeDialog {
        marks: &["Would you like to proceed?", "1. Yes"],
        says: ClaudeSays::Asks,
    },
    ClaudeDialog {
        marks: &["Enter to select", "Esc to cancel"],
        says: ClaudeSays::Waits("asks a question"),
    },
    ClaudeDialog {
        marks: &["Enter to confirm", "Esc to cancel"],
        says: ClaudeSays::Waits("asks a question"),
    },
];

pub(super) fn read(text: &str) -> Option<Activity> {
    let mut lines: Vec<&str> = text
        .lines()
        .rev()
        .filter(|line| !line.trim().is_empty())
        .take(TAIL)
        .collect();
    lines.reverse();
    if let Some(found) = DIALOGS.iter().find_map(|dialog| dialog.found_in(&lines)) {
        return Some(found);
    }
    let footer = lines.iter().rev().take(FOOTER);
    let logged_out = footer.into_iter().any(|line| line.contains("Not logged in"));
    logged_out.then(|| Activity::Waiting("is not logged in: type /login".into()))
}

/// `API error · Retrying in 1m 23s · attempt 2/10`, near the bottom. A newer version writes it in small letters.
pub(super) fn read_retry(text: &str) -> Option<RequestRetry> {
    let lines = text.lines().rev().filter(|line| !line.trim().is_empty());
    lines.take(RETRY_WITHIN).find_map(retry)
}

fn retry(line: &str) -> Option<RequestRetry> {
    let (message, rest) = RETRIES.iter().find_map(|words| line.split_once(words))?;
    let (wait, rest) = rest.split_once(" · attempt ")?;
    // A limit says in brackets when it is over.
    let wait = wait.split(" (").next()?;
    let (attempt, attempts) = rest.trim().split_once('/')?;
    let number = attempts.split(|c: char| !c.is_ascii_digit()).next()?;
    let message = message.trim_end_matches([' ', '·']);
    let message = message.trim_start_matches(|c: char| !c.is_alphanumeric());
    Some(RequestRetry {
        message: match message {
            "" => "the provider refused".into(),
            said => said.into(),
        },
        seconds: Some(wait.split(' ').map(seconds).sum::<Option<u64>>()?),
        attempt: attempt.parse().ok()?,
        attempts: number.parse().ok()?,
    })
}

fn seconds(part: &str) -> Option<u64> {
    let unit = part.chars().last()?;
    let number: u64 = part.strip_suffix(unit)?.parse().ok()?;
    let each = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        _ => return None,
    };
    number.checked_mul(each)
}

impl ClaudeDialog {
    fn found_in(&self, lines: &[&str]) -> Option<Activity> {
        let mut rest = lines.iter();
        let mut at = None;
        for mark in self.marks {
            // Two marks may share a line.
            let line = at
                .filter(|line: &&&str| line.contains(mark))
                .or_else(|| rest.find(|line| line.contains(mark)))?;
            at = Some(line);
        }
        Some(match self.says {
            ClaudeSays::Waits(what) => Activity::Waiting(what.into()),
            ClaudeSays::Fails(why) => Activity::Failed(why.into()),
            ClaudeSays::Asks => {
                let question = lines.iter().find(|line| line.contains(self.marks[0])).copied();
                Activity::Waiting(question.unwrap_or_default().trim().into())
            }
        })
    }
}

/// `✳ …` at a prompt, a braille spinner while it works. A question has the title of a prompt.
pub(in crate::agents) fn read_title(title: &str) -> Option<Activity> {
    match title.chars().next()? {
        '✳' => Some(Activity::Idle),
        '\u{2800}'..='\u{28ff}' => Some(Activity::Busy(None)),
        _ => None,
    }
}

/// `~/.claude/sessions/PID.json`: undocumented, right within 0.3 s, interrupts included. It is written again for other
/// reasons too, a new title for one, so its own date of the status counts most.
pub(super) fn read_session_file(bytes: &[u8]) -> Option<SessionFile> {
    let file: Value = serde_json::from_slice(bytes).ok()?;
    let activity = match file["status"].as_str()? {
        "idle" => Activity::Idle,
        "busy" => Activity::Busy(None),
        // Its word for what it waits for changes while the dialog stays.
        "waiting" => Activity::Waiting(ASKS.into()),
        _ => return None,
    };
    let since = ["statusUpdatedAt", "updatedAt"]
        .iter()
        .find_map(|key| file[*key].as_i64());
    Some(SessionFile {
        session: file["sessionId"].as_str()?.to_string(),
        activity,
        since: since.map(Timestamp),
    })
}
