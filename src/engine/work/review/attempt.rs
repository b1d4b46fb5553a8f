//! Another chat that works on the same projects: what its clones are now.

use std::path::Path;

use super::clones::{Review, Reviewed};
use crate::engine::work::context::WorkContext;
use crate::git::checkpoint::{Omission, SavedFiles, Snapshot};
use crate::model::review::DiffSet;
use crate::model::text::visible;
use crate::model::{Chat, ChatId, Problem, ResultExt};

const DOING: &str = "comparing two chats";

/// The clones of another chat as they were just saved.
pub struct OtherClones {
    chat: Chat,
    clones: Vec<(Reviewed, Snapshot)>,
}

impl OtherClones {
    /// Those of the chat that a comparison names, if it names one. Looked at before the lock of one's own is taken: two
    /// chats may be compared with each other at once.
    pub fn of(context: &WorkContext, set: &DiffSet) -> Result<Option<OtherClones>, Problem> {
        let DiffSet::With(name) = set else {
            return Ok(None);
        };
        let missing = || {
            let cause = format!("there is no chat {}", visible(name));
            Problem::missing(DOING, cause, "`parlour list` shows them")
        };
        let id = ChatId::parse(name).ok_or_else(missing)?;
        OtherClones::look(context, &id).map(Some)
    }

    pub fn look(context: &WorkContext, id: &ChatId) -> Result<OtherClones, Problem> {
        let lock = context.services.reviews.of(id);
        let _alone = lock.lock();
        let review = Review::open(context, id, DOING)?;
        let saved = |clone: Reviewed| {
            let options = review.options(u64::MAX, &[], true);
            let now = clone.store.now(&clone.dir, &options).doing(DOING)?;
            Ok((clone, now))
        };
        let clones: Result<Vec<_>, Problem> = review.clones(DOING)?.into_iter().map(saved).collect();
        Ok(OtherClones {
            clones: clones?,
            chat: review.chat,
        })
    }

    /// The other chat's clone of the project of this one.
    fn same(&self, review: &Review<'_>, clone: &Reviewed) -> Option<&(Reviewed, Snapshot)> {
        let identity = |chat: &Chat, name: &str| -> Option<String> {
            let dir = chat.record.dirs.iter().find(|dir| dir.name == name)?;
            Some(dir.identity().to_owned())
        };
        let own = identity(&review.chat, &clone.name);
        let of_it = |name: &str| identity(&self.chat, name) == own;
        let mut same = self.clones.iter().filter(|(other, _)| of_it(&other.name));
        // A project may be open twice.
        let named = same.clone().find(|(other, _)| other.name == clone.name);
        named.or_else(|| same.next())
    }

    /// What the other chat has of the project of this clone, once it is in the clone's own store.
    pub fn files(&self, review: &Review<'_>, clone: &Reviewed) -> Result<Option<SavedFiles>, Problem> {
        let Some((other, now)) = self.same(review, clone) else {
            return Ok(None);
        };
        clone.store.take_in(&other.store, now.files()).doing(DOING)?;
        Ok(Some(now.files()))
    }

    /// What was left out of these files, and is this path or above it: that the other chat lacks it is not known.
    pub fn left_out(&self, review: &Review<'_>, clone: &Reviewed, path: &Path) -> Result<Option<Omission>, Problem> {
        match self.same(review, clone) {
            Some((other, now)) => other.store.left_out(now, path).doing(DOING),
            None => Ok(None),
        }
    }
}
