//! The plan that an agent keeps by a tool of its own CLI, as its calls tell of it.
//!
//! Most CLIs write the whole list with each call: `TodoWrite` and `todowrite`, `write_todos`, `update_plan`. Newer versions
//! of Claude Code make and change one task at a time.

use serde_json::Value;

use super::Happened;
use super::entry::ToolStatus;
use super::text::one_line;

const LONGEST: usize = 500;
const MOST: usize = 500;

/// What is known of it so far; each entry of the transcript may change it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentPlan {
    pub steps: Vec<PlanStep>,
    /// The call that makes a task whose number is not known yet.
    making: Vec<(String, PlanStep)>,
    /// The last call that changed the plan, and what stood there before: it may fail.
    before: Option<(String, Vec<PlanStep>)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanStep {
    pub text: String,
    pub state: StepState,
    /// Its number, where the CLI changes one at a time.
    id: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepState {
    Pending,
    InProgress,
    Done,
    /// It is not to be done any more.
    Dropped,
}

impl AgentPlan {
    pub fn done(&self) -> usize {
        self.steps.iter().filter(|step| step.state == StepState::Done).count()
    }

    /// Takes in what happened.
    pub fn take(&mut self, what: &Happened) {
        // What a sub-agent plans is its own.
        if let Happened::ToolStart {
            id,
            name,
            input,
            parent: None,
            ..
        } = what
        {
            self.called(id, name, input);
        } else if let Happened::ToolEnd {
            id, status, preview, ..
        } = what
        {
            match status {
                ToolStatus::Error | ToolStatus::Denied => self.failed(id),
                ToolStatus::Ok | ToolStatus::Interrupted | ToolStatus::Unknown => self.made(id, preview),
            }
        }
    }

    /// Its CLI did not take what the call says.
    fn failed(&mut self, call: &str) {
        self.making.retain(|(id, _)| id != call);
        if let Some((_, before)) = self.before.take_if(|(id, _)| id == call) {
            self.steps = before;
        }
    }

    fn called(&mut self, id: &str, name: &str, input: &Value) {
        if ["TodoWrite", "todowrite", "write_todos", "update_plan", "TaskUpdate"].contains(&name) {
            self.before = Some((id.into(), self.steps.clone()));
        }
        match name {
            "TodoWrite" | "todowrite" | "write_todos" => self.replace(&input["todos"]),
            "update_plan" => self.replace(&input["plan"]),
            "TaskCreate" => {
                let step = PlanStep {
                    text: words(input, "subject"),
                    state: StepState::Pending,
                    id: String::new(),
                };
                if !step.text.is_empty() {
                    self.making.push((id.into(), step));
                }
            }
            "TaskUpdate" => self.update(input),
            _ => {}
        }
    }

    fn replace(&mut self, list: &Value) {
        let Some(list) = list.as_array() else {
            return;
        };
        let step = |one: &Value| {
            let names = ["content", "step", "description"].iter();
            let text = names.map(|name| words(one, name)).find(|text| !text.is_empty())?;
            Some(PlanStep {
                text,
                state: state(one["status"].as_str()),
                id: String::new(),
            })
        };
        self.steps = list.iter().filter_map(step).take(MOST).collect();
    }

    fn update(&mut self, input: &Value) {
        let id = match &input["taskId"] {
            Value::String(id) => id.clone(),
            Value::Number(number) => number.to_string(),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return,
        };
        if input["status"] == "deleted" {
            self.steps.retain(|step| step.id != id);
            return;
        }
        let Some(step) = self.steps.iter_mut().find(|step| step.id == id) else {
            return;
        };
        if let Some(status) = input["status"].as_str() {
            step.state = state(Some(status));
        }
        let text = words(input, "subject");
        if !text.is_empty() {
            step.text = text;
        }
    }

    /// A task is there: its number stands in the answer; without one it is the next.
    fn made(&mut self, call: &str, answer: &str) {
        let Some(at) = self.making.iter().position(|(id, _)| id == call) else {
            return;
        };
        let (_, mut step) = self.making.remove(at);
        let behind = answer.split_once('#').or_else(|| answer.split_once("\"id\":\""));
        let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>();
        let told = behind.map(|(_, behind)| digits(behind)).filter(|id| !id.is_empty());
        step.id = told.unwrap_or_else(|| (self.steps.len() + 1).to_string());
        if self.steps.len() < MOST && self.steps.iter().all(|known| known.id != step.id) {
            self.steps.push(step);
        }
    }
}

fn words(value: &Value, name: &str) -> String {
    one_line(value[name].as_str().unwrap_or_default(), LONGEST)
}

fn state(status: Option<&str>) -> StepState {
    match status {
        Some("completed" | "done") => StepState::Done,
        Some("in_progress") => StepState::InProgress,
        Some("cancelled") => StepState::Dropped,
        Some(_) | None => StepState::Pending,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn start(id: &str, name: &str, input: Value) -> Happened {
        Happened::ToolStart {
            id: id.into(),
            name: name.into(),
            input,
            dir: None,
            parent: None,
        }
    }

    fn told(all: &[Happened]) -> Vec<String> {
        let mut plan = AgentPlan::default();
        all.iter().for_each(|one| plan.take(one));
        plan.steps
            .iter()
            .map(|step| format!("{:?} {}", step.state, step.text))
            .collect()
    }

    #[test]
    fn each_clis_way_to_write_a_plan_is_understood() {
        let claude = json!({"todos": [{"content": "Read", "status": "completed", "activeForm": "Reading"}]});
        let codex = json!({"explanation": "x", "plan": [{"step": "Read", "status": "completed"}]});
        let gemini = json!({"todos": [{"description": "Read", "status": "completed"}]});
        let opencode = json!({"todos": [{"content": "Read", "status": "completed", "priority": "high", "id": "1"}]});
        for (name, input) in [
            ("TodoWrite", claude),
            ("update_plan", codex),
            ("write_todos", gemini),
            ("todowrite", opencode),
        ] {
            assert_eq!(told(&[start("1", name, input)]), ["Done Read"], "{name}");
        }
    }

    #[test]
    fn tasks_that_are_made_one_at_a_time_add_up() {
        let ended = |id: &str, text: &str| Happened::tool_ended(id, ToolStatus::Ok, text.into(), None);
        let all = [
            start("a", "TaskCreate", json!({"subject": "one", "description": "d"})),
            start("b", "TaskCreate", json!({"subject": "two", "description": "d"})),
            ended("a", "{\"task\":{\"id\":\"1\",\"subject\":\"one\"}}"),
            ended("b", "Task #2 created successfully: two"),
            start("c", "TaskUpdate", json!({"taskId": "2", "status": "in_progress"})),
            start("d", "TaskUpdate", json!({"taskId": "1", "status": "deleted"})),
            start("e", "TaskUpdate", json!({"taskId": "7", "status": "completed"})),
        ];
        assert_eq!(told(&all), ["InProgress two"]);
    }

    #[test]
    fn a_plan_that_its_cli_refused_is_none() {
        let plan = |text: &str| json!({"todos": [{"content": text, "status": "pending"}]});
        let ended = |id: &str, status| Happened::tool_ended(id, status, String::new(), None);
        let all = [
            start("a", "TodoWrite", plan("one")),
            ended("a", ToolStatus::Ok),
            start("b", "TodoWrite", plan("two")),
            ended("b", ToolStatus::Error),
        ];
        assert_eq!(told(&all), ["Pending one"]);
        assert_eq!(told(&all[2..]), [""; 0]);
    }

    #[test]
    fn what_is_no_plan_changes_nothing() {
        let odd = json!({"todos": "none"});
        let good = json!({"plan": [{"step": "a"}, {"step": 1}, "x", {"step": "b", "status": "cancelled"}]});
        let all = [start("1", "update_plan", good), start("2", "TodoWrite", odd)];
        assert_eq!(told(&all), ["Pending a", "Dropped b"]);
    }
}
