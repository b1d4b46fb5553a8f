//! How much memory this process holds.

/// Resident bytes; None where the system has no `/proc`.
pub fn rss_bytes() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

/// Gives back to the system what was freed: a thread that ends leaves its arena as large as it was at its largest.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it takes no pointer, and other threads may allocate meanwhile (malloc_trim(3): MT-Safe).
    unsafe {
        libc::malloc_trim(0);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #[test]
    fn a_running_process_holds_some_memory() {
        assert!(super::rss_bytes().unwrap() > 100_000);
    }
}
