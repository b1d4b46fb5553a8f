//! Rules on the clocks of three zones over two years, against a clock that is read minute by minute.

use chrono::{NaiveDateTime, Timelike};
use proptest::prelude::*;

use super::*;

const ZONES: [&str; 3] = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"];

fn moment(text: &str) -> Timestamp {
    Timestamp::try_from(text.to_string()).unwrap()
}

/// The next times of a rule, as that zone spells them.
fn times(cron: &str, zone: &str, from: &str, count: usize) -> Vec<String> {
    let (cron, zone) = (Cron::parse(cron).unwrap(), Zone::parse(zone).unwrap());
    let next = |after: &Timestamp| cron.next_after(zone, *after);
    let first = next(&moment(from));
    std::iter::successors(first, next)
        .take(count)
        .map(|at| zone.spell(at))
        .collect()
}

/// Reads the clock each minute: what it jumps over comes due at once, what it shows again was due before.
fn by_reading(minutes: &[u32], hours: &[u32], interval: bool, zone: Zone, from: Timestamp, to: Timestamp) -> Vec<i64> {
    let fits = |wall: NaiveDateTime| minutes.contains(&wall.minute()) && hours.contains(&wall.hour());
    let mut due = Vec::new();
    let mut last = zone.wall(from);
    let mut latest = last;
    for at in (from.0 + 60_000..=to.0).step_by(60_000) {
        let wall = zone.wall(Timestamp(at));
        let jumped = std::iter::successors(Some(last + Duration::minutes(1)), |wall| {
            Some(*wall + Duration::minutes(1))
        });
        let skipped = jumped.take_while(|jumped| *jumped < wall).any(fits);
        let comes = match interval {
            true => fits(wall),
            false => (fits(wall) && wall > latest) || skipped,
        };
        if comes {
            due.push(at);
        }
        (last, latest) = (wall, latest.max(wall));
    }
    due
}

fn by_rule(cron: &Cron, zone: Zone, from: Timestamp, to: Timestamp) -> Vec<i64> {
    let next = |after: &Timestamp| cron.next_after(zone, *after).filter(|at| *at <= to);
    std::iter::successors(next(&from), next).map(|at| at.0).collect()
}

#[test]
fn a_fixed_time_that_the_clock_skips_comes_right_after() {
    let berlin = times("30 2 * * *", "Europe/Berlin", "2026-03-27T12:00:00Z", 3);
    assert_eq!(
        berlin,
        [
            "2026-03-28T02:30:00+01:00",
            "2026-03-29T03:00:00+02:00",
            "2026-03-30T02:30:00+02:00"
        ]
    );
    let york = times("30 2 * * *", "America/New_York", "2026-03-07T12:00:00Z", 2);
    assert_eq!(york, ["2026-03-08T03:00:00-04:00", "2026-03-09T02:30:00-04:00"]);
    // Half an hour is skipped there.
    let howe = times("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00:00Z", 2);
    assert_eq!(howe, ["2026-10-04T02:30:00+11:00", "2026-10-05T02:15:00+11:00"]);
}

#[test]
fn several_fixed_times_in_one_skip_come_once() {
    let berlin = times("15,45 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 2);
    assert_eq!(berlin, ["2026-03-29T03:00:00+02:00", "2026-03-30T02:15:00+02:00"]);
}

#[test]
fn a_fixed_time_that_the_clock_shows_twice_comes_once() {
    let berlin = times("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2);
    assert_eq!(berlin, ["2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"]);
    let howe = times("45 1 * * *", "Australia/Lord_Howe", "2026-04-04T00:00:00Z", 2);
    assert_eq!(howe, ["2026-04-05T01:45:00+11:00", "2026-04-06T01:45:00+10:30"]);
}

#[test]
fn an_interval_follows_the_wall_clock() {
    let spring = times("*/30 * * * *", "Europe/Berlin", "2026-03-29T00:29:00Z", 3);
    assert_eq!(
        spring,
        [
            "2026-03-29T01:30:00+01:00",
            "2026-03-29T03:00:00+02:00",
            "2026-03-29T03:30:00+02:00"
        ]
    );
    let autumn = times("*/30 * * * *", "Europe/Berlin", "2026-10-24T23:59:00Z", 5);
    assert_eq!(
        autumn,
        [
            "2026-10-25T02:00:00+02:00",
            "2026-10-25T02:30:00+02:00",
            "2026-10-25T02:00:00+01:00",
            "2026-10-25T02:30:00+01:00",
            "2026-10-25T03:00:00+01:00"
        ]
    );
    let skipped = times("*/15 2 * * *", "Europe/Berlin", "2026-03-29T00:00:00Z", 1);
    assert_eq!(skipped, ["2026-03-30T02:00:00+02:00"]);
}

#[test]
fn a_time_from_now_is_read_in_minutes_hours_and_days() {
    let zone = Zone::parse("Europe/Berlin").unwrap();
    let now = zone.read("2026-02-15T12:00").unwrap();
    let read = |text: &str| zone.read_next(text, now).map(|at| at.ms_since(now) / 60_000);
    for (text, minutes) in [
        ("in 20m", 20),
        ("in 2 minutes", 2),
        ("in 1 min", 1),
        ("in 2 hours", 120),
        ("in 3d", 3 * 24 * 60),
    ] {
        assert_eq!(read(text), Ok(minutes), "{text}");
    }
    for text in [
        "in",
        "in x",
        "in 0 min",
        "in 2 moons",
        "in 9999999999999999999 days",
        "20m",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
}

#[test]
fn a_zone_is_known_by_its_name_in_any_letters_and_is_called_by_its_own() {
    for (typed, name) in [
        ("europe/berlin", "Europe/Berlin"),
        (" UTC ", "UTC"),
        ("asia/KOLKATA", "Asia/Kolkata"),
    ] {
        assert_eq!(Zone::parse(typed).unwrap().to_string(), name);
    }
    let why = Zone::parse("Europe/Atlantis").unwrap_err();
    assert!(why.contains("\"Europe/Atlantis\" is no time zone"), "{why}");
}

#[test]
fn clocks_of_zones_are_right_before_their_rules_and_long_after() {
    let berlin = Zone::parse("Europe/Berlin").unwrap();
    for (moment_of, wall) in [
        ("1850-01-01T00:00:00Z", "1850-01-01T00:53:28"),
        ("2026-07-01T12:00:00Z", "2026-07-01T14:00:00"),
        ("2150-07-01T12:00:00Z", "2150-07-01T14:00:00"),
    ] {
        assert_eq!(
            berlin.wall(moment(moment_of)).format("%Y-%m-%dT%H:%M:%S").to_string(),
            wall
        );
    }
}

#[test]
fn years_that_nobody_writes_are_no_times() {
    for zone in ["UTC", "Pacific/Kiritimati", "America/New_York"].map(|name| Zone::parse(name).unwrap()) {
        for year in ["+262142", "-262143", "+10000", "0000"] {
            assert!(zone.read(&format!("{year}-12-31T23:59")).is_err(), "{year}");
        }
        for year in ["0001", "9999"] {
            let moment = zone.read(&format!("{year}-12-31T23:59")).unwrap();
            assert!(zone.spell(moment).starts_with(year), "{year}");
        }
    }
}

#[test]
fn five_fields_names_and_nicknames_are_read() {
    let from = "2026-02-13T12:00:00Z";
    assert_eq!(times("0 9 * * MON-FRI", "UTC", from, 1), ["2026-02-16T09:00:00+00:00"]);
    assert_eq!(times("0 9 * * 7", "UTC", from, 1), ["2026-02-15T09:00:00+00:00"]);
    assert_eq!(times("0 0 1 feb *", "UTC", from, 1), ["2027-02-01T00:00:00+00:00"]);
    assert_eq!(times("@daily", "Europe/Berlin", from, 1), ["2026-02-14T00:00:00+01:00"]);
    assert_eq!(times("@hourly", "UTC", from, 1), ["2026-02-13T13:00:00+00:00"]);
    assert_eq!(times("0 0 29 2 *", "UTC", from, 1), ["2028-02-29T00:00:00+00:00"]);
    for wrong in [
        "",
        "* * * *",
        "0 0 9 * * *",
        "61 * * * *",
        "0 9 31 2 *",
        "@reboot",
        "0 9 * * @daily",
        "ä * * * *",
    ] {
        assert!(Cron::parse(wrong).is_err(), "{wrong}");
    }
    assert_eq!(Cron::parse("0 9 31 2 *").unwrap_err(), "\"0 9 31 2 *\" never comes");
}

#[test]
fn what_is_no_rule_is_told_with_the_field_that_is_wrong() {
    for (wrong, why) in [
        ("61 * * * *", "its minute is 61, and may be 0 to 59"),
        (
            "0 9 * * FUNDAY",
            "its weekday is FUNDAY, and may be 0 to 7 or SUN to SAT",
        ),
        ("every day", "it has 2 fields"),
        (
            "@reboot",
            "the names are @hourly, @daily, @weekly, @monthly and @yearly",
        ),
    ] {
        let hint = "write five fields, minute hour day month weekday, like `0 9 * * MON-FRI`, or @daily";
        assert_eq!(
            Cron::parse(wrong).unwrap_err(),
            format!("{wrong:?} is no cron rule: {why}; {hint}")
        );
    }
}

#[test]
fn times_closer_than_allowed_are_found_over_midnight_too() {
    let closer = |cron: &str| Cron::parse(cron).unwrap().closer_than(5);
    assert_eq!(closer("*/5 * * * *"), None);
    assert_eq!(closer("*/4 * * * *"), Some(4));
    assert_eq!(closer("0 9 * * *"), None);
    assert_eq!(closer("0,3 9 * * MON"), Some(3));
    assert_eq!(closer("58,0 0,23 * * *"), Some(2));
    assert_eq!(closer("0,59 0,23 1,3,4 * *"), Some(1));
    assert_eq!(closer("0,59 0,23 1,3,5 * *"), None);
    assert_eq!(closer("0,59 0,23 28,1 2,3 *"), Some(1));
    assert_eq!(closer("0,58 0,23 1 1 *"), None);
    assert_eq!(closer("0 0 29 2 *"), None);
}

#[test]
fn a_time_is_read_with_its_offset_or_by_the_zones_clock() {
    let berlin = Zone::parse("Europe/Berlin").unwrap();
    let read = |text: &str| berlin.read(text).map(|at| berlin.spell(at));
    let nine = Ok("2026-03-29T09:00:00+02:00".to_string());
    for text in [
        "2026-03-29T09:00",
        "2026-03-29 09:00:00",
        "2026-03-29T07:00:00Z",
        "2026-03-29T09:00:00+02:00",
    ] {
        assert_eq!(read(text), nine, "{text}");
    }
    assert_eq!(read("2026-03-29T02:30"), Ok("2026-03-29T03:00:00+02:00".into()));
    assert_eq!(read("2026-03-29"), Ok("2026-03-29T00:00:00+01:00".into()));
    assert!(read("tomorrow").is_err());
    let now = berlin.read("2026-03-28T09:00").unwrap();
    let next = |text: &str| berlin.read_next(text, now).map(|at| berlin.spell(at));
    assert_eq!(next("09:01"), Ok("2026-03-28T09:01:00+01:00".into()));
    assert_eq!(next("9:00"), Ok("2026-03-29T09:00:00+02:00".into()), "it is that now");
    assert_eq!(next("02:30"), Ok("2026-03-29T03:00:00+02:00".into()));
    assert_eq!(next("2026-03-29"), read("2026-03-29"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Around each change of the clocks in 2026 and 2027, and at any other time.
    #[test]
    fn a_rule_comes_when_a_clock_that_is_read_each_minute_says_so(
        zone in prop::sample::select(ZONES.to_vec()),
        start in prop::sample::select(vec![
            "2026-03-07T00:00:00Z", "2026-03-28T00:00:00Z", "2026-04-03T00:00:00Z", "2026-10-02T00:00:00Z",
            "2026-10-24T00:00:00Z", "2026-10-31T00:00:00Z", "2027-03-13T00:00:00Z", "2027-03-27T00:00:00Z",
            "2027-04-02T00:00:00Z", "2027-10-01T00:00:00Z", "2027-10-30T00:00:00Z", "2027-11-06T00:00:00Z",
            "2026-06-10T00:00:00Z",
        ]),
        minutes in prop::collection::btree_set(0u32..60, 1..4),
        hours in prop::collection::btree_set(0u32..4, 1..3),
        step in prop::option::of(1u32..31),
    ) {
        let zone = Zone::parse(zone).unwrap();
        let from = moment(start);
        let to = from.plus_ms(3 * 86_400_000);
        let list = |of: &std::collections::BTreeSet<u32>| {
            of.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
        };
        let hour: Vec<u32> = hours.iter().copied().collect();
        let (text, minute): (String, Vec<u32>) = match step {
            Some(step) => (format!("*/{step} {} * * *", list(&hours)), (0..60).step_by(step as usize).collect()),
            None => (format!("{} {} * * *", list(&minutes), list(&hours)), minutes.iter().copied().collect()),
        };
        let cron = Cron::parse(&text).unwrap();
        let expected = by_reading(&minute, &hour, step.is_some(), zone, from, to);
        prop_assert_eq!(by_rule(&cron, zone, from, to), expected, "{} in {}", text, zone);
    }

    #[test]
    fn no_text_and_no_moment_breaks_it(text in "\\PC{0,40}", fields in "[0-9*/,LW#@?+-]{1,6}( [0-9*/,LW#A-Z-]{1,5}){4}", at in any::<i64>()) {
        for text in [text, fields] {
            if let Ok(cron) = Cron::parse(&text) {
                let next = cron.next_after(Zone::default(), Timestamp(at));
                prop_assert!(next.is_none_or(|next| next.0 > at.min(next.0 - 1)));
            }
        }
    }
}
