//! The demo agent's hooks: `parlour hook demo EVENT` as a process, its payload on standard input, its answer on output.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use serde_json::{Map, Value, json};

/// `parlour hook` answers well before; this is for one that cannot.
pub const PATIENCE: Duration = Duration::from_secs(10);

pub struct Hooks {
    pub program: PathBuf,
    /// Absent where a person runs the demo agent by hand: then nobody is called.
    pub token_file: Option<PathBuf>,
    pub session: String,
    pub transcript: Option<PathBuf>,
    pub cwd: PathBuf,
}

/// A hook under way. Its process ends with it.
pub struct DemoCall {
    child: Option<Child>,
    pub answer: Receiver<Value>,
}

impl Hooks {
    /// Calls and waits for the answer; none is no opinion.
    pub fn call(&self, event: &str, fields: Value) -> Value {
        self.begin(event, fields)
            .answer
            .recv_timeout(PATIENCE)
            .unwrap_or_else(|_| json!({}))
    }

    pub fn begin(&self, event: &str, fields: Value) -> DemoCall {
        let (said, answer) = mpsc::channel();
        let child = self.spawn(event, &self.payload(event, fields), said);
        DemoCall { child, answer }
    }

    fn payload(&self, event: &str, fields: Value) -> String {
        let mut payload = Map::new();
        payload.insert("session_id".into(), self.session.as_str().into());
        if let Some(transcript) = &self.transcript {
            payload.insert("transcript_path".into(), transcript.to_string_lossy().into());
        }
        payload.insert("cwd".into(), self.cwd.to_string_lossy().into());
        payload.insert("hook_event_name".into(), event.into());
        if let Value::Object(fields) = fields {
            payload.extend(fields);
        }
        Value::Object(payload).to_string()
    }

    fn spawn(&self, event: &str, payload: &str, said: mpsc::Sender<Value>) -> Option<Child> {
        let mut child = Command::new(&self.program)
            .args(["hook", "demo", event, "--token-file"])
            .arg(self.token_file.as_ref()?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let (mut to, mut from) = (child.stdin.take()?, child.stdout.take()?);
        let payload = payload.to_string();
        // Ends with the child, which `Call` ends.
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let written = to.write_all(payload.as_bytes());
            drop(to);
            if written.and_then(|()| from.read_to_end(&mut bytes)).is_ok() {
                let _ = said.send(serde_json::from_slice(&bytes).unwrap_or_else(|_| json!({})));
            }
        });
        Some(child)
    }
}

impl Drop for DemoCall {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            // It has mostly ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
