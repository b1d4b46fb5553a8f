//! The words of `parlour commit`, `push`, `home`, `rebase`, `pr` and `radar`. Every comment here is help text.

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub enum KeepVerb {
    Commit(CommitArgs),
    Push(PushArgs),
    Home(BringHome),
    Rebase(RebaseArgs),
    Pr(PullArgs),
    Radar(RadarArgs),
}

/// Commit what is in the clones of a chat: what is staged, else all changes that are not ignored
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour commit fix-auth                       the message is the last prompt
  parlour commit fix-auth -m 'Check the token'
  parlour commit fix-auth --amend -m 'Check it'
  parlour commit fix-auth --project grove --amend --all

Hooks and filters of the repository do not run, since an agent can have changed them; skipped hooks are named.
A checkpoint is taken first.")]
pub struct CommitArgs {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// What it does and why
    #[arg(short, long)]
    pub message: Option<String>,
    /// Replace the last commit by what is staged; if nothing is, its message alone
    #[arg(long)]
    pub amend: bool,
    /// Take all that is changed, even if something is staged
    #[arg(short, long)]
    pub all: bool,
    /// Replace it even if a remote has it; a push needs --force-with-lease then
    #[arg(long, requires = "amend")]
    pub despite_remote: bool,
    /// One clone alone
    #[arg(long, value_name = "NAME")]
    pub project: Option<String>,
}

/// Push the branches of a chat's clones to their remotes
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour push fix-auth
  parlour push fix-auth --project grove
  parlour push fix-auth --force-with-lease      after an amend or a rebase")]
pub struct PushArgs {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// One clone alone
    #[arg(long, value_name = "NAME")]
    pub project: Option<String>,
    /// Replace the branch there, if it is still as the clone saw it last
    #[arg(long)]
    pub force_with_lease: bool,
    /// Even if todos are open that come first
    #[arg(long)]
    pub despite_todos: bool,
}

/// Bring the branches of a chat's clones into the repositories on this machine that they came from
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour home fix-auth                         then: git merge fix-auth
  parlour home fix-auth --as fix/auth           where its own name is checked out there
  parlour home fix-auth --project grove --checkout

Files there, and what is checked out, stay as they are, unless --checkout is given and nothing there is uncommitted.")]
pub struct BringHome {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// One clone alone
    #[arg(long, value_name = "NAME")]
    pub project: Option<String>,
    /// Check the branch out there too, or move it on where it is checked out
    #[arg(long)]
    pub checkout: bool,
    /// Its name there, instead of the clone's
    #[arg(long = "as", value_name = "NAME")]
    pub name: Option<String>,
}

/// Put the branches of a chat's clones on top of the base branch, as its remote has it now
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour rebase fix-auth
  parlour rebase fix-auth --project grove --keep-conflicts
  parlour rebase fix-auth --upstream            take up what others pushed to its branch
  parlour rebase fix-auth --continue            once its conflicts are resolved and staged
  parlour rebase fix-auth --abort               also a merge, a cherry-pick or a revert

If a commit conflicts, nothing changes and the files are named. A checkpoint is taken first.")]
pub struct RebaseArgs {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// One clone alone
    #[arg(long, value_name = "NAME")]
    pub project: Option<String>,
    /// On top of what others pushed to the branch itself, instead of the base branch
    #[arg(long)]
    pub upstream: bool,
    /// Leave a rebase with conflicts under way
    #[arg(long)]
    pub keep_conflicts: bool,
    /// Go on with a rebase that is under way
    #[arg(long = "continue", conflicts_with_all = ["keep_conflicts", "upstream"])]
    pub go_on: bool,
    /// Call off the rebase, merge, cherry-pick or revert that is under way
    #[arg(long, conflicts_with_all = ["keep_conflicts", "upstream", "go_on"])]
    pub abort: bool,
}

/// Push the branches of a chat's clones and open pull requests, by `gh`
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour pr fix-auth                           title and text come from the transcript
  parlour pr fix-auth --draft --title 'Check the token'
  parlour pr fix-auth --status                  number, state and checks")]
pub struct PullArgs {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// One clone alone
    #[arg(long, value_name = "NAME")]
    pub project: Option<String>,
    /// Its title, instead of the first prompt
    #[arg(long, conflicts_with = "status")]
    pub title: Option<String>,
    /// Its text, instead of the prompts and how each turn ended
    #[arg(long, conflicts_with = "status")]
    pub body: Option<String>,
    /// Open it as a draft
    #[arg(long, conflicts_with = "status")]
    pub draft: bool,
    /// Even if todos are open that come first
    #[arg(long, conflicts_with = "status")]
    pub despite_todos: bool,
    /// Tell of the one that is open, and change nothing
    #[arg(long)]
    pub status: bool,
}

/// Show which chats' branches of one project conflict, and in which files
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour radar                                 all chats
  parlour radar fix-auth --json | jq -r '.collisions[].files[]'")]
pub struct RadarArgs {
    /// Conflicts with this chat's branches alone
    pub chat: Option<String>,
}
