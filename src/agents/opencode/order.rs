//! Telling the parts of messages in the order in which they began, though they end in another.
//!
//! A tool is heard of before the text above it has ended, and a text is told when it is whole.

use std::collections::VecDeque;

use crate::model::{HookEvent, Streamed};

#[derive(Default)]
pub(super) struct OpencodeOrder {
    slots: VecDeque<StreamSlot>,
}

enum StreamSlot {
    /// Words that have begun, by the id of their part and the key under which they will be told.
    Open {
        part: String,
        key: String,
    },
    Ready(Streamed),
}

impl StreamSlot {
    /// Words that have begun will be told later, in the place of a word that they are to come.
    fn await_words(&mut self) {
        if let StreamSlot::Open { key, .. } = self {
            *self = StreamSlot::Ready(Streamed::Awaits(std::mem::take(key)));
        }
    }
}

impl OpencodeOrder {
    pub(super) fn opens(&mut self, part: &str, key: String) {
        if self.place_of(part).is_none() {
            self.slots.push_back(StreamSlot::Open { part: part.into(), key });
        }
    }

    /// The part is whole: what it said, where it said anything, is told where it began.
    pub(super) fn ends(&mut self, part: &str, said: Option<Streamed>) {
        let place = self.place_of(part);
        match (place, said) {
            (Some(place), Some(said)) => self.slots[place] = StreamSlot::Ready(said),
            (None, Some(said)) => self.slots.push_back(StreamSlot::Ready(said)),
            (Some(place), None) => {
                self.slots.remove(place);
            }
            (None, None) => {}
        }
    }

    /// A question is told at once: somebody is to look at it, whatever is still being said. It is recorded behind that.
    pub(super) fn says(&mut self, said: impl IntoIterator<Item = Streamed>) {
        for said in said {
            let asks = matches!(
                said,
                Streamed::Event(HookEvent::PermissionAsked { .. } | HookEvent::Waiting { .. })
            );
            self.slots.push_back(StreamSlot::Ready(said));
            if asks {
                self.slots.iter_mut().for_each(StreamSlot::await_words);
            }
        }
    }

    /// What waits for nothing any more.
    pub(super) fn ready(&mut self) -> Vec<Streamed> {
        let mut said = Vec::new();
        while let Some(StreamSlot::Ready(_)) = self.slots.front()
            && let Some(StreamSlot::Ready(next)) = self.slots.pop_front()
        {
            said.push(next);
        }
        said
    }

    /// Waits for nothing: a part that is still open is told after all else.
    pub(super) fn hurry(&mut self) {
        self.slots.retain(|slot| matches!(slot, StreamSlot::Ready(_)));
    }

    fn place_of(&self, part: &str) -> Option<usize> {
        let is_it = |slot: &StreamSlot| matches!(slot, StreamSlot::Open { part: open, .. } if open == part);
        self.slots.iter().position(is_it)
    }
}
