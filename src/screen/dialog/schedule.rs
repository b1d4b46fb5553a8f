//! A schedule made or changed: what to do, when, with which agent, in which project, and what counts as success.

use std::path::PathBuf;

use crate::domain::state::Domain;
use crate::model::open_dir::OpenDir;
use crate::model::schedule::{DEFAULT_TIMEOUT_S, Missed, Overlap, Rule, Terms, Wanted};
use crate::model::{Cron, Problem, ScheduleId, Timestamp};

use super::super::day::day_and_time;
use super::super::hint::Hint;
use super::field::filled;
use super::focus::FormFocus;
use super::suggestions::Suggested;
use super::tables::form_hints;
use super::{
    Around, Ask, BranchField, Field, Form, OtherName, Part, Places, Room, ScheduleField, ScheduleWish, Stop, Subject,
    Wish, Work,
};

/// The forms of a time that are taken.
const WHEN: &str = "write a time like 09:00, in 20 min or 2026-03-29T09:00, or a rule like `0 9 * * MON-FRI` or @daily";

pub struct ScheduleForm {
    /// The one that is changed; a new one where there is none.
    pub of: Option<ScheduleId>,
    about: Option<Subject>,
    form: Form,
    prompt: Field,
    name: Field,
    /// A cron rule, or one time.
    when: Field,
    zone: Field,
    /// None is the default agent of the day.
    llm: Option<String>,
    places: Places,
    branch: BranchField,
    check: Field,
    known: Option<KnownCheck>,
    minutes: Field,
    overlap: Overlap,
    missed: Missed,
}

/// The check of the schedule that is changed. A field shows it as one line: only what a person did to that is a change.
struct KnownCheck {
    text: String,
    shown: Option<String>,
    by_agent: bool,
}

impl KnownCheck {
    fn of(terms: &Terms) -> Option<KnownCheck> {
        let text = terms.check.clone()?;
        let shown = filled(&Field::new(&text, Room::Line));
        let by_agent = terms.check_by_agent;
        Some(KnownCheck { text, shown, by_agent })
    }
}

impl ScheduleForm {
    /// `cwd` is where the person is.
    pub fn new(domain: &Domain, cwd: PathBuf, of: Option<ScheduleId>) -> ScheduleForm {
        let known = of.as_ref().and_then(|id| domain.disk.schedules.get(id)?.as_ref().ok());
        let terms = known.map(|known| &known.terms);
        let line = |text: Option<&str>| Field::new(text.unwrap_or_default(), Room::Line);
        let mut places = Places::new(domain, cwd);
        let project = terms.and_then(|terms| terms.project.as_ref());
        match project {
            Some(project) => places.field.set(&project.path_or_url),
            None if of.is_none() => places.offer_here(),
            None => {}
        }
        let seconds = terms.map_or(DEFAULT_TIMEOUT_S, |terms| terms.timeout_s);
        let zone = terms.map_or(domain.live.facts.zone, |terms| terms.when.zone);
        ScheduleForm {
            about: of.as_ref().map(|id| Subject::schedule(domain, id)),
            form: Form::new(Stop::Prompt, domain.now),
            prompt: Field::new(terms.map_or("", |terms| &terms.prompt), Room::Lines),
            name: line(terms.map(|terms| terms.name.as_str())),
            when: line(terms.map(spelled).as_deref()),
            zone: line(Some(&zone.to_string())),
            llm: match terms {
                Some(terms) => terms.llm.clone(),
                None => domain.disk.used_llm().map(String::from),
            },
            places,
            branch: BranchField::new(
                project
                    .and_then(|project| project.branch.as_deref())
                    .unwrap_or_default(),
                OtherName::Creates,
            ),
            check: line(terms.and_then(|terms| terms.check.as_deref())),
            known: terms.and_then(KnownCheck::of),
            minutes: line(Some(&format!("{} min", seconds as f64 / 60.0))),
            overlap: terms.map(|terms| terms.overlap).unwrap_or_default(),
            missed: terms.map(|terms| terms.missed).unwrap_or_default(),
            of,
        }
    }

    /// Whether something was typed for a new one that would have to be typed again.
    pub fn is_typed(&self) -> bool {
        let given = [ScheduleField::Zone, ScheduleField::Limit].map(Stop::Schedule);
        let typed = |(stop, field): &(Stop, &Field)| match stop {
            Stop::Place => self.places.is_typed(),
            stop => !given.contains(stop) && filled(field).is_some(),
        };
        self.of.is_none() && self.fields().iter().any(typed)
    }

    /// As it was when it was left.
    pub fn again(&mut self, now: Timestamp) {
        self.form = Form::new(Stop::Prompt, now);
    }

    fn doing(&self) -> &'static str {
        match self.of {
            Some(_) => "changing a schedule",
            None => "making a schedule",
        }
    }

    fn wanted(&self) -> Result<Wanted, Problem> {
        let when = self.when.text().trim().to_string();
        if when.is_empty() {
            return Err(Problem::new(self.doing(), "when it is to run is not said", WHEN));
        }
        // No rule has a colon, or begins with a year.
        let begins_with_year = |begin: &str| begin.ends_with('-') && begin[..4].parse::<u16>().is_ok();
        let is_ahead = when.starts_with("in ");
        let is_time = when.contains(':') || is_ahead || when.get(..5).is_some_and(begins_with_year);
        if !is_time && let Err(cause) = Cron::parse(&when) {
            let cause = cause.split_once("; ").map_or(cause.as_str(), |(cause, _)| cause);
            return Err(Problem::new(self.doing(), cause, WHEN));
        }
        let is_unit = |letter: char| letter.is_ascii_alphabetic() || letter == ' ';
        let minutes = filled(&self.minutes).map(|text| text.trim_end_matches(is_unit).parse::<f64>());
        let minutes = minutes.transpose().map_err(|_| {
            Problem::new(
                "reading the time limit",
                "it is no number of minutes",
                "write one like 30 or 0.5",
            )
        })?;
        let project = filled(&self.places.field).map(|path_or_url| OpenDir {
            path_or_url,
            branch: filled(&self.branch.field),
            cwd: Some(self.places.cwd.clone()),
            ..OpenDir::default()
        });
        Ok(Wanted {
            name: filled(&self.name),
            prompt: self.prompt.text(),
            cron: (!is_time).then(|| when.clone()),
            at: is_time.then_some(when),
            tz: filled(&self.zone),
            project,
            llm: self.llm.clone(),
            check: match self.unchanged_check() {
                Some(known) => Some(known.text.clone()),
                None => filled(&self.check),
            },
            timeout_s: minutes.map(|minutes| (minutes * 60.0).round() as u64),
            overlap: Some(self.overlap),
            missed: Some(self.missed),
        })
    }

    fn unchanged_check(&self) -> Option<&KnownCheck> {
        let shown = filled(&self.check);
        self.known.as_ref().filter(|known| known.shown == shown)
    }

    /// What the rule comes to, as it is typed.
    fn ahead(&self, around: &Around) -> String {
        if self.when.is_empty() {
            return String::new();
        }
        let typed = self.wanted().map(|wanted| Wanted {
            prompt: "any".into(),
            ..wanted
        });
        match typed.and_then(|wanted| wanted.terms(around.domain.live.facts.zone, around.domain.now)) {
            Ok(terms) => {
                let next = |at: &crate::model::Timestamp| terms.when.next_after(*at);
                let times = std::iter::successors(terms.when.next_after(around.domain.now), next).take(3);
                let times = times.map(|at| day_and_time(at, around.domain.now, terms.when.zone));
                format!("next: {}", times.collect::<Vec<_>>().join(", "))
            }
            Err(problem) => problem.cause,
        }
    }

    /// As [`Self::ahead`], but for what is told below already, as the reason that it was not saved.
    fn note(&self, around: &Around) -> String {
        let ahead = self.ahead(around);
        match &self.form.work {
            Work::Failed(problem) if problem.cause == ahead => String::new(),
            Work::Failed(_) | Work::Ready | Work::Busy(_) => ahead,
        }
    }

    fn agent(&self, around: &Around) -> Part {
        let agents = &around.domain.disk.agents;
        let known = |llm: &String| {
            agents
                .iter()
                .find(|agent| agent.llm == *llm)
                .map(|agent| agent.title.clone())
        };
        let value = match &self.llm {
            Some(llm) => known(llm).unwrap_or_else(|| llm.clone()),
            None => {
                let llm = around.domain.disk.usual_llm().unwrap_or("demo").to_string();
                format!("default: {}", known(&llm).unwrap_or(llm))
            }
        };
        choice(Stop::Agent, "Agent", value)
    }
}

fn choice(stop: Stop, label: &'static str, value: String) -> Part {
    Part::Choice {
        stop,
        label,
        value,
        at: String::new(),
        note: String::new(),
    }
}

fn spelled(terms: &Terms) -> String {
    match &terms.when.rule {
        Rule::Cron(cron) => cron.as_str().to_string(),
        Rule::At(at) => terms.when.zone.wall(*at).format("%Y-%m-%d %H:%M:%S").to_string(),
    }
}

impl Ask for ScheduleForm {
    fn form(&self) -> &Form {
        &self.form
    }

    fn form_mut(&mut self) -> &mut Form {
        &mut self.form
    }

    fn title(&self) -> String {
        match self.of {
            Some(_) => "Change schedule".into(),
            None => "New schedule".into(),
        }
    }

    fn parts(&self, around: &Around) -> Vec<Part> {
        let field = |stop, label, rows, placeholder: &str| Part::Field {
            stop,
            label,
            rows,
            placeholder: placeholder.into(),
        };
        let overlap = match self.overlap {
            Overlap::Skip => "skip while the previous run is active",
            Overlap::Wait => "start after the previous run ends",
            Overlap::Allow => "run at the same time",
        };
        let missed = match self.missed {
            Missed::Latest => "run the latest missed one (24 h at most)",
            Missed::Skip => "skip missed runs",
        };
        let mut parts = vec![
            field(Stop::Prompt, "Prompt", 3, "what the agent is to do each time"),
            field(Stop::Name, "Name", 1, "from the prompt"),
            field(
                Stop::Schedule(ScheduleField::When),
                "When",
                1,
                "0 9 * * MON-FRI, @daily; once: 09:00, in 20 min",
            ),
            Part::Note(self.note(around)),
            field(Stop::Schedule(ScheduleField::Zone), "Zone", 1, "the machine's own"),
            self.agent(around),
            field(Stop::Place, "Project", 1, "path, URL or project name (optional)"),
        ];
        parts.push(field(
            Stop::Branch,
            "Branch",
            1,
            "default branch · a new name creates it",
        ));
        parts.extend([field(
            Stop::Schedule(ScheduleField::Check),
            "Check",
            1,
            "check command (exit 0 = success; optional)",
        )]);
        let known = self.unchanged_check();
        if known.is_some_and(|known| known.by_agent) {
            parts.push(Part::Note(
                "an agent's: unchanged, it runs where your rules allow it".into(),
            ));
        }
        parts.extend([
            field(
                Stop::Schedule(ScheduleField::Limit),
                "Limit",
                1,
                "minutes a run may take; 120",
            ),
            choice(Stop::Schedule(ScheduleField::Overlap), "Overlap", overlap.into()),
            choice(Stop::Schedule(ScheduleField::Missed), "Missed", missed.into()),
            Part::Gap,
        ]);
        parts.extend(self.form.warning());
        let save = if self.of.is_some() { "Save" } else { "Create" };
        parts.push(self.form.buttons(save, "Saving…"));
        parts
    }

    fn hints(&self) -> Vec<Hint> {
        let submit = match &self.of {
            Some(_) => "save",
            None => "create",
        };
        form_hints(FormFocus::of(self.form.at), submit)
    }

    fn fields(&self) -> Vec<(Stop, &Field)> {
        vec![
            (Stop::Prompt, &self.prompt),
            (Stop::Name, &self.name),
            (Stop::Schedule(ScheduleField::When), &self.when),
            (Stop::Schedule(ScheduleField::Zone), &self.zone),
            (Stop::Place, &self.places.field),
            (Stop::Branch, &self.branch.field),
            (Stop::Schedule(ScheduleField::Check), &self.check),
            (Stop::Schedule(ScheduleField::Limit), &self.minutes),
        ]
    }

    fn fields_mut(&mut self) -> Vec<(Stop, &mut Field)> {
        vec![
            (Stop::Prompt, &mut self.prompt),
            (Stop::Name, &mut self.name),
            (Stop::Schedule(ScheduleField::When), &mut self.when),
            (Stop::Schedule(ScheduleField::Zone), &mut self.zone),
            (Stop::Place, &mut self.places.field),
            (Stop::Branch, &mut self.branch.field),
            (Stop::Schedule(ScheduleField::Check), &mut self.check),
            (Stop::Schedule(ScheduleField::Limit), &mut self.minutes),
        ]
    }

    fn turn(&mut self, around: &Around, stop: Stop, by: i8) {
        let round = |at: usize, all: usize| match by {
            ..0 => (at + all - 1) % all,
            0.. => (at + 1) % all,
        };
        if stop == Stop::Schedule(ScheduleField::Overlap) {
            let all = [Overlap::Skip, Overlap::Wait, Overlap::Allow];
            let at = all.iter().position(|one| *one == self.overlap).unwrap_or(0);
            self.overlap = all[round(at, all.len())];
        }
        if stop == Stop::Schedule(ScheduleField::Missed) {
            self.missed = match self.missed {
                Missed::Latest => Missed::Skip,
                Missed::Skip => Missed::Latest,
            };
        }
        if stop == Stop::Agent {
            let agents = around.domain.disk.agents.iter().map(|agent| Some(agent.llm.clone()));
            let all: Vec<Option<String>> = std::iter::once(None).chain(agents).collect();
            let at = all.iter().position(|one| *one == self.llm).unwrap_or(0);
            self.llm.clone_from(&all[round(at, all.len())]);
        }
    }

    fn branch_field(&self, at: Stop) -> Option<&BranchField> {
        (at == Stop::Branch).then_some(&self.branch)
    }

    fn branch_field_mut(&mut self, at: Stop) -> Option<&mut BranchField> {
        (at == Stop::Branch).then_some(&mut self.branch)
    }

    fn places(&self) -> Option<&Places> {
        Some(&self.places)
    }

    fn places_mut(&mut self) -> Option<&mut Places> {
        Some(&mut self.places)
    }

    fn about(&self) -> Option<&Subject> {
        self.about.as_ref()
    }

    fn wish(&self, _: &Around) -> Result<Wish, Problem> {
        let wanted = Box::new(self.wanted()?);
        Ok(match &self.of {
            Some(id) => Wish::Schedule(ScheduleWish::Edit(id.clone(), wanted)),
            None => Wish::Schedule(ScheduleWish::Make(wanted)),
        })
    }
}
