//! Scripts of projects: setup after a clone, run when a person wants it. What they write lies in the record; what is
//! run has a terminal beside the agent's, too.

pub mod done;
pub mod state;
pub mod work;

use std::collections::BTreeMap;

use serde_json::json;

use crate::domain::work::{ProjectThen, Read, ReadThen, ScriptThen, ScriptWork};
use crate::model::script::{Order, Proposal, ScriptAsk, ScriptEnd, ScriptEnding, output_file};
use crate::model::text::visible;
use crate::model::{ChatId, ClientId, Happened, Problem, ScriptKind, WorkId};

use super::agent::FIRST_SIZE;
use super::approval::setup;
use super::auxiliary::state::{AuxiliaryProgram, AuxiliaryStage, Side};
use super::effect::Effect;
use super::event::{ScriptReport, Size};
use super::notice::{Done, Notice, Unapproved};
use super::state::{Domain, Requester, ScreenRequest, Then, Waiting};
use super::{auxiliary, chat, reply};
use state::Running;

pub fn ask(state: &mut Domain, chat: &str, ask: ScriptAsk, requester: Requester) -> Result<Vec<Effect>, Problem> {
    let chat = state.find(chat)?;
    Ok(match ask {
        ScriptAsk::List => chat::work(state, requester, ReadThen::Answer, Read::Scripts(chat)),
        ScriptAsk::Approve { order, definition } => {
            let others = match order.kind {
                ScriptKind::Setup => setup::approved_in(state, &chat, &order, &definition),
                ScriptKind::Run | ScriptKind::Archive => Vec::new(),
            };
            let job = ScriptWork::Approve {
                chat,
                order,
                definition,
            };
            let mut effects = chat::work(state, requester, ScriptThen::Answer, job);
            effects.extend(others);
            effects
        }
        ScriptAsk::Start { order, env } => {
            let size = FIRST_SIZE;
            begin(state, &chat, ScriptStart { order, env, size }, requester)
        }
        ScriptAsk::Stop { order } => stop(state, &chat, &order, requester),
    })
}

/// What a script is started with.
pub struct ScriptStart {
    pub order: Order,
    pub env: BTreeMap<String, String>,
    /// Of its terminal, where it has one.
    pub size: Size,
}

/// Starts a script that does not run.
pub fn begin(state: &mut Domain, chat: &ChatId, start: ScriptStart, requester: Requester) -> Vec<Effect> {
    let ScriptStart { order, env, size } = start;
    if find(state, chat, &order).is_some() {
        let problem = Problem::busy(order.doing(), "it runs already", "stop it first");
        return reply::answer(state, requester, Err(problem));
    }
    let number = state.ids.work();
    let waiting = Waiting {
        requester: Requester::Nobody,
        then: ScriptThen::Ended.into(),
    };
    state.live.waiting.insert(number, waiting);
    let running = Running {
        chat: chat.clone(),
        order: order.clone(),
        pid: None,
        requester,
        stops: Vec::new(),
        again: None,
    };
    state.live.scripts.insert(number, running);
    if let (ScriptKind::Setup, Some(project)) = (order.kind, &order.project) {
        setup::forget(state, chat, Some(project));
    }
    if order.kind == ScriptKind::Run {
        let what = AuxiliaryProgram::Run {
            project: order.project.clone(),
        };
        // Whoever waits for its start hears of it from here.
        let side = Side::new(chat.clone(), what, size, Requester::Nobody);
        state.live.sides.insert(number, side);
    }
    let job = ScriptWork::Run {
        number,
        chat: chat.clone(),
        order,
        env,
        size,
    };
    vec![Effect::Work(number, job.into())]
}

fn find(state: &Domain, chat: &ChatId, order: &Order) -> Option<WorkId> {
    let is_it = |running: &Running| {
        let projects = (&running.order.project, &order.project);
        let same = matches!(projects, (None, _) | (_, None)) || projects.0 == projects.1;
        running.chat == *chat && running.order.kind == order.kind && same
    };
    let found = state.live.scripts.iter().find(|(_, running)| is_it(running));
    found.map(|(number, _)| *number)
}

/// Ends a script and all that it started; whoever asked hears of its end.
fn stop(state: &mut Domain, chat: &ChatId, order: &Order, requester: Requester) -> Vec<Effect> {
    let Some(number) = find(state, chat, order) else {
        let doing = format!("stopping {}", order.called());
        return reply::answer(
            state,
            requester,
            Err(Problem::new(
                doing,
                "it does not run",
                "`parlour script list` shows what can be started",
            )),
        );
    };
    if let Some(running) = state.live.scripts.get_mut(&number) {
        running.stops.push(requester);
    }
    chat::work(state, Requester::Nobody, ScriptThen::Nothing, ScriptWork::Stop(number))
}

/// Ends all scripts of a chat, those that are on their way too.
pub fn stop_all(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let scripts = state.live.scripts.iter().filter(|(_, running)| running.chat == *chat);
    let numbers: Vec<WorkId> = scripts.map(|(number, _)| *number).collect();
    let stop = |number| chat::work(state, Requester::Nobody, ScriptThen::Nothing, ScriptWork::Stop(number));
    numbers.into_iter().flat_map(stop).collect()
}

/// What runs of a chat, in a word.
pub fn shown(state: &Domain, chat: &ChatId) -> Option<String> {
    let scripts = state.live.scripts.values();
    let of_chat = scripts.filter(|running| running.chat == *chat && running.pid.is_some());
    let words: Vec<&str> = of_chat.map(|running| running.order.kind.word()).collect();
    (!words.is_empty()).then(|| format!("\u{25b6} {}", words.join(" ")))
}

pub fn run_of(project: Option<String>) -> Order {
    let kind = ScriptKind::Run;
    Order { kind, project }
}

/// What runs of a project, or is on its way.
pub fn run_in(state: &Domain, chat: &ChatId, project: Option<String>) -> Option<WorkId> {
    find(state, chat, &run_of(project))
}

/// Ends a run that a person looks at.
pub fn stop_shown(state: &mut Domain, client: ClientId, number: WorkId) -> Vec<Effect> {
    let Some(running) = state.live.scripts.get_mut(&number) else {
        return Vec::new();
    };
    running.stops.push(Requester::screen(client));
    chat::work(state, Requester::Nobody, ScriptThen::Nothing, ScriptWork::Stop(number))
}

/// Ends a run, to be started again for this person; `None` where it has ended.
pub fn restart(state: &mut Domain, request: ScreenRequest, number: WorkId) -> Option<Vec<Effect>> {
    state.live.scripts.get_mut(&number)?.again = Some(request);
    Some(stop_shown(state, request.client, number))
}

/// A person agreed to a script that a repository brings, as they have read it.
pub fn approve(state: &mut Domain, chat: ChatId, proposal: Proposal, requester: Requester) -> Vec<Effect> {
    let order = run_of(Some(proposal.project));
    let job = ScriptWork::Approve {
        chat: chat.clone(),
        order: order.clone(),
        definition: proposal.definition,
    };
    chat::work(state, requester, ScriptThen::Approved(chat, order), job)
}

/// Runs the setup of a clone, or asks for it where nobody approved it.
pub fn begin_setup(state: &mut Domain, chat: &ChatId, order: Order) -> Vec<Effect> {
    let env = environment(state, chat);
    let size = FIRST_SIZE;
    begin(state, chat, ScriptStart { order, env, size }, Requester::Nobody)
}

/// What they agreed to is kept: it runs.
pub fn approved(state: &mut Domain, chat: &ChatId, order: Order, requester: Requester) -> Vec<Effect> {
    if order.kind == ScriptKind::Setup {
        return begin_setup(state, chat, order);
    }
    reply::show(state, requester, Done::Approved(chat.clone(), order.project));
    Vec::new()
}

pub fn heard(state: &mut Domain, chat: &ChatId, says: ScriptReport) -> Vec<Effect> {
    match says {
        ScriptReport::Wanted { project } => {
            let order = Order {
                kind: ScriptKind::Setup,
                project: Some(project),
            };
            begin_setup(state, chat, order)
        }
        ScriptReport::Waits(proposal) => {
            let order = Order {
                kind: ScriptKind::Setup,
                project: Some(proposal.project.clone()),
            };
            if find(state, chat, &order).is_none() {
                setup::ask_again(state, chat, *proposal);
            }
            Vec::new()
        }
        ScriptReport::Started { number, pid, project } => started(state, number, pid, project),
    }
}

/// What its agent runs in; where none does yet, what it is to be started with.
fn environment(state: &Domain, chat: &ChatId) -> BTreeMap<String, String> {
    let furnished = |waiting: &Waiting| {
        let Then::Project(ProjectThen::Continue(made, new)) = &waiting.then else {
            return None;
        };
        (made == chat).then(|| new.env.clone())
    };
    let agent = state.live.agents.get(chat).map(|agent| agent.env.clone());
    let env = agent.or_else(|| state.live.waiting.values().find_map(furnished));
    env.filter(|env| !env.is_empty())
        .or_else(|| state.live.agenda.env.clone())
        .unwrap_or_default()
}

fn started(state: &mut Domain, number: WorkId, pid: u32, project: String) -> Vec<Effect> {
    let home = state.disk.home.clone();
    let Some(running) = state.live.scripts.get_mut(&number) else {
        return Vec::new();
    };
    running.pid = Some(pid);
    running.order.project = Some(project.clone());
    let (chat, kind) = (running.chat.clone(), running.order.kind);
    let requester = std::mem::replace(&mut running.requester, Requester::Nobody);
    if kind == ScriptKind::Setup {
        setup::forget(state, &chat, Some(&project));
    }
    let file = home
        .join("records")
        .join(chat.as_str())
        .join(output_file(kind, &project));
    let told = json!({"chat": chat::handle(state, &chat), "project": project, "kind": kind, "output": file});
    let mut effects = reply::answer(state, requester, Ok(told));
    if kind == ScriptKind::Run {
        // What became of the last one is not the chat's last word any more.
        let text = format!("{} has begun", run_of(Some(project.clone())).called());
        effects.extend(chat::append(state, &chat, vec![Happened::Note { text }]));
        effects.extend(opened(state, number, &chat, &project, requester));
    }
    effects
}

/// The terminal of a run takes the place of what an earlier run of its project left.
fn opened(state: &mut Domain, number: WorkId, chat: &ChatId, project: &str, requester: Requester) -> Vec<Effect> {
    let what = AuxiliaryProgram::Run {
        project: Some(project.into()),
    };
    if let Some(side) = state.live.sides.get_mut(&number) {
        (side.what, side.stage) = (what.clone(), AuxiliaryStage::Running);
    }
    let is_older = |(older, side): &(WorkId, &Side)| *older != number && side.what == what;
    let older: Vec<WorkId> = auxiliary::of_chat(state, chat)
        .filter(is_older)
        .map(|(older, _)| older)
        .collect();
    if let Requester::Screen(request) = requester {
        state.notices.push(Notice::SideOpened(request, number));
    }
    state.notices.push(Notice::RunTakesPlace {
        number,
        of: older.clone(),
    });
    older
        .into_iter()
        .flat_map(|older| auxiliary::close(state, older))
        .collect()
}

/// It is over: the transcript says how, and whoever waits is told.
pub fn ended(state: &mut Domain, number: WorkId, end: ScriptEnd) -> Vec<Effect> {
    let Some(running) = state.live.scripts.remove(&number) else {
        return Vec::new();
    };
    let chat = running.chat.clone();
    let handle = chat::handle(state, &chat);
    let kind = running.order.kind.word();
    let mut effects = Vec::new();
    match end.how {
        ScriptEnding::Absent | ScriptEnding::Unapproved(_) | ScriptEnding::NotStarted(_) => {
            effects.extend(auxiliary::close(state, number))
        }
        ScriptEnding::Exited(_) | ScriptEnding::Killed(_) | ScriptEnding::Late(_) | ScriptEnding::Stopped => {
            auxiliary::ended(state, number, end.how.clone())
        }
    }
    let refusal = match &end.how {
        ScriptEnding::Absent => Some(Problem::missing(
            running.order.doing(),
            format!("its projects have no script `{kind}`"),
            running.order.kind.where_to_write(&handle),
        )),
        ScriptEnding::Unapproved(_) => Some(Problem::new(
            running.order.doing(),
            format!(
                "it comes from the repository, and you have not approved it: {}",
                end.last.join("; ")
            ),
            format!("`parlour script approve {handle} {kind}` approves exactly that"),
        )),
        ScriptEnding::Exited(_)
        | ScriptEnding::Killed(_)
        | ScriptEnding::Late(_)
        | ScriptEnding::Stopped
        | ScriptEnding::NotStarted(_) => None,
    };
    match (refusal, running.requester) {
        (Some(_), Requester::Nobody) => {
            if let (ScriptEnding::Unapproved(proposal), ScriptKind::Setup) = (end.how, running.order.kind) {
                effects.extend(setup::ask(state, &chat, *proposal));
            }
        }
        (Some(problem), requester) => match (end.how, requester) {
            (ScriptEnding::Unapproved(proposal), Requester::Screen(_)) => {
                let unapproved = Unapproved {
                    chat: chat.clone(),
                    proposal: *proposal,
                    problem,
                };
                reply::show(state, requester, Done::Unapproved(Box::new(unapproved)));
            }
            (_, requester) => effects.extend(reply::answer(state, requester, Err(problem))),
        },
        (None, requester) => {
            effects.extend(tell(state, &running, &end));
            let cause = end.how.trouble().unwrap_or_else(|| "it has ended".into());
            if requester != Requester::Nobody {
                let problem = Problem::fault(running.order.doing(), cause);
                effects.extend(reply::answer(state, requester, Err(problem)));
            }
        }
    }
    for requester in running.stops {
        let told = json!({"chat": handle, "project": running.order.project, "kind": kind});
        effects.extend(reply::answer(state, requester, Ok(told)));
    }
    if let Some(request) = running.again {
        let again = Done::CanRunAgain(chat, running.order.project);
        state.notices.push(Notice::Done(request, again));
    }
    effects
}

fn tell(state: &mut Domain, running: &Running, end: &ScriptEnd) -> Vec<Effect> {
    let called = running.order.called();
    let what = match (end.how.trouble(), &end.how) {
        (Some(trouble), _) => {
            let last: Vec<String> = end.last.iter().map(|line| visible(line)).collect();
            let said = match last.is_empty() {
                true => String::new(),
                false => format!(": {}", last.join("\n")),
            };
            reply::tell_all(state, &format!("{called} {trouble}"));
            let project = running.order.project.as_deref().unwrap_or_default();
            Happened::Error {
                place: running.order.kind.word().into(),
                message: format!("{called} {trouble}{said}"),
                hint: format!(
                    "all that it wrote is in the chat's record, in {}",
                    output_file(running.order.kind, project)
                ),
                trouble: None,
            }
        }
        (None, ScriptEnding::Stopped) => Happened::Note {
            text: format!("{called} was stopped"),
        },
        (None, _) => Happened::Note {
            text: format!("{called} is done"),
        },
    };
    chat::append(state, &running.chat, vec![what])
}

/// It was never begun.
pub fn failed(state: &mut Domain, number: WorkId, problem: Problem) -> Vec<Effect> {
    let Some(running) = state.live.scripts.remove(&number) else {
        return Vec::new();
    };
    let mut effects = auxiliary::close(state, number);
    effects.extend(reply::answer(state, running.requester, Err(problem.clone())));
    for requester in running.stops {
        effects.extend(reply::answer(state, requester, Err(problem.clone())));
    }
    effects
}

/// What was approved could not be kept: it is said, and asked again as it is by now.
pub fn not_approved(state: &mut Domain, chat: &ChatId, order: Order, why: &str) -> Vec<Effect> {
    reply::tell_all(state, why);
    begin_setup(state, chat, order)
}
