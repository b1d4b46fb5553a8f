//! The conversation of a chat, taken back to before one of its prompts: what of the transcript is hidden, and the
//! session from which its agent goes on.

use crate::agents::{Env, Fork};
use crate::engine::clock::now;
use crate::engine::work::context::WorkContext;
use crate::engine::work::copied_talk::{self, TalkCopy};
use crate::engine::work::loading::loading;
use crate::model::entry::{From, Happened};
use crate::model::review::{Checkpoint, Point, RevertOf};
use crate::model::talk::{HiddenEntries, RevertedTalk, TalkFate, TalkState, WentBack};
use crate::model::text::one_line;
use crate::model::{Chat, ChatId, EarlierPrompt, Entry, Problem, ProblemKind, ResultExt, Timestamp};
use crate::store::{Line, TalkUnderWay};

use super::clones::{PROMPT, Review, no_turn};

const DOING: &str = "going back in the conversation";
const ALONE: &str = "go back with the code alone: `--code`";
/// Entries from the end among which a revert is looked for that was told already.
const LOOKED_AT: usize = 200;

/// What a transcript says of its prompts and of where it goes on.
pub struct ToldPrompts {
    /// Prompts, sessions and reverts alone.
    pub(super) entries: Vec<Entry>,
    pub(super) went_back: WentBack,
    pub(super) last: u64,
}

impl ToldPrompts {
    pub fn read(context: &WorkContext, chat: &Chat) -> Result<ToldPrompts, Problem> {
        ToldPrompts::read_with(context, chat, |_| {})
    }

    /// The same, and each entry that is no part of it is looked at as it is read.
    pub fn read_with(context: &WorkContext, chat: &Chat, mut look: impl FnMut(Entry)) -> Result<ToldPrompts, Problem> {
        context.journals.catch_up();
        let id = chat.id();
        let home = &context.services.home;
        let lines = home.all_lines_after(id, 0).map_err(|error| loading(id, error))?;
        let mut told = ToldPrompts {
            entries: Vec::new(),
            went_back: chat.record.origin.went_back.clone(),
            last: 0,
        };
        for line in lines {
            let Line::Entry(entry) = line.doing(DOING)? else {
                continue;
            };
            told.last = told.last.max(entry.seq);
            if matches!(
                entry.what,
                Happened::Prompt { .. } | Happened::Session { .. } | Happened::Revert { .. }
            ) {
                told.entries.push(entry);
            } else {
                look(entry);
            }
        }
        Ok(told)
    }

    pub(super) fn prompts(&self) -> impl DoubleEndedIterator<Item = (&Entry, &str)> {
        self.entries.iter().filter_map(|entry| {
            let Happened::Prompt { text, .. } = &entry.what else {
                return None;
            };
            Some((entry, text.as_str()))
        })
    }

    /// Those with which turns began.
    fn turns(&self) -> impl DoubleEndedIterator<Item = (&Entry, &str)> {
        self.prompts().filter(|(entry, _)| entry.what.begins_turn())
    }

    /// The prompt with which a turn began. A person may send the same words twice: the nearest in time is meant.
    fn of_turn(&self, turn: &Checkpoint) -> Option<&Entry> {
        let same = |text: &str| one_line(text.trim(), PROMPT) == turn.prompt;
        let apart = |entry: &Entry| (entry.ts.0 - turn.at.0).abs();
        let found = self.turns().filter(|(_, text)| same(text));
        found.map(|(entry, _)| entry).min_by_key(|entry| apart(entry))
    }

    /// The checkpoint of the turn that began with this prompt.
    pub fn checkpoint<'c>(&self, seq: u64, known: &'c [Checkpoint]) -> Option<&'c Checkpoint> {
        let turns = known.iter().filter(|checkpoint| checkpoint.turn.is_some());
        turns
            .into_iter()
            .find(|turn| self.of_turn(turn).is_some_and(|entry| entry.seq == seq))
    }

    /// Whether an entry is no part of the conversation any more.
    pub fn hides(&self, seq: u64) -> bool {
        self.went_back.hides(seq)
    }

    /// The entry of the prompt with which a turn began, where its CLI told of it.
    pub fn prompt_of(&self, turn: &Checkpoint) -> Option<u64> {
        self.of_turn(turn).map(|entry| entry.seq)
    }

    /// Where a checkpoint stands among the entries: its turn's prompt tells, else the clock.
    pub fn moment(&self, checkpoint: &Checkpoint) -> TurnMoment {
        let prompt = checkpoint.turn.and_then(|_| self.prompt_of(checkpoint));
        let at = checkpoint.at;
        TurnMoment { prompt, at }
    }

    /// The first prompt that is hidden; none if nothing was said since that moment.
    pub fn first(&self, point: Point, checkpoint: Option<&Checkpoint>) -> Result<Option<&Entry>, Problem> {
        let is_shown = |entry: &&Entry| !self.went_back.hides(entry.seq);
        let found = match (point, checkpoint) {
            (Point::Prompt(seq), _) => self.prompts().map(|(entry, _)| entry).find(|entry| entry.seq == seq),
            (_, Some(checkpoint)) if checkpoint.turn.is_some() => self.of_turn(checkpoint),
            (_, Some(checkpoint)) => {
                let since = self
                    .prompts()
                    .map(|(entry, _)| entry)
                    .filter(|entry| entry.ts > checkpoint.at);
                return Ok(since.into_iter().find(is_shown));
            }
            (Point::Turn(turn), None) => {
                let place = (turn as usize).checked_sub(1);
                place.and_then(|place| self.turns().map(|(entry, _)| entry).nth(place))
            }
            (Point::Checkpoint(_), None) => None,
        };
        let missing = || match (point, checkpoint) {
            (Point::Turn(turn), None) => {
                let hint = "`parlour checkpoints CHAT` shows which there are";
                let has = (1..).zip(self.turns()).map(|(number, _)| number);
                Problem::missing(DOING, no_turn(turn, has), hint)
            }
            _ => Problem::missing(DOING, "its prompt is not in the transcript", ALONE),
        };
        let found = found.ok_or_else(missing)?;
        if !is_shown(&found) {
            let cause = "that prompt is no part of the conversation since you went back before it";
            return Err(Problem::missing(
                DOING,
                cause,
                "`parlour undo-revert CHAT` brings it back",
            ));
        }
        Ok(Some(found))
    }

    /// The prompt, as its agent's CLI knows it: in the session that the chat had last before it began another one by
    /// itself, as after `/clear`.
    pub fn as_earlier(&self, prompt: &Entry) -> Option<EarlierPrompt> {
        let mut shown: Vec<&Entry> = Vec::new();
        let (mut session, mut goes_on) = (None, false);
        let mut left = None;
        for entry in self.entries.iter().filter(|entry| !self.went_back.hides(entry.seq)) {
            if let Happened::Session { session: begun, .. } = &entry.what {
                let made_by_revert = std::mem::take(&mut goes_on);
                let was = session.replace(begun).filter(|was| *was != begun && !made_by_revert);
                if was.is_some() && entry.seq > prompt.seq {
                    left = was.cloned();
                    break;
                }
                if was.is_some() {
                    shown.clear();
                }
            }
            goes_on |= matches!(entry.what, Happened::Revert { .. });
            if matches!(entry.what, Happened::Prompt { .. }) && entry.seq < prompt.seq {
                shown.push(entry);
            }
        }
        let earlier = EarlierPrompt::of(prompt, shown)?;
        Some(EarlierPrompt {
            session: left,
            ..earlier
        })
    }

    /// The conversation as it is now.
    pub fn state(&self, chat: &Chat) -> TalkState {
        TalkState {
            session: chat.session().map(str::to_owned),
            forked: chat.record.origin.forked.clone(),
            went_back: self.went_back.clone(),
            last: self.last,
        }
    }

    /// The prompts that are hidden in the second state, and not in the first.
    fn differ(&self, from: &WentBack, to: &WentBack) -> Vec<(&Entry, &str)> {
        let prompts = self.prompts();
        prompts
            .filter(|(entry, _)| !from.hides(entry.seq) && to.hides(entry.seq))
            .collect()
    }

    /// What is different then, for a person.
    pub fn compare(&self, then: &WentBack, agent: TalkFate) -> RevertedTalk {
        let words = |text: &str| one_line(text.trim(), PROMPT);
        let in_lines = |prompts: &[(&Entry, &str)]| prompts.iter().map(|(_, text)| words(text)).collect();
        let (hides, shows) = (self.differ(&self.went_back, then), self.differ(then, &self.went_back));
        let first = shows.first().or(hides.first());
        let is_persons = |entry: &Entry| {
            let Happened::Prompt { from, .. } = &entry.what else {
                return false;
            };
            *from == From::Person
        };
        let hidden = |one: &&HiddenEntries| !self.went_back.hidden.contains(one);
        RevertedTalk {
            hidden: in_lines(&hides),
            entries: then.hidden.iter().filter(hidden).map(|one| one.to - one.from + 1).sum(),
            shown: in_lines(&shows),
            prompt: first
                .filter(|(entry, _)| is_persons(entry))
                .map(|(_, text)| (*text).to_owned()),
            agent,
        }
    }
}

/// When a checkpoint was taken, as far as entries of the transcript are concerned.
pub struct TurnMoment {
    /// The entry of the prompt that it was taken for.
    prompt: Option<u64>,
    at: Timestamp,
}

impl TurnMoment {
    /// Whether this entry, of that time, came after it.
    pub fn is_before(&self, seq: u64, at: Timestamp) -> bool {
        self.prompt.map_or(self.at <= at, |prompt| prompt < seq)
    }
}

/// Prompts that going back takes away, and those that it brings back.
pub struct MovedPrompts {
    pub hidden: Vec<String>,
    pub shown: Vec<String>,
}

/// The way of the conversation: from what it is to what it was, or to what it was before a revert.
pub struct TalkWay {
    pub told: ToldPrompts,
    pub to: TalkGoal,
}

pub enum TalkGoal {
    /// All from this prompt on is hidden.
    Before(Entry),
    /// A revert is undone: what it hid is shown again.
    Again(TalkState),
}

impl TalkWay {
    /// The first checkpoint since the prompt, or the next one.
    pub fn checkpoint_after(&self, review: &Review<'_>) -> u64 {
        let TalkGoal::Before(prompt) = &self.to else {
            return review.next();
        };
        let since = review.known.iter().find(|checkpoint| checkpoint.at >= prompt.ts);
        since.map_or_else(|| review.next(), |checkpoint| checkpoint.number)
    }

    pub fn shown(&self, agent: TalkFate) -> RevertedTalk {
        self.told.compare(&self.then(false), agent)
    }

    /// The prompts that this hides and shows again, whole.
    pub fn moved(&self) -> MovedPrompts {
        let then = self.then(false);
        let of = |from: &WentBack, to: &WentBack| {
            let prompts = self.told.differ(from, to).into_iter();
            prompts.map(|(_, text)| text.to_owned()).collect()
        };
        MovedPrompts {
            hidden: of(&self.told.went_back, &then),
            shown: of(&then, &self.told.went_back),
        }
    }

    /// How the agent would take it up: the prompt is looked for, and nothing is made.
    pub fn fate(&self, context: &WorkContext, chat: &Chat, env: &Env) -> Result<TalkFate, Problem> {
        let TalkGoal::Before(prompt) = &self.to else {
            return Ok(TalkFate::GoesOn);
        };
        let Some(before) = self.told.as_earlier(prompt) else {
            return Ok(TalkFate::BeginsAnew);
        };
        if before.nth == 0 {
            return Ok(TalkFate::BeginsEmpty);
        }
        let wanted = copy_of(chat, &before, env);
        let goes_on = wanted.session().is_some() && copied_talk::can_be_made(&context.services, &wanted)?;
        Ok(match goes_on {
            true => TalkFate::GoesOn,
            false => TalkFate::BeginsAnew,
        })
    }

    /// The same, once it is done.
    pub fn fate_of(&self, done: &TalkUnderWay) -> TalkFate {
        match (&self.to, &done.to.session) {
            (TalkGoal::Again(_), _) => TalkFate::GoesOn,
            (TalkGoal::Before(_), _) if done.to.went_back.retold => TalkFate::BeginsAnew,
            (TalkGoal::Before(_), None) => TalkFate::BeginsEmpty,
            (TalkGoal::Before(prompt), Some(_)) => {
                let is_first = self.told.as_earlier(prompt).is_some_and(|before| before.nth == 0);
                match is_first {
                    true => TalkFate::BeginsEmpty,
                    false => TalkFate::GoesOn,
                }
            }
        }
    }

    fn then(&self, retold: bool) -> WentBack {
        let last = self.told.last;
        match &self.to {
            TalkGoal::Before(prompt) => {
                let mut then = self.told.went_back.clone();
                let from = prompt.seq;
                then.hidden.push(HiddenEntries { from, to: last });
                WentBack {
                    since: Some(now()),
                    retold,
                    ..then
                }
            }
            TalkGoal::Again(was) => {
                let mut then = was.went_back.clone();
                let from = was.last + 1;
                if from <= last {
                    then.hidden.push(HiddenEntries { from, to: last });
                }
                then
            }
        }
    }

    /// Makes the session from which its agent goes on. Nobody uses it before the revert is written down.
    pub fn prepare(
        &self,
        context: &WorkContext,
        chat: &Chat,
        env: &Env,
        noted: RevertNoted,
    ) -> Result<TalkUnderWay, Problem> {
        let (session, forked, retold) = match &self.to {
            TalkGoal::Again(was) => (was.session.clone(), was.forked.clone(), false),
            TalkGoal::Before(prompt) => match fork(context, chat, &self.told, prompt, env)? {
                Forked::Session { own, of } => (Some(own), of, false),
                Forked::Anew { retold } => (None, None, retold),
            },
        };
        let went_back = self.then(retold);
        let hides = went_back.hidden.last().copied();
        let hides = hides.filter(|hides| !self.told.went_back.hidden.contains(hides));
        Ok(TalkUnderWay {
            to: TalkState {
                session,
                forked,
                went_back,
                last: self.told.last,
            },
            told: Happened::Revert {
                to: noted.to,
                saved: noted.saved,
                of: noted.of,
                undo: matches!(self.to, TalkGoal::Again(_)),
                hides,
            },
        })
    }
}

/// What the transcript says of a revert.
pub struct RevertNoted {
    /// The checkpoint that it goes to.
    pub to: u64,
    /// The checkpoint of what it replaces.
    pub saved: u64,
    pub of: RevertOf,
}

enum Forked {
    Session {
        own: String,
        /// Of which it was made.
        of: Option<String>,
    },
    Anew {
        /// Its agent is to read what was said until then.
        retold: bool,
    },
}

fn fork(context: &WorkContext, chat: &Chat, told: &ToldPrompts, prompt: &Entry, env: &Env) -> Result<Forked, Problem> {
    let Some(before) = told.as_earlier(prompt) else {
        return Ok(Forked::Anew { retold: true });
    };
    let retold = before.nth > 0;
    let wanted = copy_of(chat, &before, env);
    if wanted.session().is_none() {
        return Ok(Forked::Anew { retold });
    }
    let made = match copied_talk::copy(&context.services, &wanted) {
        Err(problem) if problem.kind == ProblemKind::Missing => Fork::Impossible,
        made => made?,
    };
    Ok(match made {
        Fork::Session(own) => Forked::Session {
            own,
            of: wanted.session().map(str::to_owned),
        },
        Fork::Empty | Fork::Ready | Fork::Impossible => Forked::Anew { retold },
    })
}

fn copy_of<'a>(chat: &'a Chat, before: &'a EarlierPrompt, env: &'a Env) -> TalkCopy<'a> {
    TalkCopy {
        of: chat,
        into: chat.id(),
        before: Some(before),
        env,
    }
}

/// Makes it so. Done twice, it changes nothing. An error says that nothing was changed.
pub fn apply(context: &WorkContext, id: &ChatId, talk: &TalkUnderWay) -> Result<(), Problem> {
    let TalkState {
        session,
        forked,
        went_back,
        ..
    } = talk.to.clone();
    let change = |record: &mut crate::model::Record| {
        if record.session() != session.as_deref() {
            record.sessions.push(session.unwrap_or_default());
        }
        record.origin.forked = forked;
        record.origin.went_back = went_back;
    };
    let home = &context.services.home;
    home.change(id, change).map_err(|error| loading(id, error))?;
    context.journals.catch_up();
    let is_told = |line: &Line| matches!(line, Line::Entry(entry) if entry.what == talk.told);
    // Rather told twice than not at all.
    if !home.all_tail(id, LOOKED_AT).is_ok_and(|tail| tail.iter().any(is_told)) {
        context.journals.tell(id, talk.told.clone());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
