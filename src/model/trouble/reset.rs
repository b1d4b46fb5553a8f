//! When a limit ends, read from what a CLI says: `resets 3pm`, `try again in 3 days 4 hours`, `reset after 3h21m`.

use chrono::{Datelike, Duration, NaiveDate, NaiveDateTime};

use crate::model::{Timestamp, Zone};

/// What stands before the time.
const MARKS: &[&str] = &["resets", "reset", "try again", "retry", "available again"];

/// Words between a mark and its time, which say nothing.
const FILLERS: &[&str] = &[
    "at", "on", "in", "after", "will", "be", "your", "quota", "limit", "∙", "·", ":", "around",
];

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// A limit that lasts longer is not what was meant.
const FARTHEST_DAYS: i64 = 62;

/// The moment after `now` that is told, by the clock of the zone unless the words name another one.
pub fn reset_time(said: &str, now: Timestamp, zone: Zone) -> Option<Timestamp> {
    let found = in_seconds(said).or_else(|| {
        let lower = said.to_lowercase();
        let mut places = MARKS
            .iter()
            .flat_map(|mark| lower.match_indices(mark).map(|(at, mark)| at + mark.len()));
        places.find_map(|at| {
            let words = words(lower.get(at..)?);
            span(&words, now).or_else(|| by_the_clock(&words, now, named_zone(said).unwrap_or(zone)))
        })
    });
    let latest = now.plus_ms(86_400_000 * FARTHEST_DAYS.unsigned_abs());
    found.filter(|moment| *moment > now && *moment <= latest)
}

/// `…limit reached|1735689600`
fn in_seconds(said: &str) -> Option<Timestamp> {
    let (_, rest) = said.rsplit_once('|')?;
    let seconds: i64 = rest.trim().parse().ok()?;
    Some(Timestamp(seconds.checked_mul(1000)?))
}

/// The zone in brackets: `(Europe/Berlin)`.
fn named_zone(said: &str) -> Option<Zone> {
    let mut brackets = said.split('(').skip(1).filter_map(|rest| rest.split_once(')'));
    brackets.find_map(|(name, _)| Zone::parse(name).ok())
}

/// The words behind a mark, up to the end of what may still be its time.
fn words(rest: &str) -> Vec<&str> {
    let cut = |c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')' | ';' | '"');
    let words = rest
        .split(cut)
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| !word.is_empty());
    words.skip_while(|word| FILLERS.contains(word)).take(10).collect()
}

/// `3 days 4 hours 5 minutes`, `3h21m17s`, `35.2s`
fn span(words: &[&str], now: Timestamp) -> Option<Timestamp> {
    let text = words.join(" ");
    let mut rest = text.as_str();
    let mut sum = None;
    loop {
        rest = rest.trim_start().trim_start_matches("and ");
        let end = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(rest.len());
        let Ok(number) = rest[..end].parse::<f64>() else { break };
        let tail = rest[end..].trim_start();
        let unit_end = tail.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(tail.len());
        let Some(seconds) = seconds(&tail[..unit_end]) else {
            break;
        };
        sum = Some(sum.unwrap_or(0.0) + number * seconds);
        rest = &tail[unit_end..];
    }
    let ms = sum? * 1000.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is bounded right here"
    )]
    let ms = ms.clamp(0.0, 1e13).ceil() as u64;
    Some(now.plus_ms(ms))
}

fn seconds(unit: &str) -> Option<f64> {
    match unit {
        "s" | "sec" | "secs" | "second" | "seconds" => Some(1.0),
        "m" | "min" | "mins" | "minute" | "minutes" => Some(60.0),
        "h" | "hr" | "hrs" | "hour" | "hours" => Some(3_600.0),
        "d" | "day" | "days" => Some(86_400.0),
        "week" | "weeks" => Some(604_800.0),
        _ => None,
    }
}

/// `3pm`, `3:05 pm`, `14:00`, `oct 9 at 5pm`
fn by_the_clock(words: &[&str], now: Timestamp, zone: Zone) -> Option<Timestamp> {
    let (day, words) = dated(words, zone.wall(now).date());
    let words: Vec<&str> = words
        .iter()
        .copied()
        .skip_while(|word| FILLERS.contains(word))
        .collect();
    let (hour, minute) = clock(words.first()?, words.get(1).copied())?;
    let at = |day: NaiveDate| {
        let wall: NaiveDateTime = day.and_hms_opt(hour, minute, 0)?;
        zone.read(&wall.format("%Y-%m-%dT%H:%M").to_string()).ok()
    };
    match day {
        Some(day) => at(day),
        None => {
            let today = zone.wall(now).date();
            at(today)
                .filter(|moment| *moment > now)
                .or_else(|| at(today + Duration::days(1)))
        }
    }
}

/// The day that is named ahead of the time, and what follows.
fn dated<'w>(words: &'w [&'w str], today: NaiveDate) -> (Option<NaiveDate>, &'w [&'w str]) {
    let month = words.first().and_then(|word| {
        let at = MONTHS.iter().position(|month| word.starts_with(month))?;
        u32::try_from(at + 1).ok()
    });
    let day = words.get(1).and_then(|word| {
        let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        digits.parse::<u32>().ok()
    });
    let (Some(month), Some(day)) = (month, day) else {
        return (None, words);
    };
    let of = |year: i32| NaiveDate::from_ymd_opt(year, month, day);
    let this = of(today.year()).filter(|day| *day >= today);
    let year = words
        .get(2)
        .filter(|word| word.len() == 4 && word.chars().all(|c| c.is_ascii_digit()));
    (
        this.or_else(|| of(today.year() + 1)),
        &words[2 + usize::from(year.is_some())..],
    )
}

fn clock(word: &str, next: Option<&str>) -> Option<(u32, u32)> {
    let (digits, half) = match (word.strip_suffix("am"), word.strip_suffix("pm"), next) {
        (Some(digits), ..) => (digits, Some(0)),
        (_, Some(digits), _) => (digits, Some(12)),
        (_, _, Some("am" | "a.m")) => (word, Some(0)),
        (_, _, Some("pm" | "p.m")) => (word, Some(12)),
        _ => (word, None),
    };
    let (hour, minute) = match digits.split_once(':') {
        Some((hour, minute)) => (hour.parse::<u32>().ok()?, minute.get(..2)?.parse::<u32>().ok()?),
        // A bare number is no time of the day.
        None if half.is_none() => return None,
        None => (digits.parse::<u32>().ok()?, 0),
    };
    match half {
        Some(half) if (1..=12).contains(&hour) => Some((hour % 12 + half, minute)),
        Some(_) => None,
        None => Some((hour, minute)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(said: &str) -> Option<String> {
        let now = Timestamp::try_from("2026-02-15T12:00:00.000Z".to_string()).unwrap();
        reset_time(said, now, Zone::default()).map(|moment| moment.to_string()[..16].to_string())
    }

    #[test]
    fn the_words_of_clis_are_read() {
        let said = [
            ("You've hit your limit · resets 3pm (UTC)", "2026-02-15T15:00"),
            ("5-hour limit reached ∙ resets 11am", "2026-02-16T11:00"),
            ("limit reached, resets 3:30pm (Europe/Berlin)", "2026-02-15T14:30"),
            ("Weekly limit reached ∙ resets Feb 19 at 5pm", "2026-02-19T17:00"),
            ("Your limit will reset at 14:05.", "2026-02-15T14:05"),
            ("Claude AI usage limit reached|1771167600", "2026-02-15T15:00"),
            (
                "You've hit your usage limit. Try again in 3 days 4 hours 5 minutes.",
                "2026-02-18T16:05",
            ),
            (
                "You've hit your usage limit. To get more access, try again at 3:05 PM.",
                "2026-02-15T15:05",
            ),
            ("try again at Feb 20th, 2026 9:00 AM.", "2026-02-20T09:00"),
            ("Your quota will reset after 3h21m17s.", "2026-02-15T15:21"),
            ("Please retry in 3600.5s.", "2026-02-15T13:00"),
        ];
        for (said, moment) in said {
            assert_eq!(read(said).as_deref(), Some(moment), "{said}");
        }
    }

    #[test]
    fn no_time_is_made_of_other_words() {
        for said in [
            "rate limit",
            "the connection was reset by peer",
            "retry 2 of 10",
            "try again later",
            "resets at 25:00",
            "resets in 900 days",
            "limit|99999999999999999999",
            "resets 13pm",
            "",
        ] {
            assert_eq!(read(said), None, "{said}");
        }
    }
}
