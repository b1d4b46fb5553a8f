//! Sub-agents of real agent CLIs: what they call and use is told as theirs, each once.

use serde_json::{Value, json};

use super::told::of_kind;
use super::{claude as claude_chats, codex as codex_chats, gemini as gemini_chats};
use crate::support::model_server::{Block, ModelServer, Scenario, Turn, gate, text, tool, turn};
use crate::support::parlour::{PATIENCE, Parlour, until};
use crate::support::{claude, codex, gemini};

/// The prompt of a sub-agent, which stands nowhere else.
const PART: &str = "peel the smaller half";
const LATER: &str = "peel the bigger half";

/// The agent hands its work on, and has more to say once the test lets it.
fn hands_on(call: Block) -> Turn {
    turn![call, [gate("agent"), text("All is peeled.")]].when("peel it")
}

/// What was told beside statuses and questions, in order; what is under a sub-agent stands further in.
fn told(events: &[Value]) -> Vec<String> {
    let word = |event: &Value, key: &str| event[key].as_str().unwrap_or_default().to_owned();
    let known = of_kind(events, "subagent");
    let under = |event: &Value| match &event["parent"] {
        Value::Null => "",
        // Gemini CLI tells of its sub-agents nowhere else.
        parent if known.is_empty() || known.iter().any(|one| one["id"] == *parent) => "  ",
        _ => "of nobody: ",
    };
    let starts = of_kind(events, "tool.start");
    let line = |event: &Value| match event["kind"].as_str().unwrap() {
        "tool.start" => Some(format!("{}{} began", under(event), word(event, "name"))),
        "tool.end" => {
            let start = starts.iter().find(|start| start["id"] == event["id"]).unwrap();
            Some(format!(
                "{}{} {}",
                under(start),
                word(start, "name"),
                word(event, "status")
            ))
        }
        "prompt" | "text" => Some(format!("{}: {}", word(event, "kind"), word(event, "text"))),
        _ => None,
    };
    events.iter().filter_map(line).collect()
}

fn is_all_told(parlour: &Parlour, usages: usize) -> Vec<Value> {
    let mut events = Vec::new();
    until("all that was used is told", PATIENCE, || {
        events = parlour.events("fruit");
        of_kind(&events, "usage").len() >= usages
    });
    assert_eq!(of_kind(&events, "usage").len(), usages, "{events:#?}");
    events
}

fn ends_a_call(parlour: &Parlour, of_sub_agent: bool) {
    let ended = |events: &[Value]| {
        let starts = of_kind(events, "tool.start");
        let of = |end: &Value| {
            starts
                .iter()
                .any(|start| start["id"] == end["id"] && start["parent"].is_string() == of_sub_agent)
        };
        of_kind(events, "tool.end").into_iter().any(of)
    };
    until("a call has ended", PATIENCE, || ended(&parlour.events("fruit")));
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_tells_of_its_sub_agents_though_the_engine_dies_amid_one() {
    let Some(program) = claude::installed() else {
        return;
    };
    let agent = |prompt: &str| {
        let input = json!({"description": "peel", "prompt": prompt, "subagent_type": "general-purpose"});
        tool("Agent", input)
    };
    let bash = |command: &str| tool("Bash", json!({ "command": command, "description": "So" }));
    let again = turn![agent(LATER), text("All is peeled after all.")].when("once more");
    let scenario = Scenario::of([hands_on(agent(PART)), again])
        .beside(PART, [turn![bash("echo peel"), [gate("amid"), text("Peeled.")]]])
        .beside(LATER, [turn![bash("echo the rest"), text("That too.")]]);
    let model = ModelServer::start(scenario).await;
    let parlour = claude_chats::parlour(&program, &model);
    let rules = json!({"allow": ["Bash(echo:*)", "Agent"]});
    parlour.configure(&json!({"trust": {"claude": true}, "permissions": rules}).to_string());

    parlour.json(&["new", "Fruit", "--llm", "claude", "-p", "peel it"]);
    model.reached("amid").await;
    ends_a_call(&parlour, true);
    is_all_told(&parlour, 2);
    parlour.kill_engine();
    until("no agent is left", PATIENCE, || parlour.agents().is_empty());
    parlour.json(&["resume", "fruit"]);
    parlour.wait("fruit", "idle");
    parlour.say(&["send", "fruit", "once more"]);
    parlour.wait("fruit", "idle");

    let events = is_all_told(&parlour, 6);
    let told = told(&events);
    insta::assert_snapshot!(told.join("\n"), @"
    prompt: peel it
    Agent began
      Bash began
      Bash ok
    Agent unknown
    prompt: once more
    Agent began
      Bash began
      Bash ok
    Agent ok
    text: All is peeled after all.
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn codex_tells_of_its_sub_agents_though_they_outlast_its_turn() {
    let Some(program) = codex::installed() else {
        return;
    };
    let spawn = tool(
        "multi_agent_v1__spawn_agent",
        json!({"message": PART, "fork_context": true}),
    );
    let run = |command: &str| tool("exec_command", json!({ "cmd": command }));
    let scenario = Scenario::of([
        turn![run("echo knife"), spawn, text("It is being peeled.")].when("peel it"),
        turn![[gate("amid"), run("echo peel")], text("Peeled.")].when(PART),
    ]);
    let model = ModelServer::start(scenario).await;
    let parlour = codex_chats::parlour(&program, &model);

    parlour.json(&["new", "Fruit", "--llm", "codex", "-p", "peel it"]);
    model.reached("amid").await;
    let is_at_work = || {
        parlour
            .say(&["explain", "fruit"])
            .contains("running, 1 in the background")
    };
    until("its turn is over, and its sub-agent works", PATIENCE, is_at_work);
    model.release("amid");
    parlour.wait("fruit", "idle");
    let events = is_all_told(&parlour, 5);
    insta::assert_snapshot!(told(&events).join("\n"), @"
    prompt: peel it
    Bash began
    Bash ok
    spawn_agent began
    spawn_agent ok
    text: It is being peeled.
      Bash began
      Bash ok
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn gemini_tells_of_its_sub_agents() {
    let Some(program) = gemini::installed() else {
        return;
    };
    let scenario = Scenario::of([hands_on(tool(
        "invoke_agent",
        json!({"agent_name": "generalist", "prompt": PART}),
    ))])
    .beside(
        PART,
        [turn![
            tool("list_directory", json!({"dir_path": "."})),
            tool("complete_task", json!({"result": {"response": "Peeled."}})),
        ]],
    );
    let model = ModelServer::start(scenario).await;
    let parlour = gemini_chats::parlour(&program, &model);

    parlour.json(&["new", "Fruit", "--llm", "gemini", "-p", "peel it"]);
    model.reached("agent").await;
    model.release("agent");
    parlour.wait("fruit", "idle");
    let events = is_all_told(&parlour, 4);
    insta::assert_snapshot!(told(&events).join("\n"), @"
    prompt: peel it
    invoke_agent began
      list_directory began
      list_directory ok
      complete_task began
      complete_task ok
    invoke_agent ok
    text: All is peeled.
    ");
}
