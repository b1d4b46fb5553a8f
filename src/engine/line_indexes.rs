//! How the lines lie in outputs that somebody looks through: counting those of a long one takes a while, and is done once.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::store::{KeptOutput, LineIndex};

/// As many are kept: one an output that a person is likely to have open.
const KEPT: usize = 8;

/// By what an output is known again.
type OutputIdentity = (u64, u64);

/// Those that were counted last.
#[derive(Default)]
pub struct LineIndexes(Mutex<VecDeque<(OutputIdentity, Arc<LineIndex>)>>);

impl LineIndexes {
    /// As far as its lines were counted before.
    pub fn known(&self, output: &KeptOutput) -> Option<Arc<LineIndex>> {
        let known = self.0.lock();
        let found = known.iter().find(|(identity, _)| *identity == output.identity);
        found.map(|(_, index)| index.clone())
    }

    /// Counts them where that is not done. What was cancelled is not kept.
    pub fn counted(&self, output: &KeptOutput, is_cancelled: &dyn Fn() -> bool) -> io::Result<Arc<LineIndex>> {
        if let Some(known) = self.known(output) {
            return Ok(known);
        }
        let index = Arc::new(output.index(is_cancelled)?);
        if !is_cancelled() {
            let mut known = self.0.lock();
            known.push_front((output.identity, index.clone()));
            known.truncate(KEPT);
        }
        Ok(index)
    }
}
