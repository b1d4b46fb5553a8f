//! What a sub-agent's transcript tells in that of its chat.

use super::ReadTranscript;
use crate::model::entry::SubagentSaid;
use crate::model::{Happened, Reported};

/// Its calls, its words, and what it used. Its words and prompts are not the agent's, and its errors end no turn.
pub struct OfSubAgent {
    id: String,
    reader: Box<dyn ReadTranscript>,
}

impl OfSubAgent {
    pub fn new(id: String, reader: Box<dyn ReadTranscript>) -> OfSubAgent {
        OfSubAgent { id, reader }
    }

    fn words(&self, id: String, said: SubagentSaid, text: String) -> Option<Happened> {
        let parent = self.id.clone();
        (!text.trim().is_empty()).then_some(Happened::SubagentText { id, parent, said, text })
    }

    fn own(&self, told: Reported) -> Option<Reported> {
        let what = match told.what {
            Happened::ToolStart {
                id, name, input, dir, ..
            } => Happened::ToolStart {
                id,
                name,
                input,
                dir,
                parent: Some(self.id.clone()),
            },
            Happened::Usage {
                model,
                input,
                output,
                cache_read,
                cache_write,
                cost,
                window,
                ..
            } => Happened::Usage {
                model,
                input,
                output,
                cache_read,
                cache_write,
                cost,
                parent: Some(self.id.clone()),
                window,
            },
            Happened::Prompt { id, text, .. } => self.words(id, SubagentSaid::Asked, text)?,
            Happened::Text { id, text } => self.words(id, SubagentSaid::Answered, text)?,
            Happened::Thinking { id, text } => self.words(id, SubagentSaid::Thought, text)?,
            // Whose it is its CLI tells by the file.
            Happened::Subagent { id, name, state } if id.is_empty() => Happened::Subagent {
                id: self.id.clone(),
                name,
                state,
            },
            other @ (Happened::ToolEnd { .. } | Happened::Unknown { .. }) => other,
            Happened::Session { .. }
            | Happened::SubagentText { .. }
            | Happened::Permission { .. }
            | Happened::Status { .. }
            | Happened::Error { .. }
            | Happened::Compaction { .. }
            | Happened::Summary { .. }
            | Happened::Background { .. }
            | Happened::Message { .. }
            | Happened::Subagent { .. }
            | Happened::Interrupt { .. }
            | Happened::Retry { .. }
            | Happened::Revert { .. }
            | Happened::Cwd { .. }
            | Happened::Note { .. } => return None,
        };
        Some(Reported { at: told.at, what })
    }
}

impl ReadTranscript for OfSubAgent {
    fn line(&mut self, line: &str) -> Vec<Reported> {
        let told = self.reader.line(line);
        told.into_iter().filter_map(|told| self.own(told)).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::agents::{Adapter, find};
    use crate::model::Settings;

    fn adapter(llm: &str) -> Box<dyn Adapter> {
        find(llm, &Settings::default()).unwrap()
    }

    /// What a recorded transcript of a sub-agent named `a1` tells, one line each.
    fn told(llm: &str, file: &str) -> String {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/agents");
        let lines = fs::read_to_string(path.join(llm).join(file)).unwrap();
        let mut reader = OfSubAgent::new("a1".into(), adapter(llm).sub_agent_reader());
        let told = lines.lines().flat_map(|line| reader.line(line));
        let line = |told: Reported| match told.what {
            Happened::ToolStart { name, parent, .. } => format!("{name} began under {parent:?}"),
            Happened::ToolEnd { status, preview, .. } => format!("ended {status:?}: {:.30}", preview.trim()),
            Happened::Usage { input, output, .. } => format!("used {input} {output}"),
            Happened::SubagentText { said, text, parent, .. } => format!("{parent} {said:?}: {:.40}", text.trim()),
            other => format!("{other:?}"),
        };
        told.map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_calls_and_words_of_a_sub_agent_are_its_own() {
        let files = [
            ("claude", "transcript-subagent.jsonl"),
            ("codex", "rollout-sub-agent.jsonl"),
            ("gemini", "transcript-sub-agent.jsonl"),
        ];
        let all = files
            .map(|(llm, file)| format!("{llm}:\n{}", told(llm, file)))
            .join("\n");
        insta::assert_snapshot!(all, @r#"
        claude:
        a1 Asked: SUBAGENT-MARK look around
        a1 Answered: Sub looking.
        used 100 1
        Bash began under Some("a1")
        used 0 19
        ended Ok: /home/u/chat
        a1 Answered: SUB-RESULT: all fine
        used 100 20
        codex:
        a1 Asked: SUB-TASK look around
        Bash began under Some("a1")
        used 100 20
        ended Ok: from-the-sub-agent
        a1 Answered: It is said.
        used 100 20
        gemini:
        a1 Asked: look around
        used 100 20
        list_directory began under Some("a1")
        ended Ok: Directory listing for /home/u/
        used 100 20
        complete_task began under Some("a1")
        ended Error: params/result must be object
        a1 Answered: It is said.
        used 100 20
        a1 Asked: You have stopped calling tools without f
        a1 Answered: Done.
        used 100 20
        "#);
    }

    /// Those that are found beside this transcript, of files with these names and words.
    fn found(llm: &str, transcript: &str, others: &[(String, &str)]) -> Vec<String> {
        let home = tempfile::tempdir().unwrap();
        for (name, words) in others.iter().chain(&[(transcript.into(), "{}")]) {
            let path = home.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, words).unwrap();
        }
        let (adapter, transcript) = (adapter(llm), home.path().join(transcript));
        let mut found = Vec::new();
        for folder in adapter.sub_agent_folders(&transcript) {
            let files = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
            found.extend(files.filter_map(|file| adapter.sub_agent(&transcript, &file.path())));
        }
        found.sort();
        found
    }

    const SESSION: &str = "01a200bf-a2c7-7fd2-9f10-61864d21c27f";
    const OURS: &str = "01a200bf-a670-7c33-896d-d8d37fb0ea98";
    const LATER: &str = "01a2ffbf-a670-7c33-896d-d8d37fb0ea98";
    const OTHER: &str = "01a200bf-ffff-7c33-896d-d8d37fb0ea98";

    #[test]
    fn only_sub_agents_of_the_session_are_found() {
        let claude = [
            (format!("p/{SESSION}/subagents/agent-a1.jsonl"), ""),
            (format!("p/{SESSION}/subagents/agent-a1.meta.json"), ""),
            (format!("p/{OTHER}/subagents/agent-a2.jsonl"), ""),
        ];
        assert_eq!(found("claude", &format!("p/{SESSION}.jsonl"), &claude), ["a1"]);

        let gemini = [
            (format!("chats/{SESSION}/{OURS}.jsonl"), ""),
            (format!("chats/{SESSION}/notes.jsonl"), ""),
            (format!("chats/11{}/{OTHER}.jsonl", &SESSION[2..]), ""),
        ];
        assert_eq!(
            found("gemini", "chats/session-2026-11-22T00-46-01a200bf.jsonl", &gemini),
            [OURS]
        );

        let (ours, other) = (
            format!("{{\"session_id\":\"{SESSION}\","),
            format!("{{\"session_id\":\"{OTHER}\","),
        );
        let codex = [
            (
                format!("2026/11/22/rollout-2026-11-22T00-46-42-{OURS}.jsonl"),
                ours.as_str(),
            ),
            (
                format!("2026/11/22/rollout-2026-11-22T00-46-50-{OTHER}.jsonl"),
                other.as_str(),
            ),
            (
                format!("2026/12/01/rollout-2026-12-01T00-46-42-{LATER}.jsonl"),
                ours.as_str(),
            ),
        ];
        let main = format!("2026/11/22/rollout-2026-11-22T00-46-41-{SESSION}.jsonl");
        assert_eq!(found("codex", &main, &codex), [OURS, LATER]);
    }
}
