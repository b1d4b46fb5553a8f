//! Where a revert goes, or what takes the last one back.

use crate::agents::Env;
use crate::model::Problem;
use crate::model::review::{Back, Cause, Point, RevertOf};
use crate::model::talk::TalkFate;

use super::clones::Review;
use super::talk::{TalkGoal, TalkWay, ToldPrompts};

/// Where to, and what a revert that is to be undone had restored.
pub(super) struct WayBack {
    pub number: u64,
    pub undoes: Option<u64>,
    pub cause: Cause,
    pub project: Option<String>,
    pub of: RevertOf,
    pub talk: Option<TalkWay>,
    /// Why the conversation, which was meant too, stays.
    pub talk_stays: Option<String>,
}

impl WayBack {
    pub fn fate(&self, review: &Review<'_>, env: &Env) -> Result<Option<TalkFate>, Problem> {
        let fate = |talk: &TalkWay| talk.fate(review.context, &review.chat, env);
        self.talk.as_ref().map(fate).transpose()
    }
}

pub(super) fn target(review: &Review<'_>, back: &Back) -> Result<WayBack, Problem> {
    match back {
        Back::To { point, project, of } => {
            let told = match of.has_talk() || matches!(point, Point::Prompt(_)) {
                true => Some(ToldPrompts::read(review.context, &review.chat)?),
                false => None,
            };
            let checkpoint = match (point, &told) {
                (Point::Prompt(seq), Some(told)) => told.checkpoint(*seq, &review.known),
                (Point::Checkpoint(_), _) => Some(review.find(*point, back.doing())?),
                (Point::Turn(_) | Point::Prompt(_), _) => review.find(*point, back.doing()).ok(),
            };
            let talk = told.filter(|_| of.has_talk()).map(|told| -> Result<_, Problem> {
                let first = told.first(*point, checkpoint)?.cloned();
                Ok(first.map(|prompt| TalkWay {
                    told,
                    to: TalkGoal::Before(prompt),
                }))
            });
            let talk = talk.transpose()?.flatten();
            let number = match (checkpoint, &talk) {
                (Some(checkpoint), _) => checkpoint.number,
                // The code stays as it is: nothing was saved then.
                (None, Some(talk)) if !of.has_code() || !review.has_saved() => talk.checkpoint_after(review),
                (None, _) => review.find(*point, back.doing())?.number,
            };
            Ok(WayBack {
                number,
                undoes: None,
                cause: Cause::Revert(number),
                project: project.clone(),
                of: match checkpoint {
                    Some(_) => *of,
                    None => RevertOf::Talk,
                },
                talk,
                talk_stays: None,
            })
        }
        Back::Undo => {
            let is_undone = |number| review.known.iter().any(|later| later.cause == Cause::Undo(number));
            let reverts = review
                .known
                .iter()
                .rev()
                .filter_map(|checkpoint| match checkpoint.cause {
                    Cause::Revert(to) => Some((checkpoint, to)),
                    Cause::Turn
                    | Cause::Asked
                    | Cause::Ended(_)
                    | Cause::Opened
                    | Cause::Discard
                    | Cause::Take
                    | Cause::Undo(_)
                    | Cause::CutOff
                    | Cause::Unread => None,
                });
            let last = reverts
                .into_iter()
                .find(|(checkpoint, _)| !is_undone(checkpoint.number));
            let (checkpoint, to) = last.ok_or_else(|| {
                let hint = "`parlour checkpoints CHAT` shows what there is to go back to";
                Problem::new(back.doing(), "there is no revert to take back", hint)
            })?;
            let number = checkpoint.number;
            let replaced = checkpoint.replaced.as_ref();
            let talk = replaced.and_then(|replaced| replaced.talk.clone()).map(|was| {
                let told = ToldPrompts::read(review.context, &review.chat)?;
                let to = TalkGoal::Again(was);
                Ok::<_, Problem>(TalkWay { told, to })
            });
            Ok(WayBack {
                number,
                undoes: Some(to),
                cause: Cause::Undo(number),
                project: None,
                of: replaced.map_or(RevertOf::Code, |replaced| replaced.of),
                talk: talk.transpose()?,
                talk_stays: None,
            })
        }
    }
}
