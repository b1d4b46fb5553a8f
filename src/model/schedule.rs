//! A schedule: a rule for starting chats; and its runs: the times it did, with what became of each.
//!
//! The file of a schedule holds both. All occurrences up to [`Schedule::decided`] are settled: each is a run, or is
//! counted in an entry that says why it was none. What is written next is computed by [`Schedule::apply`] from the file
//! as it is on disk, so a stranger's edit is not lost.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::cron::{Cron, Zone};
use super::open_dir::OpenDir;
use super::{ChatId, ScheduleId, Timestamp};

pub mod named;
mod wanted;

pub use wanted::{DEFAULT_TIMEOUT_S, Wanted};

/// The version of the file that this parlour writes.
pub const VERSION: u32 = 1;

/// Runs and skips that a file keeps.
pub const HISTORY: usize = 100;

/// What came due longer ago than this was missed: the engine was down, or the machine slept.
const ON_TIME_MS: u64 = 60_000;

/// What was missed within this long is made up for, once.
const CATCH_UP_MS: u64 = 24 * 3_600_000;

/// Missed occurrences are counted up to here.
const COUNTED: u32 = 1_000;

/// `schedules/{id}.json`. Unknown keys of a newer version are kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    pub v: u32,
    pub id: ScheduleId,
    #[serde(flatten)]
    pub terms: Terms,
    #[serde(default)]
    pub paused: bool,
    pub created: Timestamp,
    /// The chat whose agent made it; a person's has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat: Option<ChatId>,
    /// The tree of that chat, which alone sees it beside a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<String>,
    /// Every occurrence up to here is settled.
    pub decided: Timestamp,
    /// Counts what parlour wrote: of two states the one with more is newer.
    #[serde(default)]
    pub rev: u64,
    /// Oldest first.
    #[serde(default)]
    pub runs: Vec<Run>,
    #[serde(flatten, deserialize_with = "without_terms")]
    pub other: Map<String, Value>,
}

/// Of two flattened fields serde gives the second what the first has taken, too.
fn without_terms<'de, D: Deserializer<'de>>(written: D) -> Result<Map<String, Value>, D::Error> {
    let mut other = Map::deserialize(written)?;
    TERMS.iter().for_each(|key| drop(other.shift_remove(*key)));
    Ok(other)
}

/// What a person may change of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Terms {
    pub name: String,
    pub prompt: String,
    #[serde(flatten)]
    pub when: When,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<OpenDir>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub llm: Option<String>,
    /// A command that is run in the run's clone after the agent's last turn: its exit decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    /// The check is an agent's word, and runs only where a rule allows it.
    #[serde(default)]
    pub check_by_agent: bool,
    pub timeout_s: u64,
    #[serde(default)]
    pub overlap: Overlap,
    #[serde(default)]
    pub missed: Missed,
}

/// The keys of [`Terms`] in a file: what is flattened twice is offered to the rest as well.
const TERMS: [&str; 12] = [
    "name",
    "prompt",
    "cron",
    "at",
    "tz",
    "project",
    "llm",
    "check",
    "check_by_agent",
    "timeout_s",
    "overlap",
    "missed",
];

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SpelledWhen", into = "SpelledWhen")]
pub struct When {
    pub rule: Rule,
    pub zone: Zone,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    Cron(Box<Cron>),
    At(Timestamp),
}

#[derive(Serialize, Deserialize)]
struct SpelledWhen {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cron: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at: Option<Timestamp>,
    tz: Zone,
}

impl TryFrom<SpelledWhen> for When {
    type Error = String;
    fn try_from(spelled: SpelledWhen) -> Result<When, String> {
        let rule = match (spelled.cron, spelled.at) {
            (Some(cron), None) => Rule::Cron(Box::new(Cron::parse(&cron)?)),
            (None, Some(at)) => Rule::At(at),
            (Some(_), Some(_)) | (None, None) => return Err("it needs either `cron` or `at`".into()),
        };
        Ok(When { rule, zone: spelled.tz })
    }
}

impl From<When> for SpelledWhen {
    fn from(when: When) -> SpelledWhen {
        let (cron, at) = match when.rule {
            Rule::Cron(cron) => (Some(cron.as_str().to_string()), None),
            Rule::At(at) => (None, Some(at)),
        };
        SpelledWhen {
            cron,
            at,
            tz: when.zone,
        }
    }
}

impl When {
    pub fn next_after(&self, after: Timestamp) -> Option<Timestamp> {
        match &self.rule {
            Rule::Cron(cron) => cron.next_after(self.zone, after),
            Rule::At(at) => (*at > after).then_some(*at),
        }
    }

    /// The newest in a stretch, looked for near its end first: a rule may fit each minute of it.
    fn last_in(&self, after: Timestamp, until: Timestamp) -> Option<Timestamp> {
        for back in [3_600_000, CATCH_UP_MS] {
            let near = Timestamp(until.0.saturating_sub_unsigned(back));
            let next = |at: &Timestamp| self.next_after(*at).filter(|at| *at <= until);
            let found = std::iter::successors(next(&near.max(after)), next).last();
            if found.is_some() || near <= after {
                return found;
            }
        }
        None
    }
}

/// What happens when it comes due while its last run goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Overlap {
    /// This time is left out.
    #[default]
    Skip,
    /// It begins when the last run has ended.
    Wait,
    /// Both go on at once.
    Allow,
}

/// What happens to the time that was missed last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Missed {
    /// It is made up for, once, within a day.
    #[default]
    Latest,
    /// It is left out.
    Skip,
}

/// One time it came due, or was run by hand; or several that came to nothing in the same way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The first of the occurrences it stands for; none for one by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<Timestamp>,
    /// When it was decided.
    pub at: Timestamp,
    pub how: How,
    /// Chosen with the claim, so that a run whose chat is not there was never begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat: Option<ChatId>,
    /// Absent while it goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Verdict>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Timestamp>,
    /// How many occurrences this is.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub count: u32,
}

fn one() -> u32 {
    1
}

fn is_one(count: &u32) -> bool {
    *count == 1
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    OnTime,
    /// Made up for later.
    Late,
    ByHand,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Success,
    Failed,
    TimedOut,
    NeedsYou,
    /// Left out: the run before it went on.
    Skipped,
    /// The engine was down, or the machine asleep.
    Missed,
}

impl Verdict {
    /// The word in files and on the shell.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Success => "success",
            Verdict::Failed => "failed",
            Verdict::TimedOut => "timed-out",
            Verdict::NeedsYou => "needs-you",
            Verdict::Skipped => "skipped",
            Verdict::Missed => "missed",
        }
    }
}

/// What has come due and is not settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    pub first: Timestamp,
    /// The newest, where it is not too old to be made up for.
    pub last: Option<Timestamp>,
    pub how: How,
    /// All of them, the newest included.
    pub count: u32,
}

/// What is written into a schedule's file.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Everything due up to now is settled, by these.
    Decide(Timestamp, Vec<Run>),
    /// A run by hand: it takes no occurrence's place.
    ByHand(Run),
    Finish {
        chat: ChatId,
        result: Verdict,
        why: String,
        at: Timestamp,
    },
    Pause,
    /// What came due meanwhile is not made up for.
    Resume(Timestamp),
    Edit(Box<Terms>, Timestamp),
}

impl Schedule {
    pub fn new(id: ScheduleId, terms: Terms, now: Timestamp) -> Schedule {
        Schedule {
            v: VERSION,
            id,
            terms,
            paused: false,
            created: now,
            chat: None,
            tree: None,
            decided: now,
            rev: 0,
            runs: Vec::new(),
            other: Map::new(),
        }
    }

    /// A file as it is read; in words, why it is none.
    pub fn parse(id: &ScheduleId, bytes: &[u8]) -> Result<Schedule, String> {
        let schedule: Schedule = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        match schedule {
            schedule if schedule.v > VERSION => Err(format!("a newer parlour wrote it (version {})", schedule.v)),
            schedule if schedule.id != *id => Err(format!("it says that it is {}", schedule.id)),
            schedule => Ok(schedule),
        }
    }

    /// When it comes due next. While the clock stands before what is settled, nothing does.
    pub fn next(&self) -> Option<Timestamp> {
        match self.paused {
            true => None,
            false => self.terms.when.next_after(self.decided),
        }
    }

    /// Its times are settled up to one that is in the future, and by more than a clock is set right by.
    pub fn is_ahead(&self, now: Timestamp) -> bool {
        const RIGHTED_MS: u64 = 600_000;
        self.decided.ms_since(now) > RIGHTED_MS
    }

    /// That it is, and what to do.
    pub fn told_ahead(&self) -> String {
        let until = self.terms.when.zone.spell(self.decided);
        format!("settled up to {until}, which is in the future; `parlour schedule resume` mends it")
    }

    /// It will never come due again.
    pub fn is_over(&self) -> bool {
        self.terms.when.next_after(self.decided).is_none()
    }

    pub fn due(&self, now: Timestamp) -> Option<Due> {
        let first = self.next().filter(|first| *first <= now)?;
        let next = |at: &Timestamp| self.terms.when.next_after(*at).filter(|at| *at <= now);
        let all = std::iter::successors(Some(first), next).take(COUNTED as usize);
        let last = self.terms.when.last_in(self.decided, now);
        let on_time = last.is_some_and(|last| now.ms_since(last) <= ON_TIME_MS);
        Some(Due {
            first,
            last,
            how: if on_time { How::OnTime } else { How::Late },
            count: u32::try_from(all.count()).unwrap_or(COUNTED),
        })
    }

    /// Runs whose result is not known yet.
    pub fn open_runs(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter().filter(|run| run.result.is_none())
    }

    pub fn apply(&mut self, change: Change) {
        self.rev += 1;
        match change {
            Change::Decide(now, runs) => {
                self.decided = self.decided.max(now);
                runs.into_iter().for_each(|run| self.note(run));
            }
            Change::ByHand(run) => self.note(run),
            Change::Finish { chat, result, why, at } => {
                let mut open = self.runs.iter_mut().filter(|run| run.result.is_none());
                if let Some(run) = open.find(|run| run.chat.as_ref() == Some(&chat)) {
                    (run.result, run.why, run.ended) = (Some(result), why, Some(at));
                }
            }
            Change::Pause => self.paused = true,
            // What is due of one that goes on stays due.
            Change::Resume(now) if self.paused || self.decided > now => (self.paused, self.decided) = (false, now),
            Change::Resume(_) => {}
            Change::Edit(terms, now) => {
                if terms.when != self.terms.when {
                    self.decided = now;
                }
                self.terms = *terms;
            }
        }
    }

    /// What comes to nothing in the same way one time after another is one entry.
    fn note(&mut self, run: Run) {
        if let Some(last) = self.runs.last_mut()
            && run.chat.is_none()
            && last.chat.is_none()
            && (last.result, &last.why) == (run.result, &run.why)
        {
            last.count = last.count.saturating_add(run.count);
            last.at = run.at;
            return;
        }
        self.runs.push(run);
        let surplus = self.runs.len().saturating_sub(HISTORY);
        let mut kept = 0;
        self.runs.retain(|run| {
            let goes = kept < surplus && run.result.is_some();
            kept += usize::from(goes);
            !goes
        });
    }
}

/// What came of a run's check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Checked {
    /// There is none, or the agent is blocked.
    Not,
    Passed,
    /// In words, with the last of what it said.
    Failed(String),
    TimedOut,
    /// It is this command of an agent's, which nothing allows.
    NotAllowed(String),
}

impl Due {
    /// What is said of all but the newest, or of all.
    pub fn missed(&self, count: u32, now: Timestamp, why: &str) -> Option<Run> {
        (count > 0).then(|| Run::without_chat(self.first, now, Verdict::Missed, why, count))
    }
}

impl Run {
    pub fn without_chat(due: Timestamp, at: Timestamp, result: Verdict, why: &str, count: u32) -> Run {
        Run {
            due: Some(due),
            at,
            how: How::OnTime,
            chat: None,
            result: Some(result),
            why: why.into(),
            ended: Some(at),
            count,
        }
    }

    pub fn claimed(due: Option<Timestamp>, at: Timestamp, how: How, chat: ChatId) -> Run {
        Run {
            due,
            at,
            how,
            chat: Some(chat),
            result: None,
            why: String::new(),
            ended: None,
            count: 1,
        }
    }
}

/// What is asked about schedules; one is named by its id, its name, or a unique beginning of its id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum ScheduleAsk {
    Add(Box<Wanted>),
    List,
    Show { schedule: String },
    Pause { schedule: String },
    Resume { schedule: String },
    Run { schedule: String },
    Cancel { schedule: String },
}
