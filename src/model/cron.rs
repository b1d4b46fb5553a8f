//! When a rule comes due, on the wall clock of a time zone.
//!
//! The pattern is matched against bare wall clock times, and what a zone makes of such a time is decided here. A job at
//! fixed times runs once a day for each: where the clock skips its time, right after the skip; where the clock shows it
//! twice, the first time. A job at intervals (a `*` or a step among its minutes or hours) follows the wall clock: what is
//! skipped is skipped, and an hour shown twice is an hour twice.

use std::fmt;

use chrono::{
    DateTime, Datelike, Days, Duration, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, SecondsFormat, Utc,
};
use croner::parser::{CronParser, Seconds, Year};
use serde::{Deserialize, Serialize};
use tz::TimeZoneRef;
use tzdb_data::{TZ_NAMES, find_tz};

use super::Timestamp;

/// More than any rule that a person could read.
const LONGEST: usize = 200;

const HINT: &str = "write five fields, minute hour day month weekday, like `0 9 * * MON-FRI`, or @daily";

/// The fields of a rule in their order, and what each may hold.
const FIELDS: [(&str, &str); 5] = [
    ("minute", "0 to 59"),
    ("hour", "0 to 23"),
    ("day", "1 to 31"),
    ("month", "1 to 12 or JAN to DEC"),
    ("weekday", "0 to 7 or SUN to SAT"),
];

/// A time zone by its name in the tz database, `Europe/Berlin`.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Zone(ZoneRules);

#[derive(Clone, Copy)]
struct ZoneRules {
    name: &'static str,
    rules: &'static TimeZoneRef<'static>,
}

impl Zone {
    /// In large or small letters.
    pub fn parse(name: &str) -> Result<Zone, String> {
        let wanted = name.trim();
        let known = TZ_NAMES.iter().find(|known| known.eq_ignore_ascii_case(wanted));
        let named = known.and_then(|known| Some((*known, find_tz(known.as_bytes())?)));
        let zone = named.map(|(name, rules)| Zone(ZoneRules { name, rules }));
        zone.ok_or_else(|| format!("{:?} is no time zone; write one like Europe/Berlin or UTC", clip(name)))
    }

    /// A moment as the clocks of this zone show it, with its offset: `2026-03-29T09:00:00+02:00`.
    pub fn spell(self, moment: Timestamp) -> String {
        self.at(moment).to_rfc3339_opts(SecondsFormat::Secs, false)
    }

    /// The wall clock of this zone.
    pub fn wall(self, moment: Timestamp) -> NaiveDateTime {
        self.at(moment).naive_local()
    }

    /// As [`Zone::read`]; a time of day alone is the next one, and `in 20 min` is counted from now.
    pub fn read_next(self, text: &str, now: Timestamp) -> Result<Timestamp, String> {
        if let Some(ms) = ahead(text) {
            return Ok(now.plus_ms(ms));
        }
        let Ok(time) = NaiveTime::parse_from_str(text.trim(), "%H:%M") else {
            return self.read(text);
        };
        let today = self.wall(now).date();
        let days = (0..3).filter_map(|days| today.checked_add_days(Days::new(days)));
        let mut moments = days.map(|day| Timestamp(self.first(day.and_time(time)).timestamp_millis()));
        moments
            .find(|moment| *moment > now)
            .ok_or_else(|| "it never comes".into())
    }

    /// A moment as a person or an agent writes it: with its offset, or by this zone's wall clock.
    pub fn read(self, text: &str) -> Result<Timestamp, String> {
        let text = text.trim();
        if let Ok(moment) = DateTime::parse_from_rfc3339(text) {
            return Ok(Timestamp(moment.timestamp_millis()));
        }
        let shapes = [
            "%Y-%m-%dT%H:%M:%S%.f",
            "%Y-%m-%d %H:%M:%S%.f",
            "%Y-%m-%dT%H:%M",
            "%Y-%m-%d %H:%M",
        ];
        let wall = shapes
            .iter()
            .find_map(|shape| NaiveDateTime::parse_from_str(text, shape).ok())
            .or_else(|| NaiveDateTime::parse_from_str(&format!("{text}T00:00"), "%Y-%m-%dT%H:%M").ok());
        let wrong = || {
            format!(
                "{:?} is no time; write 09:00, in 20 min, 2026-03-29T09:00 or 2026-03-29T09:00:00+02:00",
                clip(text)
            )
        };
        // Years that nobody writes are beyond what can be counted with.
        let wall = wall
            .filter(|wall| (1..=9_999).contains(&wall.year()))
            .ok_or_else(wrong)?;
        Ok(Timestamp(self.first(wall).timestamp_millis()))
    }

    fn at(self, moment: Timestamp) -> DateTime<FixedOffset> {
        let moment = utc(moment);
        match FixedOffset::east_opt(self.offset(moment)) {
            Some(offset) => moment.with_timezone(&offset),
            None => moment.fixed_offset(),
        }
    }

    /// Seconds that its clocks are ahead of UTC.
    fn offset(self, moment: DateTime<Utc>) -> i32 {
        let then = self.0.rules.find_local_time_type(moment.timestamp());
        then.map_or(0, |then| then.ut_offset())
    }

    /// The first moment at which the clock shows this time; where it never does, the one right after the skip.
    fn first(self, wall: NaiveDateTime) -> DateTime<Utc> {
        // No zone is further from UTC than this.
        let around = (
            wall.and_utc() - Duration::hours(15),
            wall.and_utc() + Duration::hours(15),
        );
        // With the offset before a change it is the earlier of two.
        let offsets = [around.0, around.1].map(|moment| self.offset(moment));
        let moments = offsets.map(|offset| (wall.and_utc() - seconds(offset), offset));
        let shown = moments
            .into_iter()
            .find(|(moment, offset)| self.offset(*moment) == *offset);
        let is_past = |moment: DateTime<Utc>| (moment + seconds(self.offset(moment))).naive_utc() > wall;
        shown.map_or_else(|| bisect(around, is_past), |(moment, _)| moment)
    }

    /// The first moment after `from`, up to `to`, at which the zone's offset is another.
    fn change(self, from: DateTime<Utc>, to: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let before = self.offset(from);
        let mut known = from;
        while known < to {
            let next = (known + Duration::days(1)).min(to);
            if self.offset(next) != before {
                return Some(bisect((known, next), |moment| self.offset(moment) != before));
            }
            known = next;
        }
        None
    }
}

impl Default for Zone {
    fn default() -> Zone {
        Zone(ZoneRules {
            name: "UTC",
            rules: &tzdb_data::time_zone::UTC,
        })
    }
}

impl PartialEq for Zone {
    fn eq(&self, other: &Zone) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Zone {}

impl fmt::Debug for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Zone({})", self.0.name)
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

impl TryFrom<String> for Zone {
    type Error = String;
    fn try_from(name: String) -> Result<Zone, String> {
        Zone::parse(&name)
    }
}

impl From<Zone> for String {
    fn from(zone: Zone) -> String {
        zone.to_string()
    }
}

/// Milliseconds from now on: `in 20m`, `in 2 hours`. A year at most.
fn ahead(text: &str) -> Option<u64> {
    let text = text.trim().strip_prefix("in ")?.trim();
    let (number, unit) = text.split_at(text.find(|letter: char| !letter.is_ascii_digit())?);
    let minutes = match unit.trim() {
        "m" | "min" | "mins" | "minute" | "minutes" => 1,
        "h" | "hour" | "hours" => 60,
        "d" | "day" | "days" => 24 * 60,
        _ => return None,
    };
    let minutes = number.parse::<u64>().ok()?.checked_mul(minutes)?;
    (1..=366 * 24 * 60).contains(&minutes).then_some(minutes * 60_000)
}

/// Five fields, names, or `@daily` and its like.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Cron {
    text: String,
    pattern: croner::Cron,
    kind: CronKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CronKind {
    Fixed,
    Interval,
}

impl Cron {
    pub fn parse(text: &str) -> Result<Cron, String> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown = clip(&text);
        if text.len() > LONGEST || !text.is_ascii() || (text.contains('@') && !text.starts_with('@')) {
            return Err(format!("{shown:?} is no cron rule; {HINT}"));
        }
        let pattern = parser()
            .parse(&text)
            .map_err(|_| format!("{shown:?} is no cron rule: {}; {HINT}", fault(&text)))?;
        let cron = Cron {
            kind: kind(&text),
            text,
            pattern,
        };
        match cron.next_wall(utc(Timestamp(0)).naive_utc(), Bound::Beyond) {
            Some(_) => Ok(cron),
            None => Err(format!("{shown:?} never comes")),
        }
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The first time after this moment.
    pub fn next_after(&self, zone: Zone, after: Timestamp) -> Option<Timestamp> {
        let after = utc(after);
        let next = match self.kind {
            CronKind::Fixed => self.next_fixed(zone, after),
            CronKind::Interval => self.next_interval(zone, after),
        };
        Some(Timestamp(next?.timestamp_millis()))
    }

    /// Minutes between two times of this rule, where that is less than `least`: on one day, which all days repeat, or from
    /// the last time of one to the first of the next.
    pub fn closer_than(&self, least: i64) -> Option<i64> {
        const DAYS: usize = 800;
        // The day that this lies on is not seen whole, the next one is.
        let wall = utc(Timestamp(0)).naive_utc() + Duration::minutes(1439);
        let next = |after: &NaiveDateTime| self.next_wall(*after, Bound::Beyond);
        let first = next(&wall)?;
        let on_first_day = |at: &NaiveDateTime| next(at).filter(|at| at.date() == first.date());
        let times: Vec<NaiveDateTime> = std::iter::successors(Some(first), on_first_day).take(1440).collect();
        let apart = times.windows(2).map(|pair| (pair[1] - pair[0]).num_minutes());
        if let Some(apart) = apart.into_iter().find(|apart| *apart < least) {
            return Some(apart);
        }
        let last = times.last()?.time();
        let over_midnight = (first + Duration::days(1) - first.date().and_time(last)).num_minutes();
        if over_midnight >= least {
            return None;
        }
        // Only where some day follows another.
        let day = |day: &NaiveDate| next(&day.and_time(last)).map(|at| at.date());
        let days: Vec<NaiveDate> = std::iter::successors(Some(first.date()), day).take(DAYS).collect();
        let follows = days.windows(2).any(|pair| (pair[1] - pair[0]).num_days() == 1);
        follows.then_some(over_midnight)
    }

    /// Wall clock times map to moments in their own order, so the first that is new is the next.
    fn next_fixed(&self, zone: Zone, after: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let mut wall = (after + seconds(zone.offset(after))).naive_utc();
        loop {
            wall = self.next_wall(wall, Bound::Beyond)?;
            let moment = zone.first(wall);
            if moment > after {
                return Some(moment);
            }
        }
    }

    /// Within one offset the wall clock is a plain clock; at each change of it the search begins again.
    fn next_interval(&self, zone: Zone, after: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let (mut from, mut bound) = (after, Bound::Beyond);
        loop {
            let offset = seconds(zone.offset(from));
            let wall = self.next_wall((from + offset).naive_utc(), bound)?;
            let moment = wall.and_utc() - offset;
            match zone.change(from, moment) {
                None => return Some(moment),
                Some(change) => (from, bound) = (change, Bound::From),
            }
        }
    }

    /// The next bare wall clock time that the pattern fits. An error is a search that found none in centuries.
    fn next_wall(&self, wall: NaiveDateTime, bound: Bound) -> Option<NaiveDateTime> {
        let next = self.pattern.find_next_occurrence(&wall.and_utc(), bound == Bound::From);
        Some(next.ok()?.naive_utc())
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Bound {
    From,
    Beyond,
}

impl PartialEq for Cron {
    fn eq(&self, other: &Cron) -> bool {
        self.text == other.text
    }
}

impl fmt::Debug for Cron {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cron({})", self.text)
    }
}

impl TryFrom<String> for Cron {
    type Error = String;
    fn try_from(text: String) -> Result<Cron, String> {
        Cron::parse(&text)
    }
}

impl From<Cron> for String {
    fn from(cron: Cron) -> String {
        cron.text
    }
}

fn seconds(count: i32) -> Duration {
    Duration::seconds(count.into())
}

fn parser() -> CronParser {
    CronParser::builder()
        .seconds(Seconds::Disallowed)
        .year(Year::Disallowed)
        .build()
}

/// What is wrong with a rule that cannot be read. The parser names no field: each is tried by itself.
fn fault(text: &str) -> String {
    if text.starts_with('@') {
        return "the names are @hourly, @daily, @weekly, @monthly and @yearly".into();
    }
    let fields: Vec<&str> = text.split_whitespace().collect();
    if fields.len() != FIELDS.len() {
        let word = if fields.len() == 1 { "field" } else { "fields" };
        return format!("it has {} {word}", fields.len());
    }
    let is_wrong = |at: &usize| {
        let mut alone = ["*"; FIELDS.len()];
        alone[*at] = fields[*at];
        parser().parse(&alone.join(" ")).is_err()
    };
    match (0..FIELDS.len()).find(is_wrong) {
        Some(at) => {
            let (name, range) = FIELDS[at];
            format!("its {name} is {}, and may be {range}", clip(fields[at]))
        }
        None => "its fields do not go together".into(),
    }
}

fn kind(text: &str) -> CronKind {
    let steps = |field: &str| field.contains(['*', '/']);
    let interval = match text.starts_with('@') {
        true => text.eq_ignore_ascii_case("@hourly"),
        false => text.split(' ').take(2).any(steps),
    };
    if interval { CronKind::Interval } else { CronKind::Fixed }
}

/// Whole seconds: a rule comes due at none else.
fn utc(moment: Timestamp) -> DateTime<Utc> {
    let last = DateTime::<Utc>::MAX_UTC - Duration::days(366);
    let first = DateTime::<Utc>::MIN_UTC + Duration::days(366);
    let moment = DateTime::from_timestamp(moment.0.div_euclid(1000), 0).unwrap_or(last);
    moment.clamp(first, last)
}

/// The first second in a stretch from which on it holds; it does at the end of the stretch.
fn bisect(stretch: (DateTime<Utc>, DateTime<Utc>), holds: impl Fn(DateTime<Utc>) -> bool) -> DateTime<Utc> {
    let (mut before, mut from) = (stretch.0.timestamp(), stretch.1.timestamp());
    let moment = |second| DateTime::from_timestamp(second, 0).unwrap_or(stretch.1);
    while from - before > 1 {
        let middle = before + (from - before) / 2;
        match holds(moment(middle)) {
            true => from = middle,
            false => before = middle,
        }
    }
    moment(from)
}

fn clip(text: &str) -> String {
    super::text::one_line(text, 60)
}

#[cfg(test)]
mod tests;
