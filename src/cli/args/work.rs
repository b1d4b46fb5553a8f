//! The words of `parlour work`. Every comment here is help text.

use clap::{Args, Subcommand};

use crate::model::atom::AtomStatus;

/// The plan that the chats of a tree share: what is to be done, what it waits for, and who does it
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour work list fix-auth
  parlour work list --ready --json | jq -r '.atoms[].id'
  parlour work add fix-auth release parser --title 'Read the new format'
  parlour work add fix-auth release docs --title 'Describe it' --needs parser
  parlour work claim fix-auth release parser
  parlour work done fix-auth release parser --note 'In commit 1f2e3d'

An atom is an item of work, a molecule a group of them. The plan lies with the topmost chat of the tree.")]
pub struct WorkArgs {
    #[command(subcommand)]
    pub verb: WorkVerb,
}

#[derive(Debug, Subcommand)]
pub enum WorkVerb {
    /// Show the atoms of a chat's tree, or of all
    #[command(after_help = "Examples:\n  parlour work list\n  parlour work list fix-auth --ready")]
    List(WorkList),
    /// Add an atom; its molecule is made where there is none
    #[command(after_help = "Examples:
  parlour work add fix-auth release parser --title 'Read the new format'
  parlour work add fix-auth release docs --title 'Describe it' --needs parser,other/build")]
    Add(NewWork),
    /// Take an atom for a chat; what it needs has to be done
    #[command(after_help = "Examples:\n  parlour work claim fix-auth release parser")]
    Claim(AtomName),
    /// Say that an atom is done
    #[command(after_help = "Examples:\n  parlour work done fix-auth release parser --note 'In commit 1f2e3d'")]
    Done(WorkNote),
    /// Give an atom back: nobody has it any more
    #[command(after_help = "Examples:\n  parlour work todo fix-auth release parser --note 'The tests fail on arm'")]
    Todo(WorkNote),
    /// Change what an atom says
    #[command(after_help = "Examples:
  parlour work update fix-auth release docs --title 'Describe both formats'
  parlour work update fix-auth release docs --needs parser,build    all that it needs from now on
  parlour work update fix-auth release docs --needs ''              it needs nothing")]
    Update(UpdateWork),
}

#[derive(Debug, Args)]
pub struct WorkList {
    /// A chat of the tree: handle, name, number or id, or a beginning of at least four letters
    pub chat: Option<String>,
    /// Only this molecule
    #[arg(long)]
    pub molecule: Option<String>,
    /// Only what can be claimed now
    #[arg(long)]
    pub ready: bool,
}

#[derive(Debug, Args)]
pub struct AtomName {
    /// A chat of the tree: handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// The group that the atom is in
    pub molecule: String,
    /// The atom's id
    pub id: String,
}

#[derive(Debug, Args)]
pub struct NewWork {
    #[command(flatten)]
    pub atom: AtomName,
    /// What is to be done, in a few words
    #[arg(long, allow_hyphen_values = true)]
    pub title: String,
    /// The same at length
    #[arg(long, allow_hyphen_values = true)]
    pub detail: Option<String>,
    /// Atoms that have to be done first: ID, or MOLECULE/ID of another molecule
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub needs: Vec<String>,
    /// What whoever takes it on should know
    #[arg(long, allow_hyphen_values = true)]
    pub context: Option<String>,
}

#[derive(Debug, Args)]
pub struct WorkNote {
    #[command(flatten)]
    pub atom: AtomName,
    /// What came of it
    #[arg(long, allow_hyphen_values = true)]
    pub note: Option<String>,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").args(["status", "title", "detail", "needs", "note"]).required(true).multiple(true))]
pub struct UpdateWork {
    #[command(flatten)]
    pub atom: AtomName,
    /// todo, in_progress (claimed for CHAT) or done
    #[arg(long)]
    pub status: Option<AtomStatus>,
    /// What is to be done, in a few words
    #[arg(long, allow_hyphen_values = true)]
    pub title: Option<String>,
    /// The same at length
    #[arg(long, allow_hyphen_values = true)]
    pub detail: Option<String>,
    /// Atoms that have to be done first, instead of those it has
    #[arg(long, value_name = "IDS", value_parser = ids)]
    pub needs: Option<AtomIds>,
    /// What is to be known of it now
    #[arg(long, allow_hyphen_values = true)]
    pub note: Option<String>,
}

/// Ids with commas between them, or none.
#[derive(Clone, Debug)]
pub struct AtomIds(pub Vec<String>);

fn ids(text: &str) -> Result<AtomIds, std::convert::Infallible> {
    let ids = text.split(',').map(str::trim).filter(|id| !id.is_empty());
    Ok(AtomIds(ids.map(str::to_owned).collect()))
}
