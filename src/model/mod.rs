//! The nouns as plain data: chat, project, entry, atom, status, signal, tool, request.
//!
//! No IO, no async, no clock. What the hands report to the engine and what the engine answers is
//! spelled here, so that no hand needs to know `app`. Start at [`chat::Chat`].

pub mod agent;
pub mod area;
pub mod atom;
pub mod chat;
pub mod composer;
pub mod cron;
pub mod deleted;
pub mod diff;
pub mod entry;
pub mod hook;
pub mod id;
pub mod inbox;
pub mod keep;
pub mod local_call;
pub mod losses;
pub mod open_dir;
pub mod pane;
pub mod patch;
pub mod path;
pub mod pick;
pub mod problem;
pub mod project_server;
pub mod remark;
pub mod request;
pub mod review;
pub mod role;
pub mod schedule;
pub mod script;
pub mod server;
pub mod server_entry;
pub mod settings;
pub mod signal;
pub mod status;
pub mod text;
pub mod time;
pub mod tool;
pub mod tool_name;

pub use agent::{AgentEntry, Asks, BUILT_IN, Capabilities, Installed, Launch, Ready, Sandbox, can_be_default};
pub use area::{Area, AreaMode};
pub use chat::{Chat, Declared, DirectoryPlace, Kind, Project, Record};
pub use composer::{Composer, Glance};
pub use cron::{Cron, Zone};
pub use entry::{Entry, Happened, Mark};
pub use hook::{HookAnswer, HookCall, HookEvent};
pub use id::{CallId, ChatId, ClientId, Handle, ScheduleId, WorkId};
pub use local_call::LocalCall;
pub use losses::Losses;
pub use pane::{PaneEvent, PaneId};
pub use problem::{Failure, Problem, ProblemKind, ResultExt};
pub use project_server::ProjectServer;
pub use request::Request;
pub use role::{Authority, Role, RoleEntry, RoleFrom};
pub use schedule::Schedule;
pub use script::{Script, ScriptKind};
pub use server::Server;
pub use server_entry::ServerEntry;
pub use settings::Settings;
pub use signal::{Activity, Reported, Signal, Source, Streamed};
pub use status::Status;
pub use time::Timestamp;
pub use tool::ToolCall;
pub use tool_name::{called, called_in};
