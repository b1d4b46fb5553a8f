//! What every worker has at hand.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::mpsc::Sender as Queue;

use crate::engine::inbound::Sender;
use crate::engine::journals::Journals;
use crate::engine::services::Services;
use crate::git::CancelFlag;
use crate::mcp::ProgressReports;

/// What a worker takes along beside its job.
pub struct WorkContext {
    pub services: Arc<Services>,
    pub journals: Journals,
    pub sender: Sender,
    pub cancel: CancelFlag,
    /// Where a caller wants to hear how far its call has come.
    pub progress: Option<ProgressReports>,
    /// Where an answer of several parts goes.
    pub stream: Option<Queue<Value>>,
}
