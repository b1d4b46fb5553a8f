//! The calls that run now, so that a caller can take one back.

use std::sync::Arc;

use parking_lot::Mutex;
use rmcp::model::RequestId;
use tokio_util::sync::CancellationToken;

use crate::model::ChatId;

/// Shared by the code that reads cancellations and the code that runs calls.
#[derive(Clone, Default)]
pub(super) struct CallsInProgress(Arc<Mutex<Vec<CallInProgress>>>);

struct CallInProgress {
    number: u64,
    caller: ChatId,
    request: RequestId,
    cancelled: CancellationToken,
}

/// A call that runs. Dropped before it is finished, it counts as cancelled: its caller has gone.
pub(super) struct RunningCall {
    calls: CallsInProgress,
    number: u64,
    pub cancelled: CancellationToken,
    finished: bool,
}

impl CallsInProgress {
    pub fn begin(&self, caller: &ChatId, request: &RequestId) -> RunningCall {
        let cancelled = CancellationToken::new();
        let mut calls = self.0.lock();
        let number = calls.last().map_or(0, |call| call.number + 1);
        calls.push(CallInProgress {
            number,
            caller: caller.clone(),
            request: request.clone(),
            cancelled: cancelled.clone(),
        });
        RunningCall {
            calls: self.clone(),
            number,
            cancelled,
            finished: false,
        }
    }

    /// Two sessions of one chat may use one id at a time, and nothing tells them apart. Then neither call
    /// is cancelled: a call too many ends by itself, one too few is lost work.
    pub fn cancel(&self, caller: &ChatId, request: &RequestId) {
        let calls = self.0.lock();
        let mut named = calls
            .iter()
            .filter(|call| call.caller == *caller && call.request == *request);
        if let (Some(call), None) = (named.next(), named.next()) {
            call.cancelled.cancel();
        }
    }
}

impl RunningCall {
    /// Nobody waits any more, and the work was not taken back.
    pub fn finish(mut self) {
        self.finished = true;
    }
}

impl Drop for RunningCall {
    fn drop(&mut self) {
        if !self.finished {
            self.cancelled.cancel();
        }
        self.calls.0.lock().retain(|call| call.number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_cancelled_only_by_its_caller_and_only_when_its_id_is_its_own() {
        let (calls, ours, theirs) = (CallsInProgress::default(), ChatId::from_bits(1), ChatId::from_bits(2));
        let id = RequestId::Number(7);
        let first = calls.begin(&ours, &id);
        calls.cancel(&theirs, &id);
        assert!(!first.cancelled.is_cancelled());

        let second = calls.begin(&ours, &id);
        calls.cancel(&ours, &id);
        assert!(!first.cancelled.is_cancelled() && !second.cancelled.is_cancelled());

        second.finish();
        calls.cancel(&ours, &id);
        assert!(first.cancelled.is_cancelled());
    }
}
