//! How much of the machine callers may take.

use std::time::Duration;

/// Bounds on what is read, kept and waited for.
#[derive(Clone, Debug)]
pub struct McpLimits {
    pub header_bytes: usize,
    pub body_bytes: usize,
    /// How deep arrays and objects nest.
    pub depth: usize,
    /// Members and elements of one message. Four megabytes of `[],` take a hundred when parsed.
    pub values: usize,
    /// Bodies above this size are read one at a time in each of `lanes` lanes: about 16 MB
    /// each while a message is parsed.
    pub small_body: usize,
    pub lanes: usize,
    /// Connections that have not shown a token yet. Above it the oldest is closed.
    pub strangers: usize,
    /// Connections whose caller is known.
    pub requests: usize,
    pub requests_a_caller: usize,
    /// For the head of a request, and again for its body.
    pub read_time: Duration,
    /// A caller that listens to progress hears some at least this often: clients give up on silence, many
    /// after a minute, and most HTTP libraries on an answer that has not begun after five.
    pub heartbeat: Duration,
    /// How long a call may take before it is answered "still running".
    pub answer_time: Duration,
    /// The same where the caller listens to progress: below the ten minutes that adapters set.
    pub answer_time_with_progress: Duration,
}

impl Default for McpLimits {
    fn default() -> McpLimits {
        McpLimits {
            header_bytes: 16 << 10,
            body_bytes: 4 << 20,
            depth: 64,
            values: 20_000,
            small_body: 64 << 10,
            lanes: 2,
            strangers: 128,
            requests: 256,
            requests_a_caller: 64,
            read_time: Duration::from_secs(10),
            heartbeat: Duration::from_secs(10),
            answer_time: Duration::from_secs(50),
            answer_time_with_progress: Duration::from_secs(9 * 60),
        }
    }
}
