//! Real agent CLIs under `sandbox: strict`: each works as it does without, and what its shell tries elsewhere the kernel
//! refuses.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::told::{endings, of_kind, repository};
use super::{claude as claudes, codex as codexes, gemini as geminis, opencode as opencodes};
use crate::support::model_server::{Block, ModelServer, Scenario, text, tool, turn};
use crate::support::npm::skipped;
use crate::support::parlour::{PATIENCE, Parlour, git, until};
use crate::support::{claude, codex, gemini, opencode};

/// How a CLI calls its tools, and what it keeps.
struct Kind {
    llm: &'static str,
    open_dir: &'static str,
    write: fn() -> Block,
    shell: fn(&str) -> Block,
    /// Below the home folder, what would have code run elsewhere.
    traps: &'static [&'static str],
}

/// Says of each place in a list whether it can be written to.
const PROBE: &str = r#"while read -r place; do
  if (: >> "$place") 2>/dev/null; then echo "wrote $place"; else echo "refused $place"; fi
done < "$1"
"#;

const COMMIT: &str = "cd projects/greeter && git add . && git commit -qm Mend\n";

/// What lies outside of the home folders, beside what an agent works on.
struct Shelf {
    folder: tempfile::TempDir,
    repository: PathBuf,
    deployed: String,
}

impl Shelf {
    fn new() -> Shelf {
        let folder = tempfile::tempdir().unwrap();
        let (repository, deployed) = repository(folder.path());
        fs::write(folder.path().join("probe"), PROBE).unwrap();
        fs::write(folder.path().join("commit"), COMMIT).unwrap();
        Shelf {
            folder,
            repository,
            deployed,
        }
    }

    fn script(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn work(&self, kind: &Kind) -> Scenario {
        let open = json!({ "path_or_url": self.repository, "branch": "hotfix-greeting", "base": "deploy" });
        let probe = format!("sh {} {}", self.script("probe"), self.script("places"));
        Scenario::of([
            turn![
                tool(kind.open_dir, open),
                (kind.write)(),
                (kind.shell)(&format!("sh {}", self.script("commit"))),
                (kind.shell)(&probe),
                text("That was all.")
            ]
            .when("mend the greeting"),
            turn![text("The second answer.")].when("a second prompt"),
        ])
    }

    /// Where no agent may write: into what is parlour's, another chat's, a person's.
    fn places(&self, kind: &Kind, parlour: &Parlour) -> Vec<String> {
        let other = parlour.json(&["new", "Other", "--llm", "shell"]);
        let other = Path::new(other["dir"].as_str().unwrap());
        let (person, ours) = (parlour.scratch().join("home"), parlour.home());
        let mut places: Vec<PathBuf> = kind.traps.iter().map(|trap| person.join(trap)).collect();
        places.extend(["outside.txt", ".gitconfig", ".profile"].map(|name| person.join(name)));
        places.extend(["config.json", "records/x", "run/x", "chats/x"].map(|name| ours.join(name)));
        places.extend([other.join("taken.txt"), self.repository.join("README.md")]);
        let places: Vec<String> = places.iter().map(|place| place.display().to_string()).collect();
        fs::write(self.folder.path().join("places"), places.join("\n") + "\n").unwrap();
        places
    }
}

/// The machine's temporary directory holds all of the test, so the agent gets one of its own.
fn confined(parlour: Parlour) -> Parlour {
    let config = json!({
        "sandbox": "strict",
        "trust": { "claude": true },
        "permissions": { "allow": ["Edit", "Bash"] },
    });
    parlour.configure(&config.to_string());
    parlour
}

async fn is_held_in(kind: Kind, open: impl FnOnce(&ModelServer) -> Parlour) {
    let shelf = Shelf::new();
    let model = ModelServer::start(shelf.work(&kind)).await;
    let parlour = confined(open(&model));
    let places = shelf.places(&kind, &parlour);
    parlour.json(&["new", "Hotfix", "--llm", kind.llm, "-p", "mend the greeting"]);
    has_answered(&parlour, "That was all.");
    let rested = parlour.wait("hotfix", "idle");
    let sandbox = parlour.json(&["explain", "hotfix"])["sandbox"].clone();
    assert_eq!(sandbox["asked"], "strict");
    if sandbox["in_force"] == false {
        skipped(&format!(
            "SKIPPED: what {} may write needs Landlock: {sandbox}\n",
            kind.llm
        ));
        return;
    }
    let clone = Path::new(rested["projects"][0]["path"].as_str().unwrap());
    assert_eq!(git(clone, &["rev-parse", "HEAD^"]), shelf.deployed);
    assert_eq!(git(clone, &["show", "--format=", "--name-only"]), "hello.txt");
    let events = parlour.events("hotfix");
    let ends = endings(&events);
    assert!(ends.len() == 4 && ends.iter().all(|(_, how)| *how == "ok"), "{ends:?}");
    was_refused(&model, &places);
    goes_on(&parlour, &model, &events);
}

/// Some ask about a shell whatever the rules allow, and are answered.
fn has_answered(parlour: &Parlour, words: &str) {
    until(&format!("it has said {words:?}"), 3 * PATIENCE, || {
        for asked in parlour.json(&["approvals"])["approvals"].as_array().unwrap() {
            // It may be answered by now.
            let _ = parlour.run(&["approve", asked["id"].as_str().unwrap()]);
        }
        let events = parlour.events("hotfix");
        of_kind(&events, "text").iter().any(|event| event["text"] == words)
    });
}

/// What the agent was told of its probe.
fn was_refused(model: &ModelServer, places: &[String]) {
    let asked = model.conversation();
    let results = asked.iter().flat_map(|asked| &asked.tool_results);
    let told: Vec<&str> = results
        .flat_map(|result| result.split("\\n").flat_map(str::lines))
        .collect();
    for place in places {
        let is_told = |how: &str| told.iter().any(|line| line.contains(&format!("{how} {place}")));
        assert!(is_told("refused") && !is_told("wrote"), "{place}: {told:#?}");
    }
}

/// After its engine's death it takes up the same session.
fn goes_on(parlour: &Parlour, model: &ModelServer, events: &[Value]) {
    let session = &of_kind(events, "session")[0]["session"];
    parlour.kill_engine();
    until("no agent is left", PATIENCE, || parlour.agents().is_empty());
    parlour.json(&["resume", "hotfix"]);
    parlour.wait("hotfix", "idle");
    parlour.say(&["send", "hotfix", "a second prompt"]);
    has_answered(parlour, "The second answer.");
    let events = parlour.events("hotfix");
    assert_eq!(&of_kind(&events, "session").last().unwrap()["session"], session);
    let last = &model.conversation().pop().unwrap().body;
    assert!(last.to_string().contains("mend the greeting"), "{last}");
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_is_held_in() {
    let Some(program) = claude::installed() else {
        return;
    };
    let kind = Kind {
        llm: "claude",
        open_dir: "mcp__parlour__open_dir",
        write: || {
            let file = "${cwd}/projects/greeter/hello.txt";
            tool("Write", json!({ "file_path": file, "content": "hello\n" }))
        },
        shell: |command| tool("Bash", json!({ "command": command, "description": "So" })),
        traps: &[
            ".claude.json",
            ".claude/settings.json",
            ".claude/settings.local.json",
            ".claude/CLAUDE.md",
            ".claude/shell-snapshots/x.sh",
            ".claude/agents/x.md",
        ],
    };
    is_held_in(kind, |model| claudes::parlour(&program, model)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn codex_is_held_in() {
    let Some(program) = codex::installed() else {
        return;
    };
    let kind = Kind {
        llm: "codex",
        open_dir: "mcp__parlour__open_dir",
        write: || {
            let patch = "*** Begin Patch\n*** Add File: projects/greeter/hello.txt\n+hello\n*** End Patch";
            tool(
                "exec_command",
                json!({ "cmd": format!("apply_patch <<'EOF'\n{patch}\nEOF") }),
            )
        },
        shell: |command| tool("exec_command", json!({ "cmd": command })),
        traps: &[
            ".codex/config.toml",
            ".codex/hooks.json",
            ".codex/AGENTS.md",
            ".codex/rules/x.rules",
            ".codex/tmp/x",
        ],
    };
    is_held_in(kind, |model| codexes::parlour(&program, model)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gemini_is_held_in() {
    let Some(program) = gemini::installed() else {
        return;
    };
    let kind = Kind {
        llm: "gemini",
        open_dir: "mcp_parlour_open_dir",
        write: || {
            let file = "${cwd}/projects/greeter/hello.txt";
            tool("write_file", json!({ "file_path": file, "content": "hello\n" }))
        },
        shell: |command| tool("run_shell_command", json!({ "command": command, "description": "So" })),
        traps: &[
            ".gemini/settings.json",
            ".gemini/trustedFolders.json",
            ".gemini/GEMINI.md",
            ".gemini/x",
        ],
    };
    is_held_in(kind, |model| geminis::parlour(&program, model)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_is_held_in() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let kind = Kind {
        llm: "opencode",
        open_dir: "parlour_open_dir",
        write: || {
            let file = "${cwd}/projects/greeter/hello.txt";
            tool("write", json!({ "filePath": file, "content": "hello\n" }))
        },
        shell: |command| tool("bash", json!({ "command": command, "description": "So" })),
        traps: &[
            ".config/opencode/opencode.json",
            ".config/opencode/plugin/x.js",
            ".cache/opencode/x",
        ],
    };
    is_held_in(kind, |model| opencodes::parlour(&program, model)).await;
}
