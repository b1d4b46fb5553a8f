//! What waits to be written to a program, in whole messages: an emulator's reply never lands inside a paste.

use std::collections::VecDeque;
use std::os::fd::AsFd;

/// A program that asks and does not read its answers gets no more of them.
const REPLIES: usize = 64 * 1024;

#[derive(Default)]
pub(super) struct Outgoing {
    replies: Vec<u8>,
    messages: VecDeque<Vec<u8>>,
    current: Vec<u8>,
    written: usize,
}

impl Outgoing {
    pub(super) fn reply(&mut self, bytes: &[u8]) {
        if self.replies.len() + bytes.len() <= REPLIES {
            self.replies.extend_from_slice(bytes);
        }
    }

    pub(super) fn queue(&mut self, message: Vec<u8>) {
        self.messages.push_back(message);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.current.is_empty() && self.replies.is_empty() && self.messages.is_empty()
    }

    /// Forgets everything; returns how many bytes of messages that were.
    pub(super) fn clear(&mut self) -> usize {
        let lost = std::mem::take(self);
        lost.messages.iter().map(Vec::len).sum()
    }

    /// Writes what the terminal takes now; returns how many bytes of messages are on their way: the
    /// one being written counts as gone.
    pub(super) fn write(&mut self, to: impl AsFd) -> usize {
        let mut done = 0;
        loop {
            if self.written == self.current.len() {
                self.written = 0;
                if self.replies.is_empty() {
                    let Some(next) = self.messages.pop_front() else {
                        self.current = Vec::new();
                        return done;
                    };
                    done += next.len();
                    self.current = next;
                } else {
                    self.current = std::mem::take(&mut self.replies);
                }
            }
            match rustix::io::write(&to, &self.current[self.written..]) {
                Ok(length) => self.written += length,
                Err(rustix::io::Errno::INTR) => {}
                // Full for now, or gone: whoever reads the terminal will find out.
                Err(_) => return done,
            }
        }
    }
}
