//! Work that has time.

/// Lets all else run first, as far as this thread is concerned.
pub fn give_way() {
    // On Linux a thread has a priority of its own; elsewhere it would be that of the whole process.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(10) {
        tracing::debug!("a thread keeps its priority: {error}");
    }
}
