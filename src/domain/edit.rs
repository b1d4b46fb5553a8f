//! A person's editor and their shell in a clone of a chat, in terminals beside the agent's: one of each a chat. Their pager is
//! opened in the same way.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::domain::work::{ScriptThen, ScriptWork};
use crate::model::output::OpenedWith;
use crate::model::script::ScriptEnding;
use crate::model::{ChatId, ClientId, Problem, WorkId};

use super::auxiliary::state::{AuxiliaryProgram, AuxiliaryStage, Side};
use super::effect::Effect;
use super::event::Size;
use super::notice::Notice;
use super::state::{Domain, Requester, Waiting};
use super::{auxiliary, chat, reply};

/// What is to be opened, and in which of the chat's directories; the first where none is named.
pub struct WantedEditor {
    pub with: OpenedWith,
    pub dir: Option<String>,
    /// A file there, at this line.
    pub file: Option<(PathBuf, u32)>,
    /// The process that leads the terminal which named the file: its path is as seen from where that terminal's program is.
    pub leader: Option<u32>,
    /// In place of a file: a prompt that a person writes.
    pub prompt: Option<String>,
    pub env: BTreeMap<String, String>,
    pub size: Size,
}

/// Opens it, or shows the one that is open.
pub fn open(state: &mut Domain, chat: &ChatId, wanted: WantedEditor, requester: Requester) -> Vec<Effect> {
    let program = match wanted.with {
        OpenedWith::Editor => AuxiliaryProgram::Edit,
        OpenedWith::Pager => AuxiliaryProgram::Page,
        OpenedWith::Shell => AuxiliaryProgram::Shell,
    };
    if wanted.with != OpenedWith::Pager
        && let Some(number) = running(state, chat, wanted.with)
    {
        if wanted.prompt.is_some() {
            let hint = "end it first: there is one in a chat";
            let problem = Problem::busy("opening your editor", "it is open in this chat already", hint);
            return reply::answer(state, requester, Err(problem));
        }
        return auxiliary::told(state, number, requester);
    }
    let on_its_way = |side: &Side| side.chat == *chat && side.what == program && side.stage == AuxiliaryStage::Starting;
    if state.live.sides.values().any(on_its_way) {
        let problem = Problem::busy(doing(&program), "it is being opened", "wait a moment");
        return reply::answer(state, requester, Err(problem));
    }
    let size = wanted.size;
    let number = state.ids.work();
    let waiting = Waiting {
        requester: Requester::Nobody,
        then: match requester {
            Requester::Screen(request) if wanted.prompt.is_some() => ScriptThen::Written(request.client).into(),
            Requester::Screen(_) | Requester::Call(_) | Requester::Launch(_) | Requester::Nobody => {
                ScriptThen::Edited.into()
            }
        },
    };
    state.live.waiting.insert(number, waiting);
    let side = Side::new(chat.clone(), program, size, requester);
    state.live.sides.insert(number, side);
    let job = ScriptWork::Edit {
        number,
        chat: chat.clone(),
        with: wanted.with,
        dir: wanted.dir,
        file: wanted.file,
        leader: wanted.leader,
        prompt: wanted.prompt,
        env: wanted.env,
        size,
    };
    vec![Effect::Work(number, job.into())]
}

fn doing(program: &AuxiliaryProgram) -> &'static str {
    match program {
        AuxiliaryProgram::Shell => "opening your shell",
        AuxiliaryProgram::Page => "opening your pager",
        AuxiliaryProgram::Edit | AuxiliaryProgram::LogIn { .. } | AuxiliaryProgram::Run { .. } => "opening your editor",
    }
}

/// The one that is open in a chat.
pub fn running(state: &Domain, chat: &ChatId, with: OpenedWith) -> Option<WorkId> {
    let is_it = |side: &Side| match with {
        OpenedWith::Editor => side.what == AuxiliaryProgram::Edit,
        OpenedWith::Pager => side.what == AuxiliaryProgram::Page,
        OpenedWith::Shell => side.what == AuxiliaryProgram::Shell,
    };
    let mut sides = auxiliary::of_chat(state, chat);
    sides.find(|(_, side)| is_it(side)).map(|(number, _)| number)
}

/// Its tab closes; that it failed is said. A shell ends with what its last command came to, which is no failure.
pub fn ended(state: &mut Domain, number: WorkId, how: &ScriptEnding) -> Vec<Effect> {
    let Some(side) = state.live.sides.get(&number) else {
        return Vec::new();
    };
    let is_left = side.what == AuxiliaryProgram::Shell && matches!(how, ScriptEnding::Exited(_));
    let trouble = how.trouble().filter(|_| !is_left);
    let trouble = trouble.map(|trouble| format!("The {} {trouble}.", side.called()));
    let doing = doing(&side.what);
    let (chat, requester) = (side.chat.clone(), side.requester);
    let waited = side.stage == AuxiliaryStage::Starting && requester != Requester::Nobody;
    let effects = auxiliary::close(state, number);
    let Some(trouble) = trouble else {
        return effects;
    };
    if waited {
        let problem = Problem::fault(doing, trouble);
        return [effects, reply::answer(state, requester, Err(problem))].concat();
    }
    state.notices.push(Notice::ChatTrouble(chat, trouble));
    effects
}

/// A prompt was written in it: it is where the person left the composer.
pub fn written(
    state: &mut Domain,
    number: WorkId,
    client: ClientId,
    (how, text): (&ScriptEnding, String),
) -> Vec<Effect> {
    let chat = state.live.sides.get(&number).map(|side| side.chat.clone());
    let effects = ended(state, number, how);
    if let Some(chat) = chat {
        state.notices.push(Notice::PromptEdited(client, chat, text));
    }
    effects
}

/// It holds nothing that could be lost.
pub fn end_pager(state: &mut Domain, number: WorkId) -> Vec<Effect> {
    chat::work(state, Requester::Nobody, ScriptThen::Nothing, ScriptWork::Stop(number))
}

pub fn end(state: &mut Domain, chat: &ChatId, with: OpenedWith) -> Vec<Effect> {
    match running(state, chat, with) {
        Some(number) => chat::work(state, Requester::Nobody, ScriptThen::Nothing, ScriptWork::Stop(number)),
        None => Vec::new(),
    }
}
