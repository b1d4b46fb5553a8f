//! The engine: the loop, its workers, attached screens, lock and shutdown.
//!
//! [`daemon::run`] is the process; [`core::Core`] the loop that owns state; [`work`] the threads that call the services;
//! [`server`] the socket; [`client_screen`] what each client is sent. Start at [`core::Core::run`].

mod alarm;
mod ansi_writer;
mod author;
mod borrowed_keyboard;
mod chats;
mod client_screen;
mod clock;
mod colour_depth;
mod connections;
mod core;
mod daemon;
mod direct_terminal;
mod disk_watch;
mod event_stream;
mod history;
mod inbound;
mod inboxes;
mod journals;
mod kept_outputs;
mod known_programs;
mod line_indexes;
mod listed_files;
mod locks;
mod log;
mod measured;
mod notifier;
mod panes;
mod peer;
mod prepared;
mod recorder;
pub mod replay;
mod retry_queue;
mod run_files;
mod scripts;
mod server;
mod services;
mod session_file;
mod settings;
mod signals;
mod spoken_rows;
mod sub_agents;
mod tail;
mod tmux;
mod tool_host;
mod transcript_reader;
mod watched_git_dirs;
mod work;
mod write_probe;

pub use ansi_writer::AnsiWriter;
pub use client_screen::ClientScreen;
pub use daemon::run;
pub use settings::change_settings;
pub use work::editor;
