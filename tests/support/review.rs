//! What workers tell of a chat's clones, made by hand: three turns, two clones.

use parlour::domain::agent::work::{AgentDone, AgentWork};
use parlour::domain::effect::Effect;
use parlour::domain::event::{Event, Outcome};
use parlour::domain::work::{RemarkWork, ReviewDone, ReviewWork, Work};
use parlour::model::detail::{Attempt, CommitLine, Detail, DetailWork};
use parlour::model::diff::{DiffBody, DiffLine, DiffSpan, FileAsk, FileDiff, Hunk, LineKind, Syntax};
use parlour::model::lineage::PointList;
use parlour::model::origin::{LineAuthor, OriginCard, ToldOrigin};
use parlour::model::remark::{Anchor, PlacedRemark, Remark, RemarkAnswer, RemarkAuthor, RemarkSide, RemarkState};
use parlour::model::review::{
    Amount, Cause, Changes, Checkpoint, DiffSet, FileChange, FileFate, FileKind, LeftOutOf, Overview, Reverted,
    RevertedFile, RevertedProject,
};
use parlour::model::search::{FileMatches, FoundLines, Needle};
use parlour::model::talk::{RevertedTalk, TalkFate};
use parlour::model::{ChatId, Installed, Timestamp};

use super::picked::{brought_back, picked, picked_several};
use super::world::{World, id, noon};

pub fn checkpoint(number: u64, turn: u32, minutes_ago: i64, prompt: &str, amount: Amount) -> Checkpoint {
    Checkpoint {
        v: 1,
        number,
        at: Timestamp(noon().0 - minutes_ago * 60_000),
        cause: Cause::Turn,
        turn: Some(turn),
        prompt: prompt.into(),
        changed: vec!["grove".into()],
        amount,
        left_out: Vec::new(),
        replaced: None,
        ended: None,
    }
}

pub fn change(path: &str, kind: FileKind, (added, removed): (usize, usize), content: &str) -> FileChange {
    FileChange {
        path: path.into(),
        from: (kind == FileKind::Renamed).then(|| "src/auth/old_name.rs".into()),
        kind,
        binary: path.ends_with(".png"),
        added,
        removed,
        id: content.into(),
        index: None,
    }
}

pub fn overview(set: DiffSet) -> Overview {
    let amount = |files, added, removed| Amount { files, added, removed };
    let clone = |project: &str, files| Changes {
        project: project.into(),
        before: Some("1".repeat(40)),
        after: "2".repeat(40),
        files,
        ..Changes::default()
    };
    Overview {
        set,
        since_last: Some(amount(7, 26, 44)),
        ended: None,
        uncommitted: 0,
        reviewed: None,
        checkpoints: vec![
            checkpoint(
                1,
                1,
                50,
                "The login of expired sessions answers 500. Find out why.",
                amount(0, 0, 0),
            ),
            checkpoint(2, 2, 31, "Now fix it, with a test.", amount(2, 9, 1)),
            checkpoint(
                4,
                3,
                4,
                "Rename session.rs 期限 and say so in the docs",
                amount(4, 120, 7),
            ),
        ],
        changes: vec![
            clone(
                "grove",
                vec![
                    change("README.md", FileKind::Modified, (2, 0), "a1"),
                    change("assets/logo.png", FileKind::Modified, (0, 0), "a2"),
                    change("src/auth/session.rs", FileKind::Modified, (3, 1), "a3"),
                    change("src/auth/tokens.rs", FileKind::Renamed, (0, 0), "a4"),
                    change("src/auth/keys.rs", FileKind::Deleted, (0, 41), "a5"),
                    change("tests/expired.rs", FileKind::Added, (17, 0), "a6"),
                ],
            ),
            clone(
                "handbook",
                vec![change("docs/login.md", FileKind::Modified, (4, 2), "b1")],
            ),
        ],
    }
}

fn line(kind: LineKind, number: (Option<u32>, Option<u32>), text: &str, spans: Vec<DiffSpan>) -> DiffLine {
    DiffLine {
        kind,
        old: number.0,
        new: number.1,
        text: text.into(),
        spans,
        is_unended: false,
        is_staged: false,
    }
}

/// A file with one hunk in which words changed, and a second one with a tab and hidden characters.
pub fn file(ask: FileAsk) -> FileDiff {
    use LineKind::{Added, Context, Removed};
    let span = |end, syntax, is_changed| DiffSpan {
        end,
        syntax,
        is_changed,
    };
    let first = vec![
        line(
            Context,
            (Some(87), Some(87)),
            "fn check(token: &str) -> Result<Claims, Denied> {",
            vec![span(2, Syntax::Keyword, false), span(8, Syntax::Function, false)],
        ),
        line(
            Removed,
            (Some(88), None),
            "    let claims = decode(token).unwrap();",
            vec![
                span(4, Syntax::Plain, false),
                span(7, Syntax::Keyword, false),
                span(31, Syntax::Plain, false),
                span(39, Syntax::Plain, true),
            ],
        ),
        line(
            Added,
            (None, Some(88)),
            "    let Ok(claims) = decode(token) else {",
            vec![
                span(4, Syntax::Plain, false),
                span(7, Syntax::Keyword, false),
                span(11, Syntax::Plain, true),
            ],
        ),
        line(
            Added,
            (None, Some(89)),
            "        return Err(Denied::Expired);",
            Vec::new(),
        ),
        line(Added, (None, Some(90)), "    };", Vec::new()),
        line(Context, (Some(89), Some(91)), "    Ok(claims)", Vec::new()),
    ];
    let second = vec![
        line(Context, (Some(120), Some(122)), "\tif a\u{202e}b {", Vec::new()),
        line(Added, (None, Some(123)), "\t\tlog(\"修复\");\u{1b}[31m", Vec::new()),
    ];
    FileDiff {
        ask,
        kind: FileKind::Modified,
        body: DiffBody::Lines {
            hunks: vec![
                Hunk {
                    old: (87, 3),
                    new: (87, 5),
                    heading: "impl Session {".into(),
                    lines: first,
                },
                Hunk {
                    old: (120, 1),
                    new: (122, 2),
                    heading: String::new(),
                    lines: second,
                },
            ],
            cut: 0,
        },
    }
}

pub fn plan() -> Reverted {
    let file = |path: &str, what| RevertedFile {
        path: path.into(),
        what,
    };
    Reverted {
        to: 4,
        projects: vec![RevertedProject {
            project: "grove".into(),
            changes: vec![
                file("README.md", FileFate::Changes),
                file("src/auth/keys.rs", FileFate::ComesBack),
                file("tests/expired.rs", FileFate::Goes),
            ],
            ..RevertedProject::default()
        }],
        talk: Some(RevertedTalk {
            hidden: vec!["Test that an expired token is refused".into(), "Now the keys".into()],
            entries: 48,
            shown: Vec::new(),
            prompt: None,
            agent: TalkFate::GoesOn,
        }),
        ..Reverted::default()
    }
}

fn left(project: &str, path: &str, why: &str) -> LeftOutOf {
    LeftOutOf {
        project: project.into(),
        path: path.into(),
        why: why.into(),
    }
}

/// A morning with a revert and its undo, a second revert, and every other cause.
pub fn points() -> PointList {
    let amount = |files, added, removed| Amount { files, added, removed };
    let of = |number, minutes_ago: i64, cause, changed: &[&str], amount| Checkpoint {
        cause,
        turn: None,
        changed: changed.iter().map(|name| (*name).to_owned()).collect(),
        ..checkpoint(number, 0, minutes_ago, "", amount)
    };
    let mut last = checkpoint(11, 5, 2, "Keep the old name of the function as well", amount(2, 31, 4));
    last.changed = vec!["grove".into(), "handbook".into()];
    last.left_out = vec![
        left("grove", "vendor/mirrors", "a repository of its own"),
        left("grove", "data/sessions-2026-07.csv", "untracked and too large"),
        left("handbook", "run/agent.sock", "not a file"),
    ];
    let first = "The login of expired sessions answers 500. Find out why, and write down what you tried on the way so that \
                 the others need not try it again; \u{202e}then stop.";
    PointList {
        checkpoints: vec![
            checkpoint(1, 1, 190, first, amount(0, 0, 0)),
            of(2, 170, Cause::Opened, &["handbook"], amount(0, 0, 0)),
            checkpoint(3, 2, 150, "Now fix it, with a test.", amount(2, 9, 1)),
            of(4, 140, Cause::Asked, &["grove"], amount(4, 120, 7)),
            checkpoint(
                5,
                3,
                61,
                "Rename session.rs 期限 and say so in the docs",
                amount(1, 3, 3),
            ),
            of(6, 45, Cause::Revert(3), &["grove", "handbook"], amount(0, 0, 0)),
            of(7, 44, Cause::Undo(6), &["grove", "handbook"], amount(0, 0, 0)),
            of(8, 30, Cause::Discard, &["grove"], amount(1, 0, 12)),
            checkpoint(9, 4, 20, "Try it with a table of tokens instead", amount(1, 1, 0)),
            of(10, 9, Cause::Revert(9), &["grove", "handbook"], amount(0, 0, 0)),
            last,
        ],
        bytes: 3_412_000,
    }
}

/// How a checkpoint differs from the one before.
fn differs() -> Vec<Changes> {
    overview(DiffSet::LastPrompt).changes
}

/// What a search finds in each text file, as [`file`] has it, and a patch.
pub fn detail(work: &DetailWork) -> Detail {
    match work {
        DetailWork::Search(ask) => {
            let needle = Needle::of(&ask.words).expect("words");
            let lines = |ask: &FileAsk| {
                let DiffBody::Lines { hunks, .. } = file(ask.clone()).body else {
                    return 0;
                };
                let all = hunks.iter().flat_map(|hunk| &hunk.lines);
                all.filter(|line| needle.is_in(&line.text)).count()
            };
            let files = ask.files.iter().map(|ask| FileMatches {
                project: ask.project.clone(),
                path: ask.path.clone(),
                lines: lines(ask),
            });
            Detail::Found(FoundLines {
                words: ask.words.clone(),
                files: files.filter(|file| file.lines > 0).collect(),
                unread: 0,
            })
        }
        DetailWork::Commits => Detail::Commits(
            [
                ("a", "Find out why expired sessions answer 500", 3),
                ("b", "Add login", 600),
            ]
            .map(|(id, subject, minutes)| CommitLine {
                project: "grove".into(),
                id: id.repeat(40),
                subject: subject.into(),
                at: Timestamp(noon().0 - minutes * 60_000),
            })
            .to_vec(),
        ),
        DetailWork::Attempts(chats) => {
            let attempt = |(at, chat): (usize, &ChatId)| Attempt {
                chat: chat.clone(),
                turns: at + 1,
                amount: Amount {
                    files: 3 * at,
                    added: 40 * at,
                    removed: at,
                },
            };
            Detail::Attempts(chats.iter().enumerate().map(attempt).collect())
        }
        DetailWork::TurnOf(card) => Detail::TurnOf {
            card: *card,
            turn: Some((2, DiffSet::Turn(2))),
        },
        DetailWork::Origin(asked) => Detail::Origin(ToldOrigin {
            asked: asked.clone(),
            since: Some(2),
            turn: Some(2),
            author: LineAuthor::Turn,
            card: Some(OriginCard {
                seq: 5,
                tool: Some("Edit".into()),
            }),
        }),
        DetailWork::Patch(..) => Detail::Patch("diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\n".into()),
    }
}

/// Three remarks on `README.md`: one that the agent answered, one that is resolved and one whose line is gone; and one on
/// a removed line of another file.
pub fn remarks() -> Vec<PlacedRemark> {
    let of = |id, path: &str, side, line: Option<u32>, says: &str, text: &str| PlacedRemark {
        remark: Remark {
            id,
            project: "grove".into(),
            path: path.into(),
            side,
            anchor: Some(Anchor {
                lines: vec![says.into()],
                before: Vec::new(),
                after: Vec::new(),
                line: line.unwrap_or(40),
                above: None,
                below: None,
                count: 1,
                ordinal: 0,
            }),
            text: text.into(),
            author: RemarkAuthor::Person,
            at: noon(),
            state: RemarkState::Open,
            sent: false,
            answers: Vec::new(),
        },
        line,
        outdated: line.is_none(),
    };
    let readme = |id, line, says, text| of(id, "README.md", RemarkSide::After, line, says, text);
    let long =
        "Expired tokens are not the only ones that fail to decode: tell the two apart, and \u{202e}log which it was.";
    let mut answered = readme(1, Some(89), "        return Err(Denied::Expired);", long);
    answered.remark.state = RemarkState::Answered;
    answered.remark.sent = true;
    answered.remark.answers = vec![RemarkAnswer {
        author: RemarkAuthor::Agent,
        text: "Done: a malformed token is Denied::Malformed now.".into(),
        at: noon(),
    }];
    let mut resolved = readme(2, Some(90), "    };", "Is this brace needed?\nI think not.");
    resolved.remark.state = RemarkState::Resolved;
    let outdated = readme(3, None, "    retry(3);", "Why three times?");
    let removed = "    let claims = decode(token).unwrap();";
    let other = of(
        4,
        "src/auth/session.rs",
        RemarkSide::Before,
        Some(88),
        removed,
        "Good that it is gone.",
    );
    vec![answered, resolved, outdated, other]
}

fn remarked(work: &RemarkWork, known: &[PlacedRemark]) -> ReviewDone {
    match work {
        RemarkWork::List | RemarkWork::Sent(_) => ReviewDone::Remarks(known.to_vec()),
        RemarkWork::Add(_) | RemarkWork::Change(..) => ReviewDone::Remark(remarks().remove(0).remark),
        RemarkWork::Tell | RemarkWork::Compose(_) => {
            ReviewDone::Composed("Remarks on your changes.".into(), vec![3, 4])
        }
    }
}

/// Answers what workers are asked for, until nothing more is asked; says what was asked.
pub fn answer(world: &mut World, effects: Vec<Effect>) -> Vec<ReviewWork> {
    answer_with(world, effects, &[])
}

/// The same where a person has reviewed up to this checkpoint.
pub fn answer_reviewed(world: &mut World, effects: Vec<Effect>, up_to: u64) -> Vec<ReviewWork> {
    let mut asked = Vec::new();
    for effect in effects {
        let Effect::Work(number, Work::Review(ReviewWork::Overview(chat, set))) = effect else {
            asked.extend(answer(world, vec![effect]));
            continue;
        };
        asked.push(ReviewWork::Overview(chat.clone(), set.clone()));
        let found = Overview {
            reviewed: Some(up_to),
            ..overview(set)
        };
        let done = ReviewDone::Overview(chat, found);
        let next = world.happens(Event::Done(number, Outcome::Review(done)));
        asked.extend(answer(world, next));
    }
    asked
}

pub fn answer_with(world: &mut World, effects: Vec<Effect>, known: &[PlacedRemark]) -> Vec<ReviewWork> {
    let (mut asked, mut due) = (Vec::new(), effects);
    while let Some(effect) = due.pop() {
        let Effect::Work(number, Work::Review(work)) = effect else {
            continue;
        };
        let done = match &work {
            ReviewWork::Overview(chat, set) => Some(ReviewDone::Overview(chat.clone(), overview(set.clone()))),
            ReviewWork::File(chat, ask) => Some(ReviewDone::File(chat.clone(), file(ask.clone()))),
            ReviewWork::Plan { .. } => Some(ReviewDone::Planned(plan())),
            ReviewWork::Check { .. } => Some(ReviewDone::Checked),
            ReviewWork::Points(chat) => Some(ReviewDone::Points(chat.clone(), points())),
            ReviewWork::Diff(..) => Some(ReviewDone::Compared(differs(), None)),
            ReviewWork::Detail(chat, work) => Some(ReviewDone::Detail(chat.clone(), detail(work))),
            ReviewWork::Pick(_, act, pick) => Some(picked(*act, pick)),
            ReviewWork::PickSeveral(_, act, picks) => Some(picked_several(*act, picks)),
            ReviewWork::BringBack(_, picks) => Some(brought_back(picks)),
            ReviewWork::Remark(_, work) => Some(remarked(work, known)),
            ReviewWork::Take { .. }
            | ReviewWork::Prepare(_)
            | ReviewWork::Rest { .. }
            | ReviewWork::MarkReviewed { .. }
            | ReviewWork::UnmarkReviewed(..)
            | ReviewWork::Opinion { .. }
            | ReviewWork::Finding(..)
            | ReviewWork::List(_)
            | ReviewWork::Costs(_)
            | ReviewWork::Thin(_)
            | ReviewWork::Revert { .. }
            | ReviewWork::Follow(..) => None,
        };
        asked.push(work);
        if let Some(done) = done {
            due.extend(world.happens(Event::Done(number, Outcome::Review(done))));
        }
    }
    asked
}

/// The tab of a chat, with its first file.
pub fn reviewed(cols: u16, rows: u16) -> World {
    let mut world = World::morning(cols, rows);
    assert_eq!(world.view().chat.as_ref(), Some(&id("auth")));
    let effects = world.press("d");
    answer(&mut world, effects);
    world
}

/// The same with remarks.
pub fn remarked_upon(cols: u16, rows: u16) -> World {
    let mut world = World::morning(cols, rows);
    let effects = world.press("d");
    answer_with(&mut world, effects, &remarks());
    world
}

/// The list of a chat's checkpoints.
pub fn listed(cols: u16, rows: u16) -> World {
    let mut world = World::morning(cols, rows);
    let effects = world.press("h");
    answer(&mut world, effects);
    world
}

/// A second opinion is wanted, and these agents are found.
pub fn ask_who_reviews(world: &mut World, agents: Vec<Installed>) {
    for effect in world.press("O") {
        if let Effect::Work(number, Work::Agent(AgentWork::Detect { .. })) = effect {
            let found = Outcome::Agent(AgentDone::Detected(agents.clone(), Vec::new()));
            world.happens(Event::Done(number, found));
        }
    }
}
