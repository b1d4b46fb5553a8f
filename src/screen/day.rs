//! Moments as people say them.

use crate::model::{Timestamp, Zone};

/// By the clock of that zone: `today 13:00`, `tomorrow 09:00`, `Mon 09:00`, `2026-03-29 09:00`.
pub fn day_and_time(at: Timestamp, now: Timestamp, zone: Zone) -> String {
    let (at, now) = (zone.wall(at), zone.wall(now));
    let days = (at.date() - now.date()).num_days();
    let day = match days {
        -1 => "yesterday".into(),
        0 => "today".into(),
        1 => "tomorrow".into(),
        2..7 => at.format("%a").to_string(),
        _ => at.format("%Y-%m-%d").to_string(),
    };
    format!("{day} {}", at.format("%H:%M"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_said_by_its_distance_in_days_of_its_zone() {
        let at = |text: &str| Timestamp::try_from(text.to_string()).unwrap();
        let berlin = Zone::parse("Europe/Berlin").unwrap();
        let said = |moment: &str| day_and_time(at(moment), at("2026-02-15T22:30:00.000Z"), berlin);
        assert_eq!(said("2026-02-15T22:45:00.000Z"), "today 23:45");
        assert_eq!(said("2026-02-15T23:00:00.000Z"), "tomorrow 00:00");
        assert_eq!(said("2026-02-18T08:00:00.000Z"), "Wed 09:00");
        assert_eq!(said("2026-03-29T07:00:00.000Z"), "2026-03-29 09:00");
        assert_eq!(said("2026-02-14T08:00:00.000Z"), "yesterday 09:00");
    }
}
