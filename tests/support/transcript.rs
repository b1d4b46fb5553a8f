//! A transcript with an entry of each kind, made by hand, and the Transcript tab that reads it.

use parlour::domain::effect::Effect;
use parlour::domain::event::{Event, Outcome, Size};
use parlour::domain::journal::work::{JournalDone, JournalWork};
use parlour::domain::work::{Read, ReadDone, ShownContent, ShownRead, Work};
use parlour::git::colour_code;
use parlour::model::entry::{Cut, From, SubagentSaid, ToolStatus};
use parlour::model::review::RevertOf;
use parlour::model::talk::HiddenEntries;
use parlour::model::transcript::{PageAt, PageLine, TranscriptPage};
use parlour::model::{ChatId, Entry, Happened, Timestamp};
use parlour::term::PastScreen;
use serde_json::{Value, json};

use super::world::{TALK, World, id, noon, screen};

pub fn prompt(text: &str, from: From) -> Happened {
    Happened::Prompt {
        id: text.into(),
        text: text.into(),
        from,
        sender: None,
        checkpoint: None,
        key: String::new(),
        steer: false,
    }
}

pub fn said(text: &str) -> Happened {
    Happened::Text {
        id: text.into(),
        text: text.into(),
    }
}

pub fn thought(text: &str) -> Happened {
    Happened::Thinking {
        id: text.into(),
        text: text.into(),
    }
}

pub fn start(id: &str, name: &str, input: Value, parent: Option<&str>) -> Happened {
    Happened::ToolStart {
        id: id.into(),
        name: name.into(),
        input,
        dir: Some("grove".into()),
        parent: parent.map(String::from),
    }
}

pub fn end(id: &str, status: ToolStatus, output: &str, ms: u64) -> Happened {
    Happened::tool_ended(id, status, output.into(), Some(ms))
}

fn usage(input: u64, output: u64) -> Happened {
    Happened::Usage {
        model: "opus".into(),
        input,
        output,
        cache_read: 12_000,
        cache_write: 0,
        cost: None,
        parent: None,
        window: None,
    }
}

pub fn sub_agent(id: &str, state: &str) -> Happened {
    Happened::Subagent {
        id: id.into(),
        name: "Explore".into(),
        state: state.into(),
    }
}

pub fn of_sub_agent(id: &str, said: SubagentSaid, text: &str) -> Happened {
    Happened::SubagentText {
        id: text.into(),
        parent: id.into(),
        said,
        text: text.into(),
    }
}

const ANSWER: &str = "## What was wrong

`decode` fails for an expired token, and the session **unwrapped** it. Now there are *two* kinds of denial, see \
[RFC 6750](https://www.rfc-editor.org/rfc/rfc6750) and ~~the old note~~:

1. `Denied::Expired`, which sends the person to the login
   - with a message
   - without a stack trace
2. `Denied::Malformed`, which is logged

> Tokens without a date count as expired.

```rust
let Ok(claims) = decode(token) else {
    return Err(Denied::Expired); // a comment that is so long that no screen of a person is wide enough to show it
};
```

| case | answer | before |
|:-----|:------:|-------:|
| expired | 401 | 500 |
| 期限切れ | 401 | 500 |

---

All 214 tests pass.";

/// Its output lies beside the transcript.
fn failed_run() -> Happened {
    let mut long = end(
        "bash",
        ToolStatus::Error,
        "test expired_token_is_denied ... FAILED\n1 failed",
        3_200,
    );
    if let Happened::ToolEnd {
        output,
        bytes,
        lines,
        cut,
        ..
    } = &mut long
    {
        (*output, *bytes, *lines, *cut) = (Some("outputs/bash".into()), 48_000, 900, Some(Cut::Cli));
    }
    long
}

/// A session with three turns; the second one was gone back before.
pub fn told() -> Vec<Happened> {
    let edit = json!({
        "file_path": "src/auth/session.rs",
        "old_string": "let claims = decode(token).unwrap();",
        "new_string": "let Ok(claims) = decode(token) else {\n    return Err(Denied::Expired);\n};",
    });
    vec![
        Happened::Session {
            agent: "claude".into(),
            session: "5f1c".into(),
            model: Some("opus".into()),
            version: Some("2.1.8".into()),
            cwd: "/home/mia/grove".into(),
        },
        prompt(
            "The login of expired sessions answers 500.\nFind out why and fix it.",
            From::Person,
        ),
        thought(
            "**Looking for the cause**\n\nThe person wants to know why expired sessions answer 500.\n\
             I should look at `session.rs` first.",
        ),
        said("I'll look at how expired tokens are handled."),
        start("read", "Read", json!({"file_path": "src/auth/session.rs"}), None),
        end("read", ToolStatus::Ok, "214 lines", 40),
        start("edit", "Edit", edit, None),
        end("edit", ToolStatus::Ok, "Updated", 120),
        usage(6_400, 812),
        start("bash", "Bash", json!({"command": "cargo test auth"}), None),
        failed_run(),
        Happened::Retry {
            message: "overloaded".into(),
            attempt: 2,
            attempts: Some(10),
            until: None,
        },
        Happened::Cwd {
            cwd: "/home/mia/grove/bench".into(),
            dir: None,
        },
        said(ANSWER),
        prompt("Now try it with Redis.", From::Parent),
        said("Redis is not installed."),
        Happened::Interrupt {
            cause: "a person pressed Esc".into(),
        },
        Happened::Revert {
            to: 4,
            saved: 5,
            of: RevertOf::Both,
            undo: false,
            hides: Some(HiddenEntries { from: 15, to: 17 }),
        },
        prompt("Have somebody look for other places.", From::Person),
        sub_agent("a1", "started"),
        start("look", "Grep", json!({"pattern": "unwrap\\("}), Some("a1")),
        end("look", ToolStatus::Ok, "4 matches", 80),
        start("gone", "Read", json!({"file_path": "src/gone.rs"}), Some("a1")),
        end("gone", ToolStatus::Error, "no such file", 5),
        of_sub_agent(
            "a1",
            SubagentSaid::Answered,
            "There are **4** places, all in `session.rs`.",
        ),
        sub_agent("a1", "ended"),
        Happened::Message {
            id: "m1".into(),
            from: "try-redis".into(),
            to: "fix-auth-bug".into(),
            unverified: false,
            text: "Redis answers in 2 ms, see bench/redis.md".into(),
        },
        Happened::Compaction { trigger: "auto".into() },
        Happened::Error {
            place: "Claude Code".into(),
            message: "API error: 529 overloaded".into(),
            hint: "send another prompt to try again".into(),
            trouble: None,
        },
        Happened::Note {
            text: "opened project ledger".into(),
        },
        usage(900, 64),
        said("There are hidden signs\u{202e} and \x1b[31mred\x1b[0m ones in src/a\tb.rs."),
        start("run", "mcp__db__query", json!({"sql": "select 1"}), None),
    ]
}

/// The entries, each half a minute behind the one before.
pub fn numbered(told: Vec<Happened>) -> Vec<Entry> {
    let count = told.len() as i64;
    let entry = |(at, what): (usize, Happened)| Entry {
        v: 1,
        seq: at as u64 + 1,
        ts: Timestamp(noon().0 - 30_000 * (count - at as i64)),
        read: None,
        what,
    };
    told.into_iter().enumerate().map(entry).collect()
}

/// A record that takes 1,000 bytes a line, and has a gap behind these lines.
pub struct Paper {
    pub entries: Vec<Entry>,
    pub gap_behind: Option<usize>,
    /// What the terminal showed is not recorded any more.
    pub is_terminal_gone: bool,
}

const LINE: u64 = 1_000;
/// Lines of a page.
const PAGE: u64 = 100;

impl Paper {
    pub fn page(&self, at: PageAt) -> TranscriptPage {
        let whole = self.entries.len() as u64 * LINE;
        let (from, to) = match at {
            PageAt::End => (whole.saturating_sub(PAGE * LINE), whole),
            PageAt::Start => (0, whole.min(PAGE * LINE)),
            PageAt::Before(end) => (end.saturating_sub(PAGE * LINE), end),
            PageAt::After(start) => (start, whole.min(start + PAGE * LINE)),
            PageAt::Around(seq) => {
                let there = (seq - 1) * LINE;
                (
                    there.saturating_sub(PAGE / 2 * LINE),
                    whole.min(there + PAGE / 2 * LINE),
                )
            }
        };
        let of = |byte: u64| usize::try_from(byte / LINE).unwrap();
        let prompts = self.entries[..of(from)]
            .iter()
            .filter(|entry| matches!(entry.what, Happened::Prompt { .. }));
        let mut lines = Vec::new();
        for (number, entry) in self.entries.iter().enumerate().take(of(to)).skip(of(from)) {
            lines.push(PageLine::Entry(entry.clone().into()));
            if self.gap_behind == Some(number + 1) {
                lines.push(PageLine::Gap(4_711));
            }
        }
        TranscriptPage {
            at,
            lines,
            from,
            to,
            whole,
            prompts_before: Some(u32::try_from(prompts.count()).unwrap()),
        }
    }

    /// Answers what workers are asked to read, and what follows from that; which pages were asked for.
    pub fn answer(&self, world: &mut World, effects: Vec<Effect>) -> Vec<PageAt> {
        let (mut asked, mut due) = (Vec::new(), effects);
        while let Some(effect) = due.pop() {
            let Effect::Work(number, Work::Read(Read::Shown(read))) = effect else {
                continue;
            };
            let shown = match read {
                ShownRead::Page(chat, at) => {
                    asked.push(at);
                    ShownContent::Page(chat, self.page(at))
                }
                ShownRead::Colours(chat, seq, blocks) => {
                    let colours = blocks.iter().map(|block| colour_code(&block.language, &block.text));
                    ShownContent::Colours(chat, seq, colours.collect())
                }
                ShownRead::Moment(chat, at) => {
                    let past = PastScreen {
                        received: at.0.unsigned_abs(),
                        screen: screen(TALK, Size { cols: 89, rows: 36 }),
                    };
                    ShownContent::Moment(chat, at, (!self.is_terminal_gone).then_some(past))
                }
                _ => continue,
            };
            due.extend(world.happens(Event::Done(number, Outcome::Read(ReadDone::Shown(shown)))));
        }
        asked
    }
}

/// The entries are appended to the transcript.
pub fn appended(world: &mut World, chat: &ChatId, entries: Vec<Entry>) -> Vec<Effect> {
    use parlour::domain::chat as chats;
    use parlour::domain::state::Requester;
    use parlour::domain::work::JournalThen;
    let work = JournalWork::Append(chat.clone(), Vec::new(), None);
    let effects = chats::work(&mut world.state.domain, Requester::Nobody, JournalThen::Nothing, work);
    let Some(Effect::Work(number, _)) = effects.into_iter().next() else {
        panic!("it is written by a worker");
    };
    let done = JournalDone::Appended(chat.clone(), entries);
    world.happens(Event::Done(number, Outcome::Journal(done)))
}

/// The chat's agent is this CLI, by the name that people know.
pub fn of_cli(world: &mut World, llm: &str) {
    let adapter = parlour::agents::find(llm, &parlour::model::Settings::default()).unwrap();
    let disk = &mut world.state.domain.disk;
    disk.titles.insert(llm.into(), adapter.title().to_string());
    disk.chats.change(&id("auth"), |chat| chat.record.llm = llm.into());
}

/// The tab of a chat whose transcript is this.
pub fn read(cols: u16, rows: u16, paper: &Paper) -> World {
    let mut world = World::morning(cols, rows);
    let hides = paper.entries.iter().filter_map(|entry| match &entry.what {
        Happened::Revert { hides, .. } => *hides,
        _ => None,
    });
    let hidden: Vec<HiddenEntries> = hides.collect();
    let chats = &mut world.state.domain.disk.chats;
    chats.change(&id("auth"), |chat| chat.record.origin.went_back.hidden = hidden);
    let effects = world.press("t");
    paper.answer(&mut world, effects);
    world
}

/// One with an entry of each kind.
pub fn kinds() -> Paper {
    Paper {
        entries: numbered(told()),
        gap_behind: Some(13),
        is_terminal_gone: false,
    }
}
