//! The inboxes of all chats, kept by the thread that writes transcripts: one writer, in order.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use crate::domain::work::{InboxJob, JournalDone};
use crate::model::{ChatId, Problem};
use crate::store::{Error, Home, Inbox};

use super::clock::now;

/// Open inboxes; each holds a descriptor and its messages.
const OPEN: usize = 64;

pub struct Inboxes {
    home: Arc<Home>,
    open: HashMap<ChatId, Inbox>,
}

impl Inboxes {
    pub fn new(home: Arc<Home>) -> Inboxes {
        let open = HashMap::new();
        Inboxes { home, open }
    }

    pub fn forget(&mut self, chat: &ChatId) {
        self.open.remove(chat);
    }

    pub fn carry_out(&mut self, chat: &ChatId, job: InboxJob) -> Result<JournalDone, Error> {
        let done = self.try_carry_out(chat, job);
        let is_doubtful = self.open.get(chat).is_some_and(Inbox::is_doubtful);
        if done.is_err() && !is_doubtful {
            // What is on disk counts: it is read again.
            self.forget(chat);
        }
        done
    }

    fn try_carry_out(&mut self, chat: &ChatId, job: InboxJob) -> Result<JournalDone, Error> {
        if self.open.len() >= OPEN && !self.open.contains_key(chat) {
            self.open.retain(|_, inbox| inbox.is_doubtful());
        }
        if self.open.get(chat).is_some_and(|inbox| !inbox.is_in(&self.home)) {
            self.forget(chat);
        }
        let inbox = match self.open.entry(chat.clone()) {
            Entry::Occupied(open) => open.into_mut(),
            Entry::Vacant(place) => place.insert(self.home.inbox(chat)?),
        };
        let outcome = match job {
            InboxJob::Take(message) => {
                // Sent again under the same id, it is the same message.
                let known = inbox.message(&message.id).cloned();
                if known.is_none() {
                    inbox.post(message.clone())?;
                }
                JournalDone::Posted(chat.clone(), known.unwrap_or(message))
            }
            InboxJob::Read(ids) => {
                inbox.mark(&ids)?;
                JournalDone::MarkedRead
            }
            InboxJob::Tell(which, except) => {
                // What was written by hand a moment ago belongs to it.
                said(chat, inbox.settle(&self.home, now())?);
                let (messages, more) = inbox.tell(&which, &except);
                let read: Vec<String> = messages.iter().map(|message| message.id.clone()).collect();
                inbox.mark(&read)?;
                JournalDone::Inbox {
                    chat: chat.clone(),
                    messages,
                    more,
                }
            }
            InboxJob::Look => {
                let settled = inbox.settle(&self.home, now())?;
                return Ok(JournalDone::Unread {
                    chat: chat.clone(),
                    messages: inbox.unread(),
                    broken: settled.err(),
                });
            }
        };
        // The job is done, and safe: whoever asked for it is told so, whatever becomes of the file that shows it.
        let settled = inbox.settle(&self.home, now());
        if (settled.is_err() || inbox.is_long()) && !inbox.is_doubtful() {
            self.forget(chat);
        }
        said(chat, settled.unwrap_or_else(|error| Err(error.to_string())));
        Ok(outcome)
    }
}

/// What whoever asked is told.
pub fn problem(chat: &ChatId, error: &Error) -> Problem {
    let hint = match matches!(error, Error::InboxFull { .. }) {
        true => "its agent has to read some first",
        false => "`parlour doctor` says more",
    };
    Problem::of(format!("keeping the messages of {chat}"), error).hinted(hint)
}

fn said(chat: &ChatId, settled: Result<(), String>) {
    if let Err(why) = settled {
        tracing::warn!("{chat}: {why}");
    }
}
