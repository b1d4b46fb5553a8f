//! A new chat: what to do, with which agent, in which project. All of it may be left empty.

use crate::model::request;
use crate::model::tool::OpenDir;
use crate::model::{ClientId, Installed, Problem};

use super::super::state::State;
use super::{Ask, Field, Form, Part, Places, Room, Stop, Wish};

pub struct NewChat {
    form: Form,
    prompt: Field,
    name: Field,
    /// The agent CLI, once it was chosen by hand: what is installed may be found out only meanwhile.
    chosen: Option<String>,
    places: Places,
    branch: Field,
    consent: bool,
}

impl NewChat {
    pub fn new(state: &State, client: ClientId) -> NewChat {
        NewChat {
            form: Form::new(Stop::Prompt, state.now),
            prompt: Field::new("", Room::Lines),
            name: Field::new("", Room::Line),
            chosen: None,
            places: Places::new(state, client),
            branch: Field::new("", Room::Line),
            consent: false,
        }
    }

    /// Claude Code asks about each new directory unless parlour's were trusted once; that takes a person's word.
    fn asks_for_consent(&self, state: &State) -> bool {
        self.llm(state) == "claude" && !state.disk.settings.trust.contains_key("claude")
    }

    fn llm(&self, state: &State) -> String {
        self.chosen.clone().unwrap_or_else(|| first_choice(state))
    }

    fn agent(&self, state: &State) -> Part {
        let agents = &state.disk.agents;
        let llm = self.llm(state);
        let at = agents.iter().position(|agent| agent.llm == llm);
        let (value, remark) = match at.map(|at| &agents[at]) {
            Some(agent) => (titled(agent), agent.remark.clone()),
            None => (llm, "it is not installed here".into()),
        };
        let only_built_in = agents.iter().all(is_built_in);
        let note = match only_built_in && remark.is_empty() {
            true => "no agent CLI was found on your PATH; the demo shows how one works here".into(),
            false => remark,
        };
        let at = format!("{} of {}", at.map_or(0, |at| at + 1), agents.len());
        Part::Choice {
            stop: Stop::Agent,
            label: "Agent",
            value,
            at,
            note,
        }
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
        "New chat".into()
    }

    fn parts(&self, state: &State) -> Vec<Part> {
        let line = |stop, label, placeholder: &str| Part::Field {
            stop,
            label,
            rows: 1,
            placeholder: placeholder.into(),
        };
        let prompt = "what the agent is to do first; may stay empty".to_string();
        let mut parts = vec![
            Part::Field {
                stop: Stop::Prompt,
                label: "Prompt",
                rows: 4,
                placeholder: prompt,
            },
            Part::Gap,
            line(Stop::Name, "Name", "from the prompt"),
            self.agent(state),
            line(Stop::Place, "Project", "path, URL or name of a project; may stay empty"),
        ];
        if self.form.at == Stop::Place {
            parts.push(Part::Hints);
        }
        if !self.places.field.is_empty() {
            parts.push(line(Stop::Branch, "Branch", "the project's default branch"));
        }
        if self.asks_for_consent(state) {
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
        let create = if self.form.is_busy() { "Creating…" } else { "Create" };
        parts.push(Part::Buttons(vec![(Stop::Yes, create), (Stop::No, "Cancel")]));
        parts.push(Part::Keys(match self.form.at {
            Stop::Prompt => "Enter next · Alt+Enter new line · Ctrl+S create · Esc cancel",
            Stop::Agent => "←→ choose · Enter next · Ctrl+S create · Esc cancel",
            Stop::Place => "↓ suggestions · Enter next · Ctrl+S create · Esc cancel",
            Stop::Consent => "Space tick · Enter next · Ctrl+S create · Esc cancel",
            Stop::Name | Stop::Branch | Stop::Base | Stop::Yes | Stop::No => {
                "Tab next · Ctrl+U clear · Ctrl+S create · Esc cancel"
            }
        }));
        parts
    }

    fn field(&self, stop: Stop) -> Option<&Field> {
        match stop {
            Stop::Prompt => Some(&self.prompt),
            Stop::Name => Some(&self.name),
            Stop::Place => Some(&self.places.field),
            Stop::Branch => Some(&self.branch),
            Stop::Agent | Stop::Base | Stop::Consent | Stop::Yes | Stop::No => None,
        }
    }

    fn field_mut(&mut self, stop: Stop) -> Option<&mut Field> {
        match stop {
            Stop::Prompt => Some(&mut self.prompt),
            Stop::Name => Some(&mut self.name),
            Stop::Place => Some(&mut self.places.field),
            Stop::Branch => Some(&mut self.branch),
            Stop::Agent | Stop::Base | Stop::Consent | Stop::Yes | Stop::No => None,
        }
    }

    fn turn(&mut self, state: &State, stop: Stop, by: i8) {
        if stop == Stop::Consent {
            self.consent = !self.consent;
            return;
        }
        let agents = &state.disk.agents;
        let llm = self.llm(state);
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

    fn places(&self) -> Option<&Places> {
        Some(&self.places)
    }

    fn places_mut(&mut self) -> Option<&mut Places> {
        Some(&mut self.places)
    }

    fn wish(&self, state: &State, client: ClientId) -> Result<Wish, Problem> {
        let view = state.views.get(&client);
        let cwd = view.map(|view| view.cwd.clone()).unwrap_or_default();
        let dirs = filled(&self.places.field).map(|path_or_url| OpenDir {
            path_or_url,
            branch: filled(&self.branch),
            cwd: Some(cwd.clone()),
            ..OpenDir::default()
        });
        let new = request::NewChat {
            name: filled(&self.name),
            prompt: filled(&self.prompt),
            llm: Some(self.llm(state)),
            dirs: dirs.into_iter().collect(),
            env: view.map(|view| view.env.clone()).unwrap_or_default(),
            cwd,
            ..request::NewChat::default()
        };
        let trust = (self.consent && self.asks_for_consent(state)).then(|| self.llm(state));
        Ok(Wish::Create { new, trust })
    }
}

/// What was typed, if anything.
pub fn filled(field: &Field) -> Option<String> {
    let text = field.text().trim().to_string();
    (!text.is_empty()).then_some(text)
}

fn titled(agent: &Installed) -> String {
    match &agent.version {
        Some(version) => format!("{} {version}", agent.title),
        None => agent.title.clone(),
    }
}

fn is_built_in(agent: &Installed) -> bool {
    matches!(agent.llm.as_str(), "shell" | "demo")
}

/// The one that is set, else the first installed, else the demo.
fn first_choice(state: &State) -> String {
    let agents = &state.disk.agents;
    let set = state.disk.settings.default_llm.as_ref();
    let set = set.filter(|llm| agents.iter().any(|agent| agent.llm == **llm));
    let installed = || agents.iter().find(|agent| !is_built_in(agent)).map(|agent| &agent.llm);
    set.or_else(installed).cloned().unwrap_or_else(|| "demo".into())
}
