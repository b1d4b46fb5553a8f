//! The machine's own time zone.

use crate::model::Zone;

/// `TZ` where it names one, else what the system is set to; UTC where that cannot be told.
pub fn zone() -> Zone {
    let set = std::env::var("TZ").ok();
    let named = set.as_deref().map(|name| name.trim_start_matches(':'));
    let named = named.and_then(|name| Zone::parse(name).ok());
    let system = || {
        iana_time_zone::get_timezone()
            .ok()
            .and_then(|name| Zone::parse(&name).ok())
    };
    named.or_else(system).unwrap_or_default()
}
