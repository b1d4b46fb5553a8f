//! The verbs of conversations from the shell: which chat a directory has, and asking in it.

use clap::{Args, Subcommand};

use super::chat::{ChatArgs, Rm};
use super::chats::New;

/// The conversation of the current directory: which chat it is, and another in its place
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour chat dir                    which chat this directory is bound to, as JSON; {} where none is
  parlour chat dir | jq -r .chat_id
  parlour chat new 'Fix auth'         a chat that this directory is bound to
  parlour chat continue fix-auth      bind this directory to it, and open it
  parlour chat bind fix-auth          bind this directory to it
  parlour chat delete fix-auth

A directory is bound to the last chat that was made, continued or bound there, or that a `parlour query` there has
ended well in. Replies bind nothing. Plain `parlour` opens the chat of the directory in which it is run.
If the chat is gone, that is an error, and no other takes its place.")]
pub struct DirChatArgs {
    #[command(subcommand)]
    pub verb: DirChatVerb,
}

#[derive(Debug, Subcommand)]
pub enum DirChatVerb {
    /// Print which chat this directory is bound to, as JSON; {} where none is
    #[command(after_help = "Examples:
  parlour chat dir
  parlour chat dir | jq -r '.chat_id // empty'

{\"chat_id\", \"handle\", \"llm\", \"profile\", \"messages\", \"updated\", \"conversation_created\"}: `profile` is its role, or null,
`messages` counts prompts and answers, `updated` is when the directory was bound. It needs no engine.")]
    Dir,
    New(Box<New>),
    /// Bind this directory to a chat, and open it where there is a terminal
    #[command(after_help = "Examples:\n  parlour chat continue fix-auth")]
    Continue(ChatArgs),
    /// Show all chats, as `parlour list`, and which one this directory is bound to
    List,
    Delete(Rm),
    /// Bind this directory to a chat: `parlour` here opens it, `parlour query --dre` here goes on with it
    #[command(after_help = "Examples:\n  parlour chat bind fix-auth")]
    Bind(ChatArgs),
    /// Bind this directory to no chat; the chat stays
    Unbind,
}
