//! An engine in a process of its own: lock, log, socket, MCP port, signals; then the loop.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use anyhow::{Context, bail};
use parking_lot::{Mutex, RwLock};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::locks::ChatLocks;
use super::settings::broken_settings;
use crate::agents::{self, Adapter};
use crate::app::recording::Header;
use crate::app::start::Start;
use crate::config;
use crate::domain::Event;
use crate::domain::event::DiskEvent;
use crate::domain::state::Facts;
use crate::git::{Caches, Program};
use crate::mcp::{self, McpLimits, Tokens};
use crate::model::{Problem, Settings};
use crate::store::{Changed, Home, Watcher};
use crate::sys::lock::EngineLock;
use crate::sys::{self, spawn};
use crate::wire::address;

use super::clock::now;
use super::core::Core;
use super::history::HistoryKeeper;
use super::inbound::{Inbound, Sender};
use super::journals::Journals;
use super::line_indexes::LineIndexes;
use super::measured::Measured;
use super::peer::Authors;
use super::prepared::PreparedTurns;
use super::recorder::Recorder;
use super::run_files::{self, RunFiles};
use super::services::Services;
use super::tool_host::{EngineToolHost, Strangers};
use super::watched_git_dirs::{Watched, WatchedGitDirs};
use super::{chats, disk_watch, log};

/// Ports tried from the home's own one on, before any will do.
const PORTS: u16 = 16;

/// A worker that is told to stop ends what it runs within two seconds; the others only write.
const WORKERS_END_WITHIN: Duration = Duration::from_secs(3);

const LOOKS: u32 = 5;
const LOOK: Duration = Duration::from_millis(20);

/// Runs the engine of this home until it is told to end, and writes its events to the file `record`. Fails where another
/// one runs.
pub fn run(home: &Path, record: Option<&Path>) -> anyhow::Result<()> {
    let run = address::run_directory(home).context("making the engine's directory")?;
    let Some(lock) = acquire(home).context("taking the engine's lock")? else {
        let cause = format!("an engine of {} runs already", home.display());
        return Err(Problem::busy("starting the engine", cause, "`parlour kill-engine` ends it").into());
    };
    sys::raise_open_files();
    if let Err(error) = spawn::adopt_orphans() {
        eprintln!("parlour: what agents leave behind cannot be told from a person's: {error}");
    }
    let lock = Arc::new(Mutex::new(lock));
    let hook_tokens = Arc::new(Tokens::default());
    let (sender, inbox) = Sender::channel(hook_tokens.clone());
    log::start(&run, sender.clone()).context("opening the engine's log")?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("starting the loop")?;
    let ended = runtime.block_on(async {
        let home = Home::open(home)?;
        let listener = address::bind(home.path()).context("opening the engine's socket")?;
        let stop = CancellationToken::new();
        let changed = Arc::new(Notify::new());
        let engine = Engine::open(home, record, hook_tokens, sender.clone(), changed.clone()).await?;
        tracing::info!(
            "parlour {} began, pid {}",
            env!("CARGO_PKG_VERSION"),
            std::process::id()
        );
        let place = RunFiles {
            home: engine.services.home.path().to_path_buf(),
            services: engine.services.clone(),
            authors: engine.authors.clone(),
            sender: sender.clone(),
            lock: lock.clone(),
            changed,
        };
        disk_watch::start(engine.services.home.path().to_path_buf(), sender.clone()).context("watching the disk")?;
        let keeping = tokio::spawn(run_files::keep(place, listener, stop.clone()));
        tokio::spawn(listen_for_signals(sender));
        engine.core.run(inbox).await;
        stop.cancel();
        // It drops the services.
        let _ = keeping.await;
        // Their workers hold what the end waits for. Who is attached is told its last words meanwhile.
        let scripts = engine.services.scripts.clone();
        let _ = tokio::task::spawn_blocking(move || scripts.end_all()).await;
        engine.services.history.end();
        // Transcripts are synced when their writer has taken everything in.
        drop(engine.services);
        let ended = tokio::task::spawn_blocking(move || engine.journals.join()).await;
        if !matches!(ended, Ok(Ok(()))) {
            tracing::error!("the writer of transcripts ended badly");
        }
        // It lets go of what it was about to write.
        let _ = tokio::task::spawn_blocking(move || engine.history.join()).await;
        tracing::info!("the engine ended");
        log::settle();
        anyhow::Ok(())
    });
    // What runs for nobody any more was told to stop, and ends with us where it does not.
    runtime.shutdown_timeout(WORKERS_END_WITHIN);
    // Where it was never bound there is nothing to remove, and the next engine removes what stays.
    if let Err(error) = address::unbind(home) {
        tracing::info!("the engine's socket stays: {error}");
    }
    drop(lock);
    ended
}

/// A verb that looks whether the lock is free holds it for a moment.
fn acquire(home: &Path) -> std::io::Result<Option<EngineLock>> {
    for _ in 0..LOOKS {
        if let Some(lock) = EngineLock::try_acquire(home, &address::lock_path(home))? {
            return Ok(Some(lock));
        }
        std::thread::sleep(LOOK);
    }
    Ok(None)
}

/// An engine that is ready to run.
pub struct Engine {
    pub core: Core,
    pub services: Arc<Services>,
    pub authors: Authors,
    journals: std::thread::JoinHandle<()>,
    history: std::thread::JoinHandle<()>,
}

impl Engine {
    /// Opens a home: settles what a crash cut off, loads every chat, and serves MCP.
    pub async fn open(
        home: Home,
        record: Option<&Path>,
        hook_tokens: Arc<Tokens>,
        sender: Sender,
        changed: Arc<Notify>,
    ) -> anyhow::Result<Engine> {
        let leftovers = chats::settle(&home)?;
        let loaded = config::load(&home.config());
        let settings = loaded
            .as_ref()
            .map_or_else(|_| Settings::unknown(), |loaded| loaded.settings.clone());
        let listener = bind(home.path(), &settings)?;
        let port = listener.local_addr().context("reading the MCP port")?.port();
        let home = Arc::new(home);
        let (keeper, history) = HistoryKeeper::start(home.clone()).context("starting to index transcripts")?;
        let services = services(&home, (port, keeper), &settings, hook_tokens, (&sender, changed))?;
        let services = Arc::new(services);
        let facts = Facts {
            pid: std::process::id(),
            started: now(),
            version: env!("CARGO_PKG_VERSION").into(),
            mcp_url: services.mcp_url.clone(),
            mcp_port: port,
            zone: config::zone(),
            rss_bytes: 0,
        };
        let seed = uuid::Uuid::new_v4().as_u64_pair().0;
        let title = |adapter: Box<dyn Adapter>| (adapter.name().to_string(), adapter.title().to_string());
        let (preferences, list_problem) = chats::preferences(&services.home);
        let own = |adapter: Box<dyn Adapter>| {
            let own = agents::commands::commands(adapter.commands());
            (adapter.name().to_string(), own)
        };
        let login = |adapter: Box<dyn Adapter>| {
            // What it does tells more than its options.
            let arguments = adapter.login_arguments()?.iter().filter(|word| !word.starts_with('-'));
            let words: Vec<&str> = [adapter.name()].into_iter().chain(arguments.copied()).collect();
            Some((adapter.name().to_string(), words.join(" ")))
        };
        let start = Start {
            home: home.path().to_path_buf(),
            facts,
            seed,
            person: std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default(),
            titles: agents::all(&settings).into_iter().map(title).collect(),
            commands: agents::all(&settings).into_iter().map(own).collect(),
            logins: agents::all(&settings).into_iter().filter_map(login).collect(),
            settings: match &loaded {
                Ok(loaded) => {
                    chats::tell_strays(loaded);
                    Ok(settings)
                }
                Err(broken) => Err(broken_settings(broken)),
            },
            read_only: services.may_write().err(),
            chats: chats::load(&services),
            schedules: chats::schedules(&services.home),
            list: preferences.chats,
            tour_seen: preferences.tour_seen,
            left: preferences.left,
            list_problem,
        };
        let (start, recorder) = match record {
            Some(file) => {
                let header = Header::new(start);
                let recorder = Recorder::start(file, &header)?;
                (header.start, Some(recorder))
            }
            None => (start, None),
        };
        let (beside, setups) = (start.left.beside.clone(), start.left.setups.clone());
        let state = start.state();
        let (journals, writer) = Journals::start(home.clone(), sender.clone(), services.history.notices.clone())
            .context("starting the writer")?;
        let authors = Authors::new(services.scripts.clone());
        let board = EngineToolHost {
            tokens: services.tokens.clone(),
            sender: sender.clone(),
            offered: services.offered.clone(),
            bare: services.bare.clone(),
            left_out: services.left_out.clone(),
            strangers: Strangers::default(),
        };
        tokio::spawn(async move {
            // The token that would stop it is the process's end.
            let stop = CancellationToken::new();
            if let Err(error) = mcp::serve(listener, Arc::new(board), McpLimits::default(), stop).await {
                tracing::error!("the MCP server ended: {error}");
            }
        });
        let loaded = state.domain.disk.chats.values().cloned().collect();
        chats::look_after(&services, loaded, leftovers, &sender);
        let env =
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        sender.send(Inbound::Event(Event::Disk(DiskEvent::Began(env.collect()))));
        if services.home.writable().is_ok() {
            chats::tell_beside(&beside, &setups, &sender);
        }
        let core = Core::new(state, services.clone(), journals, authors.clone(), sender, recorder);
        Ok(Engine {
            core,
            services,
            authors,
            journals: writer,
            history,
        })
    }
}

fn services(
    home: &Arc<Home>,
    (port, history): (u16, HistoryKeeper),
    settings: &Settings,
    hook_tokens: Arc<Tokens>,
    (sender, place): (&Sender, Arc<Notify>),
) -> anyhow::Result<Services> {
    let (watched, told) = (home.clone(), sender.clone());
    let slot: Arc<OnceLock<Weak<Mutex<Watcher>>>> = Arc::default();
    let (own, mut seen) = (slot.clone(), WatchedGitDirs::default());
    let tell = move |changed: Changed| {
        if changed == Changed::Engine {
            place.notify_one();
        }
        let mut inbound = chats::reload(&watched, changed.clone());
        if let (Some(Inbound::Event(Event::Disk(DiskEvent::Chat(chat)))), Some(watcher)) =
            (&inbound, own.get().and_then(Weak::upgrade))
            && seen.watch_again(&watched, &watcher, chat) == Watched::Again
        {
            // What was changed before the watch stood, nobody has told.
            inbound = chats::reload(&watched, changed);
        }
        if let Some(inbound) = inbound {
            told.send(inbound);
        }
    };
    let mut watcher = Watcher::start(tell).context("watching the home")?;
    watcher.watch_config(home).context("watching config.json")?;
    watcher.watch_schedules(home).context("watching the schedules")?;
    let watcher = Arc::new(Mutex::new(watcher));
    // Nobody else sets it.
    let _ = slot.set(Arc::downgrade(&watcher));
    let parlour = std::env::current_exe().context("finding parlour's own program")?;
    spawn::supervise_with(&parlour);
    Ok(Services {
        home: home.clone(),
        caches: Caches::new(home.dir().dir("bare")?)?,
        git: Program::find()?,
        parlour,
        mcp_url: format!("http://127.0.0.1:{port}/mcp"),
        tokens: Arc::default(),
        hook_tokens,
        offered: Arc::new(RwLock::new(settings.mcp.tools.clone())),
        bare: Arc::default(),
        left_out: Arc::default(),
        settings: RwLock::new(Arc::new(settings.clone())),
        watcher,
        files: Default::default(),
        scripts: Arc::default(),
        reviews: ChatLocks::default(),
        prepared: PreparedTurns::default(),
        measured: Measured::default(),
        programs: Default::default(),
        outputs: LineIndexes::default(),
        history,
    })
}

/// The home's own port, so that files which name it stay true; where it is taken, the next ones.
fn bind(home: &Path, settings: &Settings) -> anyhow::Result<TcpListener> {
    let first = settings.mcp.port.unwrap_or_else(|| config::port_of(home));
    let wanted = match settings.mcp.port {
        Some(_) => 1,
        None => PORTS,
    };
    for port in (first..).take(usize::from(wanted)) {
        if let Ok(listener) = mcp::listen(port) {
            return Ok(listener);
        }
    }
    if settings.mcp.port.is_some() {
        bail!("port {first} of mcp.port in config.json is taken; choose another, or leave it out");
    }
    mcp::listen(0).context("finding a free port for MCP")
}

async fn listen_for_signals(sender: Sender) {
    let (Ok(mut term), Ok(mut int)) = (signal(SignalKind::terminate()), signal(SignalKind::interrupt())) else {
        tracing::error!("signals can't be heard: end the engine with `parlour kill-engine`");
        return;
    };
    tokio::select! {
        _ = term.recv() => {}
        _ = int.recv() => {}
    }
    sender.send(Inbound::Stop);
}
