//! An agent goes from one project of its chat into another, and is told what is said there: by its hooks, with the real
//! Claude Code.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::claude::parlour;
use super::told::of_kind;
use crate::support::claude;
use crate::support::model_server::{Block, ModelServer, Scenario, text, tool, turn};
use crate::support::parlour::git;

const ARRIVES: &str = "You are in another project now.";

fn repository(scratch: &Path, name: &str, says: &str) -> PathBuf {
    let path = scratch.join(name);
    fs::create_dir(&path).unwrap();
    git(&path, &["init", "-q", "-b", "main"]);
    fs::write(path.join("AGENTS.md"), says).unwrap();
    git(&path, &["add", "."]);
    git(&path, &["commit", "-q", "-m", "Begin"]);
    path
}

fn bash(command: &str) -> Block {
    tool("Bash", json!({ "command": command, "description": "So" }))
}

fn open(place: &Path) -> Block {
    tool("mcp__parlour__open_dir", json!({ "path_or_url": place }))
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_is_told_once_what_is_said_where_it_goes() {
    let Some(program) = claude::installed() else {
        return;
    };
    let sources = tempfile::tempdir().unwrap();
    let api = repository(sources.path(), "api", "Answer in JSON.\n");
    let web = repository(sources.path(), "web", "Answer in HTML.\n");
    let model = ModelServer::start(Scenario::of([turn![
        open(&api),
        open(&web),
        bash("cd projects/web"),
        bash("ls"),
        // A command that fails leaves the shell where it was.
        bash("cd ../api && ls no-such-file"),
        bash("cd ../api"),
        bash("pwd"),
        text("I was everywhere."),
    ]
    .when("look around")]))
    .await;
    let parlour = parlour(&program, &model);
    parlour.json(&["new", "Tour", "--llm", "claude", "-p", "look around"]);
    let rested = parlour.wait("tour", "idle");

    let events = parlour.events("tour");
    let home = PathBuf::from(rested["dir"].as_str().unwrap()).canonicalize().unwrap();
    let at = |project: &str| json!(home.join("projects").join(project));
    let moved: Vec<_> = of_kind(&events, "cwd").iter().map(|e| (&e["cwd"], &e["dir"])).collect();
    assert_eq!(
        moved,
        [(&at("web"), &json!("web")), (&at("api"), &json!("api"))],
        "{events:#?}"
    );

    let asked = model.conversation();
    let said = |at: usize| asked[at].body["messages"].to_string();
    let arrivals: Vec<_> = (0..asked.len()).map(|at| said(at).matches(ARRIVES).count()).collect();
    assert_eq!(arrivals, [0, 0, 0, 1, 1, 1, 2, 2]);
    let last = said(7);
    let [_, web, api] = last.split(ARRIVES).collect::<Vec<_>>()[..] else {
        panic!("{last}")
    };
    assert!(
        web.contains("    Answer in HTML.") && !web.contains("    Answer in JSON."),
        "{last}"
    );
    assert!(
        api.contains("    Answer in JSON.") && !api.contains("    Answer in HTML."),
        "{last}"
    );
    let here = format!("<cwd>{}</cwd>", at("api").as_str().unwrap());
    assert!(
        api.contains(&here) && api.contains(r#"<dir label=\"web\" mode=\"rw\">projects/web</dir>"#),
        "{last}"
    );
}
