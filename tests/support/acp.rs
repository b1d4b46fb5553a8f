//! An agent CLI spoken to by the Agent Client Protocol, as an editor does: it asks its client before it runs something.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

pub struct Acp {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    calls: u64,
}

impl Acp {
    pub fn start(program: &Path, words: &[&str], dir: &Path, env: Vec<(String, String)>) -> Acp {
        let mut command = Command::new(program);
        command.args(words).current_dir(dir);
        command
            .env_clear()
            .env("PATH", std::env::var("PATH").unwrap())
            .envs(env);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut acp = Acp {
            child,
            stdin,
            stdout: BufReader::new(stdout),
            calls: 0,
        };
        let about = json!({ "protocolVersion": 1, "clientCapabilities": {} });
        acp.call("initialize", about, || {});
        acp
    }

    /// A session in `dir`, in which one prompt is sent. `asks` is called at each question, which is then answered with
    /// a yes for this once.
    pub fn prompt(&mut self, dir: &Path, text: &str, asks: impl FnMut()) {
        let session = self.call("session/new", json!({ "cwd": dir, "mcpServers": [] }), || {});
        let session = session["sessionId"].as_str().unwrap_or_else(|| panic!("{session}"));
        let prompt = json!({ "sessionId": session, "prompt": [{ "type": "text", "text": text }] });
        let ended = self.call("session/prompt", prompt, asks);
        assert_eq!(ended["stopReason"], "end_turn", "{ended}");
    }

    fn call(&mut self, method: &str, params: Value, mut asks: impl FnMut()) -> Value {
        self.calls += 1;
        let id = self.calls;
        self.say(json!({ "id": id, "method": method, "params": params }));
        loop {
            let mut line = String::new();
            let read = self.stdout.read_line(&mut line).unwrap();
            assert!(read > 0, "{method}: the program ended");
            let Ok(mut said) = serde_json::from_str::<Value>(&line) else {
                continue;
            };
            if said["method"] == "session/request_permission" {
                asks();
                let options = said["params"]["options"].as_array().unwrap();
                let once = options.iter().find(|option| option["kind"] == "allow_once").unwrap();
                let outcome = json!({ "outcome": "selected", "optionId": once["optionId"] });
                self.say(json!({ "id": said["id"], "result": { "outcome": outcome } }));
            } else if said["id"] == id && said["method"].is_null() {
                assert!(said["error"].is_null(), "{method}: {said}");
                return said["result"].take();
            }
        }
    }

    fn say(&mut self, mut message: Value) {
        message["jsonrpc"] = "2.0".into();
        writeln!(self.stdin, "{message}").unwrap();
    }
}

impl Drop for Acp {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
