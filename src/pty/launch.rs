//! How a pane begins.

use std::path::PathBuf;
use std::sync::Arc;

use super::record::PaneRecorder;
use crate::model::PaneEvent;
use crate::sys::spawn::Spec;
use crate::term::Setup;

/// Called on whichever thread runs the pane: it passes the event on and returns.
pub type Notify = Arc<dyn Fn(PaneEvent) + Send + Sync>;

/// Called on the pane's own thread. It may wait for a disk.
pub type PaneTap = Box<dyn FnMut(&[u8]) + Send>;

/// How a pane begins.
pub struct PaneLaunch {
    /// Names the thread.
    pub chat: String,
    /// What to run, and this same binary, which supervises it; `None` for a pane that only shows its record.
    pub program: Option<(PathBuf, Spec)>,
    pub setup: Setup,
    /// What an earlier run of the chat left, to be shown above this one.
    pub record: Vec<u8>,
    pub recorder: Option<PaneRecorder>,
    /// Hears all that the program writes, on the pane's own thread.
    pub tap: Option<PaneTap>,
    pub notify: Notify,
}
