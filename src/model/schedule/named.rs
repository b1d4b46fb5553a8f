//! Which schedule a name means: one rule for the engine and for what needs none.

use super::{Schedule, ScheduleId};
use crate::model::Problem;
use crate::model::text::visible;

/// A shorter beginning fits by chance.
const LEAST_BEGINNING: usize = 4;

/// By id, by name, or by a beginning of either of at least four letters, names in letters of any case; the first of these
/// that fits counts. `shows_all` is where whoever asks finds all of them.
pub fn find<'s>(
    all: impl Iterator<Item = (&'s ScheduleId, Option<&'s Schedule>)>,
    name: &str,
    shows_all: &str,
) -> Result<&'s ScheduleId, Problem> {
    let wanted = name.to_lowercase();
    let way = |id: &ScheduleId, known: Option<&Schedule>| {
        let called = known.map(|known| known.terms.name.as_str());
        let small = called.map(str::to_lowercase);
        let begins = name.chars().count() >= LEAST_BEGINNING
            && (id.as_str().starts_with(name) || small.as_ref().is_some_and(|small| small.starts_with(&wanted)));
        let ways = [
            id.as_str() == name,
            called == Some(name),
            small.as_ref() == Some(&wanted),
            begins,
        ];
        ways.iter().position(|is_meant| *is_meant)
    };
    let found: Vec<(usize, (&ScheduleId, Option<&Schedule>))> = all
        .filter_map(|(id, known)| Some((way(id, known)?, (id, known))))
        .collect();
    let best = found.iter().map(|(way, _)| *way).min();
    let meant: Vec<_> = found
        .into_iter()
        .filter(|(way, _)| Some(*way) == best)
        .map(|(_, one)| one)
        .collect();
    let doing = format!("looking for schedule {}", visible(name));
    match meant.as_slice() {
        [(id, _)] => Ok(id),
        [] => Err(Problem::missing(doing, "there is no such schedule", shows_all)),
        many => {
            let called = many.iter().map(|(id, known)| match known {
                Some(known) => format!("{} ({id})", visible(&known.terms.name)),
                None => id.to_string(),
            });
            let called: Vec<String> = called.collect();
            let cause = format!(
                "{} schedules begin like that, or have that name: {}",
                many.len(),
                called.join(", ")
            );
            Err(Problem::new(doing, cause, "give the id of one"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::schedule::Wanted;
    use crate::model::{Timestamp, Zone};

    fn schedule(bits: u64, name: &str) -> Schedule {
        let wanted = Wanted {
            name: Some(name.into()),
            prompt: "look".into(),
            cron: Some("@daily".into()),
            ..Wanted::default()
        };
        let terms = wanted.terms(Zone::default(), Timestamp(0)).unwrap();
        Schedule::new(ScheduleId::from_bits(bits), terms, Timestamp(0))
    }

    #[test]
    fn a_schedule_is_found_by_what_a_person_types_of_its_name() {
        let all = [
            schedule(1, "Hello cron"),
            schedule(2, "Hello"),
            schedule(3, "Dependencies"),
            schedule(4, "deps"),
        ];
        let found = |name: &str| {
            let all = all.iter().map(|one| (&one.id, Some(one)));
            find(all, name, "look").map(all_names).map_err(|problem| problem.cause)
        };
        fn all_names(id: &ScheduleId) -> u64 {
            (1..=4).find(|bits| ScheduleId::from_bits(*bits) == *id).unwrap()
        }
        for (name, bits) in [
            ("Hello", 2),
            ("hello", 2),
            ("hello c", 1),
            ("DEPE", 3),
            ("Deps", 4),
            ("depen", 3),
        ] {
            assert_eq!(found(name), Ok(bits), "{name}");
        }
        let (first, second) = (&all[0].id, &all[1].id);
        let several = format!("2 schedules begin like that, or have that name: Hello cron ({first}), Hello ({second})");
        assert_eq!(found("hell"), Err(several));
        for name in ["hel", "none", ""] {
            assert_eq!(found(name), Err("there is no such schedule".into()), "{name}");
        }
        assert_eq!(found(all[0].id.as_str()), Ok(1));
    }
}
