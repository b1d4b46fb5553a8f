//! Blocks of ports: each chat has one of its own, so that what is run in two chats never wants the same port.

use sha2::{Digest, Sha256};

use super::load::read_record;
use super::{Error, Home};
use crate::model::{Chat, ChatId};

/// Above what is commonly taken.
const FIRST: u16 = 30_000;
/// How many ports a block has.
const EACH: u16 = 10;
const BLOCKS: u16 = 1_000;
/// The blocks below 32,760. From 32,768 on, Linux hands ports out by itself, so later blocks are taken only when these are.
const BEST: u16 = 276;

impl Home {
    /// The chat with its block of ports, which it keeps for life. Beyond a thousand chats there is none left.
    pub fn with_port(&self, id: &ChatId) -> Result<Chat, Error> {
        let chat = self.load(id)?;
        if chat.record.port.is_some() || self.writable().is_err() {
            return Ok(chat);
        }
        let _records = self.lock();
        let taken = self.taken_ports()?;
        let wished = wished(id);
        let free = (0..BEST)
            .map(|step| (wished + step) % BEST)
            .chain(BEST..BLOCKS)
            .map(|block| FIRST + block * EACH)
            .find(|port| !taken.contains(port));
        match free {
            Some(port) => self.change_locked(id, |record| {
                record.port.get_or_insert(port);
            }),
            None => Ok(chat),
        }
    }

    /// Whether a chat that is not in the trash has it. The caller holds the lock.
    pub(super) fn has_port(&self, port: u16) -> bool {
        self.taken_ports().is_ok_and(|taken| taken.contains(&port))
    }

    fn taken_ports(&self) -> Result<Vec<u16>, Error> {
        let read = |id: &ChatId| {
            self.record_dir(id)
                .and_then(|dir| read_record(&dir, id))
                .ok()
                .and_then(|record| record.port)
        };
        Ok(self.ids()?.iter().filter_map(read).collect())
    }
}

/// Where the search for a free block begins: the same chat gets the same one wherever it can.
fn wished(id: &ChatId) -> u16 {
    let hash = Sha256::digest(id.as_str().as_bytes());
    u16::from_be_bytes([hash[0], hash[1]]) % BEST
}
