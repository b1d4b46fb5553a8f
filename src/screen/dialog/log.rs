//! The engine's log, newest line last, on the whole screen.

#[derive(Default)]
pub struct Log {
    /// Lines back from the newest; 0 follows it.
    pub back: usize,
}
