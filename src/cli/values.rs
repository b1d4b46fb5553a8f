//! What arguments stand for.

use std::time::Duration;

pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "it is not a number of seconds")?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "it is no length of time: write 0 or more".into())
}
