//! What arguments stand for.

use std::time::Duration;

use crate::model::text::visible;
use crate::model::{Cron, Timestamp, Zone};

pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "it is not a number of seconds")?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "it is no length of time: write 0 or more".into())
}

/// A rule that comes again.
pub fn cron(text: &str) -> Result<String, String> {
    match Cron::parse(text) {
        Ok(_) => Ok(text.into()),
        Err(_) if Zone::default().read_next(text, Timestamp(0)).is_ok() => Err(format!(
            "it is one time, and no rule that comes again; `parlour schedule add --at '{}'` takes it",
            visible(text)
        )),
        Err(why) => Err(alone(text, why)),
    }
}

pub fn zone(text: &str) -> Result<String, String> {
    let read = Zone::parse(text).map_err(|why| alone(text, why))?;
    Ok(read.to_string())
}

/// A moment, or a time of day.
pub fn time(text: &str) -> Result<String, String> {
    let read = Zone::default().read_next(text, Timestamp(0));
    read.map(|_| text.into()).map_err(|why| alone(text, why))
}

/// A moment alone.
pub fn moment(text: &str) -> Result<String, String> {
    let read = Zone::default().read(text);
    read.map(|_| text.into()).map_err(|why| alone(text, why))
}

/// Why a value is not taken, where the value stands before it already.
fn alone(text: &str, why: String) -> String {
    match why.strip_prefix(&format!("{text:?} ")) {
        Some(rest) => format!("it {rest}"),
        None => why,
    }
}
