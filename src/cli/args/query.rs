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
ended well in. Replies bind nothing. Plain `parlour` opens the chat of the directory in which it is run, the first time
after it was bound; after that, and where there is none, it shows what was last on the screen.
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
    /// Bind this directory to a chat, and open it where there is a terminal; with TEXT, ask in it as `parlour query` does
    #[command(after_help = "Examples:
  parlour chat continue fix-auth
  parlour chat continue fix-auth 'What is left to do?'")]
    Continue(ContinueArgs),
    /// Show all chats, as `parlour list`, and which one this directory is bound to
    #[command(after_help = "Examples:\n  parlour chat list")]
    List,
    Delete(Rm),
    /// Bind this directory to a chat: the next `parlour` here opens it, `parlour query --dre` here goes on with it
    #[command(after_help = "Examples:\n  parlour chat bind fix-auth")]
    Bind(ChatArgs),
    /// Bind this directory to no chat; the chat stays
    #[command(after_help = "Examples:\n  parlour chat unbind")]
    Unbind,
}

#[derive(Debug, Args)]
pub struct ContinueArgs {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// What to ask in it
    pub text: Vec<String>,
}

/// Ask an agent, and print its answer as it comes
#[derive(Debug, Default, Args)]
#[command(after_help = "Examples:
  parlour query 'What does this repository do?'
  git diff | parlour query 'review this'        what is piped in stands behind the words
  parlour query - < question.md
  parlour query --re 'And the tests?'           goes on with the last query, wherever it was made
  parlour query --dre 'And the tests?'          goes on with the conversation of this directory
  parlour query --llm codex --role reviewer 'Is this safe?'
  parlour query --rw --yes-to 'Bash(cargo test:*)' 'Mend the failing test'
  parlour dre                                   prints the last answer once more, and asks nobody

It makes a chat, as `parlour list` shows it, and binds this directory to it once it has answered. Its agent sees this
directory in place, and may only read it without --rw. On a terminal Markdown is drawn; into a pipe goes the plain text.
Calls of tools are told on standard error. Ctrl+C interrupts the turn; the chat stays.
Exit codes: 0 answered; 1 not, and why: it needs an approval, or it said nothing; 2 usage error; 130 interrupted.
--json: {\"chat_id\", \"handle\", \"llm\", \"text\"}")]
pub struct QueryArgs {
    /// What to ask; `-` reads it from standard input
    pub text: Vec<String>,
    /// The agent: claude, codex, gemini, opencode, or another as of `parlour new`
    #[arg(long, conflicts_with_all = ["reply", "dir_reply"])]
    pub llm: Option<String>,
    /// A role: instructions that the agent starts with, as `parlour roles` lists them
    #[arg(short, long = "role", visible_alias = "profile", value_name = "ROLE", conflicts_with_all = ["reply", "dir_reply"])]
    pub profile: Option<String>,
    /// What to call the chat; without a name, the beginning of the question
    #[arg(long, conflicts_with_all = ["reply", "dir_reply"])]
    pub name: Option<String>,
    /// The agent may change files in this directory
    #[arg(long, conflicts_with_all = ["reply", "dir_reply"])]
    pub rw: bool,
    /// Go on with the last query, wherever it was made
    #[arg(long, visible_alias = "re", conflicts_with = "dir_reply")]
    pub reply: bool,
    /// Go on with the conversation of this directory
    #[arg(long, visible_alias = "dre")]
    pub dir_reply: bool,
    /// Allow what this rule allows, if the agent asks; repeatable
    #[arg(long, value_name = "RULE")]
    pub yes_to: Vec<String>,
    /// If it needs an approval, wait until somebody gives it elsewhere
    #[arg(long)]
    pub wait: bool,
    /// Print the answer as it is, also on a terminal
    #[arg(long)]
    pub raw: bool,
    /// Do not tell what the agent does meanwhile
    #[arg(short, long)]
    pub quiet: bool,
}

/// Print the last answer in the conversation of this directory; nobody is asked
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour dre
  parlour dre --raw | pbcopy

`parlour query --dre TEXT` goes on with that conversation.")]
pub struct DreArgs {
    /// Print it as it is, also on a terminal
    #[arg(long)]
    pub raw: bool,
}
