//! A new chat: what to do, with which agent, in which projects. All of it may be left empty.

mod projects;

use std::path::PathBuf;

use crate::domain::notice::Done;
use crate::domain::state::Domain;
use crate::domain::team::atom;
use crate::domain::work::ShownContent;
use crate::model::atom::{Atom, AtomKey};
use crate::model::open_dir::OpenDir;
use crate::model::request::{self, Handed};
use crate::model::settings::Confinement;
use crate::model::text::{one_line, visible};
use crate::model::{
    ChatId, Installed, Kind, PermissionProfile, Problem, RequestId, RoleEntry, RoleFrom, Timestamp, can_be_default,
};

use super::super::hint::Hint;
use super::field::filled;
use super::focus::FormFocus;
use super::focus::NewChatField;
use super::form::{Work, next_of};
use super::tables::form_hints;
use super::{Around, Ask, BranchField, Field, Form, Part, Places, Room, Stop, Wish};
use projects::{DOING, ParentClones, WantedProjects};

/// Below so many rows the prompt has fewer, so that the button is in sight.
const ROOMY: u16 = 22;

pub struct NewChat {
    form: Form,
    prompt: Field,
    name: Field,
    /// The agent CLI, once it was chosen by hand: what is installed may be found out only meanwhile.
    chosen: Option<String>,
    /// Those that there are for the project that is typed.
    roles: Vec<RoleEntry>,
    role: Option<String>,
    projects: WantedProjects,
    /// What its agent does unasked, once that was chosen by hand.
    permissions: Option<PermissionProfile>,
    consent: bool,
    /// It is made below another chat, to take on an atom.
    handed: Option<Handed>,
    /// Its prompt was typed before the engine or the screen ended.
    goes_on: bool,
}

impl NewChat {
    /// `cwd` is where the person is.
    pub fn new(domain: &Domain, cwd: PathBuf) -> NewChat {
        NewChat {
            form: Form::new(Stop::Prompt, domain.now),
            prompt: Field::new("", Room::Lines),
            name: Field::new("", Room::Line),
            chosen: None,
            roles: Vec::new(),
            role: None,
            projects: WantedProjects::new(domain, cwd),
            permissions: None,
            consent: false,
            handed: None,
            goes_on: false,
        }
    }

    /// One below `parent`, for an atom: with what there is to know of it as the prompt, and the parent's project.
    pub fn handing(domain: &Domain, cwd: PathBuf, parent: &ChatId, key: &AtomKey) -> NewChat {
        let mut new = NewChat::new(domain, cwd);
        if let Some(atom) = atom::graph(domain, parent).and_then(|graph| graph.get(key)) {
            new.prompt = Field::new(&task(key, atom), Room::Lines);
            new.name = Field::new(&one_line(&atom.title, 60), Room::Line);
        }
        let known = domain.disk.chats.get(parent);
        new.projects.from = known.map(ParentClones::of);
        let mut clones = known
            .into_iter()
            .flat_map(|chat| &chat.projects)
            .filter(|p| p.kind == Kind::Git);
        if let (Some(only), None) = (clones.next(), clones.next()) {
            new.projects.places.field.set(&only.name);
        }
        new.chosen = known.map(|chat| chat.record.llm.clone()).filter(|llm| llm != "shell");
        new.handed = Some(Handed {
            parent: parent.clone(),
            atom: key.clone(),
        });
        new
    }

    /// With this project, and the prompt to be typed.
    pub fn on(&mut self, place: &str) {
        self.projects.places.field.set(place);
    }

    /// With a prompt that was typed before.
    pub fn goes_on(&mut self, text: &str) {
        self.prompt = Field::new(text, Room::Lines);
        self.goes_on = true;
    }

    /// The lines of the prompt that a person has typed.
    pub fn typed(&self) -> &[String] {
        match self.handed {
            Some(_) => &[],
            None => self.prompt.lines(),
        }
    }

    /// With the project to be typed first.
    pub fn at_project(&mut self) {
        self.form.at = Stop::Place;
    }

    /// Whether something was typed that would have to be typed again.
    pub fn is_typed(&self) -> bool {
        let typed = [&self.prompt, &self.name]
            .into_iter()
            .any(|field| filled(field).is_some());
        self.handed.is_none() && (typed || self.projects.is_typed())
    }

    /// As it was when it was left.
    pub fn again(&mut self, now: Timestamp) {
        self.form = Form::new(Stop::Prompt, now);
    }

    /// Claude Code asks about each new directory unless parlour's were trusted once; that takes a person's word.
    fn asks_for_consent(around: &Around, llm: &str) -> bool {
        llm == "claude" && !around.domain.disk.settings.trust.contains_key("claude")
    }

    /// Of one that was chosen and is none here, nothing is left.
    fn offer(&mut self, roles: Vec<RoleEntry>) {
        self.roles = roles;
        let roles = &self.roles;
        self.role.take_if(|name| !roles.iter().any(|role| role.name == *name));
    }

    fn taken_up(&self) -> Option<&RoleEntry> {
        let name = self.role.as_ref()?;
        self.roles.iter().find(|role| role.name == *name)
    }

    fn llm(&self, around: &Around) -> String {
        let of_role = self.taken_up().and_then(|role| role.llm.clone());
        let chosen = self.chosen.clone().or(of_role);
        chosen.unwrap_or_else(|| first_choice(around))
    }

    /// A shell was chosen, which takes no prompt, no role and no permissions. A role may want one: that stays to be turned.
    fn is_for_shell(&self, llm: &str) -> bool {
        llm == "shell" && self.taken_up().is_none_or(|role| role.llm.as_deref() != Some("shell"))
    }

    fn role_part(&self) -> Part {
        let role = self.taken_up();
        let at = role.and_then(|role| self.roles.iter().position(|one| one == role));
        let note = role.map(|role| match &role.damage {
            Some(why) => format!("it cannot be taken up: {}", one_line(why, 160)),
            None if role.from == RoleFrom::Repository => format!("from the repository: {}", role.description),
            None => role.description.clone(),
        });
        Part::Choice {
            stop: Stop::Role,
            label: "Role",
            value: role.map_or("none".into(), |role| role.name.clone()),
            at: format!("{} of {}", at.map_or(1, |at| at + 2), self.roles.len() + 1),
            note: note.unwrap_or_default(),
        }
    }

    fn turn_role(&mut self, by: i8) {
        let names = self.roles.iter().map(|role| Some(role.name.clone()));
        let all: Vec<Option<String>> = std::iter::once(None).chain(names).collect();
        self.role = next_of(&all, &self.role, by);
    }

    fn turn_agent(&mut self, around: &Around, by: i8) {
        let agents = &around.domain.disk.agents;
        let llm = self.llm(around);
        let at = agents.iter().position(|agent| agent.llm == llm);
        let next = match (at, by) {
            (None, _) => 0,
            (Some(at), ..0) => (at + agents.len() - 1) % agents.len(),
            (Some(at), 0..) => (at + 1) % agents.len(),
        };
        if let Some(agent) = agents.get(next) {
            self.chosen = Some(agent.llm.clone());
        }
    }

    /// What its agent does unasked: as chosen, else as the engine will decide.
    fn profile(&self, around: &Around) -> PermissionProfile {
        let domain = around.domain;
        let above = self
            .handed
            .as_ref()
            .and_then(|handed| domain.disk.chats.get(&handed.parent));
        let above = above.map(|chat| chat.record.set.permissions);
        let set = self.permissions.or(above).or(domain.disk.settings.permissions.profile);
        set.unwrap_or_default()
    }

    fn permissions_part(&self, around: &Around) -> Part {
        let profile = self.profile(around);
        let all = PermissionProfile::EACH;
        let at = all.iter().position(|one| *one == profile).unwrap_or(0);
        let note = match profile == PermissionProfile::All && !has_sandbox(around) {
            true => "only with \"sandbox\": \"strict\" in config.json",
            false => "",
        };
        Part::Choice {
            stop: Stop::New(NewChatField::Permissions),
            label: "Unasked",
            value: profile.words().into(),
            at: format!("{} of {}", at + 1, all.len()),
            note: note.into(),
        }
    }

    fn agent(&self, around: &Around, llm: &str) -> Part {
        let agents = &around.domain.disk.agents;
        if agents.is_empty() {
            return Part::Choice {
                stop: Stop::Agent,
                label: "Agent",
                value: self.chosen.clone().unwrap_or_else(|| "the default one".into()),
                at: String::new(),
                note: "looking for those that are installed".into(),
            };
        }
        let at = agents.iter().position(|agent| agent.llm == llm);
        let (value, remark) = match at.map(|at| &agents[at]) {
            Some(agent) if agent.remark.is_empty() => (titled(agent), agent.program.display().to_string()),
            Some(agent) => (titled(agent), agent.remark.clone()),
            None => (llm.into(), "it is not installed here".into()),
        };
        let only_built_in = agents.iter().all(is_built_in);
        let note = match only_built_in {
            true => "no agent CLI was found on your PATH; the demo shows how one works here".into(),
            false => remark,
        };
        let at = at.map_or(String::new(), |at| format!("{} of {}", at + 1, agents.len()));
        Part::Choice {
            stop: Stop::Agent,
            label: "Agent",
            value,
            at,
            note,
        }
    }

    /// With this agent chosen.
    fn parts_with(&self, around: &Around, llm: &str) -> Vec<Part> {
        let line = |stop, label, placeholder: &str| Part::Field {
            stop,
            label,
            rows: 1,
            placeholder: placeholder.into(),
        };
        let is_shell = self.is_for_shell(llm);
        let (prompt, name) = match llm {
            "shell" => ("a shell takes no prompt", "optional"),
            _ => ("first prompt (optional)", "from the prompt"),
        };
        let rows = if around.whole.height < ROOMY { 2 } else { 4 };
        let mut parts = vec![
            Part::Field {
                stop: Stop::Prompt,
                label: "Prompt",
                rows,
                placeholder: prompt.into(),
            },
            match filled(&self.prompt).is_some() {
                true if llm == "shell" => {
                    Part::Note("A shell takes no prompt: empty it, or choose another agent.".into())
                }
                true if self.goes_on => Part::Note("You typed this before the engine or your screen ended.".into()),
                true | false => Part::Gap,
            },
            line(Stop::Name, "Name", name),
            self.agent(around, llm),
        ];
        parts.extend(self.projects.parts());
        if is_shell && self.projects.reads_in_place() {
            parts.push(Part::Note("Nothing keeps a shell from writing there.".into()));
        }
        if !is_shell {
            parts.push(self.role_part());
            parts.push(self.permissions_part(around));
        }
        if NewChat::asks_for_consent(around, llm) {
            let text = "let Claude Code trust parlour's chats folder (written once to its own settings)".to_string();
            parts.push(Part::Gap);
            parts.push(Part::Tick {
                stop: Stop::Consent,
                on: self.consent,
                text,
            });
        }
        parts.push(Part::Gap);
        parts.extend(self.form.warning());
        parts.extend(self.form.progress(&self.projects.opening(), around.domain.now));
        parts.push(self.form.buttons("Create", "Creating…"));
        parts
    }
}

impl Ask for NewChat {
    fn form(&self) -> &Form {
        &self.form
    }

    fn form_mut(&mut self) -> &mut Form {
        &mut self.form
    }

    fn title(&self) -> String {
        match &self.handed {
            Some(handed) => format!("New chat for {}", visible(&handed.atom.to_string())),
            None => "New chat".into(),
        }
    }

    fn parts(&self, around: &Around) -> Vec<Part> {
        self.parts_with(around, &self.llm(around))
    }

    /// Nothing moves when another agent is chosen.
    fn other_parts(&self, around: &Around) -> Vec<Vec<Part>> {
        let agents = around.domain.disk.agents.iter();
        agents.map(|agent| self.parts_with(around, &agent.llm)).collect()
    }

    fn hints(&self) -> Vec<Hint> {
        form_hints(FormFocus::of(self.form.at), "create")
    }

    fn fields(&self) -> Vec<(Stop, &Field)> {
        vec![
            (Stop::Prompt, &self.prompt),
            (Stop::Name, &self.name),
            (Stop::Place, &self.projects.places.field),
            (Stop::Branch, &self.projects.branch.field),
            (Stop::Base, &self.projects.base.field),
        ]
    }

    fn fields_mut(&mut self) -> Vec<(Stop, &mut Field)> {
        vec![
            (Stop::Prompt, &mut self.prompt),
            (Stop::Name, &mut self.name),
            (Stop::Place, &mut self.projects.places.field),
            (Stop::Branch, &mut self.projects.branch.field),
            (Stop::Base, &mut self.projects.base.field),
        ]
    }

    fn turn(&mut self, around: &Around, stop: Stop, by: i8) {
        match stop {
            Stop::Agent => self.turn_agent(around, by),
            Stop::Role => self.turn_role(by),
            Stop::New(NewChatField::Permissions) => {
                let now = self.profile(around);
                self.permissions = Some(next_of(&PermissionProfile::EACH, &now, by));
            }
            Stop::Consent => self.consent = !self.consent,
            Stop::New(field) => match self.projects.turn(field, by) {
                Ok(()) if field == NewChatField::Another => self.form.at = Stop::Place,
                Ok(()) => {}
                Err(problem) => self.form.work = Work::Failed(problem),
            },
            Stop::Prompt
            | Stop::Name
            | Stop::Place
            | Stop::Branch
            | Stop::Base
            | Stop::Atom(_)
            | Stop::Schedule(_)
            | Stop::Yes
            | Stop::No
            | Stop::Of
            | Stop::Argument(_)
            | Stop::Because
            | Stop::Always
            | Stop::Go => {}
        }
    }

    fn places(&self) -> Option<&Places> {
        Some(&self.projects.places)
    }

    fn places_mut(&mut self) -> Option<&mut Places> {
        Some(&mut self.projects.places)
    }

    fn branch_field(&self, at: Stop) -> Option<&BranchField> {
        self.projects.branch_field(at)
    }

    fn branch_field_mut(&mut self, at: Stop) -> Option<&mut BranchField> {
        self.projects.branch_field_mut(at)
    }

    fn gives_up(&self, request: RequestId) -> Option<(&'static str, Wish)> {
        Some(("The new chat was given up.", Wish::GiveUp(request)))
    }

    fn learned(&mut self, done: &Done, _: Timestamp) {
        if let Done::Shown(ShownContent::Places { hints, roles, branch }) = done {
            self.offer(roles.clone());
            self.projects.places.answer(hints.clone(), branch.clone());
        }
        self.learned_branches(done);
    }

    fn wish(&self, around: &Around) -> Result<Wish, Problem> {
        let cwd = around.cwd.to_path_buf();
        let is_shell = self.is_for_shell(&self.llm(around));
        if self.profile(around) == PermissionProfile::All && !has_sandbox(around) && !is_shell {
            let cause = "without a sandbox, not everything can be allowed";
            let hint = "set \"sandbox\": \"strict\" in config.json, or allow less";
            return Err(Problem::new(DOING, cause, hint));
        }
        let new = request::NewChat {
            name: filled(&self.name),
            prompt: filled(&self.prompt),
            // Until they were found the engine chooses, as for the shell.
            llm: match around.domain.disk.agents.is_empty() {
                true => self.chosen.clone(),
                false => Some(self.llm(around)),
            },
            role: self.role.clone().filter(|_| !is_shell),
            dirs: self.projects.wanted()?,
            permissions: self.permissions.filter(|_| !is_shell),
            env: around.env.clone(),
            cwd,
            handed: self.handed.clone(),
            ..request::NewChat::default()
        };
        let llm = self.llm(around);
        let trust = (self.consent && NewChat::asks_for_consent(around, &llm)).then_some(llm);
        Ok(Wish::Create { new, trust })
    }
}

/// An atom as a prompt for whoever takes it on.
fn task(key: &AtomKey, atom: &Atom) -> String {
    let mut text = atom.title.clone();
    for more in [&atom.detail, &atom.context] {
        if !more.is_empty() {
            text.push_str(&format!("\n\n{more}"));
        }
    }
    text.push_str(&format!(
        "\n\nThis is the atom {key} of our plan, claimed for you. Set it done with update_atom and a note of what came of it.",
    ));
    text
}

/// What is done with the place that is typed; nothing where there is none.
pub fn opening(place: &Field) -> String {
    let open = filled(place).map(|path_or_url| OpenDir {
        path_or_url,
        ..OpenDir::default()
    });
    open.map_or(String::new(), |open| one_line(&open.doing(), 100))
}

fn has_sandbox(around: &Around) -> bool {
    around.domain.disk.settings.sandbox == Confinement::Strict
}

fn titled(agent: &Installed) -> String {
    match &agent.version {
        Some(version) => format!("{} {version}", agent.title),
        None => agent.title.clone(),
    }
}

fn is_built_in(agent: &Installed) -> bool {
    !can_be_default(&agent.llm)
}

/// The one that is proposed, else the demo.
fn first_choice(around: &Around) -> String {
    around.domain.disk.proposed_llm().unwrap_or("demo").into()
}
