//! Agents that cannot start, or do not last.

use crate::support::parlour::Parlour;

const AGENTS: &str = r#"{"customLlms": {"falls": {"command": "/bin/false"}, "ghost": {"command": "no-such-program"}}}"#;

#[test]
fn an_agent_that_ends_at_once_says_so() {
    let parlour = Parlour::new();
    parlour.configure(AGENTS);
    parlour.json(&["new", "Short", "--llm", "falls"]);
    let ended = parlour.wait("short", "exited");
    let detail = ended["detail"].as_str().unwrap();
    assert_eq!(
        detail,
        "ended at once with exit code 1: its last words are on its screen"
    );
    let mut told = parlour.events("short").into_iter().filter(|e| e["kind"] == "status");
    assert_eq!(told.next_back().unwrap()["detail"], detail);
}

#[test]
fn an_agent_that_is_not_installed_is_named_with_what_to_do() {
    let parlour = Parlour::new();
    parlour.configure(AGENTS);
    let said = parlour.refusal(&["new", "None", "--llm", "ghost"]);
    assert_eq!(
        said,
        "parlour: starting ghost: there is no program `no-such-program`; correct customLlms.ghost.command in config.json\n"
    );
    let said = parlour.refusal(&["new", "Nobody", "--llm", "nobody"]);
    assert!(said.contains("there is no agent called nobody"), "{said}");
    let mut command = parlour.command(&["new", "Missing", "--llm", "claude"]);
    let output = command.env("PATH", "/nowhere").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("there is no `claude` on your PATH; install it"), "{said}");
}
