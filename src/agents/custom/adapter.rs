//! The adapter of a custom CLI: what its entry in `config.json` says, answered.
//!
//! It is told where parlour's tools are by its environment, and by its arguments, variables and settings where they
//! hold `{{parlour_mcp_url}}` or `{{parlour_token}}`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use regex::Regex;

use super::lines::CustomLines;
use super::placeholders::{SESSION, TOKEN, URL, Values, texts, unknown};
use super::template;
use crate::agents::adapter::{Env, no_rule_holds};
use crate::agents::{
    Adapter, AgentAbsence, LaunchContext, Prepared, ReadTranscript, SessionIds, environment, merge, program,
};
use crate::fs::Dir;
use crate::model::agent::{Fields, Transcript};
use crate::model::settings::PermissionSettings;
use crate::model::{Activity, AgentEntry, Capabilities, Installed, Login, Problem, Ready, ResultExt};

/// In the record: it was started before.
const STARTED: &str = "started";

const INSTRUCTIONS: &str = "AGENTS.md";

/// The adapter of one custom CLI.
pub struct Custom {
    name: String,
    entry: AgentEntry,
    ready: Option<Result<Regex, String>>,
}

impl Custom {
    pub fn new(name: &str, entry: &AgentEntry) -> Custom {
        Custom {
            name: name.into(),
            entry: entry.clone(),
            ready: entry.ready_pattern(),
        }
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        match &self.ready {
            Some(Err(why)) => remarks.push(format!("its `ready` is of no use, so nothing is typed for you: {why}")),
            None => remarks.push("it has no `ready` pattern, so nothing is typed for you".into()),
            Some(Ok(_)) => {}
        }
        let resume = self.entry.resume_args.iter().flatten();
        if self.entry.args.iter().chain(resume).any(|arg| arg.contains(TOKEN)) {
            let open = format!("its arguments hold {TOKEN}, which every user of this machine can read; use `env`");
            remarks.push(open);
        }
        if self.entry.prompt_arg.is_some() {
            remarks.push("its first prompt is an argument, which every user of this machine can read".into());
        }
        if self.token_in_url() {
            let file = self.config_file();
            remarks.push(format!(
                "its template names no {TOKEN}, so the address in {file} carries the token"
            ));
        }
        remarks.extend(self.strangers());
        remarks
    }

    /// What looks like a placeholder and is none, in words.
    fn strangers(&self) -> Vec<String> {
        let entry = &self.entry;
        let template = entry.mcp_config.as_ref().map(|config| texts(&config.template));
        let args = entry.args.iter().chain(entry.resume_args.iter().flatten());
        let others = args.chain(entry.env.values()).map(String::as_str);
        let all = [
            ("template", template.unwrap_or_default()),
            ("args or env", others.collect()),
        ];
        let told = all.iter().flat_map(|(place, texts)| {
            let found = texts.iter().flat_map(|text| unknown(text));
            found.map(move |name| {
                format!("its {place} holds {name}, which is no placeholder: there are {URL}, {TOKEN} and {SESSION}")
            })
        });
        told.collect()
    }

    fn config_file(&self) -> String {
        let named = self.entry.mcp_config.as_ref().and_then(|config| config.file.clone());
        named.unwrap_or_else(|| format!("{}.mcp.json", self.name))
    }

    /// What it reads in its directory. What cannot be written there is said, and it starts all the same.
    fn write_files(&self, context: &LaunchContext, values: &Values) -> Result<Vec<Problem>, Problem> {
        let doing = format!("starting {}", self.name);
        let (dir, record) = (
            Dir::open(context.dir).doing_or(&*doing, "recreate the chat or delete it")?,
            Dir::open(context.record).doing_or(&*doing, "recreate the chat or delete it")?,
        );
        let mut written: Vec<Result<(), Problem>> = Vec::new();
        written.extend(self.strangers().into_iter().map(|why| {
            let hint = format!("correct customLlms.{} in config.json", self.name);
            Err(Problem::fault(format!("preparing {}", self.name), why).hinted(hint))
        }));
        if let Some(file) = &self.entry.instructions_file {
            written.push(link_instructions(&dir, file));
        }
        if let Some(config) = &self.entry.mcp_config {
            let carrying = format!("{}&token={}", values.url, values.token);
            let url = match self.token_in_url() {
                true => &carrying,
                false => values.url,
            };
            let values = Values { url, ..*values };
            written.push(template::write(&dir, &record, &self.config_file(), config, &values));
        }
        // Its folder must be there to be watched.
        let transcript = self.transcript_file(Path::new(""), values.session, context.env);
        let folder = transcript.as_deref().and_then(Path::parent);
        if let Some(folder) = folder.filter(|folder| folder.is_relative() && *folder != Path::new("")) {
            let refused = |e| merge::refused(&folder.to_string_lossy(), &e);
            written.push(dir.create_dir(folder).map(|_| ()).map_err(refused));
        }
        Ok(written.into_iter().filter_map(Result::err).collect())
    }

    fn transcript_file(&self, dir: &Path, session: &str, env: &Env) -> Option<PathBuf> {
        let Transcript::Jsonl { file, .. } = &self.entry.transcript else {
            return None;
        };
        let file = file.replace(SESSION, session);
        match file.strip_prefix("~/") {
            Some(rest) => Some(Path::new(env.get("HOME")?).join(rest)),
            None => Some(dir.join(file)),
        }
    }

    fn located(&self, search_path: &OsStr) -> Result<PathBuf, Problem> {
        let command = &self.entry.command;
        program::on_path(command, search_path).ok_or_else(|| {
            let hint = format!("correct customLlms.{}.command in config.json", self.name);
            Problem::missing(
                format!("starting {}", self.name),
                format!("there is no program `{command}`"),
                hint,
            )
        })
    }

    /// Its transcript is the evidence of an earlier conversation; without one, that it was started before.
    fn resumes(&self, context: &LaunchContext) -> Result<bool, Problem> {
        if self.entry.resume_args.is_none() {
            return Ok(false);
        }
        if let Some(transcript) = self.transcript_file(context.dir, context.session, context.env) {
            return Ok(transcript.is_file());
        }
        let refused = |e| merge::refused(STARTED, &e);
        let record = Dir::open(context.record).map_err(refused)?;
        let before = record.metadata(STARTED).map_err(refused)?.is_some();
        record.write_atomic(STARTED, "").map_err(refused)?;
        Ok(before)
    }

    fn args(&self, context: &LaunchContext, values: &Values, resumes: bool) -> Vec<String> {
        let resume = self.entry.resume_args.as_ref().filter(|_| resumes);
        let args = resume.unwrap_or(&self.entry.args);
        let mut args: Vec<String> = args.iter().map(|arg| values.fill(arg)).collect();
        if let (Some(flag), Some(prompt)) = (&self.entry.prompt_arg, context.chat.first_prompt()) {
            args.extend((!flag.is_empty()).then(|| flag.clone()));
            args.push(prompt.text.clone());
        }
        args
    }
}

impl Adapter for Custom {
    fn name(&self) -> &str {
        &self.name
    }

    fn title(&self) -> &str {
        &self.name
    }

    fn detect(&self, search_path: &OsStr) -> Result<Installed, AgentAbsence> {
        Ok(Installed {
            llm: self.name.clone(),
            title: self.name.clone(),
            program: program::found(&self.entry.command, search_path)?,
            version: None,
            remark: self.remarks().join("; "),
            login: Login::Unknown,
        })
    }

    fn program(&self, search_path: &OsStr) -> Result<Option<PathBuf>, Problem> {
        self.located(search_path).map(Some)
    }

    fn prepare(&self, context: &LaunchContext) -> Result<Prepared, Problem> {
        let program = self.located(context.search_path())?;
        let values = Values {
            url: context.mcp_url,
            token: context.token,
            session: context.session,
        };
        let problems = self.write_files(context, &values)?;
        let resumes = self.resumes(context)?;
        let mut env = environment::for_context(context);
        let own = self.entry.env.iter();
        env.extend(own.map(|(name, value)| (name.clone(), values.fill(value))));
        let launch = context.launch(program, self.args(context, &values, resumes), env);
        Ok(Prepared {
            launch,
            resumes,
            problems,
        })
    }

    fn session_ids(&self) -> SessionIds {
        let resume = self.entry.resume_args.iter().flatten();
        let texts = self.entry.args.iter().chain(resume).chain(self.entry.env.values());
        let file = match &self.entry.transcript {
            Transcript::Jsonl { file, .. } => Some(file),
            Transcript::None => None,
        };
        match texts.chain(file).any(|text| text.contains(SESSION)) {
            true => SessionIds::Assigned,
            false => SessionIds::None,
        }
    }

    fn takes_first_prompt(&self) -> bool {
        self.entry.prompt_arg.is_some()
    }

    fn lacks_tools(&self) -> bool {
        self.entry.lacks_tools
    }

    fn token_in_url(&self) -> bool {
        self.entry.mcp_config.as_ref().is_some_and(template::token_in_url)
    }

    fn own_transcripts(&self, dir: &Path, session: &str, env: &Env) -> Vec<PathBuf> {
        self.transcript_file(dir, session, env).into_iter().collect()
    }

    fn transcript_reader(&self) -> Box<dyn ReadTranscript> {
        let fields = match &self.entry.transcript {
            Transcript::Jsonl { fields, .. } => fields.clone(),
            Transcript::None => Fields::default(),
        };
        Box::new(CustomLines::new(fields))
    }

    fn rules_lost(&self, rules: &PermissionSettings) -> Vec<String> {
        match self.entry.lacks_tools {
            // What it does goes through parlour's tools, which keep them.
            true => Vec::new(),
            false => no_rule_holds(self.title(), rules),
        }
    }

    fn capabilities(&self) -> Capabilities {
        let ready = match self.ready {
            Some(Ok(_)) => Ready::Screen,
            Some(Err(_)) | None => Ready::Nothing,
        };
        Capabilities {
            ready,
            confirms: matches!(self.entry.transcript, Transcript::Jsonl { .. }),
            transcribes: matches!(self.entry.transcript, Transcript::Jsonl { .. }),
            streams_words: false,
            ..Capabilities::unknown()
        }
    }

    fn read_screen(&self, text: &str) -> Option<Activity> {
        let Some(Ok(ready)) = &self.ready else {
            return None;
        };
        // The blank behind a prompt's sign is not told from the empty rest of its line, which a screen leaves out.
        let waits = ready.is_match(text) || ready.is_match(&format!("{} ", text.replace('\n', " \n")));
        waits.then_some(Activity::Idle)
    }
}

/// The file becomes a link to the chat's instructions. What is there already stays: nobody knows how this CLI includes
/// one file in another.
fn link_instructions(dir: &Dir, file: &str) -> Result<(), Problem> {
    let refused = |e| merge::refused(file, &e);
    let depth = Path::new(file).components().count().saturating_sub(1);
    let target = Path::new(&"../".repeat(depth)).join(INSTRUCTIONS);
    if file == INSTRUCTIONS {
        return Ok(());
    }
    if let Some(parent) = Path::new(file).parent().filter(|parent| !parent.as_os_str().is_empty()) {
        dir.create_dir(parent).map_err(refused)?;
    }
    match dir.metadata(file).map_err(refused)? {
        None => dir.symlink(target, file).map_err(refused),
        Some(_) if dir.read_link(file).map_err(refused)?.as_ref() == Some(&target) => Ok(()),
        Some(_) => Err(Problem::new(
            format!("writing {file}"),
            "it is there already and stays as it is",
            "let it say that AGENTS.md is to be read, or remove it",
        )),
    }
}
