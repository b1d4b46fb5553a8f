//! The end of the loop.

use super::Core;
use crate::engine::recorder::Recorder;
use crate::engine::work;
use crate::screen::left;

impl Core {
    /// Whoever did something last finds their screen again behind the engine's end.
    fn keep_place(&self) {
        let Some(left) = left::last(&self.state) else {
            return;
        };
        if let Err(problem) = work::keep_left(&self.services, left) {
            tracing::warn!("{problem}");
        }
    }

    /// Tells clients, ends agents, and returns when nothing runs any more.
    pub(super) async fn end(self) {
        self.keep_place();
        self.frames
            .end("the engine was ended; your chats are on disk: run parlour again");
        self.cancels.values().for_each(|(_, cancel)| cancel.cancel());
        let (panes, recorder) = (self.panes, self.recorder);
        // The agents are stopped by their threads; the loop has nothing else to do meanwhile.
        let closed = tokio::task::spawn_blocking(move || {
            panes.close();
            recorder.into_iter().for_each(Recorder::close);
        })
        .await;
        if closed.is_err() {
            tracing::error!("ending the agents failed; their supervisors end them");
        }
    }
}
